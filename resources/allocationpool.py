"""AllocationPool: values that are handed out one by one, numbers or addresses.

Controllers make pools; the truth about what is taken lies in AllocationClaims and AllocationLeases.
A pool's status, written under the resourceVersion that was read, is the lock between two that hand out at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import StrEnum
from ipaddress import IPv4Address
from typing import Annotated, Any, TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4, ipv4_network, prefix_fault
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Contribution, Index, NumberIndex, Reader, contribution, number_contribution
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

# Which numbers of a pool nobody may be given: those that claims, leases and objects have, and those that are excluded.
TAKEN = NumberIndex("values-taken")
# By (pool, number): who has it: an AllocationClaim, an AllocationLease, or the object that it was claimed for.
HOLDERS: Index[Key] = Index("value-holders")
# By pool: the names of claims that list it and are not being deleted.
CLAIMS: Index[str] = Index("pool-claims")


def holding(values: Callable[[Any], Iterable[tuple[str, int]]], who: Callable[[Any], Key]) -> tuple[Contribution, ...]:
    """What a Kind puts into the indexes whose objects have values of pools: (pool, number), and whose they are."""

    def taken(obj: Any) -> Iterator[tuple[Hashable, int]]:
        yield from values(obj)

    def holders(obj: Any) -> Iterator[tuple[Hashable, Key]]:
        for slot in values(obj):
            yield (slot, who(obj))

    return (number_contribution(TAKEN, taken), contribution(HOLDERS, holders))


def named(holder: Key) -> str:
    """A holder as messages name it."""
    return f"{holder.kind} {holder.namespace}/{holder.name}" if holder.namespace else f"{holder.kind} {holder.name}"


class PoolType(StrEnum):
    """What a pool hands out."""

    NUMBER = "number"
    IP = "ip"


@frozen
class NumberRange:
    """An inclusive range of numbers."""

    min: Annotated[int, Mark("lowest number", minimum=1, maximum=2**64 - 1, immutable=True)]
    max: Annotated[int, Mark("highest number", minimum=1, maximum=2**64 - 1, immutable=True)]


@frozen
class AddressRange:
    """An inclusive range of IPv4 addresses."""

    start: Annotated[str, Mark("first address")]
    end: Annotated[str, Mark("last address")]


@frozen
class AddressSpace:
    """The addresses of a pool: prefixes, ranges, and what is left out."""

    cidrs: Annotated[tuple[str, ...], Mark("candidate prefixes", unique=True)] = ()
    ranges: Annotated[tuple[AddressRange, ...], Mark("candidate ranges")] = ()
    excluded: Annotated[tuple[str, ...], Mark("addresses that are never handed out", unique=True)] = ()


@frozen
class AllocationPoolSpec:
    """What the pool hands out."""

    type: Annotated[str, Mark("what it hands out", immutable=True, choices=("number", "ip"))] = "number"
    strategy: Annotated[str, Mark("lowest free value first", immutable=True, choices=("firstFit",))] = "firstFit"
    number: Annotated[NumberRange | None, Mark("range of a pool of numbers", immutable=True)] = None
    ip: Annotated[AddressSpace | None, Mark("addresses of a pool of addresses")] = None


@frozen(kw_only=True)
class AllocationPoolStatus(Status):
    """What was handed out last; `allocationVersion` grows with every allocation."""

    allocation_version: Annotated[int, Mark("grows by one with every allocation")] = 0
    last_allocated_number: Annotated[int, Mark("the latest number")] = 0
    last_allocated_ip: Annotated[str, Mark("the latest address", json="lastAllocatedIP")] = ""


AllocationPool: TypeAlias = Object[AllocationPoolSpec, AllocationPoolStatus]


def default(pool: AllocationPool, _old: AllocationPool | None, _world: Reader) -> AllocationPool:
    """POOL-1, POOL-2: an empty type or strategy takes its default."""
    return pool.with_spec(type=pool.spec.type or "number", strategy=pool.spec.strategy or "firstFit")


def validate(new: AllocationPool, _old: AllocationPool | None, _world: Reader) -> Iterator[Violation]:
    spec = new.spec
    if spec.type == PoolType.NUMBER:
        if spec.number is None:
            yield Violation("spec.number", "a pool of type number needs a range", Cause.REQUIRED)
        elif spec.number.min > spec.number.max:
            yield Violation("spec.number.min", "must not be greater than spec.number.max", value=spec.number.min)
        if spec.ip is not None:
            yield Violation("spec.ip", "only for a pool of type ip", Cause.FORBIDDEN)
    elif spec.type == PoolType.IP:
        if spec.number is not None:
            yield Violation("spec.number", "only for a pool of type number", Cause.FORBIDDEN)
        if spec.ip is None:
            yield Violation("spec.ip", "a pool of type ip needs cidrs or ranges", Cause.REQUIRED)
        else:
            yield from _address_violations(spec.ip)


def _address_violations(space: AddressSpace) -> Iterator[Violation]:
    if not space.cidrs and not space.ranges:
        yield Violation("spec.ip", "needs at least one entry in cidrs or ranges", Cause.REQUIRED)
    for place, text in enumerate(space.cidrs):
        fault = prefix_fault(text)
        if fault is not None:
            yield Violation(f"spec.ip.cidrs[{place}]", fault, value=text)
    for place, part in enumerate(space.ranges):
        start, end = ipv4(part.start), ipv4(part.end)
        if start is None:
            yield Violation(f"spec.ip.ranges[{place}].start", "must be an IPv4 address", value=part.start)
        if end is None:
            yield Violation(f"spec.ip.ranges[{place}].end", "must be an IPv4 address", value=part.end)
        if start is not None and end is not None and start > end:
            yield Violation(f"spec.ip.ranges[{place}].start", f"must not be after the end, {end}", value=part.start)
    for place, text in enumerate(space.excluded):
        if ipv4(text) is None:
            yield Violation(f"spec.ip.excluded[{place}]", "must be an IPv4 address", value=text)


def refuse_deletion(pool: AllocationPool, world: Reader) -> Iterator[str]:
    """POOL-21."""
    claims = world.values(CLAIMS, pool.name)
    if claims:
        yield f'AllocationClaim "{min(claims)}" still uses it'


def candidates(pool: AllocationPool) -> list[tuple[int, int]]:
    """The inclusive ranges of numbers that a pool hands out from; network and broadcast addresses are left out."""
    spec = pool.spec
    if spec.number is not None:
        return [(spec.number.min, spec.number.max)]
    space = spec.ip or AddressSpace()
    found: list[tuple[int, int]] = []
    for text in space.cidrs:
        network = ipv4_network(text)
        if network is not None:
            spare = 1 if network.prefixlen < 31 else 0
            found.append((int(network.network_address) + spare, int(network.broadcast_address) - spare))
    for part in space.ranges:
        start, end = ipv4(part.start), ipv4(part.end)
        if start is not None and end is not None:
            found.append((int(start), int(end)))
    return found


def covers(pool: AllocationPool, number: int) -> bool:
    """Whether a value is one of the pool's at all, be it one that is handed out only if it is asked for."""
    spec = pool.spec
    if spec.number is not None:
        return spec.number.min <= number <= spec.number.max
    networks = [ipv4_network(text) for text in spec.ip.cidrs] if spec.ip is not None else []
    if any(net is not None and int(net[0]) <= number <= int(net[-1]) for net in networks):
        return True
    return any(first <= number <= last for first, last in candidates(pool))


