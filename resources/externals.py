"""What Kinds say of addresses from outside to those that cannot name them: who uses an ElasticIP, and who a pool.

A Kind imports only Kinds that its spec names; an ElasticIP learns of its users here.
"""

from __future__ import annotations

from attrs import frozen

from juneau.engine.objects import Time
from juneau.engine.world import Index


@frozen
class Carrier:
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
    elastic_ip: str
    nic: str
    node: str  # as its status says, empty until then
    deleting: bool


@frozen
class GatewayOfNetwork:
    """A NATGateway that leaves through an ExternalNetwork; number 0 until it has one."""

    name: str
    gateway_id: int


# By (namespace, name of the ElasticIP).
CARRIERS: Index[Carrier] = Index("carriers-of-elasticip")
TRANSLATIONS: Index[Translation] = Index("translations-of-elasticip")
# By (namespace, name of the NetworkInterface).
TRANSLATIONS_OF_NIC: Index[Translation] = Index("translations-of-nic")
# By name of the ExternalNetwork.
GATEWAYS_OF_NETWORK: Index[GatewayOfNetwork] = Index("natgateways-of-externalnetwork")


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

# By name of the ExternalNetwork: its number on the overlay, once it has one.
NETWORK_IDS: Index[int] = Index("ids-of-externalnetwork")
