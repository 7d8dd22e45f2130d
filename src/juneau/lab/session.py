"""A lab in conversation: does one thing after the other, each until all is at rest, and tells what came of it.

Commands and people speak to a lab through a session, in the words of kubectl: what was done and what was refused, with
file and document.
What is refused changes nothing, and the next thing is done all the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ipaddress import IPv4Network
from typing import cast

from attrs import Factory, define, field, frozen

from juneau.engine.clock import VirtualClock
from juneau.engine.documents import Document
from juneau.engine.driver import DriverKind, Site
from juneau.engine.errors import APIError, BadRequest, JuneauError, NotFound
from juneau.engine.kind import AnyKind, Registry
from juneau.engine.machine import Phase
from juneau.engine.objects import AnyObject, Condition, Key, Time, condition
from juneau.engine.outcome import Note
from juneau.engine.ownership import NAMESPACE
from juneau.engine.settings import NodeSettings, Settings
from juneau.engine.step import VALID
from juneau.engine.store import Event
from juneau.engine.table import Group
from juneau.lab.immediate import run
from juneau.lab.lab import DEFAULT_NODES, Change, Lab
from juneau.lab.mtus import MtuWatch
from juneau.lab.nodes import UNDERLAY
from juneau.lab.outside import OutsideSettings
from juneau.lab.plain import plain
from juneau.lab.reference import Reference
from juneau.resources import pod
from juneau.resources.pod import CONDITION as NETWORK_READY
from juneau.resources.pod import NODE_NOT_CHOSEN, WAITING_FOR_NICS
from juneau.resources.podspec import has_ended
from juneau.resources.policy import POLICY_ENFORCED

# Virtual time begins here, so that the same input gives the same output on every day.
BEGINNING = Time(1767225600.0)  # 2026-01-01T00:00:00Z
_MOST_LISTED = 10
_MOST_EVENTS = 10_000  # the latest; an API server forgets them after an hour
_UNFINISHED = (Phase.PENDING, Phase.ALLOCATED, Phase.FAILED)


@frozen
class Underlay:
    """The network between the Nodes; Subnets need 50 bytes more there than their NICs' MTU."""

    cidr: IPv4Network = UNDERLAY
    mtu: int = 1600


