"""A NIC that carries an address from outside itself: it is in no Vpc, and nothing of its packets is translated.

Above Ethernet its packets are not altered in either direction, not even the TTL.
"""

from __future__ import annotations

from typing import Final

from juneau.drivers.simulated import delivery, tunnel
from juneau.drivers.simulated.codec import (
    ARP,
    ARP_REPLY,
    ARP_REQUEST,
    ETHERNET_HEADER,
    IPV4,
    address_text,
    arp_answer,
    mac_bytes,
    mac_text,
    parse_arp,
)
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.points import POD_EGRESS, POD_INGRESS
from juneau.drivers.simulated.rewrite import source_of, target_of, whole_packet
from juneau.drivers.simulated.tables import LocalPort
from juneau.engine.intents import DIRECT_NEXT_HOP, SegmentKind
from juneau.engine.trace import Reason, Verdict

NEXT_HOP: Final = int(DIRECT_NEXT_HOP)
PORTS: Final = "ifindex_external_network"


def pod_egress(node: Node, port: LocalPort, frame: bytes) -> None:
    """Everything that the Pod sends out of the NIC."""
    node.note(POD_EGRESS, Reason.POD_EGRESS, PORTS, port.number, port.name)
    if not _is_external(node, port.vni):
        node.drop(POD_EGRESS, Reason.MISS_NETWORK, PORTS, port.vni)
    elif frame[12:14] == ARP:
        _arp(node, port, frame)
    elif frame[12:14] != IPV4:
        node.drop(POD_EGRESS, Reason.NOT_IPV4)
    else:
        _packet(node, port, frame)


def _arp(node: Node, port: LocalPort, frame: bytes) -> None:
    """The next hop is answered for, the Node's own questions are answered, and nothing else passes."""
    arp = parse_arp(frame)
    if arp is not None and arp.operation == ARP_REQUEST and arp.target == NEXT_HOP:
        mac = node.tables.host_macs[port.number]
        node.note(POD_EGRESS, Reason.ARP_ANSWERED, "ifindex_host_mac", port.number, mac, Verdict.ANSWER)
        _into_nic(node, port.number, arp_answer(arp, mac_bytes(mac), frame[6:12]))
    elif arp is not None and arp.operation == ARP_REPLY and arp.sender == port.address:
        node.note(POD_EGRESS, Reason.PASS_TO_HOST, PORTS, port.number, verdict=Verdict.DELIVER)
        side = node.nics[port.number].side
        if side is not None:
            side.receive(frame)
    else:
        node.drop(POD_EGRESS, Reason.ARP_IGNORED, PORTS, port.number)


def _packet(node: Node, port: LocalPort, frame: bytes) -> None:
    packet = whole_packet(frame)
    if not packet:
        node.drop(POD_EGRESS, Reason.MALFORMED, detail="IPv4 header")
        return
    source, target = source_of(packet), target_of(packet)
    if source != port.address:
        node.drop(POD_EGRESS, Reason.SPOOFED_SOURCE, PORTS, port.number, address_text(source))
    elif delivery.taken_here(node, target):
        node.note(POD_EGRESS, Reason.TURNED_AROUND, "external_address_pools", address_text(target))
        node.way.take_delivery(node, frame[:ETHERNET_HEADER] + packet, POD_EGRESS)
    elif node.host.takes(target):
        node.note(POD_EGRESS, Reason.PASS_TO_HOST, detail=address_text(target), verdict=Verdict.DELIVER)
        node.host.receive_packet(packet)
    elif node.host.way_out(packet) and not delivery.leads_outside(node, packet):
        node.drop(POD_EGRESS, Reason.MISS_ROUTE, detail=f"the Node's way to {address_text(target)} is through a Vpc")
    else:
        # What has no route goes there as well: it is the host's to refuse.
        node.note(POD_EGRESS, Reason.HOST_ROUTED, detail=address_text(target))
        node.host.send_packet(packet)


def inbound(node: Node, frame: bytes, target: int, point: str) -> bool:
    """To the NIC that carries the address, wherever it is; False if none does."""
    vni = node.tables.external.direct.get(target)
    if vni is None:
        return False
    if node.fabric.trace is not None:
        node.note(point, Reason.DIRECT_ADDRESS, "elastic_ip_direct", address_text(target), f"segment {vni}")
    mac = node.tables.arp.get((vni, target))
    if not _is_external(node, vni):
        node.drop(point, Reason.MISS_NETWORK, "elastic_ip_direct", vni)
    elif mac is None:
        node.drop(point, Reason.MISS_ARP, "arp_table", f"{vni} {address_text(target)}")
    else:
        _forward(node, vni, mac + frame[6:], point)
    return True


def _forward(node: Node, vni: int, frame: bytes, point: str) -> None:
    """By the static table, to this Node's NIC or to the Node that has it."""
    station = node.tables.fdb.get((vni, frame[:6]))
    if station is not None and station.node != node.name and station.node in node.tables.underlays:
        tunnel.send(node, vni, node.tables.underlays[station.node], frame, point)
    else:
        to_local_nic(node, vni, frame, point)


def to_local_nic(node: Node, vni: int, frame: bytes, point: str) -> None:
    """To a NIC of this Node; what another Node sends is not relayed to a third."""
    mac = frame[:6]
    station = node.tables.fdb.get((vni, mac))
    port = node.tables.station_port(station, mac) if station is not None else None
    if port is None or port.kind is not SegmentKind.EXTERNAL:
        node.drop(point, Reason.MISS_FDB, "fdb", f"{vni} {mac_text(mac)}")
        return
    if node.fabric.trace is not None:
        node.note(point, Reason.REDIRECT_PORT, "fdb", f"{vni} {mac_text(mac)}", port.name)
    _into_nic(node, port.number, frame)


def from_host(node: Node, number: int, frame: bytes) -> None:
    """What the Node's own host sends into the NIC, which it has a route to."""
    port = node.tables.ports.get(number)
    if port is None or port.kind is not SegmentKind.EXTERNAL:
        node.drop(POD_INGRESS, Reason.MISS_NIC, PORTS, number)
    else:
        _into_nic(node, number, frame)


def _is_external(node: Node, vni: int) -> bool:
    segment = node.tables.segments.get(vni)
    return segment is not None and segment.kind is SegmentKind.EXTERNAL


def _into_nic(node: Node, number: int, frame: bytes) -> None:
    """Pod ingress: packets come from the node's side of the NIC, whoever sent them."""
    mac = node.tables.host_macs.get(number)
    if mac is not None and frame[12:14] == IPV4:
        frame = frame[:6] + mac_bytes(mac) + frame[12:]
    node.deliver(number, frame, POD_INGRESS, Reason.POD_INGRESS)
