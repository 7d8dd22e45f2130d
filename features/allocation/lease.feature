Feature: What an AllocationLease may say
  A lease says which value is whose; the controller writes it.

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
      kind: AllocationLease
      metadata: {name: rack-of-billing}
      spec: {poolRef: {name: rack-id}, value: {number: 10}, claimRef: {name: rack-of-billing}, ttlSeconds: 3600}
      """

  @LEASE-1 @LEASE-2 @LEASE-3 @LEASE-4 @LEASE-5
  Scenario Outline: A lease names its pool, one value and its holder
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationLease
      metadata: {name: rack-of-shop}
      spec: {<spec>}
      """
    Then it is refused at "spec.<field>"

    Examples:
      | field          | spec                                                                                                   |
      | poolRef        | value: {number: 11}, claimRef: {name: rack-of-shop}                                                    |
      | poolRef.name   | poolRef: {name: ""}, value: {number: 11}, claimRef: {name: rack-of-shop}                               |
      | value          | poolRef: {name: rack-id}, claimRef: {name: rack-of-shop}                                               |
      | value          | poolRef: {name: rack-id}, value: {}, claimRef: {name: rack-of-shop}                                    |
      | value          | poolRef: {name: rack-id}, value: {number: 11, ip: 192.0.2.1}, claimRef: {name: rack-of-shop}           |
      | value.ip       | poolRef: {name: rack-id}, value: {ip: eleven}, claimRef: {name: rack-of-shop}                          |
      | claimRef.name  | poolRef: {name: rack-id}, value: {number: 11}                                                          |
      | claimRef.name  | poolRef: {name: rack-id}, value: {number: 11}, claimRef: {uid: 77c2}                                   |
      | ttlSeconds     | poolRef: {name: rack-id}, value: {number: 11}, claimRef: {name: rack-of-shop}, ttlSeconds: -1          |

  @LEASE-4
  Scenario: A lease of old times without a holder can still be read and changed
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationLease
      metadata: {name: rack-of-shop}
      spec: {poolRef: {name: rack-id}, value: {number: 11}, ttlSeconds: 3600}
      """
    When "spec.ttlSeconds" of AllocationLease "rack-of-shop" is changed to 7200
    Then it is accepted
    When "spec.claimRef" of AllocationLease "rack-of-billing" is removed
    Then it is refused at "spec.claimRef.name"

  @LEASE-6 @LEASE-7
  Scenario Outline: Pool and value of a lease are fixed
    When "spec.<field>" of AllocationLease "rack-of-billing" is changed to <value>
    Then it is refused at "spec.<at>" with "immutable"

    Examples:
      | field        | value             | at      |
      | poolRef.name | "shelf-id"        | poolRef |
      | value.number | 11                | value   |
      | value        | {ip: 192.0.2.1}   | value   |

  @LEASE-8
  Scenario Outline: Holder and terms of a lease may change
    When "spec.<field>" of AllocationLease "rack-of-billing" is changed to <value>
    Then it is accepted

    Examples:
      | field                  | value                                            |
      | claimRef               | {name: rack-of-ledger, uid: 77c2}                |
      | ownerDeletionTimestamp | "2030-01-31T12:00:00Z"                           |
      | ttlSeconds             | 60                                               |
      | retainWhile            | {apiVersion: v1, kind: Namespace, name: default} |

  @LEASE-9
  Scenario: A lease may always be deleted
    When AllocationLease "rack-of-billing" is deleted
    Then the deletion is accepted
    And AllocationLease "rack-of-billing" is gone

  Scenario: A lease whose claim went without a word runs out after its time
    When 3599 s pass
    Then "status.phase" of AllocationLease "rack-of-billing" is "Released"
    When 1 s passes
    Then AllocationLease "rack-of-billing" is gone

  Scenario: A lease that somebody deletes while its claim has the value is made again
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: shop}
        attribute: status.rack
        releaseAfter: 1h
      """
    When AllocationLease "rack-of-shop" is deleted
    Then "spec.value.number" of AllocationLease "rack-of-shop" is 11
    And "spec.claimRef.name" of AllocationLease "rack-of-shop" is "rack-of-shop"
    And "spec.ttlSeconds" of AllocationLease "rack-of-shop" is 3600
    And "status.phase" of AllocationLease "rack-of-shop" is "Active"
    And "status.value.number" of AllocationClaim "rack-of-shop" is 11
