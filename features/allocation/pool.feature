Feature: What an AllocationPool may say
  A pool says which numbers or addresses there are to hand out.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: rack-id}
      spec: {type: number, number: {min: 10, max: 12}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: office-lan}
      spec: {type: ip, ip: {cidrs: [192.0.2.0/29]}}
      """

  @POOL-1 @POOL-2
  Scenario Outline: Type and strategy have defaults
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: shelf-id}
      spec: <spec>
      """
    Then it is accepted
    And the table of allocationpools is
      """
      NAME                             TYPE     STRATEGY   READY
      nat-gateway-id                   number   firstFit   True
      network-acl-id                   number   firstFit   True
      office-lan                       ip       firstFit   True
      rack-id                          number   firstFit   True
      route-table-id                   number   firstFit   True
      security-group-id                number   firstFit   True
      shelf-id                         number   firstFit   True
      subnet-ip-default                ip       firstFit   True
      subnet-vni                       number   firstFit   True
      transit-gateway-route-table-id   number   firstFit   True
      vpc-id                           number   firstFit   True
      """

    Examples:
      | spec                                                   |
      | {number: {min: 1, max: 9}}                             |
      | {type: "", strategy: "", number: {min: 1, max: 9}}     |
      | {type: number, strategy: firstFit, number: {min: 1, max: 9}} |

  @POOL-1 @POOL-2
  Scenario Outline: There is no other type or strategy
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: shelf-id}
      spec: {<field>: <value>, number: {min: 1, max: 9}}
      """
    Then it is refused at "spec.<field>" with "<value>"

    Examples:
      | field    | value  |
      | type     | mac    |
      | strategy | random |

  @POOL-3 @POOL-4 @POOL-5 @POOL-6 @POOL-7 @POOL-8 @POOL-14
  Scenario Outline: A pool has a range of its type, and none of the other
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: shelf-id}
      spec: <spec>
      """
    Then it is refused at "<field>"

    Examples:
      | spec                                                                  | field           |
      | {type: number}                                                        | spec.number     |
      | {type: number, number: {min: 0, max: 9}}                              | spec.number.min |
      | {type: number, number: {min: 1, max: 0}}                              | spec.number.max |
      | {type: number, number: {max: 9}}                                      | spec.number.min |
      | {type: number, number: {min: 10, max: 9}}                             | spec.number.min |
      | {type: number, number: {min: 1, max: 9}, ip: {cidrs: [192.0.2.0/24]}} | spec.ip         |
      | {type: ip}                                                            | spec.ip         |
      | {type: ip, ip: {}}                                                    | spec.ip         |
      | {type: ip, ip: {excluded: [192.0.2.1]}}                               | spec.ip         |
      | {type: ip, number: {min: 1, max: 9}, ip: {cidrs: [192.0.2.0/24]}}     | spec.number     |

  @POOL-5
  Scenario: A pool may have one number
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: shelf-id}
      spec: {number: {min: 18446744073709551615, max: 18446744073709551615}}
      """
    Then it is accepted

  @POOL-9 @POOL-10 @POOL-11 @POOL-12 @POOL-13
  Scenario Outline: Prefixes, ranges and exceptions of a pool of addresses can be read
    When this manifest is applied
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: branch-lan}
      spec: {type: ip, ip: {<ip>}}
      """
    Then it is refused at "spec.ip.<field>" with "<says>"

    Examples:
      | ip                                                                            | field           | says       |
      | cidrs: [192.0.2.0/24, 192.0.2.0]                                              | cidrs[1]        | 192.0.2.0  |
      | cidrs: [the office]                                                           | cidrs[0]        | the office |
      | ranges: [{start: 192.0.2.300, end: 192.0.2.9}]                                | ranges[0].start | IPv4       |
      | ranges: [{start: 192.0.2.3, end: "fd00::9"}]                                  | ranges[0].end   | IPv4       |
      | ranges: [{start: 192.0.2.3, end: 192.0.2.3}, {start: 192.0.2.9, end: 192.0.2.8}] | ranges[1].start | 192.0.2.8 |
      | cidrs: [192.0.2.0/24], excluded: [192.0.2.1, gateway]                         | excluded[1]     | gateway    |
      | cidrs: [192.0.2.0/24], excluded: [192.0.2.1/24]                               | excluded[0]     | IPv4       |

  @POOL-15 @POOL-16 @POOL-17 @POOL-18
  Scenario Outline: What a pool hands out stays as it is
    When "spec.<field>" of AllocationPool "rack-id" is changed to <value>
    Then it is refused at "<at>" with "immutable"

    Examples:
      | field      | value    | at          |
      | type       | "ip"     | spec.type   |
      | number.min | 9        | spec.number |
      | number.max | 13       | spec.number |

  @POOL-16
  Scenario: The strategy is the only one there is, and stays
    When "spec.strategy" of AllocationPool "rack-id" is changed to "random"
    Then it is refused at "spec.strategy" with "firstFit"
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationPool
      metadata: {name: shelf-id}
      spec: {type: number, number: {min: 1, max: 9}, strategy: random}
      """
    When "spec.strategy" of AllocationPool "shelf-id" is changed to "firstFit"
    Then it is refused at "spec.strategy" with "immutable"

  @POOL-19
  Scenario Outline: A range of numbers comes and goes with its pool only
    When "spec.number" of AllocationPool "<name>" is <change>
    Then it is refused at "spec.number" with "immutable"

    Examples:
      | name       | change                       |
      | rack-id    | removed                      |
      | office-lan | changed to {min: 1, max: 9}  |

  @POOL-20
  Scenario: Addresses may be added and taken out
    When "spec.ip" of AllocationPool "office-lan" is changed to {cidrs: [192.0.2.0/28], ranges: [{start: 198.51.100.7, end: 198.51.100.9}], excluded: [192.0.2.1]}
    Then it is accepted

  @POOL-21
  Scenario: A pool that claims list stays, and one of them is named
    Given this manifest
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: rack-of-billing}
      spec:
        poolRefs: [{name: rack-id}]
        resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: default}
        attribute: status.rack
      """
    When AllocationPool "rack-id" is deleted
    Then the deletion is refused with "rack-of-billing"
    When AllocationClaim "rack-of-billing" is deleted
    And AllocationPool "rack-id" is deleted
    Then the deletion is accepted
    And AllocationPool "rack-id" is gone
