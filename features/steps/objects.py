"""Stored objects: their fields, phases and conditions, and tables of them."""

from __future__ import annotations

import re

from juneau.engine.objects import Condition, condition
from juneau.features.grammar import given, then
from juneau.features.scene import Scene

_EMPTY: tuple[object, ...] = (None, "", [], {}, 0)


@then('<kind> "<name>" exists')
def exists(scene: Scene, kind: str, name: str) -> None:
    """It is stored."""
    scene.get(kind, name)


@then('<kind> "<name>" does not exist')
@then('<kind> "<name>" is gone')
def does_not_exist(scene: Scene, kind: str, name: str) -> None:
    """It is not stored."""
    found = scene.find(kind, name)
    assert found is None, f"{found.key} is there, with finalizers {found.metadata.finalizers}"


@then("there is no <kind>")
def there_is_none(scene: Scene, kind: str) -> None:
    """No object of the Kind is stored."""
    assert not scene.lab.list(kind), ", ".join(str(obj.key) for obj in scene.lab.list(kind))


@then("there is <number:count> object of Kind <kind>")
@then("there are <number:count> objects of Kind <kind>")
def there_are(scene: Scene, number: int, kind: str) -> None:
    """So many objects of the Kind are stored, in all namespaces."""
    found = [str(obj.key) for obj in scene.lab.list(kind)]
    assert len(found) == number, found


@then('<kind> "<name>" is <phase>')
def has_phase(scene: Scene, kind: str, name: str, phase: str) -> None:
    """Its phase, as `status.phase` or the condition Ready has it."""
    obj = scene.get(kind, name)
    ready = condition(obj, "Ready")
    held = getattr(obj.status, "phase", "") or ("Ready" if ready is not None and ready.status == "True" else "")
    why = f"{ready.reason}: {ready.message}" if ready is not None else "no condition Ready"
    assert held == phase, f"{kind} {name} is {held or 'without phase'} ({why})"
    if phase == "Ready" and ready is not None:
        assert ready.status == "True", why


@then('<kind> "<name>" is <phase> with reason "<reason:text>"')
def has_phase_with_reason(scene: Scene, kind: str, name: str, phase: str, reason: str) -> None:
    """The same, and the reason of the condition Ready; `the message ...` then speaks of that condition."""
    has_phase(scene, kind, name, phase)
    ready = _condition(scene, kind, name, "Ready")
    assert ready.reason == reason, f"{ready.reason}: {ready.message}"


@then('condition "<type:text>" of <kind> "<name>" is <truth>')
def condition_is(scene: Scene, type: str, kind: str, name: str, truth: str) -> None:
    """A condition's status; `the message ...` then speaks of it."""
    held = _condition(scene, kind, name, type)
    assert held.status == truth, f"{type} is {held.status}: {held.reason}: {held.message}"


@then('condition "<type:text>" of <kind> "<name>" is <truth> with reason "<reason:text>"')
def condition_is_with_reason(scene: Scene, type: str, kind: str, name: str, truth: str, reason: str) -> None:
    """The same with its reason."""
    condition_is(scene, type, kind, name, truth)
    held = _condition(scene, kind, name, type)
    assert held.reason == reason, f"{held.reason}: {held.message}"


@then('<kind> "<name>" has no condition "<type:text>"')
def has_no_condition(scene: Scene, kind: str, name: str, type: str) -> None:
    """No condition of that type."""
    assert condition(scene.get(kind, name), type) is None


def _condition(scene: Scene, kind: str, name: str, type_: str) -> Condition:
    held = condition(scene.get(kind, name), type_)
    assert held is not None, f"{kind} {name} has no condition {type_}"
    scene.message = held.message
    return held


@then('the message names "<name:text>"')
@then('the message says "<name:text>"')
def message_names(scene: Scene, name: str) -> None:
    """The message of the condition that was looked at last contains this."""
    assert name in scene.message, scene.message or "no message"


@then("the message is empty")
def message_is_empty(scene: Scene) -> None:
    """The condition that was looked at last has no message."""
    assert not scene.message, scene.message


@then('"<path>" of <kind> "<name>" is <value>')
def field_is(scene: Scene, path: str, kind: str, name: str, value: object) -> None:
    """A field has exactly this value, given as YAML."""
    held = scene.read(kind, name, path)
    assert held == value, f"{path} is {held!r}"


@then('"<path>" of <kind> "<name>" is not <value>')
def field_is_not(scene: Scene, path: str, kind: str, name: str, value: object) -> None:
    """A field has another value, or none."""
    held = scene.read(kind, name, path)
    assert held != value, f"{path} is {held!r}"


@then('"<path>" of <kind> "<name>" is empty')
def field_is_empty(scene: Scene, path: str, kind: str, name: str) -> None:
    """A field is missing, or has nothing in it."""
    held = scene.read(kind, name, path)
    assert held in _EMPTY, f"{path} is {held!r}"


@then('"<path>" of <kind> "<name>" is set')
def field_is_set(scene: Scene, path: str, kind: str, name: str) -> None:
    """A field has something in it."""
    held = scene.read(kind, name, path)
    assert held not in _EMPTY, f"{path} is {held!r}"


