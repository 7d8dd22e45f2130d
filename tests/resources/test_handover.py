"""To whom a grant passes, and when: `hand_over` as a table of what was granted, what was said to it, who was heard."""

from __future__ import annotations

import pytest
from attrs import evolve, frozen

from juneau.engine.objects import Time
from juneau.engine.outcome import Absent, Unchanged
from juneau.engine.settings import Settings
from juneau.engine.world import Cache, Reader
from juneau.resources import lease, registry
from juneau.resources.handover import LONGEST_SKEW, NOBODY, Answer, AnswerState, Grant, Standing, hand_over
from juneau.resources.lease import Lease, LeaseSpec, lease_key

LASTS = 20.0  # not the default, so that the setting is seen to count
SEEN = "7"  # resourceVersion of the Lease
GRANT = Grant("one", 4, Time(100.0))
WAITING = evolve(GRANT, unheard=Time(200.0), lease=SEEN)  # since that time, with the Lease as it was then
KEY = lease_key("one")


def the_lease(renewed: float | None = 199.0, lasts: float = LASTS, version: str = SEEN) -> Lease:
    """The Lease of Node one."""
    renew_time = Time(renewed) if renewed is not None else None
    made = lease.KIND.new(KEY.name, LeaseSpec("one", round(lasts), None, renew_time), KEY.namespace)
    return made.with_metadata(resource_version=version)


def reader(*leases: Lease) -> Reader:
    cache = Cache(registry(), Settings(node_lease=f"{LASTS:.0f}s"))
    for held in leases:
        cache.put(held)
    return Reader(cache)


def said(state: AnswerState, node: str = "one", term: int = 4) -> Answer:
    return Answer(node, term, state.value)


ANNOUNCED, WITHDRAWN = said(AnswerState.ANNOUNCED), said(AnswerState.WITHDRAWN)
HERE = reader(the_lease())


@frozen
class Case:
    """What is known when `wanted` should have the address, and whether it passes on at `now`."""

    passes: bool
    now: float
    answer: Answer | None = ANNOUNCED
    grant: Grant = WAITING
    wanted: str = "two"


