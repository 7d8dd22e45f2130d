Feature: What an ExternalNetwork may say
  It bundles AddressPools of one mode, which are its own for as long as it lives.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p1}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p2}, spec: {advertiseMode: bgp, addresses: [203.0.113.64/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p3}, spec: {advertiseMode: bgp, addresses: [203.0.113.128/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan1}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan2}, spec: {advertiseMode: arp, addresses: [10.225.51.110-10.225.51.119]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext}, spec: {type: bgp, addressPools: [p1]}}
      """

  @S0-6 @EN-1
  Scenario: A type has to be given
    When ExternalNetwork "second" is created with {addressPools: [p2]}
    Then it is refused at "spec.type" with "Required value"
    And nothing was stored

  @S0-4 @EN-1
  Scenario: There are two types
    When ExternalNetwork "second" is created with {type: static, addressPools: [p2]}
    Then it is refused at "spec.type" with "bgp"
    And the error names "arp"

  @S0-7 @EN-2
  Scenario Outline: A type is for good
    Given ExternalNetwork "second" with {type: <type>, addressPools: [<pool>]}
    When "spec.type" of ExternalNetwork "second" is changed to "<other>"
    Then it is refused at "spec.type"

    Examples:
      | type | pool | other |
      | bgp  | p2   | arp   |
      | arp  | lan1 | bgp   |

  @S0-9 @EN-3
  Scenario Outline: At least one pool is listed
    When ExternalNetwork "second" is created with <spec>
    Then it is refused at "spec.addressPools"

    Examples:
      | spec                          |
      | {type: bgp}                   |
      | {type: bgp, addressPools: []} |

  @S0-8 @EN-4
  Scenario: A pool is listed once
    When ExternalNetwork "second" is created with {type: bgp, addressPools: [p2, p2]}
    Then it is refused at "spec.addressPools[1]" with "p2"

  @EN-5
  Scenario: No name is empty
    When ExternalNetwork "second" is created with {type: bgp, addressPools: [p2, ""]}
    Then it is refused at "spec.addressPools[1]"

  @EN-6
  Scenario: Every pool exists
    When ExternalNetwork "second" is created with {type: bgp, addressPools: [p2, p9]}
    Then it is refused at "spec.addressPools[1]" with "p9"
    When "spec.addressPools" of ExternalNetwork "ext" is changed to [p1, p9]
    Then it is refused at "spec.addressPools[1]" with "p9"

  @S0-10 @EN-7
  Scenario: A network of type bgp takes pools of mode bgp only
    When ExternalNetwork "second" is created with {type: bgp, addressPools: [p2, lan1]}
    Then it is refused at "spec.addressPools[1]" with "lan1"
    And the error says "mode bgp"
    When "spec.addressPools" of ExternalNetwork "ext" is changed to [p1, lan1]
    Then it is refused at "spec.addressPools[1]" with "lan1"

  @S0-11 @EN-8
  Scenario: A network of type arp takes pools of mode arp only
    When ExternalNetwork "lan" is created with {type: arp, addressPools: [p2]}
    Then it is refused at "spec.addressPools[0]" with "p2"
    And the error says "mode arp"
    When ExternalNetwork "lan" is created with {type: arp, addressPools: [lan1]}
    And "spec.addressPools" of ExternalNetwork "lan" is changed to [lan1, p2]
    Then it is refused at "spec.addressPools[1]" with "p2"

  @S0-12 @S0-14 @EN-9
  Scenario: A pool that another network lists is refused on creation, and the network is named
    When ExternalNetwork "second" is created with {type: bgp, addressPools: [p1]}
    Then it is refused at "spec.addressPools[0]" with "p1"
    And the error names "ext"
    And nothing was stored

  @S0-13 @S0-14 @EN-10
  Scenario: And on update
    Given ExternalNetwork "second" with {type: bgp, addressPools: [p2]}
    When "spec.addressPools" of ExternalNetwork "second" is changed to [p2, p1]
    Then it is refused at "spec.addressPools[1]" with "p1"
    And the error names "ext"
    When "spec.addressPools" of ExternalNetwork "second" is changed to [p2, p3]
    Then it is accepted

  @S0-15 @EN-11
  Scenario: A network that is being deleted has its pools until it is gone
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: old, finalizers: [example.com/audit]}
      spec: {type: bgp, addressPools: [p2]}
      """
    When ExternalNetwork "old" is deleted
    And ExternalNetwork "second" is created with {type: bgp, addressPools: [p2]}
    Then it is refused at "spec.addressPools[0]" with "p2"
    And the error names "old"
    When "metadata.finalizers" of ExternalNetwork "old" is removed
    Then ExternalNetwork "old" is gone
    When ExternalNetwork "second" is created with {type: bgp, addressPools: [p2]}
    Then it is accepted

  @S0-16 @S0-17 @EN-N1
  Scenario: Pools that were shared before the rule stay so, and both networks go on working
    Given this object is stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: second}, spec: {type: bgp, addressPools: [p1]}}
      """
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: one}, spec: {vpc: shop, externalNetwork: ext}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: two}, spec: {vpc: shop, externalNetwork: second}}
      """
    Then ExternalNetwork "ext" is Ready
    And ExternalNetwork "second" is Ready
    And ExternalNetworkAttachment "ext--worker-1" is Ready
    And ExternalNetworkAttachment "second--worker-1" is Ready
    And "status.assignedIP" of ExternalNetworkAttachment "ext--worker-1" differs from "status.assignedIP" of ExternalNetworkAttachment "second--worker-1"
    And condition "Valid" of ExternalNetwork "second" is False
    And the message names "ext"
    Given the value of "status.networkID" of ExternalNetwork "ext" is noted
    And the value of "status.networkID" of ExternalNetwork "second" is noted
    And the value of "status.assignedIP" of ExternalNetworkAttachment "ext--worker-1" is noted
    And the value of "status.assignedIP" of ExternalNetworkAttachment "second--worker-1" is noted
    When the controller restarts
    Then "spec.addressPools" of ExternalNetwork "ext" is [p1]
    And "spec.addressPools" of ExternalNetwork "second" is [p1]
    And "status.networkID" of ExternalNetwork "ext" is unchanged
    And "status.networkID" of ExternalNetwork "second" is unchanged
    And "status.assignedIP" of ExternalNetworkAttachment "ext--worker-1" is unchanged
    And "status.assignedIP" of ExternalNetworkAttachment "second--worker-1" is unchanged

  @S0-18 @EN-12
  Scenario: The next update of either is refused, whatever it changes, and names the other one
    Given this object is stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: second}, spec: {type: bgp, addressPools: [p1]}}
      """
    When "metadata.labels" of ExternalNetwork "ext" is changed to {team: edge}
    Then it is refused at "spec.addressPools[0]" with "p1"
    And the error names "second"
    When "spec.addressPools" of ExternalNetwork "second" is changed to [p1, p2]
    Then it is refused at "spec.addressPools[0]" with "p1"
    And the error names "ext"

  @S0-20 @EN-N2
  Scenario: Making one of them anew ends the sharing
    Given this object is stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: second}, spec: {type: bgp, addressPools: [p1]}}
      """
    When ExternalNetwork "second" is deleted
    And ExternalNetwork "second" is created with {type: bgp, addressPools: [p2]}
    Then it is accepted
    When "metadata.labels" of ExternalNetwork "ext" is changed to {team: edge}
    Then it is accepted
    When "spec.addressPools" of ExternalNetwork "second" is changed to [p2, p3]
    Then it is accepted
    And condition "Valid" of ExternalNetwork "ext" is True

  @S0-19 @EN-13
  Scenario: Pools are not taken off the list
    Given ExternalNetwork "second" with {type: bgp, addressPools: [p2, p3]}
    When "spec.addressPools" of ExternalNetwork "second" is changed to [p2]
    Then it is refused at "spec.addressPools" with "p3"
    When "spec.addressPools" of ExternalNetwork "second" is changed to [p3, p2]
    Then it is accepted

  @EN-14
  Scenario: An ElasticIP holds its network, whatever its namespace
    Given these manifests
      """
      {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web, namespace: shop}, spec: {externalNetwork: ext}}
      """
    When ExternalNetwork "ext" is deleted
    Then the deletion is refused with "shop/web"
    When ElasticIP "shop/web" is deleted
    And ExternalNetwork "ext" is deleted
    Then the deletion is accepted

  @EN-14
  Scenario: One that is being deleted itself holds it no more
    Given this manifest
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web, finalizers: [example.com/audit]}, spec: {externalNetwork: ext}}
      """
    When ElasticIP "web" is deleted
    And ExternalNetwork "ext" is deleted
    Then the deletion is accepted
    And ExternalNetwork "ext" is gone
    And "metadata.deletionTimestamp" of ElasticIP "web" is set

  Scenario: A NATGateway does not hold its network
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: ext}}
      """
    When ExternalNetwork "ext" is deleted
    Then the deletion is accepted
