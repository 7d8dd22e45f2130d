"""A host's network interface: its addresses, its neighbours, and what it has received.

Frames that a host sends are queued, so that two hosts which answer each other never recurse.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from ipaddress import IPv4Interface
from typing import Final

from attrs import Factory, define

from juneau.drivers.simulated.codec import (
    ARP,
    ARP_REPLY,
    ARP_REQUEST,
    BROADCAST,
    ETHERNET_HEADER,
    IPV4,
    NO_MAC,
    Arp,
    arp_answer,
    build_arp,
    is_group,
    parse_arp,
)
from juneau.drivers.simulated.fabric import NANOSECONDS, Fabric, Receiver

REACHABLE: Final = 30 * NANOSECONDS
GIVES_UP: Final = 3 * NANOSECONDS
QUEUE: Final = 64
KEPT_FRAMES: Final = 4096
LIMITED_BROADCAST: Final = 0xFFFFFFFF


@define
class Neighbour:
    """A resolved address; after `expires` it is asked for again."""

    mac: bytes
    expires: int


@define
class Unresolved:
    """Packets that wait for an address to be resolved; they are dropped if it takes too long."""

    expires: int
    packets: list[bytes] = Factory(list[bytes])


class Interface:
    """One NIC of a host; what it sends goes into `wire`, packets for the host go `up`."""

    __slots__ = (
        "_kept",
        "_neighbours",
        "_received",
        "_unresolved",
        "addresses",
        "fabric",
        "mac",
        "mtu",
        "name",
        "owns",
        "up",
        "wire",
    )

    def __init__(self, name: str, mac: bytes, mtu: int, fabric: Fabric, wire: Receiver) -> None:
        self.name = name
        self.mac = mac
        self.mtu = mtu
        self.fabric = fabric
        self.wire = wire
        self.addresses: list[IPv4Interface] = []
        self.up: Callable[[Interface, bytes], None] = _nowhere
        self.owns: Callable[[int], bool] = _nothing
        self._neighbours: dict[int, Neighbour] = {}
        self._unresolved: dict[int, Unresolved] = {}
        self._kept: deque[bytes] = deque(maxlen=KEPT_FRAMES)
        self._received = 0

    @property
    def received(self) -> int:
        """How many frames have come in so far."""
        return self._received

    def frames(self, since: int) -> tuple[bytes, ...]:
        """Those after that many; only the latest are kept."""
        wanted = min(self._received - since, len(self._kept))
        return tuple(self._kept)[len(self._kept) - wanted :] if wanted > 0 else ()

    def receive(self, frame: bytes) -> None:
        """Every frame is recorded, those for other MACs go no further."""
        self.record(frame)
        self.handle(frame)

    def record(self, frame: bytes) -> None:
        self._received += 1
        self._kept.append(frame)

    def handle(self, frame: bytes) -> None:
        """What the host's own stack does with a frame."""
        if frame[:6] != self.mac and not is_group(frame):
            return
        if frame[12:14] == IPV4:
            self.up(self, frame)
        elif frame[12:14] == ARP:
            self._receive_arp(frame)

    def transmit(self, frame: bytes) -> None:
        self.fabric.later(self.wire, frame)

    def send(self, packet: bytes, next_hop: int) -> None:
        """A packet to a neighbour, now or when its address is resolved."""
        if next_hop == LIMITED_BROADCAST or self.is_broadcast(next_hop):
            self.transmit(BROADCAST + self.mac + IPV4 + packet)
            return
        neighbour = self._neighbours.get(next_hop)
        now = self.fabric.now
        if neighbour is not None and now < neighbour.expires:
            self.transmit(neighbour.mac + self.mac + IPV4 + packet)
            return
        waiting = self._unresolved.get(next_hop)
        if waiting is None or waiting.expires <= now:
            waiting = self._unresolved[next_hop] = Unresolved(now + GIVES_UP)
        if len(waiting.packets) < QUEUE:
            waiting.packets.append(packet)
        self._ask(next_hop, int.from_bytes(packet[12:16], "big"))

    def announce(self, address: int) -> None:
        """A gratuitous ARP reply."""
        self.transmit(build_arp(Arp(ARP_REPLY, self.mac, address, BROADCAST, address), BROADCAST))

    def forget_neighbours(self) -> None:
        self._neighbours.clear()
        self._unresolved.clear()

    def is_broadcast(self, address: int) -> bool:
        return any(
            address == int(own.network.broadcast_address) and own.network.prefixlen < 31 for own in self.addresses
        )

    def _ask(self, address: int, preferred: int) -> None:
        """The request names the packet's own source if the host has it, as Linux does."""
        sender = preferred if self.owns(preferred) else next((int(own.ip) for own in self.addresses), 0)
        self.transmit(build_arp(Arp(ARP_REQUEST, self.mac, sender, NO_MAC, address), BROADCAST))

    def _receive_arp(self, frame: bytes) -> None:
        """Who asks for an own address becomes known, others only if they were known or asked for."""
        arp = parse_arp(frame)
        if arp is None:
            return
        asks_me = arp.operation == ARP_REQUEST and self.owns(arp.target)
        if arp.sender and (asks_me or arp.sender in self._neighbours or arp.sender in self._unresolved):
            self._resolved(arp.sender, arp.sender_mac)
        if asks_me and not self.owns(arp.sender):
            self.transmit(arp_answer(arp, self.mac, arp.sender_mac))

    def _resolved(self, address: int, mac: bytes) -> None:
        self._neighbours[address] = Neighbour(mac, self.fabric.now + REACHABLE)
        waiting = self._unresolved.pop(address, None)
        if waiting is not None and self.fabric.now < waiting.expires:
            for packet in waiting.packets:
                self.transmit(mac + self.mac + IPV4 + packet)


def packet_of(frame: bytes) -> bytes:
    return frame[ETHERNET_HEADER:]


def _nowhere(interface: Interface, frame: bytes) -> None:
    """An interface that is not part of a host yet."""


def _nothing(address: int) -> bool:
    return False
