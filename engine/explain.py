"""Why an object is not Ready, to the end of the chain: whom it waits for, whom those wait for, and so on.

The same pure step that the loop takes is asked again, so that an explanation is never older than the world.
Also objects that do not exist are explained: who else is asked for tells `makers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import evolve, frozen

from juneau.engine.machine import Wait
from juneau.engine.objects import AnyObject, Condition, Key, Time
from juneau.engine.step import READY, take_step
from juneau.engine.table import duration_text
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


def explain(cache: Cache, key: Key, now: Time, makers: Makers = _nobody) -> Explanation:
    """The tree of waits from one object on.

    `makers` says what an object that does not exist waits for: that is known only to who knows the Kinds.
    """
    return _Explainer(cache, now, makers).explain(key, ())


@frozen
class _Explainer:
    cache: Cache
    now: Time
    makers: Makers

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
        since = _since(obj, verdict.reason)
        found = Explanation(key, verdict.phase, verdict.reason, verdict.message, since)
        return self._with_links(found, (*outcome.waits,), above)

    def _with_links(self, found: Explanation, waits: Iterable[Wait], above: tuple[Key, ...]) -> Explanation:
        path = (*above, found.key)
        links: list[Link] = []
        distinct = list(dict.fromkeys(waits))
        for wait in distinct[:MOST_LINKS]:
            followed = wait.on not in path and len(path) < MOST_DEPTH
            since = wait.since if wait.since is not None else found.since
            links.append(Link(evolve(wait, since=since), self.explain(wait.on, path) if followed else None))
        return evolve(found, links=tuple(links), left_out=len(distinct) - len(links))


def _since(obj: AnyObject, reason: str) -> Time | None:
    """Since when it is as it is: the condition Ready tells, on others' Kinds the one that has the same reason."""
    conditions: tuple[Condition, ...] = obj.status.conditions
    told = [held for held in conditions if held.type == READY or held.reason == reason]
    told.sort(key=lambda held: held.type != READY)
    return told[0].last_transition_time if told else None


def render(explanation: Explanation, now: Time) -> str:
    """The tree as text, a line per object and one more where there is more to say."""
    return "".join(f"{line}\n" for line in _lines(explanation, now))


def _lines(found: Explanation, now: Time) -> Iterator[str]:
    yield _headline(found, now)
    branches = [*found.links]
    bar = "|   " if branches else "    "
    if found.message:
        yield f"{bar}{found.message}"
    for place, link in enumerate(branches):
        last = place == len(branches) - 1 and not found.left_out
        inner = list(_link_lines(found, link, now))
        yield f"`-- {inner[0]}" if last else f"|-- {inner[0]}"
        for line in inner[1:]:
            yield f"{'    ' if last else '|   '}{line}"
    if found.left_out:
        yield f"`-- and {found.left_out} more"


def _headline(found: Explanation, now: Time) -> str:
    name = "/".join(part for part in found.key[1:] if part)
    reason = f" ({found.reason})" if found.reason else ""
    state = found.state if found.state == MISSING else f"is {found.state}{reason}"
    since = f" for {duration_text(now - found.since)}" if found.since is not None else ""
    return f"{found.key.kind} {name} {state}{since}"


def _link_lines(found: Explanation, link: Link, now: Time) -> Iterator[str]:
    wait, target = link.wait, link.target
    if target is None:
        own = wait.on == found.key
        who = "its own" if own else f"{wait.on.kind} {'/'.join(part for part in wait.on[1:] if part)}, which stands above:"
        yield f"waits for {who} {wait.field}" + (f": {wait.message}" if wait.message else "")
        return
    needs = "to exist" if wait.field == "metadata" else wait.field
    said = wait.message and wait.message != MISSING and wait.message not in (target.message, found.message)
    yield f"waits for {needs}" + (f": {wait.message}" if said else "")
    for line in _lines(target, now):
        yield f"    {line}"
