"""What Subnets and L2Networks have in common, and the questions about address space that go across Kinds.

A `Network` is a segment of a Vpc as others see it: NICs, RouteTables, overlap checks.
Overlap checks ask what lies around a prefix in a Vpc, and which Vpcs are reachable from it; Kinds that join Vpcs feed
the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from ipaddress import IPv4Network
from typing import Any

from attrs import frozen

from juneau.engine.addresses import ipv4, prefix_fault
from juneau.engine.errors import Violation, quoted
from juneau.engine.intents import SegmentKind
from juneau.engine.names import prefixed_name
from juneau.engine.objects import Key
from juneau.engine.world import Contribution, Index, Reader, contribution

DEFAULT_VPC = "default"
DEFAULT_SUBNET = "default"
SUBNET = "Subnet"
L2NETWORK = "L2Network"


@frozen
class Network:
    """A segment of a Vpc, with what is known of it so far (VNI 0 and empty texts where it is not)."""

    kind: SegmentKind
    name: str
    vpc: str
    cidr: IPv4Network | None
    pool: str = ""  # AllocationPool of its addresses; empty where it hands out none
    vni: int = 0
    gateway: str = ""
    has_gateway: bool = False
    mtu: int = 0  # 0: NICs keep the kernel's default
    cidr_fault: str = ""  # why what it says for a prefix is none
    usable: bool = False  # NICs can be made on it; also while something else keeps it from being Ready
    route_table: str = ""  # that governs what leaves it; empty: the Vpc's main one

    @property
    def key(self) -> Key:
        return Key(self.kind.value, "", self.name)

    @property
    def governing_table(self) -> str:
        """The name of the RouteTable by which packets leave it."""
        return self.route_table or self.vpc

    @property
    def hands_out_addresses(self) -> bool:
        return self.cidr is not None


@frozen
class Prefix:
    """A prefix that is in use in a Vpc: of a network, or of the Vpc's endpoint pool."""

    owner: Key
    vpc: str
    cidr: IPv4Network
    what: str  # "Subnet", "L2Network" or "endpointPool"


@frozen
class Join:
    """A Vpc that can be reached, and by what: a VpcPeering, or a TransitGatewayRouteTable."""

    vpc: str
    by: Key


@frozen
class AutomaticRoute:
    """A route that is in every RouteTable of a Vpc by itself, or in its main one; `rank` orders them by type."""

    rank: int
    dst: IPv4Network
    type: str
    subnet: str = ""
    l2_network: str = ""
    nat_gateway: str = ""
    main_only: bool = False

    @property
    def place(self) -> tuple[int, str, str]:
        return (self.rank, self.subnet, self.l2_network)


_POOLS = {SUBNET: "subnet-ip-", L2NETWORK: "l2network-ip-"}

# By Key(kind, "", name) of a Subnet or L2Network.
NETWORKS: Index[Network] = Index("networks")
# By (Vpc, length, leading bits): the prefixes that are just that, and those that lie within it.
# Whoever asks about one prefix is woken by what overlaps it, not by every other network of the Vpc.
_EQUAL: Index[Prefix] = Index("prefixes-equal-to")
_WITHIN: Index[Prefix] = Index("prefixes-within")
# By Vpc.
JOINS: Index[Join] = Index("vpcs-joined-to")
AUTOMATIC_ROUTES: Index[AutomaticRoute] = Index("automatic-routes-of-vpc")
# By RouteTable: the destinations that lead out of the Vpc by an internetGateway.
INTERNET_ROUTES: Index[str] = Index("internet-routes")
# By (Kind, name) of what is referenced, the names of those that would be left dangling.
USERS: Index[str] = Index("users")


def address_pool(kind: str, name: str) -> str:
    """The AllocationPool of a network's addresses."""
    return prefixed_name(_POOLS[kind], name)


def cidr_fault(text: str) -> str:
    """Why a network's prefix cannot be read, with what stands there; empty where it can."""
    fault = prefix_fault(text)
    return f"{quoted(text)} {fault}" if fault is not None else ""


def key_of(subnet: str, l2_network: str) -> Key:
    """The network that a spec names, which sets only one of the two."""
    return Key(L2NETWORK, "", l2_network) if l2_network else Key(SUBNET, "", subnet)


def network_of(world: Reader, subnet: str, l2_network: str) -> Network | None:
    """The network that a spec names, None also where it names none."""
    key = key_of(subnet, l2_network)
    return network(world, key.kind, key.name) if key.name else None


