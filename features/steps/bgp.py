"""What Nodes announce by BGP."""

from __future__ import annotations

from juneau.engine.world import Reader
from juneau.features.grammar import then
from juneau.features.scene import Scene
from juneau.resources.bgpadvertisement import announced_by


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
    return [str(prefix) for prefix in announced_by(Reader(scene.lab.cache), node)]
