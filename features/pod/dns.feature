Feature: The resolver of a Pod
  A Pod of a Vpc of its own asks that Vpc's resolver; on a segment, where there is none, it asks its Node's.

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
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: prod-floor}
      spec: {vpc: prod, cidr: 10.91.0.0/24, gateway: {}}
      """

  @POD-DNS
  Scenario Outline: eth0 on a Subnet of a Vpc of its own uses the resolver of the Subnet
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, annotations: {juneau.loutres.me/subnet: prod-app}}
      spec: {<policy>}
      """
    Then "spec.dnsPolicy" of Pod "app" is "None"
    And "spec.dnsConfig.nameservers" of Pod "app" is [10.90.0.2]
    And "spec.dnsConfig.searches" of Pod "app" is [default.svc.cluster.local, svc.cluster.local, cluster.local]
    And "spec.dnsConfig.options" of Pod "app" is [{name: ndots, value: "5"}]

    Examples:
      | policy                             |
      | restartPolicy: Always              |
      | dnsPolicy: ClusterFirst            |
      | dnsPolicy: ClusterFirstWithHostNet |

  @POD-DNS
  Scenario: What the Pod brings along is kept, after the Subnet's resolver, three in all
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, annotations: {juneau.loutres.me/subnet: prod-app}}
      spec:
        dnsConfig:
          nameservers: [192.0.2.53, 10.90.0.2, 192.0.2.54, 192.0.2.55]
          searches: [corp.example.com]
          options: [{name: ndots, value: "2"}, {name: edns0}]
      """
    Then "spec.dnsConfig.nameservers" of Pod "app" is [10.90.0.2, 192.0.2.53, 192.0.2.54]
    And "spec.dnsConfig.searches" of Pod "app" is [corp.example.com]
    And "spec.dnsConfig.options" of Pod "app" is [{name: ndots, value: "2"}, {name: edns0}]

  @POD-DNS
  Scenario Outline: eth0 on an L2Network or an ElasticIP uses the Node's resolver
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, annotations: {<annotations>}}
      """
    Then "spec.dnsPolicy" of Pod "app" is "Default"
    And "spec.dnsConfig" of Pod "app" is empty

    Examples:
      | annotations                                                                      |
      | juneau.loutres.me/networks: '[{"interface": "eth0", "l2Network": "prod-floor"}]' |
      | juneau.loutres.me/elastic-ip: app-eip                                            |
      | juneau.loutres.me/networks: '[{"interface": "eth0", "elasticIP": "app-eip"}]'    |

  @POD-DNS
  Scenario Outline: All others are left as they are
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, annotations: {example.com/team: web<annotations>}}
      spec: {<spec>}
      """
    Then it is accepted
    And "spec.dnsConfig" of Pod "app" is empty
    And "spec.dnsPolicy" of Pod "app" is <policy>

    Examples:
      | annotations                                                                 | spec                                            | policy         |
      |                                                                             | dnsPolicy: ClusterFirst                         | "ClusterFirst" |
      | , juneau.loutres.me/subnet: stage-app                                       | dnsPolicy: ClusterFirst                         | "ClusterFirst" |
      | , juneau.loutres.me/subnet: prod-app                                        | dnsPolicy: Default                              | "Default"      |
      | , juneau.loutres.me/subnet: prod-app                                        | dnsPolicy: None                                 | "None"         |
      | , juneau.loutres.me/subnet: prod-app                                        | dnsPolicy: ClusterFirst, hostNetwork: true      | "ClusterFirst" |
      | , juneau.loutres.me/subnet: prod-app, juneau.loutres.me/dns-inject-skip: "true" | dnsPolicy: ClusterFirst                     | "ClusterFirst" |
      | , juneau.loutres.me/subnet: prod-app, kubernetes.io/config.mirror: 5f0c     | dnsPolicy: ClusterFirst                         | "ClusterFirst" |

  @POD-DNS
  Scenario: Only eth0 counts
    Given these Pods
      | name | eth0 | eth1     |
      | app  |      | prod-app |
    Then "spec.dnsPolicy" of Pod "app" is empty

  @POD-DNS
  Scenario: The settings are made once, at creation
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, annotations: {example.com/team: web}}
      spec: {dnsPolicy: ClusterFirst}
      """
    When "metadata.annotations" of Pod "app" is changed to {juneau.loutres.me/subnet: prod-app}
    Then "spec.dnsPolicy" of Pod "app" is "ClusterFirst"
    And "spec.dnsConfig" of Pod "app" is empty

  @POD-DNS
  Scenario: A Pod that has its UID already is still being created
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: app, uid: 6f1f8f2e-8a53-4e0c-9d57-2f6f1f0f7a11, annotations: {juneau.loutres.me/subnet: prod-app}}
      spec: {dnsPolicy: ClusterFirst}
      """
    Then "spec.dnsPolicy" of Pod "app" is "None"
    And "spec.dnsConfig.nameservers" of Pod "app" is [10.90.0.2]
