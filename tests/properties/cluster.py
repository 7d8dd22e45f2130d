"""A lab whose controllers, agents and kubelets can die after any write and start anew, and what is left of it.

`normal` is a cluster without what was chosen freely: numbers out of pools, addresses that nobody asked for, and the
MACs and link numbers that follow from histories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import define, field

from juneau.agent.nodeagent import NodeAgent
from juneau.cni.server import Server
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.drivers.simulated.dump import TABLES
from juneau.engine.clock import VirtualClock
from juneau.engine.convert import encode
from juneau.engine.driver import Driver
from juneau.engine.errors import APIError
from juneau.engine.intentmap import IntentMap
from juneau.engine.loop import Loop
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Event, EventType, Listing, Watch
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.lab.kubelet import Kubelets
from juneau.lab.lab import Lab
from juneau.resources import lease

BEGINNING = 1_700_000_000.0
DAY = 86_400.0
NODES = ("worker-1", "worker-2")


class Crash(BaseException):
    """The process is gone; nothing in it may catch this."""


@define(eq=False)
class Mortal:
    """The store as a process reaches it: after `left` more writes the process dies at the next one."""

    inner: MemoryStore
    left: int | None = None
    writes: int = 0

    def _write(self, key: Key) -> None:
        """Agents renew their Leases whatever else happens: that is counted by nobody."""
        if key.kind == lease.KIND.name:
            return
        if self.left is not None:
            if self.left == 0:
                raise Crash
            self.left -= 1
        self.writes += 1

    async def get(self, key: Key) -> AnyObject:
        return await self.inner.get(key)

    async def list(self, kind: str) -> Listing:
        return await self.inner.list(kind)

    async def create(self, obj: AnyObject) -> AnyObject:
        self._write(obj.key)
        return await self.inner.create(obj)

    async def update(self, obj: AnyObject) -> AnyObject:
        self._write(obj.key)
        return await self.inner.update(obj)

    async def update_status(self, obj: AnyObject) -> AnyObject:
        self._write(obj.key)
        return await self.inner.update_status(obj)

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        self._write(key)
        await self.inner.delete(key, uid, resource_version)

    def watch(self, kind: str, resource_version: str) -> Watch:
        return self.inner.watch(kind, resource_version)


@define(eq=False)
class Cluster(Lab):
    """A lab that survives its processes; `crashes` counts how often they died."""

    mortal: Mortal = field(init=False)
    crashes: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        Lab.__attrs_post_init__(self)
        self.mortal = Mortal(self.store)
        self.loop = Loop(self.mortal, self.cache, self.clock, notify=self.tell)
        self.kubelets.store = self.mortal

    @classmethod
    def new(cls, nodes: Sequence[str] = NODES) -> Cluster:
        """A cluster at rest, with its Nodes."""
        clock = VirtualClock(BEGINNING)
        made = run(cls.start(SimulatedDriver.site(clock), clock, nodes))
        assert isinstance(made, Cluster)
        for server in made.kubelets.cni.values():
            server.store = made.mortal
        return made

    def _agent(self, name: str, driver: Driver) -> NodeAgent:
        made = Lab._agent(self, name, driver)
        made.store = made.reporter.store = self.mortal
        return made

    async def _start_node(self, name: str) -> None:
        await Lab._start_node(self, name)
        self.kubelets.cni[name].store = self.mortal

    def restart(self) -> None:
        """Everything but the store, the dataplanes and the sandboxes starts with nothing in memory."""
        self.cache = Cache(self.registry, self.settings)
        self.loop = Loop(self.mortal, self.cache, self.clock)
        self.intents = IntentMap(self.cache)
        sandboxes = self.kubelets.sandboxes
        self.kubelets = Kubelets(self.mortal, self.cache, self.site, self.clock, sandboxes=sandboxes, away=self.away)
        for kind in self.registry:
            for obj in run(self.store.list(kind.name)).objects:
                self._hear(Event(EventType.ADDED, obj))
        for name, agent in self.agents.items():
            agent.close()
            self.agents[name] = self._agent(name, self.site.driver(name))
            self.kubelets.cni[name] = Server(name, self.mortal, self.cache, self.site)
        self.loop.wake_all()
        self.intents.refresh()
        run(self._keep_in_contact())

    def rest(self) -> None:
        """Settle, through one crash if one comes."""
        try:
            run(self.settle())
        except Crash:
            self._rise()

    def _rise(self) -> None:
        self.crashes += 1
        self.mortal.left = None
        self.restart()
        run(self.settle())

    def put(self, document: object) -> bool:
        """Apply a document; whether admission let it pass."""
        try:
            run(self.apply(document))
        except APIError:
            return False
        return True

    def remove(self, key: Key) -> bool:
        """Delete an object; whether that was possible."""
        try:
            run(self.delete(key))
        except APIError:
            return False
        return True

    def pass_time(self, seconds: float) -> None:
        end = self.clock.time + seconds
        try:
            run(self.advance(seconds))
        except Crash:
            self._rise()
            run(self.advance(end - self.clock.time))

    def bring_back(self, name: str) -> None:
        """A Node that was cut off or had no power; through one crash if one comes."""
        try:
            run(self.reconnect(name) if self.site.nodes[name].is_on else self.switch_on(name))
        except Crash:
            self._rise()

    def objects(self) -> dict[Key, AnyObject]:
        return {obj.key: obj for kind in self.registry for obj in run(self.store.list(kind.name)).objects}

    def tables(self) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
        """All tables of all Nodes."""
        return {node: {table: list(self.site.dump(node, table)) for table in TABLES} for node in self.agents}

    def indexes(self) -> tuple[object, object]:
        """What the cache has counted and filed, without what is empty."""
        numbers = {
            (name, slot): list(taken.numbers_within(0, 2**64))
            for name, slots in self.cache._numbers.items()
            for slot, taken in slots.items()
            if len(taken)
        }
        filed = {
            (name, slot): dict(entries)
            for name, slots in self.cache._indexes.items()
            for slot, entries in slots.items()
        }
        return numbers, filed


def normal(cluster: Cluster) -> tuple[dict[str, Any], list[Any]]:
    """Statuses by object, and all intents, with what was chosen freely replaced by who it was chosen for."""
    objects = cluster.objects()
    chosen = _free_choices(objects)
    statuses: dict[str, Any] = {}
    for key, obj in objects.items():
        if key.kind == "AllocationPool":
            continue  # it counts what was ever handed out
        status = encode(cluster.registry, obj).get("status", {})
        for held in (status, *status.get("conditions", ())):
            if "observedGeneration" in held:
                held["observedGeneration"] = held["observedGeneration"] == obj.metadata.generation
        statuses[str(key)] = _said("", status, chosen)
    intents = [_said("", _plain(intent), chosen) for intent in cluster.intents._settled.values()]
    return statuses, sorted(intents, key=str)


# How often something happened, when, and under which numbers.
_OF_HISTORY = ("lastTransitionTime", "rulesetVersion", "rulesetDigest", "allocationVersion", "rank")
# Said only of what was once wrong.
_AMENDS = ("RulesKept", "NothingToEnforce")
_NUMBERS = {
    "vni": "vni",
    "vpc_id": "vpc_id",
    "vpcID": "vpc_id",
    "table_id": "table_id",
    "tableID": "table_id",
    "group_id": "group_id",
    "groupID": "group_id",
    "acl_id": "acl_id",
    "aclID": "acl_id",
}
_MACS = ("mac", "gatewayMAC", "dnsMAC")


def _free_choices(objects: Mapping[Key, AnyObject]) -> dict[tuple[str, str], str]:
    """From (what it is, what was chosen) to words that say for whom."""
    chosen: dict[tuple[str, str], str] = {}
    for key, obj in objects.items():
        for name in _NUMBERS.values():
            number = getattr(obj.status, name, 0)
            if number:
                chosen[name, str(number)] = f"<{key}>"
        for name in ("gateway_mac", "dns_mac"):
            mac = getattr(obj.status, name, "")
            if mac:
                chosen["mac", mac] = f"<{name} of {key}>"
        if key.kind == "NetworkEndpoint":
            chosen["mac", obj.spec.mac_address] = f"<{key}>"
            if obj.spec.kind == "Node":
                chosen["address", obj.spec.address.partition("/")[0]] = "<free>"
        if key.kind == "NetworkInterface" and not obj.spec.address:
            chosen["address", obj.status.address.partition("/")[0]] = "<free>"
    chosen.pop(("address", ""), None)
    return chosen


def _plain(value: Any) -> Any:
    """An intent as a document."""
    if not attrs.has(type(value)):
        return value
    fields = {held.name: _plain(getattr(value, held.name)) for held in attrs.fields(type(value))}
    return {"what": type(value).__name__, **fields}


def _said(name: str, value: Any, chosen: Mapping[tuple[str, str], str]) -> Any:
    if isinstance(value, Mapping):
        fields = {field_: _said(field_, held, chosen) for field_, held in value.items() if field_ not in _OF_HISTORY}
        if value.get("what") == "Port":
            fields["number"] = "<link>"
        return fields
    if isinstance(value, list | tuple):
        said = [_said(name, held, chosen) for held in value]
        if name == "conditions":
            said = sorted((held for held in said if held.get("reason") not in _AMENDS), key=lambda held: held["type"])
        return said
    if name == "value" or (name == "number" and isinstance(value, int)):
        return "<number>"
    if name in _NUMBERS:
        return chosen.get((_NUMBERS[name], str(value)), value)
    if name in _MACS:
        return chosen.get(("mac", value), value)
    address, slash, length = str(value).partition("/")
    return f"{chosen['address', address]}{slash}{length}" if ("address", address) in chosen else str(value)
