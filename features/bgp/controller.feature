Feature: Announcing by BGP
  What is to be announced is known; who would announce it is not part of this version, and that is no secret.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-routed}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: BGPAdvertisement, metadata: {name: edge-all}, spec: {addressPools: [edge-routed]}}
      """

  Scenario: Without a BGPPeer there is nobody to announce anything to
    Then BGPAdvertisement "edge-all" is Ready with reason "NoPeer"
    And there is no BGPNodeState

  Scenario: A BGPPeer says that no speaker runs, and what to do instead
    Given BGPPeer "rack-router" with {myASN: 64601, peerASN: 64600, peerAddress: 10.225.51.1}
    Then BGPPeer "rack-router" is Allocated with reason "NoSpeaker"
    And the message says "static routes"
    And BGPAdvertisement "edge-all" is Allocated with reason "NoSpeaker"

  Scenario: Each Node shows the state of its sessions while there is a BGPPeer
    Given BGPPeer "rack-router" with {myASN: 64601, peerASN: 64600, peerAddress: 10.225.51.1}
    When 4 m pass
    And Node "worker-3" joins
    Then the table of bgpnodestate is
      """
      NAME       READY   BIRD    BMP     AGE
      worker-1   False   False   False   4m
      worker-2   False   False   False   4m
      worker-3   False   False   False   0s
      """
    And BGPNodeState "worker-1" is Allocated with reason "BirdNotRunning"
    And condition "BirdRunning" of BGPNodeState "worker-1" is False with reason "NotRunning"
    And condition "BMPConnected" of BGPNodeState "worker-1" is False with reason "Disconnected"
    When Node "worker-1" is deleted
    Then BGPNodeState "worker-1" is gone
    When BGPPeer "rack-router" is deleted
    Then there is no BGPNodeState

  Scenario: A BGPAdvertisement without its pool waits for it
    Given this object is stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: BGPAdvertisement, metadata: {name: early}, spec: {addressPools: [edge-later]}}
      """
    Then BGPAdvertisement "early" is Pending with reason "MissingDependency"
    And the message names "edge-later"
    When AddressPool "edge-later" is created with {advertiseMode: bgp, addresses: [198.51.100.0/24]}
    Then BGPAdvertisement "early" is Ready

  Scenario: Every Node announces the pools, and one of them a part besides
    Given BGPAdvertisement "edge-low-half" with {addressPools: [edge-routed], nodeName: worker-1, prefix: 203.0.113.0/27}
    Then worker-1 announces by BGP
      """
      203.0.113.0/26
      203.0.113.0/27
      """
    And worker-2 announces by BGP
      """
      203.0.113.0/26
      """
    When BGPAdvertisement "edge-all" is deleted
    Then worker-2 announces nothing by BGP

  Scenario: The address under which a Node's Pods leave comes back to that Node
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: edge}, spec: {type: bgp, addressPools: [edge-routed]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: edge}}
      """
    Then worker-1 announces by BGP
      """
      203.0.113.0/26
      203.0.113.1/32
      """
    And worker-2 announces by BGP
      """
      203.0.113.0/26
      203.0.113.2/32
      """

  @S0-34
  Scenario: Nothing of a network of type arp is announced by routes
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [edge-lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: lan}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: BGPPeer, metadata: {name: rack-router}, spec: {myASN: 64601, peerASN: 64600, peerAddress: 10.225.51.1}}
      """
    When BGPAdvertisement "edge-all" is deleted
    Then "status.assignedIP" of ExternalNetworkAttachment "lan--worker-1" is "10.225.51.100"
    And worker-1 announces nothing by BGP
    And worker-2 announces nothing by BGP
