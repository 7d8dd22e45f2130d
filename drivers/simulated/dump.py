"""A Node's tables as rows, with the names and columns that `kubectl juneau bpf dump` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from juneau.drivers.simulated import answering
from juneau.drivers.simulated.codec import ICMP, TCP, UDP, address_text, mac_text
from juneau.drivers.simulated.conntrack import Flow
from juneau.drivers.simulated.node import VXLAN_LINK
from juneau.drivers.simulated.rewrite import FiveTuple
from juneau.drivers.simulated.tables import LocalPort, Router, Tables
from juneau.engine.driver import Row
from juneau.engine.intents import Blackhole, RouteTarget, SegmentKind, ToInternet, ToNATGateway, ToSegment, ToStation

GATEWAY_STATION: Final = 1
GATEWAY_PORT: Final = 2
NO_ADDRESS: Final = "0.0.0.0"
NO_MAC: Final = "00:00:00:00:00:00"

PROTOCOLS: Final = {ICMP: "ICMP", TCP: "TCP", UDP: "UDP"}

Rows: TypeAlias = Iterator[Row]
_NO_NEXT_HOP: Final[Row] = {"dmac": NO_MAC, "smac": NO_MAC, "subnet_id": 0, "oif": 0}


def dump(tables: Tables, table: str, now: int, filters: Mapping[str, str] | None = None) -> tuple[Row, ...]:
    """Sorted by key; a row has to match all filters. Raises LookupError for a table that no Node has."""
    if table not in TABLES:
        raise LookupError(f"no table {table!r}; there are {', '.join(sorted(TABLES))}")
    wanted = (filters or {}).items()
    return tuple(
        row for row in TABLES[table](tables, now) if all(str(row.get(name)) == value for name, value in wanted)
    )


def _subnet_map(tables: Tables, now: int) -> Rows:
    for vni, segment in sorted(tables.segments.items()):
        gateway = tables.gateways.get(vni)
        if gateway is not None or segment.kind is SegmentKind.SUBNET:
            yield {"subnet_id": vni, **_gateway_columns(gateway, segment.vpc_id)}


def _gateway_columns(gateway: Router | None, vpc_id: int) -> dict[str, str | int]:
    if gateway is None:
        empty = {"gw_mac": NO_MAC, "gw_addr": NO_ADDRESS, "mask": NO_ADDRESS}
        return {"table_id": 0, "vpc_id": vpc_id, **empty, "acl_id": 0}
    return {
        "table_id": gateway.table_id,
        "vpc_id": vpc_id,
        "gw_mac": mac_text(gateway.mac),
        "gw_addr": address_text(gateway.address),
        "mask": address_text(gateway.mask),
        "acl_id": gateway.acl_id,
    }


def _ifindex_subnet(tables: Tables, now: int) -> Rows:
    nics = (port for port in tables.ports.values() if port.kind is not SegmentKind.EXTERNAL)
    rows = [_nic(port) for port in nics if not tables.is_l2(port)]
    for vni, gateway in tables.gateways.items():
        if vni in tables.stations:
            rows.append({"ifindex": gateway.port, "subnet_id": vni, "ipv4": address_text(gateway.address)})
    yield from sorted(rows, key=lambda row: row["ifindex"])


def _nic(port: LocalPort) -> Row:
    return {"ifindex": port.number, "subnet_id": port.vni, "ipv4": address_text(port.address)}


def _ifindex_host_mac(tables: Tables, now: int) -> Rows:
    for number in sorted(tables.ports.keys() & tables.host_macs.keys()):
        yield {"ifindex": number, "mac": tables.host_macs[number]}


def _vxlan_ifindex(tables: Tables, now: int) -> Rows:
    yield {"index": 0, "vxlan_ifindex": VXLAN_LINK}


def _arp_table(tables: Tables, now: int) -> Rows:
    for (vni, address), mac in sorted(tables.arp.items()):
        yield {"subnet_id": vni, "ipaddr": address_text(address), "mac": mac_text(mac)}


def _fdb(tables: Tables, now: int) -> Rows:
    for (vni, mac), station in sorted(tables.fdb.items(), key=lambda entry: entry[0]):
        row: dict[str, str | int] = {"subnet_id": vni, "mac": mac_text(mac)}
        port = tables.station_port(station, mac)
        if port is not None:
            yield row | {"ifindex": port.number, "vtep_ip": NO_ADDRESS}
        elif station.node != tables.node and station.node in tables.underlays:
            yield row | {"ifindex": 0, "vtep_ip": address_text(tables.underlays[station.node])}


def _fib_map(tables: Tables, now: int) -> Rows:
    for table_id, routes in sorted(tables.fib.items()):
        for length, network, target in sorted(routes.rows(), key=lambda route: route[:2]):
            key: dict[str, str | int] = {"table_id": table_id, "prefixlen": length, "dst": address_text(network)}
            yield {**key, **_route_columns(tables, target)}


def _route_columns(tables: Tables, target: RouteTarget) -> dict[str, str | int]:
    match target:
        case Blackhole():
            return {"type": "blackhole", **_NO_NEXT_HOP}
        case ToInternet():
            return {"type": "internetGateway", **_NO_NEXT_HOP}
        case ToNATGateway():
            return {"type": "natGateway", **_NO_NEXT_HOP, "nat_gateway_id": target.gateway_id}
        case ToSegment():
            kind, dmac = "connected", NO_MAC
        case ToStation():
            kind, dmac = "endpoint", target.mac
    gateway = tables.gateways.get(target.vni)
    smac = mac_text(gateway.mac) if gateway is not None else NO_MAC
    oif = gateway.port if gateway is not None and target.vni in tables.stations else 0
    return {"type": kind, "dmac": dmac, "smac": smac, "subnet_id": target.vni, "oif": oif}


def _ifindex_external_network(tables: Tables, now: int) -> Rows:
    for number, port in sorted(tables.ports.items()):
        if port.kind is SegmentKind.EXTERNAL:
            yield {"ifindex": number, "network_id": port.vni, "ipv4": address_text(port.address)}


def _external_address_pools(tables: Tables, now: int) -> Rows:
    for length, network, is_here in tables.external.prefixes():
        delivery = f"EXTERNAL_ADDRESS_DELIVERED_{'HERE' if is_here else 'ELSEWHERE'}"
        yield {"prefixlen": length, "addr": address_text(network), "delivery": delivery}


def _elastic_ip_direct(tables: Tables, now: int) -> Rows:
    for address, vni in sorted(tables.external.direct.items()):
        yield {"addr": address_text(address), "network_id": vni}


def _nat_snat_map(tables: Tables, now: int) -> Rows:
    """Key and value are both an `addr`; the value's is `new_addr`."""
    for (vni, inner), external in sorted(tables.external.outbound.items()):
        yield {"subnet_id": vni, "addr": address_text(inner), "new_addr": address_text(external)}


