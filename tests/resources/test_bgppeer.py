"""BGPPeer: its rules by their numbers, and what it says of itself while no speaker runs."""

from __future__ import annotations

from typing import Any

import pytest
from tests.resources.world import World

ROUTER = {"myASN": 64601, "peerASN": 64600, "peerAddress": "192.0.2.1"}


@pytest.mark.parametrize(
    ("changes", "field", "word"),
    [
        pytest.param({"myASN": None}, "spec.myASN", "Required value", id="bgpp-1-missing"),
        pytest.param({"myASN": 0}, "spec.myASN", "between 1 and 4294967294", id="bgpp-1-zero"),
        pytest.param({"myASN": 2**32 - 1}, "spec.myASN", "between 1 and 4294967294", id="bgpp-1-last"),
        pytest.param({"peerASN": None}, "spec.peerASN", "Required value", id="bgpp-2-missing"),
        pytest.param({"peerASN": 0}, "spec.peerASN", "between 1 and 4294967294", id="bgpp-2"),
        pytest.param({"peerAddress": None}, "spec.peerAddress", "Required value", id="bgpp-3-missing"),
        pytest.param({"peerAddress": ""}, "spec.peerAddress", "Required value", id="bgpp-3-empty"),
        pytest.param({"peerAddress": "2001:db8::1"}, "spec.peerAddress", "IPv4 address", id="bgpp-3-ipv6"),
        pytest.param({"peerAddress": "router.example.com"}, "spec.peerAddress", "IPv4 address", id="bgpp-3-name"),
        pytest.param({"peerPort": 65536}, "spec.peerPort", "between 0 and 65535", id="bgpp-4"),
        pytest.param({"peerPort": -1}, "spec.peerPort", "between 0 and 65535", id="bgpp-4-negative"),
    ],
)
def test_bgpp_1_to_4_what_is_refused(world: World, changes: dict[str, Any], field: str, word: str) -> None:
    """The error names the field, on creation and on update."""
    spec = {name: value for name, value in {**ROUTER, **changes}.items() if value is not None}
    (fault,) = world.faults("BGPPeer", "rack", **spec)
    assert fault.startswith(f"{field}: ")
    assert word in fault
    world.create("BGPPeer", "rack", **ROUTER)
    (fault,) = world.update_faults("BGPPeer", "rack", **changes)
    assert fault.startswith(f"{field}: ")


@pytest.mark.parametrize("changes", [{"myASN": 1}, {"peerASN": 2**32 - 2}, {"myASN": 64600}, {"peerPort": 0}])
def test_bgpp_1_to_4_what_is_accepted(world: World, changes: dict[str, Any]) -> None:
    """Both bounds, one AS number on both sides, and port 0, which means 179; nothing is immutable."""
    assert world.faults("BGPPeer", "rack", **{**ROUTER, **changes}) == []
    assert world.faults("BGPPeer", "twin", **{**ROUTER, **changes}) == []
    assert world.update_faults("BGPPeer", "rack", myASN=7, peerASN=8, peerAddress="192.0.2.9", peerPort=1179) == []


def test_without_a_speaker_it_says_so(world: World) -> None:
    """And what to do instead."""
    world.create("BGPPeer", "rack", **ROUTER)
    assert world.ready("BGPPeer", "rack") == ("Allocated", "False", "NoSpeaker")
    held = world.condition("BGPPeer", "rack")
    assert held is not None
    assert held.message == (
        "no BGP speaker runs in this version: nothing is announced to 192.0.2.1; reach the network by static routes"
    )


def test_deletion_is_never_refused(world: World) -> None:
    """It has no finalizer."""
    world.create("BGPPeer", "rack", **ROUTER)
    world.delete("BGPPeer", "rack")
    assert not world.cache.objects["BGPPeer"]
