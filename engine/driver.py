"""What a dataplane driver is, and what a lab needs from one.

A driver reconciles: it is given a delta between what should hold on a node and what it read back, and makes it true.
A site is where a lab's Nodes and Pods live for one driver; drivers for a real cluster need none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import ClassVar, Final, Protocol, TypeAlias

from attrs import frozen

from juneau.engine.clock import VirtualClock
from juneau.engine.delta import Delta
from juneau.engine.intents import Intent, IntentKey
from juneau.engine.trace import Reason, Trace

UNDERLAY: Final = IPv4Network("10.225.51.0/24")  # where a lab's Nodes are unless somebody says otherwise
UNDERLAY_ETHERNET: Final = "underlay"  # the Ethernet between the Nodes
EXTERNAL_ETHERNET: Final = "external"  # one beside it, for Nodes that have a NIC of its own for the outside
OUTSIDE: Final = ""  # stands for a Node's name where a host is outside the cluster


OUT_OF_CONTACT: Final = "OutOfContact"  # reason of a Failure: no address is taken on before contact is made sure of


@frozen
class Failure:
    """An intent that could not be made true, and why; `reason` is one CamelCase word."""

    intent: Intent
    message: str
    reason: str = "NotApplied"


@frozen
class Contact:
    """How long a node may take its intents for the newest, counted in seconds from now.

    After `fresh_for`, and before the first stamp, an address that it answers for is yielded to whoever else announces
    it, and no other is taken on: that is a Failure with the reason `OUT_OF_CONTACT`.
    After `answers_for` it does not answer at all any more; None: it goes on.
    """

    fresh_for: float
    answers_for: float | None = None


class Driver(Protocol):
    """The dataplane of one node.

    `read` returns what is true now, also what an earlier process left behind; a driver says in its docstring how it
    recognises its own objects after a restart.
    `apply` is idempotent, removes what is not there without complaint, and returns what it could not do; an intent that
    it cannot express at all is a Failure too, never ignored.

    On an L2 segment with a gateway a driver also keeps the Nodes' neighbour tables alike, since any Node may route:
    what was announced at a port of one Node is known on each other as soon as both hold their intents, in whichever
    order they came to that, and is forgotten everywhere when the port is removed.
    """

    def read(self) -> Mapping[IntentKey, Intent]: ...

    def apply(self, delta: Delta) -> Sequence[Failure]: ...

    def announce(self) -> None:
        """Send a gratuitous ARP for every address that this node answers for now."""
        ...

    def renew(self, contact: Contact) -> None:
        """Stamp the dataplane: what was applied is the newest, for so long; it holds without this process too."""
        ...

    def conflicts(self) -> Mapping[IPv4Address, str]:
        """The addresses that this node answers for and another MAC has announced in the last five minutes; the MACs."""
        ...


@frozen
class HostRoute:
    """A route in a host's namespace; `table` 0 is main.

    `gw` None means that the destination is on the link `dev`, as in the kernel's connected routes.
    `dev` "" means the NIC being plugged, else whichever reaches `gw`.
    """

    dst: IPv4Network
    gw: IPv4Address | None = None
    on_link: bool = False
    table: int = 0
    dev: str = ""


@frozen
class HostRule:
    """A policy routing rule in a host's namespace; a smaller priority is evaluated first."""

    source: IPv4Network
    table: int
    priority: int


@frozen
class LinkSettings:
    """What the CNI puts on a NIC.

    `mtu` None leaves the kernel's default, `mac` "" the MAC that the link is made with.
    `node_routes` are prefixes that the Node itself reaches over its side of the NIC; the routes go with the NIC.
    """

    address: IPv4Interface | None = None
    routes: tuple[HostRoute, ...] = ()
    rules: tuple[HostRule, ...] = ()
    mtu: int | None = None
    mac: str = ""
    node_routes: tuple[IPv4Network, ...] = ()


@frozen
class Link:
    """A NIC that was made: its MAC, and number and MAC of the node's side."""

    mac: str
    number: int
    host_mac: str


@frozen
class LinkState:
    """A NIC as it is now, both ends."""

    link: Link
    mtu: int
    host_mtu: int
    addresses: tuple[IPv4Interface, ...]


