"""Pods with one NIC each, from nothing to Ready in memory; a restart with nothing to do; one change among many."""

from __future__ import annotations

import sys
from statistics import median
from typing import Any

from bench.measure import Figure, hand_over, resident_mib, seconds
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.collector import tune_collector
from juneau.engine.feed import Feed
from juneau.engine.loop import Loop
from juneau.engine.objects import Key
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.lab.lab import Lab

SUBNET = "app-subnet"
CHANGES = 15


def document(kind: str, name: str, spec: dict[str, Any], **annotations: str) -> dict[str, Any]:
    """A manifest."""
    version = "v1" if kind == "Pod" else "juneau.loutres.me/v1alpha1"
    metadata = {"name": name, "annotations": {f"juneau.loutres.me/{key}": text for key, text in annotations.items()}}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


def pod(number: int) -> dict[str, Any]:
    """A Pod on the Subnet."""
    return document("Pod", f"pod-{number}", {"containers": []}, subnet=SUBNET)


def empty_lab() -> Lab:
    """A lab with a Vpc and a Subnet."""
    clock = VirtualClock(1_767_225_600.0)
    lab = run(Lab.start(SimulatedDriver.site(clock), clock))
    run(lab.apply(document("Vpc", "app", {})))
    run(lab.apply(document("Subnet", SUBNET, {"vpc": "app", "cidr": "10.64.0.0/16"})))
    run(lab.settle())
    return lab


def fill(lab: Lab, count: int) -> list[tuple[str, float]]:
    """Make Pods, and say how long each phase took."""

    def admit() -> None:
        for number in range(count):
            run(lab.apply(pod(number)))

    return [("admission", seconds(admit)), ("allocate, plug, Ready", seconds(lambda: run(lab.settle())))]


def restart(lab: Lab) -> tuple[float, int]:
    """A controller that starts on this world: seconds until it is at rest, and its writes."""
    cache = Cache(lab.registry, lab.settings)
    loop = Loop(lab.store, cache, lab.clock)

    def begin() -> None:
        run(Feed(lab.store, cache, loop.queue, loop.handle).begin())
        loop.wake_all()
        run(loop.settle())

    return seconds(begin), loop.writes_made


def one_change(lab: Lab, count: int) -> float:
    """Seconds for one Pod more and one less, each up to rest: the median of several."""
    found: list[float] = []
    for number in range(CHANGES):
        name = count + number

        def add_and_remove(name: int = name) -> None:
            run(lab.apply(pod(name)))
            run(lab.settle())
            run(lab.delete(Key("Pod", "default", f"pod-{name}")))
            run(lab.settle())

        found.append(seconds(add_and_remove))
    return median(found)


def main(count: int) -> None:
    """Measure with this many Pods."""
    lab = empty_lab()
    tune_collector()
    group = f"{count:,} Pods"
    phases = fill(lab, count)
    ready = sum(nic.status.phase == "Ready" for nic in lab.list("NetworkInterface"))
    if ready != count:
        raise SystemExit(f"only {ready} of {count} NICs are Ready")
    total = sum(duration for _, duration in phases)
    figures = [Figure(group, f"phase: {name}", duration, "s") for name, duration in phases]
    large = count >= 10_000  # what the bounds are set for
    figures += [
        Figure(group, "nothing to Ready", total, "s", 30 if large else None),
        Figure(group, "per NIC", total / count * 1e6, "us"),
        Figure(group, "resident", resident_mib(), "MiB", 500 if large else None),
        Figure(group, "steps per Pod", lab.loop.steps_taken / count, ""),
        Figure(group, "writes per Pod", lab.loop.writes_made / count, ""),
    ]
    figures.append(Figure(group, "one Pod more, one less", one_change(lab, count) * 1e3, "ms"))
    duration, writes = restart(lab)
    figures.append(Figure(group, "restart, nothing to do", duration, "s", 5 if large else None))
    figures.append(Figure(group, "writes of that restart", float(writes), "", 0))
    hand_over(figures)


if __name__ == "__main__":
    main(int(sys.argv[1]))
