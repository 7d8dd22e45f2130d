"""The entries of an AddressPool, CIDRs or ranges, and who else's entries share addresses with them.

An entry is filed under every block that it consists of or lies in, so that one question finds what overlaps it and no
other pool is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, summarize_address_range
from typing import Any

from attrs import frozen

from juneau.engine.addresses import ipv4, ipv4_prefix, prefix_fault
from juneau.engine.world import Contribution, Index, Reader, contribution

SHORTEST, LONGEST = 8, 32  # lengths of a prefix that a pool may hold

_RANGE_FAULT = 'must be a range of IPv4 addresses, such as "192.0.2.200-192.0.2.219"'


@frozen(order=True)
class Entry:
    """One readable entry: whose it is, as it is written, and the addresses from first to last."""

    pool: str
    text: str
    first: IPv4Address
    last: IPv4Address

    @property
    def blocks(self) -> tuple[IPv4Network, ...]:
        """The prefixes that it consists of."""
        return tuple(summarize_address_range(self.first, self.last))

    def shared_with(self, other: Entry) -> tuple[IPv4Address, IPv4Address] | None:
        """The first and the last address that both have."""
        first, last = max(self.first, other.first), min(self.last, other.last)
        return (first, last) if first <= last else None


# By (length, leading bits): the entries with a block that is just that, and those with one that lies within it.
_EQUAL: Index[Entry] = Index("pool-entries-equal-to")
_WITHIN: Index[Entry] = Index("pool-entries-within")
# By "": (pool, entry) of what cannot be read.
_UNREADABLE: Index[tuple[str, str]] = Index("unreadable-pool-entries")


def cidr_fault(text: str) -> str:
    """AP-5 to AP-7: why a text is no entry of a pool that is announced by BGP; empty where it is one."""
    prefix = ipv4_prefix(text)
    if prefix is None:
        return prefix_fault(text) or ""
    length = prefix.network.prefixlen
    if not SHORTEST <= length <= LONGEST:
        return f"the prefix length must be between /{SHORTEST} and /{LONGEST}"
    return ""


def range_fault(text: str) -> str:
    """AP-8 to AP-10: why a text is no entry of a pool that is announced by ARP; empty where it is one."""
    parts = text.split("-")
    if len(parts) != 2:
        single = f'; a single address is "{text}-{text}"' if ipv4(text) is not None else ""
        return f"{_RANGE_FAULT}{single}"
    for part in parts:
        if ipv4(part) is None:
            return f'{_RANGE_FAULT}, without blanks; "{part}" is no IPv4 address'
    start, end = map(IPv4Address, parts)
    return f'its start must not be after its end; write "{end}-{start}"' if start > end else ""


def entry_of(pool: str, text: str, is_range: bool) -> Entry | None:
    """An entry as it is written, None where it cannot be read. Host bits of a CIDR do not count."""
    if range_fault(text) if is_range else cidr_fault(text):
        return None
    if is_range:
        first, last = map(IPv4Address, text.split("-"))
        return Entry(pool, text, first, last)
    prefix = ipv4_prefix(text)
    return Entry(pool, text, prefix.network[0], prefix.network[-1]) if prefix is not None else None


def overlapping(world: Reader, entry: Entry) -> list[Entry]:
    """The entries of other pools that share an address with this one, in order."""
    found: set[Entry] = set()
    for block in entry.blocks:
        *wider, own = _places(block)
        found.update(other for place in wider for other in world.values(_EQUAL, place))
        found.update(world.values(_WITHIN, own))
    return sorted(other for other in found if other.pool != entry.pool)


def pools_with(world: Reader, address: IPv4Address) -> set[str]:
    """The pools that have an address; none of their other entries is looked at."""
    return {entry.pool for place in _places(IPv4Network(address)) for entry in world.values(_EQUAL, place)}


def has_unreadable(world: Reader, pool: str) -> bool:
    """Whether an entry of that pool cannot be read."""
    return any(name == pool for name, _ in world.values(_UNREADABLE, ""))


def unreadable(world: Reader, own: str) -> list[tuple[str, str]]:
    """(pool, entry) of what cannot be read in other pools than the own one."""
    return [found for found in world.values(_UNREADABLE, "") if found[0] != own]


def _places(block: IPv4Network) -> list[tuple[int, int]]:
    """The blocks that a block lies in, the widest first, itself last."""
    bits = int(block.network_address)
    return [(length, bits >> (32 - length)) for length in range(block.prefixlen + 1)]


def entry_contributions(entries: Callable[[Any], Iterable[tuple[str, str, Entry | None]]]) -> tuple[Contribution, ...]:
    """What AddressPools put into the indexes: `entries` yields (pool, text, what it means; None if unreadable)."""

    def equal(pool: Any) -> Iterator[tuple[Hashable, Entry]]:
        for block, entry in _filed(entries(pool)):
            yield (_places(block)[-1], entry)

    def within(pool: Any) -> Iterator[tuple[Hashable, Entry]]:
        for block, entry in _filed(entries(pool)):
            for place in _places(block):
                yield (place, entry)

    def faulty(pool: Any) -> Iterator[tuple[Hashable, tuple[str, str]]]:
        for name, text, entry in entries(pool):
            if entry is None:
                yield ("", (name, text))

    return (contribution(_EQUAL, equal), contribution(_WITHIN, within), contribution(_UNREADABLE, faulty))


def _filed(entries: Iterable[tuple[str, str, Entry | None]]) -> Iterator[tuple[IPv4Network, Entry]]:
    for _, _, entry in entries:
        if entry is not None:
            for block in entry.blocks:
                yield (block, entry)
