"""The agent of one node: intents -> delta -> driver, with the driver passed in."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from attrs import Factory, define

from juneau.engine.delta import difference
from juneau.engine.driver import Driver, Failure
from juneau.engine.intentmap import IntentMap
from juneau.engine.intents import IntentKey

log = logging.getLogger(__name__)


@define(eq=False)
class Agent:
    """Keeps one node's dataplane as the intents say; nothing is removed before the first `resync`."""

    node: str
    driver: Driver
    intents: IntentMap
    failures: dict[IntentKey, Failure] = Factory(dict[IntentKey, Failure])
    _dirty: set[IntentKey] = Factory(set[IntentKey])
    _synced: bool = False

    def __attrs_post_init__(self) -> None:
        self.intents.listen(self._mark)

    def _mark(self, keys: set[IntentKey]) -> None:
        self._dirty |= keys

    def flush(self) -> bool:
        """Make what changed true; the first time, and after `resync`, all of it. Whether anything was to be done."""
        if not self._synced:
            self._synced = True
            self._dirty.clear()
            return self._apply(None)
        if not self._dirty and not self.failures:
            return False
        keys = self._dirty | self.failures.keys()
        self._dirty = set()
        return self._apply(keys)

    def resync(self) -> None:
        """Compare everything with what the driver reads back, at the next flush: drift is repaired."""
        self._synced = False

    def _apply(self, keys: set[IntentKey] | None) -> bool:
        desired = self.intents.desired(self.node) if keys is None else self.intents.desired_of(self.node, keys)
        delta = difference(desired, self.driver.read(), keys)
        self._forget_failures(keys)
        if not delta:
            return False
        for failure in self.driver.apply(delta):
            self.failures[failure.intent.key] = failure
            log.warning("intent not applied", extra={"node": self.node, "error": failure.message})
        return True

    def _forget_failures(self, keys: set[IntentKey] | None) -> None:
        if keys is None:
            self.failures.clear()
        else:
            for key in keys:
                self.failures.pop(key, None)

    def status(self) -> Mapping[IntentKey, str]:
        """What could not be made true, and why."""
        return {key: failure.message for key, failure in self.failures.items()}
