"""A learning bridge inside a Pod: a VM with nested hosts, or a Pod that joins two NICs."""

from __future__ import annotations

from juneau.drivers.simulated.codec import is_group
from juneau.drivers.simulated.fabric import Receiver


class Bridge:
    """Its members are the wires of NICs, the Pod's own stack, and nested hosts; it does not age."""

    __slots__ = ("_members", "_seen")

    def __init__(self) -> None:
        self._members: dict[str, Receiver] = {}
        self._seen: dict[bytes, str] = {}

    def join(self, member: str, receiver: Receiver) -> Receiver:
        """`receiver` gets what goes to the member; returns where the member's own frames go in."""
        self._members[member] = receiver
        return lambda frame: self._enter(member, frame)

    def leave(self, member: str) -> None:
        self._members.pop(member, None)
        self._seen = {mac: name for mac, name in self._seen.items() if name != member}

    def _enter(self, member: str, frame: bytes) -> None:
        if len(frame) < 14:
            return
        self._seen[frame[6:12]] = member
        known = None if is_group(frame) else self._seen.get(frame[:6])
        for name, receiver in list(self._members.items()):
            if name != member and known in (None, name):
                receiver(frame)
