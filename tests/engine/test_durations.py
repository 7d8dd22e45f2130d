"""Durations in Go's syntax."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.durations import seconds_of

UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


@given(st.lists(st.tuples(st.integers(0, 9999), st.sampled_from(sorted(UNITS))), min_size=1, max_size=5))
def test_the_parts_of_a_duration_add_up(parts: list[tuple[int, str]]) -> None:
    """In any order, a unit more than once too."""
    text = "".join(f"{number}{unit}" for number, unit in parts)
    assert seconds_of(text) == pytest.approx(sum(number * UNITS[unit] for number, unit in parts))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0.0), ("300s", 300.0), ("1h30m", 5400.0), ("100ms", 0.1), ("1.5h", 5400.0), (".5s", 0.5), ("1.s", 1.0)],
)
def test_durations_are_read(text: str, seconds: float) -> None:
    """Fractions with nothing before or after the point are Go's, too."""
    assert seconds_of(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    ["", "1", "s", "-1s", "+1s", "1 s", "1s ", " 1s", "1d", "1S", "1e3s", ".s", "1s1", "1h-30m", "٣s", "9" * 70 + "s",
     "876001h", "1s\n"],
)  # fmt: skip
def test_what_is_no_duration_is_none(text: str) -> None:
    """Without a unit, negative, over a hundred years, or with anything around it."""
    assert seconds_of(text) is None


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing raises."""
    seconds = seconds_of(text)
    assert seconds is None or seconds >= 0
