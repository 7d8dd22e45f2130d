"""Vpc: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.objects import Key
from juneau.engine.settings import Settings

READY = ("Ready", "True", "ReconcileSucceeded")
UNRESOLVED = {"dst": "0.0.0.0/0", "via": {"type": "endpoint", "endpointName": "gone"}}

CIDRS = "IPv4 prefixes, disjoint from every network"
SOURCE = "Subnet that lends each Node a source address"


def pool(*cidrs: str) -> dict[str, Any]:
    return {"cidrs": list(cidrs)}


def provider(subnet: str) -> dict[str, Any]:
    return {"provider": {"natSourceSubnet": subnet}}


def test_vpc_1_an_endpoint_pool_has_prefixes(world: World) -> None:
    """An endpoint pool lists at least one prefix, none twice, also once host bits are cleared."""
    field = "spec.endpointPool.cidrs"
    (fault,) = world.faults("Vpc", "blue", endpointPool={})
    assert fault.startswith(f"{field}: Required value")
    assert world.faults("Vpc", "blue", endpointPool=pool()) == [f"{field}: Required value: {CIDRS}"]
    assert world.faults("Vpc", "blue", endpointPool=pool("10.9.0.0/24", "10.9.0.7/24")) == [
        f'{field}[1]: Duplicate value: "10.9.0.0/24": named already; leave it out'
    ]


def test_vpc_2_a_provider_names_its_subnet(world: World) -> None:
    """natSourceSubnet is required inside provider."""
    field = "spec.service.provider.natSourceSubnet"
    (fault,) = world.faults("Vpc", "blue", service={"provider": {}})
    assert fault.startswith(f"{field}: Required value")
    assert world.faults("Vpc", "blue", service=provider("")) == [f"{field}: Required value: {SOURCE}"]


def test_vpc_3_host_bits_of_pools_are_cleared(world: World) -> None:
    """A prefix is rewritten to its network form; what does not parse is left for validation."""
    made = world.create("Vpc", "blue", endpointPool=pool("10.9.0.7/24"))
    assert made.spec.endpoint_pool.cidrs == ("10.9.0.0/24",)
    (fault,) = world.faults("Vpc", "red", endpointPool=pool("10.9.0.7/24", "what"))
    assert '"what"' in fault


@pytest.mark.parametrize(
    ("cidr", "word"),
    [
        pytest.param("10.9.0.0", "prefix length", id="vpc-4"),
        pytest.param("fd00::/64", "IPv6", id="vpc-5"),
        pytest.param("10.8.0.0/15", "the prefix length must be 16 to 32", id="vpc-6"),
    ],
)
def test_vpc_4_to_6_pool_entries_are_ipv4_prefixes(world: World, cidr: str, word: str) -> None:
    """The error names index and value."""
    (fault,) = world.faults("Vpc", "blue", endpointPool=pool("172.30.0.0/24", cidr))
    assert fault.startswith(f'spec.endpointPool.cidrs[1]: Invalid value: "{cidr}": ')
    assert word in fault


def test_vpc_6_single_addresses_are_accepted(world: World) -> None:
    """A /32 is legal, and so is a /16."""
    assert world.faults("Vpc", "blue", endpointPool=pool("172.30.0.1/32", "172.31.0.0/16")) == []


def test_vpc_7_pool_entries_do_not_overlap(world: World) -> None:
    """The error names index and value of the other entry."""
    assert world.faults("Vpc", "blue", endpointPool=pool("172.30.0.0/24", "172.30.0.128/25")) == [
        'spec.endpointPool.cidrs[1]: Invalid value: "172.30.0.128/25": '
        "overlaps spec.endpointPool.cidrs[0], 172.30.0.0/24"
    ]


def test_vpc_8_pools_keep_the_service_cidr_free(world: World) -> None:
    """The error names the Service CIDR, although Service routing is off; where none is known nothing is compared."""
    (fault,) = world.faults("Vpc", "blue", endpointPool=pool("10.100.0.0/24"))
    assert "overlaps the cluster's Service CIDR 10.96.0.0/12" in fault
    assert World(Settings(service_cidr="")).faults("Vpc", "blue", endpointPool=pool("10.100.0.0/24")) == []


def test_vpc_9_pools_keep_networks_free(world: World) -> None:
    """The error names kind, name and CIDR of the network, and the Vpc."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.2.0/24")
    bad = world.update_faults("Vpc", "lab", endpointPool=pool("10.0.1.7/32", "10.0.2.0/25"))
    assert [fault.partition("; ")[0] for fault in bad] == [
        'spec.endpointPool.cidrs[0]: Invalid value: "10.0.1.7/32": overlaps Subnet web (10.0.1.0/24) of Vpc lab',
        'spec.endpointPool.cidrs[1]: Invalid value: "10.0.2.0/25": overlaps L2Network seg (10.0.2.0/24) of Vpc lab',
    ]


