Feature: What becomes of a NATGateway
  A NATGateway gets a number, and routes that lead to it follow once it is Ready.

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
      kind: AddressPool
      metadata: {name: edge-routed}
      spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: edge}
      spec: {type: bgp, addressPools: [edge-routed]}
      """

  @NATGW-C1
  Scenario: A NATGateway draws a number that never changes, and gives it back in the end
    Given NATGateway "shop-exit" with {vpc: shop, externalNetwork: edge}
    And NATGateway "shop-spare" with {vpc: shop, externalNetwork: edge}
    Then "status.gatewayID" of NATGateway "shop-exit" is 1
    And "status.gatewayID" of NATGateway "shop-spare" is 2
    And NATGateway "shop-exit" is Ready with reason "ReconcileSucceeded"
    And "metadata.finalizers" of NATGateway "shop-exit" is empty
    And "spec.poolRefs" of AllocationClaim "nat-gateway-id--natgateway--shop-exit--status-gatewayid" is [{name: nat-gateway-id}]
    And "metadata.ownerReferences[0].kind" of AllocationClaim "nat-gateway-id--natgateway--shop-exit--status-gatewayid" is "NATGateway"
    When the controller restarts
    Then nothing is written
    When NATGateway "shop-exit" is deleted
    Then AllocationClaim "nat-gateway-id--natgateway--shop-exit--status-gatewayid" is gone
    When NATGateway "shop-next" is created with {vpc: shop, externalNetwork: edge}
    Then "status.gatewayID" of NATGateway "shop-next" is 1
    And "status.gatewayID" of NATGateway "shop-spare" is 2

  @NATGW-C1
  Scenario: A NATGateway without a free number waits and says for what
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: nat-gateway-id}
      spec: {type: number, number: {min: 1, max: 1}}
      """
    And NATGateway "shop-exit" with {vpc: shop, externalNetwork: edge}
    And NATGateway "shop-spare" with {vpc: shop, externalNetwork: edge}
    Then NATGateway "shop-spare" is Pending with reason "NotReady"
    And the message names "nat-gateway-id"
    When NATGateway "shop-exit" is deleted
    Then NATGateway "shop-spare" is Ready
    And "status.gatewayID" of NATGateway "shop-spare" is 1

  @NATGW-C2 @S0-31
  Scenario: A NATGateway does not wait for the number of its ExternalNetwork
    Given AllocationPool "subnet-vni" is deleted past admission
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: campus-routed}
      spec: {advertiseMode: bgp, addresses: [203.0.113.64/26]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: campus}
      spec: {type: bgp, addressPools: [campus-routed]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-exit}
      spec: {vpc: shop, externalNetwork: campus}
      """
    Then "status.networkID" of ExternalNetwork "campus" is empty
    And NATGateway "shop-exit" is Ready

  @NATGW-C3
  Scenario: Addresses on the Nodes are there while the NATGateway still waits for its Vpc, and stay without it
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-exit}
      spec: {vpc: market, externalNetwork: edge}
      """
    Then condition "Ready" of NATGateway "shop-exit" is False with reason "MissingDependency"
    And the message names "market"
    And "status.gatewayID" of NATGateway "shop-exit" is empty
    And ExternalNetworkAttachment "edge--worker-1" is Ready
    And ExternalNetworkAttachment "edge--worker-2" is Ready
    When NATGateway "shop-exit" is deleted
    Then ExternalNetworkAttachment "edge--worker-1" is Ready
    And ExternalNetworkAttachment "edge--worker-2" is Ready

  Scenario: A NATGateway whose ExternalNetwork is gone says so, keeps its number, and is back with it
    Given NATGateway "shop-exit" with {vpc: shop, externalNetwork: edge}
    When ExternalNetwork "edge" is deleted
    Then condition "Ready" of NATGateway "shop-exit" is False with reason "MissingDependency"
    And the message names "edge"
    And "status.gatewayID" of NATGateway "shop-exit" is 1
    When ExternalNetwork "edge" is created with {type: bgp, addressPools: [edge-routed]}
    Then NATGateway "shop-exit" is Ready
    And "status.gatewayID" of NATGateway "shop-exit" is 1

  @NATGW-C4 @RT-16
  Scenario: A route to a NATGateway follows once that is Ready, and tells until then what is missing
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: shop-exit}}]
    Then it is accepted
    And condition "Ready" of RouteTable "shop" is False with reason "NotReady"
    And the message names "shop-exit"
    And the message says "not found"
    When NATGateway "shop-exit" is created with {vpc: shop, externalNetwork: edge}
    Then RouteTable "shop" is Ready
    And "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}, {dst: 0.0.0.0/0, via: {type: natGateway, natGateway: shop-exit}}]
    When ExternalNetwork "edge" is deleted
    Then condition "Ready" of RouteTable "shop" is False with reason "NotReady"
    And the message names "shop-exit"
    And the message says "is not Ready"
    And "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]

  @NATGW-C4
  Scenario: A NATGateway of another Vpc is no target
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: billing-out}
      spec: {vpc: billing, externalNetwork: edge}
      """
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: billing-out}}]
    Then condition "Ready" of RouteTable "shop" is False
    And the message names "billing"
    And the message names "shop"

  @NATGW-C5 @RT-C6
  Scenario: The Vpc default goes out by the NATGateway default, by itself
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: default-lan}
      spec: {vpc: default}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: default}
      spec: {vpc: default, externalNetwork: edge}
      """
    Then "status.routes" of RouteTable "default" is [{dst: 10.16.0.0/16, via: {type: connected}, subnet: default}, {dst: 0.0.0.0/0, via: {type: natGateway, natGateway: default}}]
    And "spec.routes" of RouteTable "default" is empty
    And "status.routes" of RouteTable "default-lan" is [{dst: 10.16.0.0/16, via: {type: connected}, subnet: default}]
    And "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]
    When ExternalNetwork "edge" is deleted
    Then "status.routes" of RouteTable "default" is [{dst: 10.16.0.0/16, via: {type: connected}, subnet: default}]
    And RouteTable "default" is Ready

  @NATGW-C5 @RT-C6
  Scenario: By no NATGateway of another name, nor of another Vpc
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: cluster-exit}
      spec: {vpc: default, externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: default}
      spec: {vpc: shop, externalNetwork: edge}
      """
    Then "status.routes" of RouteTable "default" is [{dst: 10.16.0.0/16, via: {type: connected}, subnet: default}]
    And "status.routes" of RouteTable "shop" is [{dst: 10.90.0.0/24, via: {type: connected}, subnet: storefront}]

  @RT-C7
  Scenario: A user's route to everywhere gives way to that one
    When "spec.routes" of RouteTable "default" is changed to [{dst: 0.0.0.0/0, via: {type: internetGateway}}]
    Then "status.routes[1]" of RouteTable "default" is {dst: 0.0.0.0/0, via: {type: internetGateway}}
    When NATGateway "default" is created with {vpc: default, externalNetwork: edge}
    Then "status.routes[1]" of RouteTable "default" is {dst: 0.0.0.0/0, via: {type: natGateway, natGateway: default}}
    And RouteTable "default" is Ready
    When NATGateway "default" is deleted
    Then the deletion is accepted
    And "status.routes[1]" of RouteTable "default" is {dst: 0.0.0.0/0, via: {type: internetGateway}}
