"""A Node's agent: its Lease, when it counts as in contact, what it tells its dataplane, and what it says of it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface

import pytest
from attrs import evolve
from tests.agent.station import BEGINNING, NODE, OTHER, SECOND, Station, Unreachable

from juneau.engine.objects import Key, Time
from juneau.engine.settings import NodeSettings, Settings
from juneau.lab.immediate import run
from juneau.resources.lease import LeaseSpec, lease_key

FRESH = 13.0  # seconds of a Lease of 15, less the skew of clocks
RENEWAL = 5.0


@pytest.fixture
def station() -> Station:
    return Station()


def answering(node_settings: NodeSettings | None = None) -> Station:
    """A Node that answers for an address."""
    station = Station(node_settings)
    station.renew()
    station.grant()
    station.work()
    assert station.ask() == 1
    return station


# Its Lease.


def test_the_lease_says_whose_it_is_and_since_when(station: Station) -> None:
    """It belongs to the Node's object, and goes with it."""
    station.renew()
    held = station.lease()
    assert held.spec == LeaseSpec(NODE, 15, Time(BEGINNING), Time(BEGINNING))
    (owner,) = held.metadata.owner_references
    assert (owner.api_version, owner.kind, owner.name) == ("v1", "Node", NODE)
    run(station.store.delete(Key("Node", "", NODE)))
    with pytest.raises(Exception, match=r"not found"):
        station.lease()


def test_a_renewal_changes_the_time_of_renewal_alone(station: Station) -> None:
    """Since when it is held stays, and so does what others have written."""
    station.renew()
    held = station.lease()
    spec = evolve(held.spec, strategy="OldestEmulationVersion", lease_transitions=3)
    run(station.store.update(evolve(held.with_metadata(labels={"team": "net"}), spec=spec)))
    station.pass_time(RENEWAL)
    station.renew()
    renewed = station.lease()
    assert renewed.spec == evolve(spec, renew_time=Time(BEGINNING + RENEWAL))
    assert (renewed.metadata.labels, renewed.metadata.uid) == ({"team": "net"}, held.metadata.uid)


def test_a_lease_that_was_deleted_is_made_anew(station: Station) -> None:
    """Whoever took it away did not stop the agent."""
    station.renew()
    run(station.store.delete(lease_key(NODE)))
    station.pass_time(RENEWAL)
    station.renew()
    assert station.lease().spec.renew_time == BEGINNING + RENEWAL


def test_a_lease_that_somebody_else_wrote_is_taken_over(station: Station) -> None:
    """It has the Node's name, so it says what the Node's agent says: its length is the flag's."""
    station.renew()
    held = station.lease()
    run(station.store.update(held.with_spec(holder_identity="nobody", lease_duration_seconds=3600)))
    station.renew()
    assert (station.lease().spec.holder_identity, station.lease().spec.lease_duration_seconds) == (NODE, 15)


def test_an_agent_whose_node_has_no_object_holds_a_lease_all_the_same() -> None:
    """The object may come later, as a kubelet makes it; nobody owns the Lease then."""
    station = Station()
    run(station.store.delete(Key("Node", "", NODE)))
    station.renew()
    assert station.lease().metadata.owner_references == ()


# In contact, or not.


def test_before_the_first_renewal_an_agent_is_out_of_contact(station: Station) -> None:
    """It takes no address on and says nothing, since what it knows may be old."""
    station.grant()
    station.work()
    assert not station.agent.in_contact
    assert (station.ask(), station.answer()) == (0, None)
    station.renew()
    station.work()
    assert station.agent.in_contact
    assert (station.ask(), station.said()) == (1, ("Announced", 1, ""))


@pytest.mark.parametrize(("lease", "fresh"), [("15s", 13.0), ("60s", 58.0), ("4s", 2.0), ("3s", 1.5)])
def test_contact_ends_before_the_lease_does(lease: str, fresh: float) -> None:
    """By two seconds, for clocks that differ; of a very short Lease half is left."""
    station = Station(settings=Settings(node_lease=lease))
    station.renew()
    station.pass_time(fresh - 0.001)
    assert station.agent.in_contact
    station.pass_time(0.001)
    assert not station.agent.in_contact


