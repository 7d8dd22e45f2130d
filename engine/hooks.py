"""How values of each type stand on the wire: the hooks of the one cattrs converter.

Reading is strict, nothing is coerced; whatever is wrong within a part of a document is reported together.
Shapes and names on the wire come from `engine.fields`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

import attrs
from attrs import evolve
from cattrs import Converter

from juneau.engine.errors import Cause, Violation, quoted
from juneau.engine.fields import FieldShape, shape_of
from juneau.engine.objects import Metadata, Opaque, OwnerReference, Time

MOST = 20  # violations that one error lists

# What Kubernetes writes into metadata and Juneau has no use for.
_DROPPED: Mapping[type, frozenset[str]] = {
    Metadata: frozenset({"generateName", "managedFields", "selfLink", "deletionGracePeriodSeconds"}),
    OwnerReference: frozenset({"blockOwnerDeletion"}),
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _END = -62135596800, 253402300800  # the years 1 to 9999
_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,12})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)


def time_text(time: Time) -> str:
    """A time as RFC 3339 has it, in UTC, with a fraction only where there is one."""
    seconds = math.floor(time)
    fraction = f"{time - seconds:.9f}"
    if fraction.startswith("1"):  # rounded up to a whole second
        seconds, fraction = seconds + 1, ""
    moment = _EPOCH + timedelta(seconds=seconds)
    # Not strftime: it does not pad years before 1000.
    return moment.replace(tzinfo=None).isoformat() + fraction[1:].rstrip("0").rstrip(".") + "Z"


def read_time(text: str) -> Time:
    """The time that an RFC 3339 text names; raises ValueError for any other text."""
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise ValueError("must be a time as RFC 3339 has it, such as 2026-01-31T12:00:00Z")
    day, clock, fraction, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone in 'Zz' else zone}")
    except ValueError as error:
        raise ValueError(f"is no time: {error}") from None
    time = (moment - _EPOCH) // timedelta(seconds=1) + float(fraction or 0)
    # An offset or a fraction can lead out of the years that can be written.
    if not _FIRST <= time < _END:
        raise ValueError("is no time of the years 1 to 9999")
    return Time(time)


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


def _wrong(value: object, *expected: str) -> Refused:
    shown = value if isinstance(value, (str, bool, int, float)) else None
    return Refused(Violation("", f"must be {' or '.join(expected)}, not {given(value)}", value=shown))


def under(parent: str, violations: Iterable[Violation]) -> list[Violation]:
    """The violations of a part, with their fields seen from the whole."""
    return [
        evolve(violation, field=parent + ("" if violation.field[:1] in ("", "[") else ".") + violation.field)
        for violation in violations
    ]


def segment(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else f"[{quoted(key[:64])}]"


def unknown(keys: Sequence[str], known: Sequence[str]) -> list[Violation]:
    return [
        Violation(segment(key), f"unknown field; {_suggestion(key, known)}", Cause.FORBIDDEN) for key in keys[:MOST]
    ]


def _suggestion(key: str, known: Sequence[str]) -> str:
    lower = {name.lower(): name for name in known}
    near = get_close_matches(key[:64].lower(), lower, 1)
    if near:
        return f'did you mean "{lower[near[0]]}"?'
    return f"known here: {', '.join(known)}" if known else "no fields are known here"


@cache
def converter_for(lenient: bool) -> Converter:
    """The converter; the lenient one drops fields that it does not know."""
    converter = Converter(detailed_validation=False)
    for scalar, word in ((str, "a string"), (int, "an integer"), (bool, "a boolean")):
        converter.register_structure_hook(scalar, _scalar_reader(scalar, word))
    converter.register_structure_hook(float, _read_float)
    converter.register_structure_hook(StrEnum, _read_enum)
    converter.register_structure_hook(Time, _read_time)
    converter.register_structure_hook(Opaque, lambda value, _: copied(value))
    converter.register_unstructure_hook(StrEnum, str)
    converter.register_unstructure_hook(Time, time_text)
    converter.register_unstructure_hook(Opaque, copied)
    for predicate, reader, writer in (
        (_is_tuple, _tuple_reader, _tuple_writer),
        (_is_mapping, _mapping_reader, _mapping_writer),
        (_is_union, _union_reader, _union_writer),
        (attrs.has, partial(_class_reader, lenient=lenient), _class_writer),
    ):
        converter.register_structure_hook_factory(predicate, reader)
        converter.register_unstructure_hook_factory(predicate, writer)
    return converter


_Reader = Callable[[Any, Any], Any]
_Writer = Callable[[Any], Any]


def _is_tuple(type_: Any) -> bool:
    return get_origin(type_) is tuple


def _is_mapping(type_: Any) -> bool:
    return get_origin(type_) is Mapping


def _is_union(type_: Any) -> bool:
    return get_origin(type_) in (Union, UnionType)


def _scalar_reader(scalar: type, word: str) -> _Reader:
    def read(value: Any, _type: Any) -> Any:
        # Exactly this type: to Python a boolean is an integer, to a person it is not.
        if type(value) is not scalar:
            raise _wrong(value, word)
        return value

    return read


def _read_float(value: Any, _type: Any) -> float:
    if type(value) not in (int, float):
        raise _wrong(value, "a number")
    return float(value)


def _read_enum(value: Any, type_: type[StrEnum]) -> StrEnum:
    if not isinstance(value, str):
        raise _wrong(value, "a string")
    try:
        return type_(value)
    except ValueError:
        supported = ", ".join(quoted(member.value) for member in type_)
        raise Refused(Violation("", f"supported values: {supported}", Cause.NOT_SUPPORTED, value)) from None


def _read_time(value: Any, _type: Any) -> Time:
    if not isinstance(value, str):
        raise _wrong(value, "a string")
    try:
        return read_time(value)
    except ValueError as error:
        raise Refused(Violation("", str(error), value=value)) from None


def copied(value: Any) -> Any:
    """JSON apart from its original, so that neither side changes the other's."""
    if isinstance(value, Mapping):
        return {key: copied(item) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [copied(item) for item in cast("Sequence[Any]", value)]
    return value


def _class_reader(cls: type, converter: Converter, lenient: bool) -> _Reader:
    shapes = shape_of(cls)
    fields = [(shape, converter.get_structure_hook(shape.type)) for shape in shapes]
    names = tuple(shape.wire for shape in shapes)
    carrier = next((shape for shape in shapes if shape.mark.rest), None)
    carried = frozenset(carrier.mark.rest if carrier is not None else ())
    known = _DROPPED.get(cls, frozenset[str]()).union(names, carried)

    def read(value: Any, _type: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _wrong(value, "an object")
        document = cast("Mapping[str, Any]", value)
        problems = [] if lenient else unknown([key for key in document if key not in known], names)
        values: dict[str, Any] = {}
        for shape, reader in fields:
            try:
                _read_field(document, shape, reader, values)
            except Refused as refused:
                problems += under(shape.wire, refused.violations)
        if problems:
            raise Refused(*problems)
        if carrier is not None:
            values[carrier.name] = {key: copied(item) for key, item in document.items() if key in carried}
        try:
            return cls(**values)
        except (TypeError, ValueError) as error:  # a rule of the class's own
            raise Refused(Violation("", str(error))) from error

    return read


def _read_field(document: Mapping[str, Any], shape: FieldShape, reader: _Reader, values: dict[str, Any]) -> None:
    value = document.get(shape.wire)
    if value is not None or (shape.mark.nullable and shape.wire in document):
        values[shape.name] = reader(value, shape.type)
    elif shape.wire in document and _is_tuple(shape.type):
        values[shape.name] = ()
    elif shape.required:
        raise Refused(Violation("", shape.mark.doc, Cause.REQUIRED))


def _tuple_reader(type_: Any, converter: Converter) -> _Reader:
    item_type = _item_type(type_)
    reader = converter.get_structure_hook(item_type)

    def read(value: Any, _type: Any) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise _wrong(value, "a list")
        problems: list[Violation] = []
        items: list[Any] = []
        for number, item in enumerate(cast("Sequence[Any]", value)):
            try:
                items.append(reader(item, item_type))
            except Refused as refused:
                problems += under(f"[{number}]", refused.violations)
        if problems:
            raise Refused(*problems)
        return tuple(items)

    return read


def _mapping_reader(type_: Any, converter: Converter) -> _Reader:
    item_type = get_args(type_)[1]
    reader = converter.get_structure_hook(item_type)

    def read(value: Any, _type: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong(value, "an object")
        problems: list[Violation] = []
        items: dict[str, Any] = {}
        for key, item in cast("Mapping[str, Any]", value).items():
            try:
                items[key] = reader(item, item_type)
            except Refused as refused:
                problems += under(f"[{key[:253]}]", refused.violations)
        if problems:
            raise Refused(*problems)
        return items

    return read


def _union_reader(type_: Any, converter: Converter) -> _Reader:
    arms = [arm for arm in get_args(type_) if arm is not NoneType]
    optional = len(arms) < len(get_args(type_))
    readers = {word: (converter.get_structure_hook(arm), arm) for arm in reversed(arms) for word in _words(arm)}
    expected = list(dict.fromkeys(_words(arm)[0] for arm in arms))

    def read(value: Any, _type: Any) -> Any:
        if value is None and optional:
            return None
        if given(value) not in readers:
            raise _wrong(value, *expected)
        reader, arm = readers[given(value)]
        return reader(value, arm)

    return read


def _item_type(type_: Any) -> Any:
    match get_args(type_):
        case (item, last) if last is Ellipsis:
            return item
        case _:
            raise TypeError(f"a list on the wire is tuple[X, ...], not {type_}")


def _python_type(type_: Any) -> type:
    """What instances of a field's type are in Python."""
    known: dict[Any, Any] = {Time: float, Opaque: object}
    return cast("type", known.get(type_) or get_origin(type_) or type_)


def _words(type_: Any) -> tuple[str, ...]:
    """What a type is on the wire, in the words of `given`."""
    if type_ is Opaque:
        return "an object", "a list", "a string", "a boolean", "an integer", "a number"
    if type_ is float:
        return "a number", "an integer"
    if type_ is Time or issubclass(_python_type(type_), StrEnum):
        return ("a string",)
    plain = {str: "a string", int: "an integer", bool: "a boolean", tuple: "a list"}
    return (plain.get(_python_type(type_), "an object"),)


def _class_writer(cls: type, converter: Converter) -> _Writer:
    defaults = {attribute.name: _default_of(attribute) for attribute in attrs.fields(cls)}
    fields = [(shape, defaults[shape.name], converter.get_unstructure_hook(shape.type)) for shape in shape_of(cls)]

    def write(obj: Any) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for shape, default, writer in fields:
            value = getattr(obj, shape.name)
            written = writer(value) if value is not None else None
            if shape.mark.rest:
                document.update(written or {})
            # A default that is not empty is written, so that tables show it.
            elif written or value != default:
                document[shape.wire] = written
        return document

    return write


def _default_of(attribute: attrs.Attribute[Any]) -> Any:
    default: Any = attribute.default
    return default.factory() if hasattr(default, "takes_self") and not default.takes_self else default


def _tuple_writer(type_: Any, converter: Converter) -> _Writer:
    writer = converter.get_unstructure_hook(_item_type(type_))
    return lambda items: [writer(item) for item in items]


def _mapping_writer(type_: Any, converter: Converter) -> _Writer:
    writer = converter.get_unstructure_hook(get_args(type_)[1])
    return lambda items: {key: writer(item) for key, item in items.items()}


def _union_writer(type_: Any, converter: Converter) -> _Writer:
    arms = [(_python_type(arm), converter.get_unstructure_hook(arm)) for arm in get_args(type_) if arm is not NoneType]

    def write(value: Any) -> Any:
        return next((writer(value) for python_type, writer in arms if isinstance(value, python_type)), value)

    return write
