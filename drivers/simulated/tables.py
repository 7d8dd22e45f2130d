"""A Node's tables, filled from intents.

The intents that a Node holds are kept as they are, for `read`; beside them stand the look-up structures that the
packet's way needs.
Each structure depends on one kind of intent only and is joined with the others at look-up, so the order in which
intents come does not matter and removing them leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import Final, TypeAlias

from attrs import Factory, define, frozen

from juneau.drivers.simulated.answering import Answers
from juneau.drivers.simulated.codec import mac_bytes
from juneau.drivers.simulated.external import EXTERNAL_INTENTS, ExternalTables
from juneau.drivers.simulated.learning import NeighbourTable, StationTable
from juneau.drivers.simulated.prefixes import PrefixTable
from juneau.drivers.simulated.refusal import RefusedIntent
from juneau.engine import intents as of
from juneau.engine.intents import Intent, IntentKey, RouteTarget, SegmentKind

RouteTable: TypeAlias = PrefixTable[RouteTarget]

GATEWAY_PORTS: Final = 1 << 24  # gateway ports are numbered from here by VNI, above all links


@frozen
class LocalPort:
    """A NIC of this Node on a segment."""

    name: str
    number: int
    vni: int
    mac: bytes
    address: int
    kind: SegmentKind


@frozen
class Router:
    """A segment's gateway as this Node has it."""

    address: int
    mac: bytes
    prefix: IPv4Network
    network: int
    mask: int
    table_id: int
    acl_id: int
    port: int  # of the gateway port; only L2 segments have one

    def covers(self, address: int) -> bool:
        return address & self.mask == self.network


