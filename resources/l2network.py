"""L2Network: an Ethernet segment of a Vpc that forwards by MAC address alone.

Any EtherType and any IP protocol passes: for bridges inside VMs, DHCP servers of your own, router VMs.
It does as much as you write: without `cidr` it is pure L2; with `cidr` its NICs are given addresses; with `gateway` too
it is connected to the Vpc's routes, NATGateways, Services and NetworkACLs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4_network
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.intents import Intent, SegmentKind
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
from juneau.resources.l2gateway import L2Gateway, gateway_address, gateway_address_violations, holder_violations
from juneau.resources.networks import (
    AUTOMATIC_ROUTES,
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
class L2NetworkSpec:
    """Where the segment belongs, and how much of it Juneau takes care of."""

    vpc: Annotated[str, Mark("Vpc that the L2Network belongs to", min_length=1, immutable=True)]
    cidr: Annotated[str, Mark("IPv4 prefix of NICs' addresses, /16 to /28; empty: none", immutable=True)] = ""
    gateway: Annotated[L2Gateway | None, Mark("connects the segment to the Vpc; needs cidr")] = None
    network_acl: Annotated[str, Mark("NetworkACL of the same Vpc; needs gateway", json="networkACL")] = ""
    mtu: Annotated[int | None, Mark("MTU of NICs; absent: --default-l2-mtu", minimum=576, maximum=9000)] = None


@frozen(kw_only=True)
class L2NetworkStatus(Status):
    """The segment as dataplanes and Pods know it."""

    vni: Annotated[int, Mark("VXLAN network identifier; never changes once set")] = 0
    mtu: Annotated[int, Mark("MTU that NICs get")] = 0
    gateway: Annotated[str, Mark("gateway address; empty without a gateway")] = ""
    gateway_mac: Annotated[str, Mark("MAC with which the gateway answers ARP", json="gatewayMAC")] = ""
    network_acl: Annotated[ResolvedACL | None, Mark("resolved spec.networkACL", json="networkACL")] = None


L2Network: TypeAlias = Object[L2NetworkSpec, L2NetworkStatus]


def validate(new: L2Network, old: L2Network | None, world: Reader) -> Iterator[Violation]:
    spec = new.spec
    if spec.vpc == DEFAULT_VPC:  # L2N-2
        yield shared_vpc_violation(spec.vpc)
    if old is None and spec.vpc and not new.deleting:
        yield from vpc_violations(spec.vpc, world)  # L2N-3
    if old is None and spec.cidr:
        yield from prefix_violations(new, spec.vpc, spec.cidr, world)  # L2N-4, L2N-5, L2N-7 to L2N-12
        cidr = ipv4_network(spec.cidr)
        if cidr is not None and str(cidr) != spec.cidr:  # L2N-6
            yield Violation("spec.cidr", f'has host bits set; write "{cidr}"', value=spec.cidr)
    yield from _gateway_violations(new, world)
    if spec.network_acl and spec.gateway is None:  # L2N-20
        why = "the NetworkACL would have no effect without a gateway; add spec.gateway, or leave out spec.networkACL"
        yield Violation("spec.networkACL", why, Cause.FORBIDDEN)
    if old is None or old.spec.network_acl != spec.network_acl:  # L2N-28
        yield from acl_violations(new, spec.network_acl, spec.vpc, world)  # L2N-21, L2N-22
    address = gateway_address(spec.gateway, spec.cidr)
    moved = old is None or gateway_address(old.spec.gateway, old.spec.cidr) != address
    if address is not None and moved and not new.deleting:  # L2N-23, L2N-27, L2N-29
        yield from holder_violations(address, address_pool(new.kind, new.name), world)


def _gateway_violations(l2network: L2Network, world: Reader) -> Iterator[Violation]:
    spec, gateway = l2network.spec, l2network.spec.gateway
    if gateway is None:
        return
    if not spec.cidr:  # L2N-13
        why = "the gateway needs an address out of spec.cidr to answer on; set spec.cidr, or leave out spec.gateway"
        yield Violation("spec.cidr", why, Cause.REQUIRED)
    if gateway.address:
        yield from gateway_address_violations(gateway.address, ipv4_network(spec.cidr))  # L2N-14 to L2N-17
    if gateway.route_table and not l2network.deleting:  # L2N-18, L2N-19
        yield from table_violations(gateway.route_table, spec.vpc, "spec.gateway.routeTable", world)


@frozen
class Facts:
    """What decides about an L2Network."""

    obj: L2Network
    absences: tuple[Violation, ...]  # what its gateway names and what is not there
    vpc: Vpc | None
    claimed: Claimed
    acl: ResolvedACL | None
    mtu: int
    writes: tuple[Write, ...]

    @property
    def route_table(self) -> str:
        return _route_table(self.obj) or ""


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    l2network: L2Network = obj
    spec = l2network.spec
    return Facts(
        l2network,
        tuple(found for found in _gateway_violations(l2network, world) if not found.settled),
        world.get(vpc.KIND, spec.vpc),
        claimed_number(world, l2network, VNI_POOL, "status.vni", l2network.status.vni),
        resolved_acl(spec.network_acl, world),
        spec.mtu if spec.mtu is not None else world.settings.default_l2_mtu,
        tuple(_pool_writes(l2network, world)),
    )


def _pool_writes(l2network: L2Network, world: Reader) -> Iterator[Write]:
    """L2N-C5: only the gateway's address is kept back; there is no resolver that would need one."""
    cidr = ipv4_network(l2network.spec.cidr)
    if cidr is None:
        return
    gateway = gateway_address(l2network.spec.gateway, l2network.spec.cidr)
    space = AddressSpace(cidrs=(str(cidr),), excluded=(str(gateway),) if gateway is not None else ())
    yield from pool_writes(l2network, address_pool(l2network.kind, l2network.name), space, world)


