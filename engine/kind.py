"""What a Kind is: its names, types, columns, rules, rows and intents, registered once.

Conversion, admission, the loop, tables, CRDs and diagrams all read this one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import Factory, define, evolve, frozen

from juneau.engine.errors import Violation
from juneau.engine.fields import FieldShape, shape_of
from juneau.engine.intents import Intent
from juneau.engine.machine import Phase, PhaseMachine, Verdict
from juneau.engine.objects import AnyObject, Metadata, Object, SpecT, StatusT, Time
from juneau.engine.outcome import Outcome

if TYPE_CHECKING:
    from juneau.engine.nodeview import NodeView
    from juneau.engine.world import Contribution, Reader

FactsT = TypeVar("FactsT")

GROUP = "juneau.loutres.me"
VERSION = "v1alpha1"


class Scope(StrEnum):
    """Whether a Kind's objects live in namespaces."""

    CLUSTER = "Cluster"
    NAMESPACED = "Namespaced"


@frozen
class Column:
    """A column of `kubectl get`: a header, and where its value stands (`.spec.vpc`, or the status of a condition).

    `priority` 1 columns show with `-o wide` only; `type` is string, integer or date.
    """

    name: str
    path: str
    type: str = "string"
    priority: int = 0
    description: str = ""

    @classmethod
    def condition(cls, name: str, type_: str = "Ready") -> Column:
        """The status of a condition."""
        return cls(name, f'.status.conditions[?(@.type=="{type_}")].status')


@frozen
class Controller(Generic[FactsT]):
    """How objects of a Kind move: `facts` reads the world, `machine` judges, `outcome` says what follows.

    `summary` marks Kinds whose status counts others; they run when nothing else is due, so that a burst of changes
    costs one pass.
    """

    facts: Callable[[AnyObject, Reader, Time], FactsT]
    machine: PhaseMachine[FactsT]
    outcome: Callable[[FactsT, Verdict], Outcome]


def _unchanged(new: Any, _old: Any, _world: Reader) -> Any:
    return new


def _no_violations(_new: Any, _old: Any, _world: Reader) -> Iterator[Violation]:
    return iter(())


def _no_refusals(_obj: Any, _world: Reader) -> Iterator[str]:
    return iter(())


def _no_intents(_obj: Any, _world: Reader) -> Iterator[Intent]:
    return iter(())


def _no_findings(_obj: Any, _world: Reader) -> Iterator[Violation]:
    return iter(())


def no_report(_obj: Any, _node: Any) -> None:
    """Nodes have nothing to say."""
    return


@frozen(eq=False)
class Kind(Generic[SpecT, StatusT]):
    """One Kind.

    `default(new, old, world)` completes an object before it is judged, `validate(new, old, world)` yields the rules it
    breaks, `refuse_deletion` the reasons against deleting it, `refuse` those against a write that breaks no rule.
    `old` is None on creation, and for `validate` also where the object is stored already.
    `indexes` are what others find it by; `intents` what it asks of dataplanes.
    `report(obj, node)` is the status that the agent of a node leaves on an object after its dataplane was read back;
    None where that node has nothing to say.
    `audit` yields what is wrong with an object that is stored and that no rule of admission could see.
    """

    name: str
    plural: str
    spec: type[SpecT]
    status: type[StatusT]
    scope: Scope
    doc: str
    columns: tuple[Column, ...] = ()
    short_names: tuple[str, ...] = ()
    group: str = GROUP
    version: str = VERSION
    default: Callable[[Object[SpecT, StatusT], Object[SpecT, StatusT] | None, Reader], Object[SpecT, StatusT]] = (
        _unchanged
    )
    validate: Callable[[Object[SpecT, StatusT], Object[SpecT, StatusT] | None, Reader], Iterable[Violation]] = (
        _no_violations
    )
    refuse: Callable[[Object[SpecT, StatusT], Reader], Iterable[str]] = _no_refusals
    refuse_deletion: Callable[[Object[SpecT, StatusT], Reader], Iterable[str]] = _no_refusals
    indexes: tuple[Contribution, ...] = ()
    controller: Controller[Any] | None = None
    intents: Callable[[Object[SpecT, StatusT], Reader], Iterable[Intent]] = _no_intents
    report: Callable[[Object[SpecT, StatusT], NodeView], StatusT | None] = no_report
    audit: Callable[[Object[SpecT, StatusT], Reader], Iterable[Violation]] = _no_findings
    summary: bool = False
    chief_condition: str = "Ready"
    # Phase and reason of a stored object that makes no sense by itself; None where the rows judge that.
    invalid: tuple[str, str] | None = (Phase.FAILED.value, "Invalid")
    foreign: bool = False  # the API server's own Kind: no CRD, and its spec is not judged beyond `validate`
    lock: bool = False  # its status is written only by who knows all that it guards (`reread` of who writes it)
    reread: tuple[str, ...] = ()  # Kinds to read from the server after a conflict, where the own one is not enough
    age_column: bool = False

    @property
    def failed_phase(self) -> str:
        """The phase of an object that cannot go on."""
        return self.invalid[0] if self.invalid is not None else Phase.FAILED.value

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases that its objects can be in, once a controller has looked at them; none without a controller."""
        if self.controller is None:
            return ()
        phases = [phase.value for phase in self.controller.machine.phases]
        return tuple(dict.fromkeys((*phases, self.failed_phase)))

    @property
    def status_shape(self) -> tuple[FieldShape, ...]:
        """The fields of the status; the phase, which is any text to its type, is one of those that there are."""
        return tuple(
            evolve(shape, mark=evolve(shape.mark, choices=self.phases)) if shape.name == "phase" else shape
            for shape in shape_of(self.status)
        )

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def namespaced(self) -> bool:
        return self.scope is Scope.NAMESPACED

    def new(self, name: str, spec: SpecT, namespace: str = "", **metadata: Any) -> Object[SpecT, StatusT]:
        """An object as a writer makes it: no status yet, nothing filled in."""
        return Object(self.name, Metadata(name=name, namespace=namespace, **metadata), spec, self.status())


AnyKind = Kind[Any, Any]


@define
class Registry:
    """All Kinds by name; also found by plural, singular and short names, without regard to case."""

    kinds: dict[str, AnyKind] = Factory(dict[str, AnyKind])
    _aliases: dict[str, str] = Factory(dict[str, str])

    def add(self, kind: AnyKind) -> None:
        """Register a Kind; a name taken by another one raises ValueError."""
        names = {kind.name.lower(), kind.plural, *kind.short_names, f"{kind.plural}.{kind.group}".rstrip(".")}
        for name in names:
            if self._aliases.get(name, kind.name) != kind.name:
                raise ValueError(f"{name!r} names both {self._aliases[name]} and {kind.name}")
            self._aliases[name] = kind.name
        self.kinds[kind.name] = kind

    def __getitem__(self, name: str) -> AnyKind:
        return self.kinds[name]

    def __iter__(self) -> Iterator[AnyKind]:
        return iter(self.kinds.values())

    def find(self, word: str) -> AnyKind | None:
        """The Kind a person means by a word such as `l2net`, `subnets` or `Vpc`."""
        name = self._aliases.get(word.lower())
        return self.kinds[name] if name is not None else None
