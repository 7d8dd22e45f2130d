"""How an object gets an address of an ExternalNetwork, and keeps it."""

from __future__ import annotations

import pytest
from tests.resources.world import World

from juneau.engine.objects import AnyObject, Key
from juneau.engine.outcome import Create, Delete
from juneau.engine.world import Reader
from juneau.resources.claiming import Claimed
from juneau.resources.externaladdress import claimed_address, pool_of_address, source_of


@pytest.fixture
def edge(world: World) -> World:
    """A network with two pools of one address each, and one that can be added."""
    for number in (1, 2, 3):
        world.create("AddressPool", f"p{number}", advertiseMode="bgp", addresses=[f"203.0.113.{number}/32"])
    world.create("ExternalNetwork", "edge", type="bgp", addressPools=["p1", "p2"])
    world.create("Namespace", "shop")
    for name in ("n1", "n2", "n3", "n4"):
        world.create("Node", name)
    return world


def claimed(world: World, owner: AnyObject, held: str = "", requested: str = "") -> Claimed:
    reader = Reader(world.cache)
    return claimed_address(reader, owner, source_of(reader, "edge"), "status.address", held, requested)


def make(world: World, owner: AnyObject, held: str = "", requested: str = "") -> Claimed:
    """The claim, made as a controller would make it, and settled."""
    for write in claimed(world, owner, held, requested).writes:
        if isinstance(write, Create):
            world.put(write.obj)
        elif isinstance(write, Delete):
            world.delete(write.key.kind, write.key.name)
    return claimed(world, owner, held, requested)


def test_a_source_is_a_network_with_all_its_pools(edge: World) -> None:
    """In their order."""
    source = source_of(Reader(edge.cache), "edge")
    assert (source.pools, source.reason) == (("p1", "p2"), "")
    assert source.network is not None


def test_a_source_names_what_is_missing(edge: World) -> None:
    """No name, no network, or a network without one of its pools."""
    reader = Reader(edge.cache)
    assert source_of(reader, "").reason == "MissingDependency"
    gone = source_of(reader, "gone")
    assert (gone.reason, gone.message) == ("MissingDependency", "ExternalNetwork gone does not exist")
    assert [wait.on for wait in gone.waits] == [Key("ExternalNetwork", "", "gone")]
    edge.force_delete("AddressPool", "p2")
    lacking = source_of(Reader(edge.cache), "edge")
    assert (lacking.reason, lacking.message) == ("MissingDependency", "AddressPool p2 does not exist")
    assert [wait.on for wait in lacking.waits] == [Key("AddressPool", "", "p2")]


def test_a_source_names_a_pool_of_the_other_mode(edge: World) -> None:
    """It is no address for this network."""
    edge.create("AddressPool", "lan", advertiseMode="arp", addresses=["192.0.2.1-192.0.2.9"])
    edge.force_new("ExternalNetwork", "mixed", type="bgp", addressPools=["p3", "lan"])
    source = source_of(Reader(edge.cache), "mixed")
    assert source.reason == "InvalidAddressPool"
    assert "AddressPool lan is not of mode bgp" in source.message


def test_pools_are_asked_in_order(edge: World) -> None:
    """The second one serves when the first is used up; the claim is named after the first."""
    owners = [edge.get("Node", name) for name in ("n1", "n2", "n3")]
    assert [make(edge, owner).ip for owner in owners] == ["203.0.113.1", "203.0.113.2", ""]
    claim = edge.get("AllocationClaim", "addr-p1--node--n1--status-address")
    assert [ref.name for ref in claim.spec.pool_refs] == ["addr-p1", "addr-p2"]


def test_the_claim_of_a_cluster_scoped_owner_goes_with_it(edge: World) -> None:
    """That of another owner does not, as the API server would not have it."""
    make(edge, edge.get("Node", "n1"))
    shop = edge.create("ElasticIP", "shop/web", externalNetwork="edge")
    wanted = claimed(edge, shop).wanted
    assert wanted is not None
    assert wanted.metadata.owner_references == ()
    claim = edge.get("AllocationClaim", "addr-p1--node--n1--status-address")
    assert [owner.name for owner in claim.metadata.owner_references] == ["n1"]
    edge.delete("Node", "n1")
    assert edge.find(claim.key) is None


def test_an_address_that_is_asked_for_is_given(edge: World) -> None:
    """Out of whichever pool has it."""
    assert make(edge, edge.get("Node", "n1"), requested="203.0.113.2").ip == "203.0.113.2"


def test_what_an_object_has_stays(edge: World) -> None:
    """Also while its claim is made again, which then asks for it."""
    owner = edge.get("Node", "n2")
    make(edge, edge.get("Node", "n1"))
    held = make(edge, owner).ip
    edge.delete("AllocationClaim", "addr-p1--node--n2--status-address")
    again = claimed(edge, owner, held)
    assert again.ip == held
    (write,) = again.writes
    assert isinstance(write, Create)
    assert write.obj.spec.requested_ip == held


def test_a_pool_that_is_added_serves_who_waits(edge: World) -> None:
    """A claim that has nothing yet is made anew, over all pools; one that has something is left alone."""
    first, *_, waiting = (edge.get("Node", name) for name in ("n1", "n2", "n3"))
    make(edge, first)
    make(edge, edge.get("Node", "n2"))
    assert make(edge, waiting).writes == ()
    edge.update("ExternalNetwork", "edge", addressPools=["p1", "p2", "p3"])
    (write,) = claimed(edge, waiting).writes
    assert isinstance(write, Delete)
    assert write.resource_version
    make(edge, waiting)
    assert make(edge, waiting).ip == "203.0.113.3"
    assert claimed(edge, first).writes == ()


def test_the_order_of_pools_may_change(edge: World) -> None:
    """The claim that is there is found under the name that it has."""
    owner = edge.get("Node", "n1")
    held = make(edge, owner).ip
    edge.update("ExternalNetwork", "edge", addressPools=["p2", "p1"])
    again = claimed(edge, owner, held)
    assert (again.ip, again.writes) == (held, ())
    assert again.claim is not None


def test_without_a_source_nothing_is_claimed(edge: World) -> None:
    """What the object has is kept."""
    reader = Reader(edge.cache)
    kept = claimed_address(reader, edge.get("Node", "n1"), source_of(reader, "gone"), "status.address", "203.0.113.1")
    assert (kept.ip, kept.writes, kept.waits) == ("203.0.113.1", (), ())


def test_the_pool_of_an_address_is_the_one_that_contains_it(edge: World) -> None:
    """Empty for what is in none."""
    reader = Reader(edge.cache)
    source = source_of(reader, "edge")
    assert [pool_of_address(reader, source, ip) for ip in ("203.0.113.2", "203.0.113.3", "")] == ["p2", "", ""]
