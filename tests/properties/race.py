"""Two controllers that hand out numbers of the same small pools, and what must hold after every single write."""

from __future__ import annotations

from tests.properties.writers import Writer

from juneau.engine.clock import VirtualClock
from juneau.engine.errors import APIError
from juneau.engine.kind import Registry
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Event
from juneau.lab.immediate import run
from juneau.resources import allocationclaim, allocationlease, allocationpool, namespace
from juneau.resources.allocation import text_of
from juneau.resources.allocationclaim import AllocationClaimSpec
from juneau.resources.allocationlease import ObjectReference, PoolReference
from juneau.resources.allocationpool import AddressRange, AddressSpace, AllocationPoolSpec, NumberRange
from juneau.resources.namespace import NamespaceSpec

POOLS = {
    "small": AllocationPoolSpec(number=NumberRange(1, 3)),
    "large": AllocationPoolSpec(number=NumberRange(11, 16)),
    "addresses": AllocationPoolSpec(type="ip", ip=AddressSpace(ranges=(AddressRange("10.0.0.1", "10.0.0.2"),))),
}
CHOICES = (("small",), ("small",), ("large",), ("addresses",), ("small", "large"))
NAMES = tuple("abcdef")
KINDS = (namespace.KIND, allocationpool.KIND, allocationlease.KIND, allocationclaim.KIND)
OWNER = ObjectReference("v1", "Namespace", "owner")
LONG = 1000.0  # seconds; longer than any back-off and any lease here


class Race:
    """One store, two writers, and a user."""

    def __init__(self) -> None:
        self.clock = VirtualClock(1000.0)
        self.registry = Registry()
        for kind in KINDS:
            self.registry.add(kind)
        self.store = MemoryStore(self.registry, self.clock)
        run(self.store.create(namespace.KIND.new(OWNER.name, NamespaceSpec())))
        for name, spec in POOLS.items():
            run(self.store.create(allocationpool.KIND.new(name, spec)))
        self.writers = [Writer(self.store, self.registry, self.clock) for _ in range(2)]
        self.values: dict[Key, tuple[str, str, str]] = {}  # by claim: its UID, its value, its reuse key
        self.lost: set[str] = set()  # leases that were deleted by hand
        self.store.subscribe(self.check)

    def objects(self, kind: str) -> list[AnyObject]:
        return list(run(self.store.list(kind)).objects)

    def claim(
        self, name: str, pools: tuple[str, ...], pinned: int = 0, reuse_key: str = "", release_after: str = ""
    ) -> None:
        """A user's wish; one that is there already stays as it is."""
        address = f"10.0.0.{pinned}" if pinned and "addresses" in pools else ""
        spec = AllocationClaimSpec(
            tuple(map(PoolReference, pools)),
            OWNER,
            "status.number",
            requested_number=pinned if pinned and not address else None,
            requested_ip=address,
            release_after=release_after,
            reuse_key=reuse_key,
        )
        try:
            run(self.store.create(allocationclaim.KIND.new(name, spec)))
        except APIError:
            return

    def delete(self, name: str) -> None:
        """A claim's deletion begins."""
        try:
            run(self.store.delete(Key("AllocationClaim", "", name)))
        except APIError:
            return

    def lose(self, name: str) -> None:
        """Somebody deletes a lease by hand; whoever comes first makes one of that name."""
        self.lost.add(name)
        try:
            run(self.store.delete(Key("AllocationLease", "", name)))
        except APIError:
            return

    def exclude(self, address: str) -> None:
        """The user takes this address, or none, out of the pool of addresses."""
        pool = run(self.store.get(Key("AllocationPool", "", "addresses")))
        excluded = (address,) if address else ()
        space = AddressSpace(ranges=pool.spec.ip.ranges, excluded=excluded)
        run(self.store.update(pool.with_spec(ip=space)))

    def check(self, event: Event) -> None:
        """No two claims have one value, unless they share a reservation; a value never changes."""
        if event.obj.kind != "AllocationClaim":
            return
        claim = event.obj
        before = self.values.pop(claim.key, None)
        value = claim.status.value
        if event.type == "DELETED" or value is None:
            assert before is None or event.type == "DELETED", f"{claim.name} lost {before}"
            return
        mine = (claim.metadata.uid, str(value), claim.spec.reuse_key)
        assert before is None or before == mine, f"{claim.name} had {before} and has {mine}"
        for key, (_, other, reuse_key) in self.values.items():
            shared = reuse_key and reuse_key == claim.spec.reuse_key
            assert other != str(value) or shared, f"{claim.name} and {key.name} both have {value}"
        self.values[claim.key] = mine

    def finish(self) -> None:
        """Let everything happen that will, for a long time; then nothing is lost, and nobody waits in vain."""
        end = self.clock.time + LONG
        for writer in self.writers:
            writer.rest()
        while (due := self.clock.next_due()) is not None and due <= end:
            self.clock.run_until(due)
            for writer in self.writers:
                writer.rest()
        for writer in self.writers:
            writer.rest()
            stored = {obj.key: obj for kind in self.registry for obj in self.objects(kind.name)}
            assert {obj.key: obj for obj in writer.cache} == stored
        self.judge()

    def close(self) -> None:
        for writer in self.writers:
            writer.close()

    def judge(self) -> None:
        """At rest: each claim has its lease, each lease its claim, and who has no value cannot have one."""
        claims, leases = self.objects("AllocationClaim"), self.objects("AllocationLease")
        names = {claim.name for claim in claims}
        for lease in leases:
            assert lease.spec.claim_ref.name in names, f"the lease {lease.name} of nobody is still there"
        by_name = {lease.name: lease for lease in leases}
        taken = {str(lease.spec.value) for lease in leases} | {value for _, value, _ in self.values.values()}
        for claim in claims:
            assert not claim.deleting
            lease = by_name.get(allocationclaim.lease_name(claim))
            if claim.status.value is not None:
                if allocationclaim.CHOSEN in claim.metadata.annotations:
                    continue  # when it took its value, the lease by its key was another claim's
                assert lease is not None, f"{claim.name} has no lease"
                same = lease.spec.value == claim.status.value
                assert same or lease.name in self.lost, f"{claim.name} has {claim.status.value}, {lease.spec}"
                continue
            if lease is None and not claim.spec.requested_ip and claim.spec.requested_number is None:
                free = {text for pool in claim.spec.pool_refs for text in self._texts(pool.name)} - taken
                assert not free, f"{claim.name} waits and {free} is free"

    def _texts(self, pool: str) -> set[str]:
        held = run(self.store.get(Key("AllocationPool", "", pool)))
        texts: set[str] = set()
        for first, last in allocationpool.candidates(held):
            for number in range(first, last + 1):
                if not allocationpool.is_excluded(held, number):
                    texts.add(text_of(held, number))
        return texts
