"""Manifests as people write them, YAML or JSON, to documents: what stands before `engine.convert`.

Text is read as kubectl reads it: YAML 1.1 as far as JSON goes (`yes` is true, a date is a string), with duplicate keys
refused instead of lost.
Nothing here raises on what a file contains; an unreadable document is a value that says where and why.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn, cast

import yaml
from attrs import Factory, define, evolve, frozen

MAX_FILE_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 100  # lets `engine.convert` speak of what is a little too deep
MAX_ALIASED = 100_000  # values of one file that aliases stand for

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_TYPES: dict[str, type] = {"str": str, "int": int, "float": float, "bool": bool, "null": type(None)}
# `y` and `n` are texts, as for PyYAML; some readers take them for truth values.
_TRUE, _FALSE = ("yes", "true", "on"), ("no", "false", "off")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{case(word): word in _TRUE for word in _TRUE + _FALSE for case in (str.lower, str.title, str.upper)},
}
# What YAML does not allow; libyaml would take NUL for the end of the file.
_UNWANTED = re.compile("[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
# Unlike YAML 1.1, and like kubectl: no base 60, which would make a number of some MACs, and 1e3 needs no dot.
_INTEGER = re.compile(r"[-+]?(0b[01_]*[01]_*|0o?[0-7_]*[0-7]_*|0x[0-9a-fA-F_]*[0-9a-fA-F]_*|0|[1-9][0-9_]*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?((\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)", re.ASCII)
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


@frozen
class Document:
    """One document of a file, or one item of a List: its content, or in `error` why it cannot be read.

    `number` counts the documents of the file and `line` is where the document begins, both from 1; `item` counts the
    items of a List, from 1.
    """

    source: str
    number: int
    line: int
    content: object = None
    error: str = ""
    item: int = 0

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{self.source}, line {self.line}" + (f", item {self.item}" if self.item else "")


def read_documents(text: str | bytes, source: str) -> Iterator[Document]:
    """The documents of a file, in order, without empty ones; after text that is no YAML nothing more can be read."""
    readable, fault = _checked(text)
    if fault:
        yield Document(source, 1, 1, error=f"{source}{fault}")
        return
    documents = _read_json(readable, source) if readable.lstrip()[:1] in ("{", "[") else None
    for document in documents if documents is not None else _read_yaml(readable, source):
        yield from _items(document)


def _checked(text: str | bytes) -> tuple[str, str]:
    """The text, or where and why it cannot be read at all."""
    try:
        raw = text if isinstance(text, bytes) else text.encode()
        decoded = raw.decode("utf-8-sig")
    except UnicodeError:
        return "", ": not UTF-8 text"
    if len(raw) > MAX_FILE_BYTES:
        return "", f": longer than {MAX_FILE_BYTES // 1024 // 1024} MiB"
    unwanted = _UNWANTED.search(decoded)
    if unwanted is not None:
        line = decoded.count("\n", 0, unwanted.start()) + 1
        name = "NUL" if unwanted[0] == "\0" else f"U+{ord(unwanted[0]):04X}"
        return "", f", line {line}: the character {name} must not stand in a text file"
    return decoded, ""


def _items(document: Document) -> Iterator[Document]:
    """The items of a List in its place, of Lists in Lists too; any other document is itself."""
    items = _list_items(document.content)
    if items is None:
        yield document
        return
    todo, count = items[::-1], 0
    while todo:
        content = todo.pop()
        inner = _list_items(content)
        if inner is not None:
            todo += inner[::-1]
        else:
            count += 1
            yield evolve(document, content=content, item=count)


def _list_items(content: object) -> list[object] | None:
    if not isinstance(content, dict):
        return None
    parts = cast("dict[str, object]", content)
    kind, items = parts.get("kind"), parts.get("items")
    if isinstance(kind, str) and kind.endswith("List") and "spec" not in parts and isinstance(items, list):
        return cast("list[object]", items)
    return None


class _Unreadable(Exception):
    """Why a document cannot be read, and where if `mark` knows; with `ends`, the rest of the file cannot either."""

    def __init__(self, message: str, mark: Any = None, ends: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.mark = mark
        self.ends = ends

    def text(self, source: str) -> str:
        place = f", line {self.mark.line + 1}, column {self.mark.column + 1}" if self.mark is not None else ""
        return f"{source}{place}: {self.message}"


# JSON


def _read_json(text: str, source: str) -> list[Document] | None:
    """JSON documents one after the other, or None if this is none, and possibly YAML."""
    decoder = json.JSONDecoder(
        object_pairs_hook=_json_object, parse_int=_integer, parse_float=_float, parse_constant=_no_constant
    )
    documents: list[Document] = []
    position = _skip_space(text, 0)
    line, counted = 1, 0
    while position < len(text):
        line, counted = line + text.count("\n", counted, position), position
        number = len(documents) + 1
        try:
            content, end = cast("tuple[object, int]", decoder.raw_decode(text, position))
        except _Unreadable as unreadable:
            return [*documents, Document(source, number, line, error=f"{source}, line {line}: {unreadable.message}")]
        except RecursionError:
            return [*documents, Document(source, number, line, error=f"{source}, line {line}: {_too_deep()}")]
        except ValueError:
            return None
        if _is_too_deep(content):
            return [*documents, Document(source, number, line, error=f"{source}, line {line}: {_too_deep()}")]
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
                raise _Unreadable(_duplicate(key))
            seen.add(key)
    return found


def _no_constant(word: str) -> NoReturn:
    raise _Unreadable(f"{word} is no JSON")


def _duplicate(key: str) -> str:
    return f'the key "{key[:200]}" stands here twice'


def _is_too_deep(content: object) -> bool:
    level, depth = [content], 0
    while level:
        depth += 1
        level = [inner for item in level for inner in _inside(item)]
    return depth > MAX_DEPTH


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def _too_deep() -> str:
    return f"nested deeper than {MAX_DEPTH} levels"


# YAML


def _read_yaml(text: str, source: str) -> Iterator[Document]:
    reader = _Reader(yaml.parse(text, Loader=_Loader))
    number, line = 0, 1
    while True:
        try:
            start = reader.next_document()
            if start is None:
                return
            number, line = number + 1, start.start_mark.line + 1
            content, _ = reader.value(start, 1)
            if content is not None:
                yield Document(source, number, line, content)
        except _Unreadable as unreadable:
            yield Document(source, max(number, 1), line, error=unreadable.text(source))
            if unreadable.ends or not reader.skip_document():
                return


@define
class _Reader:
    """Builds values from events, so that depth and size are known before anything is built."""

    events: Iterator[Any]
    anchors: dict[str, tuple[object, int, int]] = Factory(dict[str, tuple[object, int, int]])  # value, size, height
    nodes: int = 0
    aliased: int = 0

    def next_event(self) -> Any:
        try:
            return next(self.events)
        except yaml.MarkedYAMLError as error:
            context = f" ({error.context})" if error.context else ""
            raise _Unreadable(f"{error.problem}{context}", error.problem_mark, ends=True) from None
        except yaml.YAMLError as error:
            raise _Unreadable(getattr(error, "reason", "unreadable"), ends=True) from None

    def next_document(self) -> Any:
        """The first event of the next document's value, or None at the end of the file."""
        while not isinstance(event := self.next_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.DocumentStartEvent):
                self.anchors.clear()
                return self.next_event()
        return None

    def skip_document(self) -> bool:
        """Go on to the end of a document that cannot be used; False where the rest of the file is lost with it."""
        depth = 0
        try:
            while not isinstance(event := self.next_event(), yaml.DocumentEndEvent):
                depth += isinstance(event, yaml.CollectionStartEvent)
                if depth > MAX_DEPTH:
                    return False
                depth -= isinstance(event, yaml.CollectionEndEvent)
        except _Unreadable:
            return False
        return True

    def value(self, event: Any, depth: int) -> tuple[object, int]:
        """The value that begins with this event, and its height."""
        if depth > MAX_DEPTH:
            raise _Unreadable(_too_deep(), event.start_mark, ends=True)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, depth)
        self.nodes += 1
        before = self.nodes + self.aliased
        if isinstance(event, yaml.MappingStartEvent):
            value, height = self.mapping(event, depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            value, height = self.sequence(event, depth)
        else:
            value, height = _scalar(event), 1
        if event.anchor is not None:
            self.anchors[event.anchor] = value, self.nodes + self.aliased - before + 1, height
        return value, height

    def alias(self, event: Any, depth: int) -> tuple[object, int]:
        if event.anchor not in self.anchors:
            raise _Unreadable(f"*{event.anchor} stands for nothing: no &{event.anchor} ends above it", event.start_mark)
        value, size, height = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            raise _Unreadable(f"aliases stand for more than {MAX_ALIASED} values", event.start_mark, ends=True)
        if depth + height - 1 > MAX_DEPTH:
            raise _Unreadable(_too_deep(), event.start_mark, ends=True)
        return _copied(value), height

    def sequence(self, event: Any, depth: int) -> tuple[object, int]:
        _check_tag(event, "seq")
        items: list[object] = []
        tallest = 0
        while not isinstance(event := self.next_event(), yaml.SequenceEndEvent):
            item, height = self.value(event, depth + 1)
            items.append(item)
            tallest = max(tallest, height)
        return items, tallest + 1

    def mapping(self, event: Any, depth: int) -> tuple[object, int]:
        _check_tag(event, "map")
        found: dict[str, object] = {}
        merged: dict[str, object] | None = None
        tallest = 0
        while not isinstance(event := self.next_event(), yaml.MappingEndEvent):
            mark = event.start_mark
            is_merge = isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]
            key = _key(self.value(event, depth + 1)[0], mark)
            value, height = self.value(self.next_event(), depth + 1)
            tallest = max(tallest, height)
            if key in found or (is_merge and merged is not None):
                raise _Unreadable(_duplicate(key), mark)
            if is_merge:
                merged = _merge(value, mark)
            else:
                found[key] = value
        return {**(merged or {}), **found}, tallest + 1


