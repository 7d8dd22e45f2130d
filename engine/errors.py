"""Errors of the engine and of stores.

A Kind yields values (`Violation`, `Outcome`); only input and output raise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum

from attrs import frozen

from juneau.engine.objects import Key


class Cause(StrEnum):
    """What is wrong with a field, in the words of the API server."""

    INVALID = "Invalid value"
    REQUIRED = "Required value"
    FORBIDDEN = "Forbidden"
    DUPLICATE = "Duplicate value"
    NOT_FOUND = "Not found"
    NOT_SUPPORTED = "Unsupported value"
    TOO_MANY = "Too many"


_LONGEST_SHOWN = 200  # characters of a value
_WITHOUT_VALUE = frozenset({Cause.REQUIRED, Cause.FORBIDDEN})


@frozen
class Violation:
    """A rule that an object breaks: at which field, and what to write instead.

    `settled`: time alone does not heal it (a stored object that breaks it is Failed, else it waits as Pending).
    `refused`: admission denies it; where False the object is accepted and waits.
    `audit_only`: only admission judges it; on a stored object it shows as `Valid=False` and changes no phase.
    `repair`: what to do about an object that is stored already, where that is more than to write another value.
    """

    field: str
    message: str
    cause: Cause = Cause.INVALID
    value: object = None
    settled: bool = True
    refused: bool = True
    audit_only: bool = False
    repair: str = ""

    def __str__(self) -> str:
        shown = "" if self.cause in _WITHOUT_VALUE or self.value is None else f": {quoted(self.value)}"
        message = f": {self.message}" if self.message else ""
        return f"{self.field}: {self.cause.value}{shown}{message}"


def distinct(violations: Iterable[Violation]) -> list[Violation]:
    """Each text once, and of several that miss the same field the first one."""
    found: dict[str, Violation] = {}
    for violation in violations:
        missing = violation.cause is Cause.REQUIRED
        found.setdefault(f"{violation.field}: {violation.cause}" if missing else str(violation), violation)
    return list(found.values())


def quoted(value: object) -> str:
    """A value as an error shows it: text in double quotes, anything else as JSON would have it; what is long is cut.

    Control characters are escaped: what a person typed must not steer another one's terminal.
    """
    if isinstance(value, (bool, int, float)):
        return json.dumps(value) if abs(value) < 2**64 else "a very large number"
    if not isinstance(value, (str, list, tuple, dict)):
        value = str(value)
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= _LONGEST_SHOWN else f'{shown[:_LONGEST_SHOWN]}..."'


class JuneauError(Exception):
    """Anything that Juneau raises on purpose."""


class APIError(JuneauError):
    """A store refused a request; `reason` is the API server's word for it."""

    reason = "InternalError"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(APIError):
    """The object breaks rules; all of them are reported together."""

    reason = "Invalid"

    def __init__(self, kind: str, name: str, violations: Sequence[Violation]) -> None:
        self.violations = tuple(violations)
        listed = [str(violation) for violation in self.violations]
        text = listed[0] if len(listed) == 1 else f"[{', '.join(listed)}]"
        super().__init__(f'{kind} "{name}" is invalid: {text}')


class Forbidden(APIError):
    """The request is refused for what it would do to other objects."""

    reason = "Forbidden"

    def __init__(self, key: Key, why: str) -> None:
        super().__init__(f'{key.kind} "{key.name}" is forbidden: {why}')


class NotFound(APIError):
    """There is no such object."""

    reason = "NotFound"

    def __init__(self, key: Key) -> None:
        super().__init__(f'{key.kind} "{key.name}" not found')


class AlreadyExists(APIError):
    """An object of that name is there already."""

    reason = "AlreadyExists"

    def __init__(self, key: Key) -> None:
        super().__init__(f'{key.kind} "{key.name}" already exists')


class Conflict(APIError):
    """Somebody else changed the object since it was read."""

    reason = "Conflict"

    def __init__(self, key: Key, why: str = "the object has been modified; read it again and retry") -> None:
        super().__init__(f'Operation cannot be fulfilled on {key.kind} "{key.name}": {why}')


class BadRequest(APIError):
    """The request cannot be understood at all."""

    reason = "BadRequest"


class Gone(APIError):
    """The resourceVersion asked for is too old to resume a watch from; list again."""

    reason = "Expired"

    def __init__(self, resource_version: str) -> None:
        super().__init__(f"too old resource version: {resource_version}")


class CNIErrorCode(StrEnum):
    """Why the CNI could not do what the runtime asked for."""

    TRY_AGAIN_LATER = "TRY_AGAIN_LATER"
    INTERNAL = "INTERNAL"
    UNKNOWN_CONTAINER = "UNKNOWN_CONTAINER"


class CNIError(JuneauError):
    """A request of the container runtime that failed; it may call again."""

    def __init__(self, code: CNIErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
