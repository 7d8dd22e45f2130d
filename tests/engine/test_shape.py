"""What marks on fields say against a value, with the text that users read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from ipaddress import IPv4Network
from typing import Annotated, Any

import pytest
from attrs import evolve, field, frozen

from juneau.engine.fields import Mark
from juneau.engine.shape import IMMUTABLE, immutability_violations, shape_violations


class Colour(StrEnum):
    RED = "Red"
    BLUE = "Blue"


@frozen
class Peg:
    name: Annotated[str, Mark("its name", min_length=1, max_length=8)]
    height: Annotated[int, Mark("how high it hangs", minimum=0)] = 0
    fixed: Annotated[str, Mark("where it is screwed in", immutable=True)] = ""


@frozen
class Plain:
    """Nothing of this is marked."""

    words: tuple[str, ...] = ()
    inner: Plain | None = None


@frozen
class Rack:
    owner: Annotated[str, Mark("whose it is", min_length=1, immutable=True)]
    room: Annotated[str, Mark("where it stands", min_length=3)] = ""
    mtu: Annotated[int, Mark("how much fits", minimum=576, maximum=9000, json="MTU")] = 1500
    load: Annotated[int | None, Mark("how much it bears", maximum=10)] = None
    colour: Annotated[str, Mark("its colour", choices=("Red", "Blue"))] = "Red"
    paint: Annotated[Colour | None, Mark("its paint", choices=("Red",))] = None
    code: Annotated[str, Mark("its code", pattern="^[a-z]+$")] = ""
    pegs: Annotated[tuple[Peg, ...], Mark("its pegs", max_items=3, unique=True)] = ()
    main_peg: Annotated[Peg | None, Mark("the peg in the middle")] = None
    sign: Annotated[Peg | None, Mark("the sign", immutable=True)] = None
    nets: Annotated[tuple[IPv4Network, ...], Mark("nets", unique=True, immutable=True)] = ()
    tags: Annotated[tuple[Annotated[str, Mark("a tag", min_length=1)], ...], Mark("tags")] = ()
    ports: Annotated[tuple[int, ...], Mark("ports", minimum=1, maximum=65535)] = ()
    by_name: Annotated[Mapping[str, Peg], Mark("more pegs")] = field(factory=dict)
    plain: Plain = field(factory=Plain)


@frozen
class Shelf:
    boards: Annotated[tuple[str, ...], Mark("its boards", min_items=2)]


@frozen
class Branch:
    """A class that contains itself."""

    leaf: Annotated[str, Mark("a leaf", max_length=1, immutable=True)] = ""
    branches: Annotated[tuple[Branch, ...], Mark("smaller ones")] = ()
    next: Annotated[Branch | None, Mark("the next one")] = None


RACK = Rack("me")
OVERLONG = 'spec.mainPeg.name: Invalid value: "overlongoverlong": must have at most 8 characters'


def said(spec: Any) -> list[str]:
    return [str(violation) for violation in shape_violations(spec)]


def forbidden(new: Any, old: Any) -> list[str]:
    return [str(violation) for violation in immutability_violations(new, old)]


def test_what_is_left_out_is_not_judged() -> None:
    """An optional field at its default is absent on the wire, so its marks do not speak."""
    assert said(RACK) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"owner": ""}, "spec.owner: Required value: whose it is"),
        ({"room": "ab"}, 'spec.room: Invalid value: "ab": must have at least 3 characters'),
        ({"mtu": 575}, "spec.MTU: Invalid value: 575: must be between 576 and 9000"),
        ({"mtu": 9001}, "spec.MTU: Invalid value: 9001: must be between 576 and 9000"),
        ({"load": 11}, "spec.load: Invalid value: 11: must be at most 10"),
        ({"colour": "Green"}, 'spec.colour: Unsupported value: "Green": supported values: "Red", "Blue"'),
        ({"paint": Colour.BLUE}, 'spec.paint: Unsupported value: "Blue": supported values: "Red"'),
        ({"code": "A1"}, 'spec.code: Invalid value: "A1": must match ^[a-z]+$'),
        ({"pegs": (Peg(""),)}, "spec.pegs[0].name: Required value: its name"),
        ({"pegs": (Peg("a"), Peg("b", -1))}, "spec.pegs[1].height: Invalid value: -1: must be at least 0"),
        ({"pegs": (Peg("a"), Peg("b"), Peg("a"))}, "spec.pegs[2]: Duplicate value: named already; leave it out"),
        ({"pegs": tuple(map(Peg, "abcd"))}, "spec.pegs: Too many: 4: must have at most 3 items"),
        (
            {"main_peg": Peg("ninechars")},
            'spec.mainPeg.name: Invalid value: "ninechars": must have at most 8 characters',
        ),
        (
            {"nets": (IPv4Network("10.0.0.0/8"),) * 2},
            'spec.nets[1]: Duplicate value: "10.0.0.0/8": named already; leave it out',
        ),
        ({"tags": ("a", "")}, "spec.tags[1]: Required value: a tag"),
        ({"ports": (80, 0)}, "spec.ports[1]: Invalid value: 0: must be between 1 and 65535"),
        ({"by_name": {"left": Peg("a", -1)}}, "spec.byName[left].height: Invalid value: -1: must be at least 0"),
    ],
)
def test_each_mark_says_what_is_wrong_and_where(changes: dict[str, Any], expected: str) -> None:
    """One violation, at the exact path on the wire, in the API server's words."""
    assert said(evolve(RACK, **changes)) == [expected]


