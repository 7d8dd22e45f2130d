"""How an object gets a number or an address of its own, and how it keeps the pool that others draw addresses from.

A value is one claim for one of its fields, named after both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from attrs import evolve, frozen

from juneau.engine.errors import Violation
from juneau.engine.machine import Phase, Row, Wait
from juneau.engine.names import claim_name
from juneau.engine.objects import AnyObject, Condition, Key, OwnerReference, condition
from juneau.engine.outcome import Absent, Create, Delete, Update, Write
from juneau.engine.world import Contribution, Reader
from juneau.resources import allocationclaim, allocationpool
from juneau.resources.allocationclaim import GOES_WITH, AllocationClaim, AllocationClaimSpec
from juneau.resources.allocationlease import ObjectReference, PoolReference, Value
from juneau.resources.allocationpool import AddressSpace, AllocationPoolSpec, holding
from juneau.resources.claimaudit import sharing_findings

VNI_POOL = "subnet-vni"
HIGHEST_VNI = 2**24 - 1
HIGHEST_ID = 2**32 - 1  # of what dataplanes know by 32 bits
VPC_ID_POOL = "vpc-id"
ROUTE_TABLE_ID_POOL = "route-table-id"
SECURITY_GROUP_ID_POOL = "security-group-id"
NETWORK_ACL_ID_POOL = "network-acl-id"
NAT_GATEWAY_ID_POOL = "nat-gateway-id"

_NOTHING = Value()


@frozen
class Claimed:
    """What an object has of its claim, and how to make the claim where there is none.

    `held` is what the object has had before; `wanted` is None where nothing is claimed.
    """

    claim: AllocationClaim | None = None
    wanted: AllocationClaim | None = None
    held: Value = _NOTHING

    @property
    def granted(self) -> Value | None:
        """What the claim has, unless that is about to go."""
        claim = self.claim
        return claim.status.value if claim is not None and not claim.deleting and not self._is_left_behind else None

    @property
    def _is_left_behind(self) -> bool:
        """Whether the claim is one of an earlier owner of that name, which it is about to follow."""
        own, owners = _owners(self.wanted), _owners(self.claim)
        return bool(own and owners) and own.isdisjoint(owners)

    @property
    def number(self) -> int:
        """The number, 0 while there is none: it never changes once the object has it."""
        return self.held.number or (self.granted.number if self.granted is not None else 0)

    @property
    def ip(self) -> str:
        """The address, empty while there is none: the object's own while a claim that was deleted is made again."""
        return (self.granted.ip if self.granted is not None else "") or self.held.ip

    @property
    def writes(self) -> tuple[Write, ...]:
        return (Create(self.wanted),) if self.claim is None and self.wanted is not None else ()

    @property
    def why(self) -> str:
        """What the claim says while it has no value."""
        ready = self._ready
        return ready.message if ready is not None else ""

    @property
    def reason(self) -> str:
        ready = self._ready
        return ready.reason if ready is not None else ""

    @property
    def _ready(self) -> Condition | None:
        return condition(self.claim, "Ready") if self.claim is not None else None

    @property
    def waits(self) -> tuple[Wait, ...]:
        return (Wait(self.wanted.key, "status.value", self.why),) if self.wanted is not None else ()

    def waiting_for(self, what: str) -> str:
        return f"waiting for {what}{': ' if self.why else ''}{self.why}"


def _owners(claim: AllocationClaim | None) -> frozenset[str]:
    return frozenset(owner.uid for owner in claim.metadata.owner_references) if claim is not None else frozenset()


class AboutClaim(Protocol):
    """Facts about an object that claims a value."""

    @property
    def claimed(self) -> Claimed: ...


def number_is_missing(facts: AboutClaim) -> bool:
    return not facts.claimed.number


def number_exceeds_24_bits(facts: AboutClaim) -> bool:
    return facts.claimed.number > HIGHEST_VNI


def number_exceeds_32_bits(facts: AboutClaim) -> bool:
    return facts.claimed.number > HIGHEST_ID


def claim_waits(facts: AboutClaim) -> tuple[Wait, ...]:
    return facts.claimed.waits


