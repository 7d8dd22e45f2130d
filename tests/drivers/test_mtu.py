"""What does not fit: NICs of L2 segments, and the underlay."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from tests.drivers.frames import arrived, ether, mac, reasons, send, speak
from tests.drivers.world import World

from juneau.drivers.simulated.codec import Ipv4, parse_ipv4
from juneau.drivers.simulated.vxlan import OVERHEAD, decapsulate
from juneau.engine.driver import DriverKind
from juneau.engine.trace import Reason


def pair(kind: type[DriverKind], underlay_mtu: int, mtu: int | None, *, on_l2: bool = True) -> World:
    """Two NICs of one network on two Nodes."""
    world = World(kind.site(underlay_mtu=underlay_mtu))
    world.add_nodes("n1", "n2")
    network = world.l2(5000, "10.70.0.0/24", mtu=mtu) if on_l2 else world.subnet(4096, "10.70.0.0/24")
    world.pod("n1", "a", network, "10.70.0.4")
    world.pod("n2", "b", network, "10.70.0.5")
    world.sync()
    if on_l2:
        speak(world.site, *world.nics)
    return world


@pytest.mark.parametrize(("underlay", "mtu"), [(1500, 1450), (9000, 8950), (1600, 576)])
def test_full_frame_crosses_a_fitting_underlay(kind: type[DriverKind], underlay: int, mtu: int) -> None:
    """The overhead is 50 bytes: a packet of the NIC's MTU makes an outer packet of the underlay's at most."""
    world = pair(kind, underlay, mtu)
    a, b = world.nics
    trace = send(world.site, a, ether(mac(b), mac(a), payload=bytes(mtu)))
    assert arrived(trace) == [b.port], trace
    assert [len(crossing.packet) - 14 for crossing in trace.crossings] == [mtu + OVERHEAD]


@pytest.mark.parametrize("payload", [1451, 1500, 9000])
def test_frame_over_the_nics_mtu_is_dropped_and_counted(kind: type[DriverKind], payload: int) -> None:
    """A NIC takes nothing that is over its MTU."""
    world = pair(kind, 9000, 1450)
    a, b = world.nics
    trace = send(world.site, a, ether(mac(b), mac(a), payload=bytes(payload)))
    assert reasons(trace) == [Reason.MTU_EXCEEDED], trace
    assert world.site.drops("n1")[Reason.MTU_EXCEEDED] == 1


def test_vlan_tag_does_not_count_against_the_mtu(kind: type[DriverKind]) -> None:
    """A tagged frame may be four bytes longer."""
    world = pair(kind, 1600, 1450)
    a, b = world.nics
    assert arrived(send(world.site, a, ether(mac(b), mac(a), 0x8100, bytes(1454)))) == [b.port]
    assert arrived(send(world.site, a, ether(mac(b), mac(a), 0x8100, bytes(1455)))) == []


def test_what_the_underlay_cannot_carry_is_lost_and_counted(kind: type[DriverKind]) -> None:
    """On a small underlay a full frame vanishes, the sender is told nothing, and the counter shows it."""
    world = pair(kind, 1499, 1450)
    a, b = world.nics
    trace = send(world.site, a, ether(mac(b), mac(a), payload=bytes(1450)))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.UNDERLAY_LOST]), trace
    assert world.site.drops("n1")[Reason.UNDERLAY_LOST] == 1


def test_both_ends_of_a_nic_have_the_segments_mtu(kind: type[DriverKind]) -> None:
    """A Subnet's NIC keeps the kernel's default, a segment's has its own on both sides."""
    world = pair(kind, 1600, 1400)
    on_segment = world.site.link_state("n1", "default/a", "eth0")
    on_subnet = pair(kind, 1600, None, on_l2=False).site.link_state("n1", "default/a", "eth0")
    assert (on_segment.mtu, on_segment.host_mtu) == (1400, 1400)
    assert (on_subnet.mtu, on_subnet.host_mtu) == (1500, 1500)


def test_subnet_packet_of_full_size_needs_50_bytes_more(kind: type[DriverKind]) -> None:
    """1500 bytes cross an underlay of 1550 and are lost on one of 1500."""
    target = IPv4Address("10.70.0.5")
    for underlay, passes in ((1550, True), (1500, False)):
        world = pair(kind, underlay, None, on_l2=False)
        exchange = world.site.ping("n1", "default/a", target, size=1472)
        assert bool(exchange) is passes, exchange.trace


def test_hosts_fragment_what_is_over_their_mtu(kind: type[DriverKind]) -> None:
    """A large echo is answered in full, in pieces that fit the NIC."""
    world = pair(kind, 1500, 1450)
    exchange = world.site.ping("n1", "default/a", IPv4Address("10.70.0.5"), size=4000)
    assert exchange, exchange.trace
    assert exchange.payload == bytes(4000)
    assert max(len(arrival.frame) for arrival in exchange.trace.arrivals) <= 1450 + 14


def test_outer_packet_is_vxlan_between_the_nodes_addresses(kind: type[DriverKind]) -> None:
    """TTL 64, TOS 0, UDP port 4789, the segment's VNI and the whole inner frame."""
    world = pair(kind, 1600, 1450)
    a, b = world.nics
    frame = ether(mac(b), mac(a))
    crossing = send(world.site, a, frame).crossings[0]
    outer = parse_ipv4(crossing.packet[14:])
    tunnelled = decapsulate(crossing.packet)
    assert isinstance(outer, Ipv4)
    assert (str(IPv4Address(outer.source)), str(IPv4Address(outer.target))) == ("10.225.51.11", "10.225.51.12")
    assert (outer.ttl, outer.tos, outer.payload[2:4]) == (64, 0, (4789).to_bytes(2, "big"))
    assert tunnelled is not None
    assert (tunnelled.vni, tunnelled.frame) == (5000, frame)
