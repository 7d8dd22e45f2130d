"""Pools as they fill and empty: values that are taken by somebody else, and who has which."""

from __future__ import annotations

from collections.abc import Callable

import yaml

from juneau.engine.convert import decode
from juneau.engine.loop import Loop
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Event, EventType
from juneau.engine.world import Cache
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.lab.immediate import run
from juneau.resources import allocationpool
from juneau.resources.allocationlease import Value
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
        run(scene.lab.store.create(_claim(scene, f"filler-{place}", name)))
    scene.settle()


def _claim(scene: Scene, name: str, pool: str) -> AnyObject:
    spec = {
        "poolRefs": [{"name": pool}],
        "resourceRef": {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Vpc", "name": "default"},
        "attribute": "status.filler",
    }
    document = {
        "apiVersion": "juneau.loutres.me/v1alpha1",
        "kind": "AllocationClaim",
        "metadata": {"name": name},
        "spec": spec,
    }
    return decode(scene.lab.registry, document)


@when(
    'a second controller, which has not heard of it yet, hands out values of AllocationPool "<name>" to two more claims'
)
def second_controller(scene: Scene, name: str) -> None:
    """It knows the world as it is now; then the first one serves claim `more-1`, and only then the second `more-2`."""
    scene.begin()
    store, cache = scene.lab.store, Cache(scene.lab.registry, scene.lab.settings)
    second = Loop(store, cache, scene.lab.clock)
    for kind in scene.lab.registry:
        for obj in run(store.list(kind.name)).objects:
            cache.put(obj)
    run(store.create(_claim(scene, "more-1", name)))
    scene.settle()
    second.handle(Event(EventType.ADDED, run(store.create(_claim(scene, "more-2", name)))))
    run(second.settle())
    scene.settle()


@then(
    'AllocationLease "<lease:name>", AllocationPool "<pool:name>" and AllocationClaim "<name>"'
    " were written in this order"
)
def written_in_order(scene: Scene, name: str, lease: str, pool: str) -> None:
    """With the value of the claim, as the resourceVersions of the last step's writes tell."""
    value = scene.get("AllocationClaim", name).status.value
    assert value is not None, f"{name} has no value"

    def first(key: Key, has_it: Callable[[AnyObject], bool]) -> int:
        watch = scene.lab.store.watch(key.kind, scene.version_before)
        events = [event.obj for event in watch.drain() if event.obj.key == key and has_it(event.obj)]
        watch.close()
        assert events, f"{key} was not written"
        return int(events[0].metadata.resource_version)

    order = [
        first(Key("AllocationLease", "", lease), lambda obj: obj.spec.value == value),
        first(Key("AllocationPool", "", pool), lambda obj: obj.status.last_allocated_number == value.number),
        first(Key("AllocationClaim", "", name), lambda obj: obj.status.value == value),
    ]
    assert order == sorted(set(order)), order


@then('each claim of AllocationPool "<name>" has a value of its own')
def values_differ(scene: Scene, name: str) -> None:
    """None is without, and no two have the same."""
    values = [str(claim.status.value) for claim in _claims(scene, name)]
    assert "None" not in values and len(set(values)) == len(values), values


@when('the leases of AllocationPool "<name>" are deleted')
def leases_are_deleted(scene: Scene, name: str) -> None:
    """Somebody tidies up: the leases that no claim holds."""
    scene.begin()
    for lease in scene.lab.list("AllocationLease"):
        held = scene.find("AllocationClaim", lease.spec.claim_ref.name) is not None
        if lease.spec.pool_ref.name == name and not held:
            run(scene.lab.store.delete(lease.key))
    scene.settle()


@when('the claim of NetworkInterface "<name>" and its lease are deleted')
def claim_and_lease_are_deleted(scene: Scene, name: str) -> None:
    """Both by hand, at once."""
    scene.begin()
    claim = str(scene.read("NetworkInterface", name, "status.allocationClaim"))
    run(scene.lab.store.delete(scene.key("AllocationLease", claim)))
    run(scene.lab.store.delete(scene.key("AllocationClaim", claim)))
    scene.settle()


@when('"<text>" is stored as the value of the claim of NetworkInterface "<name>"')
def another_value_is_stored(scene: Scene, text: str, name: str) -> None:
    """Somebody writes another status."""
    scene.begin()
    claim = scene.get("AllocationClaim", str(scene.read("NetworkInterface", name, "status.allocationClaim")))
    run(scene.lab.store.update_status(claim.with_status(value=Value(ip=text))))
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
