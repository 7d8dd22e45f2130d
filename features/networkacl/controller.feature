Feature: What becomes of a NetworkACL
  A NetworkACL has a number, counts its rules, and knows the networks that name it.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: shop-edge}
      spec:
        vpc: shop
        ingress:
          - {priority: 10, action: deny, protocol: all, cidr: 10.40.66.0/24}
          - {priority: 20, action: allow, protocol: tcp, cidr: 0.0.0.0/0, ports: [{port: 443}, {port: 80}]}
      """

  Scenario: A direction that is left out differs from an empty one
    Then the table of networkacls is
      """
      NAME        VPC    ACLID   INGRESS   EGRESS   READY
      shop-edge   shop   1       2                  True
      """
    And "status.ingressEntryCount" of NetworkACL "shop-edge" is 3
    And "status.hasIngressRules" of NetworkACL "shop-edge" is true
    And "status.hasEgressRules" of NetworkACL "shop-edge" is empty
    When "spec.egress" of NetworkACL "shop-edge" is changed to []
    Then "status.hasEgressRules" of NetworkACL "shop-edge" is true
    And "status.rulesetVersion" of NetworkACL "shop-edge" is 2

  Scenario: A new version is published when the rules change, not when they are only written otherwise
    When "spec.ingress[1].ports" of NetworkACL "shop-edge" is changed to [{port: 80}, {portRange: {from: 443, to: 443}}]
    Then "status.rulesetVersion" of NetworkACL "shop-edge" is 1
    When "spec.ingress[0].cidr" of NetworkACL "shop-edge" is changed to "10.40.66.6/24"
    Then "status.rulesetVersion" of NetworkACL "shop-edge" is 1
    When "spec.ingress[0].action" of NetworkACL "shop-edge" is changed to "allow"
    Then "status.rulesetVersion" of NetworkACL "shop-edge" is 2

  Scenario: The networks that name it are listed
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24, networkACL: shop-edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.93.0.0/24, networkACL: shop-edge}
      """
    Then "status.attachedSubnets" of NetworkACL "shop-edge" is [checkout, storefront]
    When Subnet "checkout" is deleted
    Then "status.attachedSubnets" of NetworkACL "shop-edge" is [storefront]

  Scenario: A NetworkACL waits for its Vpc
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: billing-edge}
      spec: {vpc: billing}
      """
    Then NetworkACL "billing-edge" is Pending with reason "VpcNotFound"
    And the message names "billing"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      """
    Then NetworkACL "billing-edge" is Ready with reason "ReconcileSucceeded"

  Scenario: Rules that nobody can read are told, and the last good ones stay
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: shop-edge}
      spec: {vpc: shop, ingress: [{priority: 10, action: deny, cidr: head office}]}
      """
    Then NetworkACL "shop-edge" is Failed with reason "RulesInvalid"
    And condition "RulesValid" of NetworkACL "shop-edge" is False with reason "RulesInvalid"
    And the message names "head office"
    And "status.rulesetVersion" of NetworkACL "shop-edge" is 1
