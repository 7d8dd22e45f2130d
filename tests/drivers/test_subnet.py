"""What a Subnet does: ARP from tables, layer 2 without floods, and routing at the gateway."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface

import pytest
from tests.drivers.frames import arp_reply, arp_request, arrived, ether, mac, packet, reasons, send
from tests.drivers.world import Network, Nic, World

from juneau.drivers.simulated.codec import BROADCAST, mac_bytes, parse_arp
from juneau.engine.delta import Delta
from juneau.engine.driver import LinkSettings
from juneau.engine.intents import Blackhole, Neighbour, Station, ToStation
from juneau.engine.trace import Reason


@pytest.fixture
def subnet(world: World) -> Network:
    return world.subnet(4096, "10.16.0.0/24")


@pytest.fixture
def pods(world: World, subnet: Network) -> tuple[Nic, Nic, Nic]:
    """Two Pods of a Subnet on n1 and one on n2."""
    made = (
        world.pod("n1", "a", subnet, "10.16.0.4"),
        world.pod("n1", "b", subnet, "10.16.0.5"),
        world.pod("n2", "c", subnet, "10.16.0.6"),
    )
    world.sync()
    return made


Three = tuple[Nic, Nic, Nic]


def gateway(nic: Nic) -> bytes:
    return mac_bytes(nic.network.gateway_mac or "")


@pytest.mark.parametrize("target", ["10.16.0.5", "10.16.0.6", "10.16.0.1"])
def test_arp_is_answered_to_who_asks_and_shown_to_nobody_else(world: World, pods: Three, target: str) -> None:
    """Pods of any Node, and the gateway, are answered for out of the tables."""
    trace = send(world.site, pods[0], arp_request(mac(pods[0]), "10.16.0.4", target))
    assert arrived(trace) == [pods[0].port], trace
    answer = parse_arp(trace.arrivals[0].frame)
    expected = {"10.16.0.5": mac(pods[1]), "10.16.0.6": mac(pods[2]), "10.16.0.1": gateway(pods[0])}
    assert answer is not None
    assert answer.sender_mac == expected[target]


@pytest.mark.parametrize("target", ["10.16.0.77", "10.17.0.4"])
def test_arp_for_what_the_subnet_has_not_is_dropped(world: World, pods: Three, target: str) -> None:
    """Nobody answers for an unknown address or one outside the prefix."""
    trace = send(world.site, pods[0], arp_request(mac(pods[0]), "10.16.0.4", target))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.MISS_ARP]), trace


def test_arp_replies_are_dropped(world: World, pods: Three) -> None:
    """No Pod can tell others anything by ARP, gratuitous or not."""
    trace = send(world.site, pods[0], arp_reply(mac(pods[0]), "10.16.0.5", BROADCAST, "10.16.0.5"))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.ARP_IGNORED]), trace


@pytest.mark.parametrize("to", ["ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:fb", "02:aa:00:00:00:01"])
def test_nothing_is_flooded(world: World, pods: Three, to: str) -> None:
    """Broadcast, multicast and unknown unicast are dropped."""
    trace = send(world.site, pods[0], ether(mac_bytes(to), mac(pods[0])))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.MISS_FDB]), trace


@pytest.mark.parametrize("receiver", [1, 2])
def test_frames_inside_a_subnet_are_switched_unchanged(world: World, pods: Three, receiver: int) -> None:
    """Layer 2 lowers no TTL and carries other EtherTypes too."""
    for frame in (
        ether(mac(pods[receiver]), mac(pods[0]), 0x0800, packet("10.16.0.4", "10.16.0.5", ttl=1)),
        ether(mac(pods[receiver]), mac(pods[0]), 0x86DD),
    ):
        trace = send(world.site, pods[0], frame)
        assert [(a.port, a.frame) for a in trace.arrivals] == [(pods[receiver].port, frame)], trace


@pytest.mark.parametrize("node", ["n1", "n2", "n3"])
@pytest.mark.parametrize(("ttl", "passes"), [(0, False), (1, False), (2, True)])
def test_routing_lowers_the_ttl(world: World, pods: Three, node: str, ttl: int, passes: bool) -> None:
    """Between Subnets one router is passed, wherever the other Pod is."""
    other = world.pod(node, "far", world.subnet(4097, "10.17.0.0/24"), "10.17.0.4")
    world.sync()
    trace = send(
        world.site, pods[0], ether(gateway(pods[0]), mac(pods[0]), 0x0800, packet("10.16.0.4", "10.17.0.4", ttl=ttl))
    )
    if passes:
        routed = ether(mac(other), gateway(other), 0x0800, packet("10.16.0.4", "10.17.0.4", ttl=ttl - 1))
        assert [(a.port, a.frame) for a in trace.arrivals] == [(other.port, routed)], trace
    else:
        assert (arrived(trace), reasons(trace)) == ([], [Reason.TTL_EXCEEDED]), trace


def test_longest_prefix_wins(world: World, pods: Three) -> None:
    """A blackhole for one address of a network that is routed takes that address only."""
    world.pod("n2", "far", world.subnet(4097, "10.17.0.0/24"), "10.17.0.4")
    world.pod("n2", "farther", world.networks[-1], "10.17.0.5")
    world.route("10.17.0.5/32", Blackhole())
    world.sync()
    assert world.site.ping("n1", pods[0].sandbox, IPv4Address("10.17.0.4"))
    lost = world.site.ping("n1", pods[0].sandbox, IPv4Address("10.17.0.5"))
    assert reasons(lost.trace) == [Reason.BLACKHOLE], lost.trace


def test_endpoint_route_leads_to_one_nic(world: World, pods: Three) -> None:
    """Whatever the destination is, the packet goes to the MAC that the route names."""
    world.route("198.51.100.0/24", ToStation(4096, pods[2].link.mac))
    world.sync()
    frame = ether(gateway(pods[0]), mac(pods[0]), 0x0800, packet("10.16.0.4", "198.51.100.9"))
    trace = send(world.site, pods[0], frame)
    assert arrived(trace) == [pods[2].port], trace


def test_route_tables_are_the_networks_own(world: World, pods: Three) -> None:
    """A Subnet with a table of its own does not see the routes of the main one."""
    alone = world.pod("n1", "alone", world.subnet(4098, "10.18.0.0/24", table_id=71), "10.18.0.4")
    world.sync()
    world.route("198.51.100.0/24", ToStation(4096, pods[2].link.mac))
    world.sync()
    trace = send(world.site, alone, ether(gateway(alone), mac(alone), 0x0800, packet("10.18.0.4", "198.51.100.9")))
    assert reasons(trace) == [Reason.MISS_ROUTE], trace


@pytest.mark.parametrize(
    "body", [b"", b"\x45", b"\x65" + bytes(19), b"\x4f" + bytes(19), b"\x45\x00\xff\xff" + bytes(16)]
)
def test_broken_ip_header_is_malformed(world: World, pods: Three, body: bytes) -> None:
    """What the router cannot read it drops and counts."""
    trace = send(world.site, pods[0], ether(gateway(pods[0]), mac(pods[0]), 0x0800, body))
    assert reasons(trace) == [Reason.MALFORMED], trace
    assert world.site.drops("n1")[Reason.MALFORMED] == 1


def test_other_ethertypes_to_the_gateway_are_dropped(world: World, pods: Three) -> None:
    """The gateway routes IPv4 only."""
    trace = send(world.site, pods[0], ether(gateway(pods[0]), mac(pods[0]), 0x86DD))
    assert reasons(trace) == [Reason.NOT_IPV4], trace


def test_node_reaches_the_default_subnet_and_nothing_else(world: World, pods: Three, subnet: Network) -> None:
    """The Node's own port gives its host the one connected route, and Pods reach the Node in return."""
    world.pod("n1", "n1", subnet, "10.16.0.10", "juneau_node_h")
    world.pod("n2", "far", world.subnet(4097, "10.17.0.0/24"), "10.17.0.4")
    world.sync()
    for nic in pods:
        exchange = world.site.ping("n1", "n1", nic.address or IPv4Address(0))
        assert exchange, exchange.trace
        assert world.site.ping(nic.node, nic.sandbox, IPv4Address("10.16.0.10"))
    assert not world.site.ping("n1", "n1", IPv4Address("10.17.0.4"))
    assert [str(route.dst) for route in world.site.routes("n1", "n1")] == ["10.225.51.0/24", "10.16.0.0/24"]


