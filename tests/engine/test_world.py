"""The cache tells which questions have new answers, and a reader which it asked; together they say who is woken."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from juneau.engine.objects import AnyObject, Key
from juneau.engine.world import Cache, Reader

TEA = Key("Box", "home", "tea")


@pytest.fixture
def cache(toys: Any) -> Cache:
    return Cache(toys.registry)


def at(obj: Any, version: int, uid: str = "u") -> Any:
    return obj.with_metadata(resource_version=str(version), uid=uid)


def test_a_new_object_answers_every_question_about_it(toys: Any, cache: Cache) -> None:
    """Itself, its spec, its existence, its Kind and each index key that it contributes to."""
    changed = cache.put(at(toys.new_box(), 1))
    assert changed == {
        ("object", TEA),
        ("spec", TEA),
        ("exists", TEA),
        ("kind", "Box"),
        ("boxes-on-shelf", "oak"),
        ("numbers-on-shelf", "oak"),
    }
    assert list(cache) == [cache.get(TEA)]


def test_a_change_of_status_concerns_only_who_read_the_whole_object(toys: Any, cache: Cache) -> None:
    """Neither its spec nor its Kind nor its index entries have changed."""
    box = toys.new_box()
    cache.put(at(box, 1))
    assert cache.put(at(box.with_status(phase="Ready"), 2)) == {("object", TEA)}


@pytest.mark.parametrize(
    "changes",
    [{"labels": {"a": "b"}}, {"annotations": {"a": "b"}}, {"finalizers": ("x",)}, {"deletion_timestamp": 5.0}],
)
def test_a_change_of_metadata_counts_as_one_of_spec(toys: Any, cache: Cache, changes: dict[str, Any]) -> None:
    """Who read the spec is told of labels, finalizers and the beginning of deletion too."""
    box = toys.new_box()
    cache.put(at(box, 1))
    assert cache.put(at(box.with_metadata(**changes), 2)) == {("object", TEA), ("spec", TEA), ("kind", "Box")}


def test_whether_an_object_exists_changes_when_it_comes_and_goes(toys: Any, cache: Cache) -> None:
    """Nothing that is written to it in between wakes who has asked only that."""
    reader, box = Reader(cache), toys.new_box()
    assert not reader.exists(TEA) and not reader.exists(Key("Crate", "", "tea"))
    assert reader.asked == {("exists", TEA)}
    cache.put(at(box, 1))
    assert reader.exists(TEA)
    assert ("exists", TEA) not in cache.put(at(box.with_metadata(labels={"a": "b"}), 2))
    assert ("exists", TEA) in cache.drop(at(box, 3))


def test_an_index_tells_both_keys_of_a_move(toys: Any, cache: Cache) -> None:
    """Where the entry was and where it is now, and no other."""
    box = toys.new_box()
    cache.put(at(box, 1))
    changed = cache.put(at(box.with_spec(shelf="elm"), 2))
    assert {question for question in changed if question[0] == "boxes-on-shelf"} == {
        ("boxes-on-shelf", "oak"),
        ("boxes-on-shelf", "elm"),
    }
    reader = Reader(cache)
    assert reader.values(toys.boxes_on, "oak") == []
    assert reader.values(toys.boxes_on, "elm") == ["tea"]


def test_an_unchanged_entry_wakes_nobody(toys: Any, cache: Cache) -> None:
    """A change of spec that leaves an index as it was says nothing about the index."""
    box = toys.new_box()
    cache.put(at(box, 1))
    changed = cache.put(at(box.with_spec(number=2), 2))
    assert ("numbers-on-shelf", "oak") in changed
    assert ("boxes-on-shelf", "oak") not in changed


def test_a_kind_may_contribute_twice_to_one_index(toys: Any, cache: Cache) -> None:
    """When one contribution changes, the entries of the other stay."""
    box = toys.new_box().with_spec(labels=("green",))
    cache.put(at(box, 1))
    reader = Reader(cache)
    assert reader.values(toys.boxes_on, "oak") == ["tea", "green"]
    cache.put(at(box.with_spec(labels=("black",)), 2))
    assert reader.values(toys.boxes_on, "oak") == ["tea", "black"]


def test_repeated_and_reordered_entries_are_a_change(toys: Any, cache: Cache) -> None:
    """A reader sees values in order and as often as they are there, so it is told when that changes."""
    box = toys.new_box()
    cache.put(at(box.with_spec(labels=("a", "a")), 1))
    assert ("boxes-on-shelf", "oak") in cache.put(at(box.with_spec(labels=("a",)), 2))
    cache.put(at(box.with_spec(labels=("a", "b")), 3))
    assert ("boxes-on-shelf", "oak") in cache.put(at(box.with_spec(labels=("b", "a")), 4))


def test_an_older_state_is_ignored(toys: Any, cache: Cache) -> None:
    """Versions compare as numbers; what is known already changes nothing."""
    box = at(toys.new_box().with_spec(number=5), 10)
    cache.put(box)
    assert cache.put(at(toys.new_box(), 9)) == set()
    assert cache.put(at(toys.new_box(), 10)) == set()
    assert cache.get(TEA) is box


def test_a_dropped_object_leaves_nothing(toys: Any, cache: Cache) -> None:
    """All questions that it answered have new answers, and its entries and numbers are free."""
    box = at(toys.new_box(), 1)
    told = cache.put(box)
    assert cache.drop(at(box, 2)) == told
    assert cache.get(TEA) is None
    reader = Reader(cache)
    assert reader.values(toys.boxes_on, "oak") == []
    assert 1 not in reader.numbers(toys.numbers, "oak")
    assert cache.drop(box) == set()


def test_a_late_deletion_does_not_drop_a_successor(toys: Any, cache: Cache) -> None:
    """The deletion of an earlier object of that name is old news; one of a later object is not."""
    cache.put(at(toys.new_box(), 5, uid="second"))
    assert cache.drop(at(toys.new_box(), 4, uid="first")) == set()
    assert cache.get(TEA) is not None
    assert cache.drop(at(toys.new_box(), 7, uid="third")) != set()


def test_a_reader_remembers_what_it_asked(toys: Any, cache: Cache) -> None:
    """Each way of asking is one question, those without an answer included."""
    reader = Reader(cache)
    assert reader.get(toys.box, "tea", "home") is None
    assert reader.get_spec(toys.shelf, "oak") is None
    assert reader.look(TEA) is None
    assert reader.look(Key("Spoon", "", "a")) is None
    assert list(reader.all(toys.shelf)) == []
    assert reader.values(toys.boxes_on, "elm") == []
    assert len(reader.numbers(toys.numbers, "fir")) == 0
    assert reader.asked == {
        ("object", TEA),
        ("spec", Key("Shelf", "", "oak")),
        ("spec", TEA),
        ("kind", "Shelf"),
        ("boxes-on-shelf", "elm"),
        ("numbers-on-shelf", "fir"),
    }


def test_answers_come_in_order_of_keys(toys: Any, cache: Cache) -> None:
    """Whatever came first, so that the same world gives the same result."""
    for version, name in enumerate(("c", "a", "b"), start=1):
        cache.put(at(toys.new_box(name), version))
    reader = Reader(cache)
    assert [box.name for box in reader.all(toys.box)] == ["a", "b", "c"]
    assert reader.values(toys.boxes_on, "oak") == ["a", "b", "c"]


def test_numbers_are_counted(toys: Any, cache: Cache) -> None:
    """A number that two objects hold stays taken until both have let go."""
    cache.put(at(toys.new_box("a"), 1))
    cache.put(at(toys.new_box("b"), 2))
    reader = Reader(cache)
    cache.drop(at(toys.new_box("a"), 3))
    assert 1 in reader.numbers(toys.numbers, "oak")
    cache.drop(at(toys.new_box("b"), 4))
    assert 1 not in reader.numbers(toys.numbers, "oak")


boxes = st.tuples(
    st.sampled_from("ab"),
    st.sampled_from(["oak", "elm"]),
    st.integers(0, 3),
    st.lists(st.sampled_from("xy"), max_size=3).map(tuple),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.booleans(), boxes), max_size=20))
def test_indexes_are_those_of_the_objects_that_are_there(toys: Any, steps: list[Any]) -> None:
    """After any history they equal what a fresh cache has, and every answer that changed was announced."""
    cache = Cache(toys.registry)
    held: dict[str, AnyObject] = {}
    for version, (stays, (name, shelf, number, labels)) in enumerate(steps, start=1):
        before = answers(toys, cache)
        obj = at(toys.new_box(name).with_spec(shelf=shelf, number=number, labels=labels), version)
        changed = cache.put(obj) if stays else cache.drop(obj)
        held = {**held, name: obj} if stays else {key: value for key, value in held.items() if key != name}
        fresh = Cache(toys.registry)
        for other in held.values():
            fresh.put(other)
        after = answers(toys, cache)
        assert after == answers(toys, fresh)
        assert {question for question in after if after[question] != before[question]} <= changed


def answers(toys: Any, cache: Cache) -> dict[Any, Any]:
    reader, found = Reader(cache), defaultdict[Any, Any](list)
    for shelf in ("oak", "elm"):
        found["boxes-on-shelf", shelf] = reader.values(toys.boxes_on, shelf)
        found["numbers-on-shelf", shelf] = list(reader.numbers(toys.numbers, shelf).numbers_within(0, 9))
    return found


def test_numbers_that_nobody_has_any_more_leave_nothing(toys: Any, cache: Cache) -> None:
    """A set that is empty is no set: names that never come back must not pile up."""
    held = at(toys.new_box(), 1)
    cache.put(held)
    cache.drop(at(held, 2))
    assert not any(cache._numbers.values())
    assert not any(cache._indexes.values())
