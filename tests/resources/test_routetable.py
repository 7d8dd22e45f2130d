"""RouteTable: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.intents import Route, ToInternet, ToSegment, ToStation
from juneau.engine.objects import Key
from juneau.engine.shape import IMMUTABLE

READY = ("Ready", "True", "ReconcileSucceeded")


def route(dst: str = "0.0.0.0/0", type_: str = "endpoint", **via: Any) -> dict[str, Any]:
    """A route by an endpoint unless another type is named."""
    names = {"endpointName": "box"} if type_ == "endpoint" and not via else via
    return {"dst": dst, "via": {"type": type_, **names}}


def endpoint(world: World, name: str, subnet: str, mac: str = "02:00:00:00:00:01") -> None:
    """An interface in a Subnet."""
    namespace, _, own = name.partition("/")
    if world.find(Key("Namespace", "", namespace)) is None:
        world.create("Namespace", namespace)
    pod = {"name": own, "uid": f"uid-{name}", "interface": "eth0"}
    world.create("NetworkEndpoint", name, kind="Pod", nodeName="n1", subnet=subnet, macAddress=mac, podRef=pod)


def faults(world: World, *routes: dict[str, Any]) -> list[str]:
    return world.faults("RouteTable", "side", vpc="lab", routes=list(routes))


def test_rt_1_a_vpc_is_required(world: World) -> None:
    """A RouteTable names its Vpc."""
    assert world.faults("RouteTable", "side", vpc="") == ["spec.vpc: Required value: Vpc this table belongs to"]


def test_rt_2_a_type_is_one_of_nine(world: World) -> None:
    """The error lists them."""
    (fault,) = faults(world, route(type_="magic"))
    assert fault.startswith('spec.routes[0].via.type: Unsupported value: "magic": supported values: "connected", ')
    assert fault.count('"') == 2 + 2 * 9


@pytest.mark.parametrize("dst", ["10.0.0.0", "anywhere", "fd00::/8"])
def test_rt_3_a_destination_is_an_ipv4_cidr(world: World, dst: str) -> None:
    """The error names the route's index and value."""
    (fault,) = faults(world, route(), route(dst))
    assert fault.startswith(f'spec.routes[1].dst: Invalid value: "{dst}": ')


def test_rt_4_a_destination_is_canonical(world: World) -> None:
    """The error gives the canonical form."""
    assert faults(world, route("10.1.2.3/16")) == [
        'spec.routes[0].dst: Invalid value: "10.1.2.3/16": write it in its canonical form, "10.1.0.0/16"'
    ]


def test_rt_5_no_destination_twice(world: World) -> None:
    """The later one is the duplicate, compared in canonical form."""
    bad = faults(world, route("10.1.0.0/16"), route("10.2.0.0/16"), route("10.1.2.3/16"))
    assert 'spec.routes[2].dst: Duplicate value: "10.1.2.3/16": routes[0] has it already' in bad


