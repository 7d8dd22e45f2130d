"""Whatever comes and goes in whatever order, an address from outside is in one place, and what is due to it happens."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.resources.outside import host, let_go, linger, network
from tests.resources.world import World

from juneau.engine.intents import DirectAddress, StaticNAT
from juneau.engine.objects import AnyObject, Key
from juneau.resources.elasticipspec import ATTACHMENT, INTERFACE

Step: TypeAlias = tuple[str, str, str]

NICS = ("a.eth1", "b.eth1", "c.eth1")
ATTACHMENTS = ("one", "two")
WEB = ("ElasticIP", "web")
OBJECTS = [WEB, *((INTERFACE, name) for name in NICS), *((ATTACHMENT, name) for name in ATTACHMENTS)]
VERBS = ("make", "make", "delete", "hold", "let go")
STEPS: list[Step] = [(verb, kind, name) for verb in VERBS for kind, name in OBJECTS]
steps = st.lists(st.sampled_from(STEPS), max_size=14)


def _make(world: World, kind: str, name: str) -> None:
    full = f"shop/{name}"
    if kind == "ElasticIP":
        world.force_new(kind, full, externalNetwork="lan", requestedIP="10.225.51.200")
    elif kind == ATTACHMENT:
        spec = {"elasticIPRef": {"name": "web"}, "targetRef": {"networkInterfaceName": f"app-{name}.eth0"}}
        world.force_new(kind, full, **spec)
    else:
        pod = {"name": name.partition(".")[0], "uid": f"uid-{name}", "interface": "eth1"}
        world.force_new(kind, full, podRef=pod, nodeName="worker-1", elasticIP="web")


def _attach(world: World) -> None:
    """What kubelets do: an endpoint for every NIC that has its address, and which goes with the NIC."""
    for nic in list(world.cache.objects["NetworkInterface"].values()):
        key = Key("NetworkEndpoint", nic.namespace, nic.name)
        if nic.status.address and world.find(key) is None and not nic.deleting:
            reference = {"name": nic.spec.pod_ref.name, "uid": nic.spec.pod_ref.uid, "interface": "eth1"}
            world.create(
                "NetworkEndpoint",
                f"{nic.namespace}/{nic.name}",
                kind="Pod",
                nodeName="worker-1",
                macAddress=f"02:00:00:00:00:{ord(nic.name[0]):02x}",
                address=nic.status.address,
                podRef=reference,
                **({"externalNetwork": "lan"} if nic.spec.elastic_ip else {"subnet": nic.spec.subnet}),
            )
    for endpoint in list(world.cache.objects["NetworkEndpoint"].values()):
        if endpoint.namespace == "shop" and world.find(Key("NetworkInterface", "shop", endpoint.name)) is None:
            world.delete("NetworkEndpoint", f"shop/{endpoint.name}")


def _take(world: World, step: Step) -> None:
    verb, kind, name = step
    held = world.find(Key(kind, "shop", name))
    if verb == "make" and held is None:
        _make(world, kind, name)
    elif verb == "delete" and held is not None and not held.deleting:
        world.force_delete(kind, f"shop/{name}")
    elif verb == "hold" and held is not None and not held.deleting and kind != "ElasticIP":
        linger(world, kind, f"shop/{name}")
    elif verb == "let go" and held is not None and held.deleting:
        let_go(world, kind, f"shop/{name}")


def _objects(world: World, kind: str) -> list[AnyObject]:
    return [obj for obj in world.cache.objects[kind].values() if obj.namespace == "shop"]


def _check(world: World) -> None:
    """What holds whenever the world is at rest."""
    having = [nic for nic in _objects(world, "NetworkInterface") if nic.spec.elastic_ip and nic.status.address]
    live = [nic.name for nic in having if not nic.deleting]
    attached = [one.name for one in _objects(world, ATTACHMENT) if one.status.phase == "Attached"]
    assert len(live) + len(attached) <= 1, (live, attached)
    intents = [
        intent
        for kind in ("NetworkEndpoint", ATTACHMENT)
        for obj in _objects(world, kind)
        for intent in world.intents(kind, f"shop/{obj.name}")
        if isinstance(intent, (DirectAddress, StaticNAT))
    ]
    assert len(intents) <= 1, intents
    [*eips] = _objects(world, "ElasticIP")
    use = eips[0].status.attachment if eips else None
    if use is None:
        assert not live and not attached
        assert not [ad for ad in world.cache.objects["ARPAdvertisement"].values() if not ad.deleting]
    elif use.kind == INTERFACE:
        assert live in ([use.name], [])
    wanting = [nic for nic in _objects(world, "NetworkInterface") if nic.spec.elastic_ip]
    if eips and not eips[0].deleting and not any(one.deleting for one in wanting):
        alive = [one for one in _objects(world, ATTACHMENT) if not one.deleting]
        # Nobody waits in vain: unless several kinds of users want it, somebody has it.
        assert (use is not None) == ((len(alive) == 1 and not wanting) or (bool(wanting) and not alive)), eips[0].status


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
@example([("make", "NetworkInterface", "b.eth1"), ("make", ATTACHMENT, "one"),
          ("make", "NetworkInterface", "a.eth1"), ("delete", ATTACHMENT, "one")])  # fmt: skip
@example([("make", "NetworkInterface", "b.eth1"), ("delete", "ElasticIP", "web"),
          ("make", "NetworkInterface", "a.eth1"), ("delete", "NetworkInterface", "b.eth1"),
          ("delete", "NetworkInterface", "a.eth1"), ("make", "ElasticIP", "web")])  # fmt: skip
def test_an_address_is_in_one_place(taken: list[Step]) -> None:
    """Never on two NICs, never on one and translated, and never in nobody's hands for longer than it has to be."""
    world = World()
    world.create("Namespace", "shop")
    network(world, "lan")
    host(world, "worker-1", "10.225.51.11")
    world.create("Vpc", "lab")
    world.create("Subnet", "app", vpc="lab", cidr="10.90.0.0/24")
    for name in ATTACHMENTS:
        pod = {"name": f"app-{name}", "uid": f"uid-app-{name}", "interface": "eth0"}
        world.create("NetworkInterface", f"shop/app-{name}.eth0", podRef=pod, nodeName="worker-1", subnet="app")
    for step in (("make", *WEB), *taken):
        _take(world, step)
        _attach(world)
        _check(world)
    assert world.writes_of_a_second_look() == 0
