"""What holds for the simulated driver alone: its insides, its determinism and its speed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drivers.frames import arp_request, arrived, ether, mac, packet, reasons, send, speak
from tests.drivers.world import World

from juneau.drivers.simulated.capture import read_pcap, report, write_pcap
from juneau.drivers.simulated.codec import ARP, BROADCAST, IPV4, mac_bytes
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.learning import AGE, NEIGHBOURS, STATIONS, Heard, NeighbourTable, StationTable
from juneau.drivers.simulated.segment import l2_egress
from juneau.drivers.simulated.site import SimulatedSite
from juneau.drivers.simulated.vxlan import Outer, encapsulate
from juneau.engine.clock import VirtualClock
from juneau.engine.trace import Reason

FRAMES_PER_SECOND = 20_000


def small_world(site: SimulatedSite) -> World:
    """A Subnet and a segment with a gateway on two Nodes; NICs 0 and 1 are on the segment and on one Node."""
    world = World(site)
    world.add_nodes("n1", "n2")
    subnet, segment = world.subnet(4096, "10.16.0.0/24"), world.l2(5000, "10.70.4.0/24", gateway=True)
    world.pod("n1", "a", segment, "10.70.4.4")
    world.pod("n1", "b", segment, "10.70.4.5")
    world.pod("n2", "c", segment, "10.70.4.6")
    world.pod("n1", "d", subnet, "10.16.0.4")
    world.pod("n2", "e", subnet, "10.16.0.5")
    return world.sync()


def mac_number(number: int) -> bytes:
    return b"\x02" + number.to_bytes(5, "big")


def test_full_table_forgets_who_was_silent_longest() -> None:
    """The 8193rd MAC takes the place of the one that was not seen for the longest time."""
    table = StationTable()
    for number in range(STATIONS):
        table.learn(mac_number(number), 4, 0, 0)
    table.learn(mac_number(0), 4, 0, 1)
    table.learn(mac_number(STATIONS), 4, 0, 2)
    assert len(table) == STATIONS
    assert table.find(mac_number(0), 2) is not None
    assert table.find(mac_number(1), 2) is None


def test_sweep_frees_exactly_what_has_aged() -> None:
    """Sweeping changes no look-up."""
    table = StationTable()
    for number in range(10):
        table.learn(mac_number(number), 4, 0, number)
    usable = [table.find(mac_number(number), AGE + 4) is not None for number in range(10)]
    table.sweep(AGE + 4)
    assert [table.find(mac_number(number), AGE + 4) is not None for number in range(10)] == usable
    assert len(table) == sum(usable) == 5


def test_claimed_addresses_do_not_push_out_seeds() -> None:
    """A workload that announces every address there is leaves what Juneau handed out reachable."""
    table = NeighbourTable()
    table.seed(1, mac_number(1))
    for address in range(2, NEIGHBOURS + 3):
        table.hear(address, Heard(mac_number(2), 4, 0))
    assert table.find(1) == mac_number(1)
    assert table.find(2) is None


def test_what_was_heard_hides_a_seed_and_goes_with_its_mac() -> None:
    """A seed that is removed takes along what was heard of its MAC, and shows again where that of another went."""
    table = NeighbourTable()
    table.seed(1, mac_number(1))
    table.seed(2, mac_number(2))
    table.hear(2, Heard(mac_number(1), 0, 9))
    table.hear(3, Heard(mac_number(1), 4, 0))
    assert table.entries() == {1: mac_number(1), 2: mac_number(1), 3: mac_number(1)}
    table.unseed(1)
    assert table.entries() == {2: mac_number(2)}


def test_port_takes_along_what_was_heard_at_it_and_here_of_its_mac() -> None:
    """What another Node heard of that MAC stays: it may have moved there."""
    table = NeighbourTable()
    for address, heard in enumerate(
        (
            Heard(mac_number(1), 4, 0),
            Heard(mac_number(2), 4, 0),
            Heard(mac_number(1), 5, 0),
            Heard(mac_number(1), 0, 9),
            Heard(mac_number(2), 5, 0),
        )
    ):
        table.hear(address, heard)
    assert table.forget_port(4, mac_number(1)) == [0, 1, 2]
    assert sorted(table.entries()) == [3, 4]


def test_other_nodes_speak_for_what_was_heard_from_them_only() -> None:
    """Old news from a Node replaces and withdraws its own, and fills gaps."""
    table = NeighbourTable()
    table.hear(1, Heard(mac_number(1), 4, 0))
    table.hear(2, Heard(mac_number(1), 0, 8))
    table.hear(3, Heard(mac_number(1), 0, 9))
    for address in (1, 2, 3, 4):
        table.be_told(address, Heard(mac_number(2), 0, 9))
    assert table.entries() == {1: mac_number(1), 2: mac_number(1), 3: mac_number(2), 4: mac_number(2)}
    for address in (1, 2, 3, 4, 5):
        table.withdraw(address, 9)
    assert sorted(table.entries()) == [1, 2]


@pytest.mark.parametrize(
    ("before", "point"), [(0, None), (2, None), (3, "gateway port, outbound"), (4, "gateway port, inbound")]
)
def test_fifth_gateway_pass_is_a_drop(before: int, point: str | None) -> None:
    """From one segment into another a packet passes two gateway ports, if it has passed no more than two before."""
    site = SimulatedDriver.site()
    world = small_world(site)
    other = world.pod("n1", "z", world.l2(5001, "10.71.0.0/24", gateway=True), "10.71.0.4")
    world.sync()
    sender = world.nics[0]
    frame = ether(mac_bytes(sender.network.gateway_mac or ""), mac(sender), 0x0800, packet("10.70.4.4", "10.71.0.4"))
    with site.moving("n1") as trace:
        l2_egress(site.nodes["n1"], sender.link.number, frame, before)
    assert [step.point for step in trace.drops()] == ([point] if point else []), trace
    assert reasons(trace) == ([Reason.L2_GW_LOOP_DROP] if point else []), trace
    assert arrived(trace) == ([] if point else [other.port]), trace


def test_equal_histories_give_equal_sites() -> None:
    """MACs, link numbers, traces and bytes are the same each time."""

    def history() -> list[object]:
        world = small_world(SimulatedDriver.site())
        traces = [send(world.site, nic, arp_request(mac(nic), "10.70.4.4", "10.70.4.1")) for nic in world.nics]
        return [world.nics, traces]

    assert history() == history()


def test_new_driver_on_a_node_reads_what_is_there() -> None:
    """An agent that starts anew finds the tables and changes nothing."""
    site = SimulatedDriver.site()
    world = small_world(site)
    assert site.driver("n1").read() == world.drivers["n1"].read()
    assert dict(site.driver("n1").read()) != {}


def test_time_is_the_clocks() -> None:
    """A clock that is shared moves the site's ages too."""
    clock = VirtualClock()
    world = small_world(SimulatedDriver.site(clock))
    speak(world.site, world.nics[0])
    clock.advance(299)
    assert len(world.site.dump("n2", "l2_fdb")) == 2
    clock.advance(1)
    assert [row["flags"] for row in world.site.dump("n2", "l2_fdb")] == [1]


