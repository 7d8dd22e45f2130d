"""A controller, three Nodes with an agent each, and an outside host that asks them all for one address.

Every call to the API server waits for its turn twice, on the way there and on the way back; every cache lags for as
long as the test likes.
After anything that happens, the outside host asks: never do two Nodes answer.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Coroutine
from ipaddress import IPv4Address, IPv4Interface
from typing import Any, TypeVar

from attrs import define
from tests.properties.writers import TurnStore, Writer, turn

from juneau.agent.nodeagent import NodeAgent
from juneau.drivers.simulated.codec import ARP, ARP_REPLY, ARP_REQUEST, BROADCAST, NO_MAC, Arp, build_arp, parse_arp
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import OUTSIDE
from juneau.engine.errors import APIError, JuneauError
from juneau.engine.intentmap import IntentMap
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.settings import NodeSettings
from juneau.engine.store import Event, EventType, Watch
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.resources import addresspool, arpadvertisement, externalnetwork, namespace, node, registry
from juneau.resources.addresspool import AddressPoolSpec
from juneau.resources.arpadvertisementspec import ARPAdvertisementSpec
from juneau.resources.externalnetwork import ExternalNetworkSpec
from juneau.resources.namespace import NamespaceSpec
from juneau.resources.networkendpoint import NODE_NAMESPACE
from juneau.resources.node import NodeAddress, NodeSpec, NodeStatus

NODES = ("one", "two", "three")
CONTROLLER = "controller"
ADDRESS = IPv4Address("10.225.51.100")
AD = Key("ARPAdvertisement", "", "lan")
LEASE = 15.0
LONG = 200.0  # seconds; longer than any Lease and any back-off here

AnswerT = TypeVar("AnswerT")


class Unreachable(JuneauError):
    """Nobody can tell whether a request has arrived."""


@define(eq=False)
class Wire:
    """Whether a Node reaches the API server."""

    up: bool = True


class WiredStore(TurnStore):
    """A store at the end of a wire that may be cut, also between a request and its answer."""

    def __init__(self, inner: MemoryStore, wire: Wire) -> None:
        super().__init__(inner)
        object.__setattr__(self, "wire", wire)

    wire: Wire

    async def _call(self, request: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
        await turn()
        self._check()
        answer = await request()
        await turn()
        self._check()
        return answer

    def _check(self) -> None:
        if not self.wire.up:
            raise Unreachable


@define(eq=False)
class OwnClock:
    """A machine's clock, which may differ from the others."""

    inner: VirtualClock
    process: AgentProcess

    def now(self) -> Time:
        return Time(self.inner.now() + self.process.skew)

    def call_at(self, when: Time, callback: Callable[[], None]) -> None:
        self.inner.call_at(Time(when - self.process.skew), callback)


class AgentProcess:
    """A Node's agent that the test moves by hand."""

    def __init__(self, house: House, name: str) -> None:
        self.house, self.name = house, name
        self.wire = Wire()
        self.has_to_renew = True
        self.alive = False
        self.skew = 0.0  # of this machine's clock
        self.start()

    def start(self) -> None:
        """Begin with nothing in memory; the dataplane is as the one before has left it."""
        house = self.house
        self.alive = True
        self.cache = Cache(house.registry)
        self.intents = IntentMap(self.cache)
        store = WiredStore(house.store, self.wire)
        driver = house.site.driver(self.name)
        self.agent = NodeAgent(
            self.name,
            driver,
            self.intents,
            store,
            self.cache,
            OwnClock(house.clock, self),
            self.take,
            house.node_settings,
        )
        self.watches: dict[str, Watch] = {}
        self.pending: dict[str, deque[Event]] = defaultdict(deque)
        self.task: Coroutine[Any, Any, None] = self._run(store)

    def take(self, event: Event) -> None:
        gone = event.type is EventType.DELETED
        changed = self.cache.drop(event.obj) if gone else self.cache.put(event.obj)
        if changed:
            self.intents.invalidate(event.obj.key, changed)
            self.agent.note(event.obj.key)

    async def _run(self, store: WiredStore) -> None:
        while len(self.watches) < len(self.house.registry.kinds):
            try:
                await self._list(store)
            except Unreachable:
                await turn()
        while True:
            self.intents.refresh()
            try:
                await self.agent.work()
                if self.has_to_renew:
                    await self.agent.renew()
                    self.has_to_renew = False
            except JuneauError:
                pass  # tried again
            await turn()

    async def _list(self, store: WiredStore) -> None:
        for kind in self.house.registry:
            if kind.name not in self.watches:
                listing = await store.list(kind.name)
                for event in self.cache.differences(kind.name, listing):
                    self.take(event)
                self.watches[kind.name] = store.watch(kind.name, listing.resource_version)

    def hear(self, kind: str, most: int = 1000) -> None:
        """Read what a watch has brought, or only the first few of it."""
        watch = self.watches.get(kind)
        if watch is not None and self.wire.up and self.alive:
            self.pending[kind].extend(watch.drain())
            for _ in range(min(most, len(self.pending[kind]))):
                self.take(self.pending[kind].popleft())

    def go(self, turns: int) -> None:
        for _ in range(turns if self.alive else 0):
            self.task.send(None)
            self.house.ask()

    def die(self) -> None:
        """The process only; its dataplane goes on."""
        if self.alive:
            self.task.close()
            self.agent.close()
        self.alive = False


