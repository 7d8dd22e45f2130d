"""The store in memory against a model that is slow and plainly right: random writes, then everything is compared."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from attrs import define, evolve, frozen
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from juneau.engine.clock import VirtualClock
from juneau.engine.errors import APIError, Conflict
from juneau.engine.kind import Kind, Registry, Scope
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Condition, Key, OwnerReference
from juneau.engine.store import Event, EventType
from juneau.engine.world import Cache

ResultT = TypeVar("ResultT")


@frozen
class Spec:
    number: int = 0


@frozen
class Status:
    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


NAMESPACE = Kind("Namespace", "namespaces", Spec, Status, Scope.CLUSTER, "", group="", foreign=True)
SHELF = Kind("Shelf", "shelves", Spec, Status, Scope.CLUSTER, "A shelf.")
BOX = Kind("Box", "boxes", Spec, Status, Scope.NAMESPACED, "A box.")
KINDS = {kind.name: kind for kind in (NAMESPACE, SHELF, BOX)}

KEYS = [
    *(Key("Namespace", "", name) for name in ("x", "y")),
    *(Key("Shelf", "", name) for name in ("a", "b", "c")),
    *(Key("Box", namespace, name) for namespace in ("x", "y") for name in ("a", "b")),
]
keys = st.sampled_from(KEYS)
finalizers = st.sets(st.sampled_from(["one", "two"])).map(lambda names: tuple(sorted(names)))
owners = st.lists(st.integers(0, 30), max_size=2)
small = st.integers(0, 3)


@define
class Record:
    """What the model knows of one object."""

    uid: str
    number: int
    finalizers: tuple[str, ...]
    owners: tuple[str, ...]
    phase: str = ""
    deleting: bool = False
    generation: int = 1


class Model:
    """All records; after each write, rules are applied until none applies any more."""

    def __init__(self) -> None:
        self.records: dict[Key, Record] = {}

    def accepts_new(self, key: Key) -> bool:
        home = self.records.get(Key("Namespace", "", key.namespace))
        return key not in self.records and (not key.namespace or (home is not None and not home.deleting))

    def delete(self, key: Key) -> None:
        record = self.records[key]
        if not record.deleting:
            record.deleting = True
            record.phase = "Terminating" if key.kind == "Namespace" else record.phase
            record.generation += 1

    def settle(self) -> None:
        while self._remove_one() or self._condemn_one():
            pass

    def _remove_one(self) -> bool:
        for key, record in self.records.items():
            if record.deleting and not record.finalizers and not self._contents(key):
                del self.records[key]
                return True
        return False

    def _condemn_one(self) -> bool:
        alive = {record.uid for record in self.records.values()}
        for key, record in self.records.items():
            home = self.records.get(Key("Namespace", "", key.namespace))
            orphaned = bool(record.owners) and not alive.intersection(record.owners)
            if not record.deleting and (orphaned or (home is not None and home.deleting)):
                self.delete(key)
                return True
        return False

    def _contents(self, key: Key) -> bool:
        return key.kind == "Namespace" and any(other.namespace == key.name for other in self.records)


def seen(obj: AnyObject) -> Record:
    metadata = obj.metadata
    return Record(
        metadata.uid,
        obj.spec.number,
        metadata.finalizers,
        tuple(owner.uid for owner in metadata.owner_references),
        obj.status.phase,
        obj.deleting,
        metadata.generation,
    )


def replayed(events: list[Event], start: dict[Key, AnyObject]) -> dict[Key, AnyObject]:
    """The objects that are left after these events, which have to make sense one by one."""
    objects = dict(start)
    for event in events:
        key = event.obj.key
        assert (key in objects) is (event.type is not EventType.ADDED)
        if event.type is EventType.DELETED:
            del objects[key]
        else:
            objects[key] = event.obj
    return objects


class StoreMachine(RuleBasedStateMachine):
    """Random requests to a store and its model."""

    def __init__(self) -> None:
        super().__init__()
        registry = Registry()
        for kind in KINDS.values():
            registry.add(kind)
        self.store = MemoryStore(registry, VirtualClock())
        self.model = Model()
        self.cache = Cache(registry)
        self.events: list[Event] = []
        self.uids: list[tuple[str, Key]] = [("dead", Key("Shelf", "", "z"))]
        self.followers = {kind: self.store.watch(kind, "0") for kind in KINDS}
        self.followed: dict[Key, AnyObject] = {}
        self.store.subscribe(self.hear)

    def hear(self, event: Event) -> None:
        self.events.append(event)
        if event.type is EventType.DELETED:
            self.cache.drop(event.obj)
        else:
            self.cache.put(event.obj)

    def run(self, request: Coroutine[Any, Any, ResultT]) -> ResultT:
        """What the request gives; the store never waits, so one step finishes it."""
        try:
            request.send(None)
        except StopIteration as done:
            result: ResultT = done.value
            return result
        raise AssertionError("the store waited")

    def references(self, numbers: list[int]) -> tuple[OwnerReference, ...]:
        chosen = {self.uids[number % len(self.uids)] for number in numbers}
        return tuple(OwnerReference("v1", key.kind, key.name, uid) for uid, key in sorted(chosen))

    def held(self, key: Key) -> AnyObject | None:
        return self.cache.get(key)

    @initialize()
    def make_a_namespace(self) -> None:
        self.create(Key("Namespace", "", "x"), (), [])

    @rule(key=keys, finalizers=finalizers, owners=owners)
    def create(self, key: Key, finalizers: tuple[str, ...], owners: list[int]) -> None:
        references = self.references(owners)
        obj = KINDS[key.kind].new(key.name, Spec(), key.namespace, finalizers=finalizers, owner_references=references)
        if not self.model.accepts_new(key):
            with pytest.raises(APIError):
                self.run(self.store.create(obj))
            return
        uid = self.run(self.store.create(obj)).metadata.uid
        assert uid not in [known for known, _ in self.uids]
        self.uids.append((uid, key))
        self.model.records[key] = Record(uid, 0, finalizers, tuple(owner.uid for owner in references))
        self.model.settle()

    @rule(key=keys, number=small, finalizers=finalizers, owners=st.none() | owners)
    def update(self, key: Key, number: int, finalizers: tuple[str, ...], owners: list[int] | None) -> None:
        obj = self.held(key)
        if obj is None:
            return
        record = self.model.records[key]
        references = obj.metadata.owner_references if owners is None else self.references(owners)
        wanted = obj.with_spec(number=number).with_metadata(finalizers=finalizers, owner_references=references)
        if record.deleting and not set(finalizers) <= set(record.finalizers):
            with pytest.raises(APIError):
                self.run(self.store.update(wanted))
            return
        self.run(self.store.update(evolve(wanted, status=Status("ignored"))))
        record.generation += number != record.number
        record.number, record.finalizers = number, finalizers
        record.owners = tuple(owner.uid for owner in references)
        self.model.settle()

    @rule(key=keys, phase=st.sampled_from(["", "Pending", "Ready"]))
    def update_status(self, key: Key, phase: str) -> None:
        obj = self.held(key)
        if obj is not None:
            self.run(self.store.update_status(obj.with_spec(number=99).with_status(phase=phase)))
            self.model.records[key].phase = phase

    @rule(key=keys)
    def delete(self, key: Key) -> None:
        if self.held(key) is None:
            with pytest.raises(APIError):
                self.run(self.store.delete(key))
            return
        self.run(self.store.delete(key))
        self.model.delete(key)
        self.model.settle()

    @precondition(lambda self: any(event.type is EventType.MODIFIED for event in self.events))
    @rule(data=st.data())
    def write_from_an_old_state(self, data: st.DataObject) -> None:
        old = data.draw(st.sampled_from(self.events)).obj
        held = self.held(old.key)
        if held is None or held is old:
            return
        for request in (
            self.store.update(old.with_spec(number=98)),
            self.store.update_status(old.with_status(phase="old")),
            self.store.delete(old.key, resource_version=old.metadata.resource_version),
        ):
            with pytest.raises(Conflict):
                self.run(request)

    @rule()
    def write_what_is_there(self) -> None:
        before = len(self.events)
        for obj in list(self.cache):
            assert self.run(self.store.update(obj)) is obj
            assert self.run(self.store.update_status(obj)) is obj
        assert len(self.events) == before

    @rule(kind=st.sampled_from(sorted(KINDS)))
    def read_on(self, kind: str) -> None:
        mine = {key: obj for key, obj in self.followed.items() if key.kind == kind}
        others = {key: obj for key, obj in self.followed.items() if key.kind != kind}
        self.followed = others | replayed(list(self.followers[kind].drain()), mine)
        assert {key for key in self.followed if key.kind == kind} == set(self.cache.objects[kind])

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        listed = {obj.key: seen(obj) for kind in KINDS for obj in self.run(self.store.list(kind)).objects}
        assert listed == self.model.records

    @invariant()
    def replaying_all_events_gives_the_listing(self) -> None:
        for kind in KINDS:
            listing = self.run(self.store.list(kind))
            left = replayed(self.store.watch(kind, "0").drain(), {})
            assert left == {obj.key: obj for obj in listing.objects}
            assert self.cache.objects[kind] == left

    @invariant()
    def versions_ascend_without_gaps(self) -> None:
        versions = [int(event.obj.metadata.resource_version) for event in self.events]
        assert versions == list(range(1, len(versions) + 1))


TestStore = StoreMachine.TestCase


def test_the_model_itself_collects_dependents() -> None:
    """A dependent goes with its only owner in the model too, so that the comparison above means something."""
    model = Model()
    model.records[KEYS[2]] = Record("owner", 0, (), ())
    model.records[KEYS[3]] = Record("dependent", 0, (), ("owner",))
    model.delete(KEYS[2])
    model.settle()
    assert model.records == {}
