"""Manifests that went wrong: valid documents with something broken in them, as JSON trees and as YAML text."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from tests.properties.documents import GROUP, Document, document, worlds

JSON = Any

VALID: tuple[Document, ...] = (
    document("Vpc", "red", {"endpointPool": {"cidrs": ["10.80.0.0/24"]}, "service": {"consume": True}}),
    document("Subnet", "s0", {"vpc": "red", "cidr": "10.1.0.0/24", "routeTable": "red", "networkACL": "acl"}),
    document("L2Network", "l0", {"vpc": "red", "cidr": "10.2.0.0/24", "gateway": {"address": "10.2.0.9"}, "mtu": 1400}),
    document(
        "RouteTable",
        "rt",
        {"vpc": "red", "routes": [{"dst": "172.16.0.0/24", "via": {"type": "endpoint", "endpointName": "p.eth0"}}]},
    ),
    document(
        "SecurityGroup",
        "sg",
        {
            "vpc": "red",
            "ingress": [
                {
                    "from": [{"cidr": "10.0.0.0/8"}],
                    "protocol": "tcp",
                    "ports": [{"port": 80}, {"portRange": {"from": 1, "to": 9}}],
                }
            ],
        },
    ),
    document("NetworkACL", "acl", {"vpc": "red", "ingress": [{"priority": 1, "action": "allow", "cidr": "0.0.0.0/0"}]}),
    document("AllocationPool", "racks", {"type": "number", "number": {"min": 10, "max": 12}}),
    document("AllocationPool", "beds", {"type": "ip", "ip": {"cidrs": ["10.9.0.0/30"], "excluded": ["10.9.0.1"]}}),
    document(
        "AllocationClaim",
        "rack-a",
        {
            "poolRefs": [{"name": "racks"}],
            "attribute": "status.rack",
            "releaseAfter": "1h",
            "resourceRef": {"apiVersion": f"{GROUP}/v1alpha1", "kind": "Vpc", "name": "default"},
        },
    ),
    document(
        "AllocationClaim",
        "bed-a",
        {
            "poolRefs": [{"name": "beds"}],
            "attribute": "x",
            "requestedIP": "10.9.0.2",
            "reuseKey": "bed",
            "resourceRef": {"apiVersion": f"{GROUP}/v1alpha1", "kind": "Vpc", "name": "default"},
        },
    ),
    document(
        "NetworkInterface",
        "x.eth0",
        {"podRef": {"uid": "u", "name": "x", "interface": "eth0"}, "nodeName": "worker-1", "subnet": "default"},
        "default",
    ),
    document(
        "NetworkEndpoint",
        "x.eth0",
        {
            "kind": "Pod",
            "nodeName": "worker-1",
            "subnet": "default",
            "address": "10.16.9.9/16",
            "macAddress": "02:00:00:00:00:01",
            "podRef": {"uid": "u", "name": "x", "interface": "eth0"},
        },
        "default",
    ),
    document("Pod", "p", {"containers": [{"name": "c"}]}, "default", core=True),
    document("Node", "worker-3", {}, core=True),
    document("Namespace", "shop", {}, core=True),
)

_PODS = tuple(
    {**document("Pod", f"q{place}", {}, "default", core=True), "metadata": {"name": f"q{place}", "annotations": held}}
    for place, held in enumerate(
        (
            {f"{GROUP}/subnet": "s0", f"{GROUP}/address": "10.1.0.77", f"{GROUP}/security-groups": "sg"},
            {f"{GROUP}/networks": json.dumps([{"interface": "eth1", "l2Network": "l0"}])},
            {f"{GROUP}/networks": json.dumps([{"interface": "eth0", "subnet": "s0", "address": "10.1.0.78"}])},
        )
    )
)

SEEDS = (*VALID, *_PODS)

_TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            " ",
            "\0",
            "\n",
            "a" * 300,
            "é",
            "\U0001d518",
            "\u202e",
            "../..",
            "-",
            "a.b",
            "a--b",
            "A",
            "0",
            "null",
            "true",
            "10.0.0.0/8",
            "10.1.0.0/24",
            "10.1.0.5/24",
            "10.1.0.0/33",
            "::/0",
            "0.0.0.0/0",
            "255.255.255.255/32",
            "10.16.0.0/16",
            "10.1.0.1",
            "999.1.1.1",
            "red",
            "default",
            "s0",
            "24h",
            "-1s",
            "1e9h",
            "ff:ff:ff:ff:ff:ff",
            "[]",
            "{}",
            '[{"interface":1}]',
            "[" * 2000,
            "2026-01-01T00:00:00Z",
            "9999-99-99T99:99:99Z",
            "Pod",
            "Subnet",
            "AllocationPool",
            "subnet-vni",
            "subnet-ip-default",
            "v1",
            f"{GROUP}/v1alpha1",
        ]
    ),
    st.text(max_size=20),
)
_NUMBERS = st.one_of(
    st.sampled_from(
        [0, 1, -1, 2**31, 2**32, 2**63, 2**64, 10**400, 0.5, 1e308, float("inf"), float("nan"), True, 4096]
    ),
    st.integers(-10, 20000),
)
_LEAVES = st.one_of(st.none(), st.booleans(), _NUMBERS, _TEXTS)
VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=3)),
    max_leaves=6,
)


def nested(depth: int) -> JSON:
    value: JSON = "x"
    for _ in range(depth):
        value = {"a": [value]}
    return value


def places(value: JSON, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a tree, itself first, not too deep down."""
    yield at
    if len(at) > 8:
        return
    if isinstance(value, dict):
        for name, held in value.items():
            yield from places(held, (*at, name))
    elif isinstance(value, list):
        for place, held in enumerate(value):
            yield from places(held, (*at, place))


