"""A small IP host: a Pod's side of its NICs, a host bridged behind one, or a Node's root namespace.

It answers echo requests, UDP and TCP, resolves addresses, routes by rules and tables, and forwards if told to.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Interface
from typing import Final

from attrs import define, evolve

from juneau.drivers.simulated.codec import (
    ACK,
    ECHO_REPLY,
    ECHO_REQUEST,
    ICMP,
    RST,
    SYN,
    TCP,
    UDP,
    UNREACHABLE,
    Echo,
    Ipv4,
    Tcp,
    Udp,
    address_text,
    build_echo,
    build_ipv4,
    build_tcp,
    build_udp,
    build_unreachable,
    ipv4_header_length,
    is_group,
    parse_echo,
    parse_ipv4,
    parse_tcp,
    parse_udp,
    with_lower_ttl,
)
from juneau.drivers.simulated.fabric import Fabric
from juneau.drivers.simulated.fragments import MORE_FRAGMENTS, OFFSET, Reassembly, Unfit, fragment
from juneau.drivers.simulated.hostfib import Hop, HostFib
from juneau.drivers.simulated.interface import LIMITED_BROADCAST, Interface, packet_of
from juneau.engine.driver import Answer, Datagram, UdpService
from juneau.engine.trace import Reason, Step, Verdict

PORT_UNREACHABLE: Final = 3
FIRST_PORT: Final = 32768
LAST_PORT: Final = 60999
FIRST_GROUP: Final = 0xE0000000  # multicast, reserved, and the limited broadcast
NEVER_FORWARDED: Final = (0, 127)  # by the first octet: "this network", and loopback


@define
class Socket:
    """Waits for one answer."""

    answer: Answer = Answer.NONE
    payload: bytes = b""

    def answered(self, answer: Answer, payload: bytes = b"") -> None:
        """The first answer counts."""
        if self.answer is Answer.NONE:
            self.answer, self.payload = answer, payload


class Host:
    """`node` is the Node it lives on, `name` the sandbox."""

    __slots__ = (
        "_next_identification",
        "_next_port",
        "_reassembly",
        "fabric",
        "fib",
        "forwarding",
        "interfaces",
        "name",
        "node",
        "services",
        "sockets",
        "tcp",
    )

    def __init__(self, node: str, name: str, fabric: Fabric) -> None:
        self.node = node
        self.name = name
        self.fabric = fabric
        self.fib = HostFib()
        self.forwarding = False
        self.interfaces: dict[str, Interface] = {}
        self.services: dict[int, UdpService] = {}
        self.tcp: set[int] = set()
        self.sockets: dict[tuple[int, int], Socket] = {}  # by protocol, and port or echo identifier
        self._next_port = FIRST_PORT
        self._next_identification = 1
        self._reassembly = Reassembly()

    def add_interface(self, interface: Interface) -> None:
        interface.up = self._receive
        interface.owns = self.owns
        self.interfaces[interface.name] = interface

    def remove_interface(self, name: str) -> None:
        self.interfaces.pop(name, None)
        self.fib.forget(name)

    def add_address(self, name: str, address: IPv4Interface) -> None:
        interface = self.interfaces[name]
        if address not in interface.addresses:
            interface.addresses.append(address)
            self.fib.connect(name, address)

    def remove_address(self, name: str, address: IPv4Interface) -> None:
        interface = self.interfaces[name]
        if address in interface.addresses:
            interface.addresses.remove(address)
            if all(other.network != address.network for other in interface.addresses):
                self.fib.disconnect(name, address)

    def restart(self, kept: Collection[str]) -> None:
        """After power was off: of its interfaces only these are still there, and nobody is known."""
        for name in [name for name in self.interfaces if name not in kept]:
            self.remove_interface(name)
        for interface in self.interfaces.values():
            interface.forget_neighbours()
        self._reassembly = Reassembly()

    def owns(self, address: int) -> bool:
        return any(int(own.ip) == address for nic in self.interfaces.values() for own in nic.addresses)

    def takes(self, address: int) -> bool:
        """Whether packets for it end here: its own addresses, groups, broadcasts, and what no router forwards."""
        if self.owns(address) or address >= FIRST_GROUP or address >> 24 in NEVER_FORWARDED:
            return True
        return any(nic.is_broadcast(address) for nic in self.interfaces.values())

    def way_out(self, packet: bytes) -> str:
        """The interface that its routing table sends the packet out of; empty if it has no route."""
        hop = self.fib.find(int.from_bytes(packet[16:20], "big"), int.from_bytes(packet[12:16], "big"))
        return hop.interface if hop is not None and hop.interface in self.interfaces else ""

    def free_port(self) -> int:
        """Ports and echo identifiers are taken in turn, not at random."""
        port = self._next_port
        self._next_port = port + 1 if port < LAST_PORT else FIRST_PORT
        return port

    def send(self, packet: Ipv4, interface: str = "") -> None:
        """A packet of its own; a source of 0 is filled in from the outgoing interface."""
        hop = self.fib.find(packet.target, packet.source, interface)
        identification = self._next_identification
        self._next_identification = identification + 1 & 0xFFFF or 1
        packet = evolve(packet, source=packet.source or self._source(hop), identification=identification)
        if self.owns(packet.target):
            self.fabric.later(self.receive_packet, build_ipv4(packet))
        else:
            self._out(build_ipv4(packet), hop)

    def source_for(self, target: int, interface: str) -> int:
        """The address that a packet to there leaves with; 0 if there is none."""
        return target if self.owns(target) else self._source(self.fib.find(target, 0, interface))

    def send_datagram(self, datagram: Datagram) -> None:
        udp = Udp(datagram.source_port, datagram.target_port, datagram.payload)
        target, source = int(datagram.target), int(datagram.source)
        if not source:
            source = self._source(self.fib.find(target, 0, datagram.interface))
        data = build_udp(source, target, udp)
        packet = Ipv4(source, target, UDP, data)
        if source:
            self.send(packet, datagram.interface)
        else:
            self._out(build_ipv4(packet), self.fib.find(target, 0, datagram.interface))

    def send_packet(self, packet: bytes) -> None:
        """By the routing tables, as it is."""
        target = int.from_bytes(packet[16:20], "big")
        self._out(packet, self.fib.find(target, int.from_bytes(packet[12:16], "big")))

    def receive_packet(self, packet: bytes) -> None:
        """A packet for this host that no interface of its own brought."""
        self._deliver(packet, "")

    def _source(self, hop: Hop | None) -> int:
        """The outgoing interface's address, one of the next hop's prefix first."""
        nic = self.interfaces.get(hop.interface) if hop is not None else None
        if hop is None or nic is None or not nic.addresses:
            return 0
        near = (own for own in nic.addresses if IPv4Address(hop.next_hop) in own.network)
        return int(next(near, nic.addresses[0]).ip)

    def _out(self, packet: bytes, hop: Hop | None) -> None:
        nic = self.interfaces.get(hop.interface) if hop is not None else None
        if hop is None or nic is None:
            self.drop(Reason.MISS_ROUTE, address_text(int.from_bytes(packet[16:20], "big")))
        elif len(packet) > nic.mtu:
            self._fragment(packet, nic, hop.next_hop)
        else:
            nic.send(packet, hop.next_hop)

    def _fragment(self, packet: bytes, nic: Interface, next_hop: int) -> None:
        parsed = parse_ipv4(packet)
        pieces = fragment(parsed, nic.mtu) if parsed is not None else []
        if not pieces:
            self.drop(Reason.MTU_EXCEEDED, f"{len(packet)} bytes out of {nic.name} with MTU {nic.mtu}")
        for piece in pieces:
            nic.send(piece, next_hop)

    def _receive(self, interface: Interface, frame: bytes) -> None:
        packet = packet_of(frame)
        target = int.from_bytes(packet[16:20], "big")
        if not ipv4_header_length(packet):
            self.drop(Reason.MALFORMED, f"IPv4 header at {interface.name}")
        elif self.owns(target) or is_group(frame):
            self._deliver(packet, interface.name)
        elif self.forwarding:
            self._forward(packet[: int.from_bytes(packet[2:4], "big")])  # without Ethernet's padding

    def _forward(self, packet: bytes) -> None:
        if packet[8] <= 1:
            self.drop(Reason.TTL_EXCEEDED, f"TTL {packet[8]}")
        else:
            self.send_packet(with_lower_ttl(packet))

    def _deliver(self, data: bytes, interface: str) -> None:
        packet = parse_ipv4(data)
        if packet is None:
            self.drop(Reason.MALFORMED, "IPv4")
            return
        if packet.fragment & (MORE_FRAGMENTS | OFFSET):
            joined = self._reassembly.add(packet, self.fabric.now)
            if isinstance(joined, Unfit):
                self.drop(Reason.MALFORMED, joined.why)
            if joined is None or isinstance(joined, Unfit):
                return
            packet = joined
        if packet.protocol == ICMP:
            self._receive_icmp(packet)
        elif packet.protocol == UDP:
            self._receive_udp(packet, data, interface)
        elif packet.protocol == TCP and self.owns(packet.target):
            self._receive_tcp(packet)

    def _receive_icmp(self, packet: Ipv4) -> None:
        echo = parse_echo(packet.payload)
        if echo is None:
            self._receive_unreachable(packet.payload)
        elif echo.type == ECHO_REPLY:
            socket = self.sockets.get((ICMP, echo.identifier))
            if socket is not None:
                socket.answered(Answer.REPLY, echo.payload)
        elif echo.type == ECHO_REQUEST and self.owns(packet.target):
            reply = build_echo(Echo(ECHO_REPLY, echo.identifier, echo.sequence, echo.payload))
            self.send(Ipv4(packet.target, packet.source, ICMP, reply))

    def _receive_unreachable(self, payload: bytes) -> None:
        """The quoted packet tells whose it was."""
        quoted = payload[8:]
        length = (quoted[0] & 15) * 4 if quoted else 0
        if payload[:1] != bytes((UNREACHABLE,)) or len(quoted) < length + 8 or length < 20:
            return
        socket = self.sockets.get((quoted[9], int.from_bytes(quoted[length : length + 2], "big")))
        if socket is not None:
            socket.answered(Answer.REFUSED)

    def _receive_udp(self, packet: Ipv4, data: bytes, interface: str) -> None:
        udp = parse_udp(packet)
        if udp is None:
            self.drop(Reason.MALFORMED, "UDP")
            return
        socket = self.sockets.get((UDP, udp.target_port))
        service = self.services.get(udp.target_port)
        if socket is not None:
            socket.answered(Answer.REPLY, udp.payload)
        elif service is not None:
            self._serve(service, packet, udp, interface)
        elif self.owns(packet.target):
            error = build_unreachable(data, PORT_UNREACHABLE)
            self.send(Ipv4(packet.target, packet.source, ICMP, error))

    def _serve(self, service: UdpService, packet: Ipv4, udp: Udp, interface: str) -> None:
        source, target = IPv4Address(packet.source), IPv4Address(packet.target)
        reply = service(Datagram(source, udp.source_port, target, udp.target_port, udp.payload, interface))
        if reply is None:
            return
        sender = reply.source if self.owns(int(reply.source)) else IPv4Address(0)
        # A reply to one host goes by the routes, only one to all needs the interface it was asked on.
        out = reply.interface if int(reply.target) == LIMITED_BROADCAST else ""
        answer = Datagram(sender, reply.source_port, reply.target, reply.target_port, reply.payload, out)
        self.send_datagram(answer)

    def _receive_tcp(self, packet: Ipv4) -> None:
        tcp = parse_tcp(packet)
        if tcp is None:
            self.drop(Reason.MALFORMED, "TCP")
            return
        socket = self.sockets.get((TCP, tcp.target_port))
        if socket is not None and tcp.flags & RST:
            socket.answered(Answer.REFUSED)
        elif socket is not None and tcp.flags & SYN and tcp.flags & ACK:
            socket.answered(Answer.REPLY)
            self._segment(packet, tcp, ACK)
        elif tcp.flags & SYN and not tcp.flags & ACK:
            self._segment(packet, tcp, SYN | ACK if tcp.target_port in self.tcp else RST | ACK)

    def _segment(self, packet: Ipv4, tcp: Tcp, flags: int) -> None:
        """The answer to a segment."""
        expected = (tcp.sequence + 1) & 0xFFFFFFFF
        answer = Tcp(tcp.target_port, tcp.source_port, tcp.acknowledgement, expected, flags)
        data = build_tcp(packet.target, packet.source, answer)
        self.send(Ipv4(packet.target, packet.source, TCP, data))

    def drop(self, reason: Reason, detail: str) -> None:
        """A host's own losses stand in the trace; they are not the dataplane's, so its counters stay."""
        trace = self.fabric.trace
        if trace is not None:
            trace.steps.append(Step(self.node, f"host {self.name}", reason, Verdict.DROP, detail=detail))
