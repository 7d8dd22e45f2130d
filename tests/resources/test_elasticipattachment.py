"""What becomes of an ElasticIPAttachment, row by row, and what it asks of dataplanes."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Any

import pytest
from attrs import evolve
from tests.resources.outside import direct_nic, host, let_go, linger, network
from tests.resources.world import World

from juneau.engine.intents import Intent, StaticNAT
from juneau.engine.objects import Key
from juneau.engine.world import Reader

NAT = "shop/nat"
POD = {"name": "app", "uid": "uid-of-app", "interface": "eth0"}


@pytest.fixture
def shop(world: World) -> World:
    """An ElasticIP, and the NIC of a Pod in a Subnet."""
    world.create("Namespace", "shop")
    network(world, "edge")
    host(world, "worker-1", "10.225.51.11")
    world.create("ElasticIP", "shop/web", externalNetwork="edge")
    world.create("Subnet", "app", vpc="lab", cidr="10.90.0.0/24")
    world.create("NetworkInterface", "shop/app.eth0", podRef=POD, nodeName="worker-1", subnet="app")
    return world


def spec(eip: str = "web", nic: str = "app.eth0") -> dict[str, Any]:
    return {"elasticIPRef": {"name": eip}, "targetRef": {"networkInterfaceName": nic}}


def endpoint(world: World, name: str = "shop/app.eth0", **more: Any) -> None:
    fields = {"kind": "Pod", "nodeName": "worker-1", "subnet": "app", "address": "10.90.0.4/24", "podRef": POD}
    world.create("NetworkEndpoint", name, **{**fields, **more})


def told(world: World, name: str = NAT) -> tuple[str, str, tuple[str, str, str]]:
    """Phase, reason of Ready, and the three fields."""
    status = world.status("ElasticIPAttachment", name)
    phase, truth, reason = world.ready("ElasticIPAttachment", name)
    assert (truth == "True") == (phase == "Attached")
    return phase, reason, (status.elastic_ip, status.pod_ip, status.node_name)


def message(world: World, name: str = NAT) -> str:
    held = world.condition("ElasticIPAttachment", name)
    return held.message if held is not None else ""


def nat(world: World, name: str = NAT) -> list[StaticNAT]:
    return [intent for intent in world.intents("ElasticIPAttachment", name) if isinstance(intent, StaticNAT)]


NOTHING = ("", "", "")
FULL = ("203.0.113.1", "10.90.0.4", "worker-1")


def test_an_attached_one_is_translated(shop: World) -> None:
    """By the number of the Subnet that the NIC is in."""
    endpoint(shop)
    shop.create("ElasticIPAttachment", NAT, **spec())
    assert told(shop) == ("Attached", "Attached", FULL)
    vni = shop.status("Subnet", "app").vni
    assert nat(shop) == [StaticNAT(IPv4Address("203.0.113.1"), vni, IPv4Address("10.90.0.4"))]
    held = shop.status("ElasticIP", "shop/web")
    assert (held.phase, held.attachment.kind, held.attachment.name) == ("Attached", "ElasticIPAttachment", "nat")
    assert shop.writes_of_a_second_look() == 0


def test_without_an_elastic_ip_it_has_failed(shop: World) -> None:
    """And recovers when that is made."""
    shop.force_new("ElasticIPAttachment", NAT, **spec(eip="late"))
    assert told(shop) == ("Failed", "ReconcileFailed", NOTHING)
    assert message(shop) == "ElasticIP late does not exist"
    endpoint(shop)
    shop.create("ElasticIP", "shop/late", externalNetwork="edge")
    assert told(shop)[0] == "Attached"


def test_an_elastic_ip_that_goes_is_waited_for(shop: World) -> None:
    """Past admission, since it holds its ElasticIP."""
    endpoint(shop)
    shop.create("ElasticIPAttachment", NAT, **spec())
    held = shop.get("ElasticIP", "shop/web")
    shop.write(held.with_metadata(finalizers=(*held.metadata.finalizers, "example.com/hold")))
    shop.force_delete("ElasticIP", "shop/web")
    assert told(shop) == ("Pending", "WaitingForElasticIP", NOTHING)
    assert message(shop) == "ElasticIP web is being deleted"
    assert nat(shop) == []


def test_an_elastic_ip_without_address_is_waited_for(shop: World) -> None:
    """And what that waits for is told along."""
    shop.create("ElasticIP", "shop/far", externalNetwork="edge", requestedIP="9.9.9.9")
    shop.create("ElasticIPAttachment", NAT, **spec(eip="far"))
    assert told(shop) == ("Pending", "WaitingForElasticIP", NOTHING)
    assert message(shop).startswith("ElasticIP far has no address (Allocating: AllocationFailed")


def test_one_that_a_nic_carries_is_waited_for(shop: World) -> None:
    """Both are told whom they wait for, and whoever is left has it."""
    endpoint(shop)
    direct_nic(shop, "shop/gw.eth1", "web")
    shop.force_new("ElasticIPAttachment", NAT, **spec())
    assert told(shop) == ("Pending", "WaitingForElasticIP", NOTHING)
    assert "Conflict" in message(shop) and "gw.eth1" in message(shop)
    assert nat(shop) == []
    shop.delete("NetworkInterface", "shop/gw.eth1")
    assert told(shop)[0] == "Attached"


def test_nothing_is_translated_for_who_does_not_know_yet_that_it_has_lost(shop: World) -> None:
    """Between the ElasticIP's write and its own it is still Attached, and the address is nobody's."""
    endpoint(shop)
    shop.create("ElasticIPAttachment", NAT, **spec())
    held, kind = shop.cache.objects, shop.registry["ElasticIPAttachment"]
    between: list[list[Intent]] = []

    def look(_event: object) -> None:
        own = held["ElasticIPAttachment"][Key("ElasticIPAttachment", "shop", "nat")]
        eip = held["ElasticIP"][Key("ElasticIP", "shop", "web")]
        if own.status.phase == "Attached" and eip.status.attachment is None:
            between.append(list(kind.intents(own, Reader(shop.cache))))

    shop.store.subscribe(look)
    gw = {"name": "gw", "uid": "uid-of-gw", "interface": "eth1"}
    shop.force_new("NetworkInterface", "shop/gw.eth1", podRef=gw, nodeName="worker-1", elasticIP="web")
    assert told(shop)[:2] == ("Pending", "WaitingForElasticIP")
    assert between and not any(between)


def test_of_two_the_one_that_is_left_has_it(shop: World) -> None:
    """Until then none has."""
    endpoint(shop)
    shop.create("ElasticIPAttachment", NAT, **spec())
    shop.force_new("ElasticIPAttachment", "shop/other", **spec())
    assert {told(shop, name)[:2] for name in (NAT, "shop/other")} == {("Pending", "WaitingForElasticIP")}
    for name in (NAT, "shop/other"):
        assert message(shop, name).startswith("ElasticIP web has not been given to anybody (Conflict")
    assert nat(shop) == nat(shop, "shop/other") == []
    shop.delete("ElasticIPAttachment", NAT)
    assert told(shop, "shop/other")[0] == "Attached"


def test_without_an_interface_it_has_failed(shop: World) -> None:
    """The ElasticIP is its own all the same."""
    shop.force_new("ElasticIPAttachment", NAT, **spec(nic="late.eth0"))
    assert told(shop) == ("Failed", "ReconcileFailed", NOTHING)
    assert message(shop) == "NetworkInterface late.eth0 does not exist"
    assert shop.status("ElasticIP", "shop/web").attachment.name == "nat"


def test_an_interface_that_goes_is_let_go(shop: World) -> None:
    """Its address is about to be somebody else's."""
    endpoint(shop)
    shop.create("ElasticIPAttachment", NAT, **spec())
    linger(shop, "NetworkInterface", "shop/app.eth0")
    assert told(shop) == ("Pending", "ReconcileFailed", ("203.0.113.1", "", ""))
    assert message(shop) == "NetworkInterface app.eth0 is being deleted"
    assert nat(shop) == []
    let_go(shop, "NetworkInterface", "shop/app.eth0")
    assert told(shop)[:2] == ("Failed", "ReconcileFailed")


