Feature: What a NetworkEndpoint may say
  A NetworkEndpoint is the record of an interface that is really there; the Nodes write it.

  Background:
    Given a lab
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-0.eth0}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: ledger-app
        address: 10.60.0.4/24
        macAddress: "0e:5a:11:c2:90:07"
        attachment: {ifindex: 41, hostMACAddress: "6a:22:4f:8e:01:3d", containerID: 5f0c1d}
        podRef: {name: ledger-0, interface: eth0, uid: 0b6f6a52}
      """

  @NWEP-1 @NWEP-2 @NWEP-3 @NWEP-4 @NWEP-5 @NWEP-6
  Scenario Outline: An endpoint is of one kind, on one Node, in one segment
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-1.eth0}
      spec: {<spec>}
      """
    Then it is refused at "<field>" with "<says>"

    Examples:
      | spec                                                                                                             | field                | says            |
      | kind: Router, nodeName: worker-1, subnet: ledger-app                                                             | spec.kind            | ServiceNAT      |
      | nodeName: worker-1, subnet: ledger-app                                                                           | spec.kind            | Required        |
      | kind: Node, nodeName: "", subnet: ledger-app                                                                     | spec.nodeName        | Required        |
      | kind: Node, nodeName: worker-1                                                                                   | spec                 | subnet          |
      | kind: Node, nodeName: worker-1                                                                                   | spec                 | l2Network       |
      | kind: Node, nodeName: worker-1                                                                                   | spec                 | externalNetwork |
      | kind: Node, nodeName: worker-1, subnet: ledger-app, l2Network: ledger-san                                        | spec                 | exactly one     |
      | kind: ServiceNAT, nodeName: worker-1, externalNetwork: uplink                                                    | spec.externalNetwork | Pod             |
      | kind: Pod, nodeName: worker-1, subnet: ledger-app                                                                | spec.podRef          | Required        |
      | kind: Node, nodeName: worker-1, subnet: ledger-app, podRef: {name: ledger-1, interface: eth0, uid: 77c2}         | spec.podRef          | Node            |
      | kind: ServiceNAT, nodeName: worker-1, subnet: ledger-app, podRef: {name: ledger-1, interface: eth0, uid: 77c2}   | spec.podRef          | ServiceNAT      |

  @NWEP-7 @NWEP-8
  Scenario Outline: Pod and link are told in full
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-1.eth0}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: ledger-app
        podRef: {<pod>}
        attachment: {<link>}
      """
    Then it is refused at "<field>"

    Examples:
      | pod                                      | link                                                | field                          |
      | interface: eth0, uid: 77c2               | ifindex: 42, hostMACAddress: "6a:22:4f:8e:01:3e"    | spec.podRef.name               |
      | name: ledger-1, uid: 77c2                | ifindex: 42, hostMACAddress: "6a:22:4f:8e:01:3e"    | spec.podRef.interface          |
      | name: ledger-1, interface: eth0          | ifindex: 42, hostMACAddress: "6a:22:4f:8e:01:3e"    | spec.podRef.uid                |
      | name: ledger-1, interface: eth0, uid: "" | ifindex: 42, hostMACAddress: "6a:22:4f:8e:01:3e"    | spec.podRef.uid                |
      | name: ledger-1, interface: eth0, uid: 77c2 | ifindex: 0, hostMACAddress: "6a:22:4f:8e:01:3e"   | spec.attachment.ifindex        |
      | name: ledger-1, interface: eth0, uid: 77c2 | ifindex: 42                                       | spec.attachment.hostMACAddress |
      | name: ledger-1, interface: eth0, uid: 77c2 | ifindex: 42, hostMACAddress: ""                   | spec.attachment.hostMACAddress |
      | name: ledger-1, interface: eth0, uid: 77c2 | ifindex: 42, hostMACAddress: the uplink           | spec.attachment.hostMACAddress |

  Scenario Outline: An address and a MAC that nobody can read are refused
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-1.eth0}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: ledger-app
        podRef: {name: ledger-1, interface: eth0, uid: 77c2}
        <field>: "<value>"
      """
    Then it is refused at "spec.<field>" with "<value>"

    Examples:
      | field      | value             |
      | address    | 10.60.0.5         |
      | address    | ten-dot-sixty     |
      | macAddress | 0e:5a:11:c2:90    |
      | macAddress | 0E:5A:11:C2:90:07 |

  Scenario: An endpoint with such a MAC that is stored already harms nobody
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: ledger}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-app}
      spec: {vpc: ledger, cidr: 10.60.0.0/24}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: teller-0, annotations: {juneau.loutres.me/subnet: ledger-app}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: teller-1, annotations: {juneau.loutres.me/subnet: ledger-app}}
      """
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-1.eth0}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: ledger-app
        address: 10.60.0.77/24
        macAddress: "no MAC at all"
        podRef: {name: ledger-1, interface: eth0, uid: 77c2}
      """
    Then Pod "teller-0" can ping eth0 of Pod "teller-1"

  @NWEP-9 @NWEP-10 @NWEP-11 @NWEP-12 @NWEP-13 @NWEP-14 @NWEP-17 @NWEP-18 @NWEP-19
  Scenario Outline: What an endpoint is stays as it is
    When "spec.<field>" of NetworkEndpoint "ledger-0.eth0" is changed to "<value>"
    Then it is refused at "spec.<field>" with "immutable"

    Examples:
      | field            | value         |
      | kind             | Node          |
      | nodeName         | worker-2      |
      | subnet           | ledger-db     |
      | l2Network        | ledger-san    |
      | externalNetwork  | uplink        |
      | address          | 10.60.0.5/24  |
      | podRef.uid       | 77c2          |
      | podRef.name      | ledger-1      |
      | podRef.interface | eth1          |

  @NWEP-15
  Scenario: A MAC changes only together with the link
    When "spec.macAddress" of NetworkEndpoint "ledger-0.eth0" is changed to "0e:5a:11:c2:90:08"
    Then it is refused at "spec.macAddress" with "attachment"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-0.eth0}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: ledger-app
        address: 10.60.0.4/24
        macAddress: "0e:5a:11:c2:90:08"
        attachment: {ifindex: 52, hostMACAddress: "6a:22:4f:8e:01:3f", containerID: 9a77e0}
        podRef: {name: ledger-0, interface: eth0, uid: 0b6f6a52}
      """
    Then it is accepted
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-0.eth0}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: ledger-app
        address: 10.60.0.4/24
        macAddress: "0e:5a:11:c2:90:09"
        podRef: {name: ledger-0, interface: eth0, uid: 0b6f6a52}
      """
    Then it is accepted

  @NWEP-15
  Scenario: The MAC of a Node's endpoint never changes
    When "spec.macAddress" of NetworkEndpoint "juneau-system/juneau-node.worker-1" is changed to "0e:5a:11:c2:90:08"
    Then it is refused at "spec.macAddress" with "Pod"

  @NWEP-16
  Scenario: An endpoint is not taken from its Pod
    When "spec.podRef" of NetworkEndpoint "ledger-0.eth0" is removed
    Then it is refused at "spec.podRef" with "removed"

  @NWEP-20
  Scenario: The link may change, and go
    When "spec.attachment.ifindex" of NetworkEndpoint "ledger-0.eth0" is changed to 43
    Then it is accepted
    When "spec.attachment" of NetworkEndpoint "ledger-0.eth0" is removed
    Then it is accepted

  @NWEP-21
  Scenario: An endpoint may be deleted, and names what need not exist
    Then Subnet "ledger-app" does not exist
    When NetworkEndpoint "ledger-0.eth0" is deleted
    Then the deletion is accepted
    And NetworkEndpoint "ledger-0.eth0" is gone
