"""ElasticIP: one address from outside, reserved out of the AddressPools of an ExternalNetwork.

It is used in one of two ways: an ElasticIPAttachment has Nodes translate it one to one to a NetworkInterface's address,
or a NetworkInterface carries it itself.
Who uses it stands in `status.attachment`, and nobody else has the address; while two kinds of users want it, none has.
An address that was reserved once stays for the life of the ElasticIP.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from attrs import evolve

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Cause, Violation
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import Key, Time, condition
from juneau.engine.outcome import Absent, Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources import arpadvertisement, externalnetwork
from juneau.resources.arpadvertisement import INVALID_ADDRESS
from juneau.resources.claimaudit import held_up
from juneau.resources.claiming import claim_waits, release_writes
from juneau.resources.elasticipfacts import Facts, claim_of, facts, use_findings
from juneau.resources.elasticipspec import (
    ELASTIC_IP,
    FINALIZER,
    INTERFACE,
    ElasticIP,
    ElasticIPPhase,
    ElasticIPSpec,
    ElasticIPStatus,
    advertisement_name,
)
from juneau.resources.externaladdress import (
    INVALID_ADDRESS_POOL,
    MISSING_DEPENDENCY,
    address_contributions,
    address_findings,
)
from juneau.resources.externals import HOLDINGS, TRANSLATIONS, Holding
from juneau.resources.networks import USERS, listed
from juneau.resources.rows import is_deleting

ANNOUNCED = "Announced"


def validate(new: ElasticIP, _old: ElasticIP | None, world: Reader) -> Iterator[Violation]:
    # EIP-1 and EIP-4 are the marks of the field; EIP-3: no type of network is left out.
    name = new.spec.external_network
    if name and not new.deleting and not world.exists(Key(externalnetwork.EXTERNAL_NETWORK, "", name)):  # EIP-2
        yield Violation("spec.externalNetwork", "no such ExternalNetwork", Cause.NOT_FOUND, name, settled=False)


def refuse_deletion(eip: ElasticIP, world: Reader) -> Iterator[str]:
    """EIP-5; a NetworkInterface that carries it holds up the deletion instead, by the finalizer."""
    found = world.values(TRANSLATIONS, (eip.namespace, eip.name))
    names = [translation.name for translation in found if not translation.deleting]
    if names:
        yield f"{listed('ElasticIPAttachment', names)} still uses it; delete that first"


def audit(eip: ElasticIP, world: Reader) -> Iterator[Violation]:
    """What can be wrong with one that has an address: nothing can carry it, or who is said to have it is not there."""
    address, known = eip.status.address, facts(eip, world, Time(0.0))
    if eip.deleting:
        needed = known.claimed.claim is not None or known.nics or known.advertisement is not None
        if FINALIZER in eip.metadata.finalizers and not needed:
            yield held_up(FINALIZER, "it is being deleted, and nothing is left that has its address")
    elif address and ipv4(address) is None:
        repair = "delete the ElasticIP and create it anew"
        why = f"no IPv4 address, so nothing can carry it; {repair}"
        yield Violation("status.address", why, value=address, audit_only=True, repair=repair)
    else:
        yield from use_findings(known, world)
        yield from address_findings(world, eip, known.source, "status.address", _pool_and_address(eip), known.claimed)


def _is_deleting_and_interfaces_name_it(facts: Facts) -> bool:
    return facts.obj.deleting and bool(facts.nics)


def _network_or_pool_is_missing(facts: Facts) -> bool:
    return facts.source.reason == MISSING_DEPENDENCY


def _pool_is_of_the_other_mode(facts: Facts) -> bool:
    return facts.source.reason == INVALID_ADDRESS_POOL


def _pools_are_exhausted(facts: Facts) -> bool:
    return not facts.address and facts.claimed.reason == "Pending"


def _address_is_missing(facts: Facts) -> bool:
    return not facts.address


def _address_is_a_nodes_own(facts: Facts) -> bool:
    return bool(facts.nodes_own)


def _users_conflict(facts: Facts) -> bool:
    return bool(facts.decision.rivals)


def _last_user_is_leaving(facts: Facts) -> bool:
    return bool(facts.decision.awaited)


def _is_used(facts: Facts) -> bool:
    return facts.decision.use is not None


def _interfaces_message(facts: Facts) -> str:
    return f"NetworkInterface {', '.join(facts.nics)} names it; delete its Pod"


def _interface_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(Key(INTERFACE, facts.obj.namespace, name), "metadata", "names it") for name in facts.nics)


def _withdrawal_message(facts: Facts) -> str:
    return f"ARPAdvertisement {facts.advertisement.name} is still there" if facts.advertisement is not None else ""


def _withdrawal_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(facts.advertisement.key, "metadata"),) if facts.advertisement is not None else ()


def _source_message(facts: Facts) -> str:
    return facts.source.message


def _source_waits(facts: Facts) -> tuple[Wait, ...]:
    return facts.source.waits


def _claim_message(facts: Facts) -> str:
    """What the claim says, since nobody looks there who asked for an ElasticIP."""
    reason = facts.claimed.reason if facts.claimed.reason != "Pending" else ""  # of which there is a better word here
    return ": ".join(filter(None, (reason, facts.claimed.why)))


def _nodes_own_message(facts: Facts) -> str:
    why = f"{facts.address} is the InternalIP of Node {facts.nodes_own}, so nothing can have it"
    return f"{why}; delete the ElasticIP, and make the AddressPool anew without that address"


def _rivals_message(facts: Facts) -> str:
    rivals = " and ".join(map(str, facts.decision.rivals))
    return f"{rivals} want it; one address is for one of them, so delete the others"


def _awaited_message(facts: Facts) -> str:
    return f"waiting until {', '.join(map(str, facts.decision.awaited))} is gone, which may carry the address still"


def _user_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(key, "metadata") for key in facts.decision.keys(facts.obj.namespace))


def _use_message(facts: Facts) -> str:
    return f"{facts.decision.use} has it" if facts.decision.use is not None else ""


def _announcement_waits(facts: Facts) -> tuple[Wait, ...]:
    """What keeps it from being reached, though it is used."""
    ad = facts.advertisement
    told = condition(ad, "Ready") if ad is not None else None
    if ad is None or (told is not None and told.status == "True"):
        return ()
    return (Wait(ad.key, "status.conditions[Ready]", "no Node answers ARP for it"),)


def _going(phase: ElasticIPPhase) -> tuple[Row[Facts], ...]:
    """An ElasticIP that is being deleted keeps its phase: somebody may have the address until it is gone."""
    return (
        Row(
            _is_deleting_and_interfaces_name_it,
            phase,
            "WaitingForNetworkInterfaces",
            _interfaces_message,
            _interface_waits,
            phase,
        ),
        Row(is_deleting, phase, "Deleting", _withdrawal_message, _withdrawal_waits, phase),
    )


_P = ElasticIPPhase

# fmt: off
MACHINE = PhaseMachine[Facts](
    rows=(
        *(row for phase in ElasticIPPhase for row in _going(phase)),
        Row(_network_or_pool_is_missing, _P.FAILED, MISSING_DEPENDENCY, _source_message, _source_waits),
        Row(_pool_is_of_the_other_mode, _P.FAILED, INVALID_ADDRESS_POOL, _source_message, _source_waits),
        Row(_pools_are_exhausted, _P.PENDING, "NoAddressAvailable", _claim_message, claim_waits),
        Row(_address_is_missing, _P.PENDING, "Allocating", _claim_message, claim_waits),
        Row(_address_is_a_nodes_own, _P.FAILED, INVALID_ADDRESS, _nodes_own_message),
        Row(_users_conflict, _P.FAILED, "Conflict", _rivals_message, _user_waits),
        Row(_last_user_is_leaving, _P.AVAILABLE, "WaitingForHandover", _awaited_message, _user_waits),
        Row(_is_used, _P.ATTACHED, "Attached", _use_message, _announcement_waits),
        Row(None, _P.AVAILABLE, "AwaitingAttachment"),
    ),
    phases=ElasticIPPhase,
)
# fmt: on


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    eip = facts.obj
    status = evolve(eip.status, address=facts.address, address_pool=facts.pool, attachment=facts.decision.use)
    others = tuple(name for name in eip.metadata.finalizers if name != FINALIZER)
    if not eip.deleting:
        writes = (*facts.claimed.writes, *facts.writes)
        return Outcome(verdict, status, _conditions(facts, verdict), writes, (*others, FINALIZER))
    is_needed = bool(facts.nics) or facts.advertisement is not None
    conditions = _conditions(facts, verdict)
    if is_needed:
        return Outcome(verdict, status, conditions, facts.writes, eip.metadata.finalizers)
    writes = (*_absences(eip), *release_writes(eip, facts.claimed, claim_of(eip)))
    return Outcome(verdict, status, conditions, writes, others)


def _absences(eip: ElasticIP) -> Iterator[Absent]:
    """Who may carry the address or answer for it, and was not heard of yet: while one is there, nobody else gets it."""
    yield Absent(Key(arpadvertisement.KIND.name, "", advertisement_name(eip.namespace, eip.name)))
    use = eip.status.attachment
    if use is not None and use.kind == INTERFACE:
        yield Absent(Key(INTERFACE, eip.namespace, use.name))


def _conditions(facts: Facts, verdict: Verdict) -> Mapping[str, tuple[bool, str, str]]:
    """Allocated and Attached; Ready says that it has an address and nothing is wrong with it, used or not."""
    held = bool(facts.address) and not facts.source.reason and not facts.obj.deleting
    why = (verdict.reason, verdict.message)
    ready = held and not facts.decision.rivals and not facts.nodes_own
    allocated = (True, "ReconcileSucceeded", "") if held else (False, *why)
    attached = _attached(facts, verdict)
    found = {"Ready": (True, "ReconcileSucceeded", "") if ready else (False, *why), "Allocated": allocated}
    return {**found, "Attached": attached, **_announced(facts, attached)}


def _attached(facts: Facts, verdict: Verdict) -> tuple[bool, str, str]:
    if facts.decision.use is not None:
        return (True, "Attached", _use_message(facts))
    if facts.obj.deleting or not (facts.source.reason or facts.address):
        return (False, "AwaitingAttachment", "")
    return (False, verdict.reason, verdict.message)


def _announced(facts: Facts, attached: tuple[bool, str, str]) -> Mapping[str, tuple[bool, str, str]]:
    """S0-45: what keeps its Node from answering ARP for it, such as an address outside of the Node's own prefix."""
    if not facts.source.is_by_arp:
        return {}
    told = condition(facts.advertisement, "Ready") if facts.advertisement is not None else None
    if facts.nodes_own:
        return {ANNOUNCED: (False, INVALID_ADDRESS, _nodes_own_message(facts))}
    if facts.advertisement is None and not facts.decision.use:
        return {ANNOUNCED: (False, attached[1], "nothing uses it, so no Node answers ARP for it")}
    if told is None:
        return {ANNOUNCED: (False, "WaitingForAnnouncement", "no Node answers ARP for it yet")}
    return {ANNOUNCED: (told.status == "True", told.reason, told.message)}


