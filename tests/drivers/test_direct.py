"""NICs that carry an address from outside themselves: unaltered packets, one next hop, and nothing of any Vpc."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

import pytest
from attrs import define
from scapy.packet import Raw
from tests.drivers.exits import (
    EXTERNAL_VNI,
    ROUTER,
    SERVER,
    ExitWorld,
    exit_world,
    to_gateway,
)
from tests.drivers.frames import announcement, arp_reply, arp_request, arrived, ether, mac, packet, reasons, send
from tests.drivers.packets import framed, icmp_error, ip, packet_in, tcp, udp
from tests.drivers.world import Nic

from juneau.drivers.simulated.codec import BROADCAST, mac_bytes, parse_arp
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.external import ExternalTables
from juneau.drivers.simulated.vxlan import Outer, encapsulate
from juneau.engine.delta import Delta
from juneau.engine.driver import OUTSIDE, Answer, DriverKind
from juneau.engine.intents import (
    EVERY_NODE,
    NO_NODE,
    DirectAddress,
    ExternalPrefix,
    Intent,
    NATSource,
    Port,
    Route,
    Segment,
    SegmentKind,
    StaticNAT,
    ToNATGateway,
    ToSegment,
)
from juneau.engine.trace import Reason, Trace

E, F = "203.0.113.9", "203.0.113.10"
NEXT_HOP = "169.254.0.1"
S = "203.0.113.1"
NODE = {"n1": IPv4Address("10.225.51.11"), "n2": IPv4Address("10.225.51.12")}


@define
class Setting:
    """E on eth0 of a Pod on n1, F on eth0 of one on n2."""

    world: ExitWorld
    nic: Nic
    other: Nic

    def into(self, node: str, raw: bytes) -> bytes:
        """The first frame that the Pod with E gets of what comes in at a Node."""
        trace = self.world.enter(node, raw)
        assert trace.arrivals and trace.arrivals[0].port == self.nic.port, trace
        return trace.arrivals[0].frame


@pytest.fixture
def made(kind: type[DriverKind]) -> Setting:
    world = exit_world(kind.site())
    network = world.external()
    nic, other = world.carrier("n1", "e", network, E), world.carrier("n2", "f", network, F)
    world.claim("203.0.113.0/24", NO_NODE)
    world.lead(f"{E}/32", "n1")
    world.lead(f"{F}/32", "n1")
    world.sync()
    return Setting(world, nic, other)


@pytest.mark.parametrize("node", ["n1", "n2"])
def test_every_node_takes_what_is_for_it(made: Setting, node: str) -> None:
    """DIR-D1, DIR-D10: from any Node it reaches the Pod, and the Pod's answers leave from the Pod's Node."""
    site, nic = made.world.site, made.nic
    made.world.lead(f"{E}/32", node)
    site.listen_tcp(nic.node, nic.sandbox, 80)
    assert site.ping(OUTSIDE, "server", IPv4Address(E))
    assert site.connect_tcp(OUTSIDE, "server", IPv4Address(E), 80)
    assert site.connect_tcp(OUTSIDE, "server", IPv4Address(E), 81).answer is Answer.REFUSED
    assert site.send_udp(OUTSIDE, "server", IPv4Address(E), 54).answer is Answer.REFUSED
    assert site.ping(nic.node, nic.sandbox, SERVER)
    assert site.connect_tcp(nic.node, nic.sandbox, SERVER, 80)
    trace = site.ping(OUTSIDE, "server", IPv4Address(E)).trace
    assert [(c.source, c.target, c.vni) for c in trace.crossings] == ([("n2", "n1", EXTERNAL_VNI)] * (node == "n2"))


@pytest.mark.parametrize("node", ["n1", "n2"])
@pytest.mark.parametrize("proto", [1, 6, 17, 47, 132])
def test_packets_are_not_altered(made: Setting, node: str, proto: int) -> None:
    """DIR-D1, DIR-D2: above Ethernet every byte is as it was, TTL and a broken checksum included."""
    raw = bytes(ip(SERVER, E, ttl=1, proto=proto, tos=3, id=9, flags="MF") / Raw(b"juneau"))
    frame = made.into(node, raw)
    assert frame == mac(made.nic) + mac_bytes(made.nic.link.host_mac) + b"\x08\x00" + raw
    out = bytes(ip(E, SERVER, ttl=2, proto=proto, tos=3, id=9, frag=7) / Raw(b"juneau"))
    _, (left,) = made.world.leave(made.nic, out)
    assert left[14:] == out


def test_next_hop_is_answered_by_the_nodes_side(made: Setting) -> None:
    """One answer, with that veth's own MAC, to whoever asks on the NIC."""
    trace = send(made.world.site, made.nic, arp_request(mac(made.nic), E, NEXT_HOP))
    (answer,) = [parse_arp(arrival.frame) for arrival in trace.arrivals]
    assert answer is not None
    assert (answer.sender_mac, answer.sender) == (mac_bytes(made.nic.link.host_mac), int(IPv4Address(NEXT_HOP)))


