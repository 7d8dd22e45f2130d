Feature: What BGPAdvertisements and BGPPeers may say
  The one says what is announced, the other to whom.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-routed}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26, 203.0.113.128/32]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-more}, spec: {advertiseMode: bgp, addresses: [198.18.7.0/24]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      """

  @BGPA-1
  Scenario Outline: At least one pool is listed
    When BGPAdvertisement "half" is created with <spec>
    Then it is refused at "spec.addressPools"

    Examples:
      | spec               |
      | {}                 |
      | {addressPools: []} |

  @BGPA-2 @BGPA-3 @BGPA-4 @BGPA-5
  Scenario Outline: Each is a pool of mode bgp, and stands there once
    When BGPAdvertisement "half" is created with {addressPools: [edge-routed, <pool>]}
    Then it is refused at "spec.addressPools[1]" with "<says>"

    Examples:
      | pool        | says           |
      | ""          | Required value |
      | edge-routed | edge-routed    |
      | edge-gone   | edge-gone      |
      | edge-lan    | mode bgp       |

  @BGPA-6 @BGPA-7
  Scenario Outline: A prefix is an IPv4 CIDR within a pool that is listed
    When BGPAdvertisement "half" is created with {addressPools: [edge-routed], prefix: "<prefix>"}
    Then it is refused at "spec.prefix" with "<prefix>"
    And the error says "<says>"

    Examples:
      | prefix          | says        |
      | 203.0.113.1     | IPv4 CIDR   |
      | 203.0.113.1/40  | IPv4 CIDR   |
      | 2001:db8::/64   | IPv6        |
      | 198.51.100.0/27 | edge-routed |
      | 203.0.113.0/25  | edge-routed |
      | 198.18.7.0/24   | edge-routed |

  @BGPA-7
  Scenario: One of several pools is enough, and everything can be changed
    When BGPAdvertisement "half" is created with {addressPools: [edge-routed, edge-more], nodeName: worker-9, prefix: 198.18.7.0/25}
    Then it is accepted
    When "spec.addressPools" of BGPAdvertisement "half" is changed to [edge-routed]
    Then it is refused at "spec.prefix"
    When "spec.prefix" of BGPAdvertisement "half" is removed
    And "spec.nodeName" of BGPAdvertisement "half" is removed
    And "spec.addressPools" of BGPAdvertisement "half" is changed to [edge-routed]
    Then it is accepted
    When BGPAdvertisement "half" is deleted
    Then the deletion is accepted

  @BGPP-1 @BGPP-2
  Scenario Outline: AS numbers are there, and are numbers of an AS
    When BGPPeer "rack" is created with <spec>
    Then it is refused at "<field>"

    Examples:
      | spec                                                          | field        |
      | {peerASN: 64600, peerAddress: 192.0.2.1}                      | spec.myASN   |
      | {myASN: 0, peerASN: 64600, peerAddress: 192.0.2.1}            | spec.myASN   |
      | {myASN: 4294967295, peerASN: 64600, peerAddress: 192.0.2.1}   | spec.myASN   |
      | {myASN: 64601, peerAddress: 192.0.2.1}                        | spec.peerASN |
      | {myASN: 64601, peerASN: 0, peerAddress: 192.0.2.1}            | spec.peerASN |
      | {myASN: 64601, peerASN: 4294967295, peerAddress: 192.0.2.1}   | spec.peerASN |

  @BGPP-3
  Scenario Outline: The router's address is an IPv4 address
    When BGPPeer "rack" is created with {myASN: 64601, peerASN: 64600, peerAddress: "<address>"}
    Then it is refused at "spec.peerAddress"

    Examples:
      | address            |
      |                    |
      | 2001:db8::1        |
      | router.example.com |
      | 192.0.2.0/24       |

  @BGPP-3
  Scenario: The router's address is there
    When BGPPeer "rack" is created with {myASN: 64601, peerASN: 64600}
    Then it is refused at "spec.peerAddress"

  @BGPP-4
  Scenario Outline: A port is one of TCP's
    When BGPPeer "rack" is created with {myASN: 64601, peerASN: 64600, peerAddress: 192.0.2.1, peerPort: <port>}
    Then it is refused at "spec.peerPort"

    Examples:
      | port  |
      | -1    |
      | 65536 |

  @BGPP-1 @BGPP-4
  Scenario Outline: Everything else is accepted, and can be changed
    When BGPPeer "rack" is created with <spec>
    Then it is accepted
    When "spec.peerAddress" of BGPPeer "rack" is changed to "192.0.2.9"
    And "spec.myASN" of BGPPeer "rack" is changed to 65001
    Then it is accepted
    When BGPPeer "rack" is deleted
    Then the deletion is accepted

    Examples:
      | spec                                                                    |
      | {myASN: 64600, peerASN: 64600, peerAddress: 192.0.2.1}                  |
      | {myASN: 4294967294, peerASN: 1, peerAddress: 192.0.2.1, peerPort: 0}    |
      | {myASN: 64601, peerASN: 64600, peerAddress: 192.0.2.1, peerPort: 65535} |

  @BNS-1
  Scenario: A BGPNodeState may be made and deleted by anybody
    When BGPNodeState "mine" is created with {}
    Then it is accepted
    When BGPNodeState "mine" is deleted
    Then the deletion is accepted
