"""Who may answer for an address from outside: it is granted to one Node at a time, and passes on when that is safe.

A grant has a number, the term.
The Node that has it says in `status.answer` what came of it; it passes on when that Node says that it has withdrawn, or
when its agent has been silent for as long as a Lease lasts.
By then that Node's dataplane takes itself for out of contact and yields to whoever announces the address.

What makes the second case safe:
- before a grant is taken away unasked, the Lease is read from the server once more;
- an agent that was silent counts as in contact only once it has renewed its Lease, has read all grants after that, and
  has withdrawn what is wanted elsewhere: so it has seen why a grant was taken, or who takes it sees the new Lease.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from attrs import evolve, frozen

from juneau.engine.fields import Mark
from juneau.engine.objects import Time
from juneau.engine.outcome import Absent, Unchanged, Write
from juneau.engine.world import Reader
from juneau.resources import lease
from juneau.resources.lease import Lease, lease_key


class State(StrEnum):
    """What a Node has made of its grant."""

    ANNOUNCED = "Announced"
    REFUSED = "Refused"
    WITHDRAWN = "Withdrawn"


@frozen
class Answer:
    """What the Node that has a grant says of it; its agent writes this and nothing else."""

    node_name: Annotated[str, Mark("Node that says so")]
    term: Annotated[int, Mark("the grant that it speaks of")]
    state: Annotated[str, Mark("what came of it", choices=tuple(state.value for state in State))]
    reason: Annotated[str, Mark("why it was refused, in one word")] = ""
    message: Annotated[str, Mark("why it was refused, or who else announces the address")] = ""
    conflict: Annotated[str, Mark("MAC of somebody else who announces the address")] = ""


@frozen
class Grant:
    """Which Node an address is granted to; the controller writes this and nothing else."""

    node_name: Annotated[str, Mark("Node that may answer, and may do so still; empty: none")] = ""
    term: Annotated[int, Mark("number of the grant, one more each time")] = 0
    since: Annotated[Time | None, Mark("when it was granted")] = None
    unheard: Annotated[Time | None, Mark("since when the Node was found to have no Lease")] = None


NOBODY = Grant()


@frozen
class Standing:
    """How a hand-over stands: the grant as it should be, and while the old Node is waited for, until when at most."""

    grant: Grant
    waiting: bool = False
    until: Time | None = None
    writes: tuple[Write, ...] = ()


def stand(grant: Grant, answer: Answer | None, wanted: str, world: Reader, now: Time) -> Standing:
    """Where the grant goes when `wanted` should have it; empty: nobody."""
    if grant.node_name == wanted:
        return Standing(evolve(grant, unheard=None))
    if not grant.node_name or _has_withdrawn(grant, answer):
        return Standing(_passed_on(grant, wanted, now))
    key = lease_key(grant.node_name)
    held = world.get(lease.KIND, key.name, key.namespace)
    unheard = None if held is not None else grant.unheard or now
    until = _runs_out(grant, held, unheard, world.settings.node_lease_seconds)
    if now < until:
        return Standing(evolve(grant, unheard=unheard), True, until)
    sure: Write = Unchanged(held) if held is not None else Absent(key)
    return Standing(_passed_on(grant, wanted, now), writes=(sure,))


def _has_withdrawn(grant: Grant, answer: Answer | None) -> bool:
    return (
        answer is not None
        and answer.state == State.WITHDRAWN
        and (answer.node_name, answer.term) == (grant.node_name, grant.term)
    )


def _passed_on(grant: Grant, wanted: str, now: Time) -> Grant:
    return Grant(wanted, grant.term + 1, now) if wanted else Grant(term=grant.term)


def _runs_out(grant: Grant, held: Lease | None, unheard: Time | None, lasts: float) -> Time:
    """When the Node counts as lost: so long after its last sign of life."""
    renewed = held.spec.renew_time if held is not None else unheard
    # Its agent may have been started with another flag than the controller, and has stamped its dataplane by that.
    lasts = max(lasts, held.spec.lease_duration_seconds if held is not None else 0)
    return Time(max(grant.since or 0.0, renewed or 0.0) + lasts)
