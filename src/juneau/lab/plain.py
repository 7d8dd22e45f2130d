"""Text that is safe to show: what a manifest contains must not move a terminal's cursor."""

from __future__ import annotations


def plain(line: str) -> str:
    """The line with everything spelt out that is not printable, line ends included."""
    return line if line.isprintable() else "".join(map(_spelt, line))


def plain_text(text: str) -> str:
    """The same for several lines, which stay apart where there was a newline."""
    return "\n".join(map(plain, text.split("\n")))


def _spelt(letter: str) -> str:
    return letter if letter.isprintable() else repr(letter)[1:-1]
