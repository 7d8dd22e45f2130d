Feature: What an ExternalNetworkAttachment may say
  It is about one Node and one ExternalNetwork, for good.

  Background:
    Given a lab
    And these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: edge-routed}, spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: edge}, spec: {type: bgp, addressPools: [edge-routed]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetworkAttachment, metadata: {name: mine}, spec: {externalNetwork: edge, nodeName: worker-1}}
      """

  @ENA-1
  Scenario Outline: The network is named
    When ExternalNetworkAttachment "other" is created with <spec>
    Then it is refused at "spec.externalNetwork"

    Examples:
      | spec                                       |
      | {nodeName: worker-1}                       |
      | {nodeName: worker-1, externalNetwork: ""}  |

  @ENA-2
  Scenario Outline: The Node is named
    When ExternalNetworkAttachment "other" is created with <spec>
    Then it is refused at "spec.nodeName"

    Examples:
      | spec                                 |
      | {externalNetwork: edge}              |
      | {externalNetwork: edge, nodeName: ""} |

  @ENA-3 @ENA-4
  Scenario Outline: Neither can be changed
    When "<field>" of ExternalNetworkAttachment "mine" is changed to "other"
    Then it is refused at "<field>"

    Examples:
      | field                |
      | spec.externalNetwork |
      | spec.nodeName        |

  @ENA-5
  Scenario: The network exists, the Node need not
    When ExternalNetworkAttachment "other" is created with {externalNetwork: uplink, nodeName: worker-1}
    Then it is refused at "spec.externalNetwork" with "uplink"
    When ExternalNetworkAttachment "other" is created with {externalNetwork: edge, nodeName: worker-9}
    Then it is accepted

  Scenario: Its deletion is accepted
    When ExternalNetworkAttachment "mine" is deleted
    Then the deletion is accepted
    And ExternalNetworkAttachment "mine" is gone
