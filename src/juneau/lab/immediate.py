"""Running coroutines that never wait: with a store in memory nothing does, so a lab needs no event loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")


def run(coroutine: Coroutine[Any, Any, ResultT]) -> ResultT:
    """The result of a coroutine; one that waits for something raises RuntimeError."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: ResultT = done.value
        return result
    coroutine.close()
    raise RuntimeError("a lab's coroutine waited for something")
