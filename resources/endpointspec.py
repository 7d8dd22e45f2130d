"""A NetworkEndpoint's types, and how two of them that have one address are told apart."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.intents import SegmentKind
from juneau.engine.objects import Object
from juneau.engine.world import Index, Reader
from juneau.resources.networks import SUBNET
from juneau.resources.status import Status

# When an endpoint came, as far as that can be known, and then its namespace and name.
Rank: TypeAlias = tuple[int, int, str, str]

# By (Kind of the network, its name, address): the ranks of the endpoints with that address.
SHARERS: Index[Rank] = Index("endpoints-of-address")

# As dataplanes write it, so that two spellings of one MAC are not two stations.
MAC = r"^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"


@frozen
class Attachment:
    """The node's side of the link."""

    ifindex: Annotated[int, Mark("number of the link on its node", minimum=1)]
    host_mac_address: Annotated[str, Mark("MAC of the node's side", min_length=1, pattern=MAC, json="hostMACAddress")]
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
    mac_address: Annotated[str, Mark("destination MAC on the overlay", pattern=MAC)] = ""
    attachment: Annotated[Attachment | None, Mark("node's side of the link")] = None
    pod_ref: Annotated[EndpointPodRef | None, Mark("NIC of the Pod; kind Pod only")] = None


@frozen(kw_only=True)
class NetworkEndpointStatus(Status):
    """What other nodes need to send to it."""

    node_ip: Annotated[str, Mark("underlay address of its node", json="nodeIP")] = ""
    rank: Annotated[int, Mark("which came later of those with one address and one creationTimestamp")] = 0


NetworkEndpoint: TypeAlias = Object[NetworkEndpointSpec, NetworkEndpointStatus]


def rank_of(endpoint: NetworkEndpoint) -> Rank:
    """Of two endpoints with one address the newer one counts; an API server's clock tells seconds apart, no less."""
    created = int((endpoint.metadata.creation_timestamp or 0) * 1000)
    return (created, endpoint.status.rank, endpoint.namespace, endpoint.name)


def place_of(endpoint: NetworkEndpoint) -> tuple[str, str, str] | None:
    """Where its address is one; None where it has none, or where those who learn sort that out."""
    spec = endpoint.spec
    if not spec.address:
        return None
    if spec.external_network:
        return (SegmentKind.EXTERNAL.value, spec.external_network, spec.address)
    return (SUBNET, spec.subnet, spec.address) if spec.subnet else None


def others_of(endpoint: NetworkEndpoint, world: Reader) -> list[Rank]:
    """The ranks of the other endpoints with its address."""
    place = place_of(endpoint)
    found = world.values(SHARERS, place) if place is not None else []
    return [rank for rank in found if rank[2:] != (endpoint.namespace, endpoint.name)]
