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

  @NIC-C2 @CLAIM-16
  Scenario: A running Pod keeps its address when somebody deletes its claim, and its lease too
    Given these Pods
      | name   | node     | eth0     |
      | first  | worker-1 | prod-app |
      | second | worker-1 | prod-app |
      | client | worker-2 | prod-app |
    When Pod "first" is deleted
    And the leases of AllocationPool "subnet-ip-prod-app" are deleted
    And the claim of NetworkInterface "second.eth0" and its lease are deleted
    Then "status.address" of NetworkInterface "second.eth0" is "10.90.0.5/24"
    And NetworkInterface "second.eth0" is Ready
    And "status.podIP" of Pod "second" is "10.90.0.5"
    And Pod "client" can ping "10.90.0.5"
    When these Pods are created
      | name  | node     | eth0     |
      | third | worker-2 | prod-app |
    Then "status.address" of NetworkInterface "third.eth0" is "10.90.0.4/24"
    And each claim of AllocationPool "subnet-ip-prod-app" has a value of its own

  @NIC-C3
  Scenario: A NIC that is told another address than its Pod has is no NIC to rely on
    Given these Pods
      | name | node     | eth0     |
      | gw   | worker-1 | prod-app |
    When "10.90.0.77" is stored as the value of the claim of NetworkInterface "gw.eth0"
    Then NetworkInterface "gw.eth0" is Failed with reason "AllocationFailed"
    And the message names "10.90.0.77"
    And the message names "10.90.0.4"
    And "status.address" of NetworkInterface "gw.eth0" is "10.90.0.4/24"

  Scenario Outline: A NIC on a network whose prefix nobody can read has failed
    Given these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: <kind>
      metadata: {name: odd}
      spec: {vpc: prod, cidr: nonsense}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth1}
      spec: {podRef: {name: gw, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, <field>: odd}
      """
    Then NetworkInterface "gw.eth1" is Failed with reason "InvalidNetworkCIDR"
    And condition "Allocated" of NetworkInterface "gw.eth1" is False with reason "InvalidNetworkCIDR"
    And the message names "nonsense"
    And "status.address" of NetworkInterface "gw.eth1" is empty

    Examples:
      | kind      | field     |
      | Subnet    | subnet    |
      | L2Network | l2Network |

  @NIC-C7
  Scenario: The NIC of a Pod whose Node is lost is not Ready, and is again when the Node is back
    Given these Pods
      | name | node     | eth0     |
      | gw   | worker-2 | prod-app |
    Then NetworkInterface "gw.eth0" is Ready
    When "status.addresses" is taken from Node "worker-2"
    Then NetworkInterface "gw.eth0" is Allocated with reason "NodeNotFound"
    And the message names "worker-2"
    And condition "Allocated" of NetworkInterface "gw.eth0" is True
    And condition "juneau.loutres.me/NetworkReady" of Pod "gw" is False
    When Node "worker-2" has its addresses again
    Then NetworkInterface "gw.eth0" is Ready

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
