"""From objects to intents: what every object asks of dataplanes, kept up to date as the world changes.

Where several objects want the same intent key, the highest rank wins, at one stroke for all nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import Factory, define

from juneau.engine.intents import Intent, IntentKey
from juneau.engine.objects import Key
from juneau.engine.tracking import Askers
from juneau.engine.world import Cache, Question, Reader


@define(eq=False)
class IntentMap:
    """All intents of all objects; `refresh` computes anew what `invalidate` marked, and tells listeners the keys."""

    cache: Cache
    computations: int = 0  # of all intents of one object
    _by_object: dict[Key, dict[IntentKey, Intent]] = Factory(dict[Key, dict[IntentKey, Intent]])
    _wanted: dict[IntentKey, dict[Key, Intent]] = Factory(dict[IntentKey, dict[Key, Intent]])
    _settled: dict[IntentKey, Intent] = Factory(dict[IntentKey, Intent])
    _stale: dict[Key, None] = Factory(dict[Key, None])  # a set in order of arrival
    _askers: Askers = Factory(Askers)
    _listeners: list[Callable[[set[IntentKey]], None]] = Factory(list[Callable[[set[IntentKey]], None]])

    def listen(self, callback: Callable[[set[IntentKey]], None]) -> None:
        """Be told the keys whose settled intent has changed, at every refresh."""
        self._listeners.append(callback)

    def leave(self, callback: Callable[[set[IntentKey]], None]) -> None:
        """Be told nothing more."""
        self._listeners.remove(callback)

    def invalidate(self, key: Key, changed: Iterable[Question]) -> None:
        """An object changed, and with it these answers."""
        self._stale[key] = None
        for question in changed:
            for asker in self._askers.take(question):
                self._stale[asker] = None

    def refresh(self) -> bool:
        """Bring intents up to date; whether any changed."""
        touched: set[IntentKey] = set()
        stale, self._stale = self._stale, {}
        for key in stale:
            self._recompute(key, touched)
        changed = {intent_key for intent_key in touched if self._settle(intent_key)}
        if changed:
            for listener in self._listeners:
                listener(changed)
        return bool(changed)

    def _recompute(self, key: Key, touched: set[IntentKey]) -> None:
        self.computations += 1
        obj = self.cache.get(key)
        reader = Reader(self.cache)
        kind = self.cache.registry[key.kind]
        new = {intent.key: intent for intent in kind.intents(obj, reader)} if obj is not None else {}
        self._askers.remember(key, reader.asked)
        old = self._by_object.get(key, {})
        for intent_key in old.keys() - new.keys():
            wanted = self._wanted[intent_key]
            del wanted[key]
            if not wanted:
                del self._wanted[intent_key]
            touched.add(intent_key)
        for intent_key, intent in new.items():
            before = old.get(intent_key)
            if before is None or before != intent or before.rank != intent.rank:
                self._wanted.setdefault(intent_key, {})[key] = intent
                touched.add(intent_key)
        if new:
            self._by_object[key] = new
        else:
            self._by_object.pop(key, None)

    def _settle(self, intent_key: IntentKey) -> bool:
        wanted = self._wanted.get(intent_key)
        before = self._settled.get(intent_key)
        if not wanted:
            self._settled.pop(intent_key, None)
            return before is not None
        winner = self._winner(wanted)
        self._settled[intent_key] = wanted[winner]
        return before != wanted[winner]

    def owner_of(self, intent_key: IntentKey) -> Key | None:
        """The object that a settled intent comes from."""
        wanted = self._wanted.get(intent_key)
        return self._winner(wanted) if wanted else None

    @staticmethod
    def _winner(wanted: Mapping[Key, Intent]) -> Key:
        return max(wanted, key=lambda key: (wanted[key].rank, key))

    def desired(self, node: str) -> Mapping[IntentKey, Intent]:
        """What should hold on a node."""
        return {key: intent for key, intent in self._settled.items() if intent.placed_on in (None, node)}

    def desired_of(self, node: str, keys: Iterable[IntentKey]) -> Mapping[IntentKey, Intent]:
        """The same, of these keys only."""
        found: dict[IntentKey, Intent] = {}
        for key in keys:
            intent = self._settled.get(key)
            if intent is not None and intent.placed_on in (None, node):
                found[key] = intent
        return found
