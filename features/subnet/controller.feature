Feature: What becomes of a Subnet
  A Subnet gets its segment number, its gateway and its resolver, and keeps the pool that its NICs draw from.

  @SUB-C1
  Scenario: A Subnet waits for its Vpc, and names it
    Given a lab
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      """
    Then Subnet "storefront" is Pending with reason "VpcNotFound"
    And the message names "shop"
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    Then Subnet "storefront" is Ready with reason "ReconcileSucceeded"

  @SUB-C2 @SUB-C3 @SUB-C4 @SUB-C5 @SUB-C7
  Scenario: Number, gateway, resolver and pool come by themselves and stay
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: billing-db}
      spec: {vpc: billing, cidr: 10.44.8.19/22}
      """
    Then "status.vni" of Subnet "billing-db" is 4097
    And AllocationClaim "subnet-vni--subnet--billing-db--status-vni" exists
    And "status.gateway" of Subnet "billing-db" is "10.44.8.1"
    And "status.dns" of Subnet "billing-db" is "10.44.8.2"
    And "status.gatewayMAC" of Subnet "billing-db" matches "[0-9a-f][26ae](:[0-9a-f]{2}){5}"
    And "status.dnsMAC" of Subnet "billing-db" differs from "status.gatewayMAC" of Subnet "billing-db"
    And "spec.ip" of AllocationPool "subnet-ip-billing-db" is {cidrs: [10.44.8.0/22], excluded: [10.44.8.1, 10.44.8.2, 10.44.8.3]}
    And "metadata.ownerReferences[0].kind" of AllocationPool "subnet-ip-billing-db" is "Subnet"
    And the table of subnets is
      """
      NAME         VPC       CIDR           READY
      billing-db   billing   10.44.8.0/22   True
      default      default   10.16.0.0/16   True
      """
    Given the value of "status" of Subnet "billing-db" is noted
    When the controller restarts
    Then nothing is written
    And "status" of Subnet "billing-db" is unchanged

  @SUB-C5
  Scenario: What is written into a Subnet's pool by hand is put right
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: billing-db}
      spec: {vpc: billing, cidr: 10.44.8.0/24}
      """
    When "spec.ip.excluded" of AllocationPool "subnet-ip-billing-db" is removed
    Then "spec.ip.excluded" of AllocationPool "subnet-ip-billing-db" is [10.44.8.1, 10.44.8.2, 10.44.8.3]

  @SUB-C5
  Scenario: The first three addresses stay free, so the first Pod of a Subnet has the fourth
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
    Then "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"

  @SUB-C6
  Scenario: A NetworkACL is shown as it was resolved, and says that nothing enforces it yet
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: shop-edge}
      spec: {vpc: shop, ingress: []}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24, networkACL: shop-edge}
      """
    Then "status.networkACL" of Subnet "storefront" is {name: shop-edge, aclID: 1, rulesetVersion: 1}
    And condition "PolicyEnforced" of Subnet "storefront" is False with reason "NotEnforcedYet"
    And the message names "shop-edge"
    And an Event of Subnet "storefront" has reason "PolicyNotEnforced"
    When "spec.egress" of NetworkACL "shop-edge" is changed to []
    Then "status.networkACL" of Subnet "storefront" is {name: shop-edge, aclID: 1, rulesetVersion: 2}
    When "spec.networkACL" of Subnet "storefront" is removed
    Then "status.networkACL" of Subnet "storefront" is empty
    And condition "PolicyEnforced" of Subnet "storefront" is True

  @SUB-C6
  Scenario: A Subnet that is Ready already says so too when it gets a NetworkACL
    Given a lab
    And Vpc "shop" with {}
    And NetworkACL "shop-edge" with {vpc: shop}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    When "spec.networkACL" of Subnet "storefront" is changed to "shop-edge"
    Then Subnet "storefront" is Ready
    And an Event of Subnet "storefront" has reason "PolicyNotEnforced"
    And the message names "shop-edge"

  @SUB-C6
  Scenario: A NetworkACL that went missing is shown without a number
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24, networkACL: shop-edge}
      """
    Then Subnet "storefront" is Ready
    And "status.networkACL" of Subnet "storefront" is {name: shop-edge, aclID: 0, rulesetVersion: 0}
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: shop-edge}
      spec: {vpc: shop}
      """
    Then "status.networkACL.aclID" of Subnet "storefront" is 1

  Scenario: A Subnet whose stored prefix cannot be read is Failed
    Given a lab
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      """
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: ten-dot-ninety}
      """
    Then Subnet "storefront" is Failed with reason "ReconcileFailed"
    And the message names "ten-dot-ninety"

  @SUB-24
  Scenario: NICs of a deleted Subnet keep what they have, and a Subnet made again takes them back
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
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: checkout, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    When Subnet "storefront" is deleted
    Then NetworkInterface "catalogue.eth0" is Pending with reason "AllocationFailed"
    And the message names "storefront"
    And condition "Allocated" of NetworkInterface "catalogue.eth0" is False with reason "NetworkNotFound"
    And "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"
    And condition "juneau.loutres.me/NetworkReady" of Pod "catalogue" is False with reason "WaitingForInterfaces"
    And AllocationPool "subnet-ip-storefront" exists
    When Pod "catalogue" pings "10.90.0.5"
    Then it is not answered
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      """
    Then NetworkInterface "catalogue.eth0" is Ready
    And "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"
    When Pod "catalogue" pings "10.90.0.5"
    Then it is answered

  @SUB-24
  Scenario: The pool of a deleted Subnet lingers until its last NIC is gone
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
    When Subnet "storefront" is deleted
    And Pod "catalogue" is deleted
    Then NetworkInterface "catalogue.eth0" is gone
    And the claims of AllocationPool "subnet-ip-storefront" are gone
    And AllocationPool "subnet-ip-storefront" is gone

  Scenario: A Subnet made again with another prefix leaves a NIC of the old one Failed
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
    When Subnet "storefront" is deleted
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.93.0.0/24}
      """
    Then NetworkInterface "catalogue.eth0" is Failed with reason "AllocationFailed"
    And the message names "10.93.0.0/24"
    And "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"
    When Pod "catalogue" is deleted
    And this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    Then "status.address" of NetworkInterface "catalogue.eth0" is "10.93.0.4/24"

  Scenario: A Subnet made again in time keeps the reservations of its NICs
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
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: checkout, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    When Subnet "storefront" is deleted
    And this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      """
    Then "metadata.ownerReferences[0].uid" of AllocationPool "subnet-ip-storefront" equals "metadata.uid" of Subnet "storefront"
    When Pod "catalogue" is deleted
    And Pod "checkout" is deleted
    Then 2 values of AllocationPool "subnet-ip-storefront" are taken

  @SUB-13
  Scenario: Another Service CIDR moves the limit
    Given a lab with --service-cidr 172.16.0.0/16
    And this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: warehouse}
      """
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: depot}
      spec: {vpc: warehouse, cidr: 10.100.3.0/24}
      """
    Then it is accepted

  Scenario: Nobody answers ARP for an address outside the Subnet, the gateway neither
    Given a lab
    And Vpc "shop" with {}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    And Subnet "checkout" with {vpc: shop, cidr: 10.91.0.0/24}
    And these Pods
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
      | images    | worker-1 | storefront |
      | cart      | worker-1 | checkout   |
    When eth0 of Pod "catalogue" asks by ARP for "10.90.0.1"
    Then eth0 of Pod "catalogue" gets one ARP answer
    When eth0 of Pod "catalogue" asks by ARP for "10.90.0.5"
    Then eth0 of Pod "catalogue" gets one ARP answer, from eth0 of Pod "images"
    When eth0 of Pod "catalogue" asks by ARP for "10.91.0.1"
    Then it is dropped on worker-1 with reason MISS_ARP
    And eth0 of Pod "catalogue" gets no ARP answers
    When eth0 of Pod "catalogue" asks by ARP for "10.91.0.4"
    Then it is dropped on worker-1 with reason MISS_ARP
    And eth0 of Pod "catalogue" gets no ARP answers
    And nobody receives it

  Scenario: A gateway routes IPv4 and nothing else
    Given a lab
    And Vpc "shop" with {}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    And these Pods
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
    When eth0 of Pod "catalogue" sends a frame of EtherType 0x86DD to the gateway of Subnet "storefront"
    Then it is dropped on worker-1 with reason NOT_IPV4
    When eth0 of Pod "catalogue" sends a frame of EtherType 0x88B5 to the gateway of Subnet "storefront"
    Then it is dropped on worker-1 with reason NOT_IPV4
    And nobody receives it
