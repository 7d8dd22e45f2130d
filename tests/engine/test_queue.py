"""The queue against a model: no wake-up is lost, no key is worked on twice at a time, summaries come last."""

from __future__ import annotations

import asyncio
import random

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from juneau.engine.clock import VirtualClock
from juneau.engine.objects import Key, Time
from juneau.engine.queue import WorkQueue

KEYS = [Key("Box", "home", name) for name in "abc"]
SUMMARY = Key("Census", "", "all")
keys = st.sampled_from([*KEYS, SUMMARY])


class QueueMachine(RuleBasedStateMachine):
    """The model: what is due, what is being worked on, what was woken meanwhile, and when timers go off."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = VirtualClock(100.0)
        self.queue = WorkQueue(self.clock)
        self.due: list[Key] = []
        self.working: set[Key] = set()
        self.again: set[Key] = set()
        self.timers: dict[Key, float] = {}

    def wake(self, key: Key) -> None:
        if key in self.working:
            self.again.add(key)
        elif key not in self.due:
            self.due.append(key)

    @rule(key=keys)
    def add(self, key: Key) -> None:
        self.queue.add(key, key is SUMMARY)
        self.wake(key)

    @rule(key=keys, seconds=st.integers(0, 5))
    def add_at(self, key: Key, seconds: int) -> None:
        when = self.clock.time + seconds
        self.queue.add_at(key, Time(when), key is SUMMARY)
        self.timers[key] = min(when, self.timers.get(key, when))

    @rule(seconds=st.integers(0, 4))
    def advance(self, seconds: int) -> None:
        end = self.clock.time + seconds
        self.clock.advance(seconds)
        for key, when in sorted(self.timers.items(), key=lambda item: item[1]):
            if when <= end:
                del self.timers[key]
                self.wake(key)

    @rule()
    def pop(self) -> None:
        key = self.queue.pop()
        if not self.due:
            assert key is None
            return
        assert key in self.due
        assert key is not SUMMARY or self.due == [SUMMARY]
        self.due.remove(key)
        self.working.add(key)

    @precondition(lambda self: self.working)
    @rule(data=st.data())
    def done(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.working)))
        self.queue.done(key)
        self.working.remove(key)
        if key in self.again:
            self.again.remove(key)
            self.due.append(key)

    @invariant()
    def is_idle_exactly_when_nothing_is_due_and_nobody_works(self) -> None:
        assert self.queue.idle == (not self.due and not self.working)

    def teardown(self) -> None:
        self.clock.advance(10)
        for key in self.working:
            self.queue.done(key)
        left = {*self.due, *self.again, *self.timers}
        popped = []
        while (key := self.queue.pop()) is not None:
            popped.append(key)
        assert sorted(popped) == sorted(left)


TestQueue = QueueMachine.TestCase


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 12))
def test_workers_lose_no_wake_up(seed: int, workers: int, rounds: int) -> None:
    """However workers and wakers take turns, a key that was woken is worked on afterwards, and by one at a time."""
    asyncio.run(_lose_no_wake_up(random.Random(seed), workers, rounds))


async def _lose_no_wake_up(draw: random.Random, workers: int, rounds: int) -> None:
    queue = WorkQueue(VirtualClock())
    wanted = dict.fromkeys(KEYS, 0)  # how often a key was woken, as a worker could have read it
    seen = dict.fromkeys(KEYS, 0)
    busy: set[Key] = set()

    async def work() -> None:
        while True:
            key = await queue.get()
            assert key not in busy
            busy.add(key)
            read = wanted[key]
            for _ in range(draw.randrange(4)):
                await asyncio.sleep(0)
            seen[key] = read
            busy.discard(key)
            queue.done(key)

    async def wake() -> None:
        for _ in range(rounds):
            for _ in range(draw.randrange(3)):
                await asyncio.sleep(0)
            key = draw.choice(KEYS)
            wanted[key] += 1
            queue.add(key)

    tasks = [asyncio.create_task(work()) for _ in range(workers)]
    await asyncio.gather(wake(), wake())
    for _ in range(100):
        if queue.idle:
            break
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    finished = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in finished)
    assert seen == wanted
