"""What the hosts of a site do, as far as scenarios rely on it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv4Network

import pytest
from tests.drivers.world import ANYWHERE, World

from juneau.engine.driver import Answer, Datagram, HostRoute, HostRule, LinkSettings
from juneau.engine.trace import Reason


@pytest.fixture
def segment(world: World) -> World:
    """Pods a, b and c on an L2 segment without a prefix, one per Node."""
    network = world.l2(5000)
    for node, name in (("n1", "a"), ("n2", "b"), ("n3", "c")):
        world.pod(node, name, network)
    return world.sync()


def number(world: World, *addresses: str) -> None:
    """Addresses for a, b, c, set inside the Pods."""
    for nic, address in zip(world.nics, addresses, strict=False):
        world.site.add_address(nic.node, nic.sandbox, nic.interface, IPv4Interface(address))


def test_pods_talk_by_addresses_they_set_themselves(segment: World) -> None:
    """On a segment without a prefix addresses are the Pods' own affair."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    exchange = segment.site.ping("n1", "default/a", IPv4Address("192.168.0.2"))
    assert exchange, exchange.trace
    segment.site.remove_address("n2", "default/b", "eth0", IPv4Interface("192.168.0.2/24"))
    assert not segment.site.ping("n1", "default/a", IPv4Address("192.168.0.2"))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"size": 65508}, "the size of an echo request is 0 to 65507, not 65508"),
        ({"size": -1}, "the size of an echo request is 0 to 65507, not -1"),
        ({"ttl": 256}, "a TTL is 1 to 255, not 256"),
    ],
)
def test_a_ping_that_no_packet_can_be_is_refused(segment: World, asked: dict[str, int], why: str) -> None:
    """With the number and its bounds."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    with pytest.raises(ValueError, match=f"^{why}$"):
        segment.site.ping("n1", "default/a", IPv4Address("192.168.0.2"), **asked)  # type: ignore[arg-type]


def test_a_datagram_that_no_packet_can_be_is_refused(segment: World) -> None:
    """The longest one arrives, in fragments, and its answer too."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    there = IPv4Address("192.168.0.2")
    segment.site.serve_udp("n2", "default/b", 7, lambda asked: asked.reply(asked.payload))
    assert segment.site.send_udp("n1", "default/a", there, 7, bytes(65507)).payload == bytes(65507)
    assert segment.site.ping("n1", "default/a", there, size=65507)
    with pytest.raises(ValueError, match="the size of a datagram is 0 to 65507, not 65508"):
        segment.site.send_udp("n1", "default/a", there, 7, bytes(65508))
    with pytest.raises(ValueError, match="a port is 1 to 65535, not 70000"):
        segment.site.send_udp("n1", "default/a", there, 70000)
    with pytest.raises(ValueError, match="a port is 1 to 65535, not 0"):
        segment.site.connect_tcp("n1", "default/a", there, 0)


def test_udp_and_tcp_ports_are_open_or_closed(segment: World) -> None:
    """A service answers, a closed port refuses, an absent host says nothing."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    site, target = segment.site, IPv4Address("192.168.0.2")
    site.serve_udp("n2", "default/b", 53, lambda question: question.reply(b"re: " + question.payload))
    site.listen_tcp("n2", "default/b", 80)
    answered = site.send_udp("n1", "default/a", target, 53, b"who?")
    assert (answered.answer, answered.payload) == (Answer.REPLY, b"re: who?"), answered.trace
    assert site.send_udp("n1", "default/a", target, 54).answer is Answer.REFUSED
    assert site.connect_tcp("n1", "default/a", target, 80)
    assert site.connect_tcp("n1", "default/a", target, 81).answer is Answer.REFUSED
    assert site.connect_tcp("n1", "default/a", IPv4Address("192.168.0.9"), 80).answer is Answer.NONE


def test_dhcp_exchange_passes(segment: World) -> None:
    """A client without an address and a server on another Node hear each other by broadcast."""
    site, everyone = segment.site, IPv4Address("255.255.255.255")
    site.add_address("n2", "default/b", "eth0", IPv4Interface("192.168.0.2/24"))
    site.serve_udp("n2", "default/b", 67, lambda asked: asked.reply(b"lease 192.168.0.50 for " + asked.payload))
    lease = site.send_udp("n1", "default/a", everyone, 67, b"a", source_port=68, interface="eth0")
    assert lease.payload == b"lease 192.168.0.50 for a", lease.trace
    number(segment, "192.168.0.50/24")
    assert site.ping("n1", "default/a", IPv4Address("192.168.0.2"))


def test_router_pod_forwards_only_while_it_is_told_to(segment: World) -> None:
    """A Pod with two addresses joins two prefixes of a segment, and lowers the TTL."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24", "172.20.0.3/24")
    site = segment.site
    site.add_address("n2", "default/b", "eth0", IPv4Interface("172.20.0.2/24"))
    site.add_route("n1", "default/a", HostRoute(ANYWHERE, IPv4Address("192.168.0.2")))
    site.add_route("n3", "default/c", HostRoute(ANYWHERE, IPv4Address("172.20.0.2")))
    target = IPv4Address("172.20.0.3")
    assert not site.ping("n1", "default/a", target)
    site.set_forwarding("n2", "default/b", True)
    assert site.ping("n1", "default/a", target)
    expired = site.ping("n1", "default/a", target, ttl=1)
    assert [step.reason for step in expired.trace.drops()] == [Reason.TTL_EXCEEDED], expired.trace
    site.set_forwarding("n2", "default/b", False)
    assert not site.ping("n1", "default/a", target)


