"""Packets sent in a lab, and what became of them, in words."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface

from attrs import frozen

from juneau.engine.objects import Key
from juneau.engine.trace import Trace
from juneau.engine.world import Cache
from juneau.resources import networkendpoint, networkinterface
from juneau.resources.endpointspec import NetworkEndpoint
from juneau.resources.nicspec import NetworkInterface

# IEEE 802's EtherType for experiments: no host takes it for something it knows.
EXPERIMENTAL = bytes.fromhex("88b5")


@frozen
class Nic:
    """A NIC that is plugged: where it is, and its addresses.

    One that carries an ElasticIP is not chosen by its name but by its address as the source, as the Pod's rules do.
    """

    node: str
    sandbox: str
    interface: str
    mac: bytes
    address: IPv4Interface | None
    carries_elastic_ip: bool = False

    @property
    def where(self) -> str:
        """The Node it is on, for people."""
        return self.node or "no Node, outside the cluster"

    @property
    def port(self) -> str:
        """Its name at the dataplane."""
        return f"{self.sandbox}.{self.interface}"


def nic(cache: Cache, namespace: str, name: str) -> Nic | str:
    """The plugged NIC `<pod>.<interface>`, or why there is none."""
    held: NetworkInterface | None = cache.get(Key(networkinterface.KIND.name, namespace, name))
    if held is None:
        owner = f"pod/{namespace}/{name.rpartition('.')[0]}"
        return f"there is no NetworkInterface {namespace}/{name}; explain {owner} tells more"
    endpoint: NetworkEndpoint | None = cache.get(Key(networkendpoint.KIND.name, namespace, name))
    if endpoint is None:
        return f"NetworkInterface {namespace}/{name} is {held.status.phase or 'Pending'}, and no Node has attached it"
    spec = held.spec
    address = IPv4Interface(held.status.address) if held.status.address else None
    mac = bytes.fromhex(endpoint.spec.mac_address.replace(":", ""))
    sandbox = f"{namespace}/{spec.pod_ref.name}"
    return Nic(spec.node_name, sandbox, spec.pod_ref.interface, mac, address, bool(spec.elastic_ip))


def frame(target: bytes, source: Nic) -> bytes:
    """A frame of no known protocol."""
    return target + source.mac + EXPERIMENTAL + b"juneau".ljust(46, b"\0")


def receivers(trace: Trace) -> list[str]:
    """Where a frame came out, each NIC once, in order."""
    return list(dict.fromkeys(arrival.port for arrival in trace.arrivals))


def arrived_at(cache: Cache, ports: list[str], target: IPv4Address | bytes) -> bool:
    """Whether one of these NICs has that address or MAC."""
    for port in ports:
        namespace, _, name = port.partition("/")
        found = nic(cache, namespace, name)
        if isinstance(found, str):
            continue
        own = found.address.ip if found.address is not None else None
        if target in (found.mac, own):
            return True
    return False
