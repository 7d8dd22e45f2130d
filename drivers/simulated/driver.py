"""The simulated driver of one Node, and what the entry point `juneau.drivers` names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv4Network
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from juneau.drivers.simulated import answering, hearsay
from juneau.drivers.simulated.node import Node
from juneau.drivers.simulated.refusal import RefusedIntent
from juneau.engine.clock import VirtualClock
from juneau.engine.delta import Delta
from juneau.engine.driver import UNDERLAY, Contact, Failure
from juneau.engine.intents import ARPAnswer, Intent, IntentKey

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
        self._node.fabric.read_clock()
        answering.settle(self._node)
        # A view: whoever compares one intent of a hundred thousand need not copy them all.
        return MappingProxyType(self._node.tables.intents)

    def apply(self, delta: Delta) -> Sequence[Failure]:
        wanted = (*(new for _, new in delta.change), *delta.add)
        if not self._node.is_on:
            message = f"Node {self._node.name} is switched off"
            return [Failure(intent, message, "NodeIsOff") for intent in wanted]
        self._node.fabric.read_clock()
        for intent in delta.remove:
            self._node.tables.remove(intent)
        failures = [failure for intent in wanted if (failure := self._put(intent)) is not None]
        hearsay.catch_up(self._node, delta)
        return failures

    def _put(self, intent: Intent) -> Failure | None:
        try:
            if isinstance(intent, ARPAnswer):
                answering.take_on(self._node, intent)
            self._node.tables.put(intent)
        except RefusedIntent as refusal:
            return Failure(intent, str(refusal), refusal.reason)
        except ValueError as refusal:
            return Failure(intent, str(refusal))
        return None

    def announce(self) -> None:
        self._node.fabric.read_clock()
        answering.announce(self._node)

    def renew(self, contact: Contact) -> None:
        """The stamp is in the Node's tables: a new instance finds it, a machine that was switched off does not."""
        self._node.fabric.read_clock()
        answering.renew(self._node, contact)

    def conflicts(self) -> Mapping[IPv4Address, str]:
        self._node.fabric.read_clock()
        return answering.conflicts(self._node)
