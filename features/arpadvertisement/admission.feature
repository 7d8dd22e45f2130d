Feature: What an ARPAdvertisement may say
  It gives one external address to one Node, and nobody can write a second one for that address.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan1}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan2}, spec: {advertiseMode: arp, addresses: [10.225.51.120-10.225.51.129]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [lan1, lan2]}}
      """

  @ARPA-1
  Scenario Outline: All three fields are required
    When ARPAdvertisement "one" is created with <spec>
    Then it is refused at "<field>"
    And nothing was stored

    Examples:
      | field                | spec                                                                    |
      | spec.externalNetwork | {address: 10.225.51.100, nodeName: worker-1}                            |
      | spec.externalNetwork | {externalNetwork: "", address: 10.225.51.100, nodeName: worker-1}       |
      | spec.address         | {externalNetwork: lan, nodeName: worker-1}                              |
      | spec.address         | {externalNetwork: lan, address: "", nodeName: worker-1}                 |
      | spec.nodeName        | {externalNetwork: lan, address: 10.225.51.100}                          |
      | spec.nodeName        | {externalNetwork: lan, address: 10.225.51.100, nodeName: ""}            |

  @ARPA-2 @ARPA-3 @ARPA-4
  Scenario: Only the Node changes
    Given AddressPool "lan3" with {advertiseMode: arp, addresses: [10.225.51.130-10.225.51.139]}
    And ExternalNetwork "second" with {type: arp, addressPools: [lan3]}
    And ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When "spec.externalNetwork" of ARPAdvertisement "one" is changed to "second"
    Then it is refused at "spec.externalNetwork"
    When "spec.address" of ARPAdvertisement "one" is changed to "10.225.51.101"
    Then it is refused at "spec.address"
    When "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    Then it is accepted
    And Node "worker-2" answers for "10.225.51.100"

  @ARPA-5
  Scenario Outline: The address is one of IPv4
    When ARPAdvertisement "one" is created with {externalNetwork: lan, address: "<address>", nodeName: worker-1}
    Then it is refused at "spec.address" with "IPv4"

    Examples:
      | address          |
      | 2001:db8::1      |
      | 10.225.51.100/32 |
      | 10.225.51        |
      | gw.example.com   |

  @ARPA-6
  Scenario: The network has to exist
    When ARPAdvertisement "one" is created with {externalNetwork: wan, address: 10.225.51.100, nodeName: worker-1}
    Then it is refused at "spec.externalNetwork" with "wan"

  @ARPA-7
  Scenario: A network of type bgp answers for nothing
    Given AddressPool "routed" with {advertiseMode: bgp, addresses: [203.0.113.0/26]}
    And ExternalNetwork "edge" with {type: bgp, addressPools: [routed]}
    When ARPAdvertisement "one" is created with {externalNetwork: edge, address: 203.0.113.1, nodeName: worker-1}
    Then it is refused at "spec.externalNetwork" with "arp"

  @ARPA-8
  Scenario Outline: The address lies in a range of one of the network's pools
    When ARPAdvertisement "one" is created with {externalNetwork: lan, address: <address>, nodeName: worker-1}
    Then it is <judged>

    Examples:
      | address       | judged                    |
      | 10.225.51.99  | refused at "spec.address" |
      | 10.225.51.100 | accepted                  |
      | 10.225.51.109 | accepted                  |
      | 10.225.51.110 | refused at "spec.address" |
      | 10.225.51.129 | accepted                  |
      | 10.225.51.130 | refused at "spec.address" |

  @ARPA-8
  Scenario: The refusal names the pools
    When ARPAdvertisement "one" is created with {externalNetwork: lan, address: 10.225.51.110, nodeName: worker-1}
    Then it is refused at "spec.address" with "lan1"
    And the error names "lan2"

  @ARPA-9
  Scenario: A pool that is missing is no pool without the address
    Given AddressPool "lan1" is deleted past admission
    When ARPAdvertisement "one" is created with {externalNetwork: lan, address: 10.225.51.120, nodeName: worker-1}
    Then it is refused
    And the error names "lan1"
    And the error says "does not exist"

  @ARPA-9
  Scenario: Nor is one that cannot be read
    Given these objects are stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: torn}, spec: {advertiseMode: arp, addresses: [10.225.51.140]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: campus}, spec: {type: arp, addressPools: [torn]}}
      """
    When ARPAdvertisement "one" is created with {externalNetwork: campus, address: 10.225.51.140, nodeName: worker-1}
    Then it is refused
    And the error names "torn"
    And the error says "cannot be read"

  @ARPA-9
  Scenario: A pool behind the one that has the address is not asked
    Given AddressPool "lan2" is deleted past admission
    When ARPAdvertisement "one" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    Then it is accepted

  @ARPA-10
  Scenario: The Node has to exist
    When ARPAdvertisement "one" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-9}
    Then it is refused at "spec.nodeName" with "worker-9"
    Given ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-9"
    Then it is refused at "spec.nodeName" with "worker-9"

  @ARPA-11
  Scenario: A Node's own address is for nobody else
    Given AddressPool "nodes" with {advertiseMode: arp, addresses: [10.225.51.11-10.225.51.20]}
    And ExternalNetwork "campus" with {type: arp, addressPools: [nodes]}
    When ARPAdvertisement "one" is created with {externalNetwork: campus, address: 10.225.51.12, nodeName: worker-1}
    Then it is refused at "spec.address" with "worker-2"
    When ARPAdvertisement "one" is created with {externalNetwork: campus, address: 10.225.51.13, nodeName: worker-1}
    Then it is accepted

  @ARPA-12 @S0-42
  Scenario: A second one for the same address is refused
    Given ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    Then it is refused
    And the error names "10.225.51.100"
    And the error names "one"
    And nothing was stored
    When ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.101, nodeName: worker-2}
    Then it is accepted

  @ARPA-12 @S0-42
  Scenario: Also while the first one is being deleted, since its Node may still answer
    Given ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    And "metadata.finalizers" of ARPAdvertisement "one" is changed to [example.com/audit]
    When ARPAdvertisement "one" is deleted
    And ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    Then it is refused
    And the error names "one"
    When "metadata.finalizers" of ARPAdvertisement "one" is removed
    Then ARPAdvertisement "one" is gone
    When ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    Then it is accepted
    And Node "worker-2" answers for "10.225.51.100"

  @ARPA-12
  Scenario: It is asked last, when nothing else is wrong
    Given ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-9}
    Then it is refused at "spec.nodeName"
    And the error does not say "already"

  Scenario: Two that were stored while nobody looked: the first one counts, and the other says why it does not
    Given ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    And this object is stored past admission
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ARPAdvertisement, metadata: {name: a-second}, spec: {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}}
      """
    Then ARPAdvertisement "one" is Ready
    And ARPAdvertisement "a-second" is Pending with reason "AddressInUse"
    And the message names "one"
    And Node "worker-1" answers for "10.225.51.100"
    When ARPAdvertisement "one" is deleted
    Then ARPAdvertisement "a-second" is Ready
    And Node "worker-2" answers for "10.225.51.100"

  Scenario: What is being deleted can be written, whatever has become of its network
    Given ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    And "metadata.finalizers" of ARPAdvertisement "one" is changed to [example.com/audit]
    When ARPAdvertisement "one" is deleted
    And ExternalNetwork "lan" is deleted
    And "metadata.finalizers" of ARPAdvertisement "one" is removed
    Then it is accepted
    And ARPAdvertisement "one" is gone