@define
class Tables:
    """What one Node knows; the numbers of links are its own.

    `host_macs` are of all NICs, whether they are ports or not, and `l2_links` are those that were ports of L2 segments:
    they do not become NICs of Subnets when the port is gone.
    """

    node: str
    intents: dict[IntentKey, Intent] = Factory(dict[IntentKey, Intent])
    underlays: dict[str, int] = Factory(dict[str, int])
    node_addresses: frozenset[int] = frozenset()
    segments: dict[int, of.Segment] = Factory(dict[int, of.Segment])
    gateways: dict[int, Router] = Factory(dict[int, Router])
    ports: dict[int, LocalPort] = Factory(dict[int, LocalPort])
    by_name: dict[str, LocalPort] = Factory(dict[str, LocalPort])
    members: dict[int, dict[int, LocalPort]] = Factory(dict[int, dict[int, LocalPort]])
    by_mac: dict[tuple[int, bytes], LocalPort] = Factory(dict[tuple[int, bytes], LocalPort])
    claims_of_mac: dict[tuple[int, bytes], dict[int, LocalPort]] = Factory(
        dict[tuple[int, bytes], dict[int, LocalPort]]
    )
    arp: dict[tuple[int, int], bytes] = Factory(dict[tuple[int, int], bytes])
    fdb: dict[tuple[int, bytes], of.Station] = Factory(dict[tuple[int, bytes], of.Station])
    fib: dict[int, RouteTable] = Factory(dict[int, RouteTable])
    flood_peers: dict[int, dict[str, None]] = Factory(dict[int, dict[str, None]])
    stations: dict[int, StationTable] = Factory(dict[int, StationTable])
    neighbours: dict[int, NeighbourTable] = Factory(dict[int, NeighbourTable])
    host_macs: dict[int, str] = Factory(dict[int, str])
    l2_links: set[int] = Factory(set[int])
    answers: Answers = Factory(Answers)
    external: ExternalTables = Factory(lambda tables: ExternalTables(tables.node), takes_self=True)
    _forgotten: list[tuple[int, int]] = Factory(list[tuple[int, int]])

    def put(self, intent: Intent) -> None:
        """Make it true; raises RefusedIntent or ValueError without having changed anything."""
        old = self.intents.get(intent.key)
        if old == intent:
            self.intents[intent.key] = intent
            return
        self._check(intent)
        if old is not None and not self._replaces_in_place(old, intent):
            self.remove(old)
        self._write(intent)
        self.intents[intent.key] = intent

    def remove(self, intent: Intent) -> None:
        """Remove what is held under its key, if anything."""
        held = self.intents.pop(intent.key, None)
        if held is not None:
            self._erase(held)

    def station_port(self, station: of.Station, mac: bytes) -> LocalPort | None:
        """The port of this Node that a station is at, if it is here."""
        if station.node != self.node:
            return None
        port = self.by_name.get(station.port) if station.port else self.by_mac.get((station.vni, mac))
        return port if port is not None and port.vni == station.vni else None

    def is_l2(self, port: LocalPort) -> bool:
        return port.kind is SegmentKind.L2 or port.vni in self.stations

    def take_forgotten(self) -> list[tuple[int, int]]:
        """VNI and address of what was heard at NICs that are gone, once."""
        forgotten, self._forgotten = self._forgotten, []
        return forgotten

    def remote_nodes(self) -> Iterator[int]:
        """The underlay addresses of all other Nodes."""
        return (address for name, address in self.underlays.items() if name != self.node)

    def flood_list(self, vni: int) -> list[int]:
        """`l2_bum_remote`: an entry that names a Node without a known address is none."""
        names = self.flood_peers.get(vni, {})
        return [self.underlays[name] for name in sorted(names) if name != self.node and name in self.underlays]

    def _check(self, intent: Intent) -> None:
        if not isinstance(intent, _KNOWN):
            raise RefusedIntent(f"the simulated driver cannot express {type(intent).__name__}")
        if isinstance(intent, of.Port):
            if intent.node != self.node:
                raise RefusedIntent(f"this is Node {self.node}, not {intent.node}")
            taken = self.ports.get(intent.number)
            if taken is not None and taken.name != intent.name:
                raise RefusedIntent(f"link {intent.number} is already the port {taken.name}")
            if intent.kind is SegmentKind.EXTERNAL and intent.address is None:
                raise RefusedIntent(f"{intent.name} is on an ExternalNetwork and carries no address")
        if isinstance(intent, of.Segment) and intent.kind is SegmentKind.EXTERNAL and intent.vpc_id:
            raise RefusedIntent(f"an ExternalNetwork is in no Vpc, and {intent.vni} is said to be in {intent.vpc_id}")
        if isinstance(intent, EXTERNAL_INTENTS):
            why = self.external.why_refused(intent)
            if why:
                raise RefusedIntent(why)
        if isinstance(intent, of.Port | of.Gateway | of.Neighbour | of.NeighbourSeed | of.Station):
            mac_bytes(intent.mac)
        if isinstance(intent, of.Route):
            _check_target(intent.target)
        elif isinstance(intent, _WITH_VNI):
            _check_vni(intent.vni)

    def _replaces_in_place(self, old: Intent, new: Intent) -> bool:
        """A segment of the same kind keeps what it learned, and seeds and gateways are replaced in one step."""
        if isinstance(old, of.Segment) and isinstance(new, of.Segment):
            return old.kind is new.kind
        return not isinstance(old, of.Port | of.NeighbourSeed | of.Underlay | of.StaticNAT | of.NATSource)

    def _write(self, intent: Intent) -> None:
        match intent:
            case of.Underlay():
                self.underlays[intent.node] = int(intent.address)
                self.node_addresses = frozenset(self.underlays.values())
            case of.Segment():
                self._write_segment(intent)
            case of.Gateway():
                self.gateways[intent.vni] = _router(intent)
            case of.Port():
                self._write_port(intent)
            case of.Neighbour():
                self._write_neighbour(intent)
            case of.NeighbourSeed():
                neighbours = self.neighbours.setdefault(intent.vni, NeighbourTable())
                neighbours.seed(int(intent.address), mac_bytes(intent.mac))
            case of.Station():
                self.fdb[intent.vni, mac_bytes(intent.mac)] = intent
            case of.FloodPeer():
                self.flood_peers.setdefault(intent.vni, {})[intent.node] = None
            case of.Route():
                self.fib.setdefault(intent.table_id, RouteTable()).put(intent.dst, intent.target)
            case of.ARPAnswer():
                self.answers.put(intent)
            case of.ExternalPrefix() | of.DirectAddress() | of.StaticNAT() | of.NATSource():
                self.external.write(intent)
            case _:
                raise RefusedIntent(type(intent).__name__)

    def _erase(self, intent: Intent) -> None:
        match intent:
            case of.Underlay():
                self._erase_underlay(intent)
            case of.Segment():
                self._erase_segment(intent)
            case of.Gateway():
                del self.gateways[intent.vni]
            case of.Port():
                self._erase_port(intent)
            case of.Neighbour():
                del self.arp[intent.vni, int(intent.address)]
                self.external.flows.end_sender(intent.vni, int(intent.address))
            case of.NeighbourSeed():
                self.neighbours[intent.vni].unseed(int(intent.address))
                self._drop_idle_neighbours(intent.vni)
                self.external.flows.end_sender(intent.vni, int(intent.address))
            case of.Station():
                del self.fdb[intent.vni, mac_bytes(intent.mac)]
            case of.FloodPeer():
                self._erase_flood_peer(intent)
            case of.Route():
                self._erase_route(intent)
            case of.ARPAnswer():
                self.answers.remove(intent)
            case of.ExternalPrefix() | of.DirectAddress() | of.StaticNAT() | of.NATSource():
                self.external.erase(intent)
            case _:
                raise RefusedIntent(type(intent).__name__)

    def _write_segment(self, segment: of.Segment) -> None:
        held = self.segments.get(segment.vni)
        if held is not None and held.vpc_id != segment.vpc_id:
            self.external.flows.end_segment(segment.vni)
        self.segments[segment.vni] = segment
        if segment.kind is SegmentKind.L2:
            self.stations.setdefault(segment.vni, StationTable())
            self.neighbours.setdefault(segment.vni, NeighbourTable())

    def _erase_segment(self, segment: of.Segment) -> None:
        del self.segments[segment.vni]
        self.external.flows.end_segment(segment.vni)
        self.stations.pop(segment.vni, None)
        if segment.vni in self.neighbours:
            self.neighbours[segment.vni].forget_heard()
            self._drop_idle_neighbours(segment.vni)

    def _drop_idle_neighbours(self, vni: int) -> None:
        if vni not in self.stations and not self.neighbours[vni]:
            del self.neighbours[vni]

    def _write_neighbour(self, intent: of.Neighbour) -> None:
        """With another MAC the address is another NIC's, which has no part in the flows of the former."""
        place, mac = (intent.vni, int(intent.address)), mac_bytes(intent.mac)
        if self.arp.get(place, mac) != mac:
            self.external.flows.end_sender(*place)
        self.arp[place] = mac

    def _write_port(self, intent: of.Port) -> None:
        address = int(intent.address) if intent.address is not None else 0
        port = LocalPort(intent.name, intent.number, intent.vni, mac_bytes(intent.mac), address, intent.kind)
        self.ports[port.number] = port
        self.by_name[port.name] = port
        if port.kind is SegmentKind.L2:
            self.l2_links.add(port.number)
        members = self.members.setdefault(port.vni, {})
        in_order = not members or next(reversed(members)) < port.number
        members[port.number] = port
        if not in_order:
            self.members[port.vni] = dict(sorted(members.items()))
        self._claim_mac(port)

    def _claim_mac(self, port: LocalPort) -> None:
        """Of two NICs of one segment that claim one MAC the one with the lower number has it."""
        claims = self.claims_of_mac.setdefault((port.vni, port.mac), {})
        claims[port.number] = port
        self.by_mac[port.vni, port.mac] = claims[min(claims)]

    def _disclaim_mac(self, port: LocalPort) -> None:
        claims = self.claims_of_mac[port.vni, port.mac]
        del claims[port.number]
        if claims:
            self.by_mac[port.vni, port.mac] = claims[min(claims)]
        else:
            del self.claims_of_mac[port.vni, port.mac], self.by_mac[port.vni, port.mac]

    def _erase_port(self, intent: of.Port) -> None:
        port = self.ports.pop(intent.number)
        del self.by_name[port.name]
        del self.members[port.vni][port.number]
        if not self.members[port.vni]:
            del self.members[port.vni]
        self._disclaim_mac(port)
        if port.vni in self.stations:
            self.stations[port.vni].forget_port(port.number)
            mac = port.mac if (port.vni, port.mac) not in self.by_mac else None
            gone = self.neighbours[port.vni].forget_port(port.number, mac)
            self._forgotten += [(port.vni, address) for address in gone]
            for address in gone:
                self.external.flows.end_sender(port.vni, address)

    def _erase_underlay(self, intent: of.Underlay) -> None:
        address = self.underlays.pop(intent.node)
        self.node_addresses = frozenset(self.underlays.values())
        for vni in self.stations:
            self._forget_node(vni, address)

    def _forget_node(self, vni: int, address: int) -> None:
        self.stations[vni].forget_node(address)
        self.neighbours[vni].forget_node(address)

    def _erase_flood_peer(self, intent: of.FloodPeer) -> None:
        """A Node without a port of the segment has nobody on it, whatever was heard from there."""
        peers = self.flood_peers[intent.vni]
        del peers[intent.node]
        if not peers:
            del self.flood_peers[intent.vni]
        if intent.vni in self.stations and intent.node in self.underlays:
            self._forget_node(intent.vni, self.underlays[intent.node])

    def _erase_route(self, route: of.Route) -> None:
        table = self.fib[route.table_id]
        table.remove(route.dst)
        if not table:
            del self.fib[route.table_id]


