"""What an object's own fields decide: the marks on its types (`engine.fields`).

The same marks make the CRD's schema, so admission in process and an API server refuse the same objects.
Each class is compiled to a list of checks once; what has no marks is never visited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin

import attrs
from attrs import frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import FieldShape, Mark, shape_of

IMMUTABLE = "field is immutable; to change it, delete the object and create it anew"

# Judges a value that stands at a path, and appends what is wrong with it.
Check: TypeAlias = Callable[[Any, str, list[Violation]], None]


@frozen
class _FieldCheck:
    name: str
    path: str  # with its leading dot
    default: object  # an optional field at its default is absent on the wire, and nothing is said about it
    check: Check


def shape_violations(spec: object, path: str = "spec") -> list[Violation]:
    """What the marks say against a value of an attrs class, at exact paths.

    On a list, marks of items (bounds, text, choices) are about each item.
    """
    found: list[Violation] = []
    _judge(spec, path, found)
    return found


def _judge(value: object, path: str, found: list[Violation]) -> None:
    for field in _checks_of(_class_of(value)):
        held = getattr(value, field.name)
        if held is not None and held != field.default:
            field.check(held, path + field.path, found)


def _class_of(value: object) -> type:
    # As `type`, which is hashable for type checkers too; `type[object]` is not.
    return type(value)


@cache
def _checks_of(cls: type) -> tuple[_FieldCheck, ...]:
    checks: list[_FieldCheck] = []
    for shape in shape_of(cls):
        check = _compile(shape.type, shape.mark)
        if check is not None:
            checks.append(_FieldCheck(shape.name, f".{shape.wire}", _default(cls, shape), check))
    return tuple(checks)


def _default(cls: type, shape: FieldShape) -> object:
    default: Any = attrs.fields_dict(cls)[shape.name].default
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]
        return default.factory() if not default.takes_self else attrs.NOTHING
    return default


def _compile(annotation: Any, mark: Mark) -> Check | None:
    """The check of a type under a mark; a mark nearer to the type is the one that counts."""
    if get_origin(annotation) is Annotated:
        annotation, *extras = get_args(annotation)
        return _compile(annotation, next((extra for extra in extras if isinstance(extra, Mark)), mark))
    is_union = get_origin(annotation) in (Union, UnionType)
    parts = [part for part in get_args(annotation) if part is not type(None)] if is_union else [annotation]
    checks = [check for part in parts if (check := _compile_structure(part, mark)) is not None]
    if not all(_is_structure(part) for part in parts):
        checks.extend(_scalar_checks(mark))
    return _all_of(checks)


def _all_of(checks: list[Check]) -> Check | None:
    if len(checks) < 2:
        return checks[0] if checks else None

    def judge(value: Any, path: str, found: list[Violation]) -> None:
        for check in checks:
            check(value, path, found)

    return judge


def _is_structure(part: Any) -> bool:
    return get_origin(part) in (tuple, Mapping, dict) or _is_attrs(part)


def _is_attrs(part: Any) -> bool:
    return isinstance(part, type) and attrs.has(part)


def _compile_structure(part: Any, mark: Mark) -> Check | None:
    origin, arguments = get_origin(part), get_args(part)
    if origin is Annotated:
        return _compile(part, mark)
    if origin is tuple:
        item = _compile(arguments[0], mark) if arguments[1:] == (...,) else None
        return _all_of([*_list_checks(mark), *([_each_item(item)] if item is not None else [])])
    if origin in (Mapping, dict):
        item = _compile(arguments[1], mark)
        return _each_value(item) if item is not None else None
    return _judge if _is_attrs(part) and _reaches(part, _judges) else None


def _each_item(check: Check) -> Check:
    def judge(value: Any, path: str, found: list[Violation]) -> None:
        for place, item in enumerate(value):
            check(item, f"{path}[{place}]", found)

    return judge


def _each_value(check: Check) -> Check:
    def judge(value: Any, path: str, found: list[Violation]) -> None:
        for name, item in value.items():
            check(item, f"{path}[{name}]", found)

    return judge


def _list_checks(mark: Mark) -> Iterator[Check]:
    if mark.min_items is not None or mark.max_items is not None:
        yield lambda value, path, found: found.extend(_length_violations(value, path, mark))
    if mark.unique:
        yield _judge_unique


def _length_violations(value: tuple[Any, ...], path: str, mark: Mark) -> Iterator[Violation]:
    count = len(value)
    if mark.min_items is not None and count < mark.min_items:
        if count == 0:
            yield Violation(path, mark.doc, Cause.REQUIRED)
        else:
            yield Violation(path, f"must have at least {_counted(mark.min_items, 'item')}", value=count)
    if mark.max_items is not None and count > mark.max_items:
        yield Violation(path, f"must have at most {_counted(mark.max_items, 'item')}", Cause.TOO_MANY, count)


def _judge_unique(value: tuple[Any, ...], path: str, found: list[Violation]) -> None:
    if len(value) < 2:
        return
    seen: set[Any] = set()
    for place, item in enumerate(value):
        if item in seen:
            found.append(Violation(f"{path}[{place}]", "named already; leave it out", Cause.DUPLICATE, _shown(item)))
        else:
            seen.add(item)


def _scalar_checks(mark: Mark) -> Iterator[Check]:
    if mark.minimum is not None or mark.maximum is not None:
        yield _bounds_check(mark.minimum, mark.maximum)
    if mark.min_length is not None or mark.max_length is not None:
        yield lambda value, path, found: found.extend(_text_violations(value, path, mark))
    if mark.pattern:
        yield _pattern_check(mark)
    if mark.choices:
        yield _choices_check(mark.choices)


def _bounds_check(minimum: int | None, maximum: int | None) -> Check:
    if minimum is None:
        wanted = f"must be at most {maximum}"
    elif maximum is None:
        wanted = f"must be at least {minimum}"
    else:
        wanted = f"must be between {minimum} and {maximum}"

    def judge(value: Any, path: str, found: list[Violation]) -> None:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return
        if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
            found.append(Violation(path, wanted, value=value))

    return judge


def _text_violations(value: Any, path: str, mark: Mark) -> Iterator[Violation]:
    if not isinstance(value, str):
        return
    if mark.min_length is not None and len(value) < mark.min_length:
        if not value:
            yield Violation(path, mark.doc, Cause.REQUIRED)
        else:
            yield Violation(path, f"must have at least {_counted(mark.min_length, 'character')}", value=value)
    if mark.max_length is not None and len(value) > mark.max_length:
        yield Violation(path, f"must have at most {_counted(mark.max_length, 'character')}", value=value)


def _pattern_check(mark: Mark) -> Check:
    pattern = re.compile(mark.pattern)
    empty_is_missing = bool(mark.min_length)

    def judge(value: Any, path: str, found: list[Violation]) -> None:
        # As in a CRD's schema, a pattern is searched for; one that means the whole text says so with ^ and $.
        if isinstance(value, str) and not (empty_is_missing and not value) and not pattern.search(value):
            found.append(Violation(path, f"must match {mark.pattern}", value=value))

    return judge


def _choices_check(choices: tuple[str, ...]) -> Check:
    listed = ", ".join(f'"{choice}"' for choice in choices)

    def judge(value: Any, path: str, found: list[Violation]) -> None:
        if value not in choices:
            found.append(Violation(path, f"supported values: {listed}", Cause.NOT_SUPPORTED, _shown(value)))

    return judge


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _shown(value: object) -> object:
    """A value as a message shows it; a structure is not shown, its path says which one is meant."""
    if value is None or isinstance(value, str | int | float):
        return value
    return None if isinstance(value, tuple | Mapping) or attrs.has(type(value)) else str(value)


def immutability_violations(new: object, old: object, path: str = "spec") -> list[Violation]:
    """Which fields changed that may not, at exact paths; new and old are of one class.

    An immutable structure is one thing, named by its own path.
    Items of a list have no identity, so marks inside them do not bind: mark the list.
    """
    found: list[Violation] = []
    _compare(new, old, path, found)
    return found


def _compare(new: object, old: object, path: str, found: list[Violation]) -> None:
    if new is old or type(new) is not type(old):
        return
    for name, below, immutable in _bound_fields(_class_of(new)):
        wanted, held = getattr(new, name), getattr(old, name)
        if wanted is held:
            continue
        if not immutable:
            _compare(wanted, held, path + below, found)
        elif wanted != held:
            found.append(Violation(path + below, IMMUTABLE, value=_shown(wanted)))


@cache
def _bound_fields(cls: type) -> tuple[tuple[str, str, bool], ...]:
    """The fields that are immutable, or structures with such fields in them: name, path, which of the two."""
    fields: list[tuple[str, str, bool]] = []
    for shape in shape_of(cls) if attrs.has(cls) else ():
        inner = [part for part in _mentioned(shape.type) if isinstance(part, type)]
        if shape.mark.immutable or any(_reaches(part, _binds) for part in inner):
            fields.append((shape.name, f".{shape.wire}", shape.mark.immutable))
    return tuple(fields)


def _judges(mark: Mark) -> bool:
    return next(_scalar_checks(mark), None) is not None or next(_list_checks(mark), None) is not None


def _binds(mark: Mark) -> bool:
    return mark.immutable


@cache
def _reaches(cls: type, wanted: Callable[[Mark], bool]) -> bool:
    """Whether a mark of that sort stands anywhere in a class, or in what it contains; it may contain itself."""
    seen: set[type] = set()
    waiting = [cls]
    while waiting:
        visited = waiting.pop()
        if visited in seen:
            continue
        seen.add(visited)
        for shape in shape_of(visited):
            for part in (shape.mark, *_mentioned(shape.type)):
                if not isinstance(part, Mark):
                    waiting.append(part)
                elif wanted(part):
                    return True
    return False


def _mentioned(annotation: Any) -> Iterator[Mark | type]:
    """The marks and attrs classes inside a type."""
    if isinstance(annotation, Mark) or _is_attrs(annotation):
        yield annotation
    for argument in get_args(annotation):
        yield from _mentioned(argument)
