"""IP fragments, as hosts make them and put them together; the dataplane does neither."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import OrderedDict
from typing import Final, TypeAlias

from attrs import Factory, define, evolve, frozen

from juneau.drivers.simulated.codec import LONGEST_PACKET, Ipv4, build_ipv4
from juneau.drivers.simulated.fabric import NANOSECONDS

DONT_FRAGMENT: Final = 0x4000
MORE_FRAGMENTS: Final = 0x2000
OFFSET: Final = 0x1FFF
TIMEOUT: Final = 30 * NANOSECONDS
HELD: Final = 64

_HEADER: Final = 20  # bytes, without options
_Key: TypeAlias = tuple[int, int, int, int]


def fragment(packet: Ipv4, mtu: int) -> list[bytes]:
    """The packet in pieces that fit, or no piece at all if it must not be fragmented."""
    room = (mtu - _HEADER - len(packet.options)) // 8 * 8
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


@frozen
class Unfit:
    """Fragments that make no packet; all of them are thrown away."""

    why: str


@define
class Partial:
    """A packet of which not everything has come yet.

    `length` is known from its last fragment; pieces never overlap, so that it is whole when `held` is as much.
    """

    expires: int
    pieces: dict[int, Ipv4] = Factory(dict[int, Ipv4])
    starts: list[int] = Factory(list[int])  # of the pieces, ascending
    held: int = 0
    length: int | None = None

    def add(self, piece: Ipv4) -> str:
        """What is wrong with the packet now; empty if nothing is. A piece that has come before is no news."""
        start = (piece.fragment & OFFSET) * 8
        end = start + len(piece.payload)
        before = self.pieces.get(start)
        if before is not None and len(before.payload) == len(piece.payload):
            return ""
        if not piece.fragment & MORE_FRAGMENTS:
            if self.length is not None:
                return f"two last fragments, which end at {self.length} and {end}"
            self.length = end
        if start == end:
            return "an empty fragment"
        total = _HEADER + len(piece.options) + end
        if total > LONGEST_PACKET:
            return _too_long(total)
        if self._overlaps(start, end):
            return f"the fragment from {start} to {end} overlaps another one"
        self.pieces[start] = piece
        insort(self.starts, start)
        self.held += end - start
        if self.length is not None and self._reaches > self.length:
            return f"a fragment beyond the last one, which ends at {self.length}"
        return ""

    @property
    def _reaches(self) -> int:
        return self.starts[-1] + len(self.pieces[self.starts[-1]].payload)

    def _overlaps(self, start: int, end: int) -> bool:
        place = bisect_right(self.starts, start)
        if place and start < self.starts[place - 1] + len(self.pieces[self.starts[place - 1]].payload):
            return True
        return place < len(self.starts) and end > self.starts[place]

    def whole(self) -> Ipv4 | Unfit | None:
        """The packet with the header of its first fragment, once all of it is there."""
        if self.held != self.length:
            return None
        first, payload = self.pieces[0], b"".join(self.pieces[start].payload for start in self.starts)
        total = _HEADER + len(first.options) + len(payload)
        if total > LONGEST_PACKET:
            return Unfit(_too_long(total))
        return evolve(first, payload=payload, fragment=0)


def _too_long(total: int) -> str:
    return f"fragments of {total} bytes; a packet has at most {LONGEST_PACKET}"


class Reassembly:
    """Fragments that wait for the others; the oldest packets give way when there are too many."""

    __slots__ = ("_partials",)

    def __init__(self) -> None:
        self._partials: OrderedDict[_Key, Partial] = OrderedDict()

    def add(self, packet: Ipv4, now: int) -> Ipv4 | Unfit | None:
        """The whole packet when this was the last piece that was missing."""
        key = (packet.source, packet.target, packet.protocol, packet.identification)
        partial = self._partials.get(key)
        if partial is None or partial.expires <= now:
            self._partials.pop(key, None)
            if len(self._partials) >= HELD:
                self._partials.popitem(last=False)
            partial = self._partials[key] = Partial(now + TIMEOUT)
        fault = partial.add(packet)
        found = Unfit(fault) if fault else partial.whole()
        if found is not None:
            del self._partials[key]
        return found