CASES = {
    "a moment before its time is over": Case(False, 219.999),
    "when its time is over": Case(True, 220.0),
    "long after": Case(True, 9000.0),
    "never announced": Case(False, 219.0, answer=None),
    "never announced, its time is over": Case(True, 220.0, answer=None),
    "refused": Case(False, 219.0, answer=said(AnswerState.REFUSED)),
    "withdrawn": Case(True, 201.0, answer=WITHDRAWN),
    "withdrawn before anybody began to wait": Case(True, 201.0, answer=WITHDRAWN, grant=GRANT),
    "withdrawn of an earlier grant": Case(False, 219.0, answer=said(AnswerState.WITHDRAWN, term=3)),
    "withdrawn of a later grant": Case(False, 219.0, answer=said(AnswerState.WITHDRAWN, term=5)),
    "withdrawn by another Node": Case(False, 219.0, answer=said(AnswerState.WITHDRAWN, node="two")),
    "nobody else wants it": Case(False, 219.0, wanted=""),
    "nobody else wants it, its time is over": Case(True, 220.0, wanted=""),
    "nobody else wants it, withdrawn": Case(True, 201.0, answer=WITHDRAWN, wanted=""),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_grant_passes_on_when_its_node_has_withdrawn_or_its_lease_has_run_out(case: Case) -> None:
    """S0-41: until then the Node that has it may answer, so it keeps it; then the term counts up."""
    now = Time(case.now)
    found = hand_over(case.grant, case.answer, case.wanted, HERE, now)
    assert (found.until is None) is case.passes
    if not case.passes:
        assert found.grant == case.grant
    elif case.wanted:
        assert found.grant == Grant(case.wanted, 5, now)
    else:
        assert found.grant == Grant(term=4)


def test_the_wait_begins_when_the_node_is_first_waited_for() -> None:
    """By the clock of who waits, and with the Lease as it is then; the time of the next look is told."""
    found = hand_over(GRANT, None, "two", HERE, Time(200.0))
    assert found == Standing(WAITING, Time(220.0))
    assert hand_over(found.grant, None, "two", HERE, Time(210.0)) == found


@pytest.mark.parametrize("renewed", [150.0, 199.0, 205.0, 9000.0, None])
def test_a_lease_that_changes_begins_the_wait_anew(renewed: float | None) -> None:
    """That it changed is the sign of life, and not the time that it says: the Node's clock may be wrong."""
    world = reader(the_lease(renewed, version="8"))
    found = hand_over(WAITING, None, "two", world, Time(205.0))
    assert found == Standing(evolve(WAITING, unheard=Time(205.0), lease="8"), Time(225.0))


def test_a_lease_that_ended_long_ago_is_believed() -> None:
    """No two clocks are so far apart: who was lost yesterday need not be waited for once more."""
    ended = 1000.0 - LONGEST_SKEW - LASTS
    world = reader(the_lease(ended + 0.5))
    assert hand_over(GRANT, None, "two", world, Time(1000.0)).until == 1000.5
    world = reader(the_lease(ended))
    found = hand_over(GRANT, None, "two", world, Time(1000.0))
    assert (found.grant, found.until) == (Grant("two", 5, Time(1000.0)), None)


def test_who_has_withdrawn_is_not_looked_for() -> None:
    """Nothing is asked of the server then: what he says is in the very object that is written."""
    assert hand_over(WAITING, WITHDRAWN, "two", HERE, Time(201.0)) == Standing(Grant("two", 5, Time(201.0)))


def test_a_grant_is_taken_away_unasked_only_if_the_server_knows_of_no_later_renewal() -> None:
    """A cache may lag behind; so the Lease has to be as it was read."""
    found = hand_over(WAITING, None, "two", HERE, Time(220.0))
    assert found == Standing(Grant("two", 5, Time(220.0)), writes=(Unchanged(the_lease()),))


def test_a_node_without_a_lease_is_waited_for_as_long() -> None:
    """It may be about to make one, or somebody has deleted it; that there is none still is made sure of in the end."""
    nowhere = reader()
    first = hand_over(GRANT, None, "two", nowhere, Time(500.0))
    assert first == Standing(evolve(GRANT, unheard=Time(500.0)), Time(520.0))
    assert hand_over(first.grant, None, "two", nowhere, Time(519.0)) == first
    gone = hand_over(first.grant, None, "two", nowhere, Time(520.0))
    assert gone == Standing(Grant("two", 5, Time(520.0)), writes=(Absent(KEY),))


def test_a_lease_that_comes_or_goes_is_a_change_of_it() -> None:
    """Either way the wait begins anew."""
    without = evolve(GRANT, unheard=Time(200.0))
    come = hand_over(without, None, "two", HERE, Time(210.0))
    assert come == Standing(evolve(GRANT, unheard=Time(210.0), lease=SEEN), Time(230.0))
    gone = hand_over(WAITING, None, "two", reader(), Time(210.0))
    assert gone == Standing(evolve(GRANT, unheard=Time(210.0)), Time(230.0))


def test_who_should_have_it_and_has_it_keeps_it() -> None:
    """The term stays, however long the Node has been silent, and a wait that had begun is over."""
    for grant in (GRANT, WAITING):
        assert hand_over(grant, ANNOUNCED, "one", reader(), Time(9000.0)) == Standing(GRANT)
        assert hand_over(grant, None, "one", HERE, Time(9000.0)) == Standing(GRANT)


def test_who_has_withdrawn_and_should_have_it_after_all_gets_it_anew() -> None:
    """Under another number: what he said of the old one stays true, whoever reads it late."""
    assert hand_over(WAITING, WITHDRAWN, "one", HERE, Time(9.0)) == Standing(Grant("one", 5, Time(9.0)))


def test_what_nobody_has_is_granted_at_once() -> None:
    """Also for the first time, and under a new number after a time in which nobody had it."""
    assert hand_over(NOBODY, None, "two", reader(), Time(7.0)) == Standing(Grant("two", 1, Time(7.0)))
    assert hand_over(Grant(term=4), None, "two", reader(), Time(7.0)) == Standing(Grant("two", 5, Time(7.0)))


def test_what_nobody_has_and_nobody_wants_stays_as_it_is() -> None:
    """The number of the last grant is kept, so that no answer to it fits a later one."""
    for answer in (None, ANNOUNCED, WITHDRAWN):
        assert hand_over(Grant(term=4), answer, "", reader(), Time(7.0)) == Standing(Grant(term=4))


@pytest.mark.parametrize(("lasts", "until"), [(60.0, 260.0), (20.0, 220.0), (5.0, 220.0), (0.0, 220.0)])
def test_a_lease_lasts_as_long_as_its_holder_thinks_if_that_is_longer(lasts: float, until: float) -> None:
    """The flag of an agent may differ from the controller's: a Node may answer for as long as its own stamp says."""
    assert hand_over(WAITING, None, "two", reader(the_lease(lasts=lasts)), Time(201.0)).until == until
