Feature: What a cluster does for Pods by itself
  Scheduler, kubelets and API server treat Pods in a lab as they do in a cluster.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      """

  Scenario: A Pod that runs has the address of eth0, and that of its Node beside it
    Given these Pods
      | name      | node     | eth0       |
      | catalogue | worker-2 | storefront |
    Then "status.phase" of Pod "catalogue" is "Running"
    And "status.podIP" of Pod "catalogue" is "10.90.0.4"
    And "status.podIPs" of Pod "catalogue" is [{ip: 10.90.0.4}]
    And "status.hostIP" of Pod "catalogue" is "10.225.51.12"

  Scenario: A Pod on its Node's own network runs with the Node's address, and has no NIC
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: exporter}
      spec: {hostNetwork: true}
      """
    Then "spec.nodeName" of Pod "exporter" is "worker-1"
    And "status.phase" of Pod "exporter" is "Running"
    And "status.podIP" of Pod "exporter" is "10.225.51.11"
    And "status.hostIP" of Pod "exporter" is "10.225.51.11"
    And there is no NetworkInterface
    And Pod "exporter" is not attached
    And Node "worker-1" has no link of Pod "exporter"
    And there is no Event of Pod "exporter"

  Scenario: Pods on the Nodes' own network are spread over the Nodes like others
    Given these manifests
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: exporter}
      spec: {hostNetwork: true}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue}
      """
    Then "spec.nodeName" of Pod "exporter" is "worker-1"
    And "spec.nodeName" of Pod "catalogue" is "worker-2"

  Scenario: A Pod on a Node's own network waits for a Node, too
    Given Node "worker-1" is deleted
    And Node "worker-2" is deleted
    And this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: exporter}
      spec: {hostNetwork: true}
      """
    Then an Event of Pod "exporter" has reason "FailedScheduling"
    When Node "worker-3" joins
    Then "status.phase" of Pod "exporter" is "Running"
    And "status.podIP" of Pod "exporter" equals "status.hostIP" of Pod "exporter"

  Scenario: The shadow of a Pod that a kubelet runs from a file is left to that kubelet
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: proxy, annotations: {kubernetes.io/config.mirror: 5f0c}}
      """
    Then "spec.nodeName" of Pod "proxy" is empty
    And "status.phase" of Pod "proxy" is "Pending"
    And there is no Event of Pod "proxy"

  Scenario: A nodeSelector is honoured
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      spec: {nodeSelector: {kubernetes.io/hostname: worker-2}}
      """
    Then "spec.nodeName" of Pod "catalogue" is "worker-2"
    And Pod "catalogue" is attached on worker-2

  Scenario: A Pod whose nodeSelector fits no Node waits until one does
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: ledger, annotations: {juneau.loutres.me/subnet: storefront}}
      spec: {nodeSelector: {disk: ssd, zone: north}}
      """
    Then condition "PodScheduled" of Pod "ledger" is False with reason "Unschedulable"
    And the message says "disk=ssd, zone=north"
    And condition "juneau.loutres.me/NetworkReady" of Pod "ledger" is False with reason "NodeNotChosen"
    And the message says "none of 2 Nodes has the labels of its nodeSelector: disk=ssd, zone=north"
    And an Event of Pod "ledger" has reason "FailedScheduling"
    When "metadata.labels" of Node "worker-2" is changed to {disk: ssd}
    Then "spec.nodeName" of Pod "ledger" is empty
    When "metadata.labels" of Node "worker-2" is changed to {disk: ssd, zone: north, rack: "7"}
    Then "spec.nodeName" of Pod "ledger" is "worker-2"
    And condition "PodScheduled" of Pod "ledger" is True
    And "status.phase" of Pod "ledger" is "Running"

  Scenario Outline: What a Pod was created with stays
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      spec:
        containers: [{name: web, image: web-v1}]
        initContainers: [{name: seed, image: seed-v1}]
        tolerations: [{key: spot, operator: Exists}]
        restartPolicy: Always
      """
    When "spec.<field>" of Pod "catalogue" is changed to <value>
    Then it is refused at "spec.<at>" with "Forbidden"
    And nothing is written

    Examples:
      | field          | value                                                    | at             |
      | nodeName       | "worker-2"                                               | nodeName       |
      | nodeName       | ""                                                       | nodeName       |
      | hostNetwork    | true                                                     | hostNetwork    |
      | dnsPolicy      | "Default"                                                | dnsPolicy      |
      | dnsConfig      | {nameservers: [192.0.2.53]}                              | dnsConfig      |
      | nodeSelector   | {disk: ssd}                                              | nodeSelector   |
      | restartPolicy  | "Never"                                                  | restartPolicy  |
      | hostname       | "web"                                                    | hostname       |
      | containers     | []                                                       | containers     |
      | containers     | [{name: web, image: web-v1}, {name: log, image: log-v1}] | containers     |
      | containers     | [{name: site, image: web-v1}]                            | containers[0]  |
      | initContainers | []                                                       | initContainers |
      | tolerations    | []                                                       | tolerations    |
      | tolerations    | [{key: gpu, operator: Exists}]                           | tolerations    |

  Scenario Outline: A few fields of a Pod may change
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      spec:
        containers: [{name: web, image: web-v1}]
        tolerations: [{key: spot, operator: Exists}]
      """
    When "spec.<field>" of Pod "catalogue" is changed to <value>
    Then it is accepted
    And "spec.<field>" of Pod "catalogue" is <value>

    Examples:
      | field                 | value                                                         |
      | containers            | [{name: web, image: web-v2}]                                  |
      | tolerations           | [{key: spot, operator: Exists}, {key: gpu, operator: Exists}] |
      | activeDeadlineSeconds | 3600                                                          |

  Scenario: A Pod that waits may be bound by hand
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: ledger, annotations: {juneau.loutres.me/subnet: storefront}}
      spec: {nodeSelector: {disk: ssd}}
      """
    When "spec.nodeName" of Pod "ledger" is changed to "worker-1"
    Then it is accepted
    And Pod "ledger" is attached on worker-1

  Scenario: A Namespace that goes says so while its content does
    Given these manifests
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: depot}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: forklift, namespace: depot, finalizers: [example.com/audit]}
      """
    Then "status.phase" of Namespace "depot" is "Active"
    When Namespace "depot" is deleted
    Then "status.phase" of Namespace "depot" is "Terminating"
    When "metadata.finalizers" of Pod "depot/forklift" is removed
    Then Namespace "depot" is gone
    And Pod "depot/forklift" is gone
