"""What an L2 segment does with frames, on one Node and across Nodes."""

from __future__ import annotations

import pytest
from tests.drivers.frames import arrived, ether, mac, packet, reasons, send, speak
from tests.drivers.world import VPC, Nic, World

from juneau.drivers.simulated.codec import BROADCAST, mac_bytes
from juneau.engine.delta import Delta
from juneau.engine.intents import Port, Segment, SegmentKind
from juneau.engine.trace import Reason

STRANGER = mac_bytes("02:aa:00:00:00:01")


@pytest.fixture
def nics(world: World) -> tuple[Nic, Nic, Nic, Nic]:
    """Two NICs of a segment on n1, one on n2, one on n3; a NIC of another segment on n1."""
    segment, other = world.l2(5000), world.l2(5001)
    made = (
        world.pod("n1", "a", segment),
        world.pod("n1", "b", segment),
        world.pod("n2", "c", segment),
        world.pod("n3", "d", segment),
    )
    world.pod("n1", "elsewhere", other)
    world.sync()
    return made


Four = tuple[Nic, Nic, Nic, Nic]


@pytest.mark.parametrize("to", [BROADCAST, STRANGER, mac_bytes("01:00:5e:00:00:fb"), mac_bytes("33:33:00:00:00:01")])
def test_group_and_unknown_destinations_go_to_every_other_port_once(world: World, nics: Four, to: bytes) -> None:
    """Broadcast, unknown unicast and multicast are copied to each port of the segment but the sender's."""
    trace = send(world.site, nics[0], ether(to, mac(nics[0])))
    assert arrived(trace) == ["default/b.eth0", "default/c.eth0", "default/d.eth0"], trace
    assert [arrival.frame for arrival in trace.arrivals] == [ether(to, mac(nics[0]))] * 3


@pytest.mark.parametrize("ethertype", [0x0800, 0x86DD, 0x0806, 0x88B5, 0x8863, 0x8100, 0x88A8, 0x05DC])
@pytest.mark.parametrize("receiver", [1, 2])
def test_any_ethertype_passes(world: World, nics: Four, ethertype: int, receiver: int) -> None:
    """Frames arrive byte for byte whatever they carry, on the same Node and on another."""
    speak(world.site, *nics)
    frame = ether(mac(nics[receiver]), mac(nics[0]), ethertype, b"\x00\x01senseless")
    trace = send(world.site, nics[0], frame)
    assert [(arrival.port, arrival.frame) for arrival in trace.arrivals] == [(nics[receiver].port, frame)], trace


@pytest.mark.parametrize("protocol", [1, 6, 17, 47, 50, 89, 132, 253])
def test_any_ip_protocol_passes(world: World, nics: Four, protocol: int) -> None:
    """No IP header is looked at, and switching leaves the TTL alone."""
    speak(world.site, *nics)
    frame = ether(mac(nics[2]), mac(nics[0]), 0x0800, packet("10.0.0.1", "10.0.0.1", protocol, ttl=1))
    trace = send(world.site, nics[0], frame)
    assert [arrival.frame for arrival in trace.arrivals] == [frame], trace


@pytest.mark.parametrize("receiver", [1, 2, 3])
def test_learned_mac_gets_the_only_copy(world: World, nics: Four, receiver: int) -> None:
    """A frame to a learned MAC goes to its port and nowhere else."""
    speak(world.site, *nics)
    trace = send(world.site, nics[0], ether(mac(nics[receiver]), mac(nics[0])))
    assert arrived(trace) == [nics[receiver].port], trace


def test_tables_hold_no_workload_before_it_sends(world: World, nics: Four) -> None:
    """Nothing but traffic writes the learning table."""
    assert [world.site.dump(node, "l2_fdb") for node in ("n1", "n2", "n3")] == [(), (), ()]


def test_macs_behind_a_nic_are_learned(world: World, nics: Four) -> None:
    """A NIC may send with MACs that are not its own, and frames to them come to it only."""
    behind = [mac_bytes(f"02:bb:00:00:00:0{number}") for number in range(3)]
    for address in behind:
        send(world.site, nics[2], ether(BROADCAST, address))
    for address in behind:
        trace = send(world.site, nics[0], ether(address, mac(nics[0])))
        assert arrived(trace) == [nics[2].port], trace


@pytest.mark.parametrize("source", [BROADCAST, mac_bytes("01:00:5e:00:00:fb")])
def test_group_source_is_not_learned(world: World, nics: Four, source: bytes) -> None:
    """A group address is nobody's, so frames to it are copied to all also after somebody has sent with it."""
    send(world.site, nics[2], ether(STRANGER, source))
    assert len(arrived(send(world.site, nics[2], ether(source, source, 0x0806)))) == 3
    assert [world.site.dump(node, "l2_fdb") for node in ("n1", "n2", "n3")] == [(), (), ()]
    assert len(arrived(send(world.site, nics[0], ether(source, mac(nics[0]))))) == 3


def test_moved_mac_is_followed_at_once(world: World, nics: Four) -> None:
    """Who sends last with a MAC has it, also across Nodes."""
    for holder in (nics[2], nics[1], nics[3]):
        send(world.site, holder, ether(BROADCAST, STRANGER))
        trace = send(world.site, nics[0], ether(STRANGER, mac(nics[0])))
        assert arrived(trace) == [holder.port], trace


