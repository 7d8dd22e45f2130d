"""What is outside of the cluster: a router and a host with addresses of their own, and where the router sends what."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

import pytest
from tests.lab.cluster import ONE, TWO, Cluster, manifest, pod

from juneau.engine.driver import OUTSIDE
from juneau.engine.errors import JuneauError
from juneau.engine.settings import NodeSettings
from juneau.lab.immediate import run
from juneau.lab.outside import OutsideSettings

FIRST, SECOND = "10.225.51.11", "10.225.51.12"  # the Nodes' addresses


def addresses(cluster: Cluster) -> dict[str, str]:
    """Of router and host."""
    return {name: str(cluster.site.link_state(OUTSIDE, name, "eth0").addresses[0]) for name in ("router", "outside")}


def node_address(cluster: Cluster, name: str) -> str:
    return str(cluster.get("Node", name).status.addresses[0].address)


def routed(cluster: Cluster) -> None:
    """An ExternalNetwork of type bgp with one pool that all Nodes announce."""
    cluster.apply(
        manifest("AddressPool", "edge", advertiseMode="bgp", addresses=["203.0.113.0/28"]),
        manifest("ExternalNetwork", "edge", type="bgp", addressPools=["edge"]),
        manifest("BGPAdvertisement", "all", addressPools=["edge"]),
    )


def test_router_and_host_are_the_first_and_the_200th_of_the_nodes_network() -> None:
    """They reach each other and the Nodes, and the Nodes reach them."""
    cluster = Cluster()
    assert addresses(cluster) == {"router": "10.225.51.1/24", "outside": "10.225.51.200/24"}
    for target in (FIRST, SECOND, "10.225.51.1"):
        assert cluster.reaches(target)
    assert cluster.pings(ONE, "", "10.225.51.200")


def test_their_addresses_can_be_chosen_and_nodes_keep_clear_of_them() -> None:
    """Nodes take the next free address."""
    settings = OutsideSettings(router=IPv4Address("10.225.51.11"), host=IPv4Address("10.225.51.13"))
    cluster = Cluster(nodes=("a", "b"), outside=settings)
    assert addresses(cluster) == {"router": "10.225.51.11/24", "outside": "10.225.51.13/24"}
    assert [node_address(cluster, name) for name in ("a", "b")] == ["10.225.51.12", "10.225.51.14"]
    assert cluster.reaches("10.225.51.12")


def test_a_network_of_its_own_gives_each_node_a_second_nic() -> None:
    """With the same place in it as on the underlay; the Nodes' network is not that of the outside then."""
    cluster = Cluster(outside=OutsideSettings(external=IPv4Network("198.51.100.0/24")))
    assert addresses(cluster) == {"router": "198.51.100.1/24", "outside": "198.51.100.200/24"}
    assert [str(one) for one in cluster.site.link_state(ONE, ONE, "eth1").addresses] == ["198.51.100.11/24"]
    assert cluster.reaches("198.51.100.11")
    assert not cluster.reaches(FIRST)


def test_nodes_keep_clear_of_them_on_such_a_network_too() -> None:
    """Both addresses of a Node are at the same place, so it skips what is taken on either."""
    settings = OutsideSettings(IPv4Network("198.51.100.0/24"), host=IPv4Address("198.51.100.11"))
    cluster = Cluster(outside=settings)
    assert [node_address(cluster, name) for name in (ONE, TWO)] == ["10.225.51.12", "10.225.51.13"]
    assert cluster.reaches("198.51.100.12")


def test_on_a_network_of_its_own_addresses_are_answered_for_by_that_nic() -> None:
    """With `--node-ingress-iface eth1`, and by the one on the underlay without it."""
    settings = OutsideSettings(external=IPv4Network("198.51.100.0/24"))
    for node_settings, phase in ((NodeSettings("eth1"), "Ready"), (NodeSettings(), "Failed")):
        cluster = Cluster(outside=settings, node_settings=node_settings)
        cluster.furnish()
        cluster.apply(
            manifest("AddressPool", "far", advertiseMode="arp", addresses=["198.51.100.100-198.51.100.110"]),
            manifest("ExternalNetwork", "far", type="arp", addressPools=["far"]),
            manifest("ElasticIP", "wide", externalNetwork="far"),
            pod("a", "wide"),
        )
        assert cluster.phase("ARPAdvertisement", "eip-default-wide") == phase
        assert cluster.reaches("198.51.100.100") is (phase == "Ready")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (OutsideSettings(router=IPv4Address("192.0.2.1")), "--router 192.0.2.1 is not in 10.225.51.0/24"),
        (OutsideSettings(host=IPv4Address("192.0.2.1")), "--outside 192.0.2.1 is not in 10.225.51.0/24"),
        (
            OutsideSettings(router=IPv4Address("10.225.51.200")),
            "--router and --outside are both 10.225.51.200",
        ),
        (
            OutsideSettings(IPv4Network("198.51.100.0/24"), host=IPv4Address("10.225.51.200")),
            "--outside 10.225.51.200 is not in 198.51.100.0/24",
        ),
        (
            OutsideSettings(IPv4Network("10.225.0.0/16")),
            "--external-cidr 10.225.0.0/16 overlaps --underlay-cidr 10.225.51.0/24",
        ),
        (
            OutsideSettings(IPv4Network("198.51.100.0/29")),
            "198.51.100.0/29 has no address for Node worker-1; make it as large as the underlay",
        ),
    ],
)
def test_what_cannot_be_is_said_before_anything_begins(settings: OutsideSettings, said: str) -> None:
    """In one line, with the address and the network."""
    with pytest.raises(JuneauError) as refused:
        Cluster(outside=settings)
    assert said in str(refused.value)