@st.composite
def broken(draw: st.DrawFn) -> JSON:
    """A valid document with up to three things in it changed."""
    tree: JSON = copy.deepcopy(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 3))):
        tree = draw(_changed(tree))
    return tree


@st.composite
def _changed(draw: st.DrawFn, tree: JSON) -> JSON:
    path = draw(st.sampled_from(list(places(tree))))
    what = draw(st.sampled_from(["replace", "replace", "remove", "add", "rename", "double", "nest", "transplant"]))
    if not path:
        return draw(VALUES) if what == "nest" and draw(st.integers(0, 9)) == 0 else tree
    parent = tree
    for step in path[:-1]:
        parent = parent[step]
    last, held = path[-1], parent[path[-1]]
    if what == "replace":
        parent[last] = draw(VALUES)
    elif what == "remove":
        del parent[last]
    elif what == "nest":
        parent[last] = nested(draw(st.sampled_from([3, 30, 34, 70])))
    elif what == "transplant":
        donor = draw(st.sampled_from(SEEDS))
        found = donor
        for step in draw(st.sampled_from(list(places(donor)))):
            found = found[step]
        parent[last] = copy.deepcopy(found)
    elif isinstance(parent, list):
        parent.append(copy.deepcopy(held))
    elif what == "rename":
        parent[draw(_TEXTS)] = parent.pop(last)
    elif isinstance(held, dict):
        held[draw(st.one_of(_TEXTS, st.sampled_from(["uid", "finalizers", "ownerReferences", "vpc", "cidr"])))] = draw(
            VALUES
        )
    else:
        parent[last] = [held, copy.deepcopy(held)]
    return tree


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, JSON]]:
    """Documents, most of them broken, on top of valid ones, with deletions and time in between."""
    first = [("apply", held) for held in draw(st.one_of(st.just(list(SEEDS)), worlds()))]
    step = st.one_of(
        st.tuples(st.just("apply"), broken()),
        st.tuples(st.just("apply"), broken()),
        st.tuples(st.just("apply"), st.sampled_from(SEEDS)),
        st.tuples(st.just("delete"), st.integers(0, 60)),
        st.tuples(st.just("advance"), st.sampled_from([1.0, 100.0, 90_000.0])),
    )
    return [*first, *draw(st.lists(step, min_size=1, max_size=12))]
