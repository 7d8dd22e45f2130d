"""Who makes an object that does not exist, for explanations that go on where the object itself cannot be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from juneau.engine.machine import Wait
from juneau.engine.objects import Key
from juneau.engine.outcome import Note
from juneau.engine.world import Cache
from juneau.resources import addresspool, allocationpool, networkendpoint, networkinterface, node, pod
from juneau.resources.addresspool import allocation_pool
from juneau.resources.nicspec import NetworkInterface


def makers(cache: Cache, refusals: Mapping[Key, Note] = {}) -> Callable[[Key], Iterator[Wait]]:
    """What objects that do not exist wait for, in that world; `refusals` are those of its kubelets, by Pod."""

    def of(key: Key) -> Iterator[Wait]:
        if key.kind == networkinterface.KIND.name:
            yield from _of_interface(cache, key)
        elif key.kind == networkendpoint.KIND.name:
            yield from _of_endpoint(cache, key, refusals)
        elif key.kind == allocationpool.KIND.name:
            yield from _of_pool(cache, key)

    return of


def _of_interface(cache: Cache, key: Key) -> Iterator[Wait]:
    owner = Key(pod.KIND.name, key.namespace, key.name.rpartition(".")[0])
    if owner.name:
        yield Wait(owner, "metadata", "it is made for its Pod, once every network of the Pod is usable")


def _of_pool(cache: Cache, key: Key) -> Iterator[Wait]:
    """Those of outside addresses are named after the AddressPool that they are made of, which may be missing itself."""
    prefix = allocation_pool("")
    found = [one for one in cache.objects[addresspool.KIND.name].values() if allocation_pool(one.name) == key.name]
    if found or key.name.startswith(prefix):
        name = found[0].name if found else key.name.removeprefix(prefix)
        yield Wait(Key(addresspool.KIND.name, "", name), "metadata", "it is made of that AddressPool")


def _of_endpoint(cache: Cache, key: Key, refusals: Mapping[Key, Note]) -> Iterator[Wait]:
    interface = Key(networkinterface.KIND.name, key.namespace, key.name)
    nic: NetworkInterface | None = cache.get(interface)
    if nic is None:
        yield Wait(interface, "metadata", "it is made when the interface is attached")
        return
    host = Key(node.KIND.name, "", nic.spec.node_name)
    if cache.get(host) is None:
        yield Wait(host, "metadata", "the Pod's Node attaches it")
        return
    refusal = refusals.get(Key(pod.KIND.name, key.namespace, nic.spec.pod_ref.name))
    if refusal is not None:
        yield Wait(host, "metadata", f"it cannot attach the Pod: {refusal.message}")
