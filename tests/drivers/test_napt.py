"""NATGateways: many senders behind one address of their Node, and what comes back to them."""

from __future__ import annotations

import pytest
from attrs import Factory, define
from hypothesis import given
from hypothesis import strategies as st
from scapy.layers.inet import ICMP, TCP, UDP
from scapy.packet import Packet, Raw
from tests.drivers.exits import GATEWAY_ID, SERVER, ExitWorld, exit_world, to_gateway
from tests.drivers.frames import announcement, arrived, mac, reasons, send
from tests.drivers.packets import ERRORS, echo, icmp_error, ip, packet_in, quote_of, tcp, udp
from tests.drivers.world import Nic

from juneau.drivers.simulated.codec import checksum
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.driver import OUTSIDE, Answer, DriverKind
from juneau.engine.intents import NATSource, ToNATGateway
from juneau.engine.trace import Reason

S = {"n1": "203.0.113.1", "n2": "203.0.113.2"}
HOP = "10.225.51.1"
REMOTE = "198.51.100.10"  # nobody is there to answer by himself
INNER = "10.61.0.4"


@define
class Setting:
    """A gateway with an address on each Node, and Pods that leave by it."""

    world: ExitWorld
    pods: list[Nic] = Factory(list[Nic])

    @property
    def pod(self) -> Nic:
        return self.pods[0]

    def out(self, packet: bytes | Packet, pod: Nic | None = None) -> Packet:
        """What leaves the Node when the Pod sends it; its checksums are right."""
        trace, frames = self.world.leave(pod or self.pod, bytes(packet))
        assert frames, trace
        return packet_in(frames[0])

    def lost(self, packet: bytes | Packet) -> list[Reason]:
        """Why the Pod's packet does not leave."""
        trace, frames = self.world.leave(self.pod, bytes(packet))
        assert not frames
        return reasons(trace)

    def into(self, packet: bytes | Packet, pod: Nic | None = None, node: str = "n1") -> Packet:
        """What the Pod gets when it comes from outside; its checksums are right."""
        trace = self.world.enter(node, bytes(packet))
        assert trace.arrivals and trace.arrivals[0].port == (pod or self.pod).port, trace
        return packet_in(trace.arrivals[0].frame)

    def refused(self, packet: bytes | Packet, node: str = "n1") -> list[Reason]:
        """Why a packet from outside comes to nobody."""
        trace = self.world.enter(node, bytes(packet))
        assert arrived(trace) == [], trace
        return reasons(trace)

    def flows(self, node: str = "n1") -> int:
        return len(self.world.site.dump(node, "ct_map", {"action": "NAPT_OUT"}))


def setting(kind: type[DriverKind], *, on_l2: bool = False) -> Setting:
    world = exit_world(kind.site())
    network = world.l2(5000, "10.61.0.0/24", gateway=True) if on_l2 else world.subnet(4096, "10.61.0.0/24")
    made = Setting(world)
    made.pods = [world.pod("n1", "p", network, INNER), world.pod("n1", "q", network, "10.61.0.5")]
    made.pods.append(world.pod("n2", "r", network, "10.61.0.6"))
    world.claim("203.0.113.0/24", "")
    for node, address in S.items():
        world.source(node, address)
        world.lead(f"{address}/32", node)
    to_gateway(world)
    world.sync()
    return made


@pytest.fixture(params=["Subnet", "L2Network"])
def made(kind: type[DriverKind], request: pytest.FixtureRequest) -> Setting:
    return setting(kind, on_l2=request.param == "L2Network")


def test_pods_reach_the_outside(made: Setting) -> None:
    """Echo, UDP and TCP are answered, refusals come back too, and each Pod leaves with its own Node's address."""
    site = made.world.site
    for pod in made.pods:
        mark = site.mark(OUTSIDE, "server", "eth0")
        assert site.ping(pod.node, pod.sandbox, SERVER)
        assert site.send_udp(pod.node, pod.sandbox, SERVER, 53, b"hello").payload == b"re: hello"
        assert site.connect_tcp(pod.node, pod.sandbox, SERVER, 80)
        assert site.connect_tcp(pod.node, pod.sandbox, SERVER, 81).answer is Answer.REFUSED
        assert site.send_udp(pod.node, pod.sandbox, SERVER, 54).answer is Answer.REFUSED
        frames = [frame for frame in site.received(OUTSIDE, "server", "eth0", mark) if frame[12:14] == b"\x08\x00"]
        assert {packet_in(frame).src for frame in frames} == {S[pod.node]}


