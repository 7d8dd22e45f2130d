"""Addresses from outside that stand one to one for a NIC's: what leaves, what comes in, and what is dropped."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st
from scapy.layers.inet import ICMP, TCP, UDP
from scapy.packet import Raw
from tests.drivers.exits import SERVER, ExitWorld, exit_world, to_internet
from tests.drivers.frames import arrived, reasons
from tests.drivers.packets import ERRORS, echo, icmp_error, ip, packet_in, quote_of, tcp, udp
from tests.drivers.world import Nic

from juneau.drivers.simulated.codec import checksum
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.delta import Delta
from juneau.engine.driver import OUTSIDE, Answer, DriverKind
from juneau.engine.intents import Route, ToSegment
from juneau.engine.trace import Reason

E = IPv4Address("203.0.113.8")
OTHER = IPv4Address("203.0.113.77")
HOP = IPv4Address("10.225.51.1")


@define
class Setting:
    """The Pod behind E on n1, on a Subnet or on a segment with a gateway, and one without an address outside."""

    world: ExitWorld
    pod: Nic
    plain: Nic

    @property
    def inner(self) -> str:
        return str(self.pod.address)

    def out(self, packet: bytes) -> bytes:
        """The frame that leaves the Node when the Pod sends it."""
        trace, frames = self.world.leave(self.pod, packet)
        assert frames, trace
        return frames[0]

    def into(self, packet: bytes, node: str = "n1") -> bytes:
        """The frame that the Pod gets when a packet comes from outside."""
        trace = self.world.enter(node, packet)
        assert trace.arrivals and trace.arrivals[0].port == self.pod.port, trace
        return trace.arrivals[0].frame


def setting(kind: type[DriverKind], *, on_l2: bool = False, underlay_mtu: int = 1600) -> Setting:
    world = exit_world(kind.site(underlay_mtu=underlay_mtu))
    network = world.l2(5000, "10.61.0.0/24", gateway=True) if on_l2 else world.subnet(4096, "10.61.0.0/24")
    pod, plain = world.pod("n1", "p", network, "10.61.0.4"), world.pod("n1", "q", network, "10.61.0.5")
    world.one_to_one(str(E), pod)
    world.claim("203.0.113.0/24")
    to_internet(world)
    world.lead(f"{E}/32", "n1")
    world.sync()
    return Setting(world, pod, plain)


@pytest.fixture(params=["Subnet", "L2Network"])
def made(kind: type[DriverKind], request: pytest.FixtureRequest) -> Setting:
    return setting(kind, on_l2=request.param == "L2Network")


def test_pod_and_outside_reach_each_other(made: Setting) -> None:
    """Echo, UDP and TCP work in both directions, whichever Node the outside takes."""
    site, pod = made.world.site, made.pod
    site.listen_tcp(pod.node, pod.sandbox, 80)
    for node in ("n1", "n2"):
        made.world.lead(f"{E}/32", node)
        assert site.ping(pod.node, pod.sandbox, SERVER)
        assert site.send_udp(pod.node, pod.sandbox, SERVER, 53, b"hello").payload == b"re: hello"
        assert site.connect_tcp(pod.node, pod.sandbox, SERVER, 80)
        assert site.connect_tcp(pod.node, pod.sandbox, SERVER, 81).answer is Answer.REFUSED
        assert site.send_udp(pod.node, pod.sandbox, SERVER, 54).answer is Answer.REFUSED
        assert site.ping(OUTSIDE, "server", E)
        assert site.connect_tcp(OUTSIDE, "server", E, 80)
        assert site.connect_tcp(OUTSIDE, "server", E, 81).answer is Answer.REFUSED
        assert site.send_udp(OUTSIDE, "server", E, 54).answer is Answer.REFUSED


@pytest.mark.parametrize("proto", [47, 50, 132])
def test_every_protocol_passes_both_ways(made: Setting, proto: int) -> None:
    """EIPA-D1, EIPA-D2: only the address and the TTL change."""
    frame = made.out(bytes(ip(made.inner, SERVER, proto=proto) / Raw(b"juneau")))
    out = packet_in(frame)
    assert (out.src, out.dst, out.proto, out.ttl, bytes(out.payload)) == (str(E), str(SERVER), proto, 63, b"juneau")
    back = packet_in(made.into(bytes(ip(SERVER, E, proto=proto) / Raw(b"juneau"))))
    assert (back.src, back.dst, back.ttl, bytes(back.payload)) == (str(SERVER), made.inner, 63, b"juneau")


def test_udp_without_checksum_stays_without(made: Setting) -> None:
    """EIPA-D3: 0 means that there is none, and nobody makes one up."""
    datagram = udp(1000, 53)
    datagram.chksum = 0
    frame = made.out(bytes(ip(made.inner, SERVER) / datagram))
    assert packet_in(frame)[UDP].chksum == 0


def test_udp_checksum_that_becomes_0_is_written_as_all_ones(made: Setting) -> None:
    """EIPA-D3, RFC 768: 0 would say that there is none; the vector's sum is 0xFFFF with the ElasticIP as source."""
    probe = packet_in(made.out(bytes(ip(made.inner, SERVER) / udp(1000, 53, b"\x00\x00"))))
    payload = probe[UDP].chksum.to_bytes(2, "big")  # makes the sum complete
    sent = ip(made.inner, SERVER) / udp(1000, 53, payload)
    out = packet_in(made.out(bytes(sent)))
    assert (out.src, out[UDP].chksum, bytes(out[UDP].payload)) == (str(E), 0xFFFF, payload)


