"""The dataplane drivers that are installed, found through the entry points `juneau.drivers`."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import cast

from attrs import frozen

from juneau.commands.exits import UsageError
from juneau.engine.driver import DriverKind

GROUP = "juneau.drivers"


@frozen
class Installed:
    """A driver; `fault` is why it cannot run here, empty if it can."""

    name: str
    summary: str
    fault: str
    kind: type[DriverKind] | None


def installed() -> list[Installed]:
    """All drivers by name, also those that cannot even be loaded."""
    return [examined(point) for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)]


def examined(point: EntryPoint) -> Installed:
    """What an entry point names, loaded and asked whether it can run here."""
    try:
        kind = cast("type[DriverKind]", point.load())
        return Installed(point.name, kind.summary, kind.unavailable() or "", kind)
    except Exception as error:  # somebody else's package: whatever is wrong with it, the others are still there
        return Installed(point.name, "", f"cannot be loaded: {type(error).__name__}: {error}", None)


def driver(name: str) -> type[DriverKind]:
    """A driver that can run here."""
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name not in points:
        known = ", ".join(sorted(points)) or "none"
        raise UsageError(f'no dataplane driver "{name}" is installed; there are: {known}')
    found = examined(points[name])
    if found.kind is None or found.fault:
        raise UsageError(f'the dataplane driver "{name}" cannot run here: {found.fault}')
    return found.kind


def listing() -> str:
    """The drivers as a table."""
    from juneau.engine.table import aligned

    rows = [("NAME", "RUNS HERE", "WHAT IT IS, OR WHY NOT")]
    rows += [(found.name, "no" if found.fault else "yes", found.fault or found.summary) for found in installed()]
    return aligned(rows)
