"""YAML text to documents, built from the parser's events: depth and size are known before anything is built."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

import yaml
from attrs import Factory, define

from juneau.engine.documents import MAX_DEPTH, Document, Unreadable, too_deep
from juneau.engine.jsontext import duplicate, floating, integer

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
# Unlike YAML 1.1, and like kubectl: no base 60, which would make a number of some MACs, and 1e3 needs no dot.
_INTEGER = re.compile(r"[-+]?(0b[01_]*[01]_*|0o?[0-7_]*[0-7]_*|0x[0-9a-fA-F_]*[0-9a-fA-F]_*|0|[1-9][0-9_]*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?((\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)", re.ASCII)
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def read_yaml(text: str, source: str) -> Iterator[Document]:
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
        except Unreadable as unreadable:
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
            raise Unreadable(f"{error.problem}{context}", error.problem_mark, ends=True) from None
        except yaml.YAMLError as error:
            raise Unreadable(getattr(error, "reason", "unreadable"), ends=True) from None

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
        except Unreadable:
            return False
        return True

    def value(self, event: Any, depth: int) -> tuple[object, int]:
        """The value that begins with this event, and its height."""
        if depth > MAX_DEPTH:
            raise Unreadable(too_deep(), event.start_mark, ends=True)
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
            raise Unreadable(f"*{event.anchor} stands for nothing: no &{event.anchor} ends above it", event.start_mark)
        value, size, height = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            raise Unreadable(f"aliases stand for more than {MAX_ALIASED} values", event.start_mark, ends=True)
        if depth + height - 1 > MAX_DEPTH:
            raise Unreadable(too_deep(), event.start_mark, ends=True)
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
                raise Unreadable(duplicate(key), mark)
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
            raise Unreadable("<< takes a mapping or a list of them", mark)
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
    raise Unreadable("a key must be a text", mark)


def _check_tag(event: Any, *allowed: str) -> None:
    if event.tag not in (None, "!", *(_TAG + name for name in allowed)):
        raise Unreadable(f"the tag {event.tag[:200]} has no meaning in JSON", event.start_mark)


def _scalar(event: Any) -> object:
    _check_tag(event, *_TYPES)
    if event.tag == _TAG + "str" or event.tag == "!" or (event.tag is None and not event.implicit[0]):
        return event.value
    try:
        value = _resolved(event.value)
    except Unreadable as unreadable:
        raise Unreadable(unreadable.message, event.start_mark) from None
    wanted = _TYPES[event.tag.removeprefix(_TAG)] if event.tag is not None else type(value)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise Unreadable(f"{event.value[:200]!r} does not fit its tag", event.start_mark)
    return value


def reads_as_text(text: str) -> bool:
    """Whether a text means itself when it stands in YAML without quotes."""
    try:
        return isinstance(_resolved(text), str)
    except Unreadable:
        return False


def _resolved(text: str) -> object:
    """What a text without quotes means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _FLOAT.fullmatch(text):
        return floating(text)
    if _NO_NUMBER.fullmatch(text):
        raise Unreadable(f"{text} is no number that JSON knows")
    return text
