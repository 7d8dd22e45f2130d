Feature: Deleting an L2Network, and what it refers to
  Nothing holds an L2Network; it holds its Vpc, its RouteTable and its NetworkACL.

  Background:
    Given a lab
    And Vpc "lab" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}

  @S4-130
  Scenario: It has no finalizer, and is gone at once
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    Then "metadata.finalizers" of L2Network "lab-net" is empty
    When L2Network "lab-net" is deleted
    Then the deletion is accepted
    And L2Network "lab-net" is gone
    And AllocationPool "l2network-ip-lab-net" is gone
    And AllocationClaim "subnet-vni--l2network--lab-net--status-vni" is gone

  @S4-131 @L2N-30
  Scenario: It goes although NICs are connected to it
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    And these Pods
      | name | node     | eth0    | eth1    |
      | a    | worker-1 | web     | lab-net |
      | b    | worker-2 | lab-net |         |
    Then NetworkEndpoint "a.eth1" exists
    When L2Network "lab-net" is deleted
    Then the deletion is accepted
    And L2Network "lab-net" is gone
    And NetworkInterface "a.eth1" exists
    And NetworkEndpoint "a.eth1" exists
    And NetworkInterface "a.eth1" is Pending with reason "AllocationFailed"
    And the message names "lab-net"

  @S4-132 @S4-133 @S4-134 @S4-135 @L2N-31 @L2N-32 @L2N-33
  Scenario: What it refers to cannot be deleted while it is there
    Given RouteTable "special" with {vpc: lab}
    And NetworkACL "edge" with {vpc: lab}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {routeTable: special}, networkACL: edge}
    And Subnet "web" is deleted
    When Vpc "lab" is deleted
    Then the deletion is refused with "lab-net"
    When RouteTable "special" is deleted
    Then the deletion is refused with "lab-net"
    When NetworkACL "edge" is deleted
    Then the deletion is refused with "lab-net"
    When L2Network "lab-net" is deleted
    Then the deletion is accepted
    When NetworkACL "edge" is deleted
    Then the deletion is accepted
    And NetworkACL "edge" is gone
    When RouteTable "special" is deleted
    Then the deletion is accepted
    When Vpc "lab" is deleted
    Then the deletion is accepted

  @S4-134 @L2N-32
  Scenario: The main RouteTable stays, which a gateway uses that names none
    Given L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    When RouteTable "lab" is deleted
    Then the deletion is refused with "main RouteTable"

  @S4-134 @L2N-32
  Scenario: A gateway that names another RouteTable lets go of the first
    Given RouteTable "special" with {vpc: lab}
    And L2Network "lab-net" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {routeTable: special}}
    When "spec.gateway.routeTable" of L2Network "lab-net" is removed
    And RouteTable "special" is deleted
    Then the deletion is accepted

  @L2N-29
  Scenario: While it is being deleted, nobody asks whether what it refers to is still there
    Given RouteTable "special" with {vpc: lab}
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: lab-net, finalizers: [example.com/hold]}
      spec: {vpc: lab, cidr: 10.70.4.0/24, gateway: {address: 10.70.4.254, routeTable: special}}
      """
    And these Pods
      | name | node     | eth0 | eth1    |
      | a    | worker-1 | web  | lab-net |
    When "spec.networkACL" of L2Network "lab-net" is changed to "nowhere"
    Then it is refused at "spec.networkACL" with "Not found"
    When "spec.gateway.address" of L2Network "lab-net" is changed to "10.70.4.1"
    Then it is refused at "spec.gateway.address" with "AllocationClaim"
    When L2Network "lab-net" is deleted
    Then the deletion is accepted
    And L2Network "lab-net" exists
    And RouteTable "special" is deleted past admission
    When "metadata.labels" of L2Network "lab-net" is changed to {seen: "yes"}
    Then it is accepted
    When "spec.networkACL" of L2Network "lab-net" is changed to "nowhere"
    Then it is accepted
    When "spec.gateway.address" of L2Network "lab-net" is changed to "10.70.4.1"
    Then it is accepted
    When "spec.gateway.address" of L2Network "lab-net" is changed to "10.70.4.0"
    Then it is refused at "spec.gateway.address" with "network address"
    When "metadata.finalizers" of L2Network "lab-net" is removed
    Then it is accepted
    And L2Network "lab-net" is gone
