"""Committing what a step concluded: writes in their order, under the resourceVersions that were read.

Used by the loop alone; an own write counts at once, since it is handed back by `hear` before its event comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import attrs
from attrs import Factory, define

from juneau.engine.errors import APIError, Conflict, NotFound
from juneau.engine.objects import AnyObject, Key
from juneau.engine.outcome import Absent, Create, Delete, Outcome, Unchanged, Update, UpdateStatus, Write
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
        current, is_sure = obj, False
        wanted = outcome.finalizers
        if wanted is not None and set(wanted) - set(obj.metadata.finalizers):
            current, is_sure = await self.write_own(Update(current.with_metadata(finalizers=wanted))), True
        current = await self._write_all(outcome.writes, current, is_sure)
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

    async def _write_all(self, writes: Sequence[Write], own: AnyObject, is_sure: bool) -> AnyObject:
        """Make the writes in their order; returns the object of the step as it is after them.

        `is_sure`: that the object is there still, as the server has said in this commit.
        """
        made: list[AnyObject] = []
        try:
            for write in writes:
                if isinstance(write, Create) and not is_sure:
                    await self._confirm_alive(own)
                    is_sure = True
                stored = await self._carry_out(write)
                if stored is None:
                    continue
                if isinstance(write, Create) and write.undo:
                    made.append(stored)
                if stored.key == own.key:
                    own, is_sure = stored, True
        except APIError:
            for stored in reversed(made):
                # Whoever has changed it since relies on it, and judges it in a step of its own.
                with suppress(Conflict):
                    await self._delete(Delete(stored.key, stored.metadata.uid, stored.metadata.resource_version))
            raise
        return own

    async def _carry_out(self, write: Write) -> AnyObject | None:
        """One write; None where it stores nothing."""
        if isinstance(write, Delete):
            await self._delete(write)
        elif isinstance(write, Absent):
            await self._confirm_absent(write.key)
        elif isinstance(write, Unchanged):
            await self._confirm_unchanged(write.obj)
        else:
            return await self._write(write)
        return None

    async def _write(self, write: Create | Update | UpdateStatus) -> AnyObject:
        trusted = self._is_trusted(write)
        if isinstance(write, UpdateStatus) and write.lock and not trusted:
            # Somebody else wrote this lock since all that it guards was read: what the step chose may be taken.
            raise Conflict(write.obj.key)
        self.writes_made += 1
        if isinstance(write, Create):
            stored = await self._create(write.obj)
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

    async def _create(self, obj: AnyObject) -> AnyObject:
        try:
            return await self.store.create(obj)
        except NotFound as missing:
            # Nobody was faster: the Namespace that it should be in is not there, and no new look makes it.
            raise APIError(missing.message) from missing

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

    async def _confirm_alive(self, own: AnyObject) -> None:
        """Before a child is made: its parent is there still, and not about to go.

        What is made for an object that is gone is collected at once, and made anew, for as long as a watch lags behind;
        what the server does not collect would stay for ever.
        """
        found = await self._ask(own.key)
        if found is None:
            raise NotFound(own.key)
        if found.metadata.uid != own.metadata.uid or found.deleting != own.deleting:
            raise Conflict(own.key)

    async def _confirm_absent(self, key: Key) -> None:
        if await self._ask(key) is not None:
            raise Conflict(key, "the object is there after all")

    async def _confirm_unchanged(self, read: AnyObject) -> None:
        found = await self._ask(read.key)
        if found is None:
            raise NotFound(read.key)
        if found.metadata.resource_version != read.metadata.resource_version:
            raise Conflict(read.key)

    async def _ask(self, key: Key) -> AnyObject | None:
        """An object as the server has it, or None; either counts as heard."""
        held = self.cache.get(key)
        try:
            found = await self.store.get(key)
        except NotFound:
            # One that was heard of since the question is another one, and newer.
            if held is not None:
                self.hear(Event(EventType.DELETED, held))
            return None
        self.hear(Event(EventType.MODIFIED, found))
        return found

    async def catch_up(self, key: Key) -> None:
        """Read what a dropped step was about from the server: the object, and all of the Kinds its Kind names.

        Locks are read first, so that what is read after them is at least as new; they are trusted when all is read.
        """
        await self._ask(key)
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
