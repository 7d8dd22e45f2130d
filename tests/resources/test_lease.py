"""Lease, of the API server's own API: it is read and written as it is there, and nothing of Juneau's is added."""

from __future__ import annotations

from juneau.engine.convert import decode, encode
from juneau.engine.objects import Key
from juneau.resources import lease, registry
from juneau.resources.lease import lease_key


def test_a_lease_keeps_all_that_the_api_server_knows_of() -> None:
    """An agent that renews a Lease writes back what others have put there."""
    document = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "juneau-agent.n1", "namespace": "juneau-system"},
        "spec": {
            "holderIdentity": "n1",
            "leaseDurationSeconds": 15,
            "acquireTime": "2026-01-01T00:00:00.000000Z",
            "renewTime": "2026-01-01T00:00:05.250000Z",
            "leaseTransitions": 2,
            "preferredHolder": "n2",
            "strategy": "OldestEmulationVersion",
        },
    }
    found = encode(registry(), decode(registry(), document))
    spec = found["spec"]
    assert isinstance(spec, dict)
    assert spec | {"acquireTime": "", "renewTime": ""} == document["spec"] | {"acquireTime": "", "renewTime": ""}  # type: ignore[operator]


def test_a_node_has_one_lease_whatever_its_name() -> None:
    """A name that would be too long is cut and told apart; that of another Node is never met."""
    assert lease_key("n1") == Key("Lease", "juneau-system", "juneau-agent.n1")
    long = "n" * 250
    names = {lease_key(name).name for name in (long, f"{long}1", f"{long}2")}
    assert len(names) == 3
    assert max(map(len, names)) <= 253


def test_a_lease_is_the_api_servers_own_kind() -> None:
    """No CRD is made of it, and no controller looks after it."""
    assert lease.KIND.foreign
    assert lease.KIND.controller is None
    assert lease.KIND.api_version == "coordination.k8s.io/v1"
