"""The agent of one node: intents -> delta -> driver, with the driver passed in."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from attrs import Factory, define

from juneau.engine.delta import difference
from juneau.engine.driver import OUT_OF_CONTACT, Driver, Failure
from juneau.engine.intentmap import IntentMap
from juneau.engine.intents import IntentKey

log = logging.getLogger(__name__)


@define(eq=False)
class Agent:
    """Keeps one node's dataplane as the intents say; nothing is removed before the first `resync`.

    `touched` are the intents that were given to the driver since somebody last took note of them.
    """

    node: str
    driver: Driver
    intents: IntentMap
    failures: dict[IntentKey, Failure] = Factory(dict[IntentKey, Failure])
    touched: set[IntentKey] = Factory(set[IntentKey])
    _dirty: set[IntentKey] = Factory(set[IntentKey])
    _synced: bool = False

    def __attrs_post_init__(self) -> None:
        self.intents.listen(self._mark)

    def _mark(self, keys: set[IntentKey]) -> None:
        self._dirty |= keys

    def close(self) -> None:
        """The Node is gone."""
        self.intents.leave(self._mark)

    def flush(self) -> bool:
        """Make what changed true; the first time, and after `resync`, all of it. Whether anything was done."""
        keys = self._dirty | self.failures.keys() if self._synced else None
        if keys is not None and not keys:
            return False
        # A driver that raises has done nobody knows what: then everything is compared anew.
        self._dirty, self._synced = set(), False
        moved = self._apply(keys)
        self._synced = True
        return moved

    def resync(self) -> None:
        """Compare everything with what the driver reads back, at the next flush: drift is repaired."""
        self._synced = False

    def _apply(self, keys: set[IntentKey] | None) -> bool:
        desired = self.intents.desired(self.node) if keys is None else self.intents.desired_of(self.node, keys)
        delta = difference(desired, self.driver.read(), keys)
        before = dict(self.failures)
        self._forget_failures(keys)
        if not delta:
            return bool(before)
        self.touched |= delta.keys()
        failed = {failure.intent.key: failure for failure in self.driver.apply(delta)}
        self.failures |= failed
        for key, failure in failed.items():
            if before.get(key) != failure:
                owner = self.intents.owner_of(key)
                fields = {"node": self.node, "key": str(owner or ""), "error": failure.message}
                # To be out of contact is a matter of time, not a fault.
                level = logging.DEBUG if failure.reason == OUT_OF_CONTACT else logging.WARNING
                log.log(level, "intent not applied", extra=fields)
        # What fails as it did before is no movement.
        return self.failures != before or len(failed) < delta.size

    def _forget_failures(self, keys: set[IntentKey] | None) -> None:
        if keys is None:
            self.failures.clear()
        else:
            for key in keys:
                self.failures.pop(key, None)

    def status(self) -> Mapping[IntentKey, str]:
        """What could not be made true, and why."""
        return {key: failure.message for key, failure in self.failures.items()}