def waiting_for(number: str, reason: str = "NotReady") -> Row[AboutClaim]:
    """The row of an object that has no number yet."""
    return Row(number_is_missing, Phase.PENDING, reason, lambda facts: facts.claimed.waiting_for(number), claim_waits)


def owner_reference(world: Reader, owner: AnyObject, controller: bool = True) -> OwnerReference:
    """The reference by which what an object makes goes away with it."""
    api_version = world.registry[owner.kind].api_version
    return OwnerReference(api_version, owner.kind, owner.name, owner.metadata.uid, controller)


def claim_for(world: Reader, owner: AnyObject, pool: str, attribute: str) -> AllocationClaim:
    """A claim for one field of an object, named after both.

    Where the owner is in a namespace no API server lets the claim go with it: the owner gives it up (`release_writes`),
    and where it could not, since the claim came too late, the claim itself sees to it.
    """
    reference = ObjectReference(world.registry[owner.kind].api_version, owner.kind, owner.name, owner.namespace)
    name = claim_name(pool, owner.kind, owner.namespace, owner.name, attribute)
    claim = allocationclaim.KIND.new(name, AllocationClaimSpec((PoolReference(pool),), reference, attribute))
    return claim.with_metadata(annotations={GOES_WITH: owner.metadata.uid}) if owner.namespace else claim


def release_writes(owner: AnyObject, claimed: Claimed, name: str = "") -> Iterator[Write]:
    """How an owner in a namespace gives up its claim, before its finalizer goes.

    `name` is what the claim would be called where none is known: one that was not heard of yet may be there.
    """
    claim = claimed.claim
    if claim is None:
        if name:
            yield Absent(Key(allocationclaim.KIND.name, "", name))
    elif not claim.deleting and claim.spec.resource_ref.key == owner.key:
        yield Delete(claim.key, claim.metadata.uid)


def claimed_value(world: Reader, owner: AnyObject, pool: str, attribute: str, held: Value) -> Claimed:
    """The claim of a cluster-scoped object for one of its fields; it goes with the object.

    A claim that somebody deleted is made again for the value that the object has, `held`.
    """
    wanted = (
        claim_for(world, owner, pool, attribute)
        .with_metadata(owner_references=(owner_reference(world, owner),))
        .with_spec(requested_number=held.number or None, requested_ip=held.ip)
    )
    return Claimed(world.get(allocationclaim.KIND, wanted.name), wanted, held)


def claimed_number(world: Reader, owner: AnyObject, pool: str, attribute: str, held: int) -> Claimed:
    """The same for a number."""
    return claimed_value(world, owner, pool, attribute, Value(number=held))


def number_contributions(pool: str, held: Callable[[Any], int]) -> tuple[Contribution, ...]:
    """What a Kind with a number of its own puts into the indexes: nobody else gets the number that an object has."""

    def values(owner: Any) -> Iterator[tuple[str, int]]:
        number = held(owner)
        if number:
            yield (pool, number)

    return holding(values, lambda owner: owner.key)


def number_audit(pool: str, attribute: str, held: Callable[[Any], int]) -> Callable[[Any, Reader], Iterator[Violation]]:
    """What a Kind with a number of its own is audited for: nobody else has it, and its claim has no other one."""

    def audit(owner: Any, world: Reader) -> Iterator[Violation]:
        name = claim_name(pool, owner.kind, owner.namespace, owner.name, attribute)
        number = held(owner)
        if number:
            yield from sharing_findings(owner.key, attribute, str(number), ((pool, number),), world)
            yield from claimed_findings(world, name, attribute, str(number))

    return audit


def claimed_findings(world: Reader, claim: str, field: str, value: str) -> Iterator[Violation]:
    """Whether the value that an object has in a field is the one that its claim has."""
    found = world.get(allocationclaim.KIND, claim)
    granted = found.status.value if found is not None and not found.deleting else None
    if granted is not None and str(granted) != value:
        why = f"AllocationClaim {claim} has {granted}"
        repair = "delete the AllocationClaim: it is made again for the value that the object has"
        yield Violation(field, why, value=value, audit_only=True, repair=repair)


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
