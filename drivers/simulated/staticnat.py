"""An address from outside that stands one to one for a NIC's: every IPv4 protocol, without any state.

Of later fragments only the address is changed; of ICMP errors also the packet that they quote, so that path MTU
discovery and traceroute work in both directions.
"""

from __future__ import annotations

from juneau.drivers.simulated import delivery
from juneau.drivers.simulated.codec import address_text
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.rewrite import (
    End,
    is_icmp_error,
    is_truncated,
    quoted,
    requoted,
    rewritten,
    source_of,
    target_of,
)
from juneau.engine.trace import Reason

_OTHER = {End.SOURCE: End.TARGET, End.TARGET: End.SOURCE}


def outbound(node: Node, vni: int, packet: bytes, point: str) -> None:
    """Out of a Vpc, after the route; a sender that nothing stands for does not get out."""
    source = source_of(packet)
    external = node.tables.external.outbound.get((vni, source))
    if external is None:
        node.drop(point, Reason.MISS_NAT, "nat_snat_map", f"{vni} {address_text(source)}")
        return
    translated = _translated(node, packet, End.SOURCE, external, point)
    if translated is None:
        return
    if node.fabric.trace is not None:
        key = f"{vni} {address_text(source)}"
        node.note(point, Reason.NAT_TRANSLATED, "nat_snat_map", key, address_text(external))
    delivery.out_of_node(node, translated, point)


def inbound(node: Node, packet: bytes, point: str) -> bool:
    """From outside; False if the address stands for nothing."""
    target = target_of(packet)
    inner = node.tables.external.inbound.get(target)
    if inner is None:
        return False
    translated = _translated(node, packet, End.TARGET, inner[1], point)
    routed = delivery.routed_once(node, translated, point) if translated is not None else None
    if routed is None:
        return True
    if node.fabric.trace is not None:
        where = f"{address_text(inner[1])} on segment {inner[0]}"
        node.note(point, Reason.NAT_RESTORED, "nat_dnat_map", address_text(target), where)
    delivery.to_segment(node, inner[0], routed, point)
    return True


def _translated(node: Node, packet: bytes, end: End, address: int, point: str) -> bytes | None:
    """None if the packet has been dropped.

    The quoted packet went the other way, so in it the address stands at the other end.
    """
    if is_truncated(packet):
        node.drop(point, Reason.MALFORMED, detail=f"truncated header of protocol {packet[9]}")
        return None
    if is_icmp_error(packet):
        quote, other = quoted(packet), _OTHER[end]
        if quote is None or quote[other : other + 4] != packet[end : end + 4]:
            node.drop(point, Reason.ICMP_QUOTE, detail="unreadable, or about another address")
            return None
        packet = requoted(packet, rewritten(quote, other, address))
    return rewritten(packet, end, address)
