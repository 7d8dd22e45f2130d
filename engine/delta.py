"""Desired against actual: what to add, change and remove, in dependency order; written once for all drivers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from juneau.engine.intents import Intent, IntentKey


@frozen
class Delta:
    """A step from what holds to what should; `change` pairs are (old, new) of one key."""

    remove: tuple[Intent, ...] = ()
    add: tuple[Intent, ...] = ()
    change: tuple[tuple[Intent, Intent], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.remove or self.add or self.change)

    def keys(self) -> set[IntentKey]:
        """Of the intents that it touches."""
        return {intent.key for intent in (*self.remove, *self.add, *(new for _, new in self.change))}

    @property
    def size(self) -> int:
        """How many intents it touches."""
        return len(self.remove) + len(self.add) + len(self.change)


def difference(
    desired: Mapping[IntentKey, Intent],
    actual: Mapping[IntentKey, Intent],
    keys: Iterable[IntentKey] | None = None,
) -> Delta:
    """What makes `actual` into `desired`; with `keys`, only of these.

    What depends on other things is removed before them and added after them (`Intent.order`); equal input gives equal
    output, whatever the order of the mappings.
    """
    chosen = set(keys) if keys is not None else desired.keys() | actual.keys()
    remove: list[Intent] = []
    add: list[Intent] = []
    change: list[tuple[Intent, Intent]] = []
    for key in chosen:
        want, have = desired.get(key), actual.get(key)
        if have is None:
            if want is not None:
                add.append(want)
        elif want is None:
            remove.append(have)
        elif want != have:
            change.append((have, want))
    remove.sort(key=_place, reverse=True)
    add.sort(key=_place)
    change.sort(key=lambda pair: _place(pair[1]))
    return Delta(tuple(remove), tuple(add), tuple(change))


def _place(intent: Intent) -> tuple[int, tuple[str, ...]]:
    return (intent.order, tuple(map(str, intent.key)))
