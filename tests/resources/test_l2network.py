"""L2Network: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.convert import decode
from juneau.engine.errors import Forbidden
from juneau.engine.intents import Gateway, Segment, SegmentKind
from juneau.engine.objects import AnyObject, Key
from juneau.engine.settings import Settings
from juneau.engine.shape import IMMUTABLE
from juneau.engine.world import Reader
from juneau.resources.networks import Network, network

READY = ("Ready", "True", "ReconcileSucceeded")


def claim(world: World, address: str, network: str = "seg", **spec: Any) -> AnyObject:
    """A workload's claim for an address of the segment."""
    pool = f"l2network-ip-{network}"
    reference = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "L2Network", "name": network}
    return world.create(
        "AllocationClaim",
        f"nic-{address.replace('.', '-')}",
        poolRefs=[{"name": pool}],
        resourceRef=reference,
        attribute="status.address",
        requestedIP=address,
        **spec,
    )


def test_l2n_1_a_vpc_is_required(world: World) -> None:
    """An L2Network names its Vpc."""
    assert world.faults("L2Network", "seg", vpc="") == ["spec.vpc: Required value: Vpc that the L2Network belongs to"]
    assert world.faults("L2Network", "seg") == ["spec.vpc: Required value: Vpc that the L2Network belongs to"]


def test_l2n_2_the_vpc_default_is_refused(world: World) -> None:
    """The Vpc default holds no L2Network."""
    (fault,) = world.faults("L2Network", "seg", vpc="default")
    assert fault.startswith('spec.vpc: Invalid value: "default": ')


def test_l2n_3_the_vpc_has_to_exist(world: World) -> None:
    """A Vpc that does not exist is refused."""
    assert world.faults("L2Network", "seg", vpc="nowhere") == ['spec.vpc: Not found: "nowhere": no such Vpc']


@pytest.mark.parametrize(
    ("cidr", "word"), [("ten", "IPv4 CIDR"), ("10.0.1.0", "prefix length"), ("fd00::/64", "IPv6 is not supported")]
)
def test_l2n_4_the_cidr_is_an_ipv4_cidr(world: World, cidr: str, word: str) -> None:
    """What is no IPv4 CIDR is refused, and the error says what to write."""
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr=cidr)
    assert fault.startswith(f'spec.cidr: Invalid value: "{cidr}": ')
    assert word in fault


@pytest.mark.parametrize("cidr", ["10.0.0.0/15", "10.0.1.0/29"])
def test_l2n_5_the_prefix_length_is_16_to_28(world: World, cidr: str) -> None:
    """The error names both bounds."""
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr=cidr)
    assert fault == f'spec.cidr: Invalid value: "{cidr}": the prefix length must be /16 to /28'


@pytest.mark.parametrize("cidr", ["10.0.0.0/16", "10.0.1.0/28"])
def test_l2n_5_both_bounds_are_accepted(world: World, cidr: str) -> None:
    """/16 and /28 are accepted."""
    assert world.faults("L2Network", "seg", vpc="lab", cidr=cidr) == []


def test_l2n_6_host_bits_are_refused(world: World) -> None:
    """Host bits are not cleared but refused, with the form to write."""
    faults = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.5/24")
    assert faults == ['spec.cidr: Invalid value: "10.0.1.5/24": has host bits set; write "10.0.1.0/24"']


def test_l2n_7_networks_of_one_vpc_do_not_overlap(world: World) -> None:
    """The error names kind, name and CIDR of the other network, and the Vpc."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    world.create("L2Network", "wire", vpc="lab", cidr="10.0.2.0/24")
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.128/25")
    assert "overlaps Subnet web (10.0.1.0/24) of Vpc lab" in fault
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.2.0/23")
    assert "overlaps L2Network wire (10.0.2.0/24) of Vpc lab" in fault


def test_l2n_7_another_vpc_may_have_the_same_prefix(world: World) -> None:
    """Addresses repeat between Vpcs that nothing joins."""
    world.create("Vpc", "other")
    world.create("Subnet", "web", vpc="other", cidr="10.0.1.0/24")
    assert world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24") == []


def test_l2n_8_and_9_networks_of_joined_vpcs_do_not_overlap(world: World) -> None:
    """Over whatever joins two Vpcs, the error names it too."""
    world.create("Vpc", "other")
    world.create("Subnet", "web", vpc="other", cidr="10.0.1.0/24")
    world.create("Tunnel", "pipe", left="lab", right="other")
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    assert "overlaps Subnet web (10.0.1.0/24) of Vpc other, which Tunnel pipe joins to Vpc lab" in fault


def test_l2n_10_endpoint_pools_are_kept_free(world: World) -> None:
    """Neither the own Vpc's endpoint pool nor that of a joined one is overlapped; the error names its CIDR."""
    world.update("Vpc", "lab", endpointPool={"cidrs": ["172.30.1.0/24"]})
    world.create("Vpc", "other", endpointPool={"cidrs": ["172.30.2.0/24"]})
    world.create("Tunnel", "pipe", left="lab", right="other")
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="172.30.1.0/24")
    assert "overlaps 172.30.1.0/24 in the endpointPool of Vpc lab" in fault
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="172.30.2.0/24")
    assert "overlaps 172.30.2.0/24 in the endpointPool of Vpc other, which Tunnel pipe joins to Vpc lab" in fault


