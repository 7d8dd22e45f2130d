Feature: SecurityGroups and NetworkACLs of an L2Network
  Policy is asked at the gateway only, so without a gateway nobody can have any.

  Background:
    Given a lab
    And Vpc "lab" with {}
    And Vpc "other" with {}
    And Subnet "web" with {vpc: lab, cidr: 10.90.0.0/24}
    And SecurityGroup "lab-sg" with {vpc: lab}
    And NetworkACL "edge" with {vpc: lab}

  @S4-66
  Scenario: An entry gives SecurityGroups to a NIC on a segment with a gateway
    Given L2Network "routed" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations:
          juneau.loutres.me/subnet: web
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "routed", "securityGroups": ["lab-sg"]}]'
      spec: {nodeName: worker-1}
      """
    Then it is accepted
    And "spec.securityGroups" of NetworkInterface "a.eth1" is ["lab-sg"]
    And "status.effectiveSecurityGroups[0].name" of NetworkInterface "a.eth1" is "lab-sg"
    And "status.effectiveSecurityGroups[0].groupID" of NetworkInterface "a.eth1" is set

  @S4-68 @S4-69 @POD-28
  Scenario: On a segment without a gateway a NIC has no SecurityGroups, since nothing would consult them
    Given L2Network "closed" with {vpc: lab, cidr: 10.70.4.0/24}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations:
          juneau.loutres.me/subnet: web
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "closed", "securityGroups": ["lab-sg"]}]'
      spec: {nodeName: worker-1}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].securityGroups" with "eth1"
    And the error says "L2Network closed"
    And the error says "no spec.gateway"
    And the error says "nothing would ever consult"
    And nothing was stored

  @S4-68 @NIC-17
  Scenario: Nor has a NetworkInterface that is written by hand
    Given L2Network "closed" with {vpc: lab, cidr: 10.70.4.0/24}
    When NetworkInterface "a.eth1" is created with {podRef: {uid: u, name: a, interface: eth1}, nodeName: worker-1, l2Network: closed, securityGroups: [lab-sg]}
    Then it is refused at "spec.securityGroups" with "L2Network closed"
    And the error says "eth1"

  @S4-70 @POD-29
  Scenario: A Vpc that enforces SecurityGroups asks for none where nothing would consult them
    Given Vpc "strict" with {enforceSecurityGroups: true}
    And SecurityGroup "strict-sg" with {vpc: strict}
    And Subnet "inside" with {vpc: strict, cidr: 10.91.0.0/24}
    And L2Network "closed" with {vpc: strict, cidr: 10.70.4.0/24}
    And L2Network "routed" with {vpc: strict, cidr: 10.70.5.0/24, gateway: {}}
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        annotations:
          juneau.loutres.me/subnet: inside
          juneau.loutres.me/security-groups: strict-sg
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "closed"}]'
      spec: {nodeName: worker-1}
      """
    Then it is accepted
    And NetworkInterface "a.eth1" is Ready
    When this manifest is applied
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: b
        annotations:
          juneau.loutres.me/subnet: inside
          juneau.loutres.me/security-groups: strict-sg
          juneau.loutres.me/networks: '[{"interface": "eth1", "l2Network": "routed"}]'
      spec: {nodeName: worker-1}
      """
    Then it is refused at "metadata.annotations[juneau.loutres.me/networks][0].securityGroups" with "Vpc strict"
    And the error says "eth1"

  @S4-71 @L2N-22
  Scenario: A NetworkACL is of the same Vpc
    Given NetworkACL "foreign" with {vpc: other}
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, networkACL: foreign}
    Then it is refused at "spec.networkACL" with "Vpc other"
    And it is refused at "spec.networkACL" with "Vpc lab"
    And nothing was stored
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, networkACL: edge}
    Then it is accepted
    When "spec.networkACL" of L2Network "lab-net" is changed to "foreign"
    Then it is refused at "spec.networkACL" with "Vpc other"

  @L2N-21
  Scenario: A NetworkACL is there
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, networkACL: nowhere}
    Then it is refused at "spec.networkACL" with "Not found"
    And the error names "nowhere"

  @S4-77 @S4-78 @L2N-20 @L2N-27 @L2N-28
  Scenario: A NetworkACL needs a gateway, and keeps it
    When L2Network "lab-net" is created with {vpc: lab, cidr: 10.70.4.0/24, networkACL: edge}
    Then it is refused at "spec.networkACL" with "Forbidden"
    And the error says "would have no effect without a gateway"
    And nothing was stored
    Given L2Network "routed" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, networkACL: edge}
    When "spec.gateway" of L2Network "routed" is removed
    Then it is refused at "spec.networkACL" with "Forbidden"
    And nothing was stored

  @L2N-28
  Scenario: A NetworkACL that is gone bothers no later update of something else
    Given L2Network "routed" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, networkACL: edge}
    And NetworkACL "edge" is deleted past admission
    When "spec.mtu" of L2Network "routed" is changed to 1400
    Then it is accepted
    When "spec.networkACL" of L2Network "routed" is changed to "edge2"
    Then it is refused at "spec.networkACL" with "Not found"

  @S4-95
  Scenario: Status tells the number of the NetworkACL, and follows its rules
    Given L2Network "routed" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}, networkACL: edge}
    Then "status.networkACL.name" of L2Network "routed" is "edge"
    And "status.networkACL.aclID" of L2Network "routed" equals "status.aclID" of NetworkACL "edge"
    And "status.networkACL.rulesetVersion" of L2Network "routed" equals "status.rulesetVersion" of NetworkACL "edge"
    And the gateway of L2Network "routed" has the number "status.aclID" of NetworkACL "edge" on every Node
    Given the value of "status.networkACL.aclID" of L2Network "routed" is noted
    And the value of "status.networkACL.rulesetVersion" of L2Network "routed" is noted
    When "spec.ingress" of NetworkACL "edge" is changed to [{priority: 10, action: allow, cidr: 0.0.0.0/0}]
    Then it is accepted
    And "status.networkACL.rulesetVersion" of L2Network "routed" has changed
    And "status.networkACL.rulesetVersion" of L2Network "routed" equals "status.rulesetVersion" of NetworkACL "edge"
    And "status.networkACL.aclID" of L2Network "routed" is unchanged

  @S4-96
  Scenario: Without a NetworkACL status has none
    Given L2Network "routed" with {vpc: lab, cidr: 10.70.4.0/24, gateway: {}}
    Then "status.networkACL" of L2Network "routed" is empty
