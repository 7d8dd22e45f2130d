Feature: The MTU of an L2Network
  What does not fit into the overlay is lost, since not everything on a segment can be fragmented.

  @S4-80 @S4-86 @S4-87 @S4-91
  Scenario: The NICs of a segment have its MTU on both ends, those of a Subnet the kernel's
    Given a lab
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "small" with {vpc: lab, mtu: 1400}
    And L2Network "usual" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1  | eth2  |
      | a    | worker-1 | web  | small | usual |
    Then the table of l2net is
      """
      NAME    VPC   CIDR   MTU    READY
      small   lab          1400   True
      usual   lab          1450   True
      """
    And the MTU of eth0 of Pod "a" is the kernel's default on both ends
    And the MTU of eth1 of Pod "a" is 1400 on both ends
    And the MTU of eth2 of Pod "a" is 1450 on both ends

  @S4-81 @S4-91
  Scenario: A flag of the controller says what holds where spec.mtu does not
    Given a lab with --default-l2-mtu 8950
    And Vpc "lab" with {}
    And L2Network "lab-net" with {vpc: lab}
    And L2Network "small" with {vpc: lab, mtu: 1400}
    Then "status.mtu" of L2Network "lab-net" is 8950
    And "status.mtu" of L2Network "small" is 1400
    And "spec.mtu" of L2Network "lab-net" is empty

  @S4-82
  Scenario: Without flag and field it is 1450
    Given a lab
    And Vpc "lab" with {}
    And L2Network "lab-net" with {vpc: lab}
    Then "status.mtu" of L2Network "lab-net" is 1450

  @S4-83
  Scenario: The default is what VXLAN leaves of 1500 bytes
    Given a lab with an underlay of MTU 1500
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    When eth1 of Pod "a" pings eth1 of Pod "b" with 1450 bytes
    Then the ping is answered
    And the largest outer packet has 1500 bytes

  @S4-84
  Scenario: On another underlay the flag makes it fit
    Given a lab with an underlay of MTU 9000
    And a lab with --default-l2-mtu 8950
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    When eth1 of Pod "a" pings eth1 of Pod "b" with 8950 bytes
    Then the ping is answered
    And the largest outer packet has 9000 bytes

  @S4-84
  Scenario: The flag's help says what to set it to
    When "juneau lab run --help" runs
    Then it exits with 0
    And it says of "--default-l2-mtu" "underlay is not 1500"
    And it says of "--default-l2-mtu" "the underlay's MTU less 50 (VXLAN)"

  @S4-84
  Scenario: Or the field does
    Given a lab with an underlay of MTU 1400
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, mtu: 1350}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    When eth1 of Pod "a" sends a frame to everybody with 1350 bytes of payload
    Then only eth1 of Pod "b" receives it

  @S4-85
  Scenario: A frame that is no IP and does not fit into the underlay is lost, and nobody is told
    Given a lab with an underlay of MTU 1400
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "lab-net" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    When eth1 of Pod "a" sends a frame to everybody with 1450 bytes of payload
    Then nobody receives it
    And eth1 of Pod "a" receives nothing
    And worker-1 has dropped one packet with reason UNDERLAY_LOST
    When eth1 of Pod "a" sends a frame to everybody with 1350 bytes of payload
    Then only eth1 of Pod "b" receives it
