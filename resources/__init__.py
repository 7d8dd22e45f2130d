"""The Kinds, one file each, and the few concepts that several of them share.

A module here that defines `KIND` is a Kind and is registered by being there.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from juneau.engine.kind import Registry


def registry() -> Registry:
    """All Kinds that this package has."""
    kinds = Registry()
    for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        kind = getattr(import_module(f"{__name__}.{module}"), "KIND", None)
        if kind is not None:
            kinds.add(kind)
    return kinds
