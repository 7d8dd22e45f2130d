"""A toy Kind that joins two Vpcs, so that overlap checks across Vpcs can be shown whatever joins them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Annotated, Any

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.kind import Kind, Scope
from juneau.engine.world import contribution
from juneau.resources.networks import JOINS, Join
from juneau.resources.status import Status


@frozen
class TunnelSpec:
    left: Annotated[str, Mark("one Vpc")]
    right: Annotated[str, Mark("the other Vpc")]


def _joins(tunnel: Any) -> Iterator[tuple[Hashable, Join]]:
    yield (tunnel.spec.left, Join(tunnel.spec.right, tunnel.key))
    yield (tunnel.spec.right, Join(tunnel.spec.left, tunnel.key))


TUNNEL = Kind("Tunnel", "tunnels", TunnelSpec, Status, Scope.CLUSTER, "Joins.", indexes=(contribution(JOINS, _joins),))
