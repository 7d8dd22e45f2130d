"""Bytes to headers and back: Ethernet, ARP, IPv4, ICMP, UDP and TCP as far as the dataplane and its hosts need them.

It stands below everything else in the simulated driver.
Addresses are integers and MACs six bytes, since that is what tables are keyed by; parsers return None for bytes that
are not what they should be and never raise.
"""

from __future__ import annotations

import struct
from ipaddress import IPv4Address
from typing import Final

from attrs import frozen

ETHERNET_HEADER: Final = 14
IPV4: Final = b"\x08\x00"
ARP: Final = b"\x08\x06"
VLAN_TAGS: Final = frozenset((b"\x81\x00", b"\x88\xa8"))
BROADCAST: Final = b"\xff" * 6
NO_MAC: Final = bytes(6)

ICMP: Final = 1
TCP: Final = 6
UDP: Final = 17

LONGEST_PACKET: Final = 65535  # of IPv4, header included
LONGEST_PAYLOAD: Final = LONGEST_PACKET - 20 - 8  # of an echo request or a datagram, whose headers have 8 bytes

ARP_REQUEST: Final = 1
ARP_REPLY: Final = 2

ECHO_REPLY: Final = 0
UNREACHABLE: Final = 3
ECHO_REQUEST: Final = 8

FIN: Final = 0x01
SYN: Final = 0x02
RST: Final = 0x04
ACK: Final = 0x10

_ARP = struct.Struct("!HHBBH6sI6sI")
_IPV4 = struct.Struct("!BBHHHBBHII")
_PSEUDO = struct.Struct("!IIBBH")
_UDP = struct.Struct("!HHHH")
_TCP = struct.Struct("!HHIIBBHHH")
_ECHO = struct.Struct("!BBHHH")
_ARP_ETHERNET_IPV4 = (1, 0x0800, 6, 4)


def mac_bytes(text: str) -> bytes:
    """Raises ValueError for what is not six octets."""
    mac = bytes.fromhex(text.replace(":", ""))
    if len(mac) != 6:
        raise ValueError(f"{text!r} is not a MAC address")
    return mac


def mac_text(mac: bytes) -> str:
    return mac.hex(":")


def address_text(address: int) -> str:
    return str(IPv4Address(address))


def is_group(mac: bytes) -> bool:
    """Broadcast or multicast."""
    return bool(mac[0] & 1)


def is_tagged(frame: bytes) -> bool:
    return frame[12:14] in VLAN_TAGS


def fits(frame: bytes, mtu: int) -> bool:
    """A VLAN tag does not count against the MTU, as in the kernel."""
    return len(frame) <= mtu + ETHERNET_HEADER or (is_tagged(frame) and len(frame) <= mtu + ETHERNET_HEADER + 4)


def checksum(data: bytes) -> int:
    """The Internet checksum.

    The ones' complement sum of 16-bit words is the remainder modulo 65535 of the bytes read as one number.
    """
    if len(data) & 1:
        data += b"\x00"
    number = int.from_bytes(data, "big")
    return 0xFFFF - (number % 0xFFFF or (0xFFFF if number else 0))


@frozen
class Arp:
    """An Ethernet/IPv4 ARP packet."""

    operation: int
    sender_mac: bytes
    sender: int
    target_mac: bytes
    target: int


def parse_arp(frame: bytes) -> Arp | None:
    """What an untagged frame with EtherType ARP says."""
    if len(frame) < ETHERNET_HEADER + _ARP.size:
        return None
    hardware, protocol, hlen, plen, operation, sha, spa, tha, tpa = _ARP.unpack_from(frame, ETHERNET_HEADER)
    if (hardware, protocol, hlen, plen) != _ARP_ETHERNET_IPV4:
        return None
    return Arp(operation, sha, spa, tha, tpa)


def build_arp(arp: Arp, destination: bytes, source: bytes | None = None) -> bytes:
    """The whole frame; it is sent by the ARP sender unless `source` says otherwise."""
    body = _ARP.pack(*_ARP_ETHERNET_IPV4, arp.operation, arp.sender_mac, arp.sender, arp.target_mac, arp.target)
    return destination + (source or arp.sender_mac) + ARP + body


def arp_answer(request: Arp, mac: bytes, destination: bytes) -> bytes:
    """The frame that tells the asker that the address asked for is at `mac`."""
    reply = Arp(ARP_REPLY, mac, request.target, request.sender_mac, request.sender)
    return build_arp(reply, destination)


@frozen
class Ipv4:
    """An IPv4 packet; `payload` ends where the header says, whatever padding follows."""

    source: int
    target: int
    protocol: int
    payload: bytes
    ttl: int = 64
    tos: int = 0
    identification: int = 0
    fragment: int = 0  # flags and offset as on the wire
    options: bytes = b""


def parse_ipv4(packet: bytes) -> Ipv4 | None:
    """Returns None unless version, lengths and header checksum are right."""
    length = ipv4_header_length(packet)
    if not length or checksum(packet[:length]):
        return None
    _, tos, total, identification, fragment, ttl, protocol, _, source, target = _IPV4.unpack_from(packet)
    payload, options = packet[length:total], packet[20:length]
    return Ipv4(source, target, protocol, payload, ttl, tos, identification, fragment, options)


