"""Rows that the machines of several Kinds have in common; their facts call the object that is judged `obj`."""

from __future__ import annotations

from typing import Protocol

from juneau.engine.machine import Phase, Row
from juneau.engine.objects import AnyObject


class AboutObject(Protocol):
    """Facts about one object."""

    @property
    def obj(self) -> AnyObject: ...


def is_deleting(facts: AboutObject) -> bool:
    return facts.obj.deleting


DELETING = Row(is_deleting, Phase.PENDING, "Deleting")
