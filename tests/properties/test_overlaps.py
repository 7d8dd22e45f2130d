"""What refuses A beside B refuses B beside A."""

from __future__ import annotations

from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.properties.documents import VPCS, Document, document
from tests.resources.tunnel import TUNNEL, TunnelSpec

from juneau.engine.clock import VirtualClock
from juneau.engine.convert import decode
from juneau.engine.errors import Invalid
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject
from juneau.engine.settings import Settings
from juneau.engine.store import Event, EventType
from juneau.engine.world import Cache, Reader
from juneau.lab.immediate import run
from juneau.resources import registry
from juneau.webhook.admission import KindAdmission

SETTINGS = Settings(service_cidr="10.0.8.0/22")


class Admission:
    """A store with admission and no controllers: the rules alone decide."""

    def __init__(self, joined: bool) -> None:
        self.registry = registry()
        self.registry.add(TUNNEL)
        self.cache = Cache(self.registry, SETTINGS)
        admission = KindAdmission(self.registry, lambda: Reader(self.cache))
        self.store = MemoryStore(self.registry, VirtualClock(), (admission,))
        self.store.subscribe(self._take)
        for name in (*VPCS, "green"):
            self.put(document("Vpc", name, {}))
        if joined:
            run(self.store.create(TUNNEL.new("t", TunnelSpec(*VPCS))))

    def _take(self, event: Event) -> None:
        gone = event.type is EventType.DELETED
        self.cache.drop(event.obj) if gone else self.cache.put(event.obj)

    def put(self, manifest: Document) -> AnyObject:
        return run(self.store.create(decode(self.registry, manifest)))

    def passes(self, manifest: Document) -> bool:
        """Whether it is stored; a Vpc of that name gets the endpoint pool instead of being made."""
        wanted = decode(self.registry, manifest)
        try:
            if wanted.kind == "Vpc":
                held = run(self.store.get(wanted.key))
                run(self.store.update(held.with_spec(endpoint_pool=wanted.spec.endpoint_pool)))
            else:
                run(self.store.create(wanted))
        except Invalid:
            return False
        return True


# Few prefixes of few lengths, so that they meet: some equal, some inside others, some in the Service CIDR.
prefixes = st.builds(
    lambda place, length: (place << 8 >> (32 - length) << (32 - length), length),
    st.integers(0, 31),
    st.sampled_from([20, 22, 23, 24, 26, 28]),
).map(lambda pair: f"10.0.{pair[0] >> 8}.0/{pair[1]}")


@st.composite
def users_of_space(draw: st.DrawFn, name: str) -> Document:
    vpc = draw(st.sampled_from((*VPCS, "green")))
    kind = draw(st.sampled_from(["Subnet", "L2Network", "Vpc"]))
    if kind == "Vpc":
        return document("Vpc", vpc, {"endpointPool": {"cidrs": draw(st.lists(prefixes, min_size=1, max_size=2))}})
    spec: Document = {"vpc": vpc, "cidr": draw(prefixes)}
    if kind == "L2Network" and draw(st.booleans()):
        spec["gateway"] = {}
    return document(kind, name, spec)


def in_turn(joined: bool, *manifests: Document) -> list[bool]:
    admission = Admission(joined)
    return [admission.passes(manifest) for manifest in manifests]


@given(st.booleans(), users_of_space("a"), users_of_space("b"))
@example(True, document("Subnet", "a", {"vpc": "red", "cidr": "10.0.0.0/24"}),
         document("L2Network", "a", {"vpc": "blue", "cidr": "10.0.0.0/22"}))  # fmt: skip
def test_overlap_checks_are_symmetric(joined: bool, a: Document, b: Document) -> None:
    """Of two users of address space that pass alone, A then B is refused if and only if B then A is."""
    same_vpc_pool = a["kind"] == b["kind"] == "Vpc" and a["metadata"] == b["metadata"]
    assume(not same_vpc_pool and in_turn(joined, a)[0] and in_turn(joined, b)[0])
    assert in_turn(joined, a, b)[1] == in_turn(joined, b, a)[1]


def test_overlaps_are_found_at_all() -> None:
    """The pairs above are not all of the kind that passes."""
    a = document("Subnet", "a", {"vpc": "red", "cidr": "10.0.0.0/24"})
    for vpc, passes in (("red", False), ("blue", False), ("green", True)):
        b = document("L2Network", "b", {"vpc": vpc, "cidr": "10.0.0.0/22"})
        assert in_turn(True, a, b) == [True, passes]
    assert in_turn(False, document("Subnet", "a", {"vpc": "red", "cidr": "10.0.8.0/24"})) == [False]