def test_l2n_11_the_service_cidr_is_kept_free(world: World) -> None:
    """The cluster's Service CIDR is refused although the Vpc has no Service routing."""
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.96.7.0/24")
    assert "overlaps the cluster's Service CIDR 10.96.0.0/12, which Vpc lab must not use" in fault


def test_l2n_11_without_a_known_service_cidr_nothing_is_compared() -> None:
    """A controller that knows no Service CIDR refuses nothing for it."""
    world = World(Settings(service_cidr=""))
    world.create("Vpc", "lab")
    assert world.faults("L2Network", "seg", vpc="lab", cidr="10.96.7.0/24") == []


def test_l2n_12_overlaps_are_checked_with_and_without_a_gateway(world: World) -> None:
    """Adding a gateway later cannot fail on an overlap; without cidr nothing is compared."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    for gateway in (None, {}):
        faults = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway=gateway)
        assert [fault.partition(":")[0] for fault in faults] == ["spec.cidr"]
    assert world.faults("L2Network", "seg", vpc="lab") == []


def test_l2n_12_the_check_is_symmetric(world: World) -> None:
    """What an L2Network has is refused to a Subnet, too."""
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    (fault,) = world.faults("Subnet", "web", vpc="lab", cidr="10.0.1.0/25")
    assert "overlaps L2Network seg (10.0.1.0/24) of Vpc lab" in fault


def test_l2n_13_a_gateway_needs_a_cidr(world: World) -> None:
    """A gateway without cidr is a missing cidr."""
    (fault,) = world.faults("L2Network", "seg", vpc="lab", gateway={})
    assert fault.startswith("spec.cidr: Required value: the gateway needs an address out of spec.cidr")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        pytest.param("gate", "must be an IPv4 address", id="l2n-14"),
        pytest.param("fd00::1", "must be an IPv4 address", id="l2n-14-ipv6"),
        pytest.param("10.0.2.1", "must lie inside spec.cidr, 10.0.1.0/24", id="l2n-15"),
        pytest.param("10.0.1.0", "is the network address of 10.0.1.0/24", id="l2n-16"),
        pytest.param("10.0.1.255", "is the broadcast address of 10.0.1.0/24", id="l2n-17"),
    ],
)
def test_l2n_14_to_17_the_gateway_address_is_a_hosts_one(world: World, address: str, why: str) -> None:
    """The gateway's address is one that a host of the prefix may have, at creation and at each change."""
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={"address": address})
    assert fault.startswith(f'spec.gateway.address: Invalid value: "{address}": {why}')
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    assert world.update_faults("L2Network", "seg", gateway={"address": address}) == [fault]


def test_l2n_18_the_route_table_has_to_exist(world: World) -> None:
    """A RouteTable that does not exist is refused."""
    faults = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={"routeTable": "none"})
    assert faults == ['spec.gateway.routeTable: Not found: "none": no such RouteTable']


def test_l2n_19_the_route_table_is_of_the_same_vpc(world: World) -> None:
    """The error names the RouteTable's own Vpc."""
    world.create("Vpc", "other")
    faults = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={"routeTable": "other"})
    assert faults == ['spec.gateway.routeTable: Invalid value: "other": belongs to Vpc other, not to Vpc lab']


