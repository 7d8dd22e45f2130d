"""Worlds with a way out, for driver tests: an ExternalNetwork, addresses of it, and hosts outside the cluster.

The router is at .1 of the underlay and knows by which Node each address from outside is reached; behind it, in another
prefix, stands the host that everybody talks to.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from attrs import Factory, define
from tests.drivers.frames import mac, send
from tests.drivers.world import ANYWHERE, MAIN_TABLE, Network, Nic, World

from juneau.drivers.simulated.codec import IPV4, mac_bytes
from juneau.engine.driver import OUTSIDE, HostRoute, HostRule, LinkSettings, Site
from juneau.engine.intents import (
    EVERY_NODE,
    DirectAddress,
    ExternalPrefix,
    Intent,
    NATSource,
    Neighbour,
    Port,
    Segment,
    SegmentKind,
    StaticNAT,
    Station,
    ToInternet,
    ToNATGateway,
)
from juneau.engine.trace import Trace

POOL = IPv4Network("203.0.113.0/24")
SERVER = IPv4Address("198.51.100.9")
ROUTER = IPv4Address("10.225.51.1")
ON_LINK = IPv4Address("169.254.0.1")
EXTERNAL_VNI = 4099
GATEWAY_ID = 5


@define
class ExitWorld(World):
    """`extra` holds on the Nodes that its intents are placed on; `vpcs` has the Vpcs of networks not in the first."""

    extra: list[Intent] = Factory(list[Intent])
    vpcs: dict[int, int] = Factory(dict[int, int])

    def external(self) -> Network:
        network = Network(EXTERNAL_VNI, SegmentKind.EXTERNAL)
        self.networks.append(network)
        return network

    def carrier(self, node: str, name: str, network: Network, address: str, interface: str = "eth0") -> Nic:
        """A NIC that carries an address from outside; what every Node knows of it comes along."""
        own = IPv4Address(address)
        host = IPv4Network(address)
        if interface == "eth0":
            routes: tuple[HostRoute, ...] = (HostRoute(ANYWHERE, ON_LINK, on_link=True),)
            settings = LinkSettings(IPv4Interface(host), routes, node_routes=(host,))
        else:
            routes = (HostRoute(ANYWHERE, ON_LINK, on_link=True, table=int(own)),)
            settings = LinkSettings(IPv4Interface(host), routes, (HostRule(host, int(own), 100),))
        link = self.site.plug(node, f"default/{name}", interface, settings)
        nic = Nic(node, f"default/{name}", interface, network, link, own)
        self.nics.append(nic)
        self.extra += [ExternalPrefix(host, EVERY_NODE), DirectAddress(own, network.vni)]
        return nic

    def one_to_one(self, external: str, nic: Nic) -> StaticNAT:
        assert nic.address is not None
        made = StaticNAT(IPv4Address(external), nic.network.vni, nic.address)
        self.extra.append(made)
        return made

    def source(self, node: str, address: str, gateway_id: int = GATEWAY_ID) -> NATSource:
        made = NATSource(gateway_id, node, IPv4Address(address))
        self.extra.append(made)
        return made

    def claim(self, prefix: str, taker: str = EVERY_NODE) -> ExternalPrefix:
        made = ExternalPrefix(IPv4Network(prefix), taker)
        self.extra.append(made)
        return made

    def leave(self, nic: Nic, packet: bytes) -> tuple[Trace, list[bytes]]:
        """What a Pod sends to its next hop, and the packets' frames that the router then gets."""
        hop = nic.network.gateway_mac or nic.link.host_mac
        mark = self.site.mark(OUTSIDE, "router", "eth0")
        trace = send(self.site, nic, mac_bytes(hop) + mac(nic) + IPV4 + packet)
        frames = self.site.received(OUTSIDE, "router", "eth0", mark)
        return trace, [frame for frame in frames if frame[12:14] == IPV4 and frame[6:12] == self.node_mac(nic.node)]

    def enter(self, node: str, packet: bytes) -> Trace:
        """What the router sends to a Node."""
        router = mac_bytes(self.site.link_state(OUTSIDE, "router", "eth0").link.mac)
        return self.site.inject(OUTSIDE, "router", "eth0", self.node_mac(node) + router + IPV4 + packet)

    def node_mac(self, node: str) -> bytes:
        return mac_bytes(self.site.link_state(node, node, "eth0").link.mac)

    def lead(self, address: str, node: str) -> None:
        """The router sends packets for it to that Node."""
        route = HostRoute(IPv4Network(address), self.addresses[node])
        self.site.remove_route(OUTSIDE, "router", HostRoute(IPv4Network(address)))
        self.site.add_route(OUTSIDE, "router", route)

    def intents(self, node: str) -> list[Intent]:
        own = [intent for intent in self.extra if intent.placed_on in (None, node)]
        return list({intent.key: intent for intent in [*super().intents(node), *own]}.values())

    def _of_network(self, network: Network) -> list[Intent]:
        if network.kind is SegmentKind.EXTERNAL:
            return [Segment(network.vni, network.kind, 0)]
        found = super()._of_network(network)
        if network.vni in self.vpcs:
            found[0] = Segment(network.vni, network.kind, self.vpcs[network.vni], network.mtu)
        return found

    def _of_nic(self, nic: Nic, node: str) -> list[Intent]:
        if nic.network.kind is not SegmentKind.EXTERNAL or nic.address is None:
            return super()._of_nic(nic, node)
        vni, mac = nic.network.vni, nic.link.mac
        found: list[Intent] = [Neighbour(vni, nic.address, mac), Station(vni, mac, nic.node)]
        if nic.node == node:
            port = Port(nic.port, node, nic.link.number, vni, mac, nic.address, kind=SegmentKind.EXTERNAL)
            found.append(port)
        return found


def exit_world(site: Site, *nodes: str) -> ExitWorld:
    """Nodes with a default route to the router, and behind it the server, which answers everything."""
    world = ExitWorld(site)
    world.add_nodes(*(nodes or ("n1", "n2")))
    for node in world.drivers:
        site.add_route(node, node, HostRoute(ANYWHERE, ROUTER))
    site.add_outside("router", IPv4Interface("10.225.51.1/24"))
    site.add_address(OUTSIDE, "router", "eth0", IPv4Interface("198.51.100.1/24"))
    site.set_forwarding(OUTSIDE, "router", True)
    site.add_outside("server", IPv4Interface((SERVER, 24)), IPv4Address("198.51.100.1"))
    site.listen_tcp(OUTSIDE, "server", 80)
    site.serve_udp(OUTSIDE, "server", 53, lambda asked: asked.reply(b"re: " + asked.payload))
    return world


def to_internet(world: World, table_id: int = MAIN_TABLE) -> None:
    world.route(str(ANYWHERE), ToInternet(), table_id)


def to_gateway(world: World, gateway_id: int = GATEWAY_ID, table_id: int = MAIN_TABLE) -> None:
    world.route(str(ANYWHERE), ToNATGateway(gateway_id), table_id)
