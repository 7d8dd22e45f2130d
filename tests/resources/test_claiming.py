"""Numbers that objects have, while others delete and make what they were claimed by."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.convert import decode
from juneau.engine.objects import Key
from juneau.resources.allocationpool import HOLDERS

KINDS = {
    "Vpc": ("vpc_id", {}),
    "Subnet": ("vni", {"vpc": "lab"}),
    "L2Network": ("vni", {"vpc": "lab"}),
    "RouteTable": ("table_id", {"vpc": "lab"}),
    "SecurityGroup": ("group_id", {"vpc": "lab"}),
    "NetworkACL": ("acl_id", {"vpc": "lab"}),
}


def make(world: World, kind: str, name: str) -> dict[str, Any]:
    spec: dict[str, Any] = dict(KINDS[kind][1])
    if kind == "Subnet":
        spec["cidr"] = f"10.{60 + len(name)}.0.0/24"
    return world.document(kind, name, spec)


def claim_of(world: World, kind: str, name: str) -> str:
    claims = world.cache.objects["AllocationClaim"].values()
    return next(claim.name for claim in claims if claim.spec.resource_ref.key == Key(kind, "", name))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at_once", [True, False])
def test_an_object_keeps_its_number_without_its_claim(world: World, kind: str, at_once: bool) -> None:
    """A claim that is deleted comes back for the same number, and nobody gets that in between."""
    field = KINDS[kind][0]
    for name in ("b", "cc"):
        world.put(decode(world.registry, make(world, kind, name)))
    numbers = {name: getattr(world.status(kind, name), field) for name in ("b", "cc")}
    world.delete(kind, "b")
    claim = claim_of(world, kind, "cc")
    asyncio.run(world.store.delete(Key("AllocationClaim", "", claim)))
    if not at_once:
        world.settle()
    for name in ("ddd", "eeee"):
        asyncio.run(world.store.create(decode(world.registry, make(world, kind, name))))
    world.settle()
    assert getattr(world.status(kind, "cc"), field) == numbers["cc"]
    found = {getattr(world.status(kind, name), field) for name in ("cc", "ddd", "eeee")}
    assert len(found) == 3
    assert 0 not in found
    assert world.status("AllocationClaim", claim).value.number == numbers["cc"]
    pool = world.get("AllocationClaim", claim).spec.pool_refs[0].name
    holders = world.cache.entries(HOLDERS.name, (pool, numbers["cc"]))
    assert {key.kind for key in holders} == {kind, "AllocationClaim", "AllocationLease"}
