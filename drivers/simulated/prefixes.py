"""A table keyed by prefixes, as route tables and the addresses from outside are: the longest prefix wins."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import Generic, TypeVar

Value = TypeVar("Value")


class PrefixTable(Generic[Value]):
    """One value for each prefix; a value is never None."""

    __slots__ = ("_by_length",)

    def __init__(self) -> None:
        self._by_length: dict[int, dict[int, Value]] = {}

    def put(self, dst: IPv4Network, value: Value) -> None:
        of_length = self._by_length.setdefault(dst.prefixlen, {})
        of_length[int(dst.network_address)] = value
        self._by_length = dict(sorted(self._by_length.items(), reverse=True))

    def get(self, dst: IPv4Network) -> Value | None:
        """Of exactly this prefix."""
        return self._by_length.get(dst.prefixlen, {}).get(int(dst.network_address))

    def remove(self, dst: IPv4Network) -> None:
        of_length = self._by_length[dst.prefixlen]
        del of_length[int(dst.network_address)]
        if not of_length:
            del self._by_length[dst.prefixlen]

    def find(self, address: int) -> Value | None:
        for length, of_length in self._by_length.items():
            shift = 32 - length
            value = of_length.get(address >> shift << shift)
            if value is not None:
                return value
        return None

    def rows(self) -> Iterator[tuple[int, int, Value]]:
        for length, of_length in self._by_length.items():
            for network, value in of_length.items():
                yield length, network, value

    def __bool__(self) -> bool:
        return bool(self._by_length)
