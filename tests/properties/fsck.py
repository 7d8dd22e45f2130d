"""Whether what claims, leases and pools say of each other fits, in a cluster at rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from juneau.engine.objects import AnyObject, Key
from juneau.resources.allocationclaim import CHOSEN, lease_name
from juneau.resources.allocationlease import LeasePhase


def faults(objects: Mapping[Key, AnyObject]) -> list[str]:
    """What does not fit: lost and doubled values, leases of nobody, claims without one."""
    return [*_doubled(objects), *_lost(objects), *_unfit(objects)]


def _of(objects: Mapping[Key, AnyObject], kind: str) -> Iterator[AnyObject]:
    return (obj for key, obj in objects.items() if key.kind == kind)


def _doubled(objects: Mapping[Key, AnyObject]) -> Iterator[str]:
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim in _of(objects, "AllocationClaim"):
        if claim.status.value is not None:
            holders[claim.spec.pool_refs[0].name, str(claim.status.value)].add(lease_name(claim))
    for lease in _of(objects, "AllocationLease"):
        holders[lease.spec.pool_ref.name, str(lease.spec.value)].add(lease.name)
    for (pool, value), names in holders.items():
        if len(names) > 1:
            yield f"{value} of {pool} is held by {sorted(names)}"


def _lost(objects: Mapping[Key, AnyObject]) -> Iterator[str]:
    for claim in _of(objects, "AllocationClaim"):
        if claim.status.value is None or CHOSEN in claim.metadata.annotations:
            continue  # without a lease of its own
        lease = objects.get(Key("AllocationLease", "", lease_name(claim)))
        if lease is None:
            yield f"claim {claim.name} has no lease"
        elif lease.spec.value != claim.status.value:
            yield f"claim {claim.name} has {claim.status.value}, its lease {lease.spec.value}"
    for lease in _of(objects, "AllocationLease"):
        alive = Key("AllocationClaim", "", lease.spec.claim_ref.name) in objects
        running = lease.status.phase in (LeasePhase.RELEASED, LeasePhase.RETAINED)
        if lease.spec.owner_deletion_timestamp is not None or not alive:
            if not running:
                yield f"lease {lease.name} is of nobody and does not run out"
        elif lease.status.phase != LeasePhase.ACTIVE:
            yield f"lease {lease.name} is {lease.status.phase} while its claim is there"
        if Key("AllocationPool", "", lease.spec.pool_ref.name) not in objects:
            yield f"lease {lease.name} is of a pool that is not there"


def _unfit(objects: Mapping[Key, AnyObject]) -> Iterator[str]:
    """What objects say they have against what their claims say."""
    for claim in _of(objects, "AllocationClaim"):
        ref = claim.spec.resource_ref
        owner = objects.get(ref.key)
        if owner is None:
            if not claim.deleting and claim.status.value is not None and claim.metadata.finalizers:
                yield f"claim {claim.name} is of {ref.key}, which is not there"
            continue
        has = _number_of(owner, claim.spec.attribute)
        value = claim.status.value
        if has and value is not None and str(value) != has:
            yield f"{ref.key} has {has}, its claim {value}"
    for endpoint in _of(objects, "NetworkEndpoint"):
        nic = objects.get(Key("NetworkInterface", endpoint.namespace, endpoint.name))
        if endpoint.spec.kind == "Pod" and nic is not None and nic.status.address != endpoint.spec.address:
            yield f"{endpoint.key} has {endpoint.spec.address}, its NIC {nic.status.address}"


_NUMBERS = {
    "status.vpcID": "vpc_id",
    "status.vni": "vni",
    "status.tableID": "table_id",
    "status.groupID": "group_id",
    "status.aclID": "acl_id",
}


def _number_of(owner: AnyObject, attribute: str) -> str:
    if attribute == "status.address" and owner.kind == "NetworkInterface":
        return str(owner.status.address).partition("/")[0]
    return str(getattr(owner.status, _NUMBERS.get(attribute, ""), 0) or "")
