Feature: The NICs of Pods
  A NetworkInterface is one logical NIC of a Pod, with all that is put into the Pod for it.

  Background:
    Given a lab
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
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: lab-net}
      spec: {vpc: app, cidr: 10.70.4.0/24, gateway: {}}
      """

  @S1-1
  Scenario: The CRD says what a NetworkInterface stands for
    When "juneau crds" runs
    Then it prints "One logical NIC of a Pod."

  @S1-2 @S1-3 @PODC-6
  Scenario: A Pod is all that a user writes; each of its NICs is made for it, by the name of Pod and interface
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "subnet": "app-subnet"}, {"interface": "eth2", "l2Network": "lab-net"}]'
      """
    Then there are 3 objects of Kind NetworkInterface
    And NetworkInterface "gw.eth0" is Ready
    And NetworkInterface "gw.eth1" is Ready
    And NetworkInterface "gw.eth2" is Ready
    And "metadata.ownerReferences[0].kind" of NetworkInterface "gw.eth1" is "Pod"
    And "metadata.ownerReferences[0].uid" of NetworkInterface "gw.eth1" equals "metadata.uid" of Pod "gw"
    And "metadata.ownerReferences[0].controller" of NetworkInterface "gw.eth1" is true

  @S1-4 @S1-5
  Scenario: The table of NICs shows Node, network, address and phase, and no age
    Given these manifests
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, annotations: {juneau.loutres.me/subnet: app-subnet, juneau.loutres.me/address: 10.90.0.5}}
      spec: {nodeName: worker-1}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/address: 10.16.0.9
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "lab-net"}]'
      spec: {nodeName: worker-2}
      """
    Then the table of networkinterfaces is
      """
      NAME       NODE       SUBNET       L2NETWORK   ELASTICIP   ADDRESS        PHASE
      app.eth0   worker-1   app-subnet                           10.90.0.5/24   Ready
      gw.eth0    worker-2   default                              10.16.0.9/16   Ready
      gw.eth1    worker-2                lab-net                 10.70.4.2/24   Ready
      """

  @S1-8
  Scenario: spec.subnet is the Subnet that a NIC is connected to
    Given these Pods
      | name      | node     | eth0       |
      | storage   | worker-1 | app-subnet |
      | scheduler | worker-2 | app-subnet |
    Then "spec.subnet" of NetworkInterface "storage.eth0" is "app-subnet"
    And "spec.subnet" of NetworkEndpoint "storage.eth0" is "app-subnet"
    When Pod "storage" pings eth0 of Pod "scheduler"
    Then it is answered
    And 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of Subnet "app-subnet"

  @S1-9
  Scenario: spec.l2Network is the L2Network that a NIC is connected to
    Given these Pods
      | name      | node     | eth0 | eth1    |
      | storage   | worker-1 |      | lab-net |
      | scheduler | worker-2 |      | lab-net |
    Then "spec.l2Network" of NetworkInterface "storage.eth1" is "lab-net"
    And "spec.l2Network" of NetworkEndpoint "storage.eth1" is "lab-net"
    When eth1 of Pod "storage" sends a frame to everybody
    Then only eth1 of Pod "scheduler" receives it

  @NIC-C10 @POD-33 @PODC-5
  Scenario: While its ElasticIP does not exist a NIC is not made, nor any other of the Pod, and it is told why
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}]'
      """
    Then it is accepted
    And there is no NetworkInterface
    And Pod "gw" is not attached
    And condition "juneau.loutres.me/NetworkReady" of Pod "gw" is False with reason "WaitingForNetwork"
    And the message says "waiting for the network of a Pod NIC"
    And the message names "eth1"
    And the message names "gw-eip"
    And an Event of Pod "gw" has reason "WaitingForNetwork"
    And the message names "gw-eip"

  @S1-80
  Scenario: The log says what a Pod's NIC is waiting for
    Given the file "gw.yaml"
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}]'
      """
    When "juneau lab run -v -f gw.yaml" runs
    Then it complains "info: waiting for the network of a Pod NIC: eth1: ElasticIP gw-eip does not exist key=Pod/default/gw reason=WaitingForNetwork"

  @S1-15 @NIC-C2 @NIC-C3
  Scenario: An address that is asked for is given
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: app
        annotations: {juneau.loutres.me/subnet: app-subnet, juneau.loutres.me/address: 10.90.0.5}
      """
    Then "spec.address" of NetworkInterface "app.eth0" is "10.90.0.5"
    And "status.address" of NetworkInterface "app.eth0" is "10.90.0.5/24"
    And eth0 of Pod "app" has the address "10.90.0.5/24"

  @S1-16
  Scenario: Without one, free addresses of the network are given
    Given these Pods
      | name      | eth0       | eth1    |
      | storage   | app-subnet | lab-net |
      | scheduler | app-subnet | lab-net |
    Then "spec.address" of NetworkInterface "storage.eth0" is empty
    And "status.address" of NetworkInterface "storage.eth0" is "10.90.0.4/24"
    And "status.address" of NetworkInterface "scheduler.eth0" is "10.90.0.5/24"
    And "status.address" of NetworkInterface "storage.eth1" is "10.70.4.2/24"
    And "status.address" of NetworkInterface "scheduler.eth1" is "10.70.4.3/24"

  @NIC-C6
  Scenario: The SecurityGroups of a NIC are carried, and it says loudly that nothing enforces them yet
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: web}
      spec: {vpc: app, ingress: [{from: [{cidr: 0.0.0.0/0}], protocol: tcp, ports: [{port: 80}]}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: app
        annotations: {juneau.loutres.me/subnet: app-subnet, juneau.loutres.me/security-groups: web}
      """
    Then "spec.securityGroups" of NetworkInterface "app.eth0" is [web]
    And "status.effectiveSecurityGroups" of NetworkInterface "app.eth0" is [{name: web, groupID: 1}]
    And condition "PolicyEnforced" of NetworkInterface "app.eth0" is False with reason "NotEnforcedYet"
    And the message names "web"
    And an Event of NetworkInterface "app.eth0" has reason "PolicyNotEnforced"
    And NetworkInterface "app.eth0" is Ready

  @S1-23 @NIC-4
  Scenario: spec.podRef says which interface of which Pod a NIC stands for
    Given these Pods
      | name | eth0       | eth1    |
      | gw   | app-subnet | lab-net |
    Then "spec.podRef.name" of NetworkInterface "gw.eth1" is "gw"
    And "spec.podRef.interface" of NetworkInterface "gw.eth1" is "eth1"
    And "spec.podRef.uid" of NetworkInterface "gw.eth1" equals "metadata.uid" of Pod "gw"
    And "spec.nodeName" of NetworkInterface "gw.eth1" equals "spec.nodeName" of Pod "gw"

  @S1-29
  Scenario Outline: status.address has the prefix length of the network
    Given Subnet "ledger-db" with {vpc: app, cidr: <cidr>}
    And these Pods
      | name   | eth0      |
      | ledger | ledger-db |
    Then "status.address" of NetworkInterface "ledger.eth0" is "<address>"

    Examples:
      | cidr           | address        |
      | 10.44.0.0/16   | 10.44.0.4/16   |
      | 10.44.8.0/22   | 10.44.8.4/22   |
      | 10.44.8.240/28 | 10.44.8.244/28 |

  @S1-32 @S1-33 @S1-39 @NIC-R1 @ADD-5
  Scenario: eth0 on a Subnet has a default route by the Subnet's gateway, in the Pod as in the status
    Given these Pods
      | name | eth0       |
      | app  | app-subnet |
    Then "status.routes" of NetworkInterface "app.eth0" is [{dst: 0.0.0.0/0, gw: 10.90.0.1}]
    And "status.rules" of NetworkInterface "app.eth0" is empty
    And the main table of Pod "app" is
      """
      default via 10.90.0.1 dev eth0
      10.90.0.0/24 dev eth0
      """
    And Pod "app" has no policy routing rules

  @S1-32 @S1-40 @NIC-R2
  Scenario: eth0 on an L2Network has a default route by its gateway, in the Pod as in the status
    Given L2Network "dock-floor" with {vpc: app, cidr: 10.71.0.0/24, gateway: {address: 10.71.0.254}}
    And these Pods
      | name | eth0       |
      | app  | dock-floor |
    Then "status.routes" of NetworkInterface "app.eth0" is [{dst: 0.0.0.0/0, gw: 10.71.0.254}]
    And "status.routes[0].gw" of NetworkInterface "app.eth0" equals "status.gateway" of L2Network "dock-floor"
    And "status.rules" of NetworkInterface "app.eth0" is empty
    And the main table of Pod "app" is
      """
      default via 10.71.0.254 dev eth0
      10.71.0.0/24 dev eth0
      """
    And Pod "app" has no policy routing rules

  @S1-42 @S1-45 @S1-46 @NIC-R4 @NIC-D1
  Scenario: Extra NICs have no routes, so that the Pod keeps one default route
    Given Subnet "ledger-db" with {vpc: app, cidr: 10.44.8.0/22}
    And these Pods
      | name | eth0       | eth1      | eth2    |
      | gw   | app-subnet | ledger-db | lab-net |
    Then "status.routes" of NetworkInterface "gw.eth1" is empty
    And "status.rules" of NetworkInterface "gw.eth1" is empty
    And "status.routes" of NetworkInterface "gw.eth2" is empty
    And "status.rules" of NetworkInterface "gw.eth2" is empty
    And the main table of Pod "gw" is
      """
      default via 10.90.0.1 dev eth0
      10.44.8.0/22 dev eth1
      10.70.4.0/24 dev eth2
      10.90.0.0/24 dev eth0
      """
    And Pod "gw" has no policy routing rules

  @S1-34 @S1-35 @S1-36 @S1-37 @S1-45 @ADD-5
  Scenario: Routes and rules of a NIC's status are put into the Pod, each into its table
    Given these Pods
      | name    | eth0       | eth1    |
      | gw      | app-subnet | lab-net |
      | storage | app-subnet | lab-net |
    When "198.51.100.1/32" is set on eth1 of Pod "storage"
    And "203.0.113.9/32" is set on eth1 of Pod "storage"
    And the sandbox of Pod "gw" is made anew while the status of NetworkInterface "gw.eth1" has
      """
      routes:
        - {dst: 192.0.2.0/24, gw: 198.51.100.1, onLink: true}
        - {dst: 198.18.0.0/15, gw: 198.51.100.1, onLink: true, table: 0}
        - {dst: 0.0.0.0/0, gw: 198.51.100.1, onLink: true, table: 3325256728}
      rules:
        - {from: 10.70.4.2/32, table: 3325256728, priority: 100}
      """
    Then the main table of Pod "gw" is
      """
      default via 10.90.0.1 dev eth0
      10.70.4.0/24 dev eth1
      10.90.0.0/24 dev eth0
      192.0.2.0/24 via 198.51.100.1 dev eth1 onlink
      198.18.0.0/15 via 198.51.100.1 dev eth1 onlink
      """
    And table 3325256728 of Pod "gw" is
      """
      default via 198.51.100.1 dev eth1 onlink
      """
    And the policy routing rules of Pod "gw" are
      """
      from 10.70.4.2/32 lookup 3325256728 priority 100
      """
    When Pod "gw" pings "203.0.113.9" from "10.70.4.2"
    Then it is answered
    When Pod "gw" pings "203.0.113.9" from "10.90.0.5"
    Then it is not answered

  @S1-38
  Scenario Outline: Of two rules for one source the one with the smaller priority decides
    Given these Pods
      | name      | eth0       | eth1    |
      | gw        | app-subnet | lab-net |
      | storage   | app-subnet | lab-net |
      | scheduler | app-subnet | lab-net |
    When "203.0.113.9/32" is set on eth1 of Pod "storage"
    And the sandbox of Pod "gw" is made anew while the status of NetworkInterface "gw.eth1" has
      """
      routes:
        - {dst: 0.0.0.0/0, gw: 10.70.4.3, table: 1003}
        - {dst: 0.0.0.0/0, gw: 10.70.4.4, table: 1004}
      rules:
        - {from: 10.70.4.2/32, table: 1003, priority: <to storage>}
        - {from: 10.70.4.2/32, table: 1004, priority: <to scheduler>}
      """
    When Pod "gw" pings "203.0.113.9" from "10.70.4.2"
    Then it is <answered>

    Examples:
      | to storage | to scheduler | answered     |
      | 50         | 100          | answered     |
      | 100        | 50           | not answered |

  @S1-46
  Scenario: The default route stays eth0's when the sandbox is made anew, whatever the order of the NICs
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: |
            [{"interface": "net9", "l2Network": "lab-net"}, {"interface": "a1", "subnet": "default"},
             {"interface": "eth0", "subnet": "app-subnet"}]
      """
    And the sandbox of Pod "gw" is made anew
    Then the main table of Pod "gw" is
      """
      default via 10.90.0.1 dev eth0
      10.16.0.0/16 dev a1
      10.70.4.0/24 dev net9
      10.90.0.0/24 dev eth0
      """

  @S1-66 @NIC-P1
  Scenario: A NIC for which there is no free address is Pending, until one is freed
    Given Subnet "ledger-db" with {vpc: app, cidr: 10.44.8.0/28}
    And AllocationPool "subnet-ip-ledger-db" has 1 free value
    And these Pods
      | name     | eth0      |
      | ledger-0 | ledger-db |
      | ledger-1 | ledger-db |
    Then NetworkInterface "ledger-0.eth0" is Ready
    And NetworkInterface "ledger-1.eth0" is Pending with reason "SubnetExhausted"
    And the message names "subnet-ip-ledger-db"
    And condition "Allocated" of NetworkInterface "ledger-1.eth0" is False with reason "SubnetExhausted"
    And the runtime is told "ledger-1.eth0 is not allocated" of Pod "ledger-1"
    When AllocationClaim "filler-1" is deleted
    Then NetworkInterface "ledger-1.eth0" is Ready
    And "status.address" of NetworkInterface "ledger-1.eth0" is "10.44.8.4/28"

  @S1-67 @S1-68 @NIC-P2 @NIC-P3 @NIC-C7
  Scenario: With an address a NIC is Allocated, with its NetworkEndpoint it is Ready
    Given NetworkInterface "db.eth0" with {podRef: {name: db, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: app-subnet}
    Then NetworkInterface "db.eth0" is Allocated with reason "WaitingForInterface"
    And condition "Allocated" of NetworkInterface "db.eth0" is True with reason "AllocationSucceeded"
    And "status.address" of NetworkInterface "db.eth0" is "10.90.0.4/24"
    When NetworkEndpoint "db.eth0" is created with {kind: Pod, nodeName: worker-1, subnet: app-subnet, address: 10.90.0.4/24, podRef: {name: db, uid: 6f1f9f0a, interface: eth0}}
    Then NetworkInterface "db.eth0" is Ready with reason "ReconcileSucceeded"
    When NetworkEndpoint "db.eth0" is deleted
    Then NetworkInterface "db.eth0" is Allocated with reason "WaitingForInterface"

  @S1-68 @NIC-C7
  Scenario Outline: An endpoint of another NIC makes none Ready
    Given NetworkInterface "db.eth0" with {podRef: {name: db, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: app-subnet}
    And NetworkEndpoint "other" with {kind: Pod, nodeName: worker-1, subnet: app-subnet, podRef: <pod>}
    Then NetworkInterface "db.eth0" is Allocated

    Examples:
      | pod                                         |
      | {name: db-1, uid: 6f1f9f0a, interface: eth0} |
      | {name: db, uid: 77c20000, interface: eth0}   |
      | {name: db, uid: 6f1f9f0a, interface: eth1}   |

  @S1-69 @NIC-P4 @NIC-11
  Scenario Outline: A NIC that cannot get the address it asks for is Failed, and says why
    Given NetworkInterface "db.eth0" with {podRef: {name: db, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: app-subnet, address: <address>}
    Then NetworkInterface "db.eth0" is Failed with reason "AllocationFailed"
    And the message names "subnet-ip-app-subnet"
    And condition "Allocated" of NetworkInterface "db.eth0" is False with reason "AllocationFailed"
    And "status.address" of NetworkInterface "db.eth0" is empty

    Examples:
      | address     |
      | 10.90.0.0   |
      | 10.90.0.1   |
      | 10.90.0.2   |
      | 10.90.0.3   |
      | 10.90.0.255 |

  @S1-69
  Scenario: A NIC whose address somebody has is Failed until it is free
    Given these Pods
      | name     | eth0                 |
      | ledger-0 | app-subnet 10.90.0.9 |
      | ledger-1 | app-subnet 10.90.0.9 |
    Then NetworkInterface "ledger-1.eth0" is Failed with reason "AllocationFailed"
    And the message names "ledger-0"
    And condition "juneau.loutres.me/NetworkReady" of Pod "ledger-1" is False with reason "InterfaceFailed"
    When Pod "ledger-0" is deleted
    Then NetworkInterface "ledger-1.eth0" is Failed
    When 24h pass
    Then NetworkInterface "ledger-1.eth0" is Ready
    And "status.address" of NetworkInterface "ledger-1.eth0" is "10.90.0.9/24"
