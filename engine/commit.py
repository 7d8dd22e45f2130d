"""Committing what a step concluded: writes in their order, under the resourceVersions that were read.

Used by the loop alone; an own write counts at once, since it is handed back by `hear` before its event comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import attrs
from attrs import Factory, define

from juneau.engine.errors import AlreadyExists, Conflict, Forbidden, Invalid, NotFound
from juneau.engine.objects import AnyObject, Key
from juneau.engine.outcome import Absent, Create, Delete, Outcome, Update, UpdateStatus, Write
from juneau.engine.store import Event, EventType, Store
from juneau.engine.world import Cache


@define(eq=False)
class Committer:
    """Writes for a loop: `hear` takes an event into its cache, `wake` makes a key due again."""

    store: Store
    cache: Cache
    hear: Callable[[Event], object]
    wake: Callable[[Key], None]
    writes_made: int = 0
    _own_writes: dict[Key, list[str]] = Factory(dict[Key, list[str]])  # in flight: what was heard of them so far
    _trusted: dict[Key, str] = Factory(dict[Key, str])  # locks, at the resourceVersion we know all they guard for

    def is_writing(self, event: Event) -> bool:
        """Whether an event may be that of an own write that is in flight; `write_own` judges it when that is done."""
        heard = self._own_writes.get(event.obj.key)
        if heard is None or event.type is EventType.DELETED:
            return False
        heard.append(event.obj.metadata.resource_version)
        return True

    def forget(self, key: Key) -> None:
        """The object is gone."""
        self._trusted.pop(key, None)

    async def commit(self, obj: AnyObject, after: AnyObject, outcome: Outcome) -> None:
        """Finalizers that are added, the writes, the status, finalizers that are dropped.

        Raises what the store raises.
        """
        current = obj
        wanted = outcome.finalizers
        if wanted is not None and set(wanted) - set(obj.metadata.finalizers):
            current = await self.write_own(Update(current.with_metadata(finalizers=wanted)))
        current = await self._write_all(outcome.writes, current)
        if after.status != obj.status:
            stored = attrs.evolve(current, status=after.status)
            current = await self.write_own(UpdateStatus(stored))
        if wanted is not None and set(obj.metadata.finalizers) - set(wanted):
            await self.write_own(Update(current.with_metadata(finalizers=wanted)))

    async def write_own(self, write: Update | UpdateStatus) -> AnyObject:
        """Write the object itself without waking it: a step at once after a step concludes the same.

        What somebody else wrote in the meantime wakes it.
        """
        key = write.obj.key
        heard = self._own_writes[key] = list[str]()
        try:
            stored = await self._write(write)
        finally:
            del self._own_writes[key]
        if any(version != stored.metadata.resource_version for version in heard):
            self.wake(key)
        return stored

    async def _write_all(self, writes: Sequence[Write], own: AnyObject) -> AnyObject:
        """Make the writes in their order; returns the object of the step as it is after them."""
        made: list[AnyObject] = []
        try:
            for write in writes:
                if isinstance(write, Delete):
                    await self._delete(write)
                    continue
                if isinstance(write, Absent):
                    await self._confirm(write)
                    continue
                stored = await self._write(write)
                if isinstance(write, Create) and write.undo:
                    made.append(stored)
                if stored.key == own.key:
                    own = stored
        except (Conflict, AlreadyExists, NotFound, Invalid, Forbidden):
            for stored in reversed(made):
                # Whoever has changed it since relies on it, and judges it in a step of his own.
                with suppress(Conflict):
                    await self._delete(Delete(stored.key, stored.metadata.uid, stored.metadata.resource_version))
            raise
        return own

    async def _write(self, write: Create | Update | UpdateStatus) -> AnyObject:
        trusted = self._is_trusted(write)
        if isinstance(write, UpdateStatus) and write.lock and not trusted:
            # Somebody else wrote this lock since all that it guards was read: what the step chose may be taken.
            raise Conflict(write.obj.key)
        self.writes_made += 1
        if isinstance(write, Create):
            stored = await self.store.create(write.obj)
        elif isinstance(write, Update):
            stored = await self.store.update(write.obj)
        else:
            stored = await self.store.update_status(write.obj)
        if trusted:
            self._trusted[stored.key] = stored.metadata.resource_version
        # The own write counts at once; its event, when it comes, is old news.
        if stored.deleting and not stored.metadata.finalizers:
            self.hear(Event(EventType.DELETED, stored))
        else:
            self.hear(Event(EventType.MODIFIED, stored))
        return stored

    def _is_trusted(self, write: Create | Update | UpdateStatus) -> bool:
        """Whether a lock is written on top of a state that was read together with all that it guards."""
        obj = write.obj
        if not self.cache.registry[obj.kind].lock:
            return False
        return isinstance(write, Create) or self._trusted.get(obj.key) == obj.metadata.resource_version

    async def _delete(self, write: Delete) -> None:
        self.writes_made += 1
        try:
            await self.store.delete(write.key, write.uid, write.resource_version)
        except NotFound:
            pass  # gone already, which is what was wanted
        except Conflict:
            if write.resource_version or not write.uid:
                raise

    async def _confirm(self, absence: Absent) -> None:
        try:
            found = await self.store.get(absence.key)
        except NotFound:
            return
        self.hear(Event(EventType.MODIFIED, found))
        raise Conflict(absence.key, "the object is there after all")

    async def catch_up(self, key: Key) -> None:
        """Read what a dropped step was about from the server: the object, and all of the Kinds its Kind names.

        Locks are read first, so that what is read after them is at least as new; they are trusted when all is read.
        """
        try:
            self.hear(Event(EventType.MODIFIED, await self.store.get(key)))
        except NotFound:
            obj = self.cache.get(key)
            if obj is not None:
                self.hear(Event(EventType.DELETED, obj))
        locks: dict[Key, str] = {}
        for name in self.cache.registry[key.kind].reread:
            locks |= await self._relist(name)
        self._trusted |= locks

    async def _relist(self, kind: str) -> dict[Key, str]:
        """Read a Kind from the server; returns its locks."""
        listing = await self.store.list(kind)
        for event in self.cache.differences(kind, listing):
            self.hear(event)
        if not self.cache.registry[kind].lock:
            return {}
        return {obj.key: obj.metadata.resource_version for obj in listing.objects}
