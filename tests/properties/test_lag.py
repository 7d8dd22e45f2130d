"""What a controller does while it has not heard everything yet, and with what another one left when it died."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.properties.race import Race

from juneau.engine.objects import Key
from juneau.lab.immediate import run
from juneau.resources import allocationlease
from juneau.resources.allocationlease import AllocationLeaseSpec, ClaimReference, PoolReference, Value


@pytest.fixture
def race() -> Iterator[Race]:
    made = Race()
    for writer in made.writers:
        writer.rest()
    yield made
    made.close()


def test_a_lease_of_a_claim_that_was_not_heard_of_is_left_alone(race: Race) -> None:
    """The server is asked before a lease is given up because nobody holds it."""
    race.claim("a", ("small",))
    first, second = race.writers
    first.rest()
    second.hear("AllocationLease")
    for _ in range(40):
        second.go(0, 1)
    assert run(race.store.get(Key("AllocationLease", "", "a"))).spec.claim_ref.name == "a"
    race.finish()


def test_the_lease_of_one_who_lost_a_race_and_died_is_not_taken(race: Race) -> None:
    """ALLOC-C4: another claim has the value, so the lease is dropped and another value is chosen."""
    race.claim("a", ("small",))
    race.writers[0].rest()
    spec = AllocationLeaseSpec(PoolReference("small"), Value(1), ClaimReference("b", "gone"))
    run(race.store.create(allocationlease.KIND.new("b", spec)))
    race.claim("b", ("small",))
    race.finish()
    assert run(race.store.get(Key("AllocationClaim", "", "b"))).status.value == Value(2)