def _nat_dnat_map(tables: Tables, now: int) -> Rows:
    for external, (vni, inner) in sorted(tables.external.inbound.items()):
        yield {"addr": address_text(external), "subnet_id": vni, "new_addr": address_text(inner)}


def _napt_src(tables: Tables, now: int) -> Rows:
    for gateway_id, address in sorted(tables.external.sources.items()):
        yield {"nat_gateway_id": gateway_id, "host_ip": address_text(address)}


def _ct_map(tables: Tables, now: int) -> Rows:
    """Both entries of each flow; what is over is not shown, whether it has been swept or not."""
    entries: list[tuple[tuple[int, ...], Row]] = []
    for flow in tables.external.flows.live(now):
        inner, outer = flow.inner, flow.outer
        entries.append(((flow.scope, *inner), _ct_row(flow, flow.scope, inner, outer.reversed(), 0, "NAPT_OUT")))
        entries.append(((0, *outer), _ct_row(flow, 0, outer, inner.reversed(), flow.vni, "NAPT_IN")))
    yield from (row for _, row in sorted(entries, key=lambda entry: entry[0]))


def _ct_row(flow: Flow, scope: int, old: FiveTuple, new: FiveTuple, next_vni: int, action: str) -> Row:
    return {
        "scope": scope,
        "saddr": address_text(old.source),
        "daddr": address_text(old.target),
        "sport": old.source_port,
        "dport": old.target_port,
        "proto": PROTOCOLS[old.protocol],
        "new_saddr": address_text(new.source),
        "new_daddr": address_text(new.target),
        "new_sport": new.source_port,
        "new_dport": new.target_port,
        "next_subnet_id": next_vni,
        "action": action,
        "state": flow.state.value,
        "flags_seen": flow.flags,
        "last_seen_ns": flow.seen,
    }


