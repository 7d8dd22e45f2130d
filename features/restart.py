"""A controller that ends and another one that begins, over the same store and the same Nodes."""

from __future__ import annotations

from juneau.engine.agent import Agent
from juneau.engine.intentmap import IntentMap
from juneau.engine.loop import Loop
from juneau.engine.store import Event, EventType
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.lab.lab import Lab


def restart(lab: Lab) -> None:
    """Forget all that was only in memory, and read the store anew; the agents compare with what their Nodes hold."""
    lab.cache = Cache(lab.registry, lab.settings)
    lab.loop = Loop(lab.store, lab.cache, lab.clock, notify=lab.tell)
    lab.intents = IntentMap(lab.cache)
    lab.kubelets.cache = lab.cache
    for kind in lab.registry:
        for obj in run(lab.store.list(kind.name)).objects:
            changed = lab.loop.handle(Event(EventType.ADDED, obj))
            lab.intents.invalidate(obj.key, changed)
    for name, agent in list(lab.agents.items()):
        lab.agents[name] = Agent(name, agent.driver, lab.intents)
        lab.kubelets.cni[name].cache = lab.cache
    lab.loop.wake_all()