@define(eq=False)
class Session:
    """A lab and what was said about it; make it with `Session.start`.

    `say` gets one line at a time: progress, warnings, and refusals, which `refusals` counts.
    """

    site: Site
    say: Callable[[str], None]
    clock: VirtualClock
    lab: Lab = field(init=False)
    refusals: int = 0
    applied: dict[Key, None] = Factory(dict[Key, None])
    events: deque[tuple[Time, Key, Note]] = Factory(lambda: deque[tuple[Time, Key, Note]](maxlen=_MOST_EVENTS))
    _news: dict[tuple[Key, str], None] = Factory(dict[tuple[Key, str], None])
    _told: set[tuple[Key, str]] = Factory(set[tuple[Key, str]])

    @classmethod
    def start(
        cls,
        driver: type[DriverKind],
        say: Callable[[str], None],
        nodes: Sequence[str] = DEFAULT_NODES,
        settings: Settings | None = None,
        underlay: Underlay = Underlay(),
        node_settings: NodeSettings | None = None,
        outside: OutsideSettings | None = None,
    ) -> Session:
        """A session with a lab at rest."""
        clock = VirtualClock(BEGINNING)
        session = cls(driver.site(clock, underlay.mtu, underlay.cidr), say, clock)
        session.lab = run(
            Lab.start(session.site, clock, nodes, settings, session._note, underlay.cidr, node_settings, outside)
        )
        session.lab.store.subscribe(session._look_for_warnings)
        mtus = MtuWatch(underlay.mtu, session.tell)
        session.lab.store.subscribe(mtus.look)
        mtus.begin()
        return session

    def apply(self, document: Document) -> None:
        """Create or update the object of a document."""
        place = f'"{document.source}" (document {document.number}{_item(document)}, line {document.line})'
        if document.error:
            self.refuse(f"error: error parsing {document.error} (document {document.number})")
            return
        try:
            applied = run(self.lab.apply_document(document.content))
        except BadRequest as error:
            self.refuse(f"error: error validating {place}: {error.message}")
        except APIError as error:
            self.refuse(f"Error from server ({error.reason}): error when {self._doing(document)} {place}: {error}")
        except JuneauError as error:
            self.refuse(f"error: {place}: {error}")
        else:
            self.applied[applied.obj.key] = None
            self.tell(f"{self._full_name(applied.obj.key)} {applied.change}")
            if applied.change is not Change.UNCHANGED or not self.lab.loop.queue.idle:
                self._settle()

    def _doing(self, document: Document) -> str:
        """What the document would have done, for an error."""
        content = _mapping(document.content)
        kind, metadata = content.get("kind"), _mapping(content.get("metadata"))
        name, space = metadata.get("name"), metadata.get("namespace")
        if not isinstance(kind, str) or not isinstance(name, str) or kind not in self.lab.registry.kinds:
            return "creating"
        held = self.lab.get(kind, name, space if isinstance(space, str) else "")
        return "creating" if held is None else "updating"

    def delete(self, reference: Reference) -> None:
        """Delete an object."""
        key = self.key_of(reference)
        if key is None:
            return
        try:
            run(self.lab.delete(key))
        except NotFound:
            self.refuse_missing(key)
            return
        except APIError as error:
            self.refuse(f"Error from server ({error.reason}): {error.message}")
            return
        self._settle()
        held = self.lab.cache.get(key)
        if held is None or not held.deleting:
            self.tell(f"{self._full_name(key)} deleted")
        else:
            self.tell(f"{self._full_name(key)} is being deleted, and stays until {self._holders(held)}")

    def _holders(self, obj: AnyObject) -> str:
        """What keeps an object that is being deleted: its finalizers, and of a Namespace what is in it."""
        inside = sorted(held.key for held in self.lab.cache if obj.kind == NAMESPACE and held.namespace == obj.name)
        reasons: list[str] = []
        if obj.metadata.finalizers:
            reasons.append(f"these finalizers are gone: {', '.join(obj.metadata.finalizers)}")
        if inside:
            names = ", ".join(f"{key.kind} {key.name}" for key in inside[:_MOST_LISTED])
            more = f" and {len(inside) - _MOST_LISTED} more" if len(inside) > _MOST_LISTED else ""
            reasons.append(f"what is in it is gone: {names}{more}")
        return ", and until ".join(reasons)

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        try:
            run(self.lab.advance(seconds))
        except JuneauError as error:
            self.refuse(f"error: {error}")
        self._tell_news()

    def _settle(self) -> None:
        try:
            run(self.lab.settle())
        except JuneauError as error:
            self.refuse(f"error: {error}")
        self._tell_news()

    def kind_of(self, word: str, hint: str = "") -> AnyKind | None:
        """The Kind that a word means; one that nobody knows is refused, with the hint or with all that are known."""
        found = self.lab.registry.find(word)
        if found is None:
            more = hint or f"there are {', '.join(kind_words(self.lab.registry))}"
            self.refuse(f'error: the server doesn\'t have a resource type "{word}"; {more}')
        return found

    def find(self, reference: Reference) -> AnyObject | None:
        """The object of that name; one that is not there is refused."""
        key = self.key_of(reference)
        if key is None:
            return None
        held = self.lab.cache.get(key)
        if held is None:
            self.refuse_missing(key)
        return held

    def refuse_missing(self, key: Key, hint: str = "") -> None:
        """Tell that an object is not there, where it was looked for, where one of that name is, and the hint."""
        kind = self.lab.registry[key.kind]
        where = f" in namespace {key.namespace}" if kind.namespaced else ""
        others = sorted(held.namespace for held in self.lab.cache if (held.kind, held.name) == (key.kind, key.name))
        there = f"; there is one in namespace {', '.join(others[:_MOST_LISTED])}" if others else ""
        self.refuse(f"Error from server (NotFound): {NotFound(key).message}{where}{there}{hint and f'; {hint}'}")

    def select(self, references: Iterable[Reference]) -> list[Group]:
        """What the references name, by Kind in the order of their first mention, each object once."""
        found: dict[str, dict[Key, AnyObject]] = {}
        before: Reference | None = None  # a Kind alone, so that the next word may be a name
        for reference in references:
            hint = f"to mean one object, write {before.kind}/{reference}" if before is not None else ""
            kind = self.kind_of(reference.kind, hint)
            before = reference if kind is not None and not reference.name else None
            if kind is None:
                continue
            group = found.setdefault(kind.name, {})
            if not reference.name:
                group.update({obj.key: obj for obj in self.lab.list(kind.name)})
            elif (obj := self.find(reference)) is not None:
                group[obj.key] = obj
        return [(self.lab.registry[name], list(group.values())) for name, group in found.items()]

    def everything_applied(self) -> list[Group]:
        """The objects of the documents that were applied, as they are now, by Kind."""
        found: dict[str, list[AnyObject]] = {}
        for key in self.applied:
            obj = self.lab.cache.get(key)
            if obj is not None:
                found.setdefault(key.kind, []).append(obj)
        return [(self.lab.registry[name], group) for name, group in found.items()]

    def key_of(self, reference: Reference) -> Key | None:
        """The key that a reference means; what it cannot mean is refused."""
        kind = self.kind_of(reference.kind)
        if kind is None:
            return None
        if reference.namespace and not kind.namespaced:
            where = f"{reference.kind}/{reference.name}"
            self.refuse(f"error: {kind.name} is not in a namespace; write {where}")
            return None
        return Key(kind.name, (reference.namespace or "default") if kind.namespaced else "", reference.name)

    def _full_name(self, key: Key) -> str:
        kind = self.lab.registry[key.kind]
        return f"{kind.name.lower()}{'.' if kind.group else ''}{kind.group}/{key.name}"

    def refuse(self, line: str) -> None:
        """Tell what was not done, and count it."""
        self.refusals += 1
        self.tell(line)

    def tell(self, line: str) -> None:
        """Say a line, whatever manifests have put into it."""
        self.say(plain(line))

    def _note(self, obj: AnyObject, note: Note) -> None:
        self.events.append((self.clock.now(), obj.key, note))
        if note.type == "Warning":
            self._news[obj.key, note.message] = None

    def _look_for_warnings(self, event: Event) -> None:
        """What is accepted and yet not as it should be."""
        for type_ in (POLICY_ENFORCED, VALID):
            held = condition(event.obj, type_)
            if held is not None and held.status == "False":
                self._news[event.obj.key, held.message] = None

    def _tell_news(self) -> None:
        """Warnings that still hold, each once; a state that was only passed through is no news."""
        for key, message in self._news:
            obj = self.lab.cache.get(key)
            current = _statements(obj) if obj is not None else ()
            holds = any(held.status == "False" and held.message == message for held in current)
            if holds and (key, message) not in self._told:
                self._told.add((key, message))
                self.tell(f"Warning: {key.kind} {'/'.join(part for part in key[1:] if part)}: {message}")
        self._news.clear()

    def tell_what_waits(self) -> None:
        """The objects that are not Ready and about which nothing was said, a line each; of many only the number."""
        found = ((obj, self._why_not_ready(obj)) for obj in self.lab.cache)
        waiting = [(obj, why) for obj, why in found if why is not None and (obj.key, why.message) not in self._told]
        waiting.sort(key=lambda found: found[0].key)
        for obj, why in waiting[:_MOST_LISTED]:
            message = f": {why.message}" if why.message else ""
            self.tell(f"Not ready: {obj.key} ({why.reason}{message})")
        if len(waiting) > _MOST_LISTED:
            self.tell(f"Not ready: {len(waiting) - _MOST_LISTED} more")

    def _why_not_ready(self, obj: AnyObject) -> Condition | Note | None:
        """The condition that is False, or what scheduler and kubelet say where that condition waits for them."""
        unmet, refusal = _unmet(obj), self.lab.kubelets.why_not.get(obj.key)
        is_theirs = unmet is None or unmet.reason in (NODE_NOT_CHOSEN, WAITING_FOR_NICS)
        return refusal if refusal is not None and is_theirs else unmet


def kind_words(registry: Registry) -> Iterator[str]:
    """Each Kind's plural, with its short names."""
    for kind in sorted(registry, key=lambda kind: kind.plural):
        yield f"{kind.plural} ({', '.join(kind.short_names)})" if kind.short_names else kind.plural


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _item(document: Document) -> str:
    return f", item {document.item}" if document.item else ""


def _statements(obj: AnyObject) -> tuple[Condition, ...]:
    conditions: tuple[Condition, ...] = obj.status.conditions
    return conditions


def _unmet(obj: AnyObject) -> Condition | None:
    """The condition that is False; what has phases of other names than Juneau's usual ones, such as leases, is done."""
    if obj.kind == pod.KIND.name and has_ended(obj):
        return None
    told = (NETWORK_READY,) if obj.status.phase not in _UNFINISHED else ("Ready", NETWORK_READY)
    return next((held for held in _statements(obj) if held.type in told and held.status == "False"), None)
