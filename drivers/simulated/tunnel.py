"""The way out of a Node: a frame is encapsulated and put on the underlay."""

from __future__ import annotations

from juneau.drivers.simulated.codec import address_text
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.vxlan import Outer, encapsulate
from juneau.engine.trace import Crossing, Reason


def send(node: Node, vni: int, vtep: int, frame: bytes, point: str) -> None:
    """To the Node with that underlay address, with the VNI of the destination's network."""
    fabric = node.fabric
    here, there = fabric.nodes.get(node.address), fabric.nodes.get(vtep)
    if here is None or there is None:
        node.drop(point, Reason.UNDERLAY_LOST, detail=f"no Node has {address_text(vtep)}")
        return
    packet = encapsulate(Outer(node.address, vtep, here.mac, there.mac), vni, frame)
    station = node.underlay.station
    if not station.transmit(packet):
        is_too_long = len(packet) > station.ethernet.longest
        over = f"outer packet of {len(packet) - 14} bytes over an underlay MTU of {fabric.mtu}"
        node.drop(point, Reason.UNDERLAY_LOST, detail=over if is_too_long else f"{there.node} is not reached")
        return
    if fabric.trace is not None:
        node.note(point, Reason.REDIRECT_VXLAN, detail=f"VNI {vni} to {there.node}")
        fabric.trace.crossings.append(Crossing(node.name, there.node, vni, packet))
