"""ADD of a Pod whose NICs carry ElasticIPs."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Any

import pytest

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.errors import CNIError, CNIErrorCode
from juneau.engine.objects import Key
from juneau.lab.immediate import run
from juneau.lab.lab import Lab

POD = Key("Pod", "default", "gw")
FIRST, EXTRA = IPv4Network("203.0.113.1/32"), IPv4Network("203.0.113.2/32")


@pytest.fixture
def lab() -> Lab:
    """A Pod that is attached, with eth0 and eth1 on an ElasticIP each."""
    clock = VirtualClock(1_700_000_000.0)
    made = run(Lab.start(SimulatedDriver.site(clock), clock, ("worker-1",)))
    annotations = {
        "juneau.loutres.me/elastic-ip": "first",
        "juneau.loutres.me/networks": '[{"interface": "eth1", "elasticIP": "extra"}]',
    }
    for kind, name, spec, more in (
        ("AddressPool", "pool", {"advertiseMode": "bgp", "addresses": ["203.0.113.0/28"]}, {}),
        ("ExternalNetwork", "edge", {"type": "bgp", "addressPools": ["pool"]}, {}),
        ("ElasticIP", "first", {"externalNetwork": "edge"}, {}),
        ("ElasticIP", "extra", {"externalNetwork": "edge"}, {}),
        ("Pod", "gw", {"nodeName": "worker-1"}, {"annotations": annotations}),
    ):
        apply(made, kind, name, spec, more)
    return made


def apply(lab: Lab, kind: str, name: str, spec: dict[str, Any], more: dict[str, Any]) -> None:
    api_version = lab.registry[kind].api_version
    run(lab.apply({"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **more}, "spec": spec}))
    run(lab.settle())


def node_routes(lab: Lab) -> set[IPv4Network]:
    return {route.dst for route in lab.site.routes("worker-1", "worker-1")} & {FIRST, EXTRA}


def test_only_the_first_nic_has_a_route_on_the_node(lab: Lab) -> None:
    """ADD-6, and DEL takes it away again."""
    assert node_routes(lab) == {FIRST}
    sandbox = lab.kubelets.sandboxes[POD]
    run(lab.kubelets.cni["worker-1"].remove(POD, sandbox.uid, sandbox.container_id))
    assert node_routes(lab) == set()


def test_the_endpoints_name_the_network(lab: Lab) -> None:
    """NetworkEndpoint `externalNetwork`: its number is the segment."""
    for nic, prefix in (("gw.eth0", FIRST), ("gw.eth1", EXTRA)):
        spec = run(lab.store.get(Key("NetworkEndpoint", "default", nic))).spec
        assert (spec.external_network, spec.subnet, spec.l2_network, spec.address) == ("edge", "", "", str(prefix))


def test_a_nic_whose_elastic_ip_is_gone_is_not_attached(lab: Lab) -> None:
    """The runtime comes again; what was made so far is taken back."""
    sandbox = lab.kubelets.sandboxes[POD]
    server = lab.kubelets.cni["worker-1"]
    run(server.remove(POD, sandbox.uid, sandbox.container_id))
    extra = run(lab.store.get(Key("ElasticIP", "default", "extra")))
    lab.cache.drop(extra)
    with pytest.raises(CNIError, match="ElasticIP extra") as refused:
        run(server.add(POD, sandbox.uid, sandbox.container_id))
    assert refused.value.code is CNIErrorCode.TRY_AGAIN_LATER
    assert node_routes(lab) == set()


def test_a_nic_that_waits_for_its_elastic_ip_is_not_attached(lab: Lab) -> None:
    """ADD-2: the sandbox of a Pod that has lost it cannot be made anew."""
    names = {"elasticIPRef": {"name": "extra"}, "targetRef": {"networkInterfaceName": "other.eth0"}}
    chain, lab.store.admission = lab.store.admission, ()
    apply(lab, "ElasticIPAttachment", "nat", names, {})
    lab.store.admission = chain
    sandbox = lab.kubelets.sandboxes[POD]
    with pytest.raises(CNIError, match="ElasticIPAttachment nat") as refused:
        run(lab.kubelets.cni["worker-1"].add(POD, sandbox.uid, "ba9876543210"))
    assert refused.value.code is CNIErrorCode.TRY_AGAIN_LATER
