"""Lease, the API server's own Kind: an agent renews the one of its Node, and so says that it is in contact.

How long an agent has been silent decides when an address from outside may move away from its Node.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Kind, Scope
from juneau.engine.names import prefixed_name
from juneau.engine.objects import Condition, Key, Object, Time
from juneau.resources.networkendpoint import NODE_NAMESPACE


@frozen
class LeaseSpec:
    """Who holds it, and when that was last said."""

    holder_identity: Annotated[str, Mark("who holds it")] = ""
    lease_duration_seconds: Annotated[int, Mark("how long it lasts after renewTime")] = 0
    acquire_time: Annotated[Time | None, Mark("when the holder took it")] = None
    renew_time: Annotated[Time | None, Mark("when the holder last renewed it")] = None
    lease_transitions: Annotated[int, Mark("how often it changed hands")] = 0
    preferred_holder: Annotated[str, Mark("unused by Juneau")] = ""
    strategy: Annotated[str, Mark("unused by Juneau")] = ""


@frozen
class LeaseStatus:
    """A Lease has none."""

    conditions: Annotated[tuple[Condition, ...], Mark("none")] = ()
    phase: Annotated[str, Mark("none")] = ""


Lease: TypeAlias = Object[LeaseSpec, LeaseStatus]


def lease_key(node: str) -> Key:
    """The Lease of a Node's agent."""
    return Key(KIND.name, NODE_NAMESPACE, prefixed_name("juneau-agent.", node))


KIND = Kind(
    name="Lease",
    plural="leases",
    spec=LeaseSpec,
    status=LeaseStatus,
    scope=Scope.NAMESPACED,
    doc="Says until when its holder is in contact.",
    columns=(Column("Holder", ".spec.holderIdentity"),),
    group="coordination.k8s.io",
    version="v1",
    foreign=True,
    age_column=True,
)
