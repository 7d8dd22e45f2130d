"""Where a cluster comes to rest depends on what was asked for, not on the way there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.cluster import Cluster, normal
from tests.properties.documents import Document, worlds

from juneau.engine.objects import Key

Step = tuple[str, int]


def key_of(held: Document) -> Key:
    return Key(held["kind"], held["metadata"].get("namespace", ""), held["metadata"]["name"])


def paths(count: int) -> st.SearchStrategy[list[Step]]:
    """Documents applied in any order, twice too, deleted in between, with a rest now and then or never."""
    place = st.integers(0, count - 1)
    step = st.one_of(
        st.tuples(st.just("apply"), place),
        st.tuples(st.just("apply"), place),
        st.tuples(st.just("delete"), place),
        st.tuples(st.just("rest"), st.just(0)),
    )
    return st.lists(step, max_size=3 * count)


def walk(cluster: Cluster, documents: list[Document], path: list[Step]) -> None:
    for what, place in path:
        if what == "apply":
            cluster.put(documents[place])
        elif what == "delete":
            cluster.remove(key_of(documents[place]))
        else:
            cluster.rest()


def complete(cluster: Cluster, documents: list[Document], squashed: bool) -> None:
    """Apply all that is missing, again and again, until admission has let all of it pass."""
    for _ in range(len(documents) + 2):
        refused = [held for held in documents if not cluster.put(held)]
        if not squashed or refused:
            cluster.rest()
        if not refused:
            break
    else:
        raise AssertionError(f"refused for ever: {[key_of(held) for held in refused]}")
    cluster.rest()


@given(st.data(), worlds(), st.booleans())
def test_any_path_leads_to_the_same_statuses_and_intents(
    data: st.DataObject, documents: list[Document], squashed: bool
) -> None:
    """Order, repetition, deletion and making anew, one by one or all at once: only what was chosen freely differs."""
    straight, crooked = Cluster.new(), Cluster.new()
    complete(straight, documents, squashed=False)
    walk(crooked, documents, data.draw(paths(len(documents))))
    complete(crooked, data.draw(st.permutations(documents)), squashed)
    assert normal(crooked) == normal(straight)
