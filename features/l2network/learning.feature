Feature: What a segment learns
  A Node learns the MACs of a segment from the frames that workloads send, and from nothing else.

  Background:
    Given a lab with nodes worker-1, worker-2, worker-3
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "lab-net" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-1 | web  | lab-net |
      | c    | worker-2 | web  | lab-net |

  @S4-118
  Scenario: A source MAC is bound to the port it came from, on other Nodes to the Node
    Given eth1 of Pod "a" has been heard
    Then table l2_fdb of worker-1 for L2Network "lab-net" is
      | mac    | ifindex | vtep_ip |
      | a.eth1 | a.eth1  | -       |
    And table l2_fdb of worker-2 for L2Network "lab-net" is
      | mac    | ifindex | vtep_ip  |
      | a.eth1 | -       | worker-1 |
    And table l2_fdb of worker-3 for L2Network "lab-net" is empty

  @S4-119
  Scenario: A frame to a learned MAC goes to that port alone
    When eth1 of Pod "b" sends a frame to "02:00:00:00:00:07"
    Then only eth1 of Pod "a" and eth1 of Pod "c" receive it
    When eth1 of Pod "a" sends a frame to everybody from "02:00:00:00:00:07"
    And eth1 of Pod "b" sends a frame to "02:00:00:00:00:07"
    Then only eth1 of Pod "a" receives it
    When eth1 of Pod "c" sends a frame to "02:00:00:00:00:07"
    Then only eth1 of Pod "a" receives it

  @S4-123
  Scenario: Nobody but workloads puts anything in
    Then table l2_fdb of worker-1 for L2Network "lab-net" is empty
    And table l2_fdb of worker-2 for L2Network "lab-net" is empty
    And NetworkEndpoint "a.eth1" is Ready
    When the controller restarts
    And 1h passes
    Then table l2_fdb of worker-1 for L2Network "lab-net" is empty

  @S4-123
  Scenario: On a segment with a gateway, the gateway's own MAC is all that is there at first
    Given L2Network "routed" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1   |
      | r    | worker-1 | web  | routed |
    Then table l2_fdb of worker-1 for L2Network "routed" is
      | mac    | ifindex | vtep_ip |
      | routed | routed  | -       |
    When 1h passes
    Then table l2_fdb of worker-1 for L2Network "routed" is
      | mac    | ifindex | vtep_ip |
      | routed | routed  | -       |

  @S4-124
  Scenario: The MAC in a NetworkEndpoint is no entry: a frame to it is flooded until it has sent one
    Then "spec.macAddress" of NetworkEndpoint "c.eth1" is set
    When eth1 of Pod "a" sends a frame to eth1 of Pod "c"
    Then only eth1 of Pod "b" and eth1 of Pod "c" receive it
    And the trace shows L2_FLOOD

  @S4-125
  Scenario: MACs behind a NIC that are not its own are found there
    Given eth1 of Pod "c" has been heard
    When eth1 of Pod "c" sends a frame to everybody from "02:00:00:00:00:01"
    And eth1 of Pod "c" sends a frame to everybody from "02:00:00:00:00:02"
    And eth1 of Pod "c" sends a frame to everybody from "02:00:00:00:00:03"
    And eth1 of Pod "a" sends a frame to "02:00:00:00:00:01"
    Then only eth1 of Pod "c" receives it
    When eth1 of Pod "b" sends a frame to "02:00:00:00:00:02"
    Then only eth1 of Pod "c" receives it
    When eth1 of Pod "a" sends a frame to "02:00:00:00:00:03"
    Then only eth1 of Pod "c" receives it
    When eth1 of Pod "a" sends a frame to eth1 of Pod "c"
    Then only eth1 of Pod "c" receives it

  @S4-126
  Scenario: Whoever claims a MAC has it, the latest one
    Given eth1 of Pod "a" has been heard
    When eth1 of Pod "b" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" receives it
    When eth1 of Pod "c" sends a frame to everybody from eth1 of Pod "a"
    And eth1 of Pod "b" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "c" receives it
    Given eth1 of Pod "a" has been heard
    When eth1 of Pod "b" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" receives it

  @S4-127
  Scenario: An entry is there for 300 seconds after its last frame
    Given eth1 of Pod "a" has been heard
    When 299 s pass
    And eth1 of Pod "b" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" receives it
    When 1 s passes
    And eth1 of Pod "b" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" and eth1 of Pod "c" receive it
    And table l2_fdb of worker-1 for L2Network "lab-net" is
      | mac    | ifindex | vtep_ip |
      | b.eth1 | b.eth1  | -       |

  @S4-127
  Scenario: A frame from the MAC starts the time anew, one to it does not
    Given eth1 of Pod "a" has been heard
    When 200 s pass
    Given eth1 of Pod "a" has been heard
    When 200 s pass
    And eth1 of Pod "c" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" receives it
    When 99 s pass
    And eth1 of Pod "c" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" receives it
    When 1 s passes
    And eth1 of Pod "c" sends a frame to eth1 of Pod "a"
    Then only eth1 of Pod "a" and eth1 of Pod "b" receive it
