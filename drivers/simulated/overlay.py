"""What comes in from the underlay.

VXLAN goes to the segment that the VNI names, everything else by the ingress or at once to the Node's host.
"""

from __future__ import annotations

from juneau.drivers.simulated import direct, hearsay, segment, vxlan
from juneau.drivers.simulated.codec import ETHERNET_HEADER, IPV4, UDP, address_text, ipv4_header_length, mac_text
from juneau.drivers.simulated.ingress import node_ingress
from juneau.drivers.simulated.interface import Interface
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.points import NODE_INGRESS, POD_INGRESS, VXLAN_INGRESS
from juneau.engine.intents import SegmentKind
from juneau.engine.trace import Reason


def from_uplink(node: Node, interface: Interface, packet: bytes) -> None:
    """What comes in at a NIC of the Node.

    VXLAN for its address goes on if it came in where the overlay is; the rest is for the ingress at that NIC, at any
    other the host's.
    """
    if len(packet) < ETHERNET_HEADER:
        node.drop(NODE_INGRESS, Reason.MALFORMED, detail="shorter than an Ethernet header")
    elif interface is node.underlay.interface and _is_vxlan(packet, node.address):
        vxlan_ingress(node, packet, 0)
    elif interface is node.ingress.interface:
        node.note(NODE_INGRESS, Reason.NODE_INGRESS, detail=interface.name)
        node_ingress(node, packet, interface)
    else:
        node.to_host(packet, interface)


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
        is_external = node.tables.segments[vni].kind is SegmentKind.EXTERNAL
        to_nic = direct.to_local_nic if is_external else _to_local_nic
        to_nic(node, vni, frame, VXLAN_INGRESS)
    elif hearsay.is_between_nodes(frame):
        hearsay.heed(node, vni, frame, tunnelled.source, VXLAN_INGRESS)
    elif vni in node.tables.stations:
        segment.from_overlay(node, vni, frame, tunnelled.source)
    else:
        node.drop(VXLAN_INGRESS, Reason.MISS_NETWORK, "subnet_map", vni)


def _to_local_nic(node: Node, vni: int, frame: bytes, point: str) -> None:
    """On a Subnet nothing is flooded, and nothing is relayed to a third Node."""
    mac = frame[:6]
    station = node.tables.fdb.get((vni, mac))
    port = node.tables.station_port(station, mac) if station is not None else None
    if port is None:
        node.drop(point, Reason.MISS_FDB, "fdb", f"{vni} {mac_text(mac)}")
        return
    node.note(point, Reason.REDIRECT_PORT, "fdb", f"{vni} {mac_text(mac)}")
    node.deliver(port.number, frame, POD_INGRESS, Reason.POD_INGRESS)


def _is_vxlan(packet: bytes, address: int) -> bool:
    head = packet[ETHERNET_HEADER : ETHERNET_HEADER + 64]
    if packet[12:14] != IPV4 or len(head) < 20 or head[9] != UDP or head[6] & 0x3F or head[7]:
        return False
    length = ipv4_header_length(packet[ETHERNET_HEADER:])
    port = int.from_bytes(head[length + 2 : length + 4], "big")
    return bool(length) and port == vxlan.PORT and int.from_bytes(head[16:20], "big") == address
