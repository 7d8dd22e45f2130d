"""ExternalNetworkAttachment: its rules by their numbers, its address, and what it writes and asks of dataplanes."""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address

import pytest
from tests.resources.world import World

from juneau.engine.intents import NATSource
from juneau.engine.objects import Key
from juneau.engine.shape import IMMUTABLE
from juneau.resources.allocationclaim import AllocationClaim

READY = ("Ready", "True", "Ready")


@pytest.fixture
def edge(world: World) -> World:
    """Two Nodes, a network of each type, and no gateway yet."""
    for name in ("n1", "n2"):
        world.create("Node", name)
    world.create("AddressPool", "routed", advertiseMode="bgp", addresses=["203.0.113.0/30"])
    world.create("AddressPool", "local", advertiseMode="arp", addresses=["192.0.2.203-192.0.2.204"])
    world.create("ExternalNetwork", "edge", type="bgp", addressPools=["routed"])
    world.create("ExternalNetwork", "lan", type="arp", addressPools=["local"])
    return world


def attach(world: World, network: str = "edge", node: str = "n1") -> str:
    world.create("ExternalNetworkAttachment", f"{network}--{node}", externalNetwork=network, nodeName=node)
    return f"{network}--{node}"


def address(world: World, name: str) -> str:
    assigned: str = world.status("ExternalNetworkAttachment", name).assigned_ip
    return assigned


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        pytest.param({"nodeName": "n1"}, "externalNetwork", id="ena-1"),
        pytest.param({"nodeName": "n1", "externalNetwork": ""}, "externalNetwork", id="ena-1-empty"),
        pytest.param({"externalNetwork": "edge"}, "nodeName", id="ena-2"),
        pytest.param({"externalNetwork": "edge", "nodeName": ""}, "nodeName", id="ena-2-empty"),
    ],
)
def test_ena_1_and_2_the_pair_is_required(edge: World, spec: dict[str, str], field: str) -> None:
    """The error names the field."""
    (fault,) = edge.faults("ExternalNetworkAttachment", "a", **spec)
    assert fault.startswith(f"spec.{field}: Required value")


def test_ena_3_and_4_the_pair_is_immutable(edge: World) -> None:
    """Neither can be changed."""
    name = attach(edge)
    assert edge.update_faults("ExternalNetworkAttachment", name, externalNetwork="lan") == [
        f'spec.externalNetwork: Invalid value: "lan": {IMMUTABLE}'
    ]
    assert edge.update_faults("ExternalNetworkAttachment", name, nodeName="n2") == [
        f'spec.nodeName: Invalid value: "n2": {IMMUTABLE}'
    ]


def test_ena_5_the_network_exists(edge: World) -> None:
    """The Node's existence is not asked."""
    assert edge.faults("ExternalNetworkAttachment", "a", externalNetwork="gone", nodeName="n1") == [
        'spec.externalNetwork: Not found: "gone": no such ExternalNetwork'
    ]
    assert edge.faults("ExternalNetworkAttachment", "a", externalNetwork="edge", nodeName="nowhere") == []


def test_by_bgp_the_address_is_announced_from_this_node_alone(edge: World) -> None:
    """By an advertisement that goes with the attachment."""
    name = attach(edge)
    assert edge.ready("ExternalNetworkAttachment", name) == READY
    assert address(edge, name) == "203.0.113.1"
    made = edge.get("BGPAdvertisement", "ena-edge--n1")
    assert (made.spec.address_pools, made.spec.node_name, made.spec.prefix) == (("routed",), "n1", "203.0.113.1/32")
    edge.delete("ExternalNetworkAttachment", name)
    assert edge.find(made.key) is None
    assert claims(edge) == []


CLAIM = "addr-routed--externalnetworkattachment--edge--n1--status-assignedip"


def claims(world: World) -> list[AllocationClaim]:
    """Those of attachments."""
    found = world.cache.objects["AllocationClaim"].values()
    return [claim for claim in found if claim.spec.resource_ref.kind == "ExternalNetworkAttachment"]


def claim_of(world: World, name: str) -> AllocationClaim:
    return next(claim for claim in claims(world) if claim.spec.resource_ref.name == name)


