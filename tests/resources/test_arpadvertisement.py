"""ARPAdvertisement: its rules by their numbers, to whom an address is granted, and what its Node's agent says of it.

No agent runs here; what one would say is written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import Any

import pytest
from attrs import evolve
from tests.resources.outside import host, linger, network
from tests.resources.world import World

from juneau.engine.driver import OUT_OF_CONTACT, Failure
from juneau.engine.errors import Forbidden
from juneau.engine.intents import ARPAnswer, ExternalPrefix, Intent, IntentKey
from juneau.engine.nodeview import NodeView
from juneau.engine.objects import AnyObject, Key, Time, condition
from juneau.engine.outcome import Unchanged
from juneau.engine.step import take_step
from juneau.engine.world import Reader
from juneau.resources import arpadvertisement, lease
from juneau.resources.arpadvertisement import report
from juneau.resources.arpadvertisementspec import FINALIZER
from juneau.resources.handover import Answer, AnswerState, Grant
from juneau.resources.lease import LeaseSpec, lease_key

ARP_ADVERTISEMENT = arpadvertisement.KIND
KIND = ARP_ADVERTISEMENT.name
FIRST, SECOND, LAST, BEYOND = (f"10.225.51.{number}" for number in (200, 201, 203, 204))
LEASE = 15.0  # the default
READY = ("Ready", "True", "Announced")
NO_NODE = 'spec.nodeName: Not found: "worker-9": no such Node'


@pytest.fixture
def site(world: World) -> World:
    """Two Nodes, and the ExternalNetwork `lan` of type arp with 10.225.51.200 to 10.225.51.203."""
    host(world, "worker-1", "10.225.51.11")
    host(world, "worker-2", "10.225.51.12")
    network(world, "lan")
    return world


def ad(**changes: Any) -> dict[str, Any]:
    """The fields of a spec that nothing is wrong with."""
    return {"externalNetwork": "lan", "address": FIRST, "nodeName": "worker-1"} | changes


def renew(world: World, node: str) -> None:
    """What a Node's agent does to its Lease."""
    key, now = lease_key(node), world.clock.now()
    held = world.find(key)
    if held is None:
        world.put(lease.KIND.new(key.name, LeaseSpec(node, 15, now, now), key.namespace))
    else:
        world.write(held.with_spec(renew_time=now))


def say(world: World, name: str, state: AnswerState, reason: str = "", message: str = "", conflict: str = "") -> None:
    """What the agent of the Node that has the grant says of it."""
    held = world.get(KIND, name)
    grant = held.status.grant
    answer = Answer(grant.node_name, grant.term, state.value, reason, message, conflict)
    world.set_status(held.with_status(answer=answer))


def grant(world: World, name: str) -> tuple[str, int]:
    """To whom, and under which number."""
    held: Grant = world.status(KIND, name).grant
    return held.node_name, held.term


def announced(world: World, name: str = "eip", **changes: Any) -> AnyObject:
    """An ARPAdvertisement whose Node answers."""
    made = world.create(KIND, name, **ad(**changes))
    renew(world, made.spec.node_name)
    say(world, name, AnswerState.ANNOUNCED)
    return world.get(KIND, name)


@pytest.mark.parametrize("field", ["externalNetwork", "address", "nodeName"])
def test_arpa_1_all_three_fields_are_required(site: World, field: str) -> None:
    """Missing or empty, the error names the field."""
    spec = ad()
    del spec[field]
    for faulty in (spec, ad(**{field: ""})):
        (fault,) = site.faults(KIND, "eip", **faulty)
        assert fault.startswith(f"spec.{field}: Required value")


@pytest.mark.parametrize(("field", "value"), [("externalNetwork", "other"), ("address", SECOND)])
def test_arpa_2_and_3_network_and_address_never_change(site: World, field: str, value: str) -> None:
    """Both would be another advertisement."""
    site.create("AddressPool", "other", advertiseMode="arp", addresses=["10.225.51.210-10.225.51.211"])
    site.create("ExternalNetwork", "other", type="arp", addressPools=["other"])
    site.create(KIND, "eip", **ad())
    faults = site.update_faults(KIND, "eip", **{field: value})
    assert any(fault.startswith(f"spec.{field}: ") and "immutable" in fault for fault in faults), faults


