"""One Node answers for an address, always: whoever moves it, whoever is silent, cut off, dies or comes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.handover import CONTROLLER, LEASE, NODES, House

from juneau.engine.settings import NodeSettings

_KINDS = ("ARPAdvertisement", "Lease", "Node")
_NODE = st.sampled_from(NODES)
_TURNS = st.integers(1, 12)

Deed = Callable[[House], object]


def _deed(name: str, do: Deed) -> Deed:
    do.__name__ = do.__qualname__ = name
    return do


def _controller_goes(worker: int, turns: int) -> Deed:
    def go(house: House) -> None:
        for _ in range(turns):
            house.controller.go(worker, 1)
            house.ask()

    return _deed(f"controller.go({worker}, {turns})", go)


def _renews(name: str) -> Deed:
    return _deed(f"renew({name})", lambda house: setattr(house.agents[name], "has_to_renew", True))


def _cuts(name: str) -> Deed:
    def cut(house: House) -> None:
        house.agents[name].wire.up = not house.agents[name].wire.up

    return _deed(f"cut({name})", cut)


_DEEDS: st.SearchStrategy[Deed] = st.one_of(
    st.sampled_from((*NODES, "")).map(lambda name: _deed(f"advertise({name!r})", lambda house: house.advertise(name))),
    st.tuples(st.integers(0, 1), _TURNS).map(lambda found: _controller_goes(*found)),
    st.sampled_from(_KINDS).map(
        lambda kind: _deed(f"controller.hear({kind})", lambda house: house.controller.hear(kind))
    ),
    st.just(_deed("controller.crash()", lambda house: house.controller.crash())),
    st.tuples(_NODE, _TURNS).map(
        lambda found: _deed(f"{found[0]}.go({found[1]})", lambda house: house.agents[found[0]].go(found[1]))
    ),
    st.tuples(_NODE, st.sampled_from(_KINDS)).map(
        lambda found: _deed(f"{found[0]}.hear({found[1]})", lambda house: house.agents[found[0]].hear(found[1]))
    ),
    st.tuples(_NODE, st.sampled_from(_KINDS)).map(
        lambda found: _deed(f"{found[0]}.hear({found[1]}, 1)", lambda house: house.agents[found[0]].hear(found[1], 1))
    ),
    _NODE.map(_renews),
    _NODE.map(_cuts),
    _NODE.map(lambda name: _deed(f"restart({name})", lambda house: house.restart(name))),
    _NODE.map(lambda name: _deed(f"switch({name})", lambda house: house.switch(name))),
    st.sampled_from((0.5, 1.0, 4.0, 12.0, 13.0, 14.0, 15.0, 16.0)).map(
        lambda seconds: _deed(f"pass_time({seconds})", lambda house: house.pass_time(seconds))
    ),
    st.just(_deed("everybody goes", lambda house: _everybody_goes(house))),
    # What makes up the longer stories: who comes far, and who is left behind.
    st.lists(st.sampled_from((CONTROLLER, *NODES)), min_size=1, max_size=3, unique=True).map(
        lambda names: _deed(f"catch_up{tuple(names)}", lambda house: house.catch_up(*names))
    ),
    st.lists(_NODE, min_size=1, max_size=2, unique=True).map(
        lambda names: _deed(f"renew{tuple(names)}", lambda house: house.renew(*names))
    ),
)


def _everybody_goes(house: House) -> None:
    """A while in which nothing is in the way, so that runs get somewhere."""
    for _ in range(12):
        for kind in _KINDS:
            house.controller.hear(kind)
        for worker in (0, 1):
            house.controller.go(worker, 2)
        for agent in house.agents.values():
            for kind in _KINDS:
                agent.hear(kind)
            agent.go(2)
        house.ask()


def begin(node_settings: NodeSettings | None = None) -> House:
    """A house in which Node one answers."""
    house = House(node_settings)
    house.controller.rest()
    house.advertise("one")
    house.renew(*NODES)
    house.catch_up(CONTROLLER, *NODES)
    assert house.ask() == [house.mac("one")]
    return house


@given(st.lists(_DEEDS, max_size=40))
def test_at_no_instant_do_two_nodes_answer(deeds: list[Deed]) -> None:
    """S0-41: whatever happens in whatever order; and when all is well again, the Node that should answer does."""
    house = begin()
    try:
        for do in deeds:
            do(house)
            house.ask()
        house.rest()
        ad = house.ad()
        assert house.ask() == ([house.mac(ad.spec.node_name)] if ad is not None else [])
    finally:
        house.close()


@given(st.lists(st.sampled_from((1.0, 5.0, 14.0, 15.0, 60.0, 3600.0)), min_size=1, max_size=6), st.booleans())
@settings(max_examples=20)
def test_an_api_server_that_is_away_silences_nobody(times: list[float], agents_die: bool) -> None:
    """The Node that answered goes on, however long it lasts, also without its agent."""
    house = begin()
    try:
        for name, agent in house.agents.items():
            agent.wire.up = False
            if agents_die:
                house.restart(name)
        for seconds in times:
            house.pass_time(seconds)
            for agent in house.agents.values():
                agent.go(6)
            assert house.ask() == [house.mac("one")]
    finally:
        house.close()


def test_a_silent_node_keeps_the_address_for_as_long_as_its_lease_lasts() -> None:
    """Then it moves, and the Node that was silent has yielded it."""
    house = begin()
    house.agents["one"].wire.up = False
    house.advertise("two")
    for passed in (0.0, 12.0, 2.0, 0.9):
        house.pass_time(passed)
        house.advertise("three")  # another look, whatever it is at
        house.advertise("two")
        house.renew("two", "three")
        house.catch_up(CONTROLLER, "two", "three")
        assert house.ask() == [house.mac("one")]
    house.pass_time(0.1)
    house.catch_up(CONTROLLER, "two", "three")
    assert house.ask() == [house.mac("two")]
    house.close()


def test_while_both_are_in_contact_the_old_node_withdraws_first() -> None:
    """In between nobody answers; the new one is granted the address by what the old one says."""
    house = begin()
    house.advertise("two")
    house.catch_up("one")
    assert house.ask() == []
    house.catch_up(CONTROLLER, "two")
    assert house.ask() == [house.mac("two")]
    ad = house.ad()
    assert ad is not None
    assert (ad.status.grant.node_name, ad.status.grant.term, ad.status.answer.state) == ("two", 2, "Announced")
    house.close()


def test_an_address_is_free_only_when_nobody_can_answer_for_it_any_more() -> None:
    """ARPA-12: what is being deleted stays until its Node has withdrawn, or its Lease has run out."""
    house = begin()
    house.agents["one"].wire.up = False
    house.advertise("")
    house.catch_up(CONTROLLER)
    house.advertise("two")  # has to wait
    house.renew("two")
    house.catch_up(CONTROLLER, "two")
    assert house.ask() == [house.mac("one")]
    house.pass_time(LEASE)
    house.catch_up(CONTROLLER)
    assert house.ad() is None
    house.advertise("two")
    house.renew("two")
    house.catch_up(CONTROLLER, "two")
    assert house.ask() == [house.mac("two")]
    house.close()


def test_a_controller_that_lags_does_not_take_a_live_nodes_address() -> None:
    """It has not heard that the Lease was renewed, and asks the server before it acts."""
    house = begin()
    house.advertise("two")
    house.catch_up(CONTROLLER)  # who begins to count
    house.pass_time(12.0)
    house.agents["one"].has_to_renew = True
    house.agents["one"].go(40)
    house.pass_time(4.0)
    house.controller.hear("ARPAdvertisement")
    for worker in (0, 1):
        house.controller.go(worker, 60)
    house.renew("two")
    assert house.ask() == [house.mac("one")]
    house.close()


@pytest.mark.parametrize("turns", range(8))
def test_a_node_that_comes_back_while_its_address_is_taken(turns: int) -> None:
    """It comes back between any two calls of who takes the address: it keeps it, or has heard that it is gone."""
    house = begin()
    house.advertise("two")
    house.catch_up(CONTROLLER)  # who begins to count
    house.pass_time(LEASE)
    house.renew("two")
    house.controller.hear("ARPAdvertisement")
    house.controller.hear("Lease")
    _go(house, turns)
    house.agents["one"].has_to_renew = True
    house.agents["one"].go(40)
    _go(house, 60)
    house.catch_up("two")
    house.catch_up(CONTROLLER, "two")
    house.close()


@pytest.mark.parametrize("events", range(1, 5))
@pytest.mark.parametrize("turns", range(8))
def test_a_node_that_comes_back_and_hears_late_of_an_address_that_was_granted_and_taken(
    turns: int, events: int
) -> None:
    """Who comes into contact reads what was granted to it meanwhile, so that nobody takes it away unasked."""
    house = begin()
    house.advertise("three")
    house.catch_up("one", CONTROLLER, "one")  # granted to three, who does not hear of it
    house.advertise("two")
    house.catch_up(CONTROLLER)  # who begins to count
    house.pass_time(LEASE)
    house.renew("two")
    house.controller.hear("ARPAdvertisement")
    house.controller.hear("Lease")
    _go(house, turns)
    three = house.agents["three"]
    three.has_to_renew = True
    three.go(30)
    three.hear("ARPAdvertisement", events)
    three.go(1)
    _go(house, 60)
    house.catch_up("two")
    three.go(10)
    house.ask()
    house.close()


@pytest.mark.parametrize("turns", range(40))
def test_a_node_is_not_in_contact_before_it_has_withdrawn(turns: int) -> None:
    """At every point of its way back it yields, or has withdrawn."""
    house = begin()
    house.advertise("two")
    house.catch_up(CONTROLLER)  # who begins to count
    house.pass_time(LEASE)
    house.renew("two")
    house.catch_up(CONTROLLER)
    house.agents["one"].has_to_renew = True
    house.agents["one"].go(turns)
    house.catch_up("two")
    house.close()


@pytest.mark.parametrize("events", range(1, 5))
def test_a_node_out_of_contact_takes_on_no_address(events: int) -> None:
    """It has heard of a grant that was taken away since."""
    house = begin()
    house.advertise("three")
    house.catch_up("one", CONTROLLER, "one")
    house.advertise("two")
    house.catch_up(CONTROLLER)  # who begins to count
    house.pass_time(LEASE)
    house.renew("two")
    house.catch_up(CONTROLLER, "two")
    assert house.ask() == [house.mac("two")]
    three = house.agents["three"]
    three.hear("ARPAdvertisement", events)
    three.go(4)
    house.close()


@pytest.mark.parametrize("times", [(12.9, 2.2, 0.0), (5.0, 10.0, 5.1), (0.0, 14.0, 1.0)])
@pytest.mark.parametrize("turns", range(12))
def test_a_renewal_that_takes_too_long_is_none(turns: int, times: tuple[float, float, float]) -> None:
    """Contact is counted from before the call; what was decided while it lasted is heard before it counts again."""
    before, meanwhile, after = times
    house = begin()
    house.advertise("two")
    house.catch_up(CONTROLLER)  # who begins to count
    house.pass_time(before)
    house.agents["one"].has_to_renew = True
    house.agents["one"].go(turns)
    house.pass_time(meanwhile)
    house.controller.hear("ARPAdvertisement")
    _go(house, 60)
    house.agents["one"].go(40)
    house.pass_time(after)
    house.renew("two")
    house.catch_up(CONTROLLER, "two")
    house.close()


def test_a_node_that_has_withdrawn_does_not_answer_again_under_the_same_grant() -> None:
    """The address was wanted back before the controller had seen that it was given up, and is wanted away again."""
    house = begin()
    one = house.agents["one"]
    house.advertise("two")
    house.catch_up("one")
    house.advertise("one")
    for _ in range(30):
        one.hear("ARPAdvertisement")
        one.go(1)
    house.advertise("two")
    for _ in range(60):
        house.controller.rest()
        house.agents["two"].hear("ARPAdvertisement")
        house.agents["two"].go(2)
    assert house.ask() == [house.mac("two")]
    house.advertise("one")
    house.catch_up(CONTROLLER, "two", "one")
    house.catch_up(CONTROLLER, "one")
    assert house.ask() == [house.mac("one")]
    house.close()


@pytest.mark.parametrize("skew", [-50.0, -10.0, 10.0, 50.0])
def test_clocks_that_differ_make_no_second_answer(skew: float) -> None:
    """How long a Node was silent is measured by who waits, not by what the Node calls the time."""
    house = begin()
    one = house.agents["one"]
    one.die()
    one.skew = skew
    one.start()
    house.renew("one")
    for _ in range(3):
        house.pass_time(4.0)
        house.renew("one", "two")
        house.catch_up(CONTROLLER, "one", "two")
    one.wire.up = False
    house.advertise("two")
    for _ in range(80):
        house.pass_time(1.0)
        house.renew("two")
        house.catch_up(CONTROLLER, "two")
    assert house.ask() == [house.mac("two")]
    house.close()


def _go(house: House, turns: int) -> None:
    for _ in range(turns):
        for worker in (0, 1):
            house.controller.go(worker, 1)
        house.ask()


@given(st.lists(_DEEDS, max_size=25), st.lists(st.tuples(_NODE, st.booleans()), max_size=4))
@settings(max_examples=50)
def test_with_a_fence_not_even_when_the_network_is_cut(deeds: list[Deed], cuts: list[tuple[str, bool]]) -> None:
    """`--arp-fence-after`, for networks where announcements may not reach who is cut off."""
    house = begin(NodeSettings(arp_fence_after=LEASE))
    try:
        for place, do in enumerate(deeds):
            do(house)
            for name, apart in cuts if place % 5 == 0 else ():
                house.split(name if apart else "")
            house.ask()
    finally:
        house.close()
