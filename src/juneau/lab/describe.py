"""One object in full, for people: what was asked, what came of it, what happened on the way, what it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from juneau.engine.convert import encode_as
from juneau.engine.durations import duration_text
from juneau.engine.explain import explain, render
from juneau.engine.objects import AnyObject, Condition, Key
from juneau.engine.table import aligned, yaml_text
from juneau.lab.makers import makers
from juneau.lab.plain import plain_text
from juneau.lab.session import Session


def describe(session: Session, obj: AnyObject) -> str:
    """Sections with a title each; what there is nothing to say about is left out."""
    kind = session.lab.registry[obj.kind]
    document = encode_as(kind, obj)
    status: dict[str, Any] = {name: value for name, value in document.get("status", {}).items() if name != "conditions"}
    sections = [
        ("Metadata", yaml_text(document["metadata"])),
        ("Spec", yaml_text(document["spec"]) if document.get("spec") else ""),
        ("Status", yaml_text(status) if status else ""),
        ("Conditions", _conditions(session, obj)),
        ("History", _history(session, obj.key)),
        ("Events", _events(session, obj.key)),
        ("Waits", explained(session, obj.key)),
    ]
    name = "/".join(part for part in obj.key[1:] if part)
    head = f"{kind.name} {name} ({kind.api_version})\n"
    return plain_text(head + "".join(_section(*section) for section in sections))


def explained(session: Session, key: Key) -> str:
    """The chain of waits from an object on."""
    cache, now = session.lab.cache, session.clock.now()
    return plain_text(render(explain(cache, key, now, makers(cache, session.lab.kubelets.why_not)), now))


def _section(title: str, text: str) -> str:
    return f"{title}:\n" + "".join(f"  {line}\n" for line in text.splitlines()) if text else ""


def _conditions(session: Session, obj: AnyObject) -> str:
    conditions: tuple[Condition, ...] = obj.status.conditions
    rows = (
        (held.type, held.status, held.reason, _age(session, held.last_transition_time), held.message)
        for held in conditions
    )
    return _table(("TYPE", "STATUS", "REASON", "SINCE", "MESSAGE"), rows)


def _history(session: Session, key: Key) -> str:
    rows = (
        (_age(session, moved.when), moved.source or "-", moved.dest, moved.reason, moved.message)
        for moved in session.lab.loop.journal.of(key)
    )
    return _table(("AGE", "FROM", "TO", "REASON", "MESSAGE"), rows)


def _events(session: Session, key: Key) -> str:
    rows = (
        (_age(session, when), note.type, note.reason, note.message)
        for when, about, note in session.events
        if about == key
    )
    return _table(("AGE", "TYPE", "REASON", "MESSAGE"), rows)


def _table(header: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    listed = list(rows)
    return aligned([header, *listed]) if listed else ""


def _age(session: Session, time: float | None) -> str:
    return duration_text(session.clock.now() - time) if time is not None else "-"
