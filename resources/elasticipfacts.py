"""What decides about an ElasticIP: where its address comes from, who wants it, and who answers for it now."""

from __future__ import annotations

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.names import claim_name
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.outcome import Write
from juneau.engine.world import Reader
from juneau.resources.addresspool import Mode
from juneau.resources.advertising import answering, arp_writes
from juneau.resources.arpadvertisement import ARPAdvertisement
from juneau.resources.claiming import Claimed
from juneau.resources.elasticipspec import ELASTIC_IP, ElasticIP, advertisement_name
from juneau.resources.elasticipuse import Decision, decide, keep
from juneau.resources.externaladdress import Source, claimed_address, pool_of_address, source_of
from juneau.resources.externals import CARRIERS, TRANSLATIONS


@frozen
class Facts:
    """What decides about an ElasticIP."""

    obj: ElasticIP
    source: Source
    claimed: Claimed
    pool: str
    decision: Decision
    carriers: tuple[str, ...]  # the NetworkInterfaces that name it
    advertisement: ARPAdvertisement | None
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
    carriers = tuple(carrier.name for carrier in world.values(CARRIERS, (eip.namespace, eip.name)))
    decision = _decision(eip, source, address, world)
    name = advertisement_name(eip.namespace, eip.name)
    node = _answering_node(source, address, decision, world)
    return Facts(
        eip,
        source,
        claimed,
        pool_of_address(world, source, address) or eip.status.address_pool,
        decision,
        carriers,
        answering(world, name),
        tuple(arp_writes(world, name, spec.external_network, address, node)),
    )


def _address(eip: ElasticIP, claimed: Claimed) -> str:
    return eip.status.address or claimed.ip


def is_by_arp(source: Source) -> bool:
    """Whether Nodes answer ARP for addresses of it."""
    return source.network is not None and source.network.spec.type == Mode.ARP


def _decision(eip: ElasticIP, source: Source, address: str, world: Reader) -> Decision:
    carriers = world.values(CARRIERS, (eip.namespace, eip.name))
    if source.reason or not address:
        return Decision()
    if eip.deleting:
        return keep(eip.status.attachment, carriers)
    return decide(eip.status.attachment, world.values(TRANSLATIONS, (eip.namespace, eip.name)), carriers)


def _answering_node(source: Source, address: str, decision: Decision, world: Reader) -> str:
    """The Node that answers ARP for it; empty where none can, or need not."""
    if not is_by_arp(source) or ipv4(address) is None or not decision.node:
        return ""
    return decision.node if world.look(Key("Node", "", decision.node)) is not None else ""
