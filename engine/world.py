"""The world as machines see it: every object's newest known state, with typed indexes.

A `Cache` applies events and tells which statements about the world they changed; a `Reader` answers questions and
remembers which were asked.
So an object is looked at again exactly when something that its last step read has changed, and no Kind lists what it
watches.

Steps run to completion between two events, so a Reader is a consistent snapshot for as long as a step lasts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar, cast

from attrs import Factory, define, field, frozen

from juneau.engine.kind import Kind, Registry
from juneau.engine.numbers import NumberSet
from juneau.engine.objects import AnyObject, Key, Object, SpecT, StatusT
from juneau.engine.settings import Settings
from juneau.engine.store import Event, EventType, Listing

ValueT = TypeVar("ValueT")


@frozen(eq=False)
class Index(Generic[ValueT]):
    """A question asked across Kinds, such as "which prefixes lie in this Vpc"; Kinds contribute entries to it."""

    name: str


@frozen(eq=False)
class NumberIndex:
    """An index whose entries are numbers, answered as one set per key."""

    name: str


@frozen
class Contribution:
    """What a Kind puts into an index: from one object, the entries (key, value).

    Values have to be comparable for equality, so that an unchanged entry wakes nobody.
    """

    index: Index[Any] | NumberIndex
    entries: Callable[[Any], Iterable[tuple[Hashable, Any]]]


def contribution(index: Index[ValueT], entries: Callable[[Any], Iterable[tuple[Hashable, ValueT]]]) -> Contribution:
    """A Kind's entries in an index, with their type checked."""
    return Contribution(index, entries)


def number_contribution(index: NumberIndex, entries: Callable[[Any], Iterable[tuple[Hashable, int]]]) -> Contribution:
    """A Kind's numbers in an index of numbers."""
    return Contribution(index, entries)


# What can be asked, and so what can change: an object ("object"), its spec and existence ("spec"), its existence
# ("exists"), a Kind's objects ("kind"), the entries of an index under a key (the index's name).
Question: TypeAlias = tuple[Hashable, ...]

# An index with all that one Kind contributes to it.
_Part: TypeAlias = tuple[Index[Any] | NumberIndex, list[Contribution]]

# How many deletions a cache remembers: an answer that was on its way meanwhile may still tell of the object as alive.
_MOST_TOMBSTONES = 4096


