"""One measurement as a value, and running each in a process of its own, so that memory and caches start clean."""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from time import perf_counter

from attrs import asdict, frozen


@frozen
class Figure:
    """A number with its unit, and the bound that it is held against: at most, or at least."""

    group: str
    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def verdict(self) -> str:
        """How it stands to its bound."""
        if self.at_most is not None:
            return f"at most {self.at_most:,g}: {'met' if self.value <= self.at_most else 'MISSED'}"
        if self.at_least is not None:
            return f"at least {self.at_least:,g}: {'met' if self.value >= self.at_least else 'MISSED'}"
        return ""


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes once."""
    gc.collect()
    start = perf_counter()
    work()
    return perf_counter() - start


def rate(work: Callable[[int], object], count: int, rounds: int = 5) -> float:
    """How often a second `work(count)` gets its count done: the median of several rounds."""
    found = sorted(count / seconds(lambda: work(count)) for _ in range(rounds))
    return found[len(found) // 2]


def resident_mib() -> float:
    """The largest resident size that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_own_process(module: str, *arguments: str) -> list[Figure]:
    """The figures that another module prints as JSON."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [Figure(**entry) for entry in json.loads(done.stdout.splitlines()[-1])]


def hand_over(figures: Sequence[Figure]) -> None:
    """Print figures for `in_own_process`."""
    print(json.dumps([asdict(figure) for figure in figures]))
