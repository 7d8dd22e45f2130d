Feature: What becomes of an ElasticIP
  It gets an address and keeps it, says who has it, and on a network of type arp has that one's Node answer for it.

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
      kind: AddressPool
      metadata: {name: edge-lan}
      spec: {advertiseMode: arp, addresses: [10.225.51.200-10.225.51.201]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: lan}
      spec: {type: arp, addressPools: [edge-lan]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      """

  Scenario: The table tells the address, who has it, and how that stands
    Given ElasticIP "api" with {externalNetwork: edge}
    And ElasticIP "gw" with {externalNetwork: edge}
    And ElasticIP "web" with {externalNetwork: edge, requestedIP: 203.0.113.7}
    And these Pods
      | name | node     | eth0       | eth1 |
      | api  | worker-1 | storefront |      |
      | gw   | worker-2 | storefront | gw   |
    And ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: api.eth0}}
    Then the table of elasticips is
      """
      NAME   EXTERNALNETWORK   ADDRESS       ATTACHMENTKIND        ATTACHMENT   PHASE       ALLOCATED   ATTACHED
      api    edge              203.0.113.1   ElasticIPAttachment   api-nat      Attached    True        True
      gw     edge              203.0.113.2   NetworkInterface      gw.eth1      Attached    True        True
      web    edge              203.0.113.7                                      Available   True        False
      """
    And the table of elasticipattachments is
      """
      NAME      ELASTICIP   NETWORKINTERFACE   EIP           PODIP       NODE       PHASE      READY
      api-nat   api         api.eth0           203.0.113.1   10.90.0.4   worker-1   Attached   True
      """

  Scenario: It is reserved by a claim of its own, which a finalizer takes away
    Given Namespace "shop" with {}
    And ElasticIP "shop/web" with {externalNetwork: edge, requestedIP: 203.0.113.7}
    Then ElasticIP "shop/web" is Available
    And condition "Ready" of ElasticIP "shop/web" is True
    And condition "Allocated" of ElasticIP "shop/web" is True with reason "ReconcileSucceeded"
    And condition "Attached" of ElasticIP "shop/web" is False with reason "AwaitingAttachment"
    And "metadata.finalizers" of ElasticIP "shop/web" is [elasticip.juneau.loutres.me/allocation-claim]
    And "status.value.ip" of AllocationClaim "elasticip--elasticip--shop--web--status-address" is "203.0.113.7"
    And "spec.poolRefs" of AllocationClaim "elasticip--elasticip--shop--web--status-address" is [{name: addr-edge-routed}]
    And "metadata.ownerReferences" of AllocationClaim "elasticip--elasticip--shop--web--status-address" is empty
    When ElasticIP "shop/web" is deleted
    Then ElasticIP "shop/web" is gone
    And AllocationClaim "elasticip--elasticip--shop--web--status-address" is gone
    And 0 values of AllocationPool "addr-edge-routed" are taken

  Scenario: The pools are asked in their order
    Given AddressPool "more" with {advertiseMode: bgp, addresses: [198.51.100.1/32]}
    And ExternalNetwork "wide" with {type: bgp, addressPools: [more]}
    And ElasticIP "first" with {externalNetwork: wide}
    And ElasticIP "second" with {externalNetwork: wide}
    Then "status.address" of ElasticIP "first" is "198.51.100.1"
    And ElasticIP "second" is Pending with reason "NoAddressAvailable"
    When AddressPool "extra" is created with {advertiseMode: bgp, addresses: [198.51.100.9/32]}
    And "spec.addressPools" of ExternalNetwork "wide" is changed to [more, extra]
    Then "status.address" of ElasticIP "second" is "198.51.100.9"
    And "status.addressPool" of ElasticIP "second" is "extra"
    And "status.address" of ElasticIP "first" is "198.51.100.1"

  Scenario: A claim that fails is told on the ElasticIP
    Given ElasticIP "web" with {externalNetwork: edge, requestedIP: 192.0.2.1}
    Then ElasticIP "web" is Pending with reason "Allocating"
    And condition "Allocated" of ElasticIP "web" is False with reason "Allocating"
    And the message names "AllocationFailed"
    And the message names "addr-edge-routed"
    And condition "Attached" of ElasticIP "web" is False with reason "AwaitingAttachment"
    And "status.address" of ElasticIP "web" is empty

  Scenario: A network or a pool that is missing fails it, and what it has it keeps
    Given ElasticIP "web" with {externalNetwork: edge}
    And these Pods
      | name | eth1 |
      | gw   | web  |
    And AddressPool "edge-routed" is deleted past admission
    Then ElasticIP "web" is Failed with reason "MissingDependency"
    And the message names "AddressPool edge-routed"
    And condition "Allocated" of ElasticIP "web" is False with reason "MissingDependency"
    And condition "Attached" of ElasticIP "web" is False with reason "MissingDependency"
    And "status.address" of ElasticIP "web" is "203.0.113.1"
    And "status.attachment" of ElasticIP "web" is empty
    When AddressPool "edge-routed" is created with {advertiseMode: bgp, addresses: [203.0.113.0/28]}
    Then ElasticIP "web" is Attached
    And "status.address" of ElasticIP "web" is "203.0.113.1"
    And NetworkInterface "gw.eth1" is Ready

  Scenario: An attachment translates, and waits for what it lacks
    Given ElasticIP "api" with {externalNetwork: edge}
    And NetworkInterface "api.eth0" with {podRef: {name: api, uid: 6f1f9f0a, interface: eth0}, nodeName: worker-1, subnet: storefront}
    And ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: api.eth0}}
    Then ElasticIPAttachment "api-nat" is Pending with reason "WaitingForNetworkEndpoint"
    And "status.elasticIP" of ElasticIPAttachment "api-nat" is "203.0.113.1"
    And "status.podIP" of ElasticIPAttachment "api-nat" is "10.90.0.4"
    And "status.nodeName" of ElasticIPAttachment "api-nat" is "worker-1"
    When NetworkEndpoint "api.eth0" is created with {kind: Pod, nodeName: worker-1, subnet: storefront, address: 10.90.0.4/24, podRef: {name: api, uid: 6f1f9f0a, interface: eth0}}
    Then ElasticIPAttachment "api-nat" is Attached with reason "Attached"
    When NetworkInterface "api.eth0" is deleted
    Then ElasticIPAttachment "api-nat" is Failed with reason "ReconcileFailed"
    And the message names "api.eth0"
    And "status.elasticIP" of ElasticIPAttachment "api-nat" is empty

  @EN-C7 @S0-30
  Scenario: NAT does not wait for the number of the network
    Given AllocationPool "subnet-vni" is deleted past admission
    And AddressPool "more" with {advertiseMode: bgp, addresses: [198.51.100.1/32]}
    And ExternalNetwork "wide" with {type: bgp, addressPools: [more]}
    And ElasticIP "api" with {externalNetwork: wide}
    And these Pods
      | name | eth0       |
      | api  | storefront |
    And ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: api.eth0}}
    Then "status.networkID" of ExternalNetwork "wide" is empty
    And ElasticIPAttachment "api-nat" is Attached

  Scenario: By ARP the Node of whoever has it answers, and nobody's while nobody has
    Given ElasticIP "web" with {externalNetwork: lan}
    And these Pods
      | name | node     | eth0       |
      | api  | worker-2 | storefront |
    Then there is no ARPAdvertisement
    And condition "Announced" of ElasticIP "web" is False with reason "AwaitingAttachment"
    Given ElasticIPAttachment "web-nat" with {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: api.eth0}}
    Then "spec.nodeName" of ARPAdvertisement "eip-default-web" is "worker-2"
    And "spec.address" of ARPAdvertisement "eip-default-web" is "10.225.51.200"
    And "spec.externalNetwork" of ARPAdvertisement "eip-default-web" is "lan"
    And condition "Announced" of ElasticIP "web" is True with reason "Announced"
    When ElasticIPAttachment "web-nat" is deleted
    Then ARPAdvertisement "eip-default-web" is gone
    And condition "Announced" of ElasticIP "web" is False with reason "AwaitingAttachment"

  @S0-45
  Scenario: An address outside of the prefix of the Node's own NIC shows on the ElasticIP
    Given AddressPool "elsewhere" with {advertiseMode: arp, addresses: [192.0.2.200-192.0.2.201]}
    And ExternalNetwork "far" with {type: arp, addressPools: [elsewhere]}
    And ElasticIP "web" with {externalNetwork: far}
    And these Pods
      | name | eth1 |
      | gw   | web  |
    Then condition "Announced" of ElasticIP "web" is False with reason "AddressOutsideSubnet"
    And the message names "192.0.2.200"

  Scenario: Two ElasticIPs whose names differ only in where the dash stands have one advertisement each
    Given Namespace "a-b" with {}
    And Namespace "a" with {}
    And ElasticIP "a-b/c" with {externalNetwork: lan}
    And ElasticIP "a/b-c" with {externalNetwork: lan}
    And NetworkInterface "a-b/x.eth1" with {podRef: {name: x, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: c}
    And NetworkInterface "a/y.eth1" with {podRef: {name: y, uid: 77c20000, interface: eth1}, nodeName: worker-1, elasticIP: b-c}
    Then there are 2 objects of Kind ARPAdvertisement
