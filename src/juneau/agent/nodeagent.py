"""One Node's agent: intents to the driver, what was read back to the API server, and a Lease that says it is there.

In contact means: the Lease is renewed, and everything that was decided until then is applied.
Only then is the dataplane stamped, so that it takes its tables for the newest; see `juneau.resources.handover`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import Factory, define, evolve, field

from juneau.engine.agent import Agent
from juneau.engine.clock import Clock
from juneau.engine.driver import Contact, Driver
from juneau.engine.errors import NotFound
from juneau.engine.intentmap import IntentMap
from juneau.engine.intents import ARPAnswer, IntentKey, arp_answer_key
from juneau.engine.nodeview import NodeView
from juneau.engine.objects import Key, OwnerReference, Time
from juneau.engine.report import Reporter
from juneau.engine.settings import NodeSettings
from juneau.engine.store import Event, Store
from juneau.engine.world import Cache, Reader
from juneau.resources import lease, node
from juneau.resources.claiming import owner_reference
from juneau.resources.lease import Lease, LeaseSpec, lease_key

MARGIN = 2.0  # seconds by which the dataplane's stamp ends before the Lease, for clocks that run at other speeds


@define(eq=False)
class NodeAgent:
    """The caller says which objects changed (`note`) and refreshes the intents, of which several agents share a map.

    What the agent itself reads of the server it hands to `hear`, as the caller does with what its watches bring.
    """

    name: str
    driver: Driver
    intents: IntentMap
    store: Store
    cache: Cache
    clock: Clock
    hear: Callable[[Event], object]
    settings: NodeSettings = Factory(NodeSettings)
    agent: Agent = field(init=False)
    reporter: Reporter = field(init=False)
    _fresh_until: Time = field(init=False, default=Time(0.0))  # in contact until then, unless it is renewed
    _answered: set[IntentKey] = field(init=False, factory=set[IntentKey])
    _conflicted: set[IntentKey] = field(init=False, factory=set[IntentKey])
    _ticking: bool = field(init=False, default=False)
    _closed: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self.agent = Agent(self.name, self.driver, self.intents)
        self.reporter = Reporter(self.store, self.cache, self.hear)

    @property
    def in_contact(self) -> bool:
        """Whether what it has applied is the newest, for all that anybody may decide."""
        return self.clock.now() < self._fresh_until

    def note(self, key: Key) -> None:
        """An object changed."""
        self.reporter.note(key)

    def close(self) -> None:
        """The Node is gone, or somebody else takes over."""
        self.agent.close()
        self._closed = True

    async def renew(self) -> None:
        """Renew the Lease, and come into contact if that was lost; every third of the Lease's time.

        Raises what the store raises: then contact ends by itself when the Lease has run out.
        """
        begun = self.clock.now()
        await self._renew_lease(begun)
        # Asked after the call: while it lasted contact may have ended, and grants may have been taken away.
        if not self.in_contact:
            await self._catch_up()
        self._stamp(begun)

    async def work(self) -> bool:
        """Apply what changed and report what came of it; whether anything was done."""
        moved = self.agent.flush()
        self._take_note()
        if not self.in_contact:
            return moved
        return await self.reporter.work(self._view()) or moved

    async def _catch_up(self) -> None:
        """Read what was decided, after the Lease was renewed, and apply it: what another Node has got is withdrawn."""
        for kind in self.reporter.reported:
            listing = await self.store.list(kind)
            for event in self.cache.differences(kind, listing):
                self.hear(event)
            for obj in listing.objects:
                self.reporter.note(obj.key)
        self.intents.refresh()
        self.agent.resync()
        self.agent.flush()
        self._answered = {key for key, intent in self.driver.read().items() if isinstance(intent, ARPAnswer)}

    def stay_in_contact(self, until: Time) -> None:
        """As if the Lease were renewed all the while until then: for who moves time on himself."""
        if self.in_contact:
            self._stamp(until)

    def _stamp(self, begun: Time) -> None:
        """What holds since the last renewal began, told to the dataplane as from now."""
        lasts, passed = self.cache.settings.node_lease_seconds, self.clock.now() - begun
        fresh_for = max(lasts - MARGIN, lasts / 2) - passed
        fence = self.settings.arp_fence_after
        self._fresh_until = Time(self.clock.now() + fresh_for)
        self.driver.renew(Contact(fresh_for, fence - passed if fence is not None else None))

    async def _renew_lease(self, now: Time) -> None:
        key, lasts = lease_key(self.name), round(self.cache.settings.node_lease_seconds)
        try:
            held: Lease = await self.store.get(key)
        except NotFound:
            spec = LeaseSpec(self.name, lasts, now, now)
            await self.store.create(lease.KIND.new(key.name, spec, key.namespace, owner_references=self._owners()))
            return
        spec = evolve(held.spec, holder_identity=self.name, lease_duration_seconds=lasts, renew_time=now)
        await self.store.update(evolve(held, spec=spec))

    def _owners(self) -> tuple[OwnerReference, ...]:
        reader = Reader(self.cache)
        found = reader.get(node.KIND, self.name)
        return (owner_reference(reader, found),) if found is not None else ()

    def _view(self) -> NodeView:
        return NodeView(self.name, self.driver.read(), self.agent.failures, self.driver.conflicts())

    def _take_note(self) -> None:
        """Of what was given to the driver, what it could not do, and who else was heard."""
        touched, self.agent.touched = self.agent.touched, set()
        held = self.driver.read()
        for key in touched:
            if isinstance(held.get(key), ARPAnswer):
                self._answered.add(key)
            else:
                self._answered.discard(key)
        # Who is silent again is told of too.
        before, self._conflicted = self._conflicted, set(map(arp_answer_key, self.driver.conflicts()))
        self._note_owners((*touched, *self.agent.failures, *before, *self._conflicted))
        if self._answered and not self._ticking and self.settings.arp_interval > 0:
            self._ticking = True
            self._call_again()

    def _note_owners(self, keys: Iterable[IntentKey]) -> None:
        for key in keys:
            owner = self.intents.owner_of(key)
            if owner is not None:
                self.reporter.note(owner)

    def _call_again(self) -> None:
        self.clock.call_at(Time(self.clock.now() + self.settings.arp_interval), self._announce)

    def _announce(self) -> None:
        """Out of contact it says nothing: somebody else may have the address by now."""
        if self._closed or not self._answered:
            self._ticking = False
            return
        if self.in_contact:
            self.driver.announce()
        self._call_again()
