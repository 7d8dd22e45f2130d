"""Choosing a value: the lease that is there already, the value that was asked for, or the lowest free one.

Pure; what is chosen here counts only once the pool's status was written under the resourceVersion that was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address
from typing import TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4_network
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources import allocationpool
from juneau.resources.allocationlease import CLAIM, AllocationLease
from juneau.resources.allocationpool import HOLDERS, AllocationPool, named


@frozen
class Request:
    """What a claim asks of its pools.

    `sharers` are the claims of the same reservation, this one included, `owners` the objects that these are for;
    `lease` is the one that the claim's key names, `holder` the live claim that has it, or empty;
    `pinned` a value that is asked for by name, of a pool of addresses if `by_address`;
    `is_wanted` whether another claim of the reservation has the lease's value, or would take it;
    `chosen` what was chosen before, as (pool, number), where that is not known to count yet.
    """

    pools: tuple[str, ...]
    sharers: frozenset[str]
    lease: AllocationLease | None = None
    holder: str = ""
    pinned: int | None = None
    by_address: bool = False
    within: tuple[str, ...] | None = None
    is_wanted: bool = False
    owners: frozenset[Key] = frozenset()
    chosen: tuple[str, int] | None = None


@frozen
class Choice:
    """A value of a pool; `from_lease` where it is the one reserved already."""

    pool: AllocationPool
    number: int
    from_lease: bool = False

    @property
    def text(self) -> str:
        return text_of(self.pool, self.number)


@frozen
class StaleLease:
    """The reservation of a value of this pool has to be given up before anything can be chosen."""

    pool: AllocationPool
    why: str


@frozen
class Fault:
    """Nothing can be chosen; `by_time` where a value that becomes free, or a pool that appears, changes that.

    `taken`: it is the very value that was asked for which somebody has.
    """

    message: str
    by_time: bool = False
    taken: bool = False
    pool: str = ""


Decision: TypeAlias = Choice | StaleLease | Fault


def text_of(pool: AllocationPool, number: int) -> str:
    """A value as people read it."""
    return str(IPv4Address(number)) if pool.spec.ip is not None else str(number)


def choose(request: Request, world: Reader) -> Decision:
    """The value for a claim."""
    reserved = _reserved(request, world)
    if reserved is not None:
        return _from_lease(request, *reserved, world)
    if request.pinned is not None:
        return _pinned(request, request.pinned, world)
    return _lowest(request, world)


def _reserved(request: Request, world: Reader) -> tuple[AllocationLease, AllocationPool, int] | None:
    """The lease with its value, unless it is of a pool that is not asked, or off limits: held by another live claim."""
    lease = request.lease
    if lease is None or (request.holder and request.holder not in request.sharers):
        return None
    number, pool = lease.spec.value.as_number, world.get_spec(allocationpool.KIND, lease.spec.pool_ref.name)
    if pool is None or number is None or pool.name not in request.pools:
        return None
    return lease, pool, number


def _from_lease(request: Request, lease: AllocationLease, pool: AllocationPool, number: int, world: Reader) -> Decision:
    if request.pinned is not None and request.pinned != number:
        why = f'AllocationLease "{lease.name}" has {text_of(pool, number)}, not {text_of(pool, request.pinned)}'
        return Fault(why) if request.holder or request.is_wanted else StaleLease(pool, why)
    fault = _why_stale(request, lease, pool, number, world)
    if fault is None:
        return Choice(pool, number, from_lease=True)
    # It is not this claim's to give up while another one of the reservation relies on it.
    return Fault(fault) if request.holder or _is_relied_on(request, pool, number, world) else StaleLease(pool, fault)


def _is_relied_on(request: Request, pool: AllocationPool, number: int, world: Reader) -> bool:
    holders = world.values(HOLDERS, (pool.name, number))
    return any(who in request.owners or (who.kind == CLAIM and who.name in request.sharers) for who in holders)


def _is_at_its_owner(request: Request, pool: AllocationPool, number: int, world: Reader) -> bool:
    """Whether the object that the claim is for has the value already: then the claim only comes back for it."""
    return any(who in request.owners for who in world.values(HOLDERS, (pool.name, number)))


def _why_stale(
    request: Request, lease: AllocationLease, pool: AllocationPool, number: int, world: Reader
) -> str | None:
    text = text_of(pool, number)
    at_its_owner = _is_at_its_owner(request, pool, number, world)
    if not at_its_owner and not _is_in(allocationpool.candidates(pool), number):
        return f'{text} of AllocationLease "{lease.name}" lies outside of AllocationPool "{pool.name}" by now'
    if not at_its_owner and allocationpool.is_excluded(pool, number):
        return f'{text} of AllocationLease "{lease.name}" is excluded from AllocationPool "{pool.name}" by now'
    others = _others(request, lease, pool, number, world)
    return f"{text} is held by {named(others[0])} too" if others else None


def _is_in(ranges: Iterable[tuple[int, int]], number: int) -> bool:
    return any(first <= number <= last for first, last in ranges)


def _others(
    request: Request, lease: AllocationLease | None, pool: AllocationPool, number: int, world: Reader
) -> list[Key]:
    """Who holds a value besides the claims, the owners and the lease of this reservation."""
    own = {Key(CLAIM, "", name) for name in request.sharers} | request.owners
    if lease is not None:
        own.add(lease.key)
    return [who for who in world.values(HOLDERS, (pool.name, number)) if who not in own]


def _pinned(request: Request, number: int, world: Reader) -> Decision:
    for name in request.pools:
        pool = world.get_spec(allocationpool.KIND, name)
        if pool is None:
            continue
        text = text_of(pool, number)
        of_its_type = (pool.spec.ip is not None) == request.by_address
        if not of_its_type:
            continue
        at_its_owner = _is_at_its_owner(request, pool, number, world)
        if not at_its_owner and not _is_in(_ranges(request, pool), number):
            continue
        if not at_its_owner and allocationpool.is_excluded(pool, number):
            return Fault(f'{text} is excluded from AllocationPool "{name}"')
        others = _others(request, None, pool, number, world)
        if others:
            why = f'{text} of AllocationPool "{name}" is held by {named(others[0])}'
            return Fault(why, by_time=True, taken=True, pool=name)
        return Choice(pool, number)
    missing = [name for name in request.pools if world.get_spec(allocationpool.KIND, name) is None]
    if missing:
        return Fault(f'AllocationPool "{missing[0]}" does not exist', by_time=True, pool=missing[0])
    return Fault(f"the value asked for lies outside of AllocationPool {_listed(request.pools)}")


def _lowest(request: Request, world: Reader) -> Decision:
    missing, has_candidates = "", False
    for name in request.pools:
        pool = world.get_spec(allocationpool.KIND, name)
        if pool is None:
            missing = missing or name
            continue
        ranges = _ranges(request, pool)
        has_candidates = has_candidates or bool(ranges)
        number = _chosen_before(request, pool, ranges, world)
        if number is None:
            number = allocationpool.lowest_free(pool, world, ranges)
        if number is not None:
            return Choice(pool, number)
    if missing:
        return Fault(f'AllocationPool "{missing}" does not exist', by_time=True, pool=missing)
    if request.within is not None and not has_candidates:
        entries = _listed(request.within) or "none"
        return Fault(f"no entry of allocationFilter.cidrs ({entries}) lies in AllocationPool {_listed(request.pools)}")
    return Fault(f"AllocationPool {_listed(request.pools)} has no free value", by_time=True, pool=request.pools[0])


def _chosen_before(request: Request, pool: AllocationPool, ranges: list[tuple[int, int]], world: Reader) -> int | None:
    """What the claim is marked with counts as taken, by itself: it is chosen again unless somebody else has it."""
    if request.chosen is None or request.chosen[0] != pool.name:
        return None
    number = request.chosen[1]
    lost = allocationpool.is_excluded(pool, number) or _others(request, None, pool, number, world)
    return number if _is_in(ranges, number) and not lost else None


def _ranges(request: Request, pool: AllocationPool) -> list[tuple[int, int]]:
    ranges = allocationpool.candidates(pool)
    if request.within is None or pool.spec.ip is None:
        return ranges
    return list(_narrowed(ranges, request.within))


def _narrowed(ranges: Iterable[tuple[int, int]], within: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The parts of `ranges` that lie in one of the prefixes; a prefix that is not wholly inside a range is dropped."""
    prefixes = [network for network in map(ipv4_network, within) if network is not None]
    for first, last in ranges:
        for network in prefixes:
            low, high = int(network.network_address), int(network.broadcast_address)
            # A pool's own prefix reaches one address further on both sides than what it hands out.
            if first - 1 <= low and high <= last + 1:
                yield max(first, low), min(last, high)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
