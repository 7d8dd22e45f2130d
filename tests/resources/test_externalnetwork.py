"""ExternalNetwork: its rules by their numbers, its number, and the attachments that it makes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.errors import Forbidden, Invalid
from juneau.engine.intents import Segment, SegmentKind
from juneau.engine.objects import AnyObject, Key
from juneau.engine.shape import IMMUTABLE
from juneau.resources.allocationpool import AllocationPoolSpec, NumberRange
from juneau.resources.externalnetworkattachmentspec import attachment_name

READY = ("Ready", "True", "ReconcileSucceeded")


@pytest.fixture
def pools(world: World) -> World:
    """Two pools of each mode."""
    world.create("AddressPool", "r1", advertiseMode="bgp", addresses=["203.0.113.0/26"])
    world.create("AddressPool", "r2", advertiseMode="bgp", addresses=["203.0.113.64/26"])
    world.create("AddressPool", "l1", advertiseMode="arp", addresses=["192.0.2.200-192.0.2.209"])
    world.create("AddressPool", "l2", advertiseMode="arp", addresses=["192.0.2.210-192.0.2.219"])
    return world


def network(world: World, name: str = "ext", *pools: str, type_: str = "bgp") -> AnyObject:
    return world.create("ExternalNetwork", name, type=type_, addressPools=list(pools or ("r1",)))


def exit_of(world: World, network: str = "ext", name: str = "exit") -> None:
    world.create("NATGateway", name, vpc="lab", externalNetwork=network)


def attachments(world: World) -> list[str]:
    return sorted(key.name for key in world.cache.objects["ExternalNetworkAttachment"])


def hold(world: World, kind: str, name: str) -> None:
    """Its deletion begins, and does not end."""
    world.force(world.get(kind, name).with_metadata(finalizers=("example.com/hold",)))
    world.delete(kind, name)


def let_go(world: World, kind: str, name: str) -> None:
    """The last finalizer is taken off, as admission allows."""
    asyncio.run(world.store.update(world.get(kind, name).with_metadata(finalizers=())))
    world.settle()


def test_en_1_a_type_is_required(pools: World) -> None:
    """The error names the field and the two values."""
    (fault,) = pools.faults("ExternalNetwork", "ext", addressPools=["r1"])
    assert fault.startswith("spec.type: Required value")
    (fault,) = pools.faults("ExternalNetwork", "ext", type="ospf", addressPools=["r1"])
    assert fault == 'spec.type: Unsupported value: "ospf": supported values: "bgp", "arp"'


def test_en_2_the_type_is_immutable(pools: World) -> None:
    """The refusal is at spec.type."""
    network(pools)
    faults = pools.update_faults("ExternalNetwork", "ext", type="arp")
    assert f'spec.type: Invalid value: "arp": {IMMUTABLE}' in faults


def test_en_3_at_least_one_pool(pools: World) -> None:
    """A list that is empty or missing is refused."""
    for spec in ({}, {"addressPools": []}):
        (fault,) = pools.faults("ExternalNetwork", "ext", type="bgp", **spec)
        assert fault.startswith("spec.addressPools: Required value")


def test_en_4_no_pool_twice(pools: World) -> None:
    """The error names the duplicate."""
    (fault,) = pools.faults("ExternalNetwork", "ext", type="bgp", addressPools=["r1", "r1"])
    assert fault.startswith('spec.addressPools[1]: Duplicate value: "r1"')


def test_en_5_no_name_is_empty(pools: World) -> None:
    """The error names the index."""
    (fault,) = pools.faults("ExternalNetwork", "ext", type="bgp", addressPools=["r1", ""])
    assert fault.startswith("spec.addressPools[1]: Required value")


def test_en_6_every_pool_exists(pools: World) -> None:
    """The error names the index and the missing name."""
    assert pools.faults("ExternalNetwork", "ext", type="bgp", addressPools=["r1", "gone"]) == [
        'spec.addressPools[1]: Not found: "gone": no such AddressPool'
    ]


@pytest.mark.parametrize(
    ("type_", "pool", "other"), [pytest.param("bgp", "l1", "r1", id="en-7"), pytest.param("arp", "r1", "l1", id="en-8")]
)
def test_en_7_and_8_pools_are_of_the_networks_mode(pools: World, type_: str, pool: str, other: str) -> None:
    """On creation and on update; the error names the pool and the mode that is needed."""
    (fault,) = pools.faults("ExternalNetwork", "ext", type=type_, addressPools=[pool])
    assert fault.startswith(f'spec.addressPools[0]: Invalid value: "{pool}": ')
    assert f"needs pools of mode {type_}" in fault
    network(pools, "ext", other, type_=type_)
    (fault,) = pools.update_faults("ExternalNetwork", "ext", addressPools=[other, pool])
    assert fault.startswith(f'spec.addressPools[1]: Invalid value: "{pool}": ')


def test_en_9_and_10_a_pool_is_of_one_network(pools: World) -> None:
    """On creation and on update; the error names the pool and the network that has it."""
    network(pools)
    (fault,) = pools.faults("ExternalNetwork", "second", type="bgp", addressPools=["r1"])
    assert fault.startswith('spec.addressPools[0]: Invalid value: "r1": is used by ExternalNetwork ext already')
    network(pools, "second", "r2")
    (fault,) = pools.update_faults("ExternalNetwork", "second", addressPools=["r2", "r1"])
    assert fault.startswith('spec.addressPools[1]: Invalid value: "r1": is used by ExternalNetwork ext already')


def test_en_11_a_network_that_is_being_deleted_counts(pools: World) -> None:
    """Until it is gone."""
    network(pools)
    hold(pools, "ExternalNetwork", "ext")
    (fault,) = pools.faults("ExternalNetwork", "second", type="bgp", addressPools=["r1"])
    assert "ExternalNetwork ext" in fault
    let_go(pools, "ExternalNetwork", "ext")
    assert pools.faults("ExternalNetwork", "second", type="bgp", addressPools=["r1"]) == []


def shared(world: World) -> None:
    """Two networks with one pool, from before the rule."""
    network(world)
    world.force_new("ExternalNetwork", "second", type="bgp", addressPools=["r1"])


def test_en_12_a_pool_shared_from_before_is_refused_at_the_next_update_of_either(pools: World) -> None:
    """Whatever it changes, each time with the name of the other one."""
    shared(pools)
    for name, other in (("ext", "second"), ("second", "ext")):
        (fault,) = pools.update_faults("ExternalNetwork", name, addressPools=["r1", "r2"])
        assert f"ExternalNetwork {other}" in fault
        with pytest.raises(Invalid, match=f"ExternalNetwork {other}"):
            pools.write(pools.get("ExternalNetwork", name).with_metadata(labels={"edited": "yes"}))


def test_en_n1_networks_that_share_a_pool_go_on_working(pools: World) -> None:
    """Both have their number, and say that the pool is shared, and with whom."""
    shared(pools)
    assert pools.ready("ExternalNetwork", "ext") == pools.ready("ExternalNetwork", "second") == READY
    for name, other in (("ext", "second"), ("second", "ext")):
        held = pools.condition("ExternalNetwork", name, "Valid")
        assert held is not None
        assert held.status == "False"
        assert f"ExternalNetwork {other}" in held.message


def test_en_n2_a_network_made_anew_ends_the_sharing(pools: World) -> None:
    """Then both can be updated again."""
    shared(pools)
    pools.delete("ExternalNetwork", "second")
    network(pools, "second", "r2")
    pools.create("AddressPool", "r3", advertiseMode="bgp", addresses=["203.0.113.128/26"])
    pools.create("AddressPool", "r4", advertiseMode="bgp", addresses=["203.0.113.192/26"])
    assert pools.update_faults("ExternalNetwork", "ext", addressPools=["r1", "r3"]) == []
    assert pools.update_faults("ExternalNetwork", "second", addressPools=["r2", "r4"]) == []
    held = pools.condition("ExternalNetwork", "ext", "Valid")
    assert held is not None
    assert held.status == "True"


def test_en_13_names_can_only_be_added(pools: World) -> None:
    """Each that is missing is named; their order may change."""
    network(pools, "ext", "r1", "r2")
    (fault,) = pools.update_faults("ExternalNetwork", "ext", addressPools=["r2"])
    assert fault.startswith("spec.addressPools: Invalid value")
    assert "put r1 back" in fault
    assert pools.update_faults("ExternalNetwork", "ext", addressPools=["r2", "r1"]) == []


def test_en_14_an_elastic_ip_holds_its_network(pools: World) -> None:
    """The error names it."""
    network(pools)
    pools.create("Namespace", "shop")
    pools.create("ElasticIP", "shop/web", externalNetwork="ext")
    with pytest.raises(Forbidden, match='ElasticIP "shop/web" still draws from it'):
        pools.delete("ExternalNetwork", "ext")
    pools.delete("ElasticIP", "shop/web")
    pools.delete("ExternalNetwork", "ext")


def test_a_nat_gateway_does_not_hold_its_network(pools: World) -> None:
    """Only ElasticIPs do."""
    network(pools)
    exit_of(pools)
    pools.delete("ExternalNetwork", "ext")


def test_nothing_of_others_is_judged_while_a_network_is_being_deleted(pools: World) -> None:
    """Its finalizer can be taken off although its pool is shared, and another one is gone."""
    shared(pools)
    hold(pools, "ExternalNetwork", "ext")
    pools.force_delete("AddressPool", "r1")
    let_go(pools, "ExternalNetwork", "ext")
    assert pools.find(Key("ExternalNetwork", "", "ext")) is None


def test_en_c1_to_c3_its_number_is_a_vni_by_a_claim_of_its_own(pools: World) -> None:
    """The first after the Subnet default's; the claim is the network's and returns the number."""
    assert network(pools).status.network_id == 4097
    assert network(pools, "lan", "l1", type_="arp").status.network_id == 4098
    claim = pools.get("AllocationClaim", "subnet-vni--externalnetwork--ext--status-networkid")
    assert claim.spec.attribute == "status.networkID"
    assert [ref.name for ref in claim.spec.pool_refs] == ["subnet-vni"]
    assert [(owner.kind, owner.name) for owner in claim.metadata.owner_references] == [("ExternalNetwork", "ext")]
    pools.delete("ExternalNetwork", "ext")
    assert pools.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24").status.vni == 4097


def test_en_c4_the_number_never_changes(pools: World) -> None:
    """Nor does anybody else get it while a claim that was deleted is made again."""
    number = network(pools).status.network_id
    pools.delete("AllocationClaim", "subnet-vni--externalnetwork--ext--status-networkid")
    pools.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    pools.update("ExternalNetwork", "ext", addressPools=["r1", "r2"])
    assert pools.status("ExternalNetwork", "ext").network_id == number
    claim = pools.get("AllocationClaim", "subnet-vni--externalnetwork--ext--status-networkid")
    assert claim.status.value.number == number


def test_en_c5_a_number_above_24_bits_is_terminal(pools: World) -> None:
    """Nothing is written, and nothing follows by itself."""
    pools.force_delete("AllocationPool", "subnet-vni")
    spec = AllocationPoolSpec("number", number=NumberRange(2**24, 2**24 + 9))
    pools.force(pools.registry["AllocationPool"].new("subnet-vni", spec))
    network(pools)
    assert pools.ready("ExternalNetwork", "ext") == ("Failed", "False", "InvalidNetworkID")
    assert pools.status("ExternalNetwork", "ext").network_id == 0
    assert pools.writes_of_a_second_look() == 0


def test_the_number_is_0_while_there_is_none(pools: World) -> None:
    """The network says what it waits for."""
    pools.force_delete("AllocationPool", "subnet-vni")
    spec = AllocationPoolSpec("number", number=NumberRange(4096, 4096))
    pools.force(pools.registry["AllocationPool"].new("subnet-vni", spec))
    network(pools)
    assert pools.status("ExternalNetwork", "ext").network_id == 0
    assert pools.ready("ExternalNetwork", "ext") == ("Pending", "False", "NotReady")
    assert pools.intents("ExternalNetwork", "ext") == []


def test_en_d1_it_is_a_segment_of_its_own(pools: World) -> None:
    """In no Vpc, under its number."""
    network(pools)
    assert pools.intents("ExternalNetwork", "ext") == [Segment(4097, SegmentKind.EXTERNAL, 0)]


def test_a_stored_network_without_its_pool_waits(pools: World) -> None:
    """It has its number all the same."""
    pools.force_new("ExternalNetwork", "ext", type="bgp", addressPools=["later"])
    assert pools.ready("ExternalNetwork", "ext") == ("Pending", "False", "MissingDependency")
    assert pools.waits("ExternalNetwork", "ext") == [("AddressPool/later", "metadata")]
    assert pools.status("ExternalNetwork", "ext").network_id == 4097
    pools.create("AddressPool", "later", advertiseMode="bgp", addresses=["198.51.100.0/24"])
    assert pools.ready("ExternalNetwork", "ext") == READY


def test_a_stored_network_with_a_pool_of_the_other_mode_fails(pools: World) -> None:
    """It says which pool, and keeps its number."""
    pools.force_new("ExternalNetwork", "ext", type="bgp", addressPools=["l1"])
    assert pools.ready("ExternalNetwork", "ext") == ("Failed", "False", "InvalidAddressPool")
    assert pools.status("ExternalNetwork", "ext").network_id == 4097


def test_a_stored_network_of_an_unknown_type_gets_nothing(pools: World) -> None:
    """It is an error, and nothing is done for it."""
    pools.force_new("ExternalNetwork", "ext", type="ospf", addressPools=["r1"])
    assert pools.ready("ExternalNetwork", "ext") == ("Failed", "False", "Invalid")
    assert pools.status("ExternalNetwork", "ext").network_id == 0


@pytest.fixture
def nodes(pools: World) -> World:
    """Two Nodes and a network."""
    pools.create("Node", "n1")
    pools.create("Node", "n2")
    network(pools)
    return pools


def test_attachments_are_made_for_every_node_once_a_gateway_needs_them(nodes: World) -> None:
    """Also for a Node that comes later; the network owns them."""
    assert attachments(nodes) == []
    exit_of(nodes)
    assert attachments(nodes) == ["ext--n1", "ext--n2"]
    nodes.create("Node", "n3")
    made = nodes.get("ExternalNetworkAttachment", "ext--n3")
    assert (made.spec.external_network, made.spec.node_name) == ("ext", "n3")
    (owner,) = made.metadata.owner_references
    assert (owner.kind, owner.name, owner.controller) == ("ExternalNetwork", "ext", True)


def test_a_second_gateway_makes_no_more_of_them(nodes: World) -> None:
    """One for each Node, however many gateways there are."""
    exit_of(nodes)
    exit_of(nodes, name="more")
    assert attachments(nodes) == ["ext--n1", "ext--n2"]


def test_the_last_gateway_leaves_them(nodes: World) -> None:
    """Only the network takes them along."""
    exit_of(nodes)
    nodes.delete("NATGateway", "exit")
    assert attachments(nodes) == ["ext--n1", "ext--n2"]
    nodes.delete("ExternalNetwork", "ext")
    assert attachments(nodes) == []


def test_one_that_is_deleted_is_made_again(nodes: World) -> None:
    """For as long as a gateway needs it."""
    exit_of(nodes)
    nodes.delete("ExternalNetworkAttachment", "ext--n1")
    assert attachments(nodes) == ["ext--n1", "ext--n2"]


def test_that_of_a_node_that_is_gone_goes(nodes: World) -> None:
    """Its address is free again; one that somebody made himself stays."""
    exit_of(nodes)
    nodes.create("ExternalNetworkAttachment", "mine", externalNetwork="ext", nodeName="n9")
    held = nodes.status("ExternalNetworkAttachment", "ext--n1").assigned_ip
    nodes.delete("Node", "n1")
    assert attachments(nodes) == ["ext--n2", "mine"]
    nodes.create("Node", "n4")
    assert nodes.status("ExternalNetworkAttachment", "ext--n4").assigned_ip == held


def test_names_with_the_separator_never_meet(pools: World) -> None:
    """Network a--b on Node c, and network a on Node b--c."""
    for node in ("c", "b--c"):
        pools.create("Node", node)
    for name, pool in (("a", "r1"), ("a--b", "r2")):
        network(pools, name, pool)
        exit_of(pools, name, f"exit-{pool}")
    assert len(attachments(pools)) == 4
    pairs = {
        (held.spec.external_network, held.spec.node_name)
        for held in pools.cache.objects["ExternalNetworkAttachment"].values()
    }
    assert pairs == {(name, node) for name in ("a", "a--b") for node in ("c", "b--c")}


def test_a_name_that_would_be_too_long_is_cut() -> None:
    """It still tells two Nodes apart."""
    first, second = (attachment_name("n" * 200, f"{'m' * 200}{digit}") for digit in "12")
    assert len(first) <= 253
    assert first != second


def test_at_rest_nothing_is_written(nodes: World) -> None:
    """A second look changes nothing."""
    exit_of(nodes)
    assert nodes.writes_of_a_second_look() == 0


def test_its_table_shows_name_and_age_and_more_if_asked(world: World) -> None:
    """Type and NetworkID are for the wide table."""
    columns: Any = world.registry["ExternalNetwork"].columns
    assert [(column.name, column.priority) for column in columns] == [("Type", 1), ("NetworkID", 1)]
    assert world.registry["ExternalNetwork"].age_column
