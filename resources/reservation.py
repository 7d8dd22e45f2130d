"""How claims keep hold of their values: the marks that they leave, and those that share one reservation."""

from __future__ import annotations

from attrs import frozen

from juneau.engine.objects import Key
from juneau.engine.world import Index
from juneau.resources.allocationlease import AllocationLease

FINALIZER = "allocationclaim.juneau.loutres.me/lease"

# The value, as pool/number, that a claim is about to take without a lease: until it has it, this is what holds it.
CHOSEN = "juneau.loutres.me/chosen"


@frozen
class Sharer:
    """A claim that shares a reservation, with the pools it lists and the value it has so far."""

    name: str
    pools: tuple[str, ...]
    number: int | None
    pinned: int | None
    owner: Key

    def wants(self, lease: AllocationLease) -> bool:
        """Whether the value of a lease is one that it has, or would take."""
        wanted = self.number if self.number is not None else self.pinned
        return lease.spec.pool_ref.name in self.pools and wanted in (None, lease.spec.value.as_number)


# By explicit reuse key: the claims that share one reservation and are not being deleted.
SHARERS: Index[Sharer] = Index("reservation-sharers")
# By explicit reuse key: the objects that live by the reservation's value, also while their claims are made again.
RESERVED_BY: Index[Key] = Index("reservation-owners")
