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
from juneau.drivers.simulated.fabric import Fabric, Receiver
from juneau.drivers.simulated.tables import LocalPort, Tables
from juneau.engine.trace import Arrival, Reason, Step, Verdict

KERNEL_MTU: Final = 1500
VXLAN_LINK: Final = 3  # after the loopback and the NIC on the underlay


@define
class Nic:
    """The node's side of a NIC; `deliver` is the Pod's side."""

    number: int
    mtu: int
    deliver: Receiver


class HostStack(Protocol):
    """The Node's own IP stack, as far as the dataplane hands packets to it."""

    def receive_frame(self, frame: bytes) -> None:
        """A frame that came in at the NIC on the underlay."""
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
    from_underlay: Handler


class Node:
    """The dataplane of one Node of a site."""

    __slots__ = ("address", "drops", "fabric", "host", "name", "nics", "tables", "way")

    def __init__(self, name: str, address: int, fabric: Fabric, way: Way, host: HostStack) -> None:
        self.name = name
        self.address = address
        self.fabric = fabric
        self.way = way
        self.host = host
        self.tables = Tables(name)
        self.nics: dict[int, Nic] = {}
        self.drops: Counter[Reason] = Counter()

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
            self.drop("pod egress", Reason.MISS_NIC, "ifindex_subnet", number)

    def _egress(self, port: LocalPort) -> str:
        return "L2 egress" if self.tables.is_l2(port) else "pod egress"

    def from_wire(self, frame: bytes) -> None:
        """What the underlay brings."""
        self.way.from_underlay(self, 0, frame, 0)

    def to_wire(self, frame: bytes) -> None:
        """What the Node's own host sends on the underlay."""
        if not self.fabric.transmit(frame):
            self.drop("underlay", Reason.UNDERLAY_LOST)

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
