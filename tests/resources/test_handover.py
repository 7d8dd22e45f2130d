"""To whom a grant passes, and when: `stand` as a table of what was granted, what was said to it and who was heard."""

from __future__ import annotations

import pytest
from attrs import evolve, frozen

from juneau.engine.objects import Time
from juneau.engine.outcome import Absent, Unchanged
from juneau.engine.settings import Settings
from juneau.engine.world import Cache, Reader
from juneau.resources import lease, registry
from juneau.resources.handover import NOBODY, Answer, Grant, Standing, State, stand
from juneau.resources.lease import Lease, LeaseSpec, lease_key

LASTS = 20.0  # not the default, so that the setting is seen to count
OLD_GRANT = Grant("one", 4, Time(100.0))
KEY = lease_key("one")


def the_lease(renewed: float | None, lasts: float = LASTS) -> Lease:
    """The Lease of Node one."""
    renew_time = Time(renewed) if renewed is not None else None
    return lease.KIND.new(KEY.name, LeaseSpec("one", round(lasts), None, renew_time), KEY.namespace)


def reader(*leases: Lease) -> Reader:
    cache = Cache(registry(), Settings(node_lease=f"{LASTS:.0f}s"))
    for number, held in enumerate(leases, start=1):
        cache.put(held.with_metadata(resource_version=str(number)))
    return Reader(cache)


def said(state: State, node: str = "one", term: int = 4) -> Answer:
    return Answer(node, term, state.value)


ANNOUNCED = said(State.ANNOUNCED)


@frozen
class Case:
    """What is known when `wanted` should have the address, and whether it passes on at `now`."""

    passes: bool
    now: float
    renewed: float | None = 200.0
    answer: Answer | None = ANNOUNCED
    grant: Grant = OLD_GRANT
    wanted: str = "two"


CASES = {
    "in contact": Case(False, 201.0),
    "a moment before the Lease runs out": Case(False, 219.999),
    "when the Lease runs out": Case(True, 220.0),
    "long after": Case(True, 9000.0),
    "never announced, in contact": Case(False, 201.0, answer=None),
    "refused, in contact": Case(False, 201.0, answer=said(State.REFUSED)),
    "never announced, silent": Case(True, 220.0, answer=None),
    "withdrawn, in contact": Case(True, 201.0, answer=said(State.WITHDRAWN)),
    "withdrawn of an earlier grant": Case(False, 201.0, answer=said(State.WITHDRAWN, term=3)),
    "withdrawn by another Node": Case(False, 201.0, answer=said(State.WITHDRAWN, node="two")),
    "granted after the last renewal": Case(False, 229.9, grant=Grant("one", 4, Time(210.0))),
    "granted after the last renewal, silent": Case(True, 230.0, grant=Grant("one", 4, Time(210.0))),
    "a Lease that was never renewed": Case(False, 119.9, None),
    "a Lease that was never renewed, silent": Case(True, 120.0, None),
    "nobody else wants it, in contact": Case(False, 201.0, wanted=""),
    "nobody else wants it, silent": Case(True, 220.0, wanted=""),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_grant_passes_on_when_its_node_has_withdrawn_or_its_lease_has_run_out(case: Case) -> None:
    """S0-41: until then the Node that has it may answer, so it keeps it; then the term counts up."""
    now = Time(case.now)
    found = stand(case.grant, case.answer, case.wanted, reader(the_lease(case.renewed)), now)
    assert found.waiting is not case.passes
    if not case.passes:
        assert found.grant == case.grant
    elif case.wanted:
        assert found.grant == Grant(case.wanted, case.grant.term + 1, now)
    else:
        assert found.grant == Grant(term=case.grant.term)


def test_who_is_waited_for_is_looked_at_when_his_time_is_over() -> None:
    """The end of the Lease is no event, so the time of the next look is told."""
    found = stand(OLD_GRANT, None, "two", reader(the_lease(200.0)), Time(201.0))
    assert found == Standing(OLD_GRANT, True, Time(220.0))


def test_who_has_withdrawn_is_not_looked_for() -> None:
    """Nothing is asked of the server then: what he says is in the very object that is written."""
    found = stand(OLD_GRANT, said(State.WITHDRAWN), "two", reader(the_lease(200.0)), Time(201.0))
    assert found == Standing(Grant("two", 5, Time(201.0)))


def test_a_grant_is_taken_away_unasked_only_if_the_server_knows_of_no_later_renewal() -> None:
    """A cache may lag behind; so the Lease has to be as it was read."""
    world = reader(the_lease(200.0))
    found = stand(OLD_GRANT, None, "two", world, Time(220.0))
    held = world.get(lease.KIND, KEY.name, KEY.namespace)
    assert held is not None
    assert found == Standing(Grant("two", 5, Time(220.0)), writes=(Unchanged(held),))


def test_a_node_without_a_lease_is_waited_for_from_when_that_was_found() -> None:
    """It may be about to make one, and an administrator may have deleted it; the silence is counted in the grant."""
    first = stand(OLD_GRANT, None, "two", reader(), Time(500.0))
    assert first == Standing(evolve(OLD_GRANT, unheard=Time(500.0)), True, Time(520.0))
    again = stand(first.grant, None, "two", reader(), Time(519.0))
    assert again == first
    assert stand(first.grant, None, "two", reader(), Time(520.0)) == Standing(
        Grant("two", 5, Time(520.0)), writes=(Absent(KEY),)
    )


def test_a_node_without_a_lease_keeps_for_as_long_what_it_was_granted_just_now() -> None:
    """The grant itself is a sign of life of the controller's, and may just be on its way."""
    grant = Grant("one", 4, Time(510.0), unheard=Time(500.0))
    assert stand(grant, None, "two", reader(), Time(520.0)).until == 530.0


def test_a_lease_that_comes_back_ends_that_count() -> None:
    """The next time it is gone is counted from then."""
    grant = evolve(OLD_GRANT, unheard=Time(500.0))
    assert stand(grant, None, "two", reader(the_lease(505.0)), Time(510.0)) == Standing(OLD_GRANT, True, Time(525.0))


def test_who_should_have_it_and_has_it_keeps_it() -> None:
    """The term stays, however long the Node has been silent, and a count that had begun is over."""
    grant = evolve(OLD_GRANT, unheard=Time(500.0))
    assert stand(grant, said(State.WITHDRAWN), "one", reader(), Time(9000.0)) == Standing(OLD_GRANT)


def test_what_nobody_has_is_granted_at_once() -> None:
    """Also for the first time, and under a new number after a time in which nobody had it."""
    assert stand(NOBODY, None, "two", reader(), Time(7.0)) == Standing(Grant("two", 1, Time(7.0)))
    assert stand(Grant(term=4), None, "two", reader(), Time(7.0)) == Standing(Grant("two", 5, Time(7.0)))


def test_what_nobody_has_and_nobody_wants_stays_as_it_is() -> None:
    """The number of the last grant is kept, so that no answer to it fits a later one."""
    assert stand(Grant(term=4), said(State.ANNOUNCED), "", reader(), Time(7.0)) == Standing(Grant(term=4))


@pytest.mark.parametrize(("lasts", "until"), [(60.0, 260.0), (20.0, 220.0), (5.0, 220.0), (0.0, 220.0)])
def test_a_lease_lasts_as_long_as_its_holder_thinks_if_that_is_longer(lasts: float, until: float) -> None:
    """The flag of an agent may differ from the controller's: a Node may answer for as long as its own stamp says."""
    assert stand(OLD_GRANT, None, "two", reader(the_lease(200.0, lasts)), Time(201.0)).until == until
