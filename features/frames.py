"""Frames as scapy builds and reads them: not the driver's own code, so that the two are compared.

scapy is imported where it is needed, since it takes long to load.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface
from typing import Any

from attrs import evolve, frozen

from juneau.engine.driver import Datagram

BROADCAST = "ff:ff:ff:ff:ff:ff"
ANY = "00:00:00:00:00:00"
REQUEST, REPLY = 1, 2
DHCP_SERVER, DHCP_CLIENT = 67, 68
_DISCOVER, _OFFER, _REQUEST, _ACK = 1, 2, 3, 5


@frozen
class Heard:
    """Who sends an ARP frame, as which address."""

    operation: int
    mac: str
    address: str


def ethernet(to: str, source: str, ethertype: int, payload: bytes) -> bytes:
    """A frame; plain bytes, since the EtherType may be anything."""
    header = bytes.fromhex((to + source).replace(":", ""))
    return header + ethertype.to_bytes(2, "big") + payload


def arp(operation: int, mac: str, sender: IPv4Address, target: IPv4Address, to: str = BROADCAST) -> bytes:
    """An ARP frame from a station to one or to all."""
    from scapy.layers.l2 import ARP, Ether

    target_mac = ANY if operation == REQUEST else to
    asked = ARP(op=operation, hwsrc=mac, psrc=str(sender), hwdst=target_mac, pdst=str(target))
    return bytes(Ether(dst=to, src=mac) / asked)


def read_arp(frame: bytes) -> Heard | None:
    """None for a frame that is no ARP."""
    from scapy.layers.l2 import ARP, Ether

    parsed = Ether(frame)
    if ARP not in parsed:
        return None
    return Heard(int(parsed[ARP].op), str(parsed[ARP].hwsrc), str(parsed[ARP].psrc))


def ipv4(protocol: int, source: IPv4Address, target: IPv4Address, payload: bytes) -> bytes:
    """An IPv4 packet of any protocol."""
    from scapy.layers.inet import IP
    from scapy.packet import Raw

    return bytes(IP(src=str(source), dst=str(target), proto=protocol) / Raw(payload))


def vni_of(packet: bytes) -> int:
    """The VNI in an outer Ethernet frame."""
    from scapy.layers.l2 import Ether
    from scapy.layers.vxlan import VXLAN

    return int(Ether(packet)[VXLAN].vni)


def dhcp_question(kind: str, mac: str, wanted: IPv4Address | None = None) -> bytes:
    """A DHCP client's `discover`, or `request` for what was offered to it."""
    from scapy.layers.dhcp import BOOTP, DHCP

    options: list[object] = [("message-type", kind)]
    if wanted is not None:
        options.append(("requested_addr", str(wanted)))
    hardware = bytes.fromhex(mac.replace(":", ""))
    return bytes(BOOTP(op=1, chaddr=hardware, xid=0x4A554E45, flags=0x8000) / DHCP(options=[*options, "end"]))


def dhcp_answer(asked: Datagram, own: IPv4Address, lease: IPv4Interface) -> bytes | None:
    """A DHCP server's `offer` or `ack`; None for anything that is no question."""
    from scapy.layers.dhcp import BOOTP, DHCP

    question = BOOTP(asked.payload)
    if DHCP not in question:
        return None
    asks = _dhcp_option(question[DHCP].options, "message-type")
    if asks not in (_DISCOVER, _REQUEST):
        return None
    options = [
        ("message-type", "offer" if asks == _DISCOVER else "ack"),
        ("server_id", str(own)),
        ("subnet_mask", str(lease.netmask)),
        ("lease_time", 3600),
        "end",
    ]
    answer = BOOTP(op=2, yiaddr=str(lease.ip), siaddr=str(own), chaddr=question.chaddr, xid=question.xid, flags=0x8000)
    return bytes(answer / DHCP(options=options))


def read_dhcp_answer(payload: bytes) -> tuple[str, IPv4Interface]:
    """What kind of answer it is, and the address in it."""
    from scapy.layers.dhcp import BOOTP, DHCP

    answer = BOOTP(payload)
    options = answer[DHCP].options
    kinds = {_OFFER: "offer", _ACK: "ack"}
    kind = next((name for number, name in kinds.items() if _dhcp_option(options, "message-type") == number), "nothing")
    return kind, IPv4Interface(f"{answer.yiaddr}/{_dhcp_option(options, 'subnet_mask')}")


def _dhcp_option(options: list[Any], name: str) -> object:
    """Options are pairs; what ends them is a text."""
    return next((option[1] for option in options if not isinstance(option, str) and option[0] == name), None)


def is_echo_request(frame: bytes) -> bool:
    from scapy.layers.inet import ICMP
    from scapy.layers.l2 import Ether

    parsed = Ether(frame)
    return ICMP in parsed and int(parsed[ICMP].type) == 8


def target_of(frame: bytes) -> str:
    """The destination address of the IPv4 packet in a frame, nothing where there is none."""
    from scapy.layers.inet import IP
    from scapy.layers.l2 import Ether

    parsed = Ether(frame)
    return str(parsed[IP].dst) if IP in parsed else ""


def ipv4_of(frame: bytes) -> bytes:
    """The IPv4 packet in a frame, nothing where there is none."""
    return frame[14:] if frame[12:14] == b"\x08\x00" else b""


@frozen
class Sight:
    """A packet as who receives it sees it; ports are 0 where it has none."""

    protocol: int
    source: str
    target: str
    source_port: int = 0
    target_port: int = 0
    is_intact: bool = True  # whether all checksums are right


def sight(frame: bytes) -> Sight | None:
    """None for a frame without an IPv4 packet."""
    from scapy.layers.inet import IP, TCP, UDP
    from scapy.layers.l2 import Ether

    parsed = Ether(frame)
    if IP not in parsed:
        return None
    packet = parsed[IP]
    ports = next((packet[layer] for layer in (TCP, UDP) if layer in packet), None)
    found = Sight(int(packet.proto), str(packet.src), str(packet.dst), is_intact=_is_intact(packet))
    return evolve(found, source_port=int(ports.sport), target_port=int(ports.dport)) if ports is not None else found


def _is_intact(packet: Any) -> bool:
    """Whether scapy would write the same checksums."""
    from scapy.layers.inet import ICMP, IP, TCP, UDP

    anew = packet.copy()
    for layer in (IP, TCP, UDP, ICMP):
        if layer in anew:
            del anew[layer].chksum
    return bytes(anew) == bytes(packet)
