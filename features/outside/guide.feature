Feature: The guide to a network with ARP
  What the documentation tells people to apply works as it says.

  @S0-49
  Scenario: The guide's manifests make a network that the outside reaches
    Given a lab
    And the manifests in "../../docs/guides/external-network-with-arp.md"
    Then "status.networkID" of ExternalNetwork "ext-net" is 4097
    And every Pod is Running
    And the table of elasticip is
      """
      NAME      EXTERNALNETWORK   ADDRESS         ATTACHMENTKIND        ATTACHMENT   PHASE      ALLOCATED   ATTACHED
      gw-eip    ext-net           10.225.51.106   NetworkInterface      gw.eth1      Attached   True        True
      web-eip   ext-net           10.225.51.100   ElasticIPAttachment   web          Attached   True        True
      """
    And the table of externalnetworkattachment is
      """
      NAME                EXTERNALNETWORK   NODE       ASSIGNEDIP      READY
      ext-net--worker-1   ext-net           worker-1   10.225.51.101   True
      ext-net--worker-2   ext-net           worker-2   10.225.51.102   True
      """
    And condition "Announced" of ElasticIP "gw-eip" is True
    And condition "Announced" of ElasticIP "web-eip" is True
    And host "outside" can ping "10.225.51.106"
    And host "outside" can ping "10.225.51.100"
    When Pod "worker" pings "10.225.51.200"
    Then the ping is answered

  @S0-49
  Scenario: The commands and flags that it names are there
    Given the file "lan.yaml"
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan}, spec: {advertiseMode: arp, addresses: [192.0.2.100-192.0.2.119]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: arp, addressPools: [lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: gw-eip}, spec: {externalNetwork: ext-net}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: gw, annotations: {juneau.loutres.me/elastic-ip: gw-eip}}}
      """
    When "juneau lab trace -f lan.yaml --external-cidr 192.0.2.0/24 --node-ingress-iface eth1 --arp-interval 10s --arp-fence-after 5m --node-lease 30s --from outside --to gw.eth0" runs
    Then it exits with 0
    And it prints "answered by 192.0.2.100"
    When "juneau lab trace -f lan.yaml --external-cidr 192.0.2.0/24 --from outside --to gw.eth0" runs
    Then it exits with 3
    When "juneau lab run -f lan.yaml --get elasticip/gw-eip -o yaml" runs
    Then it prints "AddressOutsideSubnet"

  @S0-49
  Scenario Outline: An address that is taken or used up is told as the guide says
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.100]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: ext-net}, spec: {type: arp, addressPools: [lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ElasticIP, metadata: {name: first}, spec: {externalNetwork: ext-net}}
      """
    When ElasticIP "second" is created with <spec>
    Then condition "Allocated" of ElasticIP "second" is False with reason "<reason>"
    And condition "Announced" of ElasticIP "first" is False with reason "AwaitingAttachment"

    Examples:
      | spec                                                  | reason             |
      | {externalNetwork: ext-net}                            | NoAddressAvailable |
      | {externalNetwork: ext-net, requestedIP: 10.225.51.100} | Allocating         |
      | {externalNetwork: ext-net, requestedIP: 10.225.51.101} | Allocating         |
