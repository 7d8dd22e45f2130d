"""The loop: steps are taken for what changed, committed under what was read, and taken again after a failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import attrs
import pytest
from attrs import Factory, define, frozen

from juneau.engine.clock import VirtualClock
from juneau.engine.errors import Conflict, NotFound
from juneau.engine.fields import Mark
from juneau.engine.kind import AnyKind, Controller, Kind, Registry, Scope
from juneau.engine.loop import Loop
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Condition, Key, Time
from juneau.engine.outcome import Absent, Create, Delete, Note, Outcome, Update, UpdateStatus, Write
from juneau.engine.store import Event, EventType, Listing, Watch
from juneau.engine.world import Cache, Index, Reader, contribution
from juneau.lab.immediate import run


@frozen
class BoxSpec:
    shelf: Annotated[str, Mark("where it stands")] = ""
    weight: Annotated[int, Mark("how heavy it is")] = 0


@frozen
class Status:
    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()
    total: int = 0


ON_SHELF: Index[int] = Index("boxes-on-shelf")


@define(eq=False)
class Shop:
    """A store of boxes, shelves that add up what stands on them, and a loop; `wish` is what a box's step writes."""

    wish: Callable[[AnyObject, Reader], tuple[Write, ...]] = lambda _box, _world: ()
    look: Callable[[AnyObject, Reader, Time], None] = lambda _obj, _world, _now: None
    again: Time | None = None
    steps: list[str] = Factory(list[str])
    notes: list[Note] = Factory(list[Note])
    clock: VirtualClock = Factory(lambda: VirtualClock(1000.0))
    box: AnyKind = attrs.field(init=False)
    shelf: AnyKind = attrs.field(init=False)
    store: MemoryStore = attrs.field(init=False)
    wire: Wire = attrs.field(init=False)
    loop: Loop = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        machine = PhaseMachine[Any](rows=(Row(None, Phase.READY, "Fine", lambda facts: facts[1]),))
        self.box = Kind(
            "Box", "boxes", BoxSpec, Status, Scope.CLUSTER, "A box.",
            indexes=(contribution(ON_SHELF, lambda box: [(box.spec.shelf, box.spec.weight)]),),
            controller=Controller(self._facts, machine, self._box_outcome), reread=("Shelf", "Box"),
        )  # fmt: skip
        self.shelf = Kind(
            "Shelf", "shelves", BoxSpec, Status, Scope.CLUSTER, "A shelf.", summary=True, lock=True,
            controller=Controller(self._facts, machine, self._shelf_outcome),
        )  # fmt: skip
        registry = Registry()
        registry.add(self.box)
        registry.add(self.shelf)
        self.store = MemoryStore(registry, self.clock)
        self.wire = Wire(self.store)
        self.loop = Loop(self.wire, Cache(registry), self.clock, notify=lambda _obj, note: self.notes.append(note))
        self.store.subscribe(self.loop.handle)

    def _facts(self, obj: AnyObject, world: Reader, now: Time) -> Any:
        self.steps.append(obj.name)
        self.look(obj, world, now)
        total = sum(world.values(ON_SHELF, obj.name)) if obj.kind == "Shelf" else 0
        return obj, str(total), self.wish(obj, world) if obj.kind == "Box" else ()

    def _box_outcome(self, facts: Any, verdict: Verdict) -> Outcome:
        return Outcome(verdict, facts[0].status, writes=facts[2], again=self.again, notes=(Note("Normal", "R", "m"),))

    def _shelf_outcome(self, facts: Any, verdict: Verdict) -> Outcome:
        return Outcome(verdict, attrs.evolve(facts[0].status, total=int(facts[1])))

    def put(self, name: str, shelf: str = "oak", weight: int = 1) -> AnyObject:
        return run(self.store.create(self.box.new(name, BoxSpec(shelf, weight))))

    def shelve(self, name: str) -> AnyObject:
        return run(self.store.create(self.shelf.new(name, BoxSpec())))

    def get(self, name: str, kind: str = "Box") -> AnyObject:
        return run(self.store.get(Key(kind, "", name)))

    def names(self, kind: str = "Box") -> list[str]:
        return [obj.name for obj in run(self.store.list(kind)).objects]

    def settle(self) -> list[str]:
        """Work; whose steps were taken."""
        self.steps.clear()
        run(self.loop.settle())
        return list(self.steps)


