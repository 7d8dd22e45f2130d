"""What is chosen for a claim, case by case, and the names that keep claims apart."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tests.resources.world import World

from juneau.engine.names import claim_name, is_dns_subdomain
from juneau.engine.world import Reader
from juneau.resources.allocation import Choice, Decision, Fault, Request, StaleLease, choose
from juneau.resources.allocationlease import AllocationLease
from juneau.resources.reservation import CHOSEN

OWNER = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Vpc", "name": "lab"}


@pytest.fixture
def pools(world: World) -> World:
    """A pool of three numbers and one of six addresses, and a lease of each by nobody alive."""
    world.create("AllocationPool", "rack", number={"min": 10, "max": 12})
    world.create("AllocationPool", "lan", type="ip", ip={"cidrs": ["192.0.2.0/29"]})
    world.create("AllocationLease", "a", poolRef={"name": "rack"}, value={"number": 11}, claimRef={"name": "a"},
                 ttlSeconds=60)  # fmt: skip
    return world


def claim(world: World, name: str, **spec: Any) -> None:
    world.create("AllocationClaim", name, poolRefs=[{"name": "rack"}], resourceRef=OWNER, attribute="f", **spec)


def lease(world: World, name: str = "a") -> AllocationLease:
    return world.get("AllocationLease", name)


def decide(world: World, request: Request) -> Decision:
    return choose(request, Reader(world.cache))


def of(*pools: str, sharers: tuple[str, ...] = ("a",), **more: Any) -> Request:
    return Request(pools, frozenset(sharers), **more)


def test_the_lowest_free_number_is_chosen(pools: World) -> None:
    """Without a lease and a wish it is the first that nobody has."""
    chosen = decide(pools, of("rack", sharers=("b",)))
    assert isinstance(chosen, Choice)
    assert (chosen.pool.name, chosen.number, chosen.from_lease) == ("rack", 10, False)


def test_a_lease_of_nobody_alive_is_taken_as_it_is(pools: World) -> None:
    """Its value comes before any lower one."""
    chosen = decide(pools, of("rack", lease=lease(pools)))
    assert isinstance(chosen, Choice)
    assert (chosen.number, chosen.from_lease) == (11, True)


def test_a_claim_that_cannot_take_what_it_chose_lets_go_of_it(pools: World) -> None:
    """A mark from before, of a value that it may not have by now, must not keep it from others."""
    claim(pools, "c", requestedNumber=99)
    held = pools.get("AllocationClaim", "c")
    marked = pools.write(held.with_metadata(annotations={CHOSEN: "rack/10"}))
    assert CHOSEN not in marked.metadata.annotations
    claim(pools, "d")
    assert pools.status("AllocationClaim", "d").value.number == 10


def test_a_claim_that_takes_by_a_lease_has_no_mark(pools: World) -> None:
    """The mark says that there is none."""
    spec = {"poolRefs": [{"name": "gone"}], "resourceRef": OWNER, "attribute": "f"}
    pools.create("AllocationClaim", "c", **spec)
    held = pools.get("AllocationClaim", "c")
    pools.write(held.with_metadata(annotations={CHOSEN: "gone/1"}))
    pools.create("AllocationPool", "gone", number={"min": 1, "max": 1})
    found = pools.get("AllocationClaim", "c")
    assert found.status.value.number == 1
    assert CHOSEN not in found.metadata.annotations
    assert pools.get("AllocationLease", "c").spec.value.number == 1


def test_a_lease_is_shared_among_its_sharers_only(pools: World) -> None:
    """Held by one of the reservation it gives its value; held by anybody else it is off limits, and another one is."""
    shared = decide(pools, of("rack", lease=lease(pools), holder="b", sharers=("a", "b")))
    assert isinstance(shared, Choice) and shared.from_lease
    foreign = decide(pools, of("rack", lease=lease(pools), holder="c", sharers=("a", "b")))
    assert isinstance(foreign, Choice)
    assert (foreign.number, foreign.from_lease) == (10, False)


def test_a_lease_of_another_pool_is_none(pools: World) -> None:
    """A claim whose key names a lease of a pool that it does not list takes a value as if there were none."""
    decision = decide(pools, of("lan", lease=lease(pools)))
    assert isinstance(decision, Choice)
    assert (decision.text, decision.from_lease) == ("192.0.2.1", False)


def test_a_lease_goes_stale_by_a_pin_but_not_under_others(pools: World) -> None:
    """Who asks for another value gives up the reservation, unless somebody else still lives by it."""
    alone = of("rack", lease=lease(pools), pinned=12)
    assert isinstance(decide(pools, alone), StaleLease)
    shared = evolve(alone, holder="b", sharers=frozenset({"a", "b"}))
    decision = decide(pools, shared)
    assert isinstance(decision, Fault)
    assert "11" in decision.message
    assert "12" in decision.message


def test_a_lease_outside_of_its_pool_is_stale(pools: World) -> None:
    """A pool can move on to other addresses while a lease waits."""
    pools.create("AllocationLease", "b", poolRef={"name": "lan"}, value={"ip": "198.51.100.1"}, claimRef={"name": "b"},
                 ttlSeconds=60)  # fmt: skip
    assert isinstance(decide(pools, of("lan", lease=lease(pools, "b"), sharers=("b",))), StaleLease)


def test_a_pinned_value_is_free_held_or_out_of_reach(pools: World) -> None:
    """Only a value that somebody has is worth waiting for."""
    free = decide(pools, of("rack", sharers=("b",), pinned=12))
    assert isinstance(free, Choice)
    assert free.number == 12
    held = decide(pools, of("rack", sharers=("b",), pinned=11))
    assert isinstance(held, Fault)
    assert (held.by_time, held.taken, held.pool) == (True, True, "rack")
    outside = decide(pools, of("rack", sharers=("b",), pinned=13))
    assert isinstance(outside, Fault)
    assert not outside.by_time
    missing = decide(pools, of("rack", "shelf", sharers=("b",), pinned=13))
    assert isinstance(missing, Fault)
    assert (missing.by_time, missing.taken, missing.pool) == (True, False, "shelf")


def test_a_full_pool_passes_on_to_the_next_and_a_missing_one_is_named(pools: World) -> None:
    """Pools are tried in order; what is waited for is the missing one, else the first."""
    claim(pools, "b")
    claim(pools, "c")
    assert isinstance(decide(pools, of("rack", "lan", sharers=("d",))), Choice)
    full = decide(pools, of("rack", sharers=("d",)))
    assert isinstance(full, Fault)
    assert (full.by_time, full.pool) == (True, "rack")
    missing = decide(pools, of("rack", "shelf", sharers=("d",)))
    assert isinstance(missing, Fault)
    assert (missing.by_time, missing.pool) == (True, "shelf")


@pytest.mark.parametrize(
    ("within", "address"),
    [
        (("192.0.2.4/30",), "192.0.2.4"),
        (("192.0.2.0/29",), "192.0.2.1"),
        (("192.0.2.0/24", "192.0.2.2/31"), "192.0.2.2"),
        (("not a prefix", "192.0.2.5/32"), "192.0.2.5"),
        ((), ""),
        (("198.51.100.0/24",), ""),
    ],
)
def test_a_filter_narrows_a_pool_of_addresses(pools: World, within: tuple[str, ...], address: str) -> None:
    """An entry counts only where it lies in a prefix of the pool; without any that does there is nothing to give."""
    chosen = decide(pools, of("lan", sharers=("b",), within=within))
    assert (chosen.text if isinstance(chosen, Choice) else "") == address


NAMES = st.from_regex(r"[a-z0-9]([-.]{0,2}[a-z0-9]){0,6}", fullmatch=True).filter(is_dns_subdomain)
OWNERS = st.tuples(NAMES, NAMES)


@given(OWNERS, OWNERS)
def test_no_two_owners_share_a_claim(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Names that differ in a dot, a dash or where the namespace ends still make different names."""
    first, second = (claim_name("lan", "NetworkInterface", *owner, "status.address") for owner in (one, other))
    assert (first == second) == (one == other)
    assert is_dns_subdomain(first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("default", "a.b"), ("default", "a-b")),
        (("default", "a--b"), ("default--a", "b")),
        (("default", "x" * 253), ("default", "x" * 252 + "y")),
    ],
)
def test_names_that_look_alike_are_told_apart(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Where cleaning, joining or cutting would make two owners one, a digest keeps them two."""
    first, second = (claim_name("lan", "NetworkInterface", *owner, "status.address") for owner in (one, other))
    assert first != second
    assert max(len(first), len(second)) <= 253