def test_other_arp_is_dropped(made: Setting) -> None:
    """DIR-D4: questions for anybody else, claims of other addresses, and what is no ARP at all."""
    own = mac(made.nic)
    frames = [
        arp_request(own, E, "10.225.51.1"),
        arp_request(own, E, E),
        arp_reply(own, F, BROADCAST, F),
        announcement(own, NEXT_HOP),
        ether(BROADCAST, own, 0x0806, b"short"),
    ]
    for frame in frames:
        trace = send(made.world.site, made.nic, frame)
        assert (reasons(trace), trace.arrivals) == ([Reason.ARP_IGNORED], []), trace
    assert reasons(send(made.world.site, made.nic, announcement(own, E))) == []


@pytest.mark.parametrize("ethertype", [0x86DD, 0x8100, 0x88B5])
def test_other_ethertypes_are_dropped(made: Setting, ethertype: int) -> None:
    """DIR-D3."""
    frame = ether(mac_bytes(made.nic.link.host_mac), mac(made.nic), ethertype, bytes(60))
    assert reasons(send(made.world.site, made.nic, frame)) == [Reason.NOT_IPV4]


@pytest.mark.parametrize("source", [F, "10.61.0.4", "0.0.0.0", "10.225.51.11"])
@pytest.mark.parametrize("target", [str(SERVER), F, "10.225.51.11"])
def test_other_sources_are_dropped(made: Setting, source: str, target: str) -> None:
    """DIR-D3: wherever the packet is going."""
    trace, frames = made.world.leave(made.nic, bytes(ip(source, target) / udp(1, 2)))
    assert (reasons(trace), frames) == ([Reason.SPOOFED_SOURCE], [])


def test_node_and_pod_reach_each_other(made: Setting) -> None:
    """DIR-D5: kubelet's probes go over the host route, and what the Pod asks its Node is answered by the Node."""
    site, nic = made.world.site, made.nic
    site.listen_tcp(nic.node, nic.sandbox, 8080)
    site.listen_tcp("n1", "n1", 10250)
    assert [str(r.dst) for r in site.routes("n1", "n1") if r.dst.prefixlen == 32] == [f"{E}/32"]
    probe = site.connect_tcp("n1", "n1", IPv4Address(E), 8080)
    assert probe, probe.trace
    assert site.ping("n1", "n1", IPv4Address(E))
    assert site.connect_tcp("n1", "n1", IPv4Address(E), 8081).answer is Answer.REFUSED
    assert site.connect_tcp(nic.node, nic.sandbox, NODE["n1"], 10250)
    assert site.ping(nic.node, nic.sandbox, NODE["n1"])
    assert not probe.trace.crossings


def test_other_nodes_reach_it_from_outside(made: Setting) -> None:
    """DIR-D5: an address of another Node is reached by the Node's own routing table."""
    site, nic = made.world.site, made.nic
    assert site.ping(nic.node, nic.sandbox, NODE["n2"])
    assert site.ping("n2", "n2", IPv4Address(E)), "by the default route and the router"


