"""What the BGP speaker of a Node has to announce, as it follows from BGPAdvertisements.

Every BGPPeer is sent all of it alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import NamedTuple

from juneau.engine.addresses import prefix_fault
from juneau.engine.errors import quoted
from juneau.engine.world import Reader
from juneau.resources import addresspool, bgpadvertisement
from juneau.resources.addresspool import ADDRESS_POOL, Mode
from juneau.resources.bgpadvertisement import BGP_ADVERTISEMENT, BGPAdvertisement, announced_of


class Announced(NamedTuple):
    """What one source has a Node announce of one AddressPool; prefixes are sorted."""

    pool: str
    source_kind: str
    source_name: str
    prefixes: tuple[IPv4Network, ...]


class Inconsistency(NamedTuple):
    """An object because of which something is not announced."""

    kind: str
    name: str
    message: str


def announced(world: Reader, node: str) -> list[Announced]:
    """What a Node announces, by source kind, pool and source; a source of which nothing is announced is left out."""
    found = [
        Announced(pool, BGP_ADVERTISEMENT, ad.name, announced_of(ad, pool, world))
        for ad in _of_node(world, node)
        for pool in ad.spec.address_pools
    ]
    return sorted((one for one in found if one.prefixes), key=lambda one: (one.source_kind, one.pool, one.source_name))


def prefixes(world: Reader, node: str) -> list[IPv4Network]:
    """All that a Node announces, each prefix once, sorted."""
    return sorted({prefix for one in announced(world, node) for prefix in one.prefixes})


def inconsistencies(world: Reader, node: str) -> list[Inconsistency]:
    """Why a Node announces less than its BGPAdvertisements ask for: one of each object, by kind and name."""
    found: dict[tuple[str, str], Inconsistency] = {}
    for ad in _of_node(world, node):
        for one in _faults(ad, world):
            found[one.kind, one.name] = one
    return [found[place] for place in sorted(found)]


def _of_node(world: Reader, node: str) -> Iterator[BGPAdvertisement]:
    return (ad for ad in world.all(bgpadvertisement.KIND) if ad.spec.node_name in ("", node))


def _faults(ad: BGPAdvertisement, world: Reader) -> Iterator[Inconsistency]:
    for name in ad.spec.address_pools:
        pool = world.get_spec(addresspool.KIND, name)
        if pool is None:
            yield Inconsistency(ADDRESS_POOL, name, "does not exist")
        elif pool.spec.advertise_mode != Mode.BGP:
            yield Inconsistency(ADDRESS_POOL, name, f"is of mode {pool.spec.advertise_mode}, not bgp")
    fault = prefix_fault(ad.spec.prefix) if ad.spec.prefix else None
    if fault is not None:
        yield Inconsistency(BGP_ADVERTISEMENT, ad.name, f"spec.prefix {quoted(ad.spec.prefix)} {fault}")