def test_vpc_10_and_11_pools_keep_networks_of_joined_vpcs_free(world: World) -> None:
    """The error also names that Vpc and what joins it."""
    world.create("Vpc", "other")
    world.create("Subnet", "web", vpc="other", cidr="10.0.1.0/24")
    world.create("Tunnel", "pipe", left="lab", right="other")
    (fault,) = world.update_faults("Vpc", "lab", endpointPool=pool("10.0.1.0/24"))
    assert "overlaps Subnet web (10.0.1.0/24) of Vpc other, which Tunnel pipe joins to Vpc lab" in fault


def test_vpc_13_pools_are_judged_when_they_change(world: World) -> None:
    """What has come to overlap a stored pool stops no other change of the Vpc, and shows as Valid=False."""
    world.update("Vpc", "lab", endpointPool=pool("172.30.0.0/24"))
    world.force_new("Subnet", "web", vpc="lab", cidr="172.30.0.0/24")
    assert world.update_faults("Vpc", "lab", enforceSecurityGroups=True) == []
    assert len(world.update_faults("Vpc", "lab", endpointPool=pool("172.30.0.0/24", "172.31.0.0/24"))) == 1
    held = world.condition("Vpc", "lab", "Valid")
    assert held is not None
    assert (held.status, world.ready("Vpc", "lab")) == ("False", READY)


def test_vpc_14_service_routing_needs_the_service_cidr(world: World) -> None:
    """Turning it on is refused while an older network overlaps the Service CIDR; the error names both."""
    world.force_new("L2Network", "seg", vpc="lab", cidr="10.96.1.0/24")
    (fault,) = world.update_faults("Vpc", "lab", service={"consume": True})
    assert fault.startswith("spec.service: Invalid value: L2Network seg (10.96.1.0/24) overlaps the cluster's Service")
    assert "10.96.0.0/12" in fault
    assert world.update_faults("Vpc", "lab", service={"consume": False}) == []


def test_vpc_15_a_nat_source_may_come_later(world: World) -> None:
    """A Subnet that is missing or of another Vpc is accepted, and Ready tells it."""
    world.create("Vpc", "blue", service=provider("web"))
    assert world.ready("Vpc", "blue") == ("Allocated", "False", "ProviderSubnetMissing")
    held = world.condition("Vpc", "blue")
    assert held is not None
    assert "Subnet web" in held.message
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    assert world.ready("Vpc", "blue") == ("Allocated", "False", "ProviderSubnetForeign")
    held = world.condition("Vpc", "blue")
    assert held is not None
    assert "belongs to Vpc lab, not to Vpc blue" in held.message
    world.update("Vpc", "lab", service=provider("web"))
    assert world.ready("Vpc", "lab") == READY


def test_vpc_16_the_vpc_default_stays(world: World) -> None:
    """The Vpc default is never deleted, whatever else there is to say against it."""
    with pytest.raises(Forbidden, match="the Vpc default belongs to the whole cluster and cannot be deleted"):
        world.delete("Vpc", "default")


def test_vpc_17_and_18_its_networks_hold_it(world: World) -> None:
    """Subnets are named first, then L2Networks; all of them are listed."""
    for number, name in enumerate(("web", "api")):
        world.create("Subnet", name, vpc="lab", cidr=f"10.0.{number}.0/24")
    world.create("L2Network", "seg", vpc="lab")
    with pytest.raises(Forbidden, match='it still has Subnet "api", "web"'):
        world.delete("Vpc", "lab")
    world.delete("Subnet", "web")
    world.delete("Subnet", "api")
    with pytest.raises(Forbidden, match='it still has L2Network "seg"'):
        world.delete("Vpc", "lab")
    world.delete("L2Network", "seg")
    world.delete("Vpc", "lab")
    assert world.find(Key("Vpc", "", "lab")) is None


def test_vpc_c1_the_vpc_default_is_there(world: World) -> None:
    """It consumes Services, provides them from the Subnet default, and its number is 1."""
    made = world.get("Vpc", "default")
    assert (made.spec.service.consume, made.spec.service.provider.nat_source_subnet) == (True, "default")
    assert (made.status.vpc_id, world.ready("Vpc", "default")) == (1, READY)


def test_vpc_c2_other_vpcs_claim_their_number(world: World) -> None:
    """Numbers begin at 2 and stay; without one the Vpc is Pending."""
    assert world.status("Vpc", "lab").vpc_id == 2
    world.force_delete("AllocationPool", "vpc-id")
    world.create("Vpc", "blue")
    assert world.ready("Vpc", "blue") == ("Pending", "False", "NotReady")
    world.create("AllocationPool", "vpc-id", type="number", number={"min": 9, "max": 9})
    assert (world.status("Vpc", "blue").vpc_id, world.ready("Vpc", "blue")) == (9, READY)


