Feature: What becomes of an ExternalNetworkAttachment
  A Node keeps one address of the network for what leaves through its NATGateways, and the outside learns where it is.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-routed}, spec: {advertiseMode: bgp, addresses: [203.0.113.1/32]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-more}, spec: {advertiseMode: bgp, addresses: [203.0.113.64/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: edge}, spec: {type: bgp, addressPools: [edge-routed]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [edge-lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      """

  Scenario: A pool that is used up is named, and one that is added helps at once
    Given NATGateway "exit" with {vpc: shop, externalNetwork: edge}
    Then ExternalNetworkAttachment "edge--worker-1" is Ready with reason "Ready"
    And ExternalNetworkAttachment "edge--worker-2" is Pending with reason "NoAddressAvailable"
    And the message says "addr-edge-routed"
    And "status.assignedIP" of ExternalNetworkAttachment "edge--worker-2" is empty
    And BGPAdvertisement "ena-edge--worker-2" does not exist
    When "spec.addressPools" of ExternalNetwork "edge" is changed to [edge-routed, edge-more]
    Then ExternalNetworkAttachment "edge--worker-2" is Ready with reason "Ready"
    And "status.assignedIP" of ExternalNetworkAttachment "edge--worker-2" is "203.0.113.65"
    And "status.assignedIP" of ExternalNetworkAttachment "edge--worker-1" is "203.0.113.1"
    And "spec.addressPools" of BGPAdvertisement "ena-edge--worker-1" is [edge-routed, edge-more]

  Scenario: What it has stays while its network is missing
    Given NATGateway "exit" with {vpc: shop, externalNetwork: edge}
    And AddressPool "edge-routed" is deleted past admission
    Then ExternalNetworkAttachment "edge--worker-1" is Pending with reason "MissingDependency"
    And the message names "edge-routed"
    And "status.assignedIP" of ExternalNetworkAttachment "edge--worker-1" is "203.0.113.1"

  Scenario: A pool of the other mode is named
    Given NATGateway "exit" with {vpc: shop, externalNetwork: lan}
    And this object is stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: mixed}, spec: {type: arp, addressPools: [edge-more]}}
      """
    And ExternalNetworkAttachment "mine" with {externalNetwork: mixed, nodeName: worker-1}
    Then ExternalNetworkAttachment "mine" is Failed with reason "InvalidAddressPool"
    And the message names "edge-more"

  Scenario: The address stays while its claim is made again
    Given ExternalNetworkAttachment "mine" with {externalNetwork: edge, nodeName: worker-1}
    When AllocationClaim "addr-edge-routed--externalnetworkattachment--mine--status-assignedip" is deleted
    Then "status.assignedIP" of ExternalNetworkAttachment "mine" is "203.0.113.1"
    And "status.value.ip" of AllocationClaim "addr-edge-routed--externalnetworkattachment--mine--status-assignedip" is "203.0.113.1"

  Scenario: It goes with its claim and its advertisement
    Given ExternalNetworkAttachment "mine" with {externalNetwork: lan, nodeName: worker-1}
    Then "spec.address" of ARPAdvertisement "ena-mine" is "10.225.51.100"
    When ExternalNetworkAttachment "mine" is deleted
    Then ARPAdvertisement "ena-mine" is gone
    And AllocationClaim "addr-edge-lan--externalnetworkattachment--mine--status-assignedip" is gone

  Scenario: Two networks and Nodes whose names can be read two ways have attachments of their own
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: a--b}, spec: {type: bgp, addressPools: [edge-more]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: a--b}}
      """
    Then there are 2 objects of Kind ExternalNetworkAttachment
    And ExternalNetworkAttachment "a--b--worker-1" does not exist

  Scenario: The address of a Node that has left is used again once that Node surely answers no more
    Given AddressPool "edge-two" with {advertiseMode: arp, addresses: [10.225.51.120-10.225.51.121]}
    And ExternalNetwork "two" with {type: arp, addressPools: [edge-two]}
    And NATGateway "exit" with {vpc: shop, externalNetwork: two}
    When Node "worker-2" is deleted
    Then ExternalNetworkAttachment "two--worker-2" is gone
    When Node "worker-3" joins
    And 60 s pass
    Then the table of externalnetworkattachment is
      """
      NAME            EXTERNALNETWORK   NODE       ASSIGNEDIP      READY
      two--worker-1   two               worker-1   10.225.51.120   True
      two--worker-3   two               worker-3   10.225.51.121   True
      """
    And "spec.address" of ARPAdvertisement "ena-two--worker-3" is "10.225.51.121"
