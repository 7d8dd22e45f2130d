"""What a Node's speaker has to announce."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest
from tests.resources.world import World

from juneau.engine.world import Reader
from juneau.resources.bgpprefixes import Announced, announced, inconsistencies, prefixes

POOL, MORE = IPv4Network("203.0.113.0/26"), IPv4Network("198.51.100.0/24")
SINGLE = IPv4Network("203.0.113.1/32")


@pytest.fixture
def edge(world: World) -> World:
    """Two pools that are routed, and one that is not."""
    world.create("AddressPool", "edge", advertiseMode="bgp", addresses=["203.0.113.0/26"])
    world.create("AddressPool", "more", advertiseMode="bgp", addresses=["198.51.100.0/24", "192.0.2.128/25"])
    world.create("AddressPool", "lan", advertiseMode="arp", addresses=["192.0.2.1-192.0.2.9"])
    return world


def test_it_is_sorted_by_pool_and_source(edge: World) -> None:
    """Prefixes of a pool too."""
    edge.create("BGPAdvertisement", "zero", addressPools=["more", "edge"])
    edge.create("BGPAdvertisement", "all", addressPools=["edge"])
    more = (IPv4Network("192.0.2.128/25"), MORE)
    assert announced(Reader(edge.cache), "n1") == [
        Announced("edge", "BGPAdvertisement", "all", (POOL,)),
        Announced("edge", "BGPAdvertisement", "zero", (POOL,)),
        Announced("more", "BGPAdvertisement", "zero", more),
    ]
    assert prefixes(Reader(edge.cache), "n1") == [more[0], MORE, POOL]


def test_what_another_node_announces_is_none_of_its_business(edge: World) -> None:
    """Nor is what is wrong there."""
    edge.create("BGPAdvertisement", "one", addressPools=["edge"], nodeName="n1", prefix="203.0.113.1/32")
    edge.force_new("BGPAdvertisement", "bad", addressPools=["gone"], nodeName="n1")
    reader = Reader(edge.cache)
    assert prefixes(reader, "n1") == [SINGLE]
    assert (prefixes(reader, "n2"), inconsistencies(reader, "n2")) == ([], [])


def test_what_makes_no_sense_is_left_out_and_named(edge: World) -> None:
    """A pool that is missing or of the other mode, and a prefix that is none; the rest is announced."""
    edge.force_new("BGPAdvertisement", "a", addressPools=["edge", "gone", "lan"])
    edge.force_new("BGPAdvertisement", "b", addressPools=["more"], prefix="nonsense")
    reader = Reader(edge.cache)
    assert prefixes(reader, "n1") == [POOL]
    assert [(one.kind, one.name) for one in inconsistencies(reader, "n1")] == [
        ("AddressPool", "gone"),
        ("AddressPool", "lan"),
        ("BGPAdvertisement", "b"),
    ]


def test_en_c10_nothing_of_a_network_of_type_arp_is_announced(edge: World) -> None:
    """However it is used."""
    edge.create("Node", "n1")
    edge.create("ExternalNetwork", "local", type="arp", addressPools=["lan"])
    edge.create("NATGateway", "exit", vpc="lab", externalNetwork="local")
    edge.create("BGPPeer", "rack", myASN=64601, peerASN=64600, peerAddress="192.0.2.1")
    assert edge.status("ExternalNetworkAttachment", "local--n1").assigned_ip == "192.0.2.1"
    assert prefixes(Reader(edge.cache), "n1") == []


def test_ena_d2_a_nodes_own_source_address_comes_from_it_alone(edge: World) -> None:
    """Although all Nodes announce the pool."""
    for name in ("n1", "n2"):
        edge.create("Node", name)
    edge.create("ExternalNetwork", "ext", type="bgp", addressPools=["edge"])
    edge.create("NATGateway", "exit", vpc="lab", externalNetwork="ext")
    edge.create("BGPAdvertisement", "all", addressPools=["edge"])
    reader = Reader(edge.cache)
    assert prefixes(reader, "n1") == [POOL, SINGLE]
    assert prefixes(reader, "n2") == [POOL, IPv4Network("203.0.113.2/32")]
