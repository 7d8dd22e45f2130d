"""NetworkEndpoint: an interface that really exists on a node, with its MAC and the node's side of its link.

The CNI and the node's agent write it, not users; a NetworkInterface becomes Ready only when its NetworkEndpoint exists.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from ipaddress import IPv4Address
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4_prefix, prefix_fault
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.intents import FloodPeer, Intent, Neighbour, NeighbourSeed, Port, PortOwner, SegmentKind, Station
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import prefixed_name
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Index, Reader, contribution
from juneau.resources.allocationpool import holding
from juneau.resources.networks import SUBNET, Network, address_pool, network_of
from juneau.resources.routetable import ENDPOINT_TARGETS, EndpointTarget
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

NODE_NAMESPACE = "juneau-system"  # where the endpoints of Nodes live

# By the Node's name: its InternalIP.
NODE_ADDRESSES: Index[str] = Index("node-addresses")
# By (namespace, Pod name, Pod UID, interface): the address of that NIC's endpoint, in CIDR form or empty.
ENDPOINTS: Index[str] = Index("endpoints-of-nic")
# By (namespace, Pod name, Pod UID): the endpoints of that Pod.
ENDPOINTS_OF_POD: Index[Key] = Index("endpoints-of-pod")
# By (Subnet, address): the endpoints with that address.
SHARERS: Index[Key] = Index("endpoints-of-address")

# As dataplanes write it, so that two spellings of one MAC are not two stations.
_MAC = r"^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"


def node_endpoint_name(node: str) -> str:
    """The name of a Node's own endpoint."""
    return prefixed_name("juneau-node.", node)


@frozen
class Attachment:
    """The node's side of the link."""

    ifindex: Annotated[int, Mark("number of the link on its node", minimum=1)]
    host_mac_address: Annotated[str, Mark("MAC of the node's side", min_length=1, pattern=_MAC, json="hostMACAddress")]
    container_id: Annotated[str, Mark("sandbox that owns the link", json="containerID")] = ""


@frozen
class EndpointPodRef:
    """The NIC of the Pod."""

    name: Annotated[str, Mark("name of the Pod", min_length=1, immutable=True)]
    interface: Annotated[str, Mark("name of the interface in the Pod", min_length=1, immutable=True)]
    uid: Annotated[str, Mark("UID of the Pod", min_length=1, immutable=True)]


@frozen
class NetworkEndpointSpec:
    """What is attached where."""

    kind: Annotated[str, Mark("what it is", choices=("Pod", "Node", "ServiceNAT"), immutable=True)]
    node_name: Annotated[str, Mark("node it lives on", min_length=1, immutable=True)]
    subnet: Annotated[str, Mark("Subnet; one of the three", immutable=True)] = ""
    l2_network: Annotated[str, Mark("L2Network; one of the three", immutable=True)] = ""
    external_network: Annotated[str, Mark("ExternalNetwork; one of the three, kind Pod only", immutable=True)] = ""
    address: Annotated[str, Mark("address in CIDR form; empty where none is handed out", immutable=True)] = ""
    mac_address: Annotated[str, Mark("destination MAC on the overlay", pattern=_MAC)] = ""
    attachment: Annotated[Attachment | None, Mark("node's side of the link")] = None
    pod_ref: Annotated[EndpointPodRef | None, Mark("NIC of the Pod; kind Pod only")] = None


@frozen(kw_only=True)
class NetworkEndpointStatus(Status):
    """What other nodes need to send to it."""

    node_ip: Annotated[str, Mark("underlay address of its node", json="nodeIP")] = ""
    rank: Annotated[int, Mark("which came later of those with one address and one creationTimestamp")] = 0


NetworkEndpoint: TypeAlias = Object[NetworkEndpointSpec, NetworkEndpointStatus]


