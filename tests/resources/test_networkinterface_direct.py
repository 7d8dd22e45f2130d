"""A NIC that carries an ElasticIP itself: when it has the address, and what the Pod is given with it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from typing import Any

import pytest
from attrs import evolve
from tests.resources.outside import direct_nic, host, let_go, linger, network
from tests.resources.world import World

from juneau.engine.intents import DirectAddress, ExternalPrefix, Intent, Neighbour, Port, SegmentKind, Station
from juneau.engine.objects import Key
from juneau.resources.nicspec import NICRoute, NICRule

GW = "shop/gw.eth1"
OLD, NEW = "02:00:00:00:00:01", "02:00:00:00:00:02"


@pytest.fixture
def shop(world: World) -> World:
    """An ElasticIP, and two Nodes."""
    world.create("Namespace", "shop")
    network(world, "edge")
    host(world, "worker-1", "10.225.51.11")
    host(world, "worker-2", "10.225.51.12")
    world.create("ElasticIP", "shop/web", externalNetwork="edge", requestedIP="203.0.113.7")
    return world


def told(world: World, name: str = GW) -> tuple[str, str, str]:
    """Phase, reason and message; both conditions say the same while it waits."""
    nic = world.get("NetworkInterface", name)
    allocated, ready = world.condition("NetworkInterface", name, "Allocated"), world.condition("NetworkInterface", name)
    assert allocated is not None and ready is not None
    if allocated.status == "False":
        assert (allocated.reason, allocated.message) == (ready.reason, ready.message)
    return nic.status.phase, ready.reason, ready.message


def given(world: World, name: str = GW) -> tuple[str, tuple[NICRoute, ...], tuple[NICRule, ...]]:
    status = world.status("NetworkInterface", name)
    return status.address, status.routes, status.rules


def endpoint(world: World, name: str = GW, mac: str = OLD, node: str = "worker-1", **more: Any) -> None:
    pod, _, interface = name.rpartition("/")[2].rpartition(".")
    spec = {
        "kind": "Pod",
        "nodeName": node,
        "externalNetwork": "edge",
        "address": "203.0.113.7/32",
        "macAddress": mac,
        "attachment": {"ifindex": 7, "hostMACAddress": "02:00:00:00:00:77"},
        "podRef": {"name": pod, "uid": f"uid-of-{pod}", "interface": interface},
    }
    world.create("NetworkEndpoint", name, **{**spec, **more})


def asked(world: World, name: str) -> list[Intent]:
    return world.intents("NetworkEndpoint", name)


NOTHING = ("", (), ())


def test_an_extra_nic_has_a_table_of_its_own(shop: World) -> None:
    """NIC-R5, NIC-T1, NIC-T4."""
    direct_nic(shop, GW, "web")
    assert given(shop) == (
        "203.0.113.7/32",
        (NICRoute("0.0.0.0/0", "169.254.0.1", True, 3405803783),),
        (NICRule("203.0.113.7/32", 3405803783, 100),),
    )
    assert told(shop)[:2] == ("Allocated", "WaitingForInterface")
    assert shop.status("NetworkInterface", GW).allocation_claim == ""  # NIC-C5
    endpoint(shop)
    assert told(shop)[:2] == ("Ready", "ReconcileSucceeded")
    assert shop.writes_of_a_second_look() == 0


def test_the_first_nic_has_its_route_in_the_main_table(shop: World) -> None:
    """NIC-R3."""
    direct_nic(shop, "shop/gw.eth0", "web")
    assert given(shop, "shop/gw.eth0") == ("203.0.113.7/32", (NICRoute("0.0.0.0/0", "169.254.0.1", True),), ())


@pytest.mark.parametrize(
    ("address", "number"),
    [("203.0.113.10", 3405803786), ("198.51.100.24", 3325256728), ("10.225.51.6", 182530822), ("0.0.1.0", 256)],
)
def test_the_number_of_the_table_is_the_address(world: World, address: str, number: int) -> None:
    """NIC-T1: highest octet first, and above 2^31 as well."""
    world.create("Namespace", "shop")
    network(world, "edge", f"{address}/32")
    world.create("ElasticIP", "shop/web", externalNetwork="edge")
    direct_nic(world, GW, "web")
    _, [route], [rule] = given(world)
    assert route.table == rule.table == number


@pytest.mark.parametrize("address", ["0.0.0.0", "0.0.0.1", "0.0.0.255"])
def test_tables_of_the_kernel_are_not_taken(world: World, address: str) -> None:
    """NIC-T3, NIC-P7: of an extra NIC; eth0 needs no table."""
    world.create("Namespace", "shop")
    network(world, "edge", f"{address}/32")
    world.create("ElasticIP", "shop/web", externalNetwork="edge")
    direct_nic(world, "shop/z.eth0", "web")
    assert given(world, "shop/z.eth0")[0] == f"{address}/32"
    world.delete("NetworkInterface", "shop/z.eth0")
    direct_nic(world, GW, "web")
    phase, reason, message = told(world)
    assert (phase, reason) == ("Failed", "InvalidElasticIPAddress")
    assert "256" in message and address in message
    assert given(world) == NOTHING


def test_an_address_that_nobody_can_read_fails_it(shop: World) -> None:
    """NIC-P7."""
    direct_nic(shop, GW, "web")
    held = shop.get("ElasticIP", "shop/web")
    shop.set_status(evolve(held, status=evolve(held.status, address="nonsense")))
    assert told(shop)[:2] == ("Failed", "InvalidElasticIPAddress")
    assert given(shop) == NOTHING


def test_one_that_does_not_exist_is_waited_for(shop: World) -> None:
    """NIC-P6, NIC-8: it is looked up in the NIC's own namespace."""
    shop.create("Namespace", "other")
    shop.create("ElasticIP", "other/late", externalNetwork="edge")
    direct_nic(shop, GW, "late")
    assert told(shop) == ("Pending", "NetworkNotReady", "ElasticIP late does not exist")
    assert shop.waits("NetworkInterface", GW) == [("ElasticIP/shop/late", "status.address")]
    shop.create("ElasticIP", "shop/late", externalNetwork="edge")
    assert told(shop)[0] == "Allocated"


