"""What the lab refuses as an API server would, and what a controller says of what it is refused."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from tests.lab.talk import Talk

from juneau.engine.objects import condition
from juneau.resources.pod import CONDITION


@pytest.fixture
def quiet() -> Iterator[None]:
    """Failures that a test provokes are not news."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", ["default", "juneau-system", "kube-system"])
def test_some_namespaces_stay(talk: Talk, name: str) -> None:
    """An API server's own, and the one with the endpoints of Nodes."""
    talk.apply(f"{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}\n")
    (said,) = talk.delete(f"namespace/{name}")
    assert said.startswith(f'Error from server (Forbidden): Namespace "{name}" is forbidden: it stays: ')
    held = talk.held("Namespace", name)
    assert held is not None
    assert not held.deleting


def test_any_other_namespace_goes(talk: Talk) -> None:
    """With what is in it."""
    talk.apply("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n")
    assert talk.delete("namespace/shop") == ["namespace/shop deleted"]


@pytest.mark.usefixtures("quiet")
def test_a_namespace_that_is_missing_is_told(talk: Talk) -> None:
    """A Node whose endpoint has nowhere to be made is not ready, and says why; it is no race that another look wins."""
    store = talk.session.lab.store
    chain, store.admission = store.admission, ()
    talk.delete("namespace/juneau-system")
    store.admission = chain
    node = talk.held("Node", "worker-1")
    assert node is not None
    told = condition(node, CONDITION)
    assert told is not None
    assert (told.status, told.reason) == ("False", "ReconcileFailed")
    assert told.message == 'Namespace "juneau-system" not found'
    assert "Warning: Node worker-1: " + told.message in talk.lines
    talk.apply("{apiVersion: v1, kind: Namespace, metadata: {name: juneau-system}}\n")
    talk.session.advance(120)
    assert talk.held("NetworkEndpoint", "juneau-node.worker-1", "juneau-system") is not None
