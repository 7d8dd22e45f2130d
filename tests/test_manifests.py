"""Generated files are what the code generates today."""

from __future__ import annotations

from pathlib import Path

from juneau.engine.schema import crds_yaml
from juneau.resources import registry

MANIFESTS = Path(__file__).parent.parent / "manifests"


def test_the_crds_are_those_of_the_kinds() -> None:
    """Whoever changes a Kind runs `make manifests`."""
    assert (MANIFESTS / "crds.yaml").read_text() == crds_yaml(registry())
