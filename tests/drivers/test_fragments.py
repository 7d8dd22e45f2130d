"""Fragments: how hosts make them, put them together, and throw away what makes no packet."""

from __future__ import annotations

import time
from ipaddress import IPv4Interface

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tests.drivers.frames import mac, send
from tests.drivers.world import World

from juneau.drivers.simulated.codec import (
    ECHO_REQUEST,
    ICMP,
    IPV4,
    UDP,
    Echo,
    Ipv4,
    build_echo,
    build_ipv4,
    parse_ipv4,
)
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.fragments import DONT_FRAGMENT, MORE_FRAGMENTS, TIMEOUT, Reassembly, Unfit, fragment
from juneau.engine.trace import Reason, Trace, Verdict


def _parsed(packet: bytes) -> Ipv4:
    parsed = parse_ipv4(packet)
    assert parsed is not None
    return parsed


def test_pieces_of_pieces_come_together_again() -> None:
    """A fragment that is fragmented once more keeps its place, and order does not matter."""
    packet = Ipv4(1, 2, UDP, bytes(range(256)) * 12, identification=5)
    pieces = [smaller for piece in fragment(packet, 1500) for smaller in fragment(_parsed(piece), 600)]
    whole = Reassembly()
    results = [whole.add(_parsed(piece), 0) for piece in reversed(pieces)]
    assert [result for result in results if result is not None] == [packet]
    assert fragment(evolve(packet, fragment=DONT_FRAGMENT), 600) == []


def test_reassembly_ends_with_its_time() -> None:
    """Pieces that come too late are the beginning of another packet."""
    packet = Ipv4(1, 2, UDP, bytes(2000), identification=5)
    first, second = fragment(packet, 1500)
    whole = Reassembly()
    assert whole.add(_parsed(first), 0) is None
    assert whole.add(_parsed(second), TIMEOUT) is None


def _pieces(*parts: tuple[int, int, bool]) -> list[Ipv4]:
    """Fragments by where they begin, how long they are, and whether more follow."""
    flags = {True: MORE_FRAGMENTS, False: 0}
    return [
        Ipv4(1, 2, UDP, bytes((start % 251,)) * size, identification=9, fragment=flags[more] | start // 8)
        for start, size, more in parts
    ]


@pytest.mark.parametrize(
    "parts",
    [
        [(0, 8, True), (65528, 8, False)],  # 20 + 65536
        [(0, 16, True), (8, 8, False)],
        [(8, 8, False), (0, 16, True)],
        [(0, 8, True), (0, 16, True)],
        [(16, 8, True), (8, 8, False)],
        [(8, 8, False), (16, 8, False)],
        [(8, 0, False)],
        [(8, 0, True)],
    ],
)
def test_fragments_that_make_no_packet_are_thrown_away(parts: list[tuple[int, int, bool]]) -> None:
    """Too long, overlapping, empty, beyond the last one, or with two last ones: all that came before goes with them."""
    whole = Reassembly()
    results = [whole.add(piece, 0) for piece in _pieces(*parts)]
    assert any(isinstance(result, Unfit) for result in results)
    assert not whole._partials


@given(st.data(), st.binary(min_size=9, max_size=400), st.integers(1, 6))
def test_fragments_come_together_in_any_order_and_more_than_once(data: st.DataObject, body: bytes, room: int) -> None:
    """What comes again is no news; the header is that of the first piece."""
    packet = Ipv4(1, 2, UDP, body, identification=5)
    pieces = [_parsed(piece) for piece in fragment(packet, 20 + 8 * room)]
    if len(pieces) == 1:
        return
    doubled = [*pieces[:-1], *data.draw(st.lists(st.sampled_from(pieces[:-1])))]
    arriving = [*data.draw(st.permutations(doubled)), pieces[-1]]
    whole = Reassembly()
    results = [whole.add(evolve(piece, ttl=64 - piece.fragment % 7), 0) for piece in arriving]
    assert results[-1] == evolve(packet, ttl=64 - pieces[0].fragment % 7)
    assert not any(results[:-1])


def test_many_pieces_come_together_at_once() -> None:
    """What it costs grows with the pieces, not with their square."""
    packet = Ipv4(1, 2, UDP, bytes(8 * 8000), identification=5)
    pieces = [_parsed(piece) for piece in fragment(packet, 28)]
    whole = Reassembly()
    begun = time.perf_counter()
    assert [whole.add(piece, 0) for piece in reversed(pieces)][-1] == packet
    assert time.perf_counter() - begun < 2


def test_a_host_drops_a_packet_that_is_too_long() -> None:
    """A ping in fragments that join to more than 65535 bytes is malformed, and no answer is tried."""
    site = SimulatedDriver.site()
    world = World(site)
    world.add_nodes("n1")
    segment = world.l2(5000)
    for name, address in (("a", "192.168.0.1/24"), ("b", "192.168.0.2/24")):
        world.pod("n1", name, segment)
        site.add_address("n1", f"default/{name}", "eth0", IPv4Interface(address))
    sender, target = world.sync().nics
    body = build_echo(Echo(ECHO_REQUEST, 7, 1, bytes(65520 - 8)))
    ways: list[Trace] = []
    for start in range(0, len(body), 1400):
        more = MORE_FRAGMENTS if start + 1400 < len(body) else 0
        packet = Ipv4(0xC0A80001, 0xC0A80002, ICMP, body[start : start + 1400], 64, 0, 9, more | start // 8)
        ways.append(send(site, sender, mac(target) + mac(sender) + IPV4 + build_ipv4(packet)))
    dropped = [step.reason for way in ways for step in way.steps if step.verdict is Verdict.DROP]
    assert dropped == [Reason.MALFORMED]
