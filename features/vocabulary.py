"""The vocabulary as a page: `python -m juneau.features.vocabulary` writes it into `features/README.md`.

A test compares the page with the steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from juneau.features.grammar import SLOTS, VOCABULARY, Entry
from juneau.features.plugin import step_modules

README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- vocabulary: begin -->", "<!-- vocabulary: end -->"
_KEYWORDS = ("Given", "When", "Then")
_SLOT = re.compile(r"<(?:\w+:)?(\w+)>")


def render() -> str:
    """All phrases by subject, then what their slots take."""
    modules = [import_module(name) for name in step_modules()]
    lines: list[str] = []
    for module in modules:
        subject = module.__name__.rpartition(".")[2]
        lines += [f"### {subject.capitalize()}", "", (module.__doc__ or "").strip().split("\n")[0], ""]
        lines += [*_subject(subject), ""]
    used = {match[1] for entry in VOCABULARY for match in _SLOT.finditer(entry.phrase)}
    lines += ["### Slots", "", "| slot | takes |", "| --- | --- |"]
    lines += [f"| `<{name}>` | {slot.doc} |" for name, slot in sorted(SLOTS.items()) if name in used]
    return "\n".join(lines)


def _subject(subject: str) -> Iterator[str]:
    yield "| step | what it does |"
    yield "| --- | --- |"
    entries = [entry for entry in VOCABULARY if entry.module == subject]
    for keyword in _KEYWORDS:
        for entry in entries:
            if entry.keyword == keyword:
                yield _row(entry)


def _row(entry: Entry) -> str:
    return f"| {entry.keyword} `{entry.phrase.replace('|', chr(92) + '|')}` | {entry.doc.replace('|', chr(92) + '|')} |"


def page(text: str) -> str:
    """The page with its list brought up to date."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{render()}\n\n{END}{tail}"


if __name__ == "__main__":
    README.write_text(page(README.read_text(encoding="utf-8")), encoding="utf-8")