def validate(new: NetworkEndpoint, old: NetworkEndpoint | None, _world: Reader) -> Iterator[Violation]:
    spec = new.spec
    named = [name for name in (spec.subnet, spec.l2_network, spec.external_network) if name]
    if len(named) != 1:  # NWEP-3
        yield Violation("spec", "exactly one of subnet, l2Network and externalNetwork must be set", value=named or None)
    if spec.external_network and spec.kind != "Pod":  # NWEP-4
        yield Violation("spec.externalNetwork", "only with kind Pod", Cause.FORBIDDEN)
    if spec.address and ipv4_prefix(spec.address) is None:
        yield Violation("spec.address", prefix_fault(spec.address) or "", value=spec.address)
    if spec.kind == "Pod" and spec.pod_ref is None:  # NWEP-5
        yield Violation("spec.podRef", "an endpoint of kind Pod names its Pod", Cause.REQUIRED)
    if spec.kind != "Pod" and spec.pod_ref is not None:  # NWEP-6
        yield Violation("spec.podRef", f"not with kind {spec.kind}", Cause.FORBIDDEN)
    if old is not None:
        yield from _update_violations(spec, old.spec)


def _update_violations(new: NetworkEndpointSpec, old: NetworkEndpointSpec) -> Iterator[Violation]:
    if new.mac_address != old.mac_address and (new.kind != "Pod" or new.attachment == old.attachment):  # NWEP-15
        why = "may change only with kind Pod, and only together with attachment"
        yield Violation("spec.macAddress", why, value=new.mac_address)
    if (new.pod_ref is None) != (old.pod_ref is None):  # NWEP-16
        yield Violation("spec.podRef", "may be neither added nor removed", Cause.FORBIDDEN)


@frozen
class Facts:
    """What decides about an endpoint."""

    obj: NetworkEndpoint
    node_ip: str
    rank: int


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    endpoint: NetworkEndpoint = obj
    found = world.values(NODE_ADDRESSES, endpoint.spec.node_name)
    # Given once: who came first stays so, whatever becomes of the others.
    rank = endpoint.status.rank or 1 + max((other.status.rank for other in _sharers(endpoint, world)), default=0)
    return Facts(endpoint, found[0] if found else "", rank)


def _sharers(endpoint: NetworkEndpoint, world: Reader) -> list[NetworkEndpoint]:
    """The other endpoints with its address."""
    spec = endpoint.spec
    if not spec.subnet or not spec.address:
        return []
    keys = [key for key in world.values(SHARERS, (spec.subnet, spec.address)) if key != endpoint.key]
    found = (world.get(KIND, key.name, key.namespace) for key in keys)
    return [other for other in found if other is not None]


def _node_has_no_address(facts: Facts) -> bool:
    return not facts.node_ip


def _node_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key("Node", "", facts.obj.spec.node_name), "status.addresses", "no InternalIP"),)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_node_has_no_address, Phase.PENDING, "NodeNotFound",
            lambda facts: f"Node {facts.obj.spec.node_name} has no InternalIP", _node_waits),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)  # fmt: skip


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    return Outcome(verdict, evolve(facts.obj.status, node_ip=facts.node_ip, rank=facts.rank))


def intents(endpoint: NetworkEndpoint, world: Reader) -> Iterator[Intent]:
    spec = endpoint.spec
    segment = network_of(world, spec.subnet, spec.l2_network)
    if segment is None or not segment.vni or re.search(_MAC, spec.mac_address) is None:
        return
    prefix = ipv4_prefix(spec.address) if spec.address else None
    address = prefix.ip if prefix is not None else None
    rank = _rank(endpoint)
    if spec.attachment is not None:
        yield _port(endpoint, spec.attachment, segment, address)
    if spec.l2_network:
        if spec.attachment is not None:
            yield FloodPeer(segment.vni, spec.node_name)
        if address is not None and segment.has_gateway:
            yield NeighbourSeed(segment.vni, address, spec.mac_address, rank=rank)
        return
    if address is not None:
        yield Neighbour(segment.vni, address, spec.mac_address, rank=rank)
    # Who still knows an older one's MAC must not reach that while others reach the newer one.
    if all(_rank(other) < rank for other in _sharers(endpoint, world)):
        yield Station(segment.vni, spec.mac_address, spec.node_name, _port_name(endpoint), rank=rank)


