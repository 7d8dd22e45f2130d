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
from juneau.resources.allocationlease import AllocationLease
from juneau.resources.allocationpool import HOLDERS, AllocationPool


@frozen
class Request:
    """What a claim asks of its pools.

    `sharers` are the claims of the same reservation, this one included; `holder` is the live claim that has the lease,
    or empty; `pinned` a value that is asked for by name, of a pool of addresses if `by_address`;
    `is_wanted` whether another claim of the reservation has the lease's value, or would take it.
    """

    pools: tuple[str, ...]
    sharers: frozenset[str]
    lease: AllocationLease | None = None
    holder: str = ""
    pinned: int | None = None
    by_address: bool = False
    within: tuple[str, ...] | None = None
    is_wanted: bool = False


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
    """Nothing can be chosen; `by_time` where a value that becomes free, or a pool that appears, changes that."""

    message: str
    by_time: bool = False
    pool: str = ""


Decision: TypeAlias = Choice | StaleLease | Fault


def text_of(pool: AllocationPool, number: int) -> str:
    """A value as people read it."""
    return str(IPv4Address(number)) if pool.spec.ip is not None else str(number)


def choose(request: Request, world: Reader) -> Decision:
    """The value for a claim."""
    if request.lease is not None:
        return _from_lease(request, request.lease, world)
    if request.pinned is not None:
        return _pinned(request, request.pinned, world)
    return _lowest(request, world)


def _from_lease(request: Request, lease: AllocationLease, world: Reader) -> Decision:
    number = lease.spec.value.as_number
    pool = world.get_spec(allocationpool.KIND, lease.spec.pool_ref.name)
    if request.holder and request.holder not in request.sharers:
        return Fault(f'AllocationLease "{lease.name}" is held by AllocationClaim "{request.holder}"')
    if pool is None or number is None or pool.name not in request.pools:
        return Fault(f'AllocationLease "{lease.name}" is of AllocationPool "{lease.spec.pool_ref.name}"')
    if request.pinned is not None and request.pinned != number:
        fault = f'AllocationLease "{lease.name}" has {text_of(pool, number)}, not {text_of(pool, request.pinned)}'
        return Fault(fault) if request.holder or request.is_wanted else StaleLease(pool, fault)
    fault = _why_stale(request, lease, pool, number, world)
    if fault is None:
        return Choice(pool, number, from_lease=True)
    # It is not this claim's to give up while another one of the reservation relies on it.
    return Fault(fault) if request.holder or _is_relied_on(request, pool, number, world) else StaleLease(pool, fault)


def _is_relied_on(request: Request, pool: AllocationPool, number: int, world: Reader) -> bool:
    holders = world.entries(HOLDERS, (pool.name, number))
    return any(key.kind == "AllocationClaim" and key.name in request.sharers for key in holders)


def _why_stale(
    request: Request, lease: AllocationLease, pool: AllocationPool, number: int, world: Reader
) -> str | None:
    text = text_of(pool, number)
    if not any(first <= number <= last for first, last in allocationpool.candidates(pool)):
        return f'{text} of AllocationLease "{lease.name}" lies outside of AllocationPool "{pool.name}" by now'
    if allocationpool.is_excluded(pool, number):
        return f'{text} of AllocationLease "{lease.name}" is excluded from AllocationPool "{pool.name}" by now'
    others = _others(request, lease, pool, number, world)
    return f"{text} is held by {others[0]} too" if others else None


def _others(
    request: Request, lease: AllocationLease | None, pool: AllocationPool, number: int, world: Reader
) -> list[str]:
    """Who holds a value besides the claims and the lease of this reservation."""
    own = {Key("AllocationClaim", "", name) for name in request.sharers}
    if lease is not None:
        own.add(lease.key)
    holders = world.entries(HOLDERS, (pool.name, number))
    return [who for key in sorted(holders) if key not in own for who in holders[key]]


def _pinned(request: Request, number: int, world: Reader) -> Decision:
    for name in request.pools:
        pool = world.get_spec(allocationpool.KIND, name)
        if pool is None:
            continue
        text = text_of(pool, number)
        of_its_type = (pool.spec.ip is not None) == request.by_address
        if not of_its_type or not any(first <= number <= last for first, last in _ranges(request, pool)):
            continue
        if allocationpool.is_excluded(pool, number):
            return Fault(f'{text} is excluded from AllocationPool "{name}"')
        others = _others(request, None, pool, number, world)
        if others:
            return Fault(f'{text} of AllocationPool "{name}" is held by {others[0]}', by_time=True, pool=name)
        return Choice(pool, number)
    missing = [name for name in request.pools if world.get_spec(allocationpool.KIND, name) is None]
    if missing:
        return Fault(f'AllocationPool "{missing[0]}" does not exist', by_time=True, pool=missing[0])
    return Fault(f"the value asked for lies outside of AllocationPool {_listed(request.pools)}")


def _lowest(request: Request, world: Reader) -> Decision:
    missing = ""
    for name in request.pools:
        pool = world.get_spec(allocationpool.KIND, name)
        if pool is None:
            missing = missing or name
            continue
        number = allocationpool.lowest_free(pool, world, _ranges(request, pool))
        if number is not None:
            return Choice(pool, number)
    if missing:
        return Fault(f'AllocationPool "{missing}" does not exist', by_time=True, pool=missing)
    return Fault(f"AllocationPool {_listed(request.pools)} has no free value", by_time=True, pool=request.pools[0])


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
