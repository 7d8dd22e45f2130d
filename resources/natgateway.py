"""NATGateway: the exit of a Vpc to the outside, under addresses that many Pods share.

What a Pod sends through it leaves from the Pod's own Node, under the address that this Node has on the ExternalNetwork;
nobody outside can begin to talk to a Pod that way.
It takes effect by a route of type natGateway that names it.
Only in the Vpc `default` does the main RouteTable get such a route by itself, and only to a NATGateway that is called
`default` too; one of any other name is used there if a route names it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Network
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Object, Time, is_ready
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources.belonging import vpc_violations
from juneau.resources.claiming import (
    NAT_GATEWAY_ID_POOL,
    Claimed,
    claimed_number,
    number_audit,
    number_contributions,
    number_exceeds_32_bits,
    waiting_for,
)
from juneau.resources.externals import GATEWAYS_OF_NETWORK
from juneau.resources.networks import AUTOMATIC_ROUTES, DEFAULT_VPC, AutomaticRoute, listed, users
from juneau.resources.routetargets import NAT_GATEWAY, NAT_GATEWAY_TARGETS, NATGatewayTarget
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

DEFAULT_GATEWAY = "default"
_EVERYWHERE = IPv4Network("0.0.0.0/0")
_RANK = 6  # after every other automatic route


@frozen
class NATGatewaySpec:
    """Which Vpc goes out, and where."""

    vpc: Annotated[str, Mark("Vpc that this gateway is an exit of", min_length=1, immutable=True)]
    external_network: Annotated[str, Mark("ExternalNetwork it leads to", min_length=1, immutable=True)]


@frozen(kw_only=True)
class NATGatewayStatus(Status):
    """The number of the gateway."""

    gateway_id: Annotated[int, Mark("number by which the dataplane knows the gateway; for good", json="gatewayID")] = 0


NATGateway: TypeAlias = Object[NATGatewaySpec, NATGatewayStatus]


def validate(new: NATGateway, _old: NATGateway | None, world: Reader) -> Iterator[Violation]:
    if new.deleting:
        return
    spec = new.spec
    if spec.vpc:
        yield from vpc_violations(spec.vpc, world)  # NATGW-5
    if spec.external_network and not world.exists(_network_key(new)):  # NATGW-6, NATGW-7: of whichever type
        why = "no such ExternalNetwork"
        yield Violation("spec.externalNetwork", why, Cause.NOT_FOUND, spec.external_network, settled=False)


def refuse_deletion(gateway: NATGateway, world: Reader) -> Iterator[str]:
    names = users(world, NAT_GATEWAY, gateway.name, "RouteTable")
    if names:  # NATGW-8
        yield f"it is used by {listed('RouteTable', names)}; take the natGateway routes to it out of spec.routes first"


def _network_key(gateway: NATGateway) -> Key:
    return Key("ExternalNetwork", "", gateway.spec.external_network)


@frozen
class Facts:
    """What decides about a NATGateway; `missing` are the objects that it names and that do not exist."""

    obj: NATGateway
    missing: tuple[Key, ...]
    claimed: Claimed


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    gateway: NATGateway = obj
    named = (Key("Vpc", "", gateway.spec.vpc), _network_key(gateway))
    claimed = claimed_number(world, gateway, NAT_GATEWAY_ID_POOL, "status.gatewayID", gateway.status.gateway_id)
    # NATGW-C2: whether the network has its own number, or addresses on Nodes, is not asked.
    return Facts(gateway, tuple(key for key in named if not world.exists(key)), claimed)


def _something_it_names_is_missing(facts: Facts) -> bool:
    return bool(facts.missing)


def _missing_message(facts: Facts) -> str:
    return "; ".join(f"{key.kind} {key.name} does not exist" for key in facts.missing)


def _missing_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(key, "metadata", "does not exist") for key in facts.missing)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_something_it_names_is_missing, Phase.PENDING, "MissingDependency", _missing_message, _missing_waits),
        waiting_for("the gatewayID"),
        Row(number_exceeds_32_bits, Phase.FAILED, "ReconcileFailed",
            lambda facts: f"gatewayID {facts.claimed.number} exceeds 32 bits"),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)  # fmt: skip


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    gateway = facts.obj
    if gateway.deleting or facts.missing:
        return Outcome(verdict, gateway.status)  # the number is kept, and a new one is not asked for yet
    number = gateway.status.gateway_id if number_exceeds_32_bits(facts) else facts.claimed.number
    return Outcome(verdict, evolve(gateway.status, gateway_id=number), writes=facts.claimed.writes)


def _targets(gateway: NATGateway) -> Iterator[tuple[Hashable, NATGatewayTarget]]:
    yield (gateway.name, NATGatewayTarget(gateway.spec.vpc, gateway.status.gateway_id, is_ready(gateway)))


def _gateways_of_network(gateway: NATGateway) -> Iterator[tuple[Hashable, int]]:
    """NATGW-C3: it counts for as long as it exists, Ready or not."""
    yield (gateway.spec.external_network, gateway.status.gateway_id)


def _automatic_routes(gateway: NATGateway) -> Iterator[tuple[Hashable, AutomaticRoute]]:
    """NATGW-C5: the way out of the Vpc that the whole cluster shares."""
    of_default = gateway.name == DEFAULT_GATEWAY and gateway.spec.vpc == DEFAULT_VPC
    if of_default and gateway.status.gateway_id and is_ready(gateway):
        route = AutomaticRoute(_RANK, _EVERYWHERE, "natGateway", nat_gateway=gateway.name, main_only=True)
        yield (DEFAULT_VPC, route)


KIND = Kind(
    name=NAT_GATEWAY,
    plural="natgateways",
    spec=NATGatewaySpec,
    status=NATGatewayStatus,
    scope=Scope.CLUSTER,
    doc="The exit of a Vpc to the outside, under addresses that its Pods share.",
    columns=(
        Column("VPC", ".spec.vpc"),
        Column("ExternalNetwork", ".spec.externalNetwork"),
        Column("GatewayID", ".status.gatewayID", "integer"),
        Column.condition("Ready"),
    ),
    validate=validate,
    audit=number_audit(NAT_GATEWAY_ID_POOL, "status.gatewayID", lambda owner: owner.status.gateway_id),
    refuse_deletion=refuse_deletion,
    indexes=(
        *number_contributions(NAT_GATEWAY_ID_POOL, lambda owner: owner.status.gateway_id),
        contribution(NAT_GATEWAY_TARGETS, _targets),
        contribution(GATEWAYS_OF_NETWORK, _gateways_of_network),
        contribution(AUTOMATIC_ROUTES, _automatic_routes),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=(Phase.FAILED.value, "ReconcileFailed"),
)
