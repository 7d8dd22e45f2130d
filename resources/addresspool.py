"""AddressPool: addresses from outside that the cluster may hand out, and how the outside learns of them.

ExternalNetworks and BGPAdvertisements refer to it by name.
What is taken of it is told by the AllocationPool that is made from it, `addr-<name>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from ipaddress import IPv4Network
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.errors import Cause, Violation, quoted
from juneau.engine.fields import Mark
from juneau.engine.intents import ExternalPrefix, Intent
from juneau.engine.kind import Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.names import prefixed_name
from juneau.engine.objects import AnyObject, Object, Time
from juneau.engine.outcome import Outcome, Write
from juneau.engine.world import Reader
from juneau.resources import allocationpool
from juneau.resources.allocationpool import AddressRange, AddressSpace
from juneau.resources.claiming import pool_writes
from juneau.resources.externals import NODE_INTERNAL_IPS
from juneau.resources.networks import listed, users
from juneau.resources.poolentries import (
    Entry,
    cidr_fault,
    entry_contributions,
    entry_of,
    overlapping,
    range_fault,
    unreadable,
)
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

ADDRESS_POOL = "AddressPool"


class Mode(StrEnum):
    """How the outside learns where addresses are: by routes, or by answers to ARP."""

    BGP = "bgp"
    ARP = "arp"


@frozen
class AddressPoolSpec:
    """The addresses, and how they are made reachable."""

    advertise_mode: Annotated[
        str,
        Mark(
            "bgp: routes are announced, and addresses are CIDRs; arp: Nodes answer ARP, and addresses are ranges",
            immutable=True,
            choices=("bgp", "arp"),
        ),
    ]
    addresses: Annotated[
        tuple[str, ...],
        Mark(
            "bgp: IPv4 CIDRs, /8 to /32; arp: inclusive IPv4 ranges, start-end, in the L2 subnet of the Nodes' NIC; "
            "entries can be added, not removed",
            min_items=1,
            min_length=1,
            unique=True,
        ),
    ]


@frozen(kw_only=True)
class AddressPoolStatus(Status):
    """Nothing of its own: what is taken shows on AllocationLeases."""


AddressPool: TypeAlias = Object[AddressPoolSpec, AddressPoolStatus]


def allocation_pool(name: str) -> str:
    """The AllocationPool out of which an AddressPool's addresses are handed out."""
    return prefixed_name("addr-", name)


def blocks(pool: AddressPool) -> tuple[IPv4Network, ...]:
    """The prefixes that a pool consists of, a range as those that make it up; what cannot be read is left out."""
    return tuple(block for _, _, entry in _entries(pool) if entry is not None for block in entry.blocks)


def contains(pool: AddressPool, network: IPv4Network) -> bool:
    """Whether one prefix of a pool has all of a network."""
    return any(network.subnet_of(block) for block in blocks(pool))


