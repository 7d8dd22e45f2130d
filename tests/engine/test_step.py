"""A step is pure: what the world says becomes a status, with the conditions Ready and Valid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import attrs
import pytest
from attrs import frozen

from juneau.engine.errors import Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import AnyKind, Controller, Kind, Registry, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.objects import AnyObject, Condition, Key, Time, condition
from juneau.engine.outcome import Absent, Create, Delete, Outcome, Write, merge_conditions
from juneau.engine.step import take_step, violations_of
from juneau.engine.world import Cache, Reader

NOW = Time(1000.0)


@frozen
class CupSpec:
    full: Annotated[bool, Mark("whether there is tea in it")] = False
    rules_broken: Annotated[int, Mark("how many")] = 0


@frozen
class Status:
    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


def _validate(new: Any, _old: Any, _world: Reader) -> Iterator[Violation]:
    for number in range(new.spec.rules_broken):
        yield Violation(f"spec.rule{number}", "is broken")
    yield Violation("spec.accepted", "waits", refused=False)


MACHINE = PhaseMachine[Any](
    rows=(
        Row(lambda cup: not cup.spec.full, Phase.PENDING, "Empty", lambda _: "pour some tea"),
        Row(None, Phase.READY, "Full"),
    )
)


def _outcome(cup: Any, verdict: Verdict) -> Outcome:
    ready = (verdict.is_ready, verdict.reason, verdict.message)
    return Outcome(verdict, cup.status, {"Warm": (False, "Cold", "")} if verdict.is_ready else {"Ready": ready})


def kind(foreign: bool = False) -> AnyKind:
    controller = Controller[Any](lambda cup, _world, _now: cup, MACHINE, _outcome)
    return Kind("Cup", "cups", CupSpec, Status, Scope.CLUSTER, "A cup.",
                controller=controller, validate=_validate, foreign=foreign)  # fmt: skip


def step(cup: AnyObject, of: AnyKind | None = None, now: float = NOW) -> AnyObject:
    of = of or kind()
    registry = Registry()
    registry.add(of)
    return take_step(of, cup, Reader(Cache(registry)), Time(now))[1]


def cup(**spec: Any) -> AnyObject:
    return kind().new("c", CupSpec(**spec), generation=3)


def test_a_verdict_becomes_phase_and_ready() -> None:
    """With reason and message, for the generation that was read."""
    after = step(cup())
    assert after.status.phase == "Pending"
    assert after.status.observed_generation == 3
    assert condition(after, "Ready") == Condition("Ready", "False", "Empty", "pour some tea", NOW, 3)


def test_other_conditions_stand_beside_ready() -> None:
    """An outcome that says nothing about Ready leaves it to the verdict."""
    after = step(cup(full=True))
    assert [(held.type, held.status) for held in after.status.conditions] == [("Ready", "True"), ("Warm", "False")]


def test_a_step_on_its_own_result_changes_nothing() -> None:
    """At any later time: an unchanged world writes nothing."""
    for spec in ({}, {"full": True}, {"rules_broken": 2}):
        once = step(cup(**spec))
        assert step(once, now=5000.0) == once


def test_a_transition_time_moves_only_with_the_status() -> None:
    """A new message keeps it, a flip sets it."""
    once = step(cup())
    same = step(attrs.evolve(once, metadata=attrs.evolve(once.metadata, generation=4)), now=2000.0)
    ready = condition(same, "Ready")
    assert ready is not None
    assert (ready.last_transition_time, ready.observed_generation) == (NOW, 4)
    flipped = condition(step(once.with_spec(full=True), now=2000.0), "Ready")
    assert flipped is not None
    assert flipped.last_transition_time == 2000.0


def test_a_broken_rule_shows_as_valid_false() -> None:
    """With the messages of admission, and without those that admission lets pass."""
    valid = condition(step(cup(rules_broken=2)), "Valid")
    assert valid is not None
    assert (valid.status, valid.reason) == ("False", "RulesBroken")
    assert valid.message == "spec.rule0: Invalid value: is broken; spec.rule1: Invalid value: is broken"


def test_valid_is_shown_only_once_a_rule_was_broken() -> None:
    """And then kept up to date."""
    assert condition(step(cup()), "Valid") is None
    mended = step(step(cup(rules_broken=1)).with_spec(rules_broken=0))
    valid = condition(mended, "Valid")
    assert valid is not None
    assert (valid.status, valid.reason, valid.message) == ("True", "RulesKept", "")


def test_an_object_that_is_being_deleted_is_not_judged() -> None:
    """Whatever it breaks, it goes."""
    going = cup(rules_broken=1).with_metadata(deletion_timestamp=NOW)
    assert condition(step(going), "Valid") is None


def _audited(outcome: Outcome, claim: str = "") -> AnyKind:
    """A Kind whose audit asks for warm tea, and for another cup if one is named."""

    def audit(cup: Any, world: Reader) -> Iterator[Violation]:
        if cup.status.phase != "Ready":
            yield Violation("status.phase", "is not warm", audit_only=True)
        if claim and not (world.exists(other) and world.look(other) and world.get(made, claim)):
            yield Violation("spec.other", "is alone", audit_only=True)

    other = Key("Cup", "", claim)
    controller = Controller[Any](lambda cup, _world, _now: cup, MACHINE, lambda _facts, _verdict: outcome)
    made = Kind("Cup", "cups", CupSpec, Status, Scope.CLUSTER, "A cup.", controller=controller, audit=audit)
    return made


def test_what_an_audit_finds_shows_as_valid_false_and_changes_no_phase() -> None:
    """The object goes on: only what it breaks by itself makes it Failed."""
    after = step(cup(), _audited(Outcome(Verdict("Pending", "Empty"), Status())))
    valid = condition(after, "Valid")
    assert valid is not None
    assert (valid.status, valid.message) == ("False", "status.phase: Invalid value: is not warm")
    assert after.status.phase == "Pending"


def test_what_a_step_heals_in_its_own_status_is_no_finding() -> None:
    """Else it would be told for good of what is mended: nothing wakes an object after its own write."""
    after = step(cup(full=True), _audited(Outcome(Verdict("Ready", "Full"), Status())))
    assert condition(after, "Valid") is None


def test_what_a_step_heals_by_its_writes_is_no_finding() -> None:
    """An object that it creates counts as being there, and one that it deletes does not."""
    of = _audited(Outcome(Verdict("Ready", "Full"), Status()), "other")
    other = Create(of.new("other", CupSpec()))
    cases: list[tuple[tuple[Write, ...], bool]] = [
        ((), False),
        ((Absent(Key("Cup", "", "x")), other), True),
        ((other, Delete(other.obj.key)), False),
    ]
    for writes, healed in cases:
        after = step(cup(full=True), _audited(Outcome(Verdict("Ready", ""), Status(), writes=writes), "other"))
        assert (condition(after, "Valid") is None) == healed


def test_a_foreign_kind_keeps_its_phase_and_ready() -> None:
    """They belong to the kubelet; only the conditions that the outcome names are Juneau's."""
    theirs = Condition("Ready", "True", "KubeletReady", "", Time(1.0))
    pod = cup(full=True).with_status(phase="Running", conditions=(theirs,))
    after = step(pod, kind(foreign=True))
    assert after.status.phase == "Running"
    assert condition(after, "Ready") == theirs
    assert condition(after, "Warm") is not None
    assert condition(after, "Valid") is None


def test_a_kind_without_controller_takes_no_steps() -> None:
    """To ask for one is a fault of the caller."""
    still = Kind("Stone", "stones", CupSpec, Status, Scope.CLUSTER, "A stone.")
    with pytest.raises(ValueError, match="Stone has no controller"):
        step(still.new("s", CupSpec()), still)


def test_the_rules_of_a_stored_object_can_be_asked_for() -> None:
    """All of them, also those that admission lets pass."""
    registry = Registry()
    registry.add(kind())
    found = violations_of(kind(), cup(rules_broken=1), Reader(Cache(registry)))
    assert [violation.field for violation in found] == ["spec.rule0", "spec.accepted"]


def test_conditions_of_others_are_kept() -> None:
    """Merging adds and changes what is wanted, in place, and nothing else."""
    held = (Condition("Theirs", "True", "Fine"), Condition("Ours", "True", "Good", "", Time(1.0), 1))
    merged = merge_conditions(held, {"Ours": (True, "Good", ""), "New": (False, "Bad", "why")}, 1, NOW)
    assert merged == (*held, Condition("New", "False", "Bad", "why", NOW, 1))
