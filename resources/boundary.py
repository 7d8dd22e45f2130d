"""What a network says about its boundary: its gateway, RouteTable and NetworkACL, and how they fit.

Rules are accepted and kept, but no dataplane filters packets by them yet; whoever names some says so loudly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import Annotated

from attrs import frozen

from juneau.engine.addresses import ipv4, ipv4_network
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.objects import AnyObject, Key, condition
from juneau.engine.outcome import Note
from juneau.engine.world import Index, Reader
from juneau.resources import allocationlease, routetable
from juneau.resources.allocationlease import LeasePhase
from juneau.resources.allocationpool import HOLDERS, named


@frozen
class L2Gateway:
    """The way out of an L2Network."""

    address: Annotated[str, Mark("address it answers on; empty: the first of the prefix")] = ""
    route_table: Annotated[str, Mark("RouteTable of the same Vpc; empty: the main one")] = ""


@frozen
class ResolvedACL:
    """A NetworkACL at the time a network resolved it; `aclID` 0 means that it is missing or has no number yet."""

    name: Annotated[str, Mark("name of the NetworkACL")] = ""
    acl_id: Annotated[int, Mark("number that the dataplane writes at the boundary", json="aclID")] = 0
    ruleset_version: Annotated[int, Mark("version of the rules at resolution")] = 0


@frozen
class ACLView:
    """A NetworkACL as networks see it."""

    vpc: str
    acl_id: int
    ruleset_version: int


GATEWAY_ADDRESS = "spec.gateway.address"
POLICY_ENFORCED = "PolicyEnforced"

# By the name of the NetworkACL.
ACLS: Index[ACLView] = Index("network-acls")


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


def table_violations(name: str, vpc_name: str, field: str, world: Reader) -> Iterator[Violation]:
    """A RouteTable that is named has to exist, in the same Vpc."""
    table = world.get_spec(routetable.KIND, name)
    if table is None:
        yield Violation(field, "no such RouteTable", Cause.NOT_FOUND, name, settled=False)
    elif table.spec.vpc != vpc_name:
        yield Violation(field, f"belongs to Vpc {table.spec.vpc}, not to Vpc {vpc_name}", value=name)


def acl_violations(obj: AnyObject, name: str, vpc: str, world: Reader) -> Iterator[Violation]:
    """A NetworkACL that is named has to exist, in the same Vpc."""
    if not name or obj.deleting:
        return
    found = world.values(ACLS, name)
    if not found:
        yield Violation("spec.networkACL", "no such NetworkACL", Cause.NOT_FOUND, name, settled=False, audit_only=True)
    elif found[0].vpc != vpc:
        why = f"belongs to Vpc {found[0].vpc}; a NetworkACL of Vpc {vpc} is needed"
        yield Violation("spec.networkACL", why, value=name, audit_only=True)


def resolved_acl(name: str, world: Reader) -> ResolvedACL | None:
    """The status of a network's ACL; None where it names none."""
    if not name:
        return None
    found = world.values(ACLS, name)
    return ResolvedACL(name, found[0].acl_id, found[0].ruleset_version) if found else ResolvedACL(name)


def not_enforced(obj: AnyObject, policy: str) -> Mapping[str, tuple[bool, str, str]]:
    """The condition that tells an owner that what it names, such as `NetworkACL edge`, filters nothing yet.

    With an empty `policy`, what was said before is taken back.
    """
    if policy:
        return {POLICY_ENFORCED: (False, "NotEnforcedYet", _not_enforced_message(policy))}
    if condition(obj, POLICY_ENFORCED) is not None:
        return {POLICY_ENFORCED: (True, "NothingToEnforce", "")}
    return {}


def not_enforced_notes(policy: str) -> tuple[Note, ...]:
    """The same as an Event."""
    return (Note("Warning", "PolicyNotEnforced", _not_enforced_message(policy)),) if policy else ()


def _not_enforced_message(policy: str) -> str:
    return f"{policy} is not enforced: this version of Juneau does not filter packets yet, all of them pass"


def named_acl(name: str) -> str:
    """A network's NetworkACL as `not_enforced` wants it; empty where it names none."""
    return f"NetworkACL {name}" if name else ""