@define(eq=False)
class Wire:
    """The way to the store, on which the next calls may fail, and others may be faster."""

    inner: MemoryStore
    before: Callable[[str], None] = lambda _call: None
    after: Callable[[str], None] = lambda _call: None
    faults: list[BaseException | None] = Factory(list[BaseException | None])
    calls: list[str] = Factory(list[str])

    def _pass(self, call: str) -> None:
        self.calls.append(call)
        self.before(call)
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault

    async def get(self, key: Key) -> AnyObject:
        self._pass(f"get {key}")
        return await self.inner.get(key)

    async def list(self, kind: str) -> Listing:
        self._pass(f"list {kind}")
        return await self.inner.list(kind)

    async def create(self, obj: AnyObject) -> AnyObject:
        self._pass(f"create {obj.key}")
        return await self.inner.create(obj)

    async def update(self, obj: AnyObject) -> AnyObject:
        self._pass(f"update {obj.key}")
        return await self.inner.update(obj)

    async def update_status(self, obj: AnyObject) -> AnyObject:
        self._pass(f"status {obj.key}")
        stored = await self.inner.update_status(obj)
        self.after(f"status {obj.key}")
        return stored

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        self._pass(f"delete {key}")
        await self.inner.delete(key, uid, resource_version)

    def watch(self, kind: str, resource_version: str) -> Watch:
        return self.inner.watch(kind, resource_version)


def conflict() -> Conflict:
    return Conflict(Key("Box", "", "tea"))


