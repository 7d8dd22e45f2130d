"""Times as RFC 3339 has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.objects import Time
from juneau.engine.times import read_time, time_text

LAST = 253402300799


@given(st.integers(-62135596800, LAST))
def test_a_time_that_is_written_is_read_again(seconds: int) -> None:
    """Of the years 1 to 9999, whole seconds."""
    assert read_time(time_text(Time(seconds))) == seconds


@pytest.mark.parametrize("beyond", [LAST + 1, LAST + 2**31, 1e15])
def test_what_lies_beyond_all_years_is_written_as_their_end(beyond: float) -> None:
    """A lease of 68 years may run beyond the year 9999; whoever prints it gets an answer."""
    assert time_text(Time(beyond)) == "9999-12-31T23:59:59Z"
