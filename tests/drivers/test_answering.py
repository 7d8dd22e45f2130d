"""ARP answers for addresses from outside: which Node gives them, when it begins, and when it stops."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface

import pytest
from attrs import define
from tests.drivers.frames import announcement, arp_reply, arp_request, packet
from tests.drivers.outside import Outsider, entered, node_mac, outsider
from tests.drivers.world import World

from juneau.drivers.simulated.codec import ARP_REPLY, BROADCAST, mac_bytes, parse_arp
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.delta import Delta
from juneau.engine.driver import EXTERNAL_ETHERNET, OUT_OF_CONTACT, OUTSIDE, Contact, Failure, Site
from juneau.engine.intents import ARPAnswer, Underlay
from juneau.engine.trace import Reason

A, B = "10.225.51.201", "10.225.51.202"
IN_CONTACT = Contact(fresh_for=10)


@define
class Lan:
    """Three Nodes, a router and another host on one Ethernet, and what Nodes were told to answer."""

    world: World
    router: Outsider
    outside: Outsider

    @property
    def site(self) -> Site:
        return self.world.site

    def grant(self, node: str, address: str = A, term: int = 1) -> list[Failure]:
        """As an agent does: only what the driver does not hold is applied."""
        driver = self.world.drivers[node]
        want = ARPAnswer(IPv4Address(address), node, term)
        have = driver.read().get(want.key)
        if have is None:
            return list(driver.apply(Delta(add=(want,))))
        return list(driver.apply(Delta(change=((have, want),))) if have != want else ())

    def withdraw(self, node: str, address: str = A) -> None:
        driver = self.world.drivers[node]
        driver.apply(Delta(remove=(driver.read()[ARPAnswer(IPv4Address(address), node, 0).key],)))

    def held(self, node: str) -> list[str]:
        read = self.world.drivers[node].read().values()
        return sorted(str(intent.address) for intent in read if isinstance(intent, ARPAnswer))

    def conflicts(self, node: str) -> dict[str, str]:
        return {str(address): mac for address, mac in self.world.drivers[node].conflicts().items()}

    def mac(self, node: str, interface: str = "eth0") -> str:
        return node_mac(self.site, node, interface)

    def renew(self, node: str, contact: Contact = IN_CONTACT) -> None:
        self.world.drivers[node].renew(contact)


@pytest.fixture
def lan(world: World) -> Lan:
    router = outsider(world.site, "router", "10.225.51.1/24")
    made = Lan(world, router, outsider(world.site, "outside", "10.225.51.200/24"))
    world.sync()
    for node in world.drivers:
        made.renew(node, Contact(fresh_for=1e6))
    return made


def test_one_node_answers_once_with_its_own_mac(lan: Lan) -> None:
    """A request gets one reply, to who asked alone, with the MAC of the NIC that it came in at."""  # ARPA-D1, ARPA-D6
    assert lan.outside.answers(A) == []
    assert lan.grant("n2") == []
    mark = lan.router.mark()
    assert lan.outside.answers(A) == [lan.mac("n2")]
    assert [arp.operation for _, arp in lan.router.arps(mark)] == [1]
    # A neighbour that makes sure of what it knows asks the MAC that it has.
    assert lan.outside.answers(A, to=mac_bytes(lan.mac("n2"))) == [lan.mac("n2")]
    assert lan.outside.answers(A, to=mac_bytes(lan.mac("n1"))) == []
    lan.withdraw("n2")
    assert lan.outside.answers(A) == []


def test_probe_of_an_answered_address_is_answered(lan: Lan) -> None:
    """Who looks whether an address is free hears that it is not, and that is no conflict."""
    lan.grant("n1")
    assert lan.outside.answers(A, sender="0.0.0.0") == [lan.mac("n1")]
    assert lan.conflicts("n1") == {}


def test_other_arp_is_left_to_the_host(lan: Lan) -> None:
    """The Node's own address works as before, and so does what the Node hears of others."""  # ARPA-D3
    lan.grant("n1")
    assert lan.outside.answers("10.225.51.11") == [lan.mac("n1")]
    assert lan.outside.answers(B) == []
    assert lan.site.ping("n1", "n1", IPv4Address("10.225.51.200"))
    # The host heeds an announcement of somebody else's address.
    lan.router.claim("10.225.51.200")
    assert not lan.site.ping("n1", "n1", IPv4Address("10.225.51.200"))
    mark = lan.site.mark("n1", "n1", "eth0")
    lan.outside.send(arp_reply(lan.outside.mac, "10.225.51.200", mac_bytes(lan.mac("n1")), A))
    assert len(lan.site.received("n1", "n1", "eth0", mark)) == 1