@frozen
class Datagram:
    """A UDP datagram at a host; on sending, `interface` "" leaves the choice to its routes."""

    source: IPv4Address
    source_port: int
    target: IPv4Address
    target_port: int
    payload: bytes
    interface: str = ""

    def reply(
        self, payload: bytes, *, source: IPv4Address | None = None, target: IPv4Address | None = None
    ) -> Datagram:
        """The answer to it; a sender without an address is answered by broadcast."""
        sender = source or self.target
        receiver = target or (self.source if int(self.source) else IPv4Address("255.255.255.255"))
        return Datagram(sender, self.target_port, receiver, self.source_port, payload, self.interface)


UdpService: TypeAlias = Callable[[Datagram], Datagram | None]


class Answer(StrEnum):
    """What came back to a host that sent something."""

    NONE = "none"
    REPLY = "reply"  # echo reply, datagram, or TCP connection accepted
    REFUSED = "refused"  # port unreachable or TCP reset


@frozen
class Exchange:
    """What a host sent and what came back for it, with the way of all packets of both directions."""

    answer: Answer
    trace: Trace
    payload: bytes = b""

    def __bool__(self) -> bool:
        return self.answer is Answer.REPLY


Row: TypeAlias = Mapping[str, str | int]


class Hosts(Protocol):
    """The hosts of a site: a Pod is `<namespace>/<pod>`, a Node's root namespace has the Node's name.

    A host that is not there, or a NIC that it has not, is a LookupError.
    """

    def ping(
        self,
        node: str,
        sandbox: str,
        target: IPv4Address,
        *,
        source: IPv4Address | None = None,
        interface: str = "",
        size: int = 56,
        ttl: int = 64,
    ) -> Exchange:
        """Send one echo request of `size` bytes; `source` and `interface` as with ping -I.

        Raises ValueError for what no packet can have: over 65507 bytes, or a TTL that is not 1 to 255.
        """
        ...

    def send_udp(
        self,
        node: str,
        sandbox: str,
        target: IPv4Address,
        port: int,
        payload: bytes = b"",
        *,
        source: IPv4Address | None = None,
        source_port: int = 0,
        interface: str = "",
    ) -> Exchange:
        """Send a datagram and wait for the first one that comes back to its port, from whoever; 0 takes a free port.

        With an interface that has no address the source is 0.0.0.0, as a DHCP client's.
        Raises ValueError for what no packet can have: over 65507 bytes, or a port that is not 1 to 65535.
        """
        ...

    def connect_tcp(
        self,
        node: str,
        sandbox: str,
        target: IPv4Address,
        port: int,
        *,
        source: IPv4Address | None = None,
        interface: str = "",
    ) -> Exchange:
        """The three-way handshake."""
        ...

    def serve_udp(self, node: str, sandbox: str, port: int, service: UdpService) -> None: ...

    def listen_tcp(self, node: str, sandbox: str, port: int) -> None: ...

    def announce(self, node: str, sandbox: str, interface: str, address: IPv4Address) -> Trace:
        """Send a gratuitous ARP reply, whether the interface has the address or not."""
        ...

    def set_forwarding(self, node: str, sandbox: str, enabled: bool) -> None:
        """Make a host a router, or not one any more."""
        ...

    def attach_bridged(self, node: str, sandbox: str, interface: str, name: str, address: IPv4Interface | None) -> str:
        """Put a host with a MAC of its own behind a NIC, as a nested VM; returns its sandbox, its NIC is `eth0`."""
        ...

    def bridge(self, node: str, sandbox: str, interfaces: Sequence[str]) -> None:
        """Make a learning bridge of several NICs of one Pod."""
        ...

    def add_address(self, node: str, sandbox: str, interface: str, address: IPv4Interface) -> None: ...

    def remove_address(self, node: str, sandbox: str, interface: str, address: IPv4Interface) -> None: ...

    def add_route(self, node: str, sandbox: str, route: HostRoute) -> None:
        """Raises ValueError for a next hop that is on no link, as `ip route` does."""
        ...

    def remove_route(self, node: str, sandbox: str, route: HostRoute) -> None: ...

    def add_rule(self, node: str, sandbox: str, rule: HostRule) -> None: ...

    def remove_rule(self, node: str, sandbox: str, rule: HostRule) -> None: ...

    def routes(self, node: str, sandbox: str, table: int = 0) -> Sequence[HostRoute]:
        """One table, connected routes included; also of a Node."""
        ...

    def tables(self, node: str, sandbox: str) -> Sequence[int]:
        """The numbers of the tables that have routes, 0 for the main one; sorted."""
        ...

    def rules(self, node: str, sandbox: str) -> Sequence[HostRule]:
        """Without the kernel's own three."""
        ...

    def interfaces(self, node: str, sandbox: str) -> Sequence[str]: ...

    def link_state(self, node: str, sandbox: str, interface: str) -> LinkState: ...

    def mark(self, node: str, sandbox: str, interface: str) -> int:
        """A point in what a NIC receives, for `received`."""
        ...

    def received(self, node: str, sandbox: str, interface: str, since: int = 0) -> Sequence[bytes]:
        """The frames that reached a NIC since a mark, also those that are not for its MAC."""
        ...


