"""Packets as scapy makes them, and scapy's judgement of packets that came out: the independent check of checksums."""

from __future__ import annotations

from ipaddress import IPv4Address

from scapy.layers.inet import ICMP, IP, TCP, UDP, IPerror
from scapy.layers.l2 import Ether
from scapy.packet import Packet, Raw

from juneau.drivers.simulated.codec import IPV4

ERRORS = {3: 3, 4: 0, 5: 1, 11: 0, 12: 0}  # types with a code that is usual


def ip(source: object, target: object, **fields: object) -> Packet:
    return IP(src=str(source), dst=str(target), **fields)


def udp(source_port: int, target_port: int, payload: bytes = b"juneau") -> Packet:
    return UDP(sport=source_port, dport=target_port) / Raw(payload)


def tcp(source_port: int, target_port: int, flags: str = "S", payload: bytes = b"") -> Packet:
    return TCP(sport=source_port, dport=target_port, flags=flags) / Raw(payload)


def echo(identifier: int, *, reply: bool = False, payload: bytes = b"juneau") -> Packet:
    return ICMP(type=0 if reply else 8, id=identifier, seq=1) / Raw(payload)


def icmp_error(kind: int, source: object, target: object, about: bytes, quoted: int = 28) -> bytes:
    """As a router or a host sends it about a packet."""
    return bytes(ip(source, target) / ICMP(type=kind, code=ERRORS[kind]) / Raw(about[:quoted]))


def framed(packet: Packet | bytes, to: bytes, source: bytes) -> bytes:
    return to + source + IPV4 + bytes(packet)


def packet_in(frame: bytes) -> Packet:
    """What a frame carries; the checksums of everything in it are right, those of a quote included."""
    packet = Ether(frame)[IP]
    assert intact(packet)
    return packet


def intact(packet: Packet) -> bool:
    """Whether scapy would have made the same checksums."""
    raw = bytes(packet)
    again = packet.copy()
    layer: Packet | None = again
    while layer is not None and not isinstance(layer, Raw | IPerror):
        if "chksum" in layer.fields and not (isinstance(layer, UDP) and layer.chksum == 0):
            del layer.chksum
        layer = layer.payload or None
    return bytes(again) == raw


def quote_of(packet: Packet) -> Packet:
    """The packet that an ICMP error is about, as an ordinary packet."""
    start = packet.ihl * 4 + 8
    return IP(bytes(packet)[start:])


def address(value: object) -> int:
    return int(IPv4Address(str(value)))