def test_broken_requests_get_no_answer(lan: Lan) -> None:
    """ARP that is not Ethernet and IPv4, and a sender whose MAC is a group's, are none of Juneau's."""  # ARPA-D3
    lan.grant("n1")
    mark = lan.outside.mark()
    good = arp_request(lan.outside.mac, "10.225.51.200", A)
    for broken in (good[:20], good[:18] + b"\x08" + good[19:], good[:22] + BROADCAST + good[28:]):
        lan.outside.send(broken)
    assert lan.outside.frames(mark) == []


@pytest.mark.parametrize(("ingress", "answered"), [("", "eth0"), ("eth1", "eth1"), ("eth0", "eth0")])
def test_only_the_ingress_nic_answers(lan: Lan, ingress: str, answered: str) -> None:
    """The NIC that is named answers, else the one with the Node's address, each with its own MAC."""  # S0-47, S0-48
    far = outsider(lan.site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    lan.site.add_uplink("n1", "eth1", IPv4Interface("192.0.2.11/24"))
    lan.site.add_address("n1", "n1", "eth1", IPv4Interface("10.225.51.77/24"))
    lan.site.add_address("n1", "n1", "eth0", IPv4Interface("192.0.2.77/24"))
    if ingress:
        lan.site.set_ingress("n1", ingress)
    for address in (A, "192.0.2.201"):
        assert lan.grant("n1", address) == []
        answers = {"eth0": lan.outside.answers(address), "eth1": far.answers(address)}
        assert answers == {"eth0": [], "eth1": []} | {answered: [lan.mac("n1", answered)]}
    assert far.answers("192.0.2.11") == [lan.mac("n1", "eth1")]
    (row, _) = lan.site.dump("n1", "external_arp_table")
    assert (row["ipaddr"], row["mac"]) == (A, lan.mac("n1", answered))


def test_another_ingress_answers_when_it_is_applied_anew(lan: Lan) -> None:
    """A Node that is told another NIC forgets what it answered, and announces it there when it is told again."""
    far = outsider(lan.site, "far", "192.0.2.200/24", EXTERNAL_ETHERNET)
    lan.site.add_uplink("n1", "eth1", IPv4Interface("10.225.51.91/24"))
    lan.grant("n1")
    lan.site.set_ingress("n1", "eth1")
    assert (lan.held("n1"), lan.outside.answers(A), far.answers(A)) == ([], [], [])
    mark = far.mark()
    assert lan.grant("n1") == []
    assert far.announcements(mark) == [(A, lan.mac("n1", "eth1"))]
    assert (lan.outside.answers(A), far.answers(A)) == ([], [lan.mac("n1", "eth1")])


def test_table_is_shown(lan: Lan) -> None:
    """`external_arp_table` has a row for each address, by NIC and address."""
    for address in (B, A):
        lan.grant("n1", address)
    rows = lan.site.dump("n1", "external_arp_table")
    assert [(row["ipaddr"], row["mac"]) for row in rows] == [(A, lan.mac("n1")), (B, lan.mac("n1"))]
    assert len({row["ifindex"] for row in rows}) == 1
    assert lan.site.dump("n2", "external_arp_table") == ()


def test_announced_before_the_first_answer(lan: Lan) -> None:
    """All stations hear whose the address is, by broadcast, before anybody gets a reply."""  # ARPA-D4, ARPA-D5
    marks = {host: host.mark() for host in (lan.router, lan.outside)}
    lan.grant("n1")
    assert {host: host.announcements(mark) for host, mark in marks.items()} == {
        host: [(A, lan.mac("n1"))] for host in marks
    }
    lan.outside.answers(A)
    assert [arp.operation for _, arp in lan.outside.arps(marks[lan.outside])] == [1, ARP_REPLY]


def test_address_is_not_answered_while_it_is_announced() -> None:
    """Who asks the moment the announcement comes gets no answer yet, for others may not have heard it."""
    site = SimulatedDriver.site()
    lan = Lan(World(site), outsider(site, "router", "10.225.51.1/24"), outsider(site, "outside", "10.225.51.200/24"))
    lan.world.add_nodes("n1")
    lan.renew("n1")
    station = site.wired[OUTSIDE, "outside", "eth0"].station
    heard: list[int] = []

    def ask_back(frame: bytes) -> None:
        arp = parse_arp(frame)
        assert arp is not None
        heard.append(arp.operation)
        if arp.operation != ARP_REPLY:
            station.transmit(arp_request(lan.outside.mac, "10.225.51.200", A))

    station.receive = ask_back
    lan.grant("n1")
    assert heard == [1]
    assert lan.world.drivers["n1"].apply(Delta()) == []
    lan.outside.send(arp_request(lan.outside.mac, "10.225.51.200", A))
    assert heard == [1, ARP_REPLY]


def test_move_takes_the_caches_along(lan: Lan) -> None:
    """Hosts that know the address send to the new Node at once, without asking."""  # ARPA-D4, ARPA-D5
    lan.grant("n1")
    assert entered(lan.outside.ping(A).trace) == ["n1", "n2", "n3"]
    assert entered(lan.outside.ping(A).trace) == ["n1"]
    lan.withdraw("n1")
    lan.grant("n2", term=2)
    mark = lan.router.mark()
    assert entered(lan.outside.ping(A).trace) == ["n2"]
    assert lan.router.frames(mark) == []


def test_announcement_comes_with_each_grant_and_on_demand(lan: Lan) -> None:
    """A new term is announced, the same one is not again; `announce` tells all that is answered now."""
    announced = [(A, lan.mac("n1"))]
    for term, expected in ((1, announced), (1, []), (2, announced)):
        mark = lan.router.mark()
        assert lan.grant("n1", term=term) == []
        assert lan.router.announcements(mark) == expected
    driver, same = lan.world.drivers["n1"], ARPAnswer(IPv4Address(A), "n1", 2)
    mark = lan.router.mark()
    assert driver.apply(Delta(add=(same,))) == []
    assert lan.router.frames(mark) == []
    lan.grant("n1", B)
    mark = lan.router.mark()
    lan.world.drivers["n1"].announce()
    lan.world.drivers["n2"].announce()
    assert lan.router.announcements(mark) == [(A, lan.mac("n1")), (B, lan.mac("n1"))]


def test_address_outside_the_nics_subnet_is_refused(lan: Lan) -> None:
    """The refusal says which address, which NIC, its prefix and which Node, and nothing is announced."""  # S0-45
    mark = lan.router.mark()
    (failure,) = lan.grant("n1", "192.0.2.201")
    assert failure.reason == "AddressOutsideSubnet"
    assert "192.0.2.201 is not in the subnet of eth0 of Node n1 (10.225.51.0/24)" in failure.message
    assert (lan.router.frames(mark), lan.held("n1"), lan.router.answers("192.0.2.201")) == ([], [], [])
    lan.site.add_address("n1", "n1", "eth0", IPv4Interface("192.0.2.11/24"))
    assert lan.grant("n1", "192.0.2.201") == []


@pytest.mark.parametrize("address", ["10.225.51.11", "10.225.51.12", "10.225.51.77"])
def test_address_of_a_node_is_refused(lan: Lan, address: str) -> None:
    """The Node's host would answer too, be it this Node's or another's."""
    lan.site.add_address("n1", "n1", "eth0", IPv4Interface("10.225.51.77/24"))
    (failure,) = lan.grant("n1", address)
    node = "n2" if address.endswith("12") else "n1"
    assert failure.reason == "AddressIsANodes"
    assert failure.message.startswith(f"{address} is an address of Node {node} itself")
    assert lan.held("n1") == []


def test_answers_of_another_node_are_refused(lan: Lan) -> None:
    """A driver takes only what is for its Node, and says that others failed for other reasons."""
    driver = lan.world.drivers["n1"]
    (failure,) = driver.apply(Delta(add=(ARPAnswer(IPv4Address(A), "n2", 1),)))
    assert (failure.reason, failure.message) == ("NotApplied", "this is Node n1, not n2")


def test_conflict_is_told_and_not_obeyed_while_in_contact(lan: Lan) -> None:
    """Any ARP from another MAC under the address counts; the Node goes on answering."""
    lan.renew("n1")
    lan.grant("n1")
    lan.grant("n1", B)
    own, router = lan.mac("n1"), lan.router.mac
    for frame in (announcement(router, A), arp_request(router, A, A), arp_request(router, A, "10.225.51.11")):
        lan.grant("n1", term=lan.world.site.drops("n1")[Reason.ARP_CONFLICT] + 2)
        assert lan.conflicts("n1") == {}
        trace = lan.router.send(frame)
        assert [step.node for step in trace.steps if step.reason is Reason.ARP_CONFLICT] == ["n1"]
        assert lan.conflicts("n1") == {A: lan.router.site.link_state(OUTSIDE, "router", "eth0").link.mac}
        assert lan.outside.answers(A) == [own]
    assert lan.site.drops("n1") == {Reason.ARP_CONFLICT: 3}
    assert lan.conflicts("n2") == {}
    lan.withdraw("n1")
    lan.grant("n1", term=9)
    assert lan.conflicts("n1") == {}


def test_own_arp_and_other_addresses_are_no_conflict(lan: Lan) -> None:
    """Neither its own announcements nor what others say of their own addresses."""
    lan.grant("n1")
    lan.world.drivers["n1"].announce()
    lan.outside.send(announcement(mac_bytes(lan.mac("n1")), A))
    lan.router.claim("10.225.51.1")
    lan.router.claim(B)
    assert lan.conflicts("n1") == {}
    assert lan.site.drops("n1") == {}


def test_yields_only_out_of_contact(lan: Lan) -> None:
    """Up to the last moment of contact the address is held, from then on it goes to the first other MAC."""
    lan.renew("n1")
    lan.grant("n1")
    lan.grant("n1", B)
    lan.site.advance(9.999)
    lan.router.claim(A)
    assert lan.outside.answers(A) == [lan.mac("n1")]
    lan.site.advance(0.001)
    assert lan.outside.answers(A) == [lan.mac("n1")]
    trace = lan.router.claim(A)
    assert [step.reason for step in trace.steps if step.reason >= Reason.ARP_YIELDED] == [Reason.ARP_YIELDED]
    assert lan.outside.answers(A) == []
    assert lan.outside.answers(B) == [lan.mac("n1")]
    assert (lan.held("n1"), lan.conflicts("n1")) == ([B], {})
    assert lan.site.drops("n1")[Reason.ARP_YIELDED] == 1
    assert len(lan.site.dump("n1", "external_arp_table")) == 1


def test_yielded_grant_comes_back_with_contact(lan: Lan) -> None:
    """No grant is taken on until the Node is in contact; then it is announced again."""
    lan.renew("n1")
    lan.grant("n1")
    lan.site.advance(10)
    lan.router.claim(A)
    mark = lan.router.mark()
    (failure,) = lan.grant("n1")
    assert failure.reason == OUT_OF_CONTACT
    assert "Node n1 is out of contact, and 10.225.51.201 may be another Node's by now" in failure.message
    assert lan.router.frames(mark) == []
    lan.renew("n1")
    assert lan.held("n1") == []
    assert lan.grant("n1") == []
    assert lan.router.announcements(mark) == [(A, lan.mac("n1"))]
    lan.site.advance(10)
    lan.router.claim(A)
    assert [failure.reason for failure in lan.grant("n1", term=2)] == [OUT_OF_CONTACT]
    assert lan.outside.answers(A) == []


def test_no_address_is_taken_on_before_the_first_stamp(lan: Lan) -> None:
    """A machine that starts cannot know whose the address is by now."""
    lan.site.switch_off("n1")
    lan.site.switch_on("n1")
    assert [failure.reason for failure in lan.grant("n1")] == [OUT_OF_CONTACT]
    lan.renew("n1")
    assert lan.grant("n1") == []
    assert lan.outside.answers(A) == [lan.mac("n1")]


def test_fence_silences_after_its_time(lan: Lan) -> None:
    """Up to that moment the Node answers, from then on nothing, and nothing is applied until it is in contact."""
    lan.renew("n1", Contact(fresh_for=10, answers_for=30))
    lan.grant("n1")
    lan.site.advance(29.999)
    assert lan.outside.answers(A) == [lan.mac("n1")]
    lan.site.advance(0.001)
    assert lan.site.dump("n1", "external_arp_table") == ()
    assert lan.held("n1") == []
    trace = lan.outside.send(arp_request(lan.outside.mac, "10.225.51.200", A))
    assert [step.node for step in trace.steps if step.reason is Reason.ARP_FENCED] == ["n1"]
    assert lan.outside.answers(A) == []
    mark = lan.router.mark()
    lan.world.drivers["n1"].announce()
    (failure,) = lan.grant("n1")
    assert (failure.reason, lan.router.frames(mark)) == ("Fenced", [])
    lan.renew("n1")
    assert lan.outside.answers(A) == []
    assert lan.grant("n1") == []
    assert lan.router.announcements(mark) == [(A, lan.mac("n1"))]
    assert lan.outside.answers(A) == [lan.mac("n1")]


def test_fence_holds_although_nobody_looks(lan: Lan) -> None:
    """A stamp that comes after the time was over does not bring back what was not announced again."""
    lan.renew("n1", Contact(fresh_for=10, answers_for=30))
    lan.grant("n1")
    lan.site.advance(31)
    lan.renew("n1", Contact(fresh_for=10, answers_for=30))
    assert (lan.held("n1"), lan.outside.answers(A)) == ([], [])


def test_renewed_stamp_moves_the_fence(lan: Lan) -> None:
    """While an agent renews, time passes without a gap, and a stamp without an end takes the fence away."""
    lan.renew("n1", Contact(fresh_for=10, answers_for=30))
    lan.grant("n1")
    for _ in range(5):
        lan.site.advance(20)
        lan.renew("n1", Contact(fresh_for=10, answers_for=30))
    assert lan.outside.answers(A) == [lan.mac("n1")]
    lan.renew("n1")
    lan.site.advance(1000)
    assert lan.outside.answers(A) == [lan.mac("n1")]


def test_agent_that_starts_anew_finds_table_stamp_and_conflicts(lan: Lan) -> None:
    """All of it is the dataplane's: it holds while no agent runs, and the next one reads it."""
    lan.renew("n1")
    lan.grant("n1")
    lan.router.claim(A)
    lan.world.drivers["n1"] = lan.site.driver("n1")
    assert (lan.held("n1"), list(lan.conflicts("n1"))) == ([A], [A])
    assert lan.outside.answers(A) == [lan.mac("n1")]
    lan.site.advance(10)
    lan.router.claim(A)
    lan.world.drivers["n1"] = lan.site.driver("n1")
    assert (lan.held("n1"), lan.conflicts("n1")) == ([], {})
    assert [failure.reason for failure in lan.grant("n1")] == [OUT_OF_CONTACT]


def test_switched_off_node_answers_nothing_until_it_is_told(lan: Lan) -> None:
    """Another Node takes over meanwhile; the machine that comes back is silent, and its stamp is gone."""  # ARPA-D5
    lan.renew("n1", Contact(fresh_for=10, answers_for=30))
    lan.grant("n1")
    assert entered(lan.outside.ping(A).trace)[0] == "n1"
    lan.site.switch_off("n1")
    assert lan.outside.answers(A) == []
    lan.grant("n2", term=2)
    lan.site.switch_on("n1")
    assert lan.held("n1") == []
    assert lan.outside.answers(A) == [lan.mac("n2")]
    lan.site.advance(60)
    lan.withdraw("n2")
    lan.renew("n1")
    assert lan.grant("n1", term=3) == []
    assert lan.outside.answers(A) == [lan.mac("n1")]


def test_stale_node_that_was_cut_off_yields_when_it_hears_the_new_one(lan: Lan) -> None:
    """While it is cut off both sides have one answerer; when the cut ends the next announcement settles it."""
    lan.renew("n1")
    lan.grant("n1")
    lan.site.split({"n1", "router"})
    lan.site.advance(15)
    lan.renew("n2")
    lan.grant("n2", term=2)
    assert lan.router.answers(A) == [lan.mac("n1")]
    assert lan.outside.answers(A) == [lan.mac("n2")]
    lan.site.split()
    lan.world.drivers["n2"].announce()
    assert (lan.held("n1"), lan.held("n2")) == ([], [A])
    assert lan.router.answers(A) == [lan.mac("n2")]
    assert lan.conflicts("n2") == {}


def test_stale_node_yields_before_the_new_one_answers(lan: Lan) -> None:
    """A Node whose agent is dead hears the announcement: when it returns only the new Node answers."""  # ARPA-D5
    lan.renew("n1")
    lan.grant("n1")
    lan.site.advance(15)
    lan.grant("n2", term=2)
    assert lan.outside.answers(A) == [lan.mac("n2")]
    assert (lan.held("n1"), lan.held("n2")) == ([], [A])


def test_host_of_the_node_never_takes_the_address_for_its_own(lan: Lan) -> None:
    """Neither ARP on another NIC nor a packet makes the Node's host answer for it."""  # ARPA-D2
    far = outsider(lan.site, "far", "10.225.51.99/24", EXTERNAL_ETHERNET)
    lan.site.add_uplink("n1", "eth1", IPv4Interface("10.225.51.91/24"))
    lan.grant("n1")
    assert far.answers(A) == []
    assert not lan.outside.ping(A)
    to = mac_bytes(lan.mac("n1", "eth1"))
    mark = far.mark()
    far.send(to + far.mac + b"\x08\x00" + packet("10.225.51.99", A, 1, b"\x08\x00\xf7\xff" + bytes(4)))
    assert far.frames(mark) == []


def test_address_of_a_node_that_went_can_be_answered(lan: Lan) -> None:
    """What is refused now is taken when its cause is gone."""
    driver = lan.world.drivers["n1"]
    driver.apply(Delta(add=(Underlay("n9", IPv4Address(A)),)))
    assert [failure.reason for failure in lan.grant("n1")] == ["AddressIsANodes"]
    driver.apply(Delta(remove=(Underlay("n9", IPv4Address(A)),)))
    assert lan.grant("n1") == []
