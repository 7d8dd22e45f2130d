"""What NetworkEndpoints ask of dataplanes, above all where two of them have one address."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from tests.resources.world import World

from juneau.engine.convert import decode
from juneau.engine.intents import FloodPeer, Intent, Neighbour, NeighbourSeed, Port, PortOwner, Station
from juneau.engine.objects import AnyObject

OLD, NEW = "02:00:00:00:00:01", "02:00:00:00:00:02"


@pytest.fixture
def segment(world: World) -> World:
    """A Subnet, an L2Network with a gateway and one without addresses."""
    world.create("Subnet", "app", vpc="lab", cidr="10.90.0.0/24")
    world.create("L2Network", "floor", vpc="lab", cidr="10.91.0.0/24", gateway={})
    world.create("L2Network", "san", vpc="lab")
    return world


def endpoint(world: World, pod: str, mac: str, **more: Any) -> AnyObject:
    spec: dict[str, Any] = {
        "kind": "Pod",
        "nodeName": "worker-1",
        "macAddress": mac,
        "attachment": {"ifindex": 7, "hostMACAddress": "02:00:00:00:00:77"},
        "podRef": {"name": pod, "interface": "eth0", "uid": pod},
        **more,
    }
    document = world.document("NetworkEndpoint", f"juneau-system/{pod}.eth0", spec)
    return decode(world.registry, document)


def asked(world: World, *types: type[Intent], pods: tuple[str, ...] = ("old", "new")) -> list[Intent]:
    found = [intent for pod in pods for intent in world.intents("NetworkEndpoint", f"juneau-system/{pod}.eth0")]
    return [intent for intent in found if isinstance(intent, types)]


def test_on_a_subnet_an_endpoint_is_a_port_a_station_and_a_neighbour(segment: World) -> None:
    """Its Node gets the port, every Node the way to its MAC and the answer to ARP."""
    segment.put(endpoint(segment, "old", OLD, subnet="app", address="10.90.0.4/24"))
    intents = segment.intents("NetworkEndpoint", "juneau-system/old.eth0")
    assert {type(intent) for intent in intents} == {Port, Station, Neighbour}
    [port] = asked(segment, Port, pods=("old",))
    assert isinstance(port, Port)
    assert (port.owner, port.number, port.placed_on) == (PortOwner.POD, 7, "worker-1")


def test_on_a_segment_nothing_leads_to_a_mac(segment: World) -> None:
    """A segment learns; it is told where to flood, and its gateway who has which address."""
    segment.put(endpoint(segment, "old", OLD, l2Network="floor", address="10.91.0.4/24"))
    intents = segment.intents("NetworkEndpoint", "juneau-system/old.eth0")
    assert {type(intent) for intent in intents} == {Port, FloodPeer, NeighbourSeed}
    segment.put(endpoint(segment, "new", NEW, l2Network="san"))
    intents = segment.intents("NetworkEndpoint", "juneau-system/new.eth0")
    assert {type(intent) for intent in intents} == {Port, FloodPeer}


@pytest.mark.parametrize("seconds", [1.0, 0.0])  # an API server's creationTimestamp tells no less than a second
@pytest.mark.parametrize("names", [("old", "new"), ("a", "b"), ("b", "a")])
def test_of_two_endpoints_with_one_address_one_counts(segment: World, seconds: float, names: tuple[str, str]) -> None:
    """The way to a MAC and the answer to ARP are those of the newer one, whatever the names are."""
    first, second = names
    segment.put(endpoint(segment, first, OLD, subnet="app", address="10.90.0.4/24"))
    segment.advance(seconds)
    segment.put(endpoint(segment, second, NEW, subnet="app", address="10.90.0.4/24"))
    [station] = asked(segment, Station, pods=names)
    neighbours = asked(segment, Neighbour, pods=names)
    winner = max(neighbours, key=lambda intent: intent.rank)
    assert isinstance(station, Station) and isinstance(winner, Neighbour)
    assert station.mac == winner.mac == NEW
    assert station.port == f"juneau-system/{second}.eth0"
    segment.delete("NetworkEndpoint", f"juneau-system/{second}.eth0")
    [left] = asked(segment, Station, pods=(first,))
    assert isinstance(left, Station)
    assert left.mac == OLD


def test_one_address_in_two_subnets_is_two(segment: World) -> None:
    """Addresses repeat between Vpcs, and neither endpoint silences the other."""
    segment.create("Vpc", "other")
    segment.create("Subnet", "copy", vpc="other", cidr="10.90.0.0/24")
    segment.put(endpoint(segment, "old", OLD, subnet="app", address="10.90.0.4/24"))
    segment.put(endpoint(segment, "new", NEW, subnet="copy", address="10.90.0.4/24"))
    assert len(asked(segment, Station)) == 2


@pytest.mark.parametrize("mac", ["", "banana", "02:00:00:00:00", "02-00-00-00-00-01", f"{OLD}\n{OLD}"])
def test_an_endpoint_without_a_mac_asks_for_nothing(segment: World, mac: str) -> None:
    """What no dataplane could express never reaches one."""
    made = endpoint(segment, "old", OLD, subnet="app", address="10.90.0.4/24")
    segment.force(evolve(made, spec=evolve(made.spec, mac_address=mac)))
    assert segment.intents("NetworkEndpoint", "juneau-system/old.eth0") == []


def test_nothing_is_asked_for_before_the_segment_has_its_number(world: World) -> None:
    """An endpoint can be there before its network."""
    world.put(endpoint(world, "old", OLD, subnet="app", address="10.90.0.4/24"))
    assert world.intents("NetworkEndpoint", "juneau-system/old.eth0") == []


def test_which_endpoint_came_later_is_decided_once(segment: World) -> None:
    """Not even the first one's leaving and coming back makes the second one older."""
    spec = {"subnet": "app", "address": "10.90.0.4/24"}
    segment.put(endpoint(segment, "z", OLD, **spec))
    segment.put(endpoint(segment, "m", NEW, **spec))
    assert [segment.status("NetworkEndpoint", f"juneau-system/{pod}.eth0").rank for pod in "zm"] == [1, 2]
    segment.delete("NetworkEndpoint", "juneau-system/z.eth0")
    segment.put(endpoint(segment, "a", OLD, **spec))
    assert [segment.status("NetworkEndpoint", f"juneau-system/{pod}.eth0").rank for pod in "ma"] == [2, 3]
    [station] = asked(segment, Station, pods=("m", "a"))
    assert isinstance(station, Station)
    assert station.mac == OLD


def test_endpoints_with_one_mac_are_one_station(segment: World) -> None:
    """What is known of the MAC leads to the newer one's port, also where both are on one Node."""
    for pod in ("old", "new"):
        segment.put(endpoint(segment, pod, OLD, subnet="app", address="10.90.0.4/24"))
    [station] = asked(segment, Station)
    assert isinstance(station, Station)
    assert (station.mac, station.port) == (OLD, "juneau-system/new.eth0")
