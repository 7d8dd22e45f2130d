"""One Node's agent over a simulated site, with an API server at the end of a line that can be cut or slow.

There is no controller: the test grants addresses by hand, as a controller would.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv4Interface
from typing import TypeVar

from attrs import define, evolve, field

from juneau.agent.nodeagent import NodeAgent
from juneau.drivers.simulated.codec import ARP, ARP_REPLY, ARP_REQUEST, BROADCAST, NO_MAC, Arp, build_arp, parse_arp
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import OUTSIDE
from juneau.engine.errors import APIError, JuneauError
from juneau.engine.intentmap import IntentMap
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.settings import NodeSettings, Settings
from juneau.engine.store import Event, EventType, Listing, Watch
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.resources import arpadvertisement, namespace, node, registry
from juneau.resources.arpadvertisementspec import ARPAdvertisementSpec
from juneau.resources.handover import Answer, Grant
from juneau.resources.lease import Lease, lease_key
from juneau.resources.namespace import NamespaceSpec
from juneau.resources.networkendpoint import NODE_NAMESPACE
from juneau.resources.node import NodeAddress, NodeSpec, NodeStatus

NODE, OTHER, HOST = "n1", "n2", "outside"
ADDRESS, SECOND = IPv4Address("10.225.51.100"), IPv4Address("10.225.51.101")
BEGINNING = 1000.0

AnswerT = TypeVar("AnswerT")


class Unreachable(JuneauError):
    """Nobody can tell whether a request has arrived."""


@define(eq=False)
class Line:
    """A store that can be cut off; each call takes `delay` seconds, and `on_list` runs before a Kind is listed."""

    inner: MemoryStore
    clock: VirtualClock
    is_up: bool = True
    delay: float = 0.0
    calls: list[str] = field(factory=list[str])
    on_list: Callable[[str], None] = lambda _kind: None

    async def _call(self, what: str, request: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
        if not self.is_up:
            raise Unreachable
        self.calls.append(what)
        self.clock.advance(self.delay)
        return await request()

    async def get(self, key: Key) -> AnyObject:
        return await self._call(f"get {key.kind}", lambda: self.inner.get(key))

    async def list(self, kind: str) -> Listing:
        self.on_list(kind)
        return await self._call(f"list {kind}", lambda: self.inner.list(kind))

    async def create(self, obj: AnyObject) -> AnyObject:
        return await self._call(f"create {obj.kind}", lambda: self.inner.create(obj))

    async def update(self, obj: AnyObject) -> AnyObject:
        return await self._call(f"update {obj.kind}", lambda: self.inner.update(obj))

    async def update_status(self, obj: AnyObject) -> AnyObject:
        return await self._call(f"update status of {obj.kind}", lambda: self.inner.update_status(obj))

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        await self._call(f"delete {key.kind}", lambda: self.inner.delete(key, uid, resource_version))

    def watch(self, kind: str, resource_version: str) -> Watch:
        return self.inner.watch(kind, resource_version)


class Station:
    """The Node `n1` with its agent; `n2` and the host `outside` are on the same Ethernet."""

    def __init__(self, node_settings: NodeSettings | None = None, settings: Settings | None = None) -> None:
        self.node_settings, self.settings = node_settings or NodeSettings(), settings or Settings()
        self.clock = VirtualClock(BEGINNING)
        self.registry = registry()
        self.store = MemoryStore(self.registry, self.clock)
        self.line = Line(self.store, self.clock)
        self.site = SimulatedDriver.site(self.clock)
        run(self.store.create(namespace.KIND.new(NODE_NAMESPACE, NamespaceSpec())))
        for number, name in enumerate((NODE, OTHER), start=11):
            address = IPv4Address(f"10.225.51.{number}")
            self.site.add_node(name, address)
            made = run(self.store.create(node.KIND.new(name, NodeSpec())))
            run(self.store.update_status(evolve(made, status=NodeStatus((NodeAddress("InternalIP", str(address)),)))))
        self.site.add_outside(HOST, IPv4Interface("10.225.51.200/24"))
        self.hears = True
        self.store.subscribe(lambda event: self.take(event) if self.hears else None)
        self.start()

    def start(self) -> None:
        """A process that begins with nothing in memory; the dataplane is as it is."""
        self.cache = Cache(self.registry, self.settings)
        self.intents = IntentMap(self.cache)
        driver = self.site.driver(NODE)
        self.agent = NodeAgent(
            NODE, driver, self.intents, self.line, self.cache, self.clock, self.take, self.node_settings
        )
        for kind in self.registry:
            for obj in run(self.store.list(kind.name)).objects:
                self.take(Event(EventType.ADDED, obj))

    def take(self, event: Event) -> None:
        """An event reaches the agent."""
        gone = event.type is EventType.DELETED
        changed = self.cache.drop(event.obj) if gone else self.cache.put(event.obj)
        if changed:
            self.intents.invalidate(event.obj.key, changed)
            self.agent.note(event.obj.key)

    def work(self) -> None:
        """Do all that is due."""
        for _ in range(20):
            moved = self.intents.refresh()
            if not run(self.agent.work()) and not moved:
                return
        raise AssertionError("the agent does not come to rest")

    def renew(self) -> None:
        run(self.agent.renew())

    def pass_time(self, seconds: float, *, every: float = 0.0) -> None:
        """Time passes; with `every` the agent renews its Lease so often, as it does."""
        end = self.clock.time + seconds
        while every and self.clock.time + every < end:
            self.site.advance(every)
            self.renew()
            self.work()
        self.site.advance(end - self.clock.time)

    def grant(self, to: str = NODE, address: IPv4Address = ADDRESS, wanted: str = "", name: str = "eip") -> None:
        """Grant an address anew, as a controller does; `wanted` is who should have it, `to` unless it is given."""
        key = Key(arpadvertisement.KIND.name, "", name)
        spec = ARPAdvertisementSpec("lan", str(address), wanted or to)
        try:
            held = run(self.store.get(key))
        except APIError:
            held = run(self.store.create(arpadvertisement.KIND.new(name, spec)))
        else:
            held = run(self.store.update(evolve(held, spec=spec)))
        before: Grant = held.status.grant
        given = Grant(to, before.term + 1, self.clock.now()) if to != before.node_name else before
        run(self.store.update_status(held.with_status(grant=given)))

    def answer(self, name: str = "eip") -> Answer | None:
        """What the agent has said of its grant."""
        found: Answer | None = run(self.store.get(Key(arpadvertisement.KIND.name, "", name))).status.answer
        return found

    def said(self, name: str = "eip") -> tuple[str, int, str]:
        """State, number of the grant, and reason."""
        found = self.answer(name)
        return (found.state, found.term, found.reason) if found is not None else ("", 0, "")

    def lease(self) -> Lease:
        found: Lease = run(self.store.get(lease_key(NODE)))
        return found

    def versions(self) -> int:
        """Counts up with each write that anybody makes."""
        return max(
            int(obj.metadata.resource_version)
            for kind in self.registry
            for obj in run(self.store.list(kind.name)).objects
        )

    def ask(self, address: IPv4Address = ADDRESS) -> int:
        """How many answer when the host outside asks."""
        nic = self.site.hosts[OUTSIDE, HOST].interfaces["eth0"]
        since = nic.received
        asker = int(IPv4Address("10.225.51.200"))
        nic.transmit(build_arp(Arp(ARP_REQUEST, nic.mac, asker, NO_MAC, int(address)), BROADCAST))
        self.site.fabric.run()
        return sum(arp.operation == ARP_REPLY and arp.sender == int(address) for arp in self._arps(since))

    def mark(self) -> int:
        """A point in what the host outside hears."""
        return self.site.mark(OUTSIDE, HOST, "eth0")

    def announced(self, since: int, address: IPv4Address = ADDRESS) -> int:
        """How often an address was announced since then."""
        return sum(arp.sender == arp.target == int(address) for arp in self._arps(since))

    def _arps(self, since: int) -> list[Arp]:
        frames = self.site.received(OUTSIDE, HOST, "eth0", since)
        found = [parse_arp(frame) for frame in frames if frame[12:14] == ARP]
        return [arp for arp in found if arp is not None]

    def somebody_announces(self, address: IPv4Address = ADDRESS) -> str:
        """Another host on the Ethernet takes the address for its own; returns its MAC."""
        self.site.announce(OUTSIDE, HOST, "eth0", address)
        return self.site.hosts[OUTSIDE, HOST].interfaces["eth0"].mac.hex(":")

    def now(self) -> Time:
        return self.clock.now()
