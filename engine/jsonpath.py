"""JSONPath as kubectl has it: the part that columns and `-o jsonpath=` need."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, TypeAlias, cast

from juneau.engine.errors import BadRequest, quoted

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
            text.append(" ".join(shown(value) for value in _found(piece, here, root)))
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


def shown(value: object) -> str:
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
