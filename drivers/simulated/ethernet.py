"""Ethernets: what Nodes and hosts outside are connected by, each a switch that knows where every MAC is.

A frame for one MAC goes to the station that has it and to nobody else, a frame for a group to all others.
A cut divides all Ethernets at once: frames pass between stations of one part only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from juneau.drivers.simulated.codec import ETHERNET_HEADER

if TYPE_CHECKING:
    from juneau.drivers.simulated.fabric import Receiver

NOWHERE: Final = -1


class Station:
    """A NIC on an Ethernet; `owner` is the Node or the host outside whose it is, `part` the part that is in."""

    __slots__ = ("ethernet", "mac", "owner", "part", "receive")

    def __init__(self, ethernet: Ethernet, owner: str, mac: bytes, receive: Receiver) -> None:
        self.ethernet = ethernet
        self.owner = owner
        self.mac = mac
        self.receive = receive
        self.part = NOWHERE

    def connect(self) -> None:
        self.part = self.ethernet.parts.get(self.owner, 0)
        self.ethernet.stations[self.mac] = self

    def disconnect(self) -> None:
        """Its wire is pulled out; what it sends is lost."""
        self.part = NOWHERE
        self.ethernet.stations.pop(self.mac, None)

    def transmit(self, frame: bytes) -> bool:
        """Put a frame on the wire; False if it is lost there.

        Nothing fragments: what is over the MTU is lost.
        """
        ethernet = self.ethernet
        if not ETHERNET_HEADER <= len(frame) <= ethernet.longest:
            return False
        if frame[0] & 1:
            return self._flood(frame)
        station_of_one = ethernet.stations.get(frame[:6])
        if station_of_one is None or station_of_one.part != self.part or station_of_one is self:
            return False
        ethernet.later(station_of_one.receive, frame)
        return True

    def _flood(self, frame: bytes) -> bool:
        for station in self.ethernet.stations.values():
            if station is not self and station.part == self.part:
                self.ethernet.later(station.receive, frame)
        return self.part != NOWHERE


class Ethernet:
    """One broadcast domain; `mtu` holds for all of its stations, `later` takes a frame to be handed over."""

    __slots__ = ("later", "longest", "mtu", "name", "parts", "stations")

    def __init__(self, name: str, mtu: int, later: Callable[[Receiver, bytes], None], parts: Mapping[str, int]) -> None:
        self.name = name
        self.mtu = mtu
        self.longest = mtu + ETHERNET_HEADER
        self.later = later
        self.parts = parts
        self.stations: dict[bytes, Station] = {}

    def station(self, owner: str, mac: bytes, receive: Receiver) -> Station:
        """A new one, which is connected."""
        made = Station(self, owner, mac, receive)
        made.connect()
        return made

    def split(self, parts: Mapping[str, int]) -> None:
        """Who is in which part; whoever is not named is in part 0."""
        self.parts = parts
        for station in self.stations.values():
            station.part = parts.get(station.owner, 0)
