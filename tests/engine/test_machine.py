"""Rows in order, the first that holds wins; the same rows draw the diagram."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
from attrs import frozen

from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import Key

POOL = Key("AllocationPool", "", "vni")


@frozen
class Facts:
    broken: bool = False
    number: int | None = None
    released: bool = False


def spec_is_broken(facts: Facts) -> bool:
    return facts.broken


def number_is_missing(facts: Facts) -> bool:
    return facts.number is None


def is_released(facts: Facts) -> bool:
    return facts.released


BROKEN: Row[Facts] = Row(spec_is_broken, Phase.FAILED, "Broken", lambda _: "mend it")
NUMBERLESS: Row[Facts] = Row(
    number_is_missing, Phase.PENDING, "NoNumber", waits=lambda _: (Wait(POOL, "status.free", "no number is free"),)
)
RELEASED: Row[Facts] = Row(is_released, Phase.ALLOCATED, "Released", source=Phase.READY)
READY: Row[Facts] = Row(None, Phase.READY, "Ready", lambda facts: f"has {facts.number}")
MACHINE: PhaseMachine[Facts] = PhaseMachine((BROKEN, NUMBERLESS, RELEASED, READY))


def test_the_first_row_that_holds_wins() -> None:
    """Rows are tried in their order, so an earlier one hides those behind it."""
    assert MACHINE.run("Pending", Facts(broken=True)) == Verdict(Phase.FAILED, "Broken", "mend it")
    turned: PhaseMachine[Facts] = PhaseMachine((NUMBERLESS, BROKEN, READY))
    assert turned.run("Pending", Facts(broken=True)).reason == "NoNumber"


def test_a_verdict_carries_what_is_waited_for() -> None:
    """The row's own waits and message, made of the facts."""
    assert MACHINE.run("Pending", Facts()).waits == (Wait(POOL, "status.free", "no number is free"),)
    assert MACHINE.run("Pending", Facts(number=5)).message == "has 5"


@pytest.mark.parametrize(("phase", "reason"), [("Ready", "Released"), ("Pending", "Ready"), ("Failed", "Ready")])
def test_a_row_with_a_source_holds_in_that_phase_only(phase: str, reason: str) -> None:
    """In any other phase the object goes on to the next row."""
    assert MACHINE.run(phase, Facts(number=5, released=True)).reason == reason


@pytest.mark.parametrize("phase", ["", "Unheard-of"])
def test_an_unknown_phase_counts_as_the_first(phase: str) -> None:
    """An object without a status, or with one of another version, begins anew."""
    begun: PhaseMachine[Facts] = PhaseMachine((Row(None, Phase.READY, "Begun", source=Phase.PENDING), READY))
    assert begun.run(phase, Facts()).reason == "Begun"


def test_staying_in_a_phase_is_a_step_too() -> None:
    """A Ready object is judged like any other."""
    assert MACHINE.run("Ready", Facts(number=5)) == Verdict(Phase.READY, "Ready", "has 5")
    assert MACHINE.run("Ready", Facts(number=5)).is_ready


def test_a_machine_remembers_nothing() -> None:
    """The same question has the same answer, whatever was asked before."""
    before = MACHINE.run("Pending", Facts(number=5))
    MACHINE.run("Ready", Facts(broken=True))
    assert MACHINE.run("Pending", Facts(number=5)) == before


@pytest.mark.parametrize(
    "rows", [(), (BROKEN,), (READY, BROKEN), (Row[Facts](None, Phase.READY, "Ready", source=Phase.PENDING),)]
)
def test_the_last_row_has_to_hold_always(rows: tuple[Row[Facts], ...]) -> None:
    """Rows that leave a case open are refused when the machine is made."""
    with pytest.raises(ValueError, match="the last row of a phase machine must hold always"):
        PhaseMachine(rows)


def test_a_kind_may_have_its_own_phases() -> None:
    """The first of them is the initial one."""

    class Light(StrEnum):
        OFF = "Off"
        ON = "On"

    switch: PhaseMachine[Any] = PhaseMachine(
        (Row(None, Light.ON, "Pressed", source=Light.OFF), Row(None, Light.OFF, "Rest")), Light
    )
    assert [switch.run(phase, None).phase for phase in ("", "Off", "On")] == ["On", "On", "Off"]


def test_an_error_in_a_predicate_is_not_hidden() -> None:
    """What a predicate raises reaches the loop, which marks the object."""

    def divides(_facts: Facts) -> bool:
        raise ZeroDivisionError

    machine: PhaseMachine[Facts] = PhaseMachine((Row(divides, Phase.FAILED, "Never"), READY))
    with pytest.raises(ZeroDivisionError):
        machine.run("Pending", Facts())
    assert MACHINE.run("Pending", Facts(number=1)).is_ready


def test_the_diagram_shows_phases_and_predicates() -> None:
    """The Mermaid text names each phase and, on its arrows, when it is entered."""
    drawn = MACHINE.diagram()
    assert drawn.lstrip().startswith(("---", "stateDiagram"))
    for word in (*Phase, "spec is broken", "number is missing", "is released", "otherwise"):
        assert word in drawn
