"""An outside for tests of Kinds: ExternalNetworks with their pools, and NICs that want an ElasticIP."""

from __future__ import annotations

import asyncio

from attrs import evolve
from tests.resources.world import World

from juneau.engine.objects import AnyObject
from juneau.resources.node import NodeAddress

BGP, ARP = "203.0.113.0/28", "10.225.51.200-10.225.51.203"
_TYPES = {"edge": ("bgp", BGP), "lan": ("arp", ARP)}


def network(world: World, name: str, addresses: str = "") -> None:
    """`edge` is one of type bgp, `lan` one of type arp; the pool is called after it."""
    mode, usual = _TYPES[name]
    world.create("AddressPool", f"{name}-pool", advertiseMode=mode, addresses=[addresses or usual])
    world.create("ExternalNetwork", name, type=mode, addressPools=[f"{name}-pool"])


def host(world: World, name: str, address: str) -> None:
    """A Node whose agent does nothing."""
    world.create("Node", name)
    held = world.get("Node", name)
    world.set_status(evolve(held, status=evolve(held.status, addresses=(NodeAddress("InternalIP", address),))))


def direct_nic(world: World, name: str, eip: str, node: str = "worker-1", **more: object) -> AnyObject:
    """A NIC of the Pod that its name says, made without that Pod."""
    pod, _, interface = name.rpartition("/")[2].rpartition(".")
    ref = {"name": pod, "uid": f"uid-of-{pod}", "interface": interface}
    return world.create("NetworkInterface", name, podRef=ref, nodeName=node, elasticIP=eip, **more)


def linger(world: World, kind: str, name: str) -> None:
    """Delete an object that somebody's finalizer holds."""
    held = world.get(kind, name)
    world.write(held.with_metadata(finalizers=(*held.metadata.finalizers, "example.com/hold")))
    world.delete(kind, name)


def let_go(world: World, kind: str, name: str) -> None:
    """The end of such a deletion."""
    held = world.get(kind, name)
    kept = tuple(one for one in held.metadata.finalizers if one != "example.com/hold")
    asyncio.run(world.store.update(held.with_metadata(finalizers=kept)))
    world.settle()
