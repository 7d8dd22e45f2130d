"""NetworkACL: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.shape import IMMUTABLE
from juneau.resources.rules import MOST_ENTRIES

READY = ("Ready", "True", "ReconcileSucceeded")


def rule(**changes: Any) -> dict[str, Any]:
    """A rule that is right but for what is changed; None takes a field out."""
    whole = {"priority": 10, "action": "allow", "cidr": "0.0.0.0/0", **changes}
    return {name: value for name, value in whole.items() if value is not None}


def faults(world: World, *rules: dict[str, Any], direction: str = "ingress") -> list[str]:
    return world.faults("NetworkACL", "edge", vpc="lab", **{direction: list(rules)})


def test_acl_1_a_vpc_is_required(world: World) -> None:
    """A NetworkACL names its Vpc, by what can be a name."""
    assert world.faults("NetworkACL", "edge", vpc="") == [
        "spec.vpc: Required value: Vpc that the NetworkACL belongs to"
    ]
    (fault,) = world.faults("NetworkACL", "edge", vpc="La b")
    assert fault.startswith('spec.vpc: Invalid value: "La b": must be the name of a Vpc')


def test_acl_2_the_vpc_has_to_exist(world: World) -> None:
    """A Vpc that does not exist is refused."""
    assert world.faults("NetworkACL", "edge", vpc="gone") == ['spec.vpc: Not found: "gone": no such Vpc']


def test_acl_2_not_on_an_object_that_is_being_deleted(world: World) -> None:
    """A NetworkACL that is going is not held up by a Vpc that is gone."""
    made = world.create("NetworkACL", "edge", vpc="lab")
    world.write(made.with_metadata(finalizers=("example.com/hold",)))
    world.delete("NetworkACL", "edge")
    world.force_delete("Vpc", "lab")
    world.write(world.get("NetworkACL", "edge").with_metadata(labels={"still": "here"}))
    assert world.ready("NetworkACL", "edge") == ("Pending", "False", "Deleting")


def test_acl_3_the_vpc_is_immutable(world: World) -> None:
    """A NetworkACL stays in its Vpc."""
    world.create("Vpc", "other")
    world.create("NetworkACL", "edge", vpc="lab")
    assert world.update_faults("NetworkACL", "edge", vpc="other") == [f'spec.vpc: Invalid value: "other": {IMMUTABLE}']


@pytest.mark.parametrize("priority", [0, 65536])
def test_acl_4_priorities_have_bounds(world: World, priority: int) -> None:
    """A priority is 1 to 65535."""
    assert faults(world, rule(priority=priority)) == [
        f"spec.ingress[0].priority: Invalid value: {priority}: must be between 1 and 65535"
    ]


def test_acl_5_priorities_are_unique_in_their_direction(world: World) -> None:
    """The error names the index of the earlier rule; the other direction may have the same priority."""
    (fault,) = faults(world, rule(), rule(priority=5), rule(), direction="egress")
    assert fault.startswith("spec.egress[2].priority: Duplicate value: 10: spec.egress[0] has it already")
    assert world.faults("NetworkACL", "edge", vpc="lab", ingress=[rule()], egress=[rule()]) == []


def test_acl_6_an_action_is_required(world: World) -> None:
    """The error lists both actions."""
    assert faults(world, rule(action=None)) == [
        "spec.ingress[0].action: Required value: what happens to a packet that matches"
    ]
    assert faults(world, rule(action="drop")) == [
        'spec.ingress[0].action: Unsupported value: "drop": supported values: "allow", "deny"'
    ]


def test_acl_7_a_cidr_is_required(world: World) -> None:
    """A rule names its peers."""
    (fault,) = faults(world, rule(cidr=None))
    assert fault.startswith("spec.ingress[0].cidr: Required value: IPv4 prefix of the peer; 0.0.0.0/0: any")
    assert faults(world, rule(cidr="")) == [
        "spec.ingress[0].cidr: Required value: IPv4 prefix of the peer; 0.0.0.0/0: any"
    ]


@pytest.mark.parametrize(
    ("cidr", "word"),
    [
        pytest.param("10.0.0.1", "prefix length", id="acl-8"),
        pytest.param("all", "IPv4 CIDR", id="acl-8-word"),
        pytest.param("fd00::/8", "IPv6", id="acl-9"),
    ],
)
def test_acl_8_and_9_a_cidr_is_an_ipv4_prefix(world: World, cidr: str, word: str) -> None:
    """What is no IPv4 prefix is refused."""
    (fault,) = faults(world, rule(cidr=cidr))
    assert fault.startswith(f'spec.ingress[0].cidr: Invalid value: "{cidr}": ')
    assert word in fault


def test_acl_8_host_bits_are_accepted(world: World) -> None:
    """A peer's prefix may have host bits."""
    assert faults(world, rule(cidr="10.0.0.7/24")) == []


