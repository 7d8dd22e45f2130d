"""The work queue: keys to look at again, each once, never two workers on one key, no wake-up lost.

Two lanes: keys of summaries (Kinds that count others) wait until nothing else is due.
Delays are asked of a clock, so that a lab's time stands still.
"""

from __future__ import annotations

import asyncio
from collections import deque

from attrs import Factory, define

from juneau.engine.clock import Clock
from juneau.engine.objects import Key, Time


@define(eq=False)
class WorkQueue:
    """Keys that are due; `pop` hands one out, `done` gives it back."""

    clock: Clock
    _held: bool = False
    _lanes: tuple[deque[Key], deque[Key]] = Factory(lambda: (deque[Key](), deque[Key]()))
    _queued: set[Key] = Factory(set[Key])
    _working: set[Key] = Factory(set[Key])
    _again: dict[Key, bool] = Factory(dict[Key, bool])  # woken while a worker had them
    _timers: dict[Key, Time] = Factory(dict[Key, Time])
    _arrival: asyncio.Event = Factory(asyncio.Event)

    def add(self, key: Key, summary: bool = False) -> None:
        """Make a key due; one that a worker has right now comes back when it is done."""
        if key in self._working:
            self._again[key] = summary
        elif key not in self._queued:
            self._queued.add(key)
            self._lanes[summary].append(key)
            self._arrival.set()

    def add_at(self, key: Key, when: Time, summary: bool = False) -> None:
        """Make a key due at a time; of several times the earliest counts."""
        pending = self._timers.get(key)
        if pending is not None and pending <= when:
            return
        self._timers[key] = when

        def due() -> None:
            if self._timers.get(key) == when:
                del self._timers[key]
                self.add(key, summary)

        self.clock.call_at(when, due)

    def hold(self) -> None:
        """Hand nothing out until `release`: what is known is not complete yet."""
        self._held = True

    def release(self) -> None:
        """Hand out again."""
        self._held = False
        self._arrival.set()

    def pop(self) -> Key | None:
        """A due key, or None; it is the caller's until `done`."""
        if self._held:
            self._arrival.clear()
            return None
        for lane in self._lanes:
            if lane:
                key = lane.popleft()
                self._queued.discard(key)
                self._working.add(key)
                return key
        self._arrival.clear()
        return None

    async def get(self) -> Key:
        """The next due key, waiting for one."""
        while (key := self.pop()) is None:
            await self._arrival.wait()
        return key

    def done(self, key: Key) -> None:
        """The worker has finished with a key."""
        self._working.discard(key)
        summary = self._again.pop(key, None)
        if summary is not None:
            self.add(key, summary)

    @property
    def idle(self) -> bool:
        """Whether nothing is due and nobody works."""
        return not (self._queued or self._working)
