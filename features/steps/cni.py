"""What a runtime asks of a Node for a Pod: sandboxes that end, and that are made anew."""

from __future__ import annotations

from typing import cast

import yaml
from attrs import evolve

from juneau.engine.convert import decode
from juneau.engine.errors import CNIError
from juneau.engine.objects import Key
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.lab.immediate import run
from juneau.lab.kubelet import Sandbox
from juneau.resources.podspec import Pod


def _pod(scene: Scene, name: str) -> Pod:
    pod: Pod = scene.get("Pod", name)
    return pod


def _sandbox(scene: Scene, name: str) -> tuple[Key, Sandbox]:
    key = scene.key("Pod", name)
    sandbox = scene.lab.kubelets.sandboxes.get(key)
    assert sandbox is not None, f"{key} has no sandbox: {scene.why_not(name)}"
    return key, sandbox


def _end(scene: Scene, name: str, phase: str) -> None:
    scene.begin()
    pod = _pod(scene, name)
    run(scene.lab.store.update_status(evolve(pod, status=evolve(pod.status, phase=phase))))
    scene.settle()


@when('Pod "<name>" succeeds')
def succeeds(scene: Scene, name: str) -> None:
    """Its containers have done their work, and the kubelet says so."""
    _end(scene, name, "Succeeded")


@when('Pod "<name>" fails')
def fails(scene: Scene, name: str) -> None:
    """Its containers have ended with an error, and the kubelet says so."""
    _end(scene, name, "Failed")


@given('the sandbox of Pod "<name>" is made anew')
def is_made_anew(scene: Scene, name: str) -> None:
    """The runtime asks for the same Pod's NICs under another container ID, before it takes down the old ones."""
    scene.begin()
    key, old = _sandbox(scene, name)
    scene.noted[f"old sandbox of {name}"] = old
    new = evolve(old, container_id=f"{old.container_id}0")
    scene.lab.kubelets.sandboxes[key] = new
    run(scene.lab.kubelets.cni[new.node].add(key, new.uid, new.container_id))
    scene.settle()


@when('the sandbox of Pod "<name>" is made anew while the status of NetworkInterface "<nic:name>" has')
def is_made_anew_with(scene: Scene, name: str, nic: str, docstring: str) -> None:
    """The same, with these fields in the status of a NIC at that moment, as YAML; its controller has no say in it."""
    document = scene.document("NetworkInterface", nic)
    document["status"] |= yaml.safe_load(docstring)
    run(scene.lab.store.update_status(decode(scene.lab.registry, document, with_status=True)))
    is_made_anew(scene, name)


@when('the old sandbox of Pod "<name>" is taken down')
def old_one_is_taken_down(scene: Scene, name: str) -> None:
    """The runtime comes late with the old container ID."""
    scene.begin()
    old = cast("Sandbox", scene.noted[f"old sandbox of {name}"])
    run(scene.lab.kubelets.cni[old.node].remove(scene.key("Pod", name), old.uid, old.container_id))
    scene.settle()


@when('the sandbox of Pod "<name>" is taken down <times:few> times')
def is_taken_down(scene: Scene, name: str, times: int) -> None:
    """The runtime asks for that so often, since it cannot know whether it was heard."""
    scene.begin()
    key, sandbox = _sandbox(scene, name)
    for _ in range(times):
        run(scene.lab.kubelets.cni[sandbox.node].remove(key, sandbox.uid, sandbox.container_id))
    scene.settle()


@then('attaching Pod "<name>" on <node> fails with <code:reason> and "<text>"')
def attaching_fails(scene: Scene, name: str, node: str, code: str, text: str) -> None:
    """The CNI refuses ADD with this code, for this reason."""
    pod = _pod(scene, name)
    try:
        run(scene.lab.kubelets.cni[node].add(pod.key, pod.metadata.uid, "0123456789ab"))
    except CNIError as error:
        assert error.code == code, f"{error.code}: {error.message}"
        assert text in error.message, error.message
    else:
        raise AssertionError("it was attached")


@then('Node "<node>" has no link of Pod "<name>"')
def has_no_link(scene: Scene, node: str, name: str) -> None:
    """Nothing of the Pod's sandbox is left there."""
    key = scene.key("Pod", name)
    try:
        found = scene.lab.site.interfaces(node, f"{key.namespace}/{key.name}")
    except LookupError:
        return
    raise AssertionError(f"there is {', '.join(found)}")
