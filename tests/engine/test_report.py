"""What nodes say about objects: what is new is written, under what was read, and nothing that is due gets lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from attrs import define, evolve, field, frozen
from tests.engine.conftest import BoxSpec, Status

from juneau.engine.clock import VirtualClock
from juneau.engine.errors import Invalid, NotFound
from juneau.engine.kind import Kind, Registry, Scope
from juneau.engine.memory import MemoryStore
from juneau.engine.nodeview import NodeView
from juneau.engine.objects import AnyObject, Condition, Key
from juneau.engine.report import Reporter
from juneau.engine.store import Event, EventType, Listing, Watch
from juneau.engine.world import Cache

VIEW = NodeView("n1", {}, {}, {})


@frozen
class Told(Status):
    """A status with what a node says."""

    conditions: tuple[Condition, ...] = ()
    weight: int = 0
    colour: str = ""


@define(eq=False)
class Line:
    """A store at the end of a line that breaks: `fails` says what happens to the next write of a name."""

    inner: MemoryStore
    fails: dict[str, Callable[[], Exception]] = field(factory=dict[str, Callable[[], Exception]])

    async def get(self, key: Key) -> AnyObject:
        return await self.inner.get(key)

    async def list(self, kind: str) -> Listing:
        return await self.inner.list(kind)

    async def create(self, obj: AnyObject) -> AnyObject:
        return await self.inner.create(obj)

    async def update(self, obj: AnyObject) -> AnyObject:
        return await self.inner.update(obj)

    async def update_status(self, obj: AnyObject) -> AnyObject:
        failure = self.fails.pop(obj.name, None)
        if failure is not None:
            raise failure()
        return await self.inner.update_status(obj)

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        await self.inner.delete(key, uid, resource_version)

    def watch(self, kind: str, resource_version: str) -> Watch:
        return self.inner.watch(kind, resource_version)


class Desk:
    """A reporter over a cache that hears of nothing but what it is told; `weights` are what the node finds."""

    def __init__(self) -> None:
        self.weights: dict[str, int] = {}
        self.reports = 0
        self.crate: Kind[Any, Any] = Kind(
            "Crate", "crates", BoxSpec, Told, Scope.CLUSTER, "", report=self._report_of_crate
        )
        shelf: Kind[Any, Any] = Kind("Shelf", "shelves", BoxSpec, Told, Scope.CLUSTER, "")
        registry = Registry()
        for kind in (self.crate, shelf):
            registry.add(kind)
        self.store = Line(MemoryStore(registry, VirtualClock(1000.0)))
        self.cache = Cache(registry)
        self.heard: list[str] = []
        self.reporter = Reporter(self.store, self.cache, self.hear)

    def _report_of_crate(self, obj: AnyObject, view: NodeView) -> Told | None:
        self.reports += 1
        assert view is VIEW
        weight = self.weights.get(obj.name)
        status: Told = obj.status
        return None if weight is None else evolve(status, weight=weight)

    def hear(self, event: Event) -> None:
        """What the reporter hands over is in its cache from then on."""
        assert event.type is EventType.MODIFIED
        self.heard.append(event.obj.name)
        self.cache.put(event.obj)

    def crates(self, *names: str) -> None:
        for name in names:
            self.cache.put(asyncio.run(self.store.create(self.crate.new(name, BoxSpec()))))
            self.reporter.note(Key("Crate", "", name))

    def work(self) -> bool:
        return asyncio.run(self.reporter.work(VIEW))

    def weights_stored(self) -> Mapping[str, int]:
        listing = asyncio.run(self.store.list("Crate"))
        return {obj.name: obj.status.weight for obj in listing.objects}

    def paint(self, name: str, colour: str) -> AnyObject:
        """Somebody else writes the status, and the cache does not hear of it."""
        held = asyncio.run(self.store.get(Key("Crate", "", name)))
        return asyncio.run(self.store.update_status(evolve(held, status=evolve(held.status, colour=colour))))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_what_is_new_is_written_once(desk: Desk) -> None:
    """The own write is heard at once, so that it is no news the next time."""
    desk.crates("a", "b")
    desk.weights = {"a": 7, "b": 0}
    assert desk.work()
    assert desk.weights_stored() == {"a": 7, "b": 0}
    assert desk.heard == ["a"]
    desk.reporter.note(Key("Crate", "", "a"))
    assert not desk.work()
    assert desk.heard == ["a"]


def test_nothing_is_looked_at_that_nobody_noted(desk: Desk) -> None:
    """What a round costs does not grow with the objects that are there."""
    desk.crates(*(f"c{number}" for number in range(50)))
    desk.work()
    desk.reports = 0
    desk.work()
    desk.reporter.note(Key("Crate", "", "c7"))
    desk.reporter.note(Key("Crate", "", "c7"))
    desk.work()
    assert desk.reports == 1


def test_kinds_that_nodes_have_nothing_to_say_about_are_left_alone(desk: Desk) -> None:
    """They are not even noted."""
    assert desk.reporter.reported == {"Crate"}
    desk.reporter.note(Key("Shelf", "", "oak"))
    assert not desk.work()


def test_what_this_node_has_nothing_to_say_about_is_not_written(desk: Desk) -> None:
    """None is no report, and what is gone has none."""
    desk.crates("a")
    desk.reporter.note(Key("Crate", "", "gone"))
    assert not desk.work()
    assert desk.heard == []


def test_a_report_that_meets_a_conflict_stays_due(desk: Desk) -> None:
    """What somebody else wrote is heard first, and that part of the status is kept."""
    desk.crates("a")
    desk.weights = {"a": 7}
    painted = desk.paint("a", "red")
    assert desk.work()
    assert desk.heard == []
    assert desk.work(), "it is tried again for as long as it is due"
    desk.cache.put(painted)
    assert desk.work()
    assert not desk.work()
    held = asyncio.run(desk.store.get(painted.key))
    assert (held.status.weight, held.status.colour) == (7, "red")


def test_a_report_on_what_is_gone_is_dropped_when_that_is_heard(desk: Desk) -> None:
    """Until then it stays due, and stops nobody else's report."""
    desk.crates("a", "b")
    desk.weights = {"a": 7, "b": 8}
    held = asyncio.run(desk.store.get(Key("Crate", "", "a")))
    asyncio.run(desk.store.delete(held.key))
    assert desk.work()
    assert desk.weights_stored() == {"b": 8}
    desk.cache.drop(held)
    assert not desk.work()


