"""Durations as people write them: `300s`, `1h30m`, `100ms`, in the syntax of Go's `time.ParseDuration`."""

from __future__ import annotations

import re

_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)", re.ASCII)
_LONGEST = 100 * 365 * 86400.0


def seconds_of(text: str) -> float | None:
    """The seconds that a duration lasts, or None where the text is none, is negative, or is over 100 years."""
    if text == "0":
        return 0.0
    if not text or len(text) > 64:
        return None
    total, end = 0.0, 0
    for part in _PART.finditer(text):
        if part.start() != end:
            return None
        total += float(part.group(1)) * _UNITS[part.group(2)]
        end = part.end()
    return total if end == len(text) and total <= _LONGEST else None


def duration_text(seconds: float) -> str:
    """A duration as kubectl has it: two units at most, the smaller one only where it still matters."""
    whole = int(seconds)
    if whole < -1:
        return "<invalid>"
    minutes, hours, days = whole // 60, whole // 3600, whole // 86400
    if whole < 120:
        return f"{max(whole, 0)}s"
    if minutes < 10:
        return _two(minutes, "m", whole % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if days < 8:
        return _two(days, "d", hours % 24, "h")
    if days < 2 * 365:
        return f"{days}d"
    if days < 8 * 365:
        return _two(days // 365, "y", days % 365, "d")
    return f"{days // 365}y"


def _two(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large}{large_unit}" + (f"{small}{small_unit}" if small else "")
