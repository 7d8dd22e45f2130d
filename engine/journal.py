"""The journal: for each object its last transitions, and since when it waits; in memory, for people who ask."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Hashable, Iterable, Sequence

from attrs import Factory, define, frozen

from juneau.engine.machine import Wait
from juneau.engine.objects import Key, Time


@frozen
class Transition:
    """An object went from one phase to another, or changed its reason within one."""

    when: Time
    source: str
    dest: str
    reason: str
    message: str = ""
    cause: tuple[Hashable, ...] = ()  # what woke the step: the last answer about the world that changed


@define
class Journal:
    """A ring of transitions per object; those of objects that are gone are kept for a while, oldest dropped first."""

    per_object: int = 16
    kept_after_deletion: int = 1000
    _waits: dict[Key, dict[tuple[Key, str], Time]] = Factory(dict[Key, dict[tuple[Key, str], Time]])
    _rings: dict[Key, deque[Transition]] = Factory(dict[Key, deque[Transition]])
    _gone: OrderedDict[Key, None] = Factory(OrderedDict[Key, None])  # a set in order of departure

    def record(self, key: Key, transition: Transition) -> None:
        """Note a transition."""
        ring = self._rings.get(key)
        if ring is None:
            ring = self._rings[key] = deque(maxlen=self.per_object)
        self._gone.pop(key, None)  # it is back
        ring.append(transition)

    def of(self, key: Key) -> Sequence[Transition]:
        """An object's transitions, oldest first."""
        return tuple(self._rings.get(key, ()))

    def note_waits(self, key: Key, waits: Iterable[Wait], now: Time) -> None:
        """What an object waits for as of now; a wait that was there before keeps its time."""
        before = self._waits.pop(key, {})
        current = {(wait.on, wait.field): before.get((wait.on, wait.field), now) for wait in waits}
        if current:
            self._waits[key] = current

    def waiting_since(self, key: Key, wait: Wait) -> Time | None:
        """When a wait began, if it is one that was noted."""
        return self._waits.get(key, {}).get((wait.on, wait.field))

    def forget(self, key: Key) -> None:
        """The object is gone: its ring may be dropped once many others have gone after it."""
        self._waits.pop(key, None)
        if key not in self._rings:
            return
        self._gone.setdefault(key)
        if len(self._gone) > self.kept_after_deletion:
            oldest, _ = self._gone.popitem(last=False)
            del self._rings[oldest]
