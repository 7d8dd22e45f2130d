Feature: A network that is announced by routes
  What Nodes would announce the router outside has as static routes, to the first Node that announces it.

  Background:
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: routed}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: edge}, spec: {type: bgp, addressPools: [routed]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web}, spec: {externalNetwork: edge}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Subnet, metadata: {name: storefront}, spec: {vpc: shop, cidr: 10.90.0.0/24}}
      """

  @S0-24 @DIR-D10 @EN-D2 @EN-D7
  Scenario: Any Node takes packets for the pool, and carries them to the Pod's Node
    Given these Pods
      | name | node     | eth0       | eth1 |
      | gw   | worker-2 | storefront | web  |
    Then host "outside" cannot ping "203.0.113.1"
    Given BGPAdvertisement "all" with {addressPools: [routed]}
    When host "outside" pings "203.0.113.1"
    Then the ping is answered
    And 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of ExternalNetwork "edge"
    And its way leads out of eth1 of Pod "gw" only
    And there is no ARPAdvertisement

  @DIR-D6 @BGPA-D4
  Scenario: The Node that announces is the one that is asked
    Given BGPAdvertisement "second" with {addressPools: [routed], nodeName: worker-2}
    And these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    When host "outside" pings "203.0.113.1"
    Then the ping is answered
    And no VXLAN packet is sent
    When Node "worker-2" loses its power
    Then host "outside" cannot ping "203.0.113.1"

  @S0-31 @ENA-D1 @ENA-D2 @NATGW-D1 @NATGW-D9
  Scenario: Answers for a NATGateway's flows come back to their own Node
    Given BGPAdvertisement "all" with {addressPools: [routed]}
    And NATGateway "exit" with {vpc: shop, externalNetwork: edge}
    And "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: exit}}]
    And these Pods
      | name | node     | eth0       |
      | app  | worker-1 | storefront |
      | back | worker-2 | storefront |
    When Pod "back" pings "10.225.51.200"
    Then the ping is answered
    And eth0 of host "outside" receives a packet from "203.0.113.3" to "10.225.51.200"
    And no VXLAN packet is sent
    And Pod "app" can ping "10.225.51.200"

  @EIPA-D1 @EIPA-D2
  Scenario: One to one it is the same
    Given BGPAdvertisement "all" with {addressPools: [routed]}
    And "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: internetGateway}}]
    And these Pods
      | name | node     | eth0       |
      | app  | worker-2 | storefront |
    And ElasticIPAttachment "web-nat" with {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: app.eth0}}
    When host "outside" pings "203.0.113.1"
    Then the ping is answered
    And 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of Subnet "storefront"
    And Pod "app" can ping "10.225.51.200"

  Scenario: What is announced and not used is dropped where it arrives
    Given BGPAdvertisement "all" with {addressPools: [routed]}
    When host "outside" pings "203.0.113.9"
    Then the ping is not answered
    And it is dropped on worker-1 with reason CLAIMED_UNUSED
