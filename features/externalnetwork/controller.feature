Feature: What becomes of an ExternalNetwork
  It has a number of its own on the overlay, and an address on every Node once a NATGateway leaves through it.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p1}, spec: {advertiseMode: bgp, addresses: [203.0.113.128/32]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: p2}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan1}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      """

  @S0-1
  Scenario: The CRD says what an ExternalNetwork stands for
    When "juneau crds" runs
    Then it prints "The point at which the cluster's network is joined to a network outside the cluster."

  @S0-44 @S0-46
  Scenario: The page says what comes with type arp
    When "juneau reference" runs
    Then it prints "arp: Nodes answer ARP for the addresses, one Node for each, so that the bandwidth of an address is that of one Node"
    And it prints "routers and hosts outside have to resolve them by ARP"

  @S0-2 @S0-3
  Scenario: Several pools make one network
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: bgp, addressPools: [p1, p2]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web}, spec: {externalNetwork: ext-net}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: mail}, spec: {externalNetwork: ext-net}}
      """
    Then "status.address" of ElasticIP "web" is "203.0.113.128"
    And "status.address" of ElasticIP "mail" is "203.0.113.1"

  @S0-4
  Scenario: Type bgp announces by routes
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: bgp, addressPools: [p2]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: ext-net}}
      """
    Then there are 2 objects of Kind BGPAdvertisement
    And "spec.prefix" of BGPAdvertisement "ena-ext-net--worker-1" is "203.0.113.1/32"
    And "spec.nodeName" of BGPAdvertisement "ena-ext-net--worker-1" is "worker-1"
    And there is no ARPAdvertisement

  @S0-5
  Scenario: Type arp announces by ARP
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [lan1]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: lan}}
      """
    Then there are 2 objects of Kind ARPAdvertisement
    And "spec.address" of ARPAdvertisement "ena-lan--worker-1" is "10.225.51.100"
    And "spec.nodeName" of ARPAdvertisement "ena-lan--worker-1" is "worker-1"
    And there is no BGPAdvertisement
    And there is no BGPPeer

  @S0-21 @S0-25 @S0-33
  Scenario: Its number is a VNI of the pool from which Subnets and L2Networks have theirs
    Given the file "ext.yaml"
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: pool}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: bgp, addressPools: [pool]}}
      """
    And ExternalNetwork "ext-net" with {type: bgp, addressPools: [p1]}
    Then "status.networkID" of ExternalNetwork "ext-net" is 4097
    And "spec.poolRefs" of AllocationClaim "subnet-vni--externalnetwork--ext-net--status-networkid" is [{name: subnet-vni}]
    And "status.value.number" of AllocationClaim "subnet-vni--externalnetwork--ext-net--status-networkid" is 4097
    When "juneau lab run -f ext.yaml --get externalnetwork/ext-net -o jsonpath={.status.networkID}" runs
    Then it prints
      """
      4097
      """
    When ExternalNetwork "ext-net" is deleted
    Then AllocationClaim "subnet-vni--externalnetwork--ext-net--status-networkid" is gone

  @S0-26 @EN-D3
  Scenario: No two networks share a number, in whatever order they are made
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Subnet, metadata: {name: web}, spec: {vpc: shop, cidr: 10.90.0.0/24}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-1}, spec: {type: bgp, addressPools: [p1]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: L2Network, metadata: {name: floor}, spec: {vpc: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-2}, spec: {type: bgp, addressPools: [p2]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Subnet, metadata: {name: db}, spec: {vpc: shop, cidr: 10.90.1.0/24}}
      """
    When L2Network "floor" is deleted
    And ExternalNetwork "lan" is created with {type: arp, addressPools: [lan1]}
    And L2Network "floor" is created with {vpc: shop}
    Then 7 values of AllocationPool "subnet-vni" are taken
    And each claim of AllocationPool "subnet-vni" has a value of its own
    And "status.networkID" of ExternalNetwork "ext-1" differs from "status.networkID" of ExternalNetwork "ext-2"
    And "status.networkID" of ExternalNetwork "lan" differs from "status.vni" of L2Network "floor"
    And "status.networkID" of ExternalNetwork "ext-1" differs from "status.vni" of Subnet "web"
    And "status.networkID" of ExternalNetwork "ext-2" differs from "status.vni" of Subnet "db"

  @S0-27
  Scenario: Once written the number never changes
    Given ExternalNetwork "ext-net" with {type: bgp, addressPools: [p1]}
    And the value of "status.networkID" of ExternalNetwork "ext-net" is noted
    When the controller restarts
    And "spec.addressPools" of ExternalNetwork "ext-net" is changed to [p1, p2]
    Then "status.networkID" of ExternalNetwork "ext-net" is unchanged
    When AllocationClaim "subnet-vni--externalnetwork--ext-net--status-networkid" is deleted
    Then "status.networkID" of ExternalNetwork "ext-net" is unchanged
    And "status.value.number" of AllocationClaim "subnet-vni--externalnetwork--ext-net--status-networkid" equals "status.networkID" of ExternalNetwork "ext-net"

  @S0-28
  Scenario: The number is 0, which is left out, until it is written
    Given AllocationPool "subnet-vni" is deleted past admission
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: subnet-vni}
      spec: {type: number, number: {min: 4096, max: 4096}}
      """
    And ExternalNetwork "ext-net" with {type: bgp, addressPools: [p1]}
    Then "status.networkID" of ExternalNetwork "ext-net" is empty
    And ExternalNetwork "ext-net" is Pending with reason "NotReady"
    And the message says "subnet-vni"

  Scenario: A number that is no VNI is an error for good
    Given AllocationPool "subnet-vni" is deleted past admission
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: subnet-vni}
      spec: {type: number, number: {min: 16777216, max: 16777226}}
      """
    And ExternalNetwork "ext-net" with {type: bgp, addressPools: [p1]}
    Then ExternalNetwork "ext-net" is Failed with reason "InvalidNetworkID"
    And "status.networkID" of ExternalNetwork "ext-net" is empty

  Scenario: The table shows name and age, and more if asked
    Given ExternalNetwork "ext-net" with {type: bgp, addressPools: [p1]}
    When 8 s pass
    Then the table of externalnetwork is
      """
      NAME      AGE
      ext-net   8s
      """
    And the wide table of externalnetwork is
      """
      NAME      TYPE   NETWORKID   AGE
      ext-net   bgp    4097        8s
      """

  Scenario: A Node that joins later gets its address too, and one that leaves gives it back
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: bgp, addressPools: [p2]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: ext-net}}
      """
    When Node "worker-3" joins
    Then the table of externalnetworkattachment is
      """
      NAME                EXTERNALNETWORK   NODE       ASSIGNEDIP    READY
      ext-net--worker-1   ext-net           worker-1   203.0.113.1   True
      ext-net--worker-2   ext-net           worker-2   203.0.113.2   True
      ext-net--worker-3   ext-net           worker-3   203.0.113.3   True
      """
    When Node "worker-2" is deleted
    Then ExternalNetworkAttachment "ext-net--worker-2" is gone
    And BGPAdvertisement "ena-ext-net--worker-2" is gone

  Scenario: The last NATGateway leaves the attachments, the network takes them along
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: bgp, addressPools: [p2]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: NATGateway, metadata: {name: exit}, spec: {vpc: shop, externalNetwork: ext-net}}
      """
    When ExternalNetworkAttachment "ext-net--worker-1" is deleted
    Then ExternalNetworkAttachment "ext-net--worker-1" exists
    When NATGateway "exit" is deleted
    Then ExternalNetworkAttachment "ext-net--worker-1" exists
    When ExternalNetwork "ext-net" is deleted
    Then there is no ExternalNetworkAttachment
    And there is no BGPAdvertisement

  @S0-22 @S0-23
  Scenario: NICs that carry an ElasticIP are stations of one segment with the network's number, and in no other
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: bgp, addressPools: [p2]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web}, spec: {externalNetwork: ext-net}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: mail}, spec: {externalNetwork: ext-net}}
      """
    And these Pods
      | name  | node     | eth1 |
      | front | worker-1 | web  |
      | post  | worker-2 | mail |
    Then "spec.subnet" of NetworkInterface "front.eth1" is empty
    And "spec.l2Network" of NetworkInterface "front.eth1" is empty
    And "spec.subnet" of NetworkEndpoint "front.eth1" is empty
    And "spec.l2Network" of NetworkEndpoint "front.eth1" is empty
    And "spec.externalNetwork" of NetworkEndpoint "front.eth1" is "ext-net"
    And every Node knows eth1 of Pod "front" and eth1 of Pod "post" on ExternalNetwork "ext-net" and nowhere else