def test_contact_counts_from_when_the_renewal_was_asked_for() -> None:
    """The Lease has that time; how long the answer took is not added."""
    station = Station()
    station.line.delay = 1.0
    station.renew()  # each call takes a second
    calls = len(station.line.calls)
    assert calls >= 2
    assert station.lease().spec.renew_time == BEGINNING
    station.line.delay = 0.0
    station.pass_time(FRESH - calls - 0.001)
    assert station.agent.in_contact
    station.pass_time(0.001)
    assert not station.agent.in_contact


def test_a_renewal_that_took_longer_than_the_lease_brings_no_contact(station: Station) -> None:
    """By the time its answer is there, somebody else may have been granted what this Node had."""
    station.line.delay = 8.0
    station.renew()
    assert not station.agent.in_contact
    station.line.delay = 0.0
    station.renew()
    assert station.agent.in_contact


def test_an_api_server_that_cannot_be_reached_ends_contact_in_time() -> None:
    """The failure is the caller's to know; until the Lease runs out nothing changes, and the Node goes on answering."""
    station = answering()
    station.line.is_up = False
    station.pass_time(FRESH - 0.5)
    with pytest.raises(Unreachable):
        station.renew()
    assert station.agent.in_contact
    station.pass_time(0.5)
    assert not station.agent.in_contact
    assert station.ask() == 1


def test_who_comes_back_into_contact_reads_what_was_decided_before_it_counts() -> None:
    """Its watches are behind; what is wanted elsewhere is withdrawn before the dataplane is stamped."""
    station = answering()
    station.hears = False
    station.grant(NODE, wanted=OTHER)
    station.pass_time(60.0)
    asked: list[int] = []
    station.line.on_list = lambda _kind: asked.append(station.lease().spec.renew_time == station.now())
    station.renew()
    assert asked
    assert all(asked), "the Lease is renewed first: who takes an address after that sees it"
    assert station.agent.in_contact
    assert station.ask() == 0
    station.work()
    assert station.said() == ("Withdrawn", 1, "")


def test_who_is_in_contact_reads_nothing_anew() -> None:
    """A renewal costs two calls, however much there is."""
    station = answering()
    station.pass_time(RENEWAL)
    station.line.calls.clear()
    station.renew()
    station.work()
    assert station.line.calls == ["get Lease", "update Lease"]


def test_who_moves_time_on_himself_can_keep_an_agent_in_contact(station: Station) -> None:
    """As if the Lease were renewed all the while; one that is out of contact is not brought into it."""
    station.agent.stay_in_contact(Time(BEGINNING + 100.0))
    assert not station.agent.in_contact
    station.renew()
    station.agent.stay_in_contact(Time(BEGINNING + 100.0))
    station.pass_time(100.0)
    assert station.agent.in_contact
    station.pass_time(FRESH)
    assert not station.agent.in_contact


# What it says of its dataplane.


def test_a_grant_that_moves_on_is_withdrawn_and_said_to_be() -> None:
    """The dataplane stops first."""
    station = answering()
    station.grant(NODE, wanted=OTHER)
    station.work()
    assert (station.ask(), station.said()) == (0, ("Withdrawn", 1, ""))


def test_a_grant_under_a_new_number_is_announced_anew() -> None:
    """Neighbours may have learned another Node's MAC in between."""
    station = answering()
    station.grant(OTHER)
    station.work()
    since = station.mark()
    station.grant(NODE)
    station.work()
    assert (station.announced(since), station.said()) == (1, ("Announced", 3, ""))


def test_what_others_are_granted_is_not_spoken_about(station: Station) -> None:
    """Neither answered nor reported."""
    station.renew()
    station.grant(OTHER)
    station.work()
    assert (station.ask(), station.answer()) == (0, None)


def test_an_address_that_the_dataplane_refuses_is_reported_with_the_reason(station: Station) -> None:
    """And taken back when the reason is gone, here by another address under the same name."""
    station.renew()
    station.grant(address=IPv4Address("192.0.2.7"))
    station.work()
    assert station.said() == ("Refused", 1, "AddressOutsideSubnet")
    found = station.answer()
    assert found is not None
    assert "192.0.2.7 is not in the subnet of eth0 of Node n1 (10.225.51.0/24)" in found.message
    writes = station.versions()
    station.pass_time(30.0, every=RENEWAL)
    station.line.calls.clear()
    station.work()
    assert station.line.calls == [], "the same refusal is no news"
    assert writes < station.versions(), "Leases were renewed"


