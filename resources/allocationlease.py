"""AllocationLease: which value belongs to whom, also for a while after the claim is gone.

A workload that comes back within that time gets its value again.
A lease is Active while a claim holds it, Retained while only the object that keeps it is left, Released while its time
runs, and deleted when that is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Absent, Delete, Outcome, Write
from juneau.engine.world import Reader
from juneau.resources.allocationpool import HOLDERS, holding, named
from juneau.resources.status import Status

CLAIM = "AllocationClaim"
POOL = "AllocationPool"
MOST_SECONDS = 2**31 - 1  # that a lease can outlive its claim


@frozen
class Value:
    """A number or an address."""

    number: Annotated[int, Mark("the number")] = 0
    ip: Annotated[str, Mark("the address")] = ""

    @property
    def as_number(self) -> int | None:
        """The value as the pool's arithmetic has it, or None where it is empty."""
        if self.number:
            return self.number
        address = ipv4(self.ip)
        return int(address) if address is not None else None

    def __str__(self) -> str:
        return self.ip or str(self.number)


@frozen
class ObjectReference:
    """Another object; `namespace` only for Kinds that have one."""

    api_version: Annotated[str, Mark("apiVersion of the object", min_length=1)]
    kind: Annotated[str, Mark("Kind of the object", min_length=1)]
    name: Annotated[str, Mark("name of the object", min_length=1)]
    namespace: Annotated[str, Mark("namespace of the object")] = ""

    @property
    def key(self) -> Key:
        return Key(self.kind, self.namespace, self.name)

    def is_known(self, world: Reader) -> bool:
        """Whether it is of a Kind that can be looked up here: only then its absence means that it is gone."""
        return world.knows(self.api_version, self.kind)

    def find(self, world: Reader) -> AnyObject | None:
        """The object, None also where its Kind is not known."""
        return world.look(self.key) if self.is_known(world) else None


@frozen
class PoolReference:
    """A pool by its name."""

    name: Annotated[str, Mark("name of the AllocationPool", min_length=1)]


@frozen
class ClaimReference:
    """The claim that holds a lease now."""

    name: Annotated[str, Mark("name of the AllocationClaim")] = ""
    uid: Annotated[str, Mark("UID of the AllocationClaim")] = ""


@frozen
class AllocationLeaseSpec:
    """What is reserved, and for whom."""

    pool_ref: Annotated[PoolReference, Mark("the pool, which also owns the lease", immutable=True)]
    value: Annotated[Value, Mark("the reserved value", immutable=True)]
    claim_ref: Annotated[ClaimReference, Mark("claim that holds it now")] = ClaimReference()
    owner_deletion_timestamp: Annotated[Time | None, Mark("when the holding claim was deleted")] = None
    ttl_seconds: Annotated[int, Mark("how long the lease survives its claim", minimum=0, maximum=MOST_SECONDS)] = 0
    retain_while: Annotated[ObjectReference | None, Mark("keep the lease while that object exists")] = None


@frozen(kw_only=True)
class AllocationLeaseStatus(Status):
    """How long the lease will last."""

    expires_at: Annotated[Time | None, Mark("end of the grace period")] = None
    retain_released_at: Annotated[Time | None, Mark("when the object that keeps it was first seen gone")] = None


AllocationLease: TypeAlias = Object[AllocationLeaseSpec, AllocationLeaseStatus]


class LeasePhase(StrEnum):
    """How far a lease is from its end."""

    ACTIVE = "Active"
    RETAINED = "Retained"
    RELEASED = "Released"
    EXPIRED = "Expired"


def validate(new: AllocationLease, old: AllocationLease | None, _world: Reader) -> Iterator[Violation]:
    value = new.spec.value
    if not value.number and not value.ip:
        yield Violation("spec.value", "set number or ip", Cause.REQUIRED)  # LEASE-2
    if value.number and value.ip:
        yield Violation("spec.value", "set only one of number and ip", value=str(value))  # LEASE-3
    if value.ip and ipv4(value.ip) is None:
        yield Violation("spec.value.ip", "must be an IPv4 address", value=value.ip)
    if not new.spec.claim_ref.name and (old is None or old.spec.claim_ref.name):
        yield Violation("spec.claimRef.name", "names the AllocationClaim that holds the lease", Cause.REQUIRED)


def audit(lease: AllocationLease, world: Reader) -> Iterator[Violation]:
    spec, phase = lease.spec, lease.status.phase
    claim = world.look(Key(CLAIM, "", spec.claim_ref.name))
    value = str(spec.value)
    if claim is not None and spec.owner_deletion_timestamp is None:
        if phase not in ("", LeasePhase.ACTIVE):
            why = f"its time runs, while AllocationClaim {claim.name} holds it"
            yield Violation("status.phase", why, value=phase, audit_only=True, repair=_WITHOUT_CONTROLLER)
    else:
        if phase in ("", LeasePhase.ACTIVE):
            why = "no AllocationClaim holds it, and its time does not run"
            yield Violation("status.phase", why, value=phase, audit_only=True, repair=_WITHOUT_CONTROLLER)
        for other in _other_leases(lease, world):
            repair = f"delete AllocationLease {lease.name}, which nobody needs"
            yield Violation("spec.value", f"{named(other)} has it too", value=value, audit_only=True, repair=repair)
    pool = Key(POOL, "", spec.pool_ref.name)
    if not lease.metadata.owner_references and not world.exists(pool):
        why, repair = f"there is no {named(pool)}", "delete the AllocationLease"
        yield Violation("spec.poolRef", why, value=pool.name, audit_only=True, repair=repair)