def named(names: tuple[str, ...], mode: str, world: Reader) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the AddressPools that an object names: those that are missing, and those that are not of a mode."""
    pools = {name: world.get_spec(KIND, name) for name in names}
    missing = tuple(name for name, pool in pools.items() if pool is None)
    unfit = tuple(name for name, pool in pools.items() if pool is not None and pool.spec.advertise_mode != mode)
    return missing, unfit


def named_violations(names: tuple[str, ...], mode: str, need: str, world: Reader) -> Iterator[Violation]:
    """What is wrong with the AddressPools that an object names in `spec.addressPools`; `need` says which it needs."""
    for place, name in enumerate(names):
        pool, field = world.get_spec(KIND, name) if name else None, f"spec.addressPools[{place}]"
        if name and pool is None:
            yield Violation(field, "no such AddressPool", Cause.NOT_FOUND, name, settled=False)
        elif pool is not None and pool.spec.advertise_mode != mode and mode in list(Mode):
            why = f"its advertiseMode is {pool.spec.advertise_mode}; {need}"
            yield Violation(field, why, value=name, audit_only=True)


def _is_by_range(pool: AddressPool) -> bool:
    return pool.spec.advertise_mode == Mode.ARP


def _entries(pool: AddressPool) -> Iterator[tuple[str, str, Entry | None]]:
    """Of each entry: whose it is, as it is written, and what it means."""
    for text in pool.spec.addresses:
        yield (pool.name, text, entry_of(pool.name, text, _is_by_range(pool)))


def validate(new: AddressPool, old: AddressPool | None, world: Reader) -> Iterator[Violation]:
    # AP-1 to AP-4 and AP-11 are the marks of the fields.
    fault_of = range_fault if _is_by_range(new) else cidr_fault
    for place, text in enumerate(new.spec.addresses):
        fault = fault_of(text) if text else ""
        if fault:  # AP-5 to AP-10
            yield Violation(f"spec.addresses[{place}]", fault, value=text)
    removed = [text for text in old.spec.addresses if text not in new.spec.addresses] if old is not None else []
    if removed:  # AP-12
        why = f"the list only grows; put {', '.join(map(quoted, removed))} back"
        yield Violation("spec.addresses", why, value=list(new.spec.addresses))
    if not new.deleting:
        yield from _overlap_violations(new, world)


def _overlap_violations(pool: AddressPool, world: Reader) -> Iterator[Violation]:
    for other, text in unreadable(world, pool.name):  # AP-16
        why = f"cannot be compared with AddressPool {other}, whose entry {quoted(text)} cannot be read"
        repair = f"delete AddressPool {other} and create it anew"
        yield Violation("spec.addresses", f"{why}; {repair}", audit_only=True, repair=repair)
    for place, (_, text, entry) in enumerate(_entries(pool)):
        for other_entry in overlapping(world, entry) if entry is not None else ():  # AP-13 to AP-15
            shared = entry.shared_with(other_entry) if entry is not None else None
            span = f"{shared[0]}-{shared[1]}" if shared is not None else ""
            yield Violation(
                f"spec.addresses[{place}]",
                f"shares {span} with {quoted(other_entry.text)} of AddressPool {other_entry.pool}; "
                "an address can be in one AddressPool only: choose other addresses",
                value=text,
                audit_only=True,
                repair=f"delete this AddressPool or AddressPool {other_entry.pool}, and create it anew without {span}",
            )


def refuse_deletion(pool: AddressPool, world: Reader) -> Iterator[str]:
    """AP-17, AP-18; an ExternalNetwork that is being deleted counts until it is gone."""
    for kind in ("ExternalNetwork", "BGPAdvertisement"):
        names = users(world, ADDRESS_POOL, pool.name, kind)
        if names:
            yield f"{listed(kind, names)} still uses it"


@frozen
class Facts:
    """What follows for a pool."""

    obj: AddressPool
    writes: tuple[Write, ...]


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    pool: AddressPool = obj
    name = allocation_pool(pool.name)
    return Facts(pool, tuple(pool_writes(pool, name, _space(pool, name, world), world)))


def _space(pool: AddressPool, name: str, world: Reader) -> AddressSpace:
    """What is handed out already keeps its place, so that the order in which addresses are given never changes."""
    made = world.get_spec(allocationpool.KIND, name)
    held = made.spec.ip if made is not None and made.spec.ip is not None else AddressSpace()
    if not _is_by_range(pool):
        return AddressSpace(cidrs=_in_order(pool.spec.addresses, held.cidrs), excluded=_nodes_own(pool, world))
    before = tuple(f"{part.start}-{part.end}" for part in held.ranges)
    ranges = (text.split("-") for text in _in_order(pool.spec.addresses, before))
    parts = tuple(AddressRange(start, end) for start, end in ranges)
    return AddressSpace(ranges=parts, excluded=_nodes_own(pool, world))


def _nodes_own(pool: AddressPool, world: Reader) -> tuple[str, ...]:
    """AP-D3: a Node's InternalIP can be nobody else's, so it is not handed out."""
    parts = [entry for _, _, entry in _entries(pool) if entry is not None]
    found = {ip for ip in world.values(NODE_INTERNAL_IPS, "") if any(one.first <= ip <= one.last for one in parts)}
    return tuple(map(str, sorted(found)))


def _in_order(wanted: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    kept = tuple(text for text in before if text in wanted)
    return (*kept, *(text for text in wanted if text not in kept))


MACHINE = PhaseMachine[Facts](rows=(DELETING, Row(None, Phase.READY, "ReconcileSucceeded")))


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    return Outcome(verdict, facts.obj.status, writes=() if facts.obj.deleting else facts.writes)


def intents(pool: AddressPool, _world: Reader) -> Iterator[Intent]:
    """AP-D1: what is sent to these addresses is never the host's."""
    for block in blocks(pool):
        yield ExternalPrefix(block)


KIND = Kind(
    name=ADDRESS_POOL,
    plural="addresspools",
    spec=AddressPoolSpec,
    status=AddressPoolStatus,
    scope=Scope.CLUSTER,
    doc="Addresses from outside the cluster that it may hand out and announce.",
    age_column=True,
    validate=validate,
    refuse_deletion=refuse_deletion,
    indexes=entry_contributions(_entries),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
)
