Feature: What becomes of an AddressPool
  Its addresses are handed out by an AllocationPool of its own.

  Background:
    Given a lab

  Scenario: Prefixes are handed out without their edges
    Given AddressPool "edge-routed" with {advertiseMode: bgp, addresses: [203.0.113.0/26, 203.0.113.128/32]}
    Then AddressPool "edge-routed" is Ready
    And "spec.type" of AllocationPool "addr-edge-routed" is "ip"
    And "spec.strategy" of AllocationPool "addr-edge-routed" is "firstFit"
    And "spec.ip.cidrs" of AllocationPool "addr-edge-routed" is [203.0.113.0/26, 203.0.113.128/32]
    When AllocationClaim "first" is created with {poolRefs: [{name: addr-edge-routed}], resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, name: edge-routed}, attribute: status.first}
    Then "status.value.ip" of AllocationClaim "first" is "203.0.113.1"

  Scenario: Ranges are handed out with both ends
    Given AddressPool "edge-lan" with {advertiseMode: arp, addresses: [192.0.2.200-192.0.2.219]}
    Then "spec.ip.ranges" of AllocationPool "addr-edge-lan" is [{start: 192.0.2.200, end: 192.0.2.219}]
    When AllocationClaim "first" is created with {poolRefs: [{name: addr-edge-lan}], resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, name: edge-lan}, attribute: status.first}
    Then "status.value.ip" of AllocationClaim "first" is "192.0.2.200"

  Scenario: What is added comes last, however the list is ordered by then
    Given AddressPool "edge-routed" with {advertiseMode: bgp, addresses: [203.0.113.0/26]}
    When "spec.addresses" of AddressPool "edge-routed" is changed to [198.51.100.0/24, 203.0.113.0/26]
    Then "spec.ip.cidrs" of AllocationPool "addr-edge-routed" is [203.0.113.0/26, 198.51.100.0/24]

  Scenario: The AllocationPool goes with it
    Given AddressPool "edge-routed" with {advertiseMode: bgp, addresses: [203.0.113.0/26]}
    When AddressPool "edge-routed" is deleted
    Then AllocationPool "addr-edge-routed" is gone

  Scenario: The table shows name and age
    Given AddressPool "edge-routed" with {advertiseMode: bgp, addresses: [203.0.113.0/26]}
    When 8 s pass
    Then the table of addresspool is
      """
      NAME          AGE
      edge-routed   8s
      """
