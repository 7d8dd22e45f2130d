Feature: What a Pod may ask for
  A Pod asks for its NICs in annotations; what cannot be had is refused when the Pod is created, at the very entry.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: vault}
      spec: {enforceSecurityGroups: true}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: prod-app}
      spec: {vpc: prod, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: vault-db}
      spec: {vpc: vault, cidr: 10.44.8.0/22}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: vault-copy}
      spec: {vpc: vault, cidr: 10.90.0.0/25}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: prod-floor}
      spec: {vpc: prod, cidr: 10.91.0.0/24, gateway: {}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: prod-lan}
      spec: {vpc: prod, cidr: 10.92.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: prod-san}
      spec: {vpc: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: vault-san}
      spec: {vpc: vault}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: web}
      spec: {vpc: prod}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: SecurityGroup
      metadata: {name: keys}
      spec: {vpc: vault}
      """

  @POD-1 @POD-2 @POD-3 @POD-4 @POD-5 @POD-7 @POD-8 @POD-9 @POD-10
  Scenario Outline: The list of NICs is one JSON array, and each entry a NIC on one network
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '<networks>'
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks]<field>" with "<says>"
    And nothing was stored

    Examples:
      | networks                                                                   | field            | says        |
      | [{"interface": "eth1"                                                      |                  | JSON        |
      | [{"interface": "eth1", "subnet": "prod-app"},]                             |                  | comma       |
      | [] and more                                                                |                  | JSON        |
      | {"interface": "eth1", "subnet": "prod-app"}                                |                  | array       |
      | "eth1"                                                                     |                  | array       |
      | [{"interface": "eth1", "subnet": "prod-app"}, 7]                           | [1]              | object      |
      | [{"interface": "eth1", "subnet": "prod-app", "vlan": "7"}]                 | [0].vlan         | unknown     |
      | [{"Interface": "eth1", "subnet": "prod-app"}]                              | [0].Interface    | unknown     |
      | [{"interface": "eth1", "l2network": "prod-lan"}]                           | [0].l2network    | did you mean |
      | [{"interface": 1, "subnet": "prod-app"}]                                   | [0].interface    | string      |
      | [{"interface": "eth1", "subnet": "prod-app", "securityGroups": "web"}]     | [0].securityGroups | list      |
      | [{"interface": "eth1", "subnet": "prod-app", "securityGroups": [1]}]       | [0].securityGroups | list      |
      | [{"interface": "\ud800", "subnet": "prod-app"}]                            |                  | JSON        |
      | [{"interface": "eth1", "subnet": "prod-lan", "subnet": "prod-app"}]        |                  | twice       |
      | [{"subnet": "prod-app"}]                                                   | [0].interface    | Required    |
      | [{"interface": "", "subnet": "prod-app"}]                                  | [0].interface    | Required    |
      | [{"interface": null, "subnet": "prod-app"}]                                | [0].interface    | Required    |
      | [{"interface": "uplink-00", "subnet": "prod-app"}]                         | [0].interface    | 8           |
      | [{"interface": "Eth1", "subnet": "prod-app"}]                              | [0].interface    | DNS-1123    |
      | [{"interface": "eth.1", "subnet": "prod-app"}]                             | [0].interface    | DNS-1123    |
      | [{"interface": "-eth1", "subnet": "prod-app"}]                             | [0].interface    | DNS-1123    |
      | [{"interface": "lo", "subnet": "prod-app"}]                                | [0].interface    | loopback    |
      | [{"interface": "eth1"}]                                                    | [0]              | Required    |
      | [{"interface": "eth1", "subnet": "", "l2Network": null}]                   | [0]              | elasticIP   |
      | [{"interface": "eth1", "l2Network": "prod-lan", "subnet": "prod-app"}]     | [0].l2Network    | only one    |
      | [{"interface": "eth1", "elasticIP": "gw-eip", "subnet": "prod-app"}]       | [0].elasticIP    | only one    |
      | [{"interface": "eth1", "elasticIP": "gw-eip", "l2Network": "prod-lan"}]    | [0].elasticIP    | only one    |
      | [{"interface": "eth1", "elasticIP": "gw-eip", "subnet": "prod-app", "l2Network": "prod-lan"}] | [0].l2Network | only one |
      | [{"interface": "eth1", "subnet": "Prod_App"}]                              | [0].subnet       | DNS-1123    |
      | [{"interface": "eth1", "l2Network": "prod lan"}]                           | [0].l2Network    | DNS-1123    |
      | [{"interface": "eth1", "elasticIP": "prod/gw-eip"}]                        | [0].elasticIP    | DNS-1123    |
      | [{"interface": "eth1", "subnet": "prod-app", "address": "10.90.0"}]        | [0].address      | IPv4        |
      | [{"interface": "eth1", "subnet": "prod-app", "address": "fd00::9"}]        | [0].address      | IPv4        |

  Scenario Outline: A mistyped annotation is refused, for else the Pod would be on the Subnet default
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/<key>: prod-app}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/<key>]" with "Forbidden: unknown annotation"
    And the error says "<says>"
    And the error names "juneau.loutres.me/<meant>"
    And nothing was stored

    Examples:
      | key     | says         | meant   |
      | subnets | did you mean | subnet  |
      | Subnet  | did you mean | subnet  |
      | network | did you mean | networks |
      | vlan    | known are    | subnet  |

  @POD-1
  Scenario Outline: No list is no NIC beside eth0
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '<networks>'
      """
    Then it is accepted
    And NetworkInterface "gw.eth0" is Ready
    And the table of networkinterfaces is
      """
      NAME      NODE       SUBNET    L2NETWORK   ELASTICIP   ADDRESS        PHASE
      gw.eth0   worker-1   default                           10.16.0.6/16   Ready
      """

    Examples:
      | networks |
      |          |
      | []       |
      | null     |

  @POD-1 @POD-5
  Scenario: Lists that are null are empty, and eight characters are enough for a name
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: ' [{"interface": "uplink-0", "subnet": "prod-app", "l2Network": null, "address": null, "securityGroups": null}] '
      """
    Then it is accepted
    And NetworkInterface "gw.uplink-0" is Ready

  @POD-3 @POD-10
  Scenario: What is wrong is told all at once
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "ETH1", "subnet": "prod-app"}, {"interface": "eth2", "address": "ten"}]'
          juneau.loutres.me/address: eleven
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].interface"
    And it is refused at "metadata.annotations[juneau.loutres.me/networks][1]"
    And it is refused at "metadata.annotations[juneau.loutres.me/networks][1].address"
    And it is refused at "metadata.annotations[juneau.loutres.me/address]"

  @POD-6
  Scenario: No two NICs of a Pod have one name
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "subnet": "prod-app"}, {"interface": "eth2", "l2Network": "prod-lan"}, {"interface": "eth1", "l2Network": "prod-san"}]'
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][2].interface" with "Duplicate"

  @POD-11 @POD-12 @POD-13
  Scenario Outline: The SecurityGroups of an entry are named, once each, and not too many
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "subnet": "prod-app", "securityGroups": <groups>}]'
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].securityGroups<at>" with "<says>"
    And the error says "<also>"

    Examples:
      | groups                                                                                              | at  | says      | also |
      | ["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"]                               |     | 16        | 17   |
      | ["web", ""]                                                                                         | [1] | Required  | name |
      | ["web", "web"]                                                                                      | [1] | Duplicate | web  |

  @S1-18 @S1-19 @S1-20 @S1-21 @POD-14 @POD-15
  Scenario Outline: An entry on an ElasticIP has neither an address nor SecurityGroups
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip", <more>}]'
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].<field>" with "Forbidden"
    And the error says "<why>"

    Examples:
      | more                       | field          | why                       |
      | "address": "10.225.51.6"   | address        | the ElasticIP has the address |
      | "securityGroups": ["web"]  | securityGroups | in no Vpc                 |

  @POD-15
  Scenario: An empty list of SecurityGroups is none
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip", "address": "", "securityGroups": []}]'
      """
    Then it is accepted

  @POD-16
  Scenario Outline: Where an entry describes eth0, the annotations do not
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth0", "subnet": "prod-app"}]'
          juneau.loutres.me/<key>: "<value>"
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/<key>]" with "Forbidden"
    And the error says "juneau.loutres.me/networks"

    Examples:
      | key             | value     |
      | subnet          | prod-app  |
      | subnet          |           |
      | address         | 10.90.0.9 |
      | security-groups | web       |
      | elastic-ip      | gw-eip    |
      | elastic-ip      |           |

  @POD-17 @POD-18
  Scenario Outline: The annotation elastic-ip names one
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: "<name>"}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/elastic-ip]" with "<says>"

    Examples:
      | name    | says     |
      |         | Required |
      | Gw_EIP  | DNS-1123 |

  @POD-19
  Scenario Outline: Where an ElasticIP describes eth0, the other annotations do not
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: gw-eip, juneau.loutres.me/<key>: "<value>"}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/<key>]" with "Forbidden"
    And the error says "juneau.loutres.me/elastic-ip"
    And the error names "eth0"

    Examples:
      | key             | value     |
      | subnet          | prod-app  |
      | address         | 10.90.0.9 |
      | address         |           |
      | security-groups | web       |

  @S1-59 @POD-20
  Scenario Outline: No two NICs of a Pod are on one ElasticIP
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations: {juneau.loutres.me/networks: '<networks>'<more>}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][<place>].elasticIP" with "Duplicate"
    And the error names "gw-eip"

    Examples:
      | networks                                                                                    | more                                      | place |
      | [{"interface": "eth1", "elasticIP": "gw-eip"}, {"interface": "eth2", "elasticIP": "gw-eip"}] |                                           | 1     |
      | [{"interface": "eth0", "elasticIP": "gw-eip"}, {"interface": "eth1", "elasticIP": "gw-eip"}] |                                           | 1     |
      | [{"interface": "eth1", "elasticIP": "gw-eip"}]                                              | , juneau.loutres.me/elastic-ip: gw-eip    | 0     |

  @S1-59 @POD-20
  Scenario: Different ElasticIPs may be asked for
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}, {"interface": "eth2", "elasticIP": "gw-eip-2"}]'}
      """
    Then it is accepted

  @POD-21
  Scenario Outline: Without a Subnet, eth0 is on the Subnet default
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {<annotations>}}
      """
    Then it is accepted
    And "spec.subnet" of NetworkInterface "gw.eth0" is "default"

    Examples:
      | annotations                  |
      | example.com/team: web        |
      | juneau.loutres.me/subnet: "" |

  @POD-22
  Scenario: The SecurityGroups of eth0 are trimmed, sorted and counted once
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/subnet: prod-app
          juneau.loutres.me/security-groups: " web,, keys ,web"
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/security-groups]" with "vault"
    When SecurityGroup "admin" is created with {vpc: prod}
    And this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/subnet: prod-app
          juneau.loutres.me/security-groups: " web,, admin ,web"
      """
    Then it is accepted
    And "spec.securityGroups" of NetworkInterface "gw.eth0" is [admin, web]

  @POD-22
  Scenario: eth0 has not too many SecurityGroups
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/security-groups: "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q"}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/security-groups]" with "at most 16 SecurityGroups per NIC, not 17"

  @POD-22
  Scenario: SecurityGroups of eth0 that are named twice count once
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/subnet: prod-app
          juneau.loutres.me/security-groups: "web,web,web,web,web,web,web,web,web,web,web,web,web,web,web,web,web"
      """
    Then it is accepted
    And "spec.securityGroups" of NetworkInterface "gw.eth0" is [web]

  @POD-20
  Scenario: NICs on one ElasticIP are looked for when each NIC by itself is in order
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}, {"interface": "uplink-00", "elasticIP": "gw-eip"}]'
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][1].interface" with "8"
    And the error does not say "Duplicate"

  @POD-20 @POD-22 @POD-23
  Scenario Outline: Rules that speak of other objects are judged when the annotations by themselves are in order
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/security-groups: "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q"
          juneau.loutres.me/networks: '<networks>'
      """
    Then it is refused
    And the error says "<says>"
    And the error does not say "<hushed>"

    Examples:
      | networks                                                                                     | says      | hushed        |
      | [{"interface": "eth1", "elasticIP": "gw-eip"}, {"interface": "eth2", "elasticIP": "gw-eip"}] | Duplicate | SecurityGroup |
      | [{"interface": "uplink-00", "subnet": "stage-app"}]                                          | 8         | SecurityGroup |
      | [{"interface": "uplink-00", "subnet": "stage-app"}]                                          | 8         | stage-app     |
      | [{"interface": "eth1", "subnet": "stage-app"}]                                               | at most 16 | Duplicate     |
      | [{"interface": "eth1", "subnet": "stage-app"}]                                               | stage-app | Duplicate     |

  @POD-10
  Scenario Outline: The address of eth0 can be read
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/subnet: prod-app, juneau.loutres.me/address: "<address>"}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/address]" with "<says>"

    Examples:
      | address      | says         |
      | 10.90.0.9/24 | IPv4         |
      | next to gw   | IPv4         |
      | fd00::9      | IPv4         |
      | 10.91.0.9    | 10.90.0.0/24 |

  @NIC-10 @NIC-11
  Scenario Outline: An address in an entry is one of the network's
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", <network>, "address": "10.99.0.9"}]'}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].address" with "<says>"

    Examples:
      | network                  | says         |
      | "subnet": "prod-app"     | 10.90.0.0/24 |
      | "l2Network": "prod-lan"  | 10.92.0.0/24 |
      | "l2Network": "prod-san"  | spec.cidr    |

  @POD-23
  Scenario Outline: The network of an extra NIC exists, and its Vpc
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: orphan}
      spec: {vpc: no-such-vpc, cidr: 10.93.0.0/24}
      """
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "<field>": "<name>"}]'}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].<field>" with "<says>"

    Examples:
      | field     | name     | says        |
      | subnet    | no-such  | no-such     |
      | subnet    | prod-san | prod-san    |
      | l2Network | no-such  | no-such     |
      | l2Network | prod-app | prod-app    |
      | subnet    | orphan   | no-such-vpc |

  @POD-24 @POD-35
  Scenario Outline: The network of eth0 may come later, and the annotation means a Subnet
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {<annotations>}}
      """
    Then it is accepted
    And there is no NetworkInterface
    And condition "juneau.loutres.me/NetworkReady" of Pod "gw" is False with reason "WaitingForNetwork"
    And the message names "<waits>"

    Examples:
      | annotations                                                                                     | waits             |
      | juneau.loutres.me/subnet: stage-app                                                              | Subnet stage-app  |
      | juneau.loutres.me/subnet: prod-floor                                                             | Subnet prod-floor |
      | juneau.loutres.me/networks: '[{"interface": "eth0", "l2Network": "stage-floor"}]'                | L2Network stage-floor |

  @POD-25
  Scenario Outline: eth0 can be on an L2Network only if that has a prefix and a gateway
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth0", "l2Network": "<name>"}]'}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].l2Network" with "<name>"
    And the error names "eth0"
    And the error says "spec.cidr"
    And the error says "spec.gateway"

    Examples:
      | name     |
      | prod-lan |
      | prod-san |

  @POD-26 @POD-27 @POD-28
  Scenario Outline: SecurityGroups of an entry exist, in the Vpc of its network, where something consults them
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", <network>, "securityGroups": ["web", "<group>"]}]'}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].securityGroups<at>" with "<says>"
    And the error names "eth1"
    And the error names "<also>"

    Examples:
      | network                   | group   | at  | says    | also     |
      | "subnet": "prod-app"      | no-such | [1] | no-such | eth1     |
      | "subnet": "prod-app"      | keys    | [1] | vault   | prod     |
      | "l2Network": "prod-floor" | keys    | [1] | keys    | prod     |
      | "l2Network": "prod-lan"   | web-2   |     | gateway | prod-lan |

  @POD-26 @POD-27
  Scenario Outline: So do those of eth0
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/subnet: prod-app, juneau.loutres.me/security-groups: "<groups>"}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/security-groups]" with "<says>"
    And the error names "eth0"

    Examples:
      | groups      | says    |
      | web,no-such | no-such |
      | web,keys    | vault   |

  @POD-29
  Scenario Outline: In a Vpc that enforces SecurityGroups each NIC names one
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {<annotations>}}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/<at>" with "Required"
    And the error names "vault"
    And the error names "<interface>"

    Examples:
      | annotations                                                                                      | at                          | interface |
      | juneau.loutres.me/subnet: vault-db                                                               | security-groups]            | eth0      |
      | juneau.loutres.me/networks: '[{"interface": "eth1", "subnet": "vault-db"}]'                      | networks][0].securityGroups | eth1      |

  @POD-29
  Scenario Outline: A named group is enough, and a segment without a gateway and an ElasticIP are exempt
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {<annotations>}}
      """
    Then it is accepted

    Examples:
      | annotations                                                                                           |
      | juneau.loutres.me/subnet: vault-db, juneau.loutres.me/security-groups: keys                           |
      | juneau.loutres.me/networks: '[{"interface": "eth1", "subnet": "vault-db", "securityGroups": ["keys"]}]' |
      | juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "vault-san"}]'                        |
      | juneau.loutres.me/elastic-ip: gw-eip                                                                  |

  @POD-30
  Scenario Outline: The prefixes of a Pod's NICs do not overlap, not even across Vpcs
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/networks: '[{"interface": "eth0", "subnet": "prod-app"}, {"interface": "eth1", "subnet": "<subnet>", "securityGroups": ["<group>"]}]'
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][1].subnet" with "<subnet>"
    And the error names "prod-app"
    And the error names "eth0"
    And the error names "eth1"

    Examples:
      | subnet     | group |
      | vault-copy | keys  |
      | prod-app   | web   |

  @POD-30
  Scenario: NICs without a prefix overlap nothing
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gw
        annotations:
          juneau.loutres.me/subnet: prod-app
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "prod-san"}, {"interface": "eth2", "l2Network": "vault-san"}]'
      """
    Then it is accepted

  @POD-34
  Scenario: Only the creation of a Pod is judged
    Given these Pods
      | name | eth0     |
      | gw   | prod-app |
    When "metadata.annotations" of Pod "gw" is changed to {juneau.loutres.me/networks: "not a list"}
    Then it is accepted
    And condition "juneau.loutres.me/NetworkReady" of Pod "gw" is False with reason "InvalidAnnotations"
    When Pod "gw" is deleted
    Then the deletion is accepted

  Scenario Outline: Pods on the Node's own network, and mirror Pods, are not judged
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: agent
        annotations: {juneau.loutres.me/networks: "not a list"<more>}
      spec: <spec>
      """
    Then it is accepted
    And there is no NetworkInterface
    And Pod "agent" is not attached

    Examples:
      | more                                   | spec                |
      |                                        | {hostNetwork: true} |
      | , kubernetes.io/config.mirror: 5f0c1d  | {}                  |

  Scenario Outline: A Pod's name leaves room for the names of its NICs
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: <name>, annotations: {juneau.loutres.me/subnet: prod-app}}
      """
    Then it is <judged>

    Examples:
      | name | judged |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | accepted |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | refused at "metadata.name" with "at most 248" |
