"""The fabric: what all Nodes of a site share, that is the Ethernets, the time, and the queue of frames that are moving.

Everything runs to completion: a frame that a host or a Node puts on a wire is queued, and `run` takes from the queue
until nothing moves.
There is no recursion from wire to wire and no randomness, so equal histories give equal traces.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from juneau.drivers.simulated.ethernet import Ethernet
from juneau.engine.clock import VirtualClock
from juneau.engine.driver import UNDERLAY_ETHERNET
from juneau.engine.trace import Trace

NANOSECONDS: Final = 1_000_000_000
BUDGET: Final = 50_000
KERNEL_MTU: Final = 1500

Receiver = Callable[[bytes], None]


@frozen
class Vtep:
    """Where a Node's end of the overlay is on the underlay."""

    node: str
    mac: bytes


class Fabric:
    """Several Ethernets, of which one is the underlay: its MTU is the fabric's, that of the others the kernel's.

    `budget` is how many frames may go over wires before one run is cut off, which ends loops that no hop limit ends,
    such as two ports of a segment bridged by a workload.
    `trace` is None while nobody wants to know.
    `parts` says which part of a cut a Node or a host outside is in; those that it does not name are in part 0.
    """

    __slots__ = ("_queue", "budget", "clock", "ethernets", "mtu", "nodes", "now", "parts", "trace")

    def __init__(self, clock: VirtualClock, mtu: int) -> None:
        self.clock = clock
        self.mtu = mtu
        self.budget = BUDGET
        self.trace: Trace | None = None
        self.nodes: dict[int, Vtep] = {}  # by underlay address
        self.ethernets: dict[str, Ethernet] = {}
        self.parts: Mapping[str, int] = {}
        self.now = 0
        self._queue: deque[tuple[Receiver, bytes]] = deque()
        self.read_clock()

    def read_clock(self) -> None:
        """`now` is in whole nanoseconds, so that ages are compared exactly; it does not move during a run."""
        self.now = round(self.clock.now() * NANOSECONDS)

    def ethernet(self, name: str) -> Ethernet:
        """The one of that name, which is made when it is first asked for."""
        if name not in self.ethernets:
            mtu = self.mtu if name == UNDERLAY_ETHERNET else KERNEL_MTU
            self.ethernets[name] = Ethernet(name, mtu, self.later, self.parts)
        return self.ethernets[name]

    def split(self, parts: Mapping[str, int]) -> None:
        """Cut all Ethernets by who owns their stations, and mend what was cut before."""
        self.parts = dict(parts)
        for ethernet in self.ethernets.values():
            ethernet.split(self.parts)

    def later(self, receiver: Receiver, frame: bytes) -> None:
        """Hand a frame over when what is happening now is done."""
        self._queue.append((receiver, frame))

    def run(self) -> int:
        """Until nothing moves; returns how many frames were thrown away because the budget was used up."""
        queue = self._queue
        left = self.budget
        while queue:
            if not left:
                thrown_away = len(queue)
                queue.clear()
                return thrown_away
            left -= 1
            receiver, frame = queue.popleft()
            receiver(frame)
        return 0

    def stop(self) -> None:
        """Nothing moves and nobody watches, also after a run that something has ended early."""
        self._queue.clear()
        self.trace = None