def test_echo_keeps_its_identifier(made: Setting) -> None:
    """EIPA-D4: nothing is allocated for an address of one's own."""
    frame = made.out(bytes(ip(made.inner, SERVER) / echo(77)))
    assert packet_in(frame)[ICMP].id == 77


def test_later_fragments_change_the_address_only(made: Setting) -> None:
    """They have no header of their own, whatever their bytes look like."""
    for protocol, payload in ((17, bytes(udp(1, 2))), (6, bytes(tcp(1, 2))), (1, b"\x03\x00" + bytes(40)), (1, b"")):
        frame = made.out(bytes(ip(made.inner, SERVER, proto=protocol, frag=5) / Raw(payload)))
        out = packet_in(frame)
        assert (out.src, out.frag, bytes(out.payload)) == (str(E), 5, payload)
        back = packet_in(made.into(bytes(ip(SERVER, E, proto=protocol, frag=5, flags="MF") / Raw(payload))))
        assert (back.dst, bytes(back.payload)) == (made.inner, payload)


def test_big_packets_arrive_in_fragments(kind: type[DriverKind], made: Setting) -> None:
    """The first fragment's checksum is corrected too, so what is put together is whole."""
    site, pod = made.world.site, made.pod
    site.serve_udp(OUTSIDE, "server", 55, lambda asked: asked.reply(str(len(asked.payload)).encode()))
    assert site.send_udp(pod.node, pod.sandbox, SERVER, 55, bytes(4000)).payload == b"4000"
    narrow = setting(kind, underlay_mtu=1500)
    assert narrow.world.site.ping(OUTSIDE, "server", E, size=4000)


@pytest.mark.parametrize("kind_of_error", sorted(ERRORS))
@pytest.mark.parametrize("body", [udp(1000, 53), tcp(1000, 80), echo(5)], ids=["udp", "tcp", "echo"])
def test_errors_from_routers_quote_what_the_pod_sent(made: Setting, kind_of_error: int, body: object) -> None:
    """EIPA-D5: the Pod gets its own packet back in the quote, with every checksum as it was."""
    sent = bytes(ip(made.inner, SERVER) / body)
    frame = made.out(sent)
    error = packet_in(made.into(icmp_error(kind_of_error, HOP, E, frame[14:])))
    quote = bytes(quote_of(error))
    assert (error.src, error.dst) == (str(HOP), made.inner)
    assert quote[12:] == sent[12:28]
    assert checksum(quote[:20]) == 0


def test_errors_from_the_pod_quote_what_was_sent_to_it(made: Setting) -> None:
    """EIPA-D5, outbound: who sent the packet finds it in the error."""
    sent = bytes(ip(SERVER, E) / udp(53, 2000))
    about = made.into(sent)[14:]
    error = packet_in(made.out(icmp_error(3, made.inner, SERVER, about, quoted=1000)))
    assert (error.src, error.dst) == (str(E), str(SERVER))
    quote = bytes(quote_of(error))
    assert quote[12:] == sent[12:]
    assert checksum(quote[:20]) == 0


@pytest.mark.parametrize("quoted", range(20))
def test_errors_that_quote_no_whole_header_are_dropped(made: Setting, quoted: int) -> None:
    """Nobody could tell what they are about."""
    about = bytes(ip(E, SERVER) / udp(1000, 53))
    assert reasons(made.world.enter("n1", icmp_error(3, HOP, E, about, quoted))) == [Reason.ICMP_QUOTE]
    about = bytes(ip(SERVER, made.inner) / udp(53, 1000))
    trace, frames = made.world.leave(made.pod, icmp_error(3, made.inner, SERVER, about, quoted))
    assert (reasons(trace), frames) == ([Reason.ICMP_QUOTE], [])


