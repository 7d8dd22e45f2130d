"""NATGateways: many senders share one address of a Node, told apart by ports and ICMP identifiers.

A flow gets a port when its first packet leaves and keeps it while it is tracked; from outside only what answers a flow,
or is an ICMP error about one, comes in.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

from juneau.drivers.simulated import delivery
from juneau.drivers.simulated.codec import ICMP, TCP, UDP, address_text
from juneau.drivers.simulated.conntrack import Flow
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.rewrite import (
    End,
    FiveTuple,
    five_tuple,
    is_fragment,
    is_icmp_error,
    is_truncated,
    quoted,
    requoted,
    rewritten,
    target_of,
    tcp_flags,
)
from juneau.engine.trace import Reason

FIRST_PORT: Final = 1024
PORTS: Final = 64512
ATTEMPTS: Final = 8

_SEED = struct.Struct("!IIHHB")


def candidates(inner: FiveTuple) -> Iterator[int]:
    """The ports that are tried for a flow, in order; the next is asked for after a collision.

    The seed is the CRC-32 of source, target, source port, target port and protocol in network byte order.
    A collision replaces it by the CRC-32 of its own four bytes, and each attempt adds its number.
    """
    seed = zlib.crc32(_SEED.pack(inner.source, inner.target, inner.source_port, inner.target_port, inner.protocol))
    for attempt in range(ATTEMPTS):
        yield FIRST_PORT + (seed + attempt) % PORTS
        seed = zlib.crc32(seed.to_bytes(4, "big"))


def outbound(node: Node, vni: int, gateway_id: int, packet: bytes, point: str) -> None:
    """Out of a Vpc, after the route, with this Node's address for the gateway."""
    tables = node.tables
    address = tables.external.sources.get(gateway_id)
    if address is None:
        node.drop(point, Reason.MISS_NAT_SOURCE, "napt_src", gateway_id)
    elif is_fragment(packet):
        node.drop(point, Reason.NAT_FRAGMENT)
    elif is_icmp_error(packet):
        _error_out(node, tables.segments[vni].vpc_id, packet, point)
    else:
        inner = five_tuple(packet)
        if inner is None or is_truncated(packet):
            reason, detail = why_unfit(packet)
            node.drop(point, reason, detail=detail)
            return
        flow = _flow(node, vni, gateway_id, address, inner, point)
        if flow is not None:
            tables.external.flows.see(flow, tcp_flags(packet), node.fabric.now, is_reply=False)
            delivery.out_of_node(node, rewritten(packet, End.SOURCE, address, flow.outer.target_port), point)


def inbound(node: Node, packet: bytes, point: str) -> bool:
    """From outside; False for what answers no flow and is about none."""
    if is_fragment(packet):
        return False
    if is_icmp_error(packet):
        return _error_in(node, packet, point)
    outer = five_tuple(packet)
    flow = node.tables.external.flows.incoming(outer, node.fabric.now) if outer is not None else None
    if flow is None or is_truncated(packet):
        return False
    routed = delivery.routed_once(node, packet, point)
    if routed is not None:
        node.tables.external.flows.see(flow, tcp_flags(packet), node.fabric.now, is_reply=True)
        _restore(node, flow, routed, point)
    return True


def why_unfit(packet: bytes) -> tuple[Reason, str]:
    """Why a packet that is no fragment has no five-tuple to translate."""
    if packet[9] in (TCP, UDP, ICMP) and is_truncated(packet):
        return Reason.MALFORMED, f"truncated header of protocol {packet[9]}"
    if packet[9] == ICMP:
        return Reason.NAT_PROTOCOL, f"ICMP type {packet[(packet[0] & 15) * 4]}"
    return Reason.NAT_PROTOCOL, f"protocol {packet[9]}"


def _flow(node: Node, vni: int, gateway_id: int, address: int, inner: FiveTuple, point: str) -> Flow | None:
    """The flow of a packet that leaves, made if it is the first; None if it has been dropped.

    A flow that a changed route leads through another gateway begins anew, since its address is another one.
    """
    flows, now, scope = node.tables.external.flows, node.fabric.now, node.tables.segments[vni].vpc_id
    flow = flows.outgoing(scope, inner, now)
    if flow is not None and (flow.gateway_id, flow.outer.target) != (gateway_id, address):
        flows.end(flow)
        flow = None
    key = f"{scope} {_text(inner)}" if node.fabric.trace is not None else ""
    if flow is None:
        answers = (_answer(inner, address, port) for port in candidates(inner))
        outer = next((outer for outer in answers if flows.incoming(outer, now) is None), None)
        if outer is None:
            node.drop(point, Reason.NAT_PORTS_EXHAUSTED, "ct_map", key)
            return None
        flow = Flow(scope, vni, gateway_id, inner, outer, now)
        flows.open(flow)
    if node.fabric.trace is not None:
        detail = f"{address_text(address)}:{flow.outer.target_port}"
        node.note(point, Reason.NAT_TRANSLATED, "ct_map", key, detail)
    return flow


def _answer(inner: FiveTuple, address: int, port: int) -> FiveTuple:
    """How the answers to a flow look from outside; an ICMP echo has one identifier for both ends."""
    remote_port = port if inner.protocol == ICMP else inner.target_port
    return FiveTuple(inner.protocol, inner.target, address, remote_port, port)


def _error_out(node: Node, scope: int, packet: bytes, point: str) -> None:
    """The quoted packet came in by a flow, so it goes the way of its answers."""
    quote = quoted(packet)
    quoted_tuple = five_tuple(quote) if quote is not None else None
    flow: Flow | None = None
    if quoted_tuple is not None:
        flow = node.tables.external.flows.outgoing(scope, quoted_tuple.reversed(), node.fabric.now)
    if flow is None or quote is None:
        node.drop(point, Reason.ICMP_QUOTE, "ct_map", detail="unreadable, or of no known flow")
        return
    node.note(point, Reason.NAT_TRANSLATED, "ct_map", detail="an ICMP error and what it quotes")
    quote = rewritten(quote, End.TARGET, flow.outer.target, flow.outer.target_port)
    delivery.out_of_node(node, rewritten(requoted(packet, quote), End.SOURCE, flow.outer.target), point)


def _error_in(node: Node, packet: bytes, point: str) -> bool:
    """The quoted packet left by a flow, from the address that the error is sent to."""
    quote = quoted(packet)
    quoted_tuple = five_tuple(quote) if quote is not None else None
    if quote is None or quoted_tuple is None or quoted_tuple.source != target_of(packet):
        return False
    flow = node.tables.external.flows.incoming(quoted_tuple.reversed(), node.fabric.now)
    if flow is None:
        return False
    routed = delivery.routed_once(node, packet, point)
    if routed is not None:
        quote = rewritten(quote, End.SOURCE, flow.inner.source, flow.inner.source_port)
        _restore(node, flow, requoted(routed, quote), point)
    return True


def _restore(node: Node, flow: Flow, packet: bytes, point: str) -> None:
    """To the sender of a flow; an ICMP error has no port of its own."""
    port = None if is_icmp_error(packet) else flow.inner.source_port
    if node.fabric.trace is not None:
        detail = f"{address_text(flow.inner.source)} on segment {flow.vni}"
        node.note(point, Reason.NAT_RESTORED, "ct_map", f"0 {_text(flow.outer)}", detail)
    delivery.to_segment(node, flow.vni, rewritten(packet, End.TARGET, flow.inner.source, port), point)


def _text(flow: FiveTuple) -> str:
    source, target = address_text(flow.source), address_text(flow.target)
    return f"{source}:{flow.source_port} {target}:{flow.target_port} {flow.protocol}"
