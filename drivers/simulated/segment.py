"""An L2 segment on one Node: learning, forwarding by MAC, flooding, and the gateway port.

Nothing here looks at a packet beyond the Ethernet header, but for ARP: its senders become known, so that the gateway
finds them without ever asking.
"""

from __future__ import annotations

from typing import Final

from juneau.drivers.simulated import hearsay, tunnel
from juneau.drivers.simulated.codec import (
    ARP,
    ARP_REQUEST,
    ETHERNET_HEADER,
    IPV4,
    NO_MAC,
    address_text,
    arp_answer,
    is_group,
    mac_text,
    parse_arp,
)
from juneau.drivers.simulated.learning import Heard
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.points import GATEWAY_INBOUND, GATEWAY_OUTBOUND, L2_EGRESS, L2_INGRESS, VXLAN_INGRESS
from juneau.engine.trace import Reason, Verdict

GATEWAY_PASSES: Final = 4


def l2_egress(node: Node, number: int, frame: bytes, hops: int) -> None:
    """What a workload sends on a segment."""
    port = node.tables.ports.get(number)
    if port is None:
        node.drop(L2_EGRESS, Reason.MISS_L2_PORT, "l2_ifindex", number)
        return
    vni = port.vni
    if node.fabric.trace is not None:
        node.note(L2_EGRESS, Reason.L2_EGRESS, "l2_ifindex", number, port.name)
    if vni not in node.tables.stations:
        node.drop(L2_EGRESS, Reason.MISS_L2_NETWORK, "l2_network_map", vni)
        return
    _learn(node, vni, frame[6:12], number, 0, L2_EGRESS)
    if frame[12:14] != ARP:
        forward(node, vni, frame, number, hops, L2_EGRESS)
        return
    _snoop(node, vni, frame, number, 0, L2_EGRESS)
    reached = forward(node, vni, frame, number, hops, L2_EGRESS)
    hearsay.pass_on(node, vni, frame, set(reached), L2_EGRESS)


def from_overlay(node: Node, vni: int, frame: bytes, vtep: int) -> None:
    """What another Node sends on a segment: it goes to ports of this Node only, and the gateway gets no copies."""
    is_arp = frame[12:14] == ARP
    gateway = node.tables.gateways.get(vni)
    if is_arp:
        _snoop(node, vni, frame, 0, vtep, VXLAN_INGRESS)
    _learn(node, vni, frame[6:12], 0, vtep, VXLAN_INGRESS)
    mac = frame[:6]
    if gateway is not None and mac == gateway.mac:
        if is_arp:
            node.note(VXLAN_INGRESS, Reason.ARP_SNOOPED, detail="a copy for the neighbour table only")
        else:
            node.way.gateway_inbound(node, vni, frame, 0)
        return
    station = None if is_group(mac) else node.tables.stations[vni].find(mac, node.fabric.now)
    if station is not None and station.number:
        _to_port(node, vni, station.number, frame, VXLAN_INGRESS)
        return
    if station is not None:
        node.note(VXLAN_INGRESS, Reason.L2_SPLIT_HORIZON, "l2_fdb", f"{vni} {mac_text(mac)}")
    ports = list(node.tables.members.get(vni, ()))
    node.note(VXLAN_INGRESS, Reason.L2_FLOOD, "l2_bum_local", vni, _copies_text(len(ports)))
    for number in ports:
        node.deliver(number, frame, L2_INGRESS, Reason.L2_INGRESS)


def forward(node: Node, vni: int, frame: bytes, came_from: int, hops: int, point: str) -> list[int]:
    """By destination MAC, from a port of this Node; returns the other Nodes that the frame goes to."""
    tables = node.tables
    mac = frame[:6]
    if is_group(mac):
        return _flood(node, vni, frame, came_from, hops, point)
    gateway = tables.gateways.get(vni)
    if gateway is not None and mac == gateway.mac:
        if came_from == gateway.port:
            node.drop(point, Reason.L2_HAIRPIN_DROP, "l2_fdb", f"{vni} {mac_text(mac)}")
        else:
            node.way.gateway_inbound(node, vni, frame, hops)
        return []
    station = tables.stations[vni].find(mac, node.fabric.now)
    if station is None:
        node.note(point, Reason.MISS_L2_MAC, "l2_fdb", f"{vni} {mac_text(mac)}")
        return _flood(node, vni, frame, came_from, hops, point)
    if not station.number:
        tunnel.send(node, vni, station.vtep, frame, point)
        return [station.vtep]
    if station.number == came_from:
        node.drop(point, Reason.L2_HAIRPIN_DROP, "l2_fdb", f"{vni} {mac_text(mac)}")
    else:
        _to_port(node, vni, station.number, frame, point)
    return []


def gateway_inbound(node: Node, vni: int, frame: bytes, hops: int) -> None:
    """From the segment to the Vpc, as from a Subnet; what others on the segment answer themselves ends here."""
    gateway = node.tables.gateways.get(vni)
    if gateway is None:
        node.drop(GATEWAY_INBOUND, Reason.MISS_L2_GATEWAY, "l2_gateway", vni)
    elif hops >= GATEWAY_PASSES:
        node.drop(GATEWAY_INBOUND, Reason.L2_GW_LOOP_DROP, "l2_gateway", vni)
    elif frame[12:14] == ARP:
        _answer_arp(node, vni, frame, hops + 1)
    elif frame[:6] != gateway.mac:
        node.note(GATEWAY_INBOUND, Reason.GATEWAY_COPY_IGNORED, "l2_gateway", vni, verdict=Verdict.IGNORE)
    elif frame[12:14] != IPV4:
        node.drop(GATEWAY_INBOUND, Reason.NOT_IPV4, "l2_gateway", vni)
    else:
        node.note(GATEWAY_INBOUND, Reason.L2_GATEWAY, "l2_gateway", vni)
        node.way.route(node, vni, frame, hops + 1, GATEWAY_INBOUND)


