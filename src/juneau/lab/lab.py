"""A cluster in one process: manifests in, statuses and packets out.

    apply, delete -> store -> loop -> intents -> agents -> kubelets -> store ... until nothing moves

Time is virtual and stands still but for `advance`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from ipaddress import IPv4Network
from typing import Any

from attrs import define, field, frozen

from juneau.cni.server import Server
from juneau.engine.clock import VirtualClock
from juneau.engine.convert import decode, encode
from juneau.engine.driver import Site
from juneau.engine.errors import AlreadyExists, JuneauError
from juneau.engine.feed import Feed
from juneau.engine.intentmap import IntentMap
from juneau.engine.kind import AnyKind, Registry, no_report
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
from juneau.lab.nodes import UNDERLAY, LabNodes
from juneau.lab.outside import ROUTED_BY, Outside, OutsideSettings
from juneau.resources import namespace, node, registry
from juneau.resources.bootstrap import bootstrap
from juneau.resources.namespace import NamespaceSpec
from juneau.webhook.admission import KindAdmission

DEFAULT_NODES = ("worker-1", "worker-2")
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
class Lab(LabNodes):
    """One cluster; make it with `Lab.start`."""

    registry: Registry = field(factory=registry, init=False)
    loop: Loop = field(init=False)
    _applied: dict[Key, dict[str, Any]] = field(factory=dict[Key, dict[str, Any]], init=False)

    def __attrs_post_init__(self) -> None:
        admission = KindAdmission(self.registry, lambda: Reader(self.cache))
        self.store = MemoryStore(self.registry, self.clock, (admission, APIServerRules()))
        self.outside = Outside(self.site, self.underlay, self.outside_settings)
        self._begin()
        self.kubelets = Kubelets(self.store, self.cache, self.site, self.clock, self.tell, away=self.away)
        self.store.subscribe(self._hear)

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
        feed = Feed(self.store, self.cache, self.loop.queue, self._hear)
        await feed.begin()
        feed.close()
        await bootstrap(self.store, self.settings)
        self.loop.wake_all()
        self.intents.refresh()
        await self._keep_in_contact()

    def _hear(self, event: Event) -> None:
        changed = self.loop.handle(event)
        if not changed:
            return
        key = event.obj.key
        self.intents.invalidate(key, changed)
        self.kubelets.note(key)
        if self.registry[key.kind].report is not no_report:
            for agent in self.agents.values():
                agent.note(key)
        self.routes_are_due |= key.kind in ROUTED_BY
        if event.type is EventType.DELETED and key.kind == node.KIND.name:
            self._lose_node(key.name)

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
