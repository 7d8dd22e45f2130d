"""What decides about an ElasticIP: where its address comes from, who wants it, and who answers for it now.

One ElasticIPAttachment or one NetworkInterface uses it, never two of them.
Only the ElasticIP decides that, and says so in its status; whoever is not named there does not have the address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Violation
from juneau.engine.names import claim_name
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.outcome import Write
from juneau.engine.world import Reader
from juneau.resources import arpadvertisement
from juneau.resources.advertising import arp_writes
from juneau.resources.arpadvertisementspec import ARPAdvertisement
from juneau.resources.claiming import Claimed
from juneau.resources.elasticipspec import (
    ATTACHMENT,
    ELASTIC_IP,
    INTERFACE,
    ElasticIP,
    ElasticIPUse,
    advertisement_name,
)
from juneau.resources.externaladdress import Source, claimed_address, pool_of_address, source_of
from juneau.resources.externals import DIRECT_NICS, TRANSLATIONS, DirectNIC, Translation
from juneau.resources.node import NODES_OF_ADDRESS


@frozen
class Decision:
    """Who has the address, on which Node; else why nobody has it.

    `rivals` is set in a conflict, `awaited` while it is not safe to give the address to anybody: who has to go first.
    """

    use: ElasticIPUse | None = None
    node: str = ""
    rivals: tuple[ElasticIPUse, ...] = ()
    awaited: tuple[ElasticIPUse, ...] = ()

    def keys(self, namespace: str) -> tuple[Key, ...]:
        """The objects that have to go."""
        return tuple(Key(use.kind, namespace, use.name) for use in (*self.rivals, *self.awaited))


@frozen
class Facts:
    """What decides about an ElasticIP."""

    obj: ElasticIP
    source: Source
    claimed: Claimed
    pool: str
    decision: Decision
    nics: tuple[str, ...]  # the NetworkInterfaces that name it
    advertisement: ARPAdvertisement | None
    nodes_own: str  # the Node that has the address as its own
    writes: tuple[Write, ...]  # to the ARPAdvertisement

    @property
    def address(self) -> str:
        return _address(self.obj, self.claimed)


def claim_of(eip: ElasticIP) -> str:
    """The name of its AllocationClaim."""
    return claim_name(ELASTIC_IP, ELASTIC_IP, eip.namespace, eip.name, "status.address")


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    eip: ElasticIP = obj
    spec, held = eip.spec, eip.status.address
    source = source_of(world, spec.external_network)
    claimed = claimed_address(world, eip, source, "status.address", held, spec.requested_ip, claim_of(eip))
    address = _address(eip, claimed)
    nics = tuple(nic.name for nic in world.values(DIRECT_NICS, (eip.namespace, eip.name)))
    decision = _decision(eip, source, address, world)
    name = advertisement_name(eip.namespace, eip.name)
    node = _answering_node(source, address, decision, world)
    return Facts(
        eip,
        source,
        claimed,
        pool_of_address(world, source, address) or eip.status.address_pool,
        decision,
        nics,
        world.get(arpadvertisement.KIND, name),
        _nodes_own(address, world),
        tuple(arp_writes(world, name, spec.external_network, address, node)),
    )


def _address(eip: ElasticIP, claimed: Claimed) -> str:
    return eip.status.address or claimed.ip


def _decision(eip: ElasticIP, source: Source, address: str, world: Reader) -> Decision:
    nics = world.values(DIRECT_NICS, (eip.namespace, eip.name))
    if source.reason or not address or _nodes_own(address, world):
        return Decision()
    if eip.deleting:
        return keep(eip.status.attachment, nics)
    return decide(eip.status.attachment, world.values(TRANSLATIONS, (eip.namespace, eip.name)), nics)


def decide(held: ElasticIPUse | None, translations: Sequence[Translation], nics: Sequence[DirectNIC]) -> Decision:
    """Who has an ElasticIP that `held` has had so far.

    An attachment that is being deleted counts no more; an interface counts until it is gone, since its Pod may run.
    """
    live = [translation for translation in translations if not translation.deleting]
    if len(live) > 1 or (live and nics):
        attachments = tuple(ElasticIPUse(ATTACHMENT, translation.name) for translation in live)
        return Decision(rivals=(*attachments, *(ElasticIPUse(INTERFACE, nic.name) for nic in nics)))
    if live:
        return Decision(ElasticIPUse(ATTACHMENT, live[0].name), live[0].node)
    kept = keep(held, nics)
    if kept.use is not None:
        return kept
    leaving = tuple(ElasticIPUse(INTERFACE, nic.name) for nic in nics if nic.deleting)
    if leaving:  # after a conflict nobody remembers who had the address, and one that goes may still carry it
        return Decision(awaited=leaving)
    if not nics:
        return Decision()
    first = min(nics, key=lambda nic: (nic.created, nic.name))
    return Decision(ElasticIPUse(INTERFACE, first.name), first.node)


def keep(held: ElasticIPUse | None, nics: Sequence[DirectNIC]) -> Decision:
    """The interface that has the address keeps it for as long as it is there; nobody else is given it."""
    for nic in nics:
        use = ElasticIPUse(INTERFACE, nic.name)
        if use == held:
            return Decision(use, nic.node)
    return Decision()


def use_findings(facts: Facts, world: Reader) -> Iterator[Violation]:
    """Whether what the status says to have the address is there, and wants it."""
    eip, use = facts.obj, facts.obj.status.attachment
    if use is None:
        return
    wanting = facts.nics
    if use.kind == ATTACHMENT:
        wanting = tuple(found.name for found in world.values(TRANSLATIONS, (eip.namespace, eip.name)))
    if use.name in wanting:
        return
    is_there = world.exists(Key(use.kind, eip.namespace, use.name))
    why = f"{use} does not name this ElasticIP" if is_there else f"there is no {use}"
    repair = "see that a controller is running; it has not looked at the ElasticIP since"
    yield Violation("status.attachment", why, value=use.name, audit_only=True, repair=repair)


def _nodes_own(address: str, world: Reader) -> str:
    """The Node whose InternalIP it is: that answers for itself."""
    names = world.values(NODES_OF_ADDRESS, ipv4(address)) if address else []
    return names[0] if names else ""


def _answering_node(source: Source, address: str, decision: Decision, world: Reader) -> str:
    """The Node that answers ARP for it; empty where none can, or need not."""
    if not source.is_by_arp or ipv4(address) is None or not decision.node:
        return ""
    return decision.node if world.exists(Key("Node", "", decision.node)) else ""
