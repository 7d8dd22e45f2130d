"""Namespace, the API server's own Kind: where namespaced objects live."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Kind, Scope
from juneau.engine.objects import Condition, Object
from juneau.engine.world import Reader
from juneau.resources.networkendpoint import NODE_NAMESPACE


@frozen
class NamespaceSpec:
    """Nothing that Juneau reads."""

    finalizers: Annotated[tuple[str, ...], Mark("what holds the Namespace until its content is gone")] = ()


@frozen
class NamespaceStatus:
    """How far the Namespace is."""

    phase: Annotated[str, Mark("Active or Terminating")] = "Active"
    conditions: Annotated[tuple[Condition, ...], Mark("conditions")] = ()


Namespace: TypeAlias = Object[NamespaceSpec, NamespaceStatus]


def refuse_deletion(found: Namespace, _world: Reader) -> Iterator[str]:
    if found.name == NODE_NAMESPACE:
        yield "it stays: the endpoints of all Nodes are in it, and without its own no Node can be reached"


KIND = Kind(
    name="Namespace",
    plural="namespaces",
    spec=NamespaceSpec,
    status=NamespaceStatus,
    scope=Scope.CLUSTER,
    doc="A scope for names.",
    columns=(Column("Status", ".status.phase"),),
    short_names=("ns",),
    group="",
    version="v1",
    foreign=True,
    age_column=True,
    refuse_deletion=refuse_deletion,
)
