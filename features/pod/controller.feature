Feature: From Pods to NICs
  A Pod gets all of its NICs or none, keeps them while it runs, and gives them back.

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
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24}
      """

  @PODC-1
  Scenario: A Pod that is going gets no NIC any more
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, finalizers: [example.com/audit], annotations: {juneau.loutres.me/subnet: stockroom}}
      """
    When Pod "catalogue" is deleted
    And Subnet "stockroom" is created with {vpc: shop, cidr: 10.92.0.0/24}
    Then there is no NetworkInterface

  @PODC-2
  Scenario Outline: A Pod that has ended gives its NICs back
    Given these Pods
      | name   | node     | eth0       | eth1       |
      | import | worker-1 | storefront | dock-floor |
    When Pod "import" <ends>
    Then there is no NetworkInterface
    And NetworkEndpoint "import.eth0" is gone
    And NetworkEndpoint "import.eth1" is gone
    And Node "worker-1" has no link of Pod "import"
    And condition "juneau.loutres.me/NetworkReady" of Pod "import" is False with reason "PodCompleted"
    When Pod "import" is deleted
    Then the deletion is accepted

    Examples:
      | ends     |
      | succeeds |
      | fails    |

  @PODC-3
  Scenario: Annotations that nobody can read are told on the Pod, until they change
    Given this object is stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/networks: "eth1 on the dock"}}
      spec: {nodeName: worker-1}
      """
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "InvalidAnnotations"
    And the message names "juneau.loutres.me/networks"
    And an Event of Pod "catalogue" has reason "InvalidAnnotations"
    When 24h pass
    Then there is no NetworkInterface
    When "metadata.annotations" of Pod "catalogue" is changed to {juneau.loutres.me/subnet: storefront}
    Then NetworkInterface "catalogue.eth0" is Ready

  @PODC-4
  Scenario: A Pod without a Node waits for one
    Given Node "worker-1" is deleted
    And Node "worker-2" is deleted
    And these Pods
      | name      | eth0       |
      | catalogue | storefront |
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "NodeNotChosen"
    And the message says "no Node was chosen: there is no Node to run it on"
    And condition "PodScheduled" of Pod "catalogue" is False with reason "Unschedulable"
    And an Event of Pod "catalogue" has reason "FailedScheduling"
    And Pod "catalogue" has no Event with reason "WaitingForNetwork"
    When Node "worker-3" joins
    Then "spec.nodeName" of Pod "catalogue" is "worker-3"
    And condition "PodScheduled" of Pod "catalogue" is True
    And NetworkInterface "catalogue.eth0" is Ready

  @PODC-4
  Scenario: A Pod that is bound and attached at once is warned about nothing
    Given these Pods
      | name      | eth0       |
      | catalogue | storefront |
    Then NetworkInterface "catalogue.eth0" is Ready
    And there is no Event of Pod "catalogue"

  @PODC-5
  Scenario: A Pod never comes up with part of its NICs
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: catalogue
        annotations:
          juneau.loutres.me/subnet: stockroom
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "dock-floor"}]'
      """
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForNetwork"
    And the message says "waiting for the network of a Pod NIC"
    And the message names "eth0"
    And the message names "stockroom"
    When Subnet "stockroom" is created with {vpc: shop, cidr: 10.92.0.0/24}
    Then NetworkInterface "catalogue.eth0" is Ready
    And NetworkInterface "catalogue.eth1" is Ready
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True with reason "InterfacesReady"
    And "status.podIP" of Pod "catalogue" is "10.92.0.4"

  @PODC-5
  Scenario: A network without its number yet is waited for
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: stockroom}}
      """
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    And Subnet "stockroom" is created with {vpc: shop, cidr: 10.92.0.0/24}
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForNetwork"
    And the message names "Subnet stockroom is not Ready"
    When "spec.routes" of RouteTable "shop" is removed
    Then NetworkInterface "catalogue.eth0" is Ready

  @PODC-5
  Scenario Outline: What came after the Pod and does not fit it is told on the Pod
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: stockroom, <annotations>}}
      """
    When Subnet "stockroom" is created with {vpc: shop, cidr: 10.92.0.0/24}
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForNetwork"
    And the message names "<field>"
    And the message names "<says>"

    Examples:
      | annotations                          | field                                            | says         |
      | juneau.loutres.me/address: 10.93.0.9 | metadata.annotations[juneau.loutres.me/address]  | 10.92.0.0/24 |

  @PODC-5 @POD-25
  Scenario Outline: eth0 on an L2Network that comes later without what it needs is told, and made when that has it
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: forklift, annotations: {juneau.loutres.me/networks: '[{"interface": "eth0", "l2Network": "dock-san"}]'}}
      """
    When L2Network "dock-san" is created with <spec>
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "forklift" is False with reason "WaitingForNetwork"
    And the message says "eth0 can be on L2Network dock-san only if that has both spec.cidr and spec.gateway"
    And an Event of Pod "forklift" has reason "WaitingForNetwork"
    When L2Network "dock-san" is deleted
    And L2Network "dock-san" is created with {vpc: shop, cidr: 10.93.0.0/24, gateway: {}}
    Then NetworkInterface "forklift.eth0" is Ready
    And the main table of Pod "forklift" is
      """
      default via 10.93.0.1 dev eth0
      10.93.0.0/24 dev eth0
      """

    Examples:
      | spec                              |
      | {vpc: shop}                       |
      | {vpc: shop, cidr: 10.93.0.0/24}   |

  @PODC-5 @POD-29
  Scenario: In a Vpc that wants SecurityGroups, and came later, a Pod without one waits
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: ledger, annotations: {juneau.loutres.me/subnet: vault-db}}
      """
    And Vpc "vault" with {enforceSecurityGroups: true}
    And SecurityGroup "keys" with {vpc: vault}
    When Subnet "vault-db" is created with {vpc: vault, cidr: 10.44.8.0/22}
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "ledger" is False with reason "WaitingForNetwork"
    And the message says "Vpc vault has enforceSecurityGroups: interface eth0 must name a SecurityGroup"
    When "metadata.annotations" of Pod "ledger" is changed to {juneau.loutres.me/subnet: vault-db, juneau.loutres.me/security-groups: keys}
    Then NetworkInterface "ledger.eth0" is Ready

  @PODC-5 @POD-30
  Scenario: A network that came later and overlaps another one of the Pod is not taken
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: catalogue
        annotations:
          juneau.loutres.me/subnet: stockroom
          juneau.loutres.me/networks: '[{"interface": "eth1", "subnet": "storefront"}]'
      """
    And Vpc "depot" with {}
    When Subnet "stockroom" is created with {vpc: depot, cidr: 10.90.0.0/25}
    Then there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForNetwork"
    And the message says "Subnet storefront (10.90.0.0/24) of eth1 overlaps Subnet stockroom (10.90.0.0/25) of eth0"
    When Subnet "stockroom" is deleted
    And Subnet "stockroom" is created with {vpc: depot, cidr: 10.92.0.0/24}
    Then condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True

  Scenario: A rule that a running Pod breaks by now is told, and nothing is taken from it
    Given Vpc "vault" with {}
    And SecurityGroup "keys" with {vpc: vault}
    And Subnet "vault-db" with {vpc: vault, cidr: 10.44.8.0/22}
    And these Pods
      | name   | eth0     |
      | ledger | vault-db |
    Then Pod "ledger" has no condition "juneau.loutres.me/Valid"
    When "spec.enforceSecurityGroups" of Vpc "vault" is changed to true
    Then condition "juneau.loutres.me/Valid" of Pod "ledger" is False with reason "RulesBroken"
    And the message says "Vpc vault has enforceSecurityGroups: interface eth0 must name a SecurityGroup"
    And condition "juneau.loutres.me/NetworkReady" of Pod "ledger" is True
    When "metadata.annotations" of Pod "ledger" is changed to {juneau.loutres.me/subnet: vault-db, juneau.loutres.me/security-groups: keys}
    Then condition "juneau.loutres.me/Valid" of Pod "ledger" is True
    And "spec.securityGroups" of NetworkInterface "ledger.eth0" is [keys]

  @PODC-6
  Scenario: SecurityGroups of a running Pod follow its annotation
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: web}
      spec: {vpc: shop}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    And the value of "metadata.uid" of NetworkInterface "catalogue.eth0" is noted
    When "metadata.annotations" of Pod "catalogue" is changed to {juneau.loutres.me/subnet: storefront, juneau.loutres.me/security-groups: web}
    Then "spec.securityGroups" of NetworkInterface "catalogue.eth0" is [web]
    And "metadata.uid" of NetworkInterface "catalogue.eth0" is unchanged

  @PODC-6
  Scenario: A SecurityGroup that a running Pod names is taken on when it comes, and until then it is told
    Given these Pods
      | name      | eth0       |
      | catalogue | storefront |
    When "metadata.annotations" of Pod "catalogue" is changed to {juneau.loutres.me/subnet: storefront, juneau.loutres.me/security-groups: web}
    Then "spec.securityGroups" of NetworkInterface "catalogue.eth0" is empty
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForNetwork"
    And the message says "eth0: NetworkInterface catalogue.eth0 would be refused"
    And the message says "no such SecurityGroup"
    And condition "juneau.loutres.me/Valid" of Pod "catalogue" is False with reason "RulesBroken"
    And NetworkInterface "catalogue.eth0" is Ready
    When SecurityGroup "web" is created with {vpc: shop}
    Then "spec.securityGroups" of NetworkInterface "catalogue.eth0" is [web]
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True
    And condition "juneau.loutres.me/Valid" of Pod "catalogue" is True

  @PODC-6 @POD-34
  Scenario Outline: A running Pod stays on the networks and addresses it was made with, and says so
    Given Subnet "stockroom" with {vpc: shop, cidr: 10.92.0.0/24}
    And these Pods
      | name      | eth0       |
      | catalogue | storefront |
    When "metadata.annotations" of Pod "catalogue" is changed to {<annotations>}
    Then it is accepted
    And "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True with reason "InterfacesReady"
    And the message says "eth0 stays on Subnet storefront, though <asked> is asked for by now"
    And the message says "to change NICs, re-create the Pod"
    When "metadata.annotations" of Pod "catalogue" is changed to {juneau.loutres.me/subnet: storefront}
    Then condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True
    And the message is empty

    Examples:
      | annotations                                                                    | asked                                       |
      | juneau.loutres.me/subnet: stockroom                                            | Subnet stockroom                            |
      | juneau.loutres.me/subnet: storefront, juneau.loutres.me/address: 10.90.0.9     | Subnet storefront with address 10.90.0.9    |

  @PODC-6 @POD-34
  Scenario: A NIC that is added to a running Pod is not attached, and it is told what to do
    Given these Pods
      | name      | eth0       |
      | catalogue | storefront |
    When "metadata.annotations" of Pod "catalogue" is changed to {juneau.loutres.me/subnet: storefront, juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "dock-floor"}]'}
    Then NetworkInterface "catalogue.eth1" is Allocated
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForInterfaces"
    And the message says "to change NICs, re-create the Pod"

  @PODC-7 @POD-34
  Scenario: A NIC that a running Pod does not ask for any more goes and falls silent
    Given these Pods
      | name      | node     | eth0       | eth1       |
      | catalogue | worker-1 | storefront | dock-floor |
      | forklift  | worker-2 | storefront | dock-floor |
    Then eth1 of Pod "forklift" can ping eth1 of Pod "catalogue"
    When "metadata.annotations" of Pod "catalogue" is changed to {juneau.loutres.me/subnet: storefront}
    Then NetworkInterface "catalogue.eth1" is gone
    And NetworkEndpoint "catalogue.eth1" is gone
    And NetworkInterface "catalogue.eth0" is Ready
    And Pod "catalogue" has the interfaces eth0, eth1
    And eth1 of Pod "forklift" cannot ping "10.91.0.1"

  Scenario: A running Pod keeps its NICs, whatever becomes of the Vpc's routes
    Given these Pods
      | name      | eth0       |
      | catalogue | storefront |
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then condition "Ready" of Subnet "storefront" is False with reason "VpcNotReady"
    And NetworkInterface "catalogue.eth0" is Ready
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True

  @NIC-25
  Scenario: A Pod made anew under its name waits until the NIC of the old one is gone, then has its address
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    When "metadata.finalizers" of NetworkInterface "catalogue.eth0" is changed to [networkinterface.juneau.loutres.me/allocation-claim, example.com/audit]
    And Pod "catalogue" is deleted
    And this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    Then condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForNetwork"
    And the message names "earlier Pod"
    And Pod "catalogue" is not attached
    When "metadata.finalizers" of NetworkInterface "catalogue.eth0" is removed
    Then "spec.podRef.uid" of NetworkInterface "catalogue.eth0" equals "metadata.uid" of Pod "catalogue"
    And NetworkInterface "catalogue.eth0" is Ready
    And "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"

  @ALLOC-C4 @ALLOC-C9
  Scenario: Within a day a Pod has its address back, later somebody else may have it
    Given these Pods
      | name      | eth0       |
      | catalogue | storefront |
    When Pod "catalogue" is deleted
    And 23h pass
    And these Pods are created
      | name     | eth0       |
      | checkout | storefront |
    Then "status.address" of NetworkInterface "checkout.eth0" is "10.90.0.5/24"
    When these Pods are created
      | name      | eth0       |
      | catalogue | storefront |
    Then "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"
    When Pod "catalogue" is deleted
    And 24h pass
    And these Pods are created
      | name   | eth0       |
      | basket | storefront |
    Then "status.address" of NetworkInterface "basket.eth0" is "10.90.0.4/24"

  @ALLOC-C4
  Scenario: A Pod made anew with another address has that one, and the old one is free
    Given these Pods
      | name      | eth0       |
      | catalogue | storefront |
    When Pod "catalogue" is deleted
    And these Pods are created
      | name      | eth0                  |
      | catalogue | storefront 10.90.0.77 |
    Then "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.77/24"
    And 1 value of AllocationPool "subnet-ip-storefront" is taken

  Scenario: What a Pod had is gone when it is gone, but for the lease of its address
    Given these Pods
      | name      | node     | eth0       | eth1       |
      | catalogue | worker-1 | storefront | dock-floor |
      | forklift  | worker-2 | storefront | dock-floor |
    When Pod "catalogue" is deleted
    Then NetworkInterface "catalogue.eth0" is gone
    And NetworkInterface "catalogue.eth1" is gone
    And NetworkEndpoint "catalogue.eth0" is gone
    And NetworkEndpoint "catalogue.eth1" is gone
    And Node "worker-1" has no link of Pod "catalogue"
    And Pod "forklift" cannot ping "10.90.0.4"
    When these Pods are created
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
    Then Pod "catalogue" has the interfaces eth0
    And Pod "forklift" can ping "10.90.0.4"

  Scenario: A restart changes nothing for a running Pod
    Given these Pods
      | name      | node     | eth0       | eth1       |
      | catalogue | worker-1 | storefront | dock-floor |
      | forklift  | worker-2 | storefront | dock-floor |
    When the controller restarts
    Then nothing is written
    And Pod "forklift" can ping eth0 of Pod "catalogue"
    And eth1 of Pod "forklift" can ping eth1 of Pod "catalogue"
