"""What becomes of an ElasticIP: its address, who has it, who answers for it, and how it goes."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st
from tests.resources.outside import direct_nic, host, let_go, linger, network
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.objects import Key, Time, condition
from juneau.resources.elasticipfacts import decide
from juneau.resources.elasticipspec import ATTACHMENT, FINALIZER, INTERFACE, ElasticIPUse, advertisement_name
from juneau.resources.externals import DirectNIC, Translation

WEB = "shop/web"
CLAIM = "elasticip--elasticip--shop--web--status-address"
AD = "eip-shop-web"


@pytest.fixture
def outside(world: World) -> World:
    """A network of either type, and a namespace for the ElasticIPs."""
    world.create("Namespace", "shop")
    network(world, "edge")
    network(world, "lan")
    host(world, "worker-1", "10.225.51.11")
    host(world, "worker-2", "10.225.51.12")
    return world


def eip(world: World, name: str = WEB, net: str = "edge", **more: Any) -> None:
    world.create("ElasticIP", name, externalNetwork=net, **more)


def attach(world: World, name: str, to: str, ip: str = "web") -> None:
    """An ElasticIPAttachment, past the rules that would keep two users from meeting."""
    spec = {"elasticIPRef": {"name": ip}, "targetRef": {"networkInterfaceName": to}}
    world.force_new("ElasticIPAttachment", f"shop/{name}", **spec)


def told(world: World, type_: str, name: str = WEB) -> tuple[str, str]:
    held = world.condition("ElasticIP", name, type_)
    assert held is not None
    return (held.status, held.reason)


def message(world: World, type_: str, name: str = WEB) -> str:
    held = world.condition("ElasticIP", name, type_)
    return held.message if held is not None else ""


def use(world: World, name: str = WEB) -> tuple[str, str] | None:
    held = world.status("ElasticIP", name).attachment
    return (held.kind, held.name) if held is not None else None


def advertised(world: World, name: str = AD) -> str | None:
    found = world.find(Key("ARPAdvertisement", "", name))
    return found.spec.node_name if found is not None else None


def test_an_address_is_reserved_and_waits_for_a_user(outside: World) -> None:
    """Available is a good state: it is Ready, too."""
    eip(outside)
    status = outside.status("ElasticIP", WEB)
    assert (status.phase, status.address, status.attachment) == ("Available", "203.0.113.1", None)
    assert told(outside, "Allocated") == ("True", "ReconcileSucceeded")
    assert told(outside, "Attached") == ("False", "AwaitingAttachment")
    assert told(outside, "Ready") == ("True", "ReconcileSucceeded")
    assert outside.get("ElasticIP", WEB).metadata.finalizers == (FINALIZER,)
    assert outside.find(Key("AllocationClaim", "", CLAIM)) is not None
    assert outside.writes_of_a_second_look() == 0


def test_a_network_that_is_missing_is_told(outside: World) -> None:
    """EIP-2: as a fault of the field, and as a state of what is stored already."""
    assert outside.faults("ElasticIP", WEB, externalNetwork="far") == [
        'spec.externalNetwork: Not found: "far": no such ExternalNetwork'
    ]
    outside.force_new("ElasticIP", WEB, externalNetwork="far")
    assert outside.status("ElasticIP", WEB).phase == "Failed"
    for type_ in ("Allocated", "Attached", "Ready"):
        assert told(outside, type_) == ("False", "MissingDependency")
    assert outside.waits("ElasticIP", WEB) == [("ExternalNetwork/far", "metadata")]


def test_a_name_that_no_network_can_have_is_refused_too(outside: World) -> None:
    """EIP-2, whatever the name looks like."""
    assert len(outside.faults("ElasticIP", WEB, externalNetwork="No_Such")) == 1


def test_the_network_is_for_good_and_cannot_be_left_out(outside: World) -> None:
    """EIP-1, EIP-4."""
    [fault] = outside.faults("ElasticIP", WEB, externalNetwork="")
    assert fault.startswith("spec.externalNetwork")
    eip(outside)
    [fault] = outside.update_faults("ElasticIP", WEB, externalNetwork="lan")
    assert fault.startswith("spec.externalNetwork") and "immutable" in fault


def test_an_address_survives_a_network_that_goes(outside: World) -> None:
    """It shows that something is missing; what it has, it keeps."""
    eip(outside)
    direct_nic(outside, "shop/gw.eth1", "web")
    outside.force_delete("ExternalNetwork", "edge")
    status = outside.status("ElasticIP", WEB)
    assert (status.phase, status.address, status.attachment) == ("Failed", "203.0.113.1", None)
    outside.create("ExternalNetwork", "edge", type="bgp", addressPools=["edge-pool"])
    assert outside.status("ElasticIP", WEB).phase == "Attached"
    assert outside.status("ElasticIP", WEB).address == "203.0.113.1"


def test_a_pool_of_the_other_mode_is_told(outside: World) -> None:
    """A bgp network with a pool of mode arp, stored before there was a rule."""
    outside.force_new("ExternalNetwork", "odd", type="bgp", addressPools=["lan-pool"])
    eip(outside, net="odd")
    assert outside.status("ElasticIP", WEB).phase == "Failed"
    assert told(outside, "Allocated") == told(outside, "Attached") == ("False", "InvalidAddressPool")
    assert "lan-pool" in message(outside, "Allocated")


@pytest.mark.parametrize(("wanted", "says"), [("198.51.100.1", "outside of"), ("banana", "banana")])
def test_what_the_claim_says_is_repeated(outside: World, wanted: str, says: str) -> None:
    """Nobody looks at claims who asked for an ElasticIP."""
    eip(outside, requestedIP=wanted)
    assert outside.status("ElasticIP", WEB).phase == "Pending"
    assert told(outside, "Allocated") == told(outside, "Ready") == ("False", "Allocating")
    assert says in message(outside, "Allocated")
    assert told(outside, "Attached") == ("False", "AwaitingAttachment")
    assert outside.waits("ElasticIP", WEB) == [(f"AllocationClaim/{CLAIM}", "status.value")]


def test_an_address_that_somebody_has_is_told(outside: World) -> None:
    """Two ask for one."""
    eip(outside, "shop/other", requestedIP="203.0.113.7")
    eip(outside, requestedIP="203.0.113.7")
    assert told(outside, "Allocated") == ("False", "Allocating")
    assert "203.0.113.7" in message(outside, "Allocated")
    outside.delete("ElasticIP", "shop/other")
    assert outside.status("ElasticIP", WEB).address == "203.0.113.7"


def test_no_free_address_is_waited_for(outside: World) -> None:
    """And taken as soon as one is freed."""
    outside.create("AddressPool", "tiny", advertiseMode="bgp", addresses=["198.51.100.9/32"])
    outside.create("ExternalNetwork", "small", type="bgp", addressPools=["tiny"])
    eip(outside, "shop/first", "small")
    eip(outside, net="small")
    assert outside.status("ElasticIP", WEB).phase == "Pending"
    assert told(outside, "Allocated") == ("False", "NoAddressAvailable")
    outside.delete("ElasticIP", "shop/first")
    assert outside.status("ElasticIP", WEB).address == "198.51.100.9"


def test_an_address_never_changes_even_if_its_claim_goes(outside: World) -> None:
    """Nor does anybody else get it meanwhile."""
    eip(outside)
    outside.force_delete("AllocationClaim", CLAIM)
    eip(outside, "shop/other")
    assert outside.status("ElasticIP", WEB).address == "203.0.113.1"
    assert outside.status("ElasticIP", "shop/other").address == "203.0.113.2"
    assert outside.get("AllocationClaim", CLAIM).status.value.ip == "203.0.113.1"


def test_one_interface_has_it(outside: World) -> None:
    """And it says which one."""
    eip(outside)
    direct_nic(outside, "shop/gw.eth1", "web")
    assert use(outside) == (INTERFACE, "gw.eth1")
    assert outside.status("ElasticIP", WEB).phase == "Attached"
    assert told(outside, "Attached") == ("True", "Attached")
    assert "gw.eth1" in message(outside, "Attached")
    assert outside.ready("ElasticIP", WEB) == ("Attached", "True", "ReconcileSucceeded")
    outside.delete("NetworkInterface", "shop/gw.eth1")
    assert use(outside) is None
    assert outside.status("ElasticIP", WEB).phase == "Available"


def test_one_in_another_namespace_is_another(outside: World) -> None:
    """An ElasticIP is used in its own namespace only."""
    eip(outside)
    outside.create("Namespace", "other")
    direct_nic(outside, "other/gw.eth1", "web")
    assert use(outside) is None


def test_who_has_it_keeps_it_until_it_is_gone(outside: World) -> None:
    """Also while that is being deleted."""
    eip(outside)
    direct_nic(outside, "shop/z.eth1", "web")
    direct_nic(outside, "shop/a.eth1", "web")
    linger(outside, "NetworkInterface", "shop/z.eth1")
    assert use(outside) == (INTERFACE, "z.eth1")
    let_go(outside, "NetworkInterface", "shop/z.eth1")
    assert use(outside) == (INTERFACE, "a.eth1")


def test_an_attachment_and_an_interface_conflict(outside: World) -> None:
    """Neither has it, the address stays, and who is left takes over."""
    eip(outside)
    direct_nic(outside, "shop/gw.eth1", "web")
    direct_nic(outside, "shop/spare.eth1", "web")
    attach(outside, "nat", "app.eth0")
    status = outside.status("ElasticIP", WEB)
    assert (status.phase, status.address, status.attachment) == ("Failed", "203.0.113.1", None)
    assert told(outside, "Attached") == told(outside, "Ready") == ("False", "Conflict")
    assert told(outside, "Allocated") == ("True", "ReconcileSucceeded")
    for name in ("nat", "gw.eth1", "spare.eth1"):
        assert name in message(outside, "Attached")
    outside.delete("ElasticIPAttachment", "shop/nat")
    assert use(outside) == (INTERFACE, "gw.eth1")


def test_after_a_conflict_one_that_is_leaving_is_waited_for(outside: World) -> None:
    """Nobody remembers who had it, so whoever goes may still carry it."""
    eip(outside)
    direct_nic(outside, "shop/gw.eth1", "web")
    direct_nic(outside, "shop/new.eth1", "web")
    attach(outside, "nat", "app.eth0")
    linger(outside, "NetworkInterface", "shop/gw.eth1")
    outside.delete("ElasticIPAttachment", "shop/nat")
    assert use(outside) is None
    assert outside.status("ElasticIP", WEB).phase == "Available"
    assert told(outside, "Attached") == ("False", "WaitingForHandover")
    assert "gw.eth1" in message(outside, "Attached")
    assert outside.waits("ElasticIP", WEB) == [("NetworkInterface/shop/gw.eth1", "metadata")]
    let_go(outside, "NetworkInterface", "shop/gw.eth1")
    assert use(outside) == (INTERFACE, "new.eth1")


def test_two_attachments_conflict(outside: World) -> None:
    """Whichever goes, the other one has it."""
    eip(outside)
    attach(outside, "one", "a.eth0")
    attach(outside, "two", "b.eth0")
    assert told(outside, "Attached") == ("False", "Conflict")
    outside.delete("ElasticIPAttachment", "shop/one")
    assert use(outside) == (ATTACHMENT, "two")


HELD = ElasticIPUse(INTERFACE, "b.eth1")


def _direct_nic(name: str, created: float, deleting: bool = False) -> DirectNIC:
    return DirectNIC(name, name, name, "worker-1", "", Time(created), deleting)


def _translation(name: str, deleting: bool = False) -> Translation:
    return Translation(name, "worker-2", deleting)


A, B, C = _direct_nic("a.eth1", 2.0), _direct_nic("b.eth1", 2.0), _direct_nic("c.eth1", 1.0)
GOING = _direct_nic("d.eth1", 0.0, deleting=True)
NAT, GONE = _translation("nat"), _translation("gone", deleting=True)


@pytest.mark.parametrize(
    ("held", "translations", "nics", "user", "awaited", "rivals"),
    [
        (None, [], [], None, [], []),
        (None, [NAT], [], "nat", [], []),
        (None, [GONE], [], None, [], []),
        (None, [NAT, GONE], [], "nat", [], []),
        (None, [NAT, _translation("other")], [], None, [], ["nat", "other"]),
        (HELD, [NAT], [B], None, [], ["nat", "b.eth1"]),
        (None, [NAT], [GOING], None, [], ["nat", "d.eth1"]),
        (None, [GONE], [A], "a.eth1", [], []),
        (None, [], [A, B], "a.eth1", [], []),  # of one age: the first by name
        (None, [], [A, B, C], "c.eth1", [], []),  # else the oldest
        (HELD, [], [A, B, C], "b.eth1", [], []),  # who has it keeps it
        (HELD, [], [A, _direct_nic("b.eth1", 9.0, deleting=True)], "b.eth1", [], []),  # until it is gone
        (HELD, [], [A, GOING], None, ["d.eth1"], []),  # one that goes may still carry it
        (HELD, [], [A, B, GOING], "b.eth1", [], []),
        (ElasticIPUse(ATTACHMENT, "b.eth1"), [], [A, B], "a.eth1", [], []),
    ],
)
def test_who_has_it_is_decided_by_rules(
    held: ElasticIPUse | None,
    translations: list[Translation],
    nics: list[DirectNIC],
    user: str | None,
    awaited: list[str],
    rivals: list[str],
) -> None:
    """In whatever order they are found: who has it keeps it, else the oldest gets it once none is leaving."""
    for ordered in permutations(nics):
        found = decide(held, translations, ordered)
        assert (found.use.name if found.use is not None else None) == user
        assert [one.name for one in found.awaited] == awaited
        assert sorted(one.name for one in found.rivals) == sorted(rivals)
        assert bool(found.node) == (user is not None)


label = st.text("ab-.", min_size=1, max_size=6).filter(lambda text: text[0] in "ab" and text[-1] in "ab")


@given(st.tuples(label, label), st.tuples(label, label))
@example(("a", "b-c"), ("a-b", "c"))
@example(("a", "b.c"), ("a", "b-c"))
def test_two_elastic_ips_never_share_an_advertisement(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Although a dash separates the names, and can be in them."""
    assert (advertisement_name(*one) == advertisement_name(*other)) == (one == other)


