"""One step of one object: facts, rules, verdict, outcome, and the status to store; pure, so anybody may run it.

The loop takes it to commit it, `explain` to ask why, an audit to see what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from juneau.engine.errors import Violation, distinct
from juneau.engine.kind import AnyKind
from juneau.engine.machine import Verdict
from juneau.engine.objects import AnyObject, Time
from juneau.engine.outcome import Outcome, merge_conditions
from juneau.engine.shape import shape_violations
from juneau.engine.world import Reader

VALID = "Valid"
READY = "Ready"
STEP_FAILED = "ReconcileFailed"  # reason of the chief condition where a step cannot be taken or committed


def take_step(kind: AnyKind, obj: AnyObject, world: Reader, now: Time) -> tuple[Outcome, AnyObject]:
    """What follows from the world for this object, and the object as it should be stored.

    Raises ValueError for a Kind without controller.
    """
    controller = kind.controller
    if controller is None:
        raise ValueError(f"{kind.name} has no controller")
    broken = () if kind.foreign or obj.deleting else violations_of(kind, obj, world)
    failed = [rule for rule in broken if rule.settled and rule.refused and not rule.audit_only]
    if failed and kind.invalid is not None:
        # Nothing follows from an object that makes no sense by itself; what it has, it keeps.
        phase, reason = kind.invalid
        outcome = Outcome(Verdict(phase, reason, "; ".join(map(str, failed))), obj.status)
    else:
        facts = controller.facts(obj, world, now)
        outcome = controller.outcome(facts, controller.machine.run(str(obj.status.phase), facts))
    generation = obj.metadata.generation
    if kind.foreign:
        # The phase and most conditions of the API server's own Kinds belong to others.
        conditions = merge_conditions(obj.status.conditions, outcome.conditions, generation, now)
        return outcome, attrs.evolve(obj, status=attrs.evolve(outcome.status, conditions=conditions))
    wanted = {
        READY: (outcome.verdict.is_ready, outcome.verdict.reason, outcome.verdict.message),
        **outcome.conditions,
        **_validity(obj, [rule for rule in broken if rule.refused]),
    }
    status = attrs.evolve(
        outcome.status,
        phase=outcome.verdict.phase,
        observed_generation=generation,
        conditions=merge_conditions(obj.status.conditions, wanted, generation, now),
    )
    return outcome, attrs.evolve(obj, status=status)


def violations_of(kind: AnyKind, obj: AnyObject, world: Reader) -> tuple[Violation, ...]:
    """The rules that a stored object breaks today, also those that came after it was stored."""
    return tuple(distinct((*shape_violations(obj.spec), *kind.validate(obj, None, world))))


def _validity(obj: AnyObject, broken: Sequence[Violation]) -> Mapping[str, tuple[bool, str, str]]:
    """The condition Valid: shown only once a rule was found broken, then kept up to date."""
    if broken:
        return {VALID: (False, "RulesBroken", "; ".join(map(str, broken)))}
    if not obj.deleting and any(condition.type == VALID for condition in obj.status.conditions):
        return {VALID: (True, "RulesKept", "")}
    return {}
