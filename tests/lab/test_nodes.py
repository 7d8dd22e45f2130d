"""Nodes that lose the API server or their power: what goes on, what waits, and what is made anew."""

from __future__ import annotations

import pytest
from tests.lab.cluster import ADDRESS, ONE, TWO, Cluster, manifest, pod

from juneau.engine.objects import Key
from juneau.engine.settings import NodeSettings
from juneau.lab.immediate import run
from juneau.lab.lab import Lab
from juneau.resources.networkendpoint import NODE_NAMESPACE

LEASE = 15.0


@pytest.fixture
def cluster() -> Cluster:
    """With the Pod `a` on worker-1, whose eth1 is on an ElasticIP."""
    made = Cluster()
    made.furnish()
    made.apply(pod("a", "front"))
    assert made.sandbox(ONE, "a") == ("eth0", "eth1")
    assert made.reaches(ADDRESS)
    return made


def own_port(cluster: Cluster, node: str) -> str:
    """The address of a Node's own port of the default Subnet."""
    held = cluster.get("NetworkEndpoint", f"juneau-node.{node}", NODE_NAMESPACE)
    return str(held.spec.address).partition("/")[0]


# Cut off from the API server.


def test_what_runs_on_a_node_that_is_cut_off_goes_on(cluster: Cluster) -> None:
    """For a day: its Pods talk, and its address is answered for, since nobody wants it elsewhere."""
    cluster.apply(pod("b"))
    cluster.lab.cut_off(ONE)
    cluster.advance(86400.0)
    assert cluster.sandbox(ONE, "a") == ("eth0", "eth1")
    assert cluster.reaches(ADDRESS)
    assert cluster.pings(ONE, "a", "10.90.0.5")
    assert cluster.phase("ARPAdvertisement", "eip-default-front") == "Ready"


def test_its_lease_is_not_renewed_any_more(cluster: Cluster) -> None:
    """The others' are."""
    cluster.lab.cut_off(ONE)
    cluster.advance(60.0)
    renewed = {
        name: cluster.get("Lease", f"juneau-agent.{name}", NODE_NAMESPACE).spec.renew_time for name in (ONE, TWO)
    }
    assert renewed[TWO] == cluster.clock.now()
    assert renewed[ONE] == cluster.clock.now() - 60.0


def test_a_pod_of_a_node_that_is_cut_off_waits_for_its_kubelet(cluster: Cluster) -> None:
    """Neither attached nor detached until the Node is back; then both at once."""
    cluster.lab.cut_off(ONE)
    cluster.apply(pod("b", nodeName=ONE))
    cluster.delete("Pod", "a", "default")
    cluster.advance(60.0)
    assert (cluster.sandbox(ONE, "a"), cluster.sandbox(ONE, "b")) == (("eth0", "eth1"), ())
    assert cluster.phase("Pod", "b") != "Running"
    cluster.reconnect(ONE)
    assert (cluster.sandbox(ONE, "a"), cluster.sandbox(ONE, "b")) == ((), ("eth0",))
    assert cluster.phase("Pod", "b") == "Running"


def test_what_the_dataplane_of_such_a_node_should_do_waits_as_well(cluster: Cluster) -> None:
    """It does not know of NICs that are new elsewhere; when it is back it does."""
    cluster.lab.cut_off(ONE)
    cluster.apply(pod("b"))
    assert cluster.sandbox(TWO, "b") == ("eth0",)
    assert not cluster.pings(ONE, "a", "10.90.0.5")
    cluster.reconnect(ONE)
    assert cluster.pings(ONE, "a", "10.90.0.5")


def test_the_scheduler_avoids_a_node_that_is_cut_off(cluster: Cluster) -> None:
    """All Pods go elsewhere, and stay there when it is back."""
    cluster.lab.cut_off(ONE)
    cluster.apply(*(pod(f"p{number}") for number in range(4)))
    assert {cluster.get("Pod", f"p{number}").spec.node_name for number in range(4)} == {TWO}
    cluster.reconnect(ONE)
    cluster.apply(pod("next"))
    assert cluster.get("Pod", "next").spec.node_name == ONE


