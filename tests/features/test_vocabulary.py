"""The vocabulary of scenarios: documented, complete, and never ambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from pytest_bdd.feature import get_features
from pytest_bdd.parser import Scenario

from juneau.features.grammar import SLOTS, VOCABULARY, Phrase
from juneau.features.plugin import step_modules
from juneau.features.vocabulary import README, page

FEATURES = README.parent
PATHS = sorted(FEATURES.rglob("*.feature"))

for name in step_modules():
    import_module(name)
PHRASES = [Phrase(entry.phrase) for entry in VOCABULARY]


def steps_of(path: Path) -> Iterator[tuple[str, str]]:
    """Each step of a file, with its outlines filled in, and where it stands."""
    for feature in get_features([str(path)]):
        for template in feature.scenarios.values():
            contexts = [row for examples in template.examples for row in examples.as_contexts()] or [{}]
            for context in contexts:
                scenario: Scenario = template.render(context)
                for step in scenario.steps:
                    yield f"{path.name}:{step.line_number}", step.name


def test_the_page_lists_every_step() -> None:
    """features/README.md is what `python -m juneau.features.vocabulary` writes."""
    text = README.read_text(encoding="utf-8")
    assert page(text) == text, "run: python -m juneau.features.vocabulary"


def test_every_step_says_what_it_does() -> None:
    """A step without a docstring would be an empty row of the page."""
    assert not [entry.phrase for entry in VOCABULARY if not entry.doc]


def test_no_phrase_is_there_twice() -> None:
    """Two steps of one phrase would shadow each other."""
    phrases = [re.sub(r"<(?:\w+:)?(\w+)>", r"<\1>", entry.phrase) for entry in VOCABULARY]
    assert not {phrase for phrase in phrases if phrases.count(phrase) > 1}


def test_slots_are_known() -> None:
    """A phrase's slots are all of a type that the page explains."""
    used = {slot for phrase in PHRASES for slot in phrase.types.values()}
    assert used <= SLOTS.keys()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(FEATURES)))
def test_each_step_means_one_thing(path: Path) -> None:
    """No step of a scenario fits two phrases, and none fits no phrase."""
    wrong: list[str] = []
    for place, text in steps_of(path):
        fitting = [phrase.name for phrase in PHRASES if phrase.is_matching(text)]
        if len(fitting) != 1:
            wrong.append(f"{place}: {text}: {fitting or 'no step'}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("phrase", "text", "values"),
    [
        ('<kind> "<name>" is <phase>', 'Subnet "web" is Ready', {"kind": "Subnet", "name": "web", "phase": "Ready"}),
        ("<duration> pass", "300 s pass", {"duration": 300.0}),
        ("<duration> pass", "24h pass", {"duration": 86400.0}),
        ("is <value>", 'is ["a", "b"]', {"value": ["a", "b"]}),
        ("is <value>", "is empty", None),
        ("on <names>", "on a, b and c", {"names": ("a", "b", "c")}),
        ("<n:count> times", "three times", {"n": 3}),
        ("of type <t:number>", "of type 0x88B5", {"t": 0x88B5}),
    ],
)
def test_slots_take_what_they_say(phrase: str, text: str, values: dict[str, object] | None) -> None:
    """A slot converts what fits it, and nothing else fits it."""
    assert Phrase(phrase).parse_arguments(text) == values


@pytest.mark.parametrize(
    ("phrase", "text", "why"),
    [
        ("port <port>", "port 70000", "70000 is no port: write a number from 1 to 65535"),
        ("port <port>", "port 0", "0 is no port: write a number from 1 to 65535"),
        ("TTL <ttl>", "TTL 300", "300 is no TTL: write a number from 1 to 255"),
        ("<size:packet> bytes", "5 bytes", "5 is no size of a ping: write a number from 28 to 65535"),
        ("<size> bytes", f"{'9' * 5000} bytes", "99999999999999999999... is no size: write a number from 0 to 65535"),
        ("type <ethertype>", "type 0x10000", "0x10000 is no EtherType: write a number from 0 to 65535"),
        ("<n:few> Pods", "1001 Pods", "1001 is no number of things to do: write a number from 0 to 1000"),
        ("<duration> pass", "876001h pass", "876001h is no duration: write one of at most 100 years"),
        ("<duration> pass", "1.2.3 s pass", "1.2.3 s is no duration: write one of at most 100 years"),
        ('at "<address>"', 'at "10.0.0.300"', "10.0.0.300 cannot be used: Octet 300"),
        ('in "<cidr>"', 'in "10.0.0.1/24"', "10.0.0.1/24 cannot be used: 10.0.0.1/24 has host bits set"),
        ('bytes "<hex>"', 'bytes "000"', "3 hexadecimal digits are no whole bytes: write two digits for each byte"),
        ("is <value>", "is {a: b: c}", '"{a: b: c}" is no value as YAML has it: '),
    ],
)
def test_what_is_out_of_bounds_is_said_in_one_line(phrase: str, text: str, why: str) -> None:
    """What stands there, what it should be, and its bounds."""
    with pytest.raises(AssertionError) as raised:
        Phrase(phrase).parse_arguments(text)
    said = str(raised.value)
    assert said.startswith(why)
    assert "\n" not in said