class House:
    """All of it, and how often each Node answered at once."""

    def __init__(self, node_settings: NodeSettings | None = None) -> None:
        self.node_settings = node_settings or NodeSettings()
        self.clock = VirtualClock(1000.0)
        self.registry = registry()
        self.store = MemoryStore(self.registry, self.clock)
        self.site = SimulatedDriver.site(self.clock)
        run(self.store.create(namespace.KIND.new(NODE_NAMESPACE, NamespaceSpec())))
        run(self.store.create(addresspool.KIND.new("lan", AddressPoolSpec("arp", (f"{ADDRESS}-{ADDRESS}",)))))
        run(self.store.create(externalnetwork.KIND.new("lan", ExternalNetworkSpec("arp", ("lan",)))))
        for number, name in enumerate(NODES):
            address = IPv4Address("10.225.51.11") + number
            self.site.add_node(name, address)
            made = run(self.store.create(node.KIND.new(name, NodeSpec())))
            status = NodeStatus((NodeAddress("InternalIP", str(address)),))
            run(self.store.update_status(made.with_status(addresses=status.addresses)))
        self.site.add_outside("outside", IPv4Interface("10.225.51.200/24"))
        self.controller = Writer(self.store, self.registry, self.clock)
        self.agents = {name: AgentProcess(self, name) for name in NODES}
        self.off: set[str] = set()

    def advertise(self, name: str) -> None:
        """The user's wish: that Node, or nobody."""
        try:
            held = run(self.store.get(AD))
        except APIError:
            held = None
        try:
            if not name:
                run(self.store.delete(AD))
            elif held is None:
                run(
                    self.store.create(
                        arpadvertisement.KIND.new(AD.name, ARPAdvertisementSpec("lan", str(ADDRESS), name))
                    )
                )
            elif not held.deleting:
                run(self.store.update(held.with_spec(node_name=name)))
        except APIError:
            return

    def switch(self, name: str) -> None:
        """Off, and on again."""
        agent = self.agents[name]
        if name in self.off:
            self.off.discard(name)
            self.site.switch_on(name)
            agent.has_to_renew = True
            agent.start()
        else:
            self.off.add(name)
            agent.die()
            self.site.switch_off(name)

    def restart(self, name: str) -> None:
        if name not in self.off:
            self.agents[name].die()
            self.agents[name].start()

    def pass_time(self, seconds: float) -> None:
        self.site.advance(seconds)
        self.ask()

    def answering(self) -> list[str]:
        """The MACs that answer when an outside host asks."""
        host = self.site.hosts[OUTSIDE, "outside"]
        nic = host.interfaces["eth0"]
        since = nic.received
        asker = int(IPv4Address("10.225.51.200"))
        nic.transmit(build_arp(Arp(ARP_REQUEST, nic.mac, asker, NO_MAC, int(ADDRESS)), BROADCAST))
        self.site.fabric.run()
        found = [parse_arp(frame) for frame in nic.frames(since) if frame[12:14] == ARP]
        return [
            reply.sender_mac.hex(":")
            for reply in found
            if reply is not None and reply.operation == ARP_REPLY and reply.sender == int(ADDRESS)
        ]

    def ask(self) -> list[str]:
        found = self.answering()
        assert len(found) < 2, f"{found} answer at once"
        return found

    def mac(self, name: str) -> str:
        """Of the Node's NIC on the underlay."""
        return self.site.hosts[name, name].interfaces["eth0"].mac.hex(":")

    def split(self, name: str) -> None:
        """That Node is alone on the wire; empty: the wire is whole again."""
        if name:
            self.site.split({name})
        else:
            self.site.split()

    def ad(self) -> AnyObject | None:
        try:
            return run(self.store.get(AD))
        except APIError:
            return None

    def catch_up(self, *names: str) -> None:
        """These hear everything and do everything that is due; the controller is one of them."""
        for _ in range(60):
            for name in names:
                if name == CONTROLLER:
                    self.controller.rest()
                    continue
                agent = self.agents[name]
                for kind in list(agent.watches):
                    agent.hear(kind)
                agent.go(2)
        self.ask()

    def renew(self, *names: str) -> None:
        """These renew their Leases, and apply what they hear of."""
        for name in names:
            self.agents[name].has_to_renew = True
        self.catch_up(*names)

    def rest(self) -> None:
        """Everybody is there and does what is due, and time passes as it does."""
        for name in list(self.off):
            self.switch(name)
        for agent in self.agents.values():
            agent.wire.up = True
            if not agent.alive:
                agent.start()
        for _ in range(round(LONG / 5)):
            for agent in self.agents.values():
                agent.has_to_renew = True
            for _ in range(40):
                self.controller.rest()
                for agent in self.agents.values():
                    for kind in list(agent.watches):
                        agent.hear(kind)
                    agent.go(2)
            self.pass_time(5.0)

    def close(self) -> None:
        self.controller.close()
        for agent in self.agents.values():
            agent.die()
