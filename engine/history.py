"""What happened lately in a store in memory, and the watches that read it.

`engine.memory` records each commit here; a watch gets what comes after the resourceVersion it starts from.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from attrs import define, field

from juneau.engine.errors import Gone
from juneau.engine.store import Event


@define(eq=False)
class QueueWatch:
    """A watch whose events wait in a queue, for one reader; it begins lost where the history does not reach back."""

    _leave: Callable[[QueueWatch], None]
    _queue: deque[Event]
    _lost: Gone | None = None
    _closed: bool = field(default=False, init=False)
    _waiter: asyncio.Future[None] | None = field(default=None, init=False)

    def push(self, event: Event) -> None:
        """Take over an event at the moment of its commit."""
        self._queue.append(event)
        self._wake()

    def drain(self) -> list[Event]:
        if self._lost is not None:
            raise self._lost
        events = list(self._queue)
        self._queue.clear()
        return events

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        while not self._queue:
            if self._lost is not None:
                raise self._lost
            if self._closed:
                raise StopAsyncIteration
            # Made anew each time, so that a watch belongs to no event loop for longer than it waits.
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._queue.popleft()

    def close(self) -> None:
        """End the watch; what was not read is dropped, and whoever waits for an event stops."""
        self._closed = True
        self._queue.clear()
        self._wake()
        self._leave(self)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


@define(eq=False)
class History:
    """The last events of one Kind, at most `size`, and who is told of the next."""

    size: int
    _events: deque[tuple[int, Event]] = field(factory=deque[tuple[int, Event]], init=False)
    _forgotten: int = field(default=0, init=False)  # the newest version that is no longer in
    _watches: tuple[QueueWatch, ...] = field(default=(), init=False)

    def record(self, version: int, event: Event) -> None:
        if len(self._events) >= self.size:
            self._forgotten = self._events.popleft()[0]
        self._events.append((version, event))
        for watch in self._watches:
            watch.push(event)

    def since(self, version: int) -> QueueWatch:
        """A watch of what came after that version; Gone, when it is read, if some of it is forgotten."""
        if version < self._forgotten:
            return self.lost(version)
        missed: deque[Event] = deque()
        for recorded, event in reversed(self._events):
            if recorded <= version:
                break
            missed.appendleft(event)
        return self.watch(missed)

    def watch(self, first: deque[Event]) -> QueueWatch:
        """A watch of what comes from now on, after these events."""
        watch = QueueWatch(self._remove, first)
        self._watches = (*self._watches, watch)
        return watch

    def lost(self, version: int) -> QueueWatch:
        """A watch that cannot go on from that version, and says so when it is read."""
        return QueueWatch(self._remove, deque(), Gone(str(version)))

    def _remove(self, watch: QueueWatch) -> None:
        self._watches = tuple(other for other in self._watches if other is not watch)
