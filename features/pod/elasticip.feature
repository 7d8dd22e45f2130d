Feature: Pods that ask for an ElasticIP somebody has
  It is refused when the Pod is created; but a holder that is about to go is waited for.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: edge-routed}
      spec: {advertiseMode: bgp, addresses: [203.0.113.0/28]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: edge}
      spec: {type: bgp, addressPools: [edge-routed]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: gw-eip}
      spec: {externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: prod-app}
      spec: {vpc: prod, cidr: 10.90.0.0/24}
      """

  @POD-31
  Scenario Outline: An ElasticIP that is used for NAT is refused, at the entry or the annotation
    Given these Pods
      | name | eth0     |
      | api  | prod-app |
    And ElasticIPAttachment "gw-nat" with {elasticIPRef: {name: gw-eip}, targetRef: {networkInterfaceName: api.eth0}}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {<annotation>}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/<field>"
    And the error names "gw-eip"
    And the error names "gw-nat"
    And nothing was stored

    Examples:
      | annotation                                                                  | field                  |
      | juneau.loutres.me/elastic-ip: gw-eip                                        | elastic-ip]            |
      | juneau.loutres.me/networks: '[{"interface": "eth0", "elasticIP": "gw-eip"}]' | networks][0].elasticIP |
      | juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}]' | networks][0].elasticIP |

  @POD-31
  Scenario: An attachment that is being deleted stands in no Pod's way
    Given these Pods
      | name | eth0     |
      | api  | prod-app |
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: gw-nat, finalizers: [example.com/audit]}
      spec: {elasticIPRef: {name: gw-eip}, targetRef: {networkInterfaceName: api.eth0}}
      """
    When ElasticIPAttachment "gw-nat" is deleted
    And these Pods are created
      | name | eth1   |
      | gw   | gw-eip |
    Then it is accepted
    And NetworkInterface "gw.eth1" is Ready

  @POD-32
  Scenario Outline: An ElasticIP that a NIC of another Pod carries is refused
    Given these Pods
      | name | eth1   |
      | gw   | gw-eip |
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw-2, annotations: {<annotation>}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/<field>"
    And the error names "gw-eip"
    And the error names "gw.eth1"
    And nothing was stored

    Examples:
      | annotation                                                                   | field                  |
      | juneau.loutres.me/elastic-ip: gw-eip                                         | elastic-ip]            |
      | juneau.loutres.me/networks: '[{"interface": "eth2", "elasticIP": "gw-eip"}]' | networks][0].elasticIP |

  @POD-32
  Scenario: Another namespace's ElasticIP of that name is another one
    Given Namespace "staging" with {}
    And ElasticIP "staging/gw-eip" with {externalNetwork: edge}
    And these Pods
      | name | eth1   |
      | gw   | gw-eip |
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, namespace: staging, annotations: {juneau.loutres.me/elastic-ip: gw-eip}}
      """
    Then it is accepted
    And NetworkInterface "staging/gw.eth0" is Ready

  @POD-32
  Scenario: A holder that is being deleted is waited for
    Given these Pods
      | name | eth1   |
      | gw   | gw-eip |
    And "metadata.finalizers" of NetworkInterface "gw.eth1" is changed to [example.com/audit]
    When NetworkInterface "gw.eth1" is deleted
    And these Pods are created
      | name | eth1   |
      | gw-2 | gw-eip |
    Then it is accepted
    And NetworkInterface "gw-2.eth1" is Pending with reason "WaitingForElasticIP"
    When "metadata.annotations" of Pod "gw" is removed
    And "metadata.finalizers" of NetworkInterface "gw.eth1" is removed
    Then NetworkInterface "gw-2.eth1" is Ready

  @POD-32
  Scenario: So is one whose Pod is terminating
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, finalizers: [example.com/audit], annotations: {juneau.loutres.me/elastic-ip: gw-eip}}
      """
    When Pod "gw" is deleted
    And these Pods are created
      | name | eth1   |
      | gw-2 | gw-eip |
    Then it is accepted
    And NetworkInterface "gw-2.eth1" is Pending with reason "WaitingForElasticIP"
    And the message names "gw.eth0"
    When "metadata.finalizers" of Pod "gw" is removed
    Then NetworkInterface "gw-2.eth1" is Ready

  @POD-32
  Scenario Outline: So is one whose Pod is gone, or was made anew
    Given these Pods
      | name | eth0     |
      | gw   | prod-app |
    And NetworkInterface "<nic>" with {podRef: {name: <pod>, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: gw-eip}
    When these Pods are created
      | name | eth1   |
      | gw-2 | gw-eip |
    Then it is accepted
    And NetworkInterface "gw-2.eth1" is Pending with reason "WaitingForElasticIP"
    When NetworkInterface "<nic>" is deleted
    Then NetworkInterface "gw-2.eth1" is Ready

    Examples:
      | nic      | pod |
      | old.eth1 | old |
      | gw.eth1  | gw  |

  @POD-32
  Scenario Outline: One identity lets in, another one or none does not
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-gw-x7k2p
        annotations: {juneau.loutres.me/elastic-ip: gw-eip}
        ownerReferences: [{apiVersion: <api>, kind: <kind>, name: gw, uid: 5d1c7e10}]
      """
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: virt-launcher-gw-m4q8z
        annotations: {juneau.loutres.me/elastic-ip: gw-eip}
        ownerReferences: [{apiVersion: <api>, kind: <kind>, name: <owner>, uid: 5d1c7e10}]
      """
    Then it is <judged>

    Examples:
      | api             | kind                   | owner | judged   |
      | kubevirt.io/v1  | VirtualMachineInstance | gw    | accepted |
      | kubevirt.io/v1  | VirtualMachineInstance | gw-2  | refused  |
      | apps/v1         | ReplicaSet             | gw    | refused  |

  @POD-32
  Scenario: A Pod that is made anew under its name has its ElasticIP back
    Given these Pods
      | name | eth1   |
      | gw   | gw-eip |
    When Pod "gw" is deleted
    And these Pods are created
      | name | eth1   |
      | gw   | gw-eip |
    Then it is accepted
    And NetworkInterface "gw.eth1" is Ready

  @POD-33
  Scenario Outline: One that does not exist yet, or has no address yet, is waited for
    Given ElasticIP "far" with {externalNetwork: edge, requestedIP: 192.0.2.1}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: <eip>}}
      """
    Then it is accepted
    And there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "gw" is False with reason "WaitingForNetwork"
    And the message names "ElasticIP <eip>"

    Examples:
      | eip  |
      | late |
      | far  |

  Scenario: Nothing that a running Pod asked for becomes wrong because another one waits for it
    Given this object is stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: one, annotations: {juneau.loutres.me/elastic-ip: gw-eip}}
      """
    And this object is stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: two, annotations: {juneau.loutres.me/elastic-ip: gw-eip}}
      """
    Then Pod "one" has no condition "juneau.loutres.me/Valid"
    And Pod "two" has no condition "juneau.loutres.me/Valid"
    And condition "juneau.loutres.me/NetworkReady" of Pod "one" is True
