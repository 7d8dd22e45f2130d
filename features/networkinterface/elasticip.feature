Feature: NICs that carry an ElasticIP
  The NIC has the ElasticIP's address as it is, in no Vpc and without a reservation of its own.
  It has it alone: whoever else wants it waits, and is told for whom.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: ext-pool}
      spec: {advertiseMode: arp, addresses: [10.225.51.6-10.225.51.9]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: ext-net}
      spec: {type: arp, addressPools: [ext-pool]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: gw-eip}
      spec: {externalNetwork: ext-net, requestedIP: 10.225.51.6}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: app-eip}
      spec: {externalNetwork: ext-net}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: app}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: app-subnet}
      spec: {vpc: app, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: lab-net}
      spec: {vpc: app, cidr: 10.70.4.0/24, gateway: {}}
      """

  @S1-6 @S1-30
  Scenario: The table shows the ElasticIP and its address as a /32
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/address: 10.16.0.9
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}]'
      spec: {nodeName: worker-2}
      """
    Then the table of networkinterfaces is
      """
      NAME      NODE       SUBNET    L2NETWORK   ELASTICIP   ADDRESS          PHASE
      gw.eth0   worker-2   default                           10.16.0.9/16     Ready
      gw.eth1   worker-2                         gw-eip      10.225.51.6/32   Ready
      """

  @S1-11 @S1-22 @NIC-C5 @NIC-D4
  Scenario: The Pod has the very address, and only the ElasticIP has reserved it
    Given these Pods
      | name | eth1   |
      | gw   | gw-eip |
    Then eth1 of Pod "gw" has the address "10.225.51.6/32"
    And NetworkInterface "gw.eth1" is Ready with reason "ReconcileSucceeded"
    And condition "Allocated" of NetworkInterface "gw.eth1" is True with reason "AllocationSucceeded"
    And "status.allocationClaim" of NetworkInterface "gw.eth1" is empty
    And 2 values of AllocationPool "addr-ext-pool" are taken
    And "spec.resourceRef.kind" of AllocationClaim "elasticip--elasticip--default--gw-eip--status-address" is "ElasticIP"
    And "spec.externalNetwork" of NetworkEndpoint "gw.eth1" is "ext-net"
    And "spec.address" of NetworkEndpoint "gw.eth1" is "10.225.51.6/32"
    And "spec.subnet" of NetworkEndpoint "gw.eth1" is empty

  @S1-10 @NIC-8
  Scenario: An ElasticIP of another namespace is another one
    Given Namespace "staging" with {}
    And ElasticIP "staging/db-eip" with {externalNetwork: ext-net}
    And NetworkInterface "db.eth1" with {podRef: {name: db, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: db-eip}
    Then NetworkInterface "db.eth1" is Pending with reason "NetworkNotReady"
    And the message says "ElasticIP db-eip does not exist"
    And "status.address" of NetworkInterface "db.eth1" is empty
    And "status.attachment" of ElasticIP "staging/db-eip" is empty
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: shop, annotations: {juneau.loutres.me/elastic-ip: db-eip}}
      """
    Then it is accepted
    And NetworkInterface "shop.eth0" does not exist

  @S1-41 @S1-50 @S1-51 @NIC-R3 @NIC-D3
  Scenario Outline: eth0 on an ElasticIP has its default route on the link
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {<annotation>}}
      """
    Then NetworkInterface "gw.eth0" is Ready
    And "status.routes" of NetworkInterface "gw.eth0" is [{dst: 0.0.0.0/0, gw: 169.254.0.1, onLink: true}]
    And "status.rules" of NetworkInterface "gw.eth0" is empty
    And eth0 of Pod "gw" has the address "10.225.51.6/32"
    And the main table of Pod "gw" is
      """
      default via 169.254.0.1 dev eth0 onlink
      """
    And Pod "gw" has no policy routing rules
    And "status.podIP" of Pod "gw" is "10.225.51.6"

    Examples:
      | annotation                                                                 |
      | juneau.loutres.me/elastic-ip: gw-eip                                       |
      | juneau.loutres.me/networks: '[{"interface": "eth0", "elasticIP": "gw-eip"}]' |

  @S1-43 @S1-44 @S1-47 @S1-45 @S1-50 @S1-51 @S1-53 @S1-63 @NIC-R5 @NIC-D2
  Scenario: An extra NIC on an ElasticIP has its default route in a table of its own, and a rule that leads there
    Given these Pods
      | name | eth0       | eth1   | eth2    | eth3    |
      | gw   | app-subnet | gw-eip | lab-net | default |
    Then "status.address" of NetworkInterface "gw.eth1" is "10.225.51.6/32"
    And "status.routes" of NetworkInterface "gw.eth1" is [{dst: 0.0.0.0/0, gw: 169.254.0.1, onLink: true, table: 182530822}]
    And "status.rules" of NetworkInterface "gw.eth1" is [{from: 10.225.51.6/32, table: 182530822, priority: 100}]
    And "status.routes" of NetworkInterface "gw.eth2" is empty
    And "status.rules" of NetworkInterface "gw.eth2" is empty
    And "status.routes" of NetworkInterface "gw.eth3" is empty
    And "status.rules" of NetworkInterface "gw.eth3" is empty
    And eth1 of Pod "gw" has the address "10.225.51.6/32"
    And the main table of Pod "gw" is
      """
      default via 10.90.0.1 dev eth0
      10.90.0.0/24 dev eth0
      10.70.4.0/24 dev eth2
      10.16.0.0/16 dev eth3
      """
    And table 182530822 of Pod "gw" is
      """
      default via 169.254.0.1 dev eth1 onlink
      """
    And Pod "gw" has one routing table beside the main one, 182530822
    And the policy routing rules of Pod "gw" are
      """
      from 10.225.51.6/32 lookup 182530822 priority 100
      """

  @S1-53
  Scenario: What is printed of it has exactly this address, route and rule
    Given the file "gw.yaml"
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p}, spec: {advertiseMode: arp, addresses: [10.225.51.6-10.225.51.6]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [p]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: gw-eip}, spec: {externalNetwork: lan, requestedIP: 10.225.51.6}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}]'}}
      """
    When "juneau lab run -f gw.yaml --get networkinterface/gw.eth1 -o yaml" runs
    Then "status.phase" of the printed "gw.eth1" is "Ready"
    And "status.address" of the printed "gw.eth1" is "10.225.51.6/32"
    And "status.routes" of the printed "gw.eth1" is [{dst: 0.0.0.0/0, gw: 169.254.0.1, onLink: true, table: 182530822}]
    And "status.rules" of the printed "gw.eth1" is [{from: 10.225.51.6/32, table: 182530822, priority: 100}]

  @S1-64 @NIC-T4
  Scenario: What has the ElasticIP as source is looked up in its own table, although the main one has a default route
    Given these Pods
      | name | eth0       | eth1   |
      | gw   | app-subnet | gw-eip |
    When Pod "gw" pings "198.51.100.7" from "10.225.51.6"
    Then eth1 of Pod "gw" gets 1 ARP answer
    When Pod "gw" pings "198.51.100.7" from "10.90.0.4"
    Then eth1 of Pod "gw" gets 0 ARP answers

  @S1-54 @S1-55 @S1-61 @S1-62 @NIC-T1 @NIC-T3
  Scenario Outline: The number of the table is the address, the highest octet first
    Given AddressPool "more" with {advertiseMode: bgp, addresses: [<address>/32]}
    And ExternalNetwork "edge" with {type: bgp, addressPools: [more]}
    And ElasticIP "db-eip" with {externalNetwork: edge}
    And these Pods
      | name | eth1   |
      | db   | db-eip |
    Then NetworkInterface "db.eth1" is Ready
    And "status.routes[0].table" of NetworkInterface "db.eth1" is <table>
    And "status.rules[0].table" of NetworkInterface "db.eth1" is <table>

    Examples:
      | address       | table      |
      | 203.0.113.7   | 3405803783 |
      | 203.0.113.10  | 3405803786 |
      | 198.51.100.24 | 3325256728 |
      | 10.225.52.6   | 182531078  |
      | 0.0.1.0       | 256        |

  @S1-61 @S1-62 @NIC-T3 @NIC-P7
  Scenario: An extra NIC never gets an address that would be a table of the kernel, and says why
    Given AddressPool "more" with {advertiseMode: bgp, addresses: [0.0.0.255/32]}
    And ExternalNetwork "edge" with {type: bgp, addressPools: [more]}
    And ElasticIP "db-eip" with {externalNetwork: edge}
    And these Pods
      | name | eth1   |
      | db   | db-eip |
    Then NetworkInterface "db.eth1" is Failed with reason "InvalidElasticIPAddress"
    And the message names "0.0.0.255"
    And the message says "below 256"
    And condition "Allocated" of NetworkInterface "db.eth1" is False with reason "InvalidElasticIPAddress"
    And "status.address" of NetworkInterface "db.eth1" is empty
    And Pod "db" is not attached

  @S1-56 @NIC-T2
  Scenario: The number is the same at every look
    Given these Pods
      | name | eth1   |
      | gw   | gw-eip |
    Then NetworkInterface "gw.eth1" is Ready
    Given the value of "status" of NetworkInterface "gw.eth1" is noted
    And the value of "metadata.resourceVersion" of NetworkInterface "gw.eth1" is noted
    When the controller restarts
    Then "status" of NetworkInterface "gw.eth1" is unchanged
    And "metadata.resourceVersion" of NetworkInterface "gw.eth1" is unchanged
    And nothing is written

  @S1-57 @S1-58 @NIC-T2
  Scenario: And on another Node, and after the Pod was made anew
    Given these Pods
      | name | node     | eth1   |
      | gw   | worker-1 | gw-eip |
    And the value of "status.rules" of NetworkInterface "gw.eth1" is noted
    When Pod "gw" is deleted
    And these Pods are created
      | name | node     | eth1   |
      | gw   | worker-2 | gw-eip |
    Then NetworkInterface "gw.eth1" is Ready
    And "spec.nodeName" of NetworkInterface "gw.eth1" is "worker-2"
    And "status.rules" of NetworkInterface "gw.eth1" is unchanged

  @S1-60 @NIC-T4
  Scenario: NICs on several ElasticIPs of one Pod have a table each, under one priority
    Given ElasticIP "db-eip" with {externalNetwork: ext-net}
    And these Pods
      | name | eth0       | eth1   | eth2    | eth3   |
      | gw   | app-subnet | gw-eip | app-eip | db-eip |
    Then the policy routing rules of Pod "gw" are
      """
      from 10.225.51.6/32 lookup 182530822 priority 100
      from 10.225.51.7/32 lookup 182530823 priority 100
      from 10.225.51.8/32 lookup 182530824 priority 100
      """
    And table 182530822 of Pod "gw" is
      """
      default via 169.254.0.1 dev eth1 onlink
      """
    And table 182530823 of Pod "gw" is
      """
      default via 169.254.0.1 dev eth2 onlink
      """
    And table 182530824 of Pod "gw" is
      """
      default via 169.254.0.1 dev eth3 onlink
      """

  @S1-26
  Scenario: With one identity two NICs on two ElasticIPs are both Ready, since nothing is reserved by it
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-gw-x7k2p
        annotations:
          juneau.loutres.me/elastic-ip: gw-eip
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "app-eip"}]'
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: gw, uid: 5d1c7e10}
      """
    Then "spec.allocationIdentity" of NetworkInterface "virt-launcher-gw-x7k2p.eth0" is "vmi.gw"
    And "spec.allocationIdentity" of NetworkInterface "virt-launcher-gw-x7k2p.eth1" is "vmi.gw"
    And NetworkInterface "virt-launcher-gw-x7k2p.eth0" is Ready
    And NetworkInterface "virt-launcher-gw-x7k2p.eth1" is Ready
    And "status.address" of NetworkInterface "virt-launcher-gw-x7k2p.eth0" is "10.225.51.6/32"
    And "status.address" of NetworkInterface "virt-launcher-gw-x7k2p.eth1" is "10.225.51.7/32"

  @S1-27 @S1-28 @S1-31 @S1-70 @POD-32 @NIC-P5
  Scenario: By its identity a new Pod is let in beside the old holder, and waits until that is gone
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-gw-x7k2p
        annotations: {juneau.loutres.me/elastic-ip: gw-eip}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: gw, uid: 5d1c7e10}
      spec: {nodeName: worker-1}
      """
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: other, annotations: {juneau.loutres.me/elastic-ip: gw-eip}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/elastic-ip]"
    And the error names "gw-eip"
    And the error names "virt-launcher-gw-x7k2p.eth0"
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-gw-m4q8z
        annotations: {juneau.loutres.me/elastic-ip: gw-eip}
        ownerReferences:
          - {apiVersion: kubevirt.io/v1, kind: VirtualMachineInstance, name: gw, uid: 5d1c7e10}
      spec: {nodeName: worker-2}
      """
    Then it is accepted
    And NetworkInterface "virt-launcher-gw-x7k2p.eth0" is Ready
    And "status.address" of NetworkInterface "virt-launcher-gw-x7k2p.eth0" is "10.225.51.6/32"
    And NetworkInterface "virt-launcher-gw-m4q8z.eth0" is Pending with reason "WaitingForElasticIP"
    And the message names "virt-launcher-gw-x7k2p.eth0"
    And "status.address" of NetworkInterface "virt-launcher-gw-m4q8z.eth0" is empty
    And "status.routes" of NetworkInterface "virt-launcher-gw-m4q8z.eth0" is empty
    And Pod "virt-launcher-gw-m4q8z" is not attached
    When Pod "virt-launcher-gw-x7k2p" is deleted
    Then NetworkInterface "virt-launcher-gw-m4q8z.eth0" is Ready
    And "status.address" of NetworkInterface "virt-launcher-gw-m4q8z.eth0" is "10.225.51.6/32"
    And eth0 of Pod "virt-launcher-gw-m4q8z" has the address "10.225.51.6/32"
    And "spec.nodeName" of ARPAdvertisement "eip-default-gw-eip-7f20b2a7" is "worker-2"

  @S1-31 @S1-70 @S1-75 @S1-76 @NIC-P5 @NIC-P8
  Scenario: Of two NICs with one ElasticIP one has it, and the other one says for whom it waits
    Given NetworkInterface "x.eth1" with {podRef: {name: x, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: gw-eip}
    And NetworkInterface "y.eth1" with {podRef: {name: y, uid: 77c20000, interface: eth1}, nodeName: worker-2, elasticIP: gw-eip}
    Then NetworkInterface "x.eth1" is Allocated with reason "WaitingForInterface"
    And "status.address" of NetworkInterface "x.eth1" is "10.225.51.6/32"
    And NetworkInterface "y.eth1" is Pending with reason "WaitingForElasticIP"
    And the message names "x.eth1"
    And condition "Allocated" of NetworkInterface "y.eth1" is False with reason "WaitingForElasticIP"
    And the message names "x.eth1"
    And "status.address" of NetworkInterface "y.eth1" is empty
    When NetworkInterface "x.eth1" is deleted
    Then "status.address" of NetworkInterface "y.eth1" is "10.225.51.6/32"

  @S1-71 @S1-75 @S1-76 @NIC-P5 @NIC-P8 @NIC-C5
  Scenario: While an ElasticIPAttachment uses the ElasticIP, its NIC waits for that
    Given these Pods
      | name | eth0       | eth1   |
      | gw   | app-subnet | gw-eip |
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: gw-nat}
      spec: {elasticIPRef: {name: gw-eip}, targetRef: {networkInterfaceName: gw.eth0}}
      """
    Then NetworkInterface "gw.eth1" is Pending with reason "WaitingForElasticIP"
    And the message names "ElasticIPAttachment gw-nat"
    And condition "Allocated" of NetworkInterface "gw.eth1" is False with reason "WaitingForElasticIP"
    And the message names "ElasticIPAttachment gw-nat"
    And "status.address" of NetworkInterface "gw.eth1" is empty
    And "status.routes" of NetworkInterface "gw.eth1" is empty
    And "status.rules" of NetworkInterface "gw.eth1" is empty
    When ElasticIPAttachment "gw-nat" is deleted
    Then NetworkInterface "gw.eth1" is Ready

  @S1-72 @S1-75 @S1-76 @NIC-P5 @NIC-P8
  Scenario: While the ElasticIP is given to nobody, a NIC waits for the ElasticIP
    Given NetworkInterface "x.eth1" with {podRef: {name: x, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: gw-eip}
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: gw-nat}
      spec: {elasticIPRef: {name: gw-eip}, targetRef: {networkInterfaceName: gw.eth0}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: y.eth1}
      spec: {podRef: {name: y, uid: 77c20000, interface: eth1}, nodeName: worker-2, elasticIP: gw-eip}
      """
    And "metadata.finalizers" of NetworkInterface "x.eth1" is changed to [example.com/audit]
    When NetworkInterface "x.eth1" is deleted
    And ElasticIPAttachment "gw-nat" is deleted
    Then "status.address" of ElasticIP "gw-eip" is "10.225.51.6"
    And "status.attachment" of ElasticIP "gw-eip" is empty
    And NetworkInterface "y.eth1" is Pending with reason "WaitingForElasticIP"
    And the message names "ElasticIP gw-eip"
    And condition "Allocated" of NetworkInterface "y.eth1" is False with reason "WaitingForElasticIP"
    When "metadata.finalizers" of NetworkInterface "x.eth1" is removed
    Then "status.address" of NetworkInterface "y.eth1" is "10.225.51.6/32"

  @S1-73 @S1-75 @S1-76 @NIC-P6 @NIC-P8
  Scenario: While the ElasticIP has no address, a NIC waits for that
    Given ElasticIP "db-eip" with {externalNetwork: ext-net, requestedIP: 192.0.2.1}
    And NetworkInterface "db.eth1" with {podRef: {name: db, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: db-eip}
    Then NetworkInterface "db.eth1" is Pending with reason "NetworkNotReady"
    And the message names "ElasticIP db-eip"
    And condition "Allocated" of NetworkInterface "db.eth1" is False with reason "NetworkNotReady"
    And the message names "ElasticIP db-eip"

  @S1-74 @S1-75 @S1-76 @S1-79 @NIC-P6 @NIC-P8 @NIC-C10
  Scenario: While the ExternalNetwork has no number, no NIC is made, and one that is there waits
    Given AllocationPool "subnet-vni" is deleted past admission
    And AddressPool "more" with {advertiseMode: bgp, addresses: [203.0.113.0/28]}
    And ExternalNetwork "edge" with {type: bgp, addressPools: [more]}
    And ElasticIP "db-eip" with {externalNetwork: edge}
    And NetworkInterface "db.eth1" with {podRef: {name: db, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: db-eip}
    Then "status.networkID" of ExternalNetwork "edge" is empty
    And "status.address" of ElasticIP "db-eip" is "203.0.113.1"
    And "status.attachment" of ElasticIP "db-eip" is {kind: NetworkInterface, name: db.eth1}
    And "status.address" of NetworkInterface "db.eth1" is empty
    And "status.routes" of NetworkInterface "db.eth1" is empty
    And "status.rules" of NetworkInterface "db.eth1" is empty
    And NetworkInterface "db.eth1" is Pending with reason "NetworkNotReady"
    And the message names "ExternalNetwork edge"
    And condition "Allocated" of NetworkInterface "db.eth1" is False with reason "NetworkNotReady"
    And the message names "ExternalNetwork edge"
    When NetworkInterface "db.eth1" is deleted
    And these Pods are created
      | name | eth1   |
      | shop | db-eip |
    Then it is accepted
    And there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "shop" is False with reason "WaitingForNetwork"
    And the message says "waiting for the network of a Pod NIC: eth1: ExternalNetwork edge has no status.networkID yet"
    When AllocationPool "subnet-vni" is created with {type: number, number: {min: 4096, max: 16777215}}
    Then NetworkInterface "shop.eth1" is Ready

  @S1-77 @NIC-C10 @PODC-5 @POD-33
  Scenario: While the ElasticIP does not exist no NIC is made, and all are once it does
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: db
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "db-eip"}]'
      """
    Then it is accepted
    And there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "db" is False with reason "WaitingForNetwork"
    And the message says "waiting for the network of a Pod NIC: eth1: ElasticIP db-eip does not exist"
    When ElasticIP "db-eip" is created with {externalNetwork: ext-net}
    Then NetworkInterface "db.eth0" is Ready
    And NetworkInterface "db.eth1" is Ready

  @S1-78 @NIC-C10 @PODC-5 @POD-33
  Scenario: While the ElasticIP has no address no NIC is made, and all are once one is freed
    Given AllocationPool "addr-ext-pool" has 0 free values
    And ElasticIP "db-eip" with {externalNetwork: ext-net}
    And these Pods
      | name | eth1   |
      | db   | db-eip |
    Then there is no NetworkInterface
    And condition "Allocated" of ElasticIP "db-eip" is False with reason "NoAddressAvailable"
    And condition "juneau.loutres.me/NetworkReady" of Pod "db" is False with reason "WaitingForNetwork"
    And the message says "waiting for the network of a Pod NIC: eth1: ElasticIP db-eip has no address"
    And the message names "NoAddressAvailable"
    When AllocationClaim "filler-1" is deleted
    Then NetworkInterface "db.eth1" is Ready

  @S1-80
  Scenario Outline: For each of the three reasons the log has a line with Pod, interface and reason
    Given the file "world.yaml"
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/28]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: edge}, spec: {type: bgp, addressPools: [p]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: far}, spec: {externalNetwork: edge, requestedIP: 192.0.2.1}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: subnet-vni--externalnetwork--new--status-networkid}
      spec:
        poolRefs: [{name: none-yet}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, name: new}
        attribute: status.networkID
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: q}, spec: {advertiseMode: bgp, addresses: [203.0.113.16/28]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: new}, spec: {type: bgp, addressPools: [q]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: near}, spec: {externalNetwork: new}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "<eip>"}]'}}
      """
    When "juneau lab run -v -f world.yaml" runs
    Then it complains "info: waiting for the network of a Pod NIC: eth1: <why>"
    And it complains "key=Pod/default/gw reason=WaitingForNetwork"

    Examples:
      | eip  | why                                                                        |
      | late | ElasticIP late does not exist                                              |
      | far  | ElasticIP far has no address                                               |
      | near | ExternalNetwork new has no status.networkID yet, which ElasticIP near is of |

  @S1-69 @S1-81 @NIC-P7
  Scenario: An address that cannot be read fails the NIC
    Given NetworkInterface "gw.eth1" with {podRef: {name: gw, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: gw-eip}
    When these fields are stored in the status of ElasticIP "gw-eip"
      """
      address: nonsense
      """
    Then NetworkInterface "gw.eth1" is Failed with reason "InvalidElasticIPAddress"
    And the message names "nonsense"
    And the message names "gw-eip"
    And condition "Allocated" of NetworkInterface "gw.eth1" is False with reason "InvalidElasticIPAddress"
    And "status.address" of NetworkInterface "gw.eth1" is empty

  @ADD-6
  Scenario: Its Node reaches eth0 on an ElasticIP by a route of its own, which goes with the Pod, and no extra NIC
    Given the routes of worker-1 are noted
    And these Pods
      | name | node     | eth1    |
      | app  | worker-1 | app-eip |
    Then the routes of worker-1 are unchanged
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: gw-eip}}
      spec: {nodeName: worker-1}
      """
    Then Node "worker-1" has a route to "10.225.51.6/32"
    When Pod "gw" is deleted
    Then the routes of worker-1 are unchanged

  @PODC-7
  Scenario: A NIC that the Pod asks for no more goes, and gives the ElasticIP back
    Given these Pods
      | name | eth1   |
      | gw   | gw-eip |
    When "metadata.annotations" of Pod "gw" is removed
    Then NetworkInterface "gw.eth1" does not exist
    And NetworkEndpoint "gw.eth1" does not exist
    And ElasticIP "gw-eip" is Available

  Scenario: Who asks why a Pod does not come up is led to the end of the chain
    Given the file "world.yaml"
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/28]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: edge}, spec: {type: bgp, addressPools: [p]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: far}, spec: {externalNetwork: edge, requestedIP: 192.0.2.1}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: far}}}
      """
    When "juneau explain -f world.yaml networkinterface/gw.eth0" runs
    Then it prints "NetworkInterface default/gw.eth0 does not exist"
    And it prints "waits for Pod default/gw, which is Pending (WaitingForNetwork)"
    And it prints "waits for status.address of ElasticIP default/far, which is Pending (Allocating)"
    And it prints "waits for status.value of AllocationClaim elasticip--elasticip--default--far--status-address"
    And it prints "the value asked for lies outside of AllocationPool"
