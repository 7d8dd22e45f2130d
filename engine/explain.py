"""Why an object is not Ready, to the end of the chain: whom it waits for, whom those wait for, and so on.

The same pure step that the loop takes is asked again, so that an explanation is never older than the world.
Also objects that do not exist are explained: who else is asked for tells `makers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import evolve, frozen

from juneau.engine.durations import duration_text
from juneau.engine.journal import Journal
from juneau.engine.machine import Phase, Wait
from juneau.engine.objects import AnyObject, Condition, Key, Time, condition
from juneau.engine.step import READY, STEP_FAILED, take_step
from juneau.engine.world import Cache, Reader

MISSING = "does not exist"
MOST_LINKS = 20  # that are followed from one object
MOST_DEPTH = 30

Makers = Callable[[Key], Iterable[Wait]]


@frozen
class Explanation:
    """One object in the tree: how it is, why, since when, and what it waits for.

    `state` is its phase, or MISSING; `left_out` counts the links that are too many to follow.
    """

    key: Key
    state: str
    reason: str = ""
    message: str = ""
    since: Time | None = None
    links: tuple[Link, ...] = ()
    left_out: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether there is nothing to explain."""
        return self.state == READY

    def ends(self) -> Iterator[Explanation]:
        """Where the chains end: what nothing else is behind."""
        targets = [link.target for link in self.links if link.target is not None]
        if not targets and not self.is_ready:
            yield self
        for target in targets:
            yield from target.ends()


@frozen
class Link:
    """A wait, and the explanation of what is waited for; None where that is the object itself, or stands above."""

    wait: Wait
    target: Explanation | None = None


def _nobody(_key: Key) -> Iterable[Wait]:
    return ()


def explain(cache: Cache, key: Key, now: Time, makers: Makers = _nobody, journal: Journal | None = None) -> Explanation:
    """The tree of waits from one object on.

    `makers` says what an object that does not exist waits for: that is known only to who knows the Kinds.
    `journal` knows since when; without it the conditions tell, which speak of their status only.
    """
    return _Explainer(cache, now, makers, journal or Journal()).explain(key, ())


@frozen
class _Explainer:
    cache: Cache
    now: Time
    makers: Makers
    journal: Journal

    def explain(self, key: Key, above: tuple[Key, ...]) -> Explanation:
        obj = self.cache.get(key) if key.kind in self.cache.objects else None
        if obj is None:
            why = "" if key.kind in self.cache.objects else f"this version of Juneau does not know {key.kind}s"
            return self._with_links(Explanation(key, MISSING, message=why), self.makers(key), above)
        kind = self.cache.registry[key.kind]
        if kind.controller is None:
            return Explanation(key, READY)
        outcome, _ = take_step(kind, obj, Reader(self.cache), self.now)
        verdict = outcome.verdict
        told = condition(obj, kind.chief_condition)
        if told is not None and told.reason == STEP_FAILED:
            # The step may be sure of itself, and nothing of it was committed.
            return Explanation(key, Phase.FAILED, told.reason, told.message, told.last_transition_time)
        found = Explanation(key, verdict.phase, verdict.reason, verdict.message, self._since(obj, verdict.reason))
        return self._with_links(found, (*outcome.waits,), above)

    def _since(self, obj: AnyObject, reason: str) -> Time | None:
        """Since when it is as it is."""
        passed = self.journal.of(obj.key)
        if passed and passed[-1].reason == reason:
            return passed[-1].when
        return _condition_time(obj, reason)

    def _with_links(self, found: Explanation, waits: Iterable[Wait], above: tuple[Key, ...]) -> Explanation:
        path = (*above, found.key)
        links: list[Link] = []
        distinct = list(dict.fromkeys(waits))
        for wait in distinct[:MOST_LINKS]:
            followed = wait.on not in path and len(path) < MOST_DEPTH
            noted = self.journal.waiting_since(found.key, wait)
            since = wait.since or noted or found.since
            links.append(Link(evolve(wait, since=since), self.explain(wait.on, path) if followed else None))
        return evolve(found, links=tuple(links), left_out=len(distinct) - len(links))


def _condition_time(obj: AnyObject, reason: str) -> Time | None:
    """The condition Ready tells, on others' Kinds the one that has the same reason."""
    conditions: tuple[Condition, ...] = obj.status.conditions
    told = [held for held in conditions if held.type == READY or held.reason == reason]
    told.sort(key=lambda held: held.type != READY)
    return told[0].last_transition_time if told else None


def render(explanation: Explanation, now: Time) -> str:
    """The tree as text: a line per object, and below it what there is to say."""
    head = f"{_named(explanation.key)} {_how(explanation, now)}"
    return "".join(f"{line}\n" for line in (head, *_below(explanation, now, (explanation.message,))))


def _named(key: Key) -> str:
    return f"{key.kind} {'/'.join(part for part in key[1:] if part)}"


def _how(found: Explanation, now: Time) -> str:
    if found.state == MISSING:
        return MISSING
    reason = f" ({found.reason})" if found.reason else ""
    since = f" for {duration_text(now - found.since)}" if found.since is not None else ""
    return f"is {found.state}{reason}{since}"


def _below(found: Explanation, now: Time, said: tuple[str, ...]) -> Iterator[str]:
    """What stands below an object's own line: `said`, and its links as branches."""
    branches = [list(_branch(found, link, now)) for link in found.links]
    if found.left_out:
        branches.append([f"and {found.left_out} more"])
    bar = "|   " if branches else "    "
    yield from (f"{bar}{line}" for line in dict.fromkeys(said) if line)
    for place, (first, *more) in enumerate(branches):
        last = place == len(branches) - 1
        yield f"{'`-- ' if last else '|-- '}{first}"
        yield from (f"{'    ' if last else '|   '}{line}" for line in more)


def _branch(found: Explanation, link: Link, now: Time) -> Iterator[str]:
    wait, target = link.wait, link.target
    field = "" if wait.field == "metadata" else f"{wait.field} of "
    message = "" if wait.message in (MISSING, found.message) else wait.message
    # Said where it differs from how long the object itself has been so.
    lasting = f" for {duration_text(now - wait.since)}" if wait.since not in (None, found.since) else ""
    if target is None:
        who = "itself" if wait.on == found.key else f"{_named(wait.on)}, which stands above"
        yield f"waits{lasting} for {field}{who}" + (f": {message}" if message else "")
        return
    yield f"waits{lasting} for {field}{_named(wait.on)}, which {_how(target, now)}"
    yield from _below(target, now, (message, target.message))
