"""Objects as `kubectl get` shows them: tables, names, YAML, JSON and JSONPath; the last step before a person reads.

Every function returns the whole text to write, with the line's end where kubectl writes one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from juneau.engine.convert import encode_as
from juneau.engine.durations import duration_text
from juneau.engine.errors import BadRequest, quoted
from juneau.engine.jsonpath import find, jsonpath, shown
from juneau.engine.kind import AnyKind, Column
from juneau.engine.objects import AnyObject, Time
from juneau.engine.times import read_time

_AGE = Column("Age", ".metadata.creationTimestamp", "date")
_GAP = 3
_NARROWEST = 6  # a column with its gap
_TEXT_TAG = "tag:yaml.org,2002:str"
_FORMATS = "json, jsonpath=..., name, table, wide, yaml"

Group: TypeAlias = tuple[AnyKind, Sequence[AnyObject]]


def render(
    kind: AnyKind,
    objects: Sequence[AnyObject],
    output: str,
    now: Time,
    *,
    all_namespaces: bool = False,
    single: bool = False,
) -> str:
    """Objects of one Kind; with `single`, YAML, JSON and JSONPath are those of the one object, not of a List.

    `output` is table, wide, name, yaml, json or `jsonpath=<template>`; anything else raises BadRequest.
    A table of no objects is empty: what to say then is the caller's.
    """
    if output in ("table", "wide"):
        return _table(kind, objects, output == "wide", now, all_namespaces=all_namespaces)
    if output == "name":
        return "".join(f"{_full_name(kind, obj)}\n" for obj in objects)
    documents = [encode_as(kind, obj) for obj in objects]
    return _written(documents[0] if single and len(documents) == 1 else _list_of(documents), output)


def render_many(groups: Iterable[Group], output: str, now: Time, *, all_namespaces: bool = False) -> str:
    """Objects of several Kinds: one table each, with names that tell the Kind, or one List of all."""
    filled = [(kind, objects) for kind, objects in groups if objects]
    if len(filled) == 1:
        return render(*filled[0], output, now, all_namespaces=all_namespaces)
    if output in ("table", "wide"):
        return "\n".join(
            _table(kind, objects, output == "wide", now, all_namespaces=all_namespaces, full_names=True)
            for kind, objects in filled
        )
    if output == "name":
        return "".join(render(kind, objects, output, now) for kind, objects in filled)
    return _written(_list_of([encode_as(kind, obj) for kind, objects in filled for obj in objects]), output)


def columns_of(kind: AnyKind) -> tuple[Column, ...]:
    """The columns after the name; as in an API server, a Kind that names none shows its age."""
    return (*kind.columns, _AGE) if kind.age_column or not kind.columns else kind.columns


def _full_name(kind: AnyKind, obj: AnyObject) -> str:
    return f"{kind.name.lower()}{'.' if kind.group else ''}{kind.group}/{obj.name}"


def _table(
    kind: AnyKind,
    objects: Sequence[AnyObject],
    wide: bool,
    now: Time,
    *,
    all_namespaces: bool,
    full_names: bool = False,
) -> str:
    if not objects:
        return ""
    columns = [column for column in columns_of(kind) if wide or column.priority == 0]
    with_namespace = kind.namespaced and (all_namespaces or len({obj.namespace for obj in objects}) > 1)
    rows = [[*(["NAMESPACE"] if with_namespace else []), "NAME", *(column.name.upper() for column in columns)]]
    for obj in objects:
        document = encode_as(kind, obj)
        name = _full_name(kind, obj) if full_names else obj.name
        cells = (_cell(column, document, now) for column in columns)
        rows.append([*([obj.namespace] if with_namespace else []), name, *cells])
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines, with columns as wide as kubectl makes them, and nothing after the last word."""
    widths = [max(_NARROWEST, _GAP + max(map(len, column))) for column in zip(*rows, strict=True)]
    lines = ("".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "".join(f"{line}\n" for line in lines)


def _cell(column: Column, document: object, now: Time) -> str:
    found = find(column.path, document)
    value = found[0] if found else None
    if value is None:
        return ""
    if column.type == "date":
        try:
            return duration_text(now - read_time(str(value)))
        except ValueError:
            return "<invalid>"
    text = shown(value)
    first, *more = text.split("\n", 1)
    # A cell is one line; what else could move the cursor is spelt out.
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in first) + ("..." if more else "")


def _list_of(documents: list[dict[str, Any]]) -> dict[str, Any]:
    return {"apiVersion": "v1", "items": documents, "kind": "List", "metadata": {"resourceVersion": ""}}


def _written(document: dict[str, Any], output: str) -> str:
    if output == "json":
        return json.dumps(document, indent=4, sort_keys=True, ensure_ascii=False) + "\n"
    if output == "yaml":
        return yaml_text(document)
    if output.startswith("jsonpath="):
        return jsonpath(output.removeprefix("jsonpath="), document)
    raise BadRequest(f"unknown output {quoted(output)}; there are {_FORMATS}")


def yaml_text(document: object) -> str:
    """A document as YAML, in the style of kubectl: fields by name, no line folded, nothing shared by aliases."""
    # Late: slow to load, and tables do without.
    import yaml

    from juneau.engine.yamltext import reads_as_text

    def represent_text(dumper: Any, text: str) -> Any:
        tag = dumper.resolve(yaml.ScalarNode, text, (True, False))
        # Also what other readers than Juneau's own would take for a time or a truth value.
        plain = reads_as_text(text) and tag == _TEXT_TAG and text not in ("y", "n", "Y", "N")
        style = "|" if "\n" in text else None if plain else '"'
        return dumper.represent_scalar(_TEXT_TAG, text, style)

    def share_nothing(_dumper: Any, _data: object) -> bool:
        return True

    library: Any = yaml
    base = getattr(library, "CSafeDumper", library.SafeDumper)
    dumper: Any = type("Dumper", (base,), {"ignore_aliases": share_nothing})
    dumper.add_representer(str, represent_text)
    return str(library.dump(document, Dumper=dumper, default_flow_style=False, allow_unicode=True, width=2**30))