def gateway_outbound(node: Node, vni: int, frame: bytes, hops: int) -> None:
    """From the Vpc to the segment; a frame without a destination MAC gets it from the neighbour table."""
    tables = node.tables
    gateway = tables.gateways.get(vni)
    if vni not in tables.stations:
        node.drop(GATEWAY_OUTBOUND, Reason.MISS_L2_NETWORK, "l2_network_map", vni)
    elif gateway is None:
        node.drop(GATEWAY_OUTBOUND, Reason.MISS_L2_GATEWAY, "l2_gateway", vni)
    elif hops >= GATEWAY_PASSES:
        node.drop(GATEWAY_OUTBOUND, Reason.L2_GW_LOOP_DROP, "l2_gateway", vni)
    elif frame[12:14] == ARP:
        forward(node, vni, frame, gateway.port, hops + 1, GATEWAY_OUTBOUND)
    else:
        mac = frame[:6] if frame[:6] != NO_MAC else _neighbour(node, vni, frame)
        if mac is not None:
            frame = mac + gateway.mac + frame[12:]
            forward(node, vni, frame, gateway.port, hops + 1, GATEWAY_OUTBOUND)


def _neighbour(node: Node, vni: int, frame: bytes) -> bytes | None:
    """An address that nobody handed out or announced is not asked for: the packet is dropped."""
    address = int.from_bytes(frame[ETHERNET_HEADER + 16 : ETHERNET_HEADER + 20], "big")
    mac = node.tables.neighbours[vni].find(address)
    key = f"{vni} {address_text(address)}"
    if mac is None:
        node.drop(GATEWAY_OUTBOUND, Reason.MISS_L2_ARP, "l2_arp", key)
    else:
        node.note(GATEWAY_OUTBOUND, Reason.L2_GATEWAY, "l2_arp", key, mac_text(mac))
    return mac


def _answer_arp(node: Node, vni: int, frame: bytes, hops: int) -> None:
    """The gateway speaks for its own address only, and only when asked."""
    gateway = node.tables.gateways[vni]
    request = parse_arp(frame)
    if request is None or request.operation != ARP_REQUEST or request.target != gateway.address:
        node.note(GATEWAY_INBOUND, Reason.ARP_IGNORED, "l2_gateway", vni, verdict=Verdict.IGNORE)
        return
    node.note(GATEWAY_INBOUND, Reason.ARP_ANSWERED, "l2_gateway", vni, verdict=Verdict.ANSWER)
    node.way.gateway_outbound(node, vni, arp_answer(request, gateway.mac, frame[6:12]), hops)


def _learn(node: Node, vni: int, mac: bytes, number: int, vtep: int, point: str) -> None:
    """Whoever claims a MAC has it, but for the gateway's; a group address is nobody's."""
    gateway = node.tables.gateways.get(vni)
    if is_group(mac) or (gateway is not None and mac == gateway.mac):
        return
    is_news = node.tables.stations[vni].learn(mac, number, vtep, node.fabric.now)
    if is_news and node.fabric.trace is not None:
        where = address_text(vtep) if vtep else node.port_name(number)
        node.note(point, Reason.L2_LEARNED, "l2_fdb", f"{vni} {mac_text(mac)}", where)


def _snoop(node: Node, vni: int, frame: bytes, number: int, vtep: int, point: str) -> None:
    """Whoever says last that it has an address has it, whatever sort of ARP it sends."""
    arp = parse_arp(frame)
    if arp is None or not arp.sender:
        return
    node.tables.neighbours[vni].hear(arp.sender, Heard(arp.sender_mac, number, vtep))
    if node.fabric.trace is not None:
        key = f"{vni} {address_text(arp.sender)}"
        node.note(point, Reason.ARP_SNOOPED, "l2_arp", key, mac_text(arp.sender_mac))


def _flood(node: Node, vni: int, frame: bytes, came_from: int, hops: int, point: str) -> list[int]:
    """One copy to each port of the segment but the one it came from, then to the gateway, then to the other Nodes."""
    tables = node.tables
    gateway = tables.gateways.get(vni)
    ports = [number for number in tables.members.get(vni, ()) if number != came_from]
    to_gateway = gateway is not None and gateway.port != came_from
    vteps = tables.flood_list(vni)
    copies = len(ports) + to_gateway + len(vteps)
    node.note(point, Reason.L2_FLOOD, "l2_bum_local", vni, _copies_text(copies))
    for number in ports:
        node.deliver(number, frame, L2_INGRESS, Reason.L2_INGRESS)
    if to_gateway:
        node.way.gateway_inbound(node, vni, frame, hops)
    for vtep in vteps:
        tunnel.send(node, vni, vtep, frame, point)
    return vteps


def _to_port(node: Node, vni: int, number: int, frame: bytes, point: str) -> None:
    if node.fabric.trace is not None:
        node.note(point, Reason.REDIRECT_PORT, "l2_fdb", f"{vni} {mac_text(frame[:6])}", node.port_name(number))
    node.deliver(number, frame, L2_INGRESS, Reason.L2_INGRESS)


def _copies_text(number: int) -> str:
    return "1 copy" if number == 1 else f"{number} copies"
