"""What is wrong with a `.feature` file as such, found before anything runs: one line each, with file and line.

Gherkin takes whatever follows `Feature:` or `Scenario:` for a description, up to the next keyword; so a slip in a
keyword can also make scenarios or steps vanish without an error, and what is empty then is told here too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from pytest_bdd.exceptions import GherkinParseError
from pytest_bdd.gherkin_parser import Child, GherkinDocument, Scenario, get_gherkin_document

_HEADINGS = ("Feature", "Background", "Scenario", "Scenario Outline", "Examples", "Rule")
_STEPS = ("Given", "When", "Then", "And", "But")
_HEADING = re.compile(r"\s*([A-Za-z]+(?: [A-Za-z]+)?):")


def feature_files(path: Path) -> list[Path]:
    """The file itself, or those of a directory and below."""
    return [path] if path.is_file() else sorted(path.rglob("*.feature"))


def shown_path(path: str | Path) -> str:
    """As a person in this directory would write it."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def faults(path: Path) -> Iterator[str]:
    """What keeps the file from being run."""
    name = shown_path(path)
    try:
        text = path.read_text(encoding="utf-8")
        if not _has_feature(text):
            yield f"{name}:1: no Feature in it; begin with a line such as Feature: My network{_slip(name, text)}"
            return
        document = get_gherkin_document(str(path))
    except UnicodeDecodeError:
        yield f"{name}:1: is not UTF-8 text"
    except OSError as error:
        yield f"{name}: cannot be read: {error.strerror or error}"
    except GherkinParseError as error:
        yield f"{name}:{error.line}: {_parse_fault(error)}"
    else:
        yield from _empty_parts(name, text, document)


def _has_feature(text: str) -> bool:
    """Languages other than English name it otherwise, and say so in a comment."""
    lines = [line.strip() for line in text.splitlines()]
    return any(line.startswith("Feature:") or re.match(r"#\s*language\s*:", line) for line in lines)


def _parse_fault(error: GherkinParseError) -> str:
    line = error.line_content.strip()
    heading = _HEADING.match(line)
    if heading is not None and heading[1] not in _HEADINGS:
        near = get_close_matches(heading[1], _HEADINGS, 1)
        return f'"{heading[1]}:" is no keyword{_meant(near, ":")}'
    word = line.split()[0] if line else ""
    if word in _STEPS:
        return f'"{line}" is a step outside of any Scenario or Background'
    if line.startswith("|"):
        return "the rows of a table must all have as many cells as its first"
    if heading is not None:
        return f'"{heading[1]}:" is misplaced: a file holds one Feature, with one Background before its Scenarios'
    if not line:
        return "the file ends in the middle of something, such as a doc string without its closing quotes"
    near = get_close_matches(word, _STEPS, 1)
    return f'"{word}" begins neither a step nor a table{_meant(near)}'


def _meant(near: list[str], after: str = "") -> str:
    return f'; did you mean "{near[0]}{after}"?' if near else f"; steps begin with {', '.join(_STEPS)}"


def _empty_parts(name: str, text: str, document: GherkinDocument) -> Iterator[str]:
    feature = document.feature
    scenarios = list(_scenarios(feature.children))
    if not scenarios:
        yield f"{name}:{feature.location.line}: the Feature holds no Scenario{_slip(name, text)}"
    for scenario in scenarios:
        if not scenario.steps:
            yield f'{name}:{scenario.location.line}: the Scenario "{scenario.name}" has no step{_first_slip(scenario)}'


def _scenarios(children: list[Child]) -> Iterator[Scenario]:
    for child in children:
        if child.scenario is not None:
            yield child.scenario
        if child.rule is not None:
            yield from _scenarios(child.rule.children)


def _slip(name: str, text: str) -> str:
    """A heading that is nearly one."""
    for number, line in enumerate(text.splitlines(), 1):
        heading = _HEADING.match(line)
        if heading is not None and heading[1] not in _HEADINGS:
            near = get_close_matches(heading[1], _HEADINGS, 1)
            if near:
                return f'; at {name}:{number}, did you mean "{near[0]}:" by "{heading[1]}:"?'
    return ""


def _first_slip(scenario: Scenario) -> str:
    word = scenario.description.split()[0] if scenario.description.split() else ""
    near = get_close_matches(word, _STEPS, 1)
    return f'; did you mean "{near[0]}" by "{word}"?' if near else f"; steps begin with {', '.join(_STEPS)}"