def test_vpc_c3_the_main_route_table_is_made(world: World) -> None:
    """It has the Vpc's name and the Vpc as controlling owner, and goes with it."""
    table = world.get("RouteTable", "lab")
    assert (table.spec.vpc, table.spec.routes) == ("lab", ())
    assert [(owner.name, owner.controller) for owner in table.metadata.owner_references] == [("lab", True)]
    assert world.status("Vpc", "lab").main_route_table == "lab"
    world.delete("Vpc", "lab")
    assert world.find(Key("RouteTable", "", "lab")) is None


def test_vpc_c3_a_users_route_table_is_adopted(world: World) -> None:
    """Routes that a user wrote first stay; only the owner is added."""
    world.create("RouteTable", "blue", vpc="blue", routes=[UNRESOLVED])
    world.create("Vpc", "blue")
    table = world.get("RouteTable", "blue")
    assert [route.dst for route in table.spec.routes] == ["0.0.0.0/0"]
    assert [owner.name for owner in table.metadata.owner_references] == ["blue"]


def test_vpc_c3_a_route_table_of_another_vpc_is_not_taken(world: World) -> None:
    """A table of that name which belongs elsewhere is left alone, and the Vpc says so."""
    world.create("RouteTable", "blue", vpc="lab")
    world.create("Vpc", "blue")
    assert world.ready("Vpc", "blue") == ("Allocated", "False", "MainRouteTableNotReady")
    assert world.get("RouteTable", "blue").metadata.owner_references == ()


def test_vpc_c4_it_waits_for_its_main_route_table(world: World) -> None:
    """A route that cannot be resolved keeps the Vpc from being Ready, with the table's own message."""
    world.update("RouteTable", "lab", routes=[UNRESOLVED])
    assert world.ready("Vpc", "lab") == ("Allocated", "False", "MainRouteTableNotReady")
    held = world.condition("Vpc", "lab")
    assert held is not None
    assert 'NetworkEndpoint "gone" not found' in held.message
    world.update("RouteTable", "lab", routes=[])
    assert world.ready("Vpc", "lab") == READY


def test_vpc_c6_an_endpoint_pool_is_a_pool(world: World) -> None:
    """The AllocationPool has the Vpc's prefixes, nothing is excluded, and it goes with the field."""
    name = "vpc-endpoint-ip-lab"
    assert world.find(Key("AllocationPool", "", name)) is None
    world.update("Vpc", "lab", endpointPool=pool("172.30.0.0/24"))
    made = world.get("AllocationPool", name)
    assert (made.spec.type, made.spec.ip.cidrs, made.spec.ip.excluded) == ("ip", ("172.30.0.0/24",), ())
    assert [owner.name for owner in made.metadata.owner_references] == ["lab"]
    world.update("Vpc", "lab", endpointPool=pool("172.30.0.0/24", "172.30.9.0/24"))
    assert world.get("AllocationPool", name).spec.ip.cidrs == ("172.30.0.0/24", "172.30.9.0/24")
    world.update("Vpc", "lab", endpointPool=None)
    assert world.find(Key("AllocationPool", "", name)) is None


def test_vpc_c7_it_has_no_finalizer(world: World) -> None:
    """Nothing holds a Vpc back."""
    assert world.get("Vpc", "lab").metadata.finalizers == ()


def test_a_second_look_writes_nothing(world: World) -> None:
    """An unchanged world leads to no writes."""
    world.update("Vpc", "lab", endpointPool=pool("172.30.0.0/24"), service={"consume": True})
    assert world.writes_of_a_second_look() == 0


def test_what_it_waits_for_is_told(world: World) -> None:
    """The wait names the object at the next link of the chain."""
    world.update("RouteTable", "lab", routes=[UNRESOLVED])
    assert world.waits("Vpc", "lab") == [("RouteTable/lab", "status.conditions[Ready]")]
    world.create("Vpc", "blue", service=provider("web"))
    assert world.waits("Vpc", "blue") == [("Subnet/web", "metadata")]
    world.force_delete("AllocationPool", "vpc-id")
    world.create("Vpc", "red")
    assert world.waits("Vpc", "red") == [("AllocationClaim/vpc-id--vpc--red--status-vpcid", "status.value")]


def test_a_stored_object_that_breaks_a_rule_fails(world: World) -> None:
    """What time does not heal is Failed, with the words of admission."""
    world.force_new("Vpc", "blue", endpointPool=pool("what"))
    assert world.ready("Vpc", "blue") == ("Failed", "False", "ReconcileFailed")
    held = world.condition("Vpc", "blue")
    assert held is not None
    assert 'spec.endpointPool.cidrs[0]: Invalid value: "what"' in held.message
