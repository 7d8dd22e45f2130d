"""Marks on the fields of a Spec or Status: the one place from which conversion, admission and CRDs learn their shape.

A field is written `name: Annotated[type, Mark("what it means", ...)]`; it is required when it has no default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen


@frozen
class Mark:
    """What a field means and which values it takes.

    `json` is the name on the wire where camel case of the Python name is not it; `immutable` refuses a change after
    creation; `minimum` and `maximum` bound numbers, `min_length`, `max_length` and `pattern` text, `min_items` and
    `max_items` lists; `unique` refuses an item twice; `choices` lists the only values.
    """

    doc: str
    json: str = ""
    immutable: bool = False
    minimum: int | None = None
    maximum: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    unique: bool = False
    pattern: str = ""
    choices: tuple[str, ...] = ()
    always: bool = False  # written also where it is empty or zero
    rest: tuple[str, ...] = ()  # this mapping carries those fields of the object, unread
    nullable: bool = False  # None on the wire differs from an absent field only where this says so


@frozen
class FieldShape:
    """One field of an attrs class as the edge sees it."""

    name: str
    wire: str
    type: Any
    mark: Mark
    required: bool


_WORD = re.compile(r"_([a-z0-9])")


def wire_name(python_name: str) -> str:
    """`route_table` as `routeTable`."""
    return _WORD.sub(lambda match: match.group(1).upper(), python_name)


@cache
def shape_of(cls: type) -> tuple[FieldShape, ...]:
    """The fields of an attrs class, with their marks and names on the wire, in order of definition."""
    hints: Mapping[str, Any] = get_type_hints(cls, include_extras=True)
    shapes: list[FieldShape] = []
    for attribute in attrs.fields(cls):
        annotation = hints[attribute.name]
        mark = Mark("")
        if get_origin(annotation) is Annotated:
            annotation, *extras = get_args(annotation)
            mark = next((extra for extra in extras if isinstance(extra, Mark)), mark)
        shapes.append(
            FieldShape(
                attribute.name,
                mark.json or wire_name(attribute.name),
                annotation,
                mark,
                attribute.default is attrs.NOTHING,
            )
        )
    return tuple(shapes)
