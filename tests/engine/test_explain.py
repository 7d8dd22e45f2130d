"""Chains of waits, followed to their ends on a toy Kind that waits for others of its own."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from attrs import frozen

from juneau.engine.clock import VirtualClock
from juneau.engine.explain import MISSING, MOST_DEPTH, MOST_LINKS, Explanation, explain, render
from juneau.engine.kind import Controller, Kind, Registry, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Condition, Key, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Cache, Reader


@frozen
class DominoSpec:
    """`behind` names the Dominoes that have to stand before this one does."""

    behind: tuple[str, ...] = ()


@frozen
class DominoStatus:
    """As every Kind's."""

    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


Facts = tuple[Object[DominoSpec, DominoStatus], tuple[Key, ...]]


def _facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    keys = [Key("Domino", "", name) if "/" not in name else Key(*name.split("/")) for name in obj.spec.behind]
    known = {key: world.look(key) for key in keys}
    return obj, tuple(key for key, held in known.items() if held is None or held.spec.behind)


def _something_is_missing(facts: Facts) -> bool:
    return bool(facts[1])


def _waits(facts: Facts) -> Iterable[Wait]:
    return tuple(Wait(key, "status.phase", f"{key.name} must stand") for key in facts[1])


MACHINE = PhaseMachine[Facts](
    (
        Row(_something_is_missing, Phase.PENDING, "Waiting", lambda facts: f"waits for {len(facts[1])}", _waits),
        Row(None, Phase.READY, "Stands"),
    )
)


def _outcome(facts: Facts, verdict: Verdict) -> Outcome:
    return Outcome(verdict, facts[0].status)


DOMINO: Kind[DominoSpec, DominoStatus] = Kind(
    "Domino", "dominoes", DominoSpec, DominoStatus, Scope.CLUSTER, "", controller=Controller(_facts, MACHINE, _outcome)
)
STONE: Kind[DominoSpec, DominoStatus] = Kind("Stone", "stones", DominoSpec, DominoStatus, Scope.CLUSTER, "")


class Table:
    """Dominoes in a cache, with the condition Ready as of time 100."""

    def __init__(self) -> None:
        registry = Registry()
        registry.add(DOMINO)
        registry.add(STONE)
        self.cache = Cache(registry)
        self.clock = VirtualClock(130.0)

    def put(self, name: str, *behind: str, kind: Kind[DominoSpec, DominoStatus] = DOMINO) -> None:
        status = DominoStatus(conditions=(Condition("Ready", "False", "Waiting", last_transition_time=Time(100.0)),))
        self.cache.put(Object(kind.name, kind.new(name, DominoSpec()).metadata, DominoSpec(behind), status))

    def explain(self, name: str, kind: str = "Domino") -> Explanation:
        return explain(self.cache, Key(kind, "", name), self.clock.now())

    def text(self, name: str) -> list[str]:
        return render(self.explain(name), self.clock.now()).splitlines()


@pytest.fixture
def table() -> Table:
    return Table()


def test_what_is_ready_waits_for_nothing(table: Table) -> None:
    """An object without waits is a tree of one."""
    table.put("a")
    found = table.explain("a")
    assert found.is_ready
    assert (found.links, list(found.ends())) == ((), [])


def test_the_chain_is_followed_to_its_end(table: Table) -> None:
    """Each object tells why and since when; the last one does not exist."""
    table.put("a", "b")
    table.put("b", "c")
    assert table.text("a") == [
        "Domino a is Pending (Waiting) for 30s",
        "|   waits for 1",
        "`-- waits for status.phase of Domino b, which is Pending (Waiting) for 30s",
        "    |   b must stand",
        "    |   waits for 1",
        "    `-- waits for status.phase of Domino c, which does not exist",
        "            c must stand",
    ]
    assert [end.key.name for end in table.explain("a").ends()] == ["c"]


def test_waits_begin_with_the_condition_ready(table: Table) -> None:
    """A wait without a time of its own counts from the object's last transition."""
    table.put("a", "b")
    assert table.explain("a").links[0].wait.since == 100.0


def test_several_waits_are_branches(table: Table) -> None:
    """All of them are followed, in their order."""
    table.put("a", "b", "c")
    assert [line for line in table.text("a") if "--" in line] == [
        "|-- waits for status.phase of Domino b, which does not exist",
        "`-- waits for status.phase of Domino c, which does not exist",
    ]


def test_a_circle_ends_where_it_closes(table: Table) -> None:
    """Objects that wait for each other are told once each."""
    table.put("a", "b")
    table.put("b", "a")
    assert table.text("a")[-1] == "    `-- waits for status.phase of Domino a, which stands above: a must stand"


def test_an_object_may_wait_for_itself(table: Table) -> None:
    """A field of its own that somebody else has to fill in."""
    table.put("a", "a")
    assert table.text("a")[-1] == "`-- waits for status.phase of itself: a must stand"


def test_the_world_of_now_counts_and_not_the_stored_status(table: Table) -> None:
    """The step is taken anew: what has come meanwhile is not waited for."""
    table.put("a", "b")
    table.put("b")
    assert table.explain("a").is_ready


def test_what_does_not_exist_is_said_to_be_missing(table: Table) -> None:
    """Also objects of Kinds that nobody knows."""
    assert table.explain("a").state == MISSING
    unknown = table.explain("a", "Ghost")
    assert (unknown.state, unknown.message) == (MISSING, "this version of Juneau does not know Ghosts")


def test_makers_tell_what_an_object_that_does_not_exist_waits_for(table: Table) -> None:
    """The chain goes on through it."""
    table.put("a", "b")
    table.put("factory", "steel")

    def makers(key: Key) -> Iterable[Wait]:
        if key.name == "b":
            yield Wait(Key("Domino", "", "factory"), "metadata", "it makes them")

    found = explain(table.cache, Key("Domino", "", "a"), table.clock.now(), makers)
    assert [end.key.name for end in found.ends()] == ["steel"]
    assert "    `-- waits for Domino factory, which is Pending (Waiting) for 30s\n" in render(found, table.clock.now())


def test_kinds_without_phases_are_taken_for_done(table: Table) -> None:
    """There is nothing that such an object could wait for."""
    table.put("s", kind=STONE)
    assert table.explain("s", "Stone").is_ready


def test_a_long_chain_is_cut(table: Table) -> None:
    """A tree has a depth that a person can read and a stack can bear."""
    for number in range(MOST_DEPTH * 3):
        table.put(f"d{number}", f"d{number + 1}")
    found, depth = table.explain("d0"), 1
    while found.links and found.links[0].target is not None:
        found, depth = found.links[0].target, depth + 1
    assert depth == MOST_DEPTH


def test_many_waits_are_counted_and_not_all_followed(table: Table) -> None:
    """Beyond a screenful only their number is told."""
    table.put("a", *(f"d{number}" for number in range(MOST_LINKS + 5)))
    assert len(table.explain("a").links) == MOST_LINKS
    assert table.text("a")[-1] == "`-- and 5 more"
