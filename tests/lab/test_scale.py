"""What a change costs must not grow with what has nothing to do with it; counted in steps, not in seconds."""

from __future__ import annotations

from typing import Any

import pytest

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.objects import Key
from juneau.lab.immediate import run
from juneau.lab.lab import Lab


def manifest(kind: str, name: str, spec: dict[str, Any], **annotations: str) -> dict[str, Any]:
    version = "v1" if kind == "Pod" else "juneau.loutres.me/v1alpha1"
    marks = {f"juneau.loutres.me/{key}": text for key, text in annotations.items()}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "annotations": marks}, "spec": spec}


def lab_with(subnets: int, pods: int) -> Lab:
    clock = VirtualClock()
    lab = run(Lab.start(SimulatedDriver.site(clock), clock))
    run(lab.apply(manifest("Vpc", "shop", {})))
    for number in range(subnets):
        run(lab.apply(manifest("Subnet", f"net-{number}", {"vpc": "shop", "cidr": f"10.1.{number}.0/24"})))
    run(lab.settle())
    for number in range(pods):
        run(lab.apply(manifest("Pod", f"pod-{number}", {}, subnet="net-0")))
    run(lab.settle())
    return lab


def steps_of(lab: Lab, *documents: dict[str, Any]) -> int:
    before = lab.loop.steps_taken
    for document in documents:
        run(lab.apply(document))
    run(lab.settle())
    return lab.loop.steps_taken - before


@pytest.mark.parametrize("kind", ["Subnet", "L2Network"])
def test_a_network_costs_the_same_among_few_and_many(kind: str) -> None:
    """A network that overlaps nothing makes no other network be looked at."""
    new = manifest(kind, "new", {"vpc": "shop", "cidr": "10.2.0.0/24"})
    assert steps_of(lab_with(3, 0), new) == steps_of(lab_with(30, 0), new)


def test_a_pod_costs_the_same_among_few_and_many() -> None:
    """A Pod makes no other Pod, NIC or claim be looked at."""
    new = manifest("Pod", "new", {}, subnet="net-0")
    assert steps_of(lab_with(1, 2), new) == steps_of(lab_with(1, 40), new)


def test_claims_of_one_pool_do_not_wake_each_other() -> None:
    """Many Pods at once cost as many steps each as few do."""
    few = [manifest("Pod", f"new-{number}", {}, subnet="net-0") for number in range(4)]
    many = [manifest("Pod", f"new-{number}", {}, subnet="net-0") for number in range(40)]
    assert steps_of(lab_with(1, 0), *many) <= 10 * steps_of(lab_with(1, 0), *few)


def test_a_deleted_pod_costs_the_same_among_few_and_many() -> None:
    """What goes away disturbs only what had to do with it."""

    def steps(pods: int) -> int:
        lab = lab_with(1, pods)
        before = lab.loop.steps_taken
        run(lab.delete(Key("Pod", "default", "pod-0")))
        run(lab.settle())
        return lab.loop.steps_taken - before

    assert steps(2) == steps(40)
