Feature: What an ElasticIP and an ElasticIPAttachment may say
  An ElasticIP names the network it is from; an attachment names one ElasticIP and one NetworkInterface, each of which is
  nobody else's.

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
      spec: {advertiseMode: arp, addresses: [10.225.51.200-10.225.51.203]}
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
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: staging}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: api}
      spec: {externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: gw}
      spec: {externalNetwork: edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: staged, namespace: staging}
      spec: {externalNetwork: edge}
      """
    And these Pods
      | name | eth0       | eth1 |
      | web  | storefront |      |
      | shop | storefront |      |
      | edge | storefront | gw   |

  @EIP-1
  Scenario Outline: An ElasticIP names its network
    When ElasticIP "web" is created with <spec>
    Then it is refused at "spec.externalNetwork"
    And nothing was stored

    Examples:
      | spec                  |
      | {}                    |
      | {externalNetwork: ""} |

  @EIP-2
  Scenario Outline: The network exists
    When ElasticIP "web" is created with {externalNetwork: "<name>"}
    Then it is refused at "spec.externalNetwork" with "<name>"
    And nothing was stored

    Examples:
      | name    |
      | far     |
      | No_Such |

  @EIP-2
  Scenario: An ElasticIP that is being deleted is not held up by a network that went away
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: web, finalizers: [example.com/audit]}
      spec: {externalNetwork: far}
      """
    When "metadata.labels" of ElasticIP "web" is changed to {team: web}
    Then it is refused at "spec.externalNetwork" with "far"
    When ElasticIP "web" is deleted
    And "metadata.finalizers" of ElasticIP "web" is removed
    Then it is accepted
    And ElasticIP "web" is gone

  @EIP-3
  Scenario Outline: Networks of both types have ElasticIPs
    When ElasticIP "web" is created with {externalNetwork: <network>}
    Then it is accepted
    And "status.address" of ElasticIP "web" is "<address>"

    Examples:
      | network | address       |
      | edge    | 203.0.113.4   |
      | lan     | 10.225.51.200 |

  @EIP-4
  Scenario: The network is for good
    When "spec.externalNetwork" of ElasticIP "api" is changed to "lan"
    Then it is refused at "spec.externalNetwork" with "immutable"

  @EIP-5
  Scenario: An ElasticIP is not deleted under its attachment
    Given ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
    When ElasticIP "api" is deleted
    Then the deletion is refused with "api-nat"
    When ElasticIPAttachment "api-nat" is deleted
    And ElasticIP "api" is deleted
    Then the deletion is accepted
    And ElasticIP "api" is gone

  @EIP-5
  Scenario: An attachment that is being deleted itself holds it no more
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: api-nat, finalizers: [example.com/audit]}
      spec: {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
      """
    When ElasticIPAttachment "api-nat" is deleted
    And ElasticIP "api" is deleted
    Then the deletion is accepted
    And ElasticIP "api" is gone

  @EIPA-1 @EIPA-2
  Scenario Outline: An attachment names an ElasticIP and an interface
    When ElasticIPAttachment "nat" is created with <spec>
    Then it is refused at "<field>"
    And nothing was stored

    Examples:
      | spec                                                                                    | field                              |
      | {elasticIPRef: {name: ""}, targetRef: {networkInterfaceName: web.eth0}}                 | spec.elasticIPRef.name             |
      | {elasticIPRef: {}, targetRef: {networkInterfaceName: web.eth0}}                         | spec.elasticIPRef.name             |
      | {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: ""}}                      | spec.targetRef.networkInterfaceName |
      | {elasticIPRef: {name: api}, targetRef: {}}                                              | spec.targetRef.networkInterfaceName |

  @EIPA-3 @EIPA-4
  Scenario: Both are for good
    Given ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
    When "spec.elasticIPRef.name" of ElasticIPAttachment "api-nat" is changed to "gw"
    Then it is refused at "spec.elasticIPRef.name" with "immutable"
    When "spec.targetRef.networkInterfaceName" of ElasticIPAttachment "api-nat" is changed to "shop.eth0"
    Then it is refused at "spec.targetRef.networkInterfaceName" with "immutable"

  @EIPA-5 @EIPA-7
  Scenario: Both exist in its namespace, and all that is wrong is told at once
    When ElasticIPAttachment "nat" is created with {elasticIPRef: {name: staged}, targetRef: {networkInterfaceName: web.eth9}}
    Then it is refused at "spec.elasticIPRef.name" with "staged"
    And it is refused at "spec.targetRef.networkInterfaceName" with "web.eth9"
    When ElasticIPAttachment "staging/nat" is created with {elasticIPRef: {name: staged}, targetRef: {networkInterfaceName: web.eth0}}
    Then it is refused at "spec.targetRef.networkInterfaceName" with "web.eth0"
    And nothing was stored

  @EIPA-6 @EIPA-8
  Scenario: Neither is being deleted
    Given "metadata.finalizers" of ElasticIP "api" is changed to [example.com/audit]
    And "metadata.finalizers" of NetworkInterface "web.eth0" is changed to [example.com/audit]
    When ElasticIP "api" is deleted
    And Pod "web" is deleted
    And ElasticIPAttachment "nat" is created with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
    Then it is refused at "spec.elasticIPRef.name" with "is being deleted"
    And it is refused at "spec.targetRef.networkInterfaceName" with "is being deleted"

  @EIPA-9
  Scenario: The interface does not carry an ElasticIP itself
    When ElasticIPAttachment "nat" is created with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: edge.eth1}}
    Then it is refused at "spec.targetRef.networkInterfaceName" with "ElasticIP gw"

  @EIPA-10
  Scenario: No interface carries the ElasticIP itself, but for one that is going
    When ElasticIPAttachment "nat" is created with {elasticIPRef: {name: gw}, targetRef: {networkInterfaceName: web.eth0}}
    Then it is refused at "spec.elasticIPRef.name" with "NetworkInterface edge.eth1"
    Given "metadata.finalizers" of NetworkInterface "edge.eth1" is changed to [example.com/audit]
    When Pod "edge" is deleted
    And ElasticIPAttachment "nat" is created with {elasticIPRef: {name: gw}, targetRef: {networkInterfaceName: web.eth0}}
    Then it is accepted

  @EIPA-11 @EIPA-12
  Scenario: One ElasticIP has one attachment, and so has one interface
    Given ElasticIPAttachment "first" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
    And ElasticIP "other" with {externalNetwork: edge}
    When ElasticIPAttachment "nat" is created with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: shop.eth0}}
    Then it is refused at "spec.elasticIPRef.name" with "ElasticIPAttachment first"
    When ElasticIPAttachment "nat" is created with {elasticIPRef: {name: other}, targetRef: {networkInterfaceName: web.eth0}}
    Then it is refused at "spec.targetRef.networkInterfaceName" with "ElasticIPAttachment first"
    And nothing was stored

  @EIPA-11 @EIPA-12
  Scenario: An attachment that is going is in nobody's way
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: first, finalizers: [example.com/audit]}
      spec: {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
      """
    When ElasticIPAttachment "first" is deleted
    And ElasticIPAttachment "nat" is created with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
    Then it is accepted
    And ElasticIPAttachment "nat" is Attached
    And ElasticIPAttachment "first" is Pending with reason "Deleting"

  Scenario: Of two stored past each other's admission both show what is wrong
    Given RouteTable "shop" with {vpc: shop, routes: [{dst: 0.0.0.0/0, via: {type: internetGateway}}]}
    And ElasticIPAttachment "first" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: web.eth0}}
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: second}
      spec: {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: shop.eth0}}
      """
    Then condition "Valid" of ElasticIPAttachment "first" is False
    And the message names "second"
    And condition "Valid" of ElasticIPAttachment "second" is False
    And the message names "first"
    When ElasticIPAttachment "second" is deleted
    Then condition "Valid" of ElasticIPAttachment "first" is True
    And ElasticIPAttachment "first" is Attached

  Scenario: An attachment to an interface that no way leads out from is taken, and shows it
    Given these Pods
      | name  |
      | plain |
    And ElasticIPAttachment "nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: plain.eth0}}
    Then condition "Valid" of ElasticIPAttachment "nat" is False
    And the message names "RouteTable default has no route of type internetGateway"
    When "spec.routes" of RouteTable "default" is changed to [{dst: 0.0.0.0/0, via: {type: internetGateway}}]
    Then condition "Valid" of ElasticIPAttachment "nat" is True
