"""Objects that are being deleted: rules about what they name do not hold any more, or nothing could let go of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from tests.resources.outside import linger, network
from tests.resources.world import World

Break: TypeAlias = Callable[[World], None]


def _elastic_ip(world: World) -> None:
    """EIP-2."""
    world.create("ElasticIP", "shop/web", externalNetwork="edge")
    linger(world, "ElasticIP", "shop/web")
    world.force_delete("ExternalNetwork", "edge")


def _elastic_ip_attachment(world: World) -> None:
    """EIPA-5, EIPA-7."""
    pod = {"name": "app", "uid": "uid-of-app", "interface": "eth0"}
    world.create("ElasticIP", "shop/web", externalNetwork="edge")
    world.create("Subnet", "app", vpc="lab", cidr="10.90.0.0/24")
    world.create("NetworkInterface", "shop/app.eth0", podRef=pod, nodeName="worker-1", subnet="app")
    both = {"elasticIPRef": {"name": "web"}, "targetRef": {"networkInterfaceName": "app.eth0"}}
    world.create("ElasticIPAttachment", "shop/web", **both)
    linger(world, "ElasticIPAttachment", "shop/web")
    world.force_delete("ElasticIP", "shop/web")
    world.force_delete("NetworkInterface", "shop/app.eth0")


def _attachment_of_a_network(world: World) -> None:
    """ENA-5."""
    world.create("ExternalNetworkAttachment", "web", externalNetwork="edge", nodeName="worker-1")
    linger(world, "ExternalNetworkAttachment", "web")
    world.force_delete("ExternalNetwork", "edge")


def _network_without_its_pool(world: World) -> None:
    """EN-6."""
    linger(world, "ExternalNetwork", "edge")
    world.force_delete("AddressPool", "edge-pool")


def _network_that_shares_its_pool(world: World) -> None:
    """EN-12."""
    world.force_new("ExternalNetwork", "second", type="bgp", addressPools=["edge-pool"])
    linger(world, "ExternalNetwork", "second")


def _pool(world: World) -> None:
    """AP-13."""
    world.force_new("AddressPool", "web", advertiseMode="bgp", addresses=["203.0.113.0/29"])
    world.force(world.get("AddressPool", "web").with_metadata(finalizers=("example.com/hold",)))
    world.delete("AddressPool", "web")


CASES: list[tuple[str, str, Break]] = [
    ("ElasticIP", "shop/web", _elastic_ip),
    ("ElasticIPAttachment", "shop/web", _elastic_ip_attachment),
    ("ExternalNetworkAttachment", "web", _attachment_of_a_network),
    ("ExternalNetwork", "edge", _network_without_its_pool),
    ("ExternalNetwork", "second", _network_that_shares_its_pool),
    ("AddressPool", "web", _pool),
]


@pytest.mark.parametrize(("kind", "name", "breaks"), CASES, ids=[breaks.__name__[1:] for _, _, breaks in CASES])
def test_what_is_being_deleted_can_be_changed_whatever_it_names(
    world: World, kind: str, name: str, breaks: Break
) -> None:
    """A label is written to an object that would be refused if it were to stay."""
    world.create("Namespace", "shop")
    network(world, "edge")
    breaks(world)
    assert world.get(kind, name).deleting
    world.write(world.get(kind, name).with_metadata(labels={"still": "here"}))
    assert world.get(kind, name).metadata.labels == {"still": "here"}
