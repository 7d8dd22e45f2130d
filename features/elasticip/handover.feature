Feature: From one user of an ElasticIP to the next
  Two never have it; who has it keeps it; and when it goes, the next one has it without anybody's help.

  Background:
    Given a lab
    And these manifests
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: AddressPool
      metadata: {name: edge-lan}
      spec: {advertiseMode: arp, addresses: [10.225.51.200-10.225.51.203]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ExternalNetwork
      metadata: {name: lan}
      spec: {type: arp, addressPools: [edge-lan]}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIP
      metadata: {name: web}
      spec: {externalNetwork: lan}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Vpc
      metadata: {name: shop}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: Subnet
      metadata: {name: storefront}
      spec: {vpc: shop, cidr: 10.90.0.0/24}
      """

  Scenario: Two Pods that are accepted at once take turns
    Given these objects are stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: one, annotations: {juneau.loutres.me/elastic-ip: web}}
      spec: {nodeName: worker-1}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: two, annotations: {juneau.loutres.me/elastic-ip: web}}
      spec: {nodeName: worker-2}
      """
    Then NetworkInterface "one.eth0" is Ready
    And NetworkInterface "two.eth0" is Pending with reason "WaitingForElasticIP"
    And the message names "one.eth0"
    And Pod "two" is not attached
    And condition "juneau.loutres.me/NetworkReady" of Pod "two" is False with reason "WaitingForInterfaces"
    And the message names "one.eth0"
    And "status.attachment.name" of ElasticIP "web" is "one.eth0"
    And "spec.nodeName" of ARPAdvertisement "eip-default-web" is "worker-1"
    When Pod "one" is deleted
    Then NetworkInterface "two.eth0" is Ready
    And Pod "two" is attached on worker-2
    And "spec.nodeName" of ARPAdvertisement "eip-default-web" is "worker-2"

  Scenario: An attachment and a Pod that come at once have it neither, until one goes
    Given these Pods
      | name | node     | eth0       |
      | api  | worker-1 | storefront |
    And these objects are stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: web}}
      spec: {nodeName: worker-2}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: web-nat}
      spec: {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: api.eth0}}
      """
    Then ElasticIP "web" is Failed with reason "Conflict"
    And condition "Attached" of ElasticIP "web" is False with reason "Conflict"
    And the message names "ElasticIPAttachment web-nat"
    And the message names "NetworkInterface gw.eth0"
    And "status.address" of ElasticIP "web" is "10.225.51.200"
    And "status.attachment" of ElasticIP "web" is empty
    And ElasticIPAttachment "web-nat" is Pending with reason "WaitingForElasticIP"
    And the message names "gw.eth0"
    And NetworkInterface "gw.eth0" is Pending with reason "WaitingForElasticIP"
    And the message names "web-nat"
    And there is no ARPAdvertisement
    When Pod "gw" is deleted
    Then ElasticIPAttachment "web-nat" is Attached
    And "spec.nodeName" of ARPAdvertisement "eip-default-web" is "worker-1"

  Scenario: The other one has it when the attachment is the one that goes
    Given these Pods
      | name | node     | eth0       |
      | api  | worker-1 | storefront |
    And ElasticIPAttachment "web-nat" with {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: api.eth0}}
    And this object is stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: web}}
      spec: {nodeName: worker-2}
      """
    Then ElasticIP "web" is Failed with reason "Conflict"
    When ElasticIPAttachment "web-nat" is deleted
    Then NetworkInterface "gw.eth0" is Ready
    And ElasticIP "web" is Attached
    And "spec.nodeName" of ARPAdvertisement "eip-default-web" is "worker-2"

  @EIP-D1
  Scenario: A running Pod loses the address in its status to a conflict, and has it again after that
    Given these Pods
      | name | node     | eth0       | eth1 |
      | gw   | worker-1 | storefront | web  |
    And this object is stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: web-nat}
      spec: {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: gw.eth0}}
      """
    Then "status.address" of NetworkInterface "gw.eth1" is empty
    And "status.routes" of NetworkInterface "gw.eth1" is empty
    And "status.rules" of NetworkInterface "gw.eth1" is empty
    And eth1 of Pod "gw" has the address "10.225.51.200/32"
    And "status.phase" of Pod "gw" is "Running"
    And NetworkEndpoint "gw.eth1" exists
    When ElasticIPAttachment "web-nat" is deleted
    Then NetworkInterface "gw.eth1" is Ready
    And "status.address" of NetworkInterface "gw.eth1" is "10.225.51.200/32"

  Scenario: After a conflict an interface that goes may still have the address in its Pod, so nobody is given it
    Given NetworkInterface "old.eth1" with {podRef: {name: old, uid: 6f1f9f0a, interface: eth1}, nodeName: worker-1, elasticIP: web}
    And these objects are stored past admission
      """
      apiVersion: juneau.loutres.me/v1alpha1
      kind: ElasticIPAttachment
      metadata: {name: web-nat}
      spec: {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: api.eth0}}
      ---
      apiVersion: juneau.loutres.me/v1alpha1
      kind: NetworkInterface
      metadata: {name: new.eth1}
      spec: {podRef: {name: new, uid: 77c20000, interface: eth1}, nodeName: worker-2, elasticIP: web}
      """
    And "metadata.finalizers" of NetworkInterface "old.eth1" is changed to [example.com/audit]
    When NetworkInterface "old.eth1" is deleted
    And ElasticIPAttachment "web-nat" is deleted
    Then ElasticIP "web" is Available
    And condition "Attached" of ElasticIP "web" is False with reason "WaitingForHandover"
    And the message names "old.eth1"
    And there is no ARPAdvertisement
    When "metadata.finalizers" of NetworkInterface "old.eth1" is removed
    Then "status.attachment.name" of ElasticIP "web" is "new.eth1"

  Scenario: An ElasticIP that is deleted under a Pod stays until the Pod is gone, and so does its address
    Given these Pods
      | name | node     | eth1 |
      | gw   | worker-1 | web  |
    When ElasticIP "web" is deleted
    Then the deletion is accepted
    And ElasticIP "web" is Attached
    And condition "Allocated" of ElasticIP "web" is False with reason "WaitingForNetworkInterfaces"
    And the message names "gw.eth1"
    And "status.address" of ElasticIP "web" is "10.225.51.200"
    And NetworkInterface "gw.eth1" is Ready
    And "spec.nodeName" of ARPAdvertisement "eip-default-web" is "worker-1"
    And 1 value of AllocationPool "addr-edge-lan" is taken
    When Pod "gw" is deleted
    Then ElasticIP "web" is gone
    And ARPAdvertisement "eip-default-web" is gone
    And 0 values of AllocationPool "addr-edge-lan" are taken

  Scenario: A Pod that came before the end of its ElasticIP waits for one that is made anew
    When "metadata.finalizers" of ElasticIP "web" is changed to [elasticip.juneau.loutres.me/allocation-claim, example.com/audit]
    And ElasticIP "web" is deleted
    And these Pods are created
      | name | eth1 |
      | gw   | web  |
    Then NetworkInterface "gw.eth1" is Pending with reason "WaitingForElasticIP"
    And the message says "is being deleted"
    When Pod "gw" is deleted
    And "metadata.finalizers" of ElasticIP "web" is removed
    And ElasticIP "web" is created with {externalNetwork: lan}
    And these Pods are created
      | name | eth1 |
      | gw   | web  |
    Then NetworkInterface "gw.eth1" is Ready

  Scenario Outline: Whatever goes first, in the end nothing is left
    Given these Pods
      | name | node     | eth0       |
      | api  | worker-1 | storefront |
    And ElasticIPAttachment "web-nat" with {elasticIPRef: {name: web}, targetRef: {networkInterfaceName: api.eth0}}
    When <first> is deleted
    And <second> is deleted
    And <third> is deleted
    And ElasticIP "web" is deleted
    Then ElasticIP "web" is gone
    And there is no ElasticIPAttachment
    And there is no NetworkInterface
    And there is no ARPAdvertisement
    And 0 values of AllocationPool "addr-edge-lan" are taken

    Examples:
      | first                         | second                        | third                         |
      | Pod "api"                     | ElasticIPAttachment "web-nat" | ElasticIP "web"               |
      | ElasticIPAttachment "web-nat" | Pod "api"                     | ElasticIP "web"               |
      | ElasticIPAttachment "web-nat" | ElasticIP "web"               | Pod "api"                     |
      | ElasticIP "web"               | Pod "api"                     | ElasticIPAttachment "web-nat" |
      | Pod "api"                     | ElasticIP "web"               | ElasticIPAttachment "web-nat" |

  Scenario: A controller that starts anew knows who has it
    Given these objects are stored past admission
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: z, annotations: {juneau.loutres.me/elastic-ip: web}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: a, annotations: {juneau.loutres.me/elastic-ip: web}}
      """
    Then "status.attachment.name" of ElasticIP "web" is "z.eth0"
    When the controller restarts
    Then "status.attachment.name" of ElasticIP "web" is "z.eth0"
    And nothing is written
