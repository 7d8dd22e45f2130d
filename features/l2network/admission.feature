Feature: What an L2Network may be
  An L2Network belongs to one Vpc, and what is written in it has to make sense there.

  Background:
    Given a lab
    And Vpc "lab" with {}
    And Vpc "other" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}

  @S4-8 @L2N-1
  Scenario Outline: It belongs to a Vpc
    When L2Network "lab-net" is created with <spec>
    Then it is refused at "spec.vpc"
    And nothing was stored

    Examples:
      | spec                |
      | {}                  |
      | {vpc: ""}           |
      | {cidr: 10.1.0.0/24} |

  @S4-9 @L2N-25
  Scenario: It stays in its Vpc
    Given L2Network "lab-net" with {vpc: lab}
    When "spec.vpc" of L2Network "lab-net" is changed to "other"
    Then it is refused at "spec.vpc" with "immutable"
    And nothing was stored

  @S4-10 @S4-11 @L2N-2
  Scenario: The Vpc default is for the Subnet default alone
    When L2Network "lab-net" is created with {vpc: default}
    Then it is refused at "spec.vpc"
    And the error names "default"
    And the error says "shared by the whole cluster"
    And the error says "only the Subnet default"
    When Subnet "mine" is created with {vpc: default, cidr: 10.1.0.0/24}
    Then it is refused at "spec.vpc"

  @L2N-3
  Scenario: Its Vpc is there
    When L2Network "lab-net" is created with {vpc: nowhere}
    Then it is refused at "spec.vpc" with "Not found"
    And the error names "nowhere"
    And nothing was stored

  @S4-15 @L2N-4
  Scenario Outline: A cidr is an IPv4 prefix
    When L2Network "lab-net" is created with {vpc: lab, cidr: "<cidr>"}
    Then it is refused at "spec.cidr"
    And nothing was stored

    Examples:
      | cidr          |
      | fd00::/64     |
      | 10.1.0.0      |
      | 10.1.0.0/33   |
      | 10.1.0/24     |
      | 010.1.0.0/24  |
      | 10.1.0.256/24 |
      | anything      |

  @S4-16 @L2N-5
  Scenario Outline: A prefix that is too large or too small
    When L2Network "lab-net" is created with {vpc: lab, cidr: <cidr>}
    Then it is refused at "spec.cidr" with "/16"
    And it is refused at "spec.cidr" with "/28"

    Examples:
      | cidr           |
      | 172.20.0.0/15  |
      | 172.20.0.0/8   |
      | 172.20.0.16/29 |
      | 172.20.0.16/32 |

  @S4-16 @L2N-5
  Scenario Outline: The largest and the smallest prefix
    When L2Network "lab-net" is created with {vpc: lab, cidr: <cidr>}
    Then it is accepted
    And L2Network "lab-net" is Ready

    Examples:
      | cidr           |
      | 172.20.0.0/16  |
      | 172.20.0.16/28 |

  @S4-17 @S4-18 @L2N-6
  Scenario: A prefix is written without host bits, unlike a Subnet's, which is completed
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.0.1.5/24}
    Then it is refused at "spec.cidr" with "10.0.1.0/24"
    And nothing was stored
    When Subnet "mine" is created with {vpc: lab, cidr: 10.0.1.5/24}
    Then it is accepted
    And "spec.cidr" of Subnet "mine" is "10.0.1.0/24"

  @S4-19 @L2N-26
  Scenario: A cidr cannot be changed, removed or added later
    Given L2Network "addressed" with {vpc: lab, cidr: 10.1.0.0/24}
    And L2Network "plain" with {vpc: lab}
    When "spec.cidr" of L2Network "addressed" is changed to "10.2.0.0/24"
    Then it is refused at "spec.cidr" with "immutable"
    When "spec.cidr" of L2Network "addressed" is removed
    Then it is refused at "spec.cidr" with "immutable"
    When "spec.cidr" of L2Network "plain" is changed to "10.2.0.0/24"
    Then it is refused at "spec.cidr" with "immutable"
    And nothing was stored

  @S4-20 @L2N-7
  Scenario Outline: A prefix overlaps no Subnet of the Vpc
    When L2Network "lab-net" is created with {vpc: lab, cidr: <cidr>}
    Then it is refused at "spec.cidr" with "Subnet web"
    And it is refused at "spec.cidr" with "10.90.0.0/24"
    And the error says "Vpc lab"
    When L2Network "lab-net" is created with {vpc: other, cidr: <cidr>}
    Then it is accepted

    Examples: the same, wider, narrower
      | cidr           |
      | 10.90.0.0/24   |
      | 10.90.0.0/16   |
      | 10.90.0.128/28 |

  @S4-21 @L2N-7
  Scenario Outline: A prefix overlaps no L2Network of the Vpc
    Given L2Network "first" with <first>
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.1.0.64/26}
    Then it is refused at "spec.cidr" with "L2Network first"
    And the error names "10.1.0.0/24"
    When L2Network "lab-net" is created with {vpc: other, cidr: 10.1.0.64/26}
    Then it is accepted

    Examples: with and without gateway
      | first                                        |
      | {vpc: lab, cidr: 10.1.0.0/24}                |
      | {vpc: lab, cidr: 10.1.0.0/24, gateway: {}}   |

  @S4-24 @L2N-10
  Scenario: A prefix overlaps none of the Vpc's endpointPool
    Given Vpc "pooled" with {endpointPool: {cidrs: [10.5.0.0/24, 10.6.0.0/24]}}
    When L2Network "lab-net" is created with {vpc: pooled, cidr: 10.6.0.0/25}
    Then it is refused at "spec.cidr" with "10.6.0.0/24"
    And the error says "endpointPool"
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.6.0.0/25}
    Then it is accepted

  @S4-25 @L2N-11
  Scenario Outline: A prefix does not overlap the cluster's Service CIDR, with or without Service routing
    Given Vpc "tenant" with <tenant>
    When L2Network "lab-net" is created with {vpc: tenant, cidr: 10.96.7.0/24}
    Then it is refused at "spec.cidr" with "10.96.0.0/12"
    And the error says "Vpc tenant"

    Examples:
      | tenant                    |
      | {}                        |
      | {service: {consume: true}} |

  @S4-26 @S4-27 @L2N-12
  Scenario Outline: Subnets and L2Networks undergo the same checks, whether there is a gateway or not
    Given Vpc "tenant" with {endpointPool: {cidrs: [10.5.0.0/24]}}
    And Subnet "near" with {vpc: tenant, cidr: 10.1.0.0/24}
    And L2Network "beside" with {vpc: tenant, cidr: 10.2.0.0/24}
    When L2Network "lab-net" is created with {vpc: tenant, cidr: <cidr>}
    Then it is refused at "spec.cidr" with "<obstacle>"
    When L2Network "lab-net" is created with {vpc: tenant, cidr: <cidr>, gateway: {}}
    Then it is refused at "spec.cidr" with "<obstacle>"
    When Subnet "mine" is created with {vpc: tenant, cidr: <cidr>}
    Then it is refused at "spec.cidr" with "<obstacle>"

    Examples:
      | cidr           | obstacle        |
      | 10.1.0.128/25  | Subnet near     |
      | 10.2.0.128/25  | L2Network beside |
      | 10.5.0.128/25  | endpointPool    |
      | 10.100.0.0/24  | Service CIDR    |

  @S4-28 @L2N-12
  Scenario Outline: A gateway that comes later meets no overlap
    Given L2Network "lab-net" with {vpc: lab, cidr: <cidr>}
    When Subnet "late" is created with {vpc: lab, cidr: <overlap>}
    Then it is refused at "spec.cidr" with "L2Network lab-net"
    When L2Network "late" is created with {vpc: lab, cidr: <overlap>}
    Then it is refused at "spec.cidr" with "L2Network lab-net"
    When "spec.endpointPool" of Vpc "lab" is changed to {cidrs: [<overlap>]}
    Then it is refused at "spec.endpointPool.cidrs[0]" with "L2Network lab-net"
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then it is accepted
    And L2Network "lab-net" is Ready

    Examples: the same, narrower, wider
      | cidr          | overlap        |
      | 10.1.0.0/24   | 10.1.0.0/24    |
      | 10.90.1.0/24  | 10.90.1.128/25 |
      | 172.20.4.0/24 | 172.20.0.0/16  |

  @S4-29 @L2N-12
  Scenario: Without a cidr any addresses can be used
    Given L2Network "one" with {vpc: lab}
    And L2Network "two" with {vpc: lab}
    And Subnet "near" with {vpc: lab, cidr: 10.1.0.0/24}
    And these Pods
      | name | node     | eth0 | eth1 |
      | a    | worker-1 | web  | one  |
      | b    | worker-2 | web  | one  |
      | c    | worker-1 | web  | two  |
      | d    | worker-2 | web  | two  |
    When "10.1.0.5/24" is set on eth1 of Pod "a"
    And "10.1.0.6/24" is set on eth1 of Pod "b"
    And "10.1.0.5/24" is set on eth1 of Pod "c"
    And "10.1.0.6/24" is set on eth1 of Pod "d"
    Then eth1 of Pod "a" can ping "10.1.0.6"
    And eth1 of Pod "b" receives 1 ping
    And eth1 of Pod "d" receives 0 pings
    And eth1 of Pod "c" can ping "10.1.0.6"
    And eth1 of Pod "d" receives 1 ping
    And eth1 of Pod "b" receives 0 pings

  @S4-32 @S4-33 @L2N-13
  Scenario: A gateway needs a cidr
    When L2Network "lab-net" is created with {vpc: lab, gateway: {}}
    Then it is refused at "spec.cidr" with "Required"
    And the error says "needs an address out of spec.cidr"
    And nothing was stored
    Given L2Network "plain" with {vpc: lab}
    When "spec.gateway" of L2Network "plain" is changed to {}
    Then it is refused at "spec.cidr" with "Required"
    And nothing was stored

  @L2N-14
  Scenario Outline: The gateway's address is an IPv4 address
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.1.0.0/24, gateway: {address: "<address>"}}
    Then it is refused at "spec.gateway.address" with "IPv4"

    Examples:
      | address     |
      | fd00::1     |
      | 10.1.0.1/24 |
      | 10.1.0      |
      | gateway     |

  @S4-35 @S4-36 @S4-37 @L2N-15 @L2N-16 @L2N-17 @L2N-28
  Scenario Outline: The gateway's address is one that a host of the prefix may have
    When L2Network "lab-net" is created with {vpc: lab, cidr: 172.20.4.0/22, gateway: {address: <address>}}
    Then it is refused at "spec.gateway.address" with "<why>"
    Given L2Network "changed" with {vpc: lab, cidr: 172.20.4.0/22}
    When "spec.gateway" of L2Network "changed" is changed to {address: <address>}
    Then it is refused at "spec.gateway.address" with "<why>"
    And nothing was stored

    Examples:
      | address      | why               |
      | 172.20.8.1   | 172.20.4.0/22     |
      | 172.20.3.255 | 172.20.4.0/22     |
      | 172.20.4.0   | network address   |
      | 172.20.7.255 | broadcast address |

  @S4-37 @L2N-17
  Scenario Outline: Addresses in the midst of the prefix look like network and broadcast addresses, and are none
    When L2Network "lab-net" is created with {vpc: lab, cidr: 172.20.4.0/22, gateway: {address: <address>}}
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is "<address>"

    Examples:
      | address      |
      | 172.20.5.255 |
      | 172.20.6.0   |
      | 172.20.7.254 |

  @L2N-18 @L2N-28
  Scenario: The gateway's RouteTable is there
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.1.0.0/24, gateway: {routeTable: nowhere}}
    Then it is refused at "spec.gateway.routeTable" with "Not found"
    Given L2Network "changed" with {vpc: lab, cidr: 10.1.0.0/24}
    When "spec.gateway" of L2Network "changed" is changed to {routeTable: nowhere}
    Then it is refused at "spec.gateway.routeTable" with "Not found"

  @S4-39 @L2N-19
  Scenario: The gateway's RouteTable is of the same Vpc
    Given RouteTable "foreign" with {vpc: other}
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.1.0.0/24, gateway: {routeTable: foreign}}
    Then it is refused at "spec.gateway.routeTable" with "Vpc other"
    Given L2Network "changed" with {vpc: lab, cidr: 10.1.0.0/24, gateway: {}}
    When "spec.gateway.routeTable" of L2Network "changed" is changed to "foreign"
    Then it is refused at "spec.gateway.routeTable" with "Vpc other"

  @L2N-13 @L2N-14 @L2N-15 @L2N-16 @L2N-17 @L2N-18 @L2N-19 @L2N-20 @L2N-28
  Scenario Outline: What is wrong with a gateway, or for want of one, is told at every update
    Given RouteTable "foreign" with {vpc: other}
    And NetworkACL "edge" with {vpc: lab}
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: legacy-net}
      spec: {vpc: lab, <spec>}
      """
    When "metadata.labels" of L2Network "legacy-net" is changed to {team: lab}
    Then it is refused at "<field>" with "<why>"
    And nothing was stored
    When "spec.mtu" of L2Network "legacy-net" is changed to 1400
    Then it is refused at "<field>" with "<why>"

    Examples:
      | spec                                                  | field                   | why               |
      | gateway: {}                                           | spec.cidr               | Required          |
      | cidr: 10.1.0.0/24, gateway: {address: gateway}        | spec.gateway.address    | IPv4              |
      | cidr: 10.1.0.0/24, gateway: {address: 10.2.0.1}       | spec.gateway.address    | 10.1.0.0/24       |
      | cidr: 10.1.0.0/24, gateway: {address: 10.1.0.0}       | spec.gateway.address    | network address   |
      | cidr: 10.1.0.0/24, gateway: {address: 10.1.0.255}     | spec.gateway.address    | broadcast address |
      | cidr: 10.1.0.0/24, gateway: {routeTable: nowhere}     | spec.gateway.routeTable | Not found         |
      | cidr: 10.1.0.0/24, gateway: {routeTable: foreign}     | spec.gateway.routeTable | Vpc other         |
      | cidr: 10.1.0.0/24, networkACL: edge                   | spec.networkACL         | without a gateway |

  @S4-79 @L2N-24
  Scenario Outline: An MTU out of bounds
    When L2Network "lab-net" is created with {vpc: lab, mtu: <mtu>}
    Then it is refused at "spec.mtu" with "<bound>"

    Examples:
      | mtu  | bound |
      | 575  | 576   |
      | 0    | 576   |
      | -1   | 576   |
      | 9001 | 9000  |

  @S4-79 @L2N-24
  Scenario Outline: The smallest and the largest MTU
    When L2Network "lab-net" is created with {vpc: lab, mtu: <mtu>}
    Then it is accepted
    And "status.mtu" of L2Network "lab-net" is <mtu>

    Examples:
      | mtu  |
      | 576  |
      | 9000 |
