"""Reports: what the agents of nodes leave in the status of objects after the dataplane was read back.

What was sent to a driver proves nothing; only what it reads back does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from attrs import Factory, define, evolve, field

from juneau.engine.errors import Conflict, NotFound
from juneau.engine.kind import no_report
from juneau.engine.nodeview import NodeView
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Event, EventType, Store
from juneau.engine.world import Cache

log = logging.getLogger(__name__)


@define(eq=False)
class Reporter:
    """Writes the reports of one node; `note` says which objects may have a new one, `hear` takes what was written."""

    store: Store
    cache: Cache
    hear: Callable[[Event], object]
    reported: frozenset[str] = field(init=False)  # Kinds that nodes have something to say about
    _due: dict[Key, None] = Factory(dict[Key, None])

    def __attrs_post_init__(self) -> None:
        self.reported = frozenset(kind.name for kind in self.cache.registry if kind.report is not no_report)

    def note(self, key: Key) -> None:
        """An object changed, or what a node says about it may have."""
        if key.kind in self.reported:
            self._due[key] = None

    async def work(self, view: NodeView) -> bool:
        """Write what is new; whether there was anything. What somebody else changed meanwhile stays due.

        Raises what else the store raises; what was not written then stays due as well.
        """
        wrote = False
        for key in list(self._due):
            del self._due[key]
            obj = self.cache.get(key)
            status = self.cache.registry[key.kind].report(obj, view) if obj is not None else None
            if obj is not None and status is not None and status != obj.status:
                await self._write(evolve(obj, status=status))
                wrote = True
        return wrote

    async def _write(self, obj: AnyObject) -> None:
        try:
            stored = await self.store.update_status(obj)
        except (Conflict, NotFound) as stale:
            log.debug("report dropped", extra={"key": str(obj.key), "error": str(stale)})
            self._due[obj.key] = None
        except BaseException:
            self._due[obj.key] = None  # nobody knows whether it has arrived
            raise
        else:
            self.hear(Event(EventType.MODIFIED, stored))
