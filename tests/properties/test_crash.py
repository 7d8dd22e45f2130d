"""Processes that die after any single write: what they left behind is taken up by those that come after them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.cluster import DAY, Cluster, normal
from tests.properties.documents import GROUP, Document, document, worlds
from tests.properties.fsck import faults
from tests.properties.test_path_independence import complete

from juneau.engine.objects import Key


def pod(name: str, node: str, *nics: Document, owner: str = "") -> Document:
    made = document("Pod", name, {"nodeName": node}, "default", core=True)
    made["metadata"]["annotations"] = {f"{GROUP}/networks": json.dumps(list(nics))} if nics else {}
    if owner:
        reference = {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "name": owner, "uid": "vm-uid"}
        made["metadata"]["ownerReferences"] = [reference]
    return made


def nic(interface: str, subnet: str, **more: Any) -> Document:
    return {"interface": interface, "subnet": subnet, **more}


VPC = document("Vpc", "red", {"endpointPool": {"cidrs": ["10.80.0.0/28"]}})
SUBNET = document("Subnet", "s0", {"vpc": "red", "cidr": "10.1.0.0/28"})
SEGMENT = document("L2Network", "l0", {"vpc": "red", "cidr": "10.2.0.0/28", "gateway": {}})
GROUP_OF_RED = document("SecurityGroup", "sg", {"vpc": "red"})
ON_SEGMENT = {"interface": "eth1", "l2Network": "l0"}

Story = tuple[Document | Key | float, ...]
STORIES: dict[str, Story] = {
    "a lease is used again by a Pod of the same name, on another Node": (
        VPC,
        SUBNET,
        SEGMENT,
        pod("a", "worker-1", nic("eth0", "s0"), ON_SEGMENT),
        Key("Pod", "default", "a"),
        3600.0,
        pod("a", "worker-2", nic("eth0", "s0"), ON_SEGMENT),
    ),
    "a lease is shared by two Pods of one virtual machine, and outlives both for a day": (
        VPC,
        SUBNET,
        pod("vm-1", "worker-2", nic("eth0", "s0"), owner="vm"),
        pod("vm-2", "worker-1", nic("eth0", "s0"), owner="vm"),
        Key("Pod", "default", "vm-1"),
        pod("c", "worker-1", nic("eth0", "s0")),
        Key("Pod", "default", "vm-2"),
        DAY,
        pod("d", "worker-1", nic("eth0", "s0")),
    ),
    "an address is asked for, and networks go while they are in use": (
        VPC,
        SUBNET,
        SEGMENT,
        GROUP_OF_RED,
        pod("b", "worker-2", nic("eth0", "s0", address="10.1.0.9", securityGroups=["sg"]), ON_SEGMENT),
        Key("L2Network", "", "l0"),
        Key("Pod", "default", "b"),
        Key("Subnet", "", "s0"),
        Key("Vpc", "", "red"),
        2 * DAY,
    ),
}


def tell(cluster: Cluster, story: Story) -> None:
    """Let it happen, with a rest after each thing."""
    for event in story:
        if isinstance(event, Key):
            cluster.remove(event)
        elif isinstance(event, float):
            cluster.pass_time(event)
        else:
            cluster.put(event)
        cluster.rest()


def told(story: Story, left: int | None) -> Cluster:
    cluster = Cluster.new()
    cluster.mortal.left, cluster.mortal.writes = left, 0
    tell(cluster, story)
    return cluster


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_crash_after_any_single_write_heals(story: Story) -> None:
    """Controllers and kubelets die once, after each of the writes in turn; the end is the same as if they had not."""
    smooth = told(story, None)
    expected = normal(smooth)
    assert not faults(smooth.objects())
    for left in range(smooth.mortal.writes):
        broken = told(story, left)
        assert broken.crashes == 1
        assert not faults(broken.objects()), f"after {left} writes"
        assert normal(broken) == expected, f"after {left} writes"


@given(worlds(), st.integers(0, 200))
@settings(max_examples=max(1, settings.default.max_examples // 2))
def test_any_world_survives_a_crash(documents: list[Document], left: int) -> None:
    """Whatever is applied, a crash on the way changes nothing about where it ends."""
    smooth, broken = Cluster.new(), Cluster.new()
    complete(smooth, documents, squashed=False)
    broken.mortal.left = left
    complete(broken, documents, squashed=False)
    assert normal(broken) == normal(smooth)
    assert not faults(broken.objects())


@given(worlds())
@settings(max_examples=max(1, settings.default.max_examples // 2))
def test_a_restart_on_an_unchanged_world_writes_nothing(documents: list[Document]) -> None:
    """Controllers, agents and kubelets that start anew find everything as it should be, at once and hours later."""
    cluster = Cluster.new()
    complete(cluster, documents, squashed=True)
    _restarts_without_a_write(cluster)


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_restart_in_the_middle_of_a_story_writes_nothing(story: Story) -> None:
    """Countdowns, waits and failures are where they were, too."""
    cluster = Cluster.new()
    for event in story:
        tell(cluster, (event,))
        _restarts_without_a_write(cluster)


def _restarts_without_a_write(cluster: Cluster) -> None:
    cluster.pass_time(30.0)
    before, writes, tables = cluster.objects(), cluster.mortal.writes, cluster.tables()
    cluster.restart()
    cluster.rest()
    assert cluster.mortal.writes == writes
    assert cluster.loop.writes_made == 0
    assert cluster.objects() == before
    assert cluster.tables() == tables
