"""Whatever is applied to a lab: it is taken or refused, and nothing is lost, doubled or half done."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.fuzz.mutation import SEEDS, broken, histories, nested
from tests.properties.cluster import Cluster
from tests.properties.fsck import faults

from juneau.engine.errors import APIError
from juneau.engine.manifests import read_documents
from juneau.lab.immediate import run


class Surprises(logging.Handler):
    """Exceptions that somebody has caught and logged, other than a store's refusals."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, APIError):
            self.found.append(f"{record.getMessage()}: {error!r}")


@pytest.fixture(scope="module")
def surprises() -> Iterator[Surprises]:
    handler = Surprises()
    log = logging.getLogger("juneau")
    propagates, log.propagate = log.propagate, False
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)
    log.propagate = propagates


@given(histories())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_no_manifest_breaks_a_lab(surprises: Surprises, history: list[tuple[str, Any]]) -> None:
    """Only refusals are raised, the lab comes to rest, what is refused changes nothing, and allocation stays sound."""
    surprises.found.clear()
    cluster = Cluster.new()
    for what, given_ in history:
        if what == "apply":
            _apply(cluster, given_)
        elif what == "delete":
            # A claim whose lease a user takes away has its value all the same, as it is documented.
            keys = sorted(key for key in cluster.objects() if key.kind != "AllocationLease")
            cluster.remove(keys[given_ % len(keys)])
        else:
            cluster.pass_time(given_)
        cluster.rest()
        assert not surprises.found
        assert not _faults(cluster), _faults(cluster)


def _apply(cluster: Cluster, document: Any) -> None:
    before = cluster.objects()
    try:
        run(cluster.apply(document))
    except APIError as refusal:
        assert str(refusal)
        assert cluster.objects() == before


def _faults(cluster: Cluster) -> list[str]:
    """But for what endpoints have to do with: users may write what only agents should."""
    return [fault for fault in faults(cluster.objects()) if "NetworkEndpoint" not in fault]


@st.composite
def torn(draw: st.DrawFn) -> str:
    """YAML text of valid documents, cut and spliced."""
    text = yaml.safe_dump_all(draw(st.lists(st.one_of(st.sampled_from(SEEDS), broken()), min_size=1, max_size=3)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        until = draw(st.integers(at, min(len(text), at + 20)))
        text = text[:at] + draw(_PIECES) + text[until:]
    return text


_PIECES = st.one_of(
    st.sampled_from(
        [
            "",
            "\t",
            "---\n",
            "...",
            "&a ",
            "*a",
            "<<: *a",
            "!!python/object:os.system",
            "!x ",
            "|",
            ">-",
            "{",
            "[",
            "]",
            ": ",
            "- ",
            "? ",
            "\0",
            "\ufeff",
            "'",
            '"',
            "%YAML 9.9\n",
            "\n",
            "2026-01-01",
            "0x10",
            "1_000",
            "~",
            "[" * 500,
            "a: " * 300,
        ]
    ),
    st.text(max_size=8),
)


@given(st.one_of(torn(), st.text(max_size=200)))
@example("a: &a [*a]")
@example("&a [" + ",".join(["*a"] * 9) + "]")
def test_no_text_breaks_the_reader(text: str) -> None:
    """Each document is read, or has an error that says why; what was read can be applied or is refused."""
    cluster = Cluster.new(nodes=("worker-1",))
    for document in read_documents(text, "fuzz.yaml"):
        if not document.error:
            _apply(cluster, document.content)
    cluster.rest()
    assert not _faults(cluster)


@pytest.mark.parametrize("depth", [40, 500, 20_000])
def test_no_depth_breaks_a_lab(depth: int) -> None:
    """However deep a document is, it is refused in words."""
    cluster = Cluster.new(nodes=("worker-1",))
    for field in ("spec", "metadata", "more"):
        with pytest.raises(APIError):
            run(cluster.apply({**SEEDS[0], field: nested(depth)}))
