"""A set of numbers against a Counter, which is slow and plainly right."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.numbers import NumberSet

LOWEST, HIGHEST = -3, 12
numbers = st.integers(LOWEST, HIGHEST)
steps = st.lists(st.tuples(st.sampled_from(["add", "discard"]), numbers), max_size=60)


def both(taken: list[tuple[str, int]]) -> tuple[NumberSet, Counter[int]]:
    held, model = NumberSet(), Counter[int]()
    for step, number in taken:
        if step == "add":
            held.add(number)
            model[number] += 1
        else:
            held.discard(number)
            model[number] = max(model[number] - 1, 0)
    return held, +model


@given(steps)
def test_it_holds_what_was_added_more_often_than_discarded(taken: list[tuple[str, int]]) -> None:
    """Membership and size are those of a multiset, after any order of steps."""
    held, model = both(taken)
    assert [number for number in range(LOWEST - 1, HIGHEST + 2) if number in held] == sorted(model)
    assert len(held) == len(model)


@given(steps, numbers, numbers)
def test_the_lowest_free_number_is_the_first_that_is_not_in(
    taken: list[tuple[str, int]], first: int, last: int
) -> None:
    """Within any bounds, and None where all of them are taken or there are none."""
    held, model = both(taken)
    assert held.lowest_free(first, last) == next((n for n in range(first, last + 1) if n not in model), None)


@given(steps, numbers, numbers)
def test_the_numbers_within_bounds_come_ascending(taken: list[tuple[str, int]], first: int, last: int) -> None:
    """Exactly those that are in, both bounds included."""
    held, model = both(taken)
    assert list(held.numbers_within(first, last)) == [n for n in range(first, last + 1) if n in model]


@given(steps)
def test_equal_contents_are_equal_sets(taken: list[tuple[str, int]]) -> None:
    """The way to a content does not show: neighbouring intervals are always one."""
    held, model = both(taken)
    fresh = NumberSet()
    for number in model.elements():
        fresh.add(number)
    assert held == fresh


def test_a_whole_network_costs_one_interval() -> None:
    """Numbers taken in a row are merged, from either end, so that the next free one is found at once."""
    held = NumberSet()
    for number in range(1000):
        held.add(number)
        held.add(-number)
    assert held == both([("add", n) for n in range(-999, 1000)] + [("add", 0)])[0]
    assert held.lowest_free(-999, 2**24) == 1000