def test_removed_node_is_gone() -> None:
    """What is sent to a Node that left is lost and counted, and its name can come back."""
    site = SimulatedDriver.site()
    world = small_world(site)
    speak(site, *world.nics[:3])
    site.remove_node("n2")
    trace = send(site, world.nics[0], ether(mac(world.nics[2]), mac(world.nics[0])))
    assert [step.reason for step in trace.drops()] == [Reason.UNDERLAY_LOST], trace
    site.add_node("n2", world.addresses["n2"])
    assert site.interfaces("n2", "n2") == ("eth0",)


def test_forwarding_imports_no_scapy() -> None:
    """The way from bytes to bytes, and every module on it, does without scapy."""
    program = "import sys; import juneau.drivers.simulated.site; sys.exit('scapy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_captures_can_be_written_and_read(tmp_path: Path) -> None:
    """A pcap file gives back the frames, and reports name what crossed and what arrived."""
    world = small_world(SimulatedDriver.site())
    speak(world.site, *world.nics[:3])
    trace = send(world.site, world.nics[0], ether(mac(world.nics[2]), mac(world.nics[0])))
    packets = [crossing.packet for crossing in trace.crossings]
    write_pcap(tmp_path / "underlay.pcap", packets)
    assert read_pcap(tmp_path / "underlay.pcap") == packets
    assert "at default/c.eth0" in report(trace)


def test_descriptions_reach_into_the_tunnel() -> None:
    """A summary names the layers of the outer and of the inner frame, whatever else has been imported."""
    world = small_world(SimulatedDriver.site())
    speak(world.site, *world.nics[:3])
    crossing = send(world.site, world.nics[0], ether(mac(world.nics[2]), mac(world.nics[0]))).crossings[0]
    program = "import sys, juneau.drivers.simulated.capture as c; print(c.describe(sys.stdin.buffer.read()))"
    shown = subprocess.run([sys.executable, "-c", program], input=crossing.packet, capture_output=True, check=True)
    assert shown.stdout.startswith(b"Ether / IP / UDP / VXLAN / " + world.nics[0].link.mac.encode())


frames = st.one_of(
    st.binary(max_size=100),
    st.builds(
        lambda to, ethertype, body: to + mac_number(7) + ethertype + body,
        st.sampled_from([BROADCAST, mac_number(7), b"\x02\x00\x00\x00\x10\x00", b"\x02\x00\x01\x00\x13\x88"]),
        st.sampled_from([IPV4, ARP, b"\x81\x00", b"\x86\xdd"]),
        st.binary(max_size=80),
    ),
)


