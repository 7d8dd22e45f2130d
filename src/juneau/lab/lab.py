"""A cluster in one process: manifests in, statuses and packets out.

    apply, delete -> store -> loop -> intents -> agents -> kubelets -> store ... until nothing moves

Time is virtual and stands still but for `advance`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from juneau.agent.nodeagent import NodeAgent
from juneau.cni.server import Server
from juneau.engine.clock import VirtualClock
from juneau.engine.convert import decode, encode
from juneau.engine.driver import Driver, Site
from juneau.engine.errors import AlreadyExists, JuneauError
from juneau.engine.feed import Feed
from juneau.engine.intentmap import IntentMap
from juneau.engine.kind import AnyKind, Registry
from juneau.engine.loop import Loop
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.outcome import Note
from juneau.engine.settings import NodeSettings, Settings
from juneau.engine.store import Event, EventType
from juneau.engine.times import time_text
from juneau.engine.world import Cache, Reader
from juneau.lab.apiserver import APIServerRules
from juneau.lab.kubelet import Kubelets
from juneau.lab.merge import three_way
from juneau.lab.outside import ROUTED_BY, Outside, OutsideSettings
from juneau.resources import namespace, node, registry
from juneau.resources.bootstrap import bootstrap
from juneau.resources.namespace import NamespaceSpec
from juneau.resources.node import NodeAddress, NodeSpec, NodeStatus
from juneau.webhook.admission import KindAdmission

DEFAULT_NODES = ("worker-1", "worker-2")
UNDERLAY = IPv4Network("10.225.51.0/24")
HOSTNAME = "kubernetes.io/hostname"  # the label by which kubelets make their Node known
_FIRST_NODE = 11
# A century before the last moment that can be written, since durations are that long at most.
LAST_TIME = Time(250246627200.0)  # the end of the year 9899
_ROUNDS = 10_000  # of controllers, agents and kubelets; a lab that moves longer is reported, not waited for


class Restless(JuneauError):
    """The world did not come to rest."""


class OutOfTime(JuneauError):
    """Virtual time would pass the last moment that can be written, or what is due then would."""


class Change(StrEnum):
    """What applying a document came to, in kubectl's words."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"


@frozen
class Applied:
    """The object as it was stored, and what that changed."""

    obj: AnyObject
    change: Change


