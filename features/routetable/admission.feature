Feature: What a RouteTable may say
  Connected routes come by themselves; a user's routes lead elsewhere, each to a place of its own.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: warehouse-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24, gateway: {}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: storage-san}
      spec: {vpc: shop, cidr: 10.92.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-dmz}
      spec: {vpc: shop}
      """

  @RT-1
  Scenario Outline: A RouteTable names its Vpc
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-lan}
      spec: <spec>
      """
    Then it is refused at "spec.vpc"

    Examples:
      | spec      |
      | {}        |
      | {vpc: ""} |

  @RT-2
  Scenario: A next hop is of one of the nine types
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: blackhole}}]
    Then it is refused at "spec.routes[0].via.type" with "blackhole"
    And the error says "internetGateway"

  @RT-2
  Scenario Outline: A type whose Kind is not there yet is refused by name
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: <via>}]
    Then it is refused at "spec.routes[0].via.type" with "<type>"
    And nothing was stored

    Examples:
      | type           | via                                                    |
      | vpcPeering     | {type: vpcPeering, vpcPeering: shop-billing}           |
      | transitGateway | {type: transitGateway, transitGateway: backbone}       |
      | vpn            | {type: vpn, vpn: {namespace: prod, name: head-office}} |

  @RT-10 @RT-13 @RT-14 @RT-16
  Scenario Outline: Ways out of the Vpc are accepted, also where what they name is not there yet
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 0.0.0.0/0, via: <via>}]
    Then it is accepted

    Examples:
      | via                                      |
      | {type: internetGateway}                  |
      | {type: natGateway, natGateway: shop-out} |

  @RT-3 @RT-4
  Scenario Outline: A destination is a canonical IPv4 CIDR
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}, {dst: "<dst>", via: {type: endpoint, endpointName: firewall.eth0}}]
    Then it is refused at "spec.routes[1].dst" with "<says>"
    And the error says "<dst>"

    Examples:
      | dst           | says        |
      | head office   | IPv4 CIDR   |
      | 172.21.0.0    | IPv4 CIDR   |
      | fd00:21::/64  | IPv4        |
      | 10.1.2.3/16   | 10.1.0.0/16 |

  @RT-5
  Scenario: No destination has two routes
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}, {dst: 172.20.9.9/16, via: {type: endpoint, endpointName: proxy.eth0}}]
    Then it is refused at "spec.routes[1].dst" with "Duplicate"

  @RT-6
  Scenario Outline: A network that has a connected route gets no other
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: <dst>, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then it is refused at "spec.routes[0].dst" with "<network>"
    And the error names "shop"

    Examples:
      | dst          | network                   |
      | 10.90.0.0/24 | Subnet storefront         |
      | 10.91.0.0/24 | L2Network warehouse-floor |

  @RT-6
  Scenario Outline: A wider or narrower prefix, and that of a segment without a gateway, are free
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: <dst>, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then it is accepted

    Examples:
      | dst           |
      | 10.90.0.0/23  |
      | 10.90.0.64/26 |
      | 10.92.0.0/24  |

  @RT-7 @RT-8
  Scenario Outline: Routes that the Vpc writes itself are not for users
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.30.40.0/24, via: {type: <type>}}]
    Then it is refused at "spec.routes[0].via.type" with "<instead>"
    And the error says "Forbidden"

    Examples:
      | type        | instead           |
      | service     | spec.service      |
      | vpcEndpoint | spec.endpointPool |

  @RT-9 @RT-10 @RT-11 @RT-12
  Scenario Outline: A type that leads to an object names it
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: <type>}}]
    Then it is refused at "spec.routes[0].via.<field>" with "Required"

    Examples:
      | type           | field          |
      | endpoint       | endpointName   |
      | natGateway     | natGateway     |
      | vpcPeering     | vpcPeering     |
      | transitGateway | transitGateway |

  @RT-13
  Scenario Outline: A type that leads to an object names no other
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: <type>, endpointName: firewall.eth0, natGateway: shop-out, vpcPeering: shop-billing, transitGateway: backbone}}]
    Then it is refused at "spec.routes[0].via.<first>" with "<type>"
    And it is refused at "spec.routes[0].via.<second>" with "<type>"
    And it is refused at "spec.routes[0].via.<third>" with "<type>"

    Examples:
      | type           | first        | second         | third          |
      | endpoint       | natGateway   | vpcPeering     | transitGateway |
      | natGateway     | endpointName | vpcPeering     | transitGateway |
      | vpcPeering     | endpointName | natGateway     | transitGateway |
      | transitGateway | endpointName | natGateway     | vpcPeering     |

  @RT-14
  Scenario Outline: A type that leads to no object names none
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: <type>, <field>: shop-out}}]
    Then it is refused at "spec.routes[0].via.<field>" with "<type>"

    Examples:
      | type            | field          |
      | connected       | endpointName   |
      | connected       | natGateway     |
      | connected       | vpcPeering     |
      | connected       | transitGateway |
      | internetGateway | endpointName   |
      | internetGateway | natGateway     |
      | internetGateway | vpcPeering     |
      | internetGateway | transitGateway |

  @RT-15
  Scenario Outline: Only a vpn route names a VPN
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: <type>, vpn: {namespace: prod, name: head-office}}}]
    Then it is refused at "spec.routes[0].via.vpn" with "<type>"

    Examples:
      | type            |
      | endpoint        |
      | connected       |
      | internetGateway |

  Scenario Outline: Resolved targets are the controller's to write
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}, <field>: storefront}]
    Then it is refused at "spec.routes[0].<field>"

    Examples:
      | field                     |
      | subnet                    |
      | l2Network                 |
      | transitGatewayRouteTable  |

  @RT-16
  Scenario: What a route names may come later
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: billing}
      spec:
        vpc: billing
        routes: [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
      """
    Then it is accepted
    And condition "Ready" of RouteTable "billing" is False with reason "NotReady"
    And the message names "firewall.eth0"

  @RT-17
  Scenario: A RouteTable stays in its Vpc
    When "spec.vpc" of RouteTable "shop-dmz" is changed to "billing"
    Then it is refused at "spec.vpc" with "immutable"

  @RT-17
  Scenario: A RouteTable that is being deleted is not held up by a network that came after it
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-lan, finalizers: [example.com/audit]}
      spec:
        vpc: shop
        routes: [{dst: 10.90.0.0/24, via: {type: endpoint, endpointName: firewall.eth0}}]
      """
    When "metadata.labels" of RouteTable "shop-lan" is changed to {team: web}
    Then it is refused at "spec.routes[0].dst"
    When RouteTable "shop-lan" is deleted
    And "metadata.labels" of RouteTable "shop-lan" is changed to {team: web}
    Then it is accepted
    When "metadata.finalizers" of RouteTable "shop-lan" is removed
    Then RouteTable "shop-lan" is gone

  @RT-18
  Scenario: A main RouteTable stays for as long as its Vpc
    When RouteTable "shop" is deleted
    Then the deletion is refused with "main RouteTable of Vpc shop"
    And RouteTable "shop" exists

  @RT-18
  Scenario: Once the Vpc is being deleted its RouteTable may go
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing, finalizers: [example.com/audit]}
      """
    When Vpc "billing" is deleted
    And RouteTable "billing" is deleted
    Then the deletion is accepted
    And RouteTable "billing" is gone
    And Vpc "billing" exists

  @RT-19 @RT-20
  Scenario: A RouteTable that networks use stays
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.93.0.0/24, routeTable: shop-dmz}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.94.0.0/24, gateway: {routeTable: shop-dmz}}
      """
    When RouteTable "shop-dmz" is deleted
    Then the deletion is refused with "checkout"
    When "spec.routeTable" of Subnet "checkout" is removed
    And RouteTable "shop-dmz" is deleted
    Then the deletion is refused with "dock-floor"
    When "spec.gateway.routeTable" of L2Network "dock-floor" is removed
    And RouteTable "shop-dmz" is deleted
    Then the deletion is accepted
    And RouteTable "shop-dmz" is gone
