"""What Subnets and L2Networks share: a segment of a Vpc with a number, maybe a prefix, and maybe a gateway."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Address
from typing import Protocol

from juneau.engine.addresses import ipv4_network, ipv4_prefix, prefix_fault
from juneau.engine.errors import Violation
from juneau.engine.intents import Gateway, Intent, Segment, SegmentKind
from juneau.engine.machine import Phase, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key
from juneau.engine.world import Reader
from juneau.resources import routetable, vpc
from juneau.resources.belonging import VPC_NOT_FOUND, VPC_NOT_READY, InVpc, vpc_is_not_ready, vpc_message, vpc_waits
from juneau.resources.claiming import VNI_POOL, AboutClaim, number_contributions, number_exceeds_24_bits, waiting_for
from juneau.resources.networks import Prefix, overlap_violations, prefix_contributions
from juneau.resources.routetable import TABLE_NUMBERS
from juneau.resources.rows import DELETING


class AboutSegment(InVpc, AboutClaim, Protocol):
    """Facts about a Subnet or an L2Network, which claims its VNI.

    `absences` are the rules about its RouteTable, by name, that it breaks while that is not there.
    """

    @property
    def absences(self) -> tuple[Violation, ...]: ...

    @property
    def route_table(self) -> str: ...


def shared_vpc_violation(name: str) -> Violation:
    """SUB-3, L2N-2: nobody adds a network to the Vpc default."""
    why = "the Vpc default is shared by the whole cluster and has only the Subnet default; name a Vpc of your own"
    return Violation("spec.vpc", why, value=name)


def prefix_violations(obj: AnyObject, vpc: str, text: str, world: Reader) -> Iterator[Violation]:
    """A network's prefix is an IPv4 CIDR of /16 to /28 that overlaps nothing which can be reached from its Vpc."""
    prefix = ipv4_prefix(text)
    if prefix is None:
        yield Violation("spec.cidr", prefix_fault(text) or "", value=text)
        return
    if not 16 <= prefix.network.prefixlen <= 28:
        yield Violation("spec.cidr", "the prefix length must be /16 to /28", value=text)
    if not obj.deleting:
        yield from overlap_violations(world, obj.key, vpc, prefix.network, "spec.cidr")


def _number_message(facts: AboutSegment) -> str:
    return f"VNI {facts.claimed.number} exceeds 24 bits"


def vni_of(facts: AboutSegment) -> int:
    """The VNI to store: one that VXLAN cannot carry is told, not taken."""
    return facts.obj.status.vni if number_exceeds_24_bits(facts) else facts.claimed.number


def _its_vpc_is_not_ready_any_more(facts: AboutSegment) -> bool:
    return bool(facts.obj.status.vni) and vpc_is_not_ready(facts)


def _route_table_is_missing(facts: AboutSegment) -> bool:
    return bool(facts.absences)


def _absence_message(facts: AboutSegment) -> str:
    return "; ".join(map(str, facts.absences))


def _table_waits(facts: AboutSegment) -> tuple[Wait, ...]:
    return (Wait(Key(routetable.KIND.name, "", facts.route_table), "metadata", "does not exist"),)


def has_to_wait(facts: AboutSegment, verdict: Verdict) -> bool:
    """Whether nothing follows yet: a segment that has its number goes on following its spec, whatever its Vpc does."""
    return verdict.reason == VPC_NOT_FOUND.reason or (
        verdict.reason == VPC_NOT_READY.reason and not facts.obj.status.vni
    )


# With these the machine of a segment begins.
FIRST_ROWS: tuple[Row[AboutSegment], ...] = (
    DELETING,
    VPC_NOT_FOUND,
    Row(_its_vpc_is_not_ready_any_more, Phase.ALLOCATED, VPC_NOT_READY.reason, vpc_message, vpc_waits),
    VPC_NOT_READY,
    waiting_for("the VNI"),
    Row(number_exceeds_24_bits, Phase.FAILED, "NotImplemented", _number_message),
    Row(_route_table_is_missing, Phase.PENDING, "ReconcileFailed", _absence_message, _table_waits),
)


def segment_intents(
    obj: AnyObject, kind: SegmentKind, route_table: str | None, world: Reader, mtu: int | None = None
) -> Iterator[Intent]:
    """The segment once it and its Vpc have their numbers, and its gateway once the RouteTable has its own.

    `route_table` is None without a gateway, and empty for the main one.
    """
    spec, status = obj.spec, obj.status
    home = world.get(vpc.KIND, spec.vpc)
    if not status.vni or home is None or not home.status.vpc_id:
        return
    yield Segment(status.vni, kind, home.status.vpc_id, mtu)
    cidr = ipv4_network(spec.cidr)
    if route_table is None or cidr is None or not status.gateway:
        return
    for table in world.values(TABLE_NUMBERS, route_table or spec.vpc):
        # One of another Vpc would lead out of this one.
        if table.vpc == spec.vpc:
            acl_id = status.network_acl.acl_id if status.network_acl is not None else 0
            address = IPv4Address(status.gateway)
            yield Gateway(status.vni, address, status.gateway_mac, cidr, table.table_id, acl_id)


def segment_uses(obj: AnyObject, route_table: str) -> Iterator[tuple[Hashable, str]]:
    """What must not be deleted while a segment names it."""
    yield (("Vpc", obj.spec.vpc), obj.name)
    if route_table:
        yield (("RouteTable", route_table), obj.name)
    if obj.spec.network_acl:
        yield (("NetworkACL", obj.spec.network_acl), obj.name)


def _prefixes(obj: AnyObject) -> Iterator[Prefix]:
    cidr = ipv4_network(obj.spec.cidr)
    if cidr is not None:
        yield Prefix(obj.key, obj.spec.vpc, cidr, obj.kind)


SEGMENT_INDEXES = (
    *number_contributions(VNI_POOL, lambda owner: owner.status.vni),
    *prefix_contributions(_prefixes),
)
