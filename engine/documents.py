"""One document of a manifest file, and why one cannot be read."""

from __future__ import annotations

from typing import Any

from attrs import frozen

MAX_DEPTH = 100  # lets `engine.convert` speak of what is a little too deep


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


class Unreadable(Exception):
    """Why a document cannot be read, and where if `mark` knows; with `ends`, the rest of the file cannot either."""

    def __init__(self, message: str, mark: Any = None, ends: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.mark = mark
        self.ends = ends

    def text(self, source: str) -> str:
        place = f", line {self.mark.line + 1}, column {self.mark.column + 1}" if self.mark is not None else ""
        return f"{source}{place}: {self.message}"


def too_deep() -> str:
    return f"nested deeper than {MAX_DEPTH} levels"
