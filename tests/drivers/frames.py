"""Frames that driver tests send, and what they ask of frames that came out."""

from __future__ import annotations

from ipaddress import IPv4Address

from tests.drivers.world import Nic

from juneau.drivers.simulated.codec import (
    ARP_REPLY,
    ARP_REQUEST,
    BROADCAST,
    Arp,
    Ipv4,
    build_arp,
    build_ipv4,
    mac_bytes,
)
from juneau.engine.driver import Site
from juneau.engine.trace import Reason, Trace

EXPERIMENTAL = 0x88B5
IPV4 = 0x0800


def mac(nic: Nic) -> bytes:
    return mac_bytes(nic.link.mac)


def ether(to: bytes, source: bytes, ethertype: int = EXPERIMENTAL, payload: bytes = b"juneau") -> bytes:
    return to + source + ethertype.to_bytes(2, "big") + payload


def packet(source: str, target: str, protocol: int = 253, payload: bytes = b"juneau", ttl: int = 64) -> bytes:
    return build_ipv4(Ipv4(int(IPv4Address(source)), int(IPv4Address(target)), protocol, payload, ttl))


def arp_request(source: bytes, sender: str, target: str, to: bytes = BROADCAST) -> bytes:
    arp = Arp(ARP_REQUEST, source, int(IPv4Address(sender)), bytes(6), int(IPv4Address(target)))
    return build_arp(arp, to)


def arp_reply(source: bytes, sender: str, target_mac: bytes, target: str) -> bytes:
    arp = Arp(ARP_REPLY, source, int(IPv4Address(sender)), target_mac, int(IPv4Address(target)))
    return build_arp(arp, target_mac)


def announcement(source: bytes, sender: str) -> bytes:
    return arp_reply(source, sender, BROADCAST, sender)


def send(site: Site, nic: Nic, frame: bytes) -> Trace:
    return site.inject(nic.node, nic.sandbox, nic.interface, frame)


def speak(site: Site, *nics: Nic) -> None:
    """Each sends one frame, so that its MAC is learned."""
    for nic in nics:
        send(site, nic, ether(BROADCAST, mac(nic)))


def arrived(trace: Trace) -> list[str]:
    """The ports that got a frame, sorted."""
    return sorted(arrival.port for arrival in trace.arrivals)


def reasons(trace: Trace) -> list[Reason]:
    """Why copies were lost."""
    return [step.reason for step in trace.drops()]