@pytest.mark.parametrize("protocol", ["all", "icmp", "tcp", "udp", "sctp", "gre", "esp", "ah", 0, 47, 255])
def test_acl_10_keywords_and_numbers_are_protocols(world: World, protocol: str | int) -> None:
    """Each keyword and each number from 0 to 255 is accepted."""
    assert faults(world, rule(protocol=protocol)) == []


@pytest.mark.parametrize(("protocol", "shown"), [("47", '"47"'), ("TCP", '"TCP"'), (256, "256"), (-1, "-1")])
def test_acl_10_other_protocols_are_refused(world: World, protocol: str | int, shown: str) -> None:
    """The error lists keywords and range; a number in quotes is no number."""
    assert faults(world, rule(protocol=protocol)) == [
        f"spec.ingress[0].protocol: Invalid value: {shown}: must be one of all, icmp, tcp, udp, sctp, gre, esp, ah, "
        "or a number from 0 to 255 without quotes"
    ]


def test_acl_11_only_tcp_and_udp_have_ports(world: World) -> None:
    """The error names the protocol; the numbers of tcp and udp do as well."""
    (fault,) = faults(world, rule(protocol="icmp", ports=[{"port": 80}]))
    assert fault.startswith("spec.ingress[0].ports: Forbidden: the protocol icmp has no ports")
    (fault,) = faults(world, rule(ports=[{"port": 80}]))
    assert "the protocol all has no ports" in fault
    assert (
        faults(world, rule(protocol=6, ports=[{"port": 80}]), rule(priority=2, protocol=17, ports=[{"port": 1}])) == []
    )


def test_acl_12_a_port_entry_is_one_thing(world: World) -> None:
    """Exactly one of port and portRange is set."""
    both = {"port": 80, "portRange": {"from": 1, "to": 2}}
    assert faults(world, rule(protocol="tcp", ports=[{}, both])) == [
        "spec.ingress[0].ports[0]: Required value: set port or portRange",
        "spec.ingress[0].ports[1]: Invalid value: set only one of port and portRange",
    ]


@pytest.mark.parametrize("port", [0, 65536])
def test_acl_13_ports_have_bounds(world: World, port: int) -> None:
    """A port is 1 to 65535, alone and at both ends of a range."""
    bad = faults(world, rule(protocol="tcp", ports=[{"port": port}, {"portRange": {"from": port, "to": port}}]))
    assert bad == [
        f"spec.ingress[0].ports[{place}: Invalid value: {port}: must be between 1 and 65535"
        for place in ("0].port", "1].portRange.from", "1].portRange.to")
    ]


def test_acl_14_a_range_does_not_end_before_it_begins(world: World) -> None:
    """portRange.to is not less than portRange.from."""
    assert faults(world, rule(protocol="tcp", ports=[{"portRange": {"from": 9, "to": 8}}])) == [
        "spec.ingress[0].ports[0].portRange.to: Invalid value: 8: must not be less than portRange.from, 9"
    ]
    assert faults(world, rule(protocol="tcp", ports=[{"portRange": {"from": 9, "to": 9}}])) == []


def test_acl_15_and_16_a_direction_may_have_so_many_entries(world: World) -> None:
    """Each port of a rule is an entry; directions are counted apart, and one rule may use all of its direction."""
    ports = [{"port": port} for port in range(1, MOST_ENTRIES + 1)]
    full = rule(protocol="tcp", ports=ports)
    (fault,) = faults(world, full, rule(priority=11))
    assert fault.startswith(f"spec.ingress: Too many: {MOST_ENTRIES + 1}: ingress may have at most {MOST_ENTRIES} ")
    assert "a rule with N ports costs N" in fault
    assert world.faults("NetworkACL", "edge", vpc="lab", ingress=[full], egress=[full]) == []
    assert world.ready("NetworkACL", "edge") == READY
    assert world.status("NetworkACL", "edge").ingress_entry_count == MOST_ENTRIES


def test_acl_16_too_many_entries_that_are_stored_are_a_failure(world: World) -> None:
    """What admission would refuse is never published."""
    rules = [rule(priority=number) for number in range(1, MOST_ENTRIES + 2)]
    world.force_new("NetworkACL", "edge", vpc="lab", egress=rules)
    assert world.ready("NetworkACL", "edge") == ("Failed", "False", "RuleLimitExceeded")
    held = world.condition("NetworkACL", "edge", "RulesValid")
    assert held is not None
    assert (held.status, held.reason) == ("False", "RuleLimitExceeded")
    assert world.status("NetworkACL", "edge").ruleset_version == 0


