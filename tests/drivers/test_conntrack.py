"""The flows of NATGateways: states, idle times, and who takes a flow along when it goes."""

from __future__ import annotations

from zlib import crc32

import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from juneau.drivers.simulated.codec import ACK, FIN, ICMP, RST, SYN, TCP, UDP
from juneau.drivers.simulated.conntrack import SWEPT_EVERY, Connections, Flow, State
from juneau.drivers.simulated.fabric import NANOSECONDS
from juneau.drivers.simulated.napt import ATTEMPTS, FIRST_PORT, PORTS, candidates
from juneau.drivers.simulated.rewrite import FiveTuple

SENDER, REMOTE, ADDRESS = 0x0A3C0004, 0xC6336409, 0xCB007101
OUT, BACK = False, True


def flow(
    protocol: int = TCP, port: int = 2000, scope: int = 7, vni: int = 4096, source: int = SENDER, gateway: int = 5
) -> Flow:
    inner = FiveTuple(protocol, source, REMOTE, 1000, 80)
    return Flow(scope, vni, gateway, inner, FiveTuple(protocol, REMOTE, ADDRESS, 80, port), 0)


def seen(*packets: tuple[int, bool]) -> Flow:
    made = flow()
    for flags, is_reply in packets:
        made.see(flags, 0, is_reply=is_reply)
    return made


@pytest.mark.parametrize(
    ("packets", "state"),
    [
        ([(SYN, OUT)], State.NEW),
        ([(SYN, OUT), (SYN, OUT)], State.NEW),
        ([(SYN, OUT), (SYN | ACK, BACK)], State.ESTABLISHED),
        ([(SYN, OUT), (SYN | ACK, BACK), (ACK, OUT)], State.ESTABLISHED),
        ([(ACK, OUT)], State.ESTABLISHED),
        ([(0, OUT)], State.ESTABLISHED),
        ([(SYN, OUT), (ACK, BACK), (FIN | ACK, OUT)], State.FIN_WAIT),
        ([(SYN, OUT), (ACK, BACK), (FIN | ACK, OUT), (ACK, BACK)], State.FIN_WAIT),
        ([(SYN, OUT), (ACK, BACK), (FIN | ACK, OUT), (FIN | ACK, OUT)], State.FIN_WAIT),
        ([(SYN, OUT), (ACK, BACK), (FIN | ACK, OUT), (FIN | ACK, BACK)], State.CLOSED),
        ([(SYN, OUT), (ACK, BACK), (FIN | ACK, BACK), (FIN | ACK, OUT)], State.CLOSED),
        ([(SYN, OUT), (RST | ACK, BACK)], State.CLOSED),
        ([(ACK, OUT), (RST, OUT)], State.CLOSED),
        ([(RST, OUT)], State.CLOSED),
        ([(ACK, OUT), (FIN, OUT), (SYN, OUT)], State.NEW),
        ([(ACK, OUT), (FIN, OUT), (SYN, BACK)], State.FIN_WAIT),
        ([(ACK, OUT), (FIN, BACK), (SYN, OUT), (ACK, BACK), (FIN, OUT)], State.FIN_WAIT),
    ],
)
def test_states_of_tcp(packets: list[tuple[int, bool]], state: State) -> None:
    """A SYN is new until an ACK; the FIN of each side, or a reset, ends it, and one that is sent again does not."""
    assert seen(*packets).state is state


def test_flags_of_both_directions_are_remembered() -> None:
    """All flags that were seen stand in the entry."""
    assert seen((SYN, OUT), (SYN | ACK, BACK), (FIN | ACK, OUT)).flags == SYN | ACK | FIN


@pytest.mark.parametrize(
    ("protocol", "flags", "seconds"),
    [(TCP, SYN, 120), (TCP, ACK, 3600), (TCP, FIN, 60), (UDP, 0, 60), (ICMP, 0, 30), (132, 0, 120)],
)
def test_idle_time_is_exact(protocol: int, flags: int, seconds: int) -> None:
    """A flow is used until just before its time is over, by either entry, and not after; a look-up is no packet."""
    flows, made = Connections(), flow(protocol)
    flows.open(made)
    flows.see(made, flags, 1000, is_reply=False)
    end = 1000 + seconds * NANOSECONDS
    assert flows.outgoing(7, made.inner, end - 1) is made
    assert flows.incoming(made.outer, end - 1) is made
    assert flows.incoming(made.outer, end) is None
    assert flows.outgoing(7, made.inner, end - 1) is None  # both entries went
    assert len(flows) == 0


def test_answers_keep_a_flow_alive() -> None:
    """Either direction counts."""
    flows, made = Connections(), flow(UDP)
    flows.open(made)
    flows.see(made, 0, 50 * NANOSECONDS, is_reply=True)
    assert flows.outgoing(7, made.inner, 109 * NANOSECONDS) is made


def test_closed_connection_is_gone_at_once() -> None:
    """Both entries go with the packet that closes it."""
    flows, made = Connections(), flow()
    flows.open(made)
    flows.see(made, RST, 0, is_reply=True)
    assert flows.outgoing(7, made.inner, 0) is flows.incoming(made.outer, 0) is None


