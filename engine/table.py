"""Objects as `kubectl get` shows them: tables, names, YAML, JSON and JSONPath; the last step before a person reads.

Every function returns the whole text to write, with the line's end where kubectl writes one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, TypeAlias, cast

from juneau.engine.convert import encode_as
from juneau.engine.errors import BadRequest, quoted
from juneau.engine.hooks import read_time
from juneau.engine.kind import AnyKind, Column
from juneau.engine.objects import AnyObject, Time

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


def duration_text(seconds: float) -> str:
    """A duration as kubectl has it: two units at most, the smaller one only where it still matters."""
    whole = int(seconds)
    if whole < -1:
        return "<invalid>"
    minutes, hours, days = whole // 60, whole // 3600, whole // 86400
    if whole < 120:
        return f"{max(whole, 0)}s"
    if minutes < 10:
        return _two(minutes, "m", whole % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if days < 8:
        return _two(days, "d", hours % 24, "h")
    if days < 2 * 365:
        return f"{days}d"
    if days < 8 * 365:
        return _two(days // 365, "y", days % 365, "d")
    return f"{days // 365}y"


def _two(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large}{large_unit}" + (f"{small}{small_unit}" if small else "")


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
    text = _shown(value)
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

    from juneau.engine.manifests import reads_as_text

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


# JSONPath

_Step: TypeAlias = Callable[[Any], Sequence[Any]]
_STEP = re.compile(
    r"""\.?\[\s*(?P<index>-?\d{1,9})\s*\]
    | \.?\[\s*(?P<quote>['"])(?P<quoted>.*?)(?P=quote)\s*\]
    | \.?\[\s*\?\(\s*@(?P<path>[^\s=!<>]*)\s*(?:(?P<operator>==|!=)\s*(?P<operand>"[^"]*"|'[^']*'|[^\s)'"]+)\s*)?\)\s*\]
    | (?P<every>\.\*|\.?\[\s*\*\s*\])
    | \.(?P<name>(?:\\.|[^\s.\[\]{}()'"\\])+)""",
    re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_BLOCK = re.compile(r"""\{((?:[^{}"']|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')*)\}""")


def find(path: str, document: object) -> list[Any]:
    """All values at a path such as `.status.conditions[?(@.type=="Ready")].status`; what is missing is left out."""
    found: list[Any] = [document]
    for step in _steps(path):
        found = [inner for value in found for inner in step(value)]
    return found


def jsonpath(template: str, document: object) -> str:
    """What a template of kubectl's says about a document: text, `{.paths}`, `{"literals"}` and `{range .path}..{end}`.

    What is missing is empty; a template that cannot be read raises BadRequest.
    """
    pieces = _BLOCK.split(template)  # text and blocks take turns
    if any(brace in text for text in pieces[::2] for brace in "{}"):
        raise BadRequest(f"JSONPath {quoted(template)}: a brace has no partner")
    return _expanded(
        [(number % 2 == 1, piece.strip() if number % 2 else piece) for number, piece in enumerate(pieces)],
        document,
        document,
    )


def _expanded(pieces: Sequence[tuple[bool, str]], here: object, root: object) -> str:
    text: list[str] = []
    position = 0
    while position < len(pieces):
        is_block, piece = pieces[position]
        position += 1
        if not is_block:
            text.append(piece)
        elif piece[:1] in ("'", '"'):
            text.append(re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), piece[1:-1]))
        elif piece.startswith("range "):
            end = _end_of_range(pieces, position)
            text += (_expanded(pieces[position:end], item, root) for item in _found(piece[6:], here, root))
            position = end + 1
        else:
            text.append(" ".join(_shown(value) for value in _found(piece, here, root)))
    return "".join(text)


def _end_of_range(pieces: Sequence[tuple[bool, str]], start: int) -> int:
    open_ranges = 1
    for position in range(start, len(pieces)):
        is_block, piece = pieces[position]
        open_ranges += is_block * (piece.startswith("range ") - (piece == "end"))
        if open_ranges == 0:
            return position
    raise BadRequest("JSONPath: a {range} has no {end}")


def _found(path: str, here: object, root: object) -> list[Any]:
    return find(path, root if path.strip().startswith("$") else here)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def _steps(path: str) -> tuple[_Step, ...]:
    rest = re.sub(r"^\s*[$@]?|\s*$", "", path)
    steps: list[_Step] = []
    position = 0
    while rest != "." and position < len(rest):
        match = _STEP.match(rest, position)
        if match is None:
            raise BadRequest(f"JSONPath {quoted(path)}: cannot read {quoted(rest[position:])}")
        steps.append(_step(match))
        position = match.end()
    return tuple(steps)


def _step(match: re.Match[str]) -> _Step:
    if match["index"] is not None:
        return partial(_item, int(match["index"]))
    if match["path"] is not None:
        wanted = _operand(match["operand"]) if match["operator"] else None
        return partial(_matching, match["path"], match["operator"], wanted)
    if match["every"] is not None:
        return _every
    return partial(_field, match["quoted"] if match["quote"] else re.sub(r"\\(.)", r"\1", match["name"]))


def _item(index: int, value: Any) -> list[Any]:
    items = cast("Sequence[Any]", value) if isinstance(value, list) else ()
    return [items[index]] if -len(items) <= index < len(items) else []


def _field(name: str, value: Any) -> list[Any]:
    return [value[name]] if isinstance(value, dict) and name in value else []


def _every(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return [fields[name] for name in sorted(fields)]
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def _matching(path: str, operator: str | None, wanted: object, value: Any) -> list[Any]:
    matching: list[Any] = []
    for item in _every(value):
        found = find(path, item)
        if found and (operator is None or (found[0] == wanted) is (operator == "==")):
            matching.append(item)
    return matching


def _operand(text: str) -> object:
    if text[0] in "'\"":
        return text[1:-1]
    try:
        return json.loads(text)
    except ValueError:
        return text
