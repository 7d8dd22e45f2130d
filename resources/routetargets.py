"""What a route can lead to, as RouteTables see it: NetworkEndpoints and NATGateways, found by their names.

The Kinds that are led to import Kinds that import RouteTable, so they contribute to an index instead.
"""

from __future__ import annotations

from attrs import frozen

from juneau.engine.world import Index, Reader
from juneau.resources.networks import SUBNET, network

NAT_GATEWAY = "NATGateway"


@frozen
class EndpointTarget:
    """A NetworkEndpoint as a route sees it."""

    namespace: str
    name: str
    subnet: str
    mac: str


@frozen
class NATGatewayTarget:
    """A NATGateway as a route sees it; number 0 until it has one."""

    vpc: str
    gateway_id: int
    is_ready: bool


# By NetworkEndpoint name, and by namespace/name.
ENDPOINT_TARGETS: Index[EndpointTarget] = Index("route-endpoint-targets")
# By name of the NATGateway.
NAT_GATEWAY_TARGETS: Index[NATGatewayTarget] = Index("route-natgateway-targets")


def endpoint_target(vpc: str, name: str, world: Reader) -> tuple[EndpointTarget | None, str]:
    """The endpoint of a Vpc that a route names, or why there is none."""
    found = world.values(ENDPOINT_TARGETS, name)
    if not found:
        return None, f'NetworkEndpoint "{name}" not found'
    inside: list[EndpointTarget] = []
    for target in found:
        subnet = network(world, SUBNET, target.subnet)
        if subnet is not None and subnet.vpc == vpc:
            inside.append(target)
    if not inside:
        return None, f'NetworkEndpoint "{name}" is in no Subnet of Vpc "{vpc}"'
    if len(inside) > 1:
        places = ", ".join(f"{target.namespace}/{target.name}" for target in inside)
        return None, f'NetworkEndpoint "{name}" could be any of {places}; write it with its namespace'
    return inside[0], ""


def nat_gateway_target(vpc: str, name: str, world: Reader) -> tuple[NATGatewayTarget | None, str, str]:
    """The NATGateway of a Vpc that a route names; or why it leads nowhere, and which of its fields that waits for."""
    found = world.values(NAT_GATEWAY_TARGETS, name)
    if not found:
        return None, f'NATGateway "{name}" not found', "metadata"
    (target,) = found
    if target.vpc != vpc:
        return None, f'NATGateway "{name}" belongs to Vpc "{target.vpc}", not to Vpc "{vpc}"', "spec.vpc"
    if not target.gateway_id:
        return None, f'NATGateway "{name}" has no gatewayID', "status.gatewayID"
    if not target.is_ready:
        return None, f'NATGateway "{name}" is not Ready', "status.conditions[Ready]"
    return target, "", ""