def test_one_without_address_is_waited_for(shop: World) -> None:
    """NIC-P6: the ElasticIP is named, and why it has none is told."""
    shop.create("ElasticIP", "shop/late", externalNetwork="edge", requestedIP="9.9.9.9")
    direct_nic(shop, GW, "late")
    phase, reason, message = told(shop)
    assert (phase, reason) == ("Pending", "NetworkNotReady")
    assert "ElasticIP late has no address" in message and "AllocationFailed" in message


def test_a_network_without_number_is_waited_for(world: World) -> None:
    """NIC-P6: the ExternalNetwork is named; NAT would not wait."""
    world.create("Namespace", "shop")
    world.force_delete("AllocationPool", "subnet-vni")
    network(world, "edge")
    world.create("ElasticIP", "shop/web", externalNetwork="edge")
    direct_nic(world, GW, "web")
    assert world.status("ExternalNetwork", "edge").network_id == 0
    assert told(world) == ("Pending", "NetworkNotReady", "ExternalNetwork edge has no status.networkID yet")
    assert world.waits("NetworkInterface", GW) == [("ExternalNetwork/edge", "status.networkID")]
    world.create("AllocationPool", "subnet-vni", type="number", number={"min": 4096, "max": 5000})
    assert told(world)[0] == "Allocated"


def test_of_two_nics_one_has_it(shop: World) -> None:
    """NIC-P5, NIC-C5: and the other one at once when the first is gone, with nobody's help."""
    direct_nic(shop, GW, "web")
    shop.advance(1)
    direct_nic(shop, "shop/a.eth1", "web")
    phase, reason, message = told(shop, "shop/a.eth1")
    assert (phase, reason) == ("Pending", "WaitingForElasticIP")
    assert "NetworkInterface gw.eth1" in message
    assert given(shop, "shop/a.eth1") == NOTHING
    assert shop.waits("NetworkInterface", "shop/a.eth1") == [("NetworkInterface/shop/gw.eth1", "metadata")]
    linger(shop, "NetworkInterface", GW)
    assert told(shop)[:2] == ("Pending", "Deleting")
    assert given(shop, "shop/a.eth1") == NOTHING
    let_go(shop, "NetworkInterface", GW)
    assert given(shop, "shop/a.eth1")[0] == "203.0.113.7/32"


def test_an_attachment_takes_it_away(shop: World) -> None:
    """NIC-C5: also when the NIC had it before, and until the attachment is gone."""
    direct_nic(shop, GW, "web")
    endpoint(shop)
    assert told(shop)[0] == "Ready"
    names = {"elasticIPRef": {"name": "web"}, "targetRef": {"networkInterfaceName": "app.eth0"}}
    shop.force_new("ElasticIPAttachment", "shop/nat", **names)
    phase, reason, message = told(shop)
    assert (phase, reason) == ("Pending", "WaitingForElasticIP")
    assert "ElasticIPAttachment nat" in message
    assert given(shop) == NOTHING
    # EIP-D1: the running Pod keeps it in its dataplane.
    assert DirectAddress(IPv4Address("203.0.113.7"), shop.status("ExternalNetwork", "edge").network_id) in asked(
        shop, GW
    )
    shop.delete("ElasticIPAttachment", "shop/nat")
    assert told(shop)[0] == "Ready"


def test_one_that_is_given_to_nobody_is_waited_for(shop: World) -> None:
    """NIC-P5: while one that leaves may carry it still, the ElasticIP itself is named."""
    direct_nic(shop, GW, "web")
    names = {"elasticIPRef": {"name": "web"}, "targetRef": {"networkInterfaceName": "app.eth0"}}
    shop.force_new("ElasticIPAttachment", "shop/nat", **names)
    linger(shop, "NetworkInterface", GW)
    direct_nic(shop, "shop/a.eth1", "web")
    shop.delete("ElasticIPAttachment", "shop/nat")
    phase, reason, message = told(shop, "shop/a.eth1")
    assert (phase, reason) == ("Pending", "WaitingForElasticIP")
    assert "ElasticIP web" in message and "gw.eth1" in message


