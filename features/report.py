"""What a failing scenario prints: the ways of its last packets, and the state of its world."""

from __future__ import annotations

from collections.abc import Iterator

from juneau.engine.objects import AnyObject
from juneau.engine.trace import Trace
from juneau.features.scene import Scene

_MOST_LINES = 200


def describe_scene(scene: Scene) -> list[tuple[str, str]]:
    """Sections for pytest's report, each a title and a text."""
    sections = [(f"juneau: {title}", describe_trace(trace)) for title, trace in scene.traces]
    if scene.refusals:
        sections.append(("juneau: refused", scene.refusal_text))
    if scene.has_begun:
        lines = list(_conditions(scene))
        if len(lines) > _MOST_LINES:
            lines = [*lines[:_MOST_LINES], f"... and {len(lines) - _MOST_LINES} more"]
        sections.append(("juneau: the world", "\n".join(lines)))
    return sections


def describe_trace(trace: Trace) -> str:
    """A packet's way, what crossed the underlay, and what came out."""
    lines = [str(trace)] if trace.steps else ["no step"]
    lines += [f"{hop.source} -> {hop.target}: VXLAN, VNI {hop.vni}, {len(hop.packet)} bytes" for hop in trace.crossings]
    lines += [f"at {arrival.port} on {arrival.node}: {arrival.frame.hex()}" for arrival in trace.arrivals]
    return "\n".join(lines)


def _conditions(scene: Scene) -> Iterator[str]:
    for kind in scene.lab.registry:
        for obj in scene.lab.list(kind.name):
            yield from _conditions_of(obj)
    for key, why in scene.lab.kubelets.why_not.items():
        yield f"kubelet: {key}: {why}"
    for name, agent in scene.lab.agents.items():
        for intent_key, why in agent.status().items():
            yield f"agent of {name}: {intent_key}: {why}"


def _conditions_of(obj: AnyObject) -> Iterator[str]:
    phase = getattr(obj.status, "phase", "")
    held = getattr(obj.status, "conditions", ())
    said = "; ".join(
        f"{one.type}={one.status} {one.reason}{': ' if one.message else ''}{one.message}" for one in held
    )
    if phase or said:
        yield f"{obj.key}  {phase}  {said}"
