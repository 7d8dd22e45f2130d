"""A Node is lost with all that it answers for, and its Pods are made anew elsewhere: what each moved address costs.

The same among addresses that do not move, which should not matter.
"""

from __future__ import annotations

import sys

from bench.elasticips import Counts, check, fill, lab_with_outside, pod_on
from bench.measure import Figure, hand_over, seconds
from juneau.engine.collector import tune_collector
from juneau.engine.objects import Key
from juneau.lab.immediate import run
from juneau.lab.lab import Lab

LOST, HEIR, STANDING = "worker-1", "worker-2", "worker-3"
LEASE = 15.0  # until it is over the lost Node may still answer


def fail_over(lab: Lab, moved: range) -> None:
    """The Node has just lost its power; what a cluster does then, until the addresses are answered for again."""
    for number in moved:
        run(lab.delete(Key("Pod", "default", f"pod-{number}")))
    run(lab.settle())
    for number in moved:
        run(lab.apply(pod_on(number, HEIR)))
    run(lab.settle())
    run(lab.advance(LEASE))


def main(count: int, standing: int) -> None:
    """Measure with so many that move and so many that do not."""
    lab = lab_with_outside()
    run(lab.add_node(STANDING))
    tune_collector()
    fill(lab, range(count, count + standing), STANDING)
    fill(lab, range(count), LOST)
    run(lab.advance(LEASE))
    check(lab, count + standing)
    lab.switch_off(LOST)
    before = Counts.of(lab)
    duration = seconds(lambda: fail_over(lab, range(count)))
    counted = Counts.of(lab).since(before)
    check(lab, count + standing)
    lost = [ad.name for ad in lab.list("ARPAdvertisement") if ad.spec.node_name == LOST]
    if lost:
        raise SystemExit(f"{len(lost)} addresses are still granted to the Node that is lost")
    group = f"failover of {count:,}" + (f" among {standing:,} more" if standing else "")
    hand_over(
        [
            Figure(group, "lost to answered for", duration, "s"),
            Figure(group, "per moved address", duration / count * 1e6, "us"),
            *(Figure(group, f"{name} per moved address", value / count, "") for name, value in counted),
        ]
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
