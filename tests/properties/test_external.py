"""Addresses from outside through whatever happens to their pools, networks, users, Nodes and controllers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.cluster import DAY, NODES, Cluster
from tests.properties.documents import GROUP, Document, document
from tests.properties.fsck import faults

from juneau.engine.objects import Key

TYPES = ("arp", "bgp")
EIPS = ("e0", "e1")
PODS = ("p0", "p1", "p2")


def pool(kind: str) -> Document:
    """So few addresses that they run out."""
    addresses = ["10.225.51.100-10.225.51.102"] if kind == "arp" else ["203.0.113.8/30"]
    return document("AddressPool", f"pool-{kind}", {"advertiseMode": kind, "addresses": addresses})


def network(kind: str) -> Document:
    return document("ExternalNetwork", f"net-{kind}", {"type": kind, "addressPools": [f"pool-{kind}"]})


def elastic_ip(name: str, kind: str) -> Document:
    return document("ElasticIP", name, {"externalNetwork": f"net-{kind}"}, "default")


def pod(name: str, node: str, eip: str, first: bool) -> Document:
    """A Pod with an ElasticIP on its eth0, or on an extra NIC beside one of a Subnet."""
    found = document("Pod", name, {"nodeName": node}, "default", core=True)
    direct = {"interface": "eth0" if first else "eth1", "elasticIP": eip}
    nics = [direct] if first else [{"interface": "eth0", "subnet": "s0"}, direct]
    found["metadata"]["annotations"] = {f"{GROUP}/networks": json.dumps(nics)}
    return found


def plain_pod(name: str, node: str) -> Document:
    found = document("Pod", name, {"nodeName": node}, "default", core=True)
    found["metadata"]["annotations"] = {f"{GROUP}/subnet": "s0"}
    return found


def attachment(name: str, eip: str, target: str) -> Document:
    spec = {"elasticIPRef": {"name": eip}, "targetRef": {"networkInterfaceName": f"{target}.eth0"}}
    return document("ElasticIPAttachment", name, spec, "default")


def gateway(kind: str) -> Document:
    return document("NATGateway", f"gw-{kind}", {"vpc": "red", "externalNetwork": f"net-{kind}"})


BASE: list[Document] = [
    document("Vpc", "red", {}),
    document("Subnet", "s0", {"vpc": "red", "cidr": "10.1.0.0/24"}),
    document("RouteTable", "red", {"vpc": "red", "routes": [{"dst": "0.0.0.0/0", "via": {"type": "internetGateway"}}]}),
    *(pool(kind) for kind in TYPES),
    *(network(kind) for kind in TYPES),
]

_TYPE, _EIP, _NODE = st.sampled_from(TYPES), st.sampled_from(EIPS), st.sampled_from(NODES)
_PUT = st.one_of(
    _TYPE.map(pool),
    _TYPE.map(network),
    _TYPE.map(gateway),
    st.builds(elastic_ip, _EIP, _TYPE),
    st.builds(pod, st.sampled_from(PODS), _NODE, _EIP, st.booleans()),
    st.builds(plain_pod, st.sampled_from(PODS), _NODE),
    st.builds(attachment, st.sampled_from(("a0", "a1")), _EIP, st.sampled_from(PODS)),
)
_REMOVE = st.one_of(
    st.builds(lambda name: Key("Pod", "default", name), st.sampled_from(PODS)),
    st.builds(lambda name: Key("ElasticIP", "default", name), _EIP),
    st.builds(lambda name: Key("ElasticIPAttachment", "default", name), st.sampled_from(("a0", "a1"))),
    st.builds(lambda kind: Key("NATGateway", "", f"gw-{kind}"), _TYPE),
    st.builds(lambda kind: Key("ExternalNetwork", "", f"net-{kind}"), _TYPE),
    st.builds(lambda kind: Key("AddressPool", "", f"pool-{kind}"), _TYPE),
    # By hand, behind everybody's back.
    st.builds(lambda name: Key("NetworkInterface", "default", f"{name}.eth1"), st.sampled_from(PODS)),
    st.builds(lambda name: Key("ARPAdvertisement", "", f"eip-default-{name}"), _EIP),
)
_EVENT = st.one_of(
    _PUT,
    _PUT,
    _REMOVE,
    st.integers(0, 12),  # die after so many more writes
    st.sampled_from((1.0, 20.0, 3600.0)),
    _NODE.map(lambda name: ("off" if name == NODES[0] else "away", name)),
    _NODE.map(lambda name: ("back", name)),
)


def _happen(cluster: Cluster, event: object) -> None:
    if isinstance(event, Key):
        cluster.remove(event)
    elif isinstance(event, float):
        cluster.pass_time(event)
    elif isinstance(event, int):
        cluster.mortal.left = event
    elif isinstance(event, tuple):
        what, name = event
        if what == "back" and name in cluster.away:
            cluster.bring_back(name)
        elif what == "away":
            cluster.cut_off(name)
        elif what == "off" and name not in cluster.away:
            cluster.switch_off(name)
    else:
        assert isinstance(event, dict)
        cluster.put(event)
    cluster.rest()


def _external_holders(cluster: Cluster) -> Iterator[tuple[str, str]]:
    """(address, who has it) of whatever has an address from outside."""
    for key, obj in cluster.objects().items():
        if key.kind == "ElasticIP" and obj.status.address:
            yield obj.status.address, str(key)
        if key.kind == "ExternalNetworkAttachment" and obj.status.assigned_ip:
            yield obj.status.assigned_ip, str(key)


def _carriers(cluster: Cluster) -> Counter[str]:
    """How many NICs carry each ElasticIP's address, and how many attachments translate it."""
    found: Counter[str] = Counter()
    for key, obj in cluster.objects().items():
        if key.kind == "NetworkInterface" and obj.spec.elastic_ip and obj.status.address:
            found[obj.status.address.partition("/")[0]] += 1
        if key.kind == "ElasticIPAttachment" and obj.status.phase == "Attached":
            found[obj.status.elastic_ip] += 1
    return found


