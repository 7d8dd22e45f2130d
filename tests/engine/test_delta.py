"""The difference between two sets of intents: complete, in dependency order, and the same for the same input."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.delta import Delta, difference
from juneau.engine.intents import Blackhole, Intent, IntentKey, Neighbour, Route, Segment, SegmentKind, ToSegment

SEGMENT = Segment(10, SegmentKind.SUBNET, 1)
ROUTE = Route(1, IPv4Network("10.0.0.0/24"), ToSegment(10))
NEIGHBOUR = Neighbour(10, IPv4Address("10.0.0.2"), "02:00:00:00:00:01")

segments = st.builds(Segment, st.integers(1, 4), st.just(SegmentKind.SUBNET), st.integers(1, 2))
routes = st.builds(Route, st.integers(1, 3), st.just(ROUTE.dst), st.sampled_from([ToSegment(10), Blackhole()]))
tables = st.lists(segments | routes, max_size=8).map(lambda intents: table(*intents))


def table(*intents: Intent) -> dict[IntentKey, Intent]:
    return {intent.key: intent for intent in intents}


def applied(delta: Delta, actual: dict[IntentKey, Intent]) -> dict[IntentKey, Intent]:
    left = dict(actual)
    for intent in delta.remove:
        del left[intent.key]
    for old, new in delta.change:
        assert left[old.key] == old
        left[new.key] = new
    for intent in delta.add:
        assert intent.key not in left
        left[intent.key] = intent
    return left


def orders(intents: Iterable[Intent]) -> list[int]:
    return [intent.order for intent in intents]


@given(tables, tables)
def test_applying_a_difference_gives_what_is_desired(
    desired: dict[IntentKey, Intent], actual: dict[IntentKey, Intent]
) -> None:
    """Whatever holds, one step leads to what should, and from there nothing is left to do."""
    delta = difference(desired, actual)
    assert applied(delta, actual) == desired
    assert bool(delta) is (desired != actual)
    assert not difference(desired, desired)


@given(tables, tables)
def test_dependencies_are_added_first_and_removed_last(
    desired: dict[IntentKey, Intent], actual: dict[IntentKey, Intent]
) -> None:
    """Additions and changes go by ascending order, removals by descending."""
    delta = difference(desired, actual)
    assert orders(delta.add) == sorted(orders(delta.add))
    assert orders(new for _, new in delta.change) == sorted(orders(new for _, new in delta.change))
    assert orders(delta.remove) == sorted(orders(delta.remove), reverse=True)


@given(tables, tables)
def test_the_order_of_the_mappings_does_not_matter(
    desired: dict[IntentKey, Intent], actual: dict[IntentKey, Intent]
) -> None:
    """Equal input gives equal output."""
    turned = difference(dict(reversed(desired.items())), dict(reversed(actual.items())))
    assert turned == difference(desired, actual)


def test_one_key_in_two_states_is_a_change() -> None:
    """A driver is told of the old and the new state, not of a removal and an addition."""
    moved = evolve(ROUTE, target=Blackhole())
    assert difference(table(moved), table(ROUTE)) == Delta(change=((ROUTE, moved),))


def test_where_an_intent_comes_from_is_no_difference() -> None:
    """Origin and rank are for messages and for settling ties; the dataplane does not know them."""
    assert not difference(table(evolve(ROUTE, rank=(1,))), table(ROUTE))


def test_keys_limit_what_is_compared() -> None:
    """With keys, everything else stays as it is; a key that is on neither side is no error."""
    delta = difference(table(SEGMENT, ROUTE), table(NEIGHBOUR), [SEGMENT.key, ("route", 9)])
    assert delta == Delta(add=(SEGMENT,))
