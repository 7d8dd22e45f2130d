"""What an API server itself refuses of its own Kinds.

Most of a Pod's spec is settled when the Pod is created, and some Namespaces stay.

A cluster has that from its API server; the lab's store knows no Kind, so it is told here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from attrs import fields, frozen

from juneau.engine.admission import Operation
from juneau.engine.errors import Cause, Forbidden, Invalid, Violation
from juneau.engine.fields import wire_name
from juneau.engine.objects import AnyObject
from juneau.resources import namespace, pod
from juneau.resources.podspec import Pod, PodSpec

# Among the fields that Juneau does not read: what may change in any way, and what may only grow.
_FREE = ("activeDeadlineSeconds", "ephemeralContainers", "schedulingGates", "terminationGracePeriodSeconds")
_GROWING = ("tolerations",)
_LASTING = ("default", "kube-public", "kube-system")  # Namespaces


@frozen
class APIServerRules:
    """Judges updates of Pods, and deletions of Namespaces."""

    def admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
        obj = new if new is not None else old
        assert obj is not None
        if operation is Operation.UPDATE and new is not None and old is not None and new.kind == pod.KIND.name:
            before: Pod = old
            after: Pod = new
            refused = tuple(pod_update_violations(after.spec, before.spec))
            if refused:
                raise Invalid(new.kind, new.name, refused)
        if operation is Operation.DELETE and obj.kind == namespace.KIND.name and obj.name in _LASTING:
            raise Forbidden(obj.key, "it stays: no API server is without it; delete what is in it instead")
        return obj


def pod_update_violations(new: PodSpec, old: PodSpec) -> Iterator[Violation]:
    """What an update changes against the rules: a Pod is bound once, and else only a few fields move."""
    for field in fields(PodSpec):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if before == after or (field.name == "node_name" and not before):
            continue
        if field.name == "containers":
            yield from _container_violations("containers", after, before)
        elif field.name == "rest":
            yield from _rest_violations(after, before)
        else:
            yield _settled(wire_name(field.name))


def _rest_violations(new: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[Violation]:
    for name in sorted({*new, *old}):
        before, after = old.get(name), new.get(name)
        if before == after or name in _FREE:
            continue
        if name == "initContainers":
            yield from _container_violations(name, _listed(after), _listed(before))
        elif name in _GROWING:
            if any(item not in _listed(after) for item in _listed(before)):
                yield Violation(f"spec.{name}", "what a Pod tolerates may be added to, not taken back", Cause.FORBIDDEN)
        else:
            yield _settled(name)


def _container_violations(name: str, new: Sequence[Any], old: Sequence[Any]) -> Iterator[Violation]:
    if len(new) != len(old):
        yield Violation(f"spec.{name}", "a Pod keeps the containers it was created with", Cause.FORBIDDEN)
        return
    for place, (after, before) in enumerate(zip(new, old, strict=True)):
        if _without_image(after) != _without_image(before):
            why = "of a container only its image can change; create the Pod anew"
            yield Violation(f"spec.{name}[{place}]", why, Cause.FORBIDDEN)


def _without_image(container: object) -> object:
    if not isinstance(container, Mapping):
        return container
    held = cast("Mapping[str, object]", container)
    return {name: value for name, value in held.items() if name != "image"}


def _listed(value: object) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()


def _settled(name: str) -> Violation:
    why = "cannot change once the Pod is there; delete the Pod and create it anew"
    return Violation(f"spec.{name}", why, Cause.FORBIDDEN)
