"""A number goes with its owner: who comes after it under the same name gets one of its own."""

from __future__ import annotations

from attrs import evolve
from tests.properties.cluster import Cluster
from tests.properties.test_crash import SUBNET, VPC, tell

from juneau.engine.objects import Key, OwnerReference
from juneau.engine.world import Reader
from juneau.lab.immediate import run
from juneau.resources.claiming import VNI_POOL, claimed_number


def test_a_claim_of_an_earlier_owner_gives_no_number() -> None:
    """An API server collects late: the claim of the Subnet that was deleted is still there, and about to go."""
    cluster = Cluster.new()
    tell(cluster, (VPC, SUBNET))
    made = run(cluster.store.get(Key("Subnet", "", "s0")))
    claimed = claimed_number(Reader(cluster.cache), made, VNI_POOL, "status.vni", 0)
    assert claimed.number == made.status.vni
    again = evolve(made, metadata=evolve(made.metadata, uid="another"))
    late = claimed_number(Reader(cluster.cache), again, VNI_POOL, "status.vni", 0)
    assert late.number == 0
    assert late.writes == ()
    assert late.waits


def test_a_claim_that_has_no_owner_is_taken_over() -> None:
    """Such as one that an administrator wrote to ask for a certain number."""
    cluster = Cluster.new()
    tell(cluster, (VPC, SUBNET))
    made = run(cluster.store.get(Key("Subnet", "", "s0")))
    claim = claimed_number(Reader(cluster.cache), made, VNI_POOL, "status.vni", 0).claim
    assert claim is not None
    run(cluster.store.update(claim.with_metadata(owner_references=tuple[OwnerReference, ...]())))
    assert claimed_number(Reader(cluster.cache), made, VNI_POOL, "status.vni", 0).number == made.status.vni
