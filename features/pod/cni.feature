Feature: Attaching Pods to their Node
  The runtime asks the Node for all NICs of a Pod in one request, and asks again until it works.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-floor}
      spec: {vpc: shop, cidr: 10.91.0.0/24, mtu: 1400}
      """

  @ADD-1
  Scenario: Without its NetworkInterfaces a Pod is asked to come again
    Given this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/subnet: stockroom}}
      spec: {nodeName: worker-1}
      """
    Then attaching Pod "catalogue" on worker-1 fails with TRY_AGAIN_LATER and "eth0"
    And Node "worker-1" has no link of Pod "catalogue"

  @ADD-1
  Scenario: Annotations that nobody can read are no reason to come again
    Given this object is stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalogue, annotations: {juneau.loutres.me/networks: "eth1 on the dock"}}
      spec: {nodeName: worker-1}
      """
    Then attaching Pod "catalogue" on worker-1 fails with INTERNAL and "juneau.loutres.me/networks"

  @ADD-2
  Scenario: A NIC without its address is waited for
    Given AllocationPool "subnet-ip-storefront" has 0 free values
    And these Pods
      | name      | node     | eth0       |
      | catalogue | worker-1 | storefront |
    Then attaching Pod "catalogue" on worker-1 fails with TRY_AGAIN_LATER and "catalogue.eth0"

  @ADD-3
  Scenario: eth0 without an address is refused
    Given L2Network "dock-san" with {vpc: shop, cidr: 10.93.0.0/24, gateway: {}}
    And this manifest
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: forklift, annotations: {juneau.loutres.me/networks: '[{"interface": "eth0", "l2Network": "dock-san"}]'}}
      spec: {nodeName: worker-3}
      """
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: L2Network
      metadata: {name: dock-san}
      spec: {vpc: shop}
      """
    Then NetworkInterface "forklift.eth0" is Allocated
    And "status.address" of NetworkInterface "forklift.eth0" is empty
    And attaching Pod "forklift" on worker-1 fails with INTERNAL and "forklift.eth0"
    When Node "worker-3" joins
    Then the runtime is told "forklift.eth0 has no address" of Pod "forklift"
    And an Event of Pod "forklift" has reason "FailedCreatePodSandBox"
    And the message names "forklift.eth0 has no address"

  @ADD-5 @ADD-7
  Scenario: The NICs of a Pod are there with addresses, MTU and endpoints
    Given these Pods
      | name     | node     | eth0       | eth1       |
      | forklift | worker-1 | storefront | dock-floor |
    Then Pod "forklift" is attached on worker-1
    And Pod "forklift" has the interfaces eth0, eth1
    And eth0 of Pod "forklift" has the address "10.90.0.4/24"
    And eth1 of Pod "forklift" has the address "10.91.0.1/24"
    And the MTU of eth0 of Pod "forklift" is the kernel's default on both ends
    And the MTU of eth1 of Pod "forklift" is 1400 on both ends
    And "spec.address" of NetworkEndpoint "forklift.eth1" is "10.91.0.1/24"
    And "spec.nodeName" of NetworkEndpoint "forklift.eth1" is "worker-1"

  @ADD-7
  Scenario: A sandbox made anew for the same Pod replaces MAC and link, and keeps the endpoint
    Given these Pods
      | name     | node     | eth0       |
      | forklift | worker-1 | storefront |
      | checkout | worker-2 | storefront |
    And the value of "metadata.uid" of NetworkEndpoint "forklift.eth0" is noted
    And the value of "spec.attachment" of NetworkEndpoint "forklift.eth0" is noted
    And the sandbox of Pod "forklift" is made anew
    Then "metadata.uid" of NetworkEndpoint "forklift.eth0" is unchanged
    And "spec.attachment" of NetworkEndpoint "forklift.eth0" has changed
    And Pod "checkout" can ping eth0 of Pod "forklift"

  @ADD-7
  Scenario: The endpoint of an earlier Pod of that name is waited for
    Given this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: forklift.eth0}
      spec:
        kind: Pod
        nodeName: worker-2
        subnet: storefront
        podRef: {name: forklift, interface: eth0, uid: 0b6f6a52}
      """
    And these Pods
      | name     | node     | eth0       |
      | forklift | worker-1 | storefront |
    Then attaching Pod "forklift" on worker-1 fails with TRY_AGAIN_LATER and "earlier Pod"
    And Node "worker-1" has no link of Pod "forklift"

  @DEL-3
  Scenario: A late DEL of an old sandbox leaves the newer one alone
    Given these Pods
      | name     | node     | eth0       |
      | forklift | worker-1 | storefront |
      | checkout | worker-2 | storefront |
    And the sandbox of Pod "forklift" is made anew
    When the old sandbox of Pod "forklift" is taken down
    Then NetworkEndpoint "forklift.eth0" exists
    And Pod "checkout" can ping eth0 of Pod "forklift"

  @DEL-1 @DEL-2
  Scenario: DEL may come as often as it likes, and leaves the NetworkInterfaces
    Given these Pods
      | name     | node     | eth0       | eth1       |
      | forklift | worker-1 | storefront | dock-floor |
    When the sandbox of Pod "forklift" is taken down 3 times
    Then Node "worker-1" has no link of Pod "forklift"
    And NetworkEndpoint "forklift.eth0" is gone
    And NetworkEndpoint "forklift.eth1" is gone
    And NetworkInterface "forklift.eth0" is Allocated
    And NetworkInterface "forklift.eth1" is Allocated
