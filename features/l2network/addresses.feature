Feature: Addresses on an L2Network
  With a cidr Juneau hands out addresses, and keeps back none but the gateway's; without one, addresses are the Pods' own affair.

  Background:
    Given a lab
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}

  @S4-12 @S4-100 @S4-101
  Scenario: Without a cidr nothing is handed out, and the NICs are there all the same
    Given L2Network "plain" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1  |
      | a    | worker-1 | web  | plain |
      | b    | worker-2 | web  | plain |
    Then AllocationPool "l2network-ip-plain" does not exist
    And the table of networkinterfaces is
      """
      NAME     NODE       SUBNET   L2NETWORK   ELASTICIP   ADDRESS        PHASE
      a.eth0   worker-1   web                              10.90.0.4/24   Ready
      a.eth1   worker-1            plain                                  Ready
      b.eth0   worker-2   web                              10.90.0.5/24   Ready
      b.eth1   worker-2            plain                                  Ready
      """
    And "status.allocationClaim" of NetworkInterface "a.eth1" is empty
    And "status.address" of NetworkInterface "a.eth1" is empty
    And eth1 of Pod "a" has no address
    And Pod "a" has the interfaces eth0, eth1
    When eth1 of Pod "a" sends a frame to everybody
    Then only eth1 of Pod "b" receives it
    When eth1 of Pod "b" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" receives it

  @S4-13
  Scenario: With a cidr each NIC has an address of its own
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    Then the table of networkinterfaces is
      """
      NAME     NODE       SUBNET   L2NETWORK   ELASTICIP   ADDRESS        PHASE
      a.eth0   worker-1   web                              10.90.0.4/24   Ready
      a.eth1   worker-1            lab-net                 10.70.4.1/24   Ready
      b.eth0   worker-2   web                              10.90.0.5/24   Ready
      b.eth1   worker-2            lab-net                 10.70.4.2/24   Ready
      """
    And eth1 of Pod "a" has the address "10.70.4.1/24"
    And eth1 of Pod "a" can ping eth1 of Pod "b"

  @S4-58
  Scenario: The gateway's is the only address that is kept back
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    Then "spec.ip.excluded" of AllocationPool "l2network-ip-lab-net" is ["10.70.4.1"]
    And "spec.ip.cidrs" of AllocationPool "l2network-ip-lab-net" is ["10.70.4.0/24"]
    And "status.address" of NetworkInterface "a.eth1" is "10.70.4.2/24"
    And "status.address" of NetworkInterface "b.eth1" is "10.70.4.3/24"

  @S4-58
  Scenario Outline: A prefix of sixteen addresses has thirteen for NICs with a gateway, fourteen without
    Given L2Network "lab-net" with <spec>
    And <pods> Pods "p" with eth1 on "lab-net"
    Then every Pod is Running
    When these Pods are created
      | name | node     | eth0 | eth1    |
      | late | worker-1 | web  | lab-net |
    Then it is accepted
    And NetworkInterface "late.eth1" is Pending with reason "SubnetExhausted"
    When Pod "p1" is deleted
    And Pod "p1" is gone
    And 24h pass
    Then NetworkInterface "late.eth1" is Ready

    Examples:
      | spec                                          | pods |
      | {vpc: lab, cidr: 10.70.4.0/28, gateway: {}}   | 13   |
      | {vpc: lab, cidr: 10.70.4.0/28}                | 14   |

  @S4-57 @S4-59
  Scenario: No resolver takes an address away, so a Pod can have that address and serve names itself
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1             |
      | a    | worker-1 | web  | lab-net 10.70.4.9 |
    When eth1 of Pod "a" sends a datagram to port 53 of "10.70.4.2"
    Then it is not answered
    And "status.dns" of L2Network "lab-net" is empty
    Given these Pods
      | name  | node     | eth0 | eth1             |
      | names | worker-2 | web  | lab-net 10.70.4.2 |
    Then eth1 of Pod "names" has the address "10.70.4.2/24"
    When eth1 of Pod "a" sends a datagram to port 53 of "10.70.4.2"
    Then it is turned away
    Given Pod "names" serves UDP port 53
    When eth1 of Pod "a" sends a datagram to port 53 of "10.70.4.2"
    Then it is answered

  @S4-54
  Scenario: Keeping an address back takes none away that was handed out
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: lab-net}
      spec: {vpc: lab, cidr: 10.70.4.0/24, gateway: {address: 10.70.4.1}}
      """
    Then "spec.ip.excluded" of AllocationPool "l2network-ip-lab-net" is ["10.70.4.1"]
    And "status.address" of NetworkInterface "a.eth1" is "10.70.4.1/24"
    And NetworkInterface "a.eth1" is Ready
    Given these Pods
      | name | node     | eth0 | eth1    |
      | b    | worker-1 | web  | lab-net |
    Then "status.address" of NetworkInterface "b.eth1" is "10.70.4.2/24"

  @S4-102 @S4-4
  Scenario: A DHCP server of one's own hands out addresses across Nodes
    Given L2Network "plain" with {vpc: lab}
    And L2Network "elsewhere" with {vpc: lab}
    And these Pods
      | name   | node     | eth0 | eth1      |
      | server | worker-1 | web  | plain     |
      | client | worker-2 | web  | plain     |
      | x      | worker-1 | web  | elsewhere |
    And "192.168.7.1/24" is set on eth1 of Pod "server"
    And eth1 of Pod "server" serves DHCP with the lease "192.168.7.50/24"
    When eth1 of Pod "client" asks for a lease by DHCP
    Then eth1 of Pod "client" is leased "192.168.7.50/24"
    And eth1 of Pod "client" has the address "192.168.7.50/24"
    And eth1 of Pod "client" can ping "192.168.7.1"
    And eth1 of Pod "server" can ping "192.168.7.50"
    And eth1 of Pod "x" finds no DHCP server

  @S4-102
  Scenario: Addresses set by hand work
    Given L2Network "plain" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1  |
      | a    | worker-1 | web  | plain |
      | b    | worker-2 | web  | plain |
    And "192.168.7.1/24" is set on eth1 of Pod "a"
    And "192.168.7.2/24" is set on eth1 of Pod "b"
    Then eth1 of Pod "a" can ping "192.168.7.2"

  @S4-4
  Scenario: Hosts bridged behind NICs reach each other
    Given L2Network "plain" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1  |
      | a    | worker-1 | web  | plain |
      | b    | worker-2 | web  | plain |
    And a host "left" with "192.168.7.1/24" is bridged behind eth1 of Pod "a"
    And a host "right" with "192.168.7.2/24" is bridged behind eth1 of Pod "b"
    Then host "left" can ping "192.168.7.2"
    And host "right" can ping "192.168.7.1"

  @S4-4
  Scenario: A Pod that bridges two segments makes them one
    Given L2Network "left" with {vpc: lab}
    And L2Network "right" with {vpc: lab}
    And these Pods
      | name   | node     | eth0 | eth1 | eth2  |
      | a      | worker-1 | web  | left |       |
      | b      | worker-2 | web  | right |      |
      | bridge | worker-1 | web  | left | right |
    When eth1 of Pod "a" sends a frame to everybody
    Then eth1 of Pod "b" receives no copies of it
    Given eth1 of Pod "bridge" and eth2 of Pod "bridge" are bridged
    When eth1 of Pod "a" sends a frame to everybody
    Then eth1 of Pod "b" receives it

  @S4-4
  Scenario: A router Pod carries packets between two segments
    Given L2Network "left" with {vpc: lab}
    And L2Network "right" with {vpc: lab}
    And these Pods
      | name   | node     | eth0 | eth1  | eth2  |
      | a      | worker-1 | web  | left  |       |
      | b      | worker-2 | web  | right |       |
      | router | worker-2 | web  | left  | right |
    And "192.168.7.2/24" is set on eth1 of Pod "a"
    And "192.168.7.1/24" is set on eth1 of Pod "router"
    And "192.168.8.1/24" is set on eth2 of Pod "router"
    And "192.168.8.2/24" is set on eth1 of Pod "b"
    And Pod "a" adds a route to "192.168.8.0/24" via "192.168.7.1"
    And Pod "b" adds a route to "192.168.7.0/24" via "192.168.8.1"
    Then Pod "a" cannot ping "192.168.8.2"
    Given Pod "router" is a router
    Then Pod "a" can ping "192.168.8.2"
