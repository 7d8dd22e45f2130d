"""The SecurityGroups that a NIC names: how they have to fit the NIC's network, for Pods and NetworkInterfaces alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from juneau.engine.errors import Cause, Violation
from juneau.engine.intents import SegmentKind
from juneau.engine.world import Reader
from juneau.resources.networks import Network
from juneau.resources.rules import GROUPS

# Until a driver was tested with more.
MOST_GROUPS = 16


def name_violations(names: Sequence[str], field: str) -> Iterator[Violation]:
    """NIC-12 to NIC-14, POD-11 to POD-13: how many, none empty, none twice."""
    if len(names) > MOST_GROUPS:
        yield Violation(field, f"at most {MOST_GROUPS} SecurityGroups per NIC, not {len(names)}", Cause.TOO_MANY)
    for place, name in enumerate(names):
        if not name:
            yield Violation(f"{field}[{place}]", "names a SecurityGroup", Cause.REQUIRED)
        elif name in names[:place]:
            yield Violation(f"{field}[{place}]", "named already; leave it out", Cause.DUPLICATE, name)


def fit_violations(
    names: Sequence[str], net: Network | None, field: str, interface: str, world: Reader
) -> Iterator[Violation]:
    """NIC-15 to NIC-17, POD-26 to POD-28: they exist, in the Vpc of the network, and something would consult them."""
    if not names:
        return
    if net is not None and net.kind is SegmentKind.L2 and not net.has_gateway:
        why = (
            f"L2Network {net.name} of interface {interface} has no spec.gateway, so nothing would ever consult them;"
            " give it a gateway or name no SecurityGroup"
        )
        yield Violation(field, why, Cause.FORBIDDEN, audit_only=True)
        return
    for place, name in enumerate(names):
        if not name:
            continue
        found = world.values(GROUPS, name)
        if not found:
            why = f"no such SecurityGroup (interface {interface})"
            yield Violation(f"{field}[{place}]", why, Cause.NOT_FOUND, name, settled=False, audit_only=True)
        elif net is not None and found[0].vpc != net.vpc:
            why = f"belongs to Vpc {found[0].vpc}; interface {interface} is in Vpc {net.vpc}"
            yield Violation(f"{field}[{place}]", why, value=name, audit_only=True)
