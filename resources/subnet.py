"""Subnet: a segment of a Vpc with an IPv4 prefix.

Pods join it through NICs; it decides their addresses, their gateway, their virtual DNS resolver and the overlay segment
they sit on.
Every node answers ARP for the gateway, so a Pod's gateway is always on its own node.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Address, IPv4Network
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4_network
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.intents import Gateway, Intent, Neighbour, Segment, SegmentKind
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import stable_mac
from juneau.engine.objects import AnyObject, Key, Object, Time, is_ready
from juneau.engine.outcome import Outcome, Write
from juneau.engine.world import Reader, contribution
from juneau.resources import routetable, vpc
from juneau.resources.allocationpool import AddressSpace
from juneau.resources.boundary import (
    ResolvedACL,
    acl_violations,
    named_acl,
    not_enforced,
    not_enforced_notes,
    prefix_violations,
    resolved_acl,
    table_violations,
    vpc_message,
    vpc_waits,
)
from juneau.resources.claiming import VNI_POOL, ClaimedNumber, claimed_number, number_contributions, pool_writes
from juneau.resources.networks import (
    AUTOMATIC_ROUTES,
    DEFAULT_SUBNET,
    DEFAULT_VPC,
    NETWORKS,
    USERS,
    AutomaticRoute,
    Network,
    Prefix,
    address_pool,
    cidr_fault,
    prefix_contributions,
)
from juneau.resources.status import Status
from juneau.resources.vpc import Vpc

HIGHEST_VNI = 2**24 - 1


@frozen
class SubnetSpec:
    """Where the segment belongs and which addresses it has."""

    vpc: Annotated[str, Mark("Vpc that the Subnet belongs to", min_length=1, immutable=True)]
    cidr: Annotated[str, Mark("IPv4 prefix, /16 to /28; host bits are cleared", min_length=1, immutable=True)]
    route_table: Annotated[str, Mark("RouteTable of the same Vpc; empty: the main one")] = ""
    network_acl: Annotated[str, Mark("NetworkACL of the same Vpc; empty: none", json="networkACL")] = ""


@frozen(kw_only=True)
class SubnetStatus(Status):
    """The segment as dataplanes and Pods know it."""

    vni: Annotated[int, Mark("VXLAN network identifier; never changes once set")] = 0
    gateway: Annotated[str, Mark("gateway address, the first usable one")] = ""
    gateway_mac: Annotated[str, Mark("MAC with which the gateway answers ARP", json="gatewayMAC")] = ""
    dns: Annotated[str, Mark("virtual DNS resolver, the second usable address")] = ""
    dns_mac: Annotated[str, Mark("MAC of the resolver", json="dnsMAC")] = ""
    network_acl: Annotated[ResolvedACL | None, Mark("resolved spec.networkACL", json="networkACL")] = None


Subnet: TypeAlias = Object[SubnetSpec, SubnetStatus]


def default(subnet: Subnet, _old: Subnet | None, _world: Reader) -> Subnet:
    """SUB-4: host bits are cleared, unlike on an L2Network."""
    cidr = ipv4_network(subnet.spec.cidr)
    return subnet if cidr is None or str(cidr) == subnet.spec.cidr else subnet.with_spec(cidr=str(cidr))


def validate(new: Subnet, old: Subnet | None, world: Reader) -> Iterator[Violation]:
    spec = new.spec
    if not new.deleting and old is None and world.look(Key("Vpc", "", spec.vpc)) is None:
        yield Violation("spec.vpc", "no such Vpc", Cause.NOT_FOUND, spec.vpc, settled=False)  # SUB-1
    if new.name == DEFAULT_SUBNET and spec.vpc != DEFAULT_VPC:
        yield Violation("spec.vpc", "the Subnet default belongs to the Vpc default", value=spec.vpc)  # SUB-2
    if new.name != DEFAULT_SUBNET and spec.vpc == DEFAULT_VPC:  # SUB-3
        why = "the Vpc default is shared by the whole cluster and has only the Subnet default; name a Vpc of your own"
        yield Violation("spec.vpc", why, value=spec.vpc)
    if old is None and spec.cidr:
        yield from prefix_violations(new, spec.vpc, spec.cidr, world)  # SUB-5 to SUB-14
    yield from _table_violations(new, world)
    if old is None or old.spec.network_acl != spec.network_acl:
        yield from acl_violations(new, spec.network_acl, spec.vpc, world)


def _table_violations(subnet: Subnet, world: Reader) -> Iterator[Violation]:
    name = subnet.spec.route_table
    if not name or subnet.deleting:
        return
    if subnet.name == DEFAULT_SUBNET:
        yield Violation("spec.routeTable", "the Subnet default uses the main RouteTable", Cause.FORBIDDEN)  # SUB-17
        return
    yield from table_violations(name, subnet.spec.vpc, "spec.routeTable", world)


def refuse_deletion(subnet: Subnet, _world: Reader) -> Iterator[str]:
    if subnet.name == DEFAULT_SUBNET:
        yield "the Subnet default belongs to the whole cluster and cannot be deleted"  # SUB-23


@frozen
class Facts:
    """What decides about a Subnet."""

    subnet: Subnet
    cidr: IPv4Network | None
    vpc: Vpc | None
    number: ClaimedNumber
    acl: ResolvedACL | None
    writes: tuple[Write, ...]

    @property
    def vni(self) -> int:
        return self.subnet.status.vni or self.number.number


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    subnet: Subnet = obj
    number = claimed_number(world, subnet, VNI_POOL, "status.vni", subnet.status.vni)
    cidr = ipv4_network(subnet.spec.cidr)
    pool = address_pool(subnet.kind, subnet.name)
    return Facts(
        subnet,
        cidr,
        world.get(vpc.KIND, subnet.spec.vpc),
        number,
        resolved_acl(subnet.spec.network_acl, world),
        tuple(pool_writes(subnet, pool, _space(cidr), world)) if cidr is not None else (),
    )


def _usable(cidr: IPv4Network, place: int) -> IPv4Address | None:
    """The address at a place after the network address, if it is one that hosts may have."""
    address = cidr.network_address + place
    return address if address < cidr.broadcast_address else None


def _space(cidr: IPv4Network) -> AddressSpace:
    """SUB-C5: .1 is the gateway, .2 the resolver, .3 is kept free for a later virtual service."""
    excluded = tuple(str(address) for place in (1, 2, 3) if (address := _usable(cidr, place)) is not None)
    return AddressSpace(cidrs=(str(cidr),), excluded=excluded)


def _is_deleting(facts: Facts) -> bool:
    return facts.subnet.deleting


def _vpc_is_missing(facts: Facts) -> bool:
    return facts.vpc is None


def _vpc_is_not_ready(facts: Facts) -> bool:
    return facts.vpc is not None and not is_ready(facts.vpc)


def _number_is_missing(facts: Facts) -> bool:
    return not facts.vni


def _number_is_too_high(facts: Facts) -> bool:
    return facts.vni > HIGHEST_VNI


def _vpc_message(facts: Facts) -> str:
    return vpc_message(facts.subnet.spec.vpc, facts.vpc)


def _vpc_waits(facts: Facts) -> tuple[Wait, ...]:
    return vpc_waits(facts.subnet.spec.vpc, facts.vpc)


def _number_message(facts: Facts) -> str:
    return f"waiting for the VNI{': ' if facts.number.why else ''}{facts.number.why}"


MACHINE = PhaseMachine[Facts](
    rows=(
        Row(_is_deleting, Phase.PENDING, "Deleting"),
        Row(_vpc_is_missing, Phase.PENDING, "VpcNotFound", _vpc_message, _vpc_waits),
        Row(_vpc_is_not_ready, Phase.PENDING, "VpcNotReady", _vpc_message, _vpc_waits),
        Row(_number_is_missing, Phase.PENDING, "NotReady", _number_message, lambda facts: facts.number.waits),
        Row(_number_is_too_high, Phase.FAILED, "NotImplemented", lambda facts: f"VNI {facts.vni} exceeds 24 bits"),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    subnet = facts.subnet
    if subnet.deleting:
        return Outcome(verdict, subnet.status)
    policy = named_acl(subnet.spec.network_acl)
    conditions, notes = not_enforced(subnet, policy), not_enforced_notes(policy)
    if verdict.reason in ("VpcNotFound", "VpcNotReady") or facts.cidr is None:
        return Outcome(verdict, subnet.status, conditions, notes=notes)
    uid, held = subnet.metadata.uid, subnet.status
    gateway, dns = _usable(facts.cidr, 1), _usable(facts.cidr, 2)
    status = evolve(
        held,
        vni=facts.vni,
        gateway=str(gateway),
        gateway_mac=held.gateway_mac or stable_mac(uid, "gateway"),
        dns=str(dns) if dns is not None else "",
        dns_mac=held.dns_mac or stable_mac(uid, "dns") if dns is not None else "",
        network_acl=facts.acl,
    )
    return Outcome(verdict, status, conditions, (*facts.number.writes, *facts.writes), notes=notes)


def intents(subnet: Subnet, world: Reader) -> Iterator[Intent]:
    status, cidr = subnet.status, ipv4_network(subnet.spec.cidr)
    vpc_object = world.get(vpc.KIND, subnet.spec.vpc)
    if cidr is None or not status.vni or vpc_object is None or not vpc_object.status.vpc_id:
        return
    yield Segment(status.vni, SegmentKind.SUBNET, vpc_object.status.vpc_id)
    if status.dns:
        yield Neighbour(status.vni, IPv4Address(status.dns), status.dns_mac)
    table = world.get(routetable.KIND, subnet.spec.route_table or subnet.spec.vpc)
    if status.gateway and table is not None and table.status.table_id:
        gateway = IPv4Address(status.gateway)
        acl_id = status.network_acl.acl_id if status.network_acl is not None else 0
        yield Gateway(status.vni, gateway, status.gateway_mac, cidr, table.status.table_id, acl_id)


def _network(subnet: Subnet) -> Iterator[tuple[Hashable, Network]]:
    status = subnet.status
    yield (
        subnet.key,
        Network(
            SegmentKind.SUBNET,
            subnet.name,
            subnet.spec.vpc,
            ipv4_network(subnet.spec.cidr),
            address_pool(subnet.kind, subnet.name),
            status.vni,
            status.gateway,
            has_gateway=True,
            cidr_fault=cidr_fault(subnet.spec.cidr),
            usable=bool(status.vni) and status.phase != Phase.FAILED and not subnet.deleting,
        ),
    )


def _prefixes(subnet: Subnet) -> Iterator[Prefix]:
    cidr = ipv4_network(subnet.spec.cidr)
    if cidr is not None:
        yield Prefix(subnet.key, subnet.spec.vpc, cidr, KIND.name)


def _automatic_routes(subnet: Subnet) -> Iterator[tuple[Hashable, AutomaticRoute]]:
    cidr = ipv4_network(subnet.spec.cidr)
    if cidr is not None:
        yield (subnet.spec.vpc, AutomaticRoute(1, cidr, "connected", subnet=subnet.name))


def _uses(subnet: Subnet) -> Iterator[tuple[Hashable, str]]:
    yield (("Vpc", subnet.spec.vpc), subnet.name)
    if subnet.spec.route_table:
        yield (("RouteTable", subnet.spec.route_table), subnet.name)
    if subnet.spec.network_acl:
        yield (("NetworkACL", subnet.spec.network_acl), subnet.name)


KIND = Kind(
    name="Subnet",
    plural="subnets",
    spec=SubnetSpec,
    status=SubnetStatus,
    scope=Scope.CLUSTER,
    doc="A segment of a Vpc with an IPv4 prefix, a gateway and a virtual DNS resolver.",
    columns=(Column("Vpc", ".spec.vpc"), Column("Cidr", ".spec.cidr"), Column.condition("Ready")),
    default=default,
    validate=validate,
    refuse_deletion=refuse_deletion,
    indexes=(
        *number_contributions(VNI_POOL, lambda owner: owner.status.vni),
        contribution(NETWORKS, _network),
        *prefix_contributions(_prefixes),
        contribution(AUTOMATIC_ROUTES, _automatic_routes),
        contribution(USERS, _uses),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=(Phase.FAILED.value, "ReconcileFailed"),
    intents=intents,
)
