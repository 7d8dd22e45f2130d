"""Uids of a store in memory: never the same twice, and no memory of all names that ever were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.incarnations import Incarnations
from juneau.engine.objects import Key

NAMES = st.sampled_from([Key("Box", "home", name) for name in "abcde"])


@given(st.lists(NAMES, max_size=60), st.integers(0, 3))
def test_no_uid_is_given_twice(names: list[Key], kept: int) -> None:
    """Also of names that were forgotten in the meantime; a name that comes again while it is alive goes."""
    uids = Incarnations(kept)
    alive: set[Key] = set()
    given_out: list[str] = []
    for name in names:
        if name in alive:
            uids.end(name)
        else:
            given_out.append(uids.begin(name))
        alive ^= {name}
    assert len(set(given_out)) == len(given_out)


def test_names_that_are_gone_are_forgotten() -> None:
    """What is remembered does not grow with what was there."""
    uids = Incarnations(kept=10)
    for number in range(1000):
        name = Key("Box", "home", f"box-{number}")
        uids.begin(name)
        uids.end(name)
    assert (len(uids._alive), len(uids._gone)) == (0, 10)