_WITH_VNI = (
    of.Segment,
    of.Gateway,
    of.Port,
    of.Neighbour,
    of.NeighbourSeed,
    of.Station,
    of.FloodPeer,
    of.DirectAddress,
    of.StaticNAT,
)
_KNOWN = (of.Underlay, of.Route, of.ARPAnswer, *_WITH_VNI, *EXTERNAL_INTENTS)


def _check_target(target: RouteTarget) -> None:
    match target:
        case of.ToStation():
            mac_bytes(target.mac)
            _check_vni(target.vni)
        case of.ToSegment():
            _check_vni(target.vni)
        case of.ToNATGateway() if not 0 < target.gateway_id < 1 << 32:
            raise RefusedIntent(f"{target.gateway_id} is not the number of a NATGateway")
        case _:
            pass


def _check_vni(vni: int) -> None:
    if not 0 <= vni < 1 << 24:
        raise RefusedIntent(f"{vni} is not a 24-bit VNI")


def _router(intent: of.Gateway) -> Router:
    return Router(
        address=int(intent.address),
        mac=mac_bytes(intent.mac),
        prefix=intent.prefix,
        network=int(intent.prefix.network_address),
        mask=int(intent.prefix.netmask),
        table_id=intent.table_id,
        acl_id=intent.acl_id,
        port=GATEWAY_PORTS + intent.vni,
    )