def test_an_interface_without_address_is_waited_for(shop: World) -> None:
    """Such as one of which the Subnet is gone."""
    shop.force_new("NetworkInterface", "shop/b.eth0", podRef={**POD, "name": "b"}, nodeName="worker-1", subnet="no")
    shop.create("ElasticIPAttachment", NAT, **spec(nic="b.eth0"))
    assert told(shop) == ("Pending", "ReconcileFailed", ("203.0.113.1", "", ""))
    assert message(shop).startswith("NetworkInterface b.eth0 has no address (NetworkNotFound")


def test_an_interface_with_a_strange_address_has_failed(shop: World) -> None:
    """Of which nobody could say what to translate to."""
    shop.force_delete("Subnet", "app")
    held = shop.get("NetworkInterface", "shop/app.eth0")
    shop.set_status(evolve(held, status=evolve(held.status, address="nonsense")))
    shop.create("ElasticIPAttachment", NAT, **spec())
    assert told(shop) == ("Failed", "ReconcileFailed", NOTHING)
    assert message(shop) == 'the address "nonsense" of NetworkInterface app.eth0 cannot be read'


def test_an_interface_without_a_node_is_waited_for(shop: World) -> None:
    """Stored before there was a rule."""
    shop.force_new("NetworkInterface", "shop/b.eth0", podRef={**POD, "name": "b"}, nodeName="worker-1", subnet="app")
    held = shop.get("NetworkInterface", "shop/b.eth0")
    shop.force(held.with_spec(node_name=""))
    shop.create("ElasticIPAttachment", NAT, **spec(nic="b.eth0"))
    assert told(shop) == ("Pending", "ReconcileFailed", ("203.0.113.1", "10.90.0.5", ""))
    assert message(shop) == "NetworkInterface b.eth0 has no Node"


