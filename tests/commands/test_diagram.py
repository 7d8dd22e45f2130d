"""`juneau diagram`: a Kind's phases in Mermaid."""

from __future__ import annotations

import re

import pytest
from tests.commands.program import Program

from juneau.resources import registry

KINDS = {kind.name: kind for kind in registry() if kind.controller is not None}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_with_phases_has_a_diagram(juneau: Program, name: str) -> None:
    """Phases are spelt as in the API, and no state is painted as the active one."""
    drawn = juneau("diagram", name).out
    machine = KINDS[name].controller.machine  # type: ignore[union-attr]
    assert drawn.startswith("stateDiagram-v2\n")
    assert re.findall(r'state "([^"]*)"', drawn) == [*(phase.value for phase in machine.phases), "any phase"]
    assert f"[*] --> {machine.initial}" in drawn
    assert "class" not in drawn.lower()
    assert "step [" not in drawn


def test_arrows_carry_the_conditions_in_words(juneau: Program) -> None:
    """A Kind is found by a short name; an arrow's text is the predicate and the reason."""
    assert "  any --> Pending: number is missing (NotReady)\n" in juneau("diagram", "l2net").out


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("namespace",)])
def test_what_has_no_diagram_is_a_usage_error_that_lists_the_kinds(juneau: Program, arguments: tuple[str, ...]) -> None:
    """Whoever does not know the Kinds is told them."""
    ended = juneau("diagram", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert "L2Network" in ended.err
