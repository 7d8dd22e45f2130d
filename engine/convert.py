"""Documents to typed objects and back: the one converter, and it stands at the edge.

What comes in (a manifest, an API server's answer) is decoded once, strictly, and whatever is wrong with it is reported
together; everything inside works on frozen values; what goes out is encoded here again.
Shapes and names on the wire come from `engine.fields`; whether a value makes sense is admission's matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

import attrs
from cattrs import Converter

from juneau.engine.errors import BadRequest, Cause, Invalid, Violation, quoted
from juneau.engine.hooks import converter_for
from juneau.engine.kind import AnyKind, Registry
from juneau.engine.objects import AnyObject, Metadata, Object
from juneau.engine.refusal import MOST, Refused, given, under, unknown

MAX_DEPTH = 64
MAX_BYTES = 1024 * 1024

_TOP = ("apiVersion", "kind", "metadata", "spec", "status")


def decode(registry: Registry, document: object, *, with_status: bool = False, lenient: bool = False) -> AnyObject:
    """The object that a document describes; `status` is read only on request, and ignored otherwise.

    `lenient` drops unknown fields: for what a server sends, whose Kinds may be newer than ours.
    In the status of the API server's own Kinds they are always dropped.
    Raises BadRequest where it is no object of a known Kind, and Invalid with all that is wrong with its fields.
    """
    _check_bounds(document)
    if not isinstance(document, Mapping):
        raise BadRequest(f"an object must be a mapping with apiVersion, kind and metadata, not {given(document)}")
    parts = cast("Mapping[str, object]", document)
    kind = _kind_of(registry, parts)
    converter = converter_for(lenient)
    problems = [] if lenient else list(unknown([key for key in parts if key not in _TOP], _TOP))
    metadata = _read_part(converter, parts, "metadata", Metadata, problems)
    problems += _naming_problems(parts)
    spec = _read_part(converter, parts, "spec", kind.spec, problems)
    status = (
        _read_part(converter_for(lenient or kind.foreign), parts, "status", kind.status, problems)
        if with_status
        else kind.status()
    )
    if problems:
        more = len(problems) - MOST
        listed = problems[:MOST] + ([Violation(f"and {more} more", "", Cause.TOO_MANY)] if more > 0 else [])
        raise Invalid(kind.name, _name_in(parts), listed)
    return Object(kind.name, metadata, spec, status)


def encode(registry: Registry, obj: AnyObject) -> dict[str, Any]:
    """The document of an object, with fields in the order of kubectl; what is empty by default is left out."""
    return encode_as(registry[obj.kind], obj)


def encode_as(kind: AnyKind, obj: AnyObject) -> dict[str, Any]:
    """The document of an object whose Kind is at hand."""
    converter = converter_for(False)
    document: dict[str, Any] = {
        "apiVersion": kind.api_version,
        "kind": kind.name,
        "metadata": converter.unstructure(obj.metadata, Metadata),
    }
    if attrs.fields(kind.spec):
        document["spec"] = converter.unstructure(obj.spec, kind.spec)
    status = converter.unstructure(obj.status, kind.status)
    if status:
        document["status"] = status
    return document


def encode_value(value: object, type_: Any) -> Any:
    """A part of an object as it is on the wire; `type_` is the type of its field."""
    return converter_for(False).get_unstructure_hook(type_)(value)


def _kind_of(registry: Registry, document: Mapping[str, object]) -> AnyKind:
    words: list[str] = []
    for field in ("apiVersion", "kind"):
        word = document.get(field)
        if word is None or word == "":
            raise BadRequest(f"Object '{field}' is missing")
        if not isinstance(word, str):
            raise BadRequest(f"{field} must be a string, not {given(word)}")
        words.append(word)
    version, name = words
    kind = registry.kinds.get(name)
    if kind is not None and kind.api_version == version:
        return kind
    hint = f'did you mean version "{kind.api_version}"?' if kind is not None else _hint(registry, version, name)
    raise BadRequest(f"no matches for kind {quoted(name)} in version {quoted(version)}; {hint}")


def _hint(registry: Registry, version: str, name: str) -> str:
    """A Kind of the same API group that is nearly called so, or which Kinds there are."""
    group = version.rpartition("/")[0]
    # By lower case, so that `subnet` and `SUBNET` are near to Subnet.
    names = {known.name.lower(): known.name for known in registry if known.group == group}
    near = get_close_matches(name[:64].lower(), names, 1)
    if near:
        return f'did you mean "{names[near[0]]}"?'
    foreign = ", ".join(sorted(f"{known.name}s" for known in registry if known.foreign))
    return f"known are {foreign}{' and ' if foreign else ''}Juneau's own Kinds"


def _metadata_of(document: Mapping[str, object]) -> Mapping[str, object] | None:
    metadata = document.get("metadata")
    return cast("Mapping[str, object]", metadata) if isinstance(metadata, Mapping) else None


def _name_in(document: Mapping[str, object]) -> str:
    name: object = (_metadata_of(document) or {}).get("name")
    return name[:253] if isinstance(name, str) else ""


def _naming_problems(document: Mapping[str, object]) -> list[Violation]:
    metadata = _metadata_of(document)
    if metadata is None and document.get("metadata") is not None:
        return []  # no mapping at all, and that is said elsewhere
    names = metadata or {}
    if names.get("name") not in (None, ""):
        return []  # beside a name, generateName only tells where that comes from
    if "generateName" in names:
        return [Violation("metadata.generateName", "Juneau makes up no names; write metadata.name", Cause.FORBIDDEN)]
    return [Violation("metadata.name", "an object needs a name", Cause.REQUIRED)]


def _read_part(
    converter: Converter, document: Mapping[str, object], part: str, cls: type, problems: list[Violation]
) -> Any:
    value: Any = document.get(part)
    try:
        return converter.get_structure_hook(cls)(value if value is not None else {}, cls)
    except Refused as refused:
        problems += under(part, refused.violations)
        return None


def _check_bounds(document: object) -> None:
    """Refuse what is no JSON, nested too deep or too long, so that no reader below has to mind."""
    size = 0
    todo: list[tuple[int, object]] = [(1, document)]
    while todo:
        depth, value = todo.pop()
        if depth > MAX_DEPTH:
            raise BadRequest(f"the document is nested deeper than {MAX_DEPTH} levels")
        size += 1
        if isinstance(value, Mapping):
            for key, item in cast("Mapping[object, object]", value).items():
                if not isinstance(key, str):
                    raise BadRequest(f"the names of fields must be strings, not {given(key)}")
                size += _text_size(key)
                todo.append((depth + 1, item))
        elif isinstance(value, (list, tuple)):
            todo.extend((depth + 1, item) for item in cast("Sequence[object]", value))
        elif isinstance(value, str):
            size += _text_size(value)
        elif isinstance(value, float) and not math.isfinite(value):
            raise BadRequest(f"{value} is no number that JSON knows")
        elif isinstance(value, int) and not -(2**63) <= value < 2**64:
            raise BadRequest("a number is too large for 64 bits")
        elif value is not None and not isinstance(value, (bool, int, float)):
            raise BadRequest(f"a document holds nothing but JSON, and no {type(value).__name__}")
        if size > MAX_BYTES:
            raise BadRequest(f"the document is longer than {MAX_BYTES} bytes")


def _text_size(text: str) -> int:
    if text.isascii():
        return len(text) + 2
    try:
        return len(text.encode()) + 2
    except UnicodeEncodeError:
        raise BadRequest("a text is not valid Unicode") from None