def test_pool_with_a_node_in_it_leaves_the_node_reachable(made: Setting) -> None:
    """AP-D3: the Node's own address is never taken for one of Juneau's."""
    made.world.claim("10.225.51.0/24")
    made.world.sync()
    site, nic = made.world.site, made.nic
    assert site.ping("n1", "n1", IPv4Address(E))
    assert site.ping(nic.node, nic.sandbox, NODE["n1"])
    assert site.ping(OUTSIDE, "router", NODE["n1"])
    assert site.ping("n2", "n2", NODE["n1"])


def test_host_route_goes_with_the_nic(made: Setting) -> None:
    """And an extra NIC never has one."""
    site = made.world.site
    made.world.carrier("n1", "g", made.nic.network, "203.0.113.11", "eth1")
    made.world.remove(made.nic)
    made.world.sync()
    assert [route for route in site.routes("n1", "n1") if route.dst.prefixlen == 32] == []
    assert list(site.interfaces("n1", "n1")) == ["eth0"]


def test_extra_nic_answers_where_it_was_asked(made: Setting) -> None:
    """DIR-D9: the reply leaves by the NIC that has the address, new connections by eth0 unless they bind to it."""
    world, address = made.world, "203.0.113.11"
    subnet = world.subnet(4096, "10.61.0.0/24")
    world.pod("n1", "two", subnet, "10.61.0.4")
    extra = world.carrier("n1", "two", made.nic.network, address, "eth1")
    world.lead(f"{address}/32", "n2")
    world.sync()
    exchange = world.site.ping(OUTSIDE, "server", IPv4Address(address))
    assert exchange, exchange.trace
    assert [step.detail for step in exchange.trace.steps if step.reason is Reason.POD_EGRESS] == [extra.port] * 2
    assert world.site.ping("n1", extra.sandbox, SERVER, source=IPv4Address(address))
    assert not world.site.ping("n1", extra.sandbox, SERVER)  # eth0 is on a Subnet without a way out


def test_what_this_node_takes_is_turned_around(made: Setting) -> None:
    """DIR-D5, DIR-D6: another such NIC on any Node, unaltered, without a way over the router."""
    for nic, target in ((made.nic, F), (made.other, E), (made.nic, E)):
        trace = made.world.site.ping(nic.node, nic.sandbox, IPv4Address(target)).trace
        assert Reason.HOST_ROUTED not in [step.reason for step in trace.steps]
    exchange = made.world.site.ping(made.nic.node, made.nic.sandbox, IPv4Address(F), ttl=1)
    assert exchange, exchange.trace
    assert [step.reason for step in exchange.trace.steps].count(Reason.TURNED_AROUND) == 2


def test_translated_addresses_are_reached_by_turning_around(made: Setting) -> None:
    """DIR-D5: one to one and by a NATGateway's flow, as from outside, with one routing step."""
    world = made.world
    subnet = world.subnet(4096, "10.61.0.0/24")
    pod = world.pod("n1", "p", subnet, "10.61.0.4")
    world.one_to_one("203.0.113.8", pod)
    world.claim("203.0.113.8/32", "n1")
    world.source("n1", S)
    world.claim(f"{S}/32", "n1")
    to_gateway(world)
    world.sync()
    trace = send(world.site, made.nic, framed(ip(E, "203.0.113.8") / udp(1, 2), BROADCAST, mac(made.nic)))
    got = packet_in(trace.arrivals[0].frame)
    assert (trace.arrivals[0].port, got.src, got.dst, got.ttl) == (pod.port, E, "10.61.0.4", 63)
    # The Pod's packet goes out by the host's route to the NIC, and the answer is for the flow.
    assert world.site.ping("n1", pod.sandbox, IPv4Address(E))
    trace, frames = world.leave(made.nic, bytes(ip(E, S) / udp(1, 2)))
    assert (reasons(trace), frames) == ([Reason.CLAIMED_UNUSED], [])