@pytest.fixture
def quiet() -> Iterator[None]:
    """Failures that a test provokes are not news."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def test_a_new_object_is_looked_at_and_its_status_stored() -> None:
    """One step, one write; and a second look writes nothing."""
    shop = Shop()
    shop.put("tea")
    assert shop.settle() == ["tea"]
    assert (shop.get("tea").status.phase, shop.loop.writes_made) == ("Ready", 1)
    shop.loop.wake_all()
    assert shop.settle() == ["tea"]
    assert shop.loop.writes_made == 1


def test_who_is_woken_is_who_asked() -> None:
    """A box on a shelf wakes that shelf, which read it, and no other one."""
    shop = Shop()
    for name in ("oak", "elm"):
        shop.shelve(name)
    shop.settle()
    shop.put("tea", "oak", 3)
    assert shop.settle() == ["tea", "oak"]
    assert (shop.get("oak", "Shelf").status.total, shop.get("elm", "Shelf").status.total) == (3, 0)
    run(shop.store.update(shop.get("tea").with_spec(shelf="elm")))
    assert sorted(shop.settle()) == ["elm", "oak", "tea"]
    assert (shop.get("oak", "Shelf").status.total, shop.get("elm", "Shelf").status.total) == (0, 3)


def test_a_question_that_is_no_longer_asked_wakes_nobody() -> None:
    """What counts is what the last step read."""
    shop = Shop()
    asking = [Key("Shelf", "", "oak")]
    shop.look = lambda obj, world, _now: [world.look(key) for key in asking] and None
    shop.put("tea")
    shop.settle()
    shop.shelve("oak")
    assert "tea" in shop.settle()
    asking[:] = []
    shop.loop.wake_all()
    shop.settle()
    run(shop.store.delete(Key("Shelf", "", "oak")))
    assert "tea" not in shop.settle()


def test_summaries_come_last() -> None:
    """A shelf adds up once, however many boxes have come."""
    shop = Shop()
    shop.shelve("oak")
    for name in ("tea", "jam", "rum"):
        shop.put(name)
    assert shop.settle() == ["tea", "jam", "rum", "oak"]


def test_a_conflict_leads_to_a_new_step_on_the_newest_state() -> None:
    """What was read is read again, and nothing of the dropped step counts."""
    shop = Shop()
    shop.put("tea")
    shop.wire.faults.append(conflict())
    assert shop.settle() == ["tea", "tea"]
    assert shop.wire.calls == ["status Box/tea", "get Box/tea", "list Shelf", "list Box", "status Box/tea"]
    assert shop.get("tea").status.phase == "Ready"


@pytest.mark.usefixtures("quiet")
def test_back_off_grows_with_jitter_and_is_capped() -> None:
    """Each delay is within the second half of twice the one before, up to a minute; success ends it."""
    shop = Shop()
    broken = [True]

    def look(_obj: AnyObject, _world: Reader, _now: Time) -> None:
        if broken[0]:
            raise ZeroDivisionError

    shop.look = look
    shop.put("tea")
    delays: list[float] = []
    for _ in range(14):
        assert shop.settle() == ["tea"]
        due = shop.clock.next_due()
        assert due is not None
        delays.append(due - shop.clock.time)
        shop.clock.run_until(due)
    for failures, delay in enumerate(delays):
        whole = min(0.2 * 2**failures, 60.0)
        assert whole / 2 <= delay <= whole
    assert len({delay / min(0.2 * 2**failures, 60.0) for failures, delay in enumerate(delays)}) > 10
    broken[0] = False
    shop.settle()
    broken[0] = True
    shop.loop.wake_all()
    shop.settle()
    due = shop.clock.next_due()
    assert due is not None
    assert due - shop.clock.time <= 0.2


@pytest.mark.usefixtures("quiet")
def test_two_objects_that_fail_together_do_not_come_back_together() -> None:
    """Jitter comes from the key, so it is the same in every run."""
    shop = Shop()

    def look(_obj: AnyObject, _world: Reader, _now: Time) -> None:
        raise ZeroDivisionError

    shop.look = look
    shop.put("tea")
    shop.put("jam")
    shop.settle()
    first = shop.clock.next_due()
    assert first is not None
    shop.clock.run_until(first)
    assert len(shop.settle()) == 1


@pytest.mark.usefixtures("quiet")
def test_an_error_in_one_object_does_not_stop_the_others() -> None:
    """It is logged and told on the object, and the rest goes on."""
    shop = Shop()

    def look(obj: AnyObject, _world: Reader, _now: Time) -> None:
        if obj.name == "bad":
            raise ZeroDivisionError

    shop.look = look
    for name in ("bad", "tea"):
        shop.put(name)
    shop.settle()
    assert shop.get("tea").status.phase == "Ready"
    bad = shop.get("bad").status
    assert (bad.phase, bad.conditions[0].reason) == ("Failed", "ReconcileFailed")
    assert "ZeroDivisionError" in bad.conditions[0].message


@pytest.mark.usefixtures("quiet")
def test_a_server_that_cannot_be_read_after_a_conflict_loses_nothing() -> None:
    """The key comes back by the clock, and the worker lives."""
    shop = Shop()
    shop.put("tea")
    shop.wire.faults += [conflict(), OSError("connection refused")]
    shop.settle()
    assert shop.get("tea").status.phase == ""
    due = shop.clock.next_due()
    assert due is not None
    shop.clock.run_until(due)
    assert shop.settle() == ["tea"]
    assert shop.get("tea").status.phase == "Ready"


def test_an_object_that_is_gone_after_a_conflict_is_forgotten() -> None:
    """The server's word counts, also where no event has come."""
    shop = Shop()
    ghost = shop.put("tea")
    shop.settle()
    run(shop.store.delete(ghost.key))
    shop.settle()
    stale = ghost.with_metadata(uid="ghost", resource_version="100")
    shop.loop.handle(Event(EventType.ADDED, stale))
    assert shop.settle() == ["tea"]
    assert shop.loop.cache.get(ghost.key) is None
    assert shop.clock.next_due() is None