def test_l2n_20_an_acl_needs_a_gateway(world: World) -> None:
    """An ACL that would have no effect is refused."""
    world.create("NetworkACL", "edge", vpc="lab")
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", networkACL="edge")
    assert fault.startswith("spec.networkACL: Forbidden: the NetworkACL would have no effect without a gateway")


def test_l2n_21_the_acl_has_to_exist(world: World) -> None:
    """A NetworkACL that does not exist is refused."""
    faults = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    assert faults == ['spec.networkACL: Not found: "edge": no such NetworkACL']


def test_l2n_22_the_acl_is_of_the_same_vpc(world: World) -> None:
    """The error names its Vpc and the expected one."""
    world.create("Vpc", "other")
    world.create("NetworkACL", "edge", vpc="other")
    (fault,) = world.faults("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    assert fault.startswith('spec.networkACL: Invalid value: "edge": belongs to Vpc other; ')
    assert "of Vpc lab" in fault


def test_l2n_23_the_gateway_takes_no_address_that_a_workload_holds(world: World) -> None:
    """The error names address, holder and both ways out; another address is accepted."""
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    held = claim(world, "10.0.1.1")
    (fault,) = world.update_faults("L2Network", "seg", gateway={})
    assert fault.startswith(f'spec.gateway.address: Invalid value: "10.0.1.1": is held by AllocationClaim {held.name};')
    assert "write another address" in fault
    assert "delete the workload" in fault
    assert world.update_faults("L2Network", "seg", gateway={"address": "10.0.1.254"}) == []


def test_l2n_23_deleting_the_workload_is_enough(world: World) -> None:
    """A lease that only waits for its workload to come back does not refuse the gateway."""
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    held = claim(world, "10.0.1.1", releaseAfter="24h")
    world.delete("AllocationClaim", held.name)
    assert world.status("AllocationLease", held.name).phase == "Released"
    assert world.update_faults("L2Network", "seg", gateway={}) == []


def test_l2n_23_a_retained_lease_refuses(world: World) -> None:
    """An address that an object keeps is held, also without a claim."""
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    keeper = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Vpc", "name": "lab"}
    held = claim(world, "10.0.1.1", releaseAfter="24h", retainWhile=keeper)
    world.delete("AllocationClaim", held.name)
    assert world.status("AllocationLease", held.name).phase == "Retained"
    (fault,) = world.update_faults("L2Network", "seg", gateway={})
    assert f"is held by AllocationLease {held.name};" in fault


@pytest.mark.parametrize("mtu", [0, 575, 9001])
def test_l2n_24_the_mtu_has_bounds(world: World, mtu: int) -> None:
    """An MTU is 576 to 9000."""
    faults = world.faults("L2Network", "seg", vpc="lab", mtu=mtu)
    assert faults == [f"spec.mtu: Invalid value: {mtu}: must be between 576 and 9000"]


def test_l2n_25_the_vpc_is_immutable(world: World) -> None:
    """An L2Network stays in its Vpc."""
    world.create("Vpc", "other")
    world.create("L2Network", "seg", vpc="lab")
    assert world.update_faults("L2Network", "seg", vpc="other") == [f'spec.vpc: Invalid value: "other": {IMMUTABLE}']


@pytest.mark.parametrize(
    ("before", "after"), [(None, "10.0.1.0/24"), ("10.0.1.0/24", None), ("10.0.1.0/24", "10.0.2.0/24")]
)
def test_l2n_26_the_cidr_is_immutable(world: World, before: str | None, after: str | None) -> None:
    """A cidr is neither added nor changed nor taken out."""
    world.create("L2Network", "seg", vpc="lab", cidr=before)
    (fault,) = world.update_faults("L2Network", "seg", cidr=after)
    assert fault == f'spec.cidr: Invalid value: "{after or ""}": {IMMUTABLE}'


def test_l2n_27_a_gateway_comes_changes_and_goes(world: World) -> None:
    """A gateway is added, moved and removed after creation, but not removed from under an ACL."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    assert world.update("L2Network", "seg", gateway={}).status.gateway == "10.0.1.1"
    moved = world.update("L2Network", "seg", gateway={"address": "10.0.1.9"}, networkACL="edge")
    assert moved.status.gateway == "10.0.1.9"
    (fault,) = world.update_faults("L2Network", "seg", gateway=None)
    assert fault.startswith("spec.networkACL: Forbidden")
    gone = world.update("L2Network", "seg", gateway=None, networkACL=None)
    assert (gone.status.gateway, gone.status.gateway_mac, gone.status.network_acl) == ("", "", None)


def test_l2n_27_holders_matter_only_when_the_address_moves(world: World) -> None:
    """A change of something else is not refused because the gateway's address is held."""
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    claim(world, "10.0.1.1")
    held = world.get("L2Network", "seg")
    document = world.document("L2Network", "seg", {"vpc": "lab", "cidr": "10.0.1.0/24", "gateway": {}})
    world.force(held.with_spec(gateway=decode(world.registry, document).spec.gateway))
    assert world.update_faults("L2Network", "seg", mtu=1400) == []
    assert world.update_faults("L2Network", "seg", gateway={"address": "10.0.1.1"}) == []
    valid = world.condition("L2Network", "seg", "Valid")
    assert valid is not None
    assert valid.status == "False"
    assert "is held by" in valid.message
    assert world.ready("L2Network", "seg") == READY


def test_l2n_28_acls_are_judged_only_when_they_change(world: World) -> None:
    """A NetworkACL that is gone does not stop another change."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    world.force_delete("NetworkACL", "edge")
    assert world.update_faults("L2Network", "seg", mtu=1400) == []
    assert world.status("L2Network", "seg").network_acl.acl_id == 0


def test_l2n_28_route_tables_are_judged_every_time(world: World) -> None:
    """A RouteTable that is gone stops any other change, and the segment is not Ready without it."""
    world.create("RouteTable", "side", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={"routeTable": "side"})
    world.force_delete("RouteTable", "side")
    (fault,) = world.update_faults("L2Network", "seg", mtu=1400)
    assert fault.startswith("spec.gateway.routeTable: Not found")
    assert world.ready("L2Network", "seg") == ("Pending", "False", "ReconcileFailed")
    world.create("RouteTable", "side", vpc="lab")
    assert world.ready("L2Network", "seg") == READY


def test_l2n_29_finalizers_come_off_whatever_is_missing(world: World) -> None:
    """While an L2Network is being deleted, nothing else is asked about."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("RouteTable", "side", vpc="lab")
    made = world.create(
        "L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={"routeTable": "side"}, networkACL="edge"
    )
    world.write(made.with_metadata(finalizers=("example.com/hold",)))
    world.delete("L2Network", "seg")
    for kind, name in (("NetworkACL", "edge"), ("RouteTable", "side"), ("Vpc", "lab")):
        world.force_delete(kind, name)
    held = world.get("L2Network", "seg")
    assert world.ready("L2Network", "seg") == ("Pending", "False", "Deleting")
    world.write(held.with_metadata(labels={"still": "here"}))
    assert world.get("L2Network", "seg").metadata.labels == {"still": "here"}


def test_l2n_30_deletion_is_always_admitted(world: World) -> None:
    """An L2Network goes although a workload has an address of it."""
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    claim(world, "10.0.1.9")
    world.delete("L2Network", "seg")
    assert world.find(Key("L2Network", "", "seg")) is None


def test_l2n_31_to_33_what_it_refers_to_stays(world: World) -> None:
    """Its Vpc, the RouteTable of its gateway and its NetworkACL cannot be deleted."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("RouteTable", "side", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={"routeTable": "side"}, networkACL="edge")
    for kind, name in (("Vpc", "lab"), ("RouteTable", "side"), ("NetworkACL", "edge")):
        with pytest.raises(Forbidden, match='L2Network "seg"'):
            world.delete(kind, name)
    world.delete("L2Network", "seg")
    for kind, name in (("NetworkACL", "edge"), ("RouteTable", "side"), ("Vpc", "lab")):
        world.delete(kind, name)


def test_l2n_c1_it_waits_for_its_vpc(world: World) -> None:
    """While the Vpc is missing or not Ready the segment is Pending, and says why."""
    world.force_new("L2Network", "seg", vpc="later")
    assert world.ready("L2Network", "seg") == ("Pending", "False", "VpcNotFound")
    world.create(
        "RouteTable",
        "later",
        vpc="later",
        routes=[{"dst": "0.0.0.0/0", "via": {"type": "endpoint", "endpointName": "gone"}}],
    )
    world.create("Vpc", "later")
    assert world.ready("L2Network", "seg") == ("Pending", "False", "VpcNotReady")
    held = world.condition("L2Network", "seg")
    assert held is not None
    assert "MainRouteTableNotReady" in held.message
    world.update("RouteTable", "later", routes=[])
    assert world.ready("L2Network", "seg") == READY


def test_l2n_c2_it_has_a_vni_of_the_common_pool(world: World) -> None:
    """Subnets and L2Networks never share a VNI, and one that was given stays."""
    world.create("Subnet", "web", vpc="lab", cidr="10.0.2.0/24")
    made = world.create("L2Network", "seg", vpc="lab")
    assert (world.status("Subnet", "web").vni, made.status.vni) == (4097, 4098)
    world.delete("Subnet", "web")
    assert world.update("L2Network", "seg", mtu=1400).status.vni == 4098


def test_l2n_c2_it_waits_for_a_vni(world: World) -> None:
    """Without a free VNI the segment is Pending and tells what the pool says; it goes on when one is there."""
    world.force_delete("AllocationPool", "subnet-vni")
    world.create("L2Network", "seg", vpc="lab")
    assert world.ready("L2Network", "seg") == ("Pending", "False", "NotReady")
    world.create("AllocationPool", "subnet-vni", type="number", number={"min": 5000, "max": 5000})
    assert world.ready("L2Network", "seg") == READY


def test_l2n_c2_a_vni_beyond_24_bits_is_a_failure(world: World) -> None:
    """A number that VXLAN cannot carry is not used."""
    world.force_delete("AllocationPool", "subnet-vni")
    world.create("AllocationPool", "subnet-vni", type="number", number={"min": 2**24, "max": 2**24})
    world.create("L2Network", "seg", vpc="lab")
    assert world.ready("L2Network", "seg") == ("Failed", "False", "NotImplemented")


def test_l2n_c3_the_mtu_is_the_specs_or_the_installations() -> None:
    """status.mtu is spec.mtu, else the controller's default."""
    world = World(Settings(default_l2_mtu=8950))
    world.create("Vpc", "lab")
    assert world.create("L2Network", "seg", vpc="lab").status.mtu == 8950
    assert world.update("L2Network", "seg", mtu=1400).status.mtu == 1400


def test_l2n_c4_the_gateway_mac_is_chosen_once(world: World) -> None:
    """It is locally administered unicast and does not change while the gateway exists."""
    made = world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={})
    assert int(made.status.gateway_mac[:2], 16) & 3 == 2
    moved = world.update("L2Network", "seg", gateway={"address": "10.0.1.9"})
    assert moved.status.gateway_mac == made.status.gateway_mac


