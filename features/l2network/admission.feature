Feature: What an L2Network may be
  An L2Network belongs to one Vpc, and what is written in it has to make sense there.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: lab}, spec: {}}
      """

  @S4-8 @L2N-1
  Scenario: It belongs to a Vpc
    When this manifest is applied
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: L2Network, metadata: {name: lab-net}, spec: {}}
      """
    Then it is refused at "spec.vpc"
    And nothing was stored
