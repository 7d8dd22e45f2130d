"""CustomResourceDefinitions made from the Kinds, so that an API server knows the same shapes as `engine.convert`.

What one object can decide alone is said here in OpenAPI and CEL; everything else is the webhook's matter.
`juneau crds` prints them, and manifests/crds.yaml is that output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin

import attrs

from juneau.engine.convert import encode_value
from juneau.engine.fields import FieldShape, Mark, shape_of
from juneau.engine.kind import AnyKind, Registry
from juneau.engine.objects import Condition, Opaque, Time
from juneau.engine.shape import IMMUTABLE
from juneau.engine.table import columns_of, yaml_text

Schema: TypeAlias = dict[str, Any]

_INT32 = 2**31
# Names that CEL reserves; in a rule they stand between underscores.
_CEL_WORDS = frozenset(
    {"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop"}
    | {"namespace", "null", "package", "return", "true", "var", "void", "while"}
)


def crds_yaml(registry: Registry) -> str:
    """The CRDs of all Kinds that are Juneau's own, by name, as one YAML file."""
    own = sorted((kind for kind in registry if not kind.foreign), key=lambda kind: kind.name)
    return "---\n".join(yaml_text(crd(kind)) for kind in own)


def crd(kind: AnyKind) -> Schema:
    """The CustomResourceDefinition of a Kind."""
    names: Schema = {
        "kind": kind.name,
        "listKind": f"{kind.name}List",
        "plural": kind.plural,
        "singular": kind.name.lower(),
    }
    if kind.short_names:
        names["shortNames"] = list(kind.short_names)
    version: Schema = {
        "name": kind.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": _object_of(kind)},
        "subresources": {"status": {}},
        "additionalPrinterColumns": [*_printer_columns(kind)],
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{kind.group}"},
        "spec": {"group": kind.group, "names": names, "scope": kind.scope.value, "versions": [version]},
    }


def _printer_columns(kind: AnyKind) -> Iterable[Schema]:
    for column in columns_of(kind):
        printed: Schema = {"name": column.name, "type": column.type, "jsonPath": column.path}
        if column.priority:
            printed["priority"] = column.priority
        if column.description:
            printed["description"] = column.description
        yield printed


def _object_of(kind: AnyKind) -> Schema:
    spec = _class_schema(kind.spec)
    schema: Schema = {
        "description": cleandoc(kind.doc),
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": spec,
            "status": _class_schema(kind.status, binding=False, shapes=kind.status_shape),
        },
    }
    if "required" in spec:
        schema["required"] = ["spec"]
    else:
        # Always there, so that rules about the spec's fields cannot be escaped by leaving it out.
        spec["default"] = {}
    return schema


def _class_schema(cls: type, binding: bool = True, shapes: Sequence[FieldShape] | None = None) -> Schema:
    """The schema of an attrs class; with `binding`, immutable fields are held to their value.

    Not so inside lists and mappings, whose items have no identity, and inside what is immutable as a whole.
    `shapes` are its fields where a Kind says more about them than the class does.
    """
    schema: Schema = {"type": "object", "properties": {}}
    if cls.__doc__:
        schema["description"] = cleandoc(cls.__doc__)
    required: list[str] = []
    rules: list[Schema] = []
    for shape in shape_of(cls) if shapes is None else shapes:
        immutable = binding and shape.mark.immutable
        field = _schema(shape.type, shape.mark, binding and not immutable)
        schema["properties"][shape.wire] = field
        if shape.mark.doc:
            field["description"] = shape.mark.doc
        if shape.required:
            required.append(shape.wire)
        else:
            _set_default(field, cls, shape)
        if immutable and shape.required:
            field["x-kubernetes-validations"] = [{"rule": "self == oldSelf", "message": IMMUTABLE}]
        elif immutable:
            rules.append(_immutable_rule(shape.wire))
    if required:
        schema["required"] = required
    if rules:
        schema["x-kubernetes-validations"] = rules
    return schema


def _set_default(field: Schema, cls: type, shape: FieldShape) -> None:
    default: Any = attrs.fields_dict(cls)[shape.name].default
    if hasattr(default, "takes_self"):
        default = default.factory() if not default.takes_self else None
    written = encode_value(default, shape.type) if default is not None else None
    if written:
        field["default"] = written


