"""Whether packets of a full MTU fit through the network between the Nodes, told before the first one is lost.

Nothing else would tell: NICs get the MTU they are given, and what is too long for the underlay is dropped on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import Factory, define

from juneau.engine.store import Event
from juneau.resources import l2network

OVERHEAD: Final = 50  # of VXLAN over IPv4
SUBNET_MTU: Final = 1500  # NICs on Subnets keep the kernel's default


@define(eq=False)
class MtuWatch:
    """Compares each L2Network's MTU with the underlay's, and says of each MTU once that it is too large."""

    underlay_mtu: int
    say: Callable[[str], None]
    _told: set[int] = Factory(set[int])

    def begin(self) -> None:
        """What holds without any L2Network."""
        if self.underlay_mtu < SUBNET_MTU + OVERHEAD:
            self._warn("NICs on Subnets have", SUBNET_MTU)

    def look(self, event: Event) -> None:
        """To be told each change in the store."""
        if event.obj.kind != l2network.KIND.name:
            return
        mtu: int = event.obj.status.mtu
        if mtu + OVERHEAD > self.underlay_mtu and mtu not in self._told:
            self._told.add(mtu)
            self._warn(f"L2Network {event.obj.name} has", mtu)

    def _warn(self, whose: str, mtu: int) -> None:
        needed = mtu + OVERHEAD
        self.say(
            f"Warning: {whose} an MTU of {mtu}, and with the {OVERHEAD} bytes of VXLAN packets need {needed} between"
            f" Nodes, where --underlay-mtu allows {self.underlay_mtu}: longer packets are lost there"
        )
