"""The lab itself, and what is applied to it, changed, and deleted from it."""

from __future__ import annotations

import re
from typing import Any

from attrs import evolve, fields_dict

from juneau.engine.settings import Settings
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene

_FLAG = re.compile(r"--([a-z0-9-]+)(?:[ =]([^\s-]\S*))?")


def _must_not_have_begun(scene: Scene) -> None:
    assert not scene.has_begun, "the lab is running already: say this before anything else"


@given("a lab")
def a_lab(scene: Scene) -> None:
    """A cluster with the Nodes worker-1 and worker-2, and nothing in it but what a controller makes at its start."""
    _must_not_have_begun(scene)


@given("a lab with nodes <nodes:names>")
def a_lab_with_nodes(scene: Scene, nodes: tuple[str, ...]) -> None:
    """The same with these Nodes."""
    _must_not_have_begun(scene)
    scene.nodes = nodes


@given("a lab with <flags>")
def a_lab_with_flags(scene: Scene, flags: str) -> None:
    """The same with flags of the controller, such as `--default-l2-mtu 8950`."""
    _must_not_have_begun(scene)
    known = fields_dict(Settings)
    for name, value in _FLAG.findall(flags):
        attribute = name.replace("-", "_")
        assert attribute in known, f"the controller has no flag --{name}"
        typed: Any = int(value) if known[attribute].type in (int, "int") else value
        scene.settings = evolve(scene.settings, **{attribute: typed})


@given("a lab with an underlay of MTU <mtu>")
def a_lab_with_an_underlay(scene: Scene, mtu: int) -> None:
    """The same, with Nodes whose own network carries packets of that size."""
    _must_not_have_begun(scene)
    scene.underlay_mtu = mtu


@given("these manifests")
@given("this manifest")
def these_manifests(scene: Scene, docstring: str) -> None:
    """They are applied one after the other, and all have to be accepted."""
    scene.apply(docstring)
    assert not scene.refusals, scene.refusal_text


@given("this object is stored past admission")
@given("these objects are stored past admission")
def stored_past_admission(scene: Scene, docstring: str) -> None:
    """As if they were older than every rule."""
    scene.force(docstring)


@when("these manifests are applied")
@when("this manifest is applied")
def are_applied(scene: Scene, docstring: str) -> None:
    """What is refused is kept for the next steps."""
    scene.apply(docstring)


@when('<kind> "<name>" is deleted')
def is_deleted(scene: Scene, kind: str, name: str) -> None:
    """A refusal is kept for the next steps."""
    scene.delete(kind, name)


@given('<kind> "<name>" is deleted past admission')
def is_deleted_past_admission(scene: Scene, kind: str, name: str) -> None:
    """As if a webhook had slept; finalizers still hold it."""
    with scene.past_admission():
        scene.delete(kind, name)
    assert scene.deletion_refusal is None, scene.refusal_text


@when('"<path>" of <kind> "<name>" is changed to <value>')
def is_changed(scene: Scene, path: str, kind: str, name: str, value: object) -> None:
    """One field of a stored object is edited; a refusal is kept."""
    scene.change(kind, name, path, value)


@when('"<path>" of <kind> "<name>" is removed')
def is_removed(scene: Scene, path: str, kind: str, name: str) -> None:
    """One field of a stored object is taken out; a refusal is kept."""
    scene.remove(kind, name, path)


@then("it is accepted")
@then("they are accepted")
def is_accepted(scene: Scene) -> None:
    """Nothing of the last step was refused."""
    assert not scene.refusals, scene.refusal_text


@then("it is refused")
def is_refused(scene: Scene) -> None:
    """The last step was refused."""
    assert scene.refusals, "it was accepted"


@then('it is refused at "<field:text>"')
def is_refused_at(scene: Scene, field: str) -> None:
    """The last step was refused, for this field."""
    is_refused(scene)
    at = [fault.field for fault in scene.violations]
    assert field in at, f"refused at {', '.join(at) or 'no field'}: {scene.refusal_text}"


@then('it is refused at "<field:text>" with "<text>"')
def is_refused_at_with(scene: Scene, field: str, text: str) -> None:
    """The same, and what is said of this field contains the text."""
    is_refused_at(scene, field)
    said = [str(fault) for fault in scene.violations if fault.field == field]
    assert any(text in one for one in said), said


@then('the error names "<name:text>"')
def error_names(scene: Scene, name: str) -> None:
    """The error has this name or value, as a word of its own."""
    is_refused(scene)
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)")
    assert word.search(scene.refusal_text), scene.refusal_text


@then('the error says "<text>"')
def error_says(scene: Scene, text: str) -> None:
    """The error contains this text."""
    is_refused(scene)
    assert text in scene.refusal_text, scene.refusal_text


@then('the error does not say "<text>"')
def error_does_not_say(scene: Scene, text: str) -> None:
    """The error does not contain this text."""
    is_refused(scene)
    assert text not in scene.refusal_text, scene.refusal_text


@then("nothing was stored")
@then("nothing is written")
def nothing_was_stored(scene: Scene) -> None:
    """The last step changed no object at all."""
    now = scene.version()
    assert now == scene.version_before, f"resourceVersion went from {scene.version_before} to {now}"


@then("something is written")
def something_is_written(scene: Scene) -> None:
    """The last step changed some object."""
    assert scene.version() != scene.version_before


@then("the deletion is accepted")
def deletion_is_accepted(scene: Scene) -> None:
    """Nothing stood against the last deletion."""
    assert scene.deletion_refusal is None, scene.refusal_text


@then("the deletion is refused")
def deletion_is_refused(scene: Scene) -> None:
    """The last deletion was refused."""
    assert scene.deletion_refusal is not None, "it was accepted"


@then('the deletion is refused with "<text>"')
def deletion_is_refused_with(scene: Scene, text: str) -> None:
    """The same, and the error contains the text."""
    assert scene.deletion_refusal is not None, "it was accepted"
    assert text in scene.deletion_refusal.message, scene.deletion_refusal.message