def test_arpa_4_the_node_may_change(site: World) -> None:
    """That is how an address moves."""
    site.create(KIND, "eip", **ad())
    assert site.update_faults(KIND, "eip", nodeName="worker-2") == []


@pytest.mark.parametrize("address", ["banana", "10.225.51.200/24", "10.225.51.256", "010.225.51.200", "fd00::1"])
def test_arpa_5_the_address_is_an_ipv4_address(site: World, address: str) -> None:
    """Anything else is refused with an example; no second thing is said about it."""
    assert site.faults(KIND, "eip", **ad(address=address)) == [
        f'spec.address: Invalid value: "{address}": must be an IPv4 address, such as "192.0.2.200"'
    ]


def test_arpa_6_the_network_exists(site: World) -> None:
    """A missing one is refused."""
    faults = site.faults(KIND, "eip", **ad(externalNetwork="wan"))
    assert faults == ['spec.externalNetwork: Not found: "wan": no such ExternalNetwork']


def test_arpa_7_the_network_is_of_type_arp(site: World) -> None:
    """Addresses of the others are routed, and nobody asks for them."""
    network(site, "edge")
    (fault,) = site.faults(KIND, "eip", **ad(externalNetwork="edge", address="203.0.113.4"))
    assert fault.startswith('spec.externalNetwork: Invalid value: "edge": is of type bgp')


@pytest.mark.parametrize("address", ["10.225.51.199", BEYOND, "192.0.2.1"])
def test_arpa_8_the_address_is_in_a_pool_of_the_network(site: World, address: str) -> None:
    """The error names the pools that were looked at."""
    (fault,) = site.faults(KIND, "eip", **ad(address=address))
    assert fault.startswith(
        f'spec.address: Invalid value: "{address}": must lie in an AddressPool of ExternalNetwork lan'
    )
    assert fault.endswith('"lan-pool"')


@pytest.mark.parametrize("address", [FIRST, LAST])
def test_arpa_8_both_ends_of_a_range_are_in_it(site: World, address: str) -> None:
    """Ranges are inclusive."""
    assert site.faults(KIND, "eip", **ad(address=address)) == []


def test_arpa_8_any_pool_of_the_network_will_do(site: World) -> None:
    """A second pool is looked at where the first has not got it."""
    site.create("AddressPool", "more", advertiseMode="arp", addresses=["10.225.51.210-10.225.51.211"])
    site.update("ExternalNetwork", "lan", addressPools=["lan-pool", "more"])
    assert site.faults(KIND, "eip", **ad(address="10.225.51.211")) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (None, 'AddressPool "gone" of ExternalNetwork wide does not exist, so it cannot be judged'),
        (["banana"], 'AddressPool "gone" of ExternalNetwork wide has an entry that cannot be read'),
    ],
)
def test_arpa_9_a_pool_that_cannot_be_judged_is_named(site: World, broken: list[str] | None, said: str) -> None:
    """Before a match is found that is another error than not to be in range; after one it does not matter."""
    site.create("AddressPool", "far", advertiseMode="arp", addresses=["10.225.51.220-10.225.51.221"])
    if broken is not None:
        site.force_new("AddressPool", "gone", advertiseMode="arp", addresses=broken)
    site.force_new("ExternalNetwork", "wide", type="arp", addressPools=["gone", "far"])
    site.force_new("ExternalNetwork", "long", type="arp", addressPools=["far", "gone"])
    faults = site.faults(KIND, "eip", **ad(externalNetwork="wide", address="10.225.51.220"))
    assert faults == [f'spec.address: Invalid value: "10.225.51.220": {said}']
    assert site.faults(KIND, "eip", **ad(externalNetwork="long", address="10.225.51.220")) == []


