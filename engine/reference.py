"""The reference page: every Kind with its fields, columns and phases, out of the same marks that judge them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args, get_origin

import attrs

from juneau.engine.fields import FieldShape, Mark, shape_of
from juneau.engine.kind import AnyKind, Column, Registry
from juneau.engine.table import columns_of

_TYPES = {"str": "string", "int": "integer", "bool": "boolean", "float": "number", "Time": "time", "Opaque": "any"}


def reference_page(registry: Registry) -> str:
    """The page in Markdown."""
    lines = [
        "# Reference",
        "",
        "This page is generated from the Kinds; `make manifests` writes it anew.",
        "A field is required where it says so; an immutable one cannot be changed once the object exists.",
        "Columns that are marked (wide) show with `-o wide` only.",
    ]
    for kind in sorted((kind for kind in registry if not kind.foreign), key=lambda kind: kind.name):
        lines += ["", *_kind_lines(kind)]
    return "\n".join(lines) + "\n"


def _kind_lines(kind: AnyKind) -> Iterator[str]:
    yield f"## {kind.name}"
    yield ""
    yield kind.doc
    yield ""
    short = f", short names {', '.join(kind.short_names)}" if kind.short_names else ""
    yield f"`{kind.api_version}`, {kind.scope.value.lower()} scope, plural `{kind.plural}`{short}."
    yield f"Columns: {', '.join(('NAME', *map(_column_text, columns_of(kind))))}."
    spec: type = kind.spec
    for part, cls, shapes in (("spec", spec, shape_of(spec)), ("status", kind.status, kind.status_shape)):
        yield ""
        yield f"| {part} | type | default | meaning |"
        yield "| --- | --- | --- | --- |"
        yield from _rows(cls, shapes, "")
    if kind.controller is not None:
        yield ""
        yield "```mermaid"
        yield from kind.controller.machine.diagram().splitlines()
        yield "```"


def _column_text(column: Column) -> str:
    return f"{column.name.upper()} (wide)" if column.priority else column.name.upper()


def _rows(cls: type, shapes: Sequence[FieldShape], prefix: str, above: tuple[type, ...] = ()) -> Iterator[str]:
    for shape in shapes:
        inner = _structure(shape.type)
        listed = "[]" if get_origin(shape.type) is tuple else ""
        name = f"{prefix}{shape.wire}{listed}"
        yield f"| `{name}` | {_type_text(shape.type)} | {_default_text(cls, shape)} | {_meaning(shape.mark)} |"
        if inner is not None and inner not in above and shape.wire != "conditions":
            yield from _rows(inner, shape_of(inner), f"{name}.", (*above, cls))


def _structure(type_: Any) -> type | None:
    for part in (type_, *get_args(type_)):
        if isinstance(part, type) and attrs.has(part):
            return part
    return None


def _type_text(type_: Any) -> str:
    if get_origin(type_) is tuple:
        return f"list of {_type_text(get_args(type_)[0])}"
    parts = [part for part in get_args(type_) if part is not type(None)] or [type_]
    names = [getattr(part, "__name__", str(part)) for part in parts]
    if any(isinstance(part, type) and attrs.has(part) for part in parts):
        return "object"
    return " or ".join(_TYPES.get(name, "object") for name in names)


def _default_text(cls: type, shape: FieldShape) -> str:
    if shape.required:
        return "required"
    default: Any = getattr(attrs.fields(cls), shape.name).default
    return f"`{default}`" if isinstance(default, (str, int)) and default and not isinstance(default, bool) else ""


def _meaning(mark: Mark) -> str:
    limits: list[str] = []
    if mark.choices:
        limits.append(f"one of {', '.join(mark.choices)}")
    if mark.minimum is not None and mark.maximum is not None:
        limits.append(f"{mark.minimum} to {mark.maximum}")
    elif mark.minimum is not None:
        limits.append(f"at least {mark.minimum}")
    if mark.unique:
        limits.append("no item twice")
    if mark.immutable:
        limits.append("immutable")
    told = f" ({'; '.join(limits)})" if limits else ""
    return f"{mark.doc}{told}".replace("|", "\\|")
