"""SecurityGroup: a stateful list of what NICs may receive and send.

It belongs to one Vpc and is attached to NICs there; whatever no rule of a NIC's groups allows is dropped.
There is no deny rule and no priority.
Without `egress` everything may be sent; with it, be it empty, only what it lists.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import is_dns_subdomain
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources.claiming import (
    SECURITY_GROUP_ID_POOL,
    Claimed,
    claimed_number,
    number_audit,
    number_contributions,
)
from juneau.resources.rules import (
    GROUP_MEMBERS,
    GROUPS,
    EgressRule,
    GroupView,
    IngressRule,
    Peer,
    budget_violations,
    canonical_cidr,
    canonical_protocol_and_ports,
    digest,
    peer_violations,
    port_violations,
    protocol_violations,
)
from juneau.resources.ruleset import first_rows, home_violations, published
from juneau.resources.status import Status

Rules: TypeAlias = tuple[IngressRule | EgressRule, ...]


@frozen
class SecurityGroupSpec:
    """The rules of both directions."""

    vpc: Annotated[str, Mark("Vpc that the SecurityGroup belongs to", min_length=1, immutable=True)]
    ingress: Annotated[tuple[IngressRule, ...], Mark("what members may receive; none: nothing")] = ()
    egress: Annotated[
        tuple[EgressRule, ...] | None,
        Mark("what members may send; absent: everything, empty: nothing", nullable=True),
    ] = None


@frozen
class InterfaceReference:
    """A NetworkInterface."""

    namespace: Annotated[str, Mark("its namespace")]
    name: Annotated[str, Mark("its name")]


@frozen(kw_only=True)
class SecurityGroupStatus(Status):
    """The number of the group, what it costs, and who has it."""

    group_id: Annotated[int, Mark("cluster-wide number; never changes once set", json="groupID")] = 0
    ruleset_version: Annotated[int, Mark("grows with every published change of the rules")] = 0
    ruleset_digest: Annotated[str, Mark("tells the published rules from others")] = ""
    ingress_rule_count: Annotated[int, Mark("ingress rules as written")] = 0
    egress_rule_count: Annotated[int, Mark("egress rules as written")] = 0
    ingress_entry_count: Annotated[int, Mark("ingress entries: peers times ports of each rule")] = 0
    egress_entry_count: Annotated[int, Mark("egress entries: peers times ports of each rule")] = 0
    has_egress_rules: Annotated[bool, Mark("whether spec.egress is there, be it empty")] = False
    attached_interfaces: Annotated[tuple[InterfaceReference, ...], Mark("NetworkInterfaces that list it")] = ()


SecurityGroup: TypeAlias = Object[SecurityGroupSpec, SecurityGroupStatus]


def _directions(spec: SecurityGroupSpec) -> Iterator[tuple[str, str, Rules]]:
    """Each direction, the name of its peers on the wire, and its rules."""
    yield ("ingress", "from", spec.ingress)
    yield ("egress", "to", spec.egress or ())


def entry_count(rules: Rules) -> int:
    """What rules cost: each pair of a peer and a port is an entry."""
    return sum(max(1, len(rule.peers)) * max(1, len(rule.ports)) for rule in rules)


def validate(new: SecurityGroup, old: SecurityGroup | None, world: Reader) -> Iterator[Violation]:
    spec = new.spec
    yield from home_violations(new, world)
    yield from _rule_violations(spec)
    if not new.deleting and (old is None or old.spec != spec):
        yield from _group_violations(new, world)


def _rule_violations(spec: SecurityGroupSpec) -> Iterator[Violation]:
    for direction, side, rules in _directions(spec):
        for place, rule in enumerate(rules):
            at = f"spec.{direction}[{place}]"
            for number, peer in enumerate(rule.peers):
                yield from peer_violations(peer, f"{at}.{side}[{number}]")  # SG-7 to SG-10
            yield from protocol_violations(rule.protocol, f"{at}.protocol")  # SG-13
            yield from port_violations(rule.protocol, rule.ports, at)  # SG-14 to SG-17
        counting = "a rule costs its peers times its ports"
        yield from budget_violations(entry_count(rules), direction, counting)  # SG-18


def _group_violations(group: SecurityGroup, world: Reader) -> Iterator[Violation]:
    """Groups that rules name exist in the same Vpc; on a stored object time may bring them back."""
    vpc = group.spec.vpc
    for direction, side, rules in _directions(group.spec):
        for place, rule in enumerate(rules):
            for number, peer in enumerate(rule.peers):
                name = peer.group
                if name in ("", group.name) or not is_dns_subdomain(name):
                    continue
                field = f"spec.{direction}[{place}].{side}[{number}].securityGroupRef.name"
                found = world.values(GROUPS, name)
                if not found:  # SG-11
                    yield Violation(field, "no such SecurityGroup", Cause.NOT_FOUND, name, settled=False)
                elif found[0].vpc != vpc:  # SG-12
                    why = f"SecurityGroup {name} belongs to Vpc {found[0].vpc}; one of Vpc {vpc} is needed"
                    yield Violation(field, why, value=name, settled=False)


def refuse_deletion(group: SecurityGroup, world: Reader) -> Iterator[str]:
    members = sorted(world.values(GROUP_MEMBERS, group.name))
    if members:  # SG-19
        namespace, name = members[0]
        more = f" and {len(members) - 1} more" if len(members) > 1 else ""
        yield f'it is used by NetworkInterface "{namespace}/{name}"{more}'


@frozen
class Facts:
    """What decides about a SecurityGroup."""

    obj: SecurityGroup
    vpc: AnyObject | None
    faults: tuple[Violation, ...]
    absences: tuple[Violation, ...]  # peers that cannot be resolved
    claimed: Claimed
    peers: Mapping[str, int]  # groups that rules name and that can be resolved, and the own one, with their numbers
    members: tuple[InterfaceReference, ...]


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    group: SecurityGroup = obj
    broken = tuple(validate(group, None, world))
    claimed = claimed_number(world, group, SECURITY_GROUP_ID_POOL, "status.groupID", group.status.group_id)
    return Facts(
        group,
        world.look(Key("Vpc", "", group.spec.vpc)),
        tuple(found for found in broken if found.settled),
        tuple(found for found in broken if not found.settled and found.field != "spec.vpc"),
        claimed,
        dict(_resolved_peers(group, claimed.number, world)),
        tuple(InterfaceReference(*member) for member in sorted(set(world.values(GROUP_MEMBERS, group.name)))),
    )


def _resolved_peers(group: SecurityGroup, own: int, world: Reader) -> Iterator[tuple[str, int]]:
    yield group.name, own
    for _, _, rules in _directions(group.spec):
        for rule in rules:
            for peer in rule.peers:
                found = world.values(GROUPS, peer.group) if peer.group not in ("", group.name) else []
                if found and found[0].vpc == group.spec.vpc:
                    yield peer.group, found[0].group_id


def _a_peer_is_missing(facts: Facts) -> bool:
    return bool(facts.absences)


def _absences_message(facts: Facts) -> str:
    return "; ".join(map(str, facts.absences))


def _absences_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(Key(KIND.name, "", str(lack.value)), "spec.vpc", lack.message) for lack in facts.absences)


MACHINE = PhaseMachine[Facts](
    rows=(
        *first_rows("the groupID"),
        Row(_a_peer_is_missing, Phase.ALLOCATED, "RulesInvalid", _absences_message, _absences_waits),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    group, spec = facts.obj, facts.obj.spec
    if group.deleting:
        return Outcome(verdict, group.status)
    status = evolve(
        group.status,
        ingress_rule_count=len(spec.ingress),
        egress_rule_count=len(spec.egress or ()),
        ingress_entry_count=entry_count(spec.ingress),
        egress_entry_count=entry_count(spec.egress or ()),
        has_egress_rules=spec.egress is not None,
        attached_interfaces=facts.members,
    )
    conditions = {"RulesValid": _rules_valid(facts, verdict)}
    if facts.vpc is None:
        return Outcome(verdict, status, conditions)
    status = evolve(status, group_id=facts.claimed.number)
    if facts.claimed.number and not facts.faults:
        status = published(status, _canonical(facts))
    return Outcome(verdict, status, conditions, facts.claimed.writes)


def _rules_valid(facts: Facts, verdict: Verdict) -> tuple[bool, str, str]:
    if facts.vpc is None or facts.faults:
        return (False, verdict.reason, verdict.message)
    if facts.absences:
        return (False, "PeerNotFound", _absences_message(facts))
    return (True, "ReconcileSucceeded", "")


def _canonical(facts: Facts) -> str:
    """The rules as packets meet them, peers that cannot be resolved left out."""
    spec = facts.obj.spec
    return digest(
        sorted(
            (peer_text, canonical_protocol_and_ports(rule.protocol, rule.ports))
            for rule in rules
            for peer in rule.peers
            if (peer_text := _effective_peer(peer, facts.peers))
        )
        if rules is not None
        else None
        for rules in (spec.ingress, spec.egress)
    )


def _effective_peer(peer: Peer, groups: Mapping[str, int]) -> str:
    """A peer as packets are compared with it, empty where there is none."""
    if not peer.group:
        return canonical_cidr(peer.cidr)
    return f"group {groups[peer.group]}" if groups.get(peer.group) else ""


def _views(group: SecurityGroup) -> Iterator[tuple[Hashable, GroupView]]:
    yield (group.name, GroupView(group.spec.vpc, group.status.group_id))


KIND = Kind(
    name="SecurityGroup",
    plural="securitygroups",
    spec=SecurityGroupSpec,
    status=SecurityGroupStatus,
    scope=Scope.CLUSTER,
    doc="A stateful list of what NICs may receive and send.",
    columns=(
        Column("VPC", ".spec.vpc"),
        Column("GroupID", ".status.groupID", "integer"),
        Column("Ingress", ".status.ingressRuleCount", "integer"),
        Column("Egress", ".status.egressRuleCount", "integer"),
        Column.condition("Ready"),
    ),
    short_names=("sg", "secgroup"),
    validate=validate,
    audit=number_audit(SECURITY_GROUP_ID_POOL, "status.groupID", lambda owner: owner.status.group_id),
    refuse_deletion=refuse_deletion,
    indexes=(
        *number_contributions(SECURITY_GROUP_ID_POOL, lambda owner: owner.status.group_id),
        contribution(GROUPS, _views),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=None,
    summary=True,
)
