"""What can be wrong with a NetworkInterface that has an address: its claim or its NetworkEndpoint has another one."""

from __future__ import annotations

from collections.abc import Iterator

from juneau.engine.errors import Violation
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources.claimaudit import held_up
from juneau.resources.claiming import claimed_findings
from juneau.resources.networkendpoint import ENDPOINTS
from juneau.resources.nicspec import NetworkInterface

FINALIZER = "networkinterface.juneau.loutres.me/allocation-claim"

_ADDRESS = "status.address"


def audit(nic: NetworkInterface, world: Reader) -> Iterator[Violation]:
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
