Feature: Attaching all NICs of a Pod, or none
  One request makes every link of a Pod, in an order of its own; what fails leaves nothing behind.

  Background:
    Given a lab
    And Vpc "shop" with {}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    And L2Network "dock" with {vpc: shop, cidr: 10.91.0.0/24, gateway: {}}
    And Subnet "stockroom" with {vpc: shop, cidr: 10.92.0.0/24}

  @ADD-4
  Scenario: eth0 comes first, the others by their names, whatever the order in the annotation
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: forklift
        annotations:
          juneau.loutres.me/subnet: storefront
          juneau.loutres.me/networks: '[{"interface": "net9", "subnet": "stockroom"}, {"interface": "aux", "l2Network": "dock"}]'
      spec: {nodeName: worker-1}
      """
    Then the NICs of Pod "forklift" were made in the order eth0, aux, net9
    When the sandbox of Pod "forklift" is taken down 1 times
    And the sandbox of Pod "forklift" is attached again
    Then the NICs of Pod "forklift" were made in the order eth0, aux, net9

  @ADD-6
  Scenario: No NIC of a Subnet or an L2Network puts a route on its Node
    Given the routes of worker-1 are noted
    And these Pods
      | name     | node     | eth0       | eth1 |
      | forklift | worker-1 | storefront | dock |
      | crane    | worker-1 | dock       |      |
    Then every Pod is Running
    And the routes of worker-1 are unchanged

  @ADD-9
  Scenario: A NIC that cannot be attached takes those before it back, and the next try makes all of them
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: forklift.eth1}
      spec:
        kind: Pod
        nodeName: worker-2
        l2Network: dock
        podRef: {name: forklift, interface: eth1, uid: 0b6f6a52}
      """
    And these Pods
      | name     | node     | eth0       | eth1 |
      | forklift | worker-1 | storefront | dock |
    Then attaching Pod "forklift" on worker-1 fails with TRY_AGAIN_LATER and "earlier Pod"
    And NetworkEndpoint "forklift.eth0" is gone
    And Node "worker-1" has no link of Pod "forklift"
    And NetworkEndpoint "forklift.eth1" exists
    When NetworkEndpoint "forklift.eth1" is deleted
    And the sandbox of Pod "forklift" is attached again
    Then Pod "forklift" has the interfaces eth0, eth1
    And NetworkInterface "forklift.eth0" is Ready
    And NetworkInterface "forklift.eth1" is Ready
