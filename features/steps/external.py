"""What the outside is told of the cluster's addresses."""

from __future__ import annotations

from juneau.engine.world import Reader
from juneau.features.grammar import then
from juneau.features.scene import Scene
from juneau.features.wire import Nic
from juneau.resources.bgpprefixes import prefixes

# Tables of stations and neighbours, with the column of the segment.
_STATIONS = {"fdb": "subnet_id", "arp_table": "subnet_id", "l2_fdb": "vni", "l2_arp": "vni"}


@then("<node> announces by BGP")
def node_announces(scene: Scene, node: str, docstring: str) -> None:
    """Exactly these prefixes, which every BGPPeer would be sent, one a line and sorted."""
    wanted = [line.strip() for line in docstring.splitlines() if line.strip()]
    assert _announced(scene, node) == wanted, _announced(scene, node)


@then("<node> announces nothing by BGP")
def node_announces_nothing(scene: Scene, node: str) -> None:
    """No prefix at all."""
    assert not _announced(scene, node), _announced(scene, node)


def _announced(scene: Scene, node: str) -> list[str]:
    return [str(prefix) for prefix in prefixes(Reader(scene.lab.cache), node)]


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
