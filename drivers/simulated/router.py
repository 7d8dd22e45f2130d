"""Routing: what happens to IPv4 packets that are addressed to a gateway's MAC, of a Subnet or of an L2 segment.

It lowers the TTL by one per look-up and answers nothing: what cannot be routed is dropped.
What leaves a Vpc is translated after that, and goes on by the Node's own routing table.
"""

from __future__ import annotations

from juneau.drivers.simulated import delivery, napt, staticnat
from juneau.drivers.simulated.codec import (
    ETHERNET_HEADER,
    IPV4,
    NO_MAC,
    address_text,
    ipv4_header_length,
)
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.rewrite import trimmed
from juneau.engine.intents import Blackhole, RouteTarget, ToInternet, ToNATGateway, ToSegment, ToStation
from juneau.engine.trace import Reason, Verdict


def route(node: Node, vni: int, frame: bytes, hops: int, point: str) -> None:
    """Node addresses first, then the longest prefix in the route table of the network the packet comes from."""
    packet = frame[ETHERNET_HEADER:]
    if not ipv4_header_length(packet):
        node.drop(point, Reason.MALFORMED, detail="IPv4 header")
        return
    target = int.from_bytes(packet[16:20], "big")
    if target in node.tables.node_addresses:
        _to_node(node, target, packet, point)
        return
    chosen = _look_up(node, vni, target, point)
    if chosen is None:
        return
    routed = delivery.routed_once(node, packet, point)
    if routed is not None:
        _follow(node, vni, chosen, routed, hops, point)


def _look_up(node: Node, vni: int, target: int, point: str) -> RouteTarget | None:
    """The route's target, or None if the packet has been dropped."""
    gateway = node.tables.gateways[vni]
    table = node.tables.fib.get(gateway.table_id)
    if table is None:
        node.drop(point, Reason.MISS_ROUTE_TABLE, "fib_map", gateway.table_id)
        return None
    chosen = table.find(target)
    key = f"{gateway.table_id} {address_text(target)}"
    if chosen is None:
        node.drop(point, Reason.MISS_ROUTE, "fib_map", key)
    elif isinstance(chosen, Blackhole):
        node.drop(point, Reason.BLACKHOLE, "fib_map", key)
    else:
        node.note(point, Reason.ROUTED, "fib_map", key, _target_text(chosen))
        return chosen
    return None


def _target_text(target: RouteTarget) -> str:
    match target:
        case ToSegment():
            return f"segment {target.vni}"
        case ToStation():
            return f"station {target.mac} on segment {target.vni}"
        case ToInternet():
            return "the outside, one to one"
        case ToNATGateway():
            return f"the outside, by NATGateway {target.gateway_id}"
        case Blackhole():
            return "nowhere"


def _follow(node: Node, vni: int, target: RouteTarget, packet: bytes, hops: int, point: str) -> None:
    match target:
        case ToSegment():
            delivery.to_segment(node, target.vni, packet, point, hops, node.tables.gateways[vni].mac)
        case ToStation():
            mac = bytes.fromhex(target.mac.replace(":", ""))
            if target.vni in node.tables.stations:
                node.way.gateway_outbound(node, target.vni, mac + NO_MAC + IPV4 + packet, hops)
            else:
                _send(node, vni, target.vni, mac, packet, point)
        case ToInternet():
            staticnat.outbound(node, vni, trimmed(packet), point)
        case ToNATGateway():
            napt.outbound(node, vni, target.gateway_id, trimmed(packet), point)
        case Blackhole():
            node.drop(point, Reason.BLACKHOLE)


def _send(node: Node, vni: int, target_vni: int, mac: bytes, packet: bytes, point: str) -> None:
    gateway = node.tables.gateways.get(target_vni) or node.tables.gateways[vni]
    node.way.subnet_forward(node, target_vni, mac + gateway.mac + IPV4 + packet, point)


def _to_node(node: Node, target: int, packet: bytes, point: str) -> None:
    """Packets to a Node's own address: replies of connections that its host translated, and Pods that ask a Node."""
    if target == node.address:
        node.note(point, Reason.PASS_TO_HOST, "host_underlay", address_text(target), verdict=Verdict.DELIVER)
        node.host.receive_packet(packet)
        return
    routed = delivery.routed_once(node, packet, point)
    if routed is not None:
        node.note(point, Reason.PASS_TO_HOST, "node_underlays", address_text(target))
        node.host.send_packet(routed)
