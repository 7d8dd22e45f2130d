"""The last step of a routed packet: to an address of a segment, or out of the Node by its host's routing table."""

from __future__ import annotations

from juneau.drivers.simulated.codec import IPV4, NO_MAC, address_text, mac_text, with_lower_ttl
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.rewrite import target_of
from juneau.engine.intents import SegmentKind
from juneau.engine.trace import Reason


def to_segment(node: Node, vni: int, packet: bytes, point: str, hops: int = 0, source_mac: bytes = b"") -> None:
    """The next hop is the destination itself.

    On a Subnet the frame comes from its gateway, or from `source_mac` where this Node knows none.
    """
    if vni in node.tables.stations:
        node.way.gateway_outbound(node, vni, NO_MAC + NO_MAC + IPV4 + packet, hops)
        return
    address = target_of(packet)
    segment, gateway = node.tables.segments.get(vni), node.tables.gateways.get(vni)
    source_mac = gateway.mac if gateway is not None else source_mac
    if segment is None or segment.kind is not SegmentKind.SUBNET or not source_mac:
        node.drop(point, Reason.MISS_NETWORK, "subnet_map", vni)
        return
    mac = node.tables.arp.get((vni, address))
    if mac is None:
        node.drop(point, Reason.MISS_ARP, "arp_table", f"{vni} {address_text(address)}")
        return
    if node.fabric.trace is not None:
        node.note(point, Reason.ROUTED, "arp_table", f"{vni} {address_text(address)}", mac_text(mac))
    node.way.subnet_forward(node, vni, mac + source_mac + IPV4 + packet, point)


def out_of_node(node: Node, packet: bytes, point: str) -> None:
    """A packet that left its Vpc; what the host could not forward is dropped and never the host's own.

    For an address that this Node takes delivery of nobody else would answer: it is turned around here.
    """
    target = target_of(packet)
    if taken_here(node, target):
        if node.fabric.trace is not None:
            node.note(point, Reason.TURNED_AROUND, "external_address_pools", address_text(target))
        node.way.take_delivery(node, NO_MAC + NO_MAC + IPV4 + packet, point)
        return
    if node.host.takes(target) or not leads_outside(node, packet):
        detail = f"the Node does not forward to {address_text(target)}"
        node.drop(point, Reason.MISS_ROUTE, detail=detail)
        return
    if node.fabric.trace is not None:
        node.note(point, Reason.HOST_ROUTED, detail=address_text(target))
    node.host.send_packet(packet)


def leads_outside(node: Node, packet: bytes) -> bool:
    """Whether the host's routing table sends it out of the Node, or to a NIC that carries an address from outside.

    The host has a port of the default Subnet too, by which nobody else may get into that Vpc.
    """
    way = node.host.way_out(packet)
    return way in node.uplinks or any(nic.side is not None and nic.side.name == way for nic in node.nics.values())


def taken_here(node: Node, address: int) -> bool | None:
    """Whether this Node takes delivery of an address; None if it is not Juneau's.

    Nodes stay reachable whatever a pool says.
    """
    if address in node.tables.node_addresses or node.host.owns(address):
        return None
    return node.tables.external.is_taken_here(address)


def routed_once(node: Node, packet: bytes, point: str) -> bytes | None:
    """The packet after one routing step, or None if it has been dropped there."""
    if packet[8] <= 1:
        node.drop(point, Reason.TTL_EXCEEDED, detail=f"TTL {packet[8]}")
        return None
    return with_lower_ttl(packet)