MACHINE = PhaseMachine[Facts](rows=(*FIRST_ROWS, Row(None, Phase.READY, "ReconcileSucceeded")))


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    l2network = facts.obj
    held, spec = l2network.status, l2network.spec
    if l2network.deleting:
        return Outcome(verdict, held)
    policy = named_acl(spec.network_acl)
    conditions, notes = not_enforced(l2network, policy), not_enforced_notes(policy)
    if has_to_wait(facts, verdict):
        return Outcome(verdict, held, conditions, notes=notes)
    gateway = gateway_address(spec.gateway, spec.cidr)
    status = evolve(
        held,
        vni=vni_of(facts),
        mtu=facts.mtu,
        gateway=str(gateway) if gateway is not None else "",
        gateway_mac=(held.gateway_mac or stable_mac(l2network.metadata.uid, "gateway")) if gateway is not None else "",
        network_acl=facts.acl,
    )
    return Outcome(verdict, status, conditions, (*facts.claimed.writes, *facts.writes), notes=notes)


def intents(l2network: L2Network, world: Reader) -> Iterator[Intent]:
    mtu = l2network.status.mtu or None
    yield from segment_intents(l2network, SegmentKind.L2, _route_table(l2network), world, mtu)


def _route_table(l2network: L2Network) -> str | None:
    """What `segment_intents` asks for."""
    gateway = l2network.spec.gateway
    return gateway.route_table if gateway is not None else None


def _network(l2network: L2Network) -> Iterator[tuple[Hashable, Network]]:
    spec, status = l2network.spec, l2network.status
    cidr = ipv4_network(spec.cidr)
    yield (
        l2network.key,
        Network(
            SegmentKind.L2,
            l2network.name,
            spec.vpc,
            cidr,
            address_pool(l2network.kind, l2network.name) if cidr is not None else "",
            status.vni,
            status.gateway,
            spec.gateway is not None,
            status.mtu,
            cidr_fault=cidr_fault(spec.cidr) if spec.cidr else "",
            usable=bool(status.vni)
            and status.gateway == str(gateway_address(spec.gateway, spec.cidr) or "")  # NICs are told a current one
            and status.phase != Phase.FAILED
            and not l2network.deleting,
            route_table=_route_table(l2network) or "",
        ),
    )


def _automatic_routes(l2network: L2Network) -> Iterator[tuple[Hashable, AutomaticRoute]]:
    """L2N-C8: a gateway brings the prefix into every RouteTable of the Vpc."""
    cidr = ipv4_network(l2network.spec.cidr)
    if cidr is not None and l2network.spec.gateway is not None:
        yield (l2network.spec.vpc, AutomaticRoute(2, cidr, "connected", l2_network=l2network.name))


def _uses(l2network: L2Network) -> Iterator[tuple[Hashable, str]]:
    yield from segment_uses(l2network, _route_table(l2network) or "")


KIND = Kind(
    name="L2Network",
    plural="l2networks",
    spec=L2NetworkSpec,
    status=L2NetworkStatus,
    scope=Scope.CLUSTER,
    doc="An Ethernet segment of a Vpc that forwards by MAC address alone.",
    columns=(
        Column("Vpc", ".spec.vpc"),
        Column("Cidr", ".spec.cidr"),
        Column("Mtu", ".status.mtu", "integer"),
        Column.condition("Ready"),
    ),
    short_names=("l2net",),
    validate=validate,
    audit=number_audit(VNI_POOL, "status.vni", lambda owner: owner.status.vni),
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
