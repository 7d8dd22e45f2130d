"""Manifests as people write them, YAML or JSON, to documents: what stands before `engine.convert`.

Text is read as kubectl reads it: YAML 1.1 as far as JSON goes (`yes` is true, a date is a string), with duplicate keys
refused instead of lost.
Nothing here raises on what a file contains; an unreadable document is a value that says where and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from attrs import evolve

from juneau.engine.documents import Document
from juneau.engine.jsontext import read_json
from juneau.engine.yamltext import read_yaml

MAX_FILE_BYTES = 8 * 1024 * 1024

# What YAML does not allow; libyaml would take NUL for the end of the file.
_UNWANTED = re.compile("[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def read_documents(text: str | bytes, source: str) -> Iterator[Document]:
    """The documents of a file, in order, without empty ones; after text that is no YAML nothing more can be read."""
    readable, fault = _checked(text)
    if fault:
        yield Document(source, 1, 1, error=f"{source}{fault}")
        return
    documents = read_json(readable, source) if readable.lstrip()[:1] in ("{", "[") else None
    for document in documents if documents is not None else read_yaml(readable, source):
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
