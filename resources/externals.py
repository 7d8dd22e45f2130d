"""What the Kinds around external networks say of themselves to Kinds that cannot name them.

A Kind imports only Kinds that its spec names, so an ElasticIP learns here of its users, an ExternalNetwork of its
NATGateways and of the Nodes there are, and a NetworkEndpoint of its network's number.
"""

from __future__ import annotations

from ipaddress import IPv4Address

from attrs import frozen

from juneau.engine.objects import Time
from juneau.engine.world import Index


@frozen
class DirectNIC:
    """A NetworkInterface that names an ElasticIP, to carry its address itself."""

    name: str
    pod: str
    pod_uid: str
    node: str
    identity: str
    created: Time
    deleting: bool


@frozen
class Translation:
    """An ElasticIPAttachment: the ElasticIP stands one to one for the address of a NetworkInterface."""

    name: str
    node: str  # as its status says, empty until then
    deleting: bool


# By (namespace, name of the ElasticIP).
DIRECT_NICS: Index[DirectNIC] = Index("direct-nics-of-elasticip")
TRANSLATIONS: Index[Translation] = Index("translations-of-elasticip")
# By (namespace, name of the NetworkInterface).
TRANSLATIONS_OF_NIC: Index[Translation] = Index("translations-of-nic")
# By name of the ExternalNetwork: the numbers of the NATGateways that leave through it, 0 of one that has none yet.
GATEWAYS_OF_NETWORK: Index[int] = Index("natgateways-of-externalnetwork")


@frozen
class Holding:
    """An ElasticIP and the object of its namespace that it has given its address to."""

    namespace: str
    elastic_ip: str
    kind: str
    name: str


# By (ExternalNetwork, address).
HOLDINGS: Index[Holding] = Index("holdings-of-external-address")
# By "": the names of the BGPPeers.
BGP_PEERS: Index[str] = Index("bgppeers")
# By "": the names of all Nodes.
NODE_NAMES: Index[str] = Index("node-names")
# By "": the InternalIPs of all Nodes.
NODE_INTERNAL_IPS: Index[IPv4Address] = Index("node-internal-ips")

# With it and a dash the name of an ElasticIP's ARPAdvertisement begins.
ELASTIC_IP_ADVERTISEMENT = "eip"

# By name of the ExternalNetwork: its number on the overlay, once it has one.
NETWORK_IDS: Index[int] = Index("ids-of-externalnetwork")