def test_l2n_c5_only_the_gateway_is_kept_back(world: World) -> None:
    """The pool is the cidr less the gateway's address; without a cidr there is no pool."""
    world.create("L2Network", "plain", vpc="lab")
    assert world.find(Key("AllocationPool", "", "l2network-ip-plain")) is None
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    pool = world.get("AllocationPool", "l2network-ip-seg")
    assert (pool.spec.ip.cidrs, pool.spec.ip.excluded) == (("10.0.1.0/24",), ())
    assert [owner.kind for owner in pool.metadata.owner_references] == ["L2Network"]
    world.update("L2Network", "seg", gateway={})
    assert world.get("AllocationPool", "l2network-ip-seg").spec.ip.excluded == ("10.0.1.1",)
    world.update("L2Network", "seg", gateway=None)
    assert world.get("AllocationPool", "l2network-ip-seg").spec.ip.excluded == ()


def test_l2n_c6_the_acl_is_resolved_and_followed(world: World) -> None:
    """status.networkACL has the ACL's number and version, and follows both."""
    world.create("NetworkACL", "edge", vpc="lab", ingress=[])
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    acl = world.status("L2Network", "seg").network_acl
    assert (acl.name, acl.acl_id, acl.ruleset_version) == ("edge", 1, 1)
    world.update("NetworkACL", "edge", egress=[])
    assert world.status("L2Network", "seg").network_acl.ruleset_version == 2


