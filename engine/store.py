"""Where objects are kept, said as an interface: in memory (`engine.memory`), or an API server.

Behaviour is the API server's: optimistic concurrency by resourceVersion, generation, the status subresource, finalizers
with deletionTimestamp, collection by ownerReferences, watches that resume.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from juneau.engine.objects import AnyObject, Key


class EventType(StrEnum):
    """What happened to an object."""

    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"


@frozen
class Event:
    """An object changed; for DELETED, `obj` is its last state, under the resourceVersion of the deletion."""

    type: EventType
    obj: AnyObject


@frozen
class Listing:
    """All objects of a Kind at one resourceVersion, from which a watch can go on."""

    objects: tuple[AnyObject, ...]
    resource_version: str


class Watch(Protocol):
    """A stream of events after one resourceVersion."""

    def drain(self) -> Sequence[Event]:
        """What has arrived and was not read yet; raises Gone where events were lost."""
        ...

    def __aiter__(self) -> AsyncIterator[Event]: ...

    def close(self) -> None: ...


class Store(Protocol):
    """Reads and writes of objects; every write returns the object as stored.

    Raises Invalid, Forbidden, NotFound, AlreadyExists or Conflict (`engine.errors`).
    """

    async def get(self, key: Key) -> AnyObject:
        """The object as the server has it now."""
        ...

    async def list(self, kind: str) -> Listing: ...

    async def create(self, obj: AnyObject) -> AnyObject:
        """Store a new object, with an empty status whatever is given."""
        ...

    async def update(self, obj: AnyObject) -> AnyObject:
        """Replace metadata and spec, not status; an empty resourceVersion skips the conflict check.

        On an object that is being deleted, dropping the last finalizer removes it.
        """
        ...

    async def update_status(self, obj: AnyObject) -> AnyObject:
        """Replace status alone."""
        ...

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        """Begin deletion; with finalizers the object stays, marked; `uid` and `resource_version` are preconditions."""
        ...

    def watch(self, kind: str, resource_version: str) -> Watch: ...
