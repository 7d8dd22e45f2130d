Feature: What an AllocationClaim may say
  A claim asks for one value, for one field of one object, and is not rewritten afterwards.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: rack-id}
      spec: {type: number, number: {min: 10, max: 12}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: office-lan}
      spec: {type: ip, ip: {cidrs: [192.0.2.0/29]}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
        requestedIP: 192.0.2.5
        allocationFilter: {cidrs: [192.0.2.4/30]}
        reuseKey: printer-of-the-office
        releaseAfter: 1h
        retainWhile: {apiVersion: v1, kind: Namespace, name: default}
      """

  @CLAIM-1 @CLAIM-2 @CLAIM-3 @CLAIM-4 @CLAIM-5 @CLAIM-6
  Scenario Outline: A claim says what it wants, and for what
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-billing}
      spec: {<spec>}
      """
    Then it is refused at "spec.<field>"

    Examples:
      | field                  | spec                                                                                                                             |
      | poolRefs               | resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack                                                |
      | poolRefs               | poolRefs: [], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack                                  |
      | poolRefs[1].name       | poolRefs: [{name: rack-id}, {name: ""}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack       |
      | resourceRef            | poolRefs: [{name: rack-id}], attribute: status.rack                                                                              |
      | resourceRef.apiVersion | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: "", kind: Node, name: worker-1}, attribute: status.rack                   |
      | resourceRef.kind       | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, name: worker-1}, attribute: status.rack                               |
      | resourceRef.name       | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: ""}, attribute: status.rack                         |
      | attribute              | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}                                           |
      | attribute              | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: ""                            |
      | requestedNumber        | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack, requestedNumber: 0 |
      | reuseKey               | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack, reuseKey: The_Rack |
      | releaseAfter           | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack, releaseAfter: soon |
      | retainWhile.apiVersion | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack, retainWhile: {kind: Vpc, name: shop} |
      | retainWhile.kind       | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack, retainWhile: {apiVersion: v1, kind: "", name: shop} |
      | retainWhile.name       | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, attribute: status.rack, retainWhile: {apiVersion: v1, kind: Node} |

  @CLAIM-7 @CLAIM-8 @CLAIM-9 @CLAIM-10 @CLAIM-11 @CLAIM-12 @CLAIM-13 @CLAIM-14
  Scenario Outline: What a claim asks for stays as it is
    When "spec.<field>" of AllocationClaim "printer" is changed to <value>
    Then it is refused at "spec.<at>" with "immutable"

    Examples:
      | field            | value                                             | at               |
      | poolRefs         | [{name: rack-id}]                                 | poolRefs         |
      | resourceRef.name | "shop"                                            | resourceRef      |
      | attribute        | "status.scanner"                                  | attribute        |
      | requestedNumber  | 11                                                | requestedNumber  |
      | requestedIP      | "192.0.2.6"                                       | requestedIP      |
      | allocationFilter | {cidrs: [192.0.2.0/30]}                           | allocationFilter |
      | reuseKey         | "scanner-of-the-office"                           | reuseKey         |
      | retainWhile      | {apiVersion: v1, kind: Namespace, name: staging}  | retainWhile      |

  @CLAIM-10 @CLAIM-11 @CLAIM-12 @CLAIM-13 @CLAIM-14
  Scenario Outline: Nor is any of it taken out
    When "spec.<field>" of AllocationClaim "printer" is removed
    Then it is refused at "spec.<field>" with "immutable"

    Examples:
      | field            |
      | requestedIP      |
      | allocationFilter |
      | reuseKey         |
      | retainWhile      |

  Scenario: How long the lease outlives the claim may be changed
    When "spec.releaseAfter" of AllocationClaim "printer" is changed to "2h"
    Then it is accepted
    And "spec.ttlSeconds" of AllocationLease "printer-of-the-office" is 7200

  Scenario Outline: A lease counts whole seconds, as many as fit in 32 bits
    When "spec.releaseAfter" of AllocationClaim "printer" is changed to "<time>"
    Then it is accepted
    And "spec.ttlSeconds" of AllocationLease "printer-of-the-office" is <seconds>

    Examples:
      | time        | seconds    |
      | 500ms       | 1          |
      | 1500ms      | 2          |
      | 2147483647s | 2147483647 |

  Scenario: A longer time is refused, and the limit is named
    When "spec.releaseAfter" of AllocationClaim "printer" is changed to "876000h"
    Then it is refused at "spec.releaseAfter" with "2147483647s"

  @CLAIM-15
  Scenario Outline: What a claim names need not exist; the outcome says so
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-billing}
      spec: {<spec>, attribute: status.rack}
      """
    Then it is accepted
    And condition "Ready" of AllocationClaim "rack-of-billing" is False with reason "<reason>"
    And the message names "<message>"
    And "status.phase" of AllocationClaim "rack-of-billing" is "Pending"
    And "status.value" of AllocationClaim "rack-of-billing" is empty

    Examples:
      | spec                                                                                                          | reason           | message      |
      | poolRefs: [{name: shelf-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}                       | Pending          | shelf-id     |
      | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-9}                        | AllocationFailed | worker-9     |
      | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: kubevirt.io/v1, kind: VirtualMachine, namespace: default, name: db} | AllocationFailed | VirtualMachine |
      | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: other.example/v1, kind: Vpc, name: default}            | AllocationFailed | Vpc of other.example/v1 |
      | poolRefs: [{name: shelf-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, requestedNumber: 13  | Pending          | shelf-id     |
      | poolRefs: [{name: branch-lan}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, requestedIP: 192.0.2.9 | Pending      | branch-lan   |
      | poolRefs: [{name: rack-id}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, requestedNumber: 13   | AllocationFailed | rack-id      |
      | poolRefs: [{name: office-lan}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, requestedIP: 192.0.2.9 | AllocationFailed | office-lan |
      | poolRefs: [{name: office-lan}], resourceRef: {apiVersion: v1, kind: Node, name: worker-1}, requestedIP: 192.0.2.5 | AllocationFailed | printer    |

  @CLAIM-15
  Scenario: A requested address that nobody can read is accepted, and never given
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: scanner}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: v1, kind: Node, name: worker-1}
        attribute: status.scanner
        requestedIP: next to the printer
      """
    Then it is accepted
    And condition "Ready" of AllocationClaim "scanner" is False with reason "AllocationFailed"
    And the message names "next to the printer"
    And "status.value" of AllocationClaim "scanner" is empty

  @CLAIM-16
  Scenario: A claim may always be deleted
    When AllocationClaim "printer" is deleted
    Then the deletion is accepted
    And AllocationClaim "printer" is gone
