"""What the hosts of a simulated site can be told to do, and what can be read of them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Interface

from attrs import define, frozen

from juneau.drivers.simulated.bridge import Bridge
from juneau.drivers.simulated.codec import (
    ECHO_REQUEST,
    ICMP,
    LONGEST_PAYLOAD,
    SYN,
    TCP,
    UDP,
    Echo,
    Ipv4,
    Tcp,
    build_echo,
    build_tcp,
)
from juneau.drivers.simulated.ethernet import Station
from juneau.drivers.simulated.fabric import Fabric
from juneau.drivers.simulated.host import Host, Socket
from juneau.drivers.simulated.interface import Interface
from juneau.drivers.simulated.node import Nic, Node
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import Datagram, Exchange, HostRoute, HostRule, Link, LinkState, UdpService
from juneau.engine.trace import Reason, Step, Trace, Verdict

NO_ADDRESS = IPv4Address(0)
LAST_PORT = 65535


@define
class Plug:
    """A NIC with both its ends; the bridge is what a workload has put it into."""

    link: Link
    nic: Nic
    interface: Interface
    bridge: Bridge | None = None


@frozen
class Wired:
    """A NIC that is on an Ethernet itself: a Node's own, or that of a host outside. Nothing is at its other end."""

    link: Link
    interface: Interface
    station: Station