def _merge(value: object, mark: Any) -> dict[str, object]:
    """What `<<` adds; of several mappings the first one that has a key wins."""
    merged: dict[str, object] = {}
    for part in reversed(cast("list[object]", value) if isinstance(value, list) else [value]):
        if not isinstance(part, dict):
            raise _Unreadable("<< takes a mapping or a list of them", mark)
        merged.update(cast("dict[str, object]", part))
    return merged


def _copied(value: object) -> object:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_copied(item) for item in cast("list[object]", value)]
    return value


def _key(value: object, mark: Any) -> str:
    """A key as text; numbers and truth values become it, as for kubectl."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    raise _Unreadable("a key must be a text", mark)


def _check_tag(event: Any, *allowed: str) -> None:
    if event.tag not in (None, "!", *(_TAG + name for name in allowed)):
        raise _Unreadable(f"the tag {event.tag[:200]} has no meaning in JSON", event.start_mark)


def _scalar(event: Any) -> object:
    _check_tag(event, *_TYPES)
    if event.tag == _TAG + "str" or event.tag == "!" or (event.tag is None and not event.implicit[0]):
        return event.value
    try:
        value = _resolved(event.value)
    except _Unreadable as unreadable:
        raise _Unreadable(unreadable.message, event.start_mark) from None
    wanted = _TYPES[event.tag.removeprefix(_TAG)] if event.tag is not None else type(value)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise _Unreadable(f"{event.value[:200]!r} does not fit its tag", event.start_mark)
    return value


def reads_as_text(text: str) -> bool:
    """Whether a text means itself when it stands in YAML without quotes."""
    try:
        return isinstance(_resolved(text), str)
    except _Unreadable:
        return False


def _resolved(text: str) -> object:
    """What a text without quotes means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _float(text)
    if _NO_NUMBER.fullmatch(text):
        raise _Unreadable(f"{text} is no number that JSON knows")
    return text


def _integer(text: str) -> int:
    digits = text.replace("_", "").lstrip("+-")
    if len(digits) <= 66:
        base = 8 if digits[0] == "0" and digits.isdigit() and len(digits) > 1 else 0
        number = int(digits, base) * (-1 if text[0] == "-" else 1)
        if -(2**63) <= number < 2**64:
            return number
    raise _Unreadable("a number is too large for 64 bits")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Unreadable("a number is too large")
    return number
