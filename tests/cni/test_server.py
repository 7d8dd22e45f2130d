"""ADD and DEL while others write the same NetworkEndpoints, and while the request is given up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from attrs import Factory, define, evolve

from juneau.cni.server import Server
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.errors import CNIError, CNIErrorCode, Forbidden, NotFound
from juneau.engine.memory import MemoryStore
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Listing, Watch
from juneau.lab.immediate import run
from juneau.lab.lab import Lab
from juneau.resources.endpointspec import Attachment

POD = Key("Pod", "default", "gw")
ENDPOINTS = [Key("NetworkEndpoint", "default", f"gw.{interface}") for interface in ("eth0", "eth1")]
OLD, NEW = "0123456789ab", "ba9876543210"


@define(eq=False)
class Busy:
    """A store on which somebody else is always a little faster: `first` is what happens before each write."""

    inner: MemoryStore
    first: Callable[[str, AnyObject | None], None] = lambda _verb, _obj: None
    writes: list[str] = Factory(list[str])

    def _before(self, verb: str, obj: AnyObject | None) -> None:
        self.writes.append(verb)
        self.first(verb, obj)

    async def get(self, key: Key) -> AnyObject:
        return await self.inner.get(key)

    async def list(self, kind: str) -> Listing:
        return await self.inner.list(kind)

    async def create(self, obj: AnyObject) -> AnyObject:
        self._before("create", obj)
        return await self.inner.create(obj)

    async def update(self, obj: AnyObject) -> AnyObject:
        self._before("update", obj)
        return await self.inner.update(obj)

    async def update_status(self, obj: AnyObject) -> AnyObject:
        return await self.inner.update_status(obj)

    async def delete(self, key: Key, uid: str = "", resource_version: str = "") -> None:
        self._before("delete", None)
        await self.inner.delete(key, uid, resource_version)

    def watch(self, kind: str, resource_version: str) -> Watch:
        return self.inner.watch(kind, resource_version)


@define(eq=False)
class Stage:
    """A Pod with two NICs that have their addresses, and a server of its Node that nobody has asked yet."""

    lab: Lab
    store: Busy
    server: Server
    uid: str

    def add(self, container: str = OLD) -> list[str]:
        return [attached.interface for attached in run(self.server.add(POD, self.uid, container))]

    def remove(self, container: str = OLD) -> None:
        run(self.server.remove(POD, self.uid, container))

    def endpoint(self, key: Key) -> AnyObject | None:
        try:
            return run(self.store.inner.get(key))
        except NotFound:
            return None

    def links(self) -> list[str]:
        try:
            return list(self.lab.site.interfaces("worker-1", "default/gw"))
        except LookupError:
            return []

    def touch(self, key: Key) -> None:
        """Somebody labels the endpoint."""
        held = self.endpoint(key)
        if held is not None:
            labels = {"touched": held.metadata.resource_version}
            run(self.store.inner.update(held.with_metadata(labels=labels)))


def stage_of(networks: str) -> Stage:
    clock = VirtualClock(1_700_000_000.0)
    lab = run(Lab.start(SimulatedDriver.site(clock), clock, ("worker-1",)))
    for kind, name, spec, more in (
        ("Vpc", "shop", {}, {}),
        ("Subnet", "app", {"vpc": "shop", "cidr": "10.90.0.0/24"}, {}),
        ("L2Network", "san", {"vpc": "shop", "cidr": "10.91.0.0/24"}, {}),
        ("Pod", "gw", {"nodeName": "worker-1"}, {"annotations": {"juneau.loutres.me/networks": networks}}),
    ):
        api_version = lab.registry[kind].api_version
        run(lab.apply({"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **more}, "spec": spec}))
        run(lab.settle())
    sandbox = lab.kubelets.sandboxes[POD]
    run(lab.kubelets.cni["worker-1"].remove(POD, sandbox.uid, sandbox.container_id))
    run(lab.loop.settle())
    store = Busy(lab.store)
    return Stage(lab, store, Server("worker-1", store, lab.cache, lab.site), sandbox.uid)


@pytest.fixture
def stage() -> Stage:
    return stage_of('[{"interface": "eth1", "subnet": "app"}]')


def test_the_first_nic_comes_first_whatever_the_others_are_called() -> None:
    """ADD-4: the rest by name, and the same on every retry."""
    stage = stage_of('[{"interface": "net9", "l2Network": "san"}, {"interface": "a1", "subnet": "app"}]')
    for container in (OLD, OLD, NEW):
        assert stage.add(container) == ["eth0", "a1", "net9"]


def test_a_segment_without_an_mtu_is_waited_for() -> None:
    """ADD-5: the runtime comes again, and no link is left; then both ends have the MTU."""
    stage = stage_of('[{"interface": "a1", "l2Network": "san"}]')
    segment = run(stage.lab.store.get(Key("L2Network", "", "san")))
    run(stage.lab.store.update_status(evolve(segment, status=evolve(segment.status, mtu=0))))
    with pytest.raises(CNIError, match=r"L2Network san has no status\.mtu yet") as refused:
        stage.add()
    assert refused.value.code is CNIErrorCode.TRY_AGAIN_LATER
    assert stage.links() == []
    run(stage.lab.loop.settle())
    assert stage.add() == ["eth0", "a1"]
    state = stage.lab.site.link_state("worker-1", "default/gw", "a1")
    assert (state.mtu, state.host_mtu) == (segment.status.mtu, segment.status.mtu)


def test_an_endpoint_that_appears_meanwhile_is_refreshed(stage: Stage) -> None:
    """Such as one that an earlier try made, and whose answer got lost."""

    def first(verb: str, obj: AnyObject | None) -> None:
        if verb == "create" and obj is not None:
            run(stage.store.inner.create(obj.with_spec(mac_address="02:00:00:00:00:01", attachment=None)))

    stage.store.first = first
    assert stage.add() == ["eth0", "eth1"]
    macs = [stage.lab.site.link_state("worker-1", "default/gw", nic).link.mac for nic in stage.links()]
    assert [held.spec.mac_address for key in ENDPOINTS if (held := stage.endpoint(key)) is not None] == macs


def test_an_endpoint_that_changes_all_the_time_is_given_up(stage: Stage) -> None:
    """A few tries, then the runtime is asked to come again, and no link is left."""
    assert stage.add() == ["eth0", "eth1"]
    stage.store.first = lambda _verb, _obj: stage.touch(ENDPOINTS[1])
    with pytest.raises(CNIError) as refused:
        stage.add()
    assert refused.value.code is CNIErrorCode.TRY_AGAIN_LATER
    assert stage.links() == []
    assert stage.endpoint(ENDPOINTS[0]) is None
    stage.store.first = lambda _verb, _obj: None
    assert stage.add() == ["eth0", "eth1"]


def test_what_the_server_refuses_is_an_error_of_the_cni(stage: Stage) -> None:
    """Whoever calls knows one kind of error."""

    def first(verb: str, obj: AnyObject | None) -> None:
        if verb == "create" and obj is not None and obj.key == ENDPOINTS[1]:
            raise Forbidden(obj.key, "exceeded quota")

    stage.store.first = first
    with pytest.raises(CNIError, match="exceeded quota") as refused:
        stage.add()
    assert refused.value.code is CNIErrorCode.INTERNAL
    assert stage.links() == []
    assert stage.endpoint(ENDPOINTS[0]) is None


def test_a_request_that_is_given_up_leaves_nothing(stage: Stage) -> None:
    """A runtime that waits no longer cancels it anywhere, also between two NICs."""

    def first(verb: str, _obj: AnyObject | None) -> None:
        if stage.store.writes.count("create") == 2 and verb == "create":
            raise asyncio.CancelledError

    stage.store.first = first
    with pytest.raises(asyncio.CancelledError):
        stage.add()
    assert stage.links() == []
    assert [stage.endpoint(key) for key in ENDPOINTS] == [None, None]


def test_an_endpoint_that_a_newer_container_takes_meanwhile_is_left_alone(stage: Stage) -> None:
    """DEL looks again at what it was about to delete."""
    stage.add()

    def first(verb: str, _obj: AnyObject | None) -> None:
        held = stage.endpoint(ENDPOINTS[0])
        if verb == "delete" and held is not None and held.spec.attachment.container_id == OLD:
            newer = evolve(held.spec.attachment, container_id=NEW)
            run(stage.store.inner.update(held.with_spec(attachment=newer)))

    stage.store.first = first
    stage.remove()
    held = stage.endpoint(ENDPOINTS[0])
    assert held is not None
    assert held.spec.attachment == Attachment(held.spec.attachment.ifindex, held.spec.attachment.host_mac_address, NEW)
    assert stage.endpoint(ENDPOINTS[1]) is None
    assert stage.links() == ["eth0"]


def test_an_endpoint_that_the_cache_has_not_heard_of_is_deleted(stage: Stage) -> None:
    """DEL can follow ADD faster than an event."""
    stage.add()
    for key in ENDPOINTS:
        stage.lab.cache.drop(run(stage.store.inner.get(key)))
    stage.remove()
    assert [stage.endpoint(key) for key in ENDPOINTS] == [None, None]
    assert stage.links() == []
