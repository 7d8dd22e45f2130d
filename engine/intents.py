"""Intents: what a node's dataplane must do, said as frozen nouns without a word of the kernel.

Kinds yield them from resources, `engine.delta` compares them with what a driver reads back, drivers make them true.
They are the tables of the dataplane's description said once, for all drivers.

Two intents with the same `key` are the same thing in two states: a driver is told of a change, not of a removal and an
addition.
Where two objects want the same key (two NICs that share one reservation), the higher `rank` wins on every node at once.
"""

from __future__ import annotations

from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network
from typing import Annotated, ClassVar, TypeAlias

from attrs import field, frozen

Vni = Annotated[int, "24-bit overlay identifier of a segment"]
Mac = Annotated[str, "lower-case aa:bb:cc:dd:ee:ff"]
IntentKey: TypeAlias = tuple[str | int | IPv4Address | IPv4Network, ...]


class SegmentKind(StrEnum):
    """How frames are forwarded on a segment."""

    SUBNET = "Subnet"  # static tables, no flooding
    L2 = "L2Network"  # learning, ageing, flooding
    EXTERNAL = "ExternalNetwork"  # NICs that carry addresses from outside themselves; in no Vpc, no flooding


@frozen
class Intent:
    """What all intents have: where they hold, and how two of one key are settled."""

    order: ClassVar[int] = 0  # additions go by ascending order, removals by descending

    rank: tuple[int | str, ...] = field(kw_only=True, eq=False, default=())

    @property
    def key(self) -> IntentKey:
        """What identifies it among all intents of a node."""
        raise NotImplementedError(type(self).__name__)

    @property
    def placed_on(self) -> str | None:
        """The one node it is for, or None for every node."""
        return None


@frozen
class Underlay(Intent):
    """A Node takes part in the overlay with its InternalIP (`node_underlays`, `host_underlay`)."""

    order: ClassVar[int] = 10
    node: str
    address: IPv4Address

    @property
    def key(self) -> IntentKey:
        return ("underlay", self.node)


@frozen
class Segment(Intent):
    """A Subnet, an L2Network or an ExternalNetwork exists under this VNI (`subnet_map`, `l2_network_map`).

    `vpc_id` is 0 on an ExternalNetwork, which is in no Vpc.
    `mtu` is the MTU of its NICs, None where the kernel's default stays.
    """

    order: ClassVar[int] = 20
    vni: Vni
    kind: SegmentKind
    vpc_id: int
    mtu: int | None = None

    @property
    def key(self) -> IntentKey:
        return ("segment", self.vni)


@frozen
class Gateway(Intent):
    """A segment has a gateway on every node, with the same address and MAC (`subnet_map`, `l2_gateway`).

    On an L2 segment it is a router port, which comes last and goes first: packets never reach a half-made one.
    `prefix` is the segment's CIDR, `table_id` the route table that governs what leaves through it.
    `acl_id` 0 means no NetworkACL.
    """

    order: ClassVar[int] = 90
    vni: Vni
    address: IPv4Address
    mac: Mac
    prefix: IPv4Network
    table_id: int
    acl_id: int = 0

    @property
    def key(self) -> IntentKey:
        return ("gateway", self.vni)


class PortOwner(StrEnum):
    """Whose NIC a port is."""

    POD = "Pod"
    NODE = "Node"


@frozen
class Port(Intent):
    """A NIC is attached to a segment on one node (`ifindex_subnet`, `ifindex_external_network`, `l2_ifindex`).

    `name` is `<namespace>/<pod>.<interface>`, or `<node>` for the Node's own port of the default Subnet.
    `number` is the link's number on its node; `address` is None on a segment that hands out none.
    `kind` is what its object says, which still holds when the segment is gone: frames of a NIC of an L2 segment never
    take the way of a Subnet's.
    What was heard on an L2 segment at the port goes with it.
    """

    order: ClassVar[int] = 40
    name: str
    node: str
    number: int
    vni: Vni
    mac: Mac
    address: IPv4Address | None = None
    owner: PortOwner = PortOwner.POD
    kind: SegmentKind = SegmentKind.SUBNET

    @property
    def key(self) -> IntentKey:
        return ("port", self.name)

    @property
    def placed_on(self) -> str | None:
        return self.node


@frozen
class Neighbour(Intent):
    """Where nothing is learned, this address has this MAC (`arp_table`): Pods, Nodes, gateways, virtual resolvers."""

    order: ClassVar[int] = 50
    vni: Vni
    address: IPv4Address
    mac: Mac

    @property
    def key(self) -> IntentKey:
        return ("neighbour", self.vni, self.address)


