"""The journal is a ring per object, and forgets those that are long gone."""

from __future__ import annotations

from juneau.engine.journal import Journal, Transition
from juneau.engine.objects import Key, Time


def key(number: int) -> Key:
    return Key("Box", "home", f"box-{number}")


def transition(number: int) -> Transition:
    return Transition(Time(float(number)), "Pending", "Ready", f"Reason{number}")


def test_a_ring_keeps_the_last_transitions() -> None:
    """The oldest goes first; what is left is in order."""
    journal = Journal(per_object=3)
    for number in range(5):
        journal.record(key(0), transition(number))
    assert journal.of(key(0)) == (transition(2), transition(3), transition(4))


def test_an_object_that_nothing_happened_to_has_no_transitions() -> None:
    """Asking for it is no error, nor is forgetting it."""
    journal = Journal()
    journal.forget(key(0))
    assert journal.of(key(0)) == ()


def test_the_story_of_an_object_that_is_gone_is_kept_for_a_while() -> None:
    """As long as few others have gone after it."""
    journal = Journal(kept_after_deletion=2)
    for number in range(4):
        journal.record(key(number), transition(number))
        journal.forget(key(number))
    assert [bool(journal.of(key(number))) for number in range(4)] == [False, False, True, True]


def test_an_object_that_came_back_keeps_its_story() -> None:
    """However many others go, and however often it was forgotten before."""
    journal = Journal(kept_after_deletion=2)
    journal.record(key(0), transition(0))
    journal.forget(key(0))
    journal.forget(key(0))
    journal.record(key(0), transition(1))
    for number in range(1, 9):
        journal.record(key(number), transition(number))
        journal.forget(key(number))
    assert journal.of(key(0)) == (transition(0), transition(1))


def test_forgetting_twice_counts_once() -> None:
    """An object that is asked about again after it is gone does not push others out."""
    journal = Journal(kept_after_deletion=2)
    journal.record(key(1), transition(1))
    journal.forget(key(1))
    journal.record(key(2), transition(2))
    for _ in range(5):
        journal.forget(key(2))
    assert journal.of(key(1))
