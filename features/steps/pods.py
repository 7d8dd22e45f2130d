"""Objects from a few words: a spec in one line, and Pods as rows of a table."""

from __future__ import annotations

import json
from typing import Any

from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.resources.podrequest import NETWORKS, SUBNET


def _document(scene: Scene, kind: str, name: str, spec: object) -> dict[str, Any]:
    name_space, _, own = name.rpartition("/")
    metadata = {"name": own} | ({"namespace": name_space} if name_space else {})
    return {"apiVersion": scene.kind(kind).api_version, "kind": kind, "metadata": metadata, "spec": spec}


@given('<kind> "<name>" with <spec:value>')
def there_is(scene: Scene, kind: str, name: str, spec: object) -> None:
    """An object with this spec, as YAML has it in one line; it has to be accepted."""
    scene.apply_documents([_document(scene, kind, name, spec)])
    assert not scene.refusals, scene.refusal_text


@when('<kind> "<name>" is created with <spec:value>')
def is_created(scene: Scene, kind: str, name: str, spec: object) -> None:
    """The same; a refusal is kept for the next steps."""
    scene.apply_documents([_document(scene, kind, name, spec)])


@given("these Pods")
def these_pods(scene: Scene, datatable: list[list[str]]) -> None:
    """One per row: `name`, `node` (or the scheduler's choice), and under `eth0`, `eth1` ... what each NIC is on.

    The latter is the name of an L2Network, an ElasticIP or a Subnet, then perhaps an address; nothing for no such NIC.
    Under `eth0`, nothing means the default Subnet.
    """
    scene.apply_documents(_pods(scene, datatable))
    assert not scene.refusals, scene.refusal_text


@when("these Pods are created")
def pods_are_created(scene: Scene, datatable: list[list[str]]) -> None:
    """The same; a refusal is kept for the next steps."""
    scene.apply_documents(_pods(scene, datatable))


@given('<number:few> Pods "<name>" with <interface> on "<network:name>"')
def many_pods(scene: Scene, number: int, name: str, interface: str, network: str) -> None:
    """So many, with a number after the name, each with such a NIC beside eth0."""
    rows = [[f"{name}{place}", network] for place in range(1, number + 1)]
    these_pods(scene, [["name", interface], *rows])


@then("every Pod is Running")
def every_pod_is_running(scene: Scene) -> None:
    """All Pods of all namespaces are attached and run."""
    found = {str(pod.key): pod.status.phase for pod in scene.lab.list("Pod") if pod.status.phase != "Running"}
    assert not found, f"{found} {scene.lab.kubelets.why_not}"


def _pods(scene: Scene, datatable: list[list[str]]) -> list[object]:
    header, *rows = datatable
    return [_pod(scene, dict(zip(header, row, strict=True))) for row in rows]


def _pod(scene: Scene, row: dict[str, str]) -> dict[str, Any]:
    annotations: dict[str, str] = {}
    entries: list[dict[str, str]] = []
    for interface in (column for column in row if column.startswith("eth")):
        network, _, address = row[interface].partition(" ")
        if not network:
            continue
        field = _field_of(scene, network)
        if interface == "eth0" and field == "subnet" and not address:
            annotations[SUBNET] = network
            continue
        entry = {"interface": interface, field: network}
        entries.append(entry | ({"address": address} if address else {}))
    if entries:
        annotations[NETWORKS] = json.dumps(entries)
    document = _document(scene, "Pod", row["name"], {"nodeName": row["node"]} if row.get("node") else {})
    document["metadata"]["annotations"] = annotations
    return document


def _field_of(scene: Scene, network: str) -> str:
    """How an entry names it."""
    if scene.find("L2Network", network) is not None:
        return "l2Network"
    return "elasticIP" if scene.find("ElasticIP", network) is not None else "subnet"