def _immutable_rule(wire: str) -> Schema:
    """A rule of the parent, since a rule of the field itself sees neither its coming nor its going."""
    name = f"__{wire}__" if wire in _CEL_WORDS else wire
    return {
        "rule": f"has(self.{name}) == has(oldSelf.{name}) && (!has(self.{name}) || self.{name} == oldSelf.{name})",
        "message": IMMUTABLE,
        "fieldPath": f".{wire}",
    }


def _schema(type_: Any, mark: Mark, binding: bool) -> Schema:
    """The schema of a type under a mark; on a list, bounds of numbers and texts are those of its items."""
    origin = get_origin(type_)
    if origin is Annotated:
        inner, *extras = get_args(type_)
        return _schema(inner, next((extra for extra in extras if isinstance(extra, Mark)), mark), binding)
    if origin in (Union, UnionType):
        schema: Schema = _union_schema([arm for arm in get_args(type_) if arm is not NoneType], mark, binding)
    elif origin is tuple:
        schema = _list_schema(get_args(type_)[0], mark)
    elif origin is Mapping:
        schema = {"type": "object", "additionalProperties": _schema(get_args(type_)[1], _items_mark(mark), False)}
    elif attrs.has(type_):
        schema = _class_schema(type_, binding)
    else:
        schema = _scalar_schema(type_, mark)
    if mark.nullable:
        schema["nullable"] = True
    return schema


def _union_schema(arms: list[Any], mark: Mark, binding: bool) -> Schema:
    match arms:
        case [arm]:
            return _schema(arm, mark, binding)
        case _ if set(arms) == {int, str}:
            either: Schema = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
            return {**either, **_bounds(mark), **_text_rules(mark)}
        case _:
            raise TypeError(f"a CRD cannot say that a field is one of {arms}")


def _items_mark(mark: Mark) -> Mark:
    """The part of a list's mark that is about its items."""
    return attrs.evolve(
        mark, doc="", json="", immutable=False, min_items=None, max_items=None, unique=False, nullable=False
    )


def _list_schema(item: Any, mark: Mark) -> Schema:
    items = _schema(item, _items_mark(mark), False)
    schema: Schema = {"type": "array", "items": items}
    if mark.min_items is not None:
        schema["minItems"] = mark.min_items
    if mark.max_items is not None:
        schema["maxItems"] = mark.max_items
    if mark.unique:
        schema["x-kubernetes-list-type"] = "set"
        if items.get("type") == "object":
            items["x-kubernetes-map-type"] = "atomic"  # an API server compares no other objects
    elif item is Condition:
        schema |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"]}
    return schema


def _scalar_schema(type_: Any, mark: Mark) -> Schema:
    if type_ is Opaque:
        return {"x-kubernetes-preserve-unknown-fields": True}
    if type_ is Time:
        return {"type": "string", "format": "date-time"}
    if type_ is bool:
        return {"type": "boolean"}
    if type_ is int:
        return {"type": "integer", "format": _integer_format(mark), **_bounds(mark)}
    if type_ is float:
        return {"type": "number", "format": "double", **_bounds(mark)}
    if type_ is str:
        return {"type": "string", **_text_rules(mark)}
    if isinstance(type_, type) and issubclass(type_, StrEnum):
        return {"type": "string", "enum": [member.value for member in type_], **_text_rules(mark)}
    raise TypeError(f"a CRD cannot say what {type_} is")


def _integer_format(mark: Mark) -> str:
    low = mark.minimum if mark.minimum is not None else 0
    return "int32" if mark.maximum is not None and low >= -_INT32 and mark.maximum < _INT32 else "int64"


def _bounds(mark: Mark) -> Schema:
    bounds = {"minimum": mark.minimum, "maximum": mark.maximum}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _text_rules(mark: Mark) -> Schema:
    rules: Schema = {
        "minLength": mark.min_length,
        "maxLength": mark.max_length,
        "pattern": mark.pattern or None,
        "enum": list(mark.choices) or None,
    }
    return {name: rule for name, rule in rules.items() if rule is not None}