def test_an_endpoint_is_waited_for(shop: World) -> None:
    """The addresses are known by then."""
    shop.create("ElasticIPAttachment", NAT, **spec())
    assert told(shop) == ("Pending", "WaitingForNetworkEndpoint", FULL)
    assert message(shop) == "NetworkInterface app.eth0 has no NetworkEndpoint: it is not attached"
    assert nat(shop) == []
    endpoint(shop)
    assert told(shop)[0] == "Attached"
    linger(shop, "NetworkEndpoint", "shop/app.eth0")
    assert told(shop) == ("Pending", "WaitingForNetworkEndpoint", FULL)
    let_go(shop, "NetworkEndpoint", "shop/app.eth0")
    assert told(shop) == ("Pending", "WaitingForNetworkEndpoint", FULL)


@pytest.mark.parametrize("ref", [{"uid": "other"}, {"name": "other"}, {"interface": "eth9"}])
def test_an_endpoint_of_another_nic_is_none(shop: World, ref: dict[str, str]) -> None:
    """Name, UID and interface all have to be the same."""
    shop.create("ElasticIPAttachment", NAT, **spec())
    endpoint(shop, podRef={**POD, **ref})
    assert told(shop)[1] == "WaitingForNetworkEndpoint"


def test_of_two_endpoints_nobody_knows_which(shop: World) -> None:
    """Their names are told."""
    endpoint(shop)
    endpoint(shop, "shop/copy")
    shop.create("ElasticIPAttachment", NAT, **spec())
    assert told(shop) == ("Failed", "ReconcileFailed", NOTHING)
    names = "app.eth0, copy"
    assert message(shop) == f"NetworkInterface app.eth0 has several NetworkEndpoints, {names}; delete all but one"


FAULTS = [
    (spec(eip="no"), "spec.elasticIPRef.name", "no such ElasticIP"),  # EIPA-5
    (spec(nic="no.eth0"), "spec.targetRef.networkInterfaceName", "no such NetworkInterface"),  # EIPA-7
    (spec(nic="gw.eth1"), "spec.targetRef.networkInterfaceName", "carries ElasticIP direct itself"),  # EIPA-9
    (spec(eip="direct"), "spec.elasticIPRef.name", "NetworkInterface gw.eth1 of Pod gw carries it"),  # EIPA-10
    (spec(eip="taken", nic="b.eth0"), "spec.elasticIPRef.name", "ElasticIPAttachment first has it"),  # EIPA-11
    (spec(nic="app.eth0"), "spec.targetRef.networkInterfaceName", "ElasticIPAttachment first stands"),  # EIPA-12
    (spec(eip=""), "spec.elasticIPRef.name", ""),  # EIPA-1
    (spec(nic=""), "spec.targetRef.networkInterfaceName", ""),  # EIPA-2
]


