"""What a change costs must not grow with what has nothing to do with it.

Counted in steps, and in computations of an object's intents, not in seconds.
"""

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


def counted(lab: Lab) -> tuple[int, int]:
    return lab.loop.steps_taken, lab.intents.computations


def cost_of(lab: Lab, *documents: dict[str, Any]) -> tuple[int, int]:
    steps, computations = counted(lab)
    for document in documents:
        run(lab.apply(document))
    run(lab.settle())
    return lab.loop.steps_taken - steps, lab.intents.computations - computations


GATEWAY = {"gateway": {"address": "10.2.0.254"}}


@pytest.mark.parametrize(("kind", "more"), [("Subnet", {}), ("L2Network", {}), ("L2Network", GATEWAY)])
def test_a_network_costs_the_same_among_few_and_many(kind: str, more: dict[str, Any]) -> None:
    """A network that overlaps nothing makes no other network be looked at, nor its intents."""
    new = manifest(kind, "new", {"vpc": "shop", "cidr": "10.2.0.0/24", **more})
    assert cost_of(lab_with(3, 0), new) == cost_of(lab_with(30, 0), new)


def test_a_pod_costs_the_same_among_few_and_many() -> None:
    """A Pod makes no other Pod, NIC or claim be looked at, nor the intents of another NIC."""
    new = manifest("Pod", "new", {}, subnet="net-0")
    assert cost_of(lab_with(1, 2), new) == cost_of(lab_with(1, 40), new)


def test_claims_of_one_pool_do_not_wake_each_other() -> None:
    """Many Pods at once cost as many steps each as few do."""
    few = [manifest("Pod", f"new-{number}", {}, subnet="net-0") for number in range(4)]
    many = [manifest("Pod", f"new-{number}", {}, subnet="net-0") for number in range(40)]
    assert cost_of(lab_with(1, 0), *many)[0] <= 10 * cost_of(lab_with(1, 0), *few)[0]


def cost_of_deletion(lab: Lab, key: Key) -> tuple[int, int]:
    steps, computations = counted(lab)
    run(lab.delete(key))
    run(lab.settle())
    return lab.loop.steps_taken - steps, lab.intents.computations - computations


def test_a_deleted_pod_costs_the_same_among_few_and_many() -> None:
    """What goes away disturbs only what had to do with it."""
    key = Key("Pod", "default", "pod-0")
    assert cost_of_deletion(lab_with(1, 2), key) == cost_of_deletion(lab_with(1, 40), key)


def test_a_deleted_network_costs_the_same_among_few_and_many() -> None:
    """The other networks of its Vpc are left alone."""
    key = Key("Subnet", "", "net-1")
    assert cost_of_deletion(lab_with(3, 0), key) == cost_of_deletion(lab_with(30, 0), key)