@pytest.mark.parametrize("body", [udp(1000, 53), tcp(1000, 80)], ids=["udp", "tcp"])
def test_ports_are_translated_both_ways(made: Setting, body: Packet) -> None:
    """NATGW-D1, D3, D4, D9: one port while the flow lasts, the destination as it was, one TTL for each routing step."""
    out = made.out(ip(INNER, SERVER) / body)
    layer = UDP if UDP in out else TCP
    assert (out.src, out.dst, out.ttl, out[layer].dport) == (S["n1"], str(SERVER), 63, body.dport)
    assert 1024 <= out[layer].sport <= 65535
    assert made.out(ip(INNER, SERVER) / body)[layer].sport == out[layer].sport
    reply = udp(53, out.sport) if layer is UDP else tcp(80, out.sport, "SA")
    back = made.into(ip(SERVER, S["n1"]) / reply)
    assert (back.src, back.dst, back.ttl) == (str(SERVER), INNER, 63)
    assert (back[layer].sport, back[layer].dport) == (body.dport, 1000)


def test_echo_has_its_identifier_translated(made: Setting) -> None:
    """NATGW-D5: the identifier stands for the port, in requests and in replies."""
    out = made.out(ip(INNER, SERVER) / echo(7))
    assert 1024 <= out[ICMP].id <= 65535
    assert out[ICMP].seq == 1
    assert made.into(ip(SERVER, S["n1"]) / echo(out[ICMP].id, reply=True))[ICMP].id == 7


def test_udp_without_checksum_stays_without(made: Setting) -> None:
    """NATGW-D3: 0 means that there is none."""
    datagram = udp(1000, 53)
    datagram.chksum = 0
    assert made.out(ip(INNER, SERVER) / datagram)[UDP].chksum == 0


@pytest.mark.parametrize("proto", [2, 47, 50, 132])
def test_other_protocols_are_dropped(made: Setting, proto: int) -> None:
    """NATGW-D2: there is nothing in them to tell senders apart."""
    assert made.lost(ip(INNER, SERVER, proto=proto) / Raw(bytes(40))) == [Reason.NAT_PROTOCOL]
    assert made.refused(ip(SERVER, S["n1"], proto=proto) / Raw(bytes(40))) == [Reason.NAT_PROTOCOL]


@pytest.mark.parametrize("kind_of_icmp", [6, 9, 10, 13, 14, 17, 30])
def test_other_icmp_is_dropped(made: Setting, kind_of_icmp: int) -> None:
    """NATGW-D7."""
    assert made.lost(ip(INNER, SERVER) / ICMP(type=kind_of_icmp)) == [Reason.NAT_PROTOCOL]
    assert made.refused(ip(SERVER, S["n1"]) / ICMP(type=kind_of_icmp)) == [Reason.NAT_PROTOCOL]


@pytest.mark.parametrize(("offset", "flags"), [(0, "MF"), (3, "MF"), (3, "")])
@pytest.mark.parametrize("proto", [1, 6, 17])
def test_fragments_are_dropped(made: Setting, proto: int, offset: int, flags: str) -> None:
    """NATGW-D2: the first ones too, although they have ports."""
    whole = made.out(ip(INNER, SERVER) / udp(1000, 53))
    head = {"proto": proto, "frag": offset, "flags": flags}
    assert made.lost(ip(INNER, SERVER, **head) / Raw(bytes(udp(1000, 53)))) == [Reason.NAT_FRAGMENT]
    back = Raw(bytes(udp(53, whole.sport)))
    assert made.refused(ip(SERVER, S["n1"], **head) / back) == [Reason.NAT_FRAGMENT]


def test_nothing_is_opened_from_outside(made: Setting) -> None:
    """NATGW-D11: not from another port, another host, to another port, or by another protocol."""
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    wrong = [
        ip(SERVER, S["n1"]) / udp(54, port),
        ip("198.51.100.10", S["n1"]) / udp(53, port),
        ip(SERVER, S["n1"]) / udp(53, port ^ 1),
        ip(SERVER, S["n1"]) / tcp(53, port),
        ip(SERVER, S["n1"]) / echo(port),
        ip(SERVER, "203.0.113.9") / udp(53, port),
    ]
    assert [made.refused(packet) for packet in wrong] == [[Reason.CLAIMED_UNUSED]] * len(wrong)
    assert made.refused(ip(SERVER, S["n1"]) / udp(53, port), node="n2") == [Reason.CLAIMED_UNUSED]
    assert made.into(ip(SERVER, S["n1"]) / udp(53, port))


