"""What NetworkEndpoints ask of dataplanes: a port on their Node, and on every Node the way to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network

from juneau.engine.addresses import ipv4_prefix
from juneau.engine.intents import (
    EVERY_NODE,
    DirectAddress,
    ExternalPrefix,
    FloodPeer,
    Intent,
    Neighbour,
    NeighbourSeed,
    Port,
    PortOwner,
    SegmentKind,
    Station,
)
from juneau.engine.world import Reader
from juneau.resources.elasticipspec import INTERFACE
from juneau.resources.endpointspec import (
    MAC,
    Attachment,
    NetworkEndpoint,
    NetworkEndpointSpec,
    others_of,
    rank_of,
)
from juneau.resources.externals import DIRECT_NICS, HOLDINGS, NETWORK_IDS
from juneau.resources.networks import network_of


def intents(endpoint: NetworkEndpoint, world: Reader) -> Iterator[Intent]:
    spec = endpoint.spec
    if re.search(MAC, spec.mac_address) is None:
        return
    if spec.external_network:
        yield from _direct_intents(endpoint, world)
        return
    segment = network_of(world, spec.subnet, spec.l2_network)
    if segment is None or not segment.vni:
        return
    prefix = ipv4_prefix(spec.address) if spec.address else None
    address = prefix.ip if prefix is not None else None
    rank = rank_of(endpoint)
    if spec.attachment is not None:
        yield _port(endpoint, spec.attachment, segment.vni, address)
    if spec.l2_network:
        if spec.attachment is not None:
            yield FloodPeer(segment.vni, spec.node_name)
        if address is not None and segment.has_gateway:
            yield NeighbourSeed(segment.vni, address, spec.mac_address, rank=rank)
        return
    if address is not None:
        yield Neighbour(segment.vni, address, spec.mac_address, rank=rank)
    # Who still knows an older one's MAC must not reach that while others reach the newer one.
    if all(other < rank for other in others_of(endpoint, world)):
        yield Station(segment.vni, spec.mac_address, spec.node_name, _port_name(endpoint), rank=rank)


def _direct_intents(endpoint: NetworkEndpoint, world: Reader) -> Iterator[Intent]:
    """Of a NIC that carries an address from outside itself; nothing where another has the address by now.

    The old endpoint of a Node that is lost says nothing any more, and a Pod that still runs with the address falls
    silent: no address is on two NICs.
    """
    spec = endpoint.spec
    numbers = world.values(NETWORK_IDS, spec.external_network)
    prefix = ipv4_prefix(spec.address) if spec.address else None
    if not numbers or prefix is None or _is_superseded(endpoint, prefix.ip, world):
        return
    vni, address, rank = numbers[0], prefix.ip, rank_of(endpoint)
    if spec.attachment is not None:
        yield _port(endpoint, spec.attachment, vni, address)
    yield Neighbour(vni, address, spec.mac_address, rank=rank)
    yield Station(vni, spec.mac_address, spec.node_name, _port_name(endpoint), rank=rank)
    yield DirectAddress(address, vni, rank=rank)
    yield ExternalPrefix(IPv4Network(address), EVERY_NODE)


def _is_superseded(endpoint: NetworkEndpoint, address: IPv4Address, world: Reader) -> bool:
    """Whether the ElasticIP has given the address to another, or, where it has given it to nobody, a newer one has it.

    A conflict about the ElasticIP takes it from nobody who runs with it.
    """
    holdings = world.values(HOLDINGS, (endpoint.spec.external_network, str(address)))
    if not holdings:
        return any(other > rank_of(endpoint) for other in others_of(endpoint, world))
    ref = endpoint.spec.pod_ref
    for holding in holdings:
        for nic in world.values(DIRECT_NICS, (holding.namespace, holding.elastic_ip)):
            is_named = (holding.kind, holding.namespace, holding.name) == (INTERFACE, endpoint.namespace, nic.name)
            if is_named and ref is not None and (nic.pod, nic.pod_uid) == (ref.name, ref.uid):
                return False
    return True


def _port(endpoint: NetworkEndpoint, attachment: Attachment, vni: int, address: IPv4Address | None) -> Port:
    spec = endpoint.spec
    return Port(
        _port_name(endpoint),
        spec.node_name,
        attachment.ifindex,
        vni,
        spec.mac_address,
        address,
        PortOwner.NODE if spec.kind == "Node" else PortOwner.POD,
        _segment_kind(spec),
    )


def _segment_kind(spec: NetworkEndpointSpec) -> SegmentKind:
    if spec.external_network:
        return SegmentKind.EXTERNAL
    return SegmentKind.L2 if spec.l2_network else SegmentKind.SUBNET


def _port_name(endpoint: NetworkEndpoint) -> str:
    return endpoint.spec.node_name if endpoint.spec.kind == "Node" else f"{endpoint.namespace}/{endpoint.name}"
