"""The scheduler's choice: the Node with the fewest Pods of those that fit."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from juneau.engine.world import Cache, Reader
from juneau.resources import node
from juneau.resources.node import SCHEDULABLE
from juneau.resources.pod import PODS_ON_NODE
from juneau.resources.podspec import Pod


class Unschedulable(Exception):
    """No Node fits the Pod; the text says why."""


def choose_node(cache: Cache, asking: Pod, away: Collection[str] = ()) -> str:
    """Of the Nodes that fit and are not `away` the one with the fewest Pods, of equals the first by name.

    Raises Unschedulable.
    """
    reader = Reader(cache)
    known = reader.values(SCHEDULABLE, "")
    nodes = [name for name in known if name not in away]
    if not nodes:
        raise Unschedulable("no Node can be reached" if known else "there is no Node to run it on")
    selector = asking.spec.node_selector
    fitting = [name for name in nodes if _fits(reader, name, selector)] if selector else nodes
    if not fitting:
        labels = ", ".join(f"{label}={value}" for label, value in sorted(selector.items()))
        raise Unschedulable(f"none of {len(nodes)} Nodes has the labels of its nodeSelector: {labels}")
    return min(fitting, key=lambda name: (len(cache.entries(PODS_ON_NODE.name, name)), name))


def _fits(reader: Reader, name: str, selector: Mapping[str, str]) -> bool:
    found = reader.get_spec(node.KIND, name)
    return found is not None and selector.items() <= found.metadata.labels.items()
