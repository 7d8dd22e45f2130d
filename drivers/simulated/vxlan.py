"""The overlay's encapsulation: whole Ethernet frames in VXLAN over UDP over IPv4.

The bytes are those that a capture on the underlay would show, so that other drivers can be compared with them.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

from attrs import frozen

from juneau.drivers.simulated.codec import (
    ETHERNET_HEADER,
    IPV4,
    TCP,
    UDP,
    Ipv4,
    Udp,
    build_ipv4,
    build_udp,
    ipv4_header_length,
    parse_ipv4,
    parse_udp,
)

PORT: Final = 4789
OVERHEAD: Final = 50
TTL: Final = 64

_HEADER = struct.Struct("!B3xI")
_VNI_IS_VALID: Final = 0x08
_FIRST_SOURCE_PORT: Final = 32768
_SOURCE_PORTS: Final = 28232  # the kernel's ephemeral range


@frozen
class Outer:
    """Between which two Nodes an encapsulated frame goes."""

    source: int
    target: int
    source_mac: bytes
    target_mac: bytes


@frozen
class Tunnelled:
    """What came out of a tunnel: from which Node, for which segment, and the frame."""

    source: int
    vni: int
    frame: bytes


def encapsulate(outer: Outer, vni: int, frame: bytes) -> bytes:
    """The outer Ethernet frame."""
    payload = _HEADER.pack(_VNI_IS_VALID, vni << 8) + frame
    udp = build_udp(outer.source, outer.target, Udp(flow_port(frame), PORT, payload))
    packet = build_ipv4(Ipv4(outer.source, outer.target, UDP, udp, ttl=TTL))
    return outer.target_mac + outer.source_mac + IPV4 + packet


def decapsulate(packet: bytes) -> Tunnelled | None:
    """None where there is no tunnel data."""
    outer = parse_ipv4(packet[ETHERNET_HEADER:])
    if outer is None or outer.protocol != UDP:
        return None
    udp = parse_udp(outer)
    if udp is None or udp.target_port != PORT or len(udp.payload) < _HEADER.size:
        return None
    flags, vni = _HEADER.unpack_from(udp.payload)
    if not flags & _VNI_IS_VALID:
        return None
    return Tunnelled(outer.source, vni >> 8, udp.payload[_HEADER.size :])


def flow_port(frame: bytes) -> int:
    """The outer source port: a hash of the inner flow, so that the underlay keeps flows in order and apart."""
    return _FIRST_SOURCE_PORT + zlib.crc32(_flow(frame)) % _SOURCE_PORTS


def _flow(frame: bytes) -> bytes:
    packet = frame[ETHERNET_HEADER:]
    length = ipv4_header_length(packet) if frame[12:14] == IPV4 else 0
    if not length:
        return frame[:ETHERNET_HEADER]
    flow = packet[9:10] + packet[12:20]
    is_fragment = packet[6] & 0x3F or packet[7]
    if packet[9] in (TCP, UDP) and not is_fragment:
        flow += packet[length : length + 4]
    return flow