@pytest.mark.parametrize("target", ["10.225.51.11", "10.225.51.12"])
def test_pods_of_the_default_subnet_reach_nodes_by_their_own_addresses(
    world: World, pods: Three, subnet: Network, target: str
) -> None:
    """A packet to an InternalIP goes to the host of that Node, which answers by its port."""
    world.pod("n1", "n1", subnet, "10.16.0.10", "juneau_node_h")
    world.pod("n2", "n2", subnet, "10.16.0.11", "juneau_node_h")
    world.sync()
    exchange = world.site.ping("n1", pods[0].sandbox, IPv4Address(target))
    assert exchange, exchange.trace


def test_arp_answers_end_at_the_prefix(world: World, pods: Three) -> None:
    """An address outside the Subnet is not answered for, even if a table has it."""
    stray = Neighbour(4096, IPv4Address("10.99.0.1"), pods[1].link.mac)
    assert not world.drivers["n1"].apply(Delta(add=(stray,)))
    assert arrived(send(world.site, pods[0], arp_request(mac(pods[0]), "10.16.0.4", "10.99.0.1"))) == []


@pytest.mark.parametrize(("ttl", "passes"), [(1, False), (2, True)])
def test_way_to_another_node_is_a_hop(world: World, pods: Three, ttl: int, passes: bool) -> None:
    """A packet to the own Node is not forwarded, one to another Node is."""
    own = ether(gateway(pods[0]), mac(pods[0]), 0x0800, packet("10.16.0.4", "10.225.51.11", ttl=1))
    other = ether(gateway(pods[0]), mac(pods[0]), 0x0800, packet("10.16.0.4", "10.225.51.12", ttl=ttl))
    assert Reason.TTL_EXCEEDED not in reasons(send(world.site, pods[0], own))
    mark = world.site.mark("n2", "n2", "eth0")
    assert (Reason.TTL_EXCEEDED not in reasons(send(world.site, pods[0], other))) is passes
    received = [frame for frame in world.site.received("n2", "n2", "eth0", mark) if frame[12:14] == b"\x08\x00"]
    assert [frame[22] for frame in received] == ([ttl - 1] if passes else [])


def test_of_two_nics_with_one_mac_the_one_that_is_named_is_reached(world: World, pods: Three, subnet: Network) -> None:
    """They share an address; the Station says which of them counts, to senders of the same Node and of others."""
    settings = LinkSettings(IPv4Interface("10.16.0.5/24"), mac=pods[1].link.mac)
    link = world.site.plug("n1", "default/twin", "eth0", settings)
    twin = Nic("n1", "default/twin", "eth0", subnet, link, IPv4Address("10.16.0.5"))
    world.nics.append(twin)
    world.sync()
    for port in (twin.port, pods[1].port):
        for driver in world.drivers.values():
            assert driver.apply(Delta(add=(Station(subnet.vni, link.mac, "n1", port),))) == []
        for source in (pods[0], pods[2]):
            trace = send(world.site, source, ether(mac(twin), mac(source), 0x88B5, b"x"))
            assert arrived(trace) == [port], trace
