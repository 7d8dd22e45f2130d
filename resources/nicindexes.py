"""What others find a NetworkInterface by: its Pod, its SecurityGroups, the ElasticIP it names, the address it has."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from juneau.engine.addresses import ipv4
from juneau.engine.objects import Key, Time
from juneau.engine.world import contribution
from juneau.resources.allocationpool import holding
from juneau.resources.externals import DIRECT_NICS, DirectNIC
from juneau.resources.nicspec import NICS_OF_POD, NetworkInterface, pool_of, reservation_key
from juneau.resources.reservation import RESERVED_BY
from juneau.resources.rules import GROUP_MEMBERS


def _direct_nics(nic: NetworkInterface) -> Iterator[tuple[Hashable, DirectNIC]]:
    spec, ref = nic.spec, nic.spec.pod_ref
    if spec.elastic_ip:
        created = nic.metadata.creation_timestamp or Time(0.0)
        whose = (ref.name, ref.uid, spec.node_name, spec.allocation_identity)
        yield ((nic.namespace, spec.elastic_ip), DirectNIC(nic.name, *whose, created, nic.deleting))


def _of_pod(nic: NetworkInterface) -> Iterator[tuple[Hashable, Key]]:
    yield (nic.spec.pod_ref.uid, nic.key)


def _group_members(nic: NetworkInterface) -> Iterator[tuple[Hashable, tuple[str, str]]]:
    for name in nic.spec.security_groups:
        yield (name, (nic.namespace, nic.name))


def _addresses(nic: NetworkInterface) -> Iterator[tuple[str, int]]:
    """What nobody else may be given; a NIC that is being deleted has given its address back."""
    address = ipv4(nic.status.address.partition("/")[0])
    if address is not None and not nic.spec.elastic_ip and not nic.deleting:
        yield (pool_of(nic), int(address))


def _reservations(nic: NetworkInterface) -> Iterator[tuple[Hashable, Key]]:
    if nic.spec.allocation_identity and nic.status.address and not nic.deleting:
        yield (reservation_key(nic), nic.key)


NIC_INDEXES = (
    contribution(NICS_OF_POD, _of_pod),
    contribution(DIRECT_NICS, _direct_nics),
    contribution(GROUP_MEMBERS, _group_members),
    contribution(RESERVED_BY, _reservations),
    *holding(_addresses, lambda nic: nic.key),
)
