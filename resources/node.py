"""Node, the API server's own Kind, and what a Node has in Juneau: an address of the default Subnet.

Through its own port of that Subnet a Node reaches the Pods there; it has no way into other Vpcs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Address
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4, ipv4_prefix
from juneau.engine.fields import Mark
from juneau.engine.intents import Intent, Underlay
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import stable_mac
from juneau.engine.objects import AnyObject, Condition, Key, Object, Opaque, Time
from juneau.engine.outcome import Create, Outcome, Write
from juneau.engine.world import Index, Reader, contribution
from juneau.resources import networkendpoint
from juneau.resources.allocationlease import Value
from juneau.resources.bgpnodestate import node_state_writes
from juneau.resources.claiming import Claimed, claim_waits, claimed_value, owner_reference
from juneau.resources.endpointspec import NetworkEndpoint, NetworkEndpointSpec
from juneau.resources.externals import NODE_INTERNAL_IPS, NODE_NAMES
from juneau.resources.networkendpoint import NODE_ADDRESSES, NODE_NAMESPACE, node_endpoint_name
from juneau.resources.networks import DEFAULT_SUBNET, SUBNET, Network, network
from juneau.resources.rows import DELETING

CONDITION = "juneau.loutres.me/NetworkReady"


@frozen
class NodeAddress:
    """One address of a Node."""

    type: Annotated[str, Mark("InternalIP, Hostname, ...")]
    address: Annotated[str, Mark("the address")]


@frozen
class NodeSpec:
    """Of which Juneau reads nothing."""

    pod_cidr: Annotated[str, Mark("unused by Juneau", json="podCIDR")] = ""
    pod_cidrs: Annotated[tuple[str, ...], Mark("unused by Juneau", json="podCIDRs")] = ()
    provider_id: Annotated[str, Mark("unused by Juneau", json="providerID")] = ""
    unschedulable: Annotated[bool, Mark("no new Pods come here")] = False
    taints: Annotated[tuple[Opaque, ...], Mark("unused by Juneau")] = ()


@frozen
class NodeStatus:
    """Where the Node is."""

    addresses: Annotated[tuple[NodeAddress, ...], Mark("addresses of the Node")] = ()
    conditions: Annotated[tuple[Condition, ...], Mark("conditions")] = ()
    phase: Annotated[str, Mark("unused")] = ""


Node: TypeAlias = Object[NodeSpec, NodeStatus]

# By InternalIP: the names of the Nodes that have it.
NODES_OF_ADDRESS: Index[str] = Index("nodes-of-address")
# By "": all Nodes that can be scheduled on, by name.
SCHEDULABLE: Index[str] = Index("schedulable-nodes")


def internal_ip(node: Node) -> IPv4Address | None:
    """The Node's address on the underlay."""
    found = (ipv4(held.address) for held in node.status.addresses if held.type == "InternalIP")
    return next((address for address in found if address is not None), None)


@frozen
class Facts:
    """What decides about a Node's port of the default Subnet."""

    obj: Node
    subnet: Network | None
    claimed: Claimed
    endpoint_exists: bool
    writes: tuple[Write, ...]
    state_writes: tuple[Write, ...] = ()  # to its BGPNodeState


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    return evolve(_port_facts(obj, world), state_writes=tuple(node_state_writes(obj, world)))


def _port_facts(node: Node, world: Reader) -> Facts:
    subnet = network(world, SUBNET, DEFAULT_SUBNET)
    if subnet is None or not subnet.vni:
        return Facts(node, subnet, Claimed(), False, ())
    endpoint = world.get_spec(networkendpoint.KIND, node_endpoint_name(node.name), NODE_NAMESPACE)
    held = ipv4_prefix(endpoint.spec.address) if endpoint is not None else None
    claimed = claimed_value(world, node, subnet.pool, "address", Value(ip=str(held.ip) if held is not None else ""))
    if endpoint is not None or not claimed.ip:
        return Facts(node, subnet, claimed, endpoint is not None, claimed.writes)
    return Facts(node, subnet, claimed, False, (*claimed.writes, Create(_endpoint(node, subnet, claimed.ip, world))))


def _endpoint(node: Node, subnet: Network, address: str, world: Reader) -> NetworkEndpoint:
    spec = NetworkEndpointSpec(
        "Node",
        node.name,
        subnet=DEFAULT_SUBNET,
        address=f"{address}/{subnet.cidr.prefixlen if subnet.cidr is not None else 32}",
        mac_address=stable_mac(node.metadata.uid, "node"),
    )
    owners = (owner_reference(world, node),)
    return networkendpoint.KIND.new(node_endpoint_name(node.name), spec, NODE_NAMESPACE, owner_references=owners)


def _subnet_is_missing(facts: Facts) -> bool:
    return facts.subnet is None or not facts.subnet.vni


def _address_is_missing(facts: Facts) -> bool:
    return not facts.claimed.ip


def _endpoint_is_missing(facts: Facts) -> bool:
    return not facts.endpoint_exists


def _subnet_waits(_facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key(SUBNET, "", DEFAULT_SUBNET), "status.vni", "not ready yet"),)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_subnet_is_missing, Phase.PENDING, "SubnetNotReady", lambda _: "the Subnet default has no VNI yet",
            _subnet_waits),
        Row(_address_is_missing, Phase.PENDING, "Allocating", lambda _: "waiting for an address of the Subnet default",
            claim_waits),
        Row(_endpoint_is_missing, Phase.ALLOCATED, "WaitingForInterface"),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)  # fmt: skip


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    if facts.obj.deleting:
        return Outcome(verdict, facts.obj.status)
    ready = (verdict.is_ready, verdict.reason, verdict.message)
    return Outcome(verdict, facts.obj.status, {CONDITION: ready}, (*facts.writes, *facts.state_writes))


def intents(node: Node, _world: Reader) -> Iterator[Intent]:
    address = internal_ip(node)
    if address is not None:
        yield Underlay(node.name, address)


def _addresses(node: Node) -> Iterator[tuple[Hashable, str]]:
    address = internal_ip(node)
    if address is not None:
        yield (node.name, str(address))


def _of_address(node: Node) -> Iterator[tuple[Hashable, str]]:
    address = internal_ip(node)
    if address is not None:
        yield (address, node.name)


def _names(node: Node) -> Iterator[tuple[Hashable, str]]:
    yield ("", node.name)


def _internal_ips(node: Node) -> Iterator[tuple[Hashable, IPv4Address]]:
    address = internal_ip(node)
    if address is not None:
        yield ("", address)


def _schedulable(node: Node) -> Iterator[tuple[Hashable, str]]:
    if not node.spec.unschedulable and not node.deleting:
        yield ("", node.name)


KIND = Kind(
    name="Node",
    plural="nodes",
    spec=NodeSpec,
    status=NodeStatus,
    scope=Scope.CLUSTER,
    doc="A machine that Pods run on.",
    columns=(Column("InternalIP", '.status.addresses[?(@.type=="InternalIP")].address'),),
    short_names=("no",),
    group="",
    version="v1",
    foreign=True,
    chief_condition=CONDITION,
    indexes=(
        contribution(NODE_ADDRESSES, _addresses),
        contribution(NODES_OF_ADDRESS, _of_address),
        contribution(NODE_NAMES, _names),
        contribution(NODE_INTERNAL_IPS, _internal_ips),
        contribution(SCHEDULABLE, _schedulable),
    ),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
    age_column=True,
)