def test_arpa_10_the_node_exists(site: World) -> None:
    """A Node that is not there is refused, also for a move."""
    assert site.faults(KIND, "eip", **ad(nodeName="worker-9")) == [NO_NODE]
    site.create(KIND, "eip", **ad())
    assert site.update_faults(KIND, "eip", nodeName="worker-9") == [NO_NODE]


def test_arpa_11_a_nodes_own_address_is_refused(site: World) -> None:
    """The error names that Node, whichever Node is to answer."""
    host(site, "worker-3", SECOND)
    (fault,) = site.faults(KIND, "eip", **ad(address=SECOND))
    assert fault.startswith(f'spec.address: Invalid value: "{SECOND}": is the InternalIP of Node worker-3')


def test_arpa_12_one_address_has_one_advertisement(site: World) -> None:
    """403 Forbidden; address and holder are named."""
    announced(site)
    with pytest.raises(Forbidden) as refused:
        site.create(KIND, "other", **ad(nodeName="worker-2"))
    assert refused.value.message.endswith(
        f'ARPAdvertisement "eip" has the address {FIRST}, and only one Node answers for it'
    )
    assert site.faults(KIND, "next", **ad(address=SECOND)) == []


def test_arpa_12_one_that_is_being_deleted_has_its_address_still(site: World) -> None:
    """Its Node may be answering; only when it is gone the address is free."""
    announced(site)
    site.delete(KIND, "eip")
    with pytest.raises(Forbidden):
        site.create(KIND, "other", **ad(nodeName="worker-2"))
    say(site, "eip", AnswerState.WITHDRAWN)
    assert site.find(Key(KIND, "", "eip")) is None
    assert site.faults(KIND, "other", **ad(nodeName="worker-2")) == []


def test_arpa_12_counts_only_when_all_else_holds(site: World) -> None:
    """What is wrong with the object itself is said first, as 422."""
    announced(site)
    assert site.faults(KIND, "other", **ad(nodeName="worker-9")) == [NO_NODE]


def test_arpa_12_an_advertisement_is_no_rival_of_its_own(site: World) -> None:
    """An update of the one that has the address is judged by the others alone."""
    announced(site)
    assert site.update_faults(KIND, "eip", nodeName="worker-2") == []
    site.force_new(KIND, "stray", **ad(nodeName="worker-2"))
    with pytest.raises(Forbidden):
        site.update(KIND, "eip", nodeName="worker-1")


def test_what_is_being_deleted_is_not_judged_by_the_world_any_more(site: World) -> None:
    """ARPA-6 to ARPA-12 would keep its metadata from being changed; what it says itself still makes sense."""
    held = announced(site)
    site.force_new(KIND, "stray", **ad(nodeName="worker-2"))
    site.delete(KIND, "eip")
    site.force_delete("Node", "worker-1")
    site.force_delete("ExternalNetwork", "lan")
    lost = site.get(KIND, "eip")
    assert site.write(lost.with_metadata(labels={"who": "cares"})).metadata.labels == {"who": "cares"}
    assert held.metadata.uid == lost.metadata.uid


def test_a_deletion_is_never_refused(site: World) -> None:
    """Also of one whose Node is silent; it stays until nobody can answer any more."""
    announced(site)
    site.delete(KIND, "eip")
    assert site.ready(KIND, "eip") == ("Pending", "False", "Deleting")
    assert site.waits(KIND, "eip") == [(str(lease_key("worker-1")), "spec.renewTime")]


def test_an_address_is_granted_and_then_announced(site: World) -> None:
    """The controller grants, and the Node says when it answers."""
    site.create(KIND, "eip", **ad())
    assert grant(site, "eip") == ("worker-1", 1)
    assert site.get(KIND, "eip").metadata.finalizers == (FINALIZER,)
    assert site.ready(KIND, "eip") == ("Allocated", "False", "WaitingForAnnouncement")
    say(site, "eip", AnswerState.ANNOUNCED)
    assert site.ready(KIND, "eip") == READY