def test_one_that_is_going_takes_no_new_nic(shop: World) -> None:
    """What has it keeps it."""
    direct_nic(shop, GW, "web")
    shop.delete("ElasticIP", "shop/web")
    direct_nic(shop, "shop/a.eth1", "web")
    assert given(shop)[0] == "203.0.113.7/32"
    assert told(shop, "shop/a.eth1")[1] == "WaitingForElasticIP"
    shop.delete("NetworkInterface", GW)
    assert "is being deleted" in told(shop, "shop/a.eth1")[2]
    shop.delete("NetworkInterface", "shop/a.eth1")
    assert shop.find(Key("ElasticIP", "shop", "web")) is None


def test_two_of_one_identity_take_turns(shop: World) -> None:
    """The identity reserves nothing here, it only lets the new one in."""
    direct_nic(shop, GW, "web", allocationIdentity="vmi.gw")
    direct_nic(shop, "shop/new.eth1", "web", node="worker-2", allocationIdentity="vmi.gw")
    assert given(shop, "shop/new.eth1") == NOTHING
    assert {claim.name for claim in shop.cache.objects["AllocationClaim"].values() if "shop" in claim.name} == {
        "elasticip--elasticip--shop--web--status-address"
    }
    shop.delete("NetworkInterface", GW)
    assert given(shop, "shop/new.eth1")[0] == "203.0.113.7/32"


def test_an_endpoint_with_another_address_fails_it(shop: World) -> None:
    """The Pod was attached when the ElasticIP of that name was another one."""
    direct_nic(shop, GW, "web")
    endpoint(shop, address="203.0.113.9/32")
    assert told(shop)[0] == "Failed"


def test_what_an_endpoint_asks_for(shop: World) -> None:
    """A port of its Node, and on every Node the way to the address from outside and on the segment."""
    direct_nic(shop, GW, "web")
    endpoint(shop)
    vni, address = shop.status("ExternalNetwork", "edge").network_id, IPv4Address("203.0.113.7")
    port = next(intent for intent in asked(shop, GW) if isinstance(intent, Port))
    assert (port.kind, port.vni, port.address, port.placed_on) == (SegmentKind.EXTERNAL, vni, address, "worker-1")
    assert set(asked(shop, GW)) == {
        port,
        Neighbour(vni, address, OLD),
        Station(vni, OLD, "worker-1", GW),
        DirectAddress(address, vni),
        ExternalPrefix(IPv4Network("203.0.113.7/32"), "*"),
    }


@pytest.mark.parametrize("newer", [False, True])
def test_of_two_endpoints_the_holders_counts(shop: World, newer: bool) -> None:
    """Whichever came later: that of a Node that is lost says nothing any more."""
    first, second = ("shop/a.eth1", GW) if newer else (GW, "shop/a.eth1")
    endpoint(shop, first, OLD)
    shop.advance(1)
    endpoint(shop, second, NEW, "worker-2")
    direct_nic(shop, GW, "web", "worker-2" if newer else "worker-1")
    assert asked(shop, "shop/a.eth1") == []
    assert len(asked(shop, GW)) == 5


def test_an_endpoint_of_an_earlier_pod_of_the_name_does_not_count(shop: World) -> None:
    """A Pod that was made anew has another UID."""
    endpoint(shop, podRef={"name": "gw", "uid": "earlier", "interface": "eth1"})
    direct_nic(shop, GW, "web")
    assert asked(shop, GW) == []


def test_where_nobody_is_named_the_newer_endpoint_counts(shop: World) -> None:
    """Such as after a conflict that nobody has settled yet."""
    endpoint(shop, "shop/z.eth1", OLD)
    shop.advance(1)
    endpoint(shop, "shop/a.eth1", NEW)
    assert asked(shop, "shop/z.eth1") == []
    assert len(asked(shop, "shop/a.eth1")) == 5
    shop.delete("NetworkEndpoint", "shop/a.eth1")
    assert len(asked(shop, "shop/z.eth1")) == 5


def test_an_attachment_that_has_it_silences_an_endpoint_that_was_left(shop: World) -> None:
    """No address is both carried and translated."""
    endpoint(shop)
    names = {"elasticIPRef": {"name": "web"}, "targetRef": {"networkInterfaceName": "app.eth0"}}
    shop.force_new("ElasticIPAttachment", "shop/nat", **names)
    assert asked(shop, GW) == []


def test_without_a_number_an_endpoint_asks_for_nothing(shop: World) -> None:
    """Nor with an address that is none."""
    endpoint(shop, externalNetwork="far")
    assert asked(shop, GW) == []
