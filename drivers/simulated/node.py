"""One Node: its tables, its NICs, its counters, and the ends of the wires that lead to it.

The steps of a packet's way are functions in `subnet`, `router`, `segment` and `overlay`; a Node reaches them through
its `Way`, so that they need not know each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from attrs import define, frozen

from juneau.drivers.simulated.codec import ETHERNET_HEADER, fits
from juneau.drivers.simulated.ethernet import Station
from juneau.drivers.simulated.fabric import Fabric, Receiver
from juneau.drivers.simulated.interface import Interface
from juneau.drivers.simulated.points import L2_EGRESS, NODE_INGRESS, POD_EGRESS
from juneau.drivers.simulated.tables import LocalPort, Tables
from juneau.engine.trace import Arrival, Reason, Step, Verdict

UNDERLAY_LINK: Final = 2
VXLAN_LINK: Final = 3  # after the loopback and the NIC on the underlay


@define
class Nic:
    """The node's side of a NIC; `deliver` is the Pod's side, `side` the host's where it has a route to the NIC."""

    number: int
    mtu: int
    deliver: Receiver
    side: Interface | None = None


@frozen(eq=False)
class Uplink:
    """A NIC of the Node's host on an Ethernet; `number` is the link's on its Node."""

    number: int
    interface: Interface
    station: Station


class HostStack(Protocol):
    """The Node's own IP stack, as far as the dataplane hands packets to it; frames go to one of its interfaces."""

    def owns(self, address: int) -> bool:
        """Whether it is an address of any of its interfaces."""
        ...

    def takes(self, address: int) -> bool:
        """Whether packets for it end here: its own addresses, groups and broadcasts."""
        ...

    def way_out(self, packet: bytes) -> str:
        """The interface that its routing table sends the packet out of; empty if it has no route."""
        ...

    def receive_packet(self, packet: bytes) -> None:
        """A packet for the Node itself, from wherever."""
        ...

    def send_packet(self, packet: bytes) -> None:
        """Send it on by the host's routing table."""
        ...


Handler = Callable[["Node", int, bytes, int], None]
"""A step: the Node, a port's number or a VNI, the frame, and how often it was handed to gateway ports."""


@frozen
class Way:
    """Where a frame can be handed to inside a Node."""

    pod_egress: Handler
    l2_egress: Handler
    gateway_inbound: Handler
    gateway_outbound: Handler
    route: Callable[[Node, int, bytes, int, str], None]
    subnet_forward: Callable[[Node, int, bytes, str], None]
    from_uplink: Callable[[Node, Interface, bytes], None]
    take_delivery: Callable[[Node, bytes, str], None]


