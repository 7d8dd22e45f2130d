"""Connection tracking: the flows that a NATGateway translates, each with a forward and a reverse entry (`ct_map`).

A flow has one life: both entries come and go together, whichever direction keeps it alive.
Its age is judged when it is looked up, so an idle flow is used until just before its time is over and never after; a
sweep only frees memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Final

from attrs import define, field

from juneau.drivers.simulated.codec import ACK, FIN, ICMP, RST, SYN, TCP, UDP
from juneau.drivers.simulated.fabric import NANOSECONDS
from juneau.drivers.simulated.rewrite import FiveTuple

SWEPT_EVERY: Final = 30 * NANOSECONDS


class State(StrEnum):
    """What was seen of a TCP connection; other flows have no state."""

    NONE = "NONE"
    NEW = "NEW"
    ESTABLISHED = "ESTABLISHED"
    FIN_WAIT = "FIN_WAIT"
    CLOSED = "CLOSED"


_IDLE_TCP: Final = {
    State.NEW: 120 * NANOSECONDS,
    State.ESTABLISHED: 3600 * NANOSECONDS,
    State.FIN_WAIT: 60 * NANOSECONDS,
    State.CLOSED: 0,
}
_IDLE: Final = {UDP: 60 * NANOSECONDS, ICMP: 30 * NANOSECONDS}
_IDLE_OTHER: Final = 120 * NANOSECONDS


@define(eq=False)
class Flow:
    """One translated flow.

    `inner` is how the sender's packets look, in its Vpc `scope`; `outer` how the answers look that come from outside.
    `vni` is the segment that the sender is on, `gateway_id` the NATGateway.
    """

    scope: int
    vni: int
    gateway_id: int
    inner: FiveTuple
    outer: FiveTuple
    seen: int
    state: State = State.NONE
    flags: int = 0  # of TCP, all that were seen
    _ended_by_sender: bool = field(default=False, init=False)
    _ended_by_remote: bool = field(default=False, init=False)

    @property
    def idle_time(self) -> int:
        """After so many nanoseconds without a packet it is over."""
        if self.inner.protocol == TCP:
            return _IDLE_TCP.get(self.state, _IDLE_OTHER)
        return _IDLE.get(self.inner.protocol, _IDLE_OTHER)

    def is_live(self, now: int) -> bool:
        return now - self.seen < self.idle_time

    def see(self, flags: int, now: int, *, is_reply: bool) -> None:
        """A packet of it passes; `flags` are those of TCP."""
        self.seen = now
        if self.inner.protocol != TCP:
            return
        starts_anew = flags & (SYN | ACK) == SYN and not is_reply and self.state is State.FIN_WAIT
        if self.state is State.NONE or starts_anew:
            self.state = State.NEW if flags & SYN else State.ESTABLISHED
            self.flags, self._ended_by_sender, self._ended_by_remote = 0, False, False
        self.flags |= flags
        if flags & ACK and self.state is State.NEW:
            self.state = State.ESTABLISHED
        if flags & FIN:
            self._finish(is_reply)
        if flags & RST:
            self.state = State.CLOSED

    def _finish(self, is_reply: bool) -> None:
        """The second FIN is the other side's: one that is sent again ends nothing more."""
        self._ended_by_remote |= is_reply
        self._ended_by_sender |= not is_reply
        both = self._ended_by_remote and self._ended_by_sender
        self.state = State.CLOSED if both else State.FIN_WAIT


class Connections:
    """All flows of a Node, by either entry; no two that are live have the same entry."""

    __slots__ = ("_forward", "_of_sender", "_reverse", "_swept")

    def __init__(self) -> None:
        self._forward: dict[tuple[int, FiveTuple], Flow] = {}
        self._reverse: dict[FiveTuple, Flow] = {}
        self._of_sender: dict[tuple[int, int], dict[Flow, None]] = {}
        self._swept = 0

    def outgoing(self, scope: int, inner: FiveTuple, now: int) -> Flow | None:
        """The flow that a packet from a Vpc belongs to."""
        return self._live(self._forward.get((scope, inner)), now)

    def incoming(self, outer: FiveTuple, now: int) -> Flow | None:
        """The flow that a packet from outside belongs to."""
        return self._live(self._reverse.get(outer), now)

    def open(self, flow: Flow) -> None:
        """The caller has seen that neither entry is taken."""
        self._forward[flow.scope, flow.inner] = flow
        self._reverse[flow.outer] = flow
        self._of_sender.setdefault((flow.vni, flow.inner.source), {})[flow] = None

    def see(self, flow: Flow, flags: int, now: int, *, is_reply: bool) -> None:
        """A packet of a flow passes; a connection that is closed by it is gone at once."""
        flow.see(flags, now, is_reply=is_reply)
        if flow.state is State.CLOSED:
            self.end(flow)

    def end(self, flow: Flow) -> None:
        del self._forward[flow.scope, flow.inner], self._reverse[flow.outer]
        sender = (flow.vni, flow.inner.source)
        del self._of_sender[sender][flow]
        if not self._of_sender[sender]:
            del self._of_sender[sender]

    def end_sender(self, vni: int, address: int) -> None:
        """Whoever had the address on that segment is gone."""
        self._end(list(self._of_sender.get((vni, address), ())))

    def end_segment(self, vni: int) -> None:
        self._end_if(lambda flow: flow.vni == vni)

    def end_gateway(self, gateway_id: int) -> None:
        self._end_if(lambda flow: flow.gateway_id == gateway_id)

    def sweep(self, now: int) -> None:
        """Changes no look-up."""
        if now - self._swept >= SWEPT_EVERY:
            self._swept = now
            self._end_if(lambda flow: not flow.is_live(now))

    def live(self, now: int) -> Iterator[Flow]:
        return (flow for flow in self._forward.values() if flow.is_live(now))

    def __len__(self) -> int:
        return len(self._forward)

    def _live(self, flow: Flow | None, now: int) -> Flow | None:
        if flow is None or flow.is_live(now):
            return flow
        self.end(flow)
        return None

    def _end_if(self, is_over: Callable[[Flow], bool]) -> None:
        self._end([flow for flow in self._forward.values() if is_over(flow)])

    def _end(self, flows: Iterable[Flow]) -> None:
        for flow in flows:
            self.end(flow)
