"""What comes in from the underlay.

A Node's address answers as a host, except that VXLAN goes to the segment that the VNI names.
"""

from __future__ import annotations

from typing import Final

from juneau.drivers.simulated import hearsay, segment, vxlan
from juneau.drivers.simulated.codec import ETHERNET_HEADER, IPV4, UDP, address_text, ipv4_header_length, mac_text
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.subnet import POD_INGRESS
from juneau.engine.trace import Reason, Verdict

VXLAN_INGRESS: Final = "VXLAN ingress"
NODE_INGRESS: Final = "node ingress"


def from_underlay(node: Node, _: int, packet: bytes, hops: int) -> None:
    """Node ingress: VXLAN for this Node goes on, all else is the host's."""
    if len(packet) < ETHERNET_HEADER:
        node.drop(NODE_INGRESS, Reason.MALFORMED, detail="shorter than an Ethernet header")
        return
    if _is_vxlan(packet, node.address):
        vxlan_ingress(node, packet, hops)
        return
    node.note(NODE_INGRESS, Reason.NODE_INGRESS)
    node.note(NODE_INGRESS, Reason.PASS_TO_HOST, verdict=Verdict.DELIVER)
    node.host.receive_frame(packet)


def vxlan_ingress(node: Node, packet: bytes, hops: int) -> None:
    tunnelled = vxlan.decapsulate(packet)
    if tunnelled is None:
        node.drop(VXLAN_INGRESS, Reason.NO_TUNNEL_DATA)
        return
    vni, frame = tunnelled.vni, tunnelled.frame
    if node.fabric.trace is not None:
        detail = f"VNI {vni} from {address_text(tunnelled.source)}"
        node.note(VXLAN_INGRESS, Reason.VXLAN_INGRESS, detail=detail)
    if len(frame) < ETHERNET_HEADER:
        node.drop(VXLAN_INGRESS, Reason.MALFORMED, detail="shorter than an Ethernet header")
    elif vni in node.tables.segments and vni not in node.tables.stations:
        _to_local_nic(node, vni, frame)
    elif hearsay.is_between_nodes(frame):
        hearsay.heed(node, vni, frame, tunnelled.source, VXLAN_INGRESS)
    elif vni in node.tables.stations:
        segment.from_overlay(node, vni, frame, tunnelled.source)
    else:
        node.drop(VXLAN_INGRESS, Reason.MISS_NETWORK, "subnet_map", vni)


def _to_local_nic(node: Node, vni: int, frame: bytes) -> None:
    """On a Subnet nothing is flooded, and nothing is relayed to a third Node."""
    mac = frame[:6]
    station = node.tables.fdb.get((vni, mac))
    port = node.tables.station_port(station, mac) if station is not None else None
    if port is None:
        node.drop(VXLAN_INGRESS, Reason.MISS_FDB, "fdb", f"{vni} {mac_text(mac)}")
        return
    node.note(VXLAN_INGRESS, Reason.REDIRECT_PORT, "fdb", f"{vni} {mac_text(mac)}")
    node.deliver(port.number, frame, POD_INGRESS, Reason.POD_INGRESS)


def _is_vxlan(packet: bytes, address: int) -> bool:
    head = packet[ETHERNET_HEADER : ETHERNET_HEADER + 64]
    if packet[12:14] != IPV4 or len(head) < 20 or head[9] != UDP or head[6] & 0x3F or head[7]:
        return False
    length = ipv4_header_length(packet[ETHERNET_HEADER:])
    port = int.from_bytes(head[length + 2 : length + 4], "big")
    return bool(length) and port == vxlan.PORT and int.from_bytes(head[16:20], "big") == address