@pytest.mark.parametrize("address", ["10.225.51.0", "10.225.51.255"])
def test_neither_of_them_has_an_address_that_no_host_can_have(address: str) -> None:
    """The network's own and its broadcast address."""
    with pytest.raises(JuneauError, match=address):
        Cluster(outside=OutsideSettings(host=IPv4Address(address)))


def test_in_a_small_network_all_find_a_place() -> None:
    """A /28 beside the underlay: the host takes the last address, and Nodes come before it."""
    cluster = Cluster(outside=OutsideSettings(external=IPv4Network("198.51.100.0/28")))
    assert addresses(cluster) == {"router": "198.51.100.1/28", "outside": "198.51.100.14/28"}
    assert cluster.reaches("198.51.100.12")


def test_a_nic_for_the_outside_that_nodes_have_not_is_said() -> None:
    """The flag is named."""
    with pytest.raises(JuneauError, match=r"^--node-ingress-iface: .*eth7"):
        Cluster(node_settings=NodeSettings("eth7"))


def test_what_nodes_announce_the_router_sends_to_the_first_that_is_there() -> None:
    """As its static routes; they come and go with the advertisement."""
    cluster = Cluster()
    assert cluster.routes() == {}
    routed(cluster)
    assert cluster.routes() == {"203.0.113.0/28": FIRST}
    cluster.delete("BGPAdvertisement", "all")
    assert cluster.routes() == {}


def test_a_prefix_of_one_node_goes_to_that_node() -> None:
    """The longer prefix decides in the router as everywhere."""
    cluster = Cluster()
    routed(cluster)
    cluster.apply(manifest("BGPAdvertisement", "second", addressPools=["edge"], nodeName=TWO, prefix="203.0.113.8/29"))
    assert cluster.routes() == {"203.0.113.0/28": FIRST, "203.0.113.8/29": SECOND}
    cluster.apply(manifest("BGPAdvertisement", "second", addressPools=["edge"], nodeName=ONE, prefix="203.0.113.8/29"))
    assert cluster.routes()["203.0.113.8/29"] == FIRST


@pytest.mark.parametrize("way", ["cut_off", "switch_off", "delete"])
def test_a_node_that_is_away_has_no_routes_until_it_is_back(way: str) -> None:
    """Its session would be down; another one takes over what all announce."""
    cluster = Cluster()
    routed(cluster)
    cluster.apply(manifest("BGPAdvertisement", "own", addressPools=["edge"], nodeName=ONE, prefix="203.0.113.8/29"))
    before = cluster.routes()
    if way == "delete":
        cluster.delete("Node", ONE)
    else:
        getattr(cluster.lab, way)(ONE)
        cluster.settle()
    assert cluster.routes() == {"203.0.113.0/28": SECOND}
    if way == "delete":
        run(cluster.lab.add_node(ONE))
        cluster.settle()
    elif way == "cut_off":
        cluster.reconnect(ONE)
    else:
        cluster.switch_on(ONE)
    assert cluster.routes() == before


def test_what_is_routed_to_a_node_reaches_a_pod_on_another() -> None:
    """The Node takes delivery for the pool, whichever Node the Pod is on."""
    cluster = Cluster()
    cluster.furnish()
    routed(cluster)
    cluster.apply(manifest("ElasticIP", "wide", externalNetwork="edge"), pod("a", "wide", nodeName=TWO))
    address = str(cluster.get("ElasticIP", "wide", "default").status.address)
    assert cluster.routes() == {"203.0.113.0/28": FIRST}
    assert cluster.reaches(address)
    cluster.lab.switch_off(ONE)
    cluster.settle()
    assert cluster.reaches(address)


def test_a_node_that_was_switched_on_again_finds_its_way_out() -> None:
    """Its default route leads to the router, as before."""
    cluster = Cluster()
    cluster.lab.switch_off(ONE)
    assert not cluster.reaches(FIRST)
    cluster.switch_on(ONE)
    assert cluster.reaches(FIRST)
    assert str(IPv4Network("0.0.0.0/0")) in {str(route.dst) for route in cluster.site.routes(ONE, ONE)}


def test_the_routes_cost_nothing_while_nothing_of_them_changes() -> None:
    """Time that passes and Pods that come do not make the router look at advertisements."""
    cluster = Cluster()
    cluster.furnish()
    routed(cluster)
    before = cluster.routes()
    cluster.writes()
    cluster.advance(600.0)
    assert (cluster.routes(), set(cluster.writes())) == (before, {"Lease"})
