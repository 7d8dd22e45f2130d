"""What can be wrong with an AllocationClaim that has its value; no rule of admission sees it, since it is all status.

It asks as little as it can: of an owner that has the value, for example, it is known that it exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from juneau.engine.errors import Violation
from juneau.engine.objects import AnyObject, Key
from juneau.engine.world import Reader
from juneau.resources import allocationlease, allocationpool
from juneau.resources.allocationlease import CLAIM, AllocationLease
from juneau.resources.allocationpool import HOLDERS, named
from juneau.resources.reservation import CHOSEN, FINALIZER, RESERVED_BY, SHARERS

_VALUE = "status.value"
_AGAIN = "delete the AllocationClaim: it is made again for the value that its owner has"
_KEEPER = "ARPAdvertisement"  # keeps an address from others while a Node may answer for it
# They have a value for an object, or from others; none of them uses it.
_STEWARDS = frozenset({CLAIM, allocationlease.KIND.name, _KEEPER})


def claim_findings(claim: AnyObject, lease_name: str, world: Reader) -> Iterator[Violation]:
    """What is wrong with a claim; `lease_name` is the lease that it uses."""
    lease = world.get_spec(allocationlease.KIND, lease_name)
    number = claim.status.value.as_number if claim.status.value is not None else None
    if claim.deleting:
        yield from _finalizer_findings(claim, lease)
    elif number is not None:
        pools = _pools(claim, lease)
        yield from _lease_findings(claim, lease, lease_name)
        yield from _pool_findings(claim, pools, number, world)
        yield from _holder_findings(claim, pools, lease_name, number, world)


def _pools(claim: AnyObject, lease: AllocationLease | None) -> list[str]:
    """The pool that a claim's value is from, or all of its pools where that is not known."""
    marked = claim.metadata.annotations.get(CHOSEN, "").rpartition("/")[0]
    if marked:
        return [marked]
    if lease is not None and lease.spec.value == claim.status.value:
        return [lease.spec.pool_ref.name]
    return [ref.name for ref in claim.spec.pool_refs]


def _finalizer_findings(claim: AnyObject, lease: AllocationLease | None) -> Iterator[Violation]:
    held = lease is not None and lease.spec.claim_ref.name == claim.name
    if FINALIZER in claim.metadata.finalizers and not held:
        why = "it is being deleted, and has no AllocationLease any more that would have to be given back"
        yield held_up(FINALIZER, why)


def held_up(finalizer: str, why: str) -> Violation:
    """An object that is being deleted has a finalizer of Juneau's whose cause is gone."""
    repair = "see that a controller is running, which takes the finalizer off; else take it off by hand"
    return Violation("metadata.finalizers", why, value=finalizer, audit_only=True, repair=repair)


def sharing_findings(
    owner: Key, field: str, value: str, slots: Iterable[tuple[str, int]], world: Reader
) -> Iterator[Violation]:
    """Which other objects have the value of an object; `slots` are the (pool, number) that it may be filed under.

    What claims and leases have is not asked: they are audited themselves.
    """
    holders = {holder for slot in slots for holder in world.values(HOLDERS, slot)}
    for other in sorted(holder for holder in holders if holder != owner and holder.kind not in _STEWARDS):
        yield _shared(field, value, owner, other)


def _shared(field: str, value: str, owner: Key, other: Key) -> Violation:
    repair = f"delete one of {named(owner)} and {named(other)}, and create it anew"
    return Violation(field, f"{named(other)} has it too", value=value, audit_only=True, repair=repair)


def _lease_findings(claim: AnyObject, lease: AllocationLease | None, name: str) -> Iterator[Violation]:
    if CHOSEN in claim.metadata.annotations:
        return  # it has its value without a lease
    value = claim.status.value
    if lease is None:
        why = f"there is no AllocationLease {name}, so nothing keeps the value once the AllocationClaim is gone"
        yield Violation(_VALUE, why, value=str(value), audit_only=True, repair=_AGAIN)
    elif lease.spec.value != value:
        why = f"AllocationLease {name} has {lease.spec.value}"
        yield Violation(_VALUE, why, value=str(value), audit_only=True, repair=_AGAIN)


def _pool_findings(claim: AnyObject, names: list[str], number: int, world: Reader) -> Iterator[Violation]:
    found = [world.get_spec(allocationpool.KIND, name) for name in names]
    pools = [pool for pool in found if pool is not None]
    if len(pools) < len(found):
        return  # a pool that is gone comes back, or takes its claims along; until then nothing can be said
    covering = [pool for pool in pools if allocationpool.covers(pool, number)]
    value, repair = str(claim.status.value), "delete what has the value, and create it anew"
    if not covering:
        why = f"lies outside of AllocationPool {', '.join(names)}"
        yield Violation(_VALUE, why, value=value, audit_only=True, repair=repair)
    elif all(allocationpool.is_excluded(pool, number) for pool in covering):
        why = f"is excluded from AllocationPool {covering[0].name}"
        yield Violation(_VALUE, why, value=value, audit_only=True, repair=repair)


def _holder_findings(
    claim: AnyObject, pools: list[str], lease_name: str, number: int, world: Reader
) -> Iterator[Violation]:
    owner = claim.spec.resource_ref
    holders = {holder for pool in pools for holder in world.values(HOLDERS, (pool, number))}
    others = {holder for holder in holders if holder.kind != _KEEPER}
    others -= {claim.key, owner.key, Key(allocationlease.KIND.name, "", lease_name)}
    if others and claim.spec.reuse_key:
        others -= _allies(claim.spec.reuse_key, world)
    for other in sorted(others):
        if _is_of_another_pool(other, pools, world):
            continue
        yield _shared(_VALUE, str(claim.status.value), owner.key, other)
    # Who has the value exists, and what goes with its owner is the garbage collector's.
    if owner.key in holders or claim.metadata.owner_references or not owner.is_known(world):
        return
    if not world.exists(owner.key):
        why = f"{named(owner.key)}, which the value is for, does not exist"
        repair = "delete the AllocationClaim, which gives the value back"
        yield Violation("spec.resourceRef", why, value=owner.name, audit_only=True, repair=repair)


def _allies(reuse_key: str, world: Reader) -> set[Key]:
    """Who has a value by the same reservation."""
    found = set(world.values(RESERVED_BY, reuse_key))
    for sharer in world.values(SHARERS, reuse_key):
        found |= {Key(CLAIM, "", sharer.name), sharer.owner}
    return found


def _is_of_another_pool(holder: Key, pools: list[str], world: Reader) -> bool:
    """Whether it is a claim that lists one of these pools, and has its value from another one."""
    claim = world.look(holder) if holder.kind == CLAIM else None
    if claim is None:
        return False
    lease = world.get_spec(allocationlease.KIND, claim.spec.reuse_key or claim.name)
    return lease is not None and lease.spec.pool_ref.name not in pools
