"""`juneau lab trace`: the way of one packet, step by step."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from ipaddress import AddressValueError, IPv4Address

from juneau.commands.arguments import Commands, Parser, add_world_arguments
from juneau.commands.exits import Exit, UsageError
from juneau.commands.values import port

_DESCRIPTION = """\
Bring manifests to life in memory, send a packet out of a NIC, and print its way step by step: node, point, verdict,
reason and table entry; then the answer, and the verdict in one line.

To an ADDRESS goes an ICMP echo request, a UDP datagram or a TCP connection; to a MAC goes a frame of no known protocol.
The exit status is 0 if it was delivered or answered, 3 if not, 1 if a document was refused or there is no such NIC.
"""
_EPILOG = """\
examples:
  juneau lab trace -f app.yaml --from app --to 10.90.0.5
  juneau lab trace -f app.yaml --from shop/app --to shop/web.eth1
  juneau lab trace -f app.yaml --from shop/app.eth1 --to 10.90.2.3 --proto tcp --dport 443
  juneau lab trace -f app.yaml --from outside --to web.eth1
  juneau lab trace -f app.yaml --from app --to outside
  juneau lab trace -f app.yaml --from app.eth1 --to ff:ff:ff:ff:ff:ff
  juneau lab trace -f app.yaml --from app.eth1 --pcap frames.pcap --write-pcap out.pcap
"""
LONGEST_FRAME = 65535
_ETHERNET_HEADER = 14


def add_to(commands: Commands) -> None:
    """Describe the subcommand."""
    parser = commands.add_parser(
        "trace",
        help="print the way of a packet",
        usage="juneau lab trace [-f FILE ...] --from POD[.NIC]|outside|router --to ADDRESS|MAC|POD[.NIC]"
        " [--proto icmp|tcp|udp [--dport N] | --hex FRAME | --pcap FILE] [OPTION ...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    add_packet_arguments(parser)
    add_world_arguments(parser)
    parser.set_defaults(run=run)


def add_packet_arguments(parser: Parser) -> None:
    """What to send, and from where to where."""
    packet = parser.add_argument_group("the packet")
    packet.add_argument(
        "--from", dest="source", metavar="[NAMESPACE/]POD[.NIC]",
        help="the NIC that sends it (default NIC: eth0), or outside or router, the hosts beside the Nodes"
        " (a Pod of that name comes first)",
    )  # fmt: skip
    packet.add_argument(
        "--to", dest="target", metavar="ADDRESS|MAC|[NAMESPACE/]POD[.NIC]", type=target,
        help="where it goes, a NIC meaning its address, or its MAC if it has none; also outside and router;"
        " with --hex and --pcap, where it should come out (default: anywhere)",
    )  # fmt: skip
    packet.add_argument("--proto", choices=("icmp", "tcp", "udp"), help="what goes to an address (default: icmp)")
    packet.add_argument("--dport", metavar="N", type=port, help="destination port, for tcp and udp")
    packet.add_argument("--hex", metavar="FRAME", type=frame_of, help="a whole Ethernet frame in hexadecimal")
    packet.add_argument("--pcap", metavar="FILE", help="Ethernet frames out of a pcap file, one after the other")
    packet.add_argument(
        "--write-pcap", metavar="FILE", help="write what came out, and what crossed the underlay, to a pcap file"
    )


def target(text: str) -> IPv4Address | bytes | str:
    """An IPv4 address, a MAC as its six octets, or the name of a NIC as it is."""
    try:
        return IPv4Address(text)
    except AddressValueError:
        pass
    octets = text.replace("-", ":").split(":")
    try:
        mac = bytes(int(octet, 16) for octet in octets if len(octet) == 2)
    except ValueError:
        mac = b""
    if len(octets) == 6 and len(mac) == 6:
        return mac
    if not _is_name(text):
        raise ArgumentTypeError(
            f"{text!r} is neither an IPv4 address nor a MAC such as 02:00:00:00:00:01, nor names a Pod or NIC"
        )
    return text


def _is_name(text: str) -> bool:
    from juneau.engine.names import is_dns_subdomain

    parts = text.split("/")
    is_number = not text.strip("0123456789./")  # an address with a slip in it
    return len(parts) < 3 and all(map(is_dns_subdomain, parts)) and not is_number


def frame_of(text: str) -> bytes:
    """A frame out of hexadecimal digits, with spaces or colons between octets."""
    try:
        frame = bytes.fromhex(text.replace(":", " "))
    except ValueError:
        raise ArgumentTypeError("a frame is an even number of hexadecimal digits") from None
    if not _ETHERNET_HEADER <= len(frame) <= LONGEST_FRAME:
        raise ArgumentTypeError(f"a frame has {_ETHERNET_HEADER} to {LONGEST_FRAME} octets, not {len(frame)}")
    return frame


def check(arguments: Namespace) -> None:
    """What must and what must not be given together."""
    given = [name for name in ("proto", "hex", "pcap") if getattr(arguments, name) is not None]
    if not arguments.source:
        raise UsageError("--from is missing: the Pod or NIC that sends, such as app or app.eth1")
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} exclude each other")
    raw = arguments.hex is not None or arguments.pcap is not None
    if arguments.target is None and not raw:
        raise UsageError("--to is missing: the address or MAC that the packet goes to")
    if arguments.proto is not None and isinstance(arguments.target, bytes):
        raise UsageError("--proto needs an address in --to; to a MAC goes a frame of no known protocol")
    if arguments.proto in ("tcp", "udp") and arguments.dport is None:
        raise UsageError(f"--proto {arguments.proto} needs --dport")
    if arguments.proto not in ("tcp", "udp") and arguments.dport is not None:
        raise UsageError("--dport needs --proto tcp or udp")


def run(arguments: Namespace) -> Exit:
    """Bring the lab up, send, and print."""
    if arguments.dataplane_driver == "help":
        from juneau.commands import drivers

        return drivers.run(arguments)
    check(arguments)
    from juneau.commands.tracing import trace
    from juneau.commands.worlds import carry_out, start

    session = start(arguments)
    carry_out(session, arguments.orders)
    ended = trace(session, arguments)
    return Exit.REFUSED if session.refusals and ended is Exit.OK else ended
