"""The pytest plugin of scenarios: `-p juneau.features.plugin` gives any `.feature` file the steps and a lab.

Tags such as `@S4-17` name what a scenario shows; they become properties of the test.
A scenario that fails prints the last packets' ways and the world's conditions.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Generator
from importlib import import_module
from pathlib import Path

import pytest
from pytest_bdd.parser import Feature

from juneau.features.report import describe_scene
from juneau.features.scene import Scene, driver_kind

_STEPS = "juneau.features.steps"
# Before any step module is imported, so that its assertions tell what they compared.
pytest.register_assert_rewrite(_STEPS)

_TAGS = "juneau_tags"
_SCENE = pytest.StashKey[Scene]()
_HOME = pytest.StashKey[Path]()


def step_modules() -> list[str]:
    """The modules of the vocabulary."""
    package = import_module(_STEPS)
    return [f"{_STEPS}.{found.name}" for found in pkgutil.iter_modules(package.__path__)]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The dataplane to run on."""
    group = parser.getgroup("juneau")
    group.addoption(
        "--dataplane-driver", default="simulated", metavar="NAME", help="dataplane that scenarios run on (simulated)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Each step module is a plugin, so that its steps are found from everywhere."""
    for name in step_modules():
        config.pluginmanager.import_plugin(name)


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    """The scenario's own lab."""
    driver = str(request.config.getoption("--dataplane-driver"))
    driver_kind(driver)
    made = Scene(driver, tmp_path, request.node.stash.get(_HOME, Path()))
    request.node.stash[_SCENE] = made
    return made


def pytest_bdd_before_scenario(request: pytest.FixtureRequest, feature: Feature) -> None:
    """Files that a scenario names stand beside it."""
    request.node.stash[_HOME] = Path(feature.filename).parent


@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: Callable[..., object]) -> bool:
    """Keep tags from becoming markers, which would all have to be declared."""
    tags: list[str] = function.__dict__.setdefault(_TAGS, [])
    tags.append(tag)
    return True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tags go into reports, where `promises` and others read them."""
    for item in items:
        tags: list[str] = getattr(getattr(item, "function", None), _TAGS, [])
        item.user_properties += [("promise", tag) for tag in sorted(tags)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A scenario that failed shows its world."""
    report = yield
    shown = item.stash.get(_SCENE, None)
    if report.failed and call.when == "call" and shown is not None:
        report.sections += describe_scene(shown)
    return report
