"""Who asked what: the bookkeeping behind wake-ups by dependency."""

from __future__ import annotations

from attrs import Factory, define

from juneau.engine.objects import Key
from juneau.engine.world import Question


@define(eq=False)
class Askers:
    """For each key the questions that its last pass read, and back."""

    _asked: dict[Key, frozenset[Question]] = Factory(dict[Key, frozenset[Question]])
    _askers: dict[Question, set[Key]] = Factory(dict[Question, set[Key]])

    def remember(self, key: Key, asked: set[Question]) -> None:
        """This is what the key's latest pass read; what an earlier one read no longer counts."""
        before = self._asked.get(key, frozenset[Question]())
        if len(before) == len(asked) and before.issuperset(asked):
            return
        for question in before - asked:
            askers = self._askers[question]
            askers.discard(key)
            if not askers:
                del self._askers[question]
        for question in asked - before:
            self._askers.setdefault(question, set()).add(key)
        if asked:
            self._asked[key] = frozenset(asked)
        else:
            self._asked.pop(key, None)

    def take(self, question: Question) -> list[Key]:
        """The keys whose latest pass read this, in order; each is forgotten until its next pass.

        A key that is going to be looked at anyway need not be woken again by everything else that it had read: a
        thousand claims of one pool would otherwise be woken a thousand times each.
        """
        keys = self._askers.pop(question, None)
        if keys is None:
            return []
        for key in keys:
            for other in self._asked.pop(key, ()):
                askers = self._askers.get(other)
                if askers is not None:
                    askers.discard(key)
                    if not askers:
                        del self._askers[other]
        return sorted(keys)
