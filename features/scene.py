"""What one scenario plays on: a lab, and what was asked of it last.

Steps speak to a scene; nothing of a lab's making, conversions or coroutines shows in them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

import pytest
from attrs import Factory, define

from juneau.engine.clock import VirtualClock
from juneau.engine.convert import decode, encode
from juneau.engine.driver import DriverKind
from juneau.engine.errors import APIError, BadRequest, Invalid, NotFound, Violation
from juneau.engine.kind import AnyKind
from juneau.engine.manifests import read_documents
from juneau.engine.objects import AnyObject, Key
from juneau.engine.outcome import Note
from juneau.engine.settings import NodeSettings, Settings
from juneau.engine.table import render
from juneau.features.paths import REMOVED, read_path, write_path
from juneau.features.wire import Wire
from juneau.lab.immediate import run
from juneau.lab.lab import DEFAULT_NODES, Lab
from juneau.lab.outside import OutsideSettings

_START = 1_767_225_600.0  # any moment does; scenarios speak of durations


@define(eq=False, repr=False, slots=False)
class Scene:
    """One lab, made when it is first needed, so that its flags can be said in several steps."""

    driver: str
    folder: Path  # where commands run
    home: Path = Path()  # where the .feature file stands
    nodes: tuple[str, ...] = DEFAULT_NODES
    settings: Settings = Factory(Settings)
    underlay_mtu: int = 1600
    node_settings: NodeSettings = Factory(NodeSettings)
    outside: OutsideSettings = Factory(OutsideSettings)
    refusals: list[APIError] = Factory(list[APIError])
    deletion_refusal: APIError | None = None
    version_before: str = ""
    noted: dict[str, object] = Factory(dict[str, object])
    notes: list[tuple[Key, Note]] = Factory(list[tuple[Key, Note]])
    message: str = ""  # of the condition or Event that was looked at last
    output: tuple[int, str, str] = (0, "", "")  # exit status, standard output and error of the last command
    _lab: Lab | None = None

    @cached_property
    def wire(self) -> Wire:
        """Its packets."""
        return Wire(self)

    @property
    def lab(self) -> Lab:
        if self._lab is None:
            clock = VirtualClock(_START)
            site = driver_kind(self.driver).site(clock, self.underlay_mtu)
            started = Lab.start(
                site, clock, self.nodes, self.settings, self._tell,
                node_settings=self.node_settings, outside=self.outside,
            )  # fmt: skip
            self._lab = run(started)
        return self._lab

    @property
    def has_begun(self) -> bool:
        return self._lab is not None

    def _tell(self, obj: AnyObject, note: Note) -> None:
        self.notes.append((obj.key, note))

    def settle(self) -> None:
        run(self.lab.settle())

    def version(self) -> str:
        """The store's resourceVersion: it moves with every write."""
        return run(self.lab.store.list("Vpc")).resource_version

    def begin(self) -> None:
        """Something is about to happen: what was kept of the last time is forgotten."""
        self.version_before = self.version()
        self.refusals = []
        self.deletion_refusal = None

    def apply(self, text: str) -> None:
        """Apply the documents of a text one after the other, each until the world is at rest; refusals are kept."""
        self.begin()
        for document in read_documents(text, "manifest"):
            if document.error:
                self.refusals.append(BadRequest(document.error))
            else:
                self._apply_one(document.content)

    def apply_documents(self, documents: Iterable[object]) -> None:
        """The same with documents that are read already."""
        self.begin()
        for document in documents:
            self._apply_one(document)

    def _apply_one(self, document: object) -> None:
        try:
            run(self.lab.apply(document))
        except APIError as refusal:
            self.refusals.append(refusal)
        self.settle()

    def force(self, text: str) -> None:
        """Store documents as if they were older than every rule, or had been stored while a webhook slept."""
        with self.past_admission():
            self.apply(text)
        if self.refusals:
            raise AssertionError(f"could not be stored: {self.refusals[0].message}")

    @contextmanager
    def past_admission(self) -> Generator[None, None, None]:
        """Inside, nothing is refused or completed."""
        chain, self.lab.store.admission = self.lab.store.admission, ()
        try:
            yield
        finally:
            self.lab.store.admission = chain

    def delete(self, kind: str, name: str) -> None:
        self.begin()
        try:
            run(self.lab.delete(self.key(kind, name)))
        except APIError as refusal:
            self.deletion_refusal = refusal
            self.refusals.append(refusal)
        self.settle()

    def change(self, kind: str, name: str, path: str, value: object) -> None:
        """Change one field of a stored object, or remove it; a refusal is kept."""
        self.begin()
        document = self.document(kind, name)
        write_path(document, path, value)
        try:
            run(self.lab.store.update(decode(self.lab.registry, document)))
        except APIError as refusal:
            self.refusals.append(refusal)
        self.settle()

    def remove(self, kind: str, name: str, path: str) -> None:
        self.change(kind, name, path, REMOVED)

    def advance(self, seconds: float) -> None:
        self.begin()
        run(self.lab.advance(seconds))

    def restart(self) -> None:
        """A new controller takes over the store."""
        self.begin()
        run(self.lab.restart())
        self.settle()

    def kind(self, word: str) -> AnyKind:
        found = self.lab.registry.find(word)
        if found is None:
            raise AssertionError(f"there is no Kind {word}")
        return found

    def key(self, kind: str, name: str) -> Key:
        """The key that `name` or `namespace/name` stands for."""
        found = self.kind(kind)
        name_space, _, own = name.rpartition("/")
        return Key(found.name, (name_space or "default") if found.namespaced else "", own)

    def find(self, kind: str, name: str) -> AnyObject | None:
        try:
            return run(self.lab.store.get(self.key(kind, name)))
        except NotFound:
            return None

    def get(self, kind: str, name: str) -> AnyObject:
        found = self.find(kind, name)
        if found is None:
            there = ", ".join(str(obj.key) for obj in self.lab.list(kind)) or "none"
            raise AssertionError(f'there is no {kind} "{name}"; there is: {there}')
        return found

    def why_not(self, name: str) -> str:
        """Why a Pod is not bound or not attached; empty where nothing is in its way."""
        note = self.lab.kubelets.why_not.get(self.key("Pod", name))
        return note.message if note is not None else ""

    def document(self, kind: str, name: str) -> dict[str, Any]:
        return encode(self.lab.registry, self.get(kind, name))

    def read(self, kind: str, name: str, path: str) -> Any:
        """A field of an object as its manifest has it, None where it is not there."""
        return read_path(self.document(kind, name), path)

    def note_value(self, kind: str, name: str, path: str) -> None:
        self.noted[f"{path} of {kind} {name}"] = self.read(kind, name, path)

    def table(self, word: str, output: str = "table") -> str:
        kind = self.kind(word)
        return render(kind, self.lab.list(kind.name), output, self.lab.clock.now())

    @property
    def violations(self) -> list[Violation]:
        """What the refusals of the last step say against fields."""
        return [fault for refusal in self.refusals if isinstance(refusal, Invalid) for fault in refusal.violations]

    @property
    def refusal_text(self) -> str:
        return "\n".join(refusal.message for refusal in self.refusals)


def driver_kind(name: str) -> DriverKind:
    """The driver of that name; a test that wants one which cannot run here is skipped."""
    found = {entry.name: entry for entry in entry_points(group="juneau.drivers")}
    if name not in found:
        raise pytest.UsageError(f"no dataplane driver {name!r}; there is {', '.join(sorted(found)) or 'none'}")
    kind = cast("DriverKind", found[name].load())
    why = kind.unavailable()
    if why is not None:
        pytest.skip(f"the driver {name} cannot run here: {why}")
    return kind
