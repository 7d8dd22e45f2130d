"""How a command ends."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit statuses, as the help of `juneau` tells them."""

    OK = 0
    REFUSED = 1
    FOUND = 1  # by an audit
    USAGE = 2
    NOT_DELIVERED = 3


# As a shell reports a program that one of these signals ended.
INTERRUPTED = 130
BROKEN_PIPE = 141


class UsageError(Exception):
    """The command cannot be run as it was given; the message says what to write instead."""
