"""Run all benchmarks, print a table, write bench.json."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

from attrs import asdict

from bench.measure import Figure, in_own_process

RUNS = (
    ("bench.pods", ("100",)),
    ("bench.pods", ("1000",)),
    ("bench.pods", ("10000",)),
    ("bench.elasticips", ("250",)),
    ("bench.elasticips", ("500",)),
    ("bench.elasticips", ("1000",)),
    ("bench.failover", ("1000", "0")),
    ("bench.failover", ("1000", "1000")),
    ("bench.addresses", ()),
    ("bench.frames", ()),
)


def ratios(figures: list[Figure]) -> list[Figure]:
    """How cost grows with size: the figures that targets are set for."""
    by_place = {(figure.group, figure.name): figure.value for figure in figures}

    def ratio(name: str, larger: str, smaller: str, bound: float, other: str = "") -> Figure:
        value = by_place[larger, name] / by_place[smaller, other or name]
        label = f"{name}: {larger} to {smaller}" if not other else f"{name} of {larger} to {other} of {smaller}"
        return Figure("ratio", label, value, "x", bound)

    alone, among = "failover of 1,000", "failover of 1,000 among 1,000 more"
    return [
        ratio("per NIC", "10,000 Pods", "1,000 Pods", 1.3),
        ratio("one Pod more, one less", "10,000 Pods", "100 Pods", 1.5),
        ratio("per ElasticIP", "500 ElasticIPs", "250 ElasticIPs", 1.3),
        ratio("per ElasticIP", "1,000 ElasticIPs", "250 ElasticIPs", 1.3),
        # A second NIC, the ElasticIP itself, and the advertisement that one Node answers for.
        ratio("per ElasticIP", "1,000 ElasticIPs", "1,000 Pods", 5, "per NIC"),
        ratio("per moved address", among, alone, 1.3),
        *(
            ratio(f"{name} per moved address", among, alone, 1)
            for name in ("steps", "controllers' writes", "all writes")
        ),
    ]


def main() -> None:
    """Measure everything, one process after the other."""
    figures: list[Figure] = []
    for module, arguments in RUNS:
        print(f"measuring {module} {' '.join(arguments)} ...", file=sys.stderr, flush=True)
        figures += in_own_process(module, *arguments)
    figures += ratios(figures)
    width = max(len(figure.name) for figure in figures)
    group = ""
    for figure in figures:
        if figure.group != group:
            group = figure.group
            print(f"\n{group}")
        print(f"  {figure.name:<{width}}  {figure.value:>14,.2f} {figure.unit:<8}  {figure.verdict}".rstrip())
    machine = {"python": platform.python_version(), "machine": platform.machine(), "kernel": platform.release()}
    result = {"machine": machine, "figures": [asdict(figure) for figure in figures]}
    Path("bench.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
