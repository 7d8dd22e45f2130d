Feature: Packets of a NIC that carries an ElasticIP
  What comes for the address reaches the Pod as it was sent, and what the Pod sends goes out as it is.

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

  @S1-12 @S0-35 @S0-40 @S0-46 @EN-C13 @NIC-D4 @DIR-D1 @DIR-D2
  Scenario Outline: Nothing is translated in either direction, on eth0 and on an extra NIC
    Given these Pods
      | name | node     | eth0   | eth1   |
      | gw   | worker-2 | <eth0> | <eth1> |
    And <nic> of Pod "gw" serves UDP port 53
    And <nic> of Pod "gw" listens on TCP port 80
    Then Node "worker-2" answers for "10.225.51.100"
    When host "outside" pings "10.225.51.100"
    Then the ping is answered
    And <nic> of Pod "gw" receives a packet from "10.225.51.200" to "10.225.51.100"
    And eth0 of host "outside" receives a packet from "10.225.51.100" to "10.225.51.200"
    When host "outside" sends a datagram from port 4000 to port 53 of "10.225.51.100"
    Then it is answered
    And <nic> of Pod "gw" receives a datagram from port 4000 of "10.225.51.200" to port 53 of "10.225.51.100"
    And eth0 of host "outside" receives a datagram from port 53 of "10.225.51.100" to port 4000 of "10.225.51.200"
    When host "outside" connects to port 80 of "10.225.51.100"
    Then it is answered
    When eth0 of host "outside" sends a packet of IP protocol 47 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-2"
    Then <nic> of Pod "gw" receives the packet as it was sent
    And no VXLAN packet is sent
    And there is no BGPAdvertisement
    And there is no BGPPeer

    Examples:
      | eth0       | eth1 | nic  |
      | web        |      | eth0 |
      | storefront | web  | eth1 |

  @S1-12 @NIC-D4
  Scenario: What the Pod sends on its own is not translated either
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    And host "outside" serves UDP port 53
    When Pod "gw" sends a datagram from port 4000 to port 53 of "10.225.51.200"
    Then it is answered
    And eth0 of host "outside" receives a datagram from port 4000 of "10.225.51.100" to port 53 of "10.225.51.200"
    And the trace shows HOST_ROUTED
    When eth0 of Pod "gw" sends a packet of IP protocol 47 from "10.225.51.100" to "10.225.51.200" at everybody
    Then eth0 of host "outside" receives the packet as it was sent

  @S0-24 @EN-D1 @EN-D2 @DIR-D1
  Scenario: A packet that reaches a Node without the Pod goes on to the Pod's Node in VXLAN, with the network's number
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-2 | web  |
    When eth0 of host "outside" sends a packet of IP protocol 17 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-1"
    Then 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of ExternalNetwork "lan"
    And eth1 of Pod "gw" receives the packet as it was sent
    When eth0 of host "outside" sends a packet of IP protocol 17 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-2"
    Then no VXLAN packet is sent
    And eth1 of Pod "gw" receives the packet as it was sent

  @S1-48 @NIC-D2 @DIR-D9
  Scenario: The answer leaves by the NIC that was asked
    Given these Pods
      | name | node     | eth0       | eth1 |
      | gw   | worker-1 | storefront | web  |
    When host "outside" pings "10.225.51.100"
    Then the ping is answered
    And its way leads out of eth1 of Pod "gw" only
    And eth1 of Pod "gw" receives one ping
    And eth0 of Pod "gw" receives nothing

  @S1-49 @NIC-D2
  Scenario: Without the rule it would leave by eth0, on the route of another address
    Given these Pods
      | name | node     | eth0       | eth1 |
      | gw   | worker-1 | storefront | web  |
    When the policy routing rules of Pod "gw" are taken out
    And host "outside" pings "10.225.51.100"
    Then the ping is not answered
    And eth1 of Pod "gw" receives one ping
    And its way leads out of eth0 of Pod "gw" only
    And it is dropped on worker-1 with reason MISS_ROUTE

  @S1-65 @NIC-T4
  Scenario: Each answer leaves by its own NIC where a Pod has several
    Given these Pods
      | name | node     | eth0       | eth1 | eth2 |
      | gw   | worker-1 | storefront | web  | mail |
    Then the policy routing rules of Pod "gw" are
      """
      from 10.225.51.100/32 lookup 182530916 priority 100
      from 10.225.51.101/32 lookup 182530917 priority 100
      """
    When host "outside" pings "10.225.51.100"
    Then the ping is answered
    And its way leads out of eth1 of Pod "gw" only
    When host "outside" pings "10.225.51.101"
    Then the ping is answered
    And its way leads out of eth2 of Pod "gw" only
    When eth1 of Pod "gw" pings "10.225.51.101"
    Then the ping is answered

  @S1-52 @NIC-D3
  Scenario: The Node's side of the NIC answers for the next hop, which is nobody's address
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-1 | web  |
    When eth1 of Pod "gw" asks by ARP for "169.254.0.1"
    Then eth1 of Pod "gw" gets one ARP answer, from the Node's side of it
    And worker-1 has no route to "169.254.0.1"
    And Node "worker-1" cannot ping "169.254.0.1"

  @DIR-D4
  Scenario Outline: No other ARP passes
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-1 | web  |
      | post | worker-1 | mail |
    When <asked>
    Then it is dropped on worker-1 with reason ARP_IGNORED
    And eth1 of Pod "gw" gets no ARP answers
    And eth1 of Pod "post" receives nothing
    And eth0 of host "outside" receives nothing

    Examples:
      | asked                                                                |
      | eth1 of Pod "gw" asks by ARP for "10.225.51.101"                     |
      | eth1 of Pod "gw" asks by ARP for "10.225.51.200"                     |
      | eth1 of Pod "gw" answers by ARP to everybody as "10.225.51.101"      |
      | eth1 of Pod "gw" answers by ARP to everybody as "169.254.0.1"        |

  @DIR-D3
  Scenario Outline: Nobody's address but its own leaves the NIC
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-1 | web  |
      | post | worker-1 | mail |
    When eth1 of Pod "gw" sends a packet of IP protocol 17 from "<source>" to "<target>" at everybody
    Then it is dropped on worker-1 with reason SPOOFED_SOURCE
    And eth0 of host "outside" receives nothing
    And eth1 of Pod "post" receives nothing

    Examples:
      | source        | target        |
      | 10.225.51.101 | 10.225.51.200 |
      | 10.225.51.200 | 10.225.51.101 |
      | 10.225.51.11  | 10.225.51.200 |
      | 10.16.0.1     | 10.225.51.200 |

  @DIR-D3
  Scenario: Nor anything that is neither IPv4 nor ARP
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-1 | web  |
    When eth1 of Pod "gw" sends a frame to everybody of EtherType 0x86DD
    Then it is dropped on worker-1 with reason NOT_IPV4
    And eth0 of host "outside" receives nothing

  @DIR-D5 @DIR-D6
  Scenario: Packets between ElasticIPs do not go by the outside
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | web  |
      | post | worker-1 | mail |
    When Pod "gw" pings eth0 of Pod "post"
    Then the ping is answered
    And the trace shows TURNED_AROUND
    And the trace does not show HOST_ROUTED
    And no VXLAN packet is sent
    And eth0 of host "outside" receives no packet from "10.225.51.100"

  @DIR-D5 @DIR-D6
  Scenario: Across Nodes they go in VXLAN
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | web  |
      | post | worker-2 | mail |
    When Pod "gw" pings eth0 of Pod "post"
    Then the ping is answered
    And the trace does not show HOST_ROUTED
    And 1 VXLAN packet goes from worker-1 to worker-2 with the VNI of ExternalNetwork "lan"
    And 1 VXLAN packet goes from worker-2 to worker-1 with the VNI of ExternalNetwork "lan"

  @DIR-D5
  Scenario: Nodes and Pods with an ElasticIP reach each other, as kubelets need it
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    Then Node "worker-2" can ping eth0 of Pod "gw"
    And Node "worker-1" can ping eth0 of Pod "gw"
    And Pod "gw" can ping eth0 of Node "worker-2"
    And Pod "gw" can ping eth0 of Node "worker-1"
    And Pod "gw" can ping "10.225.51.1"
    And Node "worker-2" has a route to "10.225.51.100/32"

  @S1-13 @NIC-D4 @DIR-D7
  Scenario: There is no way from such a NIC into a Vpc
    Given these Pods
      | name | node     | eth0       |
      | gw   | worker-1 | web        |
      | app  | worker-1 | storefront |
      | dns  | worker-1 | default    |
      | far  | worker-2 | default    |
    When Pod "gw" pings eth0 of Pod "app"
    Then the ping is not answered
    And eth0 of Pod "app" receives nothing
    And the trace does not show ROUTED
    When Pod "gw" pings eth0 of Pod "dns"
    Then the ping is not answered
    And eth0 of Pod "dns" receives nothing
    When Pod "gw" pings eth0 of Pod "far"
    Then the ping is not answered
    And eth0 of Pod "far" receives nothing
    When Pod "app" pings "10.225.51.100"
    Then the ping is not answered
    And eth0 of Pod "gw" receives nothing

  @EIP-D1
  Scenario: What comes for an address that nobody uses is dropped, and never the Node's own
    Then nobody answers for "10.225.51.100"
    When eth0 of host "outside" sends a packet of IP protocol 17 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-1"
    Then it is dropped on worker-1 with reason CLAIMED_UNUSED
    When eth0 of host "outside" sends a packet of IP protocol 17 from "10.225.51.200" to "10.225.51.109" at eth0 of Node "worker-2"
    Then it is dropped on worker-2 with reason CLAIMED_UNUSED

  Scenario: An ElasticIP whose Pod is gone is reachable no more, on any Node
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    Then host "outside" can ping "10.225.51.100"
    When Pod "gw" is deleted
    Then host "outside" cannot ping "10.225.51.100"
    And nobody answers for "10.225.51.100"
    When eth0 of host "outside" sends a packet of IP protocol 17 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-1"
    Then it is dropped on worker-1 with reason CLAIMED_UNUSED

  Scenario: A port that nobody listens on says so to the outside
    Given these Pods
      | name | node     | eth0 |
      | gw   | worker-2 | web  |
    When host "outside" sends a datagram to port 9 of "10.225.51.100"
    Then it is turned away

  @S0-39 @EN-C12 @EN-D4 @DIR-D11
  Scenario: The dataplane answers for the address, which the Node's own host does not have
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-2 | web  |
    When eth0 of host "outside" asks by ARP for "10.225.51.100"
    Then eth0 of host "outside" gets one ARP answer for "10.225.51.100"
    And the trace shows ARP_ANSWERED
    And eth0 of Node "worker-2" has the address "10.225.51.12/24"
    And table external_arp_table of worker-2 has 1 rows

  @S0-29 @EN-C6
  Scenario: Such a NIC waits for the network's number, and is reachable once that is written
    Given AllocationPool "subnet-vni" is deleted past admission
    And AddressPool "far" with {advertiseMode: arp, addresses: [10.225.51.110-10.225.51.119]}
    And ExternalNetwork "far" with {type: arp, addressPools: [far]}
    And ElasticIP "late" with {externalNetwork: far}
    And these Pods
      | name | node     | eth0 |
      | gw   | worker-1 | late |
    Then "status.address" of ElasticIP "late" is "10.225.51.110"
    And there is no NetworkInterface
    And nobody answers for "10.225.51.110"
    When AllocationPool "subnet-vni" is created with {type: number, number: {min: 4096, max: 16777215}}
    Then NetworkInterface "gw.eth0" is Ready
    And host "outside" can ping "10.225.51.110"