def _node_underlays(tables: Tables, now: int) -> Rows:
    for address in sorted(set(tables.underlays.values())):
        yield {"node_ip": address_text(address), "present": 1}


def _host_underlay(tables: Tables, now: int) -> Rows:
    if tables.node in tables.underlays:
        yield {"index": 0, "host_ip": address_text(tables.underlays[tables.node])}


def _l2_network_map(tables: Tables, now: int) -> Rows:
    for vni in sorted(tables.stations):
        yield {"vni": vni, "vpc_id": tables.segments[vni].vpc_id}


def _l2_ifindex(tables: Tables, now: int) -> Rows:
    for number, port in sorted(tables.ports.items()):
        if tables.is_l2(port):
            yield {"ifindex": number, "vni": port.vni}
    for vni, gateway in _l2_gateways(tables):
        yield {"ifindex": gateway.port, "vni": vni}


def _l2_fdb(tables: Tables, now: int) -> Rows:
    """What has aged is not shown, whether it has been swept or not."""
    for vni, stations in sorted(tables.stations.items()):
        entries = {mac: (entry.number, entry.vtep, entry.seen, 0) for mac, entry in stations.live(now)}
        gateway = tables.gateways.get(vni)
        if gateway is not None:
            entries[gateway.mac] = (gateway.port, 0, 0, GATEWAY_STATION)
        for mac, (number, vtep, seen, flags) in sorted(entries.items()):
            where: dict[str, str | int] = {"ifindex": number, "vtep_ip": address_text(vtep)}
            yield {"vni": vni, "mac": mac_text(mac), **where, "last_seen_ns": seen, "flags": flags}


def _l2_bum_local(tables: Tables, now: int) -> Rows:
    for vni in sorted(tables.stations):
        for number in tables.members.get(vni, ()):
            yield {"vni": vni, "ifindex": number, "flags": 0}
        gateway = tables.gateways.get(vni)
        if gateway is not None:
            yield {"vni": vni, "ifindex": gateway.port, "flags": GATEWAY_PORT}


def _l2_bum_remote(tables: Tables, now: int) -> Rows:
    for vni in sorted(tables.flood_peers):
        for vtep in sorted(tables.flood_list(vni)):
            yield {"vni": vni, "vtep_ip": address_text(vtep), "present": 1}


def _l2_arp(tables: Tables, now: int) -> Rows:
    for vni, neighbours in sorted(tables.neighbours.items()):
        for address, mac in sorted(neighbours.entries().items()):
            yield {"vni": vni, "ipv4": address_text(address), "mac": mac_text(mac)}


def _l2_gateway(tables: Tables, now: int) -> Rows:
    for vni, gateway in _l2_gateways(tables):
        yield {"vni": vni, "ifindex": gateway.port, "mac": mac_text(gateway.mac)}


def _l2_gateways(tables: Tables) -> Iterator[tuple[int, Router]]:
    return ((vni, gateway) for vni, gateway in sorted(tables.gateways.items()) if vni in tables.stations)


TABLES: Final[Mapping[str, Callable[[Tables, int], Rows]]] = {
    "subnet_map": _subnet_map,
    "ifindex_subnet": _ifindex_subnet,
    "ifindex_external_network": _ifindex_external_network,
    "ifindex_host_mac": _ifindex_host_mac,
    "vxlan_ifindex": _vxlan_ifindex,
    "arp_table": _arp_table,
    "fdb": _fdb,
    "fib_map": _fib_map,
    "external_address_pools": _external_address_pools,
    "elastic_ip_direct": _elastic_ip_direct,
    "nat_snat_map": _nat_snat_map,
    "nat_dnat_map": _nat_dnat_map,
    "napt_src": _napt_src,
    "ct_map": _ct_map,
    "node_underlays": _node_underlays,
    "host_underlay": _host_underlay,
    "l2_network_map": _l2_network_map,
    "l2_ifindex": _l2_ifindex,
    "l2_fdb": _l2_fdb,
    "l2_bum_local": _l2_bum_local,
    "l2_bum_remote": _l2_bum_remote,
    "l2_arp": _l2_arp,
    "l2_gateway": _l2_gateway,
    "external_arp_table": answering.rows,
}
