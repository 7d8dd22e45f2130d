"""What stands between a request and the store: who may refuse it, or complete it, before it is committed.

In the lab `engine.memory` calls these in process; in a cluster the API server calls the webhook, which calls the same
ones.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from juneau.engine.objects import AnyObject


class Operation(StrEnum):
    """What a request is about to do, in the words of the API server."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"


class Admission(Protocol):
    """One link of the chain; it must not write to the store that asks it."""

    def admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
        """The object to go on with: `new`, possibly completed; for DELETE, where `new` is None, `old`.

        Raises Invalid or Forbidden (`engine.errors`).
        Writes of status alone do not come here.
        """
        ...
