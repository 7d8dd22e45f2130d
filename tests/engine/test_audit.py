"""Audits of everything that is stored: in which order, of what, and what nobody owns any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from juneau.engine.audit import Finding, findings, misfits, picture
from juneau.engine.errors import Cause, Violation
from juneau.engine.kind import AnyKind, Kind, Registry, Scope
from juneau.engine.objects import AnyObject, Key, OwnerReference, Time
from juneau.engine.settings import Settings
from juneau.engine.world import Reader


@frozen
class CupSpec:
    broken: bool = False
    cold: bool = False


@frozen
class Status:
    phase: str = ""


def _validate(cup: Any, _old: Any, _world: Reader) -> Iterator[Violation]:
    if cup.spec.broken:
        yield Violation("spec.broken", "must not be broken")
    yield Violation("spec.tea", "waits for tea", refused=False)


def _audit(cup: Any, _world: Reader) -> Iterator[Violation]:
    if cup.spec.cold:
        yield Violation("spec.cold", "has gone cold", audit_only=True, repair="warm it up")


CUP: AnyKind = Kind("Cup", "cups", CupSpec, Status, Scope.CLUSTER, "A cup.", validate=_validate, audit=_audit)
POD: AnyKind = Kind(
    "Pod", "pods", CupSpec, Status, Scope.NAMESPACED, "A foreign Kind.", group="", version="v1", foreign=True
)


def registry() -> Registry:
    made = Registry()
    made.add(CUP)
    made.add(POD)
    return made


def found(*objects: AnyObject) -> list[tuple[str, str]]:
    """Names of objects, and the fields of which something is wrong."""
    return [(str(one.key), one.violation.field) for one in findings(picture(registry(), Settings(), objects))]


def cup(name: str, **changes: Any) -> AnyObject:
    spec = CupSpec(changes.pop("broken", False), changes.pop("cold", False))
    return CUP.new(name, spec, **changes)


def owned_by(kind: str, name: str, uid: str = "u", api_version: str = "juneau.loutres.me/v1alpha1") -> OwnerReference:
    return OwnerReference(api_version, kind, name, uid)


def test_what_is_wrong_is_told_in_order_of_the_objects() -> None:
    """Broken rules and what an audit finds; rules that admission lets pass are no findings."""
    objects = (cup("b", broken=True, cold=True), cup("a", cold=True), cup("c"))
    assert found(*objects) == [("Cup/a", "spec.cold"), ("Cup/b", "spec.broken"), ("Cup/b", "spec.cold")]


def test_a_finding_has_what_to_do_about_it() -> None:
    """The repair comes from whoever found it."""
    (finding,) = findings(picture(registry(), Settings(), [cup("a", cold=True)]))
    violation = Violation("spec.cold", "has gone cold", Cause.INVALID, audit_only=True, repair="warm it up")
    assert finding == Finding(Key("Cup", "", "a"), violation)


def test_misfits_are_what_no_rule_speaks_of() -> None:
    """Only what an audit finds."""
    world = picture(registry(), Settings(), [cup("a", broken=True, cold=True)])
    assert [finding.violation.field for finding in misfits(world)] == ["spec.cold"]


def test_an_object_that_is_being_deleted_breaks_no_rules_any_more() -> None:
    """It is audited all the same: something may hold it up."""
    assert found(cup("a", broken=True, cold=True, deletion_timestamp=Time(1.0))) == [("Cup/a", "spec.cold")]


def test_what_nobody_owns_any_more_is_found() -> None:
    """An owner that is gone, or has come back as another one; one of several that is there is enough."""
    gone = cup("a", owner_references=(owned_by("Cup", "gone"),))
    other = cup("b", owner_references=(owned_by("Cup", "d", "old"),))
    half = cup("c", owner_references=(owned_by("Cup", "gone"), owned_by("Cup", "d", "new")))
    assert found(gone, other, half, cup("d", uid="new")) == [
        ("Cup/a", "metadata.ownerReferences"),
        ("Cup/b", "metadata.ownerReferences"),
    ]


def test_an_owner_that_cannot_be_looked_up_may_be_there() -> None:
    """One of a Kind that nobody knows, or of another group's Kind of that name."""
    unknown = cup("a", owner_references=(owned_by("Saucer", "x"),))
    theirs = cup("b", owner_references=(owned_by("Cup", "x", api_version="example.com/v1"),))
    assert found(unknown, theirs) == []


def test_an_owner_in_a_namespace_is_looked_for_in_that_of_the_object() -> None:
    """Owner references name no namespace."""
    reference = owned_by("Pod", "app", "u1", "v1")
    pod = POD.new("app", CupSpec(), "prod", uid="u1")
    child = POD.new("child", CupSpec(), "prod", owner_references=(reference,))
    stray = POD.new("child", CupSpec(), "test", owner_references=(reference,))
    assert found(pod, child, stray) == [("Pod/test/child", "metadata.ownerReferences")]


def test_of_two_objects_under_one_key_the_last_counts() -> None:
    """Whatever resourceVersions they were read with."""
    assert found(cup("a", cold=True, resource_version="999"), cup("a", resource_version="5")) == []
