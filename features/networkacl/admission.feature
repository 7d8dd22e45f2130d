Feature: What a NetworkACL may say
  A NetworkACL is an ordered list for the boundary of a network: the first rule that matches decides.

  Background:
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
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: shop-edge}
      spec: {vpc: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: billing-edge}
      spec: {vpc: billing}
      """

  @ACL-1 @ACL-2
  Scenario Outline: A NetworkACL names a Vpc that exists
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: dmz}
      spec: <spec>
      """
    Then it is refused at "spec.vpc" with "<says>"

    Examples:
      | spec               | says        |
      | {}                 | Required    |
      | {vpc: ""}          | Required    |
      | {vpc: Shop_Floor}  | DNS-1123    |
      | {vpc: bookkeeping} | bookkeeping |

  @ACL-2
  Scenario: A NetworkACL that is being deleted does not ask for its Vpc any more
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: dmz, finalizers: [example.com/audit]}
      spec: {vpc: bookkeeping}
      """
    When "metadata.labels" of NetworkACL "dmz" is changed to {team: web}
    Then it is refused at "spec.vpc"
    When NetworkACL "dmz" is deleted
    And "metadata.labels" of NetworkACL "dmz" is changed to {team: web}
    Then it is accepted

  @ACL-3
  Scenario: A NetworkACL stays in its Vpc
    When "spec.vpc" of NetworkACL "shop-edge" is changed to "billing"
    Then it is refused at "spec.vpc" with "immutable"

  @ACL-4 @ACL-6 @ACL-7 @ACL-8 @ACL-9
  Scenario Outline: A rule has a priority, an action and a peer
    When "spec.ingress" of NetworkACL "shop-edge" is changed to [{priority: 10, action: allow, cidr: 10.40.0.0/16}, <rule>]
    Then it is refused at "spec.ingress[1].<field>" with "<says>"

    Examples:
      | rule                                                     | field    | says      |
      | {action: deny, cidr: 10.41.0.0/16}                       | priority | Required  |
      | {priority: 0, action: deny, cidr: 10.41.0.0/16}          | priority | 65535     |
      | {priority: 65536, action: deny, cidr: 10.41.0.0/16}      | priority | 65535     |
      | {priority: 20, cidr: 10.41.0.0/16}                       | action   | Required  |
      | {priority: 20, action: reject, cidr: 10.41.0.0/16}       | action   | allow     |
      | {priority: 20, action: reject, cidr: 10.41.0.0/16}       | action   | deny      |
      | {priority: 20, action: deny}                             | cidr     | Required  |
      | {priority: 20, action: deny, cidr: ""}                   | cidr     | Required  |
      | {priority: 20, action: deny, cidr: 10.41.0.0}            | cidr     | IPv4 CIDR |
      | {priority: 20, action: deny, cidr: "fd00::/64"}          | cidr     | IPv4      |

  @ACL-4
  Scenario: The lowest and the highest priority are accepted
    When "spec.egress" of NetworkACL "shop-edge" is changed to [{priority: 1, action: allow, cidr: 0.0.0.0/0}, {priority: 65535, action: deny, cidr: 10.40.9.9/16}]
    Then it is accepted

  @ACL-5
  Scenario: No two rules of a direction have one priority
    When "spec.egress" of NetworkACL "shop-edge" is changed to [{priority: 10, action: allow, cidr: 10.40.0.0/16}, {priority: 20, action: deny, cidr: 10.41.0.0/16}, {priority: 10, action: deny, cidr: 10.42.0.0/16}]
    Then it is refused at "spec.egress[2].priority" with "spec.egress[0]"
    And the error says "Duplicate"

  @ACL-5
  Scenario: The two directions number their rules apart
    When "spec" of NetworkACL "shop-edge" is changed to {vpc: shop, ingress: [{priority: 10, action: allow, cidr: 10.40.0.0/16}], egress: [{priority: 10, action: allow, cidr: 10.40.0.0/16}]}
    Then it is accepted

  @ACL-10
  Scenario Outline: A protocol is a keyword or a number
    When "spec.ingress" of NetworkACL "shop-edge" is changed to [{priority: 10, action: allow, cidr: 10.40.0.0/16, protocol: <protocol>}]
    Then it is refused at "spec.ingress[0].protocol" with "<says>"
    And the error says "icmp, tcp, udp, sctp, gre, esp, ah"
    And the error says "255"

    Examples:
      | protocol | says   |
      | "47"     | \"47\" |
      | "http"   | http   |
      | 256      | 256    |
      | -1       | -1     |

  @ACL-11
  Scenario Outline: Only TCP and UDP have ports
    When "spec.ingress" of NetworkACL "shop-edge" is changed to [{priority: 10, action: allow, cidr: 10.40.0.0/16, protocol: <protocol>, ports: [{port: 443}]}]
    Then it is refused at "spec.ingress[0].ports" with "<protocol>"

    Examples:
      | protocol |
      | all      |
      | esp      |
      | 1        |

  @ACL-12 @ACL-13 @ACL-14
  Scenario Outline: A port entry is one port or a range that runs upwards
    When "spec.egress" of NetworkACL "shop-edge" is changed to [{priority: 10, action: allow, cidr: 10.40.0.0/16, protocol: udp, ports: [{port: 53}, <entry>]}]
    Then it is refused at "spec.egress[0].ports[1]<field>"

    Examples:
      | entry                                     | field           |
      | {}                                        |                 |
      | {port: 80, portRange: {from: 80, to: 90}} |                 |
      | {port: 0}                                 | .port           |
      | {port: 65536}                             | .port           |
      | {portRange: {from: 0, to: 90}}            | .portRange.from |
      | {portRange: {from: 80, to: 65536}}        | .portRange.to   |
      | {portRange: {from: 90, to: 80}}           | .portRange.to   |

  @ACL-15
  Scenario: A rule may have more than sixteen ports
    When "spec.ingress" of NetworkACL "shop-edge" is changed to [{priority: 10, action: allow, cidr: 10.40.0.0/16, protocol: tcp, ports: [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}, {port: 7}, {port: 8}, {port: 9}, {port: 10}, {port: 11}, {port: 12}, {port: 13}, {port: 14}, {port: 15}, {port: 16}, {port: 17}]}]
    Then it is accepted
    And "status.ingressRuleCount" of NetworkACL "shop-edge" is 1
    And "status.ingressEntryCount" of NetworkACL "shop-edge" is 17

  @ACL-16
  Scenario: A direction has at most 1,024 entries, and each has its own budget
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkACL
      metadata: {name: partners}
      spec:
        vpc: shop
        egress:
          - priority: 10
            action: allow
            cidr: 10.1.0.0/16
            protocol: tcp
            ports: &many [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}, {port: 7}, {port: 8},
              {port: 9}, {port: 10}, {port: 11}, {port: 12}, {port: 13}, {port: 14}, {port: 15}, {port: 16}, {port: 17},
              {port: 18}, {port: 19}, {port: 20}, {port: 21}, {port: 22}, {port: 23}, {port: 24}, {port: 25}, {port: 26},
              {port: 27}, {port: 28}, {port: 29}, {port: 30}, {port: 31}, {port: 32}, {port: 33}, {port: 34}, {port: 35},
              {port: 36}, {port: 37}, {port: 38}, {port: 39}, {port: 40}, {port: 41}, {port: 42}, {port: 43}, {port: 44},
              {port: 45}, {port: 46}, {port: 47}, {port: 48}, {port: 49}, {port: 50}, {port: 51}, {port: 52}, {port: 53},
              {port: 54}, {port: 55}, {port: 56}, {port: 57}, {port: 58}, {port: 59}, {port: 60}, {port: 61}, {port: 62},
              {port: 63}, {port: 64}, {port: 65}, {port: 66}, {port: 67}, {port: 68}, {port: 69}, {port: 70}, {port: 71},
              {port: 72}, {port: 73}, {port: 74}, {port: 75}, {port: 76}, {port: 77}, {port: 78}, {port: 79}, {port: 80},
              {port: 81}, {port: 82}, {port: 83}, {port: 84}, {port: 85}, {port: 86}, {port: 87}, {port: 88}, {port: 89},
              {port: 90}, {port: 91}, {port: 92}, {port: 93}, {port: 94}, {port: 95}, {port: 96}, {port: 97}, {port: 98},
              {port: 99}, {port: 100}, {port: 101}, {port: 102}, {port: 103}, {port: 104}, {port: 105}, {port: 106},
              {port: 107}, {port: 108}, {port: 109}, {port: 110}, {port: 111}, {port: 112}, {port: 113}, {port: 114},
              {port: 115}, {port: 116}, {port: 117}, {port: 118}, {port: 119}, {port: 120}, {port: 121}, {port: 122},
              {port: 123}, {port: 124}, {port: 125}, {port: 126}, {port: 127}, {port: 128}]
          - {priority: 20, action: allow, cidr: 10.2.0.0/16, protocol: tcp, ports: *many}
          - {priority: 30, action: allow, cidr: 10.3.0.0/16, protocol: tcp, ports: *many}
          - {priority: 40, action: allow, cidr: 10.4.0.0/16, protocol: tcp, ports: *many}
          - {priority: 50, action: allow, cidr: 10.5.0.0/16, protocol: tcp, ports: *many}
          - {priority: 60, action: allow, cidr: 10.6.0.0/16, protocol: tcp, ports: *many}
          - {priority: 70, action: allow, cidr: 10.7.0.0/16, protocol: tcp, ports: *many}
          - {priority: 80, action: allow, cidr: 10.8.0.0/16, protocol: tcp, ports: *many}
      """
    Then it is accepted
    And "status.egressEntryCount" of NetworkACL "partners" is 1024
    When "spec.egress[8]" of NetworkACL "partners" is changed to {priority: 90, action: deny, cidr: 10.9.0.0/16}
    Then it is refused at "spec.egress" with "1025"
    And the error says "1024"
    And the error says "N ports"
    When "spec.ingress" of NetworkACL "partners" is changed to [{priority: 90, action: deny, cidr: 10.9.0.0/16}]
    Then it is accepted

  @ACL-17 @ACL-18
  Scenario: A NetworkACL goes after the networks that name it
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24, networkACL: shop-edge}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24, gateway: {}, networkACL: shop-edge}
      """
    When NetworkACL "shop-edge" is deleted
    Then the deletion is refused with "storefront"
    When Subnet "storefront" is deleted
    And NetworkACL "shop-edge" is deleted
    Then the deletion is refused with "dock-floor"
    When "spec.networkACL" of L2Network "dock-floor" is removed
    And NetworkACL "shop-edge" is deleted
    Then the deletion is accepted
    And NetworkACL "shop-edge" is gone

  @ACL-19 @ACL-20
  Scenario Outline: The NetworkACL of a network exists, in the Vpc of the network
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: <kind>
      metadata: {name: depot}
      spec: <spec>
      """
    Then it is refused at "spec.networkACL" with "<says>"

    Examples:
      | kind      | spec                                                                      | says    |
      | Subnet    | {vpc: shop, cidr: 10.90.0.0/24, networkACL: no-such}                       | no-such |
      | Subnet    | {vpc: shop, cidr: 10.90.0.0/24, networkACL: billing-edge}                  | billing |
      | L2Network | {vpc: shop, cidr: 10.90.0.0/24, gateway: {}, networkACL: billing-edge}     | billing |
      | L2Network | {vpc: shop, cidr: 10.90.0.0/24, networkACL: shop-edge}                     | gateway |
