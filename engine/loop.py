"""The reconcile loop: wake a key, take a step on the cache, commit what it concluded.

    event -> cache -> queue -> step (pure) -> outcome -> writes

A commit goes under the resourceVersions that the step read; on a conflict everything is dropped and computed anew.
Only here `Exception` is caught: the key is retried with back-off, the rest goes on.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Callable, Iterable

import attrs
from attrs import Factory, define

from juneau.engine.clock import Clock
from juneau.engine.commit import Committer
from juneau.engine.errors import AlreadyExists, APIError, Conflict, NotFound
from juneau.engine.journal import Journal, Transition
from juneau.engine.objects import AnyObject, Condition, Key, Time, condition
from juneau.engine.outcome import Note, Outcome, UpdateStatus, merge_conditions
from juneau.engine.queue import WorkQueue
from juneau.engine.step import STEP_FAILED, take_step
from juneau.engine.store import Event, EventType, Store
from juneau.engine.tracking import Askers
from juneau.engine.world import Cache, Question, Reader

log = logging.getLogger(__name__)

_FIRST_DELAY = 0.2  # seconds; doubled with every failure in a row
_LONGEST_DELAY = 60.0


@define(eq=False)
class Loop:
    """The controllers of all Kinds over one cache and one store.

    `notify` is told of Events for people.
    """

    store: Store
    cache: Cache
    clock: Clock
    journal: Journal = Factory(Journal)
    notify: Callable[[AnyObject, Note], None] = lambda _obj, _note: None
    queue: WorkQueue = attrs.field(init=False)
    commits: Committer = attrs.field(init=False)
    steps_taken: int = 0
    _askers: Askers = Factory(Askers)
    _failures: dict[Key, int] = Factory(dict[Key, int])
    _causes: dict[Key, Question] = Factory(dict[Key, Question])
    _told: dict[Key, tuple[Note, ...]] = Factory(dict[Key, tuple[Note, ...]])

    def __attrs_post_init__(self) -> None:
        self.queue = WorkQueue(self.clock)
        self.commits = Committer(self.store, self.cache, self.handle, self._wake)

    @property
    def writes_made(self) -> int:
        return self.commits.writes_made

    def handle(self, event: Event) -> set[Question]:
        """Take an event into the cache and wake whoever asked about what it changed; returns what changed."""
        gone = event.type is EventType.DELETED
        changed = self.cache.drop(event.obj) if gone else self.cache.put(event.obj)
        if changed:
            key = event.obj.key
            own = self.commits.is_writing(event)
            if not own:
                self._wake(key, ("object", key))
            self.wake_askers(changed, key if own else None)
        return changed

    def wake_askers(self, changed: Iterable[Question], writer: Key | None = None) -> None:
        """Wake the objects whose last step read one of these answers, but for who is writing itself."""
        for question in changed:
            for key in self._askers.take(question):
                if key != writer:
                    self._wake(key)
                    self._causes[key] = question

    def wake_all(self) -> None:
        """Look at every object once, as after a start."""
        for obj in list(self.cache):
            self._wake(obj.key)

    def _wake(self, key: Key, cause: Question = ()) -> None:
        kind = self.cache.registry[key.kind]
        if kind.controller is None:
            return
        if cause:
            self._causes.setdefault(key, cause)
        self.queue.add(key, kind.summary)

    async def settle(self) -> None:
        """Work until nothing is due at this time; events have to reach `handle` as writes are made."""
        while (key := self.queue.pop()) is not None:
            await self._work(key)

    async def work(self) -> None:
        """Work for ever, as one of several workers."""
        while True:
            await self._work(await self.queue.get())

    async def _work(self, key: Key) -> None:
        try:
            await self.reconcile(key)
        except (Conflict, AlreadyExists, NotFound) as stale:
            # Somebody else was faster; nothing of this step counts, the newest state decides.
            log.debug("step dropped", extra={"key": str(key), "error": str(stale)})
            await self._drop(key, stale)
        except asyncio.CancelledError:
            self._wake(key)
            raise
        except Exception as error:
            log.warning("step failed", extra={"key": str(key), "error": str(error)}, exc_info=True)
            await self._tell_failure(key, error.message if isinstance(error, APIError) else repr(error))
            self._retry(key, error)
        else:
            self._failures.pop(key, None)
        finally:
            self.queue.done(key)

    async def _drop(self, key: Key, stale: Exception) -> None:
        try:
            await self.commits.catch_up(key)
        except Exception as error:
            log.warning("the server could not be read", extra={"key": str(key), "error": str(error)}, exc_info=True)
            self._retry(key, error)
        else:
            self._retry(key, stale)

    def _retry(self, key: Key, error: Exception) -> None:
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        summary = self.cache.registry[key.kind].summary
        if failures == 0 and isinstance(error, (Conflict, AlreadyExists, NotFound)):
            self.queue.add(key, summary)
            return
        delay = min(_FIRST_DELAY * 2 ** min(failures, 20), _LONGEST_DELAY)
        # Jitter from the key: spread over the second half of the delay, and the same in every run.
        spread = zlib.crc32(f"{key}{failures}".encode()) / 2**32
        self.queue.add_at(key, Time(self.clock.now() + delay * (0.5 + spread / 2)), summary)

    async def reconcile(self, key: Key) -> None:
        """Take one step of one object and commit it."""
        obj = self.cache.get(key)
        if obj is None:
            self._forget(key)
            return
        kind = self.cache.registry[key.kind]
        reader = Reader(self.cache)
        now = self.clock.now()
        outcome, after = take_step(kind, obj, reader, now)
        self._askers.remember(key, reader.asked)
        self.steps_taken += 1
        await self.commits.commit(obj, after, outcome)
        # What it read of what it has written itself was forgotten meanwhile.
        self._askers.remember(key, reader.asked)
        self._report(obj, after, outcome, now, self._causes.pop(key, ()))
        self.journal.note_waits(key, outcome.waits, now)
        if outcome.again is not None and outcome.again > now:
            self.queue.add_at(key, outcome.again, kind.summary)

    async def _tell_failure(self, key: Key, why: str) -> None:
        """A step that cannot be taken or committed is no secret: its object says so."""
        obj = self.cache.get(key)
        if obj is None or obj.deleting:
            return
        kind = self.cache.registry[key.kind]
        told = {kind.chief_condition: (False, STEP_FAILED, why)}
        generation = obj.metadata.generation
        changes: dict[str, object] = {
            "conditions": merge_conditions(obj.status.conditions, told, generation, self.clock.now())
        }
        if not kind.foreign:
            changes |= {"phase": kind.failed_phase, "observed_generation": generation}
        after = obj.with_status(**changes)
        if after.status == obj.status:
            return
        try:
            await self.commits.write_own(UpdateStatus(after))
        except Exception as error:
            # It is tried again with the step.
            log.debug("failure not told", extra={"key": str(key), "error": str(error)})
        else:
            self._tell(obj, (Note("Warning", STEP_FAILED, why),))

    def _report(self, obj: AnyObject, after: AnyObject, outcome: Outcome, now: Time, cause: Question) -> None:
        """Tell people, and the journal, what is new; a step that changes nothing says nothing."""
        kind = self.cache.registry[obj.kind]
        chief = kind.chief_condition
        before, held = condition(obj, chief), condition(after, chief)
        moved = obj.status.phase != after.status.phase or _statement(before) != _statement(held)
        verdict = outcome.verdict
        if moved:
            earlier = self.journal.of(obj.key)
            source = earlier[-1].dest if earlier else "" if kind.foreign else str(obj.status.phase)
            passed = Transition(now, source, verdict.phase, verdict.reason, verdict.message, cause)
            self.journal.record(obj.key, passed)
            fields = {"key": str(obj.key), "from": passed.source, "to": passed.dest}
            log.info("phase changed", extra={**fields, "reason": passed.reason})
        if outcome.notes and _statements(obj) != _statements(after):
            self._tell(obj, outcome.notes)

    def _tell(self, obj: AnyObject, notes: tuple[Note, ...]) -> None:
        """Notes that were not told already with the last change."""
        told = self._told.get(obj.key, ())
        self._told[obj.key] = notes
        for note in notes:
            if note not in told:
                log.info(note.message, extra={"key": str(obj.key), "reason": note.reason})
                self.notify(obj, note)

    def _forget(self, key: Key) -> None:
        self._askers.remember(key, set())
        self._failures.pop(key, None)
        self._causes.pop(key, None)
        self._told.pop(key, None)
        self.commits.forget(key)
        self.journal.forget(key)


def _statement(held: Condition | None) -> tuple[str, str]:
    return (held.status, held.reason) if held is not None else ("", "")


def _statements(obj: AnyObject) -> set[tuple[str, str, str, str]]:
    conditions: tuple[Condition, ...] = obj.status.conditions
    return {(held.type, held.status, held.reason, held.message) for held in conditions}
