"""What a dataplane driver is, and what a lab needs from one.

A driver reconciles: it is given a delta between what should hold on a node and what it read back, and makes it true.
A site is where a lab's Nodes and Pods live for one driver; drivers for a real cluster need none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import ClassVar, Final, Protocol, TypeAlias

from attrs import frozen

from juneau.engine.clock import VirtualClock
from juneau.engine.delta import Delta
from juneau.engine.intents import Intent, IntentKey
from juneau.engine.trace import Reason, Trace

UNDERLAY: Final = IPv4Network("10.225.51.0/24")  # where a lab's Nodes are unless somebody says otherwise


@frozen
class Failure:
    """An intent that could not be made true, and why."""

    intent: Intent
    message: str


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
    """

    address: IPv4Interface | None = None
    routes: tuple[HostRoute, ...] = ()
    rules: tuple[HostRule, ...] = ()
    mtu: int | None = None
    mac: str = ""


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
        """Send one echo request of `size` bytes; `source` and `interface` as with ping -I."""
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
