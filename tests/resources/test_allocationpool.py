"""How a pool's prefixes, ranges and exceptions become values, in a pool of any size."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from tests.resources.world import World

from juneau.engine.world import Reader
from juneau.resources.allocationpool import KIND as POOL
from juneau.resources.allocationpool import (
    AddressRange,
    AddressSpace,
    AllocationPoolSpec,
    NumberRange,
    candidates,
    is_excluded,
    lowest_free,
)


def addresses(*cidrs: str, ranges: tuple[tuple[str, str], ...] = (), excluded: tuple[str, ...] = ()) -> AddressSpace:
    return AddressSpace(cidrs, tuple(AddressRange(*ends) for ends in ranges), excluded)


@pytest.mark.parametrize(
    ("space", "found"),
    [
        (addresses("192.0.2.0/29"), [("192.0.2.1", "192.0.2.6")]),
        (addresses("192.0.2.0/30"), [("192.0.2.1", "192.0.2.2")]),
        (addresses("192.0.2.0/31"), [("192.0.2.0", "192.0.2.1")]),
        (addresses("192.0.2.7/32"), [("192.0.2.7", "192.0.2.7")]),
        (addresses("192.0.2.9/29"), [("192.0.2.9", "192.0.2.14")]),
        (addresses("0.0.0.0/0"), [("0.0.0.1", "255.255.255.254")]),
        (addresses(ranges=(("192.0.2.0", "192.0.2.255"),)), [("192.0.2.0", "192.0.2.255")]),
        (addresses("no prefix", ranges=(("192.0.2.1", "no address"),)), []),
    ],
)
def test_a_prefix_gives_what_hosts_may_have(space: AddressSpace, found: list[tuple[str, str]]) -> None:
    """Network and broadcast addresses are no hosts', but for the two smallest prefixes; a range is taken whole."""
    pool = POOL.new("lan", AllocationPoolSpec(type="ip", ip=space))
    ends = [(str(IPv4Address(first)), str(IPv4Address(last))) for first, last in candidates(pool)]
    assert ends == found


def test_numbers_are_a_range() -> None:
    """Both ends are handed out."""
    assert candidates(POOL.new("rack", AllocationPoolSpec(number=NumberRange(10, 12)))) == [(10, 12)]


def test_only_addresses_are_excluded(world: World) -> None:
    """An exception is never free, whichever prefix it lies in, and means nothing to a pool of numbers."""
    excluded = ["10.0.0.1", "10.0.0.2", "10.0.1.1"]
    pool = world.create("AllocationPool", "lan", type="ip", ip={"cidrs": ["10.0.0.0/8"], "excluded": excluded})
    rack = world.create("AllocationPool", "rack", number={"min": int(IPv4Address("10.0.0.1")), "max": 2**32})
    assert all(is_excluded(pool, int(IPv4Address(text))) for text in excluded)
    assert not is_excluded(pool, int(IPv4Address("10.0.0.3")))
    assert not is_excluded(rack, int(IPv4Address("10.0.0.1")))
    assert lowest_free(pool, Reader(world.cache)) == int(IPv4Address("10.0.0.3"))
    assert lowest_free(rack, Reader(world.cache)) == int(IPv4Address("10.0.0.1"))


def test_a_pool_without_a_free_value_has_none(world: World) -> None:
    """Nothing is made up."""
    space = {"cidrs": ["192.0.2.0/31"], "excluded": ["192.0.2.0", "192.0.2.1"]}
    pool = world.create("AllocationPool", "lan", type="ip", ip=space)
    assert lowest_free(pool, Reader(world.cache)) is None
