"""How an object gets an address of an ExternalNetwork: which pools are asked, by which claim, and how it keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Violation
from juneau.engine.machine import Wait
from juneau.engine.names import claim_name
from juneau.engine.objects import AnyObject, Key
from juneau.engine.outcome import Create, Delete, Write
from juneau.engine.world import Contribution, Reader
from juneau.resources import allocationclaim, externalnetwork
from juneau.resources.addresspool import ADDRESS_POOL, Mode, allocation_pool, named
from juneau.resources.allocationclaim import AllocationClaim
from juneau.resources.allocationlease import PoolReference, Value
from juneau.resources.allocationpool import holding
from juneau.resources.claimaudit import sharing_findings
from juneau.resources.claiming import Claimed, claim_for, claimed_findings, owner_reference
from juneau.resources.externalnetwork import EXTERNAL_NETWORK, ExternalNetwork
from juneau.resources.poolentries import pools_with

MISSING_DEPENDENCY = "MissingDependency"
INVALID_ADDRESS_POOL = "InvalidAddressPool"


@frozen
class Source:
    """Where an address can come from: the AddressPools of a network, in its order.

    `reason` is empty where all is well, otherwise it says why nothing can be handed out, and `waits` on what.
    """

    network: ExternalNetwork | None
    pools: tuple[str, ...] = ()
    reason: str = ""
    message: str = ""
    waits: tuple[Wait, ...] = ()

    @property
    def is_by_arp(self) -> bool:
        """Whether Nodes answer ARP for addresses of it."""
        return self.network is not None and self.network.spec.type == Mode.ARP


def source_of(world: Reader, name: str) -> Source:
    """The source that an ExternalNetwork is; all its pools have to be there, and of its mode."""
    if not name:
        return Source(None, (), MISSING_DEPENDENCY, "spec.externalNetwork is empty; name an ExternalNetwork")
    network = world.get_spec(externalnetwork.KIND, name)
    if network is None:
        return _lacking(None, (), Key(EXTERNAL_NETWORK, "", name))
    pools, wanted = network.spec.address_pools, network.spec.type
    if not pools:
        why = f"ExternalNetwork {name} has no AddressPool"
        return Source(network, (), MISSING_DEPENDENCY, why, (Wait(network.key, "spec.addressPools", why),))
    missing, unfit = named(pools, wanted, world)
    if missing:
        return _lacking(network, pools, Key(ADDRESS_POOL, "", missing[0]))
    if unfit:
        key = Key(ADDRESS_POOL, "", unfit[0])
        why = f"AddressPool {key.name} is not of mode {wanted}, as ExternalNetwork {name} is"
        return Source(network, pools, INVALID_ADDRESS_POOL, why, (Wait(key, "spec.advertiseMode", why),))
    return Source(network, pools)


def _lacking(network: ExternalNetwork | None, pools: tuple[str, ...], key: Key) -> Source:
    why = f"{key.kind} {key.name} does not exist"
    return Source(network, pools, MISSING_DEPENDENCY, why, (Wait(key, "metadata", "does not exist"),))


@frozen
class ClaimedAddress(Claimed):
    """A claim for an address; one that has none and asks for something else than is wanted by now is made anew."""

    @property
    def writes(self) -> tuple[Write, ...]:
        claim, wanted = self.claim, self.wanted
        if wanted is None:
            return ()
        if claim is None:
            return (Create(wanted),)
        if claim.status.value is None and not claim.deleting and _asks(claim) != _asks(wanted):
            return (Delete(claim.key, claim.metadata.uid, claim.metadata.resource_version),)
        return ()


def _asks(claim: AllocationClaim) -> tuple[tuple[PoolReference, ...], str]:
    """What of a claim follows the network: the pools that it may have got since, and the address asked for."""
    return (claim.spec.pool_refs, claim.spec.requested_ip)


def claimed_address(
    world: Reader, owner: AnyObject, source: Source, attribute: str, held: str, requested: str = "", name: str = ""
) -> Claimed:
    """The claim of an object for an address of a network, over all its pools in their order.

    `held` is what the object has: it stays, also when its claim was deleted and is made again.
    Only the claim of a cluster-scoped owner goes by itself; another owner has to delete it.
    Without any pools nothing is claimed.
    `name` is what the claim is called, where that is not after the first pool.
    """
    kept = Value(ip=held)
    if not source.pools:
        return ClaimedAddress(world.get(allocationclaim.KIND, name) if name else None, held=kept)
    wanted = claim_for(world, owner, allocation_pool(source.pools[0]), attribute).with_spec(
        pool_refs=tuple(PoolReference(allocation_pool(pool)) for pool in source.pools),
        requested_ip=held or requested,
    )
    if not owner.namespace:
        wanted = wanted.with_metadata(owner_references=(owner_reference(world, owner),))
    if name:
        return ClaimedAddress(world.get(allocationclaim.KIND, name), wanted.with_metadata(name=name), kept)
    for pool in source.pools:
        # The order of a network's pools may change; the claim keeps the name of the one that was first.
        made = claim_name(allocation_pool(pool), owner.kind, owner.namespace, owner.name, attribute)
        claim = world.get(allocationclaim.KIND, made)
        if claim is not None:
            return ClaimedAddress(claim, wanted.with_metadata(name=made), kept)
    return ClaimedAddress(None, wanted, kept)


def pool_of_address(world: Reader, source: Source, ip: str) -> str:
    """The AddressPool that an address is from, empty where no pool of the network has it."""
    address = ipv4(ip)
    if address is None:
        return ""
    found = pools_with(world, address)
    return next((name for name in source.pools if name in found), "")


def address_findings(
    world: Reader, owner: AnyObject, source: Source, field: str, held: tuple[str, str], claimed: Claimed
) -> Iterator[Violation]:
    """What can be wrong with the (AddressPool, address) that an object has.

    Somebody else has the address, it is in no pool of the object's network, or the object's claim has another one.
    """
    pool, address = held
    yield from sharing_findings(owner.key, field, address, _slots(world, pool, address), world)
    if not address or source.reason:
        return
    if not pool_of_address(world, source, address):
        name = source.network.name if source.network is not None else ""
        why = f"lies in no AddressPool of ExternalNetwork {name}, so nobody outside reaches it"
        repair = f"add it to an AddressPool of ExternalNetwork {name}, or delete the object and create it anew"
        yield Violation(field, why, value=address, audit_only=True, repair=repair)
    if claimed.claim is not None:
        yield from claimed_findings(world, claimed.claim.name, field, address)


def _slots(world: Reader, pool: str, ip: str) -> Iterator[tuple[str, int]]:
    """What an address may be filed under: the pool that it was from, and those that have it today."""
    address = ipv4(ip)
    if address is not None:
        for name in {pool, *pools_with(world, address)} - {""}:
            yield (allocation_pool(name), int(address))


def address_contributions(held: Callable[[Any], tuple[str, str]]) -> tuple[Contribution, ...]:
    """What a Kind with an address of an AddressPool puts into the indexes: nobody else gets what an object has.

    `held` is (AddressPool, address), both empty where it has none.
    """

    def values(owner: Any) -> Iterator[tuple[str, int]]:
        pool, ip = held(owner)
        address = ipv4(ip)
        if pool and address is not None:
            yield (allocation_pool(pool), int(address))

    return holding(values, lambda owner: owner.key)