def test_the_claim_is_named_after_the_first_pool_and_owned_by_the_attachment(edge: World) -> None:
    """Names with the separator, as each attachment's is, have a digest."""
    attach(edge)
    (claim,) = claims(edge)
    assert claim.name.startswith(CLAIM)
    assert claim.spec.attribute == "status.assignedIP"
    assert [owner.name for owner in claim.metadata.owner_references] == ["edge--n1"]


def test_by_arp_this_node_alone_answers_for_the_address(edge: World) -> None:
    """And no BGPAdvertisement is made."""
    name = attach(edge, "lan")
    assert edge.ready("ExternalNetworkAttachment", name) == READY
    made = edge.get("ARPAdvertisement", "ena-lan--n1")
    assert (made.spec.external_network, made.spec.address, made.spec.node_name) == ("lan", "192.0.2.203", "n1")
    assert [owner.name for owner in made.metadata.owner_references] == [name]
    assert not edge.cache.objects["BGPAdvertisement"]


def test_the_advertisement_is_made_again(edge: World) -> None:
    """And what somebody has changed about it is put right."""
    attach(edge)
    edge.delete("BGPAdvertisement", "ena-edge--n1")
    edge.update("BGPAdvertisement", "ena-edge--n1", nodeName="n2")
    assert edge.get("BGPAdvertisement", "ena-edge--n1").spec.node_name == "n1"


def test_the_advertisement_lists_a_pool_that_is_added(edge: World) -> None:
    """It follows the network; the address stays."""
    name = attach(edge)
    edge.create("AddressPool", "more", advertiseMode="bgp", addresses=["203.0.113.64/26"])
    edge.update("ExternalNetwork", "edge", addressPools=["more", "routed"])
    assert edge.get("BGPAdvertisement", "ena-edge--n1").spec.address_pools == ("more", "routed")
    assert address(edge, name) == "203.0.113.1"
    assert edge.ready("ExternalNetworkAttachment", name) == READY


def test_without_a_free_address_it_waits_and_a_pool_that_is_added_helps(edge: World) -> None:
    """`NoAddressAvailable` says which pool is full."""
    for node in ("n1", "n2"):
        attach(edge, node=node)
    name = attach(edge, node="n3")
    assert edge.ready("ExternalNetworkAttachment", name) == ("Pending", "False", "NoAddressAvailable")
    held = edge.condition("ExternalNetworkAttachment", name)
    assert held is not None
    assert "addr-routed" in held.message
    assert address(edge, name) == ""
    assert edge.find(Key("BGPAdvertisement", "", "ena-edge--n3")) is None
    edge.create("AddressPool", "more", advertiseMode="bgp", addresses=["203.0.113.64/26"])
    edge.update("ExternalNetwork", "edge", addressPools=["routed", "more"])
    assert edge.ready("ExternalNetworkAttachment", name) == READY
    assert address(edge, name) == "203.0.113.65"


def test_an_address_that_becomes_free_is_taken_at_once(edge: World) -> None:
    """Whoever waits is woken by it."""
    for node in ("n1", "n2"):
        attach(edge, node=node)
    name = attach(edge, node="n3")
    edge.delete("ExternalNetworkAttachment", "edge--n1")
    assert address(edge, name) == "203.0.113.1"


def test_what_it_has_stays_while_something_is_missing(edge: World) -> None:
    """The network, or one of its pools; the message names it."""
    name = attach(edge)
    edge.force_delete("AddressPool", "routed")
    assert edge.ready("ExternalNetworkAttachment", name) == ("Pending", "False", "MissingDependency")
    assert edge.waits("ExternalNetworkAttachment", name) == [("AddressPool/routed", "metadata")]
    edge.force_delete("ExternalNetwork", "edge")
    held = edge.condition("ExternalNetworkAttachment", name)
    assert held is not None
    assert held.message == "ExternalNetwork edge does not exist"
    assert address(edge, name) == "203.0.113.1"


def test_a_pool_of_the_other_mode_is_named(edge: World) -> None:
    """What the attachment has stays."""
    name = attach(edge)
    edge.force(edge.get("ExternalNetwork", "edge").with_spec(address_pools=("routed", "local")))
    assert edge.ready("ExternalNetworkAttachment", name) == ("Failed", "False", "InvalidAddressPool")
    held = edge.condition("ExternalNetworkAttachment", name)
    assert held is not None
    assert "AddressPool local" in held.message
    assert address(edge, name) == "203.0.113.1"