def test_an_address_moves_when_its_node_has_withdrawn(site: World) -> None:
    """ARPA-D5: while the old Node is waited for nobody else is asked to answer."""
    announced(site)
    site.update(KIND, "eip", nodeName="worker-2")
    assert site.ready(KIND, "eip") == ("Allocated", "False", "WaitingForWithdrawal")
    assert site.intents(KIND, "eip") == []
    say(site, "eip", AnswerState.WITHDRAWN)
    assert grant(site, "eip") == ("worker-2", 2)
    assert site.ready(KIND, "eip") == ("Allocated", "False", "WaitingForAnnouncement")
    say(site, "eip", AnswerState.ANNOUNCED)
    assert site.ready(KIND, "eip") == READY


def test_an_address_moves_when_the_lease_of_its_node_has_run_out(site: World) -> None:
    """It does so by itself, at that time; renewals put it off."""
    announced(site)
    site.update(KIND, "eip", nodeName="worker-2")
    site.advance(LEASE - 1)
    renew(site, "worker-1")
    site.advance(LEASE - 0.5)
    assert grant(site, "eip") == ("worker-1", 1)
    site.advance(0.5)
    assert grant(site, "eip") == ("worker-2", 2)


def test_before_an_address_is_taken_from_a_silent_node_the_server_is_asked(site: World) -> None:
    """The step goes through only if the Lease is as the controller has read it."""
    announced(site)
    site.update(KIND, "eip", nodeName="worker-2")
    site.clock.advance(LEASE)
    outcome, after = take_step(ARP_ADVERTISEMENT, site.get(KIND, "eip"), Reader(site.cache), site.clock.now())
    assert outcome.writes == (Unchanged(site.get("Lease", f"{lease_key('worker-1').namespace}/juneau-agent.worker-1")),)
    assert after.status.grant.node_name == "worker-2"


def test_what_the_old_node_says_late_does_not_count(site: World) -> None:
    """An answer to another grant is no answer to this one."""
    announced(site)
    before = site.status(KIND, "eip").answer
    site.update(KIND, "eip", nodeName="worker-2")
    say(site, "eip", AnswerState.WITHDRAWN)
    held = site.get(KIND, "eip")
    site.set_status(held.with_status(answer=before))
    assert site.ready(KIND, "eip") == ("Allocated", "False", "WaitingForAnnouncement")


def test_a_move_that_is_taken_back_keeps_the_grant(site: World) -> None:
    """Under the same number: the Node has perhaps not even heard of it."""
    announced(site)
    site.update(KIND, "eip", nodeName="worker-2")
    site.update(KIND, "eip", nodeName="worker-1")
    assert (grant(site, "eip"), site.ready(KIND, "eip")) == (("worker-1", 1), READY)


def test_a_node_that_is_gone_still_has_to_be_silent_for_so_long(site: World) -> None:
    """That its object was deleted stops no machine; its Lease, or the time without one, decides."""
    announced(site)
    site.force_delete("Node", "worker-1")
    assert site.ready(KIND, "eip") == ("Allocated", "False", "NodeNotFound")
    site.update(KIND, "eip", nodeName="worker-2")
    assert site.ready(KIND, "eip") == ("Allocated", "False", "WaitingForWithdrawal")
    site.advance(LEASE)
    assert grant(site, "eip") == ("worker-2", 2)


def test_without_a_lease_the_silence_is_counted_from_when_it_was_found(site: World) -> None:
    """Nobody has ever heard of that Node's agent; the count shows in the grant."""
    site.create(KIND, "eip", **ad())
    site.advance(1000.0)
    site.update(KIND, "eip", nodeName="worker-2")
    assert site.status(KIND, "eip").grant.unheard == site.clock.now()
    site.advance(LEASE - 0.1)
    assert grant(site, "eip") == ("worker-1", 1)
    site.advance(0.1)
    assert grant(site, "eip") == ("worker-2", 2)
    assert site.status(KIND, "eip").grant.unheard is None


