"""ExternalNetwork: the point at which the cluster's network is joined to a network outside the cluster.

It bundles AddressPools that are announced in one way, by BGP or by ARP, into one logical network; ElasticIPs and
NATGateways get the addresses out of it under which the outside reaches them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.errors import Violation
from juneau.engine.fields import Mark
from juneau.engine.intents import Intent, Segment, SegmentKind
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Metadata, Object, Time
from juneau.engine.outcome import Create, Delete, Outcome, Write
from juneau.engine.world import Reader, contribution
from juneau.resources.addresspool import ADDRESS_POOL, named, named_violations
from juneau.resources.claiming import (
    VNI_POOL,
    Claimed,
    claimed_number,
    number_audit,
    number_contributions,
    number_exceeds_24_bits,
    owner_reference,
    waiting_for,
)
from juneau.resources.externalnetworkattachmentspec import (
    ATTACHMENTS,
    EXTERNAL_NETWORK_ATTACHMENT,
    ExternalNetworkAttachmentSpec,
    ExternalNetworkAttachmentStatus,
    attachment_name,
)
from juneau.resources.externals import GATEWAYS_OF_NETWORK, NETWORK_IDS, NODE_NAMES
from juneau.resources.networks import USERS, users
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

EXTERNAL_NETWORK = SegmentKind.EXTERNAL.value


@frozen
class ExternalNetworkSpec:
    """Where addresses come from, and how the outside learns where they are."""

    type: Annotated[
        str,
        Mark(
            "bgp: routes are announced by BGP; arp: Nodes answer ARP for the addresses, one Node for each, so that the "
            "bandwidth of an address is that of one Node; routers and hosts outside have to resolve them by ARP",
            immutable=True,
            choices=("bgp", "arp"),
        ),
    ]
    address_pools: Annotated[
        tuple[str, ...],
        Mark(
            "AddressPools of this network alone, of the mode that type says; names can be added, not removed",
            min_items=1,
            min_length=1,
            unique=True,
        ),
    ]


@frozen(kw_only=True)
class ExternalNetworkStatus(Status):
    """The network as dataplanes know it."""

    network_id: Annotated[
        int, Mark("identifier on the overlay; 0 until it is there, then never changes", json="networkID")
    ] = 0


ExternalNetwork: TypeAlias = Object[ExternalNetworkSpec, ExternalNetworkStatus]


def validate(new: ExternalNetwork, old: ExternalNetwork | None, world: Reader) -> Iterator[Violation]:
    # EN-1 to EN-5 are the marks of the fields.
    pools = new.spec.address_pools
    removed = [name for name in old.spec.address_pools if name not in pools] if old is not None else []
    if removed:  # EN-13
        why = f"names can only be added; put {', '.join(removed)} back"
        yield Violation("spec.addressPools", why, value=list(pools))
    if new.deleting:
        return
    needed = f"a network of type {new.spec.type} needs pools of mode {new.spec.type}"
    yield from named_violations(pools, new.spec.type, needed, world)  # EN-6 to EN-8
    for place, name in enumerate(pools):
        if name:
            yield from _use_violations(new, name, f"spec.addressPools[{place}]", world)


def _use_violations(new: ExternalNetwork, name: str, field: str, world: Reader) -> Iterator[Violation]:
    """EN-9 to EN-12: one that is being deleted counts until it is gone."""
    others = [other for other in users(world, ADDRESS_POOL, name, EXTERNAL_NETWORK) if other != new.name]
    for other in others:
        why = f"is used by ExternalNetwork {other} already, and a pool belongs to one network; name another AddressPool"
        repair = f"delete ExternalNetwork {new.name} or {other}, and create it anew with AddressPools of its own"
        yield Violation(field, why, value=name, audit_only=True, repair=repair)


def refuse_deletion(network: ExternalNetwork, world: Reader) -> Iterator[str]:
    """EN-14; ElasticIPs that are being deleted do not count."""
    filed = world.entries(USERS, (EXTERNAL_NETWORK, network.name))
    names = sorted(f'"{key.namespace}/{key.name}"' for key in filed if key.kind == "ElasticIP")
    if names:
        yield f"ElasticIP {', '.join(names)} still draws from it"


@frozen
class Facts:
    """What decides about a network."""

    obj: ExternalNetwork
    claimed: Claimed
    missing: tuple[str, ...]  # AddressPools that are not there
    unfit: tuple[str, ...]  # AddressPools of the other mode
    writes: tuple[Write, ...]  # to the attachments


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    network: ExternalNetwork = obj
    spec = network.spec
    missing, unfit = named(spec.address_pools, spec.type, world)
    return Facts(
        network,
        claimed_number(world, network, VNI_POOL, "status.networkID", network.status.network_id),
        missing,
        unfit,
        tuple(_attachment_writes(network, world)),
    )


def _attachment_writes(network: ExternalNetwork, world: Reader) -> Iterator[Write]:
    """One attachment per Node once a NATGateway needs them; that of a Node that is gone gives its address back."""
    held, needed = world.values(ATTACHMENTS, network.name), bool(world.entries(GATEWAYS_OF_NETWORK, network.name))
    nodes = set(world.values(NODE_NAMES, "")) if held or needed else set[str]()
    owner = owner_reference(world, network)
    for attached in held:
        if attached.node not in nodes and network.metadata.uid in attached.owners and not attached.deleting:
            yield Delete(attached.key, attached.uid)
    if not needed:
        return
    names = {attached.key.name for attached in held}
    for name in sorted(nodes):
        wanted = attachment_name(network.name, name)
        if wanted not in names:
            spec = ExternalNetworkAttachmentSpec(network.name, name)
            metadata = Metadata(name=wanted, owner_references=(owner,))
            yield Create(Object(EXTERNAL_NETWORK_ATTACHMENT, metadata, spec, ExternalNetworkAttachmentStatus()))


def _pool_is_missing(facts: Facts) -> bool:
    return bool(facts.missing)


def _pool_is_of_the_other_mode(facts: Facts) -> bool:
    return bool(facts.unfit)


def _too_high_message(facts: Facts) -> str:
    return f"the number {facts.claimed.number} does not fit into a VNI, which has 24 bits"


def _missing_message(facts: Facts) -> str:
    return f"AddressPool {', '.join(facts.missing)} does not exist"


def _missing_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(Key(ADDRESS_POOL, "", name), "metadata", "does not exist") for name in facts.missing)


def _unfit_message(facts: Facts) -> str:
    wanted = facts.obj.spec.type
    return f"AddressPool {', '.join(facts.unfit)} is not of mode {wanted}, which a network of type {wanted} needs"


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(number_exceeds_24_bits, Phase.FAILED, "InvalidNetworkID", _too_high_message),
        waiting_for("a number"),
        Row(_pool_is_missing, Phase.PENDING, "MissingDependency", _missing_message, _missing_waits),
        Row(_pool_is_of_the_other_mode, Phase.FAILED, "InvalidAddressPool", _unfit_message),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    network = facts.obj
    if network.deleting or number_exceeds_24_bits(facts):  # EN-C5
        return Outcome(verdict, network.status)
    status = evolve(network.status, network_id=facts.claimed.number)
    return Outcome(verdict, status, writes=(*facts.claimed.writes, *facts.writes))


def intents(network: ExternalNetwork, _world: Reader) -> Iterator[Intent]:
    if network.status.network_id:
        yield Segment(network.status.network_id, SegmentKind.EXTERNAL, vpc_id=0)


def _uses(network: ExternalNetwork) -> Iterator[tuple[Hashable, str]]:
    for name in network.spec.address_pools:
        yield ((ADDRESS_POOL, name), network.name)


def _ids(network: ExternalNetwork) -> Iterator[tuple[Hashable, int]]:
    if network.status.network_id:
        yield (network.name, network.status.network_id)


def _number(network: ExternalNetwork) -> int:
    return network.status.network_id


KIND = Kind(
    name=EXTERNAL_NETWORK,
    plural="externalnetworks",
    spec=ExternalNetworkSpec,
    status=ExternalNetworkStatus,
    scope=Scope.CLUSTER,
    doc="The point at which the cluster's network is joined to a network outside the cluster.",
    columns=(
        Column("Type", ".spec.type", priority=1),
        Column("NetworkID", ".status.networkID", "integer", priority=1),
    ),
    age_column=True,
    validate=validate,
    audit=number_audit(VNI_POOL, "status.networkID", lambda owner: owner.status.network_id),
    refuse_deletion=refuse_deletion,
    indexes=(*number_contributions(VNI_POOL, _number), contribution(USERS, _uses), contribution(NETWORK_IDS, _ids)),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
)
