"""The rules that a NetworkInterface has to keep, most of which the PodController asks for before it makes one."""

from __future__ import annotations

from collections.abc import Iterator

from juneau.engine.errors import Cause, Violation
from juneau.engine.names import is_dns_subdomain
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources.claimaudit import held_up
from juneau.resources.claiming import claimed_findings
from juneau.resources.grouprefs import fit_violations, name_violations
from juneau.resources.networkendpoint import ENDPOINTS
from juneau.resources.networks import address_violations, key_of, network_of
from juneau.resources.nicspec import FINALIZER, NetworkInterface, NetworkInterfaceSpec

_ADDRESS = "status.address"


def validate(new: NetworkInterface, old: NetworkInterface | None, world: Reader) -> Iterator[Violation]:
    spec = new.spec
    named = [name for name in (spec.subnet, spec.l2_network, spec.elastic_ip) if name]
    if len(named) != 1:  # NIC-1
        yield Violation("spec", "exactly one of subnet, l2Network and elasticIP must be set", value=named or None)
    if spec.elastic_ip:
        yield from _elastic_ip_violations(spec)
    elif old is None:
        yield from _network_violations(spec, world)
    if spec.allocation_identity and not is_dns_subdomain(spec.allocation_identity):  # NIC-18
        why = "must be a DNS-1123 subdomain"
        yield Violation("spec.allocationIdentity", why, value=spec.allocation_identity)
    if new.deleting or spec.elastic_ip:  # NIC-30
        return
    yield from name_violations(spec.security_groups, "spec.securityGroups")
    yield from fit_violations(
        spec.security_groups,
        network_of(world, spec.subnet, spec.l2_network),
        "spec.securityGroups",
        spec.pod_ref.interface,
        world,
    )


def _elastic_ip_violations(spec: NetworkInterfaceSpec) -> Iterator[Violation]:
    if spec.address:  # NIC-2
        why = "the ElasticIP has the address, and the NIC cannot choose another; leave address out"
        yield Violation("spec.address", why, Cause.FORBIDDEN)
    if spec.security_groups:  # NIC-3
        why = "a NIC on an ElasticIP is in no Vpc, so no SecurityGroup can be attached; leave securityGroups out"
        yield Violation("spec.securityGroups", why, Cause.FORBIDDEN)


def _network_violations(spec: NetworkInterfaceSpec, world: Reader) -> Iterator[Violation]:
    net = network_of(world, spec.subnet, spec.l2_network)
    key = key_of(spec.subnet, spec.l2_network)
    if net is None and key.name:  # NIC-6, NIC-7
        field = "spec.l2Network" if spec.l2_network else "spec.subnet"
        yield Violation(field, f"no such {key.kind}", Cause.NOT_FOUND, key.name, settled=False, audit_only=True)
    yield from address_violations(spec.address, net, "spec.address")


def audit(nic: NetworkInterface, world: Reader) -> Iterator[Violation]:
    """What can be wrong with one that has an address: its claim or its NetworkEndpoint has another one."""
    status, pod = nic.status, nic.spec.pod_ref
    claim = Key("AllocationClaim", "", status.allocation_claim)
    if nic.deleting:
        if FINALIZER in nic.metadata.finalizers and not world.exists(claim):
            yield held_up(FINALIZER, "it is being deleted, and has no AllocationClaim any more to be given back")
        return
    ip = status.address.partition("/")[0]
    if ip and claim.name:
        yield from claimed_findings(world, claim.name, _ADDRESS, ip)
    for attached in world.values(ENDPOINTS, (nic.namespace, pod.name, pod.uid, pod.interface)):
        other = attached.partition("/")[0]
        if ip and other != ip:
            why = f"its NetworkEndpoint, and so the Pod, has {other or 'no address'}"
            yield Violation(_ADDRESS, why, value=ip, audit_only=True, repair=f"delete Pod {pod.name}")
