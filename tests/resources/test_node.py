"""The address that a Node has in the default Subnet, while others delete what it comes from."""

from __future__ import annotations

import asyncio

import pytest
from tests.resources.world import World

from juneau.engine.objects import Key
from juneau.engine.step import take_step
from juneau.engine.world import Reader
from juneau.resources.allocationclaim import AllocationClaim
from juneau.resources.node import CONDITION


@pytest.fixture
def nodes(world: World) -> World:
    world.create("Node", "a")
    world.create("Node", "b")
    return world


def claim_of(world: World, node: str) -> AllocationClaim:
    claims = world.cache.objects["AllocationClaim"].values()
    return next(claim for claim in claims if claim.spec.resource_ref.key == Key("Node", "", node))


def address_of(world: World, node: str) -> str:
    """The address of the Node's endpoint."""
    address: str = world.get("NetworkEndpoint", f"juneau-system/juneau-node.{node}").spec.address
    return address.partition("/")[0]


def test_a_claim_made_again_asks_for_the_address_of_the_endpoint(nodes: World) -> None:
    """A lower address is free by then, and the endpoint cannot follow."""
    held = address_of(nodes, "b")
    nodes.delete("Node", "a")
    nodes.delete("AllocationClaim", claim_of(nodes, "b").name)
    claim = claim_of(nodes, "b")
    assert claim.spec.requested_ip == held
    assert claim.status.value is not None
    assert claim.status.value.ip == address_of(nodes, "b") == held
    ready = nodes.condition("Node", "b", CONDITION)
    assert ready is not None
    assert ready.status == "True"


def test_a_claim_that_is_being_deleted_gives_no_address(nodes: World) -> None:
    """The endpoint that is made again waits for the claim that comes after it."""
    nodes.delete("Node", "a")
    claim = claim_of(nodes, "b")
    asyncio.run(nodes.store.delete(claim.key))
    asyncio.run(nodes.store.delete(Key("NetworkEndpoint", "juneau-system", "juneau-node.b")))
    assert nodes.get("AllocationClaim", claim.name).deleting
    outcome, _ = take_step(nodes.registry["Node"], nodes.get("Node", "b"), Reader(nodes.cache), nodes.clock.now())
    assert outcome.writes == ()
    nodes.settle()
    later = claim_of(nodes, "b")
    assert later.metadata.uid != claim.metadata.uid
    assert later.status.value is not None
    assert address_of(nodes, "b") == later.status.value.ip