def test_an_address_that_can_be_applied_after_all_is_reported_too(station: Station) -> None:
    """Nothing about the object has changed: the Node's NIC has got another subnet."""
    station.renew()
    station.grant(address=IPv4Address("192.0.2.7"))
    station.work()
    assert station.said()[0] == "Refused"
    station.site.add_address(NODE, NODE, "eth0", IPv4Interface("192.0.2.1/24"))
    station.work()
    assert (station.ask(IPv4Address("192.0.2.7")), station.said()) == (1, ("Announced", 1, ""))


def test_a_foreign_announcement_is_reported_and_not_obeyed() -> None:
    """While in contact the Node knows better; the MAC is told, and forgotten with the next grant."""
    station = answering()
    mac = station.somebody_announces()
    station.work()
    found = station.answer()
    assert found is not None
    assert (found.state, found.conflict) == ("Announced", mac)
    assert station.ask() == 1
    station.line.calls.clear()
    station.work()
    assert station.line.calls == []
    station.grant(OTHER)
    station.work()
    station.grant(NODE)
    station.work()
    found = station.answer()
    assert found is not None
    assert (found.state, found.term, found.conflict) == ("Announced", 3, "")


def test_who_was_heard_is_forgotten_when_he_has_been_silent_for_long() -> None:
    """Five minutes after his last frame under the address; each frame counts."""
    station = answering()
    mac = station.somebody_announces()
    station.pass_time(200.0, every=RENEWAL)
    station.somebody_announces()
    for passed, told in ((299.0, mac), (1.0, "")):
        station.pass_time(passed, every=RENEWAL)
        station.renew()
        station.work()
        found = station.answer()
        assert found is not None
        assert (found.state, found.conflict) == ("Announced", told)


def test_out_of_contact_an_address_is_yielded_and_in_contact_it_is_taken_back() -> None:
    """It was granted to nobody else after all: so it is announced again before it is answered for."""
    station = answering()
    station.pass_time(FRESH)
    station.somebody_announces()
    assert station.ask() == 0
    station.work()
    assert station.ask() == 0
    since = station.mark()
    station.renew()
    station.work()
    assert (station.announced(since), station.ask(), station.said()) == (1, 1, ("Announced", 1, ""))


def test_nothing_is_said_while_out_of_contact_and_nothing_is_forgotten() -> None:
    """What was withdrawn meanwhile is reported as soon as it counts."""
    station = answering()
    station.pass_time(FRESH)
    station.grant(NODE, wanted=OTHER)
    station.work()
    assert (station.ask(), station.said()) == (0, ("Announced", 1, ""))
    station.renew()
    station.work()
    assert station.said() == ("Withdrawn", 1, "")


def test_a_report_that_does_not_arrive_is_made_again() -> None:
    """In contact all the while: who waits for the withdrawal would wait for ever."""
    station = answering()
    station.grant(NODE, wanted=OTHER)
    station.line.is_up = False
    with pytest.raises(Unreachable):
        station.work()
    station.line.is_up = True
    assert station.said() == ("Announced", 1, "")
    station.work()
    assert station.said() == ("Withdrawn", 1, "")


@pytest.mark.parametrize(("passed", "answers"), [(19.9, 1), (20.0, 0)])
def test_a_fence_silences_a_node_that_is_cut_off(passed: float, answers: int) -> None:
    """`--arp-fence-after`, counted from the last renewal; back in contact it answers again, announced first."""
    station = answering(NodeSettings(arp_fence_after=20.0))
    station.pass_time(passed)
    assert station.ask() == answers
    since = station.mark()
    station.renew()
    station.work()
    assert (station.announced(since), station.ask()) == (1 - answers, 1)


def test_the_fence_counts_from_when_the_last_renewal_was_asked_for() -> None:
    """However long its answer took."""
    station = answering(NodeSettings(arp_fence_after=20.0))
    begun = station.now()
    station.line.delay = 2.0
    station.renew()
    station.line.delay = 0.0
    station.pass_time(begun + 19.9 - station.now())
    assert station.ask() == 1
    station.pass_time(0.2)
    assert station.ask() == 0


# Announcements by the clock.


