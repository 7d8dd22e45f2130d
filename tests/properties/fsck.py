"""Whether what objects say of each other fits, in a cluster at rest: what `juneau fsck` looks for, without rules."""

from __future__ import annotations

from collections.abc import Mapping

from juneau.engine.audit import misfits, picture
from juneau.engine.objects import AnyObject, Key
from juneau.engine.settings import Settings
from juneau.resources import registry


def faults(objects: Mapping[Key, AnyObject]) -> list[str]:
    """What does not fit: lost and doubled values, leases of nobody, claims without one, what nobody owns any more."""
    found = misfits(picture(registry(), Settings(), objects.values()))
    return [f"{finding.key}: {finding.violation}" for finding in found]