def test_node_without_an_address_drops(made: Setting) -> None:
    """NATGW-D8."""
    made.world.extra = [intent for intent in made.world.extra if intent.placed_on != "n1"]
    made.world.sync()
    assert made.lost(ip(INNER, SERVER) / udp(1000, 53)) == [Reason.MISS_NAT_SOURCE]
    assert made.world.site.ping("n2", made.pods[2].sandbox, SERVER)


@pytest.mark.parametrize("kind_of_error", sorted(ERRORS))
@pytest.mark.parametrize("body", [udp(1000, 53), tcp(1000, 80), echo(5)], ids=["udp", "tcp", "echo"])
def test_errors_from_routers_reach_the_sender(made: Setting, kind_of_error: int, body: Packet) -> None:
    """NATGW-D10: the Pod finds its own packet in the quote, with every checksum as it was."""
    sent = bytes(ip(INNER, SERVER) / body)
    seen = bytes(made.out(sent))
    error = made.into(icmp_error(kind_of_error, HOP, S["n1"], seen))
    quote = bytes(quote_of(error))
    assert (error.src, error.dst, error.ttl) == (HOP, INNER, 63)
    assert quote[12:] == sent[12:28]
    assert checksum(quote[:20]) == 0


@pytest.mark.parametrize("kind_of_error", sorted(ERRORS))
@pytest.mark.parametrize("quoted", [28, 1000])
def test_errors_of_the_pod_reach_who_sent_the_packet(made: Setting, kind_of_error: int, quoted: int) -> None:
    """NATGW-D6: outside, the quote is the packet that came from there."""
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    answer = bytes(ip(SERVER, S["n1"]) / udp(53, port))
    about = bytes(made.into(answer))
    error = made.out(icmp_error(kind_of_error, INNER, SERVER, about, quoted))
    quote = bytes(quote_of(error))
    assert (error.src, error.dst) == (S["n1"], str(SERVER))
    assert quote[12:] == answer[12:quoted]
    assert checksum(quote[:20]) == 0


def test_errors_about_no_flow_are_dropped(made: Setting) -> None:
    """Also those that are sent to another address than the quoted packet left from, or quote too little."""
    seen = bytes(made.out(ip(INNER, SERVER) / udp(1000, 53)))
    for quoted in range(28):
        assert made.refused(icmp_error(3, HOP, S["n1"], seen, quoted)) == [Reason.ICMP_QUOTE]
        about = bytes(ip(SERVER, INNER) / udp(53, 1000))
        assert made.lost(icmp_error(3, INNER, SERVER, about, quoted)) == [Reason.ICMP_QUOTE]
    assert made.refused(icmp_error(3, HOP, "203.0.113.9", seen)) == [Reason.CLAIMED_UNUSED]
    assert made.refused(icmp_error(3, HOP, S["n1"], bytes(ip(S["n1"], SERVER) / udp(1, 53)))) == [Reason.ICMP_QUOTE]
    assert made.lost(icmp_error(3, INNER, SERVER, bytes(ip(SERVER, INNER) / udp(53, 1)))) == [Reason.ICMP_QUOTE]


def test_trace_of_routers_works_from_a_pod(made: Setting) -> None:
    """Each packet with a TTL that a router uses up comes back as an error of that router about that packet."""
    for probe in range(3):
        sent = ip(INNER, SERVER, ttl=2) / udp(33000 + probe, 33434 + probe)
        seen = made.out(sent)
        assert seen.ttl == 1
        error = made.into(icmp_error(11, HOP, S["n1"], bytes(seen)))
        quote = quote_of(error)
        assert (error.src, quote.src, quote.dst) == (HOP, INNER, str(SERVER))
        assert bytes(quote)[20:24] == (33000 + probe).to_bytes(2, "big") + (33434 + probe).to_bytes(2, "big")


def test_ttl_never_becomes_0(made: Setting) -> None:
    """A packet that is dropped for it opens no flow and keeps none alive."""
    assert made.lost(ip(INNER, SERVER, ttl=1) / udp(1000, 53)) == [Reason.TTL_EXCEEDED]
    assert made.flows() == 0
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    made.world.site.advance(59)
    assert made.refused(ip(SERVER, S["n1"], ttl=1) / udp(53, port)) == [Reason.TTL_EXCEEDED]
    made.world.site.advance(1)
    assert made.flows() == 0