@pytest.mark.parametrize(
    "failure", [ConnectionError, lambda: Invalid("Crate", "a", []), lambda: NotFound(Key("Crate", "", "a"))]
)
def test_what_could_not_be_written_is_written_the_next_time(desk: Desk, failure: Callable[[], Exception]) -> None:
    """Neither the report that failed nor those after it are forgotten: a Node that withdrew has to say so."""
    desk.crates("a", "b", "c")
    desk.weights = {"a": 7, "b": 8, "c": 9}
    desk.store.fails["b"] = failure
    try:
        desk.work()
    except (ConnectionError, Invalid):
        assert desk.weights_stored() == {"a": 7, "b": 0, "c": 0}
    desk.work()
    assert desk.weights_stored() == {"a": 7, "b": 8, "c": 9}
    assert not desk.work()


def test_what_is_noted_while_a_report_is_on_its_way_stays_due(desk: Desk) -> None:
    """The report was made of what was known before."""
    desk.crates("a")
    desk.weights = {"a": 7}
    before = desk.hear

    def hear(event: Event) -> None:
        before(event)
        desk.weights["a"] = 8
        desk.reporter.note(event.obj.key)
        desk.reporter.hear = before

    desk.reporter.hear = hear
    assert desk.work()
    assert desk.work()
    assert desk.weights_stored() == {"a": 8}
