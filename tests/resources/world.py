"""A cluster without nodes, for tests of Kinds: store, admission and controllers in one process, at a time that stands
still.

Whatever is asked of it is settled before the call returns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from juneau.engine.clock import VirtualClock
from juneau.engine.convert import decode, encode
from juneau.engine.errors import Invalid, NotFound
from juneau.engine.intents import Intent
from juneau.engine.kind import AnyKind
from juneau.engine.loop import Loop
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Condition, Key, condition
from juneau.engine.outcome import Note
from juneau.engine.settings import Settings
from juneau.engine.step import take_step
from juneau.engine.world import Cache, Reader
from juneau.resources import registry
from juneau.resources.bootstrap import bootstrap
from juneau.webhook.admission import KindAdmission


class World:
    """All Kinds, and the objects that a controller makes when it starts."""

    def __init__(self, settings: Settings | None = None, more: Iterable[AnyKind] = ()) -> None:
        self.settings = settings or Settings()
        self.registry = registry()
        for kind in more:
            self.registry.add(kind)
        self.clock = VirtualClock(1_700_000_000.0)
        self.cache = Cache(self.registry, self.settings)
        admission = KindAdmission(self.registry, lambda: Reader(self.cache))
        self.store = MemoryStore(self.registry, self.clock, (admission,))
        self.notes: list[tuple[Key, Note]] = []
        self.loop = Loop(
            self.store, self.cache, self.clock, notify=lambda obj, note: self.notes.append((obj.key, note))
        )
        self.store.subscribe(self.loop.handle)
        asyncio.run(bootstrap(self.store, self.settings))
        self.settle()

    def settle(self) -> None:
        asyncio.run(self.loop.settle())

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.settle()

    def document(self, kind: str, name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
        """A manifest; a name with a slash is namespace/name."""
        namespace, _, own = name.rpartition("/")
        metadata = {"name": own} | ({"namespace": namespace} if namespace else {})
        return {"apiVersion": self.registry[kind].api_version, "kind": kind, "metadata": metadata, "spec": dict(spec)}

    def create(self, kind: str, name: str, /, **spec: Any) -> AnyObject:
        """Create an object from the fields of its spec, as a manifest names them."""
        return self.put(decode(self.registry, self.document(kind, name, spec)))

    def put(self, obj: AnyObject) -> AnyObject:
        stored = asyncio.run(self.store.create(obj))
        self.settle()
        return self.find(stored.key) or stored

    def update(self, kind: str, name: str, /, **changes: Any) -> AnyObject:
        """Change fields of a spec; None takes a field out."""
        held = self.get(kind, name)
        spec = {**encode(self.registry, held).get("spec", {}), **changes}
        wanted = decode(self.registry, self.document(kind, name, {f: v for f, v in spec.items() if v is not None}))
        return self.write(evolve(held, spec=wanted.spec))

    def write(self, obj: AnyObject) -> AnyObject:
        """Replace metadata and spec."""
        asyncio.run(self.store.update(evolve(obj, metadata=evolve(obj.metadata, resource_version=""))))
        self.settle()
        return self.get(obj.kind, f"{obj.namespace}/{obj.name}" if obj.namespace else obj.name)

    def delete(self, kind: str, name: str) -> None:
        namespace, _, own = name.rpartition("/")
        asyncio.run(self.store.delete(Key(kind, namespace, own)))
        self.settle()

    def find(self, key: Key) -> AnyObject | None:
        try:
            return asyncio.run(self.store.get(key))
        except NotFound:
            return None

    def get(self, kind: str, name: str) -> AnyObject:
        namespace, _, own = name.rpartition("/")
        return asyncio.run(self.store.get(Key(kind, namespace, own)))

    def status(self, kind: str, name: str) -> Any:
        return self.get(kind, name).status

    def condition(self, kind: str, name: str, type_: str = "Ready") -> Condition | None:
        return condition(self.get(kind, name), type_)

    def ready(self, kind: str, name: str) -> tuple[str, str, str]:
        """Phase, and status and reason of Ready."""
        held = self.condition(kind, name)
        return (self.status(kind, name).phase, held.status, held.reason) if held is not None else ("", "", "")

    def faults(self, kind: str, name: str, /, **spec: Any) -> list[str]:
        """What is said against creating this object; nothing is created."""
        try:
            self.create(kind, name, **spec)
        except Invalid as error:
            return [str(violation) for violation in error.violations]
        return []

    def update_faults(self, kind: str, name: str, /, **changes: Any) -> list[str]:
        """What is said against this change."""
        try:
            self.update(kind, name, **changes)
        except Invalid as error:
            return [str(violation) for violation in error.violations]
        return []

    def waits(self, kind: str, name: str) -> list[tuple[str, str]]:
        """What an object waits for: of which object, and which field."""
        outcome, _ = take_step(self.registry[kind], self.get(kind, name), Reader(self.cache), self.clock.now())
        return [(str(wait.on), wait.field) for wait in outcome.waits]

    def intents(self, kind: str, name: str) -> list[Intent]:
        obj = self.get(kind, name)
        return list(self.registry[kind].intents(obj, Reader(self.cache)))

    def set_status(self, obj: AnyObject) -> AnyObject:
        """Somebody writes a status."""
        stored = asyncio.run(self.store.update_status(evolve(obj, metadata=evolve(obj.metadata, resource_version=""))))
        self.settle()
        return self.find(stored.key) or stored

    def writes_of_a_second_look(self) -> int:
        """How many writes follow when every object is looked at again."""
        before = self.loop.writes_made
        self.loop.wake_all()
        self.settle()
        return self.loop.writes_made - before

    def force(self, obj: AnyObject) -> AnyObject:
        """Store an object past all admission, as one that is older than a rule, or was stored while a webhook slept."""
        chain, self.store.admission = self.store.admission, ()
        try:
            return self.put(obj) if self.find(obj.key) is None else self.write(obj)
        finally:
            self.store.admission = chain

    def force_new(self, kind: str, name: str, /, **spec: Any) -> AnyObject:
        return self.force(decode(self.registry, self.document(kind, name, spec)))

    def force_delete(self, kind: str, name: str) -> None:
        chain, self.store.admission = self.store.admission, ()
        try:
            self.delete(kind, name)
        finally:
            self.store.admission = chain
