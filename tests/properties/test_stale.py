"""What two controllers leave behind when one of them hears late, and what one does that hears of an end before it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import define, field
from tests.properties.cluster import DAY, Cluster, Crash, Mortal
from tests.properties.documents import Document, document

from juneau.engine.feed import Feed
from juneau.engine.loop import Loop
from juneau.engine.objects import AnyObject, Key
from juneau.engine.world import Cache
from juneau.lab.immediate import run
from juneau.resources import allocationclaim
from juneau.resources.allocationclaim import AllocationClaimSpec
from juneau.resources.allocationlease import ObjectReference, PoolReference

POD = Key("Pod", "default", "p")
EIP = Key("ElasticIP", "default", "e")
_POOL = document("AddressPool", "public", {"advertiseMode": "arp", "addresses": ["10.225.51.100-10.225.51.103"]})
_NETWORK = document("ExternalNetwork", "internet", {"type": "arp", "addressPools": ["public"]})
_OWNERS = {
    POD: ("NetworkInterface", document("Pod", "p", {"nodeName": "worker-1"}, "default", core=True)),
    EIP: ("ElasticIP", document("ElasticIP", "e", {"externalNetwork": "internet"}, "default")),
}


@define(eq=False)
class Second:
    """Another controller over the store of a cluster, whose watches bring nothing before they are asked."""

    cluster: Cluster
    mortal: Mortal = field(init=False)
    loop: Loop = field(init=False)
    feed: Feed = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.mortal = Mortal(self.cluster.store)
        cache = Cache(self.cluster.registry, self.cluster.settings)
        self.loop = Loop(self.mortal, cache, self.cluster.clock)
        self.feed = Feed(self.mortal, cache, self.loop.queue, self.loop.handle)
        run(self.feed.begin())
        self.loop.wake_all()
        run(self.loop.settle())

    def hear(self, *kinds: str) -> None:
        """Read what some watches have brought so far, or all of them."""
        for kind in kinds or tuple(self.feed._watches):
            for event in self.feed._watches[kind].drain():
                self.loop.handle(event)

    def settle(self) -> None:
        run(self.loop.settle())

    def rest(self) -> None:
        """Until neither controller has anything to do, for days."""
        for days in (0, 3):
            self.cluster.pass_time(days * DAY)
            for _ in range(20):
                self.cluster.rest()
                self.hear()
                self.settle()


@pytest.fixture
def cluster() -> Cluster:
    made = Cluster.new()
    for held in (_POOL, _NETWORK):
        assert made.put(held)
    made.rest()
    return made


def claims_of(cluster: Cluster, kind: str) -> list[AnyObject]:
    """The claims for objects of a Kind, as the server has them."""
    return [held for held in run(cluster.store.list("AllocationClaim")).objects if held.spec.resource_ref.kind == kind]


@pytest.mark.parametrize("owner", [POD, EIP], ids=str)
def test_no_claim_is_made_for_an_owner_that_is_gone(cluster: Cluster, owner: Key) -> None:
    """Who hears of a claim's end before its owner's asks the server for the owner, and makes nothing."""
    before = cluster.objects().keys()
    second = Second(cluster)
    assert cluster.put(_OWNERS[owner][1])
    second.rest()
    assert cluster.remove(owner)
    cluster.rest()
    second.hear("AllocationClaim")
    second.settle()
    assert not claims_of(cluster, _OWNERS[owner][0])
    second.rest()
    assert cluster.objects().keys() == before


@pytest.mark.parametrize("owner", [POD, EIP], ids=str)
def test_no_owner_goes_before_the_server_has_no_claim_of_it(cluster: Cluster, owner: Key) -> None:
    """Who has not heard of the claim that another controller made asks before the finalizer goes."""
    before = cluster.objects().keys()
    second = Second(cluster)
    kind, made = _OWNERS[owner]
    assert cluster.put(made)
    cluster.rest()
    assert cluster.remove(owner)
    second.hear(kind, "Pod", "AddressPool", "ExternalNetwork")
    (claim,) = claims_of(cluster, kind)
    assert not claim.deleting
    assert second.loop.cache.get(claim.key) is None
    second.settle()
    assert not claims_of(cluster, kind)
    second.rest()
    assert cluster.objects().keys() == before


@pytest.mark.parametrize("value", [False, True], ids=["without a value", "with a value"])
def test_a_claim_that_came_too_late_goes_by_itself(cluster: Cluster, value: bool) -> None:
    """Its maker has died, and its owner in a namespace is gone: no server collects it, and nobody else knows of it."""
    assert cluster.put(_OWNERS[EIP][1])
    cluster.rest()
    (claim,) = claims_of(cluster, EIP.kind)
    assert cluster.remove(EIP)
    cluster.rest()
    before = cluster.objects().keys()
    late = claim.with_metadata(resource_version="", uid="")
    stored = run(cluster.store.create(late))
    if value:
        run(cluster.store.update_status(stored.with_status(value=claim.status.value)))
    cluster.rest()
    assert cluster.objects().keys() == before


def test_a_claim_that_somebody_made_by_hand_waits_for_its_owner(cluster: Cluster) -> None:
    """CLAIM-15: an owner that does not exist is accepted."""
    spec = AllocationClaimSpec(
        (PoolReference("addr-public"),),
        ObjectReference("juneau.loutres.me/v1alpha1", "ElasticIP", "e", "default"),
        "status.address",
    )
    stored = run(cluster.store.create(allocationclaim.KIND.new("by-hand", spec)))
    cluster.pass_time(3 * DAY)
    assert run(cluster.store.get(stored.key)).status.conditions[0].reason == "AllocationFailed"


_A_FEW = 5  # writes that are tried before the end is asked for
_NET = document("Subnet", "s1", {"vpc": "blue", "cidr": "10.1.0.0/28"})
_ENDS: list[tuple[Sequence[Document], Key, tuple[str, ...]]] = [
    ((_NET,), Key("Subnet", "", "s1"), ("AllocationClaim", "AllocationPool")),
    ((document("L2Network", "l1", {"vpc": "blue"}),), Key("L2Network", "", "l1"), ("AllocationClaim",)),
    ((document("Vpc", "red", {}),), Key("Vpc", "", "red"), ("AllocationClaim", "RouteTable")),
    (
        (document("Node", "worker-9", {}, core=True),),
        Key("Node", "", "worker-9"),
        ("AllocationClaim", "NetworkEndpoint"),
    ),
    ((_OWNERS[POD][1],), POD, ("AllocationClaim", "NetworkInterface")),
]


@pytest.mark.parametrize(("made", "gone", "heard"), _ENDS, ids=lambda held: str(held) if isinstance(held, Key) else "")
def test_an_end_that_is_heard_of_late_is_asked_for(made: Sequence[Document], gone: Key, heard: tuple[str, ...]) -> None:
    """What went with its owner is not made again and again, only to be collected at once, until the end is heard of."""
    cluster = Cluster.new()
    for held in (document("Vpc", "blue", {}), *made):
        assert cluster.put(held)
    cluster.rest()
    second = Second(cluster)
    run(cluster.store.delete(gone))
    cluster.rest()
    second.mortal.left = _A_FEW
    try:
        for _ in range(100):
            second.hear(*heard)
            second.settle()
    except Crash:
        raise AssertionError(f"more than {_A_FEW} writes, and no end") from None
    assert gone not in second.loop.cache.objects[gone.kind]