def test_sweep_frees_what_is_over_and_nothing_else() -> None:
    """It comes every 30 s at most, and changes no look-up."""
    flows = Connections()
    for number, protocol in enumerate((TCP, UDP, ICMP)):
        made = flow(protocol, 2000 + number)
        flows.open(made)
        flows.see(made, ACK, 0, is_reply=False)
    flows.sweep(SWEPT_EVERY - 1)
    assert len(flows) == 3
    flows.sweep(SWEPT_EVERY)
    assert sorted(made.inner.protocol for made in flows.live(SWEPT_EVERY)) == [TCP, UDP]
    assert len(flows) == 2
    flows.sweep(2 * SWEPT_EVERY - 1)
    assert len(flows) == 2


def test_flows_go_with_what_they_translate() -> None:
    """A sender that is gone, a segment, or a gateway's address takes its own flows along, and no others."""
    flows = Connections()
    made = [
        flow(port=1, source=SENDER),
        flow(port=2, source=SENDER + 1),
        flow(port=3, scope=8, vni=4097, source=SENDER),
        flow(port=4, scope=9, vni=4098, source=SENDER, gateway=6),
    ]
    for one in made:
        flows.open(one)
    flows.end_sender(4096, SENDER)
    assert list(flows.live(0)) == made[1:]
    flows.end_segment(4097)
    assert list(flows.live(0)) == [made[1], made[3]]
    flows.end_gateway(6)
    assert list(flows.live(0)) == [made[1]]
    flows.end_sender(4096, SENDER)  # nobody is left there
    assert list(flows.live(0)) == [made[1]]


ports = st.integers(0, 65535)
addresses = st.integers(0, 0xFFFFFFFF)


@given(st.builds(FiveTuple, st.sampled_from([TCP, UDP, ICMP]), addresses, addresses, ports, ports))
def test_candidates_are_in_range_and_always_the_same(inner: FiveTuple) -> None:
    """Eight are tried, from 1024 to 65535, and the same flow tries the same ones."""
    tried = list(candidates(inner))
    assert len(tried) == ATTEMPTS
    assert all(FIRST_PORT <= port < FIRST_PORT + PORTS for port in tried)
    assert tried == list(candidates(inner))


def test_candidates_are_a_contract() -> None:
    """The hash is CRC-32, so that another driver can choose the same ports."""
    inner = FiveTuple(UDP, 0x0A3C0004, 0xC6336409, 40000, 53)
    seed = crc32(bytes.fromhex("0a3c0004c63364099c40003511"))
    remixed = crc32(seed.to_bytes(4, "big"))
    assert list(candidates(inner))[:2] == [1024 + seed % 64512, 1024 + (remixed + 1) % 64512]


@define
class Modelled:
    """One flow of the model: when it was seen last, and what its connection has come to."""

    seen: float
    state: str
    closed_by: set[bool]

    def idle(self, protocol: int) -> float:
        if protocol == UDP:
            return 60
        return {"new": 120, "established": 3600, "finishing": 60}[self.state]


def step_model(model: dict[int, Modelled], number: int, flags: int, is_reply: bool, now: float) -> None:
    """Flow 0 is of UDP, the others of TCP."""
    protocol = UDP if number == 0 else TCP
    held = model.get(number)
    if held is not None and now - held.seen >= held.idle(protocol):
        held = None
        del model[number]
    if held is None:
        if is_reply:
            return
        held = model[number] = Modelled(now, "new" if flags & SYN else "established", set())
    held.seen = now
    if protocol == UDP:
        return
    if held.state == "finishing" and flags & (SYN | ACK) == SYN and not is_reply:
        held.state, held.closed_by = "new", set()
    if held.state == "new" and flags & ACK:
        held.state = "established"
    if flags & FIN:
        held.state = "finishing"
        held.closed_by.add(is_reply)
    if flags & RST or len(held.closed_by) == 2:
        del model[number]


steps = st.tuples(
    st.integers(0, 3),
    st.sampled_from([0, SYN, ACK, SYN | ACK, FIN, FIN | ACK, RST, RST | ACK]),
    st.booleans(),
    st.sampled_from([0.0, 0.0, 1.0, 29.0, 59.0, 60.0, 119.0, 120.0, 3599.0, 3600.0]),
    st.booleans(),
)


@given(st.lists(steps, max_size=30))
def test_table_is_its_model(history: list[tuple[int, int, bool, float, bool]]) -> None:
    """Any packets of any flows with any time between them, swept or not: the same flows are live."""
    flows, model, now = Connections(), dict[int, Modelled](), 0.0
    inners = {n: FiveTuple(UDP if n == 0 else TCP, SENDER, REMOTE, 1000 + n, 80) for n in range(4)}
    for number, flags, is_reply, wait, sweeps in history:
        now += wait
        at = round(now * NANOSECONDS)
        if sweeps:
            flows.sweep(at)
        inner = inners[number]
        outer = FiveTuple(inner.protocol, REMOTE, ADDRESS, 80, 2000 + number)
        found = flows.incoming(outer, at) if is_reply else flows.outgoing(7, inner, at)
        if found is None and not is_reply:
            found = Flow(7, 4096, 5, inner, outer, at)
            flows.open(found)
        if found is not None:
            flows.see(found, flags if number else 0, at, is_reply=is_reply)
        step_model(model, number, flags, is_reply, now)
        live = {made.inner.source_port - 1000 for made in flows.live(at)}
        expected = {n for n, held in model.items() if now - held.seen < held.idle(UDP if n == 0 else TCP)}
        assert live == expected
