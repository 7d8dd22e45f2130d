"""What is outside of a lab's cluster: a router and a host, on the Ethernet on which Nodes meet the outside.

Both have real ARP caches.
What Nodes would announce by BGP the router has as static routes, since no speaker runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Final

from attrs import Factory, define, frozen

from juneau.engine.driver import EXTERNAL_ETHERNET, OUTSIDE, UNDERLAY_ETHERNET, HostRoute, Site
from juneau.engine.errors import JuneauError
from juneau.engine.world import Cache, Reader
from juneau.resources import addresspool, bgpadvertisement, node
from juneau.resources.bgpadvertisement import announced_by

ROUTER: Final = "router"
HOST: Final = "outside"
NAMES: Final = (ROUTER, HOST)
EXTERNAL_NIC: Final = "eth1"
EVERYWHERE: Final = IPv4Network("0.0.0.0/0")
_ROUTER, _HOST = 1, 200

# What decides which prefixes the router sends to which Node.
ROUTED_BY: Final = frozenset((addresspool.KIND.name, bgpadvertisement.KIND.name, node.KIND.name))


@frozen
class OutsideSettings:
    """`external` is a network of its own, where Nodes have a second NIC; without it the outside is on the underlay.

    Router and host have the first and the 200th address of that network unless others are given.
    """

    external: IPv4Network | None = None
    router: IPv4Address | None = None
    host: IPv4Address | None = None


@define(eq=False)
class Outside:
    """The router and the host of one lab; `sync` brings the router's routes up to date."""

    site: Site
    underlay: IPv4Network
    settings: OutsideSettings
    _routes: dict[IPv4Network, IPv4Address] = Factory(dict[IPv4Network, IPv4Address])
    _nodes: dict[str, IPv4Address] = Factory(dict[str, IPv4Address])  # where the router finds them

    @property
    def network(self) -> IPv4Network:
        """Where Nodes and the outside meet."""
        return self.settings.external or self.underlay

    @property
    def router(self) -> IPv4Address:
        return self.settings.router or self._address(_ROUTER)

    @property
    def host(self) -> IPv4Address:
        return self.settings.host or self._address(_HOST)

    def has(self, address: IPv4Address) -> bool:
        """Whether a Node with that address of the underlay would meet the router or the host under one address."""
        external = self.settings.external
        return (address if external is None else self._beside(address, external)) in self._addresses

    @property
    def _addresses(self) -> tuple[IPv4Address, IPv4Address]:
        return (self.router, self.host)

    def _beside(self, address: IPv4Address, external: IPv4Network) -> IPv4Address:
        """A Node's address on the network outside: the same place in it as on the underlay."""
        return external.network_address + (int(address) - int(self.underlay.network_address))

    def _address(self, place: int) -> IPv4Address:
        """The address at that place, in a short network the last one."""
        wanted = self.network.network_address + place
        last = self.network.broadcast_address - 1
        return min(wanted, last)

    def begin(self) -> None:
        """Put them there.

        Raises JuneauError for addresses that the network has not, or that no host can have.
        """
        external = self.settings.external
        if external is not None and external.overlaps(self.underlay):
            raise JuneauError(f"--external-cidr {external} overlaps --underlay-cidr {self.underlay}")
        ends = (self.network.network_address, self.network.broadcast_address)
        for flag, address in (("--router", self.router), ("--outside", self.host)):
            if address not in self.network:
                raise JuneauError(f"{flag} {address} is not in {self.network}")
            if address in ends:
                raise JuneauError(f"{flag} {address} is no host's address in {self.network}")
        if self.router == self.host:
            raise JuneauError(f"--router and --outside are both {self.router}")
        ethernet = EXTERNAL_ETHERNET if self.settings.external is not None else UNDERLAY_ETHERNET
        length = self.network.prefixlen
        self.site.add_outside(ROUTER, IPv4Interface((self.router, length)), None, ethernet)
        self.site.set_forwarding(OUTSIDE, ROUTER, True)
        self.site.add_outside(HOST, IPv4Interface((self.host, length)), self.router, ethernet)

    def join(self, name: str, address: IPv4Address) -> None:
        """A Node is there: its way out leads to the router."""
        external = self.settings.external
        if external is not None:
            address = self._beside(address, external)
            if address not in external or address == external.broadcast_address:
                raise JuneauError(f"{external} has no address for Node {name}; make it as large as the underlay")
            self.site.add_uplink(name, EXTERNAL_NIC, IPv4Interface((address, external.prefixlen)))
        self._nodes[name] = address
        self.lead_out(name)

    def lead_out(self, name: str) -> None:
        """The Node's default route, also after it was switched on again."""
        self.site.add_route(name, name, HostRoute(EVERYWHERE, self.router))

    def leave(self, name: str) -> None:
        """A Node is gone."""
        self._nodes.pop(name, None)

    def sync(self, cache: Cache, away: Collection[str]) -> None:
        """Each prefix that Nodes announce leads to the first of them by name that is there."""
        wanted = self._wanted(cache, away)
        for prefix, hop in self._routes.items() - wanted.items():
            self.site.remove_route(OUTSIDE, ROUTER, HostRoute(prefix, hop))
        for prefix, hop in wanted.items() - self._routes.items():
            self.site.add_route(OUTSIDE, ROUTER, HostRoute(prefix, hop))
        self._routes = dict(wanted)

    def _wanted(self, cache: Cache, away: Collection[str]) -> Mapping[IPv4Network, IPv4Address]:
        reader = Reader(cache)
        found: dict[IPv4Network, IPv4Address] = {}
        for name in sorted(self._nodes):
            for prefix in announced_by(reader, name) if name not in away else ():
                found.setdefault(prefix, self._nodes[name])
        return found