class Site(Hosts, Protocol):
    """The Nodes and Pods of one lab, made of what the driver works on: simulated hosts, or network namespaces."""

    def add_node(self, name: str, address: IPv4Address) -> Driver:
        """Make a Node with this address on the underlay and return its driver."""
        ...

    def remove_node(self, name: str) -> None: ...

    def driver(self, node: str) -> Driver:
        """As an agent that starts anew finds it."""
        ...

    def add_uplink(self, node: str, interface: str, address: IPv4Interface, ethernet: str = EXTERNAL_ETHERNET) -> None:
        """Give a Node a further NIC, on another Ethernet than the one between the Nodes."""
        ...

    def set_ingress(self, node: str, interface: str) -> None:
        """Which NIC of a Node takes packets from outside and answers ARP; without it, the one on the underlay."""
        ...

    def add_outside(
        self, name: str, address: IPv4Interface, gateway: IPv4Address | None = None, ethernet: str = UNDERLAY_ETHERNET
    ) -> None:
        """Put a host that is no Node on an Ethernet; it is the sandbox `name` of the Node `OUTSIDE`, its NIC `eth0`."""
        ...

    def switch_off(self, node: str) -> None:
        """The machine stops at once: nothing in it moves any more, and what is sent to it is lost."""
        ...

    def switch_on(self, node: str) -> None:
        """The machine starts anew: links and tables are empty."""
        ...

    def split(self, *groups: Collection[str]) -> None:
        """Cut the Ethernets: frames pass only within a group of Nodes and outside hosts, and among those in none."""
        ...

    def plug(self, node: str, sandbox: str, interface: str, settings: LinkSettings) -> Link:
        """Make a NIC in a sandbox (`<namespace>/<pod>`, or the node's name for its own port), which is made if new."""
        ...

    def unplug(self, node: str, sandbox: str, interface: str) -> None:
        """Remove a NIC; the sandbox goes with its last one. What is not there is no error."""
        ...

    def inject(self, node: str, sandbox: str, interface: str, frame: bytes) -> Trace:
        """Send a frame out of a NIC and run until nothing moves."""
        ...

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        ...

    def dump(self, node: str, table: str, filters: Mapping[str, str] | None = None) -> Sequence[Row]:
        """The rows of a table of a Node, sorted by key; a table that no Node has is a LookupError."""
        ...

    def drops(self, node: str) -> Counter[Reason]:
        """How many packets the dataplane of a Node has dropped since it was made, by reason."""
        ...


class DriverKind(Protocol):
    """What the entry point `juneau.drivers` names: how to tell whether a driver can run here, and how to make a lab."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @classmethod
    def unavailable(cls) -> str | None:
        """Why it cannot run on this machine, or None."""
        ...

    @classmethod
    def site(
        cls, clock: VirtualClock | None = None, underlay_mtu: int = 1600, underlay: IPv4Network = UNDERLAY
    ) -> Site:
        """A lab without Nodes, in the time of that clock; their addresses are of that underlay."""
        ...