def test_errors_about_another_address_are_dropped(made: Setting) -> None:
    """In both directions, also when only the direction of the quoted packet is wrong."""
    for source, target in ((OTHER, SERVER), (SERVER, E), (made.inner, SERVER)):
        about = bytes(ip(source, target) / udp(1000, 53))
        assert reasons(made.world.enter("n1", icmp_error(11, HOP, E, about))) == [Reason.ICMP_QUOTE]
    for source, target in ((SERVER, OTHER), (made.inner, SERVER), (SERVER, E)):
        about = bytes(ip(source, target) / udp(1000, 53))
        trace, _ = made.world.leave(made.pod, icmp_error(11, made.inner, SERVER, about))
        assert reasons(trace) == [Reason.ICMP_QUOTE]


def test_ttl_is_one_less_each_way_and_never_0(made: Setting) -> None:
    """Translation is a routing step."""
    trace, _ = made.world.leave(made.pod, bytes(ip(made.inner, SERVER, ttl=1) / udp(1, 2)))
    assert reasons(trace) == [Reason.TTL_EXCEEDED]
    assert reasons(made.world.enter("n1", bytes(ip(SERVER, E, ttl=1) / udp(1, 2)))) == [Reason.TTL_EXCEEDED]
    assert packet_in(made.into(bytes(ip(SERVER, E, ttl=2) / udp(1, 2)))).ttl == 1


def test_sender_without_an_address_outside_does_not_get_out(made: Setting) -> None:
    """The route alone does not do it."""
    trace, frames = made.world.leave(made.plain, bytes(ip("10.61.0.5", SERVER) / udp(1, 2)))
    assert (reasons(trace), frames) == ([Reason.MISS_NAT], [])
    assert made.world.site.drops("n1")[Reason.MISS_NAT] == 1


@pytest.mark.parametrize("node", ["n1", "n2"])
def test_address_that_stands_for_nothing_is_dropped(made: Setting, node: str) -> None:
    """EIPA-D8, AP-D1: a claimed address never reaches the Node's own stack, and a removed translation ends at once."""
    site = made.world.site
    site.serve_udp(node, node, 53, lambda asked: asked.reply(b"mine"))
    assert reasons(made.world.enter(node, bytes(ip(SERVER, OTHER) / udp(1, 53)))) == [Reason.CLAIMED_UNUSED]
    made.world.extra = [intent for intent in made.world.extra if intent.key[0] != "static-nat"]
    made.world.sync()
    assert reasons(made.world.enter(node, bytes(ip(SERVER, E) / udp(1, 53)))) == [Reason.CLAIMED_UNUSED]
    trace, _ = made.world.leave(made.pod, bytes(ip(made.inner, SERVER) / udp(1, 2)))
    assert reasons(trace) == [Reason.MISS_NAT]


def test_addresses_outside_every_pool_are_the_hosts(made: Setting) -> None:
    """AP-D2: also when a pool contains the Node's own address."""
    made.world.claim("10.225.51.0/24")
    made.world.sync()
    site = made.world.site
    assert site.ping(OUTSIDE, "router", IPv4Address("10.225.51.11"))
    trace = made.world.enter("n1", bytes(ip(SERVER, "192.0.2.1") / udp(1, 2)))
    assert Reason.PASS_TO_HOST in [step.reason for step in trace.steps]
    assert not site.drops("n1")


def test_host_that_has_no_way_out_drops_what_left_the_vpc(made: Setting) -> None:
    """Not forwardable: never handed to the Node's own stack."""
    made.world.site.remove_route("n1", "n1", made.world.site.routes("n1", "n1")[-1])
    for target in (SERVER, "224.0.0.1", "255.255.255.255", "127.0.0.1"):
        trace, _ = made.world.leave(made.pod, bytes(ip(made.inner, target) / udp(1, 2)))
        assert reasons(trace) == [Reason.MISS_ROUTE], trace


def test_way_out_does_not_lead_into_another_vpc(kind: type[DriverKind]) -> None:
    """The Node has a port of the default Subnet, by which nothing that leaves a Vpc gets into that one."""
    made = setting(kind)
    default = made.world.subnet(4200, "10.16.0.0/24", table_id=99)
    made.world.vpcs[4200] = 1
    made.world.pod("n1", "n1", default, "10.16.0.2", "juneau_node_h")
    made.world.pod("n1", "victim", default, "10.16.0.9")
    made.world.sync()
    made.world.drivers["n1"].apply(Delta(remove=(Route(70, IPv4Network("10.16.0.0/24"), ToSegment(4200)),)))
    assert made.world.site.ping("n1", "n1", IPv4Address("10.16.0.9"))
    trace, frames = made.world.leave(made.pod, bytes(ip(made.inner, "10.16.0.9") / udp(1, 2)))
    # The victim's refusal would be dropped for the same reason.
    assert (reasons(trace), frames, arrived(trace)) == ([Reason.MISS_ROUTE], [], []), trace