def test_what_only_another_node_takes_is_not_turned_around(made: Setting) -> None:
    """DIR-D6: the longest prefix decides, also under a wider one that every Node takes."""
    world = made.world
    world.claim("203.0.113.0/25", EVERY_NODE)
    world.claim("203.0.113.2/32", "n2")
    world.sync()
    for target, is_taken in (("203.0.113.2", False), ("203.0.113.3", True), ("203.0.113.200", False)):
        trace, frames = world.leave(made.nic, bytes(ip(E, target) / udp(1, 2)))
        assert (Reason.TURNED_AROUND in [step.reason for step in trace.steps], len(frames)) == (is_taken, not is_taken)


def test_vpcs_are_not_reached(made: Setting) -> None:
    """DIR-D7: neither over the Node's port of the default Subnet nor in any other way."""
    world = made.world
    default = world.subnet(4096, "10.16.0.0/16")
    world.pod("n1", "n1", default, "10.16.0.2", "juneau_node_h")
    world.pod("n1", "p", default, "10.16.0.4")
    world.sync()
    assert world.site.ping("n1", "n1", IPv4Address("10.16.0.4"))
    trace, frames = world.leave(made.nic, bytes(ip(E, "10.16.0.4") / udp(1, 2)))
    assert (reasons(trace), arrived(trace), frames) == ([Reason.MISS_ROUTE], [], [])


def test_host_without_a_way_is_who_refuses(made: Setting) -> None:
    """Not forwardable: the Node's own stack gets it, and drops what it has no route for."""
    made.world.site.remove_route("n1", "n1", made.world.site.routes("n1", "n1")[1])
    trace, frames = made.world.leave(made.nic, bytes(ip(E, SERVER) / udp(1, 2)))
    assert (reasons(trace), frames) == ([Reason.MISS_ROUTE], [])
    assert trace.drops()[0].point == "host n1"
    assert not made.world.site.drops("n1")
    for target in ("224.0.0.5", "255.255.255.255", "10.225.51.255"):
        trace, frames = made.world.leave(made.nic, bytes(ip(E, target) / udp(1, 2)))
        assert (frames, Reason.PASS_TO_HOST in [step.reason for step in trace.steps]) == ([], True)


@pytest.mark.parametrize("gone", ["address", "neighbour", "station"])
@pytest.mark.parametrize("node", ["n1", "n2"])
def test_claimed_address_that_nobody_carries_is_dropped(made: Setting, gone: str, node: str) -> None:
    """EIP-D1, AP-D1: whatever is missing, it never reaches the Node's own stack."""
    driver = made.world.drivers[node]
    kinds = {"address": "direct-address", "neighbour": "neighbour", "station": "station"}
    whose = (E, made.nic.link.mac)
    intents = [i for i in driver.read().values() if i.key[0] == kinds[gone] and {*map(str, i.key)} & {*whose}]
    assert len(intents) == 1
    driver.apply(Delta(remove=tuple(intents)))
    reason = {"address": Reason.CLAIMED_UNUSED, "neighbour": Reason.MISS_ARP, "station": Reason.MISS_FDB}[gone]
    assert reasons(made.world.enter(node, bytes(ip(SERVER, E) / udp(1, 53)))) == [reason]


def test_overlay_delivers_to_nics_of_that_network_only(made: Setting) -> None:
    """VXLAN with the number of an ExternalNetwork: not to a Subnet's NIC, not to a third Node, not to a strange MAC."""
    world = made.world
    subnet = world.subnet(4096, "10.61.0.0/24")
    pod = world.pod("n1", "p", subnet, "10.61.0.4")
    world.sync()
    for inner, vni, reason in (
        (mac(pod), EXTERNAL_VNI, Reason.MISS_FDB),
        (mac(made.other), EXTERNAL_VNI, Reason.MISS_FDB),
        (b"\x02\x00\x00\x00\x00\x77", EXTERNAL_VNI, Reason.MISS_FDB),
        (BROADCAST, EXTERNAL_VNI, Reason.MISS_FDB),
        (mac(made.nic), 4096, Reason.MISS_FDB),
        (mac(made.nic), 4777, Reason.MISS_NETWORK),
    ):
        trace = _over_the_overlay(world, inner, vni)
        assert (reasons(trace), trace.arrivals) == ([reason], []), trace
    assert arrived(_over_the_overlay(world, mac(made.nic), EXTERNAL_VNI)) == [made.nic.port]


