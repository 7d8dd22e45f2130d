"""`juneau demo`: the main job on the sample manifests."""

from __future__ import annotations

from tests.commands.program import Program

from juneau.commands.story import Story, samples


def test_the_demo_goes_as_expected(juneau: Program) -> None:
    """Every step is as it should be, nothing is on standard error, and it fits on three screens."""
    ended = juneau("demo")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.endswith("\nEverything went as expected.\n")
    assert ended.out.count("\nok ") == 10
    assert len(ended.out.splitlines()) < 125


# What the documents print, with their own names, addresses and numbers.
DOCUMENTED = """\
$ kubectl get networkinterface app.eth0 gw.eth0 gw.eth1
NAME       NODE       SUBNET       L2NETWORK   ELASTICIP   ADDRESS          PHASE
app.eth0   worker-1   app-subnet                           10.90.0.5/24     Ready
gw.eth0    worker-2   default                              10.16.0.9/16     Ready
gw.eth1    worker-2                            gw-eip      10.225.51.6/32   Ready

$ kubectl get externalnetwork ext-net -o jsonpath='{.status.networkID}'
4097

$ kubectl get networkinterface gw.eth1 -o yaml
status:
  address: 10.225.51.6/32
  routes:
    - dst: 0.0.0.0/0
      gw: 169.254.0.1
      onLink: true
      table: 182530822
  rules:
    - from: 10.225.51.6/32
      table: 182530822
      priority: 100
"""


def test_the_demo_shows_what_the_documents_print(juneau: Program) -> None:
    """A table of NICs, the network's number, and address, routes and rules of a NIC on an ElasticIP, to the letter."""
    assert f"\n{DOCUMENTED}\n" in juneau("demo").out


def test_the_demo_shows_all_nics(juneau: Program) -> None:
    """On Subnets, on an ElasticIP, and on segments with and without addresses."""
    out = juneau("demo").out
    for line in (
        "NAME           NODE       SUBNET       L2NETWORK   ELASTICIP   ADDRESS          PHASE",
        "app.eth0       worker-1   app-subnet                           10.90.0.5/24     Ready",
        "gw.eth1        worker-2                            gw-eip      10.225.51.6/32   Ready",
        "plain-1.eth1   worker-2                plain-net                                Ready",
        "vm.eth0        worker-1                lab-net                 10.90.2.3/24     Ready",
    ):
        assert f"\n{line}\n" in out


def test_the_demo_looks_from_outside(juneau: Program) -> None:
    """A Node answers ARP, the Pod's answer leaves by the NIC that was asked, and NAT works both ways."""
    out = juneau("demo").out
    for part in (
        "Who has 10.225.51.6? worker-2 answers with ",
        "outside (10.225.51.200) -> gw.eth1 (10.225.51.6)    answered\n",
        "ARP_ANSWERED (703)  external_arp_table[2 10.225.51.6]",
        "POD_EGRESS (100)  ifindex_external_network",
        "outside (10.225.51.200) -> web.eth0 (10.225.51.7)   answered\n",
        "as 10.225.51.8",
        "no answer: CLAIMED_UNUSED\n",
    ):
        assert part in out, part


def test_the_demo_shows_packets_a_flood_and_a_wait(juneau: Program) -> None:
    """Pings within a Subnet, across Nodes and across the gateway; a flooded frame; a Pod that waits."""
    out = juneau("demo").out
    for part in (
        "across Nodes",
        "across the gateway",
        "L2_FLOOD (601)",
        "Pod default/vpn is Pending (WaitingForNetwork) for 0s\n",
        "`-- waits for status.address of ElasticIP default/vpn-eip, which is Pending (NoAddressAvailable) for 0s\n",
        "`-- waits for a free value of AllocationPool addr-ext-pool",
    ):
        assert part in out, part


def test_the_demo_says_what_is_not_as_expected() -> None:
    """A step that goes wrong is named, and the rest is told all the same."""
    written: list[str] = []
    story = Story(written.append, [document for document in samples() if document.source != "30-l2networks.yaml"])
    assert not story.tell()
    text = "".join(written)
    assert "Not as expected:\n" in text
    assert "there is no NetworkInterface default/web.eth1" in text
    assert "Pod default/vpn is Pending" in text


def test_the_samples_are_applied_like_any_directory(juneau: Program, samples: str) -> None:
    """Their names are in the right order: nothing is refused and one Pod waits."""
    ended = juneau("lab", "run", "-f", samples, "--get", "nwiface", "-o", "name")
    assert (ended.status, ended.out.count("\n")) == (0, 14)
    assert ended.err.count("Warning: ") == 1
