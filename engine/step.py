"""One step of one object: facts, rules, verdict, outcome, and the status to store; pure, so anybody may run it.

The loop takes it to commit it, `explain` to ask why, an audit to see what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
from attrs import define, field

from juneau.engine.errors import Violation, distinct
from juneau.engine.kind import AnyKind, Kind
from juneau.engine.machine import Verdict
from juneau.engine.objects import AnyObject, Key, Object, SpecT, StatusT, Time
from juneau.engine.outcome import Create, Delete, Outcome, Update, UpdateStatus, merge_conditions
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
    judged = not kind.foreign and not obj.deleting
    broken = _broken_rules(kind, obj, world) if judged else ()
    found = tuple(kind.audit(obj, world)) if judged else ()
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
    lasting = _lasting(kind, found, obj, outcome, world) if found else ()
    wanted = {
        READY: (outcome.verdict.is_ready, outcome.verdict.reason, outcome.verdict.message),
        **outcome.conditions,
        **_validity(obj, [rule for rule in distinct((*broken, *lasting)) if rule.refused]),
    }
    status = attrs.evolve(
        outcome.status,
        phase=outcome.verdict.phase,
        observed_generation=generation,
        conditions=merge_conditions(obj.status.conditions, wanted, generation, now),
    )
    return outcome, attrs.evolve(obj, status=status)


def violations_of(kind: AnyKind, obj: AnyObject, world: Reader) -> tuple[Violation, ...]:
    """The rules that a stored object breaks today, also those that are newer than it, and what an audit finds."""
    return tuple(distinct((*_broken_rules(kind, obj, world), *kind.audit(obj, world))))


def _broken_rules(kind: AnyKind, obj: AnyObject, world: Reader) -> tuple[Violation, ...]:
    shape = () if kind.foreign else shape_violations(obj.spec)
    return tuple(distinct((*shape, *kind.validate(obj, None, world))))


def _lasting(
    kind: AnyKind, found: Sequence[Violation], obj: AnyObject, outcome: Outcome, world: Reader
) -> Sequence[Violation]:
    """What an audit finds also once this step is committed: what it heals itself is no finding."""
    after = attrs.evolve(obj, status=attrs.evolve(outcome.status, phase=outcome.verdict.phase))
    still = set(map(str, kind.audit(after, _Foreseen(world.cache, world.asked, _writes(outcome)))))
    return [finding for finding in found if str(finding) in still]


def _writes(outcome: Outcome) -> Mapping[Key, AnyObject | None]:
    found: dict[Key, AnyObject | None] = {}
    for write in outcome.writes:
        if isinstance(write, Create | Update | UpdateStatus):
            found[write.obj.key] = write.obj
        elif isinstance(write, Delete):
            found[write.key] = None
    return found


@define(eq=False)
class _Foreseen(Reader):
    """The world with what a step is about to write; indexes are as they were."""

    written: Mapping[Key, AnyObject | None] = field(factory=dict[Key, AnyObject | None])

    def get(self, kind: Kind[SpecT, StatusT], name: str, namespace: str = "") -> Object[SpecT, StatusT] | None:
        held = super().get(kind, name, namespace)
        return self.written.get(Key(kind.name, namespace, name), held)

    def get_spec(self, kind: Kind[SpecT, StatusT], name: str, namespace: str = "") -> Object[SpecT, StatusT] | None:
        held = super().get_spec(kind, name, namespace)
        return self.written.get(Key(kind.name, namespace, name), held)

    def look(self, key: Key) -> AnyObject | None:
        return self.written.get(key, super().look(key))

    def exists(self, key: Key) -> bool:
        exists = super().exists(key)
        return self.written[key] is not None if key in self.written else exists


def _validity(obj: AnyObject, broken: Sequence[Violation]) -> Mapping[str, tuple[bool, str, str]]:
    """The condition Valid: shown only once a rule was found broken, then kept up to date."""
    if broken:
        return {VALID: (False, "RulesBroken", "; ".join(map(str, broken)))}
    if not obj.deleting and any(condition.type == VALID for condition in obj.status.conditions):
        return {VALID: (True, "RulesKept", "")}
    return {}