def test_rt_6_a_destination_is_no_networks_own_prefix(world: World) -> None:
    """The error names the network and the Vpc; wider and narrower prefixes are allowed."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.2.0/24", gateway={})
    world.create("L2Network", "shut", vpc="lab", cidr="10.0.3.0/24")
    bad = faults(world, route("10.0.1.0/24"), route("10.0.2.0/24", "connected"), route("10.0.3.0/24"))
    assert len(bad) == 2
    assert bad[0].startswith('spec.routes[0].dst: Invalid value: "10.0.1.0/24": is the CIDR of Subnet web of Vpc lab')
    assert "is the CIDR of L2Network seg of Vpc lab" in bad[1]
    assert faults(world, route("10.0.1.0/25"), route("10.0.0.0/23")) == []


@pytest.mark.parametrize(
    ("type_", "field"),
    [pytest.param("service", "service", id="rt-7"), pytest.param("vpcEndpoint", "endpointPool", id="rt-8")],
)
def test_rt_7_and_8_automatic_types_are_forbidden(world: World, type_: str, field: str) -> None:
    """The error points to the field of the Vpc that makes them."""
    (fault,) = faults(world, route(type_=type_))
    assert fault.startswith("spec.routes[0].via.type: Forbidden: ")
    assert f"spec.{field} of the Vpc" in fault


@pytest.mark.parametrize(
    ("type_", "field"),
    [
        pytest.param("endpoint", "endpointName", id="rt-9"),
        pytest.param("natGateway", "natGateway", id="rt-10"),
        pytest.param("vpcPeering", "vpcPeering", id="rt-11"),
        pytest.param("transitGateway", "transitGateway", id="rt-12"),
    ],
)
def test_rt_9_to_13_a_type_has_its_own_name_and_no_other(world: World, type_: str, field: str) -> None:
    """The name that belongs to the type is required, each other one is an error of its own."""
    names = ["endpointName", "natGateway", "vpcPeering", "transitGateway"]
    others = {name: "x" for name in names if name != field}
    bad = faults(world, {"dst": "0.0.0.0/0", "via": {"type": type_, **others}})
    assert f"spec.routes[0].via.{field}: Required value: required with type {type_}" in bad
    for name in others:
        assert f"spec.routes[0].via.{name}: Forbidden: not allowed with type {type_}" in bad


@pytest.mark.parametrize("type_", ["connected", "internetGateway"])
def test_rt_14_some_types_have_no_name(world: World, type_: str) -> None:
    """With connected and internetGateway each name is an error."""
    names = ["endpointName", "natGateway", "vpcPeering", "transitGateway"]
    bad = faults(world, {"dst": "0.0.0.0/0", "via": {"type": type_, **dict.fromkeys(names, "x")}})
    for name in names:
        assert f"spec.routes[0].via.{name}: Forbidden: not allowed with type {type_}" in bad


@pytest.mark.parametrize("type_", ["connected", "endpoint", "service"])
def test_rt_15_a_vpn_goes_with_its_type(world: World, type_: str) -> None:
    """via.vpn is forbidden unless the type is vpn."""
    names = {"endpointName": "box"} if type_ == "endpoint" else {}
    bad = faults(world, route(type_=type_, vpn={"namespace": "a", "name": "b"}, **names))
    assert f"spec.routes[0].via.vpn: Forbidden: not allowed with type {type_}" in bad


@pytest.mark.parametrize("type_", ["vpcPeering", "transitGateway", "vpn"])
def test_types_to_come_are_refused_loudly(world: World, type_: str) -> None:
    """A route that no dataplane would follow is not accepted."""
    name = {type_: "x"} if type_ != "vpn" else {}
    (fault,) = faults(world, route(type_=type_, **name))
    assert fault.startswith(f'spec.routes[0].via.type: Unsupported value: "{type_}": this version of Juneau has no ')


def test_rt_16_what_it_names_may_come_later(world: World) -> None:
    """Neither the Vpc nor an endpoint has to exist; Ready tells what is missing."""
    assert world.faults("RouteTable", "side", vpc="later", routes=[route()]) == []
    assert world.ready("RouteTable", "side") == ("Allocated", "False", "NotReady")
    held = world.condition("RouteTable", "side")
    assert held is not None
    assert held.message == 'NetworkEndpoint "box" not found'


def test_rt_17_the_vpc_is_immutable_and_the_rest_is_judged_again(world: World) -> None:
    """Each rule runs at each change; a network's own prefix does not stop a table that is going."""
    made = world.create("RouteTable", "side", vpc="lab", routes=[route("10.0.1.0/24")])
    assert world.update_faults("RouteTable", "side", vpc="default") == [
        f'spec.vpc: Invalid value: "default": {IMMUTABLE}'
    ]
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    more = [route("10.0.1.0/24"), route("10.9.0.0/16")]
    assert len(world.update_faults("RouteTable", "side", routes=more)) == 1
    world.force(made.with_metadata(finalizers=("example.com/hold",)))
    world.delete("RouteTable", "side")
    world.write(world.get("RouteTable", "side").with_metadata(labels={"still": "here"}))


def test_rt_18_the_main_route_table_stays_while_its_vpc_does(world: World) -> None:
    """The error names the Vpc; once that is going the table may go."""
    with pytest.raises(Forbidden, match="it is the main RouteTable of Vpc lab"):
        world.delete("RouteTable", "lab")
    world.write(world.get("Vpc", "lab").with_metadata(finalizers=("example.com/hold",)))
    world.delete("Vpc", "lab")
    world.delete("RouteTable", "lab")
    assert world.find(Key("RouteTable", "", "lab")) is None


def test_rt_19_and_20_its_users_hold_it(world: World) -> None:
    """Subnets are named first, then L2Networks; each list is whole."""
    world.create("RouteTable", "side", vpc="lab")
    for number, name in enumerate(("web", "api")):
        world.create("Subnet", name, vpc="lab", cidr=f"10.0.{number}.0/24", routeTable="side")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.9.0/24", gateway={"routeTable": "side"})
    with pytest.raises(Forbidden, match='it is used by Subnet "api", "web"'):
        world.delete("RouteTable", "side")
    world.update("Subnet", "web", routeTable=None)
    world.delete("Subnet", "api")
    with pytest.raises(Forbidden, match='it is used by L2Network "seg"'):
        world.delete("RouteTable", "side")
    world.update("L2Network", "seg", gateway={})
    world.delete("RouteTable", "side")
    assert world.find(Key("RouteTable", "", "side")) is None


def test_rt_c1_c2_and_c7_connected_routes_come_first(world: World) -> None:
    """Subnets by name, then L2Networks with a gateway, in every table; what a user repeats of them is ignored."""
    copied = {"dst": "10.0.9.0/24", "via": {"type": "connected"}}
    world.create("RouteTable", "side", vpc="lab", routes=[copied])
    world.create("L2Network", "alpha", vpc="lab", cidr="10.0.3.0/24", gateway={})
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.create("Subnet", "api", vpc="lab", cidr="10.0.2.0/24")
    for name in ("lab", "side"):
        routes = world.status("RouteTable", name).routes
        assert [(found.dst, found.via.type, found.subnet or found.l2_network) for found in routes] == [
            ("10.0.2.0/24", "connected", "api"),
            ("10.0.1.0/24", "connected", "web"),
            ("10.0.3.0/24", "connected", "alpha"),
        ]
        assert world.ready("RouteTable", name) == READY
    assert world.writes_of_a_second_look() == 0