def test_the_address_stays_while_the_claim_is_made_again(edge: World) -> None:
    """Nobody else gets it meanwhile, although one waits for it."""
    for node in ("n1", "n2", "n3"):
        attach(edge, node=node)
    claim = claim_of(edge, "edge--n1")
    edge.delete("AllocationClaim", claim.name)
    assert address(edge, "edge--n1") == "203.0.113.1"
    assert address(edge, "edge--n3") == ""
    again = claim_of(edge, "edge--n1")
    assert again.metadata.uid != claim.metadata.uid
    assert again.status.value is not None
    assert again.spec.requested_ip == again.status.value.ip == "203.0.113.1"


def test_an_address_that_another_has_is_given_up(edge: World) -> None:
    """Two on one address would be worse than a new address; what was announced goes with it."""
    for node in ("n1", "n2"):
        attach(edge, node=node)
    second = edge.get("ExternalNetworkAttachment", "edge--n2")
    claim = claim_of(edge, "edge--n2")
    asyncio.run(edge.store.update_status(second.with_status(assigned_ip="203.0.113.1")))
    asyncio.run(edge.store.delete(claim.key))
    edge.settle()
    assert [address(edge, name) for name in ("edge--n1", "edge--n2")] == ["203.0.113.1", "203.0.113.2"]
    assert edge.get("BGPAdvertisement", "ena-edge--n2").spec.prefix == "203.0.113.2/32"
    assert edge.ready("ExternalNetworkAttachment", "edge--n2") == READY


def gateways(world: World, *names: str, network: str = "edge") -> None:
    for name in names:
        world.create("NATGateway", name, vpc="lab", externalNetwork=network)


def test_ena_d1_every_gateway_of_the_network_leaves_by_it(edge: World) -> None:
    """From its Node, for each gateway that has a number."""
    name = attach(edge)
    assert edge.intents("ExternalNetworkAttachment", name) == []
    gateways(edge, "a", "b")
    gateways(edge, "c", network="lan")
    numbers = [edge.status("NATGateway", gateway).gateway_id for gateway in ("a", "b")]
    assert edge.intents("ExternalNetworkAttachment", name) == [
        NATSource(number, "n1", IPv4Address("203.0.113.1")) for number in numbers
    ]


def test_without_an_address_it_asks_for_nothing(edge: World) -> None:
    """A full pool leaves the Node without a way out."""
    gateways(edge, "a")
    edge.create("Node", "n3")
    assert address(edge, "edge--n3") == ""
    assert edge.intents("ExternalNetworkAttachment", "edge--n3") == []


def test_of_two_for_one_pair_the_networks_own_counts(edge: World) -> None:
    """On every Node alike."""
    gateways(edge, "a")
    edge.delete("Node", "n2")
    edge.create("ExternalNetworkAttachment", "zzz", externalNetwork="edge", nodeName="n1")
    (own,) = edge.intents("ExternalNetworkAttachment", "edge--n1")
    (other,) = edge.intents("ExternalNetworkAttachment", "zzz")
    assert own.key == other.key
    assert own.rank > other.rank


def test_at_rest_nothing_is_written(edge: World) -> None:
    """A second look changes nothing, by either way."""
    gateways(edge, "a")
    gateways(edge, "b", network="lan")
    assert edge.writes_of_a_second_look() == 0


def test_an_advertisement_that_is_being_deleted_is_waited_for(edge: World) -> None:
    """The attachment is not Ready before there is one."""
    name = attach(edge)
    edge.force(edge.get("BGPAdvertisement", "ena-edge--n1").with_metadata(finalizers=("example.com/hold",)))
    edge.delete("BGPAdvertisement", "ena-edge--n1")
    assert edge.ready("ExternalNetworkAttachment", name) == ("Allocated", "False", "ReconcileFailed")
    assert edge.waits("ExternalNetworkAttachment", name)[0][0] == "BGPAdvertisement/ena-edge--n1"
