Feature: From one Node to the next
  One Node answers for an address, always: the old one stops before the new one starts.
  What runs goes on without the API server, and a Node that is cut off lets go of an address that another one announces.

  Background:
    Given these manifests
      """
      {apiVersion: juneau.loutres.me/v1alpha1, kind: AddressPool, metadata: {name: lan}, spec: {advertiseMode: arp, addresses: [10.225.51.100-10.225.51.109]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ExternalNetwork, metadata: {name: lan}, spec: {type: arp, addressPools: [lan]}}
      ---
      {apiVersion: juneau.loutres.me/v1alpha1, kind: ARPAdvertisement, metadata: {name: one}, spec: {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-1}}
      """

  @ARPA-D1 @ARPA-D2 @EN-D4
  Scenario: The Node that has the address answers with its own MAC, and no other one does
    When eth0 of host "outside" asks by ARP for "10.225.51.100"
    Then eth0 of host "outside" gets one ARP answer for "10.225.51.100"
    And Node "worker-1" answers for "10.225.51.100"
    And nobody answers for "10.225.51.101"
    And ARPAdvertisement "one" is Ready with reason "Announced"
    And the message names "worker-1"

  @ARPA-D3
  Scenario: A Node's own address is answered for by its own host
    Then host "outside" can ping "10.225.51.11"
    And host "outside" can ping "10.225.51.12"
    And Node "worker-1" can ping "10.225.51.1"

  @ARPA-4 @ARPA-C3 @ARPA-D5 @S0-41
  Scenario: In contact the old Node says that it has withdrawn, and only then is the new one granted the address
    Given the host outside asks for "10.225.51.100" all the time
    Then "status.grant.nodeName" of ARPAdvertisement "one" is "worker-1"
    And "status.grant.term" of ARPAdvertisement "one" is 1
    And "status.answer.nodeName" of ARPAdvertisement "one" is "worker-1"
    And "status.answer.state" of ARPAdvertisement "one" is "Announced"
    When "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    Then ARPAdvertisement "one" is Ready with reason "Announced"
    And "status.grant.nodeName" of ARPAdvertisement "one" is "worker-2"
    And "status.grant.term" of ARPAdvertisement "one" is 2
    And "status.answer.nodeName" of ARPAdvertisement "one" is "worker-2"
    And "status.answer.term" of ARPAdvertisement "one" is 2
    And "status.answer.state" of ARPAdvertisement "one" is "Announced"
    And Node "worker-2" answers for "10.225.51.100"
    When "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-1"
    Then "status.grant.term" of ARPAdvertisement "one" is 3
    And Node "worker-1" answers for "10.225.51.100"
    And never have two Nodes answered for "10.225.51.100"

  @ARPA-D4
  Scenario: The new Node announces the address once, and then every minute
    When what is received is counted from now on
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    Then eth0 of host "outside" has heard "10.225.51.100" announced once from Node "worker-2"
    When what is received is counted from now on
    And 59 s pass
    Then eth0 of host "outside" has heard "10.225.51.100" announced no times from Node "worker-2"
    When 1 s passes
    Then eth0 of host "outside" has heard "10.225.51.100" announced once from Node "worker-2"
    When 10 m pass
    Then eth0 of host "outside" has heard "10.225.51.100" announced 11 times from Node "worker-2"

  @S0-41 @ARPA-D5
  Scenario: A Node without power is waited for as long as its Lease lasts, and then the other one has the address
    Given the host outside asks for "10.225.51.100" all the time
    When Node "worker-1" loses its power
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    Then ARPAdvertisement "one" is Allocated with reason "WaitingForWithdrawal"
    And the message names "worker-1"
    And "status.grant.nodeName" of ARPAdvertisement "one" is "worker-1"
    And nobody answers for "10.225.51.100"
    When 14 s pass
    Then ARPAdvertisement "one" is Allocated with reason "WaitingForWithdrawal"
    And nobody answers for "10.225.51.100"
    When 1 s passes
    Then ARPAdvertisement "one" is Ready with reason "Announced"
    And "status.grant.term" of ARPAdvertisement "one" is 2
    And Node "worker-2" answers for "10.225.51.100"
    And never have two Nodes answered for "10.225.51.100"

  @S0-41 @ARPA-D5
  Scenario: A Node that comes back does not answer for what it has lost
    Given the host outside asks for "10.225.51.100" all the time
    When Node "worker-1" loses its power
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    And 20 s pass
    And Node "worker-1" has power again
    And 2 m pass
    Then Node "worker-2" answers for "10.225.51.100"
    And table external_arp_table of worker-1 has 0 rows
    And never have two Nodes answered for "10.225.51.100"

  @S0-41
  Scenario: A Node that is back before anybody has taken its address answers again
    When Node "worker-1" loses its power
    And 5 s pass
    And Node "worker-1" has power again
    Then Node "worker-1" answers for "10.225.51.100"
    And ARPAdvertisement "one" is Ready with reason "Announced"
    And "status.grant.term" of ARPAdvertisement "one" is 1

  Scenario: An API server that is away silences nobody
    When Node "worker-1" is cut off from the API server
    And Node "worker-2" is cut off from the API server
    And 5 h pass
    Then Node "worker-1" answers for "10.225.51.100"
    When Node "worker-2" reaches the API server again
    And Node "worker-1" reaches the API server again
    And 1 m passes
    Then Node "worker-1" answers for "10.225.51.100"
    And ARPAdvertisement "one" is Ready with reason "Announced"
    And "status.grant.term" of ARPAdvertisement "one" is 1

  @S0-41 @ARPA-D5
  Scenario: A Node that is cut off lets go of the address the moment another one announces it
    Given the host outside asks for "10.225.51.100" all the time
    When Node "worker-1" is cut off from the API server
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    And 14 s pass
    Then ARPAdvertisement "one" is Allocated with reason "WaitingForWithdrawal"
    And Node "worker-1" answers for "10.225.51.100"
    When 1 s passes
    Then Node "worker-2" answers for "10.225.51.100"
    And worker-1 has dropped 1 packet with reason ARP_YIELDED
    When Node "worker-1" reaches the API server again
    And 2 m pass
    Then Node "worker-2" answers for "10.225.51.100"
    And never have two Nodes answered for "10.225.51.100"

  Scenario: What a Node has let go of it takes back once it is in contact and has the grant still
    When Node "worker-1" is cut off from the API server
    And 1 m passes
    And eth0 of host "router" announces "10.225.51.100"
    Then nobody answers for "10.225.51.100"
    When Node "worker-1" reaches the API server again
    Then Node "worker-1" answers for "10.225.51.100"

  Scenario: In contact a foreign announcement is a conflict, which is told and not obeyed
    When eth0 of host "outside" announces "10.225.51.100"
    And 1 s passes
    Then Node "worker-1" answers for "10.225.51.100"
    And worker-1 has dropped 1 packet with reason ARP_CONFLICT
    And condition "AddressConflict" of ARPAdvertisement "one" is True with reason "ForeignAnnouncement"
    And "status.answer.conflict" of ARPAdvertisement "one" is set
    And the message names "announces 10.225.51.100 too"
    And ARPAdvertisement "one" is Ready
    When "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    Then condition "AddressConflict" of ARPAdvertisement "one" is False with reason "NoConflict"

  Scenario: A conflict is over when nobody else was heard for five minutes
    When eth0 of host "outside" announces "10.225.51.100"
    And 299 s pass
    Then condition "AddressConflict" of ARPAdvertisement "one" is True
    When 1 s passes
    Then condition "AddressConflict" of ARPAdvertisement "one" is False with reason "NoConflict"

  @ARPA-C5
  Scenario: A deletion is done once the Node answers no more
    When ARPAdvertisement "one" is deleted
    Then ARPAdvertisement "one" is gone
    And nobody answers for "10.225.51.100"
    When eth0 of host "outside" sends a packet of IP protocol 17 from "10.225.51.200" to "10.225.51.100" at eth0 of Node "worker-1"
    Then it is dropped on worker-1 with reason CLAIMED_UNUSED

  @ARPA-12
  Scenario: A deletion waits for a Node that may answer still, and so does who wants the address next
    When Node "worker-1" is cut off from the API server
    And ARPAdvertisement "one" is deleted
    Then ARPAdvertisement "one" is Pending with reason "Deleting"
    And the message names "worker-1"
    And Node "worker-1" answers for "10.225.51.100"
    When ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    Then it is refused
    When 15 s pass
    Then ARPAdvertisement "one" is gone
    When ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    Then Node "worker-2" answers for "10.225.51.100"

  Scenario: Nobody waits for a Node that has withdrawn already
    When ARPAdvertisement "one" is deleted
    And Node "worker-1" loses its power
    And ARPAdvertisement "two" is created with {externalNetwork: lan, address: 10.225.51.100, nodeName: worker-2}
    Then Node "worker-2" answers for "10.225.51.100"

  Scenario: A Node that leaves the cluster takes its Lease along, and is waited for as long as that would have lasted
    When Node "worker-1" is deleted
    Then "status.grant.nodeName" of ARPAdvertisement "one" is "worker-1"
    When "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    Then ARPAdvertisement "one" is Allocated with reason "WaitingForWithdrawal"
    When 15 s pass
    Then Node "worker-2" answers for "10.225.51.100"

  @ARPA-11
  Scenario: A Node that joins with the address is asked for it as itself, and nobody else
    Given AddressPool "wide" with {advertiseMode: arp, addresses: [10.225.51.13-10.225.51.20]}
    And ExternalNetwork "wide" with {type: arp, addressPools: [wide]}
    And ARPAdvertisement "joined" with {externalNetwork: wide, address: 10.225.51.13, nodeName: worker-1}
    Then ARPAdvertisement "joined" is Ready
    When Node "worker-3" joins
    Then ARPAdvertisement "joined" is Failed with reason "InvalidAddress"
    And the message names "worker-3"
    And Node "worker-3" answers for "10.225.51.13"

  @S0-45 @EN-D5
  Scenario: An address outside of the NIC's own subnet is a fault that is shown
    Given AddressPool "far" with {advertiseMode: arp, addresses: [192.0.2.10-192.0.2.19]}
    And ExternalNetwork "far" with {type: arp, addressPools: [far]}
    And ElasticIP "web" with {externalNetwork: far}
    And these Pods
      | name | node     | eth1 |
      | gw   | worker-1 | web  |
    Then ARPAdvertisement "eip-default-web" is Failed with reason "AddressOutsideSubnet"
    And the message names "192.0.2.10"
    And the message names "10.225.51.0/24"
    And the message names "eth0 of Node worker-1"
    And condition "Announced" of ElasticIP "web" is False with reason "AddressOutsideSubnet"
    And the message names "10.225.51.0/24"
    And nobody answers for "192.0.2.10"

  @S0-41 @ARPA-D5
  Scenario: The controller starts anew in the middle of a move
    Given the host outside asks for "10.225.51.100" all the time
    When Node "worker-1" is cut off from the API server
    And "spec.nodeName" of ARPAdvertisement "one" is changed to "worker-2"
    And 5 s pass
    And the controller restarts
    Then ARPAdvertisement "one" is Allocated with reason "WaitingForWithdrawal"
    When 10 s pass
    Then Node "worker-2" answers for "10.225.51.100"
    And never have two Nodes answered for "10.225.51.100"
