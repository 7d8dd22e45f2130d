"""Why an intent cannot be made true on a Node."""

from __future__ import annotations


class RefusedIntent(ValueError):
    """`reason` is one CamelCase word, as a status shows it."""

    def __init__(self, message: str, reason: str = "NotApplied") -> None:
        super().__init__(message)
        self.reason = reason
