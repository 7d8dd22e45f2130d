"""Node ingress: what comes in at the NIC that faces the outside, and is no tunnel's.

Packets for addresses that are Juneau's never reach the Node's own IP stack: somebody stands behind the address, or they
are dropped.
"""

from __future__ import annotations

from juneau.drivers.simulated import delivery, direct, napt, staticnat
from juneau.drivers.simulated.answering import answer_arp
from juneau.drivers.simulated.codec import ETHERNET_HEADER, IPV4, address_text
from juneau.drivers.simulated.interface import Interface
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.points import NODE_INGRESS
from juneau.drivers.simulated.rewrite import (
    five_tuple,
    is_fragment,
    is_icmp_error,
    is_truncated,
    target_of,
    whole_packet,
)
from juneau.engine.trace import Reason


def node_ingress(node: Node, frame: bytes, interface: Interface) -> None:
    """ARP for addresses that this Node answers for and packets for addresses that are Juneau's; all else is the host's.

    So is a broken IPv4 header, which the host drops.
    """
    if answer_arp(node, frame, interface):
        return
    packet = whole_packet(frame) if frame[12:14] == IPV4 else b""
    if not packet or delivery.taken_here(node, target_of(packet)) is None:
        node.to_host(frame, interface)
    else:
        take_delivery(node, frame[:ETHERNET_HEADER] + packet, NODE_INGRESS)


def take_delivery(node: Node, frame: bytes, point: str) -> None:
    """A packet for an address of Juneau's: by a NATGateway's flow, one to one, or to the NIC that carries it."""
    packet = frame[ETHERNET_HEADER:]
    if napt.inbound(node, packet, point) or staticnat.inbound(node, packet, point):
        return
    target = target_of(packet)
    if not direct.inbound(node, frame, target, point):
        reason, detail = _why_nobody(node, packet, target)
        node.drop(point, reason, "external_address_pools", address_text(target), detail)


def _why_nobody(node: Node, packet: bytes, target: int) -> tuple[Reason, str]:
    """What the address of a NATGateway does not let in is told apart from addresses that nobody uses."""
    if target not in node.tables.external.sources.values():
        return Reason.CLAIMED_UNUSED, ""
    if is_fragment(packet):
        return Reason.NAT_FRAGMENT, ""
    if is_icmp_error(packet):
        return Reason.ICMP_QUOTE, "unreadable, or of no known flow"
    if is_truncated(packet) or five_tuple(packet) is None:
        return napt.why_unfit(packet)
    return Reason.CLAIMED_UNUSED, "answers no flow"
