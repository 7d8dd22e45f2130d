"""A NetworkInterface's types: what a NIC is connected to, and what the CNI puts into the Pod for it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.names import joined_name, stable_mac
from juneau.engine.objects import Key, Object
from juneau.engine.world import Index
from juneau.resources.allocationlease import ObjectReference
from juneau.resources.networks import address_pool, key_of
from juneau.resources.status import Status

FINALIZER = "networkinterface.juneau.loutres.me/allocation-claim"
FIRST_INTERFACE = "eth0"

# By Pod UID: the NICs of that Pod.
NICS_OF_POD: Index[Key] = Index("nics-of-pod")


@frozen
class PodRef:
    """Which interface of which Pod."""

    uid: Annotated[str, Mark("UID of the Pod", min_length=1, immutable=True)]
    name: Annotated[str, Mark("name of the Pod", min_length=1, immutable=True)]
    interface: Annotated[str, Mark("name of the interface in the Pod", min_length=1, immutable=True)]


@frozen
class NetworkInterfaceSpec:
    """What the NIC is connected to; exactly one of subnet, l2Network and elasticIP is set."""

    pod_ref: Annotated[PodRef, Mark("the NIC of the Pod that this is")]
    node_name: Annotated[str, Mark("node of the Pod", min_length=1, immutable=True)]
    subnet: Annotated[str, Mark("Subnet the NIC is connected to", immutable=True)] = ""
    l2_network: Annotated[str, Mark("L2Network the NIC is connected to", immutable=True)] = ""
    elastic_ip: Annotated[
        str, Mark("ElasticIP of the same namespace whose address the NIC holds", json="elasticIP", immutable=True)
    ] = ""
    address: Annotated[str, Mark("IPv4 address asked for; empty: a free one", immutable=True)] = ""
    security_groups: Annotated[tuple[str, ...], Mark("SecurityGroups applied to the NIC", unique=True)] = ()
    allocation_identity: Annotated[str, Mark("recognises a workload whose Pod has a new name", immutable=True)] = ""
    retain_while: Annotated[ObjectReference | None, Mark("object that keeps the address", immutable=True)] = None


@frozen
class NICRoute:
    """A route in the Pod's namespace."""

    dst: Annotated[str, Mark("destination CIDR")]
    gw: Annotated[str, Mark("next hop")]
    on_link: Annotated[bool, Mark("gw is on the link although no address of the NIC covers it")] = False
    table: Annotated[int, Mark("route table; 0: main", minimum=0, maximum=2**32 - 1)] = 0


@frozen
class NICRule:
    """A policy routing rule in the Pod's namespace."""

    source: Annotated[str, Mark("source CIDR", json="from")]
    table: Annotated[int, Mark("table that matching packets are looked up in", minimum=1, maximum=2**32 - 1)]
    priority: Annotated[int, Mark("smaller is evaluated first", minimum=0, maximum=2**31 - 1)]


@frozen
class EffectiveGroup:
    """A SecurityGroup that counts: it exists, in the right Vpc, with a number."""

    name: Annotated[str, Mark("name of the SecurityGroup")]
    group_id: Annotated[int, Mark("its number", json="groupID")]


@frozen(kw_only=True)
class NetworkInterfaceStatus(Status):
    """What the CNI puts into the Pod."""

    address: Annotated[str, Mark("IPv4 address and prefix length actually assigned")] = ""
    routes: Annotated[tuple[NICRoute, ...], Mark("routes that the CNI puts into the Pod's namespace")] = ()
    rules: Annotated[tuple[NICRule, ...], Mark("policy routing rules that the CNI adds")] = ()
    allocation_claim: Annotated[str, Mark("claim behind the address")] = ""
    effective_security_groups: Annotated[tuple[EffectiveGroup, ...], Mark("groups that count, by name")] = ()


NetworkInterface: TypeAlias = Object[NetworkInterfaceSpec, NetworkInterfaceStatus]


def pool_of(nic: NetworkInterface) -> str:
    key = key_of(nic.spec.subnet, nic.spec.l2_network)
    return address_pool(key.kind, key.name)


def reservation_key(nic: NetworkInterface) -> str:
    """What NICs of one identity share: per network, namespace and interface, since a Pod's NICs have one identity."""
    identity, interface = nic.spec.allocation_identity, nic.spec.pod_ref.interface
    shared = (pool_of(nic), nic.namespace, f"{identity}.{interface}")
    return joined_name(shared, owner=shared[1:]) if identity else ""


def shared_mac(nic: NetworkInterface) -> str:
    """The MAC of all NICs that share an address of a Subnet; empty where the link's own will do.

    With it who knows the address by ARP already loses nothing when it passes from one of them to another.
    """
    return stable_mac(reservation_key(nic), "nic") if nic.spec.allocation_identity and nic.spec.subnet else ""