_WITHOUT_CONTROLLER = "see that a controller is running; it has not looked at the AllocationLease since"


def _other_leases(lease: AllocationLease, world: Reader) -> list[Key]:
    number = lease.spec.value.as_number
    holders = world.values(HOLDERS, (lease.spec.pool_ref.name, number)) if number is not None else []
    return [holder for holder in holders if holder.kind == lease.kind and holder != lease.key]


@frozen
class Facts:
    """What decides about a lease."""

    lease: AllocationLease
    now: Time
    claim_is_live: bool
    is_retained: bool
    gone_since: Time | None  # when the object that keeps it was first seen gone, None where none does
    expires_at: Time | None  # None while something keeps the lease
    retainer_is_known: bool = True


def facts(obj: AnyObject, world: Reader, now: Time) -> Facts:
    lease: AllocationLease = obj
    spec = lease.spec
    claim = world.look(Key(CLAIM, "", spec.claim_ref.name))
    claim_is_live = spec.owner_deletion_timestamp is None and claim is not None
    retainer = spec.retain_while
    retainer_is_known = retainer is None or retainer.is_known(world)
    # What cannot be looked up may be there for all we know: a value becomes free only on proof.
    is_retained = retainer is not None and (not retainer_is_known or retainer.find(world) is not None)
    if claim_is_live or is_retained:
        return Facts(lease, now, claim_is_live, is_retained, None, None, retainer_is_known)
    gone_since: Time | None = None
    if spec.retain_while is not None:
        seen_gone = lease.status.retain_released_at
        gone_since = since = seen_gone if seen_gone is not None else now
    elif spec.owner_deletion_timestamp is not None:
        since = spec.owner_deletion_timestamp
    elif lease.status.expires_at is not None:
        # Its claim went without a word; what the first look said holds.
        return Facts(lease, now, False, False, None, lease.status.expires_at)
    else:
        since = now
    return Facts(lease, now, False, False, gone_since, Time(since + spec.ttl_seconds))


def _has_a_claim(facts: Facts) -> bool:
    return facts.claim_is_live


def _is_retained(facts: Facts) -> bool:
    return facts.is_retained


def _time_is_running(facts: Facts) -> bool:
    return facts.expires_at is not None and facts.now < facts.expires_at


def _retained_message(facts: Facts) -> str:
    retainer = facts.lease.spec.retain_while
    if retainer is None or facts.retainer_is_known:
        return ""
    return f"{retainer.kind} of {retainer.api_version} is no Kind known here, so {retainer.name} counts as being there"


def _retain_wait(facts: Facts) -> tuple[Wait, ...]:
    retainer = facts.lease.spec.retain_while
    return (Wait(retainer.key, "metadata", "kept while it exists"),) if retainer is not None else ()


MACHINE = PhaseMachine[Facts](
    rows=(
        Row(_has_a_claim, LeasePhase.ACTIVE, "Held"),
        Row(_is_retained, LeasePhase.RETAINED, "Retained", _retained_message, _retain_wait),
        Row(_time_is_running, LeasePhase.RELEASED, "Released"),
        Row(None, LeasePhase.EXPIRED, "Expired"),
    ),
    phases=LeasePhase,
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    lease = facts.lease
    status = AllocationLeaseStatus(
        conditions=lease.status.conditions,
        expires_at=facts.expires_at,
        retain_released_at=facts.gone_since,
    )
    writes: tuple[Write, ...] = ()
    if verdict.phase == LeasePhase.EXPIRED and not lease.deleting:
        writes = (Delete(lease.key, lease.metadata.uid, lease.metadata.resource_version),)
        if lease.spec.owner_deletion_timestamp is None and lease.spec.claim_ref.name:
            writes = (Absent(Key(CLAIM, "", lease.spec.claim_ref.name)), *writes)
    return Outcome(
        verdict,
        status,
        {"Ready": (verdict.phase == LeasePhase.ACTIVE, verdict.reason, verdict.message)},
        writes,
        again=facts.expires_at,
    )


def _held_numbers(lease: AllocationLease) -> Iterator[tuple[str, int]]:
    number = lease.spec.value.as_number
    if number is not None:
        yield (lease.spec.pool_ref.name, number)


KIND = Kind(
    name="AllocationLease",
    plural="allocationleases",
    spec=AllocationLeaseSpec,
    status=AllocationLeaseStatus,
    scope=Scope.CLUSTER,
    doc="A value of a pool that is reserved, with its holder and the time it outlives it.",
    columns=(
        Column("Pool", ".spec.poolRef.name"),
        Column("Claim", ".spec.claimRef.name"),
        Column("Number", ".spec.value.number", "integer"),
        Column("IP", ".spec.value.ip"),
        Column("Phase", ".status.phase"),
        Column("ExpiresAt", ".status.expiresAt"),
    ),
    validate=validate,
    audit=audit,
    indexes=holding(_held_numbers, lambda lease: lease.key),
    controller=Controller(facts, MACHINE, outcome),
)