def _over_the_overlay(world: ExitWorld, to: bytes, vni: int) -> Trace:
    outer = Outer(int(NODE["n2"]), int(NODE["n1"]), world.node_mac("n2"), world.node_mac("n1"))
    frame = encapsulate(outer, vni, framed(packet(str(SERVER), E), to, world.node_mac("n2")))
    return world.site.inject("n2", "n2", "eth0", frame)


def test_network_that_disappears_leaves_its_nics_without_a_way(made: Setting) -> None:
    """Frames are dropped, not passed to the host."""
    made.world.networks.remove(made.nic.network)
    made.world.sync()
    for frame in (framed(packet(E, str(SERVER)), BROADCAST, mac(made.nic)), arp_request(mac(made.nic), E, NEXT_HOP)):
        assert reasons(send(made.world.site, made.nic, frame)) == [Reason.MISS_NETWORK]
    assert reasons(made.world.enter("n2", bytes(ip(SERVER, E) / udp(1, 2)))) == [Reason.MISS_NETWORK]


def test_errors_pass_like_everything_else(made: Setting) -> None:
    """Nothing looks into what they quote."""
    raw = icmp_error(11, ROUTER, E, b"nonsense")
    assert made.into("n1", raw)[14:] == raw


def test_tables_show_where_it_is(made: Setting) -> None:
    """On all Nodes whose it is, on its own Node the NIC."""
    site, vni = made.world.site, EXTERNAL_VNI
    for node in NODE:
        rows = site.dump(node, "elastic_ip_direct")
        assert rows == ({"addr": E, "network_id": vni}, {"addr": F, "network_id": vni})
        delivery = {
            (row["addr"], row["prefixlen"]): row["delivery"] for row in site.dump(node, "external_address_pools")
        }
        assert delivery == {
            ("203.0.113.0", 24): "EXTERNAL_ADDRESS_DELIVERED_ELSEWHERE",
            (E, 32): "EXTERNAL_ADDRESS_DELIVERED_HERE",
            (F, 32): "EXTERNAL_ADDRESS_DELIVERED_HERE",
        }
        assert len(site.dump(node, "arp_table", {"subnet_id": str(vni), "ipaddr": E})) == 1
        assert site.dump(node, "subnet_map", {"subnet_id": str(vni)}) == ()
    number = made.nic.link.number
    assert site.dump("n1", "ifindex_external_network") == ({"ifindex": number, "network_id": vni, "ipv4": E},)
    assert site.dump("n1", "ifindex_subnet") == ()
    (here,) = site.dump("n1", "fdb", {"mac": made.nic.link.mac})
    (there,) = site.dump("n2", "fdb", {"mac": made.nic.link.mac})
    assert (here["ifindex"], there["vtep_ip"]) == (number, "10.225.51.11")


REFUSED: list[Intent] = [
    Segment(4099, SegmentKind.EXTERNAL, 7),
    Port("default/p.eth0", "n1", 9, 4099, "02:00:00:00:00:01", None, kind=SegmentKind.EXTERNAL),
    DirectAddress(IPv4Address("224.0.0.1"), 4099),
    DirectAddress(IPv4Address(E), 1 << 24),
    StaticNAT(IPv4Address(E), 4096, IPv4Address(E)),
    StaticNAT(IPv4Address("0.0.0.0"), 4096, IPv4Address("10.0.0.1")),
    StaticNAT(IPv4Address(E), 4096, IPv4Address("255.255.255.255")),
    StaticNAT(IPv4Address(E), -1, IPv4Address("10.0.0.1")),
    NATSource(0, "n1", IPv4Address(S)),
    NATSource(5, "n2", IPv4Address(S)),
    NATSource(5, "n1", IPv4Address("127.0.0.1")),
    Route(70, IPv4Network("0.0.0.0/0"), ToNATGateway(0)),
    Route(70, IPv4Network("0.0.0.0/0"), ToSegment(1 << 24)),
]


