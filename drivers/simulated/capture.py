"""Captures for people: frames as text and as pcap files.

This is the edge at which scapy stands, and it is imported only when something is written, read or shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from juneau.engine.trace import Trace


def describe(frame: bytes) -> str:
    """One line per frame, as scapy summarises it."""
    from scapy.layers.l2 import Ether

    # Scapy knows the layers inside a frame once their modules are imported; this one brings IPv4 and UDP too.
    import_module("scapy.layers.vxlan")
    return str(Ether(frame).summary())


def report(trace: Trace) -> str:
    """The steps of a trace, and what crossed the underlay and what arrived."""
    lines = [str(trace)]
    lines += [f"{hop.source} -> {hop.target}: {describe(hop.packet)}" for hop in trace.crossings]
    lines += [f"at {arrival.port}: {describe(arrival.frame)}" for arrival in trace.arrivals]
    return "\n".join(lines)


def write_pcap(path: Path, frames: Iterable[bytes]) -> None:
    from scapy.layers.l2 import Ether
    from scapy.utils import wrpcap

    wrpcap(str(path), [Ether(frame) for frame in frames])


def read_pcap(path: Path) -> list[bytes]:
    from scapy.utils import RawPcapReader

    with RawPcapReader(str(path)) as reader:
        return [bytes(frame) for frame, _ in reader]