def test_l2n_c6_an_acl_that_filters_nothing_says_so(world: World) -> None:
    """Until packets are filtered, a condition and an Event tell it; it is taken back with the ACL."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    held = world.condition("L2Network", "seg", "PolicyEnforced")
    assert held is not None
    assert (held.status, held.reason) == ("False", "NotEnforcedYet")
    assert "NetworkACL edge" in held.message
    assert "does not filter packets yet" in held.message
    key = Key("L2Network", "", "seg")
    assert {note.reason for about, note in world.notes if about == key} == {"PolicyNotEnforced"}
    world.update("L2Network", "seg", networkACL=None)
    held = world.condition("L2Network", "seg", "PolicyEnforced")
    assert held is not None
    assert (held.status, held.reason) == ("True", "NothingToEnforce")


def test_l2n_c7_it_has_no_finalizer(world: World) -> None:
    """Nothing holds an L2Network back."""
    assert world.create("L2Network", "seg", vpc="lab").metadata.finalizers == ()


def test_l2n_c8_a_gateway_brings_the_prefix_into_every_route_table(world: World) -> None:
    """The connected route, with the L2Network's name, comes and goes with the gateway."""
    world.create("RouteTable", "side", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24")
    assert world.status("RouteTable", "side").routes == ()
    world.update("L2Network", "seg", gateway={})
    for table in ("lab", "side"):
        (route,) = world.status("RouteTable", table).routes
        assert (route.dst, route.via.type, route.subnet, route.l2_network) == ("10.0.1.0/24", "connected", "", "seg")
    world.update("L2Network", "seg", gateway=None)
    assert world.status("RouteTable", "side").routes == ()


def test_intents_are_a_segment_and_with_a_gateway_a_router_port(world: World) -> None:
    """What the dataplane is asked for follows the spec in both directions."""
    world.create("RouteTable", "side", vpc="lab")
    made = world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", mtu=1400)
    segment = Segment(made.status.vni, SegmentKind.L2, 2, 1400)
    assert world.intents("L2Network", "seg") == [segment]
    made = world.update("L2Network", "seg", gateway={})
    main = world.status("RouteTable", "lab").table_id
    gateway = Gateway(
        made.status.vni,
        IPv4Address("10.0.1.1"),
        made.status.gateway_mac,
        IPv4Network("10.0.1.0/24"),
        main,
    )
    assert world.intents("L2Network", "seg") == [segment, gateway]
    world.update("L2Network", "seg", gateway={"routeTable": "side"})
    assert [intent.table_id for intent in world.intents("L2Network", "seg") if isinstance(intent, Gateway)] == [
        world.status("RouteTable", "side").table_id
    ]
    world.update("L2Network", "seg", gateway=None)
    assert world.intents("L2Network", "seg") == [segment]


def test_a_second_look_writes_nothing(world: World) -> None:
    """An unchanged world leads to no writes."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    assert world.writes_of_a_second_look() == 0


def test_a_stored_object_that_breaks_a_rule_fails(world: World) -> None:
    """What time does not heal is Failed, with the words of admission."""
    world.force_new("L2Network", "seg", vpc="lab", gateway={})
    assert world.ready("L2Network", "seg") == ("Failed", "False", "ReconcileFailed")
    held = world.condition("L2Network", "seg")
    assert held is not None
    assert "spec.cidr: Required value" in held.message


def test_what_it_waits_for_is_told(world: World) -> None:
    """The wait names the object that is missing: the Vpc, the claim, the RouteTable."""
    world.force_new("L2Network", "seg", vpc="later", cidr="10.0.1.0/24", gateway={"routeTable": "side"})
    assert world.waits("L2Network", "seg") == [("Vpc/later", "metadata")]
    world.create("Vpc", "later")
    assert world.waits("L2Network", "seg") == [("RouteTable/side", "metadata")]
    world.force_delete("AllocationPool", "subnet-vni")
    world.create("L2Network", "wire", vpc="lab")
    claims = [("AllocationClaim/subnet-vni--l2network--wire--status-vni", "status.value")]
    assert world.waits("L2Network", "wire") == claims


def test_others_see_it_as_a_network(world: World) -> None:
    """NICs, routes and overlap checks find what they need of it in one value."""
    made = world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, mtu=1400)
    world.create("L2Network", "plain", vpc="lab")
    seen = network(Reader(world.cache), "L2Network", "seg")
    assert seen == Network(
        SegmentKind.L2,
        "seg",
        "lab",
        IPv4Network("10.0.1.0/24"),
        "l2network-ip-seg",
        made.status.vni,
        "10.0.1.1",
        has_gateway=True,
        mtu=1400,
        usable=True,
    )
    plain = network(Reader(world.cache), "L2Network", "plain")
    assert plain is not None
    assert (plain.hands_out_addresses, plain.has_gateway, plain.pool) == (False, False, "")