def test_tables_show_both_directions(made: Setting) -> None:
    """`nat_snat_map` and `nat_dnat_map`, and the route that leads there."""
    site, vni = made.world.site, made.pod.network.vni
    assert site.dump("n2", "nat_snat_map") == ({"subnet_id": vni, "addr": made.inner, "new_addr": str(E)},)
    assert site.dump("n2", "nat_dnat_map") == ({"addr": str(E), "subnet_id": vni, "new_addr": made.inner},)
    assert [row["type"] for row in site.dump("n1", "fib_map", {"prefixlen": "0"})] == ["internetGateway"]


def test_of_two_addresses_for_one_nic_the_lower_is_the_senders() -> None:
    """Both lead in; when it goes, the other takes over, whatever the order they came in."""
    made = setting(SimulatedDriver)
    for second in ("203.0.113.9", "203.0.113.3"):
        two = made.world.one_to_one(second, made.pod)
        made.world.sync()
        frame = made.out(bytes(ip(made.inner, SERVER) / udp(1, 2)))
        assert packet_in(frame).src == str(min(E, IPv4Address(second)))
        for entry in (str(E), second):
            assert packet_in(made.into(bytes(ip(SERVER, entry) / udp(1, 2)))).dst == made.inner
        made.world.extra.remove(two)
        made.world.sync()
        frame = made.out(bytes(ip(made.inner, SERVER) / udp(1, 2)))
        assert packet_in(frame).src == str(E)


bodies = st.one_of(
    st.builds(udp, st.integers(0, 65535), st.integers(0, 65535), st.binary(max_size=33)),
    st.builds(
        tcp, st.integers(0, 65535), st.integers(0, 65535), st.sampled_from(["S", "A", "R"]), st.binary(max_size=33)
    ),
    st.builds(echo, st.integers(0, 65535), reply=st.booleans(), payload=st.binary(max_size=33)),
)


@given(bodies, st.integers(2, 255), st.integers(0, 255))
def test_any_packet_comes_back_as_it_left(body: object, ttl: int, tos: int) -> None:
    """What leaves is the packet with the other source, what returns to it the packet with the other target."""
    made = _SHARED
    sent = ip(made.inner, SERVER, ttl=ttl, tos=tos) / body
    frame = made.out(bytes(sent))
    out = packet_in(frame)
    assert (out.src, out.dst, out.ttl, out.tos) == (str(E), str(SERVER), ttl - 1, tos)
    layer = next(layer for layer in (UDP, TCP, ICMP) if layer in out)
    assert bytes(out[layer])[:2] == bytes(sent[layer])[:2]
    returned = ip(SERVER, E, ttl=ttl) / body
    back = packet_in(made.into(bytes(returned)))
    assert (back.src, back.dst, back.ttl) == (str(SERVER), made.inner, ttl - 1)


_SHARED = setting(SimulatedDriver)


@pytest.mark.parametrize("options", [0, 4, 40])
def test_truncated_packets_never_raise(made: Setting, options: int) -> None:
    """Cut at every length, with lengths that are true and with ones that are not, in both directions."""
    about = bytes(ip(E, SERVER) / udp(1, 2))
    bodies = [bytes(udp(1, 2)), bytes(tcp(1, 2)), icmp_error(11, HOP, E, about)[20:], bytes(echo(1))]
    for protocol, body in zip((17, 6, 1, 1), bodies, strict=True):
        for length in range(len(body) + 1):
            for source, target in ((made.inner, str(SERVER)), (str(SERVER), str(E))):
                head = ip(source, target, proto=protocol, options=[_nops(options)] if options else [])
                whole = bytes(head / Raw(body))
                for packet in (bytes(head / Raw(body[:length])), whole[: len(whole) - length]):
                    made.world.leave(made.pod, packet)
                    made.world.enter("n1", packet)


def _nops(count: int) -> object:
    from scapy.layers.inet import IPOption

    return IPOption(b"\x01" * count)


def test_damaged_packets_stay_damaged(made: Setting) -> None:
    """Checksums are corrected by what changed, so nobody takes a broken packet for a whole one."""
    datagram = udp(1000, 54)
    datagram.chksum = 0x1234
    frame = made.out(bytes(ip(made.inner, SERVER) / datagram))
    with pytest.raises(AssertionError):
        packet_in(frame)
