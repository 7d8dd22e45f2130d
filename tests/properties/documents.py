"""Random sets of manifests that do not contradict each other: what one says never refuses another one for ever."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

GROUP = "juneau.loutres.me"
Document = dict[str, Any]
VPCS = ("red", "blue")
SUBNETS = ("s0", "s1", "s2")
SEGMENTS = ("l0", "l1", "l2")
NODES = ("worker-1", "worker-2", "worker-3")


def document(kind: str, name: str, spec: Document, namespace: str = "", core: bool = False) -> Document:
    """A manifest."""
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "v1" if core else f"{GROUP}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def vpc(name: str) -> Document:
    return document("Vpc", name, {})


@st.composite
def networks(draw: st.DrawFn) -> list[Document]:
    """Vpcs with endpoint pools, Subnets and L2Networks, each network in its own place of the address space."""
    made = []
    for place, name in enumerate(VPCS):
        pool = draw(st.booleans())
        made.append(document("Vpc", name, {"endpointPool": {"cidrs": [f"10.8{place}.0.0/24"]}} if pool else {}))
    for place, name in enumerate(draw(st.lists(st.sampled_from(SUBNETS), unique=True))):
        spec: Document = {"vpc": draw(st.sampled_from(VPCS)), "cidr": f"10.1.{place}.0/24"}
        made.append(document("Subnet", name, spec | draw(_boundary(spec["vpc"]))))
    for place, name in enumerate(draw(st.lists(st.sampled_from(SEGMENTS), unique=True))):
        spec = {"vpc": draw(st.sampled_from(VPCS))}
        depth = draw(st.integers(0, 2))
        if depth:
            spec["cidr"] = f"10.2.{place}.0/24"
        if depth > 1:
            boundary = draw(_boundary(spec["vpc"]))
            table = boundary.pop("routeTable", "")
            spec |= boundary
            spec["gateway"] = {"address": draw(st.sampled_from(["", f"10.2.{place}.254"]))}
            if table:
                spec["gateway"]["routeTable"] = table
        made.append(document("L2Network", name, spec))
    return made


@st.composite
def _boundary(draw: st.DrawFn, vpc_name: str) -> Document:
    spec: Document = {}
    if draw(st.booleans()):
        spec["routeTable"] = f"rt-{vpc_name}"
    if draw(st.booleans()):
        spec["networkACL"] = f"acl-{vpc_name}"
    return spec


@st.composite
def policies(draw: st.DrawFn) -> list[Document]:
    """SecurityGroups that may name each other, NetworkACLs, and RouteTables with routes to Pods."""
    made = []
    for name in VPCS:
        rule = {"from": [{"securityGroupRef": {"name": f"sg-{name}"}}], "protocol": "tcp", "ports": [{"port": 80}]}
        made.append(
            document("SecurityGroup", f"sg-{name}", {"vpc": name, "ingress": [rule] if draw(st.booleans()) else []})
        )
        allow = {"priority": 1, "action": "allow", "cidr": "0.0.0.0/0"}
        made.append(document("NetworkACL", f"acl-{name}", {"vpc": name, "ingress": [allow]}))
        targets = draw(st.lists(st.sampled_from(["p0.eth0", "p1.eth0", "default/p2.eth1"]), unique=True, max_size=2))
        routes = [
            {"dst": f"172.16.{place}.0/24", "via": {"type": "endpoint", "endpointName": target}}
            for place, target in enumerate(targets)
        ]
        made.append(document("RouteTable", f"rt-{name}", {"vpc": name, "routes": routes}))
    return made


@st.composite
def pods(draw: st.DrawFn, made: Sequence[Document], count: int = 4) -> list[Document]:
    """Pods on given Nodes, with NICs on these networks; an address that is asked for is one no other Pod gets."""
    return [draw(_pod(f"p{place}", place, made)) for place in range(draw(st.integers(0, count)))]


@st.composite
def _pod(draw: st.DrawFn, name: str, place: int, made: Sequence[Document]) -> Document:
    firsts = [held for held in made if held["kind"] == "Subnet" or "gateway" in held["spec"]]
    others = [held for held in made if held["kind"] in ("Subnet", "L2Network")]
    nics = []
    if firsts and draw(st.booleans()):
        nics.append(draw(_nic("eth0", place, draw(st.sampled_from(firsts)))))
    if others:
        for number, net in enumerate(draw(st.lists(st.sampled_from(others), unique_by=_name, max_size=2))):
            if not nics or net is not nics[0]["net"]:
                nics.append(draw(_nic(f"eth{number + 1}", place, net)))
    for nic in nics:
        del nic["net"]
    annotations = {f"{GROUP}/networks": json.dumps(nics)} if nics else {}
    found = document("Pod", name, {"nodeName": draw(st.sampled_from(NODES))}, "default", core=True)
    found["metadata"]["annotations"] = annotations
    return found


def _name(held: Document) -> str:
    return f"{held['kind']}/{held['metadata']['name']}"


@st.composite
def _nic(draw: st.DrawFn, interface: str, place: int, net: Document) -> Document:
    field = "subnet" if net["kind"] == "Subnet" else "l2Network"
    nic: Document = {"interface": interface, field: net["metadata"]["name"], "net": net}
    cidr, gateway = net["spec"].get("cidr"), "gateway" in net["spec"]
    if cidr and draw(st.booleans()):
        nic["address"] = f"{cidr.rpartition('.')[0]}.{100 + place}"
    if (field == "subnet" or gateway) and draw(st.booleans()):
        nic["securityGroups"] = [f"sg-{net['spec']['vpc']}"]
    return nic


@st.composite
def worlds(draw: st.DrawFn) -> list[Document]:
    """A set of documents, in an order in which admission lets all of them pass."""
    made = draw(networks())
    rules = draw(policies())
    vpcs = [held for held in made if held["kind"] == "Vpc"]
    rest = [held for held in made if held["kind"] != "Vpc"]
    nodes = [document("Node", NODES[2], {}, core=True)] if draw(st.booleans()) else []
    return [*vpcs, *rules, *rest, *draw(pods(made)), *nodes]
