"""Belonging to a Vpc: it has to exist, and who belongs to it waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from juneau.engine.errors import Cause, Violation
from juneau.engine.machine import Phase, Row, Wait
from juneau.engine.objects import AnyObject, Key, condition, is_ready
from juneau.engine.world import Reader
from juneau.resources.rows import AboutObject


class InVpc(AboutObject, Protocol):
    """Facts about an object with `spec.vpc`; `vpc` is None where there is none of that name."""

    @property
    def vpc(self) -> AnyObject | None: ...


def vpc_violations(name: str, world: Reader) -> Iterator[Violation]:
    """A Vpc that is named has to exist; on a stored object time may bring it."""
    if world.look(Key("Vpc", "", name)) is None:
        yield Violation("spec.vpc", "no such Vpc", Cause.NOT_FOUND, name, settled=False)


def vpc_is_missing(facts: InVpc) -> bool:
    return facts.vpc is None


def vpc_is_not_ready(facts: InVpc) -> bool:
    return facts.vpc is not None and not is_ready(facts.vpc)


def vpc_message(facts: InVpc) -> str:
    """Why an object has to wait for its Vpc."""
    name = facts.obj.spec.vpc
    if facts.vpc is None:
        return f"Vpc {name} does not exist"
    ready = condition(facts.vpc, "Ready")
    why = ": ".join(filter(None, (ready.reason, ready.message))) if ready is not None else "no condition yet"
    return f"Vpc {name} is not Ready: {why}"


def vpc_waits(facts: InVpc) -> tuple[Wait, ...]:
    field = "metadata" if facts.vpc is None else "status.conditions[Ready]"
    return (Wait(Key("Vpc", "", facts.obj.spec.vpc), field, vpc_message(facts)),)


VPC_NOT_FOUND = Row(vpc_is_missing, Phase.PENDING, "VpcNotFound", vpc_message, vpc_waits)
VPC_NOT_READY = Row(vpc_is_not_ready, Phase.PENDING, "VpcNotReady", vpc_message, vpc_waits)
