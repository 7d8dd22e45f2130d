"""A session whose lines are kept, fed with manifests as text."""

from __future__ import annotations

from collections.abc import Sequence

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.manifests import read_documents
from juneau.engine.objects import AnyObject, Key
from juneau.lab.lab import DEFAULT_NODES
from juneau.lab.reference import read_reference
from juneau.lab.session import Session

GROUP = "apiVersion: juneau.loutres.me/v1alpha1"
VPC = f"{{{GROUP}, kind: Vpc, metadata: {{name: app}}, spec: {{}}}}\n"
SUBNET = f"{{{GROUP}, kind: Subnet, metadata: {{name: net}}, spec: {{vpc: app, cidr: 10.90.0.0/24}}}}\n"
POD = "{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {juneau.loutres.me/subnet: net}}, spec: {}}\n"


class Talk:
    """`lines` is what the session said so far."""

    def __init__(self, nodes: Sequence[str] = DEFAULT_NODES) -> None:
        self.lines: list[str] = []
        self.session = Session.start(SimulatedDriver, self.lines.append, nodes)

    def apply(self, *texts: str) -> list[str]:
        """Apply documents; returns what was said about them."""
        before = len(self.lines)
        for document in read_documents("---\n".join(texts), "x.yaml"):
            self.session.apply(document)
        return self.lines[before:]

    def delete(self, text: str) -> list[str]:
        """Delete an object; returns what was said."""
        before = len(self.lines)
        reference = read_reference(text)
        assert reference is not None
        self.session.delete(reference)
        return self.lines[before:]

    def held(self, kind: str, name: str, namespace: str = "") -> AnyObject | None:
        """An object as it is now."""
        return self.session.lab.cache.get(Key(kind, namespace, name))
