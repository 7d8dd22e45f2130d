"""The packet side of a scene: NICs by their names in a scenario, what was sent last, and who received it.

A NIC is `eth1 of Pod "a"`; a host bridged behind one is `host "vm"` with its NIC eth0; a Node has its own namespace.
Outside the cluster there are `host "router"` and `host "outside"`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field, frozen

from juneau.engine.driver import OUTSIDE, Answer, Exchange, LinkState, Site
from juneau.engine.objects import Key
from juneau.engine.trace import Trace
from juneau.lab.outside import NAMES as OUTSIDE_HOSTS

if TYPE_CHECKING:
    from juneau.engine.objects import AnyObject
    from juneau.lab.lab import Lab

_KEPT_TRACES = 4
BROADCAST = "ff:ff:ff:ff:ff:ff"


@frozen
class Nic:
    """An interface of a Pod (`namespace/name` or a name), or of a host behind one."""

    host: str
    interface: str

    def __str__(self) -> str:
        return f"{self.interface} of {self.host}"


@frozen
class Behind:
    """A host bridged behind a Pod's NIC: where it is."""

    node: str
    sandbox: str


class Stage(Protocol):
    """What packets need of a scene."""

    @property
    def lab(self) -> Lab: ...

    def find(self, kind: str, name: str) -> AnyObject | None: ...

    def get(self, kind: str, name: str) -> AnyObject: ...


@define(eq=False, repr=False)
class Wire:
    """Frames and packets of one scene; `exchange`, `frame` and `trace` are of the last step that sent any."""

    scene: Stage
    behind: dict[str, Behind] = field(factory=dict[str, Behind], init=False)
    traces: deque[tuple[str, Trace]] = field(factory=lambda: deque[tuple[str, Trace]](maxlen=_KEPT_TRACES), init=False)
    exchange: Exchange = field(factory=lambda: Exchange(Answer.NONE, Trace()), init=False)
    frame: bytes = field(default=b"", init=False)
    sender: Nic | None = field(default=None, init=False)
    trace: Trace = field(factory=Trace, init=False)
    marks: dict[Nic, int] = field(factory=dict[Nic, int], init=False)
    leases: dict[Nic, Any] = field(factory=dict[Nic, Any], init=False)

    @property
    def site(self) -> Site:
        return self.scene.lab.site

    def place(self, host: str) -> tuple[str, str]:
        """Node and sandbox of a Pod, of a host behind one, of a Node, or of the router or the host outside."""
        if host in self.scene.lab.agents:
            return host, host
        if self._is_outside(host):
            return OUTSIDE, host
        if host in self.behind:
            return self.behind[host].node, self.behind[host].sandbox
        name_space, _, name = host.rpartition("/")
        key = Key("Pod", name_space or "default", name)
        orphan = self.scene.lab.kubelets.sandboxes.get(key) if self.scene.find("Pod", host) is None else None
        if orphan is not None:  # it runs on a Node that has not heard of its deletion
            return orphan.node, f"{key.namespace}/{key.name}"
        return self.scene.get("Pod", host).spec.node_name, f"{key.namespace}/{key.name}"

    def _is_outside(self, host: str) -> bool:
        """A Pod, or a host behind one, that has such a name comes first."""
        return host in OUTSIDE_HOSTS and host not in self.behind and self.scene.find("Pod", host) is None

    def state(self, nic: Nic) -> LinkState:
        return self.site.link_state(*self.place(nic.host), nic.interface)

    def mac(self, nic: Nic) -> str:
        """A Pod's NIC's MAC."""
        return self.state(nic).link.mac

    def address(self, nic: Nic) -> IPv4Address:
        """The address that Juneau gave the NIC, or else the first that was set by hand."""
        endpoint = self.scene.find("NetworkInterface", f"{nic.host}.{nic.interface}")
        text = str(endpoint.status.address) if endpoint is not None else ""
        if text:
            return IPv4Address(text.partition("/")[0])
        addresses = self.state(nic).addresses
        assert addresses, f"{nic} has no address"
        return addresses[0].ip

    def nics(self) -> Iterator[Nic]:
        """All NICs of Pods and of hosts behind them, and of who is outside."""
        for name in filter(self._is_outside, OUTSIDE_HOSTS):
            yield Nic(name, "eth0")
        for key, sandbox in self.scene.lab.kubelets.sandboxes.items():
            name = key.name if key.namespace == "default" else f"{key.namespace}/{key.name}"
            for interface in self.site.interfaces(sandbox.node, f"{key.namespace}/{key.name}"):
                yield Nic(name, interface)
        for name, where in self.behind.items():
            for interface in self.site.interfaces(where.node, where.sandbox):
                yield Nic(name, interface)

    def listen(self) -> None:
        """From here on, count what each NIC receives."""
        self.marks = {nic: self.site.mark(*self.place(nic.host), nic.interface) for nic in self.nics()}

    def received(self, nic: Nic) -> list[bytes]:
        """What came in at a NIC since the last step that sent something."""
        node, sandbox = self.place(nic.host)
        return list(self.site.received(node, sandbox, nic.interface, self.marks.get(nic, 0)))

    def copies(self, nic: Nic) -> int:
        """How often the last frame came in at a NIC, byte for byte."""
        return self.received(nic).count(self.frame)

    def send(self, nic: Nic, frame: bytes) -> Trace:
        """Send a frame out of a NIC."""
        self.listen()
        self.frame, self.sender = frame, nic
        node, sandbox = self.place(nic.host)
        return self.keep(f"a frame from {nic}", self.site.inject(node, sandbox, nic.interface, frame))

    def ping(self, host: Nic, target: IPv4Address, **how: Any) -> Exchange:
        """Ping from a host; with an interface, out of that one."""
        self.listen()
        node, sandbox = self.place(host.host)
        if host.interface:
            how["interface"] = host.interface
        title = f"a ping from {host if host.interface else host.host} to {target}"
        return self.answered(title, self.site.ping(node, sandbox, target, **how))

    def answered(self, title: str, exchange: Exchange) -> Exchange:
        self.exchange = exchange
        self.keep(title, exchange.trace)
        return exchange

    def keep(self, title: str, trace: Trace) -> Trace:
        """Remember a packet's way, to print it if the scenario fails."""
        self.trace = trace
        self.traces.append((title, trace))
        return trace


_NIC = re.compile(r'(?:(?P<interface>[a-z]\w*) of )?(?:Pod|host|Node) "(?P<host>[^"]+)"')


def read_nic(text: str) -> Nic:
    """`eth1 of Pod "a"`; of a Pod alone the interface is empty."""
    match = _NIC.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no NIC")
    return Nic(match["host"], match["interface"] or "")


def read_nics(text: str) -> tuple[Nic, ...]:
    """Several of them, with commas or `and` between."""
    return tuple(read_nic(match[0]) for match in _NIC.finditer(text))