@pytest.mark.parametrize(
    ("reason", "row"),
    [
        ("AddressOutsideSubnet", ("Failed", "False", "AddressOutsideSubnet")),
        ("AddressIsANodes", ("Failed", "False", "NotApplied")),
    ],
)
def test_what_a_node_cannot_do_is_said_with_its_words(site: World, reason: str, row: tuple[str, str, str]) -> None:
    """Failed, since time alone does not heal it; the message is the Node's."""
    site.create(KIND, "eip", **ad())
    say(site, "eip", AnswerState.REFUSED, reason, "the NIC has another subnet")
    assert site.ready(KIND, "eip") == row
    held = site.condition(KIND, "eip")
    assert held is not None
    assert held.message == "the NIC has another subnet"
    say(site, "eip", AnswerState.ANNOUNCED)
    assert site.ready(KIND, "eip") == READY


def test_a_node_that_cannot_be_found_is_waited_for(site: World) -> None:
    """Its agent may come; the object says whom it waits for."""
    site.force_new(KIND, "eip", **ad(nodeName="worker-9"))
    assert site.ready(KIND, "eip") == ("Allocated", "False", "NodeNotFound")
    assert site.waits(KIND, "eip") == [("Node/worker-9", "metadata")]
    held = site.condition(KIND, "eip", "Valid")
    assert held is not None
    assert (held.status, held.message) == ("False", NO_NODE)


def test_of_two_stored_with_one_address_only_one_gets_the_grant(site: World) -> None:
    """Who has it already keeps it, else the older; the other waits for it and takes over when it is gone."""
    site.force_new(KIND, "zebra", **ad())
    site.advance(1.0)
    site.force_new(KIND, "ape", **ad(nodeName="worker-2"))
    assert grant(site, "zebra") == ("worker-1", 1)
    assert grant(site, "ape") == ("", 0)
    assert site.ready(KIND, "ape") == ("Pending", "False", "AddressInUse")
    assert site.waits(KIND, "ape") == [("ARPAdvertisement/zebra", "metadata")]
    assert site.intents(KIND, "ape") == []
    site.delete(KIND, "zebra")
    say(site, "zebra", AnswerState.WITHDRAWN)
    assert grant(site, "ape") == ("worker-2", 1)


def test_a_grant_counts_more_than_age(site: World) -> None:
    """An older one may come to have the address later; who answers goes on."""
    old = site.force_new(KIND, "old", **ad(address="banana", nodeName="worker-2"))
    site.advance(1.0)
    announced(site, "young")
    site.force(old.with_spec(address=FIRST))
    assert site.ready(KIND, "young") == READY
    assert site.ready(KIND, "old")[2] == "AddressInUse"


def test_of_two_that_have_no_grant_the_older_comes_first(site: World) -> None:
    """Both waited until a Node gave up the address."""
    host(site, "worker-3", SECOND)
    for name in ("zebra", "ape"):
        site.force_new(KIND, name, **ad(address=SECOND))
        site.advance(1.0)
    assert [site.ready(KIND, name)[2] for name in ("zebra", "ape")] == ["InvalidAddress", "InvalidAddress"]
    site.force_delete("Node", "worker-3")
    assert [grant(site, name)[0] for name in ("zebra", "ape")] == ["worker-1", ""]


def test_who_loses_to_a_rival_waits_until_his_node_has_withdrawn(site: World) -> None:
    """Two had the grant before the rule was there: the younger gives it back as in any other move."""
    site.force_new(KIND, "one", **ad())
    site.force_new(KIND, "two", **ad(nodeName="worker-2"))
    stray = site.get(KIND, "two")
    site.set_status(stray.with_status(grant=Grant("worker-2", 1, site.clock.now())))
    assert [grant(site, name)[0] for name in ("one", "two")] == ["worker-1", "worker-2"]
    assert site.intents(KIND, "two") == []
    say(site, "two", AnswerState.WITHDRAWN)
    assert [grant(site, name)[0] for name in ("one", "two")] == ["worker-1", ""]


def test_for_a_nodes_own_address_nobody_answers(site: World) -> None:
    """A Node that gets such an address takes it away from whoever answered: its host answers for it."""
    announced(site, "eip", address=SECOND)
    host(site, "worker-3", SECOND)
    assert site.ready(KIND, "eip") == ("Failed", "False", "InvalidAddress")
    assert (grant(site, "eip"), site.intents(KIND, "eip")) == (("worker-1", 1), [])
    say(site, "eip", AnswerState.WITHDRAWN)
    assert grant(site, "eip") == ("", 1)
    held = site.condition(KIND, "eip")
    assert held is not None
    assert held.message == f"{SECOND} is the InternalIP of Node worker-3"


