"""`juneau drivers`: what is installed, and why something cannot run."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
from tests.commands.program import Program

from juneau.commands.dataplanes import GROUP, driver, examined
from juneau.commands.exits import UsageError


def test_the_simulated_driver_is_listed(juneau: Program) -> None:
    """It runs everywhere and says what it is."""
    assert "simulated   yes         executes the dataplane's tables in memory" in juneau("drivers").out


def test_a_driver_that_cannot_run_says_why() -> None:
    """The reason is the driver's own."""
    assert examined(EntryPoint("unable", "tests.commands.unable:Unable", GROUP)).fault == "no such kernel"


def test_a_driver_that_cannot_be_loaded_is_listed_all_the_same() -> None:
    """Somebody's broken package hides no other driver."""
    found = examined(EntryPoint("broken", "juneau.nonexistent:Driver", GROUP))
    assert (found.name, found.kind) == ("broken", None)
    assert found.fault.startswith("cannot be loaded: ModuleNotFoundError: ")


def test_an_unknown_driver_is_a_usage_error_that_lists_the_known() -> None:
    """A slip in the name is mended at once."""
    with pytest.raises(UsageError, match=r'no dataplane driver "magic" is installed; there are: .*simulated'):
        driver("magic")
