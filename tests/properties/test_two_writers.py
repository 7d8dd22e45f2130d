"""Allocation with two controllers at once: each with a cache that lags, stopped and killed between any two calls."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from tests.properties.race import CHOICES, KINDS, NAMES, Race

writers = st.integers(0, 1)


class TwoWriters(RuleBasedStateMachine):
    """No number is handed out twice, whoever goes on when; `Race` looks after every single write."""

    def __init__(self) -> None:
        super().__init__()
        self.race = Race()

    @rule(writer=writers, worker=st.integers(0, 1), turns=st.integers(1, 12))
    def go(self, writer: int, worker: int, turns: int) -> None:
        self.race.writers[writer].go(worker, turns)

    @rule(writer=writers, worker=st.integers(0, 1), turns=st.integers(1, 12))
    def go_on(self, writer: int, worker: int, turns: int) -> None:
        self.race.writers[writer].go(worker, turns)

    @rule(writer=writers, kind=st.sampled_from([kind.name for kind in KINDS]))
    def hear(self, writer: int, kind: str) -> None:
        self.race.writers[writer].hear(kind)

    @rule(writer=writers)
    def crash(self, writer: int) -> None:
        self.race.writers[writer].crash()

    @rule(
        name=st.sampled_from(NAMES),
        pools=st.sampled_from(CHOICES),
        pinned=st.sampled_from([0, 0, 0, 1, 2]),
        reuse_key=st.sampled_from(["", "", "k", "a"]),
        release_after=st.sampled_from(["", "10s"]),
    )
    def claim(self, name: str, pools: tuple[str, ...], pinned: int, reuse_key: str, release_after: str) -> None:
        self.race.claim(name, pools, pinned, reuse_key, release_after)

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        self.race.delete(name)

    @rule(name=st.sampled_from([*NAMES, "k"]))
    def lose(self, name: str) -> None:
        self.race.lose(name)

    @rule(address=st.sampled_from(["", "10.0.0.1"]))
    def exclude(self, address: str) -> None:
        self.race.exclude(address)

    @rule(seconds=st.sampled_from([0.3, 5.0, 11.0]))
    def advance(self, seconds: float) -> None:
        self.race.clock.advance(seconds)

    def teardown(self) -> None:
        try:
            self.race.finish()
        finally:
            self.race.close()


class TestTwoWriters(TwoWriters.TestCase):  # type: ignore[misc, name-defined]  # hypothesis makes it at run time
    """No number is handed out twice and none is lost, through any interleaving of two writers, crashes included."""

    settings = settings(max_examples=settings.default.max_examples * 5, stateful_step_count=60)