class Node:
    """The dataplane of one Node of a site.

    `underlay` is the NIC that has the Node's address, `ingress` the one that faces the outside: the same one, unless
    somebody says otherwise.
    """

    __slots__ = (
        "address",
        "drops",
        "fabric",
        "host",
        "ingress",
        "is_on",
        "name",
        "nics",
        "tables",
        "underlay",
        "uplinks",
        "way",
    )

    ingress: Uplink
    underlay: Uplink

    def __init__(self, name: str, address: int, fabric: Fabric, way: Way, host: HostStack) -> None:
        self.name = name
        self.address = address
        self.fabric = fabric
        self.way = way
        self.host = host
        self.tables = Tables(name)
        self.nics: dict[int, Nic] = {}
        self.uplinks: dict[str, Uplink] = {}
        self.drops: Counter[Reason] = Counter()
        self.is_on = True

    def restart(self) -> None:
        """What a machine has in memory only is gone; its NICs on Ethernets face where they did."""
        self.nics.clear()
        self.forget()

    def forget(self) -> None:
        self.tables = Tables(self.name)
        self.face(self.ingress)

    def face(self, uplink: Uplink) -> None:
        """Take what comes from outside in at this NIC; addresses that were answered at another have to come anew."""
        self.stop_answering()
        self.ingress = uplink
        self.tables.answers.number, self.tables.answers.mac = uplink.number, uplink.interface.mac

    def stop_answering(self) -> None:
        """Whoever applies the addresses anew announces them again."""
        for intent in list(self.tables.answers.entries.values()):
            self.tables.remove(intent)

    def from_nic(self, number: int, frame: bytes) -> None:
        """What a Pod sends out of a NIC: the network of the NIC decides which way it takes."""
        nic = self.nics.get(number)
        port = self.tables.ports.get(number)
        if nic is None or port is None:
            self._from_unknown_port(number, frame)
        elif len(frame) < ETHERNET_HEADER:
            self.drop(self._egress(port), Reason.MALFORMED, detail="shorter than an Ethernet header")
        elif not fits(frame, nic.mtu):
            detail = f"{len(frame)} bytes out of a NIC with MTU {nic.mtu}"
            self.drop(self._egress(port), Reason.MTU_EXCEEDED, detail=detail)
        elif self.tables.is_l2(port):
            self.way.l2_egress(self, number, frame, 0)
        else:
            self.way.pod_egress(self, number, frame, 0)

    def _from_unknown_port(self, number: int, frame: bytes) -> None:
        if number in self.tables.l2_links:
            self.way.l2_egress(self, number, frame, 0)
        else:
            self.drop(POD_EGRESS, Reason.MISS_NIC, "ifindex_subnet", number)

    def _egress(self, port: LocalPort) -> str:
        return L2_EGRESS if self.tables.is_l2(port) else POD_EGRESS

    def from_wire(self, frame: bytes) -> None:
        """What the underlay brings."""
        self.way.from_uplink(self, self.underlay.interface, frame)

    def to_wire(self, uplink: str, frame: bytes) -> None:
        """What the Node's own host sends out of a NIC on an Ethernet."""
        station = self.uplinks[uplink].station
        if not station.transmit(frame):
            self.drop(station.ethernet.name, Reason.UNDERLAY_LOST)

    def to_host(self, frame: bytes, interface: Interface) -> None:
        """What came in at a NIC on an Ethernet and is the host's."""
        self.note(NODE_INGRESS, Reason.PASS_TO_HOST, verdict=Verdict.DELIVER)
        interface.receive(frame)

    def deliver(self, number: int, frame: bytes, point: str, entry: Reason) -> None:
        """Out of a NIC into a Pod: `point` is pod ingress or L2 ingress."""
        nic = self.nics.get(number)
        if nic is None:
            self.drop(point, Reason.MISS_NIC, "ifindex_subnet", number)
            return
        if not fits(frame, nic.mtu):
            self.drop(point, Reason.MTU_EXCEEDED, detail=f"{len(frame)} bytes into a NIC with MTU {nic.mtu}")
            return
        trace = self.fabric.trace
        if trace is not None:
            name = self.port_name(number)
            trace.steps.append(Step(self.name, point, entry, detail=name))
            trace.steps.append(Step(self.name, point, Reason.DELIVERED, Verdict.DELIVER, detail=name))
            trace.arrivals.append(Arrival(self.name, name, frame))
        nic.deliver(frame)

    def port_name(self, number: int) -> str:
        port = self.tables.ports.get(number)
        return port.name if port is not None else f"link {number}"

    def note(
        self,
        point: str,
        reason: Reason,
        table: str = "",
        key: object = "",
        detail: str = "",
        verdict: Verdict = Verdict.NEXT,
    ) -> None:
        """Tell the trace, if there is one; callers on the fast path ask before they make the arguments."""
        trace = self.fabric.trace
        if trace is not None:
            trace.steps.append(Step(self.name, point, reason, verdict, table, str(key), detail))

    def drop(self, point: str, reason: Reason, table: str = "", key: object = "", detail: str = "") -> None:
        """The packet ends here; counted, whether there is a trace or not."""
        self.drops[reason] += 1
        self.note(point, reason, table, key, detail, Verdict.DROP)

    def run(self, point: str) -> None:
        """Until nothing moves; for what the Node sends by itself."""
        lost = self.fabric.run()
        if lost:
            self.drop(point, Reason.BUDGET_EXHAUSTED, detail=f"{lost} frames thrown away")
