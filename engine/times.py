"""Times on the wire: RFC 3339, in UTC."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta

from juneau.engine.objects import Time

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _END = -62135596800, 253402300800  # the years 1 to 9999
_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,12})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def time_text(time: Time) -> str:
    """A time as RFC 3339 has it, in UTC, with a fraction only where there is one.

    What is due beyond the years that can be written is written as the last moment, or the first, that can be.
    """
    time = Time(min(max(time, _FIRST), _END - 1))
    seconds = math.floor(time)
    fraction = f"{time - seconds:.9f}"
    if fraction.startswith("1"):  # rounded up to a whole second
        seconds, fraction = seconds + 1, ""
    moment = _EPOCH + timedelta(seconds=seconds)
    # Not strftime: it does not pad years before 1000.
    return moment.replace(tzinfo=None).isoformat() + fraction[1:].rstrip("0").rstrip(".") + "Z"


def read_time(text: str) -> Time:
    """The time that an RFC 3339 text names; raises ValueError for any other text."""
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise ValueError("must be a time as RFC 3339 has it, such as 2026-01-31T12:00:00Z")
    day, clock, fraction, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone in 'Zz' else zone}")
    except ValueError as error:
        raise ValueError(f"is no time: {error}") from None
    time = (moment - _EPOCH) // timedelta(seconds=1) + float(fraction or 0)
    # An offset or a fraction can lead out of the years that can be written.
    if not _FIRST <= time < _END:
        raise ValueError("is no time of the years 1 to 9999")
    return Time(time)