def network(world: Reader, kind: str, name: str) -> Network | None:
    """The Subnet or L2Network of that name, as others see it."""
    found = world.values(NETWORKS, Key(kind, "", name))
    return found[0] if found else None


def users(world: Reader, kind: str, name: str, user_kind: str) -> list[str]:
    """The names of the objects of a Kind that refer to this object, sorted."""
    filed = world.entries(USERS, (kind, name))
    return sorted(value for key, values in filed.items() if key.kind == user_kind for value in values)


def listed(kind: str, names: list[str]) -> str:
    """Objects as an error lists them."""
    return f"{kind} {', '.join(quoted(name) for name in names)}"


def overlaps(world: Reader, own: Key, vpc: str, cidr: IPv4Network) -> Iterator[str]:
    """What a prefix of this Vpc would overlap: here, in every Vpc reachable from it, and in the cluster's Services.

    Symmetric: what refuses A beside B refuses B beside A.
    """
    yield from _overlaps_in(world, own, vpc, cidr, "")
    for join in world.values(JOINS, vpc):
        yield from _overlaps_in(world, own, join.vpc, cidr, f", which {join.by.kind} {join.by.name} joins to Vpc {vpc}")
    services = world.settings.service_network
    if services is not None and services.overlaps(cidr):
        yield f"overlaps the cluster's Service CIDR {services}, which Vpc {vpc} must not use"


def _overlaps_in(world: Reader, own: Key, vpc: str, cidr: IPv4Network, how: str) -> Iterator[str]:
    for prefix in overlapping(world, vpc, cidr):
        if prefix.owner == own:
            continue
        if prefix.what == "endpointPool":
            yield f"overlaps {prefix.cidr} in the endpointPool of Vpc {vpc}{how}"
        else:
            yield f"overlaps {prefix.what} {prefix.owner.name} ({prefix.cidr}) of Vpc {vpc}{how}"


def overlapping(world: Reader, vpc: str, cidr: IPv4Network) -> list[Prefix]:
    """The prefixes of a Vpc that this one contains, equals or lies in."""
    *wider, own = _blocks(vpc, cidr)
    found = [prefix for block in wider for prefix in world.values(_EQUAL, block)]
    return found + world.values(_WITHIN, own)


def _blocks(vpc: str, cidr: IPv4Network) -> list[tuple[str, int, int]]:
    """The blocks that a prefix lies in, the widest first, itself last."""
    bits = int(cidr.network_address)
    return [(vpc, length, bits >> (32 - length)) for length in range(cidr.prefixlen + 1)]


def prefix_contributions(prefixes: Callable[[Any], Iterable[Prefix]]) -> tuple[Contribution, ...]:
    """What a Kind that occupies address space of Vpcs puts into the indexes."""

    def equal(obj: Any) -> Iterator[tuple[Hashable, Prefix]]:
        for prefix in prefixes(obj):
            yield (_blocks(prefix.vpc, prefix.cidr)[-1], prefix)

    def within(obj: Any) -> Iterator[tuple[Hashable, Prefix]]:
        for prefix in prefixes(obj):
            for block in _blocks(prefix.vpc, prefix.cidr):
                yield (block, prefix)

    return (contribution(_EQUAL, equal), contribution(_WITHIN, within))


def overlap_violations(world: Reader, own: Key, vpc: str, cidr: IPv4Network, field: str) -> Iterator[Violation]:
    """The overlaps as rules that admission refuses; on what is stored already they only show."""
    for why in overlaps(world, own, vpc, cidr):
        yield Violation(field, f"{why}; choose another prefix", value=str(cidr), audit_only=True)


def address_violations(text: str, net: Network | None, field: str) -> Iterator[Violation]:
    """NIC-9 to NIC-11: an address that is asked for is one that the network, if it is there, could hand out."""
    if not text:
        return
    address = ipv4(text)
    if address is None:
        yield Violation(field, "must be an IPv4 address", value=text)
    elif net is None:
        return
    elif net.cidr_fault:
        why = f"spec.cidr of {net.kind.value} {net.name} cannot be read: {net.cidr_fault}"
        yield Violation(field, why, value=text)
    elif net.cidr is None:
        why = f"{net.kind.value} {net.name} hands out no addresses: it has no spec.cidr"
        yield Violation(field, why, value=text)
    elif address not in net.cidr:
        yield Violation(field, f"must lie in {net.cidr} of {net.kind.value} {net.name}", value=text)
