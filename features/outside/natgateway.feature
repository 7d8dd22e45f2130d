Feature: Out by a NATGateway
  The Pods of a Vpc share one address of their Node, and what they have asked for finds its way back.

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
    And NATGateway "exit" with {vpc: shop, externalNetwork: lan}
    And "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: exit}}]
    And these Pods
      | name | node     | eth0       |
      | app  | worker-1 | storefront |
      | back | worker-2 | storefront |

  @S0-38 @S0-43 @ENA-D3
  Scenario: Each Node has an address of its own, and answers for it
    Then the table of externalnetworkattachment is
      """
      NAME            EXTERNALNETWORK   NODE       ASSIGNEDIP      READY
      lan--worker-1   lan               worker-1   10.225.51.102   True
      lan--worker-2   lan               worker-2   10.225.51.103   True
      """
    And the table of arpadvertisement is
      """
      NAME                EXTERNALNETWORK   ADDRESS         NODE       AGE
      ena-lan--worker-1   lan               10.225.51.102   worker-1   0s
      ena-lan--worker-2   lan               10.225.51.103   worker-2   0s
      """
    And Node "worker-1" answers for "10.225.51.102"
    And Node "worker-2" answers for "10.225.51.103"

  @ENA-D1 @NATGW-D1 @NATGW-D5 @NATGW-D9
  Scenario: Pods go out under their Node's address, and the answers come back to them
    Given host "outside" serves UDP port 53
    And host "outside" listens on TCP port 80
    When Pod "app" pings "10.225.51.200"
    Then the ping is answered
    And eth0 of host "outside" receives a packet from "10.225.51.102" to "10.225.51.200"
    And no VXLAN packet is sent
    When Pod "back" pings "10.225.51.200"
    Then the ping is answered
    And eth0 of host "outside" receives a packet from "10.225.51.103" to "10.225.51.200"
    When Pod "app" sends a datagram to port 53 of "10.225.51.200"
    Then it is answered
    And the trace shows NAT_TRANSLATED
    And the trace shows NAT_RESTORED
    When Pod "app" connects to port 80 of "10.225.51.200"
    Then it is answered

  @NATGW-D9
  Scenario: Two Pods of a Node are told apart
    Given these Pods
      | name | node     | eth0       |
      | next | worker-1 | storefront |
    And host "outside" serves UDP port 53
    When Pod "app" sends a datagram from port 4000 to port 53 of "10.225.51.200"
    Then it is answered
    When Pod "next" sends a datagram from port 4000 to port 53 of "10.225.51.200"
    Then it is answered
    And eth0 of Pod "app" receives nothing

  @NATGW-D10
  Scenario: ICMP errors about a flow find its sender
    When Pod "app" sends a datagram to port 9 of "10.225.51.200"
    Then it is turned away

  @NATGW-D11
  Scenario: Nothing comes in that nobody has asked for
    When host "outside" pings "10.225.51.102"
    Then the ping is not answered
    And it is dropped on worker-1 with reason CLAIMED_UNUSED
    And eth0 of Pod "app" receives nothing

  @DIR-D6 @NATGW-D1
  Scenario: An ElasticIP of its own Node is reached without the outside, where nobody else would answer for it
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | mail |
    When Pod "app" pings "10.225.51.101"
    Then the ping is answered
    And the trace shows TURNED_AROUND
    And the trace does not show HOST_ROUTED
    And eth0 of Pod "gw" receives a packet from "10.225.51.102" to "10.225.51.101"
    And eth0 of host "outside" receives nothing

  Scenario: Pods of the default Subnet are not reached by way of the Node, on its own Node or another
    Given these Pods
      | name | node     | eth0    |
      | dns  | worker-1 | default |
      | far  | worker-2 | default |
    Then Node "worker-1" can ping eth0 of Pod "dns"
    When Pod "app" pings eth0 of Pod "dns"
    Then the ping is not answered
    And it is dropped on worker-1 with reason MISS_ROUTE
    And eth0 of Pod "dns" receives nothing
    When Pod "app" pings eth0 of Pod "far"
    Then the ping is not answered
    And it is dropped on worker-1 with reason MISS_ROUTE
    And eth0 of Pod "far" receives nothing

  @NATGW-D2
  Scenario: A protocol without ports does not go out this way
    When eth0 of Pod "app" sends a packet of IP protocol 47 from "10.90.0.4" to "10.225.51.200" at the gateway of Subnet "storefront"
    Then it is dropped on worker-1 with reason NAT_PROTOCOL

  @NATGW-D1
  Scenario: A segment with a gateway goes out the same way
    Given L2Network "floor" with {vpc: shop, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0  |
      | till | worker-1 | floor |
    When Pod "till" pings "10.225.51.200"
    Then the ping is answered
    And eth0 of host "outside" receives a packet from "10.225.51.102" to "10.225.51.200"

  @NATGW-D1
  Scenario: Without the route there is no way out, and without the gateway's network none either
    When "spec.routes" of RouteTable "shop" is changed to []
    And Pod "app" pings "10.225.51.200"
    Then it is dropped on worker-1 with reason MISS_ROUTE
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 0.0.0.0/0, via: {type: natGateway, natGateway: exit}}]
    Then Pod "app" can ping "10.225.51.200"
    When ExternalNetwork "lan" is deleted past admission
    And Pod "app" pings "10.225.51.200"
    Then it is dropped on worker-1 with reason MISS_ROUTE

  @EIPA-D2 @NATGW-D1
  Scenario: A Pod with an ElasticIP reaches the outside under that, its neighbours under the Node's address
    Given ElasticIPAttachment "web-nat" with {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: app.eth0}}
    And "spec.routes" of RouteTable "shop" is changed to [{dst: 10.225.51.200/32, via: {type: internetGateway}}, {dst: 0.0.0.0/0, via: {type: natGateway, natGateway: exit}}]
    When Pod "app" pings "10.225.51.200"
    Then the ping is answered
    And eth0 of host "outside" receives a packet from "10.225.51.100" to "10.225.51.200"
    When Pod "back" pings "10.225.51.1"
    Then the ping is answered
    And eth0 of host "router" receives a packet from "10.225.51.103" to "10.225.51.1"
