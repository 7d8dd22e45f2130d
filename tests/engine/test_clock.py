"""Virtual time: it moves when it is told to, and what is due runs in order."""

from __future__ import annotations

from juneau.engine.clock import VirtualClock
from juneau.engine.objects import Time


def test_time_moves_only_by_advancing() -> None:
    """Asking for the time changes nothing."""
    clock = VirtualClock(10.0)
    assert (clock.now(), clock.now()) == (10.0, 10.0)
    clock.advance(2.5)
    assert clock.now() == 12.5


def test_callbacks_run_in_order_of_time_then_of_asking() -> None:
    """Two that are due at one time run in the order they were asked for, each at its own time."""
    clock, heard = VirtualClock(), list[tuple[str, float]]()
    for name, when in (("late", 3.0), ("first", 1.0), ("second", 1.0)):
        clock.call_at(Time(when), lambda name=name: heard.append((name, clock.now())))  # type: ignore[misc]
    clock.advance(2)
    assert heard == [("first", 1.0), ("second", 1.0)]
    assert clock.next_due() == 3.0
    clock.advance(1)
    assert heard[2:] == [("late", 3.0)]
    assert clock.next_due() is None


def test_what_a_callback_asks_for_runs_on_the_way() -> None:
    """A chain of callbacks within one advance runs to its end, and not beyond the time that was asked for."""
    clock, ticks = VirtualClock(), list[float]()

    def tick() -> None:
        ticks.append(clock.now())
        clock.call_at(Time(clock.now() + 1), tick)

    clock.call_at(Time(1.0), tick)
    clock.advance(3.5)
    assert ticks == [1.0, 2.0, 3.0]
    assert clock.now() == 3.5
    assert clock.next_due() == 4.0


def test_what_was_due_in_the_past_runs_now() -> None:
    """Time never goes backwards for it."""
    clock, heard = VirtualClock(10.0), list[float]()
    clock.call_at(Time(4.0), lambda: heard.append(clock.now()))
    clock.advance(0)
    assert heard == [10.0]
    clock.run_until(Time(5.0))
    assert clock.now() == 10.0