@pytest.mark.parametrize(
    "changes",
    [
        {"room": "abc"},
        {"mtu": 576},
        {"mtu": 9000},
        {"load": 10},
        {"colour": "Blue"},
        {"paint": Colour.RED},
        {"code": "abc"},
        {"pegs": (Peg("a"), Peg("b"), Peg("c"))},
        {"ports": (1, 65535)},
        {"plain": Plain(("a",), Plain())},
    ],
)
def test_bounds_are_inclusive(changes: dict[str, Any]) -> None:
    """The last value that a mark allows is allowed."""
    assert said(evolve(RACK, **changes)) == []


def test_a_required_list_may_not_be_empty() -> None:
    """No item at all is a missing value, too few are an invalid one."""
    assert said(Shelf(())) == ["spec.boards: Required value: its boards"]
    assert said(Shelf(("a",))) == ["spec.boards: Invalid value: 1: must have at least 2 items"]
    assert said(Shelf(("a", "b"))) == []


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Violations come in order of the fields, all of them."""
    assert [violation.field for violation in shape_violations(Rack("", mtu=1, ports=(0, 0)))] == [
        "spec.owner",
        "spec.MTU",
        "spec.ports[0]",
        "spec.ports[1]",
    ]


def test_a_class_may_contain_itself() -> None:
    """Marks hold at any depth, and compiling the class ends."""
    tree = Branch(branches=(Branch(next=Branch("ab")),))
    assert [violation.field for violation in shape_violations(tree)] == ["spec.branches[0].next.leaf"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"owner": "you"},
            f'spec.owner: Invalid value: "you": {IMMUTABLE}',
        ),
        (
            {"main_peg": Peg("a", fixed="there")},
            f'spec.mainPeg.fixed: Invalid value: "there": {IMMUTABLE}',
        ),
        (
            {"sign": Peg("b")},
            f"spec.sign: Invalid value: {IMMUTABLE}",
        ),
        (
            {"sign": None},
            f"spec.sign: Invalid value: {IMMUTABLE}",
        ),
        (
            {"nets": ()},
            f"spec.nets: Invalid value: {IMMUTABLE}",
        ),
    ],
)
def test_immutable_fields_are_named_exactly(changes: dict[str, Any], expected: str) -> None:
    """A nested field by its own path, an immutable structure as a whole."""
    old = evolve(RACK, main_peg=Peg("a"), sign=Peg("a"), nets=(IPv4Network("10.0.0.0/8"),))
    assert forbidden(evolve(old, **changes), old) == [expected]


def test_other_changes_are_free() -> None:
    """A field without the mark may change, appear and vanish, and an equal value is no change."""
    old = evolve(RACK, main_peg=Peg("a", fixed="here"), sign=Peg("a"))
    new = evolve(old, mtu=9000, main_peg=Peg("b", 3, "here"), sign=Peg("a"), pegs=(Peg("c", fixed="x"),))
    assert forbidden(new, old) == []
    assert forbidden(evolve(old, main_peg=None), old) == []


def test_immutability_reaches_down_a_class_that_contains_itself() -> None:
    """The path leads to the field however deep it is."""
    assert forbidden(Branch(next=Branch(next=Branch("b"))), Branch(next=Branch(next=Branch("a")))) == [
        f'spec.next.next.leaf: Invalid value: "b": {IMMUTABLE}'
    ]
