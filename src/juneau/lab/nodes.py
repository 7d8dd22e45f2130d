"""The Nodes of a lab: how they join and leave, what runs on them, and what can befall them."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network

from attrs import Factory, define, evolve, field

from juneau.agent.nodeagent import NodeAgent
from juneau.cni.server import Server
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import Driver, Site
from juneau.engine.errors import JuneauError
from juneau.engine.intentmap import IntentMap
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key
from juneau.engine.outcome import Note
from juneau.engine.settings import NodeSettings, Settings
from juneau.engine.store import Event
from juneau.engine.world import Cache
from juneau.lab.kubelet import Kubelets
from juneau.lab.outside import Outside, OutsideSettings
from juneau.resources import node
from juneau.resources.node import NodeAddress, NodeSpec, NodeStatus

UNDERLAY = IPv4Network("10.225.51.0/24")
HOSTNAME = "kubernetes.io/hostname"  # the label by which kubelets make their Node known
_FIRST_NODE = 11


@define(eq=False)
class LabNodes:
    """What a lab has of its Nodes; the lab itself gives them time and events."""

    site: Site
    clock: VirtualClock
    settings: Settings = Factory(Settings)
    tell: Callable[[AnyObject, Note], None] = lambda _obj, _note: None
    underlay: IPv4Network = UNDERLAY
    node_settings: NodeSettings = Factory(NodeSettings)
    outside_settings: OutsideSettings = Factory(OutsideSettings)
    store: MemoryStore = field(init=False)
    cache: Cache = field(init=False)
    intents: IntentMap = field(init=False)
    kubelets: Kubelets = field(init=False)
    outside: Outside = field(init=False)
    agents: dict[str, NodeAgent] = field(factory=dict[str, NodeAgent], init=False)
    away: set[str] = field(factory=set[str], init=False)  # Nodes that the API server cannot be reached from
    off: set[str] = field(factory=set[str], init=False)  # those of them that have no power
    routes_are_due: bool = field(default=False, init=False)

    async def settle(self) -> None:
        """Work until nothing is due at this time."""
        raise NotImplementedError

    def _hear(self, event: Event) -> None:
        """An agent has read something itself."""
        raise NotImplementedError

    def _agent(self, name: str, driver: Driver) -> NodeAgent:
        return NodeAgent(name, driver, self.intents, self.store, self.cache, self.clock, self._hear, self.node_settings)

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
        for number in range(_FIRST_NODE, self.underlay.num_addresses - 1):
            address = self.underlay.network_address + number
            if str(address) not in taken and not self.outside.has(address):
                return address
        raise JuneauError(f"the underlay {self.underlay} has no address left for another Node")

    def _lose_node(self, name: str) -> None:
        self.kubelets.lose_node(name)
        self.away.discard(name)
        self.off.discard(name)
        agent = self.agents.pop(name, None)
        if agent is not None:
            agent.close()
            self.site.remove_node(name)
            self.outside.leave(name)

    async def _keep_in_contact(self) -> None:
        """What agents do every few seconds; here, after any time that has passed."""
        for name, agent in list(self.agents.items()):
            if name not in self.away:
                await agent.renew()

    def cut_off(self, name: str) -> None:
        """A Node loses the API server: what runs there goes on, and nobody hears of it."""
        self.away.add(name)
        self.routes_are_due = True

    async def reconnect(self, name: str) -> None:
        """It is there again."""
        self.away.discard(name)
        self.routes_are_due = True
        self.intents.refresh()
        await self.agents[name].renew()
        self.kubelets.look_again(name)
        await self.settle()

    def switch_off(self, name: str) -> None:
        """A Node loses its power; for the API server it is only silent."""
        self.cut_off(name)
        self.off.add(name)
        self.site.switch_off(name)
        self.kubelets.lose_sandboxes(name)

    async def switch_on(self, name: str) -> None:
        """It starts anew, with nothing of what it had."""
        self.off.discard(name)
        self.site.switch_on(name)
        self.outside.lead_out(name)
        self._set_ingress(name)
        self.agents[name].close()
        self.agents[name] = self._agent(name, self.site.driver(name))
        await self.reconnect(name)

    def _lead_routes(self) -> None:
        """The router outside follows what Nodes would announce."""
        if self.routes_are_due:
            self.routes_are_due = False
            self.outside.sync(self.cache, self.away)