class SimulatedHosts:
    """A Pod is `<namespace>/<pod>`, a Node's root namespace has the Node's name; hosts outside are on `OUTSIDE`.

    While `tracing` is off, traces stay empty and packets go faster.
    """

    def __init__(self, clock: VirtualClock, underlay_mtu: int) -> None:
        self.fabric = Fabric(clock, underlay_mtu)
        self.tracing = True
        self.nested: dict[tuple[str, str], list[str]] = {}
        self.nodes: dict[str, Node] = {}
        self.hosts: dict[tuple[str, str], Host] = {}
        self.plugs: dict[tuple[str, str, str], Plug] = {}
        self.wired: dict[tuple[str, str, str], Wired] = {}

    def ping(
        self,
        node: str,
        sandbox: str,
        target: IPv4Address,
        *,
        source: IPv4Address | None = None,
        interface: str = "",
        size: int = 56,
        ttl: int = 64,
    ) -> Exchange:
        """Send one echo request of `size` bytes; `source` and `interface` as with ping -I."""
        check_within("the size of an echo request", size, 0, LONGEST_PAYLOAD)
        check_within("a TTL", ttl, 1, 255)
        host = self.host(node, sandbox)
        identifier = host.free_port()
        echo = build_echo(Echo(ECHO_REQUEST, identifier, 1, bytes(size)))
        packet = Ipv4(int(source or NO_ADDRESS), int(target), ICMP, echo, ttl)
        with self._exchange(node, host, (ICMP, identifier)) as (trace, socket):
            host.send(packet, interface)
        return Exchange(socket.answer, trace, socket.payload)

    def send_udp(
        self,
        node: str,
        sandbox: str,
        target: IPv4Address,
        port: int,
        payload: bytes = b"",
        *,
        source: IPv4Address | None = None,
        source_port: int = 0,
        interface: str = "",
    ) -> Exchange:
        """Send a datagram and wait for the first one that comes back to its port."""
        check_within("the size of a datagram", len(payload), 0, LONGEST_PAYLOAD)
        check_within("a port", port, 1, LAST_PORT)
        check_within("a source port", source_port, 0, LAST_PORT)
        host = self.host(node, sandbox)
        own_port = source_port or host.free_port()
        datagram = Datagram(source or NO_ADDRESS, own_port, target, port, payload, interface)
        with self._exchange(node, host, (UDP, own_port)) as (trace, socket):
            host.send_datagram(datagram)
        return Exchange(socket.answer, trace, socket.payload)

    def connect_tcp(
        self,
        node: str,
        sandbox: str,
        target: IPv4Address,
        port: int,
        *,
        source: IPv4Address | None = None,
        interface: str = "",
    ) -> Exchange:
        """The three-way handshake."""
        check_within("a port", port, 1, LAST_PORT)
        host = self.host(node, sandbox)
        own_port = host.free_port()
        own = int(source) if source is not None else host.source_for(int(target), interface)
        syn = build_tcp(own, int(target), Tcp(own_port, port, sequence=own_port, flags=SYN))
        with self._exchange(node, host, (TCP, own_port)) as (trace, socket):
            host.send(Ipv4(own, int(target), TCP, syn), interface)
        return Exchange(socket.answer, trace, socket.payload)

    def serve_udp(self, node: str, sandbox: str, port: int, service: UdpService) -> None:
        check_within("a port", port, 1, LAST_PORT)
        self.host(node, sandbox).services[port] = service

    def listen_tcp(self, node: str, sandbox: str, port: int) -> None:
        check_within("a port", port, 1, LAST_PORT)
        self.host(node, sandbox).tcp.add(port)

    def announce(self, node: str, sandbox: str, interface: str, address: IPv4Address) -> Trace:
        """Send a gratuitous ARP reply, whether the interface has the address or not."""
        with self.moving(node) as trace:
            self._interface(node, sandbox, interface).announce(int(address))
        return trace

    def set_forwarding(self, node: str, sandbox: str, enabled: bool) -> None:
        self.host(node, sandbox).forwarding = enabled

    def attach_bridged(self, node: str, sandbox: str, interface: str, name: str, address: IPv4Interface | None) -> str:
        """Put a host with a MAC of its own behind a NIC, as a nested VM; its NIC is `eth0`."""
        nested = f"{sandbox}/{name}"
        if (node, nested) in self.hosts:
            raise ValueError(f"{nested} is already there")
        bridge = self._bridge_of(node, sandbox, interface)
        below = self._plug(node, sandbox, interface)
        nic = Interface("eth0", mac_of(node, nested, "eth0"), below.interface.mtu, self.fabric, below.interface.wire)
        nic.wire = bridge.join(f"nested {name}", nic.receive)
        host = self.hosts[node, nested] = Host(node, nested, self.fabric)
        self.nested.setdefault((node, sandbox), []).append(nested)
        host.add_interface(nic)
        if address is not None:
            host.add_address("eth0", address)
        return nested

    def bridge(self, node: str, sandbox: str, interfaces: Sequence[str]) -> None:
        """Make a learning bridge of several NICs of one Pod."""
        shared = Bridge()
        for interface in interfaces:
            self._enslave(node, sandbox, interface, shared)

    def add_address(self, node: str, sandbox: str, interface: str, address: IPv4Interface) -> None:
        self._interface(node, sandbox, interface)
        self.host(node, sandbox).add_address(interface, address)

    def remove_address(self, node: str, sandbox: str, interface: str, address: IPv4Interface) -> None:
        self._interface(node, sandbox, interface)
        self.host(node, sandbox).remove_address(interface, address)

    def add_route(self, node: str, sandbox: str, route: HostRoute) -> None:
        """Raises ValueError for a next hop that is on no link, as `ip route` does."""
        if route.dev:
            self._interface(node, sandbox, route.dev)
        self.host(node, sandbox).fib.add(route)

    def remove_route(self, node: str, sandbox: str, route: HostRoute) -> None:
        self.host(node, sandbox).fib.remove(route)

    def add_rule(self, node: str, sandbox: str, rule: HostRule) -> None:
        self.host(node, sandbox).fib.add_rule(rule)

    def remove_rule(self, node: str, sandbox: str, rule: HostRule) -> None:
        self.host(node, sandbox).fib.remove_rule(rule)

    def routes(self, node: str, sandbox: str, table: int = 0) -> Sequence[HostRoute]:
        """One table, connected routes included; also of a Node."""
        return self.host(node, sandbox).fib.routes(table)

    def tables(self, node: str, sandbox: str) -> Sequence[int]:
        """The numbers of the tables that have routes, 0 for the main one; sorted."""
        return self.host(node, sandbox).fib.tables()

    def rules(self, node: str, sandbox: str) -> Sequence[HostRule]:
        """Without the kernel's own three."""
        return self.host(node, sandbox).fib.rules()

    def interfaces(self, node: str, sandbox: str) -> Sequence[str]:
        return tuple(self.host(node, sandbox).interfaces)

    def link_state(self, node: str, sandbox: str, interface: str) -> LinkState:
        wired = self.wired.get((node, sandbox, interface))
        if wired is not None:
            mtu = wired.interface.mtu
            return LinkState(wired.link, mtu, mtu, tuple(wired.interface.addresses))
        plug = self._plug(node, sandbox, interface)
        return LinkState(plug.link, plug.interface.mtu, plug.nic.mtu, tuple(plug.interface.addresses))

    def mark(self, node: str, sandbox: str, interface: str) -> int:
        """A point in what a NIC receives, for `received`."""
        return self._interface(node, sandbox, interface).received

    def received(self, node: str, sandbox: str, interface: str, since: int = 0) -> Sequence[bytes]:
        """The frames that reached a NIC since a mark, also those that are not for its MAC."""
        return self._interface(node, sandbox, interface).frames(since)

    def host(self, node: str, sandbox: str) -> Host:
        host = self.hosts.get((node, sandbox))
        if host is None:
            raise LookupError(f"there is no {sandbox} on {node}")
        return host

    @contextmanager
    def moving(self, node: str) -> Generator[Trace, None, None]:
        """Trace what happens inside, then run until nothing moves; on a Node that is switched off nothing does."""
        fabric = self.fabric
        fabric.read_clock()
        trace = Trace()
        fabric.trace = trace if self.tracing else None
        here = self.nodes.get(node)
        try:
            yield trace
            lost = fabric.run() if here is None or here.is_on else 0
            if lost:
                self._cut_off(node, lost)
        finally:
            fabric.stop()

    def _cut_off(self, node: str, lost: int) -> None:
        """Counted at the Node where it began; hosts outside count nothing."""
        detail = f"a loop; {lost} frames thrown away"
        here = self.nodes.get(node)
        if here is not None:
            here.drops[Reason.BUDGET_EXHAUSTED] += lost - 1
            here.drop("wire", Reason.BUDGET_EXHAUSTED, detail=detail)
        elif self.fabric.trace is not None:
            step = Step(node, "wire", Reason.BUDGET_EXHAUSTED, Verdict.DROP, detail=detail)
            self.fabric.trace.steps.append(step)

    @contextmanager
    def _exchange(self, node: str, host: Host, key: tuple[int, int]) -> Generator[tuple[Trace, Socket], None, None]:
        socket = host.sockets[key] = Socket()
        try:
            with self.moving(node) as trace:
                yield trace, socket
        finally:
            del host.sockets[key]

    def _interface(self, node: str, sandbox: str, name: str) -> Interface:
        interface = self.host(node, sandbox).interfaces.get(name)
        if interface is None:
            raise LookupError(f"{sandbox} on {node} has no {name}")
        return interface

    def _plug(self, node: str, sandbox: str, interface: str) -> Plug:
        plug = self.plugs.get((node, sandbox, interface))
        if plug is None:
            raise LookupError(f"{sandbox} on {node} has no NIC {interface}")
        return plug

    def _bridge_of(self, node: str, sandbox: str, interface: str) -> Bridge:
        plug = self._plug(node, sandbox, interface)
        return plug.bridge or self._enslave(node, sandbox, interface, Bridge())

    def _enslave(self, node: str, sandbox: str, interface: str, bridge: Bridge) -> Bridge:
        """From now on the NIC's wire ends in the bridge, and the Pod's own stack is one of its members."""
        plug = self._plug(node, sandbox, interface)
        if plug.bridge is not None:
            raise ValueError(f"{interface} of {sandbox} is in a bridge already")
        own = plug.interface
        into_bridge = bridge.join(f"wire {interface}", own.wire)
        own.wire = bridge.join(f"stack {interface}", own.handle)

        def deliver(frame: bytes) -> None:
            own.record(frame)
            self.fabric.later(into_bridge, frame)

        plug.nic.deliver = deliver
        plug.bridge = bridge
        return bridge


def check_within(what: str, number: int, lowest: int, highest: int) -> None:
    """Raises ValueError for a number that no header can carry."""
    if not lowest <= number <= highest:
        raise ValueError(f"{what} is {lowest} to {highest}, not {number}")


def mac_of(*parts: object) -> bytes:
    """Locally administered unicast, the same for the same parts."""
    digest = sha256("/".join(map(str, parts)).encode()).digest()
    return bytes((digest[0] & 0xFC | 0x02,)) + digest[1:6]