@define(eq=False)
class Cache:
    """The newest known state of all objects; one writer (the loop, or a store's admission), many readers."""

    registry: Registry
    settings: Settings = Factory(Settings)
    objects: dict[str, dict[Key, AnyObject]] = Factory(dict[str, dict[Key, AnyObject]])
    _indexes: dict[str, dict[Hashable, dict[Key, tuple[Any, ...]]]] = Factory(
        dict[str, dict[Hashable, dict[Key, tuple[Any, ...]]]]
    )
    _numbers: dict[str, dict[Hashable, NumberSet]] = Factory(dict[str, dict[Hashable, NumberSet]])
    _parts: dict[str, list[_Part]] = Factory(dict[str, list[_Part]])
    _tombstones: OrderedDict[Key, int] = Factory(OrderedDict[Key, int])  # deleted, as of which version; the latest last

    def __attrs_post_init__(self) -> None:
        for kind in self.registry:
            self.objects.setdefault(kind.name, {})

    def get(self, key: Key) -> AnyObject | None:
        return self.objects[key.kind].get(key)

    def __iter__(self) -> Iterator[AnyObject]:
        for held in self.objects.values():
            yield from held.values()

    def put(self, obj: AnyObject) -> set[Question]:
        """Take over an object's state unless a newer one is known; returns which questions have new answers."""
        key = obj.key
        held = self.objects[obj.kind]
        before = held.get(key)
        if before is not None:
            if not _is_newer(obj, before):
                return set()
        elif key in self._tombstones:
            if _version(obj) <= self._tombstones[key]:
                return set()
            del self._tombstones[key]
        held[key] = obj
        changed: set[Question] = {("object", key)}
        if before is None or _looks_different(before, obj):
            changed |= {("spec", key), ("kind", obj.kind)}
        if before is None:
            changed.add(("exists", key))
        self._reindex(key, before, obj, changed)
        return changed

    def drop(self, obj: AnyObject) -> set[Question]:
        """Forget an object that was deleted; a newer one of the same name stays."""
        key = obj.key
        before = self.objects[obj.kind].get(key)
        if before is not None and before.metadata.uid != obj.metadata.uid and _is_newer(before, obj):
            return set()
        self._bury(key, max(_version(obj), _version(before) if before is not None else 0))
        if before is None:
            return set()
        del self.objects[obj.kind][key]
        changed: set[Question] = {("object", key), ("spec", key), ("exists", key), ("kind", obj.kind)}
        self._reindex(key, before, None, changed)
        return changed

    def differences(self, kind: str, listing: Listing) -> list[Event]:
        """The events that bring what is known of a Kind to what a server listed; what is newer here stays."""
        horizon = int(listing.resource_version or 0)
        events = [Event(EventType.MODIFIED, obj) for obj in listing.objects]
        present = {obj.key for obj in listing.objects}
        for obj in self.objects[kind].values():
            if obj.key not in present and _version(obj) <= horizon:
                last = obj.with_metadata(resource_version=listing.resource_version)
                events.append(Event(EventType.DELETED, last))
        return events

    def _bury(self, key: Key, version: int) -> None:
        self._tombstones[key] = max(version, self._tombstones.pop(key, 0))
        if len(self._tombstones) > _MOST_TOMBSTONES:
            self._tombstones.popitem(last=False)

    def _reindex(self, key: Key, before: AnyObject | None, after: AnyObject | None, changed: set[Question]) -> None:
        for index, parts in self._contributions(key.kind):
            old, new = _by_slot(parts, before), _by_slot(parts, after)
            if old == new:
                continue
            for slot in {**old, **new}:
                was, now = old.get(slot, []), new.get(slot, [])
                if was == now:
                    continue
                changed.add((index.name, slot))
                if isinstance(index, NumberIndex):
                    self._recount(index.name, slot, was, now)
                else:
                    self._refile(index.name, slot, key, now)

    def _contributions(self, kind: str) -> list[_Part]:
        """A Kind's contributions by index: several to one index are one set of entries."""
        grouped = self._parts.get(kind)
        if grouped is None:
            by_index: dict[Index[Any] | NumberIndex, list[Contribution]] = {}
            for part in cast("Iterable[Contribution]", self.registry[kind].indexes):
                by_index.setdefault(part.index, []).append(part)
            grouped = self._parts[kind] = list(by_index.items())
        return grouped

    def _recount(self, name: str, slot: Hashable, was: list[int], now: list[int]) -> None:
        slots = self._numbers.setdefault(name, {})
        numbers = slots.setdefault(slot, NumberSet())
        for number in was:
            numbers.discard(number)
        for number in now:
            numbers.add(number)
        if not numbers:
            del slots[slot]

    def _refile(self, name: str, slot: Hashable, key: Key, now: list[Any]) -> None:
        slots = self._indexes.setdefault(name, {})
        filed = slots.setdefault(slot, {})
        if now:
            filed[key] = tuple(now)
            return
        filed.pop(key, None)
        if not filed:
            del slots[slot]

    def entries(self, index: str, slot: Hashable) -> Mapping[Key, tuple[Any, ...]]:
        return self._indexes.get(index, {}).get(slot, _EMPTY)

    def numbers(self, index: str, slot: Hashable) -> NumberSet:
        numbers = self._numbers.get(index, {}).get(slot)
        return numbers if numbers is not None else NumberSet()


_EMPTY: Mapping[Key, tuple[Any, ...]] = {}


