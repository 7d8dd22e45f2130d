"""ExternalNetworkAttachment: the address under which one Node's Pods leave through the NATGateways of an
ExternalNetwork.

An ExternalNetwork that a NATGateway names makes one for every Node; administrators read it to see which address a Node
uses.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Cause, Violation
from juneau.engine.intents import Intent, NATSource
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import prefixed_name
from juneau.engine.objects import AnyObject, Key, Time, condition
from juneau.engine.outcome import Create, Delete, Outcome, Update, Write
from juneau.engine.world import Reader, contribution
from juneau.resources import arpadvertisement, bgpadvertisement, externalnetwork
from juneau.resources.advertising import arp_writes
from juneau.resources.arpadvertisementspec import ARPAdvertisement
from juneau.resources.bgpadvertisement import BGPAdvertisementSpec
from juneau.resources.claiming import Claimed, claim_waits, owner_reference
from juneau.resources.externaladdress import (
    INVALID_ADDRESS_POOL,
    MISSING_DEPENDENCY,
    Source,
    address_contributions,
    address_findings,
    claimed_address,
    pool_of_address,
    source_of,
)
from juneau.resources.externalnetworkattachmentspec import (
    ATTACHMENTS,
    EXTERNAL_NETWORK_ATTACHMENT,
    Attached,
    ExternalNetworkAttachment,
    ExternalNetworkAttachmentSpec,
    ExternalNetworkAttachmentStatus,
    attachment_name,
)
from juneau.resources.externals import GATEWAYS_OF_NETWORK
from juneau.resources.rows import DELETING


def validate(
    new: ExternalNetworkAttachment, _old: ExternalNetworkAttachment | None, world: Reader
) -> Iterator[Violation]:
    # ENA-1 to ENA-4 are the marks of the fields.
    name = new.spec.external_network
    if name and not new.deleting and not world.exists(Key(externalnetwork.EXTERNAL_NETWORK, "", name)):  # ENA-5
        yield Violation("spec.externalNetwork", "no such ExternalNetwork", Cause.NOT_FOUND, name, settled=False)


@frozen
class Facts:
    """What decides about an attachment."""

    obj: ExternalNetworkAttachment
    source: Source
    claimed: Claimed
    pool: str  # AddressPool of the address
    writes: tuple[Write, ...]  # to the advertisement
    advertised: bool
    arp: ARPAdvertisement | None = None

    @property
    def address(self) -> str:
        return _address(self.claimed)


def _address(claimed: Claimed) -> str:
    """What is claimed; an address that the claim cannot have belongs to somebody else."""
    lost = claimed.granted is None and claimed.reason == "AllocationFailed"
    return "" if lost else claimed.ip


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    attachment: ExternalNetworkAttachment = obj
    held = attachment.status
    source = source_of(world, attachment.spec.external_network)
    if source.reason:
        return Facts(attachment, source, Claimed(), held.address_pool, (), False)
    claimed = claimed_address(world, attachment, source, "status.assignedIP", held.assigned_ip)
    address = _address(claimed)
    pool = (pool_of_address(world, source, address) or held.address_pool) if address else ""
    writes = tuple(_advertisement_writes(attachment, source, address, world))
    arp = world.get(arpadvertisement.KIND, _advertisement(attachment)) if source.is_by_arp else None
    return Facts(attachment, source, claimed, pool, writes, _is_advertised(attachment, source, writes, world), arp)


def audit(attachment: ExternalNetworkAttachment, world: Reader) -> Iterator[Violation]:
    field, held, source = "status.assignedIP", _held(attachment), source_of(world, attachment.spec.external_network)
    _, address = held
    if address:
        known = claimed_address(world, attachment, source, field, address) if not source.reason else Claimed()
        yield from address_findings(world, attachment, source, field, held, known)


def _advertisement(attachment: ExternalNetworkAttachment) -> str:
    return prefixed_name("ena-", attachment.name)


def _advertisement_writes(
    attachment: ExternalNetworkAttachment, source: Source, address: str, world: Reader
) -> Iterator[Write]:
    """Only this Node announces the address, or answers for it."""
    name, node = _advertisement(attachment), attachment.spec.node_name
    if source.is_by_arp:
        yield from arp_writes(world, name, attachment.spec.external_network, address, node, attachment)
        return
    held = world.get_spec(bgpadvertisement.KIND, name)
    spec, owner = BGPAdvertisementSpec(source.pools, node, f"{address}/32"), owner_reference(world, attachment)
    if held is not None and held.deleting:
        return
    if not address:
        if held is not None:
            yield Delete(held.key, held.metadata.uid)
    elif held is None:
        yield Create(bgpadvertisement.KIND.new(name, spec, owner_references=(owner,)))
    elif held.spec != spec or owner not in held.metadata.owner_references:
        yield Update(evolve(held.with_metadata(owner_references=(owner,)), spec=spec))


def _is_advertised(
    attachment: ExternalNetworkAttachment, source: Source, writes: tuple[Write, ...], world: Reader
) -> bool:
    """Whether the advertisement is there, or is being written by this very step."""
    if writes:
        return not any(isinstance(write, Delete) for write in writes)
    kind = "ARPAdvertisement" if source.is_by_arp else bgpadvertisement.KIND.name
    held = world.look(Key(kind, "", _advertisement(attachment)))
    return held is not None and not held.deleting


def _dependency_is_missing(facts: Facts) -> bool:
    return facts.source.reason == MISSING_DEPENDENCY


def _pool_does_not_fit(facts: Facts) -> bool:
    return facts.source.reason == INVALID_ADDRESS_POOL


def _no_address_is_free(facts: Facts) -> bool:
    return not facts.address and facts.claimed.reason == "Pending"


def _address_is_missing(facts: Facts) -> bool:
    return not facts.address


def _is_not_advertised(facts: Facts) -> bool:
    return not facts.advertised


def _source_message(facts: Facts) -> str:
    return facts.source.message


def _source_waits(facts: Facts) -> tuple[Wait, ...]:
    return facts.source.waits


def _why(facts: Facts) -> str:
    return facts.claimed.why


def _advertisement_message(facts: Facts) -> str:
    kind = "ARPAdvertisement" if facts.source.is_by_arp else bgpadvertisement.KIND.name
    return f"{kind} {_advertisement(facts.obj)} of before is being deleted"


def _advertisement_waits(facts: Facts) -> tuple[Wait, ...]:
    kind = "ARPAdvertisement" if facts.source.is_by_arp else bgpadvertisement.KIND.name
    return (Wait(Key(kind, "", _advertisement(facts.obj)), "metadata.deletionTimestamp", "is being deleted"),)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_dependency_is_missing, Phase.PENDING, MISSING_DEPENDENCY, _source_message, _source_waits),
        Row(_pool_does_not_fit, Phase.FAILED, INVALID_ADDRESS_POOL, _source_message, _source_waits),
        Row(_no_address_is_free, Phase.PENDING, "NoAddressAvailable", _why, claim_waits),
        Row(_address_is_missing, Phase.PENDING, "Allocating", _why, claim_waits),
        Row(_is_not_advertised, Phase.ALLOCATED, "ReconcileFailed", _advertisement_message, _advertisement_waits),
        Row(None, Phase.READY, "Ready"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    attachment = facts.obj
    if attachment.deleting or facts.source.reason:
        return Outcome(verdict, attachment.status)
    status = evolve(attachment.status, assigned_ip=facts.address, address_pool=facts.pool)
    return Outcome(verdict, status, _announced(facts), (*facts.claimed.writes, *facts.writes))


def _announced(facts: Facts) -> Mapping[str, tuple[bool, str, str]]:
    """S0-45: what keeps the Node from answering ARP for the address."""
    if not facts.source.is_by_arp:
        return {}
    told = condition(facts.arp, "Ready") if facts.arp is not None else None
    if told is None:
        return {"Announced": (False, "WaitingForAnnouncement", "the Node does not answer ARP for it yet")}
    return {"Announced": (told.status == "True", told.reason, told.message)}


def intents(attachment: ExternalNetworkAttachment, world: Reader) -> Iterator[Intent]:
    spec, address = attachment.spec, ipv4(attachment.status.assigned_ip)
    if address is None:
        return
    # Of two for one pair the one that the network has made counts.
    rank = (int(attachment.name == attachment_name(spec.external_network, spec.node_name)), attachment.name)
    for gateway_id in world.values(GATEWAYS_OF_NETWORK, spec.external_network):
        if gateway_id:
            yield NATSource(gateway_id, spec.node_name, address, rank=rank)


def _attached(attachment: ExternalNetworkAttachment) -> Iterator[tuple[Hashable, Attached]]:
    metadata, spec = attachment.metadata, attachment.spec
    owners = frozenset(owner.uid for owner in metadata.owner_references)
    yield (
        spec.external_network,
        Attached(attachment.key, metadata.uid, spec.node_name, owners, attachment.deleting),
    )


def _held(attachment: ExternalNetworkAttachment) -> tuple[str, str]:
    return (attachment.status.address_pool, attachment.status.assigned_ip)


KIND = Kind(
    name=EXTERNAL_NETWORK_ATTACHMENT,
    plural="externalnetworkattachments",
    spec=ExternalNetworkAttachmentSpec,
    status=ExternalNetworkAttachmentStatus,
    scope=Scope.CLUSTER,
    doc="The address under which one Node's Pods leave through the NATGateways of an ExternalNetwork.",
    columns=(
        Column("ExternalNetwork", ".spec.externalNetwork"),
        Column("Node", ".spec.nodeName"),
        Column("AssignedIP", ".status.assignedIP"),
        Column.condition("Ready"),
    ),
    validate=validate,
    audit=audit,
    indexes=(contribution(ATTACHMENTS, _attached), *address_contributions(_held)),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
)
