"""How an object gets a number of its own, and how it keeps the pool that others draw addresses from.

A number is one claim for one of its fields, named after both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve, frozen

from juneau.engine.machine import Wait
from juneau.engine.names import claim_name
from juneau.engine.objects import AnyObject, Key, OwnerReference
from juneau.engine.outcome import Create, Delete, Update, Write
from juneau.engine.world import Contribution, Reader
from juneau.resources import allocationclaim, allocationpool
from juneau.resources.allocationclaim import AllocationClaim, AllocationClaimSpec
from juneau.resources.allocationlease import ObjectReference, PoolReference
from juneau.resources.allocationpool import AddressSpace, AllocationPoolSpec, holding

VNI_POOL = "subnet-vni"
VPC_ID_POOL = "vpc-id"
ROUTE_TABLE_ID_POOL = "route-table-id"
SECURITY_GROUP_ID_POOL = "security-group-id"
NETWORK_ACL_ID_POOL = "network-acl-id"


@frozen
class ClaimedNumber:
    """The number that an object's claim got so far (0: none), and how to make the claim where there is none."""

    claim: AllocationClaim | None
    wanted: AllocationClaim
    number: int

    @property
    def writes(self) -> tuple[Write, ...]:
        return (Create(self.wanted),) if self.claim is None else ()

    @property
    def why(self) -> str:
        """What the claim says while it has no value."""
        held = self.claim.status.conditions if self.claim is not None else ()
        return next((condition.message for condition in held if condition.type == "Ready"), "")

    @property
    def reason(self) -> str:
        held = self.claim.status.conditions if self.claim is not None else ()
        return next((condition.reason for condition in held if condition.type == "Ready"), "")

    @property
    def waits(self) -> tuple[Wait, ...]:
        key = Key(allocationclaim.KIND.name, "", self.wanted.name)
        return (Wait(key, "status.value", self.why),)


def owner_reference(world: Reader, owner: AnyObject, controller: bool = True) -> OwnerReference:
    """The reference by which what an object makes goes away with it."""
    api_version = world.registry[owner.kind].api_version
    return OwnerReference(api_version, owner.kind, owner.name, owner.metadata.uid, controller)


def claimed_number(world: Reader, owner: AnyObject, pool: str, attribute: str, held: int) -> ClaimedNumber:
    """The claim of a cluster-scoped object for one of its fields; it goes with the object.

    A claim that somebody deleted is made again for the number that the object has, `held`: that never changes.
    """
    name = claim_name(pool, owner.kind, owner.namespace, owner.name, attribute)
    spec = AllocationClaimSpec(
        (PoolReference(pool),),
        ObjectReference(world.registry[owner.kind].api_version, owner.kind, owner.name),
        attribute,
        requested_number=held or None,
    )
    wanted = allocationclaim.KIND.new(name, spec, owner_references=(owner_reference(world, owner),))
    claim = world.get(allocationclaim.KIND, name)
    if claim is not None and claim.deleting:
        claim = None if owner.deleting else claim
    value = claim.status.value if claim is not None and not claim.deleting and _is_of(owner, claim) else None
    return ClaimedNumber(claim, wanted, value.number if value is not None else 0)


def number_contributions(pool: str, held: Callable[[Any], int]) -> tuple[Contribution, ...]:
    """What a Kind with a number of its own puts into the indexes: nobody else gets the number that an object has."""

    def values(owner: Any) -> Iterator[tuple[str, int]]:
        number = held(owner)
        if number:
            yield (pool, number)

    return holding(values, lambda owner: owner.key)


def _is_of(owner: AnyObject, claim: AllocationClaim) -> bool:
    """Whether the claim is not one that an earlier owner of that name left behind, and that is about to follow it."""
    owners = claim.metadata.owner_references
    return not owners or any(held.uid == owner.metadata.uid for held in owners)


def pool_writes(owner: AnyObject, name: str, space: AddressSpace | None, world: Reader) -> Iterator[Write]:
    """What keeps an owner's pool of addresses as it should be; `space` None where it should not exist."""
    pool = world.get_spec(allocationpool.KIND, name)
    if space is None:
        if pool is not None and not pool.deleting:
            yield Delete(pool.key, pool.metadata.uid)
        return
    spec, reference = AllocationPoolSpec(type="ip", ip=space), owner_reference(world, owner)
    if pool is None:
        yield Create(allocationpool.KIND.new(name, spec, owner_references=(reference,)))
    elif not pool.deleting and (pool.spec != spec or reference not in pool.metadata.owner_references):
        # Claims can keep the pool of an owner that is gone; who comes back under its name takes it over.
        yield Update(evolve(pool.with_metadata(owner_references=(reference,)), spec=spec))
