"""What an installation configures: the flags of the controller, as one value that every Kind reads."""

from __future__ import annotations

from ipaddress import IPv4Network

from attrs import frozen

from juneau.engine.addresses import ipv4_network
from juneau.engine.durations import seconds_of

_NODE_LEASE = 15.0


@frozen
class Settings:
    """Flags of the controller, with their defaults.

    `default_l2_mtu` is a 1500-byte underlay less the 50 bytes of VXLAN; set it to fit another underlay.
    `address_lease` is how long a NIC's address stays reserved once the NIC is gone.
    `node_lease` is how long an agent may be silent before its Node counts as lost, and what it answers for moves.
    """

    default_subnet_cidr: str = "10.16.0.0/16"
    service_cidr: str = "10.96.0.0/12"  # empty: unknown, nothing is compared with it
    default_l2_mtu: int = 1450
    address_lease: str = "24h"
    node_lease: str = "15s"

    @property
    def node_lease_seconds(self) -> float:
        """How long an agent's Lease lasts."""
        return seconds_of(self.node_lease) or _NODE_LEASE

    @property
    def service_network(self) -> IPv4Network | None:
        return ipv4_network(self.service_cidr)


@frozen
class NodeSettings:
    """Flags of a node's agent, with their defaults.

    `ingress_interface` takes packets from outside and answers ARP; empty: the one that has the Node's InternalIP.
    `arp_interval` is the time between two gratuitous ARPs for one address, in seconds; 0: only at takeover.
    `arp_fence_after` is after how many seconds out of contact a Node stops to answer; None: never.
    """

    ingress_interface: str = ""
    arp_interval: float = 60.0
    arp_fence_after: float | None = None
