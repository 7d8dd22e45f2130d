"""Who may answer for an address from outside: it is granted to one Node at a time, and passes on when that is safe.

A grant has a number, the term.
The Node that has it says in `status.answer` what came of it; it passes on when that Node says that it has withdrawn, or
when its agent has been silent for as long as a Lease lasts.
By then that Node's dataplane takes itself for out of contact and yields to whoever announces the address.

What makes the second case safe:
- it is taken away unasked only when the Lease has not changed for its whole time, by the clock of who takes it, and
  still has not when it is read from the server once more;
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


class AnswerState(StrEnum):
    """What a Node has made of its grant."""

    ANNOUNCED = "Announced"
    REFUSED = "Refused"
    WITHDRAWN = "Withdrawn"


@frozen
class Answer:
    """What the Node that has a grant says of it; its agent writes this and nothing else."""

    node_name: Annotated[str, Mark("Node that says so")]
    term: Annotated[int, Mark("the grant that it speaks of")]
    state: Annotated[str, Mark("what came of it", choices=tuple(state.value for state in AnswerState))]
    reason: Annotated[str, Mark("why it was refused, in one word")] = ""
    message: Annotated[str, Mark("why it was refused, or who else announces the address")] = ""
    conflict: Annotated[str, Mark("MAC of somebody else who announces the address")] = ""


@frozen
class Grant:
    """Which Node an address is granted to; the controller writes this and nothing else."""

    node_name: Annotated[str, Mark("Node that may answer, and may do so still; empty: none")] = ""
    term: Annotated[int, Mark("number of the grant, one more each time")] = 0
    since: Annotated[Time | None, Mark("when it was granted")] = None
    unheard: Annotated[Time | None, Mark("since when the Node has been waited for without a sign of life")] = None
    lease: Annotated[str, Mark("resourceVersion of the Node's Lease at that time; empty: there was none")] = ""


NOBODY = Grant()
LONGEST_SKEW = 60.0  # seconds between the clocks of two machines of one cluster


@frozen
class Standing:
    """How a hand-over stands: the grant as it should be, and while the old Node is waited for, until when at most."""

    grant: Grant
    until: Time | None = None
    writes: tuple[Write, ...] = ()


def hand_over(grant: Grant, answer: Answer | None, wanted: str, world: Reader, now: Time) -> Standing:
    """Where the grant goes when `wanted` should have it; empty: nobody.

    A Node that has withdrawn gets it back under a new number: what it said of the old one stays true.
    """
    if not grant.node_name or has_withdrawn(grant, answer):
        return Standing(_passed_on(grant, wanted, now) if grant.node_name or wanted else grant)
    if grant.node_name == wanted:
        return Standing(evolve(grant, unheard=None, lease=""))
    key = lease_key(grant.node_name)
    held = world.get(lease.KIND, key.name, key.namespace)
    version = held.metadata.resource_version if held is not None else ""
    if grant.unheard is None or grant.lease != version:
        grant = evolve(grant, unheard=now, lease=version)
    until = _runs_out(held, grant.unheard or now, world.settings.node_lease_seconds)
    if now < until:
        return Standing(grant, until)
    sure: Write = Unchanged(held) if held is not None else Absent(key)
    return Standing(_passed_on(grant, wanted, now), writes=(sure,))


def has_withdrawn(grant: Grant, answer: Answer | None) -> bool:
    """Whether the Node has said that it does not answer any more under this grant, which it then never does again."""
    return (
        answer is not None
        and answer.state == AnswerState.WITHDRAWN
        and (answer.node_name, answer.term) == (grant.node_name, grant.term)
    )


def _passed_on(grant: Grant, wanted: str, now: Time) -> Grant:
    return Grant(wanted, grant.term + 1, now) if wanted else Grant(term=grant.term)


def _runs_out(held: Lease | None, unheard: Time, lasts: float) -> Time:
    """When the Node counts as lost: a Lease's time after it was last seen to change, by the clock of who looks.

    Where the Lease says that it ended long ago, the Node's clock is believed: no two are so far apart.
    """
    if held is None:
        return Time(unheard + lasts)
    # Its agent may have been started with another flag than the controller, and has stamped its dataplane by that.
    lasts = max(lasts, held.spec.lease_duration_seconds)
    return Time(min(unheard, (held.spec.renew_time or unheard) + LONGEST_SKEW) + lasts)
