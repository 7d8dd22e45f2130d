"""A Subnet on one Node: pod egress, the ARP answers, and layer 2 inside the network.

Nothing is learned and nothing is flooded here: every table is written from intents.
"""

from __future__ import annotations

from juneau.drivers.simulated import direct, router, tunnel
from juneau.drivers.simulated.codec import (
    ARP,
    ARP_REQUEST,
    IPV4,
    Arp,
    address_text,
    arp_answer,
    mac_text,
    parse_arp,
)
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.points import POD_EGRESS, POD_INGRESS
from juneau.engine.intents import SegmentKind
from juneau.engine.trace import Reason, Verdict


def pod_egress(node: Node, number: int, frame: bytes, hops: int) -> None:
    """Everything that a Pod, or the Node itself, sends out of a NIC of a Subnet."""
    port = node.tables.ports[number]
    if port.kind is SegmentKind.EXTERNAL:
        direct.pod_egress(node, port, frame)
        return
    vni = port.vni
    node.note(POD_EGRESS, Reason.POD_EGRESS, "ifindex_subnet", number, port.name)
    segment = node.tables.segments.get(vni)
    if segment is None or segment.kind is SegmentKind.EXTERNAL:
        node.drop(POD_EGRESS, Reason.MISS_NETWORK, "subnet_map", vni)
        return
    if frame[12:14] == ARP:
        _answer_arp(node, vni, number, frame)
        return
    gateway = node.tables.gateways.get(vni)
    if gateway is None or frame[:6] != gateway.mac:
        forward(node, vni, frame, POD_EGRESS)
    elif frame[12:14] != IPV4:
        node.drop(POD_EGRESS, Reason.NOT_IPV4, detail="addressed to the gateway")
    else:
        router.route(node, vni, frame, hops, POD_EGRESS)


def forward(node: Node, vni: int, frame: bytes, point: str) -> None:
    """Layer 2 by the static table: a NIC of this Node, another Node, or nowhere."""
    mac = frame[:6]
    station = node.tables.fdb.get((vni, mac))
    port = node.tables.station_port(station, mac) if station is not None else None
    if port is not None:
        node.note(point, Reason.REDIRECT_PORT, "fdb", f"{vni} {mac_text(mac)}", port.name)
        node.deliver(port.number, frame, POD_INGRESS, Reason.POD_INGRESS)
        return
    if station is not None and station.node != node.name and station.node in node.tables.underlays:
        tunnel.send(node, vni, node.tables.underlays[station.node], frame, point)
        return
    node.drop(point, Reason.MISS_FDB, "fdb", f"{vni} {mac_text(mac)}")


def _answer_arp(node: Node, vni: int, number: int, frame: bytes) -> None:
    """Requests are answered from the tables, to the NIC that asked; no other Pod ever sees them."""
    request = parse_arp(frame)
    if request is None or request.operation != ARP_REQUEST:
        node.drop(POD_EGRESS, Reason.ARP_IGNORED, detail="not a request for an IPv4 address")
        return
    mac = _mac_of(node, vni, request)
    if mac is None:
        node.drop(POD_EGRESS, Reason.MISS_ARP, "arp_table", f"{vni} {address_text(request.target)}")
        return
    if node.fabric.trace is not None:
        key = f"{vni} {address_text(request.target)}"
        node.note(POD_EGRESS, Reason.ARP_ANSWERED, "arp_table", key, mac_text(mac), Verdict.ANSWER)
    node.deliver(number, arp_answer(request, mac, frame[6:12]), POD_INGRESS, Reason.POD_INGRESS)


def _mac_of(node: Node, vni: int, request: Arp) -> bytes | None:
    gateway = node.tables.gateways.get(vni)
    if gateway is not None:
        if request.target == gateway.address:
            return gateway.mac
        if not gateway.covers(request.target):
            return None
    return node.tables.arp.get((vni, request.target))