def _uses(eip: ElasticIP) -> Iterator[tuple[Hashable, str]]:
    """EN-14: one that is being deleted holds up nothing any more."""
    if not eip.deleting:
        yield ((externalnetwork.EXTERNAL_NETWORK, eip.spec.external_network), eip.name)


def _holdings(eip: ElasticIP) -> Iterator[tuple[Hashable, Holding]]:
    status = eip.status
    if status.address and status.attachment is not None:
        holding = Holding(eip.namespace, eip.name, status.attachment.kind, status.attachment.name)
        yield ((eip.spec.external_network, status.address), holding)


def _pool_and_address(eip: ElasticIP) -> tuple[str, str]:
    return (eip.status.address_pool, eip.status.address)


KIND = Kind(
    name=ELASTIC_IP,
    plural="elasticips",
    spec=ElasticIPSpec,
    status=ElasticIPStatus,
    scope=Scope.NAMESPACED,
    doc="One address from outside the cluster, reserved for whatever uses it.",
    columns=(
        Column("ExternalNetwork", ".spec.externalNetwork"),
        Column("Address", ".status.address"),
        Column("AttachmentKind", ".status.attachment.kind"),
        Column("Attachment", ".status.attachment.name"),
        Column("Phase", ".status.phase"),
        Column.condition("Allocated", "Allocated"),
        Column.condition("Attached", "Attached"),
    ),
    validate=validate,
    audit=audit,
    refuse_deletion=refuse_deletion,
    indexes=(
        contribution(USERS, _uses),
        contribution(HOLDINGS, _holdings),
        *address_contributions(_pool_and_address),
    ),
    controller=Controller(facts, MACHINE, outcome),
)