def test_the_advertisement_has_the_plain_name_where_that_is_safe() -> None:
    """As the documents write it."""
    assert advertisement_name("shop", "web") == "eip-shop-web"
    assert advertisement_name("default", "gw-eip").startswith("eip-default-gw-eip-")


def test_only_while_it_is_used_a_node_answers_arp(outside: World) -> None:
    """And the Node is the user's; it moves in place."""
    eip(outside, net="lan")
    assert advertised(outside) is None
    assert told(outside, "Announced") == ("False", "AwaitingAttachment")
    direct_nic(outside, "shop/gw.eth1", "web", "worker-1")
    direct_nic(outside, "shop/b.eth1", "web", "worker-2")
    assert advertised(outside) == "worker-1"
    uid = outside.get("ARPAdvertisement", AD).metadata.uid
    outside.delete("NetworkInterface", "shop/gw.eth1")
    assert advertised(outside) == "worker-2"
    assert outside.get("ARPAdvertisement", AD).metadata.uid == uid
    attach(outside, "nat", "app.eth0")
    assert advertised(outside) is None or outside.get("ARPAdvertisement", AD).deleting


def test_a_node_that_nobody_knows_answers_nothing(outside: World) -> None:
    """The ElasticIP is used all the same."""
    eip(outside, net="lan")
    direct_nic(outside, "shop/gw.eth1", "web", "worker-9")
    assert advertised(outside) is None
    assert use(outside) == (INTERFACE, "gw.eth1")


