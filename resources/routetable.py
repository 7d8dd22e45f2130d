"""RouteTable: the routes of a Vpc.

Every Vpc has a main RouteTable with its own name; a Subnet, or the gateway of an L2Network, may choose another one of
the same Vpc.
Connected routes, to each Subnet and to each L2Network with a gateway, are in all of them by themselves; users add the
rest: to a NIC, or out of the Vpc.
Longest prefix wins, and what has no route is dropped.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4_network, ipv4_prefix, prefix_fault
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.intents import Intent, Route, RouteTarget, ToInternet, ToNATGateway, ToSegment, ToStation
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Index, Reader, contribution
from juneau.resources.claiming import (
    ROUTE_TABLE_ID_POOL,
    Claimed,
    claimed_number,
    number_audit,
    number_contributions,
    number_exceeds_32_bits,
    waiting_for,
)
from juneau.resources.networks import (
    AUTOMATIC_ROUTES,
    INTERNET_ROUTES,
    L2NETWORK,
    SUBNET,
    USERS,
    AutomaticRoute,
    cidr_fault,
    key_of,
    listed,
    network_of,
    users,
)
from juneau.resources.routetargets import NAT_GATEWAY, endpoint_target, nat_gateway_target
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

# Which field names the target of a route; the types that Juneau writes itself have none.
_NAME_FIELDS = {
    "endpoint": "endpointName",
    "natGateway": "natGateway",
    "vpcPeering": "vpcPeering",
    "transitGateway": "transitGateway",
}
TYPES = ("connected", "endpoint", "internetGateway", "service", "natGateway", "vpcPeering", "transitGateway",
         "vpcEndpoint", "vpn")  # fmt: skip
_BUILT = ("connected", "endpoint", "internetGateway", "natGateway")
_AUTOMATIC = {"service": "spec.service", "vpcEndpoint": "spec.endpointPool"}


@frozen
class VPNReference:
    """A VPN."""

    namespace: Annotated[str, Mark("namespace of the VPN")] = ""
    name: Annotated[str, Mark("name of the VPN")] = ""


@frozen
class Via:
    """Where a route leads."""

    type: Annotated[str, Mark("kind of next hop", choices=TYPES)]
    endpoint_name: Annotated[str, Mark("NetworkEndpoint, as name or namespace/name; with type endpoint only")] = ""
    nat_gateway: Annotated[str, Mark("NATGateway; with type natGateway only")] = ""
    vpc_peering: Annotated[str, Mark("VpcPeering; with type vpcPeering only")] = ""
    transit_gateway: Annotated[str, Mark("TransitGateway; with type transitGateway only")] = ""
    vpn: Annotated[VPNReference | None, Mark("VPN; with type vpn only")] = None

    @property
    def named(self) -> dict[str, str]:
        """The name fields that are set, by their name on the wire."""
        fields = {
            "endpointName": self.endpoint_name,
            "natGateway": self.nat_gateway,
            "vpcPeering": self.vpc_peering,
            "transitGateway": self.transit_gateway,
        }
        return {field: name for field, name in fields.items() if name}


@frozen
class RouteSpec:
    """One route; in status with its resolved target."""

    dst: Annotated[str, Mark("destination, a canonical IPv4 CIDR", min_length=1)]
    via: Annotated[Via, Mark("next hop")]
    subnet: Annotated[str, Mark("resolved Subnet; set by the controller, in status only")] = ""
    l2_network: Annotated[str, Mark("resolved L2Network; set by the controller, in status only")] = ""
    transit_gateway_route_table: Annotated[str, Mark("resolved table; set by the controller, in status only")] = ""


@frozen
class RouteTableSpec:
    """The Vpc of the table, and the routes that users add."""

    vpc: Annotated[str, Mark("Vpc this table belongs to", min_length=1, immutable=True)]
    routes: Annotated[tuple[RouteSpec, ...], Mark("routes added to the automatic ones")] = ()


@frozen(kw_only=True)
class RouteTableStatus(Status):
    """The number of the table, and the routes that dataplanes program."""

    table_id: Annotated[int, Mark("number by which the dataplane knows the table", json="tableID")] = 0
    routes: Annotated[tuple[RouteSpec, ...], Mark("all routes, resolved")] = ()


RouteTable: TypeAlias = Object[RouteTableSpec, RouteTableStatus]


@frozen
class TableNumber:
    """What the segments of a Vpc need to know of a table; its routes change with every network of that Vpc."""

    vpc: str
    table_id: int


# By name of the RouteTable, once it has its number.
TABLE_NUMBERS: Index[TableNumber] = Index("route-table-numbers")


def validate(new: RouteTable, _old: RouteTable | None, world: Reader) -> Iterator[Violation]:
    seen: dict[str, int] = {}
    for place, route in enumerate(new.spec.routes):
        at = f"spec.routes[{place}]"
        yield from _destination_violations(new, route, at, world)
        network_text = str(ipv4_network(route.dst))
        if ipv4_prefix(route.dst) is not None and seen.setdefault(network_text, place) != place:
            yield Violation(f"{at}.dst", f"routes[{seen[network_text]}] has it already", Cause.DUPLICATE, route.dst)
        yield from _via_violations(route.via, f"{at}.via")
        resolved = {
            "subnet": route.subnet,
            "l2Network": route.l2_network,
            "transitGatewayRouteTable": route.transit_gateway_route_table,
        }
        for field, value in resolved.items():
            if value:
                yield Violation(f"{at}.{field}", "set by the controller, in status only", Cause.FORBIDDEN)


def _destination_violations(table: RouteTable, route: RouteSpec, at: str, world: Reader) -> Iterator[Violation]:
    prefix = ipv4_prefix(route.dst)
    if prefix is None:
        yield Violation(f"{at}.dst", prefix_fault(route.dst) or "", value=route.dst)
        return
    if str(prefix.network) != route.dst:
        yield Violation(f"{at}.dst", f'write it in its canonical form, "{prefix.network}"', value=route.dst)
    if table.deleting:
        return
    for automatic in world.values(AUTOMATIC_ROUTES, table.spec.vpc):
        if automatic.type == "connected" and automatic.dst == prefix.network:
            key = key_of(automatic.subnet, automatic.l2_network)
            why = f"is the CIDR of {key.kind} {key.name} of Vpc {table.spec.vpc}, which has a connected route already"
            yield Violation(f"{at}.dst", f"{why}; a wider or narrower prefix is allowed", value=route.dst,
                            audit_only=True)  # fmt: skip


def _via_violations(via: Via, at: str) -> Iterator[Violation]:
    if via.vpn is not None and via.type != "vpn":
        yield Violation(f"{at}.vpn", f"not allowed with type {via.type}", Cause.FORBIDDEN)
    if via.type in _AUTOMATIC:
        why = f"routes of type {via.type} come from {_AUTOMATIC[via.type]} of the Vpc"
        yield Violation(f"{at}.type", why, Cause.FORBIDDEN)
        return
    wanted = _NAME_FIELDS.get(via.type)
    if wanted is not None and wanted not in via.named:
        yield Violation(f"{at}.{wanted}", f"required with type {via.type}", Cause.REQUIRED)
    for field in via.named:
        if field != wanted:
            yield Violation(f"{at}.{field}", f"not allowed with type {via.type}", Cause.FORBIDDEN)
    if via.type in TYPES and via.type not in _BUILT:
        why = f"this version of Juneau has no {via.type} routes yet; use one of {', '.join(_BUILT)}"
        yield Violation(f"{at}.type", why, Cause.NOT_SUPPORTED, via.type)


def refuse_deletion(table: RouteTable, world: Reader) -> Iterator[str]:
    vpc = world.look(Key("Vpc", "", table.name))
    if vpc is not None and not vpc.deleting:
        yield f"it is the main RouteTable of Vpc {table.name}"  # RT-18
    for kind in (SUBNET, L2NETWORK):  # RT-19, RT-20
        names = users(world, KIND.name, table.name, kind)
        if names:
            yield f"it is used by {listed(kind, names)}"


@frozen
class Facts:
    """What decides about a RouteTable."""

    obj: RouteTable
    claimed: Claimed
    routes: tuple[RouteSpec, ...]
    unresolved: str  # why the first spec route that cannot be resolved cannot
    waits: tuple[Wait, ...]


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    table: RouteTable = obj
    claimed = claimed_number(world, table, ROUTE_TABLE_ID_POOL, "status.tableID", table.status.table_id)
    routes = [_automatic(route) for route in _automatic_routes(table, world)]
    taken = {route.dst for route in routes}
    for route in table.spec.routes:
        if route.via.type == "connected" or route.dst in taken:
            continue
        if ipv4_prefix(route.dst) is None:
            return Facts(table, claimed, tuple(routes), f"dst {cidr_fault(route.dst)}", ())
        resolved, why, waits = _resolve(table, route, world)
        if resolved is None:
            return Facts(table, claimed, tuple(routes), why, waits)
        routes.append(resolved)
    return Facts(table, claimed, tuple(routes), "", ())


def _automatic_routes(table: RouteTable, world: Reader) -> list[AutomaticRoute]:
    """Those of the Vpc, in order; some are in its main table only."""
    is_main = table.name == table.spec.vpc
    found = [route for route in world.values(AUTOMATIC_ROUTES, table.spec.vpc) if is_main or not route.main_only]
    return sorted(found, key=lambda route: route.place)


def _automatic(route: AutomaticRoute) -> RouteSpec:
    via = Via(route.type, nat_gateway=route.nat_gateway)
    return RouteSpec(str(route.dst), via, route.subnet, route.l2_network)


def _resolve(table: RouteTable, route: RouteSpec, world: Reader) -> tuple[RouteSpec | None, str, tuple[Wait, ...]]:
    via, vpc = route.via, table.spec.vpc
    if via.type == "internetGateway":
        return route, "", ()
    if via.type == "natGateway":
        gateway, why, field = nat_gateway_target(vpc, via.nat_gateway, world)
        if gateway is None:
            return None, why, (Wait(Key(NAT_GATEWAY, "", via.nat_gateway), field, why),)
        return route, "", ()
    if via.type == "endpoint":
        target, why = endpoint_target(vpc, via.endpoint_name, world)
        if target is None:
            namespace, _, name = via.endpoint_name.rpartition("/")
            return None, why, (Wait(Key("NetworkEndpoint", namespace, name), "spec", why),)
        return evolve(route, subnet=target.subnet), "", ()
    return None, f'routes of type "{via.type}" cannot be resolved by this version', ()


def _a_route_is_unresolved(facts: Facts) -> bool:
    return bool(facts.unresolved)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        waiting_for("the tableID"),
        Row(number_exceeds_32_bits, Phase.FAILED, "ReconcileFailed",
            lambda facts: f"tableID {facts.claimed.number} exceeds 32 bits"),
        Row(_a_route_is_unresolved, Phase.ALLOCATED, "NotReady", lambda facts: facts.unresolved,
            lambda facts: facts.waits),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)  # fmt: skip


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    table = facts.obj
    if table.deleting:
        return Outcome(verdict, table.status)
    number = table.status.table_id if number_exceeds_32_bits(facts) else facts.claimed.number
    status = evolve(table.status, table_id=number, routes=facts.routes)
    return Outcome(verdict, status, writes=facts.claimed.writes)


def intents(table: RouteTable, world: Reader) -> Iterator[Intent]:
    if not table.status.table_id:
        return
    for route in table.status.routes:
        target = _target(table, route, world)
        dst = ipv4_network(route.dst)
        if target is not None and dst is not None:
            yield Route(table.status.table_id, dst, target)


def _target(table: RouteTable, route: RouteSpec, world: Reader) -> RouteTarget | None:
    via, vpc = route.via, table.spec.vpc
    if via.type == "internetGateway":
        return ToInternet()
    if via.type == "natGateway":
        gateway, _, _ = nat_gateway_target(vpc, via.nat_gateway, world)
        return ToNATGateway(gateway.gateway_id) if gateway is not None else None
    segment = network_of(world, route.subnet, route.l2_network)
    if segment is None or not segment.vni:
        return None
    if via.type == "endpoint":
        endpoint, _ = endpoint_target(vpc, via.endpoint_name, world)
        return ToStation(segment.vni, endpoint.mac) if endpoint is not None and endpoint.mac else None
    return ToSegment(segment.vni)


def _uses(table: RouteTable) -> Iterator[tuple[Hashable, str]]:
    """NATGW-8: which NATGateways its routes need."""
    named = {route.via.nat_gateway for route in table.spec.routes if route.via.type == "natGateway"}
    for name in sorted(named - {""}):
        yield ((NAT_GATEWAY, name), table.name)


def _number(table: RouteTable) -> Iterator[tuple[Hashable, TableNumber]]:
    if table.status.table_id:
        yield (table.name, TableNumber(table.spec.vpc, table.status.table_id))


def _internet_routes(table: RouteTable) -> Iterator[tuple[Hashable, str]]:
    for route in table.spec.routes:
        if route.via.type == "internetGateway":
            yield (table.name, route.dst)


KIND = Kind(
    name="RouteTable",
    plural="routetables",
    spec=RouteTableSpec,
    status=RouteTableStatus,
    scope=Scope.CLUSTER,
    doc="The routes of a Vpc: connected ones by themselves, others by users.",
    columns=(Column.condition("Ready"),),
    validate=validate,
    audit=number_audit(ROUTE_TABLE_ID_POOL, "status.tableID", lambda owner: owner.status.table_id),
    refuse_deletion=refuse_deletion,
    indexes=(
        *number_contributions(ROUTE_TABLE_ID_POOL, lambda owner: owner.status.table_id),
        contribution(USERS, _uses),
        contribution(TABLE_NUMBERS, _number),
        contribution(INTERNET_ROUTES, _internet_routes),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=None,
    intents=intents,
)
