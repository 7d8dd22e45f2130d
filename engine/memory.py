"""A store in memory that behaves like an API server where it matters to a controller (`engine.store` says how).

The lab, the scenarios and `plan` run on it, with the same admission as a cluster.
Inside all is synchronous: a write, what it deletes in turn and the events of both are one step, and nobody sees half
of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from attrs import define, evolve, field

from juneau.engine.admission import Admission, Operation
from juneau.engine.clock import Clock
from juneau.engine.errors import (
    AlreadyExists,
    APIError,
    BadRequest,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
)
from juneau.engine.history import History, QueueWatch
from juneau.engine.incarnations import Incarnations
from juneau.engine.kind import Registry
from juneau.engine.metadata import creation_violations, update_violations
from juneau.engine.objects import AnyObject, Key, Metadata, Object
from juneau.engine.ownership import NAMESPACE, Ownership
from juneau.engine.store import Event, EventType, Listing


@define(eq=False)
class MemoryStore:
    """All objects of the registry's Kinds, at one global resourceVersion that each write counts up.

    `log_size` is how many events of each Kind a watch can resume from.
    """

    registry: Registry
    clock: Clock
    admission: Sequence[Admission] = ()
    log_size: int = 4096
    _version: int = field(default=0, init=False)
    _objects: dict[str, dict[Key, AnyObject]] = field(init=False)
    _histories: dict[str, History] = field(init=False)
    _listeners: tuple[Callable[[Event], None], ...] = field(default=(), init=False)
    _incarnations: Incarnations = field(factory=Incarnations, init=False)
    _ownership: Ownership = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._objects = {kind.name: {} for kind in self.registry}
        self._histories = {kind.name: History(self.log_size) for kind in self.registry}
        self._ownership = Ownership(frozenset(self._objects))

    def subscribe(self, callback: Callable[[Event], None]) -> None:
        """Have each event told at its commit, before the write returns; the callback must not write."""
        self._listeners = (*self._listeners, callback)

    async def get(self, key: Key) -> AnyObject:
        return self._held(key)

    async def list(self, kind: str) -> Listing:
        held = self._of_kind(kind)
        return Listing(tuple(held[key] for key in sorted(held)), str(self._version))

    def watch(self, kind: str, resource_version: str) -> QueueWatch:
        """Events after that version; with an empty one, first an ADDED for each object that is there."""
        held = self._of_kind(kind)
        history = self._histories[kind]
        if not resource_version:
            return history.watch(deque(Event(EventType.ADDED, held[key]) for key in sorted(held)))
        if not resource_version.isdecimal():
            raise BadRequest(f"invalid resource version: {resource_version}")
        version = int(resource_version)
        if version > self._version:
            # From before a restart: what this store would tell does not follow on what the watcher knows.
            return history.lost(version)
        return history.since(version)

    async def create(self, obj: AnyObject) -> AnyObject:
        key = obj.key
        self._check_creation(obj, key)
        admitted = self._admit(Operation.CREATE, obj, None)
        given = admitted.metadata
        metadata = Metadata(
            key.name,
            key.namespace,
            self._incarnations.begin(key),
            str(self._version + 1),
            1,
            self.clock.now(),
            None,
            given.finalizers,
            given.owner_references,
            given.labels,
            given.annotations,
        )
        # A status comes by `update_status` alone.
        created = Object(key.kind, metadata, admitted.spec, self.registry[key.kind].status())
        self._objects[key.kind][key] = created
        self._ownership.add(key, metadata)
        self._publish(EventType.ADDED, created)
        self._collect()
        return created

    async def update(self, obj: AnyObject) -> AnyObject:
        key = obj.key
        old = self._held(key)
        self._check_preconditions(key, old, obj.metadata.uid, obj.metadata.resource_version)
        new = self._merge(old, obj)
        if new is old:
            return old
        admitted = self._admit(Operation.UPDATE, new, old)
        if admitted is not new:
            new = self._merge(old, admitted)
            if new is old:
                return old
        if self._is_held_up(new):
            self._objects[key.kind][key] = new
            self._ownership.move(key, old.metadata, new.metadata)
            self._publish(EventType.MODIFIED, new)
        else:
            self._remove(key, new)
        self._collect()
        return new

    async def update_status(self, obj: AnyObject) -> AnyObject:
        key = obj.key
        old = self._held(key)
        self._check_preconditions(key, old, obj.metadata.uid, obj.metadata.resource_version)
        if obj.status is old.status or obj.status == old.status:
            return old
        new = Object(key.kind, self._restamped(old.metadata), old.spec, obj.status)
        self._objects[key.kind][key] = new
        self._publish(EventType.MODIFIED, new)
        return new

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        obj = self._held(key)
        self._check_preconditions(key, obj, uid, resource_version)
        if not obj.deleting:
            self._begin_deletion(key, obj)
            self._collect()

    def _of_kind(self, kind: str) -> dict[Key, AnyObject]:
        held = self._objects.get(kind)
        if held is None:
            raise BadRequest(f'the server has no Kind "{kind}"')
        return held

    def _held(self, key: Key) -> AnyObject:
        obj = self._of_kind(key.kind).get(key)
        if obj is None:
            raise NotFound(key)
        return obj

    def _check_creation(self, obj: AnyObject, key: Key) -> None:
        held = self._of_kind(key.kind)
        if obj.metadata.resource_version:
            raise BadRequest("resourceVersion should not be set on objects to be created")
        violations = creation_violations(obj.metadata, self.registry[key.kind])
        if violations:
            raise Invalid(key.kind, key.name, violations)
        if key in held:
            raise AlreadyExists(key)
        if key.namespace and NAMESPACE in self._objects:
            namespace = Key(NAMESPACE, "", key.namespace)
            if self._held(namespace).deleting:
                raise Forbidden(key, f"Namespace {key.namespace} is being deleted; create it in another one")

    def _check_preconditions(self, key: Key, obj: AnyObject, uid: str, resource_version: str) -> None:
        held = obj.metadata
        if uid and uid != held.uid:
            raise Conflict(key, f"the object has another uid, {held.uid}, than the one asked for, {uid}")
        if resource_version and resource_version != held.resource_version:
            raise Conflict(key)

    def _admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
        for link in self.admission:
            admitted = link.admit(operation, new, old)
            if new is not None:
                new = admitted
        obj = new if new is not None else old
        assert obj is not None
        return obj

    def _merge(self, old: AnyObject, obj: AnyObject) -> AnyObject:
        """The held object with the writer's spec and metadata; the held one itself where nothing changes."""
        held, given = old.metadata, obj.metadata
        changes_spec = obj.spec is not old.spec and obj.spec != old.spec
        if not changes_spec and (
            given is held
            or (
                given.finalizers == held.finalizers
                and given.labels == held.labels
                and given.annotations == held.annotations
                and given.owner_references == held.owner_references
                and given.creation_timestamp in (None, held.creation_timestamp)
            )
        ):
            return old
        violations = update_violations(held, given)
        if violations:
            raise Invalid(old.kind, held.name, violations)
        metadata = Metadata(
            held.name,
            held.namespace,
            held.uid,
            str(self._version + 1),
            held.generation + changes_spec,
            held.creation_timestamp,
            held.deletion_timestamp,
            given.finalizers,
            given.owner_references,
            given.labels,
            given.annotations,
        )
        return Object(old.kind, metadata, obj.spec if changes_spec else old.spec, old.status)

    def _restamped(self, held: Metadata, *, deleting: bool = False) -> Metadata:
        """The same metadata under the next resourceVersion, marked as being deleted if so asked."""
        return Metadata(
            held.name,
            held.namespace,
            held.uid,
            str(self._version + 1),
            held.generation + deleting,
            held.creation_timestamp,
            self.clock.now() if deleting else held.deletion_timestamp,
            held.finalizers,
            held.owner_references,
            held.labels,
            held.annotations,
        )

    def _is_held_up(self, obj: AnyObject) -> bool:
        """Whether the object stays: it is not being deleted, or a finalizer or what is inside it holds it."""
        metadata = obj.metadata
        return (
            metadata.deletion_timestamp is None
            or bool(metadata.finalizers)
            or (obj.kind == NAMESPACE and self._ownership.has_contents(metadata.name))
        )

    def _begin_deletion(self, key: Key, obj: AnyObject) -> None:
        self._admit(Operation.DELETE, None, obj)
        # Of a Namespace that goes its status tells, too: its controller is part of the API server.
        status = evolve(obj.status, phase="Terminating") if key.kind == NAMESPACE else obj.status
        marked = Object(key.kind, self._restamped(obj.metadata, deleting=True), obj.spec, status)
        if not self._is_held_up(marked):
            self._remove(key, Object(key.kind, self._restamped(obj.metadata), obj.spec, obj.status))
            return
        self._objects[key.kind][key] = marked
        self._publish(EventType.MODIFIED, marked)
        if key.kind == NAMESPACE:
            self._ownership.condemn_contents(key.name)

    def _remove(self, key: Key, last: AnyObject) -> None:
        """Drop an object for good; `last` is its last state, under the version of the removal."""
        filed = self._objects[key.kind].pop(key)
        self._incarnations.end(key)
        self._ownership.remove(key, filed.metadata)
        self._publish(EventType.DELETED, last)

    def _publish(self, type_: EventType, obj: AnyObject) -> None:
        self._version += 1
        event = Event(type_, obj)
        self._histories[obj.kind].record(self._version, event)
        for listener in self._listeners:
            listener(event)

    def _collect(self) -> None:
        """Delete what is left without an owner or inside a Namespace that goes, and what that leaves in turn."""
        while (key := self._ownership.next_due()) is not None:
            obj = self._objects[key.kind].get(key) if key.kind in self._objects else None
            if obj is None:
                continue
            if obj.deleting:
                if not self._is_held_up(obj):
                    self._remove(key, Object(key.kind, self._restamped(obj.metadata), obj.spec, obj.status))
            elif self._ownership.is_orphaned(obj.metadata) or self._is_in_dying_namespace(key):
                try:
                    self._begin_deletion(key, obj)
                except APIError:
                    self._ownership.postpone(key)

    def _is_in_dying_namespace(self, key: Key) -> bool:
        if not key.namespace or NAMESPACE not in self._objects:
            return False
        namespace = self._objects[NAMESPACE].get(Key(NAMESPACE, "", key.namespace))
        return namespace is not None and namespace.deleting
