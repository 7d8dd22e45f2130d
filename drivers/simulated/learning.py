"""What an L2 segment learns on one Node: where MACs are, and which address an ARP sender has.

Both tables belong to one segment, so that one tenant cannot push out another's entries.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Final

from attrs import define, frozen

AGE: Final = 300 * 1_000_000_000
STATIONS: Final = 8192
NEIGHBOURS: Final = 65536  # as many as the largest prefix of a segment has addresses


@define
class Station:
    """Where a MAC was last seen, and when: at the port `number` of this Node, or at the Node `vtep`."""

    number: int
    vtep: int
    seen: int


class StationTable:
    """`l2_fdb` without the gateway's own entry, which neither ages nor moves.

    The age is judged at look-up, so an entry is used until just before it is 300 s old and never after; a sweep only
    frees memory.
    Entries are kept in the order in which they were last seen, so both the sweep and a full table take from the front.
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: OrderedDict[bytes, Station] = OrderedDict()

    def learn(self, mac: bytes, number: int, vtep: int, now: int) -> bool:
        """True if the MAC is new here or has moved."""
        entry = self._entries.get(mac)
        if entry is None:
            if len(self._entries) >= STATIONS:
                self._entries.popitem(last=False)
            self._entries[mac] = Station(number, vtep, now)
            return True
        self._entries.move_to_end(mac)
        moved = entry.number != number or entry.vtep != vtep
        if moved:
            entry.number, entry.vtep = number, vtep
        entry.seen = now
        return moved

    def find(self, mac: bytes, now: int) -> Station | None:
        entry = self._entries.get(mac)
        return entry if entry is not None and now - entry.seen < AGE else None

    def sweep(self, now: int) -> None:
        while self._entries:
            if now - next(iter(self._entries.values())).seen < AGE:
                return
            self._entries.popitem(last=False)

    def forget_port(self, number: int) -> None:
        self._keep(lambda entry: entry.number != number)

    def forget_node(self, vtep: int) -> None:
        self._keep(lambda entry: entry.vtep != vtep)

    def live(self, now: int) -> Iterator[tuple[bytes, Station]]:
        return ((mac, entry) for mac, entry in self._entries.items() if now - entry.seen < AGE)

    def __len__(self) -> int:
        return len(self._entries)

    def _keep(self, wanted: Callable[[Station], bool]) -> None:
        self._entries = OrderedDict((mac, entry) for mac, entry in self._entries.items() if wanted(entry))


@frozen
class Heard:
    """What an ARP sender said, and where: at the port `number` of this Node, or on the Node `vtep`."""

    mac: bytes
    number: int
    vtep: int


class NeighbourTable:
    """`l2_arp`: what was heard on the segment, and beneath it what Juneau handed out.

    A seed counts only where nothing was heard, so it never overrides the segment; a NIC that goes takes along what was
    heard of its MAC, and what was heard at its port.
    Seeds are not pushed out by a workload that claims many addresses.
    """

    __slots__ = ("_heard", "_seeds")

    def __init__(self) -> None:
        self._heard: OrderedDict[int, Heard] = OrderedDict()
        self._seeds: dict[int, bytes] = {}

    def hear(self, address: int, heard: Heard) -> None:
        """The latest sender wins."""
        self._heard.pop(address, None)
        if len(self._heard) >= NEIGHBOURS:
            self._heard.popitem(last=False)
        self._heard[address] = heard

    def be_told(self, address: int, heard: Heard) -> None:
        """What another Node heard earlier, so it does not replace what was heard from elsewhere since."""
        if address not in self._heard or self._heard[address].vtep == heard.vtep:
            self.hear(address, heard)

    def withdraw(self, address: int, vtep: int) -> None:
        """The Node that it was heard from has forgotten it."""
        heard = self._heard.get(address)
        if heard is not None and heard.vtep == vtep:
            del self._heard[address]

    def seed(self, address: int, mac: bytes) -> None:
        self._seeds[address] = mac

    def unseed(self, address: int) -> None:
        mac = self._seeds.pop(address, None)
        self._forget(lambda heard: heard.mac == mac)

    def forget_port(self, number: int, mac: bytes | None) -> list[int]:
        """What was heard at a port, and elsewhere on this Node of that MAC; returns the addresses."""
        return self._forget(lambda heard: heard.number == number or (heard.number != 0 and heard.mac == mac))

    def forget_node(self, vtep: int) -> None:
        self._forget(lambda heard: heard.vtep == vtep)

    def forget_heard(self) -> None:
        self._heard.clear()

    def find(self, address: int) -> bytes | None:
        heard = self._heard.get(address)
        return heard.mac if heard is not None else self._seeds.get(address)

    def heard_here(self) -> Iterator[tuple[int, bytes]]:
        """What was heard at ports of this Node, the earliest first."""
        return ((address, heard.mac) for address, heard in self._heard.items() if heard.number)

    def entries(self) -> dict[int, bytes]:
        return self._seeds | {address: heard.mac for address, heard in self._heard.items()}

    def __bool__(self) -> bool:
        return bool(self._heard or self._seeds)

    def _forget(self, unwanted: Callable[[Heard], bool]) -> list[int]:
        gone = [address for address, heard in self._heard.items() if unwanted(heard)]
        for address in gone:
            del self._heard[address]
        return gone
