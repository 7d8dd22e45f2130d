"""NetworkACL: an ordered, stateful list of what may cross a network's boundary.

It stands at the edge of a Subnet or at the gateway of an L2Network, and knows addresses only; who a Pod is, is the
business of SecurityGroups.
A direction that is left out is not restricted, an empty one drops everything; else the rule with the lowest priority
that matches decides, and what no rule matches is dropped.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources.claiming import NETWORK_ACL_ID_POOL, Claimed, claimed_number, number_audit, number_contributions
from juneau.resources.networks import L2NETWORK, SUBNET, listed, users
from juneau.resources.rules import (
    ACLS,
    ACLView,
    PortMatch,
    Protocol,
    budget_violations,
    canonical_cidr,
    canonical_protocol_and_ports,
    cidr_violations,
    digest,
    port_violations,
    protocol_violations,
)
from juneau.resources.ruleset import first_rows, home_violations, published
from juneau.resources.status import Status


@frozen
class ACLRule:
    """One rule; of those that match a packet, the one with the lowest priority decides."""

    priority: Annotated[int, Mark("lower is tried first; unique in its direction", minimum=1, maximum=65535)]
    action: Annotated[str, Mark("what happens to a packet that matches", choices=("allow", "deny"))]
    cidr: Annotated[str, Mark("IPv4 prefix of the peer; 0.0.0.0/0: any", min_length=1)]
    protocol: Annotated[Protocol, Mark("a keyword such as tcp, or a number from 0 to 255")] = "all"
    ports: Annotated[tuple[PortMatch, ...], Mark("destination ports; none: all of them")] = ()
    description: Annotated[str, Mark("free text")] = ""


Rules: TypeAlias = tuple[ACLRule, ...]


@frozen
class NetworkACLSpec:
    """The rules of both directions."""

    vpc: Annotated[str, Mark("Vpc that the NetworkACL belongs to", min_length=1, immutable=True)]
    ingress: Annotated[
        tuple[ACLRule, ...] | None,
        Mark("what may enter the network; absent: everything, empty: nothing", nullable=True),
    ] = None
    egress: Annotated[
        tuple[ACLRule, ...] | None,
        Mark("what may leave the network; absent: everything, empty: nothing", nullable=True),
    ] = None


@frozen(kw_only=True)
class NetworkACLStatus(Status):
    """The number of the list, what it costs, and where it stands."""

    acl_id: Annotated[int, Mark("cluster-wide number; never changes once set", json="aclID")] = 0
    ruleset_version: Annotated[int, Mark("grows with every published change of the rules")] = 0
    ruleset_digest: Annotated[str, Mark("tells the published rules from others")] = ""
    ingress_rule_count: Annotated[int, Mark("ingress rules as written")] = 0
    egress_rule_count: Annotated[int, Mark("egress rules as written")] = 0
    ingress_entry_count: Annotated[int, Mark("ingress entries; each port of a rule is one")] = 0
    egress_entry_count: Annotated[int, Mark("egress entries; each port of a rule is one")] = 0
    has_ingress_rules: Annotated[bool, Mark("whether spec.ingress is there, be it empty")] = False
    has_egress_rules: Annotated[bool, Mark("whether spec.egress is there, be it empty")] = False
    attached_subnets: Annotated[tuple[str, ...], Mark("Subnets that name it")] = ()
    attached_l2_networks: Annotated[tuple[str, ...], Mark("L2Networks that name it")] = ()


NetworkACL: TypeAlias = Object[NetworkACLSpec, NetworkACLStatus]


def _directions(spec: NetworkACLSpec) -> Iterator[tuple[str, Rules]]:
    yield ("ingress", spec.ingress or ())
    yield ("egress", spec.egress or ())


def entry_count(rules: Rules | None) -> int:
    """What rules cost: a rule with N ports is N entries."""
    return sum(max(1, len(rule.ports)) for rule in rules or ())


def validate(new: NetworkACL, _old: NetworkACL | None, world: Reader) -> Iterator[Violation]:
    yield from home_violations(new, world)
    yield from _rule_violations(new.spec)


def _rule_violations(spec: NetworkACLSpec) -> Iterator[Violation]:
    for direction, rules in _directions(spec):
        seen: dict[int, int] = {}
        for place, rule in enumerate(rules):
            at = f"spec.{direction}[{place}]"
            earlier = seen.setdefault(rule.priority, place)
            if earlier != place:  # ACL-5
                why = f"spec.{direction}[{earlier}] has it already; give each rule a priority of its own"
                yield Violation(f"{at}.priority", why, Cause.DUPLICATE, rule.priority)
            if rule.cidr:
                yield from cidr_violations(rule.cidr, f"{at}.cidr")  # ACL-8, ACL-9
            yield from protocol_violations(rule.protocol, f"{at}.protocol")  # ACL-10
            yield from port_violations(rule.protocol, rule.ports, at)  # ACL-11 to ACL-14
        counting = "a rule with N ports costs N of them"
        yield from budget_violations(entry_count(rules), direction, counting)  # ACL-16


def refuse_deletion(acl: NetworkACL, world: Reader) -> Iterator[str]:
    for kind in (SUBNET, L2NETWORK):  # ACL-17, ACL-18
        names = users(world, KIND.name, acl.name, kind)
        if names:
            yield f"it is used by {listed(kind, names)}; take it out of spec.networkACL there first"


@frozen
class Facts:
    """What decides about a NetworkACL."""

    obj: NetworkACL
    vpc: AnyObject | None
    faults: tuple[Violation, ...]
    claimed: Claimed
    subnets: tuple[str, ...]
    l2_networks: tuple[str, ...]


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    acl: NetworkACL = obj
    return Facts(
        acl,
        world.look(Key("Vpc", "", acl.spec.vpc)),
        tuple(found for found in validate(acl, None, world) if found.settled),
        claimed_number(world, acl, NETWORK_ACL_ID_POOL, "status.aclID", acl.status.acl_id),
        tuple(users(world, KIND.name, acl.name, SUBNET)),
        tuple(users(world, KIND.name, acl.name, L2NETWORK)),
    )


MACHINE = PhaseMachine[Facts](
    rows=(
        *first_rows("the aclID"),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    acl, spec = facts.obj, facts.obj.spec
    if acl.deleting:
        return Outcome(verdict, acl.status)
    status = evolve(
        acl.status,
        ingress_rule_count=len(spec.ingress or ()),
        egress_rule_count=len(spec.egress or ()),
        ingress_entry_count=entry_count(spec.ingress),
        egress_entry_count=entry_count(spec.egress),
        has_ingress_rules=spec.ingress is not None,
        has_egress_rules=spec.egress is not None,
        attached_subnets=facts.subnets,
        attached_l2_networks=facts.l2_networks,
    )
    if facts.vpc is None:
        return Outcome(verdict, status, _rules_condition(verdict))
    status = evolve(status, acl_id=facts.claimed.number)
    if facts.claimed.number and not facts.faults:
        status = published(status, _canonical(spec))
    return Outcome(verdict, status, _rules_condition(verdict), facts.claimed.writes)


def _rules_condition(verdict: Verdict) -> Mapping[str, tuple[bool, str, str]]:
    if verdict.reason in ("VpcNotFound", "RuleLimitExceeded", "RulesInvalid"):
        return {"RulesValid": (False, verdict.reason, verdict.message)}
    return {"RulesValid": (True, "ReconcileSucceeded", "")}


def _canonical(spec: NetworkACLSpec) -> str:
    """The rules as packets meet them: how they are written and described makes no new version."""
    return digest(
        sorted(
            (rule.priority, rule.action, canonical_cidr(rule.cidr),
             canonical_protocol_and_ports(rule.protocol, rule.ports))
            for rule in rules
        )
        if rules is not None
        else None
        for rules in (spec.ingress, spec.egress)
    )  # fmt: skip


def _views(acl: NetworkACL) -> Iterator[tuple[Hashable, ACLView]]:
    yield (acl.name, ACLView(acl.spec.vpc, acl.status.acl_id, acl.status.ruleset_version))


KIND = Kind(
    name="NetworkACL",
    plural="networkacls",
    spec=NetworkACLSpec,
    status=NetworkACLStatus,
    scope=Scope.CLUSTER,
    doc="An ordered, stateful list of what may cross the boundary of a Subnet or of an L2Network's gateway.",
    columns=(
        Column("VPC", ".spec.vpc"),
        Column("ACLID", ".status.aclID", "integer"),
        Column("Ingress", ".status.ingressRuleCount", "integer"),
        Column("Egress", ".status.egressRuleCount", "integer"),
        Column.condition("Ready"),
    ),
    short_names=("netacl",),
    validate=validate,
    audit=number_audit(NETWORK_ACL_ID_POOL, "status.aclID", lambda owner: owner.status.acl_id),
    refuse_deletion=refuse_deletion,
    indexes=(*number_contributions(NETWORK_ACL_ID_POOL, lambda owner: owner.status.acl_id), contribution(ACLS, _views)),
    controller=Controller(facts, MACHINE, outcome),
    invalid=None,
    summary=True,
)
