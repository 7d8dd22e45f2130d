"""An L2 segment's gateway: the router port that every Node has."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface

import pytest
from tests.drivers.frames import arp_reply, arp_request, arrived, ether, mac, packet, reasons, send
from tests.drivers.world import ANYWHERE, Network, Nic, World

from juneau.drivers.simulated.codec import ARP, BROADCAST, mac_bytes, parse_arp
from juneau.engine.driver import HostRoute, LinkSettings
from juneau.engine.intents import ToSegment
from juneau.engine.trace import Reason

GATEWAY = "10.70.4.1"
STRANGER = mac_bytes("02:aa:00:00:00:01")


@pytest.fixture
def segment(world: World) -> Network:
    return world.l2(5000, "10.70.4.0/24", gateway=True)


@pytest.fixture
def nic(world: World, segment: Network) -> Nic:
    """The only NIC of the segment, on n1."""
    made = world.pod("n1", "a", segment, "10.70.4.2")
    world.sync()
    return made


@pytest.fixture
def pods(world: World, nic: Nic) -> dict[str, Nic]:
    """A Pod of a Subnet of the same Vpc on each Node."""
    subnet = world.subnet(4096, "10.60.0.0/24")
    made = {node: world.pod(node, f"p-{node}", subnet, f"10.60.0.{4 + i}") for i, node in enumerate(world.drivers)}
    world.sync()
    return made


def gateway_mac(network: Network) -> bytes:
    return mac_bytes(network.gateway_mac or "")


def neighbours(world: World, node: str) -> dict[str | int, str | int]:
    return {row["ipv4"]: row["mac"] for row in world.site.dump(node, "l2_arp", {"vni": "5000"})}


def test_gateway_answers_on_the_own_node_only(world: World, segment: Network, nic: Nic) -> None:
    """One answer comes back to a question for the gateway's address, from this Node, with the gateway's MAC."""
    other = world.pod("n2", "b", segment, "10.70.4.3")
    world.sync()
    trace = send(world.site, nic, arp_request(mac(nic), "10.70.4.2", GATEWAY))
    answers = [parse_arp(a.frame) for a in trace.arrivals if a.port == nic.port]
    assert [answer.sender_mac for answer in answers if answer] == [gateway_mac(segment)], trace
    assert arrived(trace) == [nic.port, other.port], trace
    # The question crosses as a flood and, to the Node without a port, for its neighbour table; no answer crosses.
    assert [crossing.source for crossing in trace.crossings] == ["n1", "n1"], trace


@pytest.mark.parametrize("target", ["10.70.4.2", "10.70.4.3", "10.70.4.99"])
def test_gateway_speaks_for_no_other_address(world: World, nic: Nic, target: str) -> None:
    """Questions for hosts of the segment, duplicate detection among them, are left to the hosts."""
    trace = send(world.site, nic, arp_request(mac(nic), "0.0.0.0", target))
    assert arrived(trace) == [], trace


@pytest.mark.parametrize("node", ["n1", "n2", "n3"])
def test_handed_out_address_is_reachable_before_it_sends(
    world: World, nic: Nic, pods: dict[str, Nic], node: str
) -> None:
    """The first packet from the Vpc arrives on whichever Node it is routed, and the reply comes back."""
    exchange = world.site.ping(node, pods[node].sandbox, IPv4Address("10.70.4.2"))
    assert exchange, exchange.trace


@pytest.mark.parametrize("node", ["n1", "n2", "n3"])
@pytest.mark.parametrize("how", ["request", "reply to a station", "gratuitous"])
def test_self_made_address_is_reachable_after_one_arp_frame(
    world: World, segment: Network, nic: Nic, pods: dict[str, Nic], node: str, how: str
) -> None:
    """A host that nobody gave its address is known on every Node from its first ARP frame on, and not before."""
    station = world.pod("n2", "s", segment, "10.70.4.3")
    world.sync()
    send(world.site, station, ether(BROADCAST, mac(station)))
    to_stranger = ether(_gateway_of(pods[node]), mac(pods[node]), 0x0800, packet("10.60.0.4", "10.70.4.77"))
    assert reasons(send(world.site, pods[node], to_stranger)) == [Reason.MISS_L2_ARP]
    frames = {
        "request": arp_request(STRANGER, "10.70.4.77", "10.70.4.3"),
        "reply to a station": arp_reply(STRANGER, "10.70.4.77", mac(station), "10.70.4.3"),
        "gratuitous": arp_reply(STRANGER, "10.70.4.77", BROADCAST, "10.70.4.77"),
    }
    send(world.site, nic, frames[how])
    trace = send(world.site, pods[node], to_stranger)
    assert arrived(trace) == [nic.port], trace


def test_unicast_arp_is_delivered_to_its_station_only(world: World, segment: Network, nic: Nic) -> None:
    """What other Nodes learn from a unicast reply costs no port a copy."""
    b = world.pod("n2", "b", segment, "10.70.4.3")
    world.pod("n3", "c", segment, "10.70.4.4")
    world.sync()
    send(world.site, b, ether(BROADCAST, mac(b)))
    trace = send(world.site, nic, arp_reply(STRANGER, "10.70.4.77", mac(b), "10.70.4.3"))
    assert arrived(trace) == [b.port], trace
    assert neighbours(world, "n3")["10.70.4.77"] == "02:aa:00:00:00:01"


def test_what_was_heard_outlives_a_seed_of_another_mac(
    world: World, segment: Network, nic: Nic, pods: dict[str, Nic]
) -> None:
    """A seed neither overrides what was heard at another NIC nor takes it along when it goes."""
    other = world.pod("n1", "b", segment, "10.70.4.3")
    world.sync()
    send(world.site, other, arp_request(STRANGER, "10.70.4.2", "10.70.4.9"))
    frame = ether(_gateway_of(pods["n2"]), mac(pods["n2"]), 0x0800, packet("10.60.0.5", "10.70.4.2"))
    assert [a.frame[:6] for a in send(world.site, pods["n2"], frame).arrivals] == [STRANGER]
    world.remove(nic)
    world.sync()
    assert neighbours(world, "n2")["10.70.4.2"] == "02:aa:00:00:00:01"


def test_seed_goes_with_its_nic_also_if_it_was_heard(world: World, nic: Nic) -> None:
    """A NIC that spoke leaves no entry of its address behind."""
    send(world.site, nic, arp_request(mac(nic), "10.70.4.2", "10.70.4.9"))
    world.remove(nic)
    world.sync()
    assert neighbours(world, "n1") == neighbours(world, "n2") == {}


def test_nic_that_shares_a_mac_keeps_what_was_heard_of_it(world: World, segment: Network, nic: Nic) -> None:
    """Of two NICs with one MAC the one that stays is still reached by what it announced."""
    link = world.site.plug("n1", "default/twin", "eth0", LinkSettings(mac=nic.link.mac))
    twin = Nic("n1", "default/twin", "eth0", segment, link, None)
    world.nics.append(twin)
    world.sync()
    send(world.site, nic, arp_request(mac(nic), "10.70.4.77", "10.70.4.9"))
    world.remove(twin)
    world.sync()
    assert neighbours(world, "n1")["10.70.4.77"] == nic.link.mac


def test_gateway_never_asks(world: World, nic: Nic, pods: dict[str, Nic]) -> None:
    """A packet for an unknown address makes no ARP frame leave the gateway."""
    target = IPv4Address("10.70.4.99")
    exchange = world.site.ping("n2", pods["n2"].sandbox, target)
    to_segment = [a for a in exchange.trace.arrivals if a.port == nic.port]
    assert not exchange
    assert (to_segment, exchange.trace.crossings) == ([], []), exchange.trace
    assert world.site.drops("n2")[Reason.MISS_L2_ARP] == 1


def test_l3_traffic_of_one_node_does_not_cross_the_underlay(world: World, nic: Nic, pods: dict[str, Nic]) -> None:
    """A workload uses the gateway of its own Node; only the ARP that makes it known goes to the others."""
    exchange = world.site.ping("n1", nic.sandbox, IPv4Address("10.60.0.4"))
    assert exchange, exchange.trace
    assert [c.packet for c in exchange.trace.crossings if ARP not in c.packet[60:64]] == [], exchange.trace


def test_gateway_mac_is_never_taken_over(world: World, segment: Network, nic: Nic, pods: dict[str, Nic]) -> None:
    """A frame that claims the gateway's MAC is forwarded, and the gateway stays where it is."""
    other = world.pod("n1", "b", segment, "10.70.4.3")
    world.sync()
    claim = send(world.site, other, ether(BROADCAST, gateway_mac(segment)))
    assert arrived(claim) == [nic.port], claim
    exchange = world.site.ping("n1", nic.sandbox, IPv4Address("10.60.0.6"))
    assert exchange, exchange.trace


