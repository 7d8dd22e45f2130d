"""API objects as frozen values: metadata, spec, status.

Everything inside Juneau works on these; wire forms exist only at the edge (`engine.convert`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, NewType, TypeVar

from attrs import AttrsInstance, evolve, field, frozen

SpecT = TypeVar("SpecT", bound=AttrsInstance)
StatusT = TypeVar("StatusT", bound=AttrsInstance)

Time = NewType("Time", float)  # seconds since the epoch; RFC 3339 on the wire
Opaque = NewType("Opaque", object)  # JSON that Juneau carries but does not read


class Key(NamedTuple):
    """What names an object: its Kind, its namespace (empty for cluster-scoped Kinds), its name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return "/".join(part for part in self if part)


@frozen
class OwnerReference:
    """An object that this one goes away with."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool = False


@frozen
class Metadata:
    """The part of an object that every Kind has."""

    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    finalizers: tuple[str, ...] = ()
    owner_references: tuple[OwnerReference, ...] = ()
    labels: Mapping[str, str] = field(factory=dict[str, str])
    annotations: Mapping[str, str] = field(factory=dict[str, str])


@frozen
class Object(Generic[SpecT, StatusT]):
    """One object of one Kind, as stored at one resourceVersion."""

    kind: str
    metadata: Metadata
    spec: SpecT
    status: StatusT

    @property
    def key(self) -> Key:
        return Key(self.kind, self.metadata.namespace, self.metadata.name)

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def namespace(self) -> str:
        return self.metadata.namespace

    @property
    def deleting(self) -> bool:
        """Whether deletion has begun and finalizers still hold the object."""
        return self.metadata.deletion_timestamp is not None

    def with_spec(self, **changes: Any) -> Object[SpecT, StatusT]:
        """The same object with some spec fields changed."""
        spec: Any = self.spec
        return evolve(self, spec=evolve(spec, **changes))

    def with_status(self, **changes: Any) -> Object[SpecT, StatusT]:
        """The same object with some status fields changed."""
        status: Any = self.status
        return evolve(self, status=evolve(status, **changes))

    def with_metadata(self, **changes: Any) -> Object[SpecT, StatusT]:
        """The same object with some metadata changed."""
        return evolve(self, metadata=evolve(self.metadata, **changes))


AnyObject = Object[Any, Any]


@frozen
class Condition:
    """One statement about an object: `status` is True, False or Unknown, `reason` one CamelCase word."""

    type: str
    status: str
    reason: str
    message: str = ""
    last_transition_time: Time | None = None
    observed_generation: int = 0


def condition(obj: AnyObject, type_: str) -> Condition | None:
    """The condition of that type, if the object has it."""
    conditions: tuple[Condition, ...] = obj.status.conditions
    return next((held for held in conditions if held.type == type_), None)


def why_not(obj: AnyObject | None, type_: str) -> str:
    """What a condition that is not True says, to be put behind a sentence; empty where there is nothing to say."""
    held = condition(obj, type_) if obj is not None else None
    if held is None or held.status == "True":
        return ""
    return f" ({': '.join(filter(None, (held.reason, held.message)))})"


def is_ready(obj: AnyObject) -> bool:
    """Whether the condition Ready is True."""
    held = condition(obj, "Ready")
    return held is not None and held.status == "True"
