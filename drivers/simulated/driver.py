"""The simulated driver of one Node, and what the entry point `juneau.drivers` names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from ipaddress import IPv4Network
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from juneau.drivers.simulated import hearsay
from juneau.drivers.simulated.node import Node
from juneau.engine.clock import VirtualClock
from juneau.engine.delta import Delta
from juneau.engine.driver import UNDERLAY, Failure
from juneau.engine.intents import Intent, IntentKey

if TYPE_CHECKING:
    from juneau.drivers.simulated.site import SimulatedSite


class SimulatedDriver:
    """Executes the dataplane's tables in memory.

    After a restart of what drives it, a new instance on the same Node reads back what the Node's tables hold; all of
    it is its own, since nobody else writes there, and it ends with the process that holds the site.
    """

    name: ClassVar[str] = "simulated"
    summary: ClassVar[str] = "executes the dataplane's tables in memory; needs no privileges"

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    @classmethod
    def unavailable(cls) -> str | None:
        """Forwarding needs the standard library only; scenarios need scapy to make and to print packets."""
        if find_spec("scapy") is None:
            return "scapy is not installed (it comes with juneau[simulated])"
        return None

    @classmethod
    def site(
        cls, clock: VirtualClock | None = None, underlay_mtu: int = 1600, underlay: IPv4Network = UNDERLAY
    ) -> SimulatedSite:
        """A lab without Nodes, in the time of that clock."""
        from juneau.drivers.simulated.site import SimulatedSite

        return SimulatedSite(clock, underlay_mtu, underlay)

    def read(self) -> Mapping[IntentKey, Intent]:
        # A view: whoever compares one intent of a hundred thousand need not copy them all.
        return MappingProxyType(self._node.tables.intents)

    def apply(self, delta: Delta) -> Sequence[Failure]:
        failures: list[Failure] = []
        for intent in delta.remove:
            self._node.tables.remove(intent)
        for intent in (*(new for _, new in delta.change), *delta.add):
            try:
                self._node.tables.put(intent)
            except ValueError as refusal:
                failures.append(Failure(intent, str(refusal)))
        hearsay.catch_up(self._node, delta)
        return failures
