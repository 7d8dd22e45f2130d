"""Fields of documents by paths such as `spec.routes[0].dst`, `status.conditions[Ready].reason`,
`metadata.annotations[juneau.loutres.me/subnet]`.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeGuard

REMOVED: Final = object()
_PARTS = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
_NAMED_BY = ("type", "name", "interface")


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_mapping(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _parts(path: str) -> list[str]:
    return [part.strip("[]") for part in _PARTS.findall(path)]


def _item(items: list[Any], part: str) -> Any:
    """By number, or by what names the items of the list."""
    if part.isdecimal():
        return items[int(part)] if int(part) < len(items) else None
    return next((item for item in items if _is_mapping(item) and part in (item.get(key) for key in _NAMED_BY)), None)


def read_path(document: dict[str, Any], path: str) -> Any:
    """What stands there, None where nothing does."""
    here: Any = document
    for part in _parts(path):
        if _is_list(here):
            here = _item(here, part)
        elif _is_mapping(here):
            here = here.get(part)
        else:
            return None
    return here


def write_path(document: dict[str, Any], path: str, value: object) -> None:
    """Put a value there, making the mappings on the way; REMOVED takes out what is there."""
    *way, last = _parts(path)
    here: Any = document
    for part in way:
        here = _item(here, part) if _is_list(here) else here.setdefault(part, {})
    if _is_list(here):
        _write_item(here, int(last), value)
    elif value is REMOVED:
        here.pop(last, None)
    else:
        here[last] = value


def _write_item(items: list[Any], place: int, value: object) -> None:
    if value is REMOVED:
        del items[place]
    elif place < len(items):
        items[place] = value
    else:
        items.append(value)