def _rank(endpoint: NetworkEndpoint) -> tuple[int, int, str, str]:
    """Of two endpoints with one address the newer one counts; an API server's clock tells seconds apart, no less."""
    created = int((endpoint.metadata.creation_timestamp or 0) * 1000)
    return (created, endpoint.status.rank, endpoint.namespace, endpoint.name)


def _of_address(endpoint: NetworkEndpoint) -> Iterator[tuple[Hashable, Key]]:
    if endpoint.spec.subnet and endpoint.spec.address:
        yield ((endpoint.spec.subnet, endpoint.spec.address), endpoint.key)


def _node_addresses(endpoint: NetworkEndpoint) -> Iterator[tuple[str, int]]:
    """A Node's own address: it has no status of ours that could say so."""
    prefix = ipv4_prefix(endpoint.spec.address)
    if endpoint.spec.kind == "Node" and endpoint.spec.subnet and prefix is not None:
        yield (address_pool(SUBNET, endpoint.spec.subnet), int(prefix.ip))


def _port(endpoint: NetworkEndpoint, attachment: Attachment, segment: Network, address: IPv4Address | None) -> Port:
    spec = endpoint.spec
    return Port(
        _port_name(endpoint),
        spec.node_name,
        attachment.ifindex,
        segment.vni,
        spec.mac_address,
        address,
        PortOwner.NODE if spec.kind == "Node" else PortOwner.POD,
        SegmentKind.L2 if spec.l2_network else SegmentKind.SUBNET,
    )


def _port_name(endpoint: NetworkEndpoint) -> str:
    return endpoint.spec.node_name if endpoint.spec.kind == "Node" else f"{endpoint.namespace}/{endpoint.name}"


def _of_nic(endpoint: NetworkEndpoint) -> Iterator[tuple[Hashable, str]]:
    pod = endpoint.spec.pod_ref
    if pod is not None and not endpoint.deleting:
        yield ((endpoint.namespace, pod.name, pod.uid, pod.interface), endpoint.spec.address)


def _of_pod(endpoint: NetworkEndpoint) -> Iterator[tuple[Hashable, Key]]:
    pod = endpoint.spec.pod_ref
    if pod is not None:
        yield ((endpoint.namespace, pod.name, pod.uid), endpoint.key)


def _route_targets(endpoint: NetworkEndpoint) -> Iterator[tuple[Hashable, EndpointTarget]]:
    target = EndpointTarget(endpoint.namespace, endpoint.name, endpoint.spec.subnet, endpoint.spec.mac_address)
    yield (endpoint.name, target)
    yield (f"{endpoint.namespace}/{endpoint.name}", target)


KIND = Kind(
    name="NetworkEndpoint",
    plural="networkendpoints",
    spec=NetworkEndpointSpec,
    status=NetworkEndpointStatus,
    scope=Scope.NAMESPACED,
    doc="An interface that exists on a node.",
    columns=(
        Column("Kind", ".spec.kind"),
        Column("Node", ".spec.nodeName"),
        Column("Subnet", ".spec.subnet"),
        Column("L2Network", ".spec.l2Network"),
        Column("ExternalNetwork", ".spec.externalNetwork"),
        Column("Address", ".spec.address"),
    ),
    short_names=("nwep",),
    validate=validate,
    indexes=(
        contribution(ENDPOINTS, _of_nic),
        contribution(ENDPOINTS_OF_POD, _of_pod),
        contribution(ENDPOINT_TARGETS, _route_targets),
        contribution(SHARERS, _of_address),
        *holding(_node_addresses, lambda endpoint: Key("Node", "", endpoint.spec.node_name)),
    ),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
)
