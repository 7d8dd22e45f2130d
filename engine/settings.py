"""What an installation configures: the flags of the controller, as one value that every Kind reads."""

from __future__ import annotations

from ipaddress import IPv4Network

from attrs import frozen

from juneau.engine.addresses import ipv4_network


@frozen
class Settings:
    """Flags of the controller, with their defaults.

    `default_l2_mtu` is a 1500-byte underlay less the 50 bytes of VXLAN; set it to fit another underlay.
    `address_lease` is how long a NIC's address stays reserved once the NIC is gone.
    """

    default_subnet_cidr: str = "10.16.0.0/16"
    service_cidr: str = "10.96.0.0/12"  # empty: unknown, nothing is compared with it
    default_l2_mtu: int = 1450
    address_lease: str = "24h"

    @property
    def service_network(self) -> IPv4Network | None:
        return ipv4_network(self.service_cidr)
