"""Time as a value: loops ask a clock, machines are handed the answer."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Protocol

from attrs import Factory, define

from juneau.engine.objects import Time


class Clock(Protocol):
    """What time it is, and a way to be called later."""

    def now(self) -> Time: ...

    def call_at(self, when: Time, callback: Callable[[], None]) -> None: ...


@define
class VirtualClock:
    """A clock that moves only by `advance`; what is due runs in order of time, then of asking."""

    time: float = 0.0
    _due: list[tuple[float, int, Callable[[], None]]] = Factory(list[tuple[float, int, Callable[[], None]]])
    _serial: count[int] = Factory(count)

    def now(self) -> Time:
        return Time(self.time)

    def call_at(self, when: Time, callback: Callable[[], None]) -> None:
        heapq.heappush(self._due, (when, next(self._serial), callback))

    def next_due(self) -> Time | None:
        """When the next callback is due, if there is one."""
        return Time(self._due[0][0]) if self._due else None

    def advance(self, seconds: float) -> None:
        """Move on, running on the way what becomes due, also what that asks for."""
        self.run_until(Time(self.time + seconds))

    def run_until(self, until: Time) -> None:
        """Move to that time and run what is due by then."""
        while self._due and self._due[0][0] <= until:
            when, _, callback = heapq.heappop(self._due)
            self.time = max(self.time, when)
            callback()
        self.time = max(self.time, until)
