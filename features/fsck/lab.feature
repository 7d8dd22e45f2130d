Feature: What an audit finds in a cluster
  What no rule of admission could see shows all the same: on the object, and to whoever asks for an audit.

  Background:
    Given a lab

  Scenario: A cluster at rest has nothing wrong with it
    Given these manifests
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
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    Then NetworkInterface "catalogue.eth0" is Ready
    And an audit finds nothing
    When Pod "catalogue" is deleted
    Then an audit finds nothing
    When 48h pass
    Then an audit finds nothing

  @S0-16 @S0-17 @S0-18
  Scenario: Two ExternalNetworks that have shared a pool since before the rule are both told of it, and go on
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: p1}
      spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: ext}
      spec: {type: bgp, addressPools: [p1]}
      """
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: second}
      spec: {type: bgp, addressPools: [p1]}
      """
    Then an audit of ExternalNetwork "ext" finds "second" at "spec.addressPools[0]"
    And the message names "second"
    And an audit of ExternalNetwork "second" finds "ext" at "spec.addressPools[0]"
    And condition "Valid" of ExternalNetwork "second" is False
    And ExternalNetwork "ext" is Ready
    And ExternalNetwork "second" is Ready
    When "metadata.labels" of ExternalNetwork "ext" is changed to {team: network}
    Then it is refused at "spec.addressPools[0]" with "second"
    When ExternalNetwork "second" is deleted
    Then an audit finds nothing about ExternalNetwork "ext"
    And condition "Valid" of ExternalNetwork "ext" is True

  Scenario: Networks that overlap since before the rule are both told of it
    Given Vpc "shop" with {}
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.90.0.128/25}
      """
    Then an audit of Subnet "storefront" finds "L2Network dock-floor" at "spec.cidr"
    And an audit of L2Network "dock-floor" finds "Subnet storefront" at "spec.cidr"

  Scenario: A number that a claim has and its owner has not is found at the owner, and the repair mends it
    Given Vpc "shop" with {}
    When 77 is stored as the value of AllocationClaim "vpc-id--vpc--shop--status-vpcid"
    Then an audit of Vpc "shop" finds "77" at "status.vpcID"
    And the message says "delete the AllocationClaim"
    And condition "Valid" of Vpc "shop" is False
    And Vpc "shop" is Ready
    And an audit of AllocationClaim "vpc-id--vpc--shop--status-vpcid" finds "AllocationLease" at "status.value"
    When AllocationClaim "vpc-id--vpc--shop--status-vpcid" is deleted
    Then an audit finds nothing
    And condition "Valid" of Vpc "shop" is True

  Scenario: What is mended at once is nothing that was ever found
    Given Vpc "shop" with {}
    When AllocationLease "vpc-id--vpc--shop--status-vpcid" is deleted
    Then an audit finds nothing
    And AllocationClaim "vpc-id--vpc--shop--status-vpcid" has no condition "Valid"

  Scenario: An address that lies in none of the pools of its network any more is found
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: p1}
      spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: ext}
      spec: {type: bgp, addressPools: [p1]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: www}
      spec: {externalNetwork: ext}
      """
    Then an audit finds nothing
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: p1}
      spec: {advertiseMode: bgp, addresses: [203.0.113.64/26]}
      """
    Then an audit of ElasticIP "www" finds "lies in no AddressPool of ExternalNetwork ext" at "status.address"
    And condition "Valid" of ElasticIP "www" is False
