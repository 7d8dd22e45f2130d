Feature: What a Vpc may say
  A Vpc is a private network space of its own.
  What its endpoint pool may not cover is told at once, by the field and with the other party's name.

  Background:
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
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: warehouse-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24}
      """

  @VPC-1
  Scenario Outline: An endpoint pool has prefixes, each of them once
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {endpointPool: <pool>}
      """
    Then it is refused at "<field>"
    And nothing was stored

    Examples:
      | pool                                         | field                      |
      | {}                                           | spec.endpointPool.cidrs    |
      | {cidrs: []}                                  | spec.endpointPool.cidrs    |
      | {cidrs: [172.30.40.0/24, 172.30.40.0/24]}    | spec.endpointPool.cidrs[1] |

  @VPC-2
  Scenario Outline: A provider of Services names the Subnet that lends the source addresses
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {service: {provider: <provider>}}
      """
    Then it is refused at "spec.service.provider.natSourceSubnet"

    Examples:
      | provider              |
      | {}                    |
      | {natSourceSubnet: ""} |

  @VPC-3
  Scenario: Host bits of a pool prefix are cleared
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {endpointPool: {cidrs: [172.30.40.7/24, 172.30.41.0/32]}}
      """
    Then it is accepted
    And "spec.endpointPool.cidrs" of Vpc "billing" is [172.30.40.0/24, 172.30.41.0/32]

  @VPC-4 @VPC-5 @VPC-6
  Scenario Outline: A pool prefix is an IPv4 CIDR from /16 to /32
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {endpointPool: {cidrs: [172.30.40.0/24, "<prefix>"]}}
      """
    Then it is refused at "spec.endpointPool.cidrs[1]" with "<says>"
    And the error says "<prefix>"

    Examples:
      | prefix         | says         |
      | 172.31.0.0/33  | IPv4 CIDR    |
      | 172.31.0.0     | IPv4 CIDR    |
      | vpc endpoints  | IPv4 CIDR    |
      | fd00:9::/64    | IPv4         |
      | 172.16.0.0/15  | 16 to 32     |
      | 0.0.0.0/0      | 16 to 32     |

  @VPC-6
  Scenario Outline: The longest and the shortest pool prefix are accepted
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {endpointPool: {cidrs: [<prefix>]}}
      """
    Then it is accepted

    Examples:
      | prefix         |
      | 172.30.0.0/16  |
      | 172.30.40.9/32 |

  @VPC-7
  Scenario: Pool prefixes do not overlap one another
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {endpointPool: {cidrs: [172.31.0.0/24, 172.30.0.0/16, 172.30.40.0/24]}}
      """
    Then it is refused at "spec.endpointPool.cidrs[2]" with "spec.endpointPool.cidrs[1]"
    And the error names "172.30.0.0/16"

  @VPC-8
  Scenario Outline: No pool prefix overlaps the Service CIDR, with Service routing or without
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {service: {consume: <consume>}, endpointPool: {cidrs: [10.100.0.0/24]}}
      """
    Then it is refused at "spec.endpointPool.cidrs[0]" with "10.96.0.0/12"

    Examples:
      | consume |
      | false   |
      | true    |

  @VPC-9
  Scenario Outline: No pool prefix overlaps a network of the same Vpc
    When "spec.endpointPool" of Vpc "shop" is changed to {cidrs: [<prefix>]}
    Then it is refused at "spec.endpointPool.cidrs[0]" with "<kind>"
    And the error names "<name>"
    And the error names "<cidr>"
    And the error names "shop"
    And nothing was stored

    Examples:
      | prefix        | kind      | name            | cidr         |
      | 10.90.0.128/25 | Subnet    | storefront      | 10.90.0.0/24 |
      | 10.91.0.0/16  | L2Network | warehouse-floor | 10.91.0.0/24 |

  @VPC-9
  Scenario: The same prefix may be a network of another Vpc
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {endpointPool: {cidrs: [10.90.0.0/24]}}
      """
    Then it is accepted

  @VPC-13
  Scenario: A pool is judged again only when its prefixes change
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      spec: {endpointPool: {cidrs: [10.90.0.0/28]}}
      """
    When "spec.enforceSecurityGroups" of Vpc "shop" is changed to true
    Then it is accepted
    And condition "Valid" of Vpc "shop" is False
    And the message names "storefront"
    When "spec.endpointPool.cidrs" of Vpc "shop" is changed to [10.90.0.0/28, 172.30.40.0/24]
    Then it is refused at "spec.endpointPool.cidrs[0]"

  @VPC-14
  Scenario: Service routing cannot be enabled over a network that uses the Service CIDR
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: legacy-db}
      spec: {vpc: shop, cidr: 10.100.0.0/24}
      """
    When "spec.service" of Vpc "shop" is changed to {consume: true}
    Then it is refused at "spec.service" with "legacy-db"
    And the error names "10.100.0.0/24"
    And the error names "10.96.0.0/12"
    When "spec.service" of Vpc "shop" is changed to {consume: false}
    Then it is accepted

  @VPC-14
  Scenario: Where Service routing is on already, a network on the Service CIDR bothers no update that leaves it on
    Given these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: legacy-db}
      spec: {vpc: shop, cidr: 10.100.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      spec: {service: {consume: true}}
      """
    When "metadata.labels" of Vpc "shop" is changed to {team: web}
    Then it is accepted
    When "spec.service" of Vpc "shop" is changed to {consume: true, provider: {natSourceSubnet: storefront}}
    Then it is accepted
    When "spec.service" of Vpc "shop" is changed to {provider: {natSourceSubnet: storefront}}
    Then it is accepted
    When "spec.service" of Vpc "shop" is removed
    Then it is accepted
    When "spec.service" of Vpc "shop" is changed to {consume: true}
    Then it is refused at "spec.service" with "legacy-db"

  @VPC-14
  Scenario: A Vpc that is created beside such a network is refused with Service routing
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: legacy-floor}
      spec: {vpc: billing, cidr: 10.101.0.0/24}
      """
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {service: {provider: {natSourceSubnet: billing-nat}}}
      """
    Then it is refused at "spec.service" with "legacy-floor"

  @VPC-15
  Scenario: A source Subnet may come later than its Vpc
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
      spec: {service: {provider: {natSourceSubnet: billing-nat}}}
      """
    Then it is accepted
    And condition "Ready" of Vpc "billing" is False with reason "ProviderSubnetMissing"
    And the message names "billing-nat"

  @VPC-15
  Scenario: A source Subnet of another Vpc is told in the condition
    When "spec.service" of Vpc "shop" is changed to {provider: {natSourceSubnet: default}}
    Then it is accepted
    And condition "Ready" of Vpc "shop" is False with reason "ProviderSubnetForeign"
    And the message says "Vpc default"
    And the message says "Vpc shop"

  @VPC-16
  Scenario: The Vpc default stays
    When Vpc "default" is deleted
    Then the deletion is refused with "belongs to the whole cluster"
    And the error does not say "Subnet"
    And Vpc "default" exists

  @VPC-17 @VPC-18
  Scenario: A Vpc goes after its networks, and Subnets are named before L2Networks
    When Vpc "shop" is deleted
    Then the deletion is refused with "Subnet \"storefront\""
    And the error does not say "warehouse-floor"
    When Subnet "storefront" is deleted
    Then the deletion is accepted
    When Vpc "shop" is deleted
    Then the deletion is refused with "L2Network \"warehouse-floor\""
    When L2Network "warehouse-floor" is deleted
    And Vpc "shop" is deleted
    Then the deletion is accepted
    And Vpc "shop" is gone