def test_for_what_is_no_address_nobody_answers(site: World) -> None:
    """It is stored, and says so; neither controller nor Node stumbles over it."""
    held = site.force_new(KIND, "eip", **ad(address="banana"))
    assert site.ready(KIND, "eip") == ("Failed", "False", "InvalidAddress")
    assert (grant(site, "eip"), site.intents(KIND, "eip"), report(held, view())) == (("", 0), [], None)


def test_what_breaks_a_rule_by_now_says_so_and_goes_on(site: World) -> None:
    """An ExternalNetwork that is gone silences nobody; Valid tells."""
    announced(site)
    site.force_delete("ExternalNetwork", "lan")
    assert site.ready(KIND, "eip") == READY
    held = site.condition(KIND, "eip", "Valid")
    assert held is not None
    assert (held.status, held.message) == ("False", 'spec.externalNetwork: Not found: "lan": no such ExternalNetwork')


def test_who_else_announces_the_address_shows_in_a_condition_of_its_own(site: World) -> None:
    """AddressConflict: with the MAC, False when it is over, and not there as long as there never was one."""
    announced(site)
    assert site.condition(KIND, "eip", "AddressConflict") is None
    say(site, "eip", AnswerState.ANNOUNCED, conflict="02:00:00:00:00:99")
    held = site.condition(KIND, "eip", "AddressConflict")
    assert held is not None
    assert (held.status, held.reason) == ("True", "ForeignAnnouncement")
    assert held.message == f"02:00:00:00:00:99 announces {FIRST} too"
    assert site.ready(KIND, "eip") == READY
    say(site, "eip", AnswerState.ANNOUNCED)
    held = site.condition(KIND, "eip", "AddressConflict")
    assert held is not None
    assert (held.status, held.reason, held.message) == ("False", "NoConflict", "")


def test_the_grant_decides_what_dataplanes_are_told(site: World) -> None:
    """ARPA-D1: its Node answers, under the number of the grant, and takes delivery; nobody else does."""
    announced(site)
    address = IPv4Address(FIRST)
    wanted: list[Intent] = [ExternalPrefix(IPv4Network(address), "worker-1"), ARPAnswer(address, "worker-1", 1)]
    assert site.intents(KIND, "eip") == wanted
    site.delete(KIND, "eip")
    assert site.intents(KIND, "eip") == []


def test_other_finalizers_are_left_alone(site: World) -> None:
    """Ours comes off when nobody answers any more; the object stays for whoever else holds it."""
    announced(site)
    linger(site, KIND, "eip")
    say(site, "eip", AnswerState.WITHDRAWN)
    held = site.get(KIND, "eip")
    assert (held.metadata.finalizers, grant(site, "eip")) == (("example.com/hold",), ("", 1))
    assert site.ready(KIND, "eip") == ("Pending", "False", "Deleting")
    assert site.waits(KIND, "eip") == []


def test_a_world_at_rest_writes_nothing(site: World) -> None:
    """In whatever state: announced, waiting for a withdrawal, in conflict, refused, being deleted."""
    announced(site, "eip")
    announced(site, "moving", address=SECOND)
    site.update(KIND, "moving", nodeName="worker-2")
    site.create(KIND, "refused", **ad(address="10.225.51.202"))
    say(site, "refused", AnswerState.REFUSED, "AddressOutsideSubnet", "no")
    announced(site, "going", address=LAST)
    say(site, "going", AnswerState.ANNOUNCED, conflict="02:00:00:00:00:99")
    site.delete(KIND, "going")
    site.force_new(KIND, "stray", **ad(nodeName="worker-2"))
    assert site.writes_of_a_second_look() == 0
    writes = site.loop.writes_made
    site.advance(LEASE - 0.1)
    assert site.loop.writes_made == writes


