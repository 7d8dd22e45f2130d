"""Python's cycle collector, set for a process that keeps many long-lived objects without cycles.

Kept objects are frozen values that refer to no one who refers back; looking through all of them again and again for
cycles costs a quarter of the time at 10,000 Pods and finds none.
"""

from __future__ import annotations

import gc

_YOUNG = 50_000  # allocations between two looks at the youngest
_MIDDLE, _OLD = 50, 100  # looks at one generation per look at the next


def tune_collector() -> None:
    """Look seldom; what was imported until now is never looked at again.

    Cycles, as tracebacks make them, are still found.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
