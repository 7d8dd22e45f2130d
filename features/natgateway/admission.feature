Feature: What a NATGateway may say
  A NATGateway joins one Vpc to one ExternalNetwork, for good.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
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
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: office-lan}
      spec: {advertiseMode: arp, addresses: [10.225.51.150-10.225.51.159]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: office}
      spec: {type: arp, addressPools: [office-lan]}
      """

  @NATGW-1 @NATGW-2
  Scenario Outline: A NATGateway names its Vpc and its ExternalNetwork
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-exit}
      spec: <spec>
      """
    Then it is refused at "<field>" with "Required"
    And nothing was stored

    Examples:
      | spec                              | field                |
      | {externalNetwork: edge}           | spec.vpc             |
      | {vpc: "", externalNetwork: edge}  | spec.vpc             |
      | {vpc: shop}                       | spec.externalNetwork |
      | {vpc: shop, externalNetwork: ""}  | spec.externalNetwork |

  @NATGW-3 @NATGW-4
  Scenario Outline: A NATGateway stays where it is
    Given NATGateway "shop-exit" with {vpc: shop, externalNetwork: edge}
    When "<field>" of NATGateway "shop-exit" is changed to "<value>"
    Then it is refused at "<field>" with "immutable"

    Examples:
      | field                | value   |
      | spec.vpc             | default |
      | spec.externalNetwork | office  |

  @NATGW-5 @NATGW-6
  Scenario Outline: Both ends of a NATGateway exist
    When NATGateway "shop-exit" is created with <spec>
    Then it is refused at "<field>" with "Not found"
    And the error names "<name>"

    Examples:
      | spec                                  | field                | name    |
      | {vpc: billing, externalNetwork: edge} | spec.vpc             | billing |
      | {vpc: shop, externalNetwork: campus}  | spec.externalNetwork | campus  |

  @NATGW-5 @NATGW-6
  Scenario: A NATGateway that is being deleted is not held up by what is gone
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-exit, finalizers: [example.com/audit]}
      spec: {vpc: shop, externalNetwork: edge}
      """
    When NATGateway "shop-exit" is deleted
    And ExternalNetwork "edge" is deleted
    And Vpc "shop" is deleted
    And "metadata.finalizers" of NATGateway "shop-exit" is removed
    Then it is accepted
    And NATGateway "shop-exit" is gone

  @NATGW-7
  Scenario Outline: An ExternalNetwork of either type will do
    When NATGateway "shop-exit" is created with {vpc: shop, externalNetwork: <network>}
    Then it is accepted
    And NATGateway "shop-exit" is Ready

    Examples:
      | network |
      | edge    |
      | office  |

  Scenario: Any Vpc may have any number of NATGateways, also on one ExternalNetwork
    When these manifests are applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-exit}
      spec: {vpc: shop, externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-spare}
      spec: {vpc: shop, externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: cluster-exit}
      spec: {vpc: default, externalNetwork: edge}
      """
    Then they are accepted
    And the table of natgateways is
      """
      NAME           VPC       EXTERNALNETWORK   GATEWAYID   READY
      cluster-exit   default   edge              3           True
      shop-exit      shop      edge              1           True
      shop-spare     shop      edge              2           True
      """

  @NATGW-8
  Scenario: A NATGateway stays for as long as a route leads to it
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: shop-exit}
      spec: {vpc: shop, externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-dmz}
      spec:
        vpc: shop
        routes: [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: shop-exit}}]
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-lan}
      spec:
        vpc: shop
        routes: [{dst: 198.51.100.0/24, via: {type: natGateway, natGateway: shop-exit}}]
      """
    When NATGateway "shop-exit" is deleted
    Then the deletion is refused with "shop-dmz"
    And the deletion is refused with "shop-lan"
    When "spec.routes" of RouteTable "shop-dmz" is removed
    And NATGateway "shop-exit" is deleted
    Then the deletion is refused with "shop-lan"
    When RouteTable "shop-lan" is deleted
    And NATGateway "shop-exit" is deleted
    Then the deletion is accepted
    And NATGateway "shop-exit" is gone

  Scenario: Neither its Vpc nor its ExternalNetwork is held by a NATGateway
    Given NATGateway "shop-exit" with {vpc: shop, externalNetwork: edge}
    When Vpc "shop" is deleted
    Then the deletion is accepted
    When ExternalNetwork "edge" is deleted
    Then the deletion is accepted
    And NATGateway "shop-exit" is Pending with reason "MissingDependency"
