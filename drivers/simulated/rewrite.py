"""Address translation on bytes: one end of a packet gets another address and, with ports, another port.

Checksums are never computed anew but corrected by what has changed (RFC 1624), so that a packet which was damaged
before stays recognisable as damaged.
Everything here works on packets that are as long as their header says, and on the packets that ICMP errors quote,
which end early.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from juneau.drivers.simulated.codec import (
    ECHO_REPLY,
    ECHO_REQUEST,
    ETHERNET_HEADER,
    ICMP,
    TCP,
    UDP,
    ipv4_header_length,
)

ICMP_HEADER: Final = 8
ICMP_ERRORS: Final = frozenset((3, 4, 5, 11, 12))
_ECHOES: Final = frozenset((ECHO_REQUEST, ECHO_REPLY))
_HEADER_CHECKSUM: Final = 10
_CHECKSUMS: Final = {TCP: 16, UDP: 6, ICMP: 2}  # offsets in the header of the protocol
_SHORTEST: Final = {TCP: 20, UDP: 8, ICMP: ICMP_HEADER}
_QUOTED: Final = 8  # what an ICMP error quotes at least, beyond the IPv4 header
_IDENTIFIER: Final = 4


class End(IntEnum):
    """The end of a packet that is translated; the number is where its address stands in an IPv4 header."""

    SOURCE = 12
    TARGET = 16


class FiveTuple(NamedTuple):
    """What a flow is known by; an ICMP echo has its identifier in both places of a port."""

    protocol: int
    source: int
    target: int
    source_port: int
    target_port: int

    def reversed(self) -> FiveTuple:
        return FiveTuple(self.protocol, self.target, self.source, self.target_port, self.source_port)


def whole_packet(frame: bytes) -> bytes:
    """The IPv4 packet in a frame without Ethernet's padding; empty if lengths or version are wrong."""
    packet = frame[ETHERNET_HEADER:]
    return trimmed(packet) if ipv4_header_length(packet) else b""


def trimmed(packet: bytes) -> bytes:
    """As long as its header says."""
    return packet[: packet[2] << 8 | packet[3]]


def source_of(packet: bytes) -> int:
    return int.from_bytes(packet[12:16], "big")


def target_of(packet: bytes) -> int:
    return int.from_bytes(packet[16:20], "big")


def is_fragment(packet: bytes) -> bool:
    return bool(packet[6] & 0x3F or packet[7])


def is_later_fragment(packet: bytes) -> bool:
    """It begins somewhere inside the payload, so it has no header of the protocol."""
    return bool(packet[6] & 0x1F or packet[7])


def is_icmp_error(packet: bytes) -> bool:
    head = _header(packet)
    return packet[9] == ICMP and not is_later_fragment(packet) and packet[head : head + 1] in _ERROR_BYTES


def is_truncated(packet: bytes) -> bool:
    """TCP, UDP or ICMP without room for its own header; a later fragment has none and lacks none."""
    shortest = _SHORTEST.get(packet[9], 0)
    return not is_later_fragment(packet) and len(packet) - _header(packet) < shortest


def five_tuple(packet: bytes) -> FiveTuple | None:
    """None unless it is a TCP or UDP packet or an ICMP echo, whole as far as ports and identifier."""
    head, protocol = _header(packet), packet[9]
    if is_later_fragment(packet) or len(packet) < head + _QUOTED:
        return None
    if protocol in (TCP, UDP):
        ports = packet[head : head + 4]
    elif protocol == ICMP and packet[head] in _ECHOES:
        ports = packet[head + _IDENTIFIER : head + _IDENTIFIER + 2] * 2
    else:
        return None
    first, second = int.from_bytes(ports[:2], "big"), int.from_bytes(ports[2:], "big")
    return FiveTuple(protocol, source_of(packet), target_of(packet), first, second)


def tcp_flags(packet: bytes) -> int:
    """0 for everything that is not a whole TCP header."""
    head = _header(packet)
    return packet[head + 13] if packet[9] == TCP and len(packet) >= head + _SHORTEST[TCP] else 0


def rewritten(packet: bytes, end: End, address: int, port: int | None = None) -> bytes:
    """The packet with another address at one end; `port` is for packets that have a five-tuple."""
    data = bytearray(packet)
    old, new = packet[end : end + 4], address.to_bytes(4, "big")
    data[end : end + 4] = new
    _correct(data, _HEADER_CHECKSUM, old, new)
    head, protocol = _header(packet), packet[9]
    if is_later_fragment(packet) or protocol not in _CHECKSUMS:
        return bytes(data)
    if protocol == ICMP:
        old = new = b""  # its checksum does not cover the addresses
    if port is not None:
        at = head + (_IDENTIFIER if protocol == ICMP else 0 if end is End.SOURCE else 2)
        old, new = old + packet[at : at + 2], new + port.to_bytes(2, "big")
        data[at : at + 2] = port.to_bytes(2, "big")
    place = head + _CHECKSUMS[protocol]
    if protocol != UDP or any(data[place : place + 2]):
        _correct(data, place, old, new)
        if protocol == UDP and not any(data[place : place + 2]):
            data[place : place + 2] = b"\xff\xff"  # 0 would say that there is no checksum
    return bytes(data)


def quoted(packet: bytes) -> bytes | None:
    """The packet that an ICMP error is about, as far as it is quoted; None without a whole IPv4 header."""
    quote = packet[_header(packet) + ICMP_HEADER :]
    if len(quote) < 20 or quote[0] >> 4 != 4 or not 20 <= _header(quote) <= len(quote):
        return None
    return quote


def requoted(packet: bytes, quote: bytes) -> bytes:
    """The ICMP error with another quote of the same length."""
    data = bytearray(packet)
    start = _header(packet) + ICMP_HEADER
    data[start:] = quote
    _correct(data, start - ICMP_HEADER + _CHECKSUMS[ICMP], packet[start:], quote)
    return bytes(data)


_ERROR_BYTES: Final = frozenset(bytes((kind,)) for kind in ICMP_ERRORS)


def _header(packet: bytes) -> int:
    return (packet[0] & 15) * 4


def _correct(data: bytearray, place: int, old: bytes, new: bytes) -> None:
    """A checksum, by what became of 16-bit words that it covers; a quote may end before its checksum does."""
    if len(data) < place + 2 or old == new:
        return
    if len(old) & 1:
        old, new = old + b"\x00", new + b"\x00"
    check = int.from_bytes(data[place : place + 2], "big")
    total = 0xFFFF - check - int.from_bytes(old, "big") + int.from_bytes(new, "big")
    data[place : place + 2] = (0xFFFF - (total % 0xFFFF or 0xFFFF)).to_bytes(2, "big")
