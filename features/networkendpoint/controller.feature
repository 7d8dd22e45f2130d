Feature: What becomes of a NetworkEndpoint
  An endpoint knows the underlay address of its Node, so that the other Nodes can send to it.

  Scenario: The endpoint of a Pod's NIC is made when the Pod is attached, and goes with its NIC
    Given a lab
    And these manifests
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
      metadata: {name: ledger-0, annotations: {juneau.loutres.me/subnet: ledger-app}}
      spec: {nodeName: worker-2}
      """
    Then the table of nwep is
      """
      NAMESPACE       NAME                   KIND   NODE       SUBNET       L2NETWORK   EXTERNALNETWORK   ADDRESS
      default         ledger-0.eth0          Pod    worker-2   ledger-app                                 10.60.0.4/24
      juneau-system   juneau-node.worker-1   Node   worker-1   default                                    10.16.0.4/16
      juneau-system   juneau-node.worker-2   Node   worker-2   default                                    10.16.0.5/16
      """
    And "status.nodeIP" of NetworkEndpoint "ledger-0.eth0" is "10.225.51.12"
    And "metadata.ownerReferences[0].kind" of NetworkEndpoint "ledger-0.eth0" is "NetworkInterface"
    And "spec.podRef.uid" of NetworkEndpoint "ledger-0.eth0" equals "metadata.uid" of Pod "ledger-0"
    And "metadata.ownerReferences[0].uid" of NetworkEndpoint "ledger-0.eth0" equals "metadata.uid" of NetworkInterface "ledger-0.eth0"
    When Pod "ledger-0" is deleted
    Then NetworkEndpoint "ledger-0.eth0" is gone

  Scenario: The underlay address follows the Node's
    Given a lab
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: ledger-0.eth0}
      spec:
        kind: Pod
        nodeName: worker-3
        subnet: ledger-app
        podRef: {name: ledger-0, interface: eth0, uid: 0b6f6a52}
      """
    Then "status.nodeIP" of NetworkEndpoint "ledger-0.eth0" is empty
    And condition "Ready" of NetworkEndpoint "ledger-0.eth0" is False with reason "NodeNotFound"
    And the message names "worker-3"
    When Node "worker-3" joins
    Then "status.nodeIP" of NetworkEndpoint "ledger-0.eth0" is "10.225.51.13"
    And NetworkEndpoint "ledger-0.eth0" is Ready

  Scenario: Without its endpoint a NIC falls silent although the link is still in the Pod
    Given a lab
    And these manifests
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
      metadata: {name: ledger-0, annotations: {juneau.loutres.me/subnet: ledger-app}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: ledger-1, annotations: {juneau.loutres.me/subnet: ledger-app}}
      """
    Then Pod "ledger-0" can ping eth0 of Pod "ledger-1"
    When NetworkEndpoint "ledger-0.eth0" is deleted
    Then NetworkInterface "ledger-0.eth0" is Allocated with reason "WaitingForInterface"
    And eth0 of Pod "ledger-0" has the address "10.60.0.4/24"
    And Pod "ledger-0" cannot ping eth0 of Pod "ledger-1"
    And Pod "ledger-1" cannot ping eth0 of Pod "ledger-0"
