Feature: Whose addresses are answered for
  An ElasticIP and a NATGateway keep an ARPAdvertisement for as long as a Node can answer, and it follows the Pod.

  Background:
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Subnet, metadata: {name: storefront}, spec: {vpc: shop, cidr: 10.90.0.0/24}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web}, spec: {externalNetwork: lan}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: api}, spec: {externalNetwork: lan}}
      """

  @S0-35 @S0-36 @S0-38 @ARPA-C1 @EN-C11
  Scenario: Each has one, with the Node that answers
    Given these Pods
      | name | node     | eth0       | eth1 |
      | gw   | worker-2 | default    | web  |
      | app  | worker-1 | storefront |      |
    And ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: app.eth0}}
    And NATGateway "exit" with {vpc: shop, externalNetwork: lan}
    When 9 m pass
    Then the table of arpadvertisement is
      """
      NAME                EXTERNALNETWORK   ADDRESS         NODE       AGE
      eip-default-api     lan               10.225.51.101   worker-1   9m
      eip-default-web     lan               10.225.51.100   worker-2   9m
      ena-lan--worker-1   lan               10.225.51.102   worker-1   9m
      ena-lan--worker-2   lan               10.225.51.103   worker-2   9m
      """
    And Node "worker-2" answers for "10.225.51.100"
    And Node "worker-1" answers for "10.225.51.101"
    And Node "worker-1" answers for "10.225.51.102"
    And Node "worker-2" answers for "10.225.51.103"
    And condition "Announced" of ElasticIP "web" is True with reason "Announced"
    And condition "Announced" of ElasticIP "api" is True with reason "Announced"

  @ARPA-C2 @ARPA-C4
  Scenario: Where no Node can answer there is none, and it goes with its owner
    Then there is no ARPAdvertisement
    And nobody answers for "10.225.51.100"
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-2 | web  |
    Then ARPAdvertisement "eip-default-web" is Ready
    And "metadata.ownerReferences" of ARPAdvertisement "eip-default-web" is empty
    When Pod "gw" is deleted
    Then ARPAdvertisement "eip-default-web" is gone
    And nobody answers for "10.225.51.100"
    And condition "Announced" of ElasticIP "web" is False with reason "AwaitingAttachment"
    Given NATGateway "exit" with {vpc: shop, externalNetwork: lan}
    Then "metadata.ownerReferences[0].name" of ARPAdvertisement "ena-lan--worker-1" is "lan--worker-1"
    When Node "worker-1" is deleted
    And 15 s pass
    Then ARPAdvertisement "ena-lan--worker-1" is gone

  @S0-41 @ARPA-C3 @ARPA-D5
  Scenario: The address moves with its Pod, and the outside follows at once
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | web  |
    And the host outside asks for "10.225.51.100" all the time
    Then host "outside" can ping "10.225.51.100"
    And host "router" can ping "10.225.51.100"
    When Pod "gw" is deleted
    And these Pods are created
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    Then it is accepted
    And Node "worker-2" answers for "10.225.51.100"
    When host "router" pings "10.225.51.100"
    Then the ping is answered
    And no VXLAN packet is sent
    And never have two Nodes answered for "10.225.51.100"

  @S0-41 @ARPA-D5 @DIR-D1
  Scenario: A Node loses its power, and its Pod is made anew elsewhere
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | web  |
    And the host outside asks for "10.225.51.100" all the time
    And host "router" pings "10.225.51.100"
    When Node "worker-1" loses its power
    And Pod "gw" is deleted
    And these Pods are created
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    Then it is accepted
    And nobody answers for "10.225.51.100"
    When 15 s pass
    Then Node "worker-2" answers for "10.225.51.100"
    And "status.attachment.name" of ElasticIP "web" is "gw.eth0"
    And host "router" can ping "10.225.51.100"
    And host "outside" can ping "10.225.51.100"
    When Node "worker-1" has power again
    And 2 m pass
    Then Node "worker-2" answers for "10.225.51.100"
    And host "router" can ping "10.225.51.100"
    And table external_arp_table of worker-1 has 0 rows
    And never have two Nodes answered for "10.225.51.100"

  @S0-41 @ARPA-D5
  Scenario: A Node is cut off with its Pod running, and a Pod of the same name is made elsewhere
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | web  |
    And the host outside asks for "10.225.51.100" all the time
    When Node "worker-1" is cut off from the API server
    And Pod "gw" is deleted
    And these Pods are created
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    Then Node "worker-1" answers for "10.225.51.100"
    When 15 s pass
    Then Node "worker-2" answers for "10.225.51.100"
    When host "outside" pings "10.225.51.100"
    Then the ping is answered
    And no VXLAN packet is sent
    When Node "worker-1" reaches the API server again
    And 2 m pass
    Then Node "worker-2" answers for "10.225.51.100"
    And host "outside" can ping "10.225.51.100"
    And never have two Nodes answered for "10.225.51.100"

  Scenario: The API server is away, and what is reachable stays so
    Given these Pods
      | name | node     | eth0       | eth1 |
      | gw   | worker-2 | default    | web  |
      | app  | worker-1 | storefront |      |
    And ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: app.eth0}}
    When Node "worker-1" is cut off from the API server
    And Node "worker-2" is cut off from the API server
    And 5 h pass
    Then host "outside" can ping "10.225.51.100"
    And Node "worker-1" answers for "10.225.51.101"
    When Node "worker-1" reaches the API server again
    And Node "worker-2" reaches the API server again
    Then host "outside" can ping "10.225.51.100"
    And ARPAdvertisement "eip-default-web" is Ready

  @S0-43 @ARPA-D6 @EN-C15
  Scenario: All flows for an address come in by its one Node
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    And Pod "gw" listens on TCP port 80
    When eth0 of host "outside" asks by ARP for "10.225.51.100"
    Then eth0 of host "outside" gets one ARP answer for "10.225.51.100"
    When host "outside" connects to port 80 of "10.225.51.100"
    Then it is answered
    And no VXLAN packet is sent
    When host "router" connects to port 80 of "10.225.51.100"
    Then it is answered
    And no VXLAN packet is sent