def lowest_free(pool: AllocationPool, world: Reader, within: list[tuple[int, int]] | None = None) -> int | None:
    """The lowest value that nobody holds, out of the pool, or out of these parts of it."""
    taken = world.numbers(TAKEN, pool.name)
    for first, last in candidates(pool) if within is None else within:
        free = taken.lowest_free(first, last)
        if free is not None:
            return free
    return None


def is_excluded(pool: AllocationPool, number: int) -> bool:
    """Whether a value was taken out of the pool."""
    return pool.spec.ip is not None and str(IPv4Address(number)) in pool.spec.ip.excluded


def _excluded_numbers(pool: AllocationPool) -> Iterator[tuple[Hashable, int]]:
    for text in pool.spec.ip.excluded if pool.spec.ip is not None else ():
        address = ipv4(text)
        if address is not None:
            yield (pool.name, int(address))


@frozen
class Facts:
    """What decides about a pool."""

    obj: AllocationPool


def facts(obj: AnyObject, _world: Reader, _now: Time) -> Facts:
    return Facts(obj)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    return Outcome(verdict, facts.obj.status)


KIND = Kind(
    name="AllocationPool",
    plural="allocationpools",
    spec=AllocationPoolSpec,
    status=AllocationPoolStatus,
    scope=Scope.CLUSTER,
    doc="A pool of numbers or addresses that are handed out one by one.",
    columns=(Column("Type", ".spec.type"), Column("Strategy", ".spec.strategy"), Column.condition("Ready")),
    default=default,
    validate=validate,
    refuse_deletion=refuse_deletion,
    indexes=(number_contribution(TAKEN, _excluded_numbers),),
    controller=Controller(facts, MACHINE, outcome),
    lock=True,
)
