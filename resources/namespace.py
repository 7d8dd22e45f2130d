"""Namespace, the API server's own Kind: where namespaced objects live."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Kind, Scope
from juneau.engine.objects import Condition


@frozen
class NamespaceSpec:
    """Nothing that Juneau reads."""

    finalizers: Annotated[tuple[str, ...], Mark("what holds the Namespace until its content is gone")] = ()


@frozen
class NamespaceStatus:
    """How far the Namespace is."""

    phase: Annotated[str, Mark("Active or Terminating")] = "Active"
    conditions: Annotated[tuple[Condition, ...], Mark("conditions")] = ()


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
)
