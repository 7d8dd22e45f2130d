"""BGPAdvertisement: its rules by their numbers, and what it has Nodes take delivery of."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.intents import EVERY_NODE, ExternalPrefix
from juneau.engine.world import Reader
from juneau.resources.bgpadvertisement import announced_by


@pytest.fixture
def edge(world: World) -> World:
    """Two pools that are routed, and one that is not."""
    world.create("AddressPool", "edge", advertiseMode="bgp", addresses=["203.0.113.5/26", "203.0.113.128/32"])
    world.create("AddressPool", "more", advertiseMode="bgp", addresses=["198.51.100.0/24"])
    world.create("AddressPool", "lan", advertiseMode="arp", addresses=["192.0.2.1-192.0.2.9"])
    return world


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        pytest.param({}, "spec.addressPools: Required value", id="bgpa-1"),
        pytest.param({"addressPools": []}, "spec.addressPools: Required value", id="bgpa-1-empty"),
        pytest.param({"addressPools": ["edge", ""]}, "spec.addressPools[1]: Required value", id="bgpa-2"),
        pytest.param({"addressPools": ["edge"] * 2}, 'spec.addressPools[1]: Duplicate value: "edge"', id="bgpa-3"),
        pytest.param({"addressPools": ["edge", "no"]}, 'spec.addressPools[1]: Not found: "no"', id="bgpa-4"),
        pytest.param({"addressPools": ["edge", "lan"]}, 'spec.addressPools[1]: Invalid value: "lan"', id="bgpa-5"),
        pytest.param(
            {"addressPools": ["edge"], "prefix": "203.0.113.1"}, 'spec.prefix: Invalid value: "203.0.113.1"',
            id="bgpa-6",
        ),
        pytest.param(
            {"addressPools": ["edge"], "prefix": "2001:db8::/64"}, 'spec.prefix: Invalid value: "2001:db8::/64"',
            id="bgpa-6-ipv6",
        ),
        pytest.param(
            {"addressPools": ["edge"], "prefix": "198.51.100.0/27"}, 'spec.prefix: Invalid value: "198.51.100.0/27"',
            id="bgpa-7",
        ),
        pytest.param(
            {"addressPools": ["edge"], "prefix": "203.0.113.0/25"}, 'spec.prefix: Invalid value: "203.0.113.0/25"',
            id="bgpa-7-wider",
        ),
    ],
)  # fmt: skip
def test_bgpa_1_to_7_what_is_refused(edge: World, spec: dict[str, Any], fault: str) -> None:
    """The error names the field, on creation and on update."""
    (found,) = edge.faults("BGPAdvertisement", "ad", **spec)
    assert found.startswith(fault)
    edge.create("BGPAdvertisement", "ad", addressPools=["more"])
    (found,) = edge.update_faults("BGPAdvertisement", "ad", **{"addressPools": None, **spec})
    assert found.startswith(fault)


def test_bgpa_5_names_the_mode_that_is_needed(edge: World) -> None:
    """Which is bgp."""
    (fault,) = edge.faults("BGPAdvertisement", "ad", addressPools=["lan"])
    assert fault.endswith("its advertiseMode is arp; name AddressPools of mode bgp")


def test_bgpa_7_a_prefix_may_lie_in_any_of_the_pools(edge: World) -> None:
    """Everything can be changed, and the Node need not exist."""
    assert edge.faults("BGPAdvertisement", "ad", addressPools=["edge", "more"], prefix="198.51.100.0/27") == []
    assert edge.update_faults("BGPAdvertisement", "ad", addressPools=["edge"], prefix=None, nodeName="nowhere") == []


def test_what_it_announces_is_delivered_anywhere(edge: World) -> None:
    """All CIDRs of its pools, host bits cleared."""
    edge.create("BGPAdvertisement", "ad", addressPools=["edge"])
    assert edge.intents("BGPAdvertisement", "ad") == [
        ExternalPrefix(IPv4Network("203.0.113.0/26"), EVERY_NODE),
        ExternalPrefix(IPv4Network("203.0.113.128/32"), EVERY_NODE),
    ]


def test_bgpa_d4_what_one_node_announces_is_delivered_there(edge: World) -> None:
    """Only the prefix, if there is one."""
    edge.create("BGPAdvertisement", "ad", addressPools=["edge", "more"], nodeName="n1", prefix="203.0.113.0/27")
    assert edge.intents("BGPAdvertisement", "ad") == [ExternalPrefix(IPv4Network("203.0.113.0/27"), "n1")]


def test_what_is_in_no_pool_is_not_announced(edge: World) -> None:
    """Also where it was stored past admission."""
    edge.force_new("BGPAdvertisement", "ad", addressPools=["edge", "lan"], prefix="198.51.100.0/27")
    assert edge.intents("BGPAdvertisement", "ad") == []


def test_a_stored_one_without_its_pool_waits(edge: World) -> None:
    """The message names the pool; what is there is announced."""
    edge.force_new("BGPAdvertisement", "ad", addressPools=["gone", "more"])
    assert edge.ready("BGPAdvertisement", "ad") == ("Pending", "False", "MissingDependency")
    assert edge.waits("BGPAdvertisement", "ad") == [("AddressPool/gone", "metadata")]
    assert edge.intents("BGPAdvertisement", "ad") == [ExternalPrefix(IPv4Network("198.51.100.0/24"), EVERY_NODE)]


def test_a_stored_one_with_a_pool_of_the_other_mode_fails(edge: World) -> None:
    """Nothing of that pool is announced."""
    edge.force_new("BGPAdvertisement", "ad", addressPools=["lan"])
    assert edge.ready("BGPAdvertisement", "ad") == ("Failed", "False", "InvalidAddressPool")
    assert edge.intents("BGPAdvertisement", "ad") == []


def test_it_says_that_nobody_is_told(edge: World) -> None:
    """There is no peer, or there is one and no speaker."""
    edge.create("BGPAdvertisement", "ad", addressPools=["edge"])
    assert edge.ready("BGPAdvertisement", "ad") == ("Ready", "True", "NoPeer")
    edge.create("BGPPeer", "rack", myASN=64601, peerASN=64600, peerAddress="192.0.2.1")
    assert edge.ready("BGPAdvertisement", "ad") == ("Allocated", "False", "NoSpeaker")
    edge.delete("BGPPeer", "rack")
    assert edge.ready("BGPAdvertisement", "ad") == ("Ready", "True", "NoPeer")


@pytest.fixture
def routed(world: World) -> World:
    """Two pools that are routed, and one that is not."""
    world.create("AddressPool", "edge", advertiseMode="bgp", addresses=["203.0.113.0/26"])
    world.create("AddressPool", "more", advertiseMode="bgp", addresses=["198.51.100.0/24", "192.0.2.128/25"])
    world.create("AddressPool", "lan", advertiseMode="arp", addresses=["192.0.2.1-192.0.2.9"])
    return world


def by(world: World, node: str) -> list[str]:
    return [str(prefix) for prefix in announced_by(Reader(world.cache), node)]


def test_a_node_announces_each_prefix_once_and_sorted(routed: World) -> None:
    """However many BGPAdvertisements ask for it."""
    routed.create("BGPAdvertisement", "zero", addressPools=["more", "edge"])
    routed.create("BGPAdvertisement", "all", addressPools=["edge"])
    assert by(routed, "n1") == ["192.0.2.128/25", "198.51.100.0/24", "203.0.113.0/26"]


def test_what_another_node_announces_is_none_of_its_business(routed: World) -> None:
    """Only what all of them announce is."""
    routed.create("BGPAdvertisement", "one", addressPools=["edge"], nodeName="n1", prefix="203.0.113.1/32")
    assert (by(routed, "n1"), by(routed, "n2")) == (["203.0.113.1/32"], [])


def test_what_makes_no_sense_is_not_announced(routed: World) -> None:
    """A pool that is missing or of the other mode, and a prefix that is none; the rest is."""
    routed.force_new("BGPAdvertisement", "a", addressPools=["edge", "gone", "lan"])
    routed.force_new("BGPAdvertisement", "b", addressPools=["more"], prefix="nonsense")
    assert by(routed, "n1") == ["203.0.113.0/26"]


def test_en_c10_nothing_of_a_network_of_type_arp_is_announced(routed: World) -> None:
    """However it is used."""
    routed.create("Node", "n1")
    routed.create("ExternalNetwork", "local", type="arp", addressPools=["lan"])
    routed.create("NATGateway", "exit", vpc="lab", externalNetwork="local")
    routed.create("BGPPeer", "rack", myASN=64601, peerASN=64600, peerAddress="192.0.2.1")
    assert routed.status("ExternalNetworkAttachment", "local--n1").assigned_ip == "192.0.2.1"
    assert by(routed, "n1") == []


def test_ena_d2_a_nodes_own_source_address_comes_from_it_alone(routed: World) -> None:
    """Although all Nodes announce the pool."""
    for name in ("n1", "n2"):
        routed.create("Node", name)
    routed.create("ExternalNetwork", "ext", type="bgp", addressPools=["edge"])
    routed.create("NATGateway", "exit", vpc="lab", externalNetwork="ext")
    routed.create("BGPAdvertisement", "all", addressPools=["edge"])
    assert by(routed, "n1") == ["203.0.113.0/26", "203.0.113.1/32"]
    assert by(routed, "n2") == ["203.0.113.0/26", "203.0.113.2/32"]
