"""How an object that has an address from outside keeps the ARPAdvertisement that says which Node answers for it."""

from __future__ import annotations

from collections.abc import Iterator

from juneau.engine.objects import AnyObject
from juneau.engine.outcome import Create, Delete, Update, Write
from juneau.engine.world import Reader
from juneau.resources import arpadvertisement
from juneau.resources.arpadvertisementspec import ARPAdvertisementSpec
from juneau.resources.claiming import owner_reference


def arp_writes(
    world: Reader, name: str, network: str, address: str, node: str, owner: AnyObject | None = None
) -> Iterator[Write]:
    """What makes it say so; without an address or a Node nobody answers, and there should be none.

    It moves by `spec.nodeName` alone: a second one for the address would be refused.
    One that is being deleted is waited for, since its Node may still answer.
    """
    held = world.get_spec(arpadvertisement.KIND, name)
    if held is not None and held.deleting:
        return
    if not address or not node:
        if held is not None:
            yield Delete(held.key, held.metadata.uid)
    elif held is None:
        owners = (owner_reference(world, owner),) if owner is not None else ()
        spec = ARPAdvertisementSpec(network, address, node)
        yield Create(arpadvertisement.KIND.new(name, spec, owner_references=owners))
    elif (held.spec.external_network, held.spec.address) != (network, address):
        yield Delete(held.key, held.metadata.uid)
    elif held.spec.node_name != node:
        yield Update(held.with_spec(node_name=node))
