"""What was applied and deleted again leaves nothing behind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.cluster import DAY, Cluster
from tests.properties.documents import Document, worlds
from tests.properties.test_path_independence import complete, key_of


def remove_all(cluster: Cluster, documents: list[Document], squashed: bool) -> None:
    """Delete all of it, again and again, until admission has let all of it pass."""
    for _ in range(len(documents) + 2):
        for held in documents:
            cluster.remove(key_of(held))
            if not squashed:
                cluster.rest()
        cluster.rest()
        if not cluster.objects().keys() & {key_of(held) for held in documents}:
            return
    raise AssertionError(f"still there: {sorted(cluster.objects().keys() & {key_of(held) for held in documents})}")


@given(st.data(), worlds(), st.booleans())
def test_what_is_applied_and_deleted_leaves_nothing_behind(
    data: st.DataObject, documents: list[Document], squashed: bool
) -> None:
    """Objects, pools, leases once their time is over, indexes, intents and every table of every Node are as before."""
    cluster = Cluster.new()
    objects, indexes, tables = cluster.objects().keys(), cluster.indexes(), cluster.tables()
    intents = dict(cluster.intents._settled)
    complete(cluster, documents, squashed)
    remove_all(cluster, data.draw(st.permutations(documents)), squashed)
    cluster.pass_time(2 * DAY)
    assert cluster.objects().keys() == objects
    assert cluster.intents._settled == intents
    assert cluster.tables() == tables
    assert cluster.indexes() == indexes
    assert not cluster.kubelets.sandboxes
