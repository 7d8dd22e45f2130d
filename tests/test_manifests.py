"""Generated files are what the code generates today."""

from __future__ import annotations

from pathlib import Path

from juneau.engine.reference import reference_page
from juneau.engine.schema import crds_yaml
from juneau.resources import registry

ROOT = Path(__file__).parent.parent


def test_the_crds_are_those_of_the_kinds() -> None:
    """Whoever changes a Kind runs `make manifests`."""
    assert (ROOT / "manifests" / "crds.yaml").read_text() == crds_yaml(registry())


def test_the_reference_page_is_that_of_the_kinds() -> None:
    """The page about fields, columns and phases says what the code does today."""
    assert (ROOT / "docs" / "reference.md").read_text() == reference_page(registry())
