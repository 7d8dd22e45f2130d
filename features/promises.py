"""Which promises have a scenario that passes: `python -m juneau.features.promises`, or `make promises`.

`promises.txt` lists what is promised; a scenario names what it shows by tags, which the plugin puts into its report.
The exit status is 1 if a promise that is due has no scenario, or one that fails.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import Factory, define, frozen

HERE = Path(__file__).resolve().parent
LIST = HERE / "promises.txt"
STORE = "memory"
_LATER = "later: "
_ID = re.compile(r"[A-Z0-9]+-\d+")


@frozen
class Promise:
    """One statement; `later` says why no scenario can show it yet, and is empty where one must."""

    id: str
    later: str
    statement: str

    @property
    def group(self) -> str:
        return self.id.partition("-")[0]


def read_promises(path: Path = LIST) -> list[Promise]:
    """The list, in its order."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [_promise(line) for line in lines if line and not line.startswith("#")]


def _promise(line: str) -> Promise:
    name, state, statement = (part.strip() for part in line.split("|", 2))
    return Promise(name, state.removeprefix(_LATER), statement)


@define
class Shown:
    """What became of the scenarios, by tag: a pytest plugin that listens to reports."""

    passed: Counter[str] = Factory(Counter[str])
    failed: Counter[str] = Factory(Counter[str])
    skipped: Counter[str] = Factory(Counter[str])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A scenario passes by its call; it fails or is skipped wherever that happens."""
        if report.when == "call" or report.outcome != "passed":
            counted = {"passed": self.passed, "failed": self.failed}.get(report.outcome, self.skipped)
            counted.update({str(value) for name, value in report.user_properties if name == "promise"})

    def verdict(self, promise: Promise) -> str:
        """In words, for one column; a scenario that cites what is for later can show a part of it at most."""
        if self.failed[promise.id]:
            return f"FAILS ({self.failed[promise.id]})"
        if promise.later:
            return "later"
        if self.passed[promise.id]:
            return f"passes ({self.passed[promise.id]})"
        return "skipped" if self.skipped[promise.id] else "none"

    def unknown(self, promises: Iterable[Promise]) -> set[str]:
        """Tags that look like a promise of a group that is listed, and are none."""
        known = {promise.id: promise.group for promise in promises}
        tags = self.passed.keys() | self.failed.keys() | self.skipped.keys()
        return {tag for tag in tags if tag.partition("-")[0] in known.values() and _ID.fullmatch(tag)} - known.keys()


def run_scenarios(driver: str, paths: Sequence[str]) -> Shown:
    """Run all scenarios on a driver; their own output is left to pytest's summary."""
    shown = Shown()
    options = [
        "-q",
        "--no-header",
        "--tb=short",
        "--import-mode=importlib",
        "--continue-on-collection-errors",
        "-p",
        "juneau.features.plugin",
    ]
    status = pytest.main([*options, "--dataplane-driver", driver, *paths], plugins=[shown])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(int(status))
    return shown


def table(promises: Sequence[Promise], results: Mapping[str, Shown]) -> Iterator[str]:
    """A line per promise: what each driver and store shows of it."""
    columns = [f"{driver}/{STORE}" for driver in results]
    yield _row("PROMISE", columns, "STATEMENT")
    for promise in promises:
        cells = [shown.verdict(promise) for shown in results.values()]
        yield _row(promise.id, cells, f"{promise.statement}{f'  ({promise.later})' if promise.later else ''}")


def _row(name: str, cells: Sequence[str], statement: str) -> str:
    return f"{name:<10} {' '.join(f'{cell:<18}' for cell in cells)} {statement}"


def missing(promises: Sequence[Promise], shown: Shown) -> list[str]:
    """Promises that are due, and that nothing shows."""
    return [one.id for one in promises if shown.failed[one.id] or not (one.later or shown.passed[one.id])]


def summary(promises: Sequence[Promise], driver: str, shown: Shown) -> Iterator[str]:
    """How far each group is."""
    without = set(missing(promises, shown))
    yield f"on {driver}/{STORE}:"
    for group in dict.fromkeys(promise.group for promise in promises):
        own = [promise for promise in promises if promise.group == group]
        lacking = [promise.id for promise in own if promise.id in without]
        later = [one for one in own if one.later and one.id not in without]
        told = f", without: {' '.join(lacking)}" if lacking else ""
        yield f"  {group:<6} {len(own) - len(later) - len(lacking)} of {len(own)} shown, {len(later)} later{told}"
    early = [one.id for one in promises if one.later and shown.passed[one.id]]
    if early:
        yield f"  for later, though a scenario cites them: {' '.join(early)}"
    strangers = shown.unknown(promises)
    if strangers:
        yield f"  tags that are on no list: {' '.join(sorted(strangers))}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and say whether anything is missing."""
    parser = argparse.ArgumentParser(prog="python -m juneau.features.promises", description=__doc__)
    parser.add_argument("--dataplane-driver", action="append", metavar="NAME", help="may be repeated (simulated)")
    parser.add_argument("paths", nargs="*", default=[str(HERE)], help="where scenarios are (all of Juneau's)")
    chosen = parser.parse_args(arguments)
    promises = read_promises()
    results = {driver: run_scenarios(driver, chosen.paths) for driver in chosen.dataplane_driver or ["simulated"]}
    print(*table(promises, results), sep="\n")
    print()
    for driver, shown in results.items():
        print(*summary(promises, driver, shown), sep="\n")
    lacking = any(missing(promises, shown) or shown.unknown(promises) for shown in results.values())
    return int(lacking)


if __name__ == "__main__":
    sys.exit(main())
