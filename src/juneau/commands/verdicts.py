"""Why a packet was not answered or did not arrive, in one line."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

from juneau.commands.probes import Nic, arrived_at
from juneau.engine.driver import OUTSIDE
from juneau.engine.objects import AnyObject
from juneau.engine.trace import Reason, Step, Trace, Verdict
from juneau.engine.world import Cache
from juneau.resources import l2network, subnet

_IPV4 = bytes.fromhex("0800")
_ARP_REQUEST = bytes.fromhex("0806 0001 0800 06 04 0001")
_TARGET_OF_IPV4 = slice(30, 34)
_TARGET_OF_ARP = slice(38, 42)


def last_word(trace: Trace) -> str:
    """Why nothing came: the last drop, or that the frame ended nowhere."""
    drops = trace.drops()
    if drops:
        step = drops[-1]
        detail = f": {step.detail}" if step.detail else ""
        return f"dropped {_where(step)} at {step.point} by {step.reason.name} ({step.reason}){detail}"
    ignored = [step for step in trace.steps if step.verdict is Verdict.IGNORE]
    if ignored:
        return f"nobody took it (at last {ignored[-1].reason.name} {_where(ignored[-1])})"
    return "it came out nowhere"


def _where(step: Step) -> str:
    return f"on {step.node}" if step.node != OUTSIDE else "outside"


def why_no_answer(
    cache: Cache, sender: Nic, trace: Trace, target: IPv4Address, proto: str, outside: IPv4Network
) -> str:
    """The same of a packet that a host made: that it asked a gateway, a Pod that is silent, or for nobody's MAC.

    `outside` is the network on which Nodes meet the outside.
    """
    drops = trace.drops()
    gateway = _gateway(cache, drops[-1], target) if drops else None
    if gateway is not None:
        what = "ping" if proto == "icmp" else proto.upper()
        does = f"it answers ARP and routes, and does not answer {what}"
        return f"{target} is the gateway of {gateway.kind} {gateway.name}: {does}"
    if drops:
        return last_word(trace)
    reached = list(dict.fromkeys(arrival.port for arrival in trace.arrivals if _is_for(arrival.frame, target)))
    if reached:
        has = arrived_at(cache, reached, target)
        return f"it reached {', '.join(reached)}, which does not answer{'' if has else f' for {target}'}"
    asked = [arrival.frame[_TARGET_OF_ARP] for arrival in trace.arrivals if arrival.frame[12:22] == _ARP_REQUEST]
    if asked or sender.address is None:
        whom = IPv4Address(asked[-1]) if asked else target
        return f"nobody answered ARP for {whom}{'' if sender.address else ', and the NIC has no address'}"
    # Outside, whoever is asked is no NIC of a Pod, so that the question itself comes out nowhere.
    if target in outside and _is_asked_for_in_vain(sender, trace, target):
        return f"nobody answered ARP for {target}"
    return last_word(trace)


def _is_asked_for_in_vain(sender: Nic, trace: Trace, target: IPv4Address) -> bool:
    """Whether a host outside, or a Node that let the packet out, asked for the target's MAC and got no answer."""
    left = [
        place
        for place, step in enumerate(trace.steps)
        if step.reason is Reason.HOST_ROUTED and step.detail == str(target)
    ]
    if not left and sender.node != OUTSIDE:
        return False
    since = trace.steps[left[-1] :] if left else trace.steps
    return not any(step.reason is Reason.ARP_ANSWERED for step in since)


def _is_for(frame: bytes, target: IPv4Address) -> bool:
    return frame[12:14] == _IPV4 and frame[_TARGET_OF_IPV4] == target.packed


def _gateway(cache: Cache, step: Step, target: IPv4Address) -> AnyObject | None:
    """The network whose gateway was meant, where the look-up of a neighbour is what failed."""
    if step.reason not in (Reason.MISS_ARP, Reason.MISS_L2_ARP):
        return None
    networks = (held for held in cache if held.kind in (subnet.KIND.name, l2network.KIND.name))
    meant = (held for held in networks if held.status.gateway == str(target))
    return next((held for held in meant if step.key == f"{held.status.vni} {target}"), None)
