"""Subnet: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

import pytest
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.intents import Gateway, Neighbour, Segment, SegmentKind
from juneau.engine.objects import Key
from juneau.engine.settings import Settings
from juneau.engine.shape import IMMUTABLE

READY = ("Ready", "True", "ReconcileSucceeded")


def test_sub_1_the_vpc_has_to_exist(world: World) -> None:
    """The error names field and value."""
    assert world.faults("Subnet", "web", vpc="gone", cidr="10.0.1.0/24") == ['spec.vpc: Not found: "gone": no such Vpc']


def test_sub_2_the_subnet_default_is_of_the_vpc_default(world: World) -> None:
    """No other Vpc may have the Subnet default."""
    world.force_delete("Subnet", "default")
    (fault,) = world.faults("Subnet", "default", vpc="lab", cidr="10.0.1.0/24")
    assert fault.startswith('spec.vpc: Invalid value: "lab": ')
    assert world.faults("Subnet", "default", vpc="default", cidr="10.16.0.0/16") == []


def test_sub_3_the_vpc_default_has_only_the_subnet_default(world: World) -> None:
    """Any other Subnet there is refused."""
    (fault,) = world.faults("Subnet", "web", vpc="default", cidr="10.0.1.0/24")
    assert fault.startswith('spec.vpc: Invalid value: "default": ')


def test_sub_4_host_bits_are_cleared(world: World) -> None:
    """A cidr is rewritten to its network form, at creation and at each change."""
    assert world.create("Subnet", "web", vpc="lab", cidr="10.44.8.19/22").spec.cidr == "10.44.8.0/22"
    assert world.update_faults("Subnet", "web", cidr="10.44.8.77/22") == []
    assert world.get("Subnet", "web").spec.cidr == "10.44.8.0/22"


@pytest.mark.parametrize(
    ("cidr", "word"),
    [
        pytest.param("10.0.1.0", 'such as "10.0.1.0/24"', id="sub-5"),
        pytest.param("net", "IPv4 CIDR", id="sub-5-word"),
        pytest.param("fd00::/64", "IPv6", id="sub-6"),
        pytest.param("10.0.0.0/15", "must be /16 to /28", id="sub-7"),
        pytest.param("10.0.1.0/29", "must be /16 to /28", id="sub-7-small"),
    ],
)
def test_sub_5_to_7_a_cidr_is_an_ipv4_prefix(world: World, cidr: str, word: str) -> None:
    """What is no IPv4 CIDR of /16 to /28 is refused, with what to write instead."""
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr=cidr)
    assert fault.startswith(f'spec.cidr: Invalid value: "{cidr}": ')
    assert word in fault


@pytest.mark.parametrize("cidr", ["10.0.0.0/16", "10.0.1.0/28"])
def test_sub_7_both_bounds_are_accepted(world: World, cidr: str) -> None:
    """/16 and /28 are accepted."""
    assert world.faults("Subnet", "web", vpc="lab", cidr=cidr) == []


def test_sub_8_networks_of_one_vpc_do_not_overlap(world: World) -> None:
    """The error names the other's kind, name, CIDR and the Vpc."""
    world.create("Subnet", "api", vpc="lab", cidr="10.0.1.0/24")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.2.0/24")
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/28")
    assert "overlaps Subnet api (10.0.1.0/24) of Vpc lab" in fault
    bad = world.faults("Subnet", "web", vpc="lab", cidr="10.0.0.0/16")
    assert len(bad) == 2
    assert "overlaps L2Network seg (10.0.2.0/24) of Vpc lab" in bad[0]


def test_sub_9_and_10_networks_of_joined_vpcs_do_not_overlap(world: World) -> None:
    """The error also names that Vpc and what joins it; without a join the prefix is free."""
    world.create("Vpc", "other")
    world.create("Subnet", "api", vpc="other", cidr="10.0.1.0/24")
    world.create("Tunnel", "pipe", left="other", right="lab")
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    assert "overlaps Subnet api (10.0.1.0/24) of Vpc other, which Tunnel pipe joins to Vpc lab" in fault
    world.delete("Tunnel", "pipe")
    assert world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/24") == []