def test_the_first_route_that_cannot_be_resolved_ends_the_list(world: World) -> None:
    """Automatic routes stay, so that what is connected goes on."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.update("RouteTable", "lab", routes=[route()])
    assert [found.dst for found in world.status("RouteTable", "lab").routes] == ["10.0.1.0/24"]
    assert world.ready("RouteTable", "lab") == ("Allocated", "False", "NotReady")


def test_a_table_has_a_number_of_its_own(world: World) -> None:
    """The number comes from its pool and stays; without one the table is Pending."""
    first = world.status("RouteTable", "lab").table_id
    world.force_delete("AllocationPool", "route-table-id")
    world.create("RouteTable", "side", vpc="lab")
    assert world.ready("RouteTable", "side") == ("Pending", "False", "NotReady")
    world.create("AllocationPool", "route-table-id", type="number", number={"min": 50, "max": 51})
    assert (world.status("RouteTable", "side").table_id, world.ready("RouteTable", "side")) == (50, READY)
    assert world.status("RouteTable", "lab").table_id == first


def test_intents_are_routes_to_segments(world: World) -> None:
    """Each connected network is a route of the table to its segment."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.2.0/24", gateway={})
    table = world.status("RouteTable", "lab").table_id
    assert world.intents("RouteTable", "lab") == [
        Route(table, IPv4Network("10.0.1.0/24"), ToSegment(world.status("Subnet", "web").vni)),
        Route(table, IPv4Network("10.0.2.0/24"), ToSegment(world.status("L2Network", "seg").vni)),
    ]


def test_an_endpoint_route_leads_to_a_nic_of_the_vpc(world: World) -> None:
    """It is resolved by name or namespace/name, and whatever it matches goes to that NIC."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    endpoint(world, "team/box", "web")
    world.update("RouteTable", "lab", routes=[route(), route("9.0.0.0/8", endpointName="team/box")])
    assert world.ready("RouteTable", "lab") == READY
    status = world.status("RouteTable", "lab")
    assert [(found.dst, found.subnet) for found in status.routes[1:]] == [("0.0.0.0/0", "web"), ("9.0.0.0/8", "web")]
    target = ToStation(world.status("Subnet", "web").vni, "02:00:00:00:00:01")
    last = world.intents("RouteTable", "lab")[-1]
    assert last == Route(status.table_id, IPv4Network("9.0.0.0/8"), target)


def test_an_internet_gateway_needs_nothing(world: World) -> None:
    """The route is resolved as it stands, and leads out of the Vpc; it is in the table that names it only."""
    world.create("RouteTable", "side", vpc="lab", routes=[route(type_="internetGateway")])
    assert world.ready("RouteTable", "side") == READY
    status = world.status("RouteTable", "side")
    assert [(found.dst, found.via.type) for found in status.routes] == [("0.0.0.0/0", "internetGateway")]
    assert world.intents("RouteTable", "side") == [Route(status.table_id, IPv4Network("0.0.0.0/0"), ToInternet())]
    assert world.intents("RouteTable", "lab") == []


def test_an_endpoint_outside_the_vpc_resolves_nothing(world: World) -> None:
    """The message names the endpoint and the Vpc."""
    world.create("Vpc", "other")
    world.create("Subnet", "web", vpc="other", cidr="10.0.1.0/24")
    endpoint(world, "team/box", "web")
    world.update("RouteTable", "lab", routes=[route()])
    held = world.condition("RouteTable", "lab")
    assert held is not None
    assert held.message == 'NetworkEndpoint "box" is in no Subnet of Vpc "lab"'


def test_an_ambiguous_endpoint_resolves_nothing(world: World) -> None:
    """Two endpoints of one name in the Vpc have to be told apart by their namespaces."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    endpoint(world, "team-a/box", "web")
    endpoint(world, "team-b/box", "web", "02:00:00:00:00:02")
    world.update("RouteTable", "lab", routes=[route()])
    held = world.condition("RouteTable", "lab")
    assert held is not None
    assert "could be any of team-a/box, team-b/box; write it with its namespace" in held.message
    world.update("RouteTable", "lab", routes=[route(endpointName="team-b/box")])
    assert world.ready("RouteTable", "lab") == READY


def test_what_it_waits_for_is_told(world: World) -> None:
    """The wait names the endpoint that is missing."""
    world.update("RouteTable", "lab", routes=[route(endpointName="team/box")])
    assert world.waits("RouteTable", "lab") == [("NetworkEndpoint/team/box", "spec")]


def test_a_later_network_with_a_routes_prefix_is_told(world: World) -> None:
    """The automatic route wins over the user's; the table stays Ready and shows Valid=False."""
    world.create("RouteTable", "side", vpc="lab", routes=[route("10.0.1.0/24")])
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    assert world.ready("RouteTable", "side") == READY
    held = world.condition("RouteTable", "side", "Valid")
    assert held is not None
    assert held.status == "False"
    assert "is the CIDR of Subnet web" in held.message