def test_with_all_nodes_away_a_pod_waits_and_says_why(cluster: Cluster) -> None:
    """That none can be reached is another thing than that there is none; the first that is back takes it."""
    for name in (ONE, TWO):
        cluster.lab.cut_off(name)
    cluster.apply(pod("b"))
    note = cluster.lab.kubelets.why_not[Key("Pod", "default", "b")]
    assert (note.reason, note.message) == ("FailedScheduling", "no Node can be reached")
    cluster.reconnect(TWO)
    assert cluster.get("Pod", "b").spec.node_name == TWO
    assert cluster.phase("Pod", "b") == "Running"


def test_a_pod_of_the_same_name_elsewhere_does_not_wait_for_the_old_one(cluster: Cluster) -> None:
    """The address moves when the Lease has run out; what is left on the old Node goes when that is back."""
    cluster.lab.cut_off(ONE)
    cluster.delete("Pod", "a", "default")
    cluster.apply(pod("a", "front"))
    assert cluster.sandbox(TWO, "a") == ("eth0", "eth1")
    assert cluster.sandbox(ONE, "a") == ("eth0", "eth1")
    assert cluster.phase("Pod", "a") == "Running"
    cluster.advance(LEASE)
    assert cluster.get("ARPAdvertisement", "eip-default-front").spec.node_name == TWO
    assert cluster.phase("ARPAdvertisement", "eip-default-front") == "Ready"
    assert cluster.reaches(ADDRESS)
    cluster.reconnect(ONE)
    assert (cluster.sandbox(ONE, "a"), cluster.sandbox(TWO, "a")) == ((), ("eth0", "eth1"))
    assert cluster.reaches(ADDRESS)
    assert cluster.phase("Pod", "a") == "Running"


def test_an_address_stays_where_it_is_until_the_lease_has_run_out(cluster: Cluster) -> None:
    """Time goes in steps here, and at each of them the answer comes from one Node."""
    cluster.advance(100.0)
    cluster.lab.cut_off(ONE)
    cluster.apply(
        manifest("ARPAdvertisement", "eip-default-front", externalNetwork="lan", address=str(ADDRESS), nodeName=ONE)
    )
    cluster.delete("Pod", "a", "default")
    cluster.apply(pod("a", "front"))
    for _ in range(14):
        cluster.advance(1.0)
        assert cluster.get("ARPAdvertisement", "eip-default-front").status.grant.node_name == ONE
    cluster.advance(1.0)
    assert cluster.get("ARPAdvertisement", "eip-default-front").status.grant.node_name == TWO


def test_a_fence_holds_in_the_lab_too() -> None:
    """`--arp-fence-after`: who is cut off for so long answers for nothing; in contact it never comes to that."""
    cluster = Cluster(node_settings=NodeSettings(arp_fence_after=30.0))
    cluster.furnish()
    cluster.apply(pod("a", "front"))
    cluster.advance(3600.0)
    assert cluster.reaches(ADDRESS)
    cluster.lab.cut_off(ONE)
    cluster.advance(29.0)
    assert _answers(cluster)
    cluster.advance(1.0)
    assert not _answers(cluster)
    cluster.reconnect(ONE)
    assert _answers(cluster)


def _answers(cluster: Cluster) -> bool:
    """Whether a host that is new on the wire, and has nothing in its ARP cache, gets an answer."""
    return bool(cluster.site.dump(ONE, "external_arp_table"))


# Without power.


def test_a_node_without_power_is_only_silent_for_the_api_server(cluster: Cluster) -> None:
    """Its objects stay as they are, and nothing of it can be reached."""
    port = own_port(cluster, ONE)
    assert cluster.pings(TWO, "", port)
    cluster.writes()
    cluster.lab.switch_off(ONE)
    cluster.settle()
    assert cluster.writes() == {}
    assert not cluster.reaches(ADDRESS)
    assert not cluster.pings(TWO, "", port)
    assert cluster.phase("Pod", "a") == "Running"