@then('"<path>" of <kind> "<name>" matches "<pattern:text>"')
def field_matches(scene: Scene, path: str, kind: str, name: str, pattern: str) -> None:
    """The whole field matches a regular expression."""
    held = scene.read(kind, name, path)
    assert held is not None and re.fullmatch(pattern, str(held)), f"{path} is {held!r}"


@then('"<path>" of <kind> "<name>" names "<text>"')
@then('"<path>" of <kind> "<name>" contains "<text>"')
def field_contains(scene: Scene, path: str, kind: str, name: str, text: str) -> None:
    """A text has this in it, or a list this item."""
    held = scene.read(kind, name, path)
    assert held is not None and (text in held if isinstance(held, list) else text in str(held)), f"{path} is {held!r}"


@then('"<path>" of <kind> "<name>" equals "<other:path>" of <other_kind:kind> "<other_name:name>"')
def fields_are_equal(
    scene: Scene, path: str, kind: str, name: str, other: str, other_kind: str, other_name: str
) -> None:
    """Two fields are set and have the same value."""
    held, wanted = scene.read(kind, name, path), scene.read(other_kind, other_name, other)
    assert held not in _EMPTY and held == wanted, f"{held!r} is not {wanted!r}"


@then('"<path>" of <kind> "<name>" differs from "<other:path>" of <other_kind:kind> "<other_name:name>"')
def fields_differ(scene: Scene, path: str, kind: str, name: str, other: str, other_kind: str, other_name: str) -> None:
    """Two fields are set and have different values."""
    held, wanted = scene.read(kind, name, path), scene.read(other_kind, other_name, other)
    assert held not in _EMPTY and wanted not in _EMPTY and held != wanted, f"both are {held!r}"


@then('"<path>" of all Subnets and L2Networks differ')
def all_differ(scene: Scene, path: str) -> None:
    """Every Subnet and every L2Network has it, and no two have the same."""
    objects = [(kind, obj.name) for kind in ("Subnet", "L2Network") for obj in scene.lab.list(kind)]
    held = {f"{kind} {name}": scene.read(kind, name, path) for kind, name in objects}
    assert None not in held.values() and len(set(held.values())) == len(held), held


@given('the value of "<path>" of <kind> "<name>" is noted')
def value_is_noted(scene: Scene, path: str, kind: str, name: str) -> None:
    """Kept for `is unchanged` and `has changed`."""
    scene.note_value(kind, name, path)


@then('"<path>" of <kind> "<name>" is unchanged')
def is_unchanged(scene: Scene, path: str, kind: str, name: str) -> None:
    """The field is what it was when it was noted."""
    held, noted = scene.read(kind, name, path), _noted(scene, path, kind, name)
    assert held == noted, f"{noted!r} became {held!r}"


@then('"<path>" of <kind> "<name>" has changed')
def has_changed(scene: Scene, path: str, kind: str, name: str) -> None:
    """The field is not what it was when it was noted."""
    held, noted = scene.read(kind, name, path), _noted(scene, path, kind, name)
    assert held != noted, f"still {held!r}"


def _noted(scene: Scene, path: str, kind: str, name: str) -> object:
    key = f"{path} of {kind} {name}"
    assert key in scene.noted, f"{key} was not noted"
    return scene.noted[key]


@then("the Kind <kind> is not namespaced")
def is_not_namespaced(scene: Scene, kind: str) -> None:
    """Its objects belong to the whole cluster."""
    assert not scene.kind(kind).namespaced


@then("the table of <word:table> is")
def table_is(scene: Scene, word: str, docstring: str) -> None:
    """What `kubectl get` prints, whole; the word is a Kind's plural or short name."""
    _compare_tables(scene.table(word), docstring)


@then("the wide table of <word:table> is")
def wide_table_is(scene: Scene, word: str, docstring: str) -> None:
    """The same with `-o wide`."""
    _compare_tables(scene.table(word, "wide"), docstring)


def _compare_tables(held: str, wanted: str) -> None:
    found = [line.rstrip() for line in held.strip().splitlines()]
    expected = [line.rstrip() for line in wanted.strip().splitlines()]
    assert found == expected, "\n" + "\n".join(found)


@then('an Event of <kind> "<name>" has reason "<reason:text>"')
def has_event(scene: Scene, kind: str, name: str, reason: str) -> None:
    """Somebody who watches Events was told so; `the message ...` then speaks of the Event."""
    key = scene.key(kind, name)
    told = [note for about, note in scene.notes if about == key]
    found = [note for note in told if note.reason == reason]
    assert found, [note.reason for note in told]
    scene.message = found[-1].message


@then('<kind> "<name>" has no Event with reason "<reason:text>"')
def has_no_event_with(scene: Scene, kind: str, name: str, reason: str) -> None:
    """Nobody who watches Events was told so."""
    told = [note for about, note in scene.notes if about == scene.key(kind, name) and note.reason == reason]
    assert not told, told


@then('there is no Event of <kind> "<name>"')
def has_no_event(scene: Scene, kind: str, name: str) -> None:
    """Nobody who watches Events was told anything about it."""
    told = [note for about, note in scene.notes if about == scene.key(kind, name)]
    assert not told, told