@pytest.mark.parametrize(("wanted", "field", "says"), FAULTS)
def test_a_rule_is_told_at_its_field(shop: World, wanted: dict[str, Any], field: str, says: str) -> None:
    """EIPA-1, 2, 5, 7, 9 to 12."""
    for name in ("direct", "taken"):
        shop.create("ElasticIP", f"shop/{name}", externalNetwork="edge")
    direct_nic(shop, "shop/gw.eth1", "direct")
    shop.create("NetworkInterface", "shop/b.eth0", podRef={**POD, "name": "b"}, nodeName="worker-1", subnet="app")
    shop.create("ElasticIPAttachment", "shop/first", **spec(eip="taken"))
    [fault] = [fault for fault in shop.faults("ElasticIPAttachment", NAT, **wanted) if fault.startswith(field)]
    assert says in fault


def test_several_faults_are_told_together(shop: World) -> None:
    """Of both fields."""
    faults = shop.faults("ElasticIPAttachment", NAT, **spec("no", "no.eth0"))
    assert [fault.partition(":")[0] for fault in faults] == [
        "spec.elasticIPRef.name",
        "spec.targetRef.networkInterfaceName",
    ]


def test_what_is_going_is_not_named_any_more(shop: World) -> None:
    """EIPA-6, EIPA-8."""
    linger(shop, "ElasticIP", "shop/web")
    linger(shop, "NetworkInterface", "shop/app.eth0")
    faults = shop.faults("ElasticIPAttachment", NAT, **spec())
    assert len(faults) == 2 and all("is being deleted" in fault for fault in faults)


def test_who_is_going_is_in_nobodys_way(shop: World) -> None:
    """EIPA-10 to EIPA-12 leave out what is being deleted."""
    direct_nic(shop, "shop/gw.eth1", "web")
    linger(shop, "NetworkInterface", "shop/gw.eth1")
    shop.create("ElasticIPAttachment", "shop/first", **spec())
    linger(shop, "ElasticIPAttachment", "shop/first")
    assert shop.faults("ElasticIPAttachment", NAT, **spec()) == []


def test_both_names_are_for_good(shop: World) -> None:
    """EIPA-3, EIPA-4."""
    shop.create("ElasticIPAttachment", NAT, **spec())
    faults = shop.update_faults("ElasticIPAttachment", NAT, **spec("other", "other.eth0"))
    fields = {fault.partition(":")[0] for fault in faults if "immutable" in fault}
    assert fields == {"spec.elasticIPRef.name", "spec.targetRef.networkInterfaceName"}


def test_one_that_is_going_may_be_changed(shop: World) -> None:
    """Or its finalizer could not be taken off."""
    shop.create("ElasticIPAttachment", NAT, **spec())
    linger(shop, "ElasticIPAttachment", NAT)
    shop.force_delete("NetworkInterface", "shop/app.eth0")
    let_go(shop, "ElasticIPAttachment", NAT)


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        (
            "subnet",
            "default",
            "nothing leads out: RouteTable default has no route of type internetGateway;"
            " add {dst: 0.0.0.0/0, via: {type: internetGateway}} to RouteTable default",
        ),
        ("l2Network", "san", "is on L2Network san, which has no gateway; give the segment a gateway"),
    ],
)
def test_a_nic_with_no_way_out_is_shown(shop: World, kind: str, name: str, why: str) -> None:
    """Admission takes it, and nothing of it would ever reach the outside."""
    shop.create("L2Network", "san", vpc="lab")
    place = {kind: name}
    shop.create("NetworkInterface", "shop/b.eth0", podRef={**POD, "name": "b"}, nodeName="worker-1", **place)
    shop.create("ElasticIPAttachment", NAT, **spec(nic="b.eth0"))
    valid = shop.condition("ElasticIPAttachment", NAT, "Valid")
    assert valid is not None and valid.status == "False"
    place = 'spec.targetRef.networkInterfaceName: Invalid value: "b.eth0"'
    assert valid.message == f"{place}: {why}"


def test_a_stored_one_on_a_nic_that_carries_another_has_failed(shop: World) -> None:
    """EIPA-9 on what is older than the rule: nothing is translated."""
    shop.create("ElasticIP", "shop/direct", externalNetwork="edge")
    direct_nic(shop, "shop/gw.eth1", "direct")
    shop.force_new("ElasticIPAttachment", NAT, **spec(nic="gw.eth1"))
    assert told(shop) == ("Failed", "ReconcileFailed", NOTHING)
    carried = "NetworkInterface gw.eth1 carries ElasticIP direct itself"
    assert message(shop) == f"{carried}; delete this ElasticIPAttachment"
    assert nat(shop) == []