def test_sub_11_and_12_endpoint_pools_are_kept_free(world: World) -> None:
    """The own Vpc's pool and that of a joined one; the error names the pool's CIDR and the Vpc."""
    world.update("Vpc", "lab", endpointPool={"cidrs": ["172.30.1.0/24"]})
    world.create("Vpc", "other", endpointPool={"cidrs": ["172.30.2.0/24"]})
    world.create("Tunnel", "pipe", left="lab", right="other")
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="172.30.1.0/24")
    assert "overlaps 172.30.1.0/24 in the endpointPool of Vpc lab" in fault
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="172.30.2.0/24")
    assert "overlaps 172.30.2.0/24 in the endpointPool of Vpc other, which Tunnel pipe joins" in fault


def test_sub_13_the_service_cidr_is_kept_free(world: World) -> None:
    """The error names the Service CIDR and the Vpc; where none is known nothing is compared."""
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="10.96.0.0/16")
    assert "overlaps the cluster's Service CIDR 10.96.0.0/12, which Vpc lab must not use" in fault
    free = World(Settings(service_cidr=""))
    free.create("Vpc", "lab")
    assert free.faults("Subnet", "web", vpc="lab", cidr="10.96.0.0/16") == []


def test_sub_14_a_cidr_that_does_not_parse_overlaps_nothing(world: World) -> None:
    """There is one error for it, not several."""
    world.create("Subnet", "api", vpc="lab", cidr="10.0.1.0/24")
    assert len(world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/240")) == 1


def test_sub_15_the_route_table_has_to_exist(world: World) -> None:
    """A RouteTable that does not exist is refused."""
    assert world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", routeTable="side") == [
        'spec.routeTable: Not found: "side": no such RouteTable'
    ]


def test_sub_16_the_route_table_is_of_the_same_vpc(world: World) -> None:
    """The error names the Vpc it belongs to."""
    world.create("Vpc", "other")
    assert world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", routeTable="other") == [
        'spec.routeTable: Invalid value: "other": belongs to Vpc other, not to Vpc lab'
    ]


def test_sub_17_the_subnet_default_uses_the_main_route_table(world: World) -> None:
    """It may not choose one, not even by name."""
    (fault,) = world.update_faults("Subnet", "default", routeTable="default")
    assert fault.startswith("spec.routeTable: Forbidden")


def test_sub_18_the_acl_has_to_exist(world: World) -> None:
    """A NetworkACL that does not exist is refused."""
    assert world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", networkACL="edge") == [
        'spec.networkACL: Not found: "edge": no such NetworkACL'
    ]


def test_sub_19_the_acl_is_of_the_same_vpc(world: World) -> None:
    """The error names its Vpc and the expected one."""
    world.create("Vpc", "other")
    world.create("NetworkACL", "edge", vpc="other")
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", networkACL="edge")
    assert fault.startswith('spec.networkACL: Invalid value: "edge": belongs to Vpc other; ')
    assert "of Vpc lab" in fault


def test_sub_20_and_21_vpc_and_cidr_are_immutable(world: World) -> None:
    """A Subnet stays in its Vpc with its prefix."""
    world.create("Vpc", "other")
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    assert world.update_faults("Subnet", "web", vpc="other") == [f'spec.vpc: Invalid value: "other": {IMMUTABLE}']
    assert world.update_faults("Subnet", "web", cidr="10.0.2.9/24") == [
        f'spec.cidr: Invalid value: "10.0.2.0/24": {IMMUTABLE}'
    ]


