"""Uids for a store in memory: never the same twice, and the same in every run that does the same.

An object's uid follows from its name and from how many of that name were there before.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha1
from uuid import UUID

from attrs import define, field

from juneau.engine.objects import Key

_NAMESPACE = UUID("6f1f8f2e-8a53-4e0c-9d57-2f6f1f0f7a11").bytes  # any fixed value does


@define(eq=False)
class Incarnations:
    """Counts objects by name; of names that nobody has any more, the last `kept` are remembered."""

    kept: int = 4096
    _alive: dict[Key, int] = field(factory=dict[Key, int], init=False)
    _gone: OrderedDict[Key, int] = field(factory=OrderedDict[Key, int], init=False)
    _highest_forgotten: int = field(default=0, init=False)

    def begin(self, key: Key) -> str:
        """The uid of a new object of that name."""
        # A name that is not remembered may have been there as often as any that was forgotten.
        number = self._alive[key] = self._gone.pop(key, self._highest_forgotten) + 1
        return _uid(f"{key.kind}/{key.namespace}/{key.name}/{number}")

    def end(self, key: Key) -> None:
        """The object is gone."""
        self._gone[key] = self._alive.pop(key)
        if len(self._gone) > self.kept:
            self._highest_forgotten = max(self._highest_forgotten, self._gone.popitem(last=False)[1])


def _uid(text: str) -> str:
    """The same as `uuid5`, without making a UUID on the way, which takes a quarter of a creation."""
    digits = sha1(_NAMESPACE + text.encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"
