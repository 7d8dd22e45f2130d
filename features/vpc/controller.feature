Feature: What becomes of a Vpc
  A Vpc gets a number and a main RouteTable of its own name, and what is inside it waits for both.

  @VPC-C1
  Scenario: A fresh installation has the default Vpc, the default Subnet and the pools of numbers
    Given a lab
    Then "spec.service" of Vpc "default" is {consume: true, provider: {natSourceSubnet: default}}
    And Vpc "default" is Ready with reason "ReconcileSucceeded"
    And "spec.vpc" of Subnet "default" is "default"
    And "spec.cidr" of Subnet "default" is "10.16.0.0/16"
    And "status.vni" of Subnet "default" is 4096
    And "spec.number" of AllocationPool "subnet-vni" is {min: 4096, max: 16777215}
    And "spec.number" of AllocationPool "vpc-id" is {min: 2, max: 4294967295}
    And "spec.number" of AllocationPool "route-table-id" is {min: 2, max: 4294967295}
    And AllocationPool "security-group-id" exists
    And AllocationPool "network-acl-id" exists
    And "spec.number" of AllocationPool "nat-gateway-id" is {min: 1, max: 4294967295}

  @VPC-C1
  Scenario: The default Subnet takes its prefix from the controller's flag
    Given a lab with --default-subnet-cidr 10.32.0.0/20
    Then "spec.cidr" of Subnet "default" is "10.32.0.0/20"
    And "status.gateway" of Subnet "default" is "10.32.0.1"

  @VPC-C1
  Scenario: What a user has changed of it stays, whatever a later controller would make
    Given a lab
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: vpc-id, labels: {team: network}}
      spec: {type: number, number: {min: 100, max: 199}}
      """
    When "spec" of Vpc "default" is changed to {enforceSecurityGroups: true}
    Then it is accepted
    When "metadata.labels" of Subnet "default" is changed to {team: network}
    Then it is accepted
    When the controller restarts with --default-subnet-cidr 10.32.0.0/20
    Then nothing is written
    And "spec" of Vpc "default" is {enforceSecurityGroups: true}
    And "spec.cidr" of Subnet "default" is "10.16.0.0/16"
    And "metadata.labels" of Subnet "default" is {team: network}
    And "metadata.labels" of AllocationPool "vpc-id" is {team: network}
    And "spec.number" of AllocationPool "vpc-id" is {min: 100, max: 199}

  @VPC-C1
  Scenario: What somebody has taken away of it is there again after the next start
    Given a lab
    And AllocationPool "network-acl-id" is deleted past admission
    When the controller restarts with --address-lease 24h
    Then "spec.number" of AllocationPool "network-acl-id" is {min: 1, max: 4294967295}

  @VPC-C2
  Scenario: The default Vpc has number 1, the others draw theirs, and keep them
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      """
    Then "status.vpcID" of Vpc "default" is 1
    And AllocationClaim "vpc-id--vpc--default--status-vpcid" does not exist
    And "status.vpcID" of Vpc "shop" is 2
    And "status.vpcID" of Vpc "billing" is 3
    When Vpc "shop" is deleted
    Then AllocationClaim "vpc-id--vpc--shop--status-vpcid" is gone
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: warehouse}
      """
    Then "status.vpcID" of Vpc "warehouse" is 2
    And "status.vpcID" of Vpc "billing" is 3

  @VPC-C2
  Scenario: A number that a Vpc has is its own, whatever becomes of the claim
    Given a lab
    And Vpc "shop" with {}
    When 77 is stored as the value of AllocationClaim "vpc-id--vpc--shop--status-vpcid"
    Then "status.vpcID" of Vpc "shop" is 2
    When AllocationClaim "vpc-id--vpc--shop--status-vpcid" is deleted
    Then "status.vpcID" of Vpc "shop" is 2
    And "status.value.number" of AllocationClaim "vpc-id--vpc--shop--status-vpcid" is 2
    And Vpc "shop" is Ready
    When Vpc "billing" is created with {}
    Then "status.vpcID" of Vpc "billing" is 3

  @VPC-C2
  Scenario: A Vpc without a free number waits and says for what
    Given a lab
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: vpc-id}
      spec: {type: number, number: {min: 2, max: 2}}
      """
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      """
    Then Vpc "billing" is Pending with reason "NotReady"
    And the message names "vpc-id"
    When Vpc "shop" is deleted
    Then Vpc "billing" is Ready
    And "status.vpcID" of Vpc "billing" is 2

  @VPC-C3 @VPC-C7
  Scenario: A Vpc makes its main RouteTable, and takes it along
    Given a lab
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    Then "status.mainRouteTable" of Vpc "shop" is "shop"
    And "spec.vpc" of RouteTable "shop" is "shop"
    And "metadata.ownerReferences[0].kind" of RouteTable "shop" is "Vpc"
    And "metadata.ownerReferences[0].controller" of RouteTable "shop" is true
    And "metadata.finalizers" of Vpc "shop" is empty
    When Vpc "shop" is deleted
    Then Vpc "shop" is gone
    And RouteTable "shop" is gone

  @VPC-C3
  Scenario: A main RouteTable that a user made first is adopted with its routes
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop}
      spec:
        vpc: shop
        routes: [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    Then "metadata.ownerReferences[0].name" of RouteTable "shop" is "shop"
    And "metadata.ownerReferences[0].controller" of RouteTable "shop" is true
    And "spec.routes" of RouteTable "shop" is [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    And "status.mainRouteTable" of Vpc "shop" is "shop"
    When Vpc "shop" is deleted
    Then RouteTable "shop" is gone

  @VPC-C3
  Scenario: A RouteTable of another Vpc is not adopted for its name
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop}
      spec: {vpc: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    Then condition "Ready" of Vpc "shop" is False with reason "MainRouteTableNotReady"
    And the message says "Vpc billing"
    And "metadata.ownerReferences" of RouteTable "shop" is empty
    When RouteTable "shop" is deleted
    Then the deletion is refused

  @VPC-C4
  Scenario: What a route waits for keeps new Subnets of the Vpc waiting, and the chain names it
    Given a lab
    And these manifests
      """
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
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    And the value of "status.vni" of Subnet "storefront" is noted
    When "spec.routes" of RouteTable "shop" is changed to [{dst: 172.20.0.0/16, via: {type: endpoint, endpointName: firewall.eth0}}]
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.92.0.0/24}
      """
    Then condition "Ready" of RouteTable "shop" is False with reason "NotReady"
    And the message names "firewall.eth0"
    And condition "Ready" of Vpc "shop" is False with reason "MainRouteTableNotReady"
    And the message names "firewall.eth0"
    And Subnet "checkout" is Pending with reason "VpcNotReady"
    And the message names "firewall.eth0"
    And "status.vni" of Subnet "checkout" is empty
    And "status.vni" of Subnet "storefront" is unchanged
    And NetworkInterface "catalogue.eth0" is Ready
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is True
    When "spec.routes" of RouteTable "shop" is removed
    Then Vpc "shop" is Ready
    And Subnet "checkout" is Ready

  @VPC-C6
  Scenario: The endpoint pool is kept as an AllocationPool for as long as the Vpc has one
    Given a lab
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      spec: {endpointPool: {cidrs: [172.30.40.0/24]}}
      """
    Then "spec" of AllocationPool "vpc-endpoint-ip-shop" is {type: ip, strategy: firstFit, ip: {cidrs: [172.30.40.0/24]}}
    And "metadata.ownerReferences[0].kind" of AllocationPool "vpc-endpoint-ip-shop" is "Vpc"
    When "spec.endpointPool.cidrs" of Vpc "shop" is changed to [172.30.40.0/24, 172.30.41.0/24]
    Then "spec.ip.cidrs" of AllocationPool "vpc-endpoint-ip-shop" is [172.30.40.0/24, 172.30.41.0/24]
    When "spec.endpointPool" of Vpc "shop" is removed
    Then AllocationPool "vpc-endpoint-ip-shop" is gone
