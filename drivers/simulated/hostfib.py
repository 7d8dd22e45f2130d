"""A host's routing: several tables, rules by priority, and the routes that its addresses bring."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Final

from attrs import Factory, define, evolve, frozen

from juneau.engine.driver import HostRoute, HostRule

MAIN: Final = 0
LIMITED_BROADCAST: Final = IPv4Address("255.255.255.255")
MAIN_BY_NUMBER: Final = 254
MAIN_RULE: Final = HostRule(IPv4Network("0.0.0.0/0"), MAIN, 32766)


@frozen
class Hop:
    """Out of which interface, and to which neighbour."""

    interface: str
    next_hop: int


@define
class HostFib:
    """Routes in the order in which they were added; of equal prefixes the first wins, as in the kernel."""

    _routes: list[HostRoute] = Factory(list[HostRoute])
    _rules: list[HostRule] = Factory(list[HostRule])

    def add(self, route: HostRoute) -> None:
        """Raises ValueError for a next hop that is on no link."""
        route = self._complete(route)
        if route not in self._routes:
            self._routes.append(route)

    def remove(self, route: HostRoute) -> None:
        """The route that says this much; `dev` and `gw` may be left out, as with `ip route del`."""
        for held in list(self._routes):
            if (
                held.dst == route.dst
                and held.table == _number(route.table)
                and route.gw in (None, held.gw)
                and route.dev in ("", held.dev)
            ):
                self._routes.remove(held)
                return

    def add_rule(self, rule: HostRule) -> None:
        rule = evolve(rule, table=_number(rule.table))
        if rule not in self._rules:
            self._rules.append(rule)
            self._rules.sort(key=lambda held: held.priority)

    def remove_rule(self, rule: HostRule) -> None:
        rule = evolve(rule, table=_number(rule.table))
        if rule in self._rules:
            self._rules.remove(rule)

    def connect(self, interface: str, address: IPv4Interface) -> None:
        """The kernel's own route for an address."""
        if address.network.prefixlen < 32:
            self.add(HostRoute(address.network, dev=interface))

    def disconnect(self, interface: str, address: IPv4Interface) -> None:
        self._routes = [
            route
            for route in self._routes
            if not (route.dev == interface and route.gw is None and route.dst == address.network)
        ]

    def forget(self, interface: str) -> None:
        self._routes = [route for route in self._routes if route.dev != interface]

    def routes(self, table: int) -> tuple[HostRoute, ...]:
        return tuple(route for route in self._routes if route.table == _number(table))

    def tables(self) -> tuple[int, ...]:
        return tuple(sorted({route.table for route in self._routes}))

    def rules(self) -> tuple[HostRule, ...]:
        return tuple(self._rules)

    def find(self, target: int, source: int, interface: str = "") -> Hop | None:
        """Rules by priority, in each table the longest prefix; bound to an interface, anything else is on its link."""
        address = IPv4Address(target)
        if interface and address == LIMITED_BROADCAST:
            return Hop(interface, target)
        for rule in sorted((*self._rules, MAIN_RULE), key=lambda held: held.priority):
            if IPv4Address(source) in rule.source:
                route = self._longest(rule.table, address, interface)
                if route is not None:
                    is_direct = route.gw is None or address == LIMITED_BROADCAST
                    return Hop(route.dev, target if is_direct else int(route.gw or 0))
        return Hop(interface, target) if interface else None

    def _longest(self, table: int, address: IPv4Address, interface: str) -> HostRoute | None:
        found: HostRoute | None = None
        for route in self._routes:
            fits = route.table == table and interface in ("", route.dev) and address in route.dst
            if fits and (found is None or route.dst.prefixlen > found.dst.prefixlen):
                found = route
        return found

    def _complete(self, route: HostRoute) -> HostRoute:
        route = evolve(route, table=_number(route.table))
        if route.gw is None:
            if not route.dev:
                raise ValueError(f"the route to {route.dst} has neither a next hop nor an interface")
            return route
        if route.on_link and route.dev:
            return route
        connected = self._connected(route.gw, route.dev)
        if connected is None:
            raise ValueError(f"the next hop {route.gw} of the route to {route.dst} is on no link")
        return evolve(route, dev=connected.dev)

    def _connected(self, address: IPv4Address, interface: str) -> HostRoute | None:
        of_links = (route for route in self._routes if route.gw is None and route.table == MAIN)
        return next((route for route in of_links if address in route.dst and interface in ("", route.dev)), None)


def _number(table: int) -> int:
    return MAIN if table == MAIN_BY_NUMBER else table