def test_bridged_hosts_talk_with_all_others(segment: World) -> None:
    """Hosts behind one NIC reach each other, their Pod, and the rest of the segment."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    site = segment.site
    first = site.attach_bridged("n1", "default/a", "eth0", "vm1", IPv4Interface("192.168.0.11/24"))
    second = site.attach_bridged("n1", "default/a", "eth0", "vm2", IPv4Interface("192.168.0.12/24"))
    for source, target in ((first, "192.168.0.12"), (second, "192.168.0.1"), (first, "192.168.0.2")):
        exchange = site.ping("n1", source, IPv4Address(target))
        assert exchange, exchange.trace
    assert site.ping("n2", "default/b", IPv4Address("192.168.0.12"))


def test_marks_tell_what_came_since(segment: World) -> None:
    """What a NIC received before a mark is not shown again."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    site = segment.site
    site.announce("n1", "default/a", "eth0", IPv4Address("192.168.0.1"))
    mark = site.mark("n2", "default/b", "eth0")
    assert len(site.received("n2", "default/b", "eth0")) == 1
    assert site.received("n2", "default/b", "eth0", mark) == ()
    site.announce("n1", "default/a", "eth0", IPv4Address("192.168.0.1"))
    assert len(site.received("n2", "default/b", "eth0", mark)) == 1


def test_packets_wait_for_resolution_but_not_for_long(segment: World) -> None:
    """A packet for a host that appears within three seconds still arrives, later it does not."""
    number(segment, "192.168.0.1/24")
    site, late = segment.site, IPv4Interface("192.168.0.2/24")
    for wait, arrives in ((1.0, True), (4.0, False)):
        assert not site.ping("n1", "default/a", late.ip)
        site.advance(wait)
        site.add_address("n2", "default/b", "eth0", late)
        mark = site.mark("n2", "default/b", "eth0")
        site.ping("n2", "default/b", IPv4Address("192.168.0.1"))
        echoes = [f for f in site.received("n2", "default/b", "eth0", mark) if f[12:14] == b"\x08\x00" and f[34] == 8]
        assert bool(echoes) is arrives
        site.remove_address("n2", "default/b", "eth0", late)
        site.advance(60)


def test_settings_of_the_cni_are_what_the_host_has(segment: World) -> None:
    """Addresses, routes with tables, and rules are readable as they were given, the kernel's own beside them."""
    table, source = 182530822, IPv4Network("10.225.51.6/32")
    own = IPv4Interface("10.225.51.6/32")
    out = HostRoute(ANYWHERE, IPv4Address("169.254.0.1"), on_link=True, table=table)
    settings = LinkSettings(own, (out,), (HostRule(source, table, 100),))
    segment.site.plug("n1", "default/a", "eth1", settings)
    assert segment.site.interfaces("n1", "default/a") == ("eth0", "eth1")
    assert segment.site.link_state("n1", "default/a", "eth1").addresses == (own,)
    assert [(r.gw, r.dev) for r in segment.site.routes("n1", "default/a", table)] == [(out.gw, "eth1")]
    assert segment.site.routes("n1", "default/a") == ()
    assert segment.site.tables("n1", "default/a") == (table,)
    assert segment.site.rules("n1", "default/a") == (HostRule(source, table, 100),)


def test_next_hop_on_no_link_is_refused(segment: World) -> None:
    """A route needs a next hop that some interface reaches, or onlink."""
    with pytest.raises(ValueError, match="on no link"):
        segment.site.add_route("n1", "default/a", HostRoute(ANYWHERE, IPv4Address("192.168.0.2")))