def test_sub_22_route_tables_are_judged_every_time_and_acls_when_they_change(world: World) -> None:
    """An ACL that is gone stops no other change, a RouteTable that is gone does."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("RouteTable", "side", vpc="lab")
    world.create("RouteTable", "more", vpc="lab")
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", networkACL="edge")
    world.force_delete("NetworkACL", "edge")
    assert world.update_faults("Subnet", "web", routeTable="side") == []
    world.force_delete("RouteTable", "side")
    made = world.get("Subnet", "web")
    assert world.update_faults("Subnet", "web", networkACL=None) == [
        'spec.routeTable: Not found: "side": no such RouteTable'
    ]
    world.force(made.with_metadata(finalizers=("example.com/hold",)))
    world.delete("Subnet", "web")
    world.write(world.get("Subnet", "web").with_metadata(labels={"still": "here"}))


def test_sub_23_the_subnet_default_stays(world: World) -> None:
    """The Subnet default is never deleted."""
    with pytest.raises(Forbidden, match="the Subnet default belongs to the whole cluster and cannot be deleted"):
        world.delete("Subnet", "default")


def test_sub_24_any_other_subnet_may_go(world: World) -> None:
    """A Subnet goes although it is a provider's and a NIC is on it."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.create("Namespace", "team")
    pod = {"uid": "u", "name": "pod", "interface": "eth0"}
    world.create("NetworkInterface", "team/nic", podRef=pod, nodeName="n1", subnet="web")
    world.delete("Subnet", "web")
    assert world.find(Key("Subnet", "", "web")) is None


def test_sub_c1_it_waits_for_its_vpc(world: World) -> None:
    """While the Vpc is missing or not Ready the Subnet is Pending, and says why."""
    world.force_new("Subnet", "web", vpc="later", cidr="10.0.1.0/24")
    assert world.ready("Subnet", "web") == ("Pending", "False", "VpcNotFound")
    unresolved = {"dst": "0.0.0.0/0", "via": {"type": "endpoint", "endpointName": "gone"}}
    world.create("RouteTable", "later", vpc="later", routes=[unresolved])
    world.create("Vpc", "later")
    assert world.ready("Subnet", "web") == ("Pending", "False", "VpcNotReady")
    held = world.condition("Subnet", "web")
    assert held is not None
    assert 'NetworkEndpoint "gone" not found' in held.message
    assert world.status("Subnet", "web").vni == 0
    world.update("RouteTable", "later", routes=[])
    assert world.ready("Subnet", "web") == READY


def test_sub_c1_what_is_known_stays(world: World) -> None:
    """Values in status are kept when Ready turns False."""
    before = world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24").status
    unresolved = {"dst": "0.0.0.0/0", "via": {"type": "endpoint", "endpointName": "gone"}}
    world.update("RouteTable", "lab", routes=[unresolved])
    after = world.status("Subnet", "web")
    assert world.ready("Subnet", "web") == ("Allocated", "False", "VpcNotReady")
    assert (after.vni, after.gateway, after.gateway_mac) == (before.vni, before.gateway, before.gateway_mac)


def test_sub_c2_the_subnet_default_has_the_first_vni(world: World) -> None:
    """VNIs begin at 4096, which the Subnet default has."""
    assert world.status("Subnet", "default").vni == 4096


def test_sub_c3_and_c4_gateway_and_resolver(world: World) -> None:
    """They have the first two addresses and MACs of their own, locally administered unicast."""
    status = world.create("Subnet", "web", vpc="lab", cidr="10.44.8.0/22").status
    assert (status.gateway, status.dns) == ("10.44.8.1", "10.44.8.2")
    assert status.gateway_mac != status.dns_mac
    assert {int(mac[:2], 16) & 3 for mac in (status.gateway_mac, status.dns_mac)} == {2}


