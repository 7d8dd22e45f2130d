"""Worlds for driver tests, one per driver that can run on this machine."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest
from tests.drivers.world import World

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.driver import DriverKind


def driver_kinds() -> dict[str, type[DriverKind]]:
    """The installed drivers; the oracle is there also where nothing is installed."""
    installed = {entry.name: entry.load() for entry in entry_points(group="juneau.drivers")}
    return {"simulated": SimulatedDriver} | installed


@pytest.fixture(params=sorted(driver_kinds()))
def kind(request: pytest.FixtureRequest) -> type[DriverKind]:
    chosen = driver_kinds()[request.param]
    reason = chosen.unavailable()
    if reason is not None:
        pytest.skip(f"{request.param}: {reason}")
    return chosen


@pytest.fixture
def world(kind: type[DriverKind]) -> World:
    """Three Nodes and nothing on them."""
    made = World(kind.site())
    made.add_nodes("n1", "n2", "n3")
    return made
