"""A lab with an external network, and what tests ask of it: who answers, what runs where, what was written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Address
from typing import Any

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import OUTSIDE, HostRoute
from juneau.engine.objects import AnyObject, Key, condition
from juneau.engine.settings import NodeSettings, Settings
from juneau.engine.store import Event
from juneau.lab.immediate import run
from juneau.lab.lab import DEFAULT_NODES, Lab
from juneau.lab.outside import HOST, ROUTER, OutsideSettings

ONE, TWO = DEFAULT_NODES
ADDRESS = IPv4Address("10.225.51.100")  # the first that is handed out of `lan`
BEGINNING = 1_767_225_600.0


def manifest(kind: str, name: str, /, annotations: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    """A document; the fields of its spec as manifests name them."""
    version = "v1" if kind in ("Pod", "Node") else "juneau.loutres.me/v1alpha1"
    marks = {f"juneau.loutres.me/{key}": text for key, text in (annotations or {}).items()}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "annotations": marks}, "spec": spec}


def pod(name: str, eip: str = "", **spec: Any) -> dict[str, Any]:
    """A Pod on the Subnet `net`, and with its eth1 on an ElasticIP."""
    nics = [{"interface": "eth0", "subnet": "net"}]
    if eip:
        nics.append({"interface": "eth1", "elasticIP": eip})
    return manifest("Pod", name, {"networks": json.dumps(nics)}, **spec)


class Cluster:
    """Two Nodes, a Vpc with the Subnet `net`, and the ExternalNetwork `lan` of type arp."""

    def __init__(
        self,
        nodes: Sequence[str] = DEFAULT_NODES,
        settings: Settings | None = None,
        node_settings: NodeSettings | None = None,
        outside: OutsideSettings | None = None,
    ) -> None:
        self.clock = VirtualClock(BEGINNING)
        self.site = SimulatedDriver.site(self.clock)
        self.lab = run(Lab.start(self.site, self.clock, nodes, settings, node_settings=node_settings, outside=outside))
        self.written: list[Key] = []
        self.lab.store.subscribe(self._note)

    def _note(self, event: Event) -> None:
        self.written.append(event.obj.key)

    def furnish(self) -> None:
        """The Vpc and the ExternalNetwork."""
        self.apply(
            manifest("Vpc", "app"),
            manifest("Subnet", "net", vpc="app", cidr="10.90.0.0/24"),
            manifest("AddressPool", "lan", advertiseMode="arp", addresses=["10.225.51.100-10.225.51.150"]),
            manifest("ExternalNetwork", "lan", type="arp", addressPools=["lan"]),
            manifest("ElasticIP", "front", externalNetwork="lan"),
        )

    def apply(self, *documents: dict[str, Any]) -> None:
        for document in documents:
            run(self.lab.apply(document))
        self.settle()

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        run(self.lab.delete(Key(kind, namespace, name)))
        self.settle()

    def settle(self) -> None:
        run(self.lab.settle())

    def advance(self, seconds: float) -> None:
        run(self.lab.advance(seconds))

    def reconnect(self, node: str) -> None:
        run(self.lab.reconnect(node))

    def switch_on(self, node: str) -> None:
        run(self.lab.switch_on(node))

    def get(self, kind: str, name: str, namespace: str = "") -> AnyObject:
        found = self.lab.get(kind, name, namespace)
        assert found is not None, f"there is no {kind} {name}"
        return found

    def phase(self, kind: str, name: str) -> str:
        return str(self.get(kind, name).status.phase)

    def reason(self, kind: str, name: str, type_: str = "Ready") -> str:
        held = condition(self.get(kind, name), type_)
        return held.reason if held is not None else ""

    def writes(self) -> Counter[str]:
        """What was written since this was last asked, by Kind."""
        found = Counter(key.kind for key in self.written)
        self.written.clear()
        return found

    def sandbox(self, node: str, name: str) -> tuple[str, ...]:
        """The NICs of a Pod on a Node; none where it is not."""
        try:
            return tuple(self.site.interfaces(node, f"default/{name}"))
        except LookupError:
            return ()

    def reaches(self, target: IPv4Address | str, host: str = HOST) -> bool:
        """Whether a ping from outside is answered."""
        return bool(self.site.ping(OUTSIDE, host, IPv4Address(target)))

    def pings(self, node: str, name: str, target: IPv4Address | str) -> bool:
        """Whether a Pod on a Node, or with an empty name that Node itself, gets an answer."""
        return bool(self.site.ping(node, f"default/{name}" if name else node, IPv4Address(target)))

    def routes(self) -> dict[str, str]:
        """What the router outside sends to which address, apart from its own network."""
        found: Sequence[HostRoute] = self.site.routes(OUTSIDE, ROUTER)
        return {str(route.dst): str(route.gw) for route in found if route.gw is not None}
