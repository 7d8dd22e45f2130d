"""The fabric: what all Nodes of a site share, that is the underlay, the time, and the queue of frames that are moving.

Everything runs to completion: a frame that a host or a Node puts on a wire is queued, and `run` takes from the queue
until nothing moves.
There is no recursion from wire to wire and no randomness, so equal histories give equal traces.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from attrs import frozen

from juneau.drivers.simulated.codec import is_group
from juneau.engine.clock import VirtualClock
from juneau.engine.trace import Trace

NANOSECONDS: Final = 1_000_000_000
BUDGET: Final = 50_000

Receiver = Callable[[bytes], None]


@frozen
class Uplink:
    """A Node's NIC on the underlay."""

    node: str
    mac: bytes


class Fabric:
    """The underlay is one Ethernet; its stations are the Nodes' NICs.

    `budget` is how many frames may go over wires before one run is cut off, which ends loops that no hop limit ends,
    such as two ports of a segment bridged by a workload.
    `trace` is None while nobody wants to know.
    """

    __slots__ = ("_queue", "_stations", "budget", "clock", "mtu", "nodes", "now", "trace")

    def __init__(self, clock: VirtualClock, mtu: int) -> None:
        self.clock = clock
        self.mtu = mtu
        self.budget = BUDGET
        self.trace: Trace | None = None
        self.nodes: dict[int, Uplink] = {}  # by underlay address
        self.now = 0
        self._stations: dict[bytes, Receiver] = {}
        self._queue: deque[tuple[Receiver, bytes]] = deque()
        self.read_clock()

    def read_clock(self) -> None:
        """`now` is in whole nanoseconds, so that ages are compared exactly; it does not move during a run."""
        self.now = round(self.clock.now() * NANOSECONDS)

    def join(self, address: int, uplink: Uplink, receiver: Receiver) -> None:
        self.nodes[address] = uplink
        self._stations[uplink.mac] = receiver

    def leave(self, address: int) -> None:
        uplink = self.nodes.pop(address, None)
        if uplink is not None:
            del self._stations[uplink.mac]

    def transmit(self, frame: bytes) -> bool:
        """Put a frame on the underlay; False if it is lost there.

        The underlay does not fragment: what is over its MTU is lost.
        """
        if len(frame) - 14 > self.mtu or len(frame) < 14:
            return False
        if is_group(frame):
            for mac, receiver in self._stations.items():
                if mac != frame[6:12]:
                    self.later(receiver, frame)
            return True
        receiver_of_one = self._stations.get(frame[:6])
        if receiver_of_one is None:
            return False
        self.later(receiver_of_one, frame)
        return True

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