def test_what_is_not_there_is_a_lookup_error(segment: World) -> None:
    """A host or NIC that does not exist is named in the error, and unplugging it is none."""
    with pytest.raises(LookupError, match="nobody"):
        segment.site.ping("n1", "default/nobody", IPv4Address("192.168.0.2"))
    with pytest.raises(LookupError, match="eth7"):
        segment.site.inject("n1", "default/a", "eth7", b"")
    with pytest.raises(LookupError, match="nonsense"):
        segment.site.dump("n1", "nonsense")
    segment.site.unplug("n1", "default/nobody", "eth0")


def test_sandbox_goes_with_its_last_nic(segment: World) -> None:
    """What is plugged anew under an old name starts empty and has a new MAC."""
    number(segment, "192.168.0.1/24")
    before = segment.nics[0].link
    segment.site.unplug("n1", "default/a", "eth0")
    after = segment.site.plug("n1", "default/a", "eth0", LinkSettings())
    assert (after.mac != before.mac, after.number != before.number) == (True, True)
    assert segment.site.link_state("n1", "default/a", "eth0").addresses == ()


def test_datagrams_of_a_service_go_back_to_their_sender() -> None:
    """A sender without an address is answered by broadcast."""
    asked = Datagram(IPv4Address(0), 68, IPv4Address("255.255.255.255"), 67, b"", "eth0")
    answer = asked.reply(b"x")
    assert (str(answer.target), answer.target_port, answer.interface) == ("255.255.255.255", 68, "eth0")


def test_rules_are_read_by_priority(segment: World) -> None:
    """A rule before the main one sends what it names by its own table, the lower number first."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24", "192.168.0.3/24")
    site, source = segment.site, IPv4Network("192.168.0.1/32")
    for name, table in (("192.168.0.2", 7), ("192.168.0.3", 8)):
        site.add_route("n1", "default/a", HostRoute(ANYWHERE, IPv4Address(name), table=table))
    site.add_rule("n1", "default/a", HostRule(source, 7, 200))
    site.add_rule("n1", "default/a", HostRule(source, 8, 100))
    marks = {node: site.mark(node, f"default/{name}", "eth0") for node, name in (("n2", "b"), ("n3", "c"))}
    site.ping("n1", "default/a", IPv4Address("203.0.113.1"), source=IPv4Address("192.168.0.1"))
    assert len([f for f in site.received("n3", "default/c", "eth0", marks["n3"]) if f[12:14] == b"\x08\x00"]) == 1
    assert [f for f in site.received("n2", "default/b", "eth0", marks["n2"]) if f[12:14] == b"\x08\x00"] == []
    site.remove_rule("n1", "default/a", HostRule(source, 8, 100))
    assert site.rules("n1", "default/a") == (HostRule(source, 7, 200),)


def test_unasked_announcements_make_nobody_known(segment: World) -> None:
    """A host takes over from a gratuitous ARP only what it knew already, as Linux does."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    site = segment.site
    site.announce("n2", "default/b", "eth0", IPv4Address("192.168.0.2"))
    mark = site.mark("n2", "default/b", "eth0")
    assert site.ping("n1", "default/a", IPv4Address("192.168.0.2"))
    assert site.received("n2", "default/b", "eth0", mark)[0][12:14] == b"\x08\x06"


def test_bridge_sends_known_macs_to_one_member(segment: World) -> None:
    """A nested host does not see what goes to its neighbour."""
    number(segment, "192.168.0.1/24", "192.168.0.2/24")
    site = segment.site
    first = site.attach_bridged("n1", "default/a", "eth0", "vm1", IPv4Interface("192.168.0.11/24"))
    second = site.attach_bridged("n1", "default/a", "eth0", "vm2", IPv4Interface("192.168.0.12/24"))
    assert site.ping("n2", "default/b", IPv4Address("192.168.0.11"))
    mark = site.mark("n1", second, "eth0")
    assert site.ping("n2", "default/b", IPv4Address("192.168.0.11"))
    assert site.received("n1", second, "eth0", mark) == ()
    assert site.interfaces("n1", first) == ("eth0",)


def test_node_comes_back_without_what_was_nested_on_it(segment: World) -> None:
    """A host behind a NIC goes with its Node, and a Pod of the old name has nobody behind it."""
    site = segment.site
    nested = site.attach_bridged("n1", "default/a", "eth0", "vm", None)
    site.remove_node("n1")
    site.add_node("n1", segment.addresses["n1"])
    site.plug("n1", "default/a", "eth0", LinkSettings())
    with pytest.raises(LookupError, match="vm"):
        site.interfaces("n1", nested)
    site.unplug("n1", "default/a", "eth0")
