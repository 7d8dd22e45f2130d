"""BGPAdvertisement: which AddressPools the Nodes announce by BGP.

To whom is what BGPPeers say.
With a Node's name only that Node announces it, and with a prefix only a part of the pools: so the address that a Node
uses for its NATGateways comes back to that Node, although all of them announce the pool.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Network
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4_network, prefix_fault
from juneau.engine.errors import Violation
from juneau.engine.fields import Mark
from juneau.engine.intents import EVERY_NODE, ExternalPrefix, Intent
from juneau.engine.kind import Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources import addresspool
from juneau.resources.addresspool import ADDRESS_POOL, Mode, blocks, contains, named, named_violations
from juneau.resources.externals import BGP_PEERS
from juneau.resources.networks import USERS
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

BGP_ADVERTISEMENT = "BGPAdvertisement"


@frozen
class BGPAdvertisementSpec:
    """What is announced, and by whom."""

    address_pools: Annotated[tuple[str, ...], Mark("AddressPools of mode bgp", min_items=1, min_length=1, unique=True)]
    node_name: Annotated[str, Mark("the one Node that announces it; empty: every Node")] = ""
    prefix: Annotated[str, Mark("IPv4 CIDR in one of the pools; empty: all that the pools have")] = ""


@frozen(kw_only=True)
class BGPAdvertisementStatus(Status):
    """Nothing of its own: what is announced shows on BGPNodeStates."""


BGPAdvertisement: TypeAlias = Object[BGPAdvertisementSpec, BGPAdvertisementStatus]


def validate(new: BGPAdvertisement, _old: BGPAdvertisement | None, world: Reader) -> Iterator[Violation]:
    # BGPA-1 to BGPA-3 are the marks of the fields.
    spec = new.spec
    fault = prefix_fault(spec.prefix) if spec.prefix else None
    if fault is not None:  # BGPA-6
        yield Violation("spec.prefix", fault, value=spec.prefix)
    if new.deleting:
        return
    needed = "name AddressPools of mode bgp"
    faults = list(named_violations(spec.address_pools, Mode.BGP, needed, world))  # BGPA-4, BGPA-5
    yield from faults
    prefix = ipv4_network(spec.prefix)
    if prefix is not None and not faults and not any(_has(world, name, prefix) for name in spec.address_pools):
        why = f"{prefix} must lie in a CIDR of an AddressPool that is listed: {', '.join(spec.address_pools)}"
        yield Violation("spec.prefix", why, value=spec.prefix, audit_only=True)  # BGPA-7


def _has(world: Reader, name: str, prefix: IPv4Network) -> bool:
    pool = world.get_spec(addresspool.KIND, name)
    return pool is not None and contains(pool, prefix)


def announced_of(ad: BGPAdvertisement, name: str, world: Reader) -> tuple[IPv4Network, ...]:
    """What is announced of one of its pools, sorted; nothing of a pool that is missing or of another mode.

    Its prefix is announced under every pool, as long as one of them has it: what belongs to nobody is never drawn here.
    """
    pool = world.get_spec(addresspool.KIND, name)
    if pool is None or pool.spec.advertise_mode != Mode.BGP:
        return ()
    if not ad.spec.prefix:
        return tuple(sorted(set(blocks(pool))))
    prefix = ipv4_network(ad.spec.prefix)
    if prefix is None or not any(_has(world, other, prefix) for other in ad.spec.address_pools):
        return ()
    return (prefix,)


def announced_by(world: Reader, node: str) -> list[IPv4Network]:
    """All that the BGP speaker of a Node has to announce, to every BGPPeer alike: each prefix once, sorted."""
    ads = [ad for ad in world.all(KIND) if ad.spec.node_name in ("", node)]
    return sorted({prefix for ad in ads for name in ad.spec.address_pools for prefix in announced_of(ad, name, world)})


@frozen
class Facts:
    """What decides about an advertisement."""

    obj: BGPAdvertisement
    missing: tuple[str, ...]  # AddressPools that are not there
    unfit: tuple[str, ...]  # AddressPools of another mode
    has_peers: bool


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    ad: BGPAdvertisement = obj
    missing, unfit = named(ad.spec.address_pools, Mode.BGP, world)
    return Facts(ad, missing, unfit, bool(world.values(BGP_PEERS, "")))


def _pool_is_missing(facts: Facts) -> bool:
    return bool(facts.missing)


def _pool_is_not_for_bgp(facts: Facts) -> bool:
    return bool(facts.unfit)


def _there_is_a_peer(facts: Facts) -> bool:
    return facts.has_peers


def _missing_message(facts: Facts) -> str:
    return f"AddressPool {', '.join(facts.missing)} does not exist; nothing of it is announced"


def _missing_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(Key(ADDRESS_POOL, "", name), "metadata", "does not exist") for name in facts.missing)


def _unfit_message(facts: Facts) -> str:
    return f"AddressPool {', '.join(facts.unfit)} is not of mode bgp; nothing of it is announced"


def _no_speaker_message(_facts: Facts) -> str:
    return "no BGP speaker runs in this version: nothing is announced; reach the network by static routes"


def _no_peer_message(_facts: Facts) -> str:
    return "there is no BGPPeer to announce it to; reach the network by static routes"


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_pool_is_missing, Phase.PENDING, "MissingDependency", _missing_message, _missing_waits),
        Row(_pool_is_not_for_bgp, Phase.FAILED, "InvalidAddressPool", _unfit_message),
        Row(_there_is_a_peer, Phase.ALLOCATED, "NoSpeaker", _no_speaker_message),
        Row(None, Phase.READY, "NoPeer", _no_peer_message),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    return Outcome(verdict, facts.obj.status)


def intents(ad: BGPAdvertisement, world: Reader) -> Iterator[Intent]:
    """BGPA-D4: what one Node announces is delivered there, what all of them announce is delivered anywhere."""
    announced = {prefix for name in ad.spec.address_pools for prefix in announced_of(ad, name, world)}
    for prefix in sorted(announced):
        yield ExternalPrefix(prefix, ad.spec.node_name or EVERY_NODE)


def _uses(ad: BGPAdvertisement) -> Iterator[tuple[Hashable, str]]:
    """AP-18."""
    for name in ad.spec.address_pools if not ad.deleting else ():
        yield ((ADDRESS_POOL, name), ad.name)


KIND = Kind(
    name=BGP_ADVERTISEMENT,
    plural="bgpadvertisements",
    spec=BGPAdvertisementSpec,
    status=BGPAdvertisementStatus,
    scope=Scope.CLUSTER,
    doc="AddressPools that the Nodes announce by BGP.",
    age_column=True,
    validate=validate,
    indexes=(contribution(USERS, _uses),),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
)
