"""What Subnets and L2Networks have in common, where it is easy to get wrong."""

from __future__ import annotations

from typing import Any

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.objects import AnyObject
from juneau.lab.immediate import run
from juneau.lab.lab import Lab

UNRESOLVED = {"dst": "192.168.7.0/24", "via": {"type": "endpoint", "endpointName": "firewall.eth0"}}


def manifest(kind: str, name: str, spec: dict[str, Any], **annotations: str) -> dict[str, Any]:
    version = "v1" if kind == "Pod" else "juneau.loutres.me/v1alpha1"
    marks = {f"juneau.loutres.me/{key}": text for key, text in annotations.items()}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "annotations": marks}, "spec": spec}


def lab_with(*documents: dict[str, Any]) -> Lab:
    clock = VirtualClock()
    lab = run(Lab.start(SimulatedDriver.site(clock), clock))
    apply(lab, *documents)
    return lab


def apply(lab: Lab, *documents: dict[str, Any]) -> None:
    for document in documents:
        run(lab.apply(document))
        run(lab.settle())


def held(lab: Lab, kind: str, name: str) -> AnyObject:
    found = lab.get(kind, name)
    assert found is not None
    return found


def test_a_gateway_that_is_added_while_the_vpc_is_not_ready_is_not_given_to_a_workload() -> None:
    """A segment in use follows its spec, whatever its Vpc waits for: address and route of a new NIC fit the gateway."""
    lab = lab_with(
        manifest("Vpc", "lab", {}),
        manifest("L2Network", "floor", {"vpc": "lab", "cidr": "10.70.4.0/24"}),
        manifest("RouteTable", "lab", {"vpc": "lab", "routes": [UNRESOLVED]}),
        manifest("L2Network", "floor", {"vpc": "lab", "cidr": "10.70.4.0/24", "gateway": {}}),
        manifest("Pod", "crane", {}, networks='[{"interface": "eth0", "l2Network": "floor"}]'),
    )
    assert held(lab, "Vpc", "lab").status.phase == "Allocated"
    assert held(lab, "L2Network", "floor").status.gateway == "10.70.4.1"
    nic = held(lab, "NetworkInterface", "crane.eth0").status
    assert nic.address == "10.70.4.2/24"
    assert [route.gw for route in nic.routes] == ["10.70.4.1"]


def test_a_subnet_whose_route_table_is_gone_says_so() -> None:
    """Without its RouteTable it has no gateway in any dataplane, so it is not Ready."""
    lab = lab_with(
        manifest("Vpc", "lab", {}),
        manifest("RouteTable", "own", {"vpc": "lab"}),
        manifest("Subnet", "web", {"vpc": "lab", "cidr": "10.90.0.0/24", "routeTable": "own"}),
    )
    lab.store.admission = ()
    run(lab.delete(held(lab, "RouteTable", "own").key))
    run(lab.settle())
    assert held(lab, "Subnet", "web").status.phase == "Pending"


def test_a_route_table_of_another_vpc_leads_nowhere() -> None:
    """No packet leaves a Vpc by a table that was stored under the wrong name."""
    lab = lab_with(
        manifest("Vpc", "lab", {}),
        manifest("Vpc", "other", {}),
        manifest("Subnet", "there", {"vpc": "other", "cidr": "10.91.0.0/24"}),
        manifest("Pod", "target", {}, subnet="there"),
        manifest("Subnet", "web", {"vpc": "lab", "cidr": "10.90.0.0/24"}),
        manifest("Pod", "till", {}, subnet="web"),
    )
    subnet = held(lab, "Subnet", "web")
    lab.store.admission = ()
    run(lab.store.update(subnet.with_spec(route_table="other")))
    run(lab.settle())
    gateways = [row for row in lab.site.dump("worker-1", "subnet_map") if row["subnet_id"] == subnet.status.vni]
    assert [row["table_id"] for row in gateways] == [0]