@pytest.mark.parametrize(("ttl", "passes"), [(1, False), (2, True), (64, True)])
def test_gateway_lowers_the_ttl(
    world: World, segment: Network, nic: Nic, pods: dict[str, Nic], ttl: int, passes: bool
) -> None:
    """A packet whose TTL would reach zero ends at the router, for a reason of its own."""
    frame = ether(_gateway_of(nic), mac(nic), 0x0800, packet("10.70.4.2", "10.60.0.5", ttl=ttl))
    trace = send(world.site, nic, frame)
    assert arrived(trace) == ([pods["n2"].port] if passes else []), trace
    assert reasons(trace) == ([] if passes else [Reason.TTL_EXCEEDED])
    assert [arrival.frame[22] for arrival in trace.arrivals] == ([ttl - 1] if passes else [])


@pytest.mark.parametrize("ethertype", [0x86DD, 0x88B5, 0x8100])
def test_only_ipv4_crosses(world: World, segment: Network, nic: Nic, ethertype: int) -> None:
    """IPv6 and all else addressed to the gateway ends there."""
    trace = send(world.site, nic, ether(gateway_mac(segment), mac(nic), ethertype))
    assert reasons(trace) == [Reason.NOT_IPV4], trace


def test_flood_copies_are_not_routed(world: World, nic: Nic) -> None:
    """An IPv4 broadcast on the segment is nothing for the gateway."""
    trace = send(world.site, nic, ether(BROADCAST, mac(nic), 0x0800, packet("10.70.4.2", "255.255.255.255")))
    assert Reason.GATEWAY_COPY_IGNORED in [step.reason for step in trace.steps]
    assert trace.drops() == [], trace


