Feature: Pods on an L2Network
  A Pod asks for its NICs in annotations; eth0 on an L2Network asks more of that L2Network than any other NIC.

  Background:
    Given a lab
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}

  @S4-97
  Scenario: eth0 on a Subnet, eth1 on an L2Network
    Given L2Network "lab-net" with {vpc: lab}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations:
          juneau.loutres.me/subnet: web
          juneau.loutres.me/networks: |
            [
              {"interface": "eth1", "l2Network": "lab-net"}
            ]
      spec: {nodeName: worker-1}
      """
    Then it is accepted
    And the table of networkinterfaces is
      """
      NAME     NODE       SUBNET   L2NETWORK   ELASTICIP   ADDRESS        PHASE
      a.eth0   worker-1   web                              10.90.0.4/24   Ready
      a.eth1   worker-1            lab-net                                Ready
      """

  @S4-98 @POD-8
  Scenario Outline: An entry names no more than one network
    Given L2Network "lab-net" with {vpc: lab}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations:
          juneau.loutres.me/subnet: web
          juneau.loutres.me/networks: '[{"interface": "eth1", <networks>}]'
      spec: {}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].<second>"
    And nothing was stored

    Examples:
      | networks                                                    | second    |
      | "subnet": "web", "l2Network": "lab-net"                     | l2Network |
      | "subnet": "web", "elasticIP": "e"                           | elasticIP |
      | "l2Network": "lab-net", "elasticIP": "e"                    | elasticIP |
      | "l2Network": "lab-net", "elasticIP": "e", "subnet": "web"   | l2Network |

  @S4-99 @POD-7
  Scenario: An entry names a network
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations: {juneau.loutres.me/networks: '[{"interface": "eth1"}]'}
      spec: {}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0]" with "subnet, l2Network and elasticIP"
    And nothing was stored

  @S4-103 @S4-107 @S4-51
  Scenario: eth0 on an L2Network, with the gateway as its default route
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations:
          juneau.loutres.me/networks: |
            [
              {"interface": "eth0", "l2Network": "lab-net"}
            ]
      spec: {nodeName: worker-1}
      """
    Then it is accepted
    And the table of networkinterfaces is
      """
      NAME     NODE       SUBNET   L2NETWORK   ELASTICIP   ADDRESS        PHASE
      a.eth0   worker-1            lab-net                 10.70.4.2/24   Ready
      """
    And Pod "a" has the interfaces eth0
    And the main table of Pod "a" is
      """
      default via 10.70.4.1 dev eth0
      10.70.4.0/24 dev eth0
      """

  @S4-104 @POD-35
  Scenario: The annotation for a Subnet takes no L2Network
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: a, annotations: {juneau.loutres.me/subnet: lab-net}}
      spec: {nodeName: worker-1}
      """
    Then it is accepted
    And NetworkInterface "a.eth0" does not exist
    And condition "juneau.loutres.me/NetworkReady" of Pod "a" is False with reason "WaitingForNetwork"
    And the message names "Subnet lab-net"
    And Pod "a" is not attached

  @S4-105 @POD-25
  Scenario Outline: eth0 needs an L2Network with both cidr and gateway
    Given L2Network "lab-net" with <spec>
    When these Pods are created
      | name | node     | eth0    |
      | a    | worker-1 | lab-net |
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].l2Network" with "eth0"
    And the error says "spec.cidr"
    And the error says "spec.gateway"
    And the error names "lab-net"
    And nothing was stored

    Examples:
      | spec                           |
      | {vpc: lab}                     |
      | {vpc: lab, cidr: 10.70.4.0/24} |

  @S4-105
  Scenario: With both it is accepted
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    When these Pods are created
      | name | node     | eth0    |
      | a    | worker-1 | lab-net |
    Then it is accepted
    And NetworkInterface "a.eth0" is Ready

  @S4-106
  Scenario: A runtime would fail an eth0 without address, so the CNI says so instead of attaching it
    Given L2Network "plain" with {vpc: lab, cidr: 10.70.9.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0  |
      | a    | worker-3 | plain |
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: plain}
      spec: {vpc: lab}
      """
    When Node "worker-3" joins
    Then Pod "a" is not attached
    And the runtime is told "has no address" of Pod "a"
    And an Event of Pod "a" has reason "FailedCreatePodSandBox"
    And the message says "has no address"
    And NetworkEndpoint "a.eth0" does not exist

  @S4-108 @S4-109
  Scenario: Names are the Node's affair on an L2Network, the Subnet's resolver's on a Subnet
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0    | eth1    |
      | on   | worker-1 | lab-net |         |
      | off  | worker-1 | web     | lab-net |
    Then "spec.dnsPolicy" of Pod "on" is "Default"
    And "spec.dnsConfig" of Pod "on" is empty
    And "spec.dnsPolicy" of Pod "off" is "None"
    And "spec.dnsConfig.nameservers" of Pod "off" is ["10.90.0.2"]

  @S4-111
  Scenario: The Node has no route to such a Pod
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And the routes of worker-1 are noted
    And these Pods
      | name | node     | eth0    |
      | a    | worker-1 | lab-net |
    Then the routes of worker-1 are unchanged
    And worker-1 has no route to "10.70.4.2"
    And Node "worker-1" cannot ping eth0 of Pod "a"
    And eth0 of Pod "a" receives nothing

  @S4-112
  Scenario: So Pods of different Vpcs can have the same address on one Node
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And Vpc "tenant" with {}
    And L2Network "theirs" with {vpc: tenant, cidr: 10.70.4.0/24, gateway: {}}
    And the routes of worker-1 are noted
    And these Pods
      | name  | node     | eth0    |
      | a     | worker-1 | lab-net |
      | b     | worker-1 | lab-net |
      | their-a | worker-1 | theirs  |
      | their-b | worker-1 | theirs  |
    Then eth0 of Pod "a" has the address "10.70.4.2/24"
    And eth0 of Pod "their-a" has the address "10.70.4.2/24"
    And the routes of worker-1 are unchanged
    And Pod "b" can ping "10.70.4.2"
    And eth0 of Pod "a" receives 1 ping
    And eth0 of Pod "their-a" receives nothing
    And Pod "their-b" can ping "10.70.4.2"
    And eth0 of Pod "their-a" receives 1 ping
    And eth0 of Pod "a" receives nothing
