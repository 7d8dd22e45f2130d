"""ARPAdvertisement: which one Node answers ARP requests for one external address of an ExternalNetwork of type arp.

Controllers write it, not users.
Only one Node answers, always: when `spec.nodeName` changes, the old Node stops before the new one starts.
The new one announces the address by gratuitous ARP before it answers, so that neighbours follow at once.
Upstream sees one MAC, so the bandwidth of the address is that of one Node.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Network

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4
from juneau.engine.driver import OUT_OF_CONTACT
from juneau.engine.errors import quoted
from juneau.engine.intents import ARPAnswer, ExternalPrefix, Intent, arp_answer_key
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.nodeview import NodeView
from juneau.engine.objects import AnyObject, Key, Time, condition
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources import node
from juneau.resources.arpadvertisementspec import (
    FINALIZER,
    RIVALS,
    ARPAdvertisement,
    ARPAdvertisementSpec,
    ARPAdvertisementStatus,
    Rival,
    audit,
    refuse,
    validate,
)
from juneau.resources.externaladdress import address_contributions, pool_of_address, source_of
from juneau.resources.handover import Answer, AnswerState, Standing, hand_over, has_withdrawn
from juneau.resources.lease import lease_key
from juneau.resources.node import NODES_OF_ADDRESS
from juneau.resources.rows import is_deleting

OUTSIDE_SUBNET = "AddressOutsideSubnet"
INVALID_ADDRESS = "InvalidAddress"
ADDRESS_IN_USE = "AddressInUse"
CONFLICT = "AddressConflict"


@frozen
class Facts:
    """What decides about an ARPAdvertisement."""

    obj: ARPAdvertisement
    rival: Rival | None  # another one of the same address, which comes first
    fault: str  # why nobody can answer for the address at all
    standing: Standing
    pool: str  # AddressPool of the address
    node_exists: bool

    @property
    def answer(self) -> Answer | None:
        """What the Node says of the grant as it is now."""
        answer, grant = self.obj.status.answer, self.standing.grant
        fits = answer is not None and (answer.node_name, answer.term) == (grant.node_name, grant.term)
        return answer if fits else None


def facts(obj: AnyObject, world: Reader, now: Time) -> Facts:
    ad: ARPAdvertisement = obj
    rival, fault = _rival(ad, world), _fault(ad, world)
    wanted = "" if ad.deleting or rival is not None or fault else ad.spec.node_name
    standing = hand_over(ad.status.grant, ad.status.answer, wanted, world, now)
    source = source_of(world, ad.spec.external_network)
    pool = pool_of_address(world, source, ad.spec.address) or ad.status.address_pool
    return Facts(ad, rival, fault, standing, pool, world.exists(Key(node.KIND.name, "", ad.spec.node_name)))


def _fault(ad: ARPAdvertisement, world: Reader) -> str:
    address = ipv4(ad.spec.address)
    if address is None:
        return f"{quoted(ad.spec.address)} is no IPv4 address"
    names = world.values(NODES_OF_ADDRESS, address)
    return f"{address} is the InternalIP of Node {names[0]}" if names else ""


def _rival(ad: ARPAdvertisement, world: Reader) -> Rival | None:
    address = ipv4(ad.spec.address)
    found = sorted(world.values(RIVALS, int(address)) if address is not None else (), key=lambda rival: rival.place)
    return found[0] if found and found[0].name != ad.name else None


def _address_makes_no_sense(facts: Facts) -> bool:
    return bool(facts.fault)


def _address_is_taken(facts: Facts) -> bool:
    return facts.rival is not None


def _old_node_may_answer(facts: Facts) -> bool:
    return facts.standing.until is not None


def _node_is_missing(facts: Facts) -> bool:
    return not facts.node_exists


def _is_outside_the_subnet(facts: Facts) -> bool:
    return _is_refused(facts) and facts.answer is not None and facts.answer.reason == OUTSIDE_SUBNET


def _is_refused(facts: Facts) -> bool:
    return facts.answer is not None and facts.answer.state == AnswerState.REFUSED


def _is_not_announced(facts: Facts) -> bool:
    return facts.answer is None or facts.answer.state != AnswerState.ANNOUNCED


def _rival_message(facts: Facts) -> str:
    name = facts.rival.name if facts.rival is not None else ""
    return f"ARPAdvertisement {quoted(name)} has the address {facts.obj.spec.address}"


def _rival_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key(KIND.name, "", facts.rival.name), "metadata"),) if facts.rival is not None else ()


def _withdrawal_message(facts: Facts) -> str:
    if not _old_node_may_answer(facts):
        return ""
    return f"Node {facts.obj.status.grant.node_name} has not said yet that it answers no more"


def _withdrawal_waits(facts: Facts) -> tuple[Wait, ...]:
    if not _old_node_may_answer(facts):
        return ()
    key = lease_key(facts.obj.status.grant.node_name)
    return (Wait(key, "spec.renewTime", "the Node withdraws, or its Lease runs out"),)


def _node_message(facts: Facts) -> str:
    return f"Node {facts.obj.spec.node_name} does not exist"


def _node_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key("Node", "", facts.obj.spec.node_name), "metadata", "its agent announces the address"),)


def _answer_message(facts: Facts) -> str:
    return facts.answer.message if facts.answer is not None else ""


MACHINE = PhaseMachine[Facts](
    rows=(
        Row(is_deleting, Phase.PENDING, "Deleting", _withdrawal_message, _withdrawal_waits),
        Row(_address_makes_no_sense, Phase.FAILED, INVALID_ADDRESS, lambda facts: facts.fault),
        Row(_address_is_taken, Phase.PENDING, ADDRESS_IN_USE, _rival_message, _rival_waits),
        Row(_old_node_may_answer, Phase.ALLOCATED, "WaitingForWithdrawal", _withdrawal_message, _withdrawal_waits),
        Row(_is_outside_the_subnet, Phase.FAILED, OUTSIDE_SUBNET, _answer_message),
        Row(_is_refused, Phase.FAILED, "NotApplied", _answer_message),
        Row(_node_is_missing, Phase.ALLOCATED, "NodeNotFound", _node_message, _node_waits),
        Row(_is_not_announced, Phase.ALLOCATED, "WaitingForAnnouncement",
            lambda facts: f"Node {facts.obj.spec.node_name} has not announced the address yet", _node_waits),
        Row(None, Phase.READY, "Announced", lambda facts: f"Node {facts.obj.spec.node_name} answers"),
    )
)  # fmt: skip


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    ad, standing = facts.obj, facts.standing
    status = evolve(ad.status, grant=standing.grant, address_pool=facts.pool)
    others = tuple(name for name in ad.metadata.finalizers if name != FINALIZER)
    # With the finalizer the address has a holder for as long as a Node may answer for it.
    finalizers = (*others, FINALIZER) if standing.grant.node_name else others
    return Outcome(verdict, status, _conflict(facts), standing.writes, finalizers, again=standing.until)


def _conflict(facts: Facts) -> dict[str, tuple[bool, str, str]]:
    """The condition AddressConflict, from the first time that somebody else was heard to announce the address."""
    mac = facts.answer.conflict if facts.answer is not None else ""
    if mac:
        return {CONFLICT: (True, "ForeignAnnouncement", f"{mac} announces {facts.obj.spec.address} too")}
    if any(held.type == CONFLICT for held in facts.obj.status.conditions):
        return {CONFLICT: (False, "NoConflict", "")}
    return {}


def _may_answer(ad: ARPAdvertisement) -> bool:
    """Not what makes no sense any more either: a Node may have joined with the address after it was granted."""
    ready = condition(ad, "Ready")
    called_off = ad.deleting or (ready is not None and ready.reason in (INVALID_ADDRESS, ADDRESS_IN_USE))
    called_off |= has_withdrawn(ad.status.grant, ad.status.answer)
    return not called_off and ad.status.grant.node_name == ad.spec.node_name


def intents(ad: ARPAdvertisement, _world: Reader) -> Iterator[Intent]:
    address = ipv4(ad.spec.address)
    if address is not None and _may_answer(ad):
        yield ExternalPrefix(IPv4Network(address), ad.spec.node_name)
        yield ARPAnswer(address, ad.spec.node_name, ad.status.grant.term)


def report(ad: ARPAdvertisement, view: NodeView) -> ARPAdvertisementStatus | None:
    """What a Node says of the grant that it has: that it answers, why it cannot, or that it does not any more."""
    address, grant = ipv4(ad.spec.address), ad.status.grant
    if address is None or grant.node_name != view.node:
        return None
    key = arp_answer_key(address)
    held, failure = view.held.get(key), view.failures.get(key)
    answer = Answer(view.node, grant.term, AnswerState.WITHDRAWN.value)
    if not _may_answer(ad):
        return None if held is not None else evolve(ad.status, answer=answer)
    if isinstance(held, ARPAnswer) and held.term == grant.term:
        mac = view.conflicts.get(address, "")
        return evolve(ad.status, answer=evolve(answer, state=AnswerState.ANNOUNCED.value, conflict=mac))
    if failure is None or failure.reason == OUT_OF_CONTACT:
        return None
    refused = evolve(answer, state=AnswerState.REFUSED.value, reason=failure.reason, message=failure.message)
    return evolve(ad.status, answer=refused)


def _rivals(ad: ARPAdvertisement) -> Iterator[tuple[Hashable, Rival]]:
    address = ipv4(ad.spec.address)
    if address is not None:
        created = ad.metadata.creation_timestamp or Time(0.0)
        yield (int(address), Rival(ad.name, bool(ad.status.grant.node_name), created))


def _held_up(ad: ARPAdvertisement) -> tuple[str, str]:
    """Its owner may have given the address back; nobody else is given it before it is sure that nobody answers."""
    return (ad.status.address_pool, ad.spec.address) if ad.deleting else ("", "")


KIND = Kind(
    name="ARPAdvertisement",
    plural="arpadvertisements",
    spec=ARPAdvertisementSpec,
    status=ARPAdvertisementStatus,
    scope=Scope.CLUSTER,
    doc="Which one Node answers ARP requests for an external address.",
    columns=(
        Column("ExternalNetwork", ".spec.externalNetwork"),
        Column("Address", ".spec.address"),
        Column("Node", ".spec.nodeName"),
        Column("Phase", ".status.phase", priority=1),
    ),
    age_column=True,
    validate=validate,
    audit=audit,
    refuse=refuse,
    indexes=(contribution(RIVALS, _rivals), *address_contributions(_held_up)),
    controller=Controller(facts, MACHINE, outcome),
    invalid=None,
    intents=intents,
    report=report,
)