def mutated(frame: bytes, changes: list[tuple[int, int]]) -> bytes:
    """With some bytes replaced."""
    data = bytearray(frame)
    for place, value in changes:
        if data:
            data[place % len(data)] = value
    return bytes(data)


def valid_frames(world: World) -> Iterator[bytes]:
    """One of each sort."""
    for nic in world.nics:
        gateway = bytes.fromhex((nic.network.gateway_mac or "").replace(":", ""))
        yield arp_request(mac(nic), str(nic.address), str(nic.network.gateway))
        for protocol in (1, 6, 17, 253):
            body = packet(str(nic.address), "10.16.0.5", protocol, bytes((8, 0)) + bytes(30))
            yield ether(gateway, mac(nic), 0x0800, body)


@given(st.lists(st.tuples(st.integers(0, 4), frames), min_size=1, max_size=8))
def test_random_frames_neither_raise_nor_hang(sent: list[tuple[int, bytes]]) -> None:
    """Any bytes out of any NIC, and on the underlay, end somewhere."""
    site = SimulatedDriver.site()
    world = small_world(site)
    for index, frame in sent:
        send(site, world.nics[index], frame)
        with site.moving("n1"):
            site.nodes["n1"].from_wire(frame)
    assert sum(site.drops("n1").values()) < 1000


@given(st.integers(0, 24), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=5), st.booleans())
def test_mutated_frames_neither_raise_nor_hang(index: int, changes: list[tuple[int, int]], outer: bool) -> None:
    """Almost right frames are handled too, also when it is the encapsulation that is broken."""
    site = SimulatedDriver.site()
    world = small_world(site)
    speak(site, *world.nics)
    frame = list(valid_frames(world))[index]
    trace = send(site, world.nics[index // 5], frame if outer else mutated(frame, changes))
    for crossing in trace.crossings if outer else ():
        with site.moving(crossing.target):
            site.nodes[crossing.target].from_wire(mutated(crossing.packet, changes))


@pytest.mark.parametrize("receiver", [1, 2])
def test_known_unicast_is_fast(receiver: int) -> None:
    """Without a trace, frames to a learned MAC pass at more than 20,000 a second of one core."""
    world = small_world(SimulatedDriver.site())
    site = world.site
    assert isinstance(site, SimulatedSite)
    speak(site, *world.nics)
    site.tracing = False
    frame = ether(mac(world.nics[receiver]), mac(world.nics[0]), payload=bytes(50))
    count = 5000
    best = min(_seconds(site, frame, count) for _ in range(3))
    assert count / best > FRAMES_PER_SECOND


def _seconds(site: SimulatedSite, frame: bytes, count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        site.inject("n1", "default/a", "eth0", frame)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("vni", "to", "reason"),
    [
        (4242, "02:aa:00:00:00:01", Reason.MISS_NETWORK),
        (4096, "02:aa:00:00:00:01", Reason.MISS_FDB),
        (4096, "a Pod of the sender", Reason.MISS_FDB),
    ],
)
def test_tunnel_leads_to_local_nics_of_known_networks_only(vni: int, to: str, reason: Reason) -> None:
    """Frames for an unknown network, an unknown MAC or a third place are dropped, not relayed."""
    site = SimulatedDriver.site()
    world = small_world(site)
    target = mac(world.nics[4]) if to == "a Pod of the sender" else mac_bytes(to)
    here, there = site.fabric.nodes[site.nodes["n2"].address], site.fabric.nodes[site.nodes["n1"].address]
    outer = Outer(site.nodes["n2"].address, site.nodes["n1"].address, here.mac, there.mac)
    with site.moving("n1") as trace:
        site.nodes["n1"].from_wire(encapsulate(outer, vni, ether(target, mac_number(1))))
    assert [step.reason for step in trace.drops()] == [reason], trace
    assert (trace.arrivals, trace.crossings) == ([], [])


@pytest.mark.parametrize("flags", [0x00, 0x04])
def test_vxlan_without_a_valid_vni_is_no_tunnel_data(flags: int) -> None:
    """A packet to the VXLAN port that says no VNI is dropped and counted."""
    site = SimulatedDriver.site()
    world = small_world(site)
    speak(site, *world.nics[:3])
    crossing = send(site, world.nics[0], ether(mac(world.nics[2]), mac(world.nics[0]))).crossings[0]
    broken = crossing.packet[:40] + b"\x00\x00" + bytes((flags,)) + crossing.packet[43:]
    with site.moving("n2"):
        site.nodes["n2"].from_wire(broken)
    assert site.drops("n2") == {Reason.NO_TUNNEL_DATA: 1}
