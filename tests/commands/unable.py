"""A driver that no machine can run."""

from __future__ import annotations

from juneau.drivers.simulated.driver import SimulatedDriver


class Unable(SimulatedDriver):
    """Says so when it is asked."""

    @classmethod
    def unavailable(cls) -> str | None:
        return "no such kernel"
