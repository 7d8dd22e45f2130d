"""The dataplane's tables, as `kubectl juneau bpf dump` shows them, with names instead of numbers."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Any

from juneau.engine.driver import Row
from juneau.features.grammar import then
from juneau.features.paths import read_path
from juneau.features.scene import Scene
from juneau.features.steps.frames import mac_of
from juneau.features.wire import Nic

_NOWHERE = "0.0.0.0"
# Tables of stations and neighbours, with the column of the segment.
_STATIONS = {"fdb": "subnet_id", "arp_table": "subnet_id", "l2_fdb": "vni", "l2_arp": "vni"}


@then('table <table> of <node> for L2Network "<name>" is')
def table_is(scene: Scene, table: str, node: str, name: str, datatable: list[list[str]]) -> None:
    """The rows of that segment, whole, in these columns and any order.

    MACs and ports read as `a.eth1` (NIC), `lab-net` (gateway); underlay addresses as a Node's name; nothing as `-`.
    """
    header, *wanted = datatable
    rows = _rows(scene, table, node, name)
    found = sorted([_shown(scene, node, column, row[column]) for column in header] for row in rows)
    assert found == sorted(wanted), "\n" + "\n".join(map(str, [header, *found]))


@then('table <table> of <node> for L2Network "<name>" is empty')
def table_is_empty(scene: Scene, table: str, node: str, name: str) -> None:
    """No row of that segment."""
    rows = _rows(scene, table, node, name)
    assert not rows, rows


@then("table <table> of <node> has <number:count> rows")
def table_has_rows(scene: Scene, table: str, node: str, number: int) -> None:
    """Of all networks together."""
    rows = scene.lab.site.dump(node, table)
    assert len(rows) == number, rows


def _rows(scene: Scene, table: str, node: str, name: str) -> list[Row]:
    vni = scene.read("L2Network", name, "status.vni")
    assert vni, f"L2Network {name} has no VNI"
    return list(scene.lab.site.dump(node, table, {"vni": str(vni)}))


def _shown(scene: Scene, node: str, column: str, value: str | int) -> str:
    if column == "vtep_ip":
        return "-" if value == _NOWHERE else _node_at(scene, str(value))
    if column == "ifindex":
        return _port(scene, node, int(value)) if value else "-"
    return _station(scene, str(value)) if column.endswith("mac") else str(value)


def _node_at(scene: Scene, address: str) -> str:
    for name in scene.lab.agents:
        if any(held.address == address for held in scene.get("Node", name).status.addresses):
            return name
    return address


def _pods_nics(scene: Scene) -> list[Nic]:
    return [nic for nic in scene.wire.nics() if nic.host not in scene.wire.behind]


def _port(scene: Scene, node: str, number: int) -> str:
    for nic in _pods_nics(scene):
        if scene.wire.place(nic.host)[0] == node and scene.wire.state(nic).link.number == number:
            return f"{nic.host}.{nic.interface}"
    for obj in scene.lab.list("L2Network"):
        gateways = scene.lab.site.dump(node, "l2_gateway", {"vni": str(obj.status.vni)})
        if any(row["ifindex"] == number for row in gateways):
            return obj.name
    return str(number)


def _station(scene: Scene, mac: str) -> str:
    for nic in _pods_nics(scene):
        if scene.wire.mac(nic) == mac:
            return f"{nic.host}.{nic.interface}"
    gateways = (obj.name for obj in scene.lab.list("L2Network") if obj.status.gateway_mac == mac)
    return next(gateways, mac)


@then('the gateway of L2Network "<name>" has the number "<path>" of <kind> "<other:name>" on every Node')
def gateway_has_number(scene: Scene, name: str, path: str, kind: str, other: str) -> None:
    """The gateway's entry in the dataplane's `subnet_map` names that NetworkACL."""
    wanted, vni = scene.read(kind, other, path), scene.read("L2Network", name, "status.vni")
    for node in scene.lab.agents:
        rows = scene.lab.site.dump(node, "subnet_map", {"subnet_id": str(vni)})
        assert [row["acl_id"] for row in rows] == [wanted], f"{node}: {rows}"


@then('<node> knows "<address>" on L2Network "<name>" as <station>')
def knows_neighbour(scene: Scene, node: str, address: IPv4Address, name: str, station: str | Nic) -> None:
    """The gateway's neighbour table there has that pair."""
    found = {str(row["ipv4"]): str(row["mac"]) for row in _rows(scene, "l2_arp", node, name)}
    assert found.get(str(address)) == mac_of(scene, station), found


@then('<node> knows nobody as "<address>" on L2Network "<name>"')
def knows_nobody(scene: Scene, node: str, address: IPv4Address, name: str) -> None:
    """The gateway's neighbour table there has no such address."""
    found = [row["ipv4"] for row in _rows(scene, "l2_arp", node, name)]
    assert str(address) not in found, found


@then('every Node knows <nics> on ExternalNetwork "<name>" and nowhere else')
def nodes_know(scene: Scene, nics: tuple[Nic, ...], name: str) -> None:
    """Their MACs are stations, and neighbours, of the segment with its `status.networkID`, and of no other."""
    number = scene.read("ExternalNetwork", name, "status.networkID")
    wanted = {(scene.wire.mac(nic), number) for nic in nics}
    macs = {mac for mac, _ in wanted}
    for node in scene.lab.agents:
        for table, column in _STATIONS.items():
            rows = scene.lab.site.dump(node, table)
            found = {(str(row["mac"]), row[column]) for row in rows if row["mac"] in macs}
            assert found == (wanted if column == "subnet_id" else set()), f"{table} of {node}: {found}"


@then('the routes of RouteTable "<name>" are')
def route_table_is(scene: Scene, name: str, datatable: list[list[str]]) -> None:
    """The routes in its status, whole, in any order: `dst`, `via`, `source` and what else the header names."""
    header, *wanted = datatable
    routes = scene.document("RouteTable", name).get("status", {}).get("routes", [])
    found = sorted([_cell(route, column) for column in header] for route in routes)
    assert found == sorted(wanted), f"\n{routes}"


def _cell(route: dict[str, Any], column: str) -> str:
    held = read_path(route, column)
    return "-" if held is None else str(held)