def test_an_address_of_a_node_is_never_announced(world: World) -> None:
    """AP-D3: whoever uses it is told why nobody answers for it."""
    world.create("Namespace", "shop")
    network(world, "lan")
    eip(world, net="lan")
    host(world, "worker-1", "10.225.51.200")  # a Node that joins with it
    direct_nic(world, "shop/gw.eth1", "web")
    for type_ in ("Ready", "Announced", "Attached"):
        assert told(world, type_) == ("False", "InvalidAddress")
        assert "is the InternalIP of Node worker-1" in message(world, type_)
    assert world.status("ElasticIP", WEB).phase == "Failed"
    assert world.status("ElasticIP", WEB).attachment is None
    nic = world.condition("NetworkInterface", "shop/gw.eth1")
    assert nic is not None and nic.reason == "WaitingForElasticIP" and "InternalIP" in nic.message
    assert world.status("ElasticIP", WEB).address == "10.225.51.200"


def test_by_bgp_there_is_no_advertisement_and_a_leftover_goes(outside: World) -> None:
    """The pool is announced as a whole."""
    spec = {"externalNetwork": "edge", "address": "203.0.113.1", "nodeName": "worker-1"}
    outside.force_new("ARPAdvertisement", AD, **spec)
    eip(outside)
    direct_nic(outside, "shop/gw.eth1", "web")
    assert advertised(outside) is None or outside.get("ARPAdvertisement", AD).deleting
    assert outside.condition("ElasticIP", WEB, "Announced") is None


