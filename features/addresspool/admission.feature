Feature: What an AddressPool may say
  Addresses that the cluster may hand out are CIDRs or ranges, in one pool only, and the list only grows.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: edge-routed}
      spec:
        advertiseMode: bgp
        addresses: [203.0.113.0/26, 203.0.113.128/32]
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: edge-lan}
      spec:
        advertiseMode: arp
        addresses: [192.0.2.200-192.0.2.219]
      """

  @AP-1
  Scenario Outline: A pool says how the outside learns of its addresses
    When AddressPool "uplink" is created with <spec>
    Then it is refused at "spec.advertiseMode" with "<says>"

    Examples:
      | spec                                                      | says           |
      | {addresses: [198.51.100.0/24]}                            | Required value |
      | {advertiseMode: ospf, addresses: [198.51.100.0/24]}       | bgp            |
      | {advertiseMode: ospf, addresses: [198.51.100.0/24]}       | arp            |

  @AP-2
  Scenario Outline: A pool has at least one entry
    When AddressPool "uplink" is created with <spec>
    Then it is refused at "spec.addresses"

    Examples:
      | spec                               |
      | {advertiseMode: bgp}               |
      | {advertiseMode: arp, addresses: []} |

  @AP-3
  Scenario: No entry is empty
    When AddressPool "uplink" is created with {advertiseMode: bgp, addresses: [198.51.100.0/24, ""]}
    Then it is refused at "spec.addresses[1]"

  @AP-4
  Scenario: No entry stands there twice
    When AddressPool "uplink" is created with {advertiseMode: bgp, addresses: [198.51.100.0/24, 198.51.100.0/24]}
    Then it is refused at "spec.addresses[1]" with "198.51.100.0/24"

  @AP-5 @AP-6 @AP-7
  Scenario Outline: What is routed is given as IPv4 CIDRs from /8 to /32
    When AddressPool "uplink" is created with {advertiseMode: bgp, addresses: ["<entry>"]}
    Then it is refused at "spec.addresses[0]" with "<entry>"
    And the error says "<says>"

    Examples:
      | entry                      | says        |
      | 198.51.100.7               | IPv4 CIDR   |
      | 198.51.100.1-198.51.100.9  | IPv4 CIDR   |
      | 198.51.300.0/24            | IPv4 CIDR   |
      | 2001:db8:7::/48            | IPv6        |
      | 198.0.0.0/7                | /8 and /32  |
      | 0.0.0.0/0                  | /8 and /32  |

  @AP-5 @AP-7
  Scenario Outline: Both bounds, and host bits, are accepted
    When AddressPool "uplink" is created with {advertiseMode: bgp, addresses: ["<entry>"]}
    Then it is accepted

    Examples:
      | entry           |
      | 198.0.0.0/8     |
      | 198.51.100.7/32 |
      | 198.51.100.7/24 |

  @AP-8 @AP-9 @AP-10
  Scenario Outline: What is answered for by ARP is given as IPv4 ranges
    When AddressPool "uplink" is created with {advertiseMode: arp, addresses: ["<entry>"]}
    Then it is refused at "spec.addresses[0]" with "<entry>"
    And the error says "<says>"

    Examples:
      | entry                                 | says                        |
      | 198.51.100.0/24                       | range of IPv4 addresses     |
      | 198.51.100.7                          | 198.51.100.7-198.51.100.7   |
      | 198.51.100.7-198.51.100.8-198.51.100.9 | range of IPv4 addresses    |
      | 198.51.100.7-host                     | no IPv4 address             |
      | 2001:db8::1-2001:db8::9               | no IPv4 address             |
      | 198.51.100.7 - 198.51.100.9           | without blanks              |
      | 198.51.100.9-198.51.100.7             | 198.51.100.7-198.51.100.9   |

  @AP-10
  Scenario: A range may be one address
    When AddressPool "uplink" is created with {advertiseMode: arp, addresses: [198.51.100.7-198.51.100.7]}
    Then it is accepted

  @AP-11
  Scenario: The mode is for good
    When "spec.advertiseMode" of AddressPool "edge-routed" is changed to "arp"
    Then it is refused at "spec.advertiseMode"

  @AP-12
  Scenario: Entries can be added and change places, and none goes
    When "spec.addresses" of AddressPool "edge-routed" is changed to [198.51.100.0/24, 203.0.113.128/32, 203.0.113.0/26]
    Then it is accepted
    When "spec.addresses" of AddressPool "edge-routed" is changed to [198.51.100.0/24]
    Then it is refused at "spec.addresses" with "only grows"
    And the error says "203.0.113.0/26"
    And the error says "203.0.113.128/32"

  @AP-13 @AP-14
  Scenario: A range shares no address with another pool's prefix
    When AddressPool "clash" is created with {advertiseMode: arp, addresses: [203.0.113.60-203.0.113.70]}
    Then it is refused at "spec.addresses[0]" with "203.0.113.60-203.0.113.63"
    And the error names "edge-routed"
    And the error names "203.0.113.0/26"
    And nothing was stored

  @AP-13 @AP-14
  Scenario: A prefix shares no address with another pool's range
    When AddressPool "clash" is created with {advertiseMode: bgp, addresses: [192.0.2.0/24, 203.0.112.0/20]}
    Then it is refused at "spec.addresses[0]" with "192.0.2.200-192.0.2.219"
    And the error names "edge-lan"
    And it is refused at "spec.addresses[1]" with "203.0.113.0-203.0.113.63"
    And it is refused at "spec.addresses[1]" with "203.0.113.128-203.0.113.128"

  @AP-13
  Scenario: Neighbours are no overlap, nor are entries of one pool
    When AddressPool "beside" is created with {advertiseMode: arp, addresses: [203.0.113.64-203.0.113.70, 203.0.113.70-203.0.113.71]}
    Then it is accepted

  @AP-15
  Scenario: An overlap from before the rule is refused at the next update of either, whatever it changes
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: leased}
      spec: {advertiseMode: bgp, addresses: [203.0.113.32/27]}
      """
    Then AddressPool "leased" is Ready
    And condition "Valid" of AddressPool "leased" is False
    And the message names "edge-routed"
    When "metadata.labels" of AddressPool "leased" is changed to {team: edge}
    Then it is refused at "spec.addresses[0]" with "edge-routed"
    When "spec.addresses" of AddressPool "edge-routed" is changed to [203.0.113.0/26, 203.0.113.128/32, 198.51.100.0/24]
    Then it is refused at "spec.addresses[0]" with "leased"

  @AP-16
  Scenario: A pool that cannot be read stops the comparison, and is named
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: typo}
      spec: {advertiseMode: arp, addresses: [198.51.100.9]}
      """
    Then AddressPool "typo" is Failed
    When AddressPool "uplink" is created with {advertiseMode: bgp, addresses: [198.18.0.0/24]}
    Then it is refused
    And the error names "typo"
    And the error names "198.51.100.9"

  @AP-17
  Scenario: A network holds its pools, also while it is being deleted
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: edge, finalizers: [example.com/audit]}
      spec: {type: bgp, addressPools: [edge-routed]}
      """
    When AddressPool "edge-routed" is deleted
    Then the deletion is refused with "edge"
    When ExternalNetwork "edge" is deleted
    And AddressPool "edge-routed" is deleted
    Then the deletion is refused with "edge"
    When "metadata.finalizers" of ExternalNetwork "edge" is removed
    And AddressPool "edge-routed" is deleted
    Then the deletion is accepted
    And AllocationPool "addr-edge-routed" is gone

  @AP-18
  Scenario: A BGPAdvertisement holds its pools, unless it is being deleted
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: BGPAdvertisement
      metadata: {name: edge-all, finalizers: [example.com/audit]}
      spec: {addressPools: [edge-routed]}
      """
    When AddressPool "edge-routed" is deleted
    Then the deletion is refused with "edge-all"
    When BGPAdvertisement "edge-all" is deleted
    And AddressPool "edge-routed" is deleted
    Then the deletion is accepted
