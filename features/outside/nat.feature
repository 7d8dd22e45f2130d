Feature: Translated one to one
  An ElasticIP stands for the address that a Pod has in its Vpc, in both directions and for every protocol.

  Background:
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: web}, spec: {externalNetwork: lan}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: mail}, spec: {externalNetwork: lan}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: shop}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Subnet, metadata: {name: storefront}, spec: {vpc: shop, cidr: 10.90.0.0/24}}
      """
    And "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: internetGateway}}]
    And these Pods
      | name | node     | eth0       |
      | app  | worker-2 | storefront |
      | back | worker-1 | storefront |
    And ElasticIPAttachment "web-nat" with {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: app.eth0}}

  @EIPA-D1 @EIPA-D4 @EIPA-D7
  Scenario: From outside, the destination becomes the Pod's address and nothing else changes
    Given Pod "app" serves UDP port 53
    And Pod "app" listens on TCP port 80
    Then Node "worker-2" answers for "10.225.51.100"
    When host "outside" pings "10.225.51.100"
    Then the ping is answered
    And eth0 of Pod "app" receives a packet from "10.225.51.200" to "10.90.0.4"
    And eth0 of host "outside" receives a packet from "10.225.51.100" to "10.225.51.200"
    And no VXLAN packet is sent
    When host "outside" sends a datagram from port 4000 to port 53 of "10.225.51.100"
    Then it is answered
    And eth0 of Pod "app" receives a datagram from port 4000 of "10.225.51.200" to port 53 of "10.90.0.4"
    And eth0 of host "outside" receives a datagram from port 53 of "10.225.51.100" to port 4000 of "10.225.51.200"
    When host "outside" connects to port 80 of "10.225.51.100"
    Then it is answered

  @EIPA-D2 @EIPA-D3 @EIPA-D4
  Scenario: To the outside, the source becomes the ElasticIP
    Given host "outside" serves UDP port 53
    When Pod "app" pings "10.225.51.200"
    Then the ping is answered
    And eth0 of host "outside" receives a packet from "10.225.51.100" to "10.225.51.200"
    When Pod "app" sends a datagram from port 4000 to port 53 of "10.225.51.200"
    Then it is answered
    And eth0 of host "outside" receives a datagram from port 4000 of "10.225.51.100" to port 53 of "10.225.51.200"
    And the trace shows NAT_TRANSLATED

  @EIPA-D1
  Scenario: A packet that reaches a Node without the Pod goes on in VXLAN, with the number of the Pod's Subnet
    When eth0 of host "outside" sends a packet of IP protocol 47 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-1"
    Then 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of Subnet "storefront"
    And eth0 of Pod "app" receives a packet from "10.225.51.200" to "10.90.0.4"

  @EIPA-D5
  Scenario: ICMP errors find their way, in both directions
    When host "outside" sends a datagram to port 9 of "10.225.51.100"
    Then it is turned away
    When Pod "app" sends a datagram to port 9 of "10.225.51.200"
    Then it is turned away

  Scenario: A Pod without an ElasticIP does not get out by the internet gateway
    When Pod "back" pings "10.225.51.200"
    Then the ping is not answered
    And it is dropped on worker-1 with reason MISS_NAT
    And eth0 of host "outside" receives nothing

  Scenario: Pods of the default Subnet are not reached by way of the Node, on its own Node or another
    Given these Pods
      | name | node     | eth0    |
      | dns  | worker-2 | default |
      | far  | worker-1 | default |
    Then Node "worker-2" can ping eth0 of Pod "dns"
    When Pod "app" pings eth0 of Pod "dns"
    Then the ping is not answered
    And it is dropped on worker-2 with reason MISS_ROUTE
    And eth0 of Pod "dns" receives nothing
    When Pod "app" pings eth0 of Pod "far"
    Then the ping is not answered
    And it is dropped on worker-2 with reason MISS_ROUTE
    And eth0 of Pod "far" receives nothing

  @DIR-D6 @EIPA-D2
  Scenario: An ElasticIP of its own Node is reached without the outside, where nobody else would answer for it
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | mail |
    When Pod "app" pings "10.225.51.101"
    Then the ping is answered
    And the trace shows TURNED_AROUND
    And the trace does not show HOST_ROUTED
    And eth0 of Pod "gw" receives a packet from "10.225.51.100" to "10.225.51.101"
    And eth0 of host "outside" receives nothing

  @DIR-D5 @DIR-D6
  Scenario: A Pod that carries an ElasticIP reaches one that stands for another Pod without the outside
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | mail |
    When Pod "gw" pings "10.225.51.100"
    Then eth0 of Pod "app" receives a packet from "10.225.51.101" to "10.90.0.4"
    And the ping is answered

  @EIPA-D8 @EIP-D1
  Scenario: Without its attachment the ElasticIP is dropped, and flows that ran end
    Then host "outside" can ping "10.225.51.100"
    And Pod "app" can ping "10.225.51.200"
    When ElasticIPAttachment "web-nat" is deleted
    Then nobody answers for "10.225.51.100"
    When host "outside" pings "10.225.51.100"
    Then the ping is not answered
    And eth0 of Pod "app" receives nothing
    When eth0 of host "outside" sends a packet of IP protocol 47 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-2"
    Then it is dropped on worker-2 with reason CLAIMED_UNUSED
    When Pod "app" pings "10.225.51.200"
    Then it is dropped on worker-2 with reason MISS_NAT

  @EIP-D1
  Scenario: With its Pod gone it is dropped too, and the next Pod of that name has it back
    When Pod "app" is deleted
    Then nobody answers for "10.225.51.100"
    When eth0 of host "outside" sends a packet of IP protocol 47 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-1"
    Then it is dropped on worker-1 with reason CLAIMED_UNUSED
    Given these Pods
      | name | node     | eth0       |
      | app  | worker-1 | storefront |
    Then Node "worker-1" answers for "10.225.51.100"
    And host "outside" can ping "10.225.51.100"

  @S0-30 @EN-C7
  Scenario: The network's number is not waited for
    Given AllocationPool "subnet-vni" is deleted past admission
    And AddressPool "far" with {advertiseMode: arp, addresses: [10.225.51.110-10.225.51.119]}
    And ExternalNetwork "far" with {type: arp, addressPools: [far]}
    And ElasticIP "api" with {externalNetwork: far}
    And ElasticIPAttachment "api-nat" with {elasticIPRef: {name: api}, targetRef: {networkInterfaceName: back.eth0}}
    Then "status.networkID" of ExternalNetwork "far" is empty
    And ElasticIPAttachment "api-nat" is Attached
    And host "outside" can ping "10.225.51.110"
