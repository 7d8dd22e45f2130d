"""Pools as they fill and empty: values that are taken by somebody else, and who has which."""

from __future__ import annotations

import yaml

from juneau.engine.convert import decode
from juneau.engine.objects import AnyObject
from juneau.features.grammar import given, then
from juneau.features.scene import Scene
from juneau.lab.immediate import run
from juneau.resources import allocationpool
from juneau.resources.allocationpool import TAKEN, AllocationPool


def _pool(scene: Scene, name: str) -> AllocationPool:
    pool: AllocationPool = scene.get("AllocationPool", name)
    return pool


def _free(scene: Scene, pool: AllocationPool) -> int:
    """How many values nobody has."""
    taken = scene.lab.cache.numbers(TAKEN.name, pool.name)
    ranges = allocationpool.candidates(pool)
    return sum(number not in taken for first, last in ranges for number in range(first, last + 1))


def _claims(scene: Scene, pool: str) -> list[AnyObject]:
    return [claim for claim in scene.lab.list("AllocationClaim") if pool in (ref.name for ref in claim.spec.pool_refs)]


@given('AllocationPool "<name>" has <number:count> free values')
@given('AllocationPool "<name>" has <number:count> free value')
def has_free_values(scene: Scene, name: str, number: int) -> None:
    """Claims `filler-1`, `filler-2`, ... take the lowest values until no more than that are left."""
    surplus = _free(scene, _pool(scene, name)) - number
    assert surplus >= 0, f"there are only {surplus + number}"
    for place in range(1, surplus + 1):
        spec = {
            "poolRefs": [{"name": name}],
            "resourceRef": {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Vpc", "name": "default"},
            "attribute": "status.filler",
        }
        document = {
            "apiVersion": "juneau.loutres.me/v1alpha1",
            "kind": "AllocationClaim",
            "metadata": {"name": f"filler-{place}"},
            "spec": spec,
        }
        run(scene.lab.store.create(decode(scene.lab.registry, document)))
    scene.settle()


@then('<number:count> values of AllocationPool "<name>" are taken')
@then('<number:count> value of AllocationPool "<name>" is taken')
def values_are_taken(scene: Scene, number: int, name: str) -> None:
    """So many different values have a claim or a lease."""
    leases = [lease for lease in scene.lab.list("AllocationLease") if lease.spec.pool_ref.name == name]
    claimed = {str(claim.status.value) for claim in _claims(scene, name) if claim.status.value is not None}
    found = claimed | {str(lease.spec.value) for lease in leases}
    assert len(found) == number, sorted(found)


@then('the claims of AllocationPool "<name>" are gone')
def claims_are_gone(scene: Scene, name: str) -> None:
    """No claim lists the pool."""
    found = [claim.name for claim in _claims(scene, name)]
    assert not found, found


@then('the claim of NetworkInterface "<name>" asks for')
def claim_asks_for(scene: Scene, name: str, docstring: str) -> None:
    """The whole spec of the claim that the NIC's status names, as YAML."""
    claim = scene.read("NetworkInterface", name, "status.allocationClaim")
    assert claim, f"NetworkInterface {name} has no claim"
    found = scene.read("AllocationClaim", str(claim), "spec")
    assert found == yaml.safe_load(docstring), found
