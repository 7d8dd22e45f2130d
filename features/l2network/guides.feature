Feature: The guides
  What the documentation tells people to apply works as it says.

  @S4-7
  Scenario: The guide to segments of one's own
    Given a lab
    And the manifests in "../../docs/guides/l2network-segments.md"
    Then the table of l2net is
      """
      NAME            VPC   CIDR           MTU    READY
      addressed-net   lab   10.70.5.0/24   1450   True
      lab-net         lab   10.70.4.0/24   1450   True
      plain-net       lab                  1450   True
      """
    And the table of networkinterfaces is
      """
      NAME          NODE       SUBNET   L2NETWORK       ELASTICIP   ADDRESS        PHASE
      inside.eth0   worker-2            lab-net                     10.70.4.3/24   Ready
      router.eth0   worker-1   web                                  10.90.0.4/24   Ready
      router.eth1   worker-1            plain-net                                  Ready
      router.eth2   worker-1            addressed-net               10.70.5.1/24   Ready
      router.eth3   worker-1            lab-net                     10.70.4.2/24   Ready
      """
    And every Pod is Running
    And Pod "inside" can ping eth0 of Pod "router"
    And eth3 of Pod "router" can ping eth0 of Pod "inside"

  @S4-7
  Scenario: The page that follows the forwarding names code that is there
    Then the page "../../docs/l2-forwarding.md" names only files and functions that exist
    And the page "../../docs/outside-forwarding.md" names only files and functions that exist

  @S4-117
  Scenario: The guide to more NICs
    Given a lab
    And the manifests in "../../docs/guides/add-nics-to-a-pod.md"
    Then the table of networkinterfaces is
      """
      NAME         NODE       SUBNET    L2NETWORK   ELASTICIP   ADDRESS            PHASE
      crane.eth0   worker-1             floor                   10.70.4.3/24       Ready
      dock.eth0    worker-2   front                             10.90.0.5/24       Ready
      dock.eth1    worker-2                         dock-eip    10.225.51.100/32   Ready
      stock.eth0   worker-2   front                             10.90.0.4/24       Ready
      stock.eth1   worker-2   storage                           10.91.0.20/24      Ready
      stock.eth2   worker-2             floor                   10.70.4.2/24       Ready
      till.eth0    worker-1   front                             10.90.0.20/24      Ready
      """
    And every Pod is Running
    And Pod "till" can ping eth0 of Pod "crane"
    When Pod "stock" adds a route to "10.92.0.0/24" via "10.70.4.1"
    Then eth2 of Pod "stock" can ping eth0 of Pod "crane"
    And host "outside" can ping "10.225.51.100"
