"""Phase machines: rows tried in order, the first that holds wins.

The only module that imports `transitions`.
A machine is pure: facts in, verdict out; no await, no clock, no randomness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast

from attrs import define, field, frozen
from transitions import EventData, Machine

from juneau.engine.objects import Key, Time

FactsT = TypeVar("FactsT", contravariant=True)  # rows on what several Kinds know serve each of them


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
            self._machine = self._build()
        known = phase if phase in set(self.phases) else self.initial
        walker = _Walker(known, facts)
        self._machine.events[_TRIGGER].trigger(walker)
        row = walker.row
        if row is None:
            raise ValueError(f"no row holds in phase {phase}")
        return Verdict(row.dest.value, row.reason, row.message(facts), tuple(row.waits(facts)))

    def diagram(self) -> str:
        """The state diagram in Mermaid, in order of the rows: of those that hold, the first one counts.

        A row that may be taken from every phase is drawn once, from "any phase".
        """
        lines = ["stateDiagram-v2", "  direction LR"]
        lines += [f'  state "{phase.value}" as {phase.value}' for phase in self.phases]
        if any(row.source is None for row in self.rows):
            lines.append('  state "any phase" as any')
        lines.append(f"  [*] --> {self.initial}")
        for row in self.rows:
            source = row.source.value if row.source is not None else "any"
            why = row.condition_name.replace("_", " ")
            lines.append(f"  {source} --> {row.dest.value}: {why} ({row.reason})")
        return "\n".join(lines) + "\n"

    def _build(self) -> Machine:
        machine = Machine(
            model=None,
            states=[phase.value for phase in self.phases],
            initial=self.initial,
            auto_transitions=False,
            send_event=True,
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
    if when is None:

        def otherwise(_event: EventData) -> bool:
            return True

        return otherwise

    def holds(event: EventData) -> bool:
        return bool(when(_walker(event).facts))

    return holds


def _walker(event: EventData) -> _Walker:
    return cast(_Walker, event.model)


def _recorder(row: Row[Any]) -> Callable[[EventData], None]:
    def record(event: EventData) -> None:
        _walker(event).row = row

    return record
