"""How people name objects: `vpc/app`, `pod/web-1`, `nwiface/shop/web-1.eth0`."""

from __future__ import annotations

from typing import NamedTuple


class Reference(NamedTuple):
    """A word for a Kind, and a namespace and a name where they were given."""

    kind: str
    namespace: str = ""
    name: str = ""

    def __str__(self) -> str:
        return "/".join(part for part in self if part)


def read_reference(text: str) -> Reference | None:
    """The reference that a text spells: `KIND`, `KIND/NAME` or `KIND/NAMESPACE/NAME`."""
    parts = text.split("/")
    if not all(parts) or not all(part.isprintable() for part in parts) or len(parts) > 3 or len(text) > 1024:
        return None
    if len(parts) == 2:
        return Reference(parts[0], name=parts[1])
    return Reference(*parts)