@pytest.mark.parametrize("intent", REFUSED, ids=lambda intent: type(intent).__name__)
def test_nonsense_is_refused(made: Setting, intent: Intent) -> None:
    """And nothing of it is kept."""
    driver = made.world.drivers["n1"]
    before = dict(driver.read())
    (failure,) = driver.apply(Delta(add=(intent,)))
    assert failure.intent == intent and failure.message
    assert driver.read() == before


def test_prefixes_are_found_by_the_longest() -> None:
    """Here is what this Node or every Node takes; of several takers of one prefix one is enough."""
    tables = ExternalTables("n1")
    held = [
        ExternalPrefix(IPv4Network("203.0.0.0/16"), EVERY_NODE),
        ExternalPrefix(IPv4Network("203.0.113.0/24"), NO_NODE),
        ExternalPrefix(IPv4Network("203.0.113.8/29"), "n2"),
        ExternalPrefix(IPv4Network("203.0.113.8/29"), "n1"),
        ExternalPrefix(IPv4Network("203.0.113.9/32"), "n2"),
    ]
    for intent in held:
        tables.write(intent)

    def taken(*addresses: str) -> list[bool | None]:
        return [tables.is_taken_here(int(IPv4Address(address))) for address in addresses]

    assert taken("203.0.1.1", "203.0.113.1", "203.0.113.8", "203.0.113.9", "204.0.0.1") == [
        True,
        False,
        True,
        False,
        None,
    ]
    tables.erase(held[3])
    assert taken("203.0.113.8", "203.0.113.9") == [False, False]
    tables.erase(held[2])
    tables.erase(held[4])
    tables.erase(held[1])
    assert taken("203.0.113.8", "203.0.113.9") == [True, True]
    tables.erase(held[0])
    assert taken("203.0.113.9") == [None]
    assert tables.prefixes() == []


def test_apply_and_revert_leave_nothing_behind() -> None:
    """Whatever was translated and carried: the tables are empty again."""
    world = exit_world(SimulatedDriver.site())
    empty = {table: world.site.dump("n1", table) for table in ("external_address_pools", "elastic_ip_direct", "ct_map")}
    world.carrier("n1", "e", world.external(), E)
    pod = world.pod("n1", "p", world.subnet(4096, "10.61.0.0/24"), "10.61.0.4")
    world.one_to_one("203.0.113.8", pod)
    world.source("n1", S)
    to_gateway(world)
    world.sync()
    world.site.ping("n1", pod.sandbox, SERVER)
    assert world.site.dump("n1", "ct_map")
    driver = world.drivers["n1"]
    driver.apply(Delta(remove=tuple(sorted(driver.read().values(), key=lambda intent: -intent.order))))
    assert driver.read() == {}
    assert {table: world.site.dump("n1", table) for table in empty} == empty
    for table in ("nat_snat_map", "nat_dnat_map", "napt_src", "ifindex_external_network", "arp_table", "fdb"):
        assert world.site.dump("n1", table) == ()


def test_truncated_packets_never_raise(made: Setting) -> None:
    """Frames cut at every length, out of the NIC, from outside, and through the overlay."""
    whole = [bytes(ip(E, F) / udp(1, 2)), bytes(ip(E, SERVER) / tcp(1, 2)), bytes(ip(SERVER, E) / udp(1, 2))]
    arp = arp_request(mac(made.nic), E, NEXT_HOP)
    for length in range(len(arp)):
        send(made.world.site, made.nic, arp[:length])
        made.world.site.inject(OUTSIDE, "router", "eth0", made.world.node_mac("n1") + arp[6:length])
    for raw in whole:
        for length in range(len(raw)):
            cut = raw[:2] + length.to_bytes(2, "big") + raw[4:length] if length > 4 else raw[:length]
            for variant in (raw[:length], cut):
                made.world.leave(made.nic, variant)
                made.world.enter("n1", variant)
                frame = framed(variant, mac(made.nic), made.world.node_mac("n2"))
                outer = Outer(int(NODE["n2"]), int(NODE["n1"]), made.world.node_mac("n2"), made.world.node_mac("n1"))
                made.world.site.inject("n2", "n2", "eth0", encapsulate(outer, EXTERNAL_VNI, frame[:length]))
