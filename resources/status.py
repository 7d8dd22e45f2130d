"""The status fields that the engine itself writes, which every Kind of Juneau has."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.objects import Condition


@frozen(kw_only=True)
class Status:
    """How far an object has come."""

    phase: Annotated[str, Mark("summary of the conditions; absent until a controller has looked")] = ""
    observed_generation: Annotated[int, Mark("generation that this status speaks of")] = 0
    conditions: Annotated[tuple[Condition, ...], Mark("statements about the object; Ready is the chief one")] = ()
