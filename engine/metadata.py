"""What metadata may be: names as DNS has them, and what an update may not touch, as every API server asks.

`engine.memory` asks before it stores anything; rules about specs stand elsewhere (`engine.shape`, the Kinds).
"""

from __future__ import annotations

from collections.abc import Callable

from juneau.engine.errors import Cause, Violation
from juneau.engine.kind import AnyKind
from juneau.engine.names import is_dns_label, is_dns_subdomain
from juneau.engine.objects import Metadata
from juneau.engine.ownership import NAMESPACE

_NOT_A_LABEL = "must be a DNS-1123 label: lower-case letters, digits and inner dashes, such as my-name"
_NOT_A_SUBDOMAIN = "must be a DNS-1123 subdomain: labels of lower-case letters, digits and inner dashes, joined by dots"


def creation_violations(metadata: Metadata, kind: AnyKind) -> list[Violation]:
    """What is wrong with the name and namespace of a new object."""
    found: list[Violation] = []
    if kind.name == NAMESPACE:
        _judge_label("metadata.name", metadata.name, found)
    else:
        _judge("metadata.name", metadata.name, 253, is_dns_subdomain, _NOT_A_SUBDOMAIN, found)
    if kind.namespaced:
        _judge_label("metadata.namespace", metadata.namespace, found)
    elif metadata.namespace:
        found.append(Violation("metadata.namespace", f"a {kind.name} lives in no namespace", Cause.FORBIDDEN))
    return found + _owner_violations(metadata)


def _owner_violations(metadata: Metadata) -> list[Violation]:
    controllers = [owner for owner in metadata.owner_references if owner.controller]
    if len(controllers) < 2:
        return []
    names = ", ".join(f"{owner.kind} {owner.name}" for owner in controllers)
    return [Violation("metadata.ownerReferences", f"only one of them can be the controller, not {names}", value=names)]


def _judge_label(field: str, name: str, found: list[Violation]) -> None:
    _judge(field, name, 63, is_dns_label, _NOT_A_LABEL, found)


def _judge(field: str, name: str, longest: int, holds: Callable[[str], bool], why: str, found: list[Violation]) -> None:
    if not name:
        found.append(Violation(field, "", Cause.REQUIRED))
    elif len(name) > longest:
        found.append(Violation(field, f"must be no more than {longest} characters", value=name))
    elif not holds(name):
        found.append(Violation(field, why, value=name))


def update_violations(held: Metadata, given: Metadata) -> list[Violation]:
    """What an update may not do to metadata; a deletionTimestamp that is missing or another one is simply not taken."""
    violations = _owner_violations(given)
    if given.creation_timestamp not in (None, held.creation_timestamp):
        violations.append(Violation("metadata.creationTimestamp", "field is immutable", value=given.creation_timestamp))
    if held.deletion_timestamp is not None:
        added = [finalizer for finalizer in given.finalizers if finalizer not in held.finalizers]
        if added:
            why = f"the object is being deleted, so nothing can be added: leave out {', '.join(added)}"
            violations.append(Violation("metadata.finalizers", why, Cause.FORBIDDEN))
    return violations
