"""Rules of SecurityGroups and NetworkACLs: how protocols, ports and peers are written, and what a direction may cost.

A rule with several peers or ports stands for several entries; dataplanes hold entries.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4_network, prefix_fault
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.names import is_dns_subdomain
from juneau.engine.world import Index

# A keyword, or the number that IANA gave the protocol; the two are the same rule.
Protocol: TypeAlias = int | str

ANY_PROTOCOL = 0xFFFF  # not 0, which is a protocol too
HIGHEST_PROTOCOL = 255
MOST_ENTRIES = 1024  # per direction: what drivers were tested with

_NUMBERS = {
    "all": ANY_PROTOCOL,
    "icmp": 1,
    "tcp": 6,
    "udp": 17,
    "sctp": 132,
    "gre": 47,
    "esp": 50,
    "ah": 51,
}
_WITH_PORTS = frozenset({_NUMBERS["tcp"], _NUMBERS["udp"]})


@frozen
class PortRange:
    """An inclusive range of ports."""

    first: Annotated[int, Mark("lowest port", json="from", minimum=1, maximum=65535)]
    last: Annotated[int, Mark("highest port", json="to", minimum=1, maximum=65535)]


@frozen
class PortMatch:
    """One port, or a range of them."""

    port: Annotated[int | None, Mark("one destination port", minimum=1, maximum=65535)] = None
    port_range: Annotated[PortRange | None, Mark("a range of destination ports")] = None

    @property
    def bounds(self) -> tuple[int, int]:
        """The inclusive range that it matches."""
        if self.port_range is not None:
            return (self.port_range.first, self.port_range.last)
        return (self.port or 0, self.port or 0)


@frozen
class GroupReference:
    """NICs that carry a SecurityGroup of the same Vpc."""

    name: Annotated[str, Mark("name of the SecurityGroup", min_length=1)]


@frozen
class Peer:
    """Who is at the other end."""

    cidr: Annotated[str, Mark("IPv4 prefix")] = ""
    security_group_ref: Annotated[GroupReference | None, Mark("NICs with that SecurityGroup")] = None

    @property
    def group(self) -> str:
        """The name of the SecurityGroup; empty for a prefix."""
        return self.security_group_ref.name if self.security_group_ref is not None else ""


@frozen(kw_only=True)
class GroupRule:
    """What a rule of a SecurityGroup says beside its peers."""

    protocol: Annotated[Protocol, Mark("a keyword such as tcp, or a number from 0 to 255")] = "all"
    ports: Annotated[tuple[PortMatch, ...], Mark("destination ports; none: all of them")] = ()
    description: Annotated[str, Mark("free text")] = ""


@frozen(kw_only=True)
class IngressRule(GroupRule):
    """What may be received."""

    peers: Annotated[tuple[Peer, ...], Mark("senders", json="from", min_items=1)]


@frozen(kw_only=True)
class EgressRule(GroupRule):
    """What may be sent."""

    peers: Annotated[tuple[Peer, ...], Mark("receivers", json="to", min_items=1)]


@frozen
class GroupView:
    """A SecurityGroup as NICs and other SecurityGroups see it; `group_id` 0 until it has its number."""

    vpc: str
    group_id: int


@frozen
class ACLView:
    """A NetworkACL as networks see it."""

    vpc: str
    acl_id: int
    ruleset_version: int


# By the name of the NetworkACL.
ACLS: Index[ACLView] = Index("network-acls")
# By the name of the SecurityGroup.
GROUPS: Index[GroupView] = Index("security-groups")
# By the name of the SecurityGroup: (namespace, name) of the NetworkInterfaces that list it.
GROUP_MEMBERS: Index[tuple[str, str]] = Index("security-group-members")


def protocol_number(protocol: Protocol) -> int | None:
    """The number of a protocol, ANY_PROTOCOL for all of them, None where it is no protocol."""
    if isinstance(protocol, str):
        return _NUMBERS.get(protocol)
    return protocol if 0 <= protocol <= HIGHEST_PROTOCOL else None


def protocol_violations(protocol: Protocol, field: str) -> Iterator[Violation]:
    """A protocol is a keyword or a number without quotes."""
    if protocol_number(protocol) is not None:
        return
    why = f"must be one of {', '.join(_NUMBERS)}, or a number from 0 to {HIGHEST_PROTOCOL} without quotes"
    yield Violation(field, why, value=protocol)


def port_violations(protocol: Protocol, ports: tuple[PortMatch, ...], at: str) -> Iterator[Violation]:
    """The ports of the rule that stands at `at`; bounds of single numbers are marked on their types."""
    number = protocol_number(protocol)
    if ports and number is not None and number not in _WITH_PORTS:
        why = f"the protocol {protocol} has no ports; only tcp and udp may have them"
        yield Violation(f"{at}.ports", why, Cause.FORBIDDEN)
    for place, match in enumerate(ports):
        field = f"{at}.ports[{place}]"
        if match.port is None and match.port_range is None:
            yield Violation(field, "set port or portRange", Cause.REQUIRED)
        elif match.port is not None and match.port_range is not None:
            yield Violation(field, "set only one of port and portRange")
        if match.port_range is not None and match.port_range.last < match.port_range.first:
            why = f"must not be less than portRange.from, {match.port_range.first}"
            yield Violation(f"{field}.portRange.to", why, value=match.port_range.last)


def cidr_violations(cidr: str, field: str) -> Iterator[Violation]:
    """A peer's prefix is an IPv4 CIDR; host bits are accepted and do not count."""
    fault = prefix_fault(cidr)
    if fault is not None:
        yield Violation(field, fault, value=cidr)


def peer_violations(peer: Peer, at: str) -> Iterator[Violation]:
    """A peer is a prefix or a SecurityGroup; whether that exists is not asked here."""
    if peer.cidr and peer.security_group_ref is not None:
        yield Violation(at, "set only one of cidr and securityGroupRef")
    elif not peer.cidr and peer.security_group_ref is None:
        yield Violation(at, "set cidr or securityGroupRef", Cause.REQUIRED)
    if peer.cidr:
        yield from cidr_violations(peer.cidr, f"{at}.cidr")
    if peer.group and not is_dns_subdomain(peer.group):
        why = "must be the name of a SecurityGroup, a DNS-1123 subdomain"
        yield Violation(f"{at}.securityGroupRef.name", why, value=peer.group)


def budget_violations(entries: int, direction: str, counting: str) -> Iterator[Violation]:
    """One direction must not have more entries than drivers were tested with."""
    if entries > MOST_ENTRIES:
        why = f"{direction} may have at most {MOST_ENTRIES} entries; {counting}; write fewer rules or wider ranges"
        yield Violation(f"spec.{direction}", why, Cause.TOO_MANY, entries)


def canonical_protocol_and_ports(protocol: Protocol, ports: tuple[PortMatch, ...]) -> tuple[object, ...]:
    """What of a rule's protocol and ports matters to packets."""
    return (protocol_number(protocol), tuple(sorted({match.bounds for match in ports})))


def canonical_cidr(cidr: str) -> str:
    """A peer's prefix as packets are compared with it."""
    return str(ipv4_network(cidr))


def digest(rules: Iterable[object]) -> str:
    """What tells two rule sets apart, short enough for a status."""
    return hashlib.sha256(repr(tuple(rules)).encode()).hexdigest()[:16]
