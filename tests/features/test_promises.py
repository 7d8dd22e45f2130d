"""The list of promises, and how it is compared with scenarios."""

from __future__ import annotations

import re
from pathlib import Path

from juneau.features.plugin import step_modules
from juneau.features.promises import LIST, Promise, Shown, missing, read_promises, summary, table

FEATURES = LIST.parent


def test_ids_are_unique_and_without_gaps() -> None:
    """Each group counts from 1."""
    promises = read_promises()
    for group in {promise.group for promise in promises}:
        numbers = [int(promise.id.partition("-")[2]) for promise in promises if promise.group == group]
        assert numbers == list(range(1, len(numbers) + 1)), group


def test_every_promise_says_something() -> None:
    """A statement stands beside each id."""
    assert not [promise.id for promise in read_promises() if not promise.statement]


def test_tags_name_promises_of_the_list() -> None:
    """A mistyped tag would show nothing."""
    known = {promise.id: promise.group for promise in read_promises()}
    for path in sorted(FEATURES.rglob("*.feature")):
        tags = re.findall(r"@(([A-Z0-9]+)-\d+)", path.read_text(encoding="utf-8"))
        assert not {tag for tag, group in tags if group in known.values()} - known.keys(), path.name


def test_a_promise_is_missing_unless_something_shows_it_or_it_is_for_later() -> None:
    """Failing scenarios do not count, not even for what is for later."""
    promises = [Promise("A-1", "", "shown"), Promise("A-2", "", "not shown"), Promise("A-3", "needs B", "waits")]
    shown = Shown()
    shown.passed["A-1"] += 2
    assert missing(promises, shown) == ["A-2"]
    shown.failed["A-3"] += 1
    assert missing(promises, shown) == ["A-2", "A-3"]
    assert [line.split()[1] for line in table(promises, {"simulated": shown})][1:] == ["passes", "none", "FAILS"]
    assert "1 of 3 shown, 0 later, without: A-2 A-3" in list(summary(promises, "simulated", shown))[1]


def test_what_is_for_later_is_not_shown_by_a_scenario_that_cites_it() -> None:
    """Whoever says that nothing can show it yet is believed, and told of the scenario."""
    promises = [Promise("A-1", "", "shown"), Promise("A-2", "needs B", "waits")]
    shown = Shown()
    shown.passed["A-1"] += 1
    shown.passed["A-2"] += 1
    assert [line.split()[1] for line in table(promises, {"simulated": shown})][1:] == ["passes", "later"]
    told = list(summary(promises, "simulated", shown))
    assert told[1].split() == ["A", "1", "of", "2", "shown,", "1", "later"]
    assert told[2].strip() == "for later, though a scenario cites them: A-2"
    assert not missing(promises, shown)


def test_tags_on_no_list_are_told() -> None:
    """A tag with the form of a promise is either one or a mistake."""
    shown = Shown()
    shown.passed["S4-1"] += 1
    shown.passed["S4-999"] += 1
    shown.passed["slow"] += 1
    assert shown.unknown(read_promises()) == {"S4-999"}


def test_each_file_of_steps_is_a_module_of_the_vocabulary() -> None:
    """Files that the plugin does not load would be dead."""
    names = {name.rpartition(".")[2] for name in step_modules()}
    assert names == {Path(path).stem for path in FEATURES.glob("steps/*.py")} - {"__init__"}