def test_what_is_answered_for_is_announced_every_minute() -> None:
    """Each address once, however many there are, and not one that was given up."""
    station = answering()
    station.grant(address=SECOND, name="other")
    station.work()
    since = station.mark()
    station.pass_time(180.5, every=RENEWAL)
    assert (station.announced(since), station.announced(since, SECOND)) == (3, 3)
    station.grant(OTHER, address=SECOND, name="other")
    station.work()
    since = station.mark()
    station.pass_time(120.0, every=RENEWAL)
    assert (station.announced(since), station.announced(since, SECOND)) == (2, 0)


def test_an_interval_of_nothing_means_only_at_takeover() -> None:
    """`--arp-interval 0` asks the clock for nothing."""
    station = answering(NodeSettings(arp_interval=0.0))
    assert station.clock.next_due() is None
    since = station.mark()
    station.pass_time(600.0, every=RENEWAL)
    assert station.announced(since) == 0


def test_out_of_contact_nothing_is_announced() -> None:
    """Somebody else may have it by now; it goes on when contact is back."""
    station = answering(NodeSettings(arp_interval=30.0))
    since = station.mark()
    station.pass_time(95.0)
    assert (station.announced(since), station.ask()) == (0, 1)
    station.renew()
    station.pass_time(26.0, every=RENEWAL)
    assert station.announced(since) == 1


def test_with_nothing_to_announce_the_clock_is_left_alone() -> None:
    """And asked again when there is something."""
    station = answering()
    station.grant(OTHER)
    station.work()
    station.pass_time(60.0, every=RENEWAL)
    assert station.clock.next_due() is None
    station.grant(NODE)
    station.work()
    since = station.mark()
    station.pass_time(60.0, every=RENEWAL)
    assert station.announced(since) == 1


def test_an_agent_that_was_closed_announces_nothing() -> None:
    """Its Node is gone, or another process has taken over; the one before would announce what it knows of for ever."""
    station = answering(NodeSettings(arp_interval=5.0))
    since = station.mark()
    station.agent.close()
    station.pass_time(5.0)
    assert station.agent.in_contact
    assert (station.announced(since), station.clock.next_due()) == (0, None)


def test_an_agent_that_was_closed_touches_its_dataplane_no_more() -> None:
    """Several agents share a map of intents, and the others go on."""
    station = answering()
    station.agent.close()
    station.grant(NODE, wanted=OTHER)
    station.work()
    assert station.ask() == 1


# A process that starts anew.


def test_a_restart_on_a_running_dataplane_changes_nothing() -> None:
    """Only the Lease is written: the address is answered for all the while, and not announced for nothing."""
    station = answering()
    station.grant(address=SECOND, name="other", to=OTHER)
    station.work()
    since, writes = station.mark(), station.versions()
    station.agent.close()
    station.start()
    assert station.ask() == 1
    station.renew()
    station.work()
    assert station.ask() == 1
    assert station.announced(since) == 0
    assert station.versions() == writes, "at the same time even the Lease says the same"
    station.pass_time(1.0)
    station.renew()
    station.work()
    assert station.versions() == writes + 1
    station.pass_time(60.0, every=RENEWAL)
    assert station.announced(since) == 1, "what it found there is announced by the clock as before"


def test_a_restart_withdraws_what_was_moved_meanwhile() -> None:
    """The dataplane has kept it without an agent; the new one finds it there and takes it out."""
    station = answering()
    station.agent.close()
    station.grant(NODE, wanted=OTHER)
    assert station.ask() == 1
    station.start()
    station.renew()
    station.work()
    assert (station.ask(), station.said()) == (0, ("Withdrawn", 1, ""))


def test_a_restart_reports_what_the_process_before_could_not() -> None:
    """It died between the dataplane and the API server."""
    station = Station()
    station.renew()
    station.grant()
    station.line.is_up = False
    with pytest.raises(Unreachable):
        station.work()
    assert (station.ask(), station.answer()) == (1, None)
    station.line.is_up = True
    station.agent.close()
    station.start()
    station.renew()
    station.work()
    assert station.said() == ("Announced", 1, "")


def test_a_machine_that_was_switched_off_starts_with_an_empty_table() -> None:
    """Its stamp is gone too: nothing is answered before it is in contact again, and announced first."""
    station = answering()
    station.site.switch_off(NODE)
    station.agent.close()
    assert station.ask() == 0
    station.site.switch_on(NODE)
    station.start()
    station.work()
    assert station.ask() == 0
    since = station.mark()
    station.renew()
    station.work()
    assert (station.announced(since), station.ask(), station.said()) == (1, 1, ("Announced", 1, ""))
