"""How values of each type stand on the wire: the hooks of the one cattrs converter.

Reading is strict, nothing is coerced; whatever is wrong within a part of a document is reported together.
Shapes and names on the wire come from `engine.fields`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

import attrs
from cattrs import Converter

from juneau.engine.errors import Cause, Violation, quoted
from juneau.engine.fields import FieldShape, shape_of
from juneau.engine.objects import Metadata, Opaque, OwnerReference, Time
from juneau.engine.refusal import Refused, given, under, unknown, wrong
from juneau.engine.times import read_time, time_text

# What Kubernetes writes into metadata and Juneau has no use for.
_DROPPED: Mapping[type, frozenset[str]] = {
    Metadata: frozenset({"generateName", "managedFields", "selfLink", "deletionGracePeriodSeconds"}),
    OwnerReference: frozenset({"blockOwnerDeletion"}),
}


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
            raise wrong(value, word)
        return value

    return read


def _read_float(value: Any, _type: Any) -> float:
    if type(value) not in (int, float):
        raise wrong(value, "a number")
    return float(value)


def _read_enum(value: Any, type_: type[StrEnum]) -> StrEnum:
    if not isinstance(value, str):
        raise wrong(value, "a string")
    try:
        return type_(value)
    except ValueError:
        supported = ", ".join(quoted(member.value) for member in type_)
        raise Refused(Violation("", f"supported values: {supported}", Cause.NOT_SUPPORTED, value)) from None


def _read_time(value: Any, _type: Any) -> Time:
    if not isinstance(value, str):
        raise wrong(value, "a string")
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
            raise wrong(value, "an object")
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
            raise wrong(value, "a list")
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
            raise wrong(value, "an object")
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
            raise wrong(value, *expected)
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
            elif written or value != default or shape.mark.always:
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
