Feature: The gateway of an L2Network
  With a gateway, every Node has a router port for the segment, and beyond it lies the Vpc.

  Background:
    Given a lab with nodes worker-1, worker-2, worker-3
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}

  @S4-14
  Scenario: A segment can do as much as is written in it
    Given L2Network "plain" with {vpc: lab}
    And L2Network "addressed" with {vpc: lab, cidr: 10.70.5.0/24}
    And L2Network "routed" with {vpc: lab, cidr: 10.70.6.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1  | eth2      | eth3   |
      | a    | worker-1 | web  | plain | addressed | routed |
      | b    | worker-2 | web  | plain | addressed | routed |
    Then eth1 of Pod "a" has no address
    And eth2 of Pod "a" has the address "10.70.5.1/24"
    And eth3 of Pod "a" has the address "10.70.6.2/24"
    When eth1 of Pod "a" sends a frame to everybody
    Then only eth1 of Pod "b" receives it
    And eth2 of Pod "a" can ping eth2 of Pod "b"
    And eth3 of Pod "a" can ping eth3 of Pod "b"
    And eth0 of Pod "a" cannot ping eth2 of Pod "b"
    And eth0 of Pod "a" can ping eth3 of Pod "b"

  @S4-30 @S4-46
  Scenario Outline: A NIC of the segment and a Pod of a Subnet reach each other by the gateway
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0    |
      | in   | worker-1 | lab-net |
      | out  | <node>   | web     |
    When Pod "in" pings eth0 of Pod "out"
    Then the ping is answered
    And the trace shows L2_GATEWAY
    When Pod "out" pings eth0 of Pod "in"
    Then the ping is answered
    And the trace shows L2_GATEWAY

    Examples: the same Node, and another
      | node     |
      | worker-1 |
      | worker-2 |

  @S4-31
  Scenario: Without a gateway nothing gets out of the segment or in, with one it does
    Given L2Network "closed" with {vpc: lab, cidr: 10.70.4.0/24}
    And Subnet "far" with {vpc: lab, cidr: 10.91.0.0/24}
    And these Pods
      | name | node     | eth0 | eth1              |
      | a    | worker-1 | web  | closed 10.70.4.9  |
      | b    | worker-2 | web  | closed 10.70.4.10 |
      | out  | worker-1 | far  |                   |
    And Pod "a" adds a route to "10.91.0.0/24" via "10.70.4.1"
    And Pod "a" adds a route to "10.225.51.0/24" via "10.70.4.1"
    And Node "worker-1" adds a route to "10.70.4.0/24" via "10.16.0.1"
    Then eth1 of Pod "a" can ping eth1 of Pod "b"
    When eth1 of Pod "a" asks by ARP for "10.70.4.1"
    Then eth1 of Pod "a" gets no ARP answers
    When Pod "a" pings eth0 of Pod "out"
    Then the ping is not answered
    And eth0 of Pod "out" receives nothing
    When Pod "a" pings "10.225.51.11"
    Then the ping is not answered
    And the trace does not show PASS_TO_HOST
    When Pod "out" pings eth1 of Pod "a"
    Then it is dropped on worker-1 with reason MISS_ROUTE
    When Node "worker-1" pings eth1 of Pod "a"
    Then it is dropped on worker-1 with reason MISS_ROUTE
    And eth1 of Pod "a" receives nothing
    When eth1 of Pod "a" sends a packet of IP protocol 17 from "10.70.4.9" to "10.91.0.4" at everybody
    Then only eth1 of Pod "b" receives it
    And table l2_gateway of worker-1 for L2Network "closed" is empty
    And the routes of RouteTable "lab" are
      | dst          | via.type  | subnet | l2Network |
      | 10.90.0.0/24 | connected | web    | -         |
      | 10.91.0.0/24 | connected | far    | -         |
    When "spec.gateway" of L2Network "closed" is changed to {}
    Then Pod "a" can ping eth0 of Pod "out"
    And Pod "out" can ping eth1 of Pod "a"
    When Pod "a" pings "10.225.51.11"
    Then the trace shows PASS_TO_HOST
    When Node "worker-1" pings eth1 of Pod "a"
    Then it is dropped on worker-1 with reason MISS_ROUTE

  @S4-34 @S4-92
  Scenario Outline: The gateway has the first address of the prefix unless another one is written
    When L2Network "lab-net" is created with {vpc: lab, cidr: <cidr>, gateway: <gateway>}
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is "<address>"
    And "spec.gateway" of L2Network "lab-net" is <gateway>

    Examples:
      | cidr          | gateway                 | address     |
      | 172.20.4.0/22 | {}                      | 172.20.4.1  |
      | 10.0.1.16/28  | {}                      | 10.0.1.17   |
      | 172.20.4.0/22 | {"address": "172.20.6.9"} | 172.20.6.9 |

  @S4-92
  Scenario: Without a gateway there is no gateway address
    Given L2Network "lab-net" with {vpc: lab, cidr: 172.20.4.0/22}
    Then "status.gateway" of L2Network "lab-net" is empty
    And "status.gatewayMAC" of L2Network "lab-net" is empty

  @S4-38 @S4-39
  Scenario: The main RouteTable decides, unless the gateway names another one of the Vpc
    Given Subnet "far" with {vpc: lab, cidr: 10.91.0.0/24}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And RouteTable "special" with {vpc: lab}
    And these Pods
      | name   | node     | eth0    | eth1 |
      | in     | worker-1 | lab-net |      |
      | router | worker-2 | web     | far  |
      | r2     | worker-3 | web     | far  |
    And "192.168.7.1/24" is set on eth0 of Pod "router"
    And "192.168.8.1/24" is set on eth0 of Pod "r2"
    When "spec.routes" of RouteTable "lab" is changed to [{dst: 192.168.7.0/24, via: {type: endpoint, endpointName: router.eth0}}]
    Then it is accepted
    When "spec.routes" of RouteTable "special" is changed to [{dst: 192.168.8.0/24, via: {type: endpoint, endpointName: r2.eth0}}]
    Then it is accepted
    And Pod "in" can ping "192.168.7.1"
    When Pod "in" pings "192.168.8.1"
    Then it is dropped with reason MISS_ROUTE
    When "spec.gateway.routeTable" of L2Network "lab-net" is changed to "special"
    Then it is accepted
    And Pod "in" can ping "192.168.8.1"
    When Pod "in" pings "192.168.7.1"
    Then it is dropped with reason MISS_ROUTE

  @S4-40
  Scenario Outline: Every Node has one gateway port, wherever the segment's Pods are, and so has a Node that joins
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0    |
      | a    | worker-1 | lab-net |
    When Node "worker-4" joins
    Then table l2_gateway of <node> for L2Network "lab-net" is
      | ifindex | mac     |
      | lab-net | lab-net |

    Examples:
      | node     |
      | worker-1 |
      | worker-2 |
      | worker-3 |
      | worker-4 |

  @S4-41 @S4-93
  Scenario: On every Node the gateway answers with the same MAC, which status names
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
      | c    | worker-3 | web  | lab-net |
    Then "status.gateway" of L2Network "lab-net" is "10.70.4.1"
    When eth1 of Pod "a" asks by ARP for "10.70.4.1"
    Then eth1 of Pod "a" gets one ARP answer, from the gateway of L2Network "lab-net"
    When eth1 of Pod "b" asks by ARP for "10.70.4.1"
    Then eth1 of Pod "b" gets one ARP answer, from the gateway of L2Network "lab-net"
    When eth1 of Pod "c" asks by ARP for "10.70.4.1"
    Then eth1 of Pod "c" gets one ARP answer, from the gateway of L2Network "lab-net"

  @S4-42
  Scenario: A workload uses the gateway of its own Node
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0    | eth1    |
      | in   | worker-1 | lab-net |         |
      | out  | worker-1 | web     |         |
      | b    | worker-2 | web     | lab-net |
    When Pod "in" pings eth0 of Pod "out"
    Then the ping is answered
    When Pod "in" pings eth0 of Pod "out"
    Then the ping is answered
    And no VXLAN packet is sent
    When Pod "out" pings eth0 of Pod "in"
    Then the ping is answered
    And no VXLAN packet is sent

  @S4-43 @S4-63
  Scenario Outline: A packet for the segment is routed on the sender's Node, and the first one arrives
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0    |
      | in   | worker-1 | lab-net |
      | out  | <node>   | web     |
    When Pod "out" sends a datagram to port 7777 of eth0 of Pod "in"
    Then it is turned away
    And nothing is dropped

    Examples: Nodes with and without a Pod of the segment
      | node     |
      | worker-1 |
      | worker-2 |
      | worker-3 |

  @S4-44 @S4-45
  Scenario: The gateway brings the prefix into all RouteTables of the Vpc, as a Subnet does
    Given RouteTable "special" with {vpc: lab}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then the routes of RouteTable "lab" are
      | dst          | via.type  | subnet | l2Network |
      | 10.90.0.0/24 | connected | web    | -         |
      | 10.70.4.0/24 | connected | -      | lab-net   |
    And the routes of RouteTable "special" are
      | dst          | via.type  | subnet | l2Network |
      | 10.90.0.0/24 | connected | web    | -         |
      | 10.70.4.0/24 | connected | -      | lab-net   |
    When "spec.routes" of RouteTable "special" is changed to [{dst: 10.70.4.0/24, via: {type: endpoint, endpointName: x}}]
    Then it is refused at "spec.routes[0].dst" with "L2Network lab-net"
    When "spec.routes" of RouteTable "special" is changed to [{dst: 10.90.0.0/24, via: {type: endpoint, endpointName: x}}]
    Then it is refused at "spec.routes[0].dst" with "Subnet web"
    When "spec.gateway" of L2Network "lab-net" is removed
    Then the routes of RouteTable "lab" are
      | dst          | via.type  | subnet | l2Network |
      | 10.90.0.0/24 | connected | web    | -         |
    And the routes of RouteTable "special" are
      | dst          | via.type  | subnet | l2Network |
      | 10.90.0.0/24 | connected | web    | -         |

  @S4-49 @S4-50
  Scenario: From an extra NIC the way through the gateway is a route of the Pod's own
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And Subnet "far" with {vpc: lab, cidr: 10.91.0.0/24}
    And L2Network "plain" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1    | eth2  | eth3 |
      | a    | worker-1 | web  | lab-net | plain |      |
      | many | worker-1 | web  | lab-net | plain | far  |
      | far  | worker-2 | far  |         |       |      |
    Then the main table of Pod "many" is
      """
      default via 10.90.0.1 dev eth0
      10.90.0.0/24 dev eth0
      10.70.4.0/24 dev eth1
      10.91.0.0/24 dev eth3
      """
    And Pod "many" has no policy routing rules
    When Pod "a" pings eth0 of Pod "far" from "10.70.4.2"
    Then the trace does not show L2_EGRESS
    When Pod "a" adds a route to "10.91.0.0/24" via "10.70.4.1"
    And Pod "a" pings eth0 of Pod "far"
    Then the ping is answered
    And the trace shows L2_EGRESS
    And the trace shows L2_GATEWAY

  @S4-52 @S4-94 @L2N-27
  Scenario: A gateway can come, move, change its RouteTable, and go
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    And RouteTable "special" with {vpc: lab}
    And these Pods
      | name   | node     | eth0 | eth1    |
      | a      | worker-1 | web  | lab-net |
      | b      | worker-2 | web  | lab-net |
      | router | worker-3 | web  |         |
    And "192.168.7.1/24" is set on eth0 of Pod "router"
    When "spec.routes" of RouteTable "special" is changed to [{dst: 192.168.7.0/24, via: {type: endpoint, endpointName: router.eth0}}]
    Then it is accepted
    When "spec.gateway" of L2Network "lab-net" is changed to {address: 10.70.4.254}
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is "10.70.4.254"
    And "status.gatewayMAC" of L2Network "lab-net" matches "[0-9a-f][26ae](:[0-9a-f]{2}){5}"
    And eth0 of Pod "b" can ping eth1 of Pod "a"
    Given the value of "status.gatewayMAC" of L2Network "lab-net" is noted
    When "spec.gateway.address" of L2Network "lab-net" is changed to "10.70.4.9"
    Then it is accepted
    When eth1 of Pod "a" asks by ARP for "10.70.4.9"
    Then eth1 of Pod "a" gets one ARP answer, from the gateway of L2Network "lab-net"
    When eth1 of Pod "a" asks by ARP for "10.70.4.254"
    Then eth1 of Pod "a" gets no ARP answers
    Given Pod "a" adds a route to "192.168.7.0/24" via "10.70.4.9"
    When Pod "a" pings "192.168.7.1"
    Then it is dropped on worker-1 with reason MISS_ROUTE
    When "spec.gateway.routeTable" of L2Network "lab-net" is changed to "special"
    Then it is accepted
    And Pod "a" can ping "192.168.7.1"
    And eth0 of Pod "router" receives 1 ping
    When the controller restarts
    Then nothing is written
    And "status.gatewayMAC" of L2Network "lab-net" is unchanged
    When "spec.gateway" of L2Network "lab-net" is removed
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is empty
    And "status.gatewayMAC" of L2Network "lab-net" is empty
    And eth0 of Pod "b" cannot ping eth1 of Pod "a"

  @S4-53 @S4-55 @L2N-23
  Scenario: A gateway cannot take the address of a workload, but another one
    Given L2Network "lab-net" with {vpc: lab, cidr: 172.20.4.0/22}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
    Then "status.address" of NetworkInterface "a.eth1" is "172.20.4.1/22"
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then it is refused at "spec.gateway.address" with "172.20.4.1"
    And the error says "AllocationClaim l2network-ip-lab-net--networkinterface--default--a-eth1--status-address-107217b6"
    And the error says "another address"
    And the error says "delete the workload"
    And nothing was stored
    When "spec.gateway" of L2Network "lab-net" is changed to {address: 172.20.6.9}
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is "172.20.6.9"
    When "spec.gateway.address" of L2Network "lab-net" is removed
    Then it is refused at "spec.gateway.address" with "172.20.4.1"

  @S4-56 @L2N-23
  Scenario: Deleting the workload makes room for the gateway at once
    Given L2Network "lab-net" with {vpc: lab, cidr: 172.20.4.0/22}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
    When Pod "a" is deleted
    Then Pod "a" is gone
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is "172.20.4.1"
    When these Pods are created
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
    Then it is accepted
    And "status.address" of NetworkInterface "a.eth1" is "172.20.4.2/22"
    When the controller restarts
    Then nothing is written

  @L2N-23
  Scenario: What is kept for a workload that may come back is held like any other address, until it is released
    Given L2Network "lab-net" with {vpc: lab, cidr: 172.20.4.0/22}
    And Vpc "vm" with {}
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: address-of-the-vm}
      spec:
        poolRefs: [{name: l2network-ip-lab-net}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: vm}
        attribute: status.address
        releaseAfter: 1h
        retainWhile: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: vm}
      """
    When AllocationClaim "address-of-the-vm" is deleted
    Then "status.phase" of AllocationLease "address-of-the-vm" is "Retained"
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then it is refused at "spec.gateway.address" with "172.20.4.1"
    And the error says "AllocationLease address-of-the-vm"
    And nothing was stored
    When Vpc "vm" is deleted
    Then "status.phase" of AllocationLease "address-of-the-vm" is "Released"
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then it is accepted
    And "status.gateway" of L2Network "lab-net" is "172.20.4.1"

  @L2N-23
  Scenario: A lease holds its address from the moment that it is there, before the claim knows of it
    Given L2Network "lab-net" with {vpc: lab, cidr: 172.20.4.0/22}
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: address-of-the-vm}
      spec:
        poolRefs: [{name: pool-to-come}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: lab}
        attribute: status.address
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationLease
      metadata: {name: address-of-the-vm}
      spec:
        poolRef: {name: l2network-ip-lab-net}
        value: {ip: 172.20.4.1}
        claimRef: {name: address-of-the-vm}
        ttlSeconds: 3600
      """
    Then "status.phase" of AllocationLease "address-of-the-vm" is "Active"
    And "status.value" of AllocationClaim "address-of-the-vm" is empty
    When "spec.gateway" of L2Network "lab-net" is changed to {}
    Then it is refused at "spec.gateway.address" with "AllocationLease address-of-the-vm"
    And nothing was stored

  @L2N-27
  Scenario: A gateway that shares its address since old times is judged for that only when it moves
    Given L2Network "lab-net" with {vpc: lab, cidr: 172.20.4.0/22}
    And RouteTable "special" with {vpc: lab}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-1 | web  | lab-net |
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: lab-net}
      spec: {vpc: lab, cidr: 172.20.4.0/22, gateway: {}}
      """
    When "metadata.labels" of L2Network "lab-net" is changed to {team: lab}
    Then it is accepted
    When "spec.gateway.routeTable" of L2Network "lab-net" is changed to "special"
    Then it is accepted
    When "spec.gateway.address" of L2Network "lab-net" is changed to "172.20.4.1"
    Then it is accepted
    When "spec.gateway.address" of L2Network "lab-net" is changed to "172.20.4.2"
    Then it is refused at "spec.gateway.address" with "172.20.4.2"
    When "spec.gateway" of L2Network "lab-net" is removed
    Then it is accepted
    When "spec.gateway" of L2Network "lab-net" is changed to {address: 172.20.4.1}
    Then it is refused at "spec.gateway.address" with "172.20.4.1"

  Scenario: A segment that waits for its Vpc keeps what its status says
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, mtu: 1400}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  |         |
    And the value of "status.vni" of L2Network "lab-net" is noted
    And the value of "status.gatewayMAC" of L2Network "lab-net" is noted
    When "spec.routes" of RouteTable "lab" is changed to [{dst: 192.168.7.0/24, via: {type: endpoint, endpointName: firewall.eth0}}]
    Then L2Network "lab-net" is Allocated with reason "VpcNotReady"
    And "status.vni" of L2Network "lab-net" is unchanged
    And "status.mtu" of L2Network "lab-net" is 1400
    And "status.gateway" of L2Network "lab-net" is "10.70.4.1"
    And "status.gatewayMAC" of L2Network "lab-net" is unchanged
    And eth0 of Pod "b" can ping eth1 of Pod "a"

  @S4-60
  Scenario: The gateway never asks by ARP, and announces nothing
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
      | out  | worker-3 | web  |         |
    When "spec.gateway" of L2Network "lab-net" is changed to {address: 10.70.4.254}
    And Pod "out" pings "10.70.4.77"
    Then it is dropped on worker-3 with reason MISS_L2_ARP
    And eth1 of Pod "a" receives nothing
    When Pod "out" pings eth1 of Pod "a"
    Then eth1 of Pod "a" receives 1 ping
    When "spec.gateway.address" of L2Network "lab-net" is changed to "10.70.4.253"
    And 1h passes
    And Pod "out" pings "10.70.4.78"
    Then it is dropped on worker-3 with reason MISS_L2_ARP
    And the gateway of L2Network "lab-net" has sent no ARP

  @S4-61
  Scenario Outline: Addresses that Juneau handed out are known on every Node
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
    When Node "worker-4" joins
    Then table l2_arp of <node> for L2Network "lab-net" is
      | ipv4      | mac    |
      | 10.70.4.2 | a.eth1 |
      | 10.70.4.3 | b.eth1 |
    When Pod "a" is deleted
    Then table l2_arp of <node> for L2Network "lab-net" is
      | ipv4      | mac    |
      | 10.70.4.3 | b.eth1 |

    Examples: with a Pod of the segment, without one, and come later
      | node     |
      | worker-1 |
      | worker-2 |
      | worker-3 |
      | worker-4 |

  Scenario: What is heard on the segment counts more than what was handed out
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-2 | web  | lab-net |
      | c    | worker-3 | web  | lab-net |
      | out  | worker-3 | web  |         |
    And eth1 of Pod "a" and eth1 of Pod "b" have been heard
    When Pod "out" pings "10.70.4.2"
    Then it reached eth1 of Pod "a" and not eth1 of Pod "b"
    When eth1 of Pod "b" announces "10.70.4.2"
    Then worker-1 knows "10.70.4.2" on L2Network "lab-net" as eth1 of Pod "b"
    And worker-2 knows "10.70.4.2" on L2Network "lab-net" as eth1 of Pod "b"
    And worker-3 knows "10.70.4.2" on L2Network "lab-net" as eth1 of Pod "b"
    When Pod "out" pings "10.70.4.2"
    Then it reached eth1 of Pod "b" and not eth1 of Pod "a"
    When eth1 of Pod "a" announces "10.70.4.2"
    And Pod "out" pings "10.70.4.2"
    Then it reached eth1 of Pod "a" and not eth1 of Pod "b"

  @S4-62
  Scenario Outline: Whoever sends ARP on the segment is known on every Node
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | b    | worker-1 | web  | lab-net |
    When eth1 of Pod "a" <speaks>
    Then worker-1 knows "10.70.4.77" on L2Network "lab-net" as eth1 of Pod "a"
    And worker-2 knows "10.70.4.77" on L2Network "lab-net" as eth1 of Pod "a"
    And worker-3 knows "10.70.4.77" on L2Network "lab-net" as eth1 of Pod "a"

    Examples: a request, a reply to one station, an announcement
      | speaks                                                   |
      | asks by ARP for "10.70.4.5" as "10.70.4.77"              |
      | answers by ARP to eth1 of Pod "b" as "10.70.4.77"        |
      | announces "10.70.4.77"                                   |

  @S4-64
  Scenario Outline: An address set by hand cannot be reached until its host has sent ARP once
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | out  | <node>   | web  |         |
    And "10.70.4.77/24" is set on eth1 of Pod "a"
    When Pod "out" pings "10.70.4.77"
    Then the ping is not answered
    And it is dropped on <node> with reason MISS_L2_ARP
    When eth1 of Pod "a" announces "10.70.4.77"
    And Pod "out" sends a datagram to port 7777 of "10.70.4.77"
    Then nothing is dropped
    And eth1 of Pod "a" receives a packet to "10.70.4.77"

    Examples: every Node
      | node     |
      | worker-1 |
      | worker-2 |
      | worker-3 |

  @S4-64
  Scenario: An address outside the cidr is as unknown to the gateway until its host has sent ARP
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
    And these Pods
      | name | node     | eth0 |
      | out  | worker-3 | web  |
    And "192.168.7.7/24" is set on eth1 of Pod "a"
    Then worker-1 knows nobody as "192.168.7.7" on L2Network "lab-net"
    And worker-2 knows nobody as "192.168.7.7" on L2Network "lab-net"
    And worker-3 knows nobody as "192.168.7.7" on L2Network "lab-net"
    When Pod "out" pings "192.168.7.7"
    Then it is dropped on worker-3 with reason MISS_ROUTE
    When eth1 of Pod "a" announces "192.168.7.7"
    Then worker-1 knows "192.168.7.7" on L2Network "lab-net" as eth1 of Pod "a"
    And worker-2 knows "192.168.7.7" on L2Network "lab-net" as eth1 of Pod "a"
    And worker-3 knows "192.168.7.7" on L2Network "lab-net" as eth1 of Pod "a"

  @S4-65
  Scenario Outline: A host behind a NIC cannot be reached until it has sent ARP once
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
      | out  | <node>   | web  |         |
    And a host "vm" with "10.70.4.77/24" is bridged behind eth1 of Pod "a"
    And host "vm" adds a route to "0.0.0.0/0" via "10.70.4.1"
    When Pod "out" pings "10.70.4.77"
    Then the ping is not answered
    And it is dropped on <node> with reason MISS_L2_ARP
    When eth0 of host "vm" announces "10.70.4.77"
    Then Pod "out" can ping "10.70.4.77"

    Examples: every Node
      | node     |
      | worker-1 |
      | worker-2 |
      | worker-3 |
