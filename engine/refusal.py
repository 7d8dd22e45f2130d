"""What is wrong with a part of a document, and where: the words in which decoding refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from attrs import evolve

from juneau.engine.errors import Cause, Violation, quoted

MOST = 20  # violations that one error lists
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)


class Refused(Exception):
    """What is wrong with a part of a document; the fields of `violations` are relative to that part."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__()
        self.violations = violations


def given(value: object) -> str:
    """What a value is in the words of JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a number"
        case str():
            return "a string"
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return f"a {type(value).__name__}"


def wrong(value: object, *expected: str) -> Refused:
    shown = value if isinstance(value, (str, bool, int, float)) else None
    return Refused(Violation("", f"must be {' or '.join(expected)}, not {given(value)}", value=shown))


def under(parent: str, violations: Iterable[Violation]) -> list[Violation]:
    """The violations of a part, with their fields seen from the whole."""
    return [
        evolve(violation, field=parent + ("" if violation.field[:1] in ("", "[") else ".") + violation.field)
        for violation in violations
    ]


def _segment(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else f"[{quoted(key[:64])}]"


def unknown(keys: Sequence[str], known: Sequence[str]) -> list[Violation]:
    return [
        Violation(_segment(key), f"unknown field; {_suggestion(key, known)}", Cause.FORBIDDEN) for key in keys[:MOST]
    ]


def _suggestion(key: str, known: Sequence[str]) -> str:
    lower = {name.lower(): name for name in known}
    near = get_close_matches(key[:64].lower(), lower, 1)
    if near:
        return f'did you mean "{lower[near[0]]}"?'
    return f"known here: {', '.join(known)}" if known else "no fields are known here"
