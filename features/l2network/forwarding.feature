Feature: Frames on an L2Network
  Only MAC addresses decide where a frame goes; what is in it is nobody's business.

  Background:
    Given a lab with nodes worker-1, worker-2, worker-3
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And L2Network "lab-net" with {vpc: lab}
    And L2Network "other-net" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1      |
      | a    | worker-1 | web  | lab-net   |
      | b    | worker-1 | web  | lab-net   |
      | c    | worker-2 | web  | lab-net   |
      | d    | worker-3 | web  | lab-net   |
      | x    | worker-1 | web  | other-net |
      | y    | worker-2 | web  | other-net |

  @S4-2
  Scenario Outline: Any EtherType passes, byte for byte, on one Node and between two
    Given eth1 of Pod "b" and eth1 of Pod "c" have been heard
    When eth1 of Pod "a" sends a frame to eth1 of Pod "b" of EtherType <type>
    Then only eth1 of Pod "b" receives it
    When eth1 of Pod "a" sends a frame to eth1 of Pod "c" of EtherType <type>
    Then only eth1 of Pod "c" receives it
    And nothing is dropped

    Examples: IPv4, IPv6, ARP, an experiment, PPPoE, VLAN tags, LLDP, a length instead of a type
      | type   |
      | 0x0800 |
      | 0x86DD |
      | 0x0806 |
      | 0x88B5 |
      | 0x8863 |
      | 0x8100 |
      | 0x88A8 |
      | 0x88CC |
      | 0x0030 |

  @S4-3
  Scenario Outline: Any IP protocol passes
    Given eth1 of Pod "b" and eth1 of Pod "c" have been heard
    When eth1 of Pod "a" sends a packet of IP protocol <protocol> from "10.1.0.5" to "10.1.0.6" at eth1 of Pod "b"
    Then only eth1 of Pod "b" receives it
    When eth1 of Pod "a" sends a packet of IP protocol <protocol> from "10.1.0.5" to "10.1.0.6" at eth1 of Pod "c"
    Then only eth1 of Pod "c" receives it
    And nothing is dropped

    Examples: ICMP, TCP, UDP, GRE, ESP, OSPF, SCTP, an experiment
      | protocol |
      | 1        |
      | 6        |
      | 17       |
      | 47       |
      | 50       |
      | 89       |
      | 132      |
      | 253      |

  @S4-1
  Scenario Outline: IP headers that make no sense do not matter
    Given eth1 of Pod "b" and eth1 of Pod "c" have been heard
    When eth1 of Pod "a" sends a packet of IP protocol 17 from "<source>" to "<target>" at eth1 of Pod "<receiver>"
    Then only eth1 of Pod "<receiver>" receives it

    Examples: equal addresses, nobody's, everybody's, a loopback's, the gateway's of a Subnet
      | source          | target          | receiver |
      | 10.1.0.5        | 10.1.0.5        | b        |
      | 0.0.0.0         | 0.0.0.0         | c        |
      | 255.255.255.255 | 10.90.0.4       | b        |
      | 127.0.0.1       | 127.0.0.1       | c        |
      | 10.90.0.1       | 10.90.0.1       | c        |

  @S4-73
  Scenario: No step of a frame's way inside the segment asks about policy
    Given eth1 of Pod "a", eth1 of Pod "b" and eth1 of Pod "c" have been heard
    When eth1 of Pod "a" sends a frame to eth1 of Pod "b"
    Then the trace shows only L2_EGRESS, REDIRECT_PORT, L2_INGRESS and DELIVERED
    When eth1 of Pod "a" sends a frame to eth1 of Pod "c"
    Then the trace shows only L2_EGRESS, REDIRECT_VXLAN, VXLAN_INGRESS, REDIRECT_PORT, L2_INGRESS and DELIVERED

  @S4-90 @S4-119
  Scenario: A frame to a MAC that is known goes there alone, with the segment's VNI if it is on another Node
    Given eth1 of Pod "c" has been heard
    When eth1 of Pod "a" sends a frame to eth1 of Pod "c"
    Then only eth1 of Pod "c" receives it
    And one VXLAN packet goes from worker-1 to worker-2 with the VNI of L2Network "lab-net"
    And no VXLAN packets go from worker-1 to worker-3 with the VNI of L2Network "lab-net"
    Given eth1 of Pod "b" has been heard
    When eth1 of Pod "a" sends a frame to eth1 of Pod "b"
    Then only eth1 of Pod "b" receives it
    And no VXLAN packet is sent

  @S4-120 @S4-121 @S4-122
  Scenario Outline: What is not known, or meant for many, goes to every port of the segment once
    When eth1 of Pod "a" sends a frame to <station>
    Then only eth1 of Pod "b", eth1 of Pod "c" and eth1 of Pod "d" receive it
    And one VXLAN packet goes from worker-1 to worker-2 with the VNI of L2Network "lab-net"
    And one VXLAN packet goes from worker-1 to worker-3 with the VNI of L2Network "lab-net"

    Examples: an unknown MAC, broadcast, IPv4 and IPv6 multicast, a bridge's own group
      | station             |
      | "02:00:00:00:00:99" |
      | everybody           |
      | "01:00:5e:00:00:fb" |
      | "33:33:00:00:00:01" |
      | "01:80:c2:00:00:00" |

  @S4-129 @S4-89
  Scenario Outline: No frame passes from one tenant to another
    Given Vpc "tenant" with {}
    And L2Network "theirs" with {vpc: tenant}
    And these Pods
      | name | node     | eth0 | eth1   |
      | e    | worker-1 | web  | theirs |
      | f    | worker-2 | web  | theirs |
    And eth1 of Pod "e" and eth1 of Pod "f" have been heard
    When eth1 of Pod "a" sends a frame to <station>
    Then only eth1 of Pod "b", eth1 of Pod "c" and eth1 of Pod "d" receive it
    And eth1 of Pod "e" receives nothing
    And eth1 of Pod "f" receives nothing
    When eth1 of Pod "e" sends a frame to everybody
    Then only eth1 of Pod "f" receives it

    Examples: to all, to a group, to their own MACs
      | station             |
      | everybody           |
      | "33:33:00:00:00:01" |
      | eth1 of Pod "e"     |
      | eth1 of Pod "f"     |

  @S4-88 @S4-89
  Scenario: All networks have their VNIs from one pool, so no two have the same
    Given Subnet "s2" with {vpc: lab, cidr: 10.91.0.0/24}
    And L2Network "n3" with {vpc: lab}
    And Subnet "s3" with {vpc: lab, cidr: 10.92.0.0/24}
    Then "spec.poolRefs[0].name" of AllocationClaim "subnet-vni--l2network--lab-net--status-vni" is "subnet-vni"
    And "status.value.number" of AllocationClaim "subnet-vni--l2network--lab-net--status-vni" equals "status.vni" of L2Network "lab-net"
    And "spec.poolRefs[0].name" of AllocationClaim "subnet-vni--subnet--s2--status-vni" is "subnet-vni"
    And "status.vni" of all Subnets and L2Networks differ

  @S4-88 @S4-90
  Scenario: A VNI that a segment has is its own, whatever becomes of the claim
    Given the value of "status.vni" of L2Network "lab-net" is noted
    And eth1 of Pod "c" has been heard
    When 9999 is stored as the value of AllocationClaim "subnet-vni--l2network--lab-net--status-vni"
    Then "status.vni" of L2Network "lab-net" is unchanged
    When AllocationClaim "subnet-vni--l2network--lab-net--status-vni" is deleted
    And Subnet "s2" is created with {vpc: lab, cidr: 10.91.0.0/24}
    Then "status.vni" of L2Network "lab-net" is unchanged
    And "status.value.number" of AllocationClaim "subnet-vni--l2network--lab-net--status-vni" equals "status.vni" of L2Network "lab-net"
    And "status.vni" of all Subnets and L2Networks differ
    And L2Network "lab-net" is Ready
    When eth1 of Pod "a" sends a frame to eth1 of Pod "c"
    Then one VXLAN packet goes from worker-1 to worker-2 with the VNI of L2Network "lab-net"

  Scenario: A frame does not go back out of the port that it came from
    Given eth1 of Pod "b" has been heard
    When eth1 of Pod "a" sends a frame to everybody from "02:00:00:00:00:07"
    And eth1 of Pod "a" sends a frame to "02:00:00:00:00:07"
    Then it is dropped on worker-1 with reason L2_HAIRPIN_DROP
    And nobody receives it
    When eth1 of Pod "b" sends a frame to "02:00:00:00:00:07"
    Then only eth1 of Pod "a" receives it

  Scenario: A frame from another Node is not sent on to a third one
    Given eth1 of Pod "a" has been heard
    When eth1 of Pod "c" sends a frame to everybody from "02:00:00:00:00:07"
    And eth1 of Pod "c" sends a frame to everybody
    And eth1 of Pod "d" sends a frame to eth1 of Pod "c" from "02:00:00:00:00:07"
    Then only eth1 of Pod "c" receives it
    When eth1 of Pod "a" sends a frame to "02:00:00:00:00:07"
    Then the trace shows L2_SPLIT_HORIZON
    And one VXLAN packet goes from worker-1 to worker-2 with the VNI of L2Network "lab-net"
    And no VXLAN packets go from worker-2 to worker-3 with the VNI of L2Network "lab-net"
    And only eth1 of Pod "c" receives it
