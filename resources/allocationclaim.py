"""AllocationClaim: a wish for one value of a pool, for one field of one object.

A claim that has its value never loses it.
The lease is written first, then the pool's status, then the claim's: the pool's resourceVersion is the lock, so that of
two who choose the same value one starts over, and what was written before a crash tells how to go on.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from enum import StrEnum
from ipaddress import IPv4Address
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4
from juneau.engine.durations import seconds_of
from juneau.engine.errors import Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import is_dns_subdomain
from juneau.engine.objects import AnyObject, Key, Object, OwnerReference, Time
from juneau.engine.outcome import Absent, Create, Delete, Outcome, Update, UpdateStatus, Write
from juneau.engine.world import Reader, contribution
from juneau.resources import allocationlease, allocationpool
from juneau.resources.allocation import Choice, Decision, Fault, Request, StaleLease, choose
from juneau.resources.allocationlease import (
    MOST_SECONDS,
    AllocationLease,
    AllocationLeaseSpec,
    ClaimReference,
    ObjectReference,
    PoolReference,
    Value,
)
from juneau.resources.allocationpool import CLAIMS, AllocationPool, holding
from juneau.resources.claimaudit import claim_findings
from juneau.resources.reservation import CHOSEN, FINALIZER, RESERVED_BY, SHARERS, Sharer
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

# The lease's own resourceVersion when it was last taken, so that to take it is always to change it.
TAKEN_AT = "juneau.loutres.me/taken-at"
# The claim's own resourceVersion when a lease that it might have taken was given up.
FENCED_AT = "juneau.loutres.me/fenced-at"
# UID of the object in a namespace that the claim was made for, which no API server takes along with it.
GOES_WITH = "juneau.loutres.me/goes-with"


@frozen
class AllocationFilter:
    """Narrows a pool of addresses."""

    cidrs: Annotated[tuple[str, ...], Mark("prefixes within the pool's", unique=True)] = ()


@frozen
class AllocationClaimSpec:
    """What is wanted, and for what."""

    pool_refs: Annotated[tuple[PoolReference, ...], Mark("pools, tried in order", min_items=1, immutable=True)]
    resource_ref: Annotated[ObjectReference, Mark("the object the value is for", immutable=True)]
    attribute: Annotated[str, Mark("the field it fills, such as status.vni", min_length=1, immutable=True)]
    requested_number: Annotated[int | None, Mark("ask for this number", minimum=1, immutable=True)] = None
    requested_ip: Annotated[str, Mark("ask for this address", json="requestedIP", immutable=True)] = ""
    allocation_filter: Annotated[AllocationFilter | None, Mark("narrow a pool of addresses", immutable=True)] = None
    release_after: Annotated[str, Mark("how long the lease survives the claim, such as 24h; empty: not at all")] = ""
    reuse_key: Annotated[str, Mark("name of the lease; claims with one key share the value", immutable=True)] = ""
    retain_while: Annotated[ObjectReference | None, Mark("keep the lease while it exists", immutable=True)] = None


@frozen(kw_only=True)
class AllocationClaimStatus(Status):
    """The value, once there is one."""

    value: Annotated[Value | None, Mark("the value; empty while Pending")] = None


AllocationClaim: TypeAlias = Object[AllocationClaimSpec, AllocationClaimStatus]


class ClaimPhase(StrEnum):
    """Whether a claim has its value."""

    PENDING = Phase.PENDING.value
    ALLOCATED = Phase.ALLOCATED.value


def lease_name(claim: AllocationClaim) -> str:
    """The name of the lease that a claim uses."""
    return claim.spec.reuse_key or claim.name


def validate(new: AllocationClaim, _old: AllocationClaim | None, _world: Reader) -> Iterator[Violation]:
    spec = new.spec
    if spec.reuse_key and not is_dns_subdomain(spec.reuse_key):
        yield Violation("spec.reuseKey", "must be a DNS-1123 subdomain", value=spec.reuse_key)
    seconds = seconds_of(spec.release_after) if spec.release_after else 0.0
    if seconds is None:
        yield Violation("spec.releaseAfter", 'must be a duration, such as "24h"', value=spec.release_after)
    elif seconds > MOST_SECONDS:
        why = f"must be at most {MOST_SECONDS}s, which is what a lease can count"
        yield Violation("spec.releaseAfter", why, value=spec.release_after)
    if spec.requested_ip and ipv4(spec.requested_ip) is None:
        # CLAIM-15: a value that nobody can give is accepted; the outcome says so.
        yield Violation("spec.requestedIP", "must be an IPv4 address", value=spec.requested_ip, refused=False)


def audit(claim: AllocationClaim, world: Reader) -> Iterator[Violation]:
    yield from claim_findings(claim, lease_name(claim), world)


@frozen
class Facts:
    """What decides about a claim; `decision` is None where nothing has to be chosen."""

    obj: AllocationClaim
    now: Time
    lease: AllocationLease | None
    sharers: tuple[Sharer, ...]  # other live claims that share the reservation
    owner_exists: bool = True
    owner_is_known: bool = True  # of a Kind that can be looked up here
    decision: Decision | None = None
    undecided: tuple[AllocationClaim, ...] = ()  # where the lease is stale: whoever may be about to take it
    unleased: Choice | None = None  # the value that it has, where there is no lease of it

    @property
    def is_abandoned(self) -> bool:
        """Whether it was made for an object that is gone; one that somebody else made may wait for its object."""
        return GOES_WITH in self.obj.metadata.annotations and self.owner_is_known and not self.owner_exists

    @property
    def holds_the_lease(self) -> bool:
        return self.lease is not None and self.lease.spec.claim_ref.name == self.obj.name

    @property
    def heir(self) -> str:
        """Who holds the lease next: first a claim that has its value, then one that may take it; else empty."""
        lease = self.lease
        able = [sharer for sharer in self.sharers if lease is not None and sharer.wants(lease)]
        return min(((sharer.number is None, sharer.name) for sharer in able), default=(True, ""))[1]


def facts(obj: AnyObject, world: Reader, now: Time) -> Facts:
    claim: AllocationClaim = obj
    lease = world.get_spec(allocationlease.KIND, lease_name(claim))
    shared = world.values(SHARERS, claim.spec.reuse_key) if claim.spec.reuse_key else []
    sharers = tuple(sharer for sharer in shared if sharer.name != claim.name)
    if claim.deleting:
        return Facts(claim, now, lease, sharers)
    owner = claim.spec.resource_ref
    if _value_of(claim) is not None:
        # Whether it is there concerns only a claim that goes with it.
        exists = GOES_WITH not in claim.metadata.annotations or world.exists(owner.key)
        known = exists or owner.is_known(world)
        return Facts(claim, now, lease, sharers, exists, known, unleased=_unleased(claim, lease, world))
    if owner.find(world) is None:
        return Facts(claim, now, lease, sharers, owner_exists=False, owner_is_known=owner.is_known(world))
    if claim.spec.requested_ip and ipv4(claim.spec.requested_ip) is None:
        return Facts(claim, now, lease, sharers, decision=Fault(f'"{claim.spec.requested_ip}" is no IPv4 address'))
    decision = choose(_request(claim, lease, sharers, world), world)
    undecided: tuple[AllocationClaim, ...] = ()
    if isinstance(decision, StaleLease):
        others = (world.get(KIND, sharer.name) for sharer in sharers if sharer.number is None)
        undecided = (claim, *(other for other in others if other is not None))
    return Facts(claim, now, lease, sharers, decision=decision, undecided=undecided)


def _unleased(claim: AllocationClaim, lease: AllocationLease | None, world: Reader) -> Choice | None:
    """What a claim has whose lease somebody deleted; one that took its value without a lease needs none."""
    number = _value_of(claim)
    if lease is not None or number is None or CHOSEN in claim.metadata.annotations:
        return None
    found = (world.get_spec(allocationpool.KIND, pool.name) for pool in claim.spec.pool_refs)
    pools = [pool for pool in found if pool is not None and not pool.deleting]
    fitting = [pool for pool in pools if allocationpool.covers(pool, number)]
    return next((Choice(pool, number) for pool in (*fitting, *pools)), None)


def _request(
    claim: AllocationClaim, lease: AllocationLease | None, sharers: tuple[Sharer, ...], world: Reader
) -> Request:
    spec = claim.spec
    holder = lease.spec.claim_ref.name if lease is not None else ""
    # A lease that is held by nobody alive, or by this very name, is there to be taken.
    alive = bool(holder) and holder != claim.name and world.look(Key(KIND.name, "", holder)) is not None
    owners = {spec.resource_ref.key, *(sharer.owner for sharer in sharers)}
    if spec.reuse_key:
        owners.update(world.values(RESERVED_BY, spec.reuse_key))
    return Request(
        tuple(pool.name for pool in spec.pool_refs),
        frozenset((claim.name, *(sharer.name for sharer in sharers))),
        lease,
        holder if alive else "",
        _pinned(claim),
        bool(spec.requested_ip),
        spec.allocation_filter.cidrs if spec.allocation_filter is not None else None,
        lease is not None and any(sharer.wants(lease) for sharer in sharers),
        frozenset(owners),
        _chosen(claim),
    )


def _pinned(claim: AllocationClaim) -> int | None:
    address = ipv4(claim.spec.requested_ip) if claim.spec.requested_ip else None
    return int(address) if address is not None else claim.spec.requested_number


def _chosen(claim: AllocationClaim) -> tuple[str, int] | None:
    pool, _, number = claim.metadata.annotations.get(CHOSEN, "").rpartition("/")
    return (pool, int(number)) if pool and number.isascii() and number.isdecimal() else None


def _value_of(claim: AllocationClaim) -> int | None:
    value = claim.status.value
    return value.as_number if value is not None else None


def _has_a_value(facts: Facts) -> bool:
    return _value_of(facts.obj) is not None


def _owner_is_missing(facts: Facts) -> bool:
    return not facts.owner_exists


def _a_value_is_chosen(facts: Facts) -> bool:
    return isinstance(facts.decision, Choice)


def _lease_is_stale(facts: Facts) -> bool:
    return isinstance(facts.decision, StaleLease)


def _time_may_help(facts: Facts) -> bool:
    return isinstance(facts.decision, Fault) and facts.decision.by_time and not facts.decision.taken


def _owner_message(facts: Facts) -> str:
    owner = facts.obj.spec.resource_ref
    if not facts.owner_is_known:
        return f"{owner.kind} of {owner.api_version} is no Kind known here"
    return f"{owner.key} does not exist"


def _fault_message(facts: Facts) -> str:
    return facts.decision.message if isinstance(facts.decision, Fault) else ""


def _stale_message(facts: Facts) -> str:
    return facts.decision.why if isinstance(facts.decision, StaleLease) else ""


def _pool_waits(facts: Facts) -> tuple[Wait, ...]:
    if isinstance(facts.decision, Fault) and facts.decision.pool:
        return (Wait(Key("AllocationPool", "", facts.decision.pool), "a free value", facts.decision.message),)
    return ()


def _owner_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(facts.obj.spec.resource_ref.key, "metadata", "does not exist"),) if facts.owner_is_known else ()


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_has_a_value, Phase.ALLOCATED, "Allocated"),
        Row(_owner_is_missing, Phase.PENDING, "AllocationFailed", _owner_message, _owner_waits),
        Row(_a_value_is_chosen, Phase.ALLOCATED, "Allocated"),
        Row(_lease_is_stale, Phase.PENDING, "Pending", _stale_message),
        Row(_time_may_help, Phase.PENDING, "Pending", _fault_message, _pool_waits),
        Row(None, Phase.PENDING, "AllocationFailed", _fault_message, _pool_waits),
    ),
    phases=ClaimPhase,
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    claim = facts.obj
    if claim.deleting:
        return Outcome(verdict, claim.status, writes=_release(facts), finalizers=_finalizers(claim, keep=False))
    status, writes = claim.status, _keep_lease(facts)
    if facts.is_abandoned:
        writes = (Absent(claim.spec.resource_ref.key), Delete(claim.key, claim.metadata.uid))
    elif isinstance(facts.decision, Choice):
        status = evolve(status, value=_value(facts.decision))
        writes = _take(facts, facts.decision)
    elif isinstance(facts.decision, StaleLease) and facts.lease is not None:
        writes = tuple(_give_up(facts, facts.decision.pool, facts.lease))
    elif not _has_a_value(facts):
        writes = (*_unmark(claim), *writes)
    ready = (verdict.phase == Phase.ALLOCATED, verdict.reason, verdict.message)
    return Outcome(verdict, status, {"Ready": ready}, writes, _finalizers(claim, keep=True))


def _finalizers(claim: AllocationClaim, keep: bool) -> tuple[str, ...]:
    others = tuple(name for name in claim.metadata.finalizers if name != FINALIZER)
    return (*others, FINALIZER) if keep else others


def _value(choice: Choice) -> Value:
    if choice.pool.spec.ip is not None:
        return Value(ip=str(IPv4Address(choice.number)))
    return Value(number=choice.number)


def _take(facts: Facts, choice: Choice) -> tuple[Write, ...]:
    """Lease, then the pool's status, which is the lock; the claim's own status comes last."""
    claim, pool, value = facts.obj, choice.pool, _value(choice)
    lock = _lock(pool, last_allocated_number=value.number, last_allocated_ip=value.ip)
    if facts.lease is not None and choice.from_lease:
        return (*_unmark(claim), *_adopt(facts, facts.lease), lock)
    if facts.lease is not None:
        # ALLOC-C6: the lease by its name is another one's, so the claim itself says what it is about to take.
        annotations = {**claim.metadata.annotations, CHOSEN: f"{pool.name}/{choice.number}"}
        return (Update(claim.with_metadata(annotations=annotations)), lock)
    return (*_unmark(claim), _make_lease(claim, choice), lock)


def _unmark(claim: AllocationClaim) -> Iterator[Write]:
    """What it is not going to take without a lease any more is not held either.

    Whoever is about to write that value to the claim meets a conflict.
    """
    if CHOSEN in claim.metadata.annotations:
        others = {name: text for name, text in claim.metadata.annotations.items() if name != CHOSEN}
        yield Update(claim.with_metadata(annotations=others))


def _make_lease(claim: AllocationClaim, choice: Choice) -> Create:
    pool = choice.pool
    spec = AllocationLeaseSpec(
        PoolReference(pool.name), _value(choice), _reference(claim), None, _ttl(claim), claim.spec.retain_while
    )
    owner = OwnerReference(allocationpool.KIND.api_version, pool.kind, pool.name, pool.metadata.uid, controller=True)
    return Create(allocationlease.KIND.new(lease_name(claim), spec, owner_references=(owner,)), undo=True)


def _lock(pool: AllocationPool, **changes: object) -> UpdateStatus:
    """Nobody else has handed out a value of the pool since it was read, and whoever tries to meets a conflict."""
    version = pool.status.allocation_version + 1
    return UpdateStatus(pool.with_status(allocation_version=version, **changes), lock=True)


def _adopt(facts: Facts, lease: AllocationLease) -> Iterator[Write]:
    """To take a lease is always to change it: whoever gives it up at the same time meets a conflict, or this one does.

    Of claims that share it the first one stays the holder.
    """
    annotations = {**lease.metadata.annotations, TAKEN_AT: lease.metadata.resource_version}
    taken, holder = lease.with_metadata(annotations=annotations), lease.spec.claim_ref.name
    running_out = lease.spec.owner_deletion_timestamp is not None
    if facts.holds_the_lease or running_out:
        yield Update(_held_by(facts.obj, taken))
    elif any(sharer.name == holder for sharer in facts.sharers):
        yield Update(taken)
    else:
        if holder:
            yield Absent(Key(KIND.name, "", holder))
        yield Update(_held_by(facts.obj, taken))


def _give_up(facts: Facts, pool: AllocationPool, lease: AllocationLease) -> Iterator[Write]:
    """Whoever is about to take the value by this lease has to look again.

    It meets a conflict at the lock, or, where it has that already, at the claim that it is going to write the value to.
    """
    for claim in facts.undecided:
        annotations = {**claim.metadata.annotations, FENCED_AT: claim.metadata.resource_version}
        yield Update(claim.with_metadata(annotations=annotations))
    yield _lock(pool)
    yield _delete(lease)


def _held_by(claim: AllocationClaim, lease: AllocationLease) -> AllocationLease:
    return lease.with_spec(
        claim_ref=_reference(claim),
        owner_deletion_timestamp=None,
        ttl_seconds=_ttl(claim),
        retain_while=claim.spec.retain_while,
    )


def _keep_lease(facts: Facts) -> tuple[Write, ...]:
    """Its lease follows a claim that was made again; one of another claim is left alone.

    One that runs out, because who gave it up did not know of this claim yet, is held on to.
    One that somebody deleted is made again, under the lock, as when the value was taken.
    """
    if facts.lease is None:
        found = facts.unleased
        return (_make_lease(facts.obj, found), _lock(found.pool)) if found is not None else ()
    number = _value_of(facts.obj)
    runs_out = facts.lease.spec.owner_deletion_timestamp is not None
    shared = runs_out and number is not None and facts.lease.spec.value.as_number == number
    if not (facts.holds_the_lease or shared):
        return ()
    held = _held_by(facts.obj, facts.lease)
    return (Update(held),) if held.spec != facts.lease.spec else ()


def _delete(lease: AllocationLease) -> Delete:
    return Delete(lease.key, lease.metadata.uid, lease.metadata.resource_version)


def _release(facts: Facts) -> tuple[Write, ...]:
    """ALLOC-C9: the lease passes to another claim of the reservation, begins to run out, or goes."""
    claim, lease = facts.obj, facts.lease
    if lease is None or not facts.holds_the_lease:
        return ()
    if facts.heir:
        return (Update(lease.with_spec(claim_ref=ClaimReference(facts.heir))),)
    if not _ttl(claim):
        return (_delete(lease),)
    if lease.spec.owner_deletion_timestamp is not None:
        return ()
    return (Update(lease.with_spec(owner_deletion_timestamp=facts.now, ttl_seconds=_ttl(claim))),)


def _reference(claim: AllocationClaim) -> ClaimReference:
    return ClaimReference(claim.name, claim.metadata.uid)


def _ttl(claim: AllocationClaim) -> int:
    """Part of a second is a second: a lease that is to outlive its claim does."""
    return min(math.ceil(seconds_of(claim.spec.release_after) or 0), MOST_SECONDS)


def _taken_numbers(claim: AllocationClaim) -> Iterator[tuple[str, int]]:
    number, chosen = _value_of(claim), _chosen(claim)
    if number is not None:
        for pool in claim.spec.pool_refs:
            yield (pool.name, number)
    elif chosen is not None and not claim.deleting:
        yield chosen


def _of_pools(claim: AllocationClaim) -> Iterator[tuple[Hashable, str]]:
    if not claim.deleting:
        for pool in claim.spec.pool_refs:
            yield (pool.name, claim.name)


def _sharers(claim: AllocationClaim) -> Iterator[tuple[Hashable, Sharer]]:
    if claim.spec.reuse_key and not claim.deleting:
        pools = tuple(pool.name for pool in claim.spec.pool_refs)
        owner = claim.spec.resource_ref.key
        yield (claim.spec.reuse_key, Sharer(claim.name, pools, _value_of(claim), _pinned(claim), owner))


KIND = Kind(
    name="AllocationClaim",
    plural="allocationclaims",
    spec=AllocationClaimSpec,
    status=AllocationClaimStatus,
    scope=Scope.CLUSTER,
    doc="A wish for one value of a pool, for one field of one object.",
    columns=(
        Column("Phase", ".status.phase"),
        Column("Number", ".status.value.number", "integer"),
        Column("IP", ".status.value.ip"),
        Column.condition("Ready"),
    ),
    validate=validate,
    audit=audit,
    indexes=(
        *holding(_taken_numbers, lambda claim: claim.key),
        contribution(CLAIMS, _of_pools),
        contribution(SHARERS, _sharers),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=(Phase.PENDING.value, "AllocationFailed"),
    reread=("AllocationPool", "AllocationLease", "AllocationClaim"),
)