@pytest.mark.parametrize(("body", "seconds"), [(udp(1000, 53), 60), (echo(5), 30), (tcp(1000, 80), 120)])
def test_silent_flow_ends_exactly_then(made: Setting, body: Packet, seconds: int) -> None:
    """NATGW-D12: its answers are let in until just before, and not after."""
    out = made.out(ip(INNER, REMOTE) / body)
    chosen = out[ICMP].id if ICMP in out else out.sport
    back = {1: echo(chosen, reply=True), 6: tcp(80, chosen, "SA"), 17: udp(53, chosen)}[out.proto]
    made.world.site.advance(seconds - 0.001)
    assert made.flows() == 1
    made.world.site.advance(0.001)
    assert made.refused(ip(REMOTE, S["n1"]) / back) == [Reason.CLAIMED_UNUSED]
    made.out(ip(INNER, REMOTE) / body)
    made.world.site.advance(seconds - 0.001)
    assert made.into(ip(REMOTE, S["n1"]) / back)
    made.world.site.advance(0.001)
    assert made.flows() == 1


def test_reset_connection_lets_nothing_in(made: Setting) -> None:
    """NATGW-D12: the packet that closes it still passes."""
    port = made.out(ip(INNER, SERVER) / tcp(1000, 80)).sport
    assert made.into(ip(SERVER, S["n1"]) / tcp(80, port, "RA"))
    assert made.refused(ip(SERVER, S["n1"]) / tcp(80, port, "A")) == [Reason.CLAIMED_UNUSED]
    assert made.out(ip(INNER, SERVER) / tcp(1000, 80, "R"))
    assert made.flows() == 0


def vpcs(kind: type[DriverKind], count: int) -> Setting:
    """Pods with one address, each in a Vpc of its own."""
    world = exit_world(kind.site())
    made = Setting(world)
    for number in range(count):
        network = world.subnet(4096 + number, "10.61.0.0/24", table_id=70 + number)
        world.vpcs[network.vni] = 7 + number
        to_gateway(world, table_id=70 + number)
        made.pods.append(world.pod("n1", f"p{number}", network, INNER))
    world.claim("203.0.113.0/24", "")
    world.source("n1", S["n1"])
    world.lead(f"{S['n1']}/32", "n1")
    world.sync()
    return made


def test_equal_addresses_of_several_vpcs_are_kept_apart(kind: type[DriverKind]) -> None:
    """NATGW-D14: the same five-tuple from two Vpcs gets two ports, and each answer goes home."""
    made = vpcs(kind, 3)
    sent = ip(INNER, SERVER) / udp(1000, 53)
    ports = [made.out(sent, pod).sport for pod in made.pods]
    assert len(set(ports)) == 3
    for pod, port in zip(made.pods, ports, strict=True):
        assert made.into(ip(SERVER, S["n1"]) / udp(53, port), pod)
        assert made.out(sent, pod).sport == port


def test_ninth_collision_is_dropped(kind: type[DriverKind]) -> None:
    """Eight candidates are tried; a port whose flow is over is free again, and other remote ends do not count."""
    made = vpcs(kind, 9)
    sent = ip(INNER, SERVER) / udp(1000, 53)
    ports = {made.out(sent, pod).sport for pod in made.pods[:8]}
    assert len(ports) == 8
    trace, frames = made.world.leave(made.pods[8], bytes(sent))
    assert (reasons(trace), frames) == ([Reason.NAT_PORTS_EXHAUSTED], [])
    assert made.world.site.drops("n1")[Reason.NAT_PORTS_EXHAUSTED] == 1
    assert made.out(ip(INNER, SERVER) / udp(1000, 54), made.pods[8])
    made.world.site.advance(60)
    assert made.out(sent, made.pods[8]).sport in ports


def test_flows_end_with_the_nic(made: Setting) -> None:
    """The next NIC with that address gets no answers to somebody else's questions."""
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    network = made.pod.network
    made.world.remove(made.pods.pop(0))
    made.world.sync()
    heir = made.world.pod("n1", "heir", network, INNER)
    made.world.sync()
    assert made.refused(ip(SERVER, S["n1"]) / udp(53, port)) == [Reason.CLAIMED_UNUSED]
    assert made.out(ip(INNER, SERVER) / udp(1000, 53), heir)


