Feature: What a NetworkInterface may say
  Users seldom write one; what stands in it is fixed once it is there, but for the SecurityGroups.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: prod-app}
      spec: {vpc: prod, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: prod-san}
      spec: {vpc: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: prod-floor}
      spec: {vpc: prod, cidr: 10.91.0.0/24, gateway: {}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: web}
      spec: {vpc: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: ledger}
      spec: {vpc: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth0}
      spec:
        podRef: {name: gw, uid: 6f1f9f0a, interface: eth0}
        nodeName: worker-1
        subnet: prod-app
        address: 10.90.0.5
        securityGroups: [web]
        allocationIdentity: vmi.gw
        retainWhile: {apiVersion: v1, kind: Namespace, name: default}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth1}
      spec:
        podRef: {name: gw, uid: 6f1f9f0a, interface: eth1}
        nodeName: worker-1
        l2Network: prod-san
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: gw.eth2}
      spec:
        podRef: {name: gw, uid: 6f1f9f0a, interface: eth2}
        nodeName: worker-1
        elasticIP: gw-eip
      """

  @S1-7 @NIC-1
  Scenario Outline: A NIC is connected to exactly one of Subnet, L2Network and ElasticIP
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, <networks>}
    Then it is refused at "spec" with "exactly one"
    And the error says "subnet"
    And the error says "l2Network"
    And the error says "elasticIP"
    And nothing was stored

    Examples:
      | networks                                                    |
      | address: ""                                                 |
      | subnet: ""                                                  |
      | subnet: prod-app, l2Network: prod-san                       |
      | subnet: prod-app, elasticIP: gw-eip                         |
      | l2Network: prod-san, elasticIP: gw-eip                      |
      | subnet: prod-app, l2Network: prod-san, elasticIP: gw-eip    |

  @S1-18 @S1-20 @NIC-2
  Scenario: On an ElasticIP no address is asked for, since the ElasticIP has it
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, elasticIP: db-eip, address: 10.225.51.6}
    Then it is refused at "spec.address" with "the ElasticIP has the address"
    And the error says "cannot choose another"

  @S1-19 @S1-21 @NIC-3
  Scenario: On an ElasticIP there are no SecurityGroups, since the NIC is in no Vpc
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, elasticIP: db-eip, securityGroups: [web]}
    Then it is refused at "spec.securityGroups" with "in no Vpc"
    When "spec.securityGroups" of NetworkInterface "gw.eth2" is changed to [web]
    Then it is refused at "spec.securityGroups" with "in no Vpc"

  @NIC-4 @NIC-5
  Scenario Outline: A NIC names its Pod, its interface and its Node
    When NetworkInterface "db.eth0" is created with <spec>
    Then it is refused at "spec.<field>"

    Examples:
      | spec                                                                                           | field            |
      | {nodeName: worker-1, subnet: prod-app}                                                         | podRef           |
      | {podRef: {name: db, interface: eth0}, nodeName: worker-1, subnet: prod-app}                    | podRef.uid       |
      | {podRef: {name: db, uid: "", interface: eth0}, nodeName: worker-1, subnet: prod-app}           | podRef.uid       |
      | {podRef: {uid: 77c2, interface: eth0}, nodeName: worker-1, subnet: prod-app}                   | podRef.name      |
      | {podRef: {name: "", uid: 77c2, interface: eth0}, nodeName: worker-1, subnet: prod-app}         | podRef.name      |
      | {podRef: {name: db, uid: 77c2}, nodeName: worker-1, subnet: prod-app}                          | podRef.interface |
      | {podRef: {name: db, uid: 77c2, interface: ""}, nodeName: worker-1, subnet: prod-app}           | podRef.interface |
      | {podRef: {name: db, uid: 77c2, interface: eth0}, subnet: prod-app}                             | nodeName         |
      | {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: "", subnet: prod-app}               | nodeName         |

  @NIC-6 @NIC-7
  Scenario Outline: The network of a NIC exists
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, <field>: <name>}
    Then it is refused at "spec.<field>" with "<name>"

    Examples:
      | field     | name       |
      | subnet    | stage-app  |
      | subnet    | prod-floor |
      | l2Network | stage-san  |
      | l2Network | prod-app   |

  @NIC-8
  Scenario: An ElasticIP need not exist; the NIC waits for it
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, elasticIP: db-eip}
    Then it is accepted
    And NetworkInterface "db.eth0" is Pending with reason "NetworkNotReady"
    And the message names "db-eip"
    And condition "Allocated" of NetworkInterface "db.eth0" is False with reason "NetworkNotReady"
    And "status.address" of NetworkInterface "db.eth0" is empty

  @NIC-9 @NIC-10 @NIC-11
  Scenario Outline: An address that is asked for is one of the network's
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, <network>, address: "<address>"}
    Then it is refused at "spec.address" with "<says>"
    And the error says "<also>"

    Examples:
      | network               | address      | says       | also         |
      | subnet: prod-app      | 10.90.0.500  | IPv4       | 10.90.0.500  |
      | subnet: prod-app      | 10.90.0.9/24 | IPv4       | 10.90.0.9/24 |
      | subnet: prod-app      | fd00::9      | IPv4       | fd00::9      |
      | subnet: stage-app     | 10.90.0.500  | IPv4       | no such Subnet |
      | subnet: prod-app      | 10.90.1.9    | prod-app   | 10.90.0.0/24 |
      | l2Network: prod-floor | 10.90.0.9    | prod-floor | 10.91.0.0/24 |
      | l2Network: prod-san   | 10.90.0.9    | prod-san   | spec.cidr    |

  @NIC-12 @NIC-13 @NIC-14
  Scenario Outline: SecurityGroups are named, once each, and not too many
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is changed to <groups>
    Then it is refused at "<field>" with "<says>"

    Examples:
      | groups                                                     | field                  | says      |
      | [g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17] | spec.securityGroups | 16 |
      | [web, ""]                                                  | spec.securityGroups[1] | Required  |
      | [web, web]                                                 | spec.securityGroups[1] | Duplicate |

  @NIC-15 @NIC-16
  Scenario Outline: SecurityGroups exist, in the Vpc of the network
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is changed to <groups>
    Then it is refused at "spec.securityGroups[1]" with "<says>"
    And the error says "<also>"

    Examples:
      | groups         | says      | also    |
      | [web, no-such] | Not found | no-such |
      | [web, ledger]  | billing   | prod    |

  @NIC-15
  Scenario: SecurityGroups are judged at creation as well
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, subnet: prod-app, securityGroups: [ledger]}
    Then it is refused at "spec.securityGroups[0]" with "billing"

  @NIC-17
  Scenario: On a segment without a gateway nothing would consult a SecurityGroup
    When NetworkInterface "db.eth1" is created with {podRef: {name: db, uid: 77c2, interface: eth1}, nodeName: worker-1, l2Network: prod-san, securityGroups: [web]}
    Then it is refused at "spec.securityGroups" with "prod-san"
    And the error says "gateway"
    When NetworkInterface "db.eth1" is created with {podRef: {name: db, uid: 77c2, interface: eth1}, nodeName: worker-1, l2Network: prod-floor, securityGroups: [web]}
    Then it is accepted

  @NIC-18 @NIC-19
  Scenario Outline: Identity and keeper of the address can be read
    When NetworkInterface "db.eth0" is created with {podRef: {name: db, uid: 77c2, interface: eth0}, nodeName: worker-1, subnet: prod-app, <more>}
    Then it is refused at "spec.<field>"

    Examples:
      | more                                                       | field                  |
      | allocationIdentity: VMI/db                                 | allocationIdentity     |
      | retainWhile: {kind: VirtualMachine, name: db}              | retainWhile.apiVersion |
      | retainWhile: {apiVersion: kubevirt.io/v1, name: db}        | retainWhile.kind       |
      | retainWhile: {apiVersion: kubevirt.io/v1, kind: VirtualMachine, name: ""} | retainWhile.name |

  @NIC-20 @NIC-21 @NIC-22 @NIC-24 @NIC-25 @NIC-26 @NIC-27 @NIC-28 @NIC-29
  Scenario Outline: What a NIC is stays as it is
    When "spec.<field>" of NetworkInterface "<name>" is changed to <value>
    Then it is refused at "spec.<at>" with "immutable"

    Examples:
      | name    | field              | value        | at                 |
      | gw.eth0 | nodeName           | "worker-2"   | nodeName           |
      | gw.eth0 | subnet             | "default"    | subnet             |
      | gw.eth1 | l2Network          | "prod-floor" | l2Network          |
      | gw.eth0 | address            | "10.90.0.6"  | address            |
      | gw.eth0 | podRef.uid         | "77c2"       | podRef.uid         |
      | gw.eth0 | podRef.name        | "gw-2"       | podRef.name        |
      | gw.eth0 | podRef.interface   | "eth9"       | podRef.interface   |
      | gw.eth0 | allocationIdentity | "vmi.gw-2"   | allocationIdentity |
      | gw.eth0 | retainWhile.name   | "staging"    | retainWhile        |

  @S1-14 @NIC-23
  Scenario: An ElasticIP is neither changed, nor taken away, nor added
    When "spec.elasticIP" of NetworkInterface "gw.eth2" is changed to "other-eip"
    Then it is refused at "spec.elasticIP" with "immutable"
    When "spec.elasticIP" of NetworkInterface "gw.eth2" is removed
    Then it is refused at "spec.elasticIP" with "immutable"
    When "spec.elasticIP" of NetworkInterface "gw.eth0" is changed to "gw-eip"
    Then it is refused at "spec.elasticIP" with "immutable"

  @NIC-24 @NIC-28 @NIC-29
  Scenario Outline: Nor is anything taken out or added
    When "spec.<field>" of NetworkInterface "<name>" is <change>
    Then it is refused at "spec.<field>" with "immutable"

    Examples:
      | name    | field              | change                                                      |
      | gw.eth0 | address            | removed                                                     |
      | gw.eth0 | allocationIdentity | removed                                                     |
      | gw.eth0 | retainWhile        | removed                                                     |
      | gw.eth1 | allocationIdentity | changed to "vmi.gw"                                         |
      | gw.eth1 | retainWhile        | changed to {apiVersion: v1, kind: Namespace, name: default} |

  @NIC-30
  Scenario: A network that went away refuses no change
    When Subnet "prod-app" is deleted
    Then Subnet "prod-app" is gone
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is removed
    Then it is accepted
    When "spec.securityGroups" of NetworkInterface "gw.eth0" is changed to [no-such]
    Then it is refused at "spec.securityGroups[0]"

  @NIC-30
  Scenario: A NIC that is being deleted is not held up by a SecurityGroup that went away
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: db.eth0, finalizers: [example.com/audit]}
      spec:
        podRef: {name: db, uid: 77c2, interface: eth0}
        nodeName: worker-1
        subnet: prod-app
        securityGroups: [gone]
      """
    When "metadata.labels" of NetworkInterface "db.eth0" is changed to {team: web}
    Then it is refused at "spec.securityGroups[0]"
    When NetworkInterface "db.eth0" is deleted
    And "metadata.labels" of NetworkInterface "db.eth0" is changed to {team: web}
    Then it is accepted
    When "metadata.finalizers" of NetworkInterface "db.eth0" is removed
    Then NetworkInterface "db.eth0" is gone

  @NIC-31
  Scenario Outline: A NIC may always be deleted
    When NetworkInterface "<name>" is deleted
    Then the deletion is accepted
    And NetworkInterface "<name>" is gone

    Examples:
      | name    |
      | gw.eth0 |
      | gw.eth1 |
      | gw.eth2 |
