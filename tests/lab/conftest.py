"""A session on the simulated driver, and what it said."""

from __future__ import annotations

import pytest
from tests.lab.talk import Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()