def test_flows_end_when_another_nic_has_the_address_in_one_step(made: Setting) -> None:
    """A neighbour that changes its MAC is somebody else."""
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    network = made.pod.network
    made.world.nics.remove(made.pod)
    made.world.pod("n1", "heir", network, INNER)
    made.world.sync()
    assert made.refused(ip(SERVER, S["n1"]) / udp(53, port)) == [Reason.CLAIMED_UNUSED]


def test_flows_of_a_bridged_host_end_with_the_port(kind: type[DriverKind]) -> None:
    """What nobody handed out is forgotten with the NIC that it was heard at."""
    made = setting(kind, on_l2=True)
    stranger = b"\x02\xaa\x00\x00\x00\x01"
    send(made.world.site, made.pod, announcement(stranger, "10.61.0.77"))
    port = made.out(ip("10.61.0.77", SERVER) / udp(1000, 53)).sport
    trace = made.world.enter("n1", bytes(ip(SERVER, S["n1"]) / udp(53, port)))
    assert trace.arrivals[0].frame[:6] == stranger
    assert mac(made.pod) != stranger
    made.world.remove(made.pods.pop(0))
    made.world.sync()
    assert made.flows() == 0


def test_flows_end_with_the_address_of_the_gateway(made: Setting) -> None:
    """When it changes, the next packet of a flow leaves with the new one."""
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    sources = [intent for intent in made.world.extra if isinstance(intent, NATSource) and intent.node == "n1"]
    made.world.extra.remove(sources[0])
    made.world.source("n1", "203.0.113.11")
    made.world.sync()
    assert made.flows() == 0
    assert made.refused(ip(SERVER, S["n1"]) / udp(53, port)) == [Reason.CLAIMED_UNUSED]
    assert made.out(ip(INNER, SERVER) / udp(1000, 53)).src == "203.0.113.11"


def test_flow_that_is_led_through_another_gateway_begins_anew(made: Setting) -> None:
    """NATGW-D1: packets leave with the address of the gateway that their route names now, and are answered there."""
    first = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    made.world.source("n1", "203.0.113.12", gateway_id=6)
    made.world.routes.clear()
    to_gateway(made.world, 6)
    made.world.sync()
    out = made.out(ip(INNER, SERVER) / udp(1000, 53))
    assert out.src == "203.0.113.12"
    assert made.flows() == 1
    assert made.into(ip(SERVER, "203.0.113.12") / udp(53, out.sport))[UDP].dport == 1000
    assert made.refused(ip(SERVER, S["n1"]) / udp(53, first)) == [Reason.CLAIMED_UNUSED]


def test_flow_is_the_gateways_that_its_route_names_now(made: Setting) -> None:
    """Also where both have one address: it outlives the gateway that it began with."""
    former = next(one for one in made.world.extra if isinstance(one, NATSource) and one.node == "n1")
    made.out(ip(INNER, SERVER) / udp(1000, 53))
    made.world.source("n1", S["n1"], gateway_id=6)
    made.world.routes.clear()
    to_gateway(made.world, 6)
    made.world.sync()
    port = made.out(ip(INNER, SERVER) / udp(1000, 53)).sport
    made.world.extra.remove(former)
    made.world.sync()
    assert made.into(ip(SERVER, S["n1"]) / udp(53, port))


def test_gateways_may_share_an_address(made: Setting) -> None:
    """Two gateways of one ExternalNetwork have one address on a Node; the flows of one end without the other's."""
    other = made.world.source("n1", S["n1"], gateway_id=6)
    made.world.route("198.51.100.8/29", ToNATGateway(6))
    made.world.sync()
    first = made.out(ip(INNER, "192.0.2.9") / udp(1000, 53)).sport
    second = made.out(ip(INNER, REMOTE) / udp(1000, 53)).sport
    made.world.extra.remove(other)
    made.world.sync()
    assert made.into(ip("192.0.2.9", S["n1"]) / udp(53, first))
    assert made.refused(ip(REMOTE, S["n1"]) / udp(53, second)) == [Reason.CLAIMED_UNUSED]


