"""How a Node attaches a Pod's NICs, what that leaves on it, and which of two NICs with one address answers."""

from __future__ import annotations

from ipaddress import IPv4Network

from juneau.features.grammar import then, when
from juneau.features.scene import Scene
from juneau.features.wire import Nic
from juneau.lab.immediate import run


def _place(scene: Scene, name: str) -> tuple[str, str]:
    key = scene.key("Pod", name)
    return scene.get("Pod", name).spec.node_name, f"{key.namespace}/{key.name}"


@when('the sandbox of Pod "<name>" is attached again')
def is_attached_again(scene: Scene, name: str) -> None:
    """The runtime asks once more, under the same container ID."""
    scene.begin()
    pod = scene.get("Pod", name)
    uid = pod.metadata.uid
    run(scene.lab.kubelets.cni[pod.spec.node_name].add(pod.key, uid, uid.replace("-", "")))
    scene.settle()


@then('the NICs of Pod "<name>" were made in the order <names>')
def were_made_in_order(scene: Scene, name: str, names: tuple[str, ...]) -> None:
    """As the numbers of their links tell; all NICs are named."""
    node, sandbox = _place(scene, name)
    site = scene.lab.site
    numbers = {nic: site.link_state(node, sandbox, nic).link.number for nic in site.interfaces(node, sandbox)}
    assert sorted(numbers, key=lambda nic: numbers[nic]) == list(names), numbers


@then('Node "<name>" has a route to "<cidr>"')
def node_has_route(scene: Scene, name: str, cidr: IPv4Network) -> None:
    """Its main table has one to just that prefix."""
    found = [route.dst for route in scene.lab.site.routes(name, name)]
    assert cidr in found, found


@then("it reached <nic> and not <other:nic>")
def reached_one(scene: Scene, nic: Nic, other: Nic) -> None:
    """Of what was sent last, something came in at the one and nothing at the other."""
    assert scene.wire.received(nic) and not scene.wire.received(other), str(scene.wire.trace)


@when('"status.addresses" is taken from Node "<name>"')
def loses_its_address(scene: Scene, name: str) -> None:
    """Whoever looks after Nodes says that it has none."""
    scene.begin()
    node = scene.get("Node", name)
    scene.noted[f"addresses of {name}"] = node.status.addresses
    run(scene.lab.store.update_status(node.with_status(addresses=())))
    scene.settle()


@when('Node "<name>" has its addresses again')
def has_its_addresses_again(scene: Scene, name: str) -> None:
    """Those that were taken from it."""
    scene.begin()
    node = scene.get("Node", name)
    run(scene.lab.store.update_status(node.with_status(addresses=scene.noted[f"addresses of {name}"])))
    scene.settle()
