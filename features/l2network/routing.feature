Feature: What a gateway does with packets
  A gateway is a router: it looks up a route and lowers the TTL, and what it cannot route is dropped.

  Background:
    Given a lab with nodes worker-1, worker-2
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And Subnet "far" with {vpc: lab, cidr: 10.91.0.0/24}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And L2Network "store-net" with {vpc: lab, cidr: 10.70.5.0/24, gateway: {}}
    And these Pods
      | name  | node     | eth0      |
      | in    | worker-1 | lab-net   |
      | in2   | worker-2 | lab-net   |
      | store | worker-2 | store-net |
      | out   | worker-1 | web       |
      | out2  | worker-2 | web       |
      | far   | worker-2 | far       |

  Scenario Outline: Routing lowers the TTL by one, and drops what would be left with none
    When Pod "<sender>" pings eth0 of Pod "<receiver>" with TTL 1
    Then it is dropped on worker-1 with reason TTL_EXCEEDED
    And the ping is not answered
    And eth0 of Pod "<receiver>" receives nothing
    And worker-1 has dropped one packet with reason TTL_EXCEEDED
    When Pod "<sender>" pings eth0 of Pod "<receiver>" with TTL 2
    Then the ping is answered
    And eth0 of Pod "<receiver>" receives a ping with TTL 1
    When Pod "<sender>" pings eth0 of Pod "<receiver>" with TTL 64
    Then eth0 of Pod "<receiver>" receives a ping with TTL 63

    Examples: from Subnet to Subnet, segment to Subnet, Subnet to segment, segment to segment
      | sender | receiver |
      | out    | far      |
      | in     | far      |
      | out    | in       |
      | in     | store    |

  Scenario Outline: Switching leaves the TTL alone
    When Pod "<sender>" pings eth0 of Pod "<receiver>" with TTL 1
    Then the ping is answered
    And eth0 of Pod "<receiver>" receives a ping with TTL 1
    And nothing is dropped

    Examples: inside a Subnet, and inside a segment
      | sender | receiver |
      | out    | out2     |
      | in     | in2      |

  Scenario Outline: The gateway of a segment routes IPv4 and nothing else
    When eth0 of Pod "in" sends a frame to the gateway of L2Network "lab-net" of EtherType <type>
    Then it is dropped on worker-1 with reason NOT_IPV4
    And nobody receives it

    Examples: IPv6, an experiment, PPPoE
      | type   |
      | 0x86DD |
      | 0x88B5 |
      | 0x8863 |
