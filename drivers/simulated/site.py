"""A simulated site: Nodes on one underlay, and the NICs of their Pods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from itertools import count
from typing import Final

from attrs import evolve

from juneau.drivers.simulated.codec import mac_bytes, mac_text
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.dump import dump
from juneau.drivers.simulated.fabric import Uplink
from juneau.drivers.simulated.host import Host
from juneau.drivers.simulated.hosts import Plug, SimulatedHosts, mac_of
from juneau.drivers.simulated.interface import Interface
from juneau.drivers.simulated.node import KERNEL_MTU, VXLAN_LINK, Nic, Node
from juneau.drivers.simulated.way import WAY
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import UNDERLAY, Link, LinkSettings, Row
from juneau.engine.trace import Reason, Trace

FIRST_LINK: Final = VXLAN_LINK + 1


class SimulatedSite(SimulatedHosts):
    """Equal histories of calls give equal MACs, link numbers and traces."""

    def __init__(
        self, clock: VirtualClock | None = None, underlay_mtu: int = 1600, underlay: IPv4Network = UNDERLAY
    ) -> None:
        self.clock = clock or VirtualClock()
        super().__init__(self.clock, underlay_mtu)
        self._underlay = underlay
        self._numbers: dict[str, count[int]] = {}

    def add_node(self, name: str, address: IPv4Address) -> SimulatedDriver:
        """Make a Node with this address on the underlay and return its driver."""
        if name in self.nodes or int(address) in self.fabric.nodes:
            raise ValueError(f"there is already a Node {name}, or one with {address}")
        host = Host(name, name, self.fabric)
        node = Node(name, int(address), self.fabric, WAY, host)
        uplink = Uplink(name, mac_of(name, "underlay"))
        nic = Interface("eth0", uplink.mac, self.fabric.mtu, self.fabric, node.to_wire)
        host.add_interface(nic)
        host.add_address("eth0", IPv4Interface((address, self._underlay.prefixlen)))
        self.fabric.join(int(address), uplink, node.from_wire)
        self.nodes[name] = node
        self.hosts[name, name] = host
        self._numbers.setdefault(name, count(FIRST_LINK))
        return SimulatedDriver(node)

    def remove_node(self, name: str) -> None:
        """With everything on it; link numbers are not used again if a Node of that name comes back."""
        node = self.nodes.pop(name, None)
        if node is None:
            return
        self.fabric.leave(node.address)
        self.hosts = {key: host for key, host in self.hosts.items() if key[0] != name}
        self.plugs = {key: plug for key, plug in self.plugs.items() if key[0] != name}
        self.nested = {key: below for key, below in self.nested.items() if key[0] != name}

    def driver(self, node: str) -> SimulatedDriver:
        """As an agent that starts anew finds it."""
        return SimulatedDriver(self._node(node))

    def plug(self, node: str, sandbox: str, interface: str, settings: LinkSettings) -> Link:
        """Make a NIC; one that is already there is replaced."""
        here = self._node(node)
        self.unplug(node, sandbox, interface)
        number = next(self._numbers[node])
        mac = mac_bytes(settings.mac) if settings.mac else mac_of(node, sandbox, interface, number)
        host_mac = mac_text(mac_of(node, "host side", number))
        mtu = settings.mtu or KERNEL_MTU
        own = Interface(interface, mac, mtu, self.fabric, lambda frame: here.from_nic(number, frame))
        link = Link(mac_text(mac), number, host_mac)
        here.nics[number] = Nic(number, mtu, own.receive)
        here.tables.host_macs[number] = host_mac
        self.plugs[node, sandbox, interface] = Plug(link, here.nics[number], own)
        host = self.hosts.setdefault((node, sandbox), Host(node, sandbox, self.fabric))
        host.add_interface(own)
        self._configure(host, interface, settings)
        return link

    def unplug(self, node: str, sandbox: str, interface: str) -> None:
        """Remove a NIC; the sandbox goes with its last one. What is not there is no error."""
        plug = self.plugs.pop((node, sandbox, interface), None)
        if plug is None:
            return
        here, number = self._node(node), plug.link.number
        del here.nics[number], here.tables.host_macs[number]
        here.tables.l2_links.discard(number)
        if plug.bridge is not None:
            plug.bridge.leave(f"wire {interface}")
            plug.bridge.leave(f"stack {interface}")
        host = self.hosts[node, sandbox]
        host.remove_interface(interface)
        if not host.interfaces:
            self._remove_host(node, sandbox)

    def _remove_host(self, node: str, sandbox: str) -> None:
        """A host, and those nested behind its NICs."""
        del self.hosts[node, sandbox]
        for nested in self.nested.pop((node, sandbox), ()):
            self._remove_host(node, nested)

    def inject(self, node: str, sandbox: str, interface: str, frame: bytes) -> Trace:
        """Send a frame out of a NIC and run until nothing moves."""
        number = self._plug(node, sandbox, interface).link.number
        with self.moving(node) as trace:
            self._node(node).from_nic(number, frame)
        return trace

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance(seconds)
        self.fabric.read_clock()
        for node in self.nodes.values():
            for stations in node.tables.stations.values():
                stations.sweep(self.fabric.now)

    def dump(self, node: str, table: str, filters: Mapping[str, str] | None = None) -> Sequence[Row]:
        """The rows of a table of a Node, sorted by key; a table that no Node has is a LookupError."""
        self.fabric.read_clock()
        return dump(self._node(node).tables, table, self.fabric.now, filters)

    def drops(self, node: str) -> Counter[Reason]:
        """How many packets the dataplane of a Node has dropped since it was made, by reason."""
        return Counter(self._node(node).drops)

    def _node(self, name: str) -> Node:
        node = self.nodes.get(name)
        if node is None:
            raise LookupError(f"there is no Node {name}")
        return node

    def _configure(self, host: Host, interface: str, settings: LinkSettings) -> None:
        if settings.address is not None:
            host.add_address(interface, settings.address)
        for route in settings.routes:
            host.fib.add(evolve(route, dev=route.dev or interface))
        for rule in settings.rules:
            host.fib.add_rule(rule)