@frozen
class NeighbourSeed(Intent):
    """On an L2 segment with a gateway, Juneau handed this address to this MAC (`l2_arp`, seeded).

    What was heard on the segment wins: a driver writes it only if the address has no entry.
    With it goes whatever was heard of its MAC, be it another address.
    """

    order: ClassVar[int] = 50
    vni: Vni
    address: IPv4Address
    mac: Mac

    @property
    def key(self) -> IntentKey:
        return ("neighbour-seed", self.vni, self.address)


@frozen
class Station(Intent):
    """Where nothing is learned, frames for this MAC go to this node, and there to this port (`fdb`).

    Without a name it is the port with that MAC; two NICs of a node can share one.
    """

    order: ClassVar[int] = 60
    vni: Vni
    mac: Mac
    node: str
    port: str = ""

    @property
    def key(self) -> IntentKey:
        return ("station", self.vni, self.mac)


@frozen
class FloodPeer(Intent):
    """A node holds a port of a workload on an L2 segment, so floods go there (`l2_bum_remote`)."""

    order: ClassVar[int] = 60
    vni: Vni
    node: str

    @property
    def key(self) -> IntentKey:
        return ("flood-peer", self.vni, self.node)


@frozen
class ToSegment:
    """Connected: deliver on this segment, next hop = the destination itself."""

    vni: Vni


@frozen
class ToStation:
    """Endpoint: deliver to this MAC on this segment, whatever the destination is."""

    vni: Vni
    mac: Mac


@frozen
class Blackhole:
    """Drop, and say so."""


@frozen
class ToInternet:
    """internetGateway: out of the Vpc, under the address that stands for the sender one to one."""


@frozen
class ToNATGateway:
    """natGateway: out of the Vpc from this Node, under the address that its Pods share for that gateway."""

    gateway_id: int


RouteTarget: TypeAlias = ToSegment | ToStation | ToInternet | ToNATGateway | Blackhole


@frozen
class Route(Intent):
    """In a route table, packets for `dst` go to `target`; the longest prefix wins (`fib_map`)."""

    order: ClassVar[int] = 70
    table_id: int
    dst: IPv4Network
    target: RouteTarget

    @property
    def key(self) -> IntentKey:
        return ("route", self.table_id, self.dst)


EVERY_NODE = "*"
NO_NODE = ""
# The next hop of every NIC that carries an address from outside; nobody has it, the Node answers ARP for it.
DIRECT_NEXT_HOP = IPv4Address("169.254.0.1")


@frozen
class ExternalPrefix(Intent):
    """Packets for this prefix are Juneau's, never the host's (`external_address_pools`).

    `taker` says which node takes delivery of what its own Pods send there: one by its name, `EVERY_NODE`, or `NO_NODE`.
    Of several for one prefix, one that names this node or every node is enough.
    """

    order: ClassVar[int] = 30
    prefix: IPv4Network
    taker: str = NO_NODE

    @property
    def key(self) -> IntentKey:
        return ("external-prefix", self.prefix, self.taker)


@frozen
class DirectAddress(Intent):
    """An address from outside that a NIC carries itself (`elastic_ip_direct`).

    The NIC is found as on a Subnet, by the neighbour and the station of the ExternalNetwork's segment `vni`.
    """

    order: ClassVar[int] = 80
    address: IPv4Address
    vni: Vni

    @property
    def key(self) -> IntentKey:
        return ("direct-address", self.address)


@frozen
class StaticNAT(Intent):
    """An address from outside stands one to one for a NIC's (`nat_dnat_map`, `nat_snat_map`).

    `vni` is the segment of the NIC, `inner` its address there.
    """

    order: ClassVar[int] = 80
    external: IPv4Address
    vni: Vni
    inner: IPv4Address

    @property
    def key(self) -> IntentKey:
        return ("static-nat", self.external)


@frozen
class NATSource(Intent):
    """What leaves a node through a NATGateway has this source address (`napt_src`).

    Flows that were translated to an address end when the node has it no longer.
    """

    order: ClassVar[int] = 80
    gateway_id: int
    node: str
    address: IPv4Address

    @property
    def key(self) -> IntentKey:
        return ("nat-source", self.gateway_id, self.node)

    @property
    def placed_on(self) -> str | None:
        return self.node


def arp_answer_key(address: IPv4Address) -> IntentKey:
    """The key of the ARPAnswer for an address: a Node has one of them at most."""
    return ("arp-answer", address)


@frozen
class ARPAnswer(Intent):
    """One node, and no other, answers ARP requests for an address on its ingress NIC (`external_arp_table`).

    `term` tells one grant of the address from the next; a driver announces the address before it begins to answer.
    """

    order: ClassVar[int] = 100
    address: IPv4Address
    node: str
    term: int

    @property
    def key(self) -> IntentKey:
        return arp_answer_key(self.address)

    @property
    def placed_on(self) -> str | None:
        return self.node
