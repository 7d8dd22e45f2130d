"""Frames a second through the simulated driver: known unicast on an L2 segment, bytes to bytes, trace off."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address

from bench.measure import Figure, hand_over, rate
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.site import SimulatedSite
from juneau.engine.delta import Delta
from juneau.engine.driver import Link, LinkSettings
from juneau.engine.intents import FloodPeer, Intent, Port, Segment, SegmentKind, Underlay

VNI = 4242
FRAMES = 20_000


def site_with(nodes: tuple[str, str]) -> tuple[SimulatedSite, Link, Link]:
    """Two NICs on one segment, on these two nodes (or twice on one), which know each other's MAC."""
    site = SimulatedDriver.site()
    drivers = {
        name: site.add_node(name, IPv4Address(f"10.225.51.{11 + place}"))
        for place, name in enumerate(dict.fromkeys(nodes))
    }
    links = [site.plug(node, f"bench/{place}", "eth0", LinkSettings(mtu=1450)) for place, node in enumerate(nodes)]
    common: list[Intent] = [Segment(VNI, SegmentKind.L2, 2, 1450)]
    common += [Underlay(name, IPv4Address(f"10.225.51.{11 + place}")) for place, name in enumerate(drivers)]
    common += [FloodPeer(VNI, name) for name in drivers]
    for name, driver in drivers.items():
        own = [
            Port(f"bench/{place}.eth0", node, link.number, VNI, link.mac)
            for place, (node, link) in enumerate(zip(nodes, links, strict=True))
            if node == name
        ]
        driver.apply(Delta(add=(*common, *own)))
    return site, links[0], links[1]


def frame(source: Link, target: Link) -> bytes:
    """64 bytes of an EtherType that nobody interprets."""
    addresses = bytes.fromhex(target.mac.replace(":", "")) + bytes.fromhex(source.mac.replace(":", ""))
    return addresses + struct.pack("!H", 0x88B5) + bytes(50)


def main() -> None:
    """Measure on one node and across two."""
    figures: list[Figure] = []
    for name, nodes in (("one node", ("n1", "n1")), ("across nodes, VXLAN", ("n1", "n2"))):
        site, first, second = site_with(nodes)
        there = frame(first, second)
        site.inject(nodes[1], "bench/1", "eth0", frame(second, first))
        site.tracing = False
        mark = site.mark(nodes[1], "bench/1", "eth0")
        site.inject(nodes[0], "bench/0", "eth0", there)
        if list(site.received(nodes[1], "bench/1", "eth0", mark)) != [there]:
            raise SystemExit("the frame did not arrive as it was sent")

        def send(count: int, site: SimulatedSite = site, node: str = nodes[0], sent: bytes = there) -> None:
            for _ in range(count):
                site.inject(node, "bench/0", "eth0", sent)

        figures.append(
            Figure("simulated driver", f"known unicast, {name}", rate(send, FRAMES), "frames/s", at_least=20_000)
        )
    hand_over(figures)


if __name__ == "__main__":
    main()
