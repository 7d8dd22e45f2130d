Feature: What becomes of a NetworkInterface
  A NIC claims its address, keeps its groups up to date, and gives the address back when it goes.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: prod-app}
      spec: {vpc: prod, cidr: 10.90.0.0/24}
      """

  @NIC-C1 @NIC-C2 @NIC-C8
  Scenario: The claim of a NIC says what it is for, and goes with it; the lease lives on for a day
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth0}
      spec:
        podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}
        nodeName: worker-1
        subnet: prod-app
        address: 10.90.0.9
        retainWhile: {apiVersion: v1, kind: Namespace, name: staging}
      """
    Then "metadata.finalizers" of NetworkInterface "gw.eth0" is [networkinterface.juneau.loutres.me/allocation-claim]
    And "status.allocationClaim" of NetworkInterface "gw.eth0" matches "subnet-ip-prod-app--networkinterface--default--gw-eth0--status-address-[0-9a-f]{8}"
    And the claim of NetworkInterface "gw.eth0" asks for
      """
      poolRefs: [{name: subnet-ip-prod-app}]
      resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: NetworkInterface, namespace: default, name: gw.eth0}
      attribute: status.address
      requestedIP: 10.90.0.9
      releaseAfter: 24h
      retainWhile: {apiVersion: v1, kind: Namespace, name: staging}
      """
    When NetworkInterface "gw.eth0" is deleted
    Then NetworkInterface "gw.eth0" is gone
    And the claims of AllocationPool "subnet-ip-prod-app" are gone
    And 1 value of AllocationPool "subnet-ip-prod-app" is taken
    When 24h pass
    Then 0 values of AllocationPool "subnet-ip-prod-app" are taken

  @NIC-C2
  Scenario: An address outlives its NIC for as long as the installation says
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth0}
      spec: {podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: prod-app}
      """
    When NetworkInterface "gw.eth0" is deleted
    And 23h pass
    Then 1 value of AllocationPool "subnet-ip-prod-app" is taken
    When 1h passes
    Then 0 values of AllocationPool "subnet-ip-prod-app" are taken

  @NIC-C2
  Scenario: While the object that keeps it is there, the address is not given away
    Given these manifests
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: staging}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth0}
      spec:
        podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}
        nodeName: worker-1
        subnet: prod-app
        retainWhile: {apiVersion: v1, kind: Namespace, name: staging}
      """
    When NetworkInterface "gw.eth0" is deleted
    And 240h pass
    Then 1 value of AllocationPool "subnet-ip-prod-app" is taken
    When Namespace "staging" is deleted
    And 24h pass
    Then 0 values of AllocationPool "subnet-ip-prod-app" are taken

  @NIC-C4
  Scenario: On a segment without addresses a NIC has none, and no claim
    Given L2Network "prod-san" with {vpc: prod}
    And NetworkInterface "gw.eth1" with {podRef: {name: gw, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, l2Network: prod-san}
    Then NetworkInterface "gw.eth1" is Allocated
    And condition "Allocated" of NetworkInterface "gw.eth1" is True with reason "AllocationSucceeded"
    And "status.address" of NetworkInterface "gw.eth1" is empty
    And "status.allocationClaim" of NetworkInterface "gw.eth1" is empty

  @NIC-C6
  Scenario: Only groups that exist, in the right Vpc, with a number, count; they are sorted by name
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: web}
      spec: {vpc: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: admin}
      spec: {vpc: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: ledger}
      spec: {vpc: billing}
      """
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth0}
      spec:
        podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}
        nodeName: worker-1
        subnet: prod-app
        securityGroups: [web, late, ledger, admin]
      """
    Then "status.effectiveSecurityGroups" of NetworkInterface "gw.eth0" is [{name: admin, groupID: 2}, {name: web, groupID: 1}]
    And condition "Valid" of NetworkInterface "gw.eth0" is False
    And the message names "ledger"
    When SecurityGroup "late" is created with {vpc: prod}
    Then "status.effectiveSecurityGroups" of NetworkInterface "gw.eth0" is [{name: admin, groupID: 2}, {name: late, groupID: 4}, {name: web, groupID: 1}]
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is changed to [web]
    Then it is accepted
    And "status.effectiveSecurityGroups" of NetworkInterface "gw.eth0" is [{name: web, groupID: 1}]

  @NIC-C8
  Scenario: A NIC that something else holds says that it is going, and has given its claim back
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth0, finalizers: [example.com/audit]}
      spec: {podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: prod-app}
      """
    When NetworkInterface "gw.eth0" is deleted
    Then NetworkInterface "gw.eth0" is Pending with reason "Deleting"
    And condition "Allocated" of NetworkInterface "gw.eth0" is False with reason "Deleting"
    And the claims of AllocationPool "subnet-ip-prod-app" are gone
    And "metadata.finalizers" of NetworkInterface "gw.eth0" is [example.com/audit]

  @NIC-C9
  Scenario: A NIC whose network is not there yet starts as soon as it is
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth1}
      spec: {podRef: {name: gw, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, subnet: backup-lan}
      """
    Then NetworkInterface "gw.eth1" is Pending with reason "AllocationFailed"
    And condition "Allocated" of NetworkInterface "gw.eth1" is False with reason "NetworkNotFound"
    And the message names "backup-lan"
    When Subnet "backup-lan" is created with {vpc: prod, cidr: 10.92.0.0/24}
    Then NetworkInterface "gw.eth1" is Allocated
    And "status.address" of NetworkInterface "gw.eth1" is "10.92.0.4/24"

  Scenario: Two NICs whose names differ in a dot or a dash have claims of their own
    Given NetworkInterface "a.b.eth0" with {podRef: {name: a.b, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: prod-app}
    And NetworkInterface "a-b.eth0" with {podRef: {name: a-b, uid: 77c20000, interface: eth0}, nodeName: worker-1, subnet: prod-app}
    Then "status.address" of NetworkInterface "a.b.eth0" is "10.90.0.4/24"
    And "status.address" of NetworkInterface "a-b.eth0" is "10.90.0.5/24"
    And "status.allocationClaim" of NetworkInterface "a.b.eth0" differs from "status.allocationClaim" of NetworkInterface "a-b.eth0"

  Scenario: Taking the SecurityGroup off a NIC takes back what was said about it
    Given SecurityGroup "web" with {vpc: prod}
    And NetworkInterface "gw.eth0" with {podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: prod-app}
    Then NetworkInterface "gw.eth0" has no condition "PolicyEnforced"
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is changed to [web]
    Then condition "PolicyEnforced" of NetworkInterface "gw.eth0" is False
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is removed
    Then condition "PolicyEnforced" of NetworkInterface "gw.eth0" is True