@define(eq=False)
class Lab:
    """One cluster; make it with `Lab.start`."""

    site: Site
    clock: VirtualClock
    settings: Settings = Factory(Settings)
    tell: Callable[[AnyObject, Note], None] = lambda _obj, _note: None
    underlay: IPv4Network = UNDERLAY
    node_settings: NodeSettings = Factory(NodeSettings)
    outside_settings: OutsideSettings = Factory(OutsideSettings)
    registry: Registry = field(factory=registry, init=False)
    cache: Cache = field(init=False)
    store: MemoryStore = field(init=False)
    loop: Loop = field(init=False)
    intents: IntentMap = field(init=False)
    kubelets: Kubelets = field(init=False)
    outside: Outside = field(init=False)
    agents: dict[str, NodeAgent] = field(factory=dict[str, NodeAgent], init=False)
    away: set[str] = field(factory=set[str], init=False)  # Nodes that the API server cannot be reached from
    _routes_are_due: bool = field(default=False, init=False)
    _applied: dict[Key, dict[str, Any]] = field(factory=dict[Key, dict[str, Any]], init=False)

    def __attrs_post_init__(self) -> None:
        admission = KindAdmission(self.registry, lambda: Reader(self.cache))
        self.store = MemoryStore(self.registry, self.clock, (admission, APIServerRules()))
        self.outside = Outside(self.site, self.underlay, self.outside_settings)
        self._begin()
        self.kubelets = Kubelets(self.store, self.cache, self.site, self.clock, self.tell, away=self.away)
        self.store.subscribe(self._on_event)

    def _begin(self) -> None:
        """What is in memory only."""
        self.cache = Cache(self.registry, self.settings)
        self.loop = Loop(self.store, self.cache, self.clock, notify=self.tell)
        self.intents = IntentMap(self.cache)

    @classmethod
    async def start(
        cls,
        site: Site,
        clock: VirtualClock,
        nodes: Sequence[str] = DEFAULT_NODES,
        settings: Settings | None = None,
        tell: Callable[[AnyObject, Note], None] = lambda _obj, _note: None,
        underlay: IPv4Network = UNDERLAY,
        node_settings: NodeSettings | None = None,
        outside: OutsideSettings | None = None,
    ) -> Lab:
        """A lab at rest, with its Nodes and what a controller makes at start-up."""
        own, world = node_settings or NodeSettings(), outside or OutsideSettings()
        lab = cls(site, clock, settings or Settings(), tell, underlay, own, world)
        lab.outside.begin()
        await lab.store.create(namespace.KIND.new("default", NamespaceSpec()))
        await bootstrap(lab.store, lab.settings)
        for name in nodes:
            await lab.add_node(name)
        await lab.settle()
        return lab

    async def restart(self) -> None:
        """Controller, agents and kubelets begin anew; the store, the Nodes and their sandboxes remain.

        The agents compare with what their Nodes hold.
        """
        self._begin()
        self.kubelets.cache = self.cache
        for name, agent in self.agents.items():
            agent.close()
            self.agents[name] = self._agent(name, agent.driver)
            self.kubelets.cni[name] = Server(name, self.store, self.cache, self.site)
        feed = Feed(self.store, self.cache, self.loop.queue, self._on_event)
        await feed.begin()
        feed.close()
        await bootstrap(self.store, self.settings)
        self.loop.wake_all()
        self.intents.refresh()
        await self._keep_in_contact()

    def _agent(self, name: str, driver: Driver) -> NodeAgent:
        return NodeAgent(
            name, driver, self.intents, self.store, self.cache, self.clock, self._on_event, self.node_settings
        )

    def _on_event(self, event: Event) -> None:
        changed = self.loop.handle(event)
        if not changed:
            return
        key = event.obj.key
        self.intents.invalidate(key, changed)
        self.kubelets.note(key)
        for agent in self.agents.values():
            agent.note(key)
        self._routes_are_due |= key.kind in ROUTED_BY
        if event.type is EventType.DELETED and key.kind == node.KIND.name:
            self._lose_node(key.name)

    async def add_node(self, name: str) -> None:
        """A Node joins, with the next free address of the underlay."""
        await self.store.create(node.KIND.new(name, NodeSpec()))
        await self._start_node(name)

    async def _start_node(self, name: str) -> None:
        """What a Node's kubelet and agent do when they start."""
        address = self._free_address()
        driver = self.site.add_node(name, address)
        self.outside.join(name, address)
        self._set_ingress(name)
        self.agents[name] = self._agent(name, driver)
        self.kubelets.cni[name] = Server(name, self.store, self.cache, self.site)
        held = await self.store.get(Key(node.KIND.name, "", name))
        if HOSTNAME not in held.metadata.labels:
            held = await self.store.update(held.with_metadata(labels={**held.metadata.labels, HOSTNAME: name}))
        status = NodeStatus((NodeAddress("InternalIP", str(address)), NodeAddress("Hostname", name)))
        await self.store.update_status(evolve(held, status=status))
        await self.agents[name].renew()

    def _set_ingress(self, name: str) -> None:
        chosen = self.node_settings.ingress_interface
        if chosen:
            try:
                self.site.set_ingress(name, chosen)
            except LookupError as error:
                raise JuneauError(f"--node-ingress-iface: {error}") from None

    def _free_address(self) -> IPv4Address:
        taken = {held.address for obj in self.cache.objects[node.KIND.name].values() for held in obj.status.addresses}
        taken |= set(map(str, self.outside.addresses))
        for number in range(_FIRST_NODE, self.underlay.num_addresses - 1):
            address = self.underlay.network_address + number
            if str(address) not in taken:
                return address
        raise JuneauError(f"the underlay {self.underlay} has no address left for another Node")

    def _lose_node(self, name: str) -> None:
        self.kubelets.lose_node(name)
        self.away.discard(name)
        agent = self.agents.pop(name, None)
        if agent is not None:
            agent.close()
            self.site.remove_node(name)
            self.outside.leave(name)

    async def settle(self) -> None:
        """Work until nothing is due at this time."""
        for _ in range(_ROUNDS):
            await self.loop.settle()
            moved = self.intents.refresh()
            for name, agent in list(self.agents.items()):
                if name not in self.away:
                    moved |= await agent.work()
            moved |= await self.kubelets.work()
            if not moved and self.loop.queue.idle:
                self._lead_routes()
                self.kubelets.tell()
                return
        raise Restless(f"the world still moves after {_ROUNDS} rounds")

    def _lead_routes(self) -> None:
        if self._routes_are_due:
            self._routes_are_due = False
            self.outside.sync(self.cache, self.away)

    async def advance(self, seconds: float) -> None:
        """Let time pass, and what becomes due on the way happen at its time.

        Raises OutOfTime, before anything happens, where that would lead too far.
        """
        end = Time(self.clock.time + seconds)
        if end > LAST_TIME:
            raise OutOfTime(f"virtual time ends at {time_text(LAST_TIME)}, and it is {time_text(self.clock.now())}")
        while (due := self.clock.next_due()) is not None and due <= end:
            await self._pass(max(0.0, due - self.clock.time))
        await self._pass(end - self.clock.time)

    async def _pass(self, seconds: float) -> None:
        for name, agent in self.agents.items():
            if name not in self.away:
                agent.stay_in_contact(Time(self.clock.time + seconds))
        self.site.advance(seconds)
        await self._keep_in_contact()
        await self.settle()

    async def _keep_in_contact(self) -> None:
        """What agents do every few seconds; here, after any time that has passed."""
        for name, agent in list(self.agents.items()):
            if name not in self.away:
                await agent.renew()

    def cut_off(self, name: str) -> None:
        """A Node loses the API server: what runs there goes on, and nobody hears of it."""
        self.away.add(name)
        self._routes_are_due = True

    async def reconnect(self, name: str) -> None:
        """It is there again."""
        self.away.discard(name)
        self._routes_are_due = True
        self.intents.refresh()
        await self.agents[name].renew()
        self.kubelets.look_again(name)
        await self.settle()

    def switch_off(self, name: str) -> None:
        """A Node loses its power; for the API server it is only silent."""
        self.cut_off(name)
        self.site.switch_off(name)
        self.kubelets.lose_sandboxes(name)

    async def switch_on(self, name: str) -> None:
        """It starts anew, with nothing of what it had."""
        self.site.switch_on(name)
        self.outside.lead_out(name)
        self._set_ingress(name)
        self.agents[name].close()
        self.agents[name] = self._agent(name, self.site.driver(name))
        await self.reconnect(name)

    async def apply(self, document: object) -> AnyObject:
        """Create the object of a document, or bring the existing one to what it says; does not wait for rest.

        Raises APIError.
        """
        return (await self.apply_document(document)).obj

    async def apply_document(self, document: object) -> Applied:
        """As `apply`, telling also what it changed."""
        wanted = decode(self.registry, document)
        kind = self.registry[wanted.kind]
        if kind.namespaced and not wanted.namespace:
            wanted = wanted.with_metadata(namespace="default")
        elif not kind.namespaced and wanted.namespace:
            wanted = wanted.with_metadata(namespace="")
        new = encode(self.registry, wanted)
        try:
            applied = Applied(await self.store.create(wanted), Change.CREATED)
        except AlreadyExists:
            applied = await self._update(kind, wanted.key, new)
        else:
            if wanted.kind == node.KIND.name:
                await self._start_node(wanted.name)
        self._applied[wanted.key] = new
        return applied

    async def _update(self, kind: AnyKind, key: Key, new: dict[str, Any]) -> Applied:
        held = await self.store.get(key)
        live = encode(self.registry, held)
        merged = three_way(self._applied.get(key, {}), new, live)
        stored = await self.store.update(decode(self.registry, merged))
        same = stored.metadata.resource_version == held.metadata.resource_version
        return Applied(stored, Change.UNCHANGED if same else Change.CONFIGURED)

    async def delete(self, key: Key) -> None:
        """Begin an object's deletion.

        Raises APIError.
        """
        await self.store.delete(key)
        self._applied.pop(key, None)

    def get(self, kind: str, name: str, name_space: str = "") -> AnyObject | None:
        """An object as it is now."""
        found = self.registry.find(kind)
        if found is None:
            return None
        return self.cache.get(Key(found.name, (name_space or "default") if found.namespaced else "", name))

    def list(self, kind: str) -> list[AnyObject]:
        """All objects of a Kind, by namespace and name."""
        found = self.registry.find(kind)
        held = self.cache.objects[found.name] if found is not None else {}
        return [held[key] for key in sorted(held)]
