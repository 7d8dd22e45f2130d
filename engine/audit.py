"""An audit of everything that is stored: which rules objects break by now, and what does not fit together.

The same shows as the condition `Valid` of an object; here it is asked of all objects at once, also of those that nobody
looks after any more. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from juneau.engine.errors import Violation, distinct
from juneau.engine.kind import Registry
from juneau.engine.objects import AnyObject, Key, OwnerReference
from juneau.engine.settings import Settings
from juneau.engine.step import violations_of
from juneau.engine.world import Cache, Reader


@frozen
class Finding:
    """Something that is wrong with a stored object."""

    key: Key
    violation: Violation


def picture(registry: Registry, settings: Settings, objects: Iterable[AnyObject]) -> Cache:
    """A world of these objects as they stand, in which nothing moves; of several under one key the last counts."""
    cache = Cache(registry, settings)
    for number, obj in enumerate(objects, start=1):
        cache.put(obj.with_metadata(resource_version=str(number)))
    return cache


def findings(cache: Cache) -> list[Finding]:
    """All that is wrong, in order of the objects' keys."""
    return [Finding(obj.key, found) for obj in _in_order(cache) for found in _judged(cache, obj)]


def misfits(cache: Cache) -> list[Finding]:
    """The same without rules: only what audits find, and what nobody owns any more."""
    return [Finding(obj.key, found) for obj in _in_order(cache) for found in _audited(cache, obj)]


def _in_order(cache: Cache) -> list[AnyObject]:
    return sorted(cache, key=lambda obj: obj.key)


def _judged(cache: Cache, obj: AnyObject) -> list[Violation]:
    if obj.deleting:
        return _audited(cache, obj)
    broken = violations_of(cache.registry[obj.kind], obj, Reader(cache))
    return distinct(found for found in (*broken, *_orphaned(cache, obj)) if found.refused)


def _audited(cache: Cache, obj: AnyObject) -> list[Violation]:
    return distinct((*cache.registry[obj.kind].audit(obj, Reader(cache)), *_orphaned(cache, obj)))


def _orphaned(cache: Cache, obj: AnyObject) -> Iterator[Violation]:
    """What the API server's garbage collector should have taken."""
    owners = obj.metadata.owner_references
    if owners and not obj.deleting and all(_is_gone(cache, owner, obj.namespace) for owner in owners):
        names = ", ".join(f"{owner.kind} {owner.name}" for owner in owners)
        repair = f"delete this {obj.kind}, unless the garbage collector is just about to"
        why = f"goes with {names}, which is gone"
        yield Violation("metadata.ownerReferences", why, audit_only=True, repair=repair)


def _is_gone(cache: Cache, owner: OwnerReference, namespace: str) -> bool:
    """Whether an owner is not there, or another one under its name; what cannot be looked up may be there."""
    kind = cache.registry.kinds.get(owner.kind)
    if kind is None or kind.api_version != owner.api_version:
        return False
    found = cache.get(Key(owner.kind, namespace if kind.namespaced else "", owner.name))
    return found is None or bool(owner.uid and found.metadata.uid and owner.uid != found.metadata.uid)
