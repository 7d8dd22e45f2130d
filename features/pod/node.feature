Feature: Nodes and what runs on them
  Each Node has an address of the default Subnet; when a Node is lost, so is what ran there, and nothing else.

  Scenario: A Node takes part in the default Subnet with an address and a port of its own
    Given a lab
    And these Pods
      | name     | node     | eth0 |
      | registry | worker-2 |      |
    Then "spec.address" of NetworkEndpoint "juneau-system/juneau-node.worker-1" is "10.16.0.4/16"
    And "spec.address" of NetworkEndpoint "juneau-system/juneau-node.worker-2" is "10.16.0.5/16"
    And "spec.macAddress" of NetworkEndpoint "juneau-system/juneau-node.worker-1" matches "[0-9a-f][26ae](:[0-9a-f]{2}){5}"
    And "spec.attachment.ifindex" of NetworkEndpoint "juneau-system/juneau-node.worker-1" is set
    And condition "juneau.loutres.me/NetworkReady" of Node "worker-1" is True
    And "status.address" of NetworkInterface "registry.eth0" is "10.16.0.6/16"
    And Node "worker-1" can ping eth0 of Pod "registry"
    And Node "worker-2" can ping eth0 of Pod "registry"
    And Pod "registry" can ping "10.16.0.4"

  Scenario: A Node has no way into other Vpcs
    Given a lab
    And Vpc "shop" with {}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    And these Pods
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
    Then Node "worker-1" cannot ping eth0 of Pod "catalogue"

  Scenario: A Node that joins gets an address, and gives it back when it leaves
    Given a lab with nodes worker-1
    When Node "worker-2" joins
    Then "spec.address" of NetworkEndpoint "juneau-system/juneau-node.worker-2" is "10.16.0.5/16"
    And 2 values of AllocationPool "subnet-ip-default" are taken
    When Node "worker-2" is deleted
    Then NetworkEndpoint "juneau-system/juneau-node.worker-2" is gone
    And 1 value of AllocationPool "subnet-ip-default" is taken

  Scenario: Without a free address a Node says what it waits for
    Given a lab with --default-subnet-cidr 10.32.0.0/28
    And AllocationPool "subnet-ip-default" has 0 free values
    When Node "worker-3" joins
    Then condition "juneau.loutres.me/NetworkReady" of Node "worker-3" is False with reason "Allocating"
    And NetworkEndpoint "juneau-system/juneau-node.worker-3" does not exist
    When AllocationClaim "filler-1" is deleted
    Then condition "juneau.loutres.me/NetworkReady" of Node "worker-3" is True

  Scenario: When a Node is lost its Pods fall silent, and their addresses stay theirs
    Given a lab with nodes worker-1, worker-2, worker-3
    And Vpc "shop" with {}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    And these Pods
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
      | checkout  | worker-2 | storefront |
      | basket    | worker-3 | storefront |
    When Node "worker-1" is deleted
    Then NetworkEndpoint "juneau-system/juneau-node.worker-1" is gone
    And condition "Ready" of NetworkEndpoint "catalogue.eth0" is False with reason "NodeNotFound"
    And Pod "checkout" cannot ping "10.90.0.4"
    And Pod "checkout" can ping eth0 of Pod "basket"
    When these Pods are created
      | name  | node     | eth0       |
      | offer | worker-2 | storefront |
    Then "status.address" of NetworkInterface "offer.eth0" is "10.90.0.7/24"
    When Pod "catalogue" is deleted
    Then NetworkInterface "catalogue.eth0" is gone
    And NetworkEndpoint "catalogue.eth0" is gone
    When these Pods are created
      | name      | node     | eth0       |
      | catalogue | worker-3 | storefront |
    Then "status.address" of NetworkInterface "catalogue.eth0" is "10.90.0.4/24"
    When 60 s pass
    Then Pod "checkout" can ping eth0 of Pod "catalogue"

  Scenario: A Node that comes back attaches the Pods that are still bound to it
    Given a lab
    And Vpc "shop" with {}
    And Subnet "storefront" with {vpc: shop, cidr: 10.90.0.0/24}
    And these Pods
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
      | checkout  | worker-2 | storefront |
    When Node "worker-1" is deleted
    And this manifest is applied
      """
      apiVersion: v1
      kind: Node
      metadata: {name: worker-1}
      """
    Then Pod "catalogue" is attached on worker-1
    And NetworkEndpoint "catalogue.eth0" is Ready
    And Pod "checkout" can ping eth0 of Pod "catalogue"
