"""Objects whose names are nearly as long as names may be."""

from __future__ import annotations

from tests.resources.world import World

from juneau.engine.names import is_dns_subdomain
from juneau.resources.networkendpoint import node_endpoint_name

LONG = "s" * 248


def test_names_that_leave_no_room_for_a_prefix_work(world: World) -> None:
    """What is made for an object is named after it, cut where that would be too long, and no two are one."""
    world.create("Vpc", LONG, endpointPool={"cidrs": ["10.60.0.0/24"]})
    for name, place in ((LONG, 61), (f"{LONG}t", 62)):
        world.create("Subnet", name, vpc=LONG, cidr=f"10.{place}.0.0/24")
        world.create("L2Network", name, vpc=LONG, cidr=f"10.{place}.1.0/24")
        for kind in ("Subnet", "L2Network"):
            assert world.ready(kind, name) == ("Ready", "True", "ReconcileSucceeded")
    pools = {pool.name: pool.spec.ip.cidrs for pool in world.cache.objects["AllocationPool"].values() if pool.spec.ip}
    mine = [name for name, cidrs in pools.items() if cidrs[0].startswith("10.6")]
    assert len(mine) == 5
    assert all(map(is_dns_subdomain, mine))


def test_the_endpoint_of_a_node_with_a_long_name_has_a_name() -> None:
    """Two such Nodes have two."""
    names = [node_endpoint_name(f"{LONG}{more}") for more in ("", "a", "b")]
    assert all(map(is_dns_subdomain, names))
    assert len(set(names)) == 3


def test_a_nic_of_a_network_with_a_long_name_has_an_address(world: World) -> None:
    """Its claim draws from the pool by its cut name."""
    world.create("Subnet", LONG, vpc="lab", cidr="10.61.0.0/24")
    ref = {"name": "gw", "uid": "77c2", "interface": "eth0"}
    world.create("Namespace", "default")
    world.create("NetworkInterface", "default/gw.eth0", podRef=ref, nodeName="worker-1", subnet=LONG,
                 allocationIdentity="vmi.gw")  # fmt: skip
    assert world.status("NetworkInterface", "default/gw.eth0").address == "10.61.0.4/24"