def test_tables_show_what_is_tracked(made: Setting) -> None:
    """`napt_src` and both entries in `ct_map`, with labels and not numbers."""
    site, vni = made.world.site, made.pod.network.vni
    assert site.dump("n2", "napt_src") == ({"nat_gateway_id": GATEWAY_ID, "host_ip": S["n2"]},)
    (route,) = site.dump("n1", "fib_map", {"type": "natGateway"})
    assert route["nat_gateway_id"] == GATEWAY_ID
    port = made.out(ip(INNER, SERVER) / tcp(1000, 80)).sport
    made.into(ip(SERVER, S["n1"]) / tcp(80, port, "SA"))
    incoming, outgoing = site.dump("n1", "ct_map", {"proto": "TCP"})
    common = {"proto": "TCP", "state": "ESTABLISHED", "flags_seen": 0x12, "last_seen_ns": 0}
    assert outgoing.items() >= (common | {"action": "NAPT_OUT", "scope": 7, "next_subnet_id": 0}).items()
    assert incoming.items() >= (common | {"action": "NAPT_IN", "scope": 0, "next_subnet_id": vni}).items()
    addresses = ("saddr", "sport", "daddr", "dport", "new_saddr", "new_sport", "new_daddr", "new_dport")
    assert [outgoing[name] for name in addresses] == [INNER, 1000, str(SERVER), 80, S["n1"], port, str(SERVER), 80]
    assert [incoming[name] for name in addresses] == [str(SERVER), 80, S["n1"], port, str(SERVER), 80, INNER, 1000]


@pytest.mark.parametrize("cut", ["declared", "undeclared"])
def test_truncated_packets_never_raise(made: Setting, cut: str) -> None:
    """Cut at every length, with lengths that are true and with ones that are not, in both directions."""
    seen = made.out(ip(INNER, REMOTE) / udp(1, 2))
    about_in, about_out = bytes(seen), bytes(ip(REMOTE, INNER) / udp(2, 1))
    for protocol, body in ((17, bytes(udp(1, 2))), (6, bytes(tcp(1, 2))), (1, bytes(echo(1))), (1, b"")):
        for source, target, about in ((INNER, REMOTE, about_out), (REMOTE, S["n1"], about_in)):
            whole = body or icmp_error(11, source, target, about)[20:]
            for length in range(len(whole) + 1):
                head = ip(source, target, proto=protocol)
                packet = bytes(head / Raw(whole[:length])) if cut == "declared" else bytes(head / Raw(whole))[:-length]
                if source == INNER:
                    made.world.leave(made.pod, packet)
                else:
                    made.world.enter("n1", packet)
    assert set(made.world.site.drops("n1")) <= {
        Reason.MALFORMED,
        Reason.ICMP_QUOTE,
        Reason.CLAIMED_UNUSED,
        Reason.NAT_PROTOCOL,
    }


steps = st.tuples(
    st.integers(0, 2),  # the Pod
    st.sampled_from(["udp", "tcp", "echo"]),
    st.integers(1000, 1003),
    st.sampled_from([REMOTE, "198.51.100.11"]),
    st.integers(52, 53),
    st.sampled_from([0.0, 0.0, 20.0, 40.0]),
)


@given(st.lists(steps, max_size=20))
def test_conversations_find_their_way_back(history: list[tuple[int, str, int, str, int, float]]) -> None:
    """Whoever sends what, with any time between: it leaves with a port of its own, and the answer comes home."""
    made = vpcs(SimulatedDriver, 3)
    for pod, protocol, own, remote, port, wait in history:
        made.world.site.advance(wait)
        nic = made.pods[pod]
        body = {"udp": udp(own, port), "tcp": tcp(own, port), "echo": echo(own)}[protocol]
        out = made.out(ip(INNER, remote) / body, nic)
        chosen = out[ICMP].id if protocol == "echo" else out.sport
        back = {"udp": udp(port, chosen), "tcp": tcp(port, chosen, "SA"), "echo": echo(chosen, reply=True)}[protocol]
        returned = made.into(ip(remote, S["n1"]) / back, nic)
        assert (returned[ICMP].id if protocol == "echo" else returned.dport) == own
        rows = made.world.site.dump("n1", "ct_map", {"action": "NAPT_IN"})
        keys = [tuple(row[name] for name in ("saddr", "daddr", "sport", "dport", "proto")) for row in rows]
        assert len(set(keys)) == len(keys)
        assert all(1024 <= int(row["dport"]) <= 65535 for row in rows)


def test_equal_histories_choose_equal_ports(kind: type[DriverKind]) -> None:
    """There is no randomness in the choice."""
    chosen = [setting(kind).out(ip(INNER, SERVER) / udp(1000, 53)).sport for _ in range(2)]
    assert chosen[0] == chosen[1]
