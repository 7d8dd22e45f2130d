"""Toy Kinds and a store full of them, for the tests of the engine; no Kind of Juneau's own is needed here."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from attrs import field, frozen

from juneau.engine.admission import Operation
from juneau.engine.clock import VirtualClock
from juneau.engine.errors import Forbidden
from juneau.engine.fields import Mark
from juneau.engine.kind import Kind, Registry, Scope
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Condition, Key, Object, OwnerReference
from juneau.engine.world import Index, NumberIndex, contribution, number_contribution


@frozen
class NoSpec:
    """For Kinds that say nothing."""


@frozen
class BoxSpec:
    shelf: Annotated[str, Mark("the Shelf it stands on")] = ""
    number: Annotated[int, Mark("its number")] = 0
    labels: Annotated[tuple[str, ...], Mark("what is written on it")] = ()


@frozen
class Status:
    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


class Toys:
    """Namespace and Shelf of cluster scope; Box, in namespaces, found by shelf, number and label."""

    def __init__(self) -> None:
        self.boxes_on: Index[str] = Index("boxes-on-shelf")
        self.numbers = NumberIndex("numbers-on-shelf")
        self.namespace = Kind("Namespace", "namespaces", NoSpec, Status, Scope.CLUSTER, "", group="", foreign=True)
        self.shelf = Kind("Shelf", "shelves", NoSpec, Status, Scope.CLUSTER, "A shelf.")
        self.box = Kind(
            "Box",
            "boxes",
            BoxSpec,
            Status,
            Scope.NAMESPACED,
            "A box.",
            indexes=(
                contribution(self.boxes_on, lambda box: [(box.spec.shelf, box.name)]),
                contribution(self.boxes_on, lambda box: [(box.spec.shelf, label) for label in box.spec.labels]),
                number_contribution(self.numbers, lambda box: [(box.spec.shelf, box.spec.number)]),
            ),
        )
        self.registry = Registry()
        for kind in (self.namespace, self.shelf, self.box):
            self.registry.add(kind)
        self.clock = VirtualClock(1000.0)

    def store(self, *admission: Any, log_size: int = 4096) -> MemoryStore:
        return MemoryStore(self.registry, self.clock, admission, log_size)

    def new_namespace(self, name: str = "home", **metadata: Any) -> Object[NoSpec, Status]:
        return self.namespace.new(name, NoSpec(), **metadata)

    def new_shelf(self, name: str = "oak", **metadata: Any) -> Object[NoSpec, Status]:
        return self.shelf.new(name, NoSpec(), **metadata)

    def new_box(self, name: str = "tea", namespace: str = "home", **metadata: Any) -> Object[BoxSpec, Status]:
        return self.box.new(name, BoxSpec("oak", 1), namespace, **metadata)

    @staticmethod
    def owned_by(*owners: AnyObject) -> tuple[OwnerReference, ...]:
        return tuple(OwnerReference("v1", owner.kind, owner.name, owner.metadata.uid) for owner in owners)


@frozen
class KeepShelves:
    """Admission that refuses to delete what is in `kept`, and writes down what it is asked."""

    kept: set[Key] = field(factory=set[Key])
    asked: list[tuple[Operation, str]] = field(factory=list[tuple[Operation, str]])

    def admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
        obj = new if new is not None else old
        assert obj is not None
        self.asked.append((operation, obj.name))
        if operation is Operation.DELETE and obj.key in self.kept:
            raise Forbidden(obj.key, "it is in use")
        return obj


@pytest.fixture
def toys() -> Toys:
    return Toys()


@pytest.fixture
def keeper() -> KeepShelves:
    return KeepShelves()
