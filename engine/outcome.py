"""What one step of an object concludes: a frozen value, committed by the loop under optimistic concurrency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import frozen

from juneau.engine.machine import Verdict, Wait
from juneau.engine.objects import AnyObject, Condition, Key, Time


@frozen
class Create:
    """Make an object; `undo` deletes it again if a later write of the same step meets a conflict."""

    obj: AnyObject
    undo: bool = False


@frozen
class Update:
    """Write metadata and spec under the resourceVersion that was read."""

    obj: AnyObject


@frozen
class UpdateStatus:
    """Write an object's status under the resourceVersion that was read.

    `lock`: the status guards other objects, and all of them have to be known as of that resourceVersion.
    """

    obj: AnyObject
    lock: bool = False


@frozen
class Delete:
    """Ask for an object's deletion; with `uid`, only of that very one. What is gone already is no error.

    With `resource_version`, only while nobody has changed it since: otherwise the step is dropped.
    """

    key: Key
    uid: str = ""
    resource_version: str = ""


@frozen
class Absent:
    """Go on only if there is no such object, as the server says: a cache may not know yet what was made elsewhere."""

    key: Key


@frozen
class Unchanged:
    """Go on only if an object still is as it was read, as the server says: a cache may lag behind."""

    obj: AnyObject


Write: TypeAlias = Create | Update | UpdateStatus | Delete | Absent | Unchanged


@frozen
class Note:
    """An Event for people: `type` is Normal or Warning."""

    type: str
    reason: str
    message: str


@frozen
class Outcome:
    """What should hold after a step.

    `status` lacks what the loop fills in (phase, observedGeneration, the times of conditions).
    `conditions` maps a type to (holds, reason, message); Ready follows from the verdict unless it is given.
    Order of commit: finalizers that are added, `writes` in their order, status, finalizers that are dropped.
    `again` is the time of the next look, for what no event announces.
    """

    verdict: Verdict
    status: Any
    conditions: Mapping[str, tuple[bool, str, str]] = {}
    writes: tuple[Write, ...] = ()
    finalizers: tuple[str, ...] | None = None
    notes: tuple[Note, ...] = ()
    again: Time | None = None

    @property
    def waits(self) -> tuple[Wait, ...]:
        return self.verdict.waits


def merge_conditions(
    held: tuple[Condition, ...],
    wanted: Mapping[str, tuple[bool, str, str]],
    generation: int,
    now: Time,
) -> tuple[Condition, ...]:
    """The conditions to store: those wanted, with a new transition time only where the status flips; others are kept.

    An unchanged statement gives an equal value, so that an unchanged world writes nothing.
    """
    by_type = {condition.type: condition for condition in held}
    for type_, (holds, reason, message) in wanted.items():
        status = "True" if holds else "False"
        before = by_type.get(type_)
        if before is None or before.status != status:
            by_type[type_] = Condition(type_, status, reason, message, now, generation)
        elif (before.reason, before.message, before.observed_generation) != (reason, message, generation):
            by_type[type_] = Condition(type_, status, reason, message, before.last_transition_time, generation)
    return tuple(by_type.values())