def test_what_its_advertisement_says_shows_on_it(outside: World) -> None:
    """S0-45: such as that the address is not of the Node's own prefix."""
    eip(outside, net="lan")
    direct_nic(outside, "shop/gw.eth1", "web")
    ad = outside.get("ARPAdvertisement", AD)
    ready = condition(ad, "Ready")
    assert ready is not None
    assert told(outside, "Announced") == (ready.status, ready.reason)
    assert message(outside, "Announced") == ready.message


def test_an_attachment_holds_it(outside: World) -> None:
    """EIP-5: until that is gone, or is being deleted itself."""
    eip(outside)
    attach(outside, "nat", "app.eth0")
    with pytest.raises(Forbidden, match="nat"):
        outside.delete("ElasticIP", WEB)
    linger(outside, "ElasticIPAttachment", "shop/nat")
    outside.delete("ElasticIP", WEB)
    assert outside.find(Key("ElasticIP", "shop", "web")) is None
    assert outside.find(Key("AllocationClaim", "", CLAIM)) is None


def test_interfaces_hold_up_its_end(outside: World) -> None:
    """The address is nobody else's before the last Pod that may carry it is gone."""
    eip(outside, net="lan")
    direct_nic(outside, "shop/gw.eth1", "web")
    direct_nic(outside, "shop/new.eth1", "web")
    outside.delete("ElasticIP", WEB)
    status = outside.status("ElasticIP", WEB)
    assert (status.phase, status.address, status.attachment.name) == ("Attached", "10.225.51.200", "gw.eth1")
    assert told(outside, "Allocated") == ("False", "WaitingForNetworkInterfaces")
    assert told(outside, "Attached") == ("True", "Attached")
    for name in ("gw.eth1", "new.eth1"):
        assert name in message(outside, "Allocated")
    assert advertised(outside) == "worker-1"
    outside.delete("NetworkInterface", "shop/gw.eth1")
    assert use(outside) is None  # it is given to no new one
    assert outside.find(Key("AllocationClaim", "", CLAIM)) is not None
    outside.delete("NetworkInterface", "shop/new.eth1")
    if (ad := outside.find(Key("ARPAdvertisement", "", AD))) is not None:
        assert ad.deleting
        assert outside.find(Key("AllocationClaim", "", CLAIM)) is not None  # its Node may answer still
        assert outside.status("ElasticIP", WEB).address == "10.225.51.200"
        outside.advance(60)  # no agent says that it has withdrawn, and at last the Node counts as lost
    assert outside.find(Key("ElasticIP", "shop", "web")) is None
    assert outside.find(Key("AllocationClaim", "", CLAIM)) is None


def test_one_of_the_same_name_starts_anew(outside: World) -> None:
    """With another address if it asks for one."""
    eip(outside)
    outside.delete("ElasticIP", WEB)
    eip(outside, requestedIP="203.0.113.9")
    assert outside.status("ElasticIP", WEB).address == "203.0.113.9"


def test_an_address_that_nobody_can_read_is_told(outside: World) -> None:
    """It is not replaced either: what was reserved once stays."""
    eip(outside)
    held = outside.get("ElasticIP", WEB)
    outside.set_status(evolve(held, status=evolve(held.status, address="nonsense")))
    assert outside.status("ElasticIP", WEB).address == "nonsense"
    assert told(outside, "Valid") == ("False", "RulesBroken")
