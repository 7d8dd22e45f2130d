"""From a store's watches to whoever keeps a cache: list once, then follow; list again where too much was missed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from attrs import Factory, define

from juneau.engine.errors import Gone
from juneau.engine.queue import WorkQueue
from juneau.engine.store import Event, Store, Watch
from juneau.engine.world import Cache


@define(eq=False)
class Feed:
    """Hands every event of a store to `handle`, which takes it into the cache.

    The queue is held until all is read: before the cache is in sync, nothing may be allocated, removed or collected.
    """

    store: Store
    cache: Cache
    queue: WorkQueue
    handle: Callable[[Event], object]
    _watches: dict[str, Watch] = Factory(dict[str, Watch])

    async def begin(self) -> None:
        """Read everything that the store has, and only then let the queue hand out keys."""
        self.queue.hold()
        for kind in self.cache.registry:
            await self._list(kind.name)
        self.queue.release()

    async def _list(self, kind: str) -> None:
        listing = await self.store.list(kind)
        for event in self.cache.differences(kind, listing):
            self.handle(event)
        self._watches[kind] = self.store.watch(kind, listing.resource_version)

    async def drain(self) -> bool:
        """Hand on what has arrived until now; whether there was anything."""
        busy = False
        for kind, watch in list(self._watches.items()):
            try:
                events = watch.drain()
            except Gone:
                await self._list(kind)
                busy = True
                continue
            for event in events:
                self.handle(event)
            busy |= bool(events)
        return busy

    async def follow(self) -> None:
        """Hand on what arrives, for ever."""
        async with asyncio.TaskGroup() as group:
            for kind in list(self._watches):
                group.create_task(self._follow(kind))

    async def _follow(self, kind: str) -> None:
        while True:
            try:
                async for event in self._watches[kind]:
                    self.handle(event)
                return
            except Gone:
                await self._list(kind)

    def close(self) -> None:
        """End all watches."""
        for watch in self._watches.values():
            watch.close()
