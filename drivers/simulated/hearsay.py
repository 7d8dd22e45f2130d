"""Hearsay: what Nodes tell each other about ARP senders of segments with a gateway.

Any Node may route a packet for such a segment, so each has to know who announced which address, wherever that was.
A Node passes on each ARP frame when it hears it, to Nodes that the frame itself does not reach.
A Node that could not hear what was said earlier asks for it, since nobody else can know when it is ready to listen; and
what a Node forgot because a NIC went, the others forget too.

All of it is ARP addressed to the gateway's MAC.
Every Node has a gateway of its own, so no workload's frame to that MAC ever crosses the underlay, and no port gets one.
What a Node says by itself comes from the gateway's MAC as well: no workload's frame with one MAC at both ends crosses
either, since it belongs where it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from juneau.drivers.simulated import tunnel
from juneau.drivers.simulated.codec import (
    ARP,
    ARP_REPLY,
    ARP_REQUEST,
    NO_MAC,
    Arp,
    address_text,
    build_arp,
    is_group,
    mac_text,
    parse_arp,
)
from juneau.drivers.simulated.learning import Heard
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.points import AGENT
from juneau.engine import intents as of
from juneau.engine.delta import Delta
from juneau.engine.intents import Intent
from juneau.engine.trace import Reason, Verdict


def pass_on(node: Node, vni: int, frame: bytes, reached: set[int], point: str) -> None:
    """An ARP frame that was just heard, to the Nodes that the frame itself does not go to."""
    gateway = node.tables.gateways.get(vni)
    if gateway is None:
        return
    source = frame[6:12]
    if source == gateway.mac:
        # A workload that claims the gateway's MAC must not speak as a Node; nobody learns a group address.
        source = bytes((source[0] | 1,)) + source[1:]
    for vtep in node.tables.remote_nodes():
        if vtep not in reached:
            tunnel.send(node, vni, vtep, gateway.mac + source + frame[12:], point)


def is_between_nodes(frame: bytes) -> bool:
    """Whether a frame that crossed the underlay is what a Node says by itself."""
    return frame[12:14] == ARP and frame[:6] == frame[6:12] and not is_group(frame)


def heed(node: Node, vni: int, frame: bytes, vtep: int, point: str) -> None:
    """Do what another Node says: it asks, it tells a pair, or it withdraws one."""
    neighbours = node.tables.neighbours.get(vni)
    arp = parse_arp(frame)
    if vni not in node.tables.stations or neighbours is None or arp is None:
        node.note(point, Reason.ARP_IGNORED, "l2_network_map", vni, verdict=Verdict.IGNORE)
        return
    key = f"{vni} {address_text(arp.sender)}"
    node.note(point, Reason.ARP_SNOOPED, "l2_arp", key, mac_text(arp.sender_mac), Verdict.IGNORE)
    if not arp.sender:
        _tell(node, vni, vtep, frame[:6])
    elif arp.sender_mac == NO_MAC:
        neighbours.withdraw(arp.sender, vtep)
    else:
        neighbours.be_told(arp.sender, Heard(arp.sender_mac, 0, vtep))


def catch_up(node: Node, delta: Delta) -> None:
    """After a delta: withdraw what went with a NIC, and ask those that may have heard more."""
    _withdraw(node)
    asked: dict[tuple[int, int], None] = {}
    for intent in (*(new for _, new in delta.change), *delta.add):
        if node.tables.intents.get(intent.key) == intent:
            asked |= dict.fromkeys(_to_ask(node, intent))
    for vni, vtep in asked:
        mac = node.tables.gateways[vni].mac
        _say(node, vni, vtep, mac, Arp(ARP_REQUEST, mac, 0, NO_MAC, 0))
    lost = node.fabric.run()
    if lost:
        node.drop(AGENT, Reason.BUDGET_EXHAUSTED, detail=f"{lost} frames thrown away")


def _to_ask(node: Node, intent: Intent) -> Iterator[tuple[int, int]]:
    """Only a Node with ports of the segment can have heard something at one."""
    tables = node.tables
    match intent:
        case of.Segment() | of.Gateway():
            yield from ((vni, vtep) for vni in _routed(node, (intent.vni,)) for vtep in tables.flood_list(vni))
        case of.Underlay() | of.FloodPeer() if intent.node != node.name and intent.node in tables.underlays:
            vnis = (intent.vni,) if isinstance(intent, of.FloodPeer) else tables.flood_peers
            wanted = (vni for vni in _routed(node, vnis) if intent.node in tables.flood_peers[vni])
            yield from ((vni, tables.underlays[intent.node]) for vni in wanted)
        case _:
            pass


def _routed(node: Node, vnis: Iterable[int]) -> list[int]:
    """Those of them that are L2 segments with a gateway."""
    return [vni for vni in vnis if vni in node.tables.stations and vni in node.tables.gateways]


def _withdraw(node: Node) -> None:
    for vni, address in node.tables.take_forgotten():
        gateway = node.tables.gateways.get(vni)
        if gateway is None:
            continue
        for vtep in node.tables.remote_nodes():
            _say(node, vni, vtep, gateway.mac, Arp(ARP_REPLY, NO_MAC, address, NO_MAC, address))


def _tell(node: Node, vni: int, vtep: int, mac: bytes) -> None:
    """All pairs that were heard at ports of this Node."""
    for address, sender_mac in node.tables.neighbours[vni].heard_here():
        _say(node, vni, vtep, mac, Arp(ARP_REPLY, sender_mac, address, sender_mac, address))


def _say(node: Node, vni: int, vtep: int, mac: bytes, arp: Arp) -> None:
    tunnel.send(node, vni, vtep, build_arp(arp, mac, mac), AGENT)
