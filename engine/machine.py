"""Phase machines: rows tried in order, the first that holds wins.

The only module that imports `transitions`.
A machine is pure: facts in, verdict out; no await, no clock, no randomness.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast

import attrs
from attrs import define, field, frozen
from transitions import EventData, Machine
from transitions.extensions import GraphMachine

from juneau.engine.objects import Key, Time

FactsT = TypeVar("FactsT")


class Phase(StrEnum):
    """How far an object has come; conditions are the contract, the phase is their summary for people."""

    PENDING = "Pending"  # a number, an address or a thing it depends on is missing
    ALLOCATED = "Allocated"  # all numbers and addresses are there, something else is awaited
    READY = "Ready"
    FAILED = "Failed"  # time alone heals nothing


@frozen
class Wait:
    """What an object waits for: a field of another object (or of itself), since when."""

    on: Key
    field: str
    message: str = ""
    since: Time | None = None


def _no_message(_facts: Any) -> str:
    return ""


def _no_waits(_facts: Any) -> tuple[Wait, ...]:
    return ()


@frozen
class Row(Generic[FactsT]):
    """If `when` holds (in phase `source`, or in any), the object goes to `dest` for `reason`.

    `when` is a named predicate, which reads after "when" and stands on the arrows of the state diagram; None always
    holds.
    """

    when: Callable[[FactsT], object] | None
    dest: StrEnum
    reason: str
    message: Callable[[FactsT], str] = _no_message
    waits: Callable[[FactsT], Iterable[Wait]] = _no_waits
    source: StrEnum | None = None

    @property
    def condition_name(self) -> str:
        return self.when.__name__.strip("_") if self.when is not None else "otherwise"


@frozen
class Verdict:
    """What a machine concluded about one object."""

    phase: str
    reason: str
    message: str = ""
    waits: tuple[Wait, ...] = ()

    @property
    def is_ready(self) -> bool:
        return self.phase == Phase.READY


@define(eq=False, slots=False)
class _Walker:
    """The throw-away model that one step moves.

    Compared by identity and without slots, as `transitions` needs its models: drawing decorates them.
    """

    state: str
    facts: Any
    row: Row[Any] | None = None


_TRIGGER = "step"


@define(eq=False)
class PhaseMachine(Generic[FactsT]):
    """The rows of one Kind.

    Raises ValueError where the rows leave a case open: the last one has to hold always.
    """

    rows: Sequence[Row[FactsT]]
    phases: type[StrEnum] = Phase
    _machine: Machine | None = field(default=None, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if not self.rows or self.rows[-1].when is not None or self.rows[-1].source is not None:
            raise ValueError("the last row of a phase machine must hold always")

    @property
    def initial(self) -> str:
        return next(iter(self.phases)).value

    def run(self, phase: str, facts: FactsT) -> Verdict:
        """The verdict on an object in `phase`; an unknown phase counts as the first one."""
        if self._machine is None:
            self._machine = self._build(Machine)
        known = phase if phase in set(self.phases) else self.initial
        walker = _Walker(known, facts)
        self._machine.events[_TRIGGER].trigger(walker)
        row = walker.row
        if row is None:
            raise ValueError(f"no row holds in phase {phase}")
        return Verdict(row.dest.value, row.reason, row.message(facts), tuple(row.waits(facts)))

    def diagram(self) -> str:
        """The state diagram in Mermaid; an arrow's text is the first condition that holds."""
        machine = self._build(GraphMachine, graph_engine="mermaid", show_conditions=True)
        model = _Walker(self.initial, None)
        machine.add_model(model, initial=self.initial)
        return _cleaned(str(machine.get_combined_graph().source), [phase.value for phase in self.phases])

    def _build(self, machine_class: type[Machine], **options: Any) -> Machine:
        machine = machine_class(
            model=None,
            states=[phase.value for phase in self.phases],
            initial=self.initial,
            auto_transitions=False,
            send_event=True,
            **options,
        )
        for row in self.rows:
            machine.add_transition(
                _TRIGGER,
                row.source.value if row.source is not None else "*",
                row.dest.value,
                conditions=[_condition(row)],
                before=[_recorder(row)],
            )
        return machine


def _condition(row: Row[Any]) -> Callable[[EventData], bool]:
    when = row.when
    # Named after the predicate: diagrams show the function's name.
    if when is None:

        def otherwise(_event: EventData) -> bool:
            return True

        return otherwise

    def holds(event: EventData) -> bool:
        return bool(when(_walker(event).facts))

    holds.__name__ = row.condition_name
    return holds


def _cleaned(source: str, phases: Sequence[str]) -> str:
    """A drawing without what tells of one moment: no state painted as the active one, no trigger named."""
    lines = source.splitlines()
    begin = next(place for place, line in enumerate(lines) if line.startswith("stateDiagram"))
    spelt = {phase.lower(): phase for phase in phases}
    kept: list[str] = []
    for line in lines[begin:]:
        if re.match(r"\s*(classDef|[Cc]lass)\s", line) or not line.strip():
            continue
        # The library writes the names of states in its own way.
        line = re.sub(r'(?<=state ")[^"]*', lambda name: spelt.get(name[0].lower(), name[0]), line)
        kept.append(re.sub(rf"{_TRIGGER} \[([^\]]*)\]", lambda step: step[1].replace("_", " "), line))
    return "\n".join(kept) + "\n"


def _walker(event: EventData) -> _Walker:
    return cast(_Walker, event.model)


def _recorder(row: Row[Any]) -> Callable[[EventData], None]:
    def record(event: EventData) -> None:
        _walker(event).row = row

    return record


def with_since(waits: Iterable[Wait], since: Time | None) -> tuple[Wait, ...]:
    """The same waits, each with the time it began where it had none."""
    return tuple(wait if wait.since is not None else attrs.evolve(wait, since=since) for wait in waits)
