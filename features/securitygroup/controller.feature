Feature: What becomes of a SecurityGroup
  A SecurityGroup has a number, counts its rules, and knows which NICs carry it.

  Background:
    Given a lab
    And these manifests
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
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: front}
      spec: {vpc: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: api}
      spec:
        vpc: shop
        ingress:
          - from: [{securityGroupRef: {name: front}}, {cidr: 10.40.9.0/24}]
            protocol: tcp
            ports: [{port: 8443}, {portRange: {from: 9000, to: 9010}}]
          - {from: [{cidr: 10.40.0.0/16}], protocol: 47}
      """

  Scenario: Rules are counted as written, and as the entries they cost
    Then the table of securitygroups is
      """
      NAME    VPC    GROUPID   INGRESS   EGRESS   READY
      api     shop   2         2                  True
      front   shop   1                            True
      """
    And "status.ingressEntryCount" of SecurityGroup "api" is 5
    And "status.hasEgressRules" of SecurityGroup "api" is empty
    When "spec.egress" of SecurityGroup "api" is changed to []
    Then "status.hasEgressRules" of SecurityGroup "api" is true

  Scenario: The NICs that carry a group are listed by namespace and name
    Given these manifests
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: blue}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: catalogue
        annotations: {juneau.loutres.me/subnet: storefront, juneau.loutres.me/security-groups: "front, api"}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: basket
        namespace: blue
        annotations: {juneau.loutres.me/subnet: storefront, juneau.loutres.me/security-groups: front}
      """
    Then "status.attachedInterfaces" of SecurityGroup "front" is [{namespace: blue, name: basket.eth0}, {namespace: default, name: catalogue.eth0}]
    And "status.attachedInterfaces" of SecurityGroup "api" is [{namespace: default, name: catalogue.eth0}]
    When Pod "catalogue" is deleted
    Then "status.attachedInterfaces" of SecurityGroup "front" is [{namespace: blue, name: basket.eth0}]
    And "status.attachedInterfaces" of SecurityGroup "api" is empty

  Scenario: A new version is published when the rules change, not when they are only written otherwise
    Then "status.rulesetVersion" of SecurityGroup "api" is 1
    When "spec.ingress[1].protocol" of SecurityGroup "api" is changed to "gre"
    Then "status.rulesetVersion" of SecurityGroup "api" is 1
    When "spec.ingress[1].description" of SecurityGroup "api" is changed to "tunnels of the depot"
    Then "status.rulesetVersion" of SecurityGroup "api" is 1
    When "spec.ingress[1].protocol" of SecurityGroup "api" is changed to "esp"
    Then "status.rulesetVersion" of SecurityGroup "api" is 2

  Scenario: A peer that went away is left out, and said so, until it is back
    When SecurityGroup "front" is deleted
    Then the deletion is accepted
    And condition "RulesValid" of SecurityGroup "api" is False with reason "PeerNotFound"
    And the message names "spec.ingress[0].from[0]"
    And the message names "front"
    And condition "Ready" of SecurityGroup "api" is False with reason "RulesInvalid"
    And "status.groupID" of SecurityGroup "api" is 2
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: front}
      spec: {vpc: shop}
      """
    Then SecurityGroup "api" is Ready with reason "ReconcileSucceeded"
    And condition "RulesValid" of SecurityGroup "api" is True

  Scenario: A SecurityGroup waits for its Vpc
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: ledger}
      spec: {vpc: billing}
      """
    Then SecurityGroup "ledger" is Pending with reason "VpcNotFound"
    And the message names "billing"
    And condition "RulesValid" of SecurityGroup "ledger" is False with reason "VpcNotFound"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      """
    Then SecurityGroup "ledger" is Ready
