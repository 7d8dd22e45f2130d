"""SecurityGroup: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.objects import Key
from juneau.engine.shape import IMMUTABLE
from juneau.resources.rules import MOST_ENTRIES

READY = ("Ready", "True", "ReconcileSucceeded")
ANY = {"cidr": "0.0.0.0/0"}


def group(name: str) -> dict[str, Any]:
    return {"securityGroupRef": {"name": name}}


def rule(*peers: dict[str, Any], side: str = "from", **fields: Any) -> dict[str, Any]:
    return {side: list(peers or (ANY,)), **fields}


def faults(world: World, *rules: dict[str, Any]) -> list[str]:
    return world.faults("SecurityGroup", "api", vpc="lab", ingress=list(rules))


def nic(world: World, name: str, *groups: str) -> None:
    """A NetworkInterface that lists groups."""
    namespace = name.partition("/")[0]
    if world.find(Key("Namespace", "", namespace)) is None:
        world.create("Namespace", namespace)
    if world.find(Key("Subnet", "", "web")) is None:
        world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24")
    pod = {"uid": f"uid-{name}", "name": "pod", "interface": "eth0"}
    world.create("NetworkInterface", name, podRef=pod, nodeName="n1", subnet="web", securityGroups=list(groups))


def test_nic_14_a_group_that_a_nic_names_twice_is_told_once(world: World) -> None:
    """By the mark of the field, as the CRD has it, and by the rule that Pods are held to as well."""
    world.create("SecurityGroup", "api", vpc="lab")
    nic(world, "team-a/a", "api")
    assert world.update_faults("NetworkInterface", "team-a/a", securityGroups=["api", "api"]) == [
        'spec.securityGroups[1]: Duplicate value: "api": named already; leave it out'
    ]


def test_sg_1_a_vpc_is_required(world: World) -> None:
    """A SecurityGroup names its Vpc, by what can be a name."""
    assert world.faults("SecurityGroup", "api", vpc="") == [
        "spec.vpc: Required value: Vpc that the SecurityGroup belongs to"
    ]
    (fault,) = world.faults("SecurityGroup", "api", vpc="La b")
    assert fault.startswith('spec.vpc: Invalid value: "La b": must be the name of a Vpc')


def test_sg_2_the_vpc_has_to_exist(world: World) -> None:
    """A Vpc that does not exist is refused."""
    assert world.faults("SecurityGroup", "api", vpc="gone") == ['spec.vpc: Not found: "gone": no such Vpc']


def test_sg_3_the_vpc_is_immutable(world: World) -> None:
    """A SecurityGroup stays in its Vpc."""
    world.create("Vpc", "other")
    world.create("SecurityGroup", "api", vpc="lab")
    assert world.update_faults("SecurityGroup", "api", vpc="other") == [
        f'spec.vpc: Invalid value: "other": {IMMUTABLE}'
    ]


def test_sg_4_each_rule_has_a_peer(world: World) -> None:
    """A rule without peers is refused in both directions."""
    bad = world.faults("SecurityGroup", "api", vpc="lab", ingress=[{"from": []}], egress=[{"to": []}])
    assert bad == ["spec.ingress[0].from: Required value: senders", "spec.egress[0].to: Required value: receivers"]
    bad = world.faults("SecurityGroup", "api", vpc="lab", ingress=[{}], egress=[{}])
    assert bad == ["spec.ingress[0].from: Required value: senders", "spec.egress[0].to: Required value: receivers"]


def test_sg_5_6_and_18_a_direction_may_have_so_many_entries(world: World) -> None:
    """Peers times ports are entries; the error counts them, and one rule may use all of its direction."""
    ports = [{"port": port} for port in range(1, MOST_ENTRIES // 4 + 1)]
    full = {"protocol": "tcp", "ports": ports}
    peers = [{"cidr": f"10.0.{third}.0/24"} for third in range(4)]
    (fault,) = faults(world, rule(*peers, **full), rule())
    assert fault.startswith(f"spec.ingress: Too many: {MOST_ENTRIES + 1}: ingress may have at most {MOST_ENTRIES} ")
    assert "peers times its ports" in fault
    egress = [rule(*peers, side="to", **full)]
    assert world.faults("SecurityGroup", "api", vpc="lab", ingress=[rule(*peers, **full)], egress=egress) == []
    status = world.status("SecurityGroup", "api")
    assert (status.ingress_entry_count, status.egress_entry_count) == (MOST_ENTRIES, MOST_ENTRIES)


def test_sg_7_a_peer_is_one_thing(world: World) -> None:
    """Exactly one of cidr and securityGroupRef is set."""
    assert faults(world, rule({}, {**ANY, **group("api")})) == [
        "spec.ingress[0].from[0]: Required value: set cidr or securityGroupRef",
        "spec.ingress[0].from[1]: Invalid value: set only one of cidr and securityGroupRef",
    ]


@pytest.mark.parametrize(
    ("cidr", "word"),
    [
        pytest.param("10.0.0.1", "prefix length", id="sg-8"),
        pytest.param("all", "IPv4 CIDR", id="sg-8-word"),
        pytest.param("fd00::/8", "IPv6", id="sg-9"),
    ],
)
def test_sg_8_and_9_a_cidr_is_an_ipv4_prefix(world: World, cidr: str, word: str) -> None:
    """What is no IPv4 prefix is refused; host bits are accepted."""
    (fault,) = faults(world, rule({"cidr": "10.0.0.7/24"}, {"cidr": cidr}))
    assert fault.startswith(f'spec.ingress[0].from[1].cidr: Invalid value: "{cidr}": ')
    assert word in fault


def test_sg_10_a_reference_is_a_name(world: World) -> None:
    """What cannot be the name of a SecurityGroup is refused."""
    (fault,) = faults(world, rule(group("No Name")))
    assert fault.startswith('spec.ingress[0].from[0].securityGroupRef.name: Invalid value: "No Name": ')
    assert faults(world, rule(group(""))) == [
        "spec.ingress[0].from[0].securityGroupRef.name: Required value: name of the SecurityGroup"
    ]


def test_sg_11_referenced_groups_exist(world: World) -> None:
    """A group that does not exist is refused, except the group itself."""
    egress = [rule(group("front"), side="to")]
    assert world.faults("SecurityGroup", "api", vpc="lab", egress=egress) == [
        'spec.egress[0].to[0].securityGroupRef.name: Not found: "front": no such SecurityGroup'
    ]
    assert faults(world, rule(group("api"))) == []


def test_sg_12_referenced_groups_are_of_the_same_vpc(world: World) -> None:
    """The error names the group, its Vpc and the expected one."""
    world.create("Vpc", "other")
    world.create("SecurityGroup", "front", vpc="other")
    (fault,) = faults(world, rule(group("front")))
    assert "SecurityGroup front belongs to Vpc other; one of Vpc lab is needed" in fault


@pytest.mark.parametrize("protocol", ["all", "icmp", "tcp", "udp", "sctp", "gre", "esp", "ah", 0, 47, 255])
def test_sg_13_keywords_and_numbers_are_protocols(world: World, protocol: str | int) -> None:
    """Each keyword and each number from 0 to 255 is accepted."""
    assert faults(world, rule(protocol=protocol)) == []


@pytest.mark.parametrize(("protocol", "shown"), [("47", '"47"'), ("TCP", '"TCP"'), (256, "256"), (-1, "-1")])
def test_sg_13_other_protocols_are_refused(world: World, protocol: str | int, shown: str) -> None:
    """The error lists keywords and range; a number in quotes is no number."""
    assert faults(world, rule(protocol=protocol)) == [
        f"spec.ingress[0].protocol: Invalid value: {shown}: must be one of all, icmp, tcp, udp, sctp, gre, esp, ah, "
        "or a number from 0 to 255 without quotes"
    ]


def test_sg_14_only_tcp_and_udp_have_ports(world: World) -> None:
    """The error names the protocol; the numbers of tcp and udp do as well."""
    (fault,) = faults(world, rule(protocol=1, ports=[{"port": 80}]))
    assert fault.startswith("spec.ingress[0].ports: Forbidden: the protocol 1 has no ports")
    assert faults(world, rule(protocol=6, ports=[{"port": 80}]), rule(protocol="udp", ports=[{"port": 1}])) == []


def test_sg_15_a_port_entry_is_one_thing(world: World) -> None:
    """Exactly one of port and portRange is set."""
    both = {"port": 80, "portRange": {"from": 1, "to": 2}}
    assert faults(world, rule(protocol="tcp", ports=[{}, both])) == [
        "spec.ingress[0].ports[0]: Required value: set port or portRange",
        "spec.ingress[0].ports[1]: Invalid value: set only one of port and portRange",
    ]


@pytest.mark.parametrize("port", [0, 65536])
def test_sg_16_ports_have_bounds(world: World, port: int) -> None:
    """A port is 1 to 65535."""
    assert faults(world, rule(protocol="tcp", ports=[{"port": port}])) == [
        f"spec.ingress[0].ports[0].port: Invalid value: {port}: must be between 1 and 65535"
    ]


def test_sg_17_a_range_does_not_end_before_it_begins(world: World) -> None:
    """portRange.to is not less than portRange.from."""
    assert faults(world, rule(protocol="tcp", ports=[{"portRange": {"from": 9, "to": 8}}])) == [
        "spec.ingress[0].ports[0].portRange.to: Invalid value: 8: must not be less than portRange.from, 9"
    ]


def test_sg_19_a_nic_that_lists_it_holds_it(world: World) -> None:
    """The error names the first NetworkInterface with its namespace."""
    world.create("SecurityGroup", "api", vpc="lab")
    nic(world, "team-b/nic", "api")
    nic(world, "team-a/nic", "api")
    with pytest.raises(Forbidden, match='it is used by NetworkInterface "team-a/nic" and 1 more'):
        world.delete("SecurityGroup", "api")


def test_attached_interfaces_are_told(world: World) -> None:
    """NICs that list the group are in its status, sorted by namespace and name, and leave it with the reference."""
    world.create("SecurityGroup", "api", vpc="lab")
    nic(world, "team-b/a", "api")
    nic(world, "team-a/b", "api")
    attached = world.status("SecurityGroup", "api").attached_interfaces
    assert [(member.namespace, member.name) for member in attached] == [("team-a", "b"), ("team-b", "a")]
    world.update("NetworkInterface", "team-a/b", securityGroups=[])
    assert [member.name for member in world.status("SecurityGroup", "api").attached_interfaces] == ["a"]


def test_absent_and_empty_egress_are_two_things(world: World) -> None:
    """Absent, everything may be sent; empty, nothing."""
    assert world.create("SecurityGroup", "api", vpc="lab").status.has_egress_rules is False
    made = world.update("SecurityGroup", "api", egress=[])
    assert (made.spec.egress, made.status.has_egress_rules, made.status.ruleset_version) == ((), True, 2)
    made = world.update("SecurityGroup", "api", egress=None)
    assert (made.spec.egress, made.status.has_egress_rules, made.status.ruleset_version) == (None, False, 3)


def test_a_peer_that_vanishes_is_left_out(world: World) -> None:
    """The group says so, waits in Allocated with a new version, and heals when the peer comes back."""
    world.create("SecurityGroup", "front", vpc="lab")
    made = world.create("SecurityGroup", "api", vpc="lab", ingress=[rule(ANY, group("front"))])
    assert made.status.ruleset_version == 1
    world.delete("SecurityGroup", "front")
    assert world.ready("SecurityGroup", "api") == ("Allocated", "False", "RulesInvalid")
    held = world.condition("SecurityGroup", "api", "RulesValid")
    assert held is not None
    assert (held.status, held.reason) == ("False", "PeerNotFound")
    assert "spec.ingress[0].from[1]" in held.message
    assert '"front"' in held.message
    status = world.status("SecurityGroup", "api")
    assert (status.ruleset_version, status.ingress_entry_count) == (2, 2)
    world.create("SecurityGroup", "front", vpc="lab")
    assert world.ready("SecurityGroup", "api") == READY


def test_a_lost_peer_does_not_stop_labels(world: World) -> None:
    """References are judged again only when the spec changes."""
    world.create("SecurityGroup", "front", vpc="lab")
    world.create("SecurityGroup", "api", vpc="lab", ingress=[rule(group("front"))])
    world.delete("SecurityGroup", "front")
    world.write(world.get("SecurityGroup", "api").with_metadata(labels={"tier": "back"}))
    (fault,) = world.update_faults("SecurityGroup", "api", egress=[])
    assert fault.startswith("spec.ingress[0].from[0].securityGroupRef.name: Not found")


def test_groups_may_refer_to_each_other(world: World) -> None:
    """Two groups that name each other are both Ready."""
    world.create("SecurityGroup", "front", vpc="lab")
    world.create("SecurityGroup", "api", vpc="lab", ingress=[rule(group("front"))])
    world.update("SecurityGroup", "front", ingress=[rule(group("api"))])
    assert world.ready("SecurityGroup", "front") == READY
    assert world.ready("SecurityGroup", "api") == READY
    assert world.writes_of_a_second_look() == 0


def test_the_version_grows_with_what_packets_meet(world: World) -> None:
    """Order, spelling and descriptions make no new version, and neither does a number that is still missing."""
    made = world.create("SecurityGroup", "api", vpc="lab", ingress=[rule(group("api")), rule(protocol="gre")])
    assert (made.status.group_id, made.status.ruleset_version) == (1, 1)
    same = [rule({"cidr": "1.2.3.4/0"}, protocol=47, description="tunnel"), rule(group("api"))]
    assert world.update("SecurityGroup", "api", ingress=same).status.ruleset_version == 1
    assert world.update("SecurityGroup", "api", ingress=same[:1]).status.ruleset_version == 2


def test_it_waits_for_vpc_and_number(world: World) -> None:
    """VpcNotFound, then Allocating, then Ready."""
    world.force_delete("AllocationPool", "security-group-id")
    world.force_new("SecurityGroup", "api", vpc="later")
    assert world.ready("SecurityGroup", "api") == ("Pending", "False", "VpcNotFound")
    held = world.condition("SecurityGroup", "api", "RulesValid")
    assert held is not None
    assert (held.status, held.reason) == ("False", "VpcNotFound")
    world.create("Vpc", "later")
    assert world.ready("SecurityGroup", "api") == ("Pending", "False", "Allocating")
    world.create("AllocationPool", "security-group-id", type="number", number={"min": 7, "max": 9})
    assert world.ready("SecurityGroup", "api") == READY
    assert world.status("SecurityGroup", "api").group_id == 7


def test_rules_that_are_stored_although_they_are_wrong_fail(world: World) -> None:
    """A rule that time does not heal is Failed with RulesInvalid, and is not published."""
    world.force_new("SecurityGroup", "api", vpc="lab", ingress=[rule(protocol="icmp", ports=[{"port": 1}])])
    assert world.ready("SecurityGroup", "api") == ("Failed", "False", "RulesInvalid")
    assert world.status("SecurityGroup", "api").ruleset_version == 0


def test_sg_18_too_many_entries_that_are_stored_are_a_failure(world: World) -> None:
    """What admission would refuse is never published."""
    world.force_new("SecurityGroup", "api", vpc="lab", ingress=[rule()] * (MOST_ENTRIES + 1))
    assert world.ready("SecurityGroup", "api") == ("Failed", "False", "RuleLimitExceeded")
    assert world.status("SecurityGroup", "api").ruleset_version == 0


def test_a_peer_that_comes_back_in_another_vpc_is_left_out(world: World) -> None:
    """It counts as missing, and the message names both Vpcs."""
    world.create("SecurityGroup", "front", vpc="lab")
    world.create("SecurityGroup", "api", vpc="lab", ingress=[rule(group("front"))])
    world.delete("SecurityGroup", "front")
    world.create("Vpc", "other")
    world.create("SecurityGroup", "front", vpc="other")
    assert world.ready("SecurityGroup", "api") == ("Allocated", "False", "RulesInvalid")
    held = world.condition("SecurityGroup", "api", "RulesValid")
    assert held is not None
    assert held.reason == "PeerNotFound"
    assert "belongs to Vpc other; one of Vpc lab is needed" in held.message
    assert world.waits("SecurityGroup", "api") == [("SecurityGroup/front", "spec.vpc")]
