"""Who goes away with whom: ownerReferences and the contents of Namespaces, as indexes that cost nothing per write.

`engine.memory` files each object here and asks what is due for deletion after each removal.
Worked off from a queue, never by recursion: a chain of owners may be as long as it likes.
"""

from __future__ import annotations

from collections import deque

from attrs import define, field

from juneau.engine.objects import Key, Metadata, OwnerReference

NAMESPACE = "Namespace"  # the Kind whose objects contain others


@define(eq=False)
class Ownership:
    """Indexes over all objects of `kinds`, and the keys that may have to be deleted.

    An owner of a Kind that is not among them counts as alive: nobody here can know better.
    """

    kinds: frozenset[str]
    _alive: set[str] = field(factory=set[str], init=False)
    _dependents: dict[str, dict[Key, None]] = field(factory=dict[str, dict[Key, None]], init=False)
    _contents: dict[str, dict[Key, None]] = field(factory=dict[str, dict[Key, None]], init=False)
    _due: deque[Key] = field(factory=deque[Key], init=False)
    _refused: deque[Key] = field(factory=deque[Key], init=False)
    _moved: bool = field(default=False, init=False)  # whether anything changed since the refused ones were tried

    def add(self, key: Key, metadata: Metadata) -> None:
        self._alive.add(metadata.uid)
        if key.namespace:
            self._contents.setdefault(key.namespace, {})[key] = None
        if metadata.owner_references:
            self._file(key, metadata)

    def move(self, key: Key, old: Metadata, new: Metadata) -> None:
        """Follow an update."""
        self._moved = True
        if old.owner_references != new.owner_references:
            self._unfile(key, old.owner_references)
            self._file(key, new)

    def remove(self, key: Key, old: Metadata) -> None:
        """Follow a removal: dependents, and a Namespace that was emptied by it, become due.

        `old` is what was last filed.
        """
        self._moved = True
        self._alive.discard(old.uid)
        self._unfile(key, old.owner_references)
        if key.namespace:
            contents = self._contents[key.namespace]
            del contents[key]
            if not contents:
                del self._contents[key.namespace]
                self._due.append(Key(NAMESPACE, "", key.namespace))
        self._due.extend(self._dependents.get(old.uid, ()))

    def has_contents(self, namespace: str) -> bool:
        return namespace in self._contents

    def condemn_contents(self, namespace: str) -> None:
        """A Namespace goes: all that is in it becomes due."""
        self._due.extend(self._contents.get(namespace, ()))

    def is_orphaned(self, metadata: Metadata) -> bool:
        """Whether it has owners and none of them is there any more."""
        owners = metadata.owner_references
        return bool(owners) and not any(owner.uid in self._alive or owner.kind not in self.kinds for owner in owners)

    def next_due(self) -> Key | None:
        """What to look at next; those that could not be deleted come again once something has changed."""
        if not self._due and self._moved:
            self._moved = False
            self._due, self._refused = self._refused, self._due
        return self._due.popleft() if self._due else None

    def postpone(self, key: Key) -> None:
        """Its deletion was refused: not now."""
        self._refused.append(key)

    def _file(self, key: Key, metadata: Metadata) -> None:
        for owner in metadata.owner_references:
            self._dependents.setdefault(owner.uid, {})[key] = None
        if self.is_orphaned(metadata):
            self._due.append(key)

    def _unfile(self, key: Key, owners: tuple[OwnerReference, ...]) -> None:
        for owner in owners:
            dependents = self._dependents.get(owner.uid)
            if dependents is not None:
                dependents.pop(key, None)
                if not dependents:
                    del self._dependents[owner.uid]
