Feature: Workloads whose Pods have a new name each time
  Virtual machines move from Pod to Pod.
  By their identity the new NIC takes over the address of the old one, also while that is still there.

  Background:
    Given a lab with nodes worker-1, worker-2, worker-3
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: app}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: app-subnet}
      spec: {vpc: app, cidr: 10.90.0.0/24}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-x7k2p
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      spec: {nodeName: worker-1}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: client, annotations: {juneau.loutres.me/subnet: app-subnet}}
      spec: {nodeName: worker-3}
      """

  @S1-24
  Scenario: The Pods of one virtual machine are recognised as one workload
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-m4q8z
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      """
    Then "spec.allocationIdentity" of NetworkInterface "virt-launcher-db-x7k2p.eth0" is "vmi.db"
    And "spec.allocationIdentity" of NetworkInterface "virt-launcher-db-m4q8z.eth0" is "vmi.db"
    And "spec.allocationIdentity" of NetworkInterface "client.eth0" is empty

  @S1-25 @NIC-C2
  Scenario: A newer NIC of the identity has the address of the older one and no second one, while that is there and after
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-m4q8z
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      spec: {nodeName: worker-2}
      """
    Then "status.address" of NetworkInterface "virt-launcher-db-x7k2p.eth0" is "10.90.0.4/24"
    And "status.address" of NetworkInterface "virt-launcher-db-m4q8z.eth0" is "10.90.0.4/24"
    And NetworkInterface "virt-launcher-db-m4q8z.eth0" is Ready
    And 2 values of AllocationPool "subnet-ip-app-subnet" are taken
    When Pod "virt-launcher-db-x7k2p" is deleted
    Then "status.address" of NetworkInterface "virt-launcher-db-m4q8z.eth0" is "10.90.0.4/24"
    When 48h pass
    Then 2 values of AllocationPool "subnet-ip-app-subnet" are taken
    When Pod "virt-launcher-db-m4q8z" is deleted
    And this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-c9w1b
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      """
    Then "status.address" of NetworkInterface "virt-launcher-db-c9w1b.eth0" is "10.90.0.4/24"
    When Pod "virt-launcher-db-c9w1b" is deleted
    And 24h pass
    Then 1 value of AllocationPool "subnet-ip-app-subnet" is taken

  @S1-25
  Scenario: While both are there, packets go to the newer one, from every Node at once and without a loss
    Given these Pods
      | name     | node     | eth0       |
      | client-1 | worker-1 | app-subnet |
      | client-2 | worker-2 | app-subnet |
    And Pod "client" can ping "10.90.0.4"
    And Pod "client-1" can ping "10.90.0.4"
    And Pod "client-2" can ping "10.90.0.4"
    And this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-a0a0a
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      spec: {nodeName: worker-2}
      """
    When Pod "client" pings "10.90.0.4"
    Then it is answered
    And 1 VXLAN packet goes from worker-3 to worker-2 with the VNI of Subnet "app-subnet"
    When Pod "client-1" pings "10.90.0.4"
    Then it is answered
    And 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of Subnet "app-subnet"
    When Pod "client-2" pings "10.90.0.4"
    Then it is answered
    And no VXLAN packet is sent

  @S1-25
  Scenario: On one Node the newer one is reached too, although both have one MAC
    Given Pod "client" can ping "10.90.0.4"
    And this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-a0a0a
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      spec: {nodeName: worker-1}
      """
    When Pod "client" pings "10.90.0.4"
    Then it is answered
    And it reached eth0 of Pod "virt-launcher-db-a0a0a" and not eth0 of Pod "virt-launcher-db-x7k2p"

  @S1-25
  Scenario Outline: Which one is newer is no matter of its name, and stays so after a restart
    Given Pod "client" can ping "10.90.0.4"
    And this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-<name>
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      spec: {nodeName: worker-2}
      """
    When the controller restarts
    And Pod "client" pings "10.90.0.4"
    Then it is answered
    And 1 VXLAN packet goes from worker-3 to worker-2 with the VNI of Subnet "app-subnet"

    Examples:
      | name  |
      | a0a0a |
      | z9z9z |

  @S1-25
  Scenario Outline: When one of them goes away, packets go to the other one without a loss
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-db-m4q8z
        annotations: {juneau.loutres.me/subnet: app-subnet}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: db, uid: 5d1c7e10}
      spec: {nodeName: worker-2}
      """
    And Pod "client" can ping "10.90.0.4"
    When Pod "virt-launcher-db-<gone>" is deleted
    And Pod "client" pings "10.90.0.4"
    Then it is answered
    And 1 VXLAN packet goes from worker-3 to <node> with the VNI of Subnet "app-subnet"
    And NetworkInterface "virt-launcher-db-<left>.eth0" is Ready

    Examples:
      | gone  | left  | node     |
      | m4q8z | x7k2p | worker-1 |
      | x7k2p | m4q8z | worker-2 |

  @S1-25
  Scenario Outline: Another interface, network or namespace is another reservation
    Given these manifests
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: staging}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: backup-lan}
      spec: {vpc: app, cidr: 10.92.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: <nic>, namespace: <namespace>}
      spec:
        podRef: {name: virt-launcher-db-m4q8z, uid: 77c2, interface: <interface>}
        nodeName: worker-2
        subnet: <subnet>
        allocationIdentity: vmi.db
      """
    Then "status.address" of NetworkInterface "<namespace>/<nic>" is "<address>"

    Examples:
      | nic                         | namespace | interface | subnet     | address      |
      | virt-launcher-db-m4q8z.eth0 | default   | eth0      | app-subnet | 10.90.0.4/24 |
      | virt-launcher-db-m4q8z.eth1 | default   | eth1      | app-subnet | 10.90.0.6/24 |
      | virt-launcher-db-m4q8z.eth0 | staging   | eth0      | app-subnet | 10.90.0.6/24 |
      | virt-launcher-db-m4q8z.eth0 | default   | eth0      | backup-lan | 10.92.0.4/24 |
