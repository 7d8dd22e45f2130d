Feature: What a SecurityGroup may say
  A SecurityGroup lists whom the NICs of one Vpc may hear from and talk to.

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
      kind: SecurityGroup
      metadata: {name: front}
      spec: {vpc: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: ledger}
      spec: {vpc: billing}
      """

  @SG-1 @SG-2
  Scenario Outline: A SecurityGroup names a Vpc that exists
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: api}
      spec: <spec>
      """
    Then it is refused at "spec.vpc" with "<says>"

    Examples:
      | spec                | says          |
      | {}                  | Required      |
      | {vpc: ""}           | Required      |
      | {vpc: Shop_Floor}   | DNS-1123      |
      | {vpc: bookkeeping}  | bookkeeping   |

  @SG-3
  Scenario: A SecurityGroup stays in its Vpc
    When "spec.vpc" of SecurityGroup "front" is changed to "billing"
    Then it is refused at "spec.vpc" with "immutable"

  @SG-4
  Scenario Outline: A rule has peers
    When "spec.<direction>" of SecurityGroup "front" is changed to [<rule>]
    Then it is refused at "spec.<direction>[0].<side>"

    Examples:
      | direction | side | rule                          |
      | ingress   | from | {protocol: tcp}               |
      | ingress   | from | {protocol: tcp, from: []}     |
      | egress    | to   | {protocol: tcp}               |
      | egress    | to   | {protocol: tcp, to: []}       |

  @SG-5 @SG-6
  Scenario: A rule may have more than eight peers and ports
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.1.0.0/16}, {cidr: 10.2.0.0/16}, {cidr: 10.3.0.0/16}, {cidr: 10.4.0.0/16}, {cidr: 10.5.0.0/16}, {cidr: 10.6.0.0/16}, {cidr: 10.7.0.0/16}, {cidr: 10.8.0.0/16}, {cidr: 10.9.0.0/16}], protocol: tcp, ports: [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}, {port: 7}, {port: 8}, {port: 9}]}]
    Then it is accepted
    And "status.ingressEntryCount" of SecurityGroup "front" is 81

  @SG-7
  Scenario Outline: A peer is a prefix or a SecurityGroup
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.0.0/16}, <peer>]}]
    Then it is refused at "spec.ingress[0].from[1]"

    Examples:
      | peer                                                             |
      | {}                                                               |
      | {cidr: 10.41.0.0/16, securityGroupRef: {name: front}}            |

  @SG-8 @SG-9
  Scenario Outline: A peer's prefix is an IPv4 CIDR
    When "spec.egress" of SecurityGroup "front" is changed to [{to: [{cidr: "<cidr>"}]}]
    Then it is refused at "spec.egress[0].to[0].cidr" with "<says>"

    Examples:
      | cidr         | says      |
      | 10.40.0.0    | IPv4 CIDR |
      | the internet | IPv4 CIDR |
      | fd00::/64    | IPv4      |

  @SG-8
  Scenario: Host bits of a peer's prefix do not count
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.9.9/24}]}]
    Then it is accepted
    And "status.rulesetVersion" of SecurityGroup "front" is 2
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.9.0/24}]}]
    Then "status.rulesetVersion" of SecurityGroup "front" is 2

  @SG-10 @SG-11 @SG-12
  Scenario Outline: A peer group exists, in the same Vpc
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{securityGroupRef: {name: "<name>"}}]}]
    Then it is refused at "spec.ingress[0].from[0].securityGroupRef.name" with "<says>"
    And the error says "<also>"

    Examples:
      | name         | says      | also    |
      | Front_Office | DNS-1123  | name    |
      | no-such      | Not found | no-such |
      | ledger       | billing   | shop    |

  @SG-11
  Scenario: A SecurityGroup may name itself, at its creation too
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: cluster-bus}
      spec: {vpc: shop, ingress: [{from: [{securityGroupRef: {name: cluster-bus}}]}]}
      """
    Then it is accepted
    And SecurityGroup "cluster-bus" is Ready

  @SG-13
  Scenario Outline: A protocol is a keyword or a number
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.0.0/16}], protocol: <protocol>}]
    Then it is refused at "spec.ingress[0].protocol" with "<says>"
    And the error says "icmp, tcp, udp, sctp, gre, esp, ah"
    And the error says "255"

    Examples:
      | protocol | says   |
      | "47"     | \"47\" |
      | "http"   | http   |
      | 256      | 256    |
      | -1       | -1     |

  @SG-13
  Scenario Outline: Every keyword and every number of a protocol is accepted
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.0.0/16}], protocol: <protocol>}]
    Then it is accepted

    Examples:
      | protocol |
      | all      |
      | icmp     |
      | sctp     |
      | ah       |
      | 0        |
      | 255      |

  @SG-14
  Scenario Outline: Only TCP and UDP have ports
    When "spec.egress" of SecurityGroup "front" is changed to [{to: [{cidr: 10.40.0.0/16}], protocol: <protocol>, ports: [{port: 443}]}]
    Then it is refused at "spec.egress[0].ports" with "<protocol>"

    Examples:
      | protocol |
      | all      |
      | icmp     |
      | sctp     |
      | 47       |

  @SG-14
  Scenario Outline: TCP and UDP may be written as numbers
    When "spec.egress" of SecurityGroup "front" is changed to [{to: [{cidr: 10.40.0.0/16}], protocol: <protocol>, ports: [{port: 443}]}]
    Then it is accepted

    Examples:
      | protocol |
      | 6        |
      | 17       |

  @SG-15 @SG-16 @SG-17
  Scenario Outline: A port entry is one port or a range that runs upwards
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.0.0/16}], protocol: tcp, ports: [{port: 22}, <entry>]}]
    Then it is refused at "spec.ingress[0].ports[1]<field>"

    Examples:
      | entry                                          | field           |
      | {}                                             |                 |
      | {port: 80, portRange: {from: 80, to: 90}}      |                 |
      | {port: 0}                                      | .port           |
      | {port: 65536}                                  | .port           |
      | {portRange: {from: 0, to: 90}}                 | .portRange.from |
      | {portRange: {from: 80, to: 65536}}             | .portRange.to   |
      | {portRange: {from: 90, to: 80}}                | .portRange.to   |

  @SG-17
  Scenario: A range may have one port
    When "spec.ingress" of SecurityGroup "front" is changed to [{from: [{cidr: 10.40.0.0/16}], protocol: tcp, ports: [{portRange: {from: 80, to: 80}}]}]
    Then it is accepted

  @SG-18
  Scenario: A direction has at most 1,024 entries, and each has its own budget
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: partners}
      spec:
        vpc: shop
        ingress:
          - &hundred
            from: [{cidr: 10.1.0.0/16}, {cidr: 10.2.0.0/16}, {cidr: 10.3.0.0/16}, {cidr: 10.4.0.0/16}]
            protocol: tcp
            ports: [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}, {port: 7}, {port: 8}, {port: 9},
              {port: 10}, {port: 11}, {port: 12}, {port: 13}, {port: 14}, {port: 15}, {port: 16}, {port: 17},
              {port: 18}, {port: 19}, {port: 20}, {port: 21}, {port: 22}, {port: 23}, {port: 24}, {port: 25}]
          - *hundred
          - *hundred
          - *hundred
          - *hundred
          - *hundred
          - *hundred
          - *hundred
          - *hundred
          - *hundred
          - from: [{cidr: 10.5.0.0/16}, {cidr: 10.6.0.0/16}, {cidr: 10.7.0.0/16}, {cidr: 10.8.0.0/16}]
            protocol: udp
            ports: [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}]
      """
    Then it is accepted
    And "status.ingressEntryCount" of SecurityGroup "partners" is 1024
    When "spec.ingress[11]" of SecurityGroup "partners" is changed to {from: [{cidr: 10.9.0.0/16}]}
    Then it is refused at "spec.ingress" with "1025"
    And the error says "1024"
    And the error says "peers times its ports"
    When "spec.egress" of SecurityGroup "partners" is changed to [{to: [{cidr: 10.9.0.0/16}]}]
    Then it is accepted

  @SG-19
  Scenario: A SecurityGroup goes after the NICs that name it
    Given these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: catalogue
        annotations: {juneau.loutres.me/subnet: storefront, juneau.loutres.me/security-groups: front}
      """
    When SecurityGroup "front" is deleted
    Then the deletion is refused with "default/catalogue.eth0"
    When Pod "catalogue" is deleted
    And SecurityGroup "front" is deleted
    Then the deletion is accepted
    And SecurityGroup "front" is gone
