"""Readers of the values on a command line: each raises ArgumentTypeError, which says what to write instead.

What they need is imported when a value is read: most command lines have few.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from juneau.engine.durations import seconds_of
from juneau.lab.reference import Reference, read_reference

if TYPE_CHECKING:
    from ipaddress import IPv4Address

SUFFIXES = (".json", ".yaml", ".yml")  # of the files of a directory that are manifests
OUTPUTS = "table, wide, yaml, json, name, jsonpath=TEMPLATE"


def reference(text: str) -> Reference:
    """An object: KIND/NAME or KIND/NAMESPACE/NAME."""
    return _reference(text, named=True)


def selections(text: str) -> Sequence[Reference]:
    """Kinds or objects, by commas."""
    return [_reference(word, named=False) for word in text.split(",")]


def _reference(text: str, *, named: bool) -> Reference:
    found = read_reference(text)
    if found is None or (named and not found.name):
        shape = "KIND/NAME or KIND/NAMESPACE/NAME" if named else "KIND, KIND/NAME or KIND/NAMESPACE/NAME"
        raise argparse.ArgumentTypeError(f"{text!r} is not {shape}")
    return found


def duration(text: str) -> float:
    """Seconds."""
    seconds = seconds_of(text)
    if seconds is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration; write one such as 300s, 1h30m or 100ms")
    return seconds


def duration_text(text: str) -> str:
    """A duration that is kept as it was written."""
    duration(text)
    return text


def lease_text(text: str) -> str:
    """The same, of a time that a lease can count."""
    from juneau.resources.allocationlease import MOST_SECONDS

    if duration(text) > MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is too long: a lease counts at most {MOST_SECONDS}s")
    return text


def node_lease(text: str) -> str:
    """A duration of whole seconds, at least three: agents renew it every third of it."""
    seconds = duration(text)
    if seconds < 3 or seconds != round(seconds) or seconds > 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is no time for a Lease; write whole seconds from 3s to 24h")
    return text


def address(text: str) -> IPv4Address:
    """An IPv4 address."""
    from ipaddress import AddressValueError, IPv4Address

    try:
        return IPv4Address(text)
    except AddressValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no IPv4 address; write one such as 10.225.51.1") from None


def cidr(text: str) -> str:
    """An IPv4 prefix without host bits."""
    from juneau.engine.addresses import ipv4_network

    network = ipv4_network(text)
    if network is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no IPv4 prefix; write one such as 10.16.0.0/16")
    if str(network) != text:
        raise argparse.ArgumentTypeError(f"{text!r} has host bits set; write {network}")
    return text


def underlay_cidr(text: str) -> str:
    """A prefix with room for Nodes."""
    checked = cidr(text)
    if int(checked.partition("/")[2]) > 27:
        raise argparse.ArgumentTypeError(f"{text!r} has no room for Nodes; write a prefix of /27 or shorter")
    return checked


def optional_cidr(text: str) -> str:
    """An IPv4 prefix, or nothing."""
    return cidr(text) if text else text


def mtu(text: str) -> int:
    """An MTU within the bounds of spec.mtu."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 576 <= int(text) <= 9000):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 576 to 9000")
    return int(text)


def port(text: str) -> int:
    """A UDP or TCP port."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port from 1 to 65535")
    return int(text)


def nodes(text: str) -> Sequence[str]:
    """Names of Nodes, by commas."""
    from juneau.engine.names import is_dns_subdomain

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if not is_dns_subdomain(name):
            raise argparse.ArgumentTypeError(f"{name!r} is no name for a Node: use a-z, 0-9, dashes and dots")
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} names a Node twice")
    return names


def output_format(text: str) -> str:
    """A format of `--output`."""
    if text not in ("table", "wide", "yaml", "json", "name") and not text.startswith("jsonpath="):
        raise argparse.ArgumentTypeError(f"{text!r} is none of {OUTPUTS}")
    return text
