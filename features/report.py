"""What a failing scenario prints: the ways of its last packets, and the state of its world."""

from __future__ import annotations

from collections.abc import Iterator

from juneau.engine.objects import AnyObject
from juneau.engine.trace import Trace
from juneau.features.scene import Scene

_MOST_LINES = 200


def describe_scene(scene: Scene) -> list[tuple[str, str]]:
    """Sections for pytest's report, each a title and a text."""
    sections = [(f"juneau: {title}", describe_trace(trace)) for title, trace in scene.wire.traces]
    if scene.refusals:
        sections.append(("juneau: refused", scene.refusal_text))
    if scene.has_begun:
        lines = list(_conditions(scene))
        if len(lines) > _MOST_LINES:
            lines = [*lines[:_MOST_LINES], f"... and {len(lines) - _MOST_LINES} more"]
        if len(lines) > 1:
            sections.append(("juneau: the world", "\n".join(lines)))
    return sections


def describe_trace(trace: Trace) -> str:
    """A packet's way, what crossed the underlay, and what came out."""
    lines = [str(trace)] if trace.steps else ["no step"]
    lines += [f"{hop.source} -> {hop.target}: VXLAN, VNI {hop.vni}, {len(hop.packet)} bytes" for hop in trace.crossings]
    lines += [f"at {arrival.port} on {arrival.node}: {arrival.frame.hex()}" for arrival in trace.arrivals]
    return "\n".join(lines)


def _conditions(scene: Scene) -> Iterator[str]:
    at_rest = 0
    for kind in scene.lab.registry:
        for obj in scene.lab.list(kind.name):
            if _is_well(obj):
                at_rest += 1
            else:
                yield _conditions_of(obj)
    yield f"{at_rest} more objects are as they should be"
    for key, note in scene.lab.kubelets.why_not.items():
        yield f"kubelet: {key}: {note.message}"
    for name, agent in scene.lab.agents.items():
        for intent_key, why in agent.agent.status().items():
            yield f"agent of {name}: {intent_key}: {why}"


def _is_well(obj: AnyObject) -> bool:
    return not obj.deleting and all(held.status == "True" for held in obj.status.conditions)


def _conditions_of(obj: AnyObject) -> str:
    said = "; ".join(
        f"{held.type}={held.status} {held.reason}{': ' if held.message else ''}{held.message}"
        for held in obj.status.conditions
    )
    leaving = f"  deleting, held by {', '.join(obj.metadata.finalizers)}" if obj.deleting else ""
    return f"{obj.key}  {getattr(obj.status, 'phase', '')}{leaving}  {said}"
