"""A small world for driver tests: what a controller would conclude, said as intents, and the site it holds on.

Only what `Site` and `Driver` promise is used, so the same worlds serve every driver.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from attrs import Factory, define

from juneau.engine.delta import difference
from juneau.engine.driver import Driver, HostRoute, Link, LinkSettings, Site
from juneau.engine.intents import (
    FloodPeer,
    Gateway,
    Intent,
    Mac,
    Neighbour,
    NeighbourSeed,
    Port,
    PortOwner,
    Route,
    RouteTarget,
    Segment,
    SegmentKind,
    Station,
    ToSegment,
    Underlay,
    Vni,
)

VPC = 7
MAIN_TABLE = 70
ANYWHERE = IPv4Network("0.0.0.0/0")


@define
class Network:
    """A Subnet or an L2Network of the world."""

    vni: Vni
    kind: SegmentKind
    prefix: IPv4Network | None = None
    gateway_mac: Mac | None = None
    table_id: int = MAIN_TABLE
    mtu: int | None = None

    @property
    def gateway(self) -> IPv4Address | None:
        return self.prefix[1] if self.prefix is not None and self.gateway_mac is not None else None


@define
class Nic:
    """A NIC of the world, made on the site."""

    node: str
    sandbox: str
    interface: str
    network: Network
    link: Link
    address: IPv4Address | None

    @property
    def port(self) -> str:
        return self.node if self.sandbox == self.node else f"{self.sandbox}.{self.interface}"


@define
class World:
    """Networks and NICs; `sync` makes the drivers true to them, these Nodes first."""

    site: Site
    drivers: dict[str, Driver] = Factory(dict[str, Driver])
    addresses: dict[str, IPv4Address] = Factory(dict[str, IPv4Address])
    networks: list[Network] = Factory(list[Network])
    nics: list[Nic] = Factory(list[Nic])
    routes: list[Route] = Factory(list[Route])

    def add_nodes(self, *names: str) -> None:
        for name in names:
            address = IPv4Address("10.225.51.11") + len(self.addresses)
            self.addresses[name] = address
            self.drivers[name] = self.site.add_node(name, address)

    def subnet(self, vni: Vni, prefix: str, table_id: int = MAIN_TABLE) -> Network:
        mac = f"02:00:00:{vni >> 16 & 255:02x}:{vni >> 8 & 255:02x}:{vni & 255:02x}"
        network = Network(vni, SegmentKind.SUBNET, IPv4Network(prefix), mac, table_id)
        self.networks.append(network)
        return network

    def l2(self, vni: Vni, prefix: str | None = None, *, gateway: bool = False, mtu: int | None = 1450) -> Network:
        mac = f"02:00:01:{vni >> 16 & 255:02x}:{vni >> 8 & 255:02x}:{vni & 255:02x}" if gateway else None
        network = Network(vni, SegmentKind.L2, IPv4Network(prefix) if prefix else None, mac, mtu=mtu)
        self.networks.append(network)
        return network

    def pod(self, node: str, name: str, network: Network, address: str | None = None, interface: str = "eth0") -> Nic:
        """A NIC with an address of its network's prefix; eth0 has its default route by the gateway."""
        sandbox = name if name == node else f"default/{name}"
        own = IPv4Address(address) if address else None
        routes: tuple[HostRoute, ...] = ()
        if interface == "eth0" and network.gateway is not None and sandbox != node:
            routes = (HostRoute(ANYWHERE, network.gateway),)
        with_prefix = IPv4Interface((own, network.prefix.prefixlen)) if own and network.prefix else None
        settings = LinkSettings(with_prefix, routes, mtu=network.mtu)
        link = self.site.plug(node, sandbox, interface, settings)
        nic = Nic(node, sandbox, interface, network, link, own)
        self.nics.append(nic)
        return nic

    def remove(self, nic: Nic) -> None:
        self.nics.remove(nic)
        self.site.unplug(nic.node, nic.sandbox, nic.interface)

    def route(self, dst: str, target: RouteTarget, table_id: int = MAIN_TABLE) -> None:
        self.routes.append(Route(table_id, IPv4Network(dst), target))

    def sync(self, *first: str) -> World:
        for name in dict.fromkeys((*first, *self.drivers)):
            driver = self.drivers[name]
            desired = {intent.key: intent for intent in self.intents(name)}
            failures = driver.apply(difference(desired, driver.read()))
            assert not failures
        return self

    def intents(self, node: str) -> list[Intent]:
        """What has to hold on a Node."""
        found: list[Intent] = [Underlay(name, address) for name, address in self.addresses.items()]
        for network in self.networks:
            found += self._of_network(network)
        for nic in self.nics:
            found += self._of_nic(nic, node)
        unique = {intent.key: intent for intent in [*found, *self.routes]}
        return list(unique.values())

    def _of_network(self, network: Network) -> list[Intent]:
        found: list[Intent] = [Segment(network.vni, network.kind, VPC, network.mtu)]
        if network.gateway is not None and network.prefix is not None and network.gateway_mac is not None:
            mac, prefix = network.gateway_mac, network.prefix
            found.append(Gateway(network.vni, network.gateway, mac, prefix, network.table_id))
            found += [Route(table, prefix, ToSegment(network.vni)) for table in self._tables()]
            if network.kind is SegmentKind.SUBNET:
                found.append(Neighbour(network.vni, network.gateway, mac))
        return found

    def _tables(self) -> set[int]:
        return {network.table_id for network in self.networks}

    def _of_nic(self, nic: Nic, node: str) -> list[Intent]:
        vni, mac = nic.network.vni, nic.link.mac
        found: list[Intent] = []
        if nic.node == node:
            owner = PortOwner.NODE if nic.sandbox == nic.node else PortOwner.POD
            found.append(Port(nic.port, node, nic.link.number, vni, mac, nic.address, owner, nic.network.kind))
        if nic.network.kind is SegmentKind.SUBNET:
            found.append(Station(vni, mac, nic.node))
            if nic.address is not None:
                found.append(Neighbour(vni, nic.address, mac))
        else:
            found.append(FloodPeer(vni, nic.node))
            if nic.address is not None and nic.network.gateway is not None:
                found.append(NeighbourSeed(vni, nic.address, mac))
        return found


WorldFactory = Callable[[], World]