def test_cancellation_passes_through_and_the_key_is_worked_on_again() -> None:
    """A worker that is stopped in the middle of a step swallows nothing and loses nothing."""
    shop = Shop()
    shop.put("tea")
    shop.wire.faults.append(asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        run(shop.loop.settle())
    assert not shop.loop.queue.idle
    assert shop.settle() == ["tea"]


def test_an_object_is_looked_at_again_when_it_asks_for_it() -> None:
    """`again` is a time; it comes once."""
    shop = Shop()
    shop.again = Time(1060.0)
    shop.put("tea")
    shop.settle()
    shop.clock.advance(59)
    assert shop.settle() == []
    shop.clock.advance(1)
    assert shop.settle() == ["tea"]
    assert shop.clock.next_due() is None


def test_what_a_dropped_step_made_is_undone() -> None:
    """Only what is marked so, and not if somebody has changed it since."""
    shop = Shop()
    other = shop.box.new

    def wish(box: AnyObject, world: Reader) -> tuple[Write, ...]:
        if box.name != "tea" or "kept" in shop.names():
            return ()
        lost = UpdateStatus(shop.get("tea").with_metadata(resource_version="0").with_status(total=9))
        return (Create(other("undone", BoxSpec()), undo=True), Create(other("kept", BoxSpec())), lost)

    shop.put("tea")
    shop.wish = wish
    shop.settle()
    assert shop.names() == ["kept", "tea"]


def test_what_somebody_relies_on_is_not_undone() -> None:
    """A conflict about the undoing is no further fault: the other one judges it in a step of its own."""
    shop = Shop()
    tries: list[int] = []

    def wish(box: AnyObject, world: Reader) -> tuple[Write, ...]:
        if box.name != "tea" or tries:
            return ()
        tries.append(1)
        made = Create(shop.box.new("made", BoxSpec()), undo=True)
        return (made, Update(shop.get("tea").with_metadata(resource_version="0")))

    def meddle(call: str) -> None:
        if call == "delete Box/made":
            run(shop.store.update(shop.get("made").with_spec(weight=5)))

    shop.put("tea")
    shop.wish, shop.wire.before = wish, meddle
    shop.settle()
    assert shop.get("made").spec.weight == 5


def test_a_child_is_made_only_for_a_parent_that_is_there() -> None:
    """The server is asked, since a cache may not have heard of the end yet; one question does for all children."""
    shop = Shop()

    def wish(box: AnyObject, world: Reader) -> tuple[Write, ...]:
        names = ["one", "two"] if box.name == "tea" else []
        return tuple(Create(shop.box.new(n, BoxSpec())) for n in names if world.look(Key("Box", "", n)) is None)

    tea = shop.put("tea")
    shop.wish = wish
    shop.settle()
    assert shop.wire.calls[:3] == ["get Box/tea", "create Box/one", "create Box/two"]
    run(shop.store.delete(tea.key))
    for name in ("one", "two"):
        run(shop.store.delete(Key("Box", "", name)))
    shop.settle()
    shop.wire.calls.clear()
    shop.loop.cache._tombstones.clear()
    shop.loop.handle(Event(EventType.ADDED, tea))
    shop.settle()
    assert not [call for call in shop.wire.calls if call.startswith("create")]
    assert shop.loop.cache.get(tea.key) is None


def test_no_child_is_made_for_a_parent_that_is_about_to_go() -> None:
    """Whoever sees it off has looked for its children already."""
    shop = Shop()

    def wish(box: AnyObject, _world: Reader) -> tuple[Write, ...]:
        return () if box.deleting or box.name != "tea" else (Create(shop.box.new("late", BoxSpec())),)

    tea = run(shop.store.create(shop.box.new("tea", BoxSpec(), finalizers=("test/hold",))))
    shop.wish = wish
    run(shop.store.delete(tea.key))
    shop.loop.cache.drop(shop.get("tea"))
    shop.loop.cache._tombstones.clear()
    shop.loop.handle(Event(EventType.ADDED, tea))
    shop.settle()
    assert shop.names() == ["tea"]


@pytest.mark.usefixtures("quiet")
def test_a_child_that_has_nowhere_to_be_is_told_of() -> None:
    """What the server does not find when something is made is a Namespace: no race that another look wins."""
    shop = Shop()

    def wish(box: AnyObject, _world: Reader) -> tuple[Write, ...]:
        return (Create(shop.box.new("child", BoxSpec())),) if box.name == "tea" else ()

    shop.put("tea")
    shop.wish = wish

    def miss(call: str) -> None:
        if call == "create Box/child":
            raise NotFound(Key("Namespace", "", "home"))

    shop.wire.before = miss
    shop.settle()
    (told,) = shop.get("tea").status.conditions
    assert (told.status, told.reason, told.message) == ("False", "ReconcileFailed", 'Namespace "home" not found')
    assert shop.notes == [Note("Warning", "ReconcileFailed", 'Namespace "home" not found')]


def test_what_has_no_controller_leaves_no_cause() -> None:
    """Names that never come back must not pile up."""
    shop = Shop()
    plain = Kind("Tag", "tags", BoxSpec, Status, Scope.CLUSTER, "A tag.")
    shop.loop.cache.registry.add(plain)
    shop.loop.cache.objects.setdefault("Tag", {})
    shop.loop.handle(Event(EventType.ADDED, plain.new("red", BoxSpec()).with_metadata(resource_version="1")))
    shop.put("tea")
    shop.settle()
    assert not shop.loop._causes


def test_an_absence_is_of_what_was_known_when_the_server_was_asked() -> None:
    """An object that came after the answer, and was heard of before it, stays."""
    shop = Shop()
    tea = shop.put("tea")
    shop.settle()
    run(shop.store.delete(tea.key))
    shop.loop.cache._tombstones.clear()
    shop.loop.handle(Event(EventType.ADDED, tea))

    def come_back(_call: str) -> None:
        shop.wire.before = lambda _call: None
        again = shop.put("tea").with_metadata(uid="another")
        shop.loop.handle(Event(EventType.ADDED, again))
        raise NotFound(tea.key)

    shop.wire.before = come_back
    run(shop.loop.commits.catch_up(tea.key))
    assert shop.loop.cache.get(tea.key) is not None


def test_a_deletion_is_of_what_was_read() -> None:
    """With a resourceVersion it is dropped when the object has changed, with a UID it leaves another one alone."""
    shop = Shop()
    jam = shop.put("jam")
    run(shop.store.update(jam.with_spec(weight=7)))
    steps: list[Delete] = []

    def wish(box: AnyObject, world: Reader) -> tuple[Write, ...]:
        return (steps.pop(0),) if box.name == "tea" and steps else ()

    shop.wish = wish
    steps.append(Delete(jam.key, jam.metadata.uid, jam.metadata.resource_version))
    shop.put("tea")
    assert shop.settle().count("tea") == 2
    steps.append(Delete(jam.key, "another"))
    shop.loop.wake_all()
    assert shop.settle().count("tea") == 1
    assert shop.names() == ["jam", "tea"]
    steps.append(Delete(Key("Box", "", "nothing"), "x"))
    steps.append(Delete(jam.key, jam.metadata.uid))
    for _ in range(2):
        shop.loop.wake_all()
        shop.settle()
    assert shop.names() == ["tea"]


def test_absence_is_asked_of_the_server() -> None:
    """What the cache does not know yet is there all the same, and the step is dropped."""
    shop = Shop()

    def wish(box: AnyObject, world: Reader) -> tuple[Write, ...]:
        if box.name != "tea" or world.look(Key("Box", "", "jam")) is not None:
            return ()
        return (Absent(Key("Box", "", "jam")), Create(shop.box.new("alone", BoxSpec())))

    jam = shop.put("jam")
    shop.loop.cache.drop(jam)
    shop.loop.cache._tombstones.clear()
    shop.wish = wish
    shop.put("tea")
    shop.settle()
    assert shop.names() == ["jam", "tea"]
    run(shop.store.delete(jam.key))
    shop.settle()
    assert shop.names() == ["alone", "tea"]


def test_a_lock_is_not_written_on_what_was_not_read_from_the_server() -> None:
    """Until all that it guards was read, the step conflicts; after that its own writes are enough."""
    shop = Shop()
    oak = shop.shelve("oak")

    def wish(box: AnyObject, world: Reader) -> tuple[Write, ...]:
        shelf = world.get(shop.shelf, "oak")
        if shelf is None or box.status.phase:
            return ()
        return (UpdateStatus(shelf.with_status(total=shelf.status.total + 1), lock=True),)

    shop.wish = wish
    shop.put("tea")
    shop.settle()
    assert "list Shelf" in shop.wire.calls
    shop.wire.calls.clear()
    shop.put("jam")
    shop.settle()
    assert "list Shelf" not in shop.wire.calls
    run(shop.store.update_status(shop.get("oak", "Shelf").with_status(total=50)))
    shop.put("rum")
    shop.settle()
    assert "list Shelf" in shop.wire.calls
    assert oak.key in shop.loop.commits._trusted
    run(shop.store.delete(oak.key))
    shop.settle()
    assert oak.key not in shop.loop.commits._trusted


def test_a_lock_is_trusted_only_when_all_that_it_guards_was_read() -> None:
    """Another worker must not use it while the reading goes on."""
    shop = Shop()
    oak = shop.shelve("oak")
    shop.put("tea")
    trusted: list[bool] = []

    def look(call: str) -> None:
        if call == "list Box":
            trusted.append(oak.key in shop.loop.commits._trusted)

    shop.wire.before = look
    shop.wire.faults.append(conflict())
    shop.settle()
    assert trusted == [False]
    assert oak.key in shop.loop.commits._trusted


def test_what_somebody_writes_while_an_own_write_is_on_its_way_wakes() -> None:
    """The own write alone does not: a step at once after a step concludes the same."""
    shop = Shop()
    others = [7]

    def meddle(_call: str) -> None:
        if others:
            run(shop.store.update(shop.get("tea").with_spec(weight=others.pop())))

    shop.put("tea")
    shop.wire.after = meddle
    assert shop.settle() == ["tea", "tea"]


def test_people_are_told_of_what_changed_and_not_again() -> None:
    """An Event comes with a change of what a condition says."""
    shop = Shop()
    shop.put("tea")
    shop.settle()
    assert shop.notes == [Note("Normal", "R", "m")]
    shop.loop.wake_all()
    shop.settle()
    assert len(shop.notes) == 1


def test_the_journal_tells_what_woke_a_step() -> None:
    """A transition carries phases, reason and cause."""
    shop = Shop()
    shop.put("tea")
    shop.settle()
    (moved,) = shop.loop.journal.of(Key("Box", "", "tea"))
    assert (moved.source, moved.dest, moved.reason, moved.when) == ("", "Ready", "Fine", 1000.0)


def test_an_answer_that_was_on_its_way_does_not_bring_back_what_is_deleted() -> None:
    """An older state than the deletion is no news; a newer object of that name is."""
    shop = Shop()
    tea = shop.put("tea")
    run(shop.store.delete(tea.key))
    assert not shop.loop.handle(Event(EventType.MODIFIED, tea))
    assert shop.loop.cache.get(tea.key) is None
    again = shop.put("tea")
    assert shop.loop.cache.get(tea.key) == again
    with pytest.raises(NotFound):
        run(shop.store.get(Key("Box", "", "never")))
