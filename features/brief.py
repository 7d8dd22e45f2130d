"""How `juneau scenarios` reports: one line per scenario that failed, its step and why, then its world; no traceback.

A pytest plugin beside `juneau.features.plugin`, to be used with `-p no:terminal`, whose place it takes.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from difflib import SequenceMatcher

import pytest
from attrs import Factory, define
from pytest_bdd.parser import Feature, Scenario, Step

from juneau.features.grammar import VOCABULARY
from juneau.features.wellformed import shown_path

_MOST_LINES = 8
_NEAREST = 3
_NEAR_ENOUGH = 0.5
_SECTION = "juneau: "
_NEEDS = {
    "docstring": 'needs a doc string below it, between lines of """',
    "datatable": "needs a table below it, with rows such as | name | value |",
}
_WHY = pytest.StashKey[str]()
_TITLE = pytest.StashKey[str]()
_SLOT = re.compile(r"<[^>]*>|\"[^\"]*\"|\d+")
_VIEW = re.compile(r"^(\+? +where|assert |[+-] )")


@define
class _Tally:
    """What came of all scenarios."""

    outcomes: dict[str, int] = Factory(dict[str, int])
    names: bool = False

    def count(self, outcome: str) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1


_TALLY = pytest.StashKey[_Tally]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `juneau scenarios -v` asks for."""
    parser.getgroup("juneau").addoption("--scenario-names", action="store_true", help="print each scenario's name")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_TALLY] = _Tally(names=bool(config.getoption("--scenario-names")))


def pytest_bdd_before_scenario(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario) -> None:
    """Keep where it stands, its name, and of an outline the row."""
    row = request.node.name.partition("[")[2].removesuffix("]")
    place = f"{shown_path(feature.filename)}:{scenario.line_number}"
    request.node.stash[_TITLE] = f"{place}: {scenario.name}{f' [{row}]' if row else ''}"


def pytest_bdd_step_error(request: pytest.FixtureRequest, feature: Feature, step: Step, exception: Exception) -> None:
    """Keep the step and the reason for the report."""
    request.node.stash[_WHY] = f"{_place(feature, step)} - {reason(exception)}"


def pytest_bdd_step_func_lookup_error(request: pytest.FixtureRequest, feature: Feature, step: Step) -> None:
    """The same of a step that nobody knows."""
    near = nearest(step.keyword, step.name)
    hint = "\n".join(("; did you mean one of these?", *(f"  {one}" for one in near))) if near else ""
    request.node.stash[_WHY] = f"{_place(feature, step)} - there is no such step{hint}"


def _place(feature: Feature, step: Step) -> str:
    return f"{shown_path(feature.filename)}:{step.line_number}: {step.keyword} {step.name.splitlines()[0]}"


def reason(exception: BaseException) -> str:
    """What an error says, without the packet's way and the values that pytest shows beside it."""
    if isinstance(exception, pytest.FixtureLookupError):
        return f"the step {_NEEDS.get(str(exception.argname), f'lacks {exception.argname}')}"
    lines = str(exception).splitlines()
    said = [line for line in lines if line.strip() and not _is_step(line)]
    plain = said[: next((place for place, line in enumerate(said) if _VIEW.match(line)), len(said))]
    if not plain:
        shown = next((line.removeprefix("assert ") for line in said if line.startswith("assert ")), "")
        return shown if shown and " object at 0x" not in shown and "Step(" not in shown else "it is not so"
    text = "\n".join(plain[:_MOST_LINES])
    if isinstance(exception, AssertionError) and len(text.split()) == 1:
        text = f"found: {text}"  # the steps' own way to say what is there instead
    told = isinstance(exception, (AssertionError, pytest.fail.Exception))
    return text if told else f"{type(exception).__name__}: {text}"


def _is_step(line: str) -> bool:
    """A line of a packet's way, which is printed below: node, point, verdict, REASON (number)."""
    return re.search(r" (next|deliver|answer|ignore|drop) +[A-Z0-9_]+ \(\d+\)", line) is not None


def nearest(keyword: str, text: str) -> list[str]:
    """Known steps that look like this one, best first."""
    wanted = _SLOT.sub("_", text).lower()
    rated: list[tuple[float, str]] = []
    for entry in VOCABULARY:
        ratio = SequenceMatcher(None, wanted, _SLOT.sub("_", entry.phrase).lower()).ratio()
        rated.append((ratio + 0.01 * (entry.keyword == keyword), f"{entry.keyword} {entry.phrase}"))
    rated.sort(key=lambda one: (-one[0], one[1]))
    return [phrase for ratio, phrase in rated[:_NEAREST] if ratio >= _NEAR_ENOUGH]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print as soon as a scenario has ended."""
    report = yield
    tally, title = item.config.stash[_TALLY], item.stash.get(_TITLE, item.name)
    if report.when == "call" or report.failed:
        tally.count(report.outcome)
        if tally.names:
            print(f"{report.outcome.upper()} {title}", flush=True)
    if report.failed:
        why = item.stash.get(_WHY, "") or f"{title} - {reason(call.excinfo.value) if call.excinfo else ''}"
        print(why)
        for heading, text in report.sections:
            if heading.startswith(_SECTION):
                print(f"  {heading.removeprefix(_SECTION)}:")
                print("\n".join(f"    {line}" for line in text.splitlines()))
        print(flush=True)
    return report


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Files are looked at before, so this is rare."""
    if report.failed:
        print(f"error: {report.longreprtext.splitlines()[-1]}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The last line."""
    outcomes = session.config.stash[_TALLY].outcomes
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    print(told or "no scenario was run", flush=True)
