"""What can be wrong with an ElasticIP that has an address: nothing can carry it, or nobody outside reaches it."""

from __future__ import annotations

from collections.abc import Iterator

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Violation
from juneau.engine.objects import Time
from juneau.engine.world import Reader
from juneau.resources.claimaudit import held_up
from juneau.resources.elasticipfacts import facts
from juneau.resources.elasticipspec import ElasticIP
from juneau.resources.externaladdress import address_findings

FINALIZER = "elasticip.juneau.loutres.me/allocation-claim"


def audit(eip: ElasticIP, world: Reader) -> Iterator[Violation]:
    address, known = eip.status.address, facts(eip, world, Time(0.0))
    if eip.deleting:
        needed = known.claimed.claim is not None or known.carriers or known.advertisement is not None
        if FINALIZER in eip.metadata.finalizers and not needed:
            yield held_up(FINALIZER, "it is being deleted, and nothing is left that has its address")
    elif address and ipv4(address) is None:
        repair = "delete the ElasticIP and create it anew"
        why = f"no IPv4 address, so nothing can carry it; {repair}"
        yield Violation("status.address", why, value=address, audit_only=True, repair=repair)
    else:
        yield from address_findings(world, known.source, "status.address", address, known.claimed)