def test_sub_c5_three_addresses_are_kept_back(world: World) -> None:
    """Gateway, resolver and .3 are excluded; the first address for a Pod is .4."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    pool = world.get("AllocationPool", "subnet-ip-web")
    assert pool.spec.ip.cidrs == ("10.0.1.0/24",)
    assert pool.spec.ip.excluded == ("10.0.1.1", "10.0.1.2", "10.0.1.3")
    assert [owner.name for owner in pool.metadata.owner_references] == ["web"]
    world.create("Namespace", "team")
    pod = {"uid": "u", "name": "pod", "interface": "eth0"}
    world.create("NetworkInterface", "team/nic", podRef=pod, nodeName="n1", subnet="web")
    assert world.status("NetworkInterface", "team/nic").address == "10.0.1.4/24"


def test_sub_c6_the_acl_is_resolved_and_followed(world: World) -> None:
    """status.networkACL has the ACL's number and version; a missing ACL shows number 0 and is no error."""
    world.create("NetworkACL", "edge", vpc="lab", ingress=[])
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", networkACL="edge")
    acl = world.status("Subnet", "web").network_acl
    assert (acl.name, acl.acl_id, acl.ruleset_version) == ("edge", 1, 1)
    world.update("NetworkACL", "edge", egress=[])
    assert world.status("Subnet", "web").network_acl.ruleset_version == 2
    world.force_delete("NetworkACL", "edge")
    assert world.status("Subnet", "web").network_acl.acl_id == 0
    assert world.ready("Subnet", "web") == READY
    world.update("Subnet", "web", networkACL=None)
    assert world.status("Subnet", "web").network_acl is None


def test_sub_c6_an_acl_that_filters_nothing_says_so(world: World) -> None:
    """Until packets are filtered, a condition and an Event tell it; it is taken back with the ACL."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", networkACL="edge")
    held = world.condition("Subnet", "web", "PolicyEnforced")
    assert held is not None
    assert (held.status, held.reason) == ("False", "NotEnforcedYet")
    assert "NetworkACL edge" in held.message
    assert {note.reason for about, note in world.notes if about.name == "web"} == {"PolicyNotEnforced"}
    world.update("Subnet", "web", networkACL=None)
    held = world.condition("Subnet", "web", "PolicyEnforced")
    assert held is not None
    assert (held.status, held.reason) == ("True", "NothingToEnforce")
    assert world.condition("Subnet", "default", "PolicyEnforced") is None


def test_sub_c8_it_has_no_finalizer(world: World) -> None:
    """Nothing holds a Subnet back."""
    assert world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24").metadata.finalizers == ()


def test_intents_are_a_segment_its_gateway_and_its_resolver(world: World) -> None:
    """Its gateway leads into the RouteTable that the Subnet names, else the main one."""
    world.create("RouteTable", "side", vpc="lab")
    status = world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24").status
    prefix, gateway = IPv4Network("10.0.1.0/24"), IPv4Address("10.0.1.1")
    main, side = (world.status("RouteTable", name).table_id for name in ("lab", "side"))
    shared = [
        Segment(status.vni, SegmentKind.SUBNET, world.status("Vpc", "lab").vpc_id),
        Neighbour(status.vni, IPv4Address("10.0.1.2"), status.dns_mac),
    ]
    last = Gateway(status.vni, gateway, status.gateway_mac, prefix, main)
    assert set(world.intents("Subnet", "web")) == {*shared, last}
    world.update("Subnet", "web", routeTable="side")
    last = Gateway(status.vni, gateway, status.gateway_mac, prefix, side)
    assert set(world.intents("Subnet", "web")) == {*shared, last}


def test_a_second_look_writes_nothing(world: World) -> None:
    """An unchanged world leads to no writes."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    assert world.writes_of_a_second_look() == 0


def test_what_it_waits_for_is_told(world: World) -> None:
    """The wait names the Vpc, and which field of it."""
    world.force_new("Subnet", "web", vpc="later", cidr="10.0.1.0/24")
    assert world.waits("Subnet", "web") == [("Vpc/later", "metadata")]
    unresolved = {"dst": "0.0.0.0/0", "via": {"type": "endpoint", "endpointName": "gone"}}
    world.create("RouteTable", "later", vpc="later", routes=[unresolved])
    world.create("Vpc", "later")
    assert world.waits("Subnet", "web") == [("Vpc/later", "status.conditions[Ready]")]
