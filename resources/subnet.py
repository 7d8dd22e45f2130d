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
from juneau.engine.intents import Intent, Neighbour, Segment, SegmentKind
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.names import stable_mac
from juneau.engine.objects import AnyObject, Object, Time
from juneau.engine.outcome import Outcome, Write
from juneau.engine.world import Reader, contribution
from juneau.resources import vpc
from juneau.resources.allocationpool import AddressSpace
from juneau.resources.belonging import vpc_violations
from juneau.resources.boundary import ResolvedACL, acl_violations, resolved_acl, table_violations
from juneau.resources.claiming import VNI_POOL, Claimed, claimed_number, number_audit, pool_writes
from juneau.resources.networks import (
    AUTOMATIC_ROUTES,
    DEFAULT_SUBNET,
    DEFAULT_VPC,
    NETWORKS,
    USERS,
    AutomaticRoute,
    Network,
    address_pool,
    cidr_fault,
)
from juneau.resources.policy import named_acl, not_enforced, not_enforced_notes
from juneau.resources.segment import (
    FIRST_ROWS,
    SEGMENT_INDEXES,
    has_to_wait,
    prefix_violations,
    segment_intents,
    segment_uses,
    shared_vpc_violation,
    vni_of,
)
from juneau.resources.status import Status
from juneau.resources.vpc import Vpc


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
    if not new.deleting and old is None:
        yield from vpc_violations(spec.vpc, world)  # SUB-1
    if new.name == DEFAULT_SUBNET and spec.vpc != DEFAULT_VPC:
        yield Violation("spec.vpc", "the Subnet default belongs to the Vpc default", value=spec.vpc)  # SUB-2
    if new.name != DEFAULT_SUBNET and spec.vpc == DEFAULT_VPC:  # SUB-3
        yield shared_vpc_violation(spec.vpc)
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

    obj: Subnet
    cidr: IPv4Network | None
    vpc: Vpc | None
    claimed: Claimed
    acl: ResolvedACL | None
    absences: tuple[Violation, ...]  # what it names and what is not there
    writes: tuple[Write, ...]

    @property
    def route_table(self) -> str:
        return self.obj.spec.route_table


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    subnet: Subnet = obj
    claimed = claimed_number(world, subnet, VNI_POOL, "status.vni", subnet.status.vni)
    cidr = ipv4_network(subnet.spec.cidr)
    pool = address_pool(subnet.kind, subnet.name)
    return Facts(
        subnet,
        cidr,
        world.get(vpc.KIND, subnet.spec.vpc),
        claimed,
        resolved_acl(subnet.spec.network_acl, world),
        tuple(found for found in _table_violations(subnet, world) if not found.settled),
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


MACHINE = PhaseMachine[Facts](rows=(*FIRST_ROWS, Row(None, Phase.READY, "ReconcileSucceeded")))


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    subnet = facts.obj
    if subnet.deleting:
        return Outcome(verdict, subnet.status)
    policy = named_acl(subnet.spec.network_acl)
    conditions, notes = not_enforced(subnet, policy), not_enforced_notes(policy)
    if has_to_wait(facts, verdict) or facts.cidr is None:
        return Outcome(verdict, subnet.status, conditions, notes=notes)
    uid, held = subnet.metadata.uid, subnet.status
    gateway, dns = _usable(facts.cidr, 1), _usable(facts.cidr, 2)
    status = evolve(
        held,
        vni=vni_of(facts),
        gateway=str(gateway),
        gateway_mac=held.gateway_mac or stable_mac(uid, "gateway"),
        dns=str(dns) if dns is not None else "",
        dns_mac=held.dns_mac or stable_mac(uid, "dns") if dns is not None else "",
        network_acl=facts.acl,
    )
    return Outcome(verdict, status, conditions, (*facts.claimed.writes, *facts.writes), notes=notes)


def intents(subnet: Subnet, world: Reader) -> Iterator[Intent]:
    if ipv4_network(subnet.spec.cidr) is None:
        return
    for intent in segment_intents(subnet, SegmentKind.SUBNET, subnet.spec.route_table, world):
        yield intent
        if isinstance(intent, Segment) and subnet.status.dns:
            yield Neighbour(intent.vni, IPv4Address(subnet.status.dns), subnet.status.dns_mac)


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
            route_table=subnet.spec.route_table,
        ),
    )


def _automatic_routes(subnet: Subnet) -> Iterator[tuple[Hashable, AutomaticRoute]]:
    cidr = ipv4_network(subnet.spec.cidr)
    if cidr is not None:
        yield (subnet.spec.vpc, AutomaticRoute(1, cidr, "connected", subnet=subnet.name))


def _uses(subnet: Subnet) -> Iterator[tuple[Hashable, str]]:
    yield from segment_uses(subnet, subnet.spec.route_table)


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
    audit=number_audit(VNI_POOL, "status.vni", lambda owner: owner.status.vni),
    refuse_deletion=refuse_deletion,
    indexes=(
        *SEGMENT_INDEXES,
        contribution(NETWORKS, _network),
        contribution(AUTOMATIC_ROUTES, _automatic_routes),
        contribution(USERS, _uses),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=(Phase.FAILED.value, "ReconcileFailed"),
    intents=intents,
)
