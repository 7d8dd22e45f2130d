Feature: juneau fsck judges a picture of a cluster as it stands
  Nothing moves in it, so what a controller has not done is found as well.

  Background:
    Given the file "dump.yaml"
      """
      apiVersion: v1
      kind: List
      items:
        - apiVersion: juneau.loutres.me/v1alpha1
          kind: AllocationPool
          metadata: {name: subnet-ip-storefront, uid: pool, resourceVersion: "11"}
          spec: {type: ip, strategy: firstFit, ip: {cidrs: [10.90.0.0/24], excluded: [10.90.0.1]}}
        - apiVersion: juneau.loutres.me/v1alpha1
          kind: AllocationLease
          metadata: {name: www, resourceVersion: "12"}
          spec:
            poolRef: {name: subnet-ip-storefront}
            value: {ip: 10.90.0.4}
            claimRef: {name: www}
          status: {phase: Active}
      """

  Scenario: A lease that nobody holds and that does not run out, and whatever else does not fit
    Given the file "more.yaml"
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkEndpoint
      metadata: {name: cart.eth0, namespace: prod}
      spec:
        kind: Pod
        nodeName: worker-1
        subnet: storefront
        address: 10.90.0.4/24
        macAddress: "02:00:00:00:00:01"
        podRef: {name: cart, interface: eth0, uid: u1}
      """
    When "juneau fsck --stored dump.yaml more.yaml" runs
    Then it exits with 1
    And it prints
      """
      OBJECT                           FIELD           FINDING                                                                                          REPAIR
      AllocationLease/www              status.phase    Invalid value: "Active": no AllocationClaim holds it, and its time does not run                  see that a controller is running; it has not looked at the AllocationLease since
      NetworkEndpoint/prod/cart.eth0   metadata.name   Invalid value: "cart.eth0": there is no NetworkInterface cart.eth0 that it is the interface of   delete the NetworkEndpoint
      """
    And it complains "3 objects checked, 2 findings"

  Scenario: What is as it should be ends with 0
    Given the file "claim.yaml"
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AllocationClaim
      metadata: {name: www, finalizers: [allocationclaim.juneau.loutres.me/lease]}
      spec:
        poolRefs: [{name: subnet-ip-storefront}]
        resourceRef: {apiVersion: example.com/v1, kind: Server, name: www}
        attribute: status.address
      status: {phase: Allocated, value: {ip: 10.90.0.4}}
      """
    When "juneau fsck --stored dump.yaml claim.yaml" runs
    Then it exits with 0
    And it complains "3 objects checked, nothing found"

  Scenario: Programs get the same as a document
    When "juneau fsck --stored dump.yaml -o yaml" runs
    Then it exits with 1
    And it prints
      """
      findings:
      - cause: Invalid value
        field: status.phase
        message: no AllocationClaim holds it, and its time does not run
        object:
          apiVersion: juneau.loutres.me/v1alpha1
          kind: AllocationLease
          name: www
        repair: see that a controller is running; it has not looked at the AllocationLease since
      """

  @S0-16 @S0-17
  Scenario: What admission would refuse today is found with what to do about it
    Given the file "shared.yaml"
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: p1}
      spec: {advertiseMode: bgp, addresses: [203.0.113.0/26]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: p2}
      spec: {advertiseMode: bgp, addresses: [203.0.113.32/27]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: ext}
      spec: {type: bgp, addressPools: [p1]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: second}
      spec: {type: bgp, addressPools: [p1]}
      """
    When "juneau fsck --stored shared.yaml" runs
    Then it exits with 1
    And it prints "ExternalNetwork/ext"
    And it prints "ExternalNetwork/second"
    And it prints "delete ExternalNetwork second or ext"
    And it prints "AddressPool/p1"
    And it prints "AddressPool/p2"
    And it complains "4 objects checked, 4 findings"
