"""The gateway of an L2Network: which address it answers on, and that nobody else may have that."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network
from typing import Annotated

from attrs import frozen

from juneau.engine.addresses import ipv4, ipv4_network
from juneau.engine.errors import Violation
from juneau.engine.fields import Mark
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources import allocationlease
from juneau.resources.allocationlease import LeasePhase
from juneau.resources.allocationpool import HOLDERS, named

GATEWAY_ADDRESS = "spec.gateway.address"


@frozen
class L2Gateway:
    """The way out of an L2Network."""

    address: Annotated[str, Mark("address it answers on; empty: the first of the prefix")] = ""
    route_table: Annotated[str, Mark("RouteTable of the same Vpc; empty: the main one")] = ""


def gateway_address(gateway: L2Gateway | None, cidr_text: str) -> IPv4Address | None:
    """The address that a gateway answers on, None without a gateway or where what is written is none."""
    if gateway is None:
        return None
    if gateway.address:
        return ipv4(gateway.address)
    cidr = ipv4_network(cidr_text)
    return cidr.network_address + 1 if cidr is not None else None


def gateway_address_violations(text: str, cidr: IPv4Network | None) -> Iterator[Violation]:
    """A gateway's address is one that a host of the prefix may have."""
    address = ipv4(text)
    if address is None:
        yield Violation(GATEWAY_ADDRESS, 'must be an IPv4 address, such as "10.0.1.1"', value=text)
    elif cidr is None:
        return
    elif address not in cidr:
        yield Violation(GATEWAY_ADDRESS, f"must lie inside spec.cidr, {cidr}", value=text)
    elif address == cidr.network_address:
        why = f"is the network address of {cidr}; hosts begin at {cidr.network_address + 1}"
        yield Violation(GATEWAY_ADDRESS, why, value=text)
    elif address == cidr.broadcast_address:
        why = f"is the broadcast address of {cidr}; hosts end at {cidr.broadcast_address - 1}"
        yield Violation(GATEWAY_ADDRESS, why, value=text)


def holder_violations(address: IPv4Address, pool: str, world: Reader) -> Iterator[Violation]:
    """Excluding an address takes none back: a workload that has it already would share it with the gateway."""
    holders = [who for who in world.values(HOLDERS, (pool, int(address))) if _holds(who, world)]
    if holders:
        why = f"is held by {named(holders[0])}; write another address there, or delete the workload that has it first"
        yield Violation(GATEWAY_ADDRESS, why, value=str(address), audit_only=True)


def _holds(key: Key, world: Reader) -> bool:
    """Whether a workload is behind a holder: claims that are leaving and leases that only wait do not count."""
    if key.kind == allocationlease.KIND.name:
        lease = world.get(allocationlease.KIND, key.name)
        return lease is not None and lease.status.phase not in (LeasePhase.RELEASED, LeasePhase.EXPIRED)
    holder = world.look(key)
    return holder is not None and not holder.deleting
