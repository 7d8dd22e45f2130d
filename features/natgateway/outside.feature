Feature: Who gets out by a NATGateway
  A route decides; a Subnet and an L2Network with a gateway are alike.

  Background:
    Given a lab
    And these manifests
      """
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

  @S4-47 @NATGW-C4 @NATGW-D1
  Scenario: A NIC on an L2Network with a gateway reaches an outside host once a route leads there
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: plant}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: plant, cidr: 10.91.0.0/24, gateway: {}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NATGateway
      metadata: {name: plant-exit}
      spec: {vpc: plant, externalNetwork: office}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: scanner, annotations: {juneau.loutres.me/networks: '[{"interface": "eth0", "l2Network": "dock-floor"}]'}}
      """
    When Pod "scanner" pings "10.225.51.200"
    Then it is not answered
    When "spec.routes" of RouteTable "plant" is changed to [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: plant-exit}}]
    And Pod "scanner" pings "10.225.51.200"
    Then it is answered
    When ExternalNetwork "office" is deleted
    And Pod "scanner" pings "10.225.51.200"
    Then it is not answered

  @NATGW-C5 @NATGW-D1
  Scenario: Pods of the default Subnet get out once there is a NATGateway default
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: batch}
      """
    When Pod "batch" pings "10.225.51.200"
    Then it is not answered
    When NATGateway "default" is created with {vpc: default, externalNetwork: office}
    And Pod "batch" pings "10.225.51.200"
    Then it is answered
    When NATGateway "default" is deleted
    And Pod "batch" pings "10.225.51.200"
    Then it is not answered
