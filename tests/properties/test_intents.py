"""Intents and tables kept up to date bit by bit are those that a fresh start would compute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from juneau.engine.agent import Agent
from juneau.engine.delta import Delta
from juneau.engine.driver import Failure
from juneau.engine.fields import Mark
from juneau.engine.intentmap import IntentMap
from juneau.engine.intents import Intent, IntentKey
from juneau.engine.kind import Kind, Registry, Scope
from juneau.engine.objects import Object
from juneau.engine.world import Cache, Index, Reader, contribution
from juneau.resources.status import Status

NODES = ("one", "two")


@frozen
class Lamp(Intent):
    """An intent for one node, or for all."""

    place: int
    colour: str
    node: str | None = None

    @property
    def key(self) -> IntentKey:
        return ("lamp", self.place)

    @property
    def placed_on(self) -> str | None:
        return self.node


@frozen
class SwitchSpec:
    """Wants a lamp at a place, in the colour of a room, on a node."""

    place: Annotated[int, Mark("where")] = 0
    room: Annotated[str, Mark("which room")] = ""
    node: Annotated[str, Mark("on which node; empty: on all")] = ""
    rank: Annotated[int, Mark("who wins")] = 0


@frozen
class RoomSpec:
    """Has a colour, and a guest who tells it to others."""

    colour: Annotated[str, Mark("the colour")] = ""
    guest: Annotated[str, Mark("who else hears of it")] = ""


GUESTS: Index[str] = Index("guests")


def _lamps(switch: Any, world: Reader) -> Iterator[Intent]:
    room = world.get(ROOM, switch.spec.room)
    colours = [room.spec.colour] if room is not None else world.values(GUESTS, switch.spec.room)
    for colour in colours[:1]:
        spec = switch.spec
        yield Lamp(spec.place, colour, spec.node or None, rank=(spec.rank,))


ROOM = Kind(
    "Room", "rooms", RoomSpec, Status, Scope.CLUSTER, "A room.",
    indexes=(contribution(GUESTS, lambda room: [(room.spec.guest, room.spec.colour)]),),
)  # fmt: skip
SWITCH = Kind("Switch", "switches", SwitchSpec, Status, Scope.CLUSTER, "A switch.", intents=_lamps)

# Few names and places, so that events meet: rooms that switches ask about, places that several switches want.
rooms = st.sampled_from(["a", "b"])
names = st.sampled_from(["a", "b", "c"])
put_room = st.builds(lambda name, spec: ROOM.new(name, spec), rooms, st.builds(RoomSpec, st.sampled_from("xyz"), rooms))
put_switch = st.builds(
    lambda name, spec: SWITCH.new(name, spec),
    names,
    st.builds(SwitchSpec, st.integers(0, 1), rooms, st.sampled_from(["", "", *NODES]), st.integers(0, 2)),
)
events = st.lists(
    st.one_of(
        st.tuples(st.just("put"), put_room),
        st.tuples(st.just("put"), put_switch),
        st.tuples(st.just("put"), put_room | put_switch),
        st.tuples(st.just("drop"), st.builds(lambda name: ROOM.new(name, RoomSpec()), rooms)),
        st.tuples(st.just("drop"), st.builds(lambda name: SWITCH.new(name, SwitchSpec()), names)),
        st.tuples(st.sampled_from(["refresh", "flush", "resync"]), st.none()),
        st.tuples(st.sampled_from(["refresh", "flush"]), st.none()),
        st.tuples(st.just("drift"), st.integers(0, 1)),
    ),
    min_size=10,
    max_size=40,
)
many = settings(max_examples=settings.default.max_examples * 3)


class Board:
    """A driver that holds what it is told, but for places that it cannot reach."""

    def __init__(self, broken: frozenset[int] = frozenset()) -> None:
        self.lamps: dict[IntentKey, Intent] = {}
        self.broken = broken
        self.dead = False

    def read(self) -> Mapping[IntentKey, Intent]:
        return dict(self.lamps)

    def apply(self, delta: Delta) -> Sequence[Failure]:
        if self.dead:
            raise OSError("no buffer space available")
        failures: list[Failure] = []
        for intent in delta.remove:
            self.lamps.pop(intent.key, None)
        for intent in (*(new for _, new in delta.change), *delta.add):
            if intent.key[1] in self.broken:
                failures.append(Failure(intent, "out of reach"))
            else:
                self.lamps[intent.key] = intent
        return failures


class House:
    """A cache with its intents, and an agent per node."""

    def __init__(self, broken: frozenset[int] = frozenset()) -> None:
        registry = Registry()
        registry.add(ROOM)
        registry.add(SWITCH)
        self.cache, self.version = Cache(registry), 0
        self.intents = IntentMap(self.cache)
        self.boards = {node: Board(broken) for node in NODES}
        self.agents = {node: Agent(node, self.boards[node], self.intents) for node in NODES}
        self.heard: set[IntentKey] = set()
        self.intents.listen(self.heard.update)

    def happen(self, what: str, obj: Object[Any, Any] | int | None) -> None:
        if isinstance(obj, int):
            self.boards["one"].lamps.pop(("lamp", obj), None)
            self.agents["one"].resync()
        elif obj is not None:
            self.version += 1
            held = self.cache.get(obj.key)
            uid = held.metadata.uid if held is not None else str(self.version)
            new = obj.with_metadata(resource_version=str(self.version), uid=uid)
            changed = self.cache.put(new) if what == "put" else self.cache.drop(new)
            if changed:
                self.intents.invalidate(obj.key, changed)
        elif what == "refresh":
            self.intents.refresh()
        elif what == "flush":
            self.flush()
        else:
            self.agents["two"].resync()

    def flush(self) -> None:
        for agent in self.agents.values():
            agent.flush()

    def from_scratch(self) -> IntentMap:
        fresh = IntentMap(self.cache)
        for obj in self.cache:
            fresh.invalidate(obj.key, ())
        fresh.refresh()
        return fresh


@many
@given(events)
def test_intents_kept_up_to_date_are_those_computed_anew(happened: list[tuple[str, Any]]) -> None:
    """Whatever changed, in whatever order; and what has changed was told."""
    house = House()
    for what, obj in happened:
        before = {node: dict(house.intents.desired(node)) for node in NODES}
        house.heard.clear()
        house.happen(what, obj)
        for node in NODES:
            after = house.intents.desired(node)
            assert {key for key in {*before[node], *after} if before[node].get(key) != after.get(key)} <= house.heard
    house.intents.refresh()
    fresh = house.from_scratch()
    for node in NODES:
        assert house.intents.desired(node) == fresh.desired(node)
    assert {key: intent.rank for key, intent in house.intents.desired("one").items()} == {
        key: intent.rank for key, intent in fresh.desired("one").items()
    }


@many
@given(events)
def test_an_agent_that_flushes_what_changed_ends_where_a_full_comparison_does(happened: list[tuple[str, Any]]) -> None:
    """Nothing is missing and nothing is left over on any node, and another full comparison finds nothing to do."""
    house = House()
    for what, obj in happened:
        house.happen(what, obj)
    house.intents.refresh()
    house.flush()
    for node, agent in house.agents.items():
        assert house.boards[node].lamps == house.intents.desired(node)
        agent.resync()
        assert not agent.flush()


@many
@given(events, st.frozensets(st.integers(0, 2)))
def test_what_a_driver_refuses_is_told_and_tried_again(happened: list[tuple[str, Any]], broken: frozenset[int]) -> None:
    """Failures are exactly what is wanted and not there; once the driver can, the next flush makes them true."""
    house = House(broken)
    for what, obj in happened:
        house.happen(what, obj)
    house.intents.refresh()
    house.flush()
    for node, agent in house.agents.items():
        desired, board = house.intents.desired(node), house.boards[node]
        assert agent.status().keys() == {key for key in desired if board.lamps.get(key) != desired[key]}
        assert not agent.flush(), "a failure that stays is no movement"
        board.broken = frozenset()
        agent.flush()
        assert board.lamps == desired
        assert not agent.status()


def test_an_agent_whose_driver_died_compares_everything_again() -> None:
    """What a flush had begun when its driver raised is not forgotten."""
    house = House()
    house.happen("put", ROOM.new("a", RoomSpec("red")))
    house.intents.refresh()
    house.flush()
    house.happen("put", SWITCH.new("s", SwitchSpec(1, "a")))
    house.intents.refresh()
    board = house.boards["one"]
    board.dead = True
    with pytest.raises(OSError, match="buffer"):
        house.agents["one"].flush()
    board.dead = False
    house.agents["one"].flush()
    assert board.lamps == house.intents.desired("one")


def test_an_agent_that_left_is_told_nothing_more() -> None:
    """A Node that comes and goes leaves no listener behind."""
    house = House()
    house.agents["two"].close()
    assert len(house.intents._listeners) == 2
