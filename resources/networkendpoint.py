"""NetworkEndpoint: an interface that really exists on a node, with its MAC and the node's side of its link.

The CNI and the node's agent write it, not users; a NetworkInterface becomes Ready only when its NetworkEndpoint exists.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4_prefix, prefix_fault
from juneau.engine.errors import Cause, Violation
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import prefixed_name
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Index, Reader, contribution
from juneau.resources.allocationpool import holding
from juneau.resources.endpointintents import intents
from juneau.resources.endpointspec import (
    SHARERS,
    NetworkEndpoint,
    NetworkEndpointSpec,
    NetworkEndpointStatus,
    Rank,
    others_of,
    place_of,
    rank_of,
)
from juneau.resources.networks import SUBNET, address_pool
from juneau.resources.routetargets import ENDPOINT_TARGETS, EndpointTarget
from juneau.resources.rows import DELETING

NODE_NAMESPACE = "juneau-system"  # where the endpoints of Nodes live

# By the Node's name: its InternalIP.
NODE_ADDRESSES: Index[str] = Index("node-addresses")
# By (namespace, Pod name, Pod UID, interface): the address of that NIC's endpoint, in CIDR form or empty.
ENDPOINTS: Index[str] = Index("endpoints-of-nic")
# By (namespace, Pod name, Pod UID): the endpoints of that Pod.
ENDPOINTS_OF_POD: Index[Key] = Index("endpoints-of-pod")


def node_endpoint_name(node: str) -> str:
    """The name of a Node's own endpoint."""
    return prefixed_name("juneau-node.", node)


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


def audit(endpoint: NetworkEndpoint, world: Reader) -> Iterator[Violation]:
    """An endpoint that belongs to nobody; what has an owner reference goes with its NetworkInterface."""
    nic = Key("NetworkInterface", endpoint.namespace, endpoint.name)
    if endpoint.spec.kind == "Pod" and not endpoint.metadata.owner_references and not world.exists(nic):
        why = f"there is no NetworkInterface {nic.name} that it is the interface of"
        yield Violation("metadata.name", why, value=nic.name, audit_only=True, repair="delete the NetworkEndpoint")


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
    rank = endpoint.status.rank or 1 + max((number for _, number, *_ in others_of(endpoint, world)), default=0)
    return Facts(endpoint, found[0] if found else "", rank)


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


def _of_address(endpoint: NetworkEndpoint) -> Iterator[tuple[Hashable, Rank]]:
    place = place_of(endpoint)
    if place is not None:
        yield (place, rank_of(endpoint))


def _node_addresses(endpoint: NetworkEndpoint) -> Iterator[tuple[str, int]]:
    """A Node's own address: it has no status of ours that could say so."""
    prefix = ipv4_prefix(endpoint.spec.address)
    if endpoint.spec.kind == "Node" and endpoint.spec.subnet and prefix is not None:
        yield (address_pool(SUBNET, endpoint.spec.subnet), int(prefix.ip))


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
    audit=audit,
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
