Feature: What a Subnet may say
  A Subnet is a piece of the address space of one Vpc, and shares no address with anything that can be reached from it.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      spec: {endpointPool: {cidrs: [172.30.40.0/24]}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: billing}
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
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: RouteTable
      metadata: {name: shop-dmz}
      spec: {vpc: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: shop-edge}
      spec: {vpc: shop}
      """

  @SUB-1
  Scenario: The Vpc exists
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: bookkeeping, cidr: 10.44.8.0/22}
      """
    Then it is refused at "spec.vpc" with "bookkeeping"
    And nothing was stored

  @SUB-2
  Scenario: The Subnet default stays in the Vpc default
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: default}
      spec: {vpc: shop, cidr: 10.16.0.0/16}
      """
    Then condition "Valid" of Subnet "default" is False
    And the message names "spec.vpc"

  @SUB-2
  Scenario: The Subnet default is made in the Vpc default and nowhere else
    Given Subnet "default" is deleted past admission
    When Subnet "default" is created with {vpc: billing, cidr: 10.16.0.0/16}
    Then it is refused at "spec.vpc" with "Vpc default"
    And nothing was stored
    When Subnet "default" is created with {vpc: default, cidr: 10.16.0.0/16}
    Then it is accepted

  @SUB-3
  Scenario: No other Subnet is in the Vpc default
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: default, cidr: 10.44.8.0/22}
      """
    Then it is refused at "spec.vpc" with "default"

  @SUB-4
  Scenario: Host bits are cleared
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing, cidr: 10.44.8.19/22}
      """
    Then it is accepted
    And "spec.cidr" of Subnet "ledger-db" is "10.44.8.0/22"

  @SUB-5 @SUB-6 @SUB-7 @SUB-14
  Scenario Outline: The prefix is an IPv4 CIDR from /16 to /28
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing, cidr: "<cidr>"}
      """
    Then it is refused at "spec.cidr" with "<says>"
    And the error does not say "overlaps"

    Examples:
      | cidr            | says      |
      | 10.44.8.0       | IPv4 CIDR |
      | 10.44.8.0/40    | IPv4 CIDR |
      | 10.44.300.0/24  | IPv4 CIDR |
      | 010.44.8.0/24   | IPv4 CIDR |
      | fd00:44::/64    | IPv4      |
      | 10.44.0.0/15    | /16       |
      | 10.44.0.0/15    | /28       |
      | 10.44.8.0/29    | /28       |

  @SUB-14
  Scenario Outline: What is no prefix overlaps nothing, although it looks like a neighbour's
    When Subnet "checkout" is created with {vpc: shop, cidr: "<cidr>"}
    Then it is refused at "spec.cidr" with "IPv4 CIDR"
    And the error does not say "overlaps"
    And the error does not say "<neighbour>"

    Examples: of a Subnet, an L2Network, the endpoint pool, and Services
      | cidr           | neighbour       |
      | 10.90.0.64     | storefront      |
      | 010.90.0.0/24  | storefront      |
      | 10.91.0.9      | warehouse-floor |
      | 172.30.40.9    | endpointPool    |
      | 10.96.0.10     | Service CIDR    |

  @SUB-5
  Scenario: A Subnet has a prefix
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing}
      """
    Then it is refused at "spec.cidr"

  @SUB-7
  Scenario Outline: The longest and the shortest prefix are accepted
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing, cidr: <cidr>}
      """
    Then it is accepted
    And Subnet "ledger-db" is Ready

    Examples:
      | cidr         |
      | 10.44.0.0/16 |
      | 10.44.8.0/28 |

  @SUB-8
  Scenario Outline: No two networks of a Vpc overlap
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: <cidr>}
      """
    Then it is refused at "spec.cidr" with "<kind> <name>"
    And the error names "<other>"
    And the error names "shop"

    Examples:
      | cidr           | kind      | name            | other        |
      | 10.90.0.0/24   | Subnet    | storefront      | 10.90.0.0/24 |
      | 10.90.0.64/26  | Subnet    | storefront      | 10.90.0.0/24 |
      | 10.91.0.0/16   | L2Network | warehouse-floor | 10.91.0.0/24 |

  @SUB-8
  Scenario: Addresses may repeat in another Vpc
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing, cidr: 10.90.0.0/24}
      """
    Then it is accepted
    And "status.vni" of Subnet "ledger-db" differs from "status.vni" of Subnet "storefront"

  @SUB-11
  Scenario: A Subnet stays clear of the endpoint pool of its Vpc
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 172.30.0.0/16}
      """
    Then it is refused at "spec.cidr" with "172.30.40.0/24"
    And the error says "endpointPool"
    And the error names "shop"

  @SUB-13
  Scenario Outline: A Subnet stays clear of the Service CIDR, with Service routing or without
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: warehouse}
      spec: {service: {consume: <consume>}}
      """
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: depot}
      spec: {vpc: warehouse, cidr: 10.100.3.0/24}
      """
    Then it is refused at "spec.cidr" with "10.96.0.0/12"
    And the error names "warehouse"

    Examples:
      | consume |
      | false   |
      | true    |

  @SUB-15 @SUB-16 @SUB-18 @SUB-19
  Scenario Outline: RouteTable and NetworkACL exist, in the Subnet's own Vpc
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: ledger-db}
      spec: {vpc: billing, cidr: 10.44.8.0/22, <field>: <name>}
      """
    Then it is refused at "spec.<field>" with "<name>"
    And the error names "<says>"

    Examples:
      | field      | name      | says      |
      | routeTable | no-such   | no-such   |
      | routeTable | shop-dmz  | shop      |
      | routeTable | shop      | billing   |
      | networkACL | no-such   | no-such   |
      | networkACL | shop-edge | shop      |
      | networkACL | shop-edge | billing   |

  @SUB-15 @SUB-18
  Scenario: RouteTable and NetworkACL of the own Vpc are accepted
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.92.0.0/24, routeTable: shop-dmz, networkACL: shop-edge}
      """
    Then it is accepted
    And Subnet "checkout" is Ready

  @SUB-17
  Scenario: The Subnet default keeps to the main RouteTable
    When "spec.routeTable" of Subnet "default" is changed to "default"
    Then it is refused at "spec.routeTable" with "Forbidden"

  @SUB-20 @SUB-21
  Scenario Outline: Vpc and prefix are fixed
    When "spec.<field>" of Subnet "storefront" is changed to "<value>"
    Then it is refused at "spec.<field>" with "immutable"

    Examples:
      | field | value        |
      | vpc   | billing      |
      | cidr  | 10.92.0.0/24 |

  @SUB-21
  Scenario: The same prefix with host bits is no change
    When "spec.cidr" of Subnet "storefront" is changed to "10.90.0.77/24"
    Then it is accepted
    And nothing was stored

  @SUB-22
  Scenario Outline: A reference that is changed is judged
    When "spec.<field>" of Subnet "storefront" is changed to "<name>"
    Then it is refused at "spec.<field>"

    Examples:
      | field      | name    |
      | routeTable | no-such |
      | routeTable | billing |
      | networkACL | no-such |

  @SUB-22
  Scenario: A NetworkACL is judged when it changes, a RouteTable every time
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.92.0.0/24, networkACL: no-such-acl}
      """
    When "spec.routeTable" of Subnet "checkout" is changed to "shop-dmz"
    Then it is accepted
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: checkout}
      spec: {vpc: shop, cidr: 10.92.0.0/24, routeTable: no-such-table}
      """
    When "spec.networkACL" of Subnet "checkout" is changed to "shop-edge"
    Then it is refused at "spec.routeTable" with "no-such-table"

  @SUB-23
  Scenario: The Subnet default stays
    When Subnet "default" is deleted
    Then the deletion is refused with "belongs to the whole cluster"
    And Subnet "default" exists

  @SUB-24
  Scenario: A Subnet may be deleted while NICs are on it
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: storefront}}
      """
    When Subnet "storefront" is deleted
    Then the deletion is accepted
    And Subnet "storefront" is gone
