"""What manifests contain is shown, and does not steer the terminal."""

from __future__ import annotations

from tests.lab.talk import Talk

from juneau.lab.plain import plain, plain_text


def test_what_is_not_printable_is_spelt_out() -> None:
    """Escapes, bells and line ends within a line are shown as Python writes them; other alphabets stay."""
    assert plain("a\x1b[31m\x07\r\nä漢") == "a\\x1b[31m\\x07\\r\\nä漢"
    assert plain_text("a\x1b\nb\n") == "a\\x1b\nb\n"


def test_a_refusal_does_not_repeat_control_characters(talk: Talk) -> None:
    """Neither in a name nor in a value."""
    said = talk.apply('{apiVersion: v1, kind: Pod, metadata: {name: "a\\e[31m"}}\n')
    assert len(said) == 1
    assert said[0].isprintable()
