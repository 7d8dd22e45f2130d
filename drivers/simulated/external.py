"""A Node's tables of what lies outside the Vpcs: addresses that are Juneau's, and what they stand for.

They are filled from intents as `tables` are, which holds them.
"""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Final, TypeAlias

from attrs import Factory, define

from juneau.drivers.simulated.conntrack import Connections
from juneau.drivers.simulated.prefixes import PrefixTable
from juneau.engine import intents as of
from juneau.engine.intents import EVERY_NODE

ExternalIntent: TypeAlias = of.ExternalPrefix | of.DirectAddress | of.StaticNAT | of.NATSource
EXTERNAL_INTENTS: Final = (of.ExternalPrefix, of.DirectAddress, of.StaticNAT, of.NATSource)
_LAST_ID: Final = (1 << 32) - 1


@define
class ExternalTables:
    """What one Node knows; addresses are integers.

    `direct` has the VNI of an ExternalNetwork for each address that a NIC carries itself.
    `inbound` has VNI and address of the NIC that an address stands for, `outbound` the way back; of two addresses that
    stand for one NIC, its packets leave with the lower.
    `sources` has the address of this Node for each NATGateway, and `flows` what was translated to one.
    """

    node: str
    direct: dict[int, int] = Factory(dict[int, int])
    inbound: dict[int, tuple[int, int]] = Factory(dict[int, tuple[int, int]])
    outbound: dict[tuple[int, int], int] = Factory(dict[tuple[int, int], int])
    sources: dict[int, int] = Factory(dict[int, int])
    flows: Connections = Factory(Connections)
    _takers: PrefixTable[dict[str, None]] = Factory(PrefixTable[dict[str, None]])
    _standing: dict[tuple[int, int], dict[int, None]] = Factory(dict[tuple[int, int], dict[int, None]])

    def is_taken_here(self, address: int) -> bool | None:
        """By the longest prefix: whether this Node takes delivery; None for an address that is not Juneau's."""
        takers = self._takers.find(address)
        return None if takers is None else self._takes(takers)

    def prefixes(self) -> list[tuple[int, int, bool]]:
        """Length, prefix, and whether this Node takes delivery; sorted."""
        return sorted((length, network, self._takes(takers)) for length, network, takers in self._takers.rows())

    def write(self, intent: ExternalIntent) -> None:
        """It is new: what was under its key has been erased."""
        match intent:
            case of.ExternalPrefix():
                takers = self._takers.get(intent.prefix) or {}
                self._takers.put(intent.prefix, takers | {intent.taker: None})
            case of.DirectAddress():
                self.direct[int(intent.address)] = intent.vni
            case of.StaticNAT():
                inner = (intent.vni, int(intent.inner))
                self.inbound[int(intent.external)] = inner
                self._standing.setdefault(inner, {})[int(intent.external)] = None
                self.outbound[inner] = min(self._standing[inner])
            case of.NATSource():
                self.sources[intent.gateway_id] = int(intent.address)

    def erase(self, intent: ExternalIntent) -> None:
        match intent:
            case of.ExternalPrefix():
                self._erase_prefix(intent)
            case of.DirectAddress():
                del self.direct[int(intent.address)]
            case of.StaticNAT():
                self._erase_static(intent)
            case of.NATSource():
                del self.sources[intent.gateway_id]
                self.flows.end_gateway(intent.gateway_id)

    def why_refused(self, intent: ExternalIntent) -> str:
        """What is wrong with an intent, whatever else this Node holds; "" if nothing is."""
        match intent:
            case of.NATSource() if intent.node != self.node:
                return f"this is Node {self.node}, not {intent.node}"
            case of.NATSource() if not 0 < intent.gateway_id <= _LAST_ID:
                return f"{intent.gateway_id} is not the number of a NATGateway"
            case of.NATSource() | of.DirectAddress():
                return _why_no_host(intent.address)
            case of.StaticNAT() if intent.external == intent.inner:
                return f"{intent.external} cannot stand for itself"
            case of.StaticNAT():
                return _why_no_host(intent.external) or _why_no_host(intent.inner)
            case of.ExternalPrefix():
                return ""

    def _takes(self, takers: dict[str, None]) -> bool:
        return self.node in takers or EVERY_NODE in takers

    def _erase_prefix(self, intent: of.ExternalPrefix) -> None:
        takers = {taker: None for taker in self._takers.get(intent.prefix) or {} if taker != intent.taker}
        if takers:
            self._takers.put(intent.prefix, takers)
        else:
            self._takers.remove(intent.prefix)

    def _erase_static(self, intent: of.StaticNAT) -> None:
        inner = (intent.vni, int(intent.inner))
        del self.inbound[int(intent.external)], self._standing[inner][int(intent.external)]
        if self._standing[inner]:
            self.outbound[inner] = min(self._standing[inner])
        else:
            del self._standing[inner], self.outbound[inner]


def _why_no_host(address: IPv4Address) -> str:
    is_wrong = address.is_unspecified or address.is_multicast or address.is_loopback or int(address) == 0xFFFFFFFF
    return f"{address} is no host's address" if is_wrong else ""