def test_the_condition_of_an_object_that_is_at_rest_has_its_time(site: World) -> None:
    """Ready since it was announced, however often it is looked at."""
    announced(site)
    since = site.clock.now()
    site.advance(60.0)
    renew(site, "worker-1")
    held = condition(site.get(KIND, "eip"), "Ready")
    assert held is not None
    assert held.last_transition_time == since


# What an agent says.


def view(
    node: str = "worker-1",
    held: Mapping[IntentKey, Intent] | None = None,
    failures: Mapping[IntentKey, Failure] | None = None,
    conflicts: Mapping[IPv4Address, str] | None = None,
) -> NodeView:
    return NodeView(node, held or {}, failures or {}, conflicts or {})


def granted(deleting: bool = False, wanted: str = "worker-1", term: int = 3) -> AnyObject:
    """One that is granted to worker-1."""
    world = World()
    host(world, "worker-1", "10.225.51.11")
    host(world, "worker-2", "10.225.51.12")
    network(world, "lan")
    held = world.create(KIND, "eip", **ad(nodeName=wanted))
    deleted = Time(8.0) if deleting else None
    held = held.with_metadata(deletion_timestamp=deleted)
    return held.with_status(grant=Grant("worker-1", term, Time(5.0)), answer=None)


def answer_of(obj: AnyObject, seen: NodeView) -> Answer | None:
    status = report(obj, seen)
    if status is None:
        return None
    assert evolve(status, answer=None) == evolve(obj.status, answer=None)  # only the answer is the agent's
    return status.answer


INTENT = ARPAnswer(IPv4Address(FIRST), "worker-1", 3)
HELD: Mapping[IntentKey, Intent] = {INTENT.key: INTENT}
OLD: Mapping[IntentKey, Intent] = {INTENT.key: evolve(INTENT, term=2)}


def test_an_agent_says_that_it_answers_when_its_dataplane_does() -> None:
    """Under the number of the grant; what was only sent to the driver proves nothing."""
    assert answer_of(granted(), view(held=HELD)) == Answer("worker-1", 3, "Announced")
    assert answer_of(granted(), view()) is None
    assert answer_of(granted(), view(held=OLD)) is None


def test_an_agent_names_who_else_announced_the_address() -> None:
    """Only for an address that it answers for."""
    foreign = {IPv4Address(FIRST): "02:00:00:00:00:99", IPv4Address(SECOND): "02:00:00:00:00:98"}
    found = answer_of(granted(), view(held=HELD, conflicts=foreign))
    assert found == Answer("worker-1", 3, "Announced", conflict="02:00:00:00:00:99")


@pytest.mark.parametrize(("deleting", "wanted"), [(True, "worker-1"), (False, "worker-2")], ids=["deleted", "moved"])
def test_an_agent_says_that_it_has_withdrawn_when_its_dataplane_has(deleting: bool, wanted: str) -> None:
    """For as long as the table has the address, under whatever number, it has not."""
    obj = granted(deleting, wanted)
    assert answer_of(obj, view()) == Answer("worker-1", 3, "Withdrawn")
    assert answer_of(obj, view(held=HELD)) is None
    assert answer_of(obj, view(held=OLD)) is None


def test_an_agent_says_nothing_of_what_is_not_its_own() -> None:
    """The grant decides who speaks, also before the wanted Node has it."""
    assert answer_of(granted(), view("worker-2", held=HELD)) is None
    assert answer_of(granted(wanted="worker-2"), view("worker-2")) is None


def test_an_agent_says_why_it_cannot_answer() -> None:
    """With reason and message of its driver; to be out of contact is no refusal."""
    failure = Failure(INTENT, "another subnet", "AddressOutsideSubnet")
    found = answer_of(granted(), view(failures={INTENT.key: failure}))
    assert found == Answer("worker-1", 3, "Refused", "AddressOutsideSubnet", "another subnet")
    failure = evolve(failure, reason=OUT_OF_CONTACT)
    assert answer_of(granted(), view(failures={INTENT.key: failure})) is None
