"""A simulated site: Nodes and hosts outside on Ethernets, and the NICs of the Nodes' Pods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from itertools import count
from typing import Final

from attrs import evolve

from juneau.drivers.simulated import direct
from juneau.drivers.simulated.codec import mac_bytes, mac_text
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.dump import dump
from juneau.drivers.simulated.ethernet import Station
from juneau.drivers.simulated.fabric import KERNEL_MTU, Vtep
from juneau.drivers.simulated.host import Host
from juneau.drivers.simulated.hosts import Plug, SimulatedHosts, Wired, mac_of
from juneau.drivers.simulated.interface import Interface
from juneau.drivers.simulated.node import UNDERLAY_LINK, VXLAN_LINK, Nic, Node, Uplink
from juneau.drivers.simulated.way import WAY
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import (
    EXTERNAL_ETHERNET,
    OUTSIDE,
    UNDERLAY,
    UNDERLAY_ETHERNET,
    HostRoute,
    Link,
    LinkSettings,
    Row,
)
from juneau.engine.trace import Reason, Trace

FIRST_LINK: Final = VXLAN_LINK + 1
FIRST_NIC: Final = "eth0"


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
        if not name or name in self.nodes or int(address) in self.fabric.nodes:
            raise ValueError(f"there is already a Node {name}, or one with {address}")
        host = Host(name, name, self.fabric)
        node = Node(name, int(address), self.fabric, WAY, host)
        mac = mac_of(name, "underlay")
        station = self.fabric.ethernet(UNDERLAY_ETHERNET).station(name, mac, node.from_wire)
        node.underlay = self._uplink(node, host, FIRST_NIC, UNDERLAY_LINK, station)
        node.face(node.underlay)
        host.add_address(FIRST_NIC, IPv4Interface((address, self._underlay.prefixlen)))
        self.fabric.nodes[node.address] = Vtep(name, mac)
        self.nodes[name] = node
        self.hosts[name, name] = host
        self._numbers.setdefault(name, count(FIRST_LINK))
        return SimulatedDriver(node)

    def add_uplink(self, node: str, interface: str, address: IPv4Interface, ethernet: str = EXTERNAL_ETHERNET) -> None:
        """Give a Node a further NIC, on another Ethernet than the one between the Nodes."""
        here, host = self._node(node), self.hosts[node, node]
        if interface in host.interfaces:
            raise ValueError(f"Node {node} has a NIC {interface} already")

        def receive(frame: bytes) -> None:
            here.way.from_uplink(here, uplink.interface, frame)

        station = self.fabric.ethernet(ethernet).station(node, mac_of(node, "uplink", interface), receive)
        uplink = self._uplink(here, host, interface, next(self._numbers[node]), station)
        host.add_address(interface, address)
        if not here.is_on:
            station.disconnect()

    def _uplink(self, node: Node, host: Host, name: str, number: int, station: Station) -> Uplink:
        nic = Interface(name, station.mac, station.ethernet.mtu, self.fabric, lambda frame: node.to_wire(name, frame))
        host.add_interface(nic)
        self.wired[node.name, node.name, name] = Wired(Link(mac_text(nic.mac), number, ""), nic, station)
        node.uplinks[name] = Uplink(number, nic, station)
        return node.uplinks[name]

    def set_ingress(self, node: str, interface: str) -> None:
        """What was answered at another NIC is not answered any more until it is applied anew."""
        here = self._node(node)
        uplink = here.uplinks.get(interface)
        if uplink is None:
            raise LookupError(f"Node {node} has no NIC {interface} on an Ethernet")
        here.face(uplink)

    def add_outside(
        self, name: str, address: IPv4Interface, gateway: IPv4Address | None = None, ethernet: str = UNDERLAY_ETHERNET
    ) -> None:
        """Put a host that is no Node on an Ethernet; its NIC is `eth0`."""
        if (OUTSIDE, name) in self.hosts:
            raise ValueError(f"there is already a host {name} outside")
        host = Host(OUTSIDE, name, self.fabric)

        def transmit(frame: bytes) -> None:
            if not station.transmit(frame):
                host.drop(Reason.UNDERLAY_LOST, f"on the Ethernet {ethernet}")

        wire = self.fabric.ethernet(ethernet)
        mtu = min(wire.mtu, KERNEL_MTU)
        nic = Interface(FIRST_NIC, mac_of("outside", name, ethernet), mtu, self.fabric, transmit)
        station = wire.station(name, nic.mac, nic.receive)
        host.add_interface(nic)
        host.add_address(FIRST_NIC, address)
        if gateway is not None:
            host.fib.add(HostRoute(IPv4Network("0.0.0.0/0"), gateway))
        self.hosts[OUTSIDE, name] = host
        self.wired[OUTSIDE, name, FIRST_NIC] = Wired(Link(mac_text(nic.mac), UNDERLAY_LINK, ""), nic, station)

    def remove_node(self, name: str) -> None:
        """With everything on it; link numbers are not used again if a Node of that name comes back."""
        node = self.nodes.pop(name, None)
        if node is None:
            return
        for uplink in node.uplinks.values():
            uplink.station.disconnect()
        del self.fabric.nodes[node.address]
        self._forget_pods(name)
        del self.hosts[name, name]
        self.wired = {key: wired for key, wired in self.wired.items() if key[0] != name}

    def _forget_pods(self, node: str) -> None:
        self.hosts = {key: host for key, host in self.hosts.items() if key[0] != node or key[1] == node}
        self.plugs = {key: plug for key, plug in self.plugs.items() if key[0] != node}
        self.nested = {key: below for key, below in self.nested.items() if key[0] != node}

    def switch_off(self, node: str) -> None:
        """Its Pods stay to be looked at until it is switched on again; nothing of them moves."""
        here = self._node(node)
        here.is_on = False
        here.forget()
        for uplink in here.uplinks.values():
            uplink.station.disconnect()

    def switch_on(self, node: str) -> None:
        """The machine starts anew, with its own NICs, addresses and routes, and without Pods. No error if it runs."""
        here = self._node(node)
        if here.is_on:
            return
        here.is_on = True
        here.restart()
        self._forget_pods(node)
        self.hosts[node, node].restart(here.uplinks)
        for uplink in here.uplinks.values():
            uplink.station.connect()

    def split(self, *groups: Collection[str]) -> None:
        """Each call cuts anew, and without a group everything is whole; a name is in one group at most."""
        parts: dict[str, int] = {}
        for part, group in enumerate(groups, start=1):
            for name in group:
                if name not in self.nodes and (OUTSIDE, name) not in self.hosts:
                    raise LookupError(f"there is neither a Node nor a host outside named {name}")
                if parts.setdefault(name, part) != part:
                    raise ValueError(f"{name} is in two groups")
        self.fabric.split(parts)

    def driver(self, node: str) -> SimulatedDriver:
        """As an agent that starts anew finds it."""
        return SimulatedDriver(self._node(node))

    def plug(self, node: str, sandbox: str, interface: str, settings: LinkSettings) -> Link:
        """Make a NIC; one that is already there is replaced."""
        here = self._node(node)
        if not here.is_on:
            raise ValueError(f"Node {node} is switched off")
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
        if settings.node_routes:
            self._lead_in(here, link, settings.node_routes)
        return link

    def _lead_in(self, node: Node, link: Link, prefixes: Sequence[IPv4Network]) -> None:
        """The Node's side of a NIC, with routes by which its own host gets there."""
        host, name, number = self.hosts[node.name, node.name], _node_side(link.number), link.number
        mac = mac_bytes(link.host_mac)
        side = Interface(name, mac, KERNEL_MTU, self.fabric, lambda frame: direct.from_host(node, number, frame))
        host.add_interface(side)
        # The kernel would take the source from another link; here a link speaks with its own addresses only.
        host.add_address(name, IPv4Interface((node.address, 32)))
        for prefix in prefixes:
            host.fib.add(HostRoute(prefix, dev=name))
        node.nics[number].side = side

    def unplug(self, node: str, sandbox: str, interface: str) -> None:
        """Remove a NIC; the sandbox goes with its last one. What is not there is no error."""
        plug = self.plugs.pop((node, sandbox, interface), None)
        if plug is None:
            return
        here, number = self._node(node), plug.link.number
        self.hosts[node, node].remove_interface(_node_side(number))
        del here.nics[number]
        here.tables.host_macs.pop(number, None)
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
        plug = self.plugs.get((node, sandbox, interface))
        if plug is None:
            return self._inject_on_ethernet(node, sandbox, interface, frame)
        here = self._node(node)
        with self.moving(node) as trace:
            if here.is_on:
                here.from_nic(plug.link.number, frame)
        return trace

    def _inject_on_ethernet(self, node: str, sandbox: str, interface: str, frame: bytes) -> Trace:
        nic = self._interface(node, sandbox, interface)
        with self.moving(node) as trace:
            nic.transmit(frame)
        return trace

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance(seconds)
        self.fabric.read_clock()
        for node in self.nodes.values():
            for stations in node.tables.stations.values():
                stations.sweep(self.fabric.now)
            node.tables.external.flows.sweep(self.fabric.now)

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


def _node_side(number: int) -> str:
    return f"veth{number}"
