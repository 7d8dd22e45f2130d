Feature: L2Networks on the command line

  Background:
    Given a lab

  @S4-5
  Scenario: The Kind is of the whole cluster, as Subnet is
    Then the Kind L2Network is not namespaced
    And the Kind Subnet is not namespaced
    When "juneau crds" runs
    Then it exits with 0
    And "spec.scope" of the printed "l2networks.juneau.loutres.me" is "Cluster"
    And "spec.scope" of the printed "subnets.juneau.loutres.me" is "Cluster"

  @S4-6
  Scenario: Its short name is l2net
    Given the file "lab.yaml"
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: lab}, spec: {}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: lab-net}
      spec: {vpc: lab, cidr: 10.70.4.0/24}
      """
    When "juneau lab run -f lab.yaml --get l2net" runs
    Then it exits with 0
    And it prints
      """
      NAME      VPC   CIDR           MTU    READY
      lab-net   lab   10.70.4.0/24   1450   True
      """
    When "juneau crds" runs
    Then "spec.names.shortNames" of the printed "l2networks.juneau.loutres.me" is ["l2net"]