def _judge(cluster: Cluster) -> None:
    """Nobody holds an address twice, and nobody shares one."""
    holders = list(_external_holders(cluster))
    doubled = [address for address, count in Counter(address for address, _ in holders).items() if count > 1]
    assert not doubled, [who for address, who in holders if address in doubled]
    assert all(count == 1 for count in _carriers(cluster).values()), _carriers(cluster)


def _come_back(cluster: Cluster) -> None:
    cluster.mortal.left = None
    for name in list(cluster.away):
        cluster.bring_back(name)
    cluster.rest()
    cluster.pass_time(30.0)


@given(st.lists(_EVENT, max_size=16), st.randoms(use_true_random=False))
@settings(max_examples=max(1, settings.default.max_examples // 2))
def test_nothing_is_held_twice_leaks_or_hangs(events: list[object], order: object) -> None:
    """And when all that users made is gone, in whatever order, nothing of it is left anywhere."""
    cluster = Cluster.new()
    before = {key for key in cluster.objects() if key.kind != "AllocationPool"}
    for made in BASE:
        cluster.put(made)
    cluster.rest()
    for event in events:
        _happen(cluster, event)
        _judge(cluster)
    _come_back(cluster)
    _judge(cluster)
    assert not faults(cluster.objects())
    writes = cluster.mortal.writes
    cluster.restart()
    cluster.rest()
    assert cluster.mortal.writes == writes, "a world at rest was written to"
    _tear_down(cluster, order)
    left = {str(key) for key in cluster.objects() if key.kind != "AllocationPool"} - {str(key) for key in before}
    assert not left
    assert not [key.name for key in cluster.objects() if key.kind == "AllocationPool" and key.name.startswith("addr-")]
    for table in ("external_address_pools", "external_arp_table", "elastic_ip_direct", "nat_dnat_map", "napt_src"):
        for name in NODES:
            assert not cluster.site.dump(name, table), (table, name)


def _tear_down(cluster: Cluster, order: object) -> None:
    """Delete what users made in a random order, again and again, since some wait for others."""
    kinds = ("Pod", "ElasticIP", "ElasticIPAttachment", "NATGateway", "ExternalNetwork", "AddressPool", "RouteTable",
             "Subnet", "Vpc")  # fmt: skip
    for _ in range(12):
        names = [key for key in cluster.objects() if key.kind in kinds and key.name != "default"]
        if not names:
            break
        order.shuffle(names)  # type: ignore[attr-defined]
        for key in names:
            cluster.remove(key)
            cluster.rest()
    cluster.pass_time(2 * DAY)


E1, E2 = elastic_ip("e0", "arp"), elastic_ip("e1", "arp")
STORIES: dict[str, tuple[Document | Key | float, ...]] = {
    "an ElasticIP passes from Pod to Pod, on another Node": (
        *BASE,
        E1,
        pod("p0", "worker-1", "e0", first=False),
        Key("Pod", "default", "p0"),
        pod("p1", "worker-2", "e0", first=True),
    ),
    "two Pods want one ElasticIP, and the first goes": (
        *BASE,
        pod("p0", "worker-1", "e0", first=False),
        pod("p1", "worker-2", "e0", first=False),
        E1,
        Key("Pod", "default", "p0"),
    ),
    "an attachment uses it, then a Pod, then all goes": (
        *BASE,
        E1,
        plain_pod("p2", "worker-1"),
        attachment("a0", "e0", "p2"),
        Key("ElasticIPAttachment", "default", "a0"),
        pod("p0", "worker-2", "e0", first=True),
        Key("ElasticIP", "default", "e0"),
        Key("Pod", "default", "p0"),
        Key("ExternalNetwork", "", "net-arp"),
        Key("AddressPool", "", "pool-arp"),
    ),
    "a NATGateway comes and goes": (
        *BASE,
        gateway("arp"),
        gateway("bgp"),
        Key("NATGateway", "", "gw-arp"),
        Key("ExternalNetwork", "", "net-arp"),
        Key("ExternalNetwork", "", "net-bgp"),
    ),
}


def _tell(story: tuple[Document | Key | float, ...], left: int | None) -> Cluster:
    cluster = Cluster.new()
    cluster.mortal.left, cluster.mortal.writes = left, 0
    for event in story:
        _happen(cluster, event)
        _judge(cluster)
    return cluster


def _end(cluster: Cluster) -> dict[str, object]:
    """What users see of it, but for addresses of Subnets, which were chosen freely."""
    seen = ("ElasticIP", "ElasticIPAttachment", "NetworkInterface", "ExternalNetwork", "NATGateway", "ARPAdvertisement",
            "ExternalNetworkAttachment", "Pod")  # fmt: skip
    return {
        str(key): (obj.status.phase, obj.status.address if key.kind == "ElasticIP" else "", obj.deleting)
        for key, obj in cluster.objects().items()
        if key.kind in seen
    }


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_crash_after_any_single_write_heals(story: tuple[Document | Key | float, ...]) -> None:
    """The controller dies once, after each of the writes in turn; the end is the same as if it had not."""
    smooth = _tell(story, None)
    expected = _end(smooth)
    for left in range(smooth.mortal.writes):
        broken = _tell(story, left)
        _come_back(broken)
        assert not faults(broken.objects()), f"after {left} writes"
        assert _end(broken) == expected, f"after {left} writes"