def test_acl_17_a_subnet_that_refers_to_it_holds_it(world: World) -> None:
    """The error names the Subnet."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("Subnet", "web", vpc="lab", cidr="10.0.1.0/24", networkACL="edge")
    with pytest.raises(Forbidden, match='it is used by Subnet "web"'):
        world.delete("NetworkACL", "edge")
    world.update("Subnet", "web", networkACL=None)
    world.delete("NetworkACL", "edge")


def test_acl_18_an_l2network_that_refers_to_it_holds_it(world: World) -> None:
    """The error names the L2Network."""
    world.create("NetworkACL", "edge", vpc="lab")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.1.0/24", gateway={}, networkACL="edge")
    with pytest.raises(Forbidden, match='it is used by L2Network "seg"'):
        world.delete("NetworkACL", "edge")


def test_absent_and_empty_directions_are_two_things(world: World) -> None:
    """An absent direction is not restricted, an empty one is there."""
    made = world.create("NetworkACL", "edge", vpc="lab", ingress=[])
    assert (made.status.has_ingress_rules, made.status.has_egress_rules) == (True, False)
    assert world.condition("NetworkACL", "edge", "RulesValid") is not None
    made = world.update("NetworkACL", "edge", ingress=None, egress=[])
    assert (made.status.has_ingress_rules, made.status.has_egress_rules) == (False, True)
    assert made.status.ruleset_version == 2


def test_the_version_grows_with_what_packets_meet(world: World) -> None:
    """Another way to write the same rules, and their description, make no new version."""
    world.create("NetworkACL", "edge", vpc="lab", ingress=[rule(protocol="tcp", ports=[{"port": 2}, {"port": 1}])])
    assert world.status("NetworkACL", "edge").ruleset_version == 1
    same = rule(
        protocol=6, description="same", cidr="9.9.9.9/0", ports=[{"port": 1}, {"portRange": {"from": 2, "to": 2}}]
    )
    assert world.update("NetworkACL", "edge", ingress=[same]).status.ruleset_version == 1
    assert world.update("NetworkACL", "edge", ingress=[rule(action="deny")]).status.ruleset_version == 2
    assert world.update("NetworkACL", "edge", ingress=[]).status.ruleset_version == 3


def test_counts_and_attachments_are_told(world: World) -> None:
    """Rules, entries, Subnets and L2Networks are counted, and the number stays."""
    made = world.create(
        "NetworkACL",
        "edge",
        vpc="lab",
        ingress=[rule(), rule(priority=11, protocol="tcp", ports=[{"port": 1}, {"port": 2}])],
        egress=[rule()],
    )
    status = made.status
    assert (status.ingress_rule_count, status.egress_rule_count) == (2, 1)
    assert (status.ingress_entry_count, status.egress_entry_count) == (3, 1)
    for name, prefix in (("web", "10.0.1.0/24"), ("api", "10.0.2.0/24")):
        world.create("Subnet", name, vpc="lab", cidr=prefix, networkACL="edge")
    world.create("L2Network", "seg", vpc="lab", cidr="10.0.3.0/24", gateway={}, networkACL="edge")
    status = world.status("NetworkACL", "edge")
    assert (status.attached_subnets, status.attached_l2_networks) == (("api", "web"), ("seg",))
    assert (status.acl_id, status.ruleset_version) == (1, 1)
    assert world.writes_of_a_second_look() == 0


def test_it_waits_for_vpc_and_number(world: World) -> None:
    """VpcNotFound, then Allocating, then Ready; a network shows the ACL with number 0 meanwhile."""
    world.force_delete("AllocationPool", "network-acl-id")
    world.force_new("NetworkACL", "edge", vpc="later")
    assert world.ready("NetworkACL", "edge") == ("Pending", "False", "VpcNotFound")
    held = world.condition("NetworkACL", "edge", "RulesValid")
    assert held is not None
    assert (held.status, held.reason) == ("False", "VpcNotFound")
    world.create("Vpc", "later")
    assert world.ready("NetworkACL", "edge") == ("Pending", "False", "Allocating")
    world.create("Subnet", "web", vpc="later", cidr="10.0.1.0/24", networkACL="edge")
    assert world.status("Subnet", "web").network_acl.acl_id == 0
    world.create("AllocationPool", "network-acl-id", type="number", number={"min": 7, "max": 9})
    assert world.ready("NetworkACL", "edge") == READY
    acl = world.status("Subnet", "web").network_acl
    assert (acl.acl_id, acl.ruleset_version) == (7, 1)
