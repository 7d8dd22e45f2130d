"""How objects are named on a command line."""

from __future__ import annotations

import pytest

from juneau.lab.reference import Reference, read_reference


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("vpc", Reference("vpc")),
        ("vpc/app", Reference("vpc", "", "app")),
        ("nwiface/shop/a.eth0", Reference("nwiface", "shop", "a.eth0")),
    ],
)
def test_a_reference_is_a_kind_and_maybe_a_namespace_and_a_name(text: str, reference: Reference) -> None:
    """What was read is written the same way again."""
    assert read_reference(text) == reference
    assert str(reference) == text


@pytest.mark.parametrize("text", ["", "/", "vpc/", "/app", "a//b", "a/b/c/d", "a/b\n", "x" * 2000])
def test_anything_else_is_no_reference(text: str) -> None:
    """Empty parts, too many parts, and what could not be printed in an error."""
    assert read_reference(text) is None
