"""Who asked what: the latest pass counts, and whoever is woken is woken once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.objects import Key
from juneau.engine.tracking import Askers
from juneau.engine.world import Question

A, B = Key("Box", "", "a"), Key("Box", "", "b")
keys = st.sampled_from([A, B, Key("Shelf", "", "c")])
questions = st.sampled_from([("kind", "Box"), ("spec", A), ("object", B), ("on-shelf", "oak")])


def test_the_latest_pass_counts() -> None:
    """What an earlier one read wakes nobody."""
    askers = Askers()
    askers.remember(A, {("kind", "Box"), ("spec", B)})
    askers.remember(A, {("spec", B)})
    assert askers.take(("kind", "Box")) == []
    assert askers.take(("spec", B)) == [A]


def test_who_is_woken_is_not_woken_again_before_its_next_pass() -> None:
    """By nothing that it had read; who was not woken still is."""
    askers = Askers()
    askers.remember(A, {("kind", "Box"), ("spec", B)})
    askers.remember(B, {("spec", B)})
    assert askers.take(("kind", "Box")) == [A]
    assert askers.take(("spec", B)) == [B]
    askers.remember(A, {("kind", "Box"), ("spec", B)})
    assert askers.take(("spec", B)) == [A]


@given(st.lists(st.one_of(st.tuples(keys, st.frozensets(questions)), questions.map(lambda asked: (None, {asked})))))
def test_askers_are_those_of_the_latest_passes(story: list[tuple[Key | None, frozenset[Question]]]) -> None:
    """Against a model that keeps what each key asked last; and nothing is kept of those that ask nothing."""
    askers, model = Askers(), dict[Key, frozenset[Question]]()
    for key, asked in story:
        if key is not None:
            askers.remember(key, set(asked))
            model[key] = asked
            continue
        (question,) = asked
        expected = sorted(asker for asker, read in model.items() if question in read)
        assert askers.take(question) == expected
        for asker in expected:
            del model[asker]
    for key in list(model):
        askers.remember(key, set())
    assert not askers._asked
    assert not askers._askers
