"""Hosts outside the cluster for driver tests: what they send and what they see of ARP."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface

from attrs import frozen
from tests.drivers.frames import arp_request

from juneau.drivers.simulated.codec import ARP, ARP_REPLY, ARP_REQUEST, BROADCAST, Arp, mac_bytes, mac_text, parse_arp
from juneau.engine.driver import OUTSIDE, UNDERLAY_ETHERNET, Exchange, Site
from juneau.engine.trace import Reason, Trace


@frozen
class Outsider:
    """A host outside, and when one began to look at what it receives."""

    site: Site
    name: str

    @property
    def mac(self) -> bytes:
        return nic_mac(self.site, OUTSIDE, self.name, "eth0")

    @property
    def address(self) -> str:
        return str(self.site.link_state(OUTSIDE, self.name, "eth0").addresses[0].ip)

    def mark(self) -> int:
        return self.site.mark(OUTSIDE, self.name, "eth0")

    def frames(self, since: int = 0) -> list[bytes]:
        return list(self.site.received(OUTSIDE, self.name, "eth0", since))

    def arps(self, since: int = 0) -> list[tuple[bytes, Arp]]:
        """Destination MAC and content."""
        parsed = ((frame, parse_arp(frame)) for frame in self.frames(since) if frame[12:14] == ARP)
        return [(frame[:6], arp) for frame, arp in parsed if arp is not None]

    def answers(self, target: str, to: bytes = BROADCAST, sender: str | None = None) -> list[str]:
        """Ask by ARP; the MACs of all replies that come."""
        mark = self.mark()
        self.send(arp_request(self.mac, self.address if sender is None else sender, target, to))
        replies = [(to, arp) for to, arp in self.arps(mark) if arp.operation == ARP_REPLY]
        assert all(to == self.mac and arp.sender == int(IPv4Address(target)) for to, arp in replies)
        return [mac_text(arp.sender_mac) for _, arp in replies]

    def announcements(self, since: int) -> list[tuple[str, str]]:
        """Address and MAC of the gratuitous requests that it has heard."""
        return [
            (str(IPv4Address(arp.sender)), mac_text(arp.sender_mac))
            for to, arp in self.arps(since)
            if to == BROADCAST and arp.operation == ARP_REQUEST and arp.sender == arp.target
        ]

    def claim(self, address: str) -> Trace:
        """Announce an address, whether it is its own or not."""
        return self.site.announce(OUTSIDE, self.name, "eth0", IPv4Address(address))

    def send(self, frame: bytes) -> Trace:
        return self.site.inject(OUTSIDE, self.name, "eth0", frame)

    def ping(self, target: str) -> Exchange:
        return self.site.ping(OUTSIDE, self.name, IPv4Address(target))


def outsider(site: Site, name: str, address: str, ethernet: str = UNDERLAY_ETHERNET, gateway: str = "") -> Outsider:
    by = IPv4Address(gateway) if gateway else None
    site.add_outside(name, IPv4Interface(address), by, ethernet)
    return Outsider(site, name)


def nic_mac(site: Site, node: str, sandbox: str, interface: str) -> bytes:
    return mac_bytes(site.link_state(node, sandbox, interface).link.mac)


def node_mac(site: Site, node: str, interface: str = "eth0") -> str:
    return site.link_state(node, node, interface).link.mac


def entered(trace: Trace) -> list[str]:
    """The Nodes whose ingress packets and frames came in at, in order and each once."""
    return list(dict.fromkeys(step.node for step in trace.steps if step.reason is Reason.NODE_INGRESS))
