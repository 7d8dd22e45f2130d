"""JSON text to documents."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import NoReturn, cast

from juneau.engine.documents import MAX_DEPTH, Document, Unreadable, too_deep


def read_json(text: str, source: str) -> list[Document] | None:
    """JSON documents one after the other, or None if this is none, and possibly YAML."""
    decoder = json.JSONDecoder(
        object_pairs_hook=_json_object, parse_int=integer, parse_float=floating, parse_constant=_no_constant
    )
    documents: list[Document] = []
    position = _skip_space(text, 0)
    line, counted = 1, 0
    while position < len(text):
        line, counted = line + text.count("\n", counted, position), position
        number = len(documents) + 1
        try:
            content, end = cast("tuple[object, int]", decoder.raw_decode(text, position))
        except Unreadable as unreadable:
            return [*documents, Document(source, number, line, error=f"{source}, line {line}: {unreadable.message}")]
        except RecursionError:
            return [*documents, Document(source, number, line, error=f"{source}, line {line}: {too_deep()}")]
        except ValueError:
            return None
        if _istoo_deep(content):
            return [*documents, Document(source, number, line, error=f"{source}, line {line}: {too_deep()}")]
        documents.append(Document(source, number, line, content))
        position = _skip_space(text, end)
    return documents


def _skip_space(text: str, position: int) -> int:
    return cast("re.Match[str]", re.compile(r"[ \t\r\n]*").match(text, position)).end()


def _json_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Unreadable(duplicate(key))
            seen.add(key)
    return found


def _no_constant(word: str) -> NoReturn:
    raise Unreadable(f"{word} is no JSON")


def duplicate(key: str) -> str:
    return f'the key "{key[:200]}" stands here twice'


def _istoo_deep(content: object) -> bool:
    level, depth = [content], 0
    while level:
        depth += 1
        level = [inner for item in level for inner in _inside(item)]
    return depth > MAX_DEPTH


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def integer(text: str) -> int:
    digits = text.replace("_", "").lstrip("+-")
    if len(digits) <= 66:
        base = 8 if digits[0] == "0" and digits.isdigit() and len(digits) > 1 else 0
        number = int(digits, base) * (-1 if text[0] == "-" else 1)
        if -(2**63) <= number < 2**64:
            return number
    raise Unreadable("a number is too large for 64 bits")


def floating(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise Unreadable("a number is too large")
    return number