def ipv4_header_length(packet: bytes) -> int:
    """In bytes; 0 if version or lengths are wrong.

    The checksum is not looked at: a router that only lowers the TTL leaves a wrong one wrong, and the host drops it.
    """
    if len(packet) < 20 or packet[0] >> 4 != 4:
        return 0
    length = (packet[0] & 15) * 4
    total = packet[2] << 8 | packet[3]
    return length if 20 <= length <= total <= len(packet) else 0


def build_ipv4(packet: Ipv4) -> bytes:
    words = 5 + len(packet.options) // 4
    total = words * 4 + len(packet.payload)
    head = (0x40 | words, packet.tos, total, packet.identification, packet.fragment, packet.ttl, packet.protocol)
    header = _IPV4.pack(*head, 0, packet.source, packet.target) + packet.options
    return header[:10] + checksum(header).to_bytes(2, "big") + header[12:] + packet.payload


def with_lower_ttl(packet: bytes) -> bytes:
    """One less, with the checksum updated as the kernel does; the caller has seen that the TTL is above 1."""
    updated = (packet[10] << 8 | packet[11]) + 0x0100
    updated = (updated + (updated >= 0xFFFF)) & 0xFFFF
    return packet[:8] + bytes((packet[8] - 1, packet[9])) + updated.to_bytes(2, "big") + packet[12:]


@frozen
class Echo:
    """An ICMP echo request or reply."""

    type: int
    identifier: int
    sequence: int
    payload: bytes = b""


def parse_echo(payload: bytes) -> Echo | None:
    if len(payload) < _ECHO.size or checksum(payload):
        return None
    kind, code, _, identifier, sequence = _ECHO.unpack_from(payload)
    if kind not in (ECHO_REQUEST, ECHO_REPLY) or code:
        return None
    return Echo(kind, identifier, sequence, payload[8:])


def build_echo(echo: Echo) -> bytes:
    body = _ECHO.pack(echo.type, 0, 0, echo.identifier, echo.sequence) + echo.payload
    return body[:2] + checksum(body).to_bytes(2, "big") + body[4:]


def build_unreachable(quoted: bytes, code: int) -> bytes:
    """ICMP destination unreachable, as a host sends it; `quoted` is the packet that could not be delivered."""
    body = struct.pack("!BBHI", UNREACHABLE, code, 0, 0) + quoted[:28]
    return body[:2] + checksum(body).to_bytes(2, "big") + body[4:]


@frozen
class Udp:
    """A UDP datagram without its addresses."""

    source_port: int
    target_port: int
    payload: bytes = b""


def parse_udp(packet: Ipv4) -> Udp | None:
    data = packet.payload
    if len(data) < _UDP.size:
        return None
    source_port, target_port, length, check = _UDP.unpack_from(data)
    if not _UDP.size <= length <= len(data):
        return None
    if check and checksum(_pseudo_header(packet.source, packet.target, UDP, length) + data[:length]):
        return None
    return Udp(source_port, target_port, data[8:length])


def build_udp(source: int, target: int, udp: Udp) -> bytes:
    length = _UDP.size + len(udp.payload)
    body = _UDP.pack(udp.source_port, udp.target_port, length, 0) + udp.payload
    # A computed checksum of 0 is sent as 0xffff: 0 on the wire means that there is none.
    check = checksum(_pseudo_header(source, target, UDP, length) + body) or 0xFFFF
    return body[:6] + check.to_bytes(2, "big") + body[8:]


@frozen
class Tcp:
    """A TCP segment without its addresses and options."""

    source_port: int
    target_port: int
    sequence: int = 0
    acknowledgement: int = 0
    flags: int = SYN
    payload: bytes = b""
    window: int = 65535


def parse_tcp(packet: Ipv4) -> Tcp | None:
    data = packet.payload
    if len(data) < _TCP.size or checksum(_pseudo_header(packet.source, packet.target, TCP, len(data)) + data):
        return None
    source_port, target_port, sequence, acknowledgement, offset, flags, window, _, _ = _TCP.unpack_from(data)
    start = (offset >> 4) * 4
    if not _TCP.size <= start <= len(data):
        return None
    return Tcp(source_port, target_port, sequence, acknowledgement, flags & 0x3F, data[start:], window)


def build_tcp(source: int, target: int, tcp: Tcp) -> bytes:
    head = (tcp.source_port, tcp.target_port, tcp.sequence, tcp.acknowledgement, 5 << 4, tcp.flags, tcp.window, 0, 0)
    body = _TCP.pack(*head) + tcp.payload
    check = checksum(_pseudo_header(source, target, TCP, len(body)) + body)
    return body[:16] + check.to_bytes(2, "big") + body[18:]


def _pseudo_header(source: int, target: int, protocol: int, length: int) -> bytes:
    return _PSEUDO.pack(source, target, 0, protocol, length)
