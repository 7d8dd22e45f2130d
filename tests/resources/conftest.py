"""The world that tests of Kinds start from."""

from __future__ import annotations

import pytest
from tests.resources.tunnel import TUNNEL
from tests.resources.world import World


@pytest.fixture
def world() -> World:
    """What a controller makes at its start, and the Vpc `lab`."""
    made = World(more=[TUNNEL])
    made.create("Vpc", "lab")
    return made
