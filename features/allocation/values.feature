Feature: Handing out values
  The lowest free value first; nobody gets what somebody has, or what is kept for somebody who may come back.

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
      kind: AllocationClaim
      metadata: {name: rack-of-billing}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        releaseAfter: 1h
      """

  @ALLOC-C1 @ALLOC-C8
  Scenario: A claim gets a value, a lease that says so, and a finalizer that gives it back
    Then the table of allocationleases is
      """
      NAME                                                  POOL                CLAIM                                                 NUMBER   IP          PHASE    EXPIRESAT
      rack-of-billing                                       rack-id             rack-of-billing                                       10                   Active
      route-table-id--routetable--default--status-tableid   route-table-id      route-table-id--routetable--default--status-tableid   2                    Active
      subnet-ip-default--node--worker-1--address            subnet-ip-default   subnet-ip-default--node--worker-1--address                     10.16.0.4   Active
      subnet-ip-default--node--worker-2--address            subnet-ip-default   subnet-ip-default--node--worker-2--address                     10.16.0.5   Active
      subnet-vni--subnet--default--status-vni               subnet-vni          subnet-vni--subnet--default--status-vni               4096                 Active
      """
    And the table of allocationclaims is
      """
      NAME                                                  PHASE       NUMBER   IP          READY
      rack-of-billing                                       Allocated   10                   True
      route-table-id--routetable--default--status-tableid   Allocated   2                    True
      subnet-ip-default--node--worker-1--address            Allocated            10.16.0.4   True
      subnet-ip-default--node--worker-2--address            Allocated            10.16.0.5   True
      subnet-vni--subnet--default--status-vni               Allocated   4096                 True
      """
    And "metadata.finalizers" of AllocationClaim "rack-of-billing" is [allocationclaim.juneau.loutres.me/lease]
    And "metadata.ownerReferences[0].name" of AllocationLease "rack-of-billing" is "rack-id"
    And "status.allocationVersion" of AllocationPool "rack-id" is 1
    And "status.lastAllocatedNumber" of AllocationPool "rack-id" is 10

  @ALLOC-C8
  Scenario: A value is reserved first, then counted at its pool, and then the claim has it
    When AllocationClaim "rack-of-shop" is created with {poolRefs: [{name: rack-id}], resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}, attribute: status.rack}
    Then AllocationLease "rack-of-shop", AllocationPool "rack-id" and AllocationClaim "rack-of-shop" were written in this order

  @ALLOC-C8
  Scenario: What somebody else has handed out since the pool was read is not handed out again
    When a second controller, which has not heard of it yet, hands out values of AllocationPool "rack-id" to two more claims
    Then 3 values of AllocationPool "rack-id" are taken
    And each claim of AllocationPool "rack-id" has a value of its own
    And "status.allocationVersion" of AllocationPool "rack-id" is 3

  @ALLOC-C2
  Scenario: The numbers of objects stay theirs when somebody deletes their claims
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: ledger}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: ledger, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: web}
      spec: {vpc: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: db}
      spec: {vpc: shop}
      """
    And the value of "status.vpcID" of Vpc "ledger" is noted
    And the value of "status.vni" of Subnet "storefront" is noted
    And the value of "status.groupID" of SecurityGroup "db" is noted
    When SecurityGroup "web" is deleted
    And Vpc "shop" is deleted
    And AllocationClaim "security-group-id--securitygroup--db--status-groupid" is deleted
    And AllocationClaim "vpc-id--vpc--ledger--status-vpcid" is deleted
    And AllocationClaim "subnet-vni--subnet--storefront--status-vni" is deleted
    And these manifests are applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: office}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: printers}
      spec: {vpc: office}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: floor}
      spec: {vpc: office}
      """
    Then "status.vpcID" of Vpc "ledger" is unchanged
    And "status.vni" of Subnet "storefront" is unchanged
    And "status.groupID" of SecurityGroup "db" is unchanged
    And "status.vpcID" of Vpc "office" differs from "status.vpcID" of Vpc "ledger"
    And "status.groupID" of SecurityGroup "printers" differs from "status.groupID" of SecurityGroup "db"
    And "status.vni" of all Subnets and L2Networks differ
    And "status.value.number" of AllocationClaim "vpc-id--vpc--ledger--status-vpcid" equals "status.vpcID" of Vpc "ledger"

  @ALLOC-C2
  Scenario: A lease that records another claim is never touched
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationLease
      metadata: {name: rack-of-shop}
      spec: {poolRef: {name: rack-id}, value: {number: 11}, claimRef: {name: rack-of-billing, uid: 77c2}, ttlSeconds: 60}
      """
    And the value of "spec" of AllocationLease "rack-of-shop" is noted
    When AllocationClaim "rack-of-shop" is created with {poolRefs: [{name: rack-id}], resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}, attribute: status.rack, releaseAfter: 1h}
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 12
    When "spec.releaseAfter" of AllocationClaim "rack-of-shop" is changed to "2h"
    And AllocationClaim "rack-of-shop" is deleted
    Then "spec" of AllocationLease "rack-of-shop" is unchanged

  @ALLOC-C2
  Scenario: A value once given is never taken back, whatever becomes of its pool and its owner
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
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
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: shop}
        attribute: status.printer
      """
    When "spec.ip" of AllocationPool "office-lan" is changed to {cidrs: [198.51.100.0/29], excluded: [192.0.2.1]}
    And Vpc "shop" is deleted
    Then Vpc "shop" is gone
    And "status.value.ip" of AllocationClaim "printer" is "192.0.2.1"
    And "status.phase" of AllocationClaim "printer" is "Allocated"
    When AllocationLease "printer" is deleted
    Then "status.value.ip" of AllocationClaim "printer" is "192.0.2.1"

  @ALLOC-C3
  Scenario: A claim waits for the object that it is for
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: shop}
        attribute: status.rack
      """
    Then condition "Ready" of AllocationClaim "rack-of-shop" is False with reason "AllocationFailed"
    And the message names "shop"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 11

  @ALLOC-C4 @ALLOC-C9
  Scenario: A claim that comes back in time has its value again
    When AllocationClaim "rack-of-billing" is deleted
    Then "status.phase" of AllocationLease "rack-of-billing" is "Released"
    And "spec.ttlSeconds" of AllocationLease "rack-of-billing" is 3600
    And "spec.ownerDeletionTimestamp" of AllocationLease "rack-of-billing" is set
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
      """
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 11
    When 59m pass
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-billing}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        releaseAfter: 1h
      """
    Then "status.value.number" of AllocationClaim "rack-of-billing" is 10
    And "status.phase" of AllocationLease "rack-of-billing" is "Active"
    And "spec.ownerDeletionTimestamp" of AllocationLease "rack-of-billing" is empty
    And "spec.claimRef.uid" of AllocationLease "rack-of-billing" equals "metadata.uid" of AllocationClaim "rack-of-billing"
    When 24h pass
    Then "status.phase" of AllocationLease "rack-of-billing" is "Active"

  @ALLOC-C4
  Scenario: After that time its value is anybody's
    When AllocationClaim "rack-of-billing" is deleted
    And 60m pass
    Then AllocationLease "rack-of-billing" is gone
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
      """
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 10

  @ALLOC-C4
  Scenario: A value that was excluded meanwhile is not handed out again
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: office-lan}
      spec: {type: ip, ip: {cidrs: [192.0.2.0/29]}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec: &printer
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
        releaseAfter: 1h
      """
    When AllocationClaim "printer" is deleted
    And "spec.ip.excluded" of AllocationPool "office-lan" is changed to [192.0.2.1]
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
        releaseAfter: 1h
      """
    Then "status.value.ip" of AllocationClaim "printer" is "192.0.2.2"
    And "spec.value.ip" of AllocationLease "printer" is "192.0.2.2"

  @ALLOC-C4
  Scenario: A lease whose value somebody else has as well is dropped
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationLease
      metadata: {name: rack-of-shop}
      spec: {poolRef: {name: rack-id}, value: {number: 10}, claimRef: {name: rack-of-shop}, ttlSeconds: 3600}
      """
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
      """
    Then "status.value.number" of AllocationClaim "rack-of-billing" is 10
    And "status.value.number" of AllocationClaim "rack-of-shop" is 11
    And "spec.value.number" of AllocationLease "rack-of-shop" is 11

  @ALLOC-C4
  Scenario: A pinned value beats the lease
    When AllocationClaim "rack-of-billing" is deleted
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-billing}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        requestedNumber: 12
      """
    Then "status.value.number" of AllocationClaim "rack-of-billing" is 12
    And "spec.value.number" of AllocationLease "rack-of-billing" is 12
    And 1 value of AllocationPool "rack-id" is taken

  @ALLOC-C5
  Scenario: A lease that another live claim holds is off limits, and another value is taken
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        reuseKey: rack-of-billing
      """
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 11
    And AllocationLease "rack-of-shop" is gone
    And "spec.claimRef.name" of AllocationLease "rack-of-billing" is "rack-of-billing"
    And "spec.value.number" of AllocationLease "rack-of-billing" is 10
    When AllocationClaim "rack-of-ledger" is created with {poolRefs: [{name: rack-id}], resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}, attribute: status.rack}
    Then "status.value.number" of AllocationClaim "rack-of-ledger" is 12
    When AllocationClaim "rack-of-shop" is deleted
    Then 2 values of AllocationPool "rack-id" are taken

  @ALLOC-C5
  Scenario: Claims with one explicit reuse key share a value, and the last of them gives it up
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: blue-vm}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        reuseKey: rack-of-the-vm
        releaseAfter: 1h
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: green-vm}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        reuseKey: rack-of-the-vm
        releaseAfter: 1h
      """
    Then "status.value.number" of AllocationClaim "blue-vm" is 11
    And "status.value.number" of AllocationClaim "green-vm" is 11
    And 2 values of AllocationPool "rack-id" are taken
    When AllocationClaim "blue-vm" is deleted
    Then "status.phase" of AllocationLease "rack-of-the-vm" is "Active"
    And "spec.claimRef.name" of AllocationLease "rack-of-the-vm" is "green-vm"
    When 2h pass
    Then "status.phase" of AllocationLease "rack-of-the-vm" is "Active"
    When AllocationClaim "green-vm" is deleted
    Then "status.phase" of AllocationLease "rack-of-the-vm" is "Released"
    When 1h passes
    Then AllocationLease "rack-of-the-vm" is gone
    And 1 value of AllocationPool "rack-id" is taken

  @ALLOC-C6
  Scenario: The lowest free value is handed out, in the order of the pools
    Given AllocationPool "rack-id" has 1 free value
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: shelf-id}
      spec: {number: {min: 100, max: 101}}
      """
    When AllocationClaim "filler-1" is deleted
    And these manifests are applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: first}
      spec:
        poolRefs: [{name: rack-id}, {name: shelf-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.place
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: second}
      spec:
        poolRefs: [{name: rack-id}, {name: shelf-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.place
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: third}
      spec:
        poolRefs: [{name: rack-id}, {name: shelf-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.place
      """
    Then "status.value.number" of AllocationClaim "first" is 11
    And "status.value.number" of AllocationClaim "second" is 12
    And "status.value.number" of AllocationClaim "third" is 100

  @ALLOC-C6
  Scenario Outline: Network and broadcast addresses are left out, but for the smallest prefixes; the excluded ones always
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: office-lan}
      spec: {type: ip, ip: <ip>}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: scanner}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.scanner
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: coffee-maker}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.coffee
      """
    Then "status.value.ip" of AllocationClaim "printer" is "<first>"
    And "status.value.ip" of AllocationClaim "scanner" is "<second>"
    And condition "Ready" of AllocationClaim "coffee-maker" is False with reason "Pending"
    And the message names "office-lan"

    Examples:
      | ip                                                               | first        | second       |
      | {cidrs: [192.0.2.0/30]}                                          | 192.0.2.1    | 192.0.2.2    |
      | {cidrs: [192.0.2.0/31]}                                          | 192.0.2.0    | 192.0.2.1    |
      | {cidrs: [192.0.2.7/32, 198.51.100.9/32]}                         | 192.0.2.7    | 198.51.100.9 |
      | {cidrs: [192.0.2.0/29], excluded: [192.0.2.1, 192.0.2.3, 192.0.2.4, 192.0.2.6]} | 192.0.2.2 | 192.0.2.5 |
      | {ranges: [{start: 192.0.2.255, end: 192.0.3.0}]}                 | 192.0.2.255  | 192.0.3.0    |
      | {cidrs: [192.0.2.0/30], ranges: [{start: 192.0.2.2, end: 192.0.2.2}]} | 192.0.2.1 | 192.0.2.2   |

  @ALLOC-C6
  Scenario: A claim can keep to a part of its pool
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: office-lan}
      spec: {type: ip, ip: {cidrs: [192.0.2.0/24]}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
        allocationFilter: {cidrs: [192.0.0.0/16, 192.0.2.64/30]}
      """
    Then "status.value.ip" of AllocationClaim "printer" is "192.0.2.64"

  @ALLOC-C6
  Scenario Outline: A filter that leaves nothing of its pool is not a matter of time
    Given AllocationPool "office-lan" with {type: ip, ip: {cidrs: [192.0.2.0/24]}}
    When AllocationClaim "printer" is created with {poolRefs: [{name: office-lan}], resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}, attribute: status.printer, allocationFilter: {cidrs: ["<entry>"]}}
    Then condition "Ready" of AllocationClaim "printer" is False with reason "AllocationFailed"
    And the message names "<entry>"
    When "spec.ip.cidrs" of AllocationPool "office-lan" is changed to [192.0.2.0/24, 198.51.100.0/24]
    Then condition "Ready" of AllocationClaim "printer" is <then>

    Examples:
      | entry             | then  |
      | next to the door  | False |
      | 192.0.2.0/33      | False |
      | 198.51.100.0/28   | True  |

  @ALLOC-C6
  Scenario: A value that is asked for is given only where it is free
    When these manifests are applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        requestedNumber: 12
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-ledger}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        requestedNumber: 12
      """
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 12
    And "status.value" of AllocationClaim "rack-of-ledger" is empty
    And condition "Ready" of AllocationClaim "rack-of-ledger" is False with reason "AllocationFailed"
    And the message names "rack-of-shop"
    When AllocationClaim "rack-of-shop" is deleted
    Then "status.value.number" of AllocationClaim "rack-of-ledger" is 12

  @ALLOC-C7
  Scenario: A pool that is missing is passed over
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-shop}
      spec:
        poolRefs: [{name: shelf-id}, {name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
      """
    Then "status.value.number" of AllocationClaim "rack-of-shop" is 11

  @ALLOC-C8
  Scenario: A restart hands out nothing anew
    When the controller restarts
    Then nothing is written

  @ALLOC-C9
  Scenario: Without a time to outlive its claim a lease goes at once
    When "spec.releaseAfter" of AllocationClaim "rack-of-billing" is removed
    And AllocationClaim "rack-of-billing" is deleted
    Then AllocationLease "rack-of-billing" is gone
    And 0 values of AllocationPool "rack-id" are taken

  @ALLOC-C9
  Scenario: While the object that keeps it is there a lease is retained; its time begins when that is gone
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
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        releaseAfter: 1h
        retainWhile: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: shop}
      """
    When AllocationClaim "rack-of-shop" is deleted
    And 24h pass
    Then "status.phase" of AllocationLease "rack-of-shop" is "Retained"
    And "status.expiresAt" of AllocationLease "rack-of-shop" is empty
    When Vpc "shop" is deleted
    Then "status.phase" of AllocationLease "rack-of-shop" is "Released"
    And "status.retainReleasedAt" of AllocationLease "rack-of-shop" is set
    When 30m pass
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    Then "status.phase" of AllocationLease "rack-of-shop" is "Retained"
    And "status.retainReleasedAt" of AllocationLease "rack-of-shop" is empty
    When Vpc "shop" is deleted
    And 59m pass
    Then "status.phase" of AllocationLease "rack-of-shop" is "Released"
    When 1m passes
    Then AllocationLease "rack-of-shop" is gone

  @ALLOC-C9
  Scenario: What cannot be looked up may still be there: a lease it keeps stays, and says why
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-the-vm}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
        releaseAfter: 1h
        retainWhile: {apiVersion: kubevirt.io/v1, kind: VirtualMachine, namespace: default, name: db}
      """
    When AllocationClaim "rack-of-the-vm" is deleted
    And 24h pass
    Then "status.phase" of AllocationLease "rack-of-the-vm" is "Retained"
    And condition "Ready" of AllocationLease "rack-of-the-vm" is False with reason "Retained"
    And the message names "VirtualMachine of kubevirt.io/v1"

  @ALLOC-C10
  Scenario: A claim that waits is served when its pool comes, grows, or a lease of it goes
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
        releaseAfter: 1h
      """
    Then condition "Ready" of AllocationClaim "printer" is False with reason "Pending"
    When these manifests are applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: office-lan}
      spec: {type: ip, ip: {cidrs: [192.0.2.1/32]}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: scanner}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.scanner
      """
    Then "status.value.ip" of AllocationClaim "printer" is "192.0.2.1"
    And condition "Ready" of AllocationClaim "scanner" is False with reason "Pending"
    When "spec.ip.cidrs" of AllocationPool "office-lan" is changed to [192.0.2.1/32, 192.0.2.2/32]
    Then "status.value.ip" of AllocationClaim "scanner" is "192.0.2.2"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: badge-reader}
      spec:
        poolRefs: [{name: office-lan}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.badges
      """
    And AllocationClaim "printer" is deleted
    Then condition "Ready" of AllocationClaim "badge-reader" is False with reason "Pending"
    When 1h passes
    Then "status.value.ip" of AllocationClaim "badge-reader" is "192.0.2.1"

  Scenario Outline: A number is not asked of a pool of addresses, nor an address of a pool of numbers
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: printer}
      spec:
        poolRefs: [{name: <pool>}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.printer
        <asks>
      """
    Then condition "Ready" of AllocationClaim "printer" is False with reason "AllocationFailed"
    And the message names "<pool>"

    Examples:
      | pool              | asks                       |
      | subnet-ip-default | requestedNumber: 168820992 |
      | vpc-id            | requestedIP: 10.16.1.1     |
