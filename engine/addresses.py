"""Reading IPv4 addresses and prefixes; cached, since the same few texts are read over and over."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv4Interface, IPv4Network, IPv6Network

_CACHED = 65536


@lru_cache(_CACHED)
def ipv4(text: str) -> IPv4Address | None:
    """The address, or None where the text is not one."""
    try:
        return IPv4Address(text)
    except AddressValueError:
        return None


@lru_cache(_CACHED)
def ipv4_prefix(text: str) -> IPv4Interface | None:
    """An IPv4 CIDR with its host bits as written, or None; the prefix length has to be there, as a number."""
    address, slash, length = text.partition("/")
    if not slash or not length.isascii() or not length.isdigit() or (length != "0" and length.startswith("0")):
        return None
    try:
        return IPv4Interface(f"{address}/{length}")
    except ValueError:
        return None


def ipv4_network(text: str) -> IPv4Network | None:
    """The prefix with host bits cleared, or None."""
    prefix = ipv4_prefix(text)
    return prefix.network if prefix is not None else None


def is_ipv6_prefix(text: str) -> bool:
    """Whether text is an IPv6 CIDR, to say so in an error."""
    try:
        IPv6Network(text, strict=False)
    except ValueError:
        return False
    return "/" in text


def prefix_fault(text: str) -> str | None:
    """Why a text is no IPv4 CIDR, in words that say what to write instead; None if it is one."""
    if ipv4_prefix(text) is not None:
        return None
    if is_ipv6_prefix(text):
        return "must be an IPv4 CIDR; IPv6 is not supported here"
    if ipv4(text) is not None:
        return f'must be an IPv4 CIDR with a prefix length, such as "{text}/24"'
    return 'must be an IPv4 CIDR, such as "10.0.1.0/24"'
