"""BGPNodeState: made for each Node while there is somebody to announce to, and what it says without a speaker."""

from __future__ import annotations

from tests.resources.world import World

from juneau.engine.objects import Key

ROUTER = {"myASN": 64601, "peerASN": 64600, "peerAddress": "192.0.2.1"}


def states(world: World) -> list[str]:
    return sorted(key.name for key in world.cache.objects["BGPNodeState"])


def test_each_node_has_one_while_there_is_a_peer(world: World) -> None:
    """By the Node's name; it goes with the Node, and with the last BGPPeer."""
    world.create("Node", "n1")
    assert states(world) == []
    world.create("BGPPeer", "rack", **ROUTER)
    world.create("Node", "n2")
    assert states(world) == ["n1", "n2"]
    (owner,) = world.get("BGPNodeState", "n1").metadata.owner_references
    assert (owner.kind, owner.name) == ("Node", "n1")
    world.delete("Node", "n1")
    assert states(world) == ["n2"]
    world.delete("BGPNodeState", "n2")
    assert states(world) == ["n2"]
    world.delete("BGPPeer", "rack")
    assert states(world) == []


def test_it_waits_for_nothing_else(world: World) -> None:
    """Also a Node that has no address of the Subnet default yet has one."""
    world.force_delete("Subnet", "default")
    world.create("Node", "n1")
    world.create("BGPPeer", "rack", **ROUTER)
    assert states(world) == ["n1"]


def test_bns_1_anybody_may_make_and_delete_one(world: World) -> None:
    """One that is no Node's is left alone."""
    world.create("Node", "n1")
    world.create("BGPNodeState", "mine")
    assert states(world) == ["mine"]
    world.create("BGPPeer", "rack", **ROUTER)
    world.delete("BGPPeer", "rack")
    assert states(world) == ["mine"]
    world.delete("BGPNodeState", "mine")
    assert world.find(Key("BGPNodeState", "", "mine")) is None


def test_without_a_speaker_it_says_so(world: World) -> None:
    """Neither sessions nor their monitoring are there."""
    world.create("Node", "n1")
    world.create("BGPPeer", "rack", **ROUTER)
    assert world.ready("BGPNodeState", "n1") == ("Allocated", "False", "BirdNotRunning")
    for type_, reason in (("BirdRunning", "NotRunning"), ("BMPConnected", "Disconnected")):
        held = world.condition("BGPNodeState", "n1", type_)
        assert held is not None
        assert (held.status, held.reason) == ("False", reason)
    assert world.writes_of_a_second_look() == 0


def test_its_table_shows_three_conditions_and_the_heartbeat_if_asked(world: World) -> None:
    """Age stands before the heartbeat."""
    columns = world.registry["BGPNodeState"].columns
    assert [column.name for column in columns] == ["Ready", "Bird", "BMP", "Age", "Heartbeat"]
    assert [column.priority for column in columns] == [0, 0, 0, 0, 1]
