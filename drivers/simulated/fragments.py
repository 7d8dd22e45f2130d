"""IP fragments, as hosts make them and put them together; the dataplane does neither."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, TypeAlias

from attrs import define, evolve

from juneau.drivers.simulated.codec import Ipv4, build_ipv4
from juneau.drivers.simulated.fabric import NANOSECONDS

DONT_FRAGMENT: Final = 0x4000
MORE_FRAGMENTS: Final = 0x2000
OFFSET: Final = 0x1FFF
TIMEOUT: Final = 30 * NANOSECONDS
HELD: Final = 64

_Key: TypeAlias = tuple[int, int, int, int]


def fragment(packet: Ipv4, mtu: int) -> list[bytes]:
    """The packet in pieces that fit, or no piece at all if it must not be fragmented."""
    room = (mtu - 20 - len(packet.options)) // 8 * 8
    if packet.fragment & DONT_FRAGMENT or room < 8:
        return []
    offset, more = packet.fragment & OFFSET, packet.fragment & MORE_FRAGMENTS
    pieces: list[bytes] = []
    for start in range(0, len(packet.payload), room):
        is_last = start + room >= len(packet.payload)
        flags = more if is_last else MORE_FRAGMENTS
        piece = evolve(packet, payload=packet.payload[start : start + room], fragment=flags | offset + start // 8)
        pieces.append(build_ipv4(piece))
    return pieces


@define
class Partial:
    """A packet of which not everything has come yet; `length` is known from its last fragment."""

    expires: int
    pieces: dict[int, bytes]
    length: int | None = None


class Reassembly:
    """Fragments that wait for the others; the oldest packets give way when there are too many."""

    __slots__ = ("_partials",)

    def __init__(self) -> None:
        self._partials: OrderedDict[_Key, Partial] = OrderedDict()

    def add(self, packet: Ipv4, now: int) -> Ipv4 | None:
        """The whole packet when this was the last piece that was missing."""
        key = (packet.source, packet.target, packet.protocol, packet.identification)
        partial = self._partials.get(key)
        if partial is None or partial.expires <= now:
            self._partials.pop(key, None)
            if len(self._partials) >= HELD:
                self._partials.popitem(last=False)
            partial = self._partials[key] = Partial(now + TIMEOUT, {})
        start = (packet.fragment & OFFSET) * 8
        partial.pieces[start] = packet.payload
        if not packet.fragment & MORE_FRAGMENTS:
            partial.length = start + len(packet.payload)
        whole = _joined(partial)
        if whole is None:
            return None
        del self._partials[key]
        return evolve(packet, payload=whole, fragment=0)


def _joined(partial: Partial) -> bytes | None:
    whole = b""
    for start, piece in sorted(partial.pieces.items()):
        if start != len(whole):
            return None
        whole += piece
    return whole if len(whole) == partial.length else None
