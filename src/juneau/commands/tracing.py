"""One packet through a lab: which NIC it leaves, its way, and the verdict."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from ipaddress import IPv4Address
from pathlib import Path
from typing import cast

from attrs import frozen

from juneau.commands.exits import Exit, UsageError
from juneau.commands.nics import find_nic
from juneau.commands.probes import Nic, arrived_at, frame, receivers
from juneau.commands.verdicts import last_word, why_no_answer
from juneau.engine.driver import Answer, Exchange
from juneau.engine.trace import Trace
from juneau.lab.session import Session

# How pcap files begin, in both byte orders and both resolutions of time, and pcapng files.
_PCAP = tuple(map(bytes.fromhex, ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "0a0d0d0a")))
_PCAP_HEADER = 24
# In the columns of a Step.
_HEADER = f"{'NODE':<12} {'POINT':<24} {'VERDICT':<8} REASON (NUMBER)  TABLE[KEY]  DETAIL"


@frozen
class Sent:
    """What was sent, in words, its way, and whether it arrived."""

    what: str
    trace: Trace
    arrived: bool
    verdict: str


def trace(session: Session, arguments: Namespace) -> Exit:
    """Send what the arguments describe and print it; the arguments have been checked."""
    sender = find_nic(session, arguments.source)
    if sender is None:
        return Exit.REFUSED
    try:
        target = _target(session, arguments)
    except LookupError:
        return Exit.REFUSED
    frames = _frames(arguments, sender, target)
    try:
        if isinstance(target, IPv4Address) and frames is None:
            sent = [_exchange(session, sender, target, arguments.proto or "icmp", arguments.dport)]
        else:
            sent = [_injected(session, sender, one, target) for one in frames or ()]
    except LookupError as error:
        session.refuse(f"error: {error}")
        return Exit.REFUSED
    for one in sent:
        _print(sender, one)
    if arguments.write_pcap is not None:
        _write(Path(arguments.write_pcap), [one.trace for one in sent])
    return Exit.OK if all(one.arrived for one in sent) else Exit.NOT_DELIVERED


def _target(session: Session, arguments: Namespace) -> IPv4Address | bytes | None:
    """Where it goes; of a NIC that is named that is its address, or its MAC if it has none.

    Raises LookupError if there is no such NIC, once that has been told.
    """
    if not isinstance(arguments.target, str):
        return cast("IPv4Address | bytes | None", arguments.target)
    found = find_nic(session, arguments.target)
    if found is None:
        raise LookupError
    if found.address is not None:
        return found.address.ip
    if arguments.proto is not None:
        session.refuse(f"error: {found.port} has no address; without --proto a frame goes to its MAC")
        raise LookupError
    return found.mac


def _frames(arguments: Namespace, sender: Nic, target: IPv4Address | bytes | None) -> Sequence[bytes] | None:
    """The frames to send as they are; None where a host of its own accord makes the packet."""
    if arguments.hex is not None:
        return [arguments.hex]
    if arguments.pcap is not None:
        return _read(Path(arguments.pcap))
    return [frame(target, sender)] if isinstance(target, bytes) else None


def _read(path: Path) -> Sequence[bytes]:
    from scapy.error import Scapy_Exception

    from juneau.drivers.simulated.capture import read_pcap

    try:
        with path.open("rb") as stream:
            head = stream.read(_PCAP_HEADER)
        if head[:4] not in _PCAP or len(head) < _PCAP_HEADER:
            raise UsageError(f'"{path}" is no pcap file')
        frames = read_pcap(path)
    except OSError as error:
        raise UsageError(f'cannot read "{path}": {error.strerror or error}') from None
    except (Scapy_Exception, EOFError, ValueError) as error:
        raise UsageError(f'"{path}" is no pcap file: {error}') from None
    if not frames:
        raise UsageError(f'"{path}" holds no frame')
    return frames


def _write(path: Path, traces: Sequence[Trace]) -> None:
    from juneau.drivers.simulated.capture import write_pcap

    frames = [hop.packet for way in traces for hop in way.crossings]
    frames += [arrival.frame for way in traces for arrival in way.arrivals]
    try:
        write_pcap(path, frames)
    except OSError as error:
        raise UsageError(f'cannot write "{path}": {error.strerror or error}') from None


def _exchange(session: Session, sender: Nic, target: IPv4Address, proto: str, dport: int | None) -> Sent:
    site, at = session.site, (sender.node, sender.sandbox, target)
    own = sender.address.ip if sender.carries_elastic_ip and sender.address is not None else None
    interface = "" if own is not None else sender.interface
    if proto == "tcp":
        exchange = site.connect_tcp(*at, dport or 0, source=own, interface=interface)
        what = f"TCP connection to {target}:{dport}"
    elif proto == "udp":
        exchange = site.send_udp(*at, dport or 0, b"juneau", source=own, interface=interface)
        what = f"UDP datagram to {target}:{dport}"
    else:
        exchange = site.ping(*at, source=own, interface=interface)
        what = f"ICMP echo request to {target}"
    verdict = _answer(session, sender, exchange, target, proto)
    return Sent(what, exchange.trace, exchange.answer is not Answer.NONE, verdict)


def _answer(session: Session, sender: Nic, exchange: Exchange, target: IPv4Address, proto: str) -> str:
    if exchange.answer is Answer.REPLY:
        return f"answered by {target}"
    if exchange.answer is Answer.REFUSED:
        return f"answered: {target} is reached, and nobody listens on that port"
    network = session.lab.outside.network
    return f"no answer: {why_no_answer(session.lab.cache, sender, exchange.trace, target, proto, network)}"


def _injected(session: Session, sender: Nic, content: bytes, target: IPv4Address | bytes | None) -> Sent:
    way = session.site.inject(sender.node, sender.sandbox, sender.interface, content)
    what = f"frame of {len(content)} octets to {content[:6].hex(':')}"
    ports = receivers(way)
    came_out = f"came out at {', '.join(ports)}"
    if not ports:
        return Sent(what, way, False, f"not delivered: {last_word(way)}")
    if target is None or (isinstance(target, bytes) and target[0] & 1):
        return Sent(what, way, True, f"delivered: {came_out}")
    wanted = arrived_at(session.lab.cache, ports, target)
    if wanted:
        return Sent(what, way, True, f"delivered: {came_out}")
    who = target.hex(":") if isinstance(target, bytes) else str(target)
    return Sent(what, way, False, f"not delivered: {came_out}, and none of them has {who}")


def _print(sender: Nic, sent: Sent) -> None:
    address = str(sender.address.ip) if sender.address is not None else "no address"
    sys.stdout.write(f"{sent.what}, from {sender.port} ({address}, {sender.mac.hex(':')}) on {sender.where}\n")
    if sent.trace.steps:
        sys.stdout.write(f"  {_HEADER}\n")
    sys.stdout.writelines(f"  {step}\n" for step in sent.trace.steps)
    sys.stdout.write(f"{sent.verdict}\n")
