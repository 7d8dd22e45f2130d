"""What admission refuses to the engine itself is told on the object that wanted it."""

from __future__ import annotations

import pytest
from attrs import define, field

from juneau.engine.admission import Operation
from juneau.engine.clock import VirtualClock
from juneau.engine.errors import Forbidden
from juneau.engine.explain import explain, render
from juneau.engine.feed import Feed
from juneau.engine.loop import Loop
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Condition, Key, condition
from juneau.engine.outcome import Note
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.resources import allocationpool, registry, vpc
from juneau.resources.allocationpool import AllocationPoolSpec, NumberRange
from juneau.resources.vpc import VpcSpec

SHOP = Key("Vpc", "", "shop")


@define
class Guard:
    """An admission that refuses new claims for as long as it is shut."""

    shut: bool = True

    def admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
        obj = new if new is not None else old
        assert obj is not None
        if self.shut and operation is Operation.CREATE and obj.kind == "AllocationClaim":
            raise Forbidden(obj.key, "no claims today")
        return obj


@define(eq=False)
class Guarded:
    """A controller whose claims are refused."""

    guard: Guard = field(factory=Guard)
    clock: VirtualClock = field(factory=VirtualClock)
    notes: list[Note] = field(factory=list[Note])
    store: MemoryStore = field(init=False)
    loop: Loop = field(init=False)
    feed: Feed = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.store = MemoryStore(registry(), self.clock, (self.guard,))
        cache = Cache(self.store.registry)
        self.loop = Loop(self.store, cache, self.clock, notify=lambda _obj, note: self.notes.append(note))
        self.feed = Feed(self.store, cache, self.loop.queue, self.loop.handle)
        for name in ("vpc-id", "route-table-id"):
            run(self.store.create(allocationpool.KIND.new(name, AllocationPoolSpec(number=NumberRange(2, 9)))))
        run(self.feed.begin())

    def rest(self) -> None:
        run(self.loop.settle())
        while run(self.feed.drain()):
            run(self.loop.settle())

    def pass_time(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.clock.advance(1)
            self.rest()

    @property
    def ready(self) -> Condition:
        obj = self.loop.cache.get(SHOP)
        found = condition(obj, "Ready") if obj is not None else None
        assert found is not None
        return found


@pytest.fixture
def guarded() -> Guarded:
    made = Guarded()
    run(made.store.create(vpc.KIND.new("shop", VpcSpec())))
    made.rest()
    return made


def test_a_refused_write_shows_on_the_object(guarded: Guarded) -> None:
    """The chief condition is False, with the reason and the words of the refusal."""
    assert (guarded.ready.status, guarded.ready.reason) == ("False", "ReconcileFailed")
    assert "no claims today" in guarded.ready.message


def test_a_refused_write_is_told_once(guarded: Guarded) -> None:
    """Trying again does not repeat the Event, and writes nothing."""
    guarded.pass_time(30)
    about_shop = [note for note in guarded.notes if note.reason == "ReconcileFailed" and '"vpc-id--' in note.message]
    version = run(guarded.store.get(SHOP)).metadata.resource_version
    guarded.pass_time(120)
    assert len(about_shop) == 1
    assert run(guarded.store.get(SHOP)).metadata.resource_version == version


def test_an_explanation_tells_the_refusal(guarded: Guarded) -> None:
    """Whoever asks hears what was refused, not what the step would have liked."""
    told = render(explain(guarded.loop.cache, SHOP, guarded.clock.now()), guarded.clock.now())
    assert "Vpc shop is Failed (ReconcileFailed)" in told
    assert "no claims today" in told


def test_a_refusal_that_ends_is_forgotten(guarded: Guarded) -> None:
    """Once admission lets it through, the object goes on by itself."""
    guarded.guard.shut = False
    guarded.pass_time(120)
    assert (guarded.ready.status, guarded.ready.reason) == ("True", "ReconcileSucceeded")


def test_an_explanation_counts_from_the_last_transition(guarded: Guarded) -> None:
    """Not from when the condition's status flipped, which may be long before the reason changed."""
    guarded.guard.shut = False
    guarded.pass_time(120)
    journal = guarded.loop.journal
    told = explain(guarded.loop.cache, SHOP, guarded.clock.now(), journal=journal)
    assert told.since == journal.of(SHOP)[-1].when
    assert 0 < told.since < 120
