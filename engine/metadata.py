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

_NOT_A_LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name' or '123-abc')"
)
_NOT_A_SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com')"
)


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
        found.append(Violation("metadata.namespace", "not allowed on this type", Cause.FORBIDDEN))
    return found


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
    violations: list[Violation] = []
    if given.creation_timestamp not in (None, held.creation_timestamp):
        violations.append(Violation("metadata.creationTimestamp", "field is immutable", value=given.creation_timestamp))
    if held.deletion_timestamp is not None:
        added = [finalizer for finalizer in given.finalizers if finalizer not in held.finalizers]
        if added:
            why = f"no new finalizers can be added if the object is being deleted, found {', '.join(added)}"
            violations.append(Violation("metadata.finalizers", why, Cause.FORBIDDEN))
    return violations