def test_what_ran_there_is_made_anew_when_the_power_is_back(cluster: Cluster) -> None:
    """Sandboxes and the Node's own port with other links than before, and every Node is told of them."""
    cluster.apply(pod("b"))
    port = own_port(cluster, ONE)
    before = cluster.get("NetworkEndpoint", "a.eth0").spec
    cluster.lab.switch_off(ONE)
    cluster.advance(120.0)
    cluster.switch_on(ONE)
    after = cluster.get("NetworkEndpoint", "a.eth0").spec
    assert cluster.sandbox(ONE, "a") == ("eth0", "eth1")
    assert after.address == before.address
    assert after.attachment.ifindex != before.attachment.ifindex
    assert cluster.pings(TWO, "b", "10.90.0.4")
    assert cluster.pings(ONE, "a", "10.90.0.5")
    assert cluster.pings(TWO, "", port)
    assert cluster.reaches(ADDRESS)
    assert cluster.phase("ARPAdvertisement", "eip-default-front") == "Ready"


def test_a_pod_that_was_deleted_meanwhile_is_not_made_again(cluster: Cluster) -> None:
    """There is nothing left of it to take away either."""
    cluster.lab.switch_off(ONE)
    cluster.delete("Pod", "a", "default")
    cluster.advance(120.0)
    cluster.switch_on(ONE)
    assert cluster.sandbox(ONE, "a") == ()
    assert cluster.lab.get("NetworkEndpoint", "a.eth0") is None


def test_a_pod_that_moved_meanwhile_stays_where_it_is(cluster: Cluster) -> None:
    """Its address is at the new place on every Node, the old one included."""
    cluster.lab.switch_off(ONE)
    cluster.delete("Pod", "a", "default")
    cluster.apply(pod("a", "front"))
    cluster.advance(LEASE)
    assert cluster.reaches(ADDRESS)
    cluster.switch_on(ONE)
    assert (cluster.sandbox(ONE, "a"), cluster.sandbox(TWO, "a")) == ((), ("eth0", "eth1"))
    assert cluster.reaches(ADDRESS)
    cluster.apply(pod("b", nodeName=ONE))
    assert cluster.pings(ONE, "b", "10.90.0.4")


def test_a_node_whose_object_is_deleted_is_gone_with_all_that_ran_there(cluster: Cluster) -> None:
    """Also one that is away; a Node of that name that joins later starts with nothing."""
    cluster.lab.cut_off(ONE)
    cluster.delete("Node", ONE)
    assert ONE not in cluster.lab.agents
    assert ONE not in cluster.lab.away
    assert cluster.lab.get("Lease", f"juneau-agent.{ONE}", NODE_NAMESPACE) is None
    cluster.advance(60.0)
    run(cluster.lab.add_node(ONE))
    cluster.settle()
    cluster.apply(pod("b", nodeName=ONE))
    assert cluster.phase("Pod", "b") == "Running"


def test_controllers_and_agents_that_begin_anew_leave_a_node_that_is_away_alone(cluster: Cluster) -> None:
    """It is not told anything, and comes back as it would have."""
    cluster.lab.cut_off(ONE)
    run(cluster.lab.restart())
    cluster.settle()
    cluster.apply(pod("b"))
    assert not cluster.pings(ONE, "a", "10.90.0.5")
    cluster.reconnect(ONE)
    assert cluster.pings(ONE, "a", "10.90.0.5")
    assert cluster.reaches(ADDRESS)


@pytest.mark.parametrize("way", ["cut_off", "switch_off"])
def test_back_and_at_rest_nothing_is_left_to_write(cluster: Cluster, way: str) -> None:
    """Whatever has happened in between."""
    getattr(cluster.lab, way)(ONE)
    cluster.apply(pod("b"), pod("c", nodeName=ONE))
    cluster.advance(60.0)
    run(cluster.lab.switch_on(ONE) if way == "switch_off" else cluster.lab.reconnect(ONE))
    cluster.writes()
    cluster.advance(600.0)
    assert set(cluster.writes()) == {"Lease"}
    assert isinstance(cluster.lab, Lab)