def test_segment_without_gateway_is_closed(world: World, pods: dict[str, Nic]) -> None:
    """Only NICs of the same segment reach each other."""
    closed = world.l2(5002, "10.80.0.0/24")
    a = world.pod("n1", "x", closed, "10.80.0.2")
    world.pod("n2", "y", closed, "10.80.0.3")
    world.sync()
    assert world.site.ping("n1", a.sandbox, IPv4Address("10.80.0.3"))
    world.site.add_route("n1", a.sandbox, HostRoute(ANYWHERE, IPv4Address("10.80.0.1")))
    assert not world.site.ping("n1", a.sandbox, IPv4Address("10.60.0.4"))
    assert not world.site.ping("n1", pods["n1"].sandbox, IPv4Address("10.80.0.3"))


def test_two_segments_reach_each_other_by_their_gateways(world: World, nic: Nic) -> None:
    """From one segment into another a packet passes two gateway ports."""
    second = world.l2(5001, "10.71.0.0/24", gateway=True)
    world.pod("n3", "z", second, "10.71.0.2")
    world.sync()
    exchange = world.site.ping("n1", nic.sandbox, IPv4Address("10.71.0.2"))
    assert exchange, exchange.trace


def test_route_to_a_segment_without_gateway_is_a_drop(world: World, pods: dict[str, Nic]) -> None:
    """A connected route to a segment that has no router port leads nowhere."""
    world.l2(5002)
    world.route("10.90.0.0/24", ToSegment(5002))
    world.sync()
    pod = pods["n1"]
    trace = send(world.site, pod, ether(_gateway_of(pod), mac(pod), 0x0800, packet("10.60.0.4", "10.90.0.1")))
    assert reasons(trace) == [Reason.MISS_L2_GATEWAY], trace


def test_bridged_host_is_reachable_after_it_spoke(world: World, nic: Nic, pods: dict[str, Nic]) -> None:
    """A host behind a NIC, with a MAC and an address of its own, works once it has sent ARP."""
    nested = world.site.attach_bridged("n1", nic.sandbox, "eth0", "vm", IPv4Interface("10.70.4.50/24"))
    address = IPv4Address("10.70.4.50")
    world.site.add_route("n1", nested, HostRoute(ANYWHERE, IPv4Address(GATEWAY)))
    assert not world.site.ping("n3", pods["n3"].sandbox, address)
    world.site.announce("n1", nested, "eth0", address)
    exchange = world.site.ping("n3", pods["n3"].sandbox, address)
    assert exchange, exchange.trace


def test_address_that_claims_the_gateways_mac_is_a_hairpin(world: World, nic: Nic, pods: dict[str, Nic]) -> None:
    """A packet that the gateway would send to itself ends there."""
    send(world.site, nic, arp_request(_gateway_of(nic), "10.70.4.66", "10.70.4.9"))
    frame = ether(_gateway_of(pods["n1"]), mac(pods["n1"]), 0x0800, packet("10.60.0.4", "10.70.4.66"))
    assert reasons(send(world.site, pods["n1"], frame)) == [Reason.L2_HAIRPIN_DROP]


def test_packet_into_the_segment_is_the_gateways_frame(world: World, nic: Nic, pods: dict[str, Nic]) -> None:
    """It goes from the gateway's MAC to the destination's, with one hop less."""
    sent = ether(_gateway_of(pods["n2"]), mac(pods["n2"]), 0x0800, packet("10.60.0.5", "10.70.4.2", ttl=9))
    received = ether(mac(nic), _gateway_of(nic), 0x0800, packet("10.60.0.5", "10.70.4.2", ttl=8))
    trace = send(world.site, pods["n2"], sent)
    assert [(a.port, a.frame) for a in trace.arrivals] == [(nic.port, received)], trace


def test_address_probe_makes_nobody_known(world: World, nic: Nic) -> None:
    """ARP without a sender address says nothing about who is where."""
    send(world.site, nic, arp_request(STRANGER, "0.0.0.0", "10.70.4.9"))
    assert neighbours(world, "n1") == {"10.70.4.2": nic.link.mac}


def test_packet_over_the_segments_mtu_is_dropped_at_its_nic(world: World, nic: Nic, pods: dict[str, Nic]) -> None:
    """What a Subnet carries may be too big for a segment; it is counted where it ends."""
    body = packet("10.60.0.5", "10.70.4.2", payload=bytes(1440))
    trace = send(world.site, pods["n2"], ether(_gateway_of(pods["n2"]), mac(pods["n2"]), 0x0800, body))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.MTU_EXCEEDED]), trace
    assert world.site.drops("n1")[Reason.MTU_EXCEEDED] == 1


def _gateway_of(nic: Nic) -> bytes:
    return gateway_mac(nic.network)
