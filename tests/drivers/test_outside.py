"""Ethernets, hosts outside the cluster, and Nodes that are switched off, cut off, or on several Ethernets."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv4Network

import pytest
from tests.drivers.frames import announcement, arp_request, ether, mac, reasons, send, speak
from tests.drivers.outside import Outsider, entered, nic_mac, node_mac, outsider
from tests.drivers.world import ANYWHERE, World

from juneau.drivers.simulated.codec import ARP_REQUEST, BROADCAST, mac_bytes
from juneau.engine.delta import Delta
from juneau.engine.driver import EXTERNAL_ETHERNET, OUTSIDE, Answer, HostRoute
from juneau.engine.trace import Reason

NODE = {"n1": IPv4Address("10.225.51.11"), "n2": IPv4Address("10.225.51.12")}


@pytest.fixture
def router(world: World) -> Outsider:
    return outsider(world.site, "router", "10.225.51.1/24")


@pytest.fixture
def outside(world: World, router: Outsider) -> Outsider:
    return outsider(world.site, "outside", "10.225.51.200/24", gateway="10.225.51.1")


def test_hosts_outside_do_what_pods_do(world: World, outside: Outsider) -> None:
    """They ping, serve and ask as Pods do, with Nodes and with each other."""
    site = world.site
    assert outside.ping("10.225.51.11")
    assert outside.ping("10.225.51.1")
    assert site.ping("n1", "n1", IPv4Address("10.225.51.200"))
    site.listen_tcp(OUTSIDE, "outside", 80)
    assert site.connect_tcp("n2", "n2", IPv4Address("10.225.51.200"), 80)
    assert site.connect_tcp("n2", "n2", IPv4Address("10.225.51.200"), 81).answer is Answer.REFUSED
    site.serve_udp(OUTSIDE, "outside", 53, lambda asked: asked.reply(b"re: " + asked.payload))
    assert site.send_udp("n1", "n1", IPv4Address("10.225.51.200"), 53, b"who?").payload == b"re: who?"
    assert [str(route.dst) for route in site.routes(OUTSIDE, "outside")] == ["10.225.51.0/24", "0.0.0.0/0"]


def test_ethernet_is_a_switch(world: World, router: Outsider, outside: Outsider) -> None:
    """A frame for one MAC reaches that station only, one for a group all others; nobody hears himself."""
    marks = {host: host.mark() for host in (router, outside)}
    router.send(ether(outside.mac, router.mac, payload=b"one"))
    router.send(ether(BROADCAST, router.mac, payload=b"all"))
    router.send(ether(b"\x02\xaa\x00\x00\x00\x99", router.mac, payload=b"nobody"))
    assert [frame[14:] for frame in outside.frames(marks[outside])] == [b"one", b"all"]
    assert router.frames(marks[router]) == []


def test_overlay_is_not_seen_outside(world: World, router: Outsider) -> None:
    """What Pods send each other goes from Node to Node only, also what is flooded."""
    network = world.l2(5000)
    a, b = world.pod("n1", "a", network), world.pod("n2", "b", network)
    world.sync()
    mark = router.mark()
    speak(world.site, a, b)
    assert send(world.site, a, ether(mac(b), mac(a))).crossings
    assert router.frames(mark) == []


def test_ethernets_are_apart(world: World, router: Outsider) -> None:
    """A Node with a NIC on each Ethernet is reached on both; hosts of different ones do not see each other."""
    site = world.site
    far = outsider(site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    stranger = outsider(site, "stranger", "10.225.51.77/24", EXTERNAL_ETHERNET)
    site.add_uplink("n1", "eth1", IPv4Interface("192.0.2.11/24"))
    assert far.ping("192.0.2.11")
    assert site.ping("n1", "n1", IPv4Address("192.0.2.200"))
    assert router.ping("10.225.51.11")
    assert not router.ping("10.225.51.77")
    assert not stranger.ping("10.225.51.1")
    assert list(site.interfaces("n1", "n1")) == ["eth0", "eth1"]
    assert node_mac(site, "n1") != node_mac(site, "n1", "eth1")


def test_tunnel_ends_at_the_underlay_only(world: World) -> None:
    """VXLAN for the Node's address that comes in at another NIC is not taken for the overlay's."""
    network = world.l2(5000)
    a, b = world.pod("n1", "a", network), world.pod("n2", "b", network)
    world.sync()
    far = outsider(world.site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    world.site.add_uplink("n2", "eth1", IPv4Interface("192.0.2.12/24"))
    speak(world.site, a, b)
    (crossing,) = send(world.site, a, ether(mac(b), mac(a))).crossings
    trace = far.send(mac_bytes(node_mac(world.site, "n2", "eth1")) + far.mac + crossing.packet[12:])
    assert trace.arrivals == [], trace
    assert Reason.VXLAN_INGRESS not in [step.reason for step in trace.steps]


def test_ingress_is_the_nic_that_the_node_is_told(world: World, router: Outsider) -> None:
    """What comes from outside enters at the NIC with the Node's address, or at the one that is named."""
    site = world.site
    far = outsider(site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    site.add_uplink("n1", "eth1", IPv4Interface("192.0.2.11/24"))
    # Once for the resolution, which all Nodes hear.
    assert router.ping("10.225.51.11")
    assert far.ping("192.0.2.11")
    assert (entered(router.ping("10.225.51.11").trace), entered(far.ping("192.0.2.11").trace)) == (["n1"], [])
    site.set_ingress("n1", "eth1")
    assert (entered(router.ping("10.225.51.11").trace), entered(far.ping("192.0.2.11").trace)) == ([], ["n1"])


def test_nodes_reach_beyond_the_router_when_they_have_a_route(world: World, router: Outsider) -> None:
    """A host behind the router answers a Node that has a default route, and none without."""
    site, beyond = world.site, IPv4Address("203.0.113.9")
    site.add_address(OUTSIDE, "router", "eth0", IPv4Interface("203.0.113.1/24"))
    outsider(site, "beyond", "203.0.113.9/24", gateway="203.0.113.1")
    site.set_forwarding(OUTSIDE, "router", True)
    assert not site.ping("n1", "n1", beyond)
    site.add_route("n1", "n1", HostRoute(ANYWHERE, IPv4Address("10.225.51.1")))
    exchange = site.ping("n1", "n1", beyond)
    assert exchange, exchange.trace


@pytest.mark.parametrize("form", ["request", "reply"])
def test_announcement_moves_what_is_known_at_once(outside: Outsider, router: Outsider, form: str) -> None:
    """Both forms of a gratuitous ARP change an entry that is there, and make none where nobody asked."""
    site = outside.site
    outsider(site, "other", "10.225.51.77/24")
    assert outside.ping("10.225.51.77")
    mine = Outsider(site, "other").mac
    says = announcement(router.mac, "10.225.51.77")
    if form == "request":
        says = arp_request(router.mac, "10.225.51.77", "10.225.51.77")
    router.send(says)
    mark = router.mark()
    outside.ping("10.225.51.77")
    assert [frame[12:14] for frame in router.frames(mark)] == [b"\x08\x00"]
    router.send(announcement(router.mac, "10.225.51.78"))
    mark = router.mark()
    outside.ping("10.225.51.78")
    assert [(to, arp.operation) for to, arp in router.arps(mark)] == [(BROADCAST, ARP_REQUEST)]
    assert mine != router.mac


def test_known_addresses_are_asked_for_again_after_a_time(outside: Outsider, router: Outsider) -> None:
    """For thirty seconds nobody asks; then the address is resolved anew, and who is gone is not found."""
    assert outside.ping("10.225.51.1")
    for wait, asked in ((29, 0), (1, 1)):
        outside.site.advance(wait)
        mark = router.mark()
        assert outside.ping("10.225.51.1")
        assert [arp.operation for _, arp in router.arps(mark)] == [ARP_REQUEST] * asked
    outside.site.split({"router"})
    outside.site.advance(30)
    assert not outside.ping("10.225.51.1")
    outside.site.split()
    outside.site.advance(4)
    assert outside.ping("10.225.51.1")


def test_switched_off_node_is_silent(world: World, router: Outsider) -> None:
    """Neither it nor its Pods send or answer, what other Nodes send there is lost, and an agent can do nothing."""
    network = world.l2(5000)
    a, b = world.pod("n1", "a", network), world.pod("n2", "b", network)
    world.sync()
    speak(world.site, a, b)
    assert router.ping("10.225.51.12")
    site, driver, link = world.site, world.drivers["n2"], b.link
    site.switch_off("n2")
    assert not router.ping("10.225.51.12")
    assert not site.ping("n2", "n2", IPv4Address("10.225.51.11"))
    assert send(site, b, ether(mac(a), mac(b))).steps == []
    assert reasons(send(site, a, ether(mac(b), mac(a)))) == [Reason.UNDERLAY_LOST]
    assert driver.read() == {}
    (failure, *_) = driver.apply(Delta(add=tuple(world.intents("n2"))))
    assert (failure.reason, failure.message) == ("NodeIsOff", "Node n2 is switched off")
    assert site.link_state("n2", "default/b", "eth0").link == link
    with pytest.raises(ValueError, match="switched off"):
        world.pod("n2", "c", network)


def test_switched_on_node_starts_with_nothing(world: World, router: Outsider) -> None:
    """Its address and its routes are back, its tables and its Pods are not; then it works as any new Node."""
    network = world.l2(5000)
    a, b = world.pod("n1", "a", network), world.pod("n2", "b", network)
    world.sync()
    site = world.site
    site.add_route("n2", "n2", HostRoute(ANYWHERE, IPv4Address("10.225.51.1")))
    routes = site.routes("n2", "n2")
    site.switch_off("n2")
    site.switch_on("n2")
    assert (world.drivers["n2"].read(), site.driver("n2").read()) == ({}, {})
    assert site.dump("n2", "l2_ifindex") == ()
    assert site.routes("n2", "n2") == routes
    assert router.ping("10.225.51.12")
    with pytest.raises(LookupError, match=r"there is no default/b on n2"):
        site.ping("n2", "default/b", IPv4Address("10.225.51.11"))
    site.unplug("n2", "default/b", "eth0")
    world.nics.remove(b)
    again = world.pod("n2", "b", network)
    world.sync()
    assert again.link.number > b.link.number
    assert [arrival.port for arrival in send(site, again, ether(BROADCAST, mac(again))).arrivals] == [a.port]
    site.switch_on("n2")
    assert site.link_state("n2", "default/b", "eth0").link == again.link


def test_node_loses_the_port_of_its_own_with_its_power(world: World) -> None:
    """The Node's own port of the default Subnet has to be made anew as well."""
    subnet = world.subnet(4096, "10.16.0.0/16")
    world.pod("n1", "n1", subnet, "10.16.0.100", "juneau_node_h")
    world.sync()
    world.site.switch_off("n1")
    world.site.switch_on("n1")
    assert list(world.site.interfaces("n1", "n1")) == ["eth0"]
    assert [str(route.dst) for route in world.site.routes("n1", "n1")] == ["10.225.51.0/24"]


def test_cut_divides_nodes_and_hosts(world: World, router: Outsider, outside: Outsider) -> None:
    """Frames pass within a group, and among those in none, on every Ethernet; without groups all is whole again."""
    site = world.site
    for number, node in enumerate(world.drivers):
        site.add_uplink(node, "eth1", IPv4Interface(f"192.0.2.{11 + number}/24"))
    far = outsider(site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    site.split({"n1", "router"}, {"n2", "far"})
    reached = {
        (host.name, target): bool(host.ping(target))
        for host in (router, outside, far)
        for target in ("10.225.51.11", "10.225.51.12", "10.225.51.13", "192.0.2.12", "192.0.2.13")
        if target.startswith("192") == (host is far)
    }
    assert [pair for pair, answered in reached.items() if answered] == [
        ("router", "10.225.51.11"),
        ("outside", "10.225.51.13"),
        ("far", "192.0.2.12"),
    ]
    site.split()
    assert router.ping("10.225.51.12")
    assert far.ping("192.0.2.13")


def test_cut_goes_through_the_overlay(world: World) -> None:
    """What a Node sends to one beyond the cut is lost and counted, and what joins later is in no group."""
    network = world.l2(5000)
    a, b = world.pod("n1", "a", network), world.pod("n2", "b", network)
    world.sync()
    world.site.split({"n1"}, {"n2"})
    trace = send(world.site, a, ether(BROADCAST, mac(a)))
    assert ([arrival.port for arrival in trace.arrivals], reasons(trace)) == ([], [Reason.UNDERLAY_LOST])
    assert "n2 is not reached" in str(trace)
    late = outsider(world.site, "late", "10.225.51.99/24")
    assert [bool(late.ping(f"10.225.51.{number}")) for number in (11, 12, 13)] == [False, False, True]
    world.site.split()
    assert [arrival.port for arrival in send(world.site, a, ether(BROADCAST, mac(a))).arrivals] == [b.port]


def test_removed_node_leaves_every_ethernet(world: World, router: Outsider) -> None:
    """Nothing of it answers, and a Node of that name and address can come."""
    site = world.site
    site.add_uplink("n1", "eth1", IPv4Interface("192.0.2.11/24"))
    far = outsider(site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    site.remove_node("n1")
    assert not far.ping("192.0.2.11")
    site.add_node("n1", NODE["n1"])
    assert router.ping("10.225.51.11")
    assert not far.ping("192.0.2.11")


def test_what_is_not_there_is_an_error(world: World, router: Outsider) -> None:
    """Names that nobody has, or somebody has already, are told."""
    site, address = world.site, IPv4Interface("192.0.2.11/24")
    with pytest.raises(ValueError, match="already a host router"):
        outsider(site, "router", "10.225.51.1/24")
    with pytest.raises(ValueError, match="has a NIC eth0 already"):
        site.add_uplink("n1", "eth0", address)
    with pytest.raises(LookupError, match="no NIC eth7"):
        site.set_ingress("n1", "eth7")
    with pytest.raises(LookupError, match="neither a Node nor a host outside named nobody"):
        site.split({"n1", "nobody"})
    with pytest.raises(ValueError, match="n1 is in two groups"):
        site.split({"n1"}, {"n1", "n2"})
    for switch in (site.switch_off, site.switch_on):
        with pytest.raises(LookupError, match="no Node n9"):
            switch("n9")
    with pytest.raises(LookupError, match="no Node n9"):
        site.add_uplink("n9", "eth1", address)
    with pytest.raises(LookupError, match="there is no nobody"):
        site.ping(OUTSIDE, "nobody", address.ip)


def test_hosts_outside_are_seen_as_they_are(world: World, router: Outsider) -> None:
    """A host outside and a Node's NIC tell their MACs, MTUs and addresses."""
    state = world.site.link_state(OUTSIDE, "router", "eth0")
    assert ([str(own) for own in state.addresses], state.mtu) == (["10.225.51.1/24"], 1500)
    world.site.add_uplink("n1", "eth1", IPv4Interface("192.0.2.11/24"))
    assert world.site.link_state("n1", "n1", "eth1").mtu == 1500
    assert nic_mac(world.site, "n1", "n1", "eth0") != router.mac
    assert IPv4Network("10.225.51.0/24") == state.addresses[0].network
