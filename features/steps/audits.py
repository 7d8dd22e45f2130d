"""Audits of what is stored: what `juneau fsck` says of the lab as it is now."""

from __future__ import annotations

from juneau.engine.audit import Finding, findings
from juneau.features.grammar import then
from juneau.features.scene import Scene


def _of(scene: Scene, kind: str, name: str) -> list[Finding]:
    key = scene.key(kind, name)
    return [finding for finding in findings(scene.lab.cache) if finding.key == key]


@then("an audit finds nothing")
def finds_nothing(scene: Scene) -> None:
    """Every object keeps all rules, and fits to the others."""
    found = findings(scene.lab.cache)
    assert not found, "\n".join(f"{finding.key}: {finding.violation}" for finding in found)


@then('an audit finds nothing about <kind> "<name>"')
def finds_nothing_about(scene: Scene, kind: str, name: str) -> None:
    """The object keeps all rules, and fits to the others."""
    found = _of(scene, kind, name)
    assert not found, "\n".join(str(finding.violation) for finding in found)


@then('an audit of <kind> "<name>" finds "<text>" at "<field:text>"')
def finds(scene: Scene, kind: str, name: str, text: str, field: str) -> None:
    """Something is wrong with that field; `the message ...` then speaks of what to do about it."""
    found = _of(scene, kind, name)
    at = [finding.violation for finding in found if finding.violation.field == field]
    fit = [violation for violation in at if text in str(violation)]
    assert fit, "\n".join(str(finding.violation) for finding in found) or "nothing was found"
    scene.message = fit[0].repair
