Feature: What an installation decides about ARP
  On which NIC Nodes answer, how often they announce, and how long they go on alone.

  @ARPA-D4
  Scenario Outline: How often addresses are announced
    Given agents with "--arp-interval <interval>"
    And AddressPool "lan" with {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}
    And ExternalNetwork "lan" with {type: arp, addressPools: [lan]}
    And ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When what is received is counted from now on
    And 10 m pass
    Then eth0 of host "outside" has heard "10.225.51.100" announced <often> times from Node "worker-1"

    Examples:
      | interval | often |
      | 0s       | no    |
      | 10s      | 60    |
      | 5m       | 2     |

  Scenario: A Node that was cut off for as long as the flag says answers for nothing any more, and again when it is back
    Given agents with "--arp-fence-after 5m"
    And AddressPool "lan" with {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}
    And ExternalNetwork "lan" with {type: arp, addressPools: [lan]}
    And ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When 10 m pass
    And Node "worker-1" is cut off from the API server
    And 4 m pass
    Then Node "worker-1" answers for "10.225.51.100"
    When 1 m passes
    Then nobody answers for "10.225.51.100"
    And worker-1 has dropped 1 packet with reason ARP_FENCED
    When Node "worker-1" reaches the API server again
    Then Node "worker-1" answers for "10.225.51.100"

  Scenario: Where an announcement cannot reach the old Node, only the flag keeps it from answering
    Given agents with "--arp-fence-after 15s"
    And AddressPool "lan" with {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}
    And ExternalNetwork "lan" with {type: arp, addressPools: [lan]}
    And ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When Node "worker-1" is cut off from the API server
    And Node "worker-1" can send to nobody
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    And 15 s pass
    And the network is whole again
    Then Node "worker-2" answers for "10.225.51.100"

  Scenario: How long an agent may be silent is a flag of the controller
    Given a lab with --node-lease 1m
    And AddressPool "lan" with {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}
    And ExternalNetwork "lan" with {type: arp, addressPools: [lan]}
    And ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}
    When Node "worker-1" loses its power
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    And 59 s pass
    Then ARPAdvertisement "one" is Allocated with reason "WaitingForWithdrawal"
    When 1 s passes
    Then Node "worker-2" answers for "10.225.51.100"

  @S0-47 @EN-D6
  Scenario: Nodes answer on the NIC that the flag names, with its MAC
    Given the outside is a network of its own, "192.0.2.0/24"
    And agents with "--node-ingress-iface eth1"
    And AddressPool "lan" with {advertiseMode: arp, addresses: [192.0.2.100-192.0.2.109]}
    And ExternalNetwork "lan" with {type: arp, addressPools: [lan]}
    And ElasticIP "gw-eip" with {externalNetwork: lan}
    And these Pods
      | name | node     | eth1   |
      | gw   | worker-2 | gw-eip |
    Then Node "worker-2" answers for "192.0.2.100" with the MAC of its eth1
    And condition "Announced" of ElasticIP "gw-eip" is True
    And host "outside" can ping eth1 of Pod "gw"
    When eth0 of Node "worker-1" asks by ARP for "192.0.2.100"
    Then eth0 of Node "worker-1" gets no ARP answers for "192.0.2.100"

  @S0-48 @EN-D6
  Scenario: Without the flag they answer on the NIC with the Node's InternalIP, and on no other
    Given the outside is a network of its own, "192.0.2.0/24"
    And AddressPool "lan" with {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}
    And ExternalNetwork "lan" with {type: arp, addressPools: [lan]}
    And ARPAdvertisement "one" with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    When eth0 of Node "worker-1" asks by ARP for "10.225.51.100"
    Then eth0 of Node "worker-1" gets one ARP answer for "10.225.51.100"
    And nobody answers for "10.225.51.100"
