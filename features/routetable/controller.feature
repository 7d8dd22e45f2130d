Feature: What becomes of a RouteTable
  A RouteTable has a number, the connected routes of its Vpc, and those of a user's routes that lead somewhere.

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
      kind: RouteTable
      metadata: {name: shop-dmz}
      spec: {vpc: shop}
      """

  @RT-C1
  Scenario: Every RouteTable of a Vpc has a connected route for each of its Subnets, and for no other's
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing, cidr: 10.44.8.0/22}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.89.0.0/24}
      """
    Then "status.routes" of RouteTable "shop" is [{dst: 10.89.0.0/24, via: {type: connected}, subnet: checkout}, {dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]
    And "status.routes" of RouteTable "shop-dmz" equals "status.routes" of RouteTable "shop"
    And "status.routes" of RouteTable "billing" is [{dst: 10.44.8.0/22, via: {type: connected}, subnet: ledger-db}]
    When Subnet "checkout" is deleted
    Then "status.routes" of RouteTable "shop-dmz" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]

  @RT-C2
  Scenario: An L2Network has a connected route while it has a gateway, after those of Subnets
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24}
      """
    Then "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]
    When "spec.gateway" of L2Network "dock-floor" is changed to {address: 10.91.0.254}
    Then "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}, {dst: 10.91.0.0/24, via: {type: connected}, l2Network: dock-floor}]
    And "status.routes" of RouteTable "shop-dmz" equals "status.routes" of RouteTable "shop"
    When "spec.gateway" of L2Network "dock-floor" is removed
    Then "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]

  @RT-C7
  Scenario: A route that the Vpc has by itself by now is passed over, as are connected ones
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-lan}
      spec:
        vpc: shop
        routes:
          - {dst: 10.91.0.0/24, via: {type: endpoint, endpointName: firewall.eth0}}
          - {dst: 172.20.0.0/16, via: {type: connected}}
      """
    Then condition "Ready" of RouteTable "shop-lan" is False
    And the message names "firewall.eth0"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24, gateway: {}}
      """
    Then it is accepted
    And RouteTable "shop-lan" is Ready
    And "status.routes" of RouteTable "shop-lan" equals "status.routes" of RouteTable "shop"

  Scenario: A RouteTable has a number that never changes
    Then "status.tableID" of RouteTable "default" is 2
    And "status.tableID" of RouteTable "shop" is 3
    And "status.tableID" of RouteTable "shop-dmz" is 4
    And the table of routetables is
      """
      NAME       READY
      default    True
      shop       True
      shop-dmz   True
      """
    When the controller restarts
    Then nothing is written
    And "status.tableID" of RouteTable "shop-dmz" is 4

  Scenario: A route ends at a NetworkEndpoint of the Vpc, and packets follow it
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.93.0.0/24}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, annotations: {juneau.loutres.me/subnet: storefront}}
      spec: {nodeName: worker-1}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: cart, annotations: {juneau.loutres.me/subnet: checkout}}
      spec: {nodeName: worker-2}
      """
    And "172.20.0.1/32" is set on eth0 of Pod "firewall"
    When Pod "cart" pings "172.20.0.1"
    Then it is not answered
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then RouteTable "shop" is Ready
    And "status.routes[2]" of RouteTable "shop" is {dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}, subnet: storefront}
    When Pod "cart" pings "172.20.0.1"
    Then it is answered
    And Pod "cart" can ping eth0 of Pod "firewall"

  Scenario: Another RouteTable leads elsewhere, the main one does not
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.93.0.0/24, routeTable: shop-dmz}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, annotations: {juneau.loutres.me/subnet: storefront}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: cart, annotations: {juneau.loutres.me/subnet: checkout}}
      """
    And "172.20.0.1/32" is set on eth0 of Pod "firewall"
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then Pod "cart" can ping "172.20.0.1"
    And Pod "catalogue" cannot ping "172.20.0.1"
    When "spec.routeTable" of Subnet "checkout" is removed
    Then Pod "cart" cannot ping "172.20.0.1"

  Scenario: A route in the first place that leads nowhere ends the list, and what it waits for is named
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.21.0.0/16, via: {type: endpoint, endpointName: proxy.eth0}}, {dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then condition "Ready" of RouteTable "shop-dmz" is False with reason "NotReady"
    And the message names "proxy.eth0"
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    Then "status.routes" of RouteTable "shop-dmz" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: proxy, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    Then RouteTable "shop-dmz" is Ready
    And "status.routes[1].dst" of RouteTable "shop-dmz" is "172.21.0.0/16"
    And "status.routes[2].dst" of RouteTable "shop-dmz" is "172.20.0.0/16"

  Scenario: An endpoint of another Vpc is no target
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: registry}
      """
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: registry.eth0}}]
    Then condition "Ready" of RouteTable "shop-dmz" is False
    And the message names "registry.eth0"
    And the message names "shop"

  Scenario: Of two endpoints with one name the namespace tells which is meant
    Given these manifests
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: staging}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, annotations: {juneau.loutres.me/subnet: storefront}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, namespace: staging, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then condition "Ready" of RouteTable "shop-dmz" is False
    And the message names "staging/firewall.eth0"
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: staging/firewall.eth0}}]
    Then RouteTable "shop-dmz" is Ready

  Scenario: An appliance that a route needs comes back after it is made anew
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    And Pod "firewall" is deleted
    Then condition "Ready" of Vpc "shop" is False with reason "MainRouteTableNotReady"
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: firewall, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    Then NetworkInterface "firewall.eth0" is Ready
    And RouteTable "shop" is Ready
    And Subnet "storefront" is Ready

  Scenario: An internet gateway is nothing that has to be there
    When "spec.routes" of RouteTable "shop-dmz" is changed to [{dst: 0.0.0.0/0, via: {type: internetGateway}}]
    Then RouteTable "shop-dmz" is Ready
    And "status.routes[1]" of RouteTable "shop-dmz" is {dst: 0.0.0.0/0, via: {type: internetGateway}}
    And "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]