@pytest.mark.parametrize(("wait", "copies"), [(299.0, 1), (299.999, 1), (300.0, 3), (1000.0, 3)])
def test_learned_mac_ages_after_300_seconds(world: World, nics: Four, wait: float, copies: int) -> None:
    """An entry is used until just before 300 s without a frame, and not any more from then on."""
    speak(world.site, nics[2])
    world.site.advance(wait)
    trace = send(world.site, nics[0], ether(mac(nics[2]), mac(nics[0])))
    assert len(arrived(trace)) == copies, trace


def test_frames_from_a_mac_start_its_time_anew_and_frames_to_it_do_not(world: World, nics: Four) -> None:
    """Being looked up as a destination does not count as having been seen."""
    speak(world.site, nics[2])
    world.site.advance(200)
    send(world.site, nics[0], ether(mac(nics[2]), mac(nics[0])))
    speak(world.site, nics[3])
    world.site.advance(100)
    assert len(arrived(send(world.site, nics[0], ether(mac(nics[2]), mac(nics[0]))))) == 3
    assert len(arrived(send(world.site, nics[0], ether(mac(nics[3]), mac(nics[0]))))) == 1


def test_frame_to_its_own_port_is_dropped(world: World, nics: Four) -> None:
    """A known MAC behind the port a frame came from needs no copy anywhere."""
    speak(world.site, nics[0])
    trace = send(world.site, nics[0], ether(mac(nics[0]), STRANGER))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.L2_HAIRPIN_DROP]), trace
    assert world.site.drops("n1")[Reason.L2_HAIRPIN_DROP] == 1


def test_frames_from_the_overlay_never_go_back_to_it(world: World, nics: Four) -> None:
    """A Node that knows the destination on a third Node floods to its own ports and relays nothing."""
    speak(world.site, nics[2])
    # Only n2 hears this one, so only n2 knows where the stranger is.
    send(world.site, nics[3], ether(mac(nics[2]), STRANGER))
    trace = send(world.site, nics[0], ether(STRANGER, mac(nics[0])))
    assert [crossing.source for crossing in trace.crossings] == ["n1", "n1"], trace
    assert arrived(trace) == ["default/b.eth0", "default/c.eth0", "default/d.eth0"], trace
    assert [step.node for step in trace.steps if step.reason is Reason.L2_SPLIT_HORIZON] == ["n2"], trace


def test_segments_do_not_mix(world: World, nics: Four) -> None:
    """A frame of one segment never reaches a NIC of another, whatever its MAC."""
    elsewhere = world.nics[-1]
    speak(world.site, elsewhere)
    trace = send(world.site, nics[0], ether(mac(elsewhere), mac(nics[0])))
    assert elsewhere.port not in arrived(trace), trace


def test_unplugged_nic_is_forgotten(world: World, nics: Four) -> None:
    """What was learned at a port goes with it, so that its MACs are flooded again."""
    speak(world.site, *nics)
    world.remove(nics[1])
    world.sync()
    assert len(arrived(send(world.site, nics[0], ether(mac(nics[1]), mac(nics[0]))))) == 2


def test_frames_of_a_lost_segment_are_dropped(world: World, nics: Four) -> None:
    """When a segment disappears its NICs' frames go nowhere, least of all to the host."""
    for driver in world.drivers.values():
        driver.apply(Delta(remove=(Segment(5000, SegmentKind.L2, VPC, 1450),)))
    trace = send(world.site, nics[0], ether(BROADCAST, mac(nics[0])))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.MISS_L2_NETWORK]), trace
    assert [step.point for step in trace.drops()] == ["L2 egress"]


def test_frames_of_an_unknown_l2_port_are_dropped(world: World, nics: Four) -> None:
    """A NIC of an L2 segment stays one when its port is gone."""
    port = next(intent for intent in world.intents("n1") if isinstance(intent, Port) and intent.name == nics[0].port)
    world.drivers["n1"].apply(Delta(remove=(port,)))
    trace = send(world.site, nics[0], ether(BROADCAST, mac(nics[0])))
    assert (arrived(trace), reasons(trace)) == ([], [Reason.MISS_L2_PORT]), trace
    assert [step.point for step in trace.drops()] == ["L2 egress"]


def test_short_frame_is_malformed(world: World, nics: Four) -> None:
    """Bytes that are no Ethernet frame are dropped and counted."""
    trace = send(world.site, nics[0], b"\xff" * 13)
    assert reasons(trace) == [Reason.MALFORMED], trace


def test_bridged_ports_end_in_a_counted_drop(world: World, nics: Four) -> None:
    """A loop that a workload makes of two ports ends, and the ending shows in the counters."""
    world.pod("n1", "a", nics[0].network, interface="eth1")
    world.sync()
    world.site.bridge("n1", "default/a", ["eth0", "eth1"])
    world.site.inject("n1", "default/b", "eth0", ether(BROADCAST, mac(nics[1])))
    assert world.site.drops("n1")[Reason.BUDGET_EXHAUSTED] > 0


def test_node_that_lost_its_last_port_is_forgotten(world: World, nics: Four) -> None:
    """What was learned from a Node ends when it has no port of the segment any more."""
    speak(world.site, *nics)
    assert len(world.site.dump("n1", "l2_fdb", {"vtep_ip": "10.225.51.12"})) == 1
    world.remove(nics[2])
    world.sync()
    assert world.site.dump("n1", "l2_fdb", {"vtep_ip": "10.225.51.12"}) == ()
