"""Traces: what happened to one packet, step by step, with a reason that has a stable number.

A driver that can trace fills a `Trace`; commands and failing tests print it.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from attrs import Factory, define, frozen


class Reason(IntEnum):
    """Why a step went as it did.

    Numbers below 700 are those of the observability page and are never reused; from 700 on they are Juneau's own.
    """

    POD_EGRESS = 100
    POD_INGRESS = 101
    VXLAN_INGRESS = 102
    NODE_INGRESS = 103
    L2_EGRESS = 104
    L2_INGRESS = 105
    L2_GATEWAY = 106
    MISS_NIC = 200
    MISS_NETWORK = 201
    MISS_ROUTE_TABLE = 202
    MISS_ROUTE = 203
    MISS_ARP = 204
    MISS_FDB = 205
    MISS_L2_PORT = 212
    MISS_L2_NETWORK = 213
    MISS_L2_MAC = 214
    MISS_L2_ARP = 215
    MISS_L2_GATEWAY = 216
    REDIRECT_PORT = 500
    REDIRECT_VXLAN = 501
    PASS_TO_HOST = 502
    DROP = 503
    BLACKHOLE = 504
    L2_LEARNED = 600
    L2_FLOOD = 601
    L2_SPLIT_HORIZON = 602
    L2_HAIRPIN_DROP = 603
    L2_GW_LOOP_DROP = 604
    TTL_EXCEEDED = 700
    MTU_EXCEEDED = 701
    MALFORMED = 702
    ARP_ANSWERED = 703
    ARP_IGNORED = 704
    ARP_SNOOPED = 705
    NO_TUNNEL_DATA = 706
    NOT_IPV4 = 707
    ROUTED = 708
    GATEWAY_COPY_IGNORED = 709
    UNDERLAY_LOST = 710
    DELIVERED = 711
    BUDGET_EXHAUSTED = 712
    SPOOFED_SOURCE = 713  # out of a NIC that carries an address from outside, from another address
    CLAIMED_UNUSED = 714  # for an address of ours that nobody uses, or that no flow has asked for
    MISS_NAT = 715  # nothing stands for the sender, or for the address, one to one
    MISS_NAT_SOURCE = 716  # the Node has no address for this NATGateway
    NAT_PROTOCOL = 717  # neither TCP, UDP nor ICMP that a NATGateway can translate
    NAT_FRAGMENT = 718  # a fragment, which has no ports to translate
    NAT_PORTS_EXHAUSTED = 719
    NAT_TRANSLATED = 720
    NAT_RESTORED = 721
    DIRECT_ADDRESS = 722  # a NIC carries the address itself
    TURNED_AROUND = 723  # from a NIC of this Node to an address that this Node takes delivery of
    HOST_ROUTED = 724  # goes on by the Node's own routing table
    ICMP_QUOTE = 725  # an ICMP error whose quoted packet cannot be read, or is of no known flow
    ARP_YIELDED = 726  # out of contact, and another MAC has announced the address
    ARP_CONFLICT = 727  # in contact, and another MAC has announced an own address
    ARP_FENCED = 728  # out of contact for too long to answer


class Verdict(StrEnum):
    """What a step decided."""

    NEXT = "next"  # goes on to the next step
    DELIVER = "deliver"
    ANSWER = "answer"  # the dataplane itself replies
    IGNORE = "ignore"  # a copy that was not meant for this place ends; nothing is lost
    DROP = "drop"


@frozen
class Step:
    """One look-up or decision: at which point of which node, in which table, under which key."""

    node: str  # "" outside the cluster
    point: str  # an attachment point: "pod egress", "gateway port, outbound", "VXLAN ingress", ...
    reason: Reason
    verdict: Verdict = Verdict.NEXT
    table: str = ""
    key: str = ""
    detail: str = ""

    def __str__(self) -> str:
        table = f"  {self.table}[{self.key}]" if self.table else ""
        detail = f"  {self.detail}" if self.detail else ""
        where = self.node or "outside"
        return f"{where:<12} {self.point:<24} {self.verdict:<8} {self.reason.name} ({self.reason}){table}{detail}"


@frozen
class Arrival:
    """A frame that came out at a port."""

    node: str
    port: str  # the Port's name
    frame: bytes


@frozen
class Crossing:
    """An encapsulated frame that went over the underlay; `packet` is the whole outer Ethernet frame."""

    source: str
    target: str
    vni: int
    packet: bytes


@define
class Trace:
    """The way of one frame and of everything that it set off, in order."""

    steps: list[Step] = Factory(list[Step])
    arrivals: list[Arrival] = Factory(list[Arrival])
    crossings: list[Crossing] = Factory(list[Crossing])

    def drops(self) -> list[Step]:
        """The steps that ended a copy of the packet."""
        return [step for step in self.steps if step.verdict is Verdict.DROP]

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))