def _by_slot(parts: list[Contribution], obj: AnyObject | None) -> dict[Hashable, list[Any]]:
    slots: dict[Hashable, list[Any]] = {}
    if obj is not None:
        for part in parts:
            for slot, value in part.entries(obj):
                slots.setdefault(slot, []).append(value)
    return slots


def _is_newer(obj: AnyObject, than: AnyObject) -> bool:
    return _version(obj) > _version(than)


def _version(obj: AnyObject) -> int:
    # An API server's resourceVersions are opaque but, by its own documentation since 1.35, comparable as numbers.
    return int(obj.metadata.resource_version or 0)


def _looks_different(before: AnyObject, after: AnyObject) -> bool:
    """Whether anything but status changed."""
    if before.spec is not after.spec and before.spec != after.spec:
        return True
    old, new = before.metadata, after.metadata
    return (
        old.uid != new.uid
        or old.deletion_timestamp != new.deletion_timestamp
        or old.annotations != new.annotations
        or old.labels != new.labels
        or old.owner_references != new.owner_references
        or old.finalizers != new.finalizers
    )


@define(eq=False)
class Reader:
    """Questions to the cache; `asked` collects them, for whoever wants to know when an answer changes."""

    cache: Cache
    asked: set[Question] = field(factory=set[Question])

    @property
    def registry(self) -> Registry:
        return self.cache.registry

    @property
    def settings(self) -> Settings:
        return self.cache.settings

    def get(self, kind: Kind[SpecT, StatusT], name: str, namespace: str = "") -> Object[SpecT, StatusT] | None:
        """An object in whole: a later step follows any change of it, status included."""
        key = Key(kind.name, namespace, name)
        self.asked.add(("object", key))
        return cast("Object[SpecT, StatusT] | None", self.cache.get(key))

    def get_spec(self, kind: Kind[SpecT, StatusT], name: str, namespace: str = "") -> Object[SpecT, StatusT] | None:
        """An object of which only metadata and spec matter: changes of its status wake nobody."""
        key = Key(kind.name, namespace, name)
        self.asked.add(("spec", key))
        return cast("Object[SpecT, StatusT] | None", self.cache.get(key))

    def knows(self, api_version: str, kind: str) -> bool:
        """Whether objects of this Kind can be looked up: another group's Kind of the same name is not it."""
        return kind in self.cache.objects and self.registry[kind].api_version == api_version

    def look(self, key: Key) -> AnyObject | None:
        """Any object by its key, of which only metadata and spec matter; None also for a Kind nobody knows."""
        if key.kind not in self.cache.objects:
            return None
        self.asked.add(("spec", key))
        return self.cache.get(key)

    def exists(self, key: Key) -> bool:
        """Whether there is such an object, whatever it says; False also for a Kind nobody knows."""
        if key.kind not in self.cache.objects:
            return False
        self.asked.add(("exists", key))
        return self.cache.get(key) is not None

    def all(self, kind: Kind[SpecT, StatusT]) -> Iterable[Object[SpecT, StatusT]]:
        """All objects of a Kind, by name; only their specs and existence matter."""
        self.asked.add(("kind", kind.name))
        held = self.cache.objects[kind.name]
        return cast("Iterable[Object[SpecT, StatusT]]", [held[key] for key in sorted(held)])

    def entries(self, index: Index[ValueT], slot: Hashable) -> Mapping[Key, tuple[ValueT, ...]]:
        """Who contributed what under a key of an index, unordered."""
        self.asked.add((index.name, slot))
        return cast("Mapping[Key, tuple[ValueT, ...]]", self.cache.entries(index.name, slot))

    def values(self, index: Index[ValueT], slot: Hashable) -> list[ValueT]:
        """What was contributed under a key of an index, in order of the contributors' keys."""
        filed = self.entries(index, slot)
        return [value for key in sorted(filed) for value in filed[key]]

    def numbers(self, index: NumberIndex, slot: Hashable) -> NumberSet:
        """The numbers under a key; the set is the cache's own and must not be changed."""
        self.asked.add((index.name, slot))
        return self.cache.numbers(index.name, slot)
