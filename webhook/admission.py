"""Admission as the Kinds have it: defaults, then everything that is wrong with the object, said at once.

One step before the store: in process for the lab, behind the webhook's server for a cluster.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from juneau.engine.admission import Operation
from juneau.engine.errors import Forbidden, Invalid, Violation, distinct
from juneau.engine.kind import AnyKind, Registry
from juneau.engine.objects import AnyObject
from juneau.engine.shape import immutability_violations, shape_violations
from juneau.engine.world import Reader


@frozen
class KindAdmission:
    """Asks the Kind of each object; `reader` gives the world as it is at the moment of the request."""

    registry: Registry
    reader: Callable[[], Reader]

    def admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
        obj = new if new is not None else old
        if obj is None:
            raise ValueError("an admission request has a new object, an old one, or both")
        kind = self.registry.kinds.get(obj.kind)
        if kind is None:
            return obj
        if new is None or operation is Operation.DELETE:
            self._judge_deletion(kind, obj)
            return obj
        if old is not None and not _is_judged_again(new, old):
            return new
        return self._judge(kind, new, old)

    def _judge_deletion(self, kind: AnyKind, obj: AnyObject) -> None:
        for why in kind.refuse_deletion(obj, self.reader()):
            raise Forbidden(obj.key, why)

    def _judge(self, kind: AnyKind, new: AnyObject, old: AnyObject | None) -> AnyObject:
        reader = self.reader()
        completed: AnyObject = kind.default(new, old, reader)
        violations: list[Violation] = []
        if not kind.foreign:
            violations += shape_violations(completed.spec)
            if old is not None:
                # Completed alike, so that an object stored before a default came to be can still be updated.
                violations += immutability_violations(completed.spec, kind.default(old, old, reader).spec)
        violations += kind.validate(completed, old, reader)
        refused = distinct(violation for violation in violations if violation.refused)
        if refused:
            raise Invalid(kind.name, new.name, refused)
        for why in kind.refuse(completed, reader):
            raise Forbidden(completed.key, why)
        return completed


def _is_judged_again(new: AnyObject, old: AnyObject) -> bool:
    """Whether an update touches anything that rules speak about.

    A finalizer must come off even where the rest of the object breaks a rule by now, such as one about another object
    that is gone.
    """
    held, given = old.metadata, new.metadata
    return new.spec != old.spec or given.labels != held.labels or given.annotations != held.annotations
