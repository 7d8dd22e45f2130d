"""A feed keeps a cache in step with a store, whatever its watches miss."""

from __future__ import annotations

import asyncio

from juneau.engine.clock import VirtualClock
from juneau.engine.feed import Feed
from juneau.engine.loop import Loop
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import Key
from juneau.engine.store import Listing
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.resources import allocationpool, registry, vpc
from juneau.resources.allocationpool import AllocationPoolSpec, NumberRange
from juneau.resources.vpc import VpcSpec


class Controller:
    """A loop that hears of the store by a feed alone."""

    def __init__(self, store: MemoryStore) -> None:
        self.cache = Cache(store.registry)
        self.loop = Loop(store, self.cache, store.clock)
        self.feed = Feed(store, self.cache, self.loop.queue, self.loop.handle)

    def rest(self) -> None:
        """Until nothing arrives and nothing is due."""
        run(self.loop.settle())
        while run(self.feed.drain()):
            run(self.loop.settle())

    def phase(self, kind: str, name: str) -> str:
        found = self.cache.get(Key(kind, "", name))
        return found.status.phase if found is not None else ""


def store_with_pools(log_size: int = 4096) -> MemoryStore:
    store = MemoryStore(registry(), VirtualClock(), log_size=log_size)
    for name in ("vpc-id", "route-table-id", "subnet-vni"):
        run(store.create(allocationpool.KIND.new(name, AllocationPoolSpec(number=NumberRange(2, 1000)))))
    return store


def test_what_was_there_before_is_read() -> None:
    """A controller that starts late brings everything to rest."""
    store = store_with_pools()
    run(store.create(vpc.KIND.new("shop", VpcSpec())))
    controller = Controller(store)
    run(controller.feed.begin())
    controller.rest()
    assert controller.phase("Vpc", "shop") == "Ready"


def test_what_comes_later_is_heard() -> None:
    """Creations and deletions arrive by the watches."""
    store = store_with_pools()
    controller = Controller(store)
    run(controller.feed.begin())
    run(store.create(vpc.KIND.new("shop", VpcSpec())))
    controller.rest()
    assert controller.phase("Vpc", "shop") == "Ready"
    run(store.delete(Key("Vpc", "", "shop")))
    controller.rest()
    assert controller.phase("Vpc", "shop") == ""


def test_a_feed_that_lost_events_lists_again() -> None:
    """What came and what went while the watch could not go on is found out."""
    store = store_with_pools(log_size=2)
    controller = Controller(store)
    run(controller.feed.begin())
    run(store.create(vpc.KIND.new("gone", VpcSpec())))
    controller.rest()
    slow = Controller(store)
    run(slow.feed.begin())
    listing = run(store.list("Vpc"))
    slow.feed.close()
    slow.feed._watches["Vpc"] = store.watch("Vpc", "1")  # behind by more than the store remembers
    run(store.delete(Key("Vpc", "", "gone")))
    for number in range(4):
        run(store.create(vpc.KIND.new(f"new-{number}", VpcSpec())))
    assert len(listing.objects) == 1
    run(slow.feed.drain())
    known = {obj.name for obj in slow.cache.objects["Vpc"].values()}
    assert known == {f"new-{number}" for number in range(4)}


def test_workers_and_a_feed_run_side_by_side() -> None:
    """With real tasks, everything that is made while they run comes to be Ready."""

    async def world() -> list[str]:
        store = store_with_pools()
        controller = Controller(store)
        await controller.feed.begin()
        tasks = [asyncio.create_task(controller.loop.work()) for _ in range(3)]
        tasks.append(asyncio.create_task(controller.feed.follow()))
        for number in range(20):
            await store.create(vpc.KIND.new(f"vpc-{number}", VpcSpec()))
            await asyncio.sleep(0)
        names = [f"vpc-{number}" for number in range(20)]
        for _ in range(10_000):
            if all(controller.phase("Vpc", name) == "Ready" for name in names):
                break
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return [controller.phase("Vpc", name) for name in names]

    assert asyncio.run(world()) == ["Ready"] * 20


def test_nothing_is_done_before_everything_is_read() -> None:
    """A loop that is asked to work while the feed still lists takes no step on half a world."""
    store = store_with_pools()
    run(store.create(vpc.KIND.new("shop", VpcSpec())))
    first = Controller(store)
    run(first.feed.begin())
    first.rest()

    class Impatient(MemoryStore):
        """Lets the loop work between any two listings."""

        async def list(self, kind: str) -> Listing:
            await controller.loop.settle()
            return await store.list(kind)

    controller = Controller(store)
    impatient = Impatient(store.registry, store.clock)
    feed = Feed(impatient, controller.cache, controller.loop.queue, controller.loop.handle)
    run(feed.begin())
    assert controller.loop.steps_taken == 0
    run(controller.loop.settle())
    assert controller.loop.steps_taken > 0
    assert controller.loop.writes_made == 0
