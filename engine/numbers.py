"""Which numbers of a pool are taken, as merged intervals: finding a free one costs O(log n), in a /8 as in a /28."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from attrs import Factory, define


@define
class NumberSet:
    """A multiset of integers that answers "the lowest number from here on that is not in it".

    A number stays in until it was discarded as often as it was added: a lease and its claim both hold one.
    """

    _starts: list[int] = Factory(list[int])
    _ends: list[int] = Factory(list[int])  # inclusive; _starts[i].._ends[i] are disjoint, ascending, never adjacent
    _more: dict[int, int] = Factory(dict[int, int])  # how often beyond once

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self._starts, number) - 1
        return place >= 0 and number <= self._ends[place]

    def __bool__(self) -> bool:
        return bool(self._starts)

    def __len__(self) -> int:
        """How many different numbers are in."""
        return sum(end - start + 1 for start, end in zip(self._starts, self._ends, strict=True))

    def add(self, number: int) -> None:
        """Take a number once more."""
        place = bisect_right(self._starts, number) - 1
        if place >= 0 and number <= self._ends[place]:
            self._more[number] = self._more.get(number, 0) + 1
            return
        joins_left = place >= 0 and self._ends[place] == number - 1
        joins_right = place + 1 < len(self._starts) and self._starts[place + 1] == number + 1
        if joins_left and joins_right:
            self._ends[place] = self._ends.pop(place + 1)
            del self._starts[place + 1]
        elif joins_left:
            self._ends[place] = number
        elif joins_right:
            self._starts[place + 1] = number
        else:
            self._starts.insert(place + 1, number)
            self._ends.insert(place + 1, number)

    def discard(self, number: int) -> None:
        """Give a number back once; one that is not in is no error."""
        more = self._more.get(number, 0)
        if more:
            if more == 1:
                del self._more[number]
            else:
                self._more[number] = more - 1
            return
        place = bisect_right(self._starts, number) - 1
        if place < 0 or number > self._ends[place]:
            return
        start, end = self._starts[place], self._ends[place]
        if start == end:
            del self._starts[place], self._ends[place]
        elif number == start:
            self._starts[place] = number + 1
        elif number == end:
            self._ends[place] = number - 1
        else:
            self._ends[place] = number - 1
            self._starts.insert(place + 1, number + 1)
            self._ends.insert(place + 1, end)

    def lowest_free(self, first: int, last: int) -> int | None:
        """The lowest number of first..last that is not in."""
        if first > last:
            return None
        place = bisect_right(self._starts, first) - 1
        if place >= 0 and first <= self._ends[place]:
            # Intervals are never adjacent, so the number behind one is free.
            first = self._ends[place] + 1
        return first if first <= last else None

    def numbers_within(self, first: int, last: int) -> Iterable[int]:
        """The numbers of first..last that are in, ascending."""
        place = max(bisect_left(self._ends, first), 0)
        while place < len(self._starts) and self._starts[place] <= last:
            yield from range(max(self._starts[place], first), min(self._ends[place], last) + 1)
            place += 1
