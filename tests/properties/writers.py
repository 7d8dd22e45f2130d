"""Controllers whose every call to the store waits for its turn, so that a test decides who goes next, and who dies.

Each `Writer` is one controller: a loop with two workers over a cache of its own, fed by one watch per Kind that lags
for as long as the test likes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

from attrs import frozen

from juneau.engine.clock import VirtualClock
from juneau.engine.kind import Registry
from juneau.engine.loop import Loop
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Event, EventType, Listing, Watch
from juneau.engine.world import Cache

AnswerT = TypeVar("AnswerT")
WORKERS = 2


@coroutine
def turn() -> Generator[None, None, None]:
    """Wait until the test says go."""
    yield


@frozen(eq=False)
class TurnStore:
    """The store behind a wire: a request is on its way for one turn, the answer for another."""

    inner: MemoryStore

    async def _call(self, request: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
        await turn()
        answer = await request()
        await turn()
        return answer

    async def get(self, key: Key) -> AnyObject:
        return await self._call(lambda: self.inner.get(key))

    async def list(self, kind: str) -> Listing:
        return await self._call(lambda: self.inner.list(kind))

    async def create(self, obj: AnyObject) -> AnyObject:
        return await self._call(lambda: self.inner.create(obj))

    async def update(self, obj: AnyObject) -> AnyObject:
        return await self._call(lambda: self.inner.update(obj))

    async def update_status(self, obj: AnyObject) -> AnyObject:
        return await self._call(lambda: self.inner.update_status(obj))

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        await self._call(lambda: self.inner.delete(key, uid, resource_version))

    def watch(self, kind: str, resource_version: str) -> Watch:
        return self.inner.watch(kind, resource_version)


class Writer:
    """A controller that the test moves by hand."""

    def __init__(self, store: MemoryStore, registry: Registry, clock: VirtualClock) -> None:
        self.store, self.registry, self.clock = TurnStore(store), registry, clock
        self.start()

    def start(self) -> None:
        """Begin with nothing in memory, as a process does."""
        self.cache = Cache(self.registry)
        self.loop = Loop(self.store, self.cache, self.clock)
        self.watches: dict[str, Watch] = {}
        self.listed = False
        self.tasks: list[Coroutine[Any, Any, None]] = [self._list_and_work(), self._work()]

    async def _list_and_work(self) -> None:
        for kind in self.registry:
            listing = await self.store.list(kind.name)
            for obj in listing.objects:
                self.loop.handle(Event(EventType.ADDED, obj))
            self.watches[kind.name] = self.store.watch(kind.name, listing.resource_version)
        self.loop.wake_all()
        self.listed = True
        await self._work()

    async def _work(self) -> None:
        while True:
            if self.listed:
                await self.loop.settle()
            await turn()

    def close(self) -> None:
        """Die wherever the workers are."""
        for task in self.tasks:
            task.close()

    def crash(self) -> None:
        """Die, and start anew."""
        self.close()
        self.start()

    def go(self, worker: int, turns: int) -> None:
        """Let one of the workers do that many halves of calls."""
        for _ in range(turns):
            self.tasks[worker].send(None)

    def hear(self, kind: str) -> None:
        """Read what one watch has brought so far."""
        watch = self.watches.get(kind)
        for event in watch.drain() if watch is not None else ():
            self.loop.handle(event)

    def rest(self) -> None:
        """Hear and do everything there is at this time."""
        while True:
            for kind in self.watches:
                self.hear(kind)
            if self.listed and self.loop.queue.idle:
                return
            for worker in range(WORKERS):
                self.go(worker, 1)
