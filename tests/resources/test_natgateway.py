"""NATGateway: its rules by their numbers, what its controller makes of it, and the routes that lead to it."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Any

import pytest
from attrs import evolve
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.intents import Route, ToNATGateway
from juneau.engine.objects import Key
from juneau.engine.shape import IMMUTABLE
from juneau.engine.world import Reader
from juneau.resources.externals import GATEWAYS_OF_NETWORK

READY = ("Ready", "True", "ReconcileSucceeded")
EVERYWHERE = "0.0.0.0/0"
POOLS = {
    "bgp": {"advertiseMode": "bgp", "addresses": ["203.0.113.0/24"]},
    "arp": {"advertiseMode": "arp", "addresses": ["192.0.2.100-192.0.2.119"]},
}


def external(world: World, name: str = "edge", type_: str = "bgp") -> None:
    """An ExternalNetwork with a pool of its own."""
    world.create("AddressPool", f"{name}-pool", **POOLS[type_])
    world.create("ExternalNetwork", name, type=type_, addressPools=[f"{name}-pool"])


def gateway(world: World, name: str = "exit", vpc: str = "lab", network: str = "edge") -> None:
    world.create("NATGateway", name, vpc=vpc, externalNetwork=network)


def via(name: str = "exit", dst: str = EVERYWHERE) -> dict[str, Any]:
    """A route through a NATGateway."""
    return {"dst": dst, "via": {"type": "natGateway", "natGateway": name}}


def destinations(world: World, table: str) -> list[str]:
    return [found.dst for found in world.status("RouteTable", table).routes]


def message(world: World, kind: str, name: str) -> str:
    held = world.condition(kind, name)
    assert held is not None
    return held.message


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        pytest.param({"externalNetwork": "edge"}, "vpc", id="natgw-1"),
        pytest.param({"vpc": "", "externalNetwork": "edge"}, "vpc", id="natgw-1-empty"),
        pytest.param({"vpc": "lab"}, "externalNetwork", id="natgw-2"),
        pytest.param({"vpc": "lab", "externalNetwork": ""}, "externalNetwork", id="natgw-2-empty"),
    ],
)
def test_natgw_1_and_2_both_ends_are_named(world: World, spec: dict[str, Any], field: str) -> None:
    """The error names the field, and only that."""
    external(world)
    (fault,) = world.faults("NATGateway", "exit", **spec)
    assert fault.startswith(f"spec.{field}: Required value")


def test_natgw_3_and_4_both_ends_are_for_good(world: World) -> None:
    """Neither the Vpc nor the ExternalNetwork can be changed, also to one that exists."""
    external(world)
    external(world, "other", "arp")
    gateway(world)
    assert world.update_faults("NATGateway", "exit", vpc="default", externalNetwork="other") == [
        f'spec.vpc: Invalid value: "default": {IMMUTABLE}',
        f'spec.externalNetwork: Invalid value: "other": {IMMUTABLE}',
    ]


def test_natgw_5_and_6_both_ends_have_to_exist(world: World) -> None:
    """Each one that is missing is named, and both at once."""
    assert world.faults("NATGateway", "exit", vpc="gone", externalNetwork="nowhere") == [
        'spec.vpc: Not found: "gone": no such Vpc',
        'spec.externalNetwork: Not found: "nowhere": no such ExternalNetwork',
    ]


def test_natgw_5_and_6_not_on_an_object_that_is_being_deleted(world: World) -> None:
    """What holds a NATGateway that is going can be taken off it whatever else is gone."""
    external(world)
    gateway(world)
    world.write(world.get("NATGateway", "exit").with_metadata(finalizers=("example.com/hold",)))
    world.delete("NATGateway", "exit")
    world.delete("ExternalNetwork", "edge")
    world.delete("Vpc", "lab")
    assert world.ready("NATGateway", "exit") == ("Pending", "False", "Deleting")
    world.write(world.get("NATGateway", "exit").with_metadata(labels={"still": "here"}))


@pytest.mark.parametrize("type_", ["bgp", "arp"])
def test_natgw_7_networks_of_both_types_are_accepted(world: World, type_: str) -> None:
    """How the outside learns of the addresses does not matter."""
    external(world, type_=type_)
    gateway(world)
    assert world.ready("NATGateway", "exit") == READY


def test_natgw_8_routes_hold_it(world: World) -> None:
    """The error names every RouteTable with such a route, of whatever Vpc; routes of another type do not count."""
    external(world)
    gateway(world)
    for name in ("side", "more"):
        world.create("RouteTable", name, vpc="lab", routes=[via()])
    world.create("Vpc", "other")
    world.create("RouteTable", "foreign", vpc="other", routes=[via()])
    world.update("RouteTable", "lab", routes=[via("another")])
    with pytest.raises(Forbidden, match='it is used by RouteTable "foreign", "more", "side"; take '):
        world.delete("NATGateway", "exit")
    for name in ("side", "more", "foreign"):
        world.update("RouteTable", name, routes=[{"dst": EVERYWHERE, "via": {"type": "internetGateway"}}])
    world.delete("NATGateway", "exit")
    assert world.find(Key("NATGateway", "", "exit")) is None


def test_natgw_c1_it_has_a_number_of_its_own_for_good(world: World) -> None:
    """The claim is owned by the NATGateway and made again if it is deleted; the number is given back at the end."""
    external(world)
    gateway(world)
    gateway(world, "second")
    claim = "nat-gateway-id--natgateway--exit--status-gatewayid"
    assert [world.status("NATGateway", name).gateway_id for name in ("exit", "second")] == [1, 2]
    assert world.get("AllocationClaim", claim).metadata.owner_references[0].kind == "NATGateway"
    assert world.get("NATGateway", "exit").metadata.finalizers == ()
    world.delete("AllocationClaim", claim)
    assert world.get("AllocationClaim", claim).status.value.number == 1
    world.delete("NATGateway", "exit")
    gateway(world, "third")
    assert world.status("NATGateway", "third").gateway_id == 1
    assert world.writes_of_a_second_look() == 0


def test_natgw_c1_without_a_free_number_it_waits(world: World) -> None:
    """It is NotReady until there is one, and says for what."""
    external(world)
    world.force_delete("AllocationPool", "nat-gateway-id")
    gateway(world)
    assert world.ready("NATGateway", "exit") == ("Pending", "False", "NotReady")
    assert "nat-gateway-id" in message(world, "NATGateway", "exit")
    world.create("AllocationPool", "nat-gateway-id", type="number", number={"min": 50, "max": 51})
    assert world.ready("NATGateway", "exit") == READY
    assert world.status("NATGateway", "exit").gateway_id == 50


def test_a_number_of_more_than_32_bits_is_told_and_not_taken(world: World) -> None:
    """The NATGateway is Failed, and no dataplane hears of the number."""
    external(world)
    world.force_delete("AllocationPool", "nat-gateway-id")
    world.create("AllocationPool", "nat-gateway-id", type="number", number={"min": 2**32, "max": 2**32})
    gateway(world)
    assert world.ready("NATGateway", "exit") == ("Failed", "False", "ReconcileFailed")
    assert message(world, "NATGateway", "exit") == "gatewayID 4294967296 exceeds 32 bits"
    assert world.status("NATGateway", "exit").gateway_id == 0


def test_natgw_c2_it_does_not_wait_for_the_number_of_its_network(world: World) -> None:
    """It is Ready while the ExternalNetwork has no networkID."""
    world.force_delete("AllocationPool", "subnet-vni")
    external(world)
    gateway(world)
    assert world.status("ExternalNetwork", "edge").network_id == 0
    assert world.ready("NATGateway", "exit") == READY


def test_natgw_c3_its_network_hears_of_it_ready_or_not(world: World) -> None:
    """It counts from the start, and also while it is being deleted."""

    def heard() -> list[int]:
        return Reader(world.cache).values(GATEWAYS_OF_NETWORK, "edge")

    world.force_new("NATGateway", "exit", vpc="gone", externalNetwork="edge")
    assert heard() == [0]
    world.create("Vpc", "gone")
    external(world)
    assert heard() == [1]
    world.write(world.get("NATGateway", "exit").with_metadata(finalizers=("example.com/hold",)))
    world.delete("NATGateway", "exit")
    assert heard() == [1]


def test_what_it_names_and_is_missing_is_told(world: World) -> None:
    """The reason is MissingDependency, all that is missing is named and waited for, and a number is kept."""
    world.force_new("NATGateway", "exit", vpc="gone", externalNetwork="edge")
    assert world.ready("NATGateway", "exit") == ("Pending", "False", "MissingDependency")
    assert message(world, "NATGateway", "exit") == "Vpc gone does not exist; ExternalNetwork edge does not exist"
    assert world.waits("NATGateway", "exit") == [("Vpc/gone", "metadata"), ("ExternalNetwork/edge", "metadata")]
    world.create("Vpc", "gone")
    external(world)
    assert world.ready("NATGateway", "exit") == READY
    world.delete("ExternalNetwork", "edge")
    assert world.ready("NATGateway", "exit") == ("Pending", "False", "MissingDependency")
    assert world.status("NATGateway", "exit").gateway_id == 1


def test_natgw_c4_a_route_follows_once_the_gateway_is_ready(world: World) -> None:
    """The table waits for the very thing that is missing, step by step, and drops the route when that goes again."""
    external(world)
    world.force_delete("AllocationPool", "nat-gateway-id")
    world.create("RouteTable", "side", vpc="lab", routes=[via()])
    assert world.ready("RouteTable", "side") == ("Allocated", "False", "NotReady")
    assert message(world, "RouteTable", "side") == 'NATGateway "exit" not found'
    assert world.waits("RouteTable", "side") == [("NATGateway/exit", "metadata")]
    gateway(world)
    assert message(world, "RouteTable", "side") == 'NATGateway "exit" has no gatewayID'
    assert world.waits("RouteTable", "side") == [("NATGateway/exit", "status.gatewayID")]
    world.create("AllocationPool", "nat-gateway-id", type="number", number={"min": 7, "max": 9})
    assert world.ready("RouteTable", "side") == READY
    table = world.status("RouteTable", "side").table_id
    assert world.intents("RouteTable", "side") == [Route(table, IPv4Network(EVERYWHERE), ToNATGateway(7))]
    world.delete("ExternalNetwork", "edge")
    assert message(world, "RouteTable", "side") == 'NATGateway "exit" is not Ready'
    assert world.waits("RouteTable", "side") == [("NATGateway/exit", "status.conditions[Ready]")]
    assert world.intents("RouteTable", "side") == []


def test_a_gateway_of_another_vpc_resolves_nothing(world: World) -> None:
    """The message names both Vpcs."""
    external(world)
    gateway(world)
    world.create("Vpc", "other")
    world.create("RouteTable", "side", vpc="other", routes=[via()])
    assert message(world, "RouteTable", "side") == 'NATGateway "exit" belongs to Vpc "lab", not to Vpc "other"'
    assert world.intents("RouteTable", "side") == []


def test_natgw_c5_the_vpc_default_goes_out_by_the_gateway_default(world: World) -> None:
    """Only its main table gets the route, behind the connected ones, and only while the NATGateway is Ready."""
    external(world)
    world.create("RouteTable", "side", vpc="default")
    before = destinations(world, "default")
    gateway(world, "exit", "default")
    assert destinations(world, "default") == before
    gateway(world, "default", "default")
    assert destinations(world, "default") == [*before, EVERYWHERE]
    assert world.status("RouteTable", "default").routes[-1].via.nat_gateway == "default"
    assert destinations(world, "side") == before
    number = world.status("NATGateway", "default").gateway_id
    assert world.intents("RouteTable", "default")[-1].target == ToNATGateway(number)  # type: ignore[attr-defined]
    world.delete("ExternalNetwork", "edge")
    assert destinations(world, "default") == before
    world.create("ExternalNetwork", "edge", type="bgp", addressPools=["edge-pool"])
    assert destinations(world, "default") == [*before, EVERYWHERE]
    world.delete("NATGateway", "default")
    assert destinations(world, "default") == before


def test_natgw_c5_not_by_a_gateway_of_that_name_of_another_vpc(world: World) -> None:
    """Neither the Vpc default nor the other one gets a route by itself."""
    external(world)
    gateway(world, "default", "lab")
    assert EVERYWHERE not in destinations(world, "default")
    assert destinations(world, "lab") == []


def test_rt_c7_the_automatic_route_wins_over_a_users(world: World) -> None:
    """A spec route with its destination is passed over, which is no error, and is back when the other one goes."""
    external(world)
    world.update("RouteTable", "default", routes=[{"dst": EVERYWHERE, "via": {"type": "internetGateway"}}])
    assert world.status("RouteTable", "default").routes[-1].via.type == "internetGateway"
    gateway(world, "default", "default")
    assert world.status("RouteTable", "default").routes[-1].via.type == "natGateway"
    assert world.ready("RouteTable", "default") == READY
    world.delete("NATGateway", "default")
    assert world.status("RouteTable", "default").routes[-1].via.type == "internetGateway"


def test_natgw_c6_a_gateway_made_anew_has_another_number(world: World) -> None:
    """Routes follow at once."""
    external(world)
    gateway(world)
    world.create("RouteTable", "side", vpc="lab", routes=[via()])
    gateway(world, "second")
    old = world.get("NATGateway", "exit")
    world.force_delete("NATGateway", "exit")
    assert world.intents("RouteTable", "side") == []
    gateway(world, "third")
    world.put(evolve(old, metadata=evolve(old.metadata, uid="", resource_version="", generation=0)))
    assert world.status("NATGateway", "exit").gateway_id == 3
    target = world.intents("RouteTable", "side")[0].target  # type: ignore[attr-defined]
    assert target == ToNATGateway(3)
