"""Pods with an extra NIC on an ElasticIP of an ExternalNetwork of type arp: from nothing until each is answered for."""

from __future__ import annotations

import json
import sys
from ipaddress import IPv4Network
from typing import Any

from attrs import frozen

from bench.measure import Figure, hand_over, resident_mib, seconds
from bench.pods import SUBNET, document
from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.clock import VirtualClock
from juneau.engine.collector import tune_collector
from juneau.lab.immediate import run
from juneau.lab.lab import Lab

# Room for the Nodes, and for thousands of addresses that they answer for.
UNDERLAY = IPv4Network("10.225.0.0/16")
ADDRESSES = "10.225.64.1-10.225.95.254"
NETWORK = "lan"


@frozen
class Counts:
    """What was done in a lab up to some point; `writes` are those of all, `own_writes` the controllers'."""

    steps: int
    own_writes: int
    writes: int

    @classmethod
    def of(cls, lab: Lab) -> Counts:
        """Up to now."""
        # The resourceVersion counts up with each write.
        version = int(run(lab.store.list("Lease")).resource_version)
        return cls(lab.loop.steps_taken, lab.loop.writes_made, version)

    def since(self, before: Counts) -> list[tuple[str, int]]:
        """What was done between the two."""
        return [
            ("steps", self.steps - before.steps),
            ("controllers' writes", self.own_writes - before.own_writes),
            ("all writes", self.writes - before.writes),
        ]


def lab_with_outside() -> Lab:
    """A lab with a Vpc, a Subnet and an ExternalNetwork."""
    clock = VirtualClock(1_767_225_600.0)
    lab = run(Lab.start(SimulatedDriver.site(clock, underlay=UNDERLAY), clock, underlay=UNDERLAY))
    for made in (
        document("Vpc", "app", {}),
        document("Subnet", SUBNET, {"vpc": "app", "cidr": "10.64.0.0/16"}),
        document("AddressPool", NETWORK, {"advertiseMode": "arp", "addresses": [ADDRESSES]}),
        document("ExternalNetwork", NETWORK, {"type": "arp", "addressPools": [NETWORK]}),
    ):
        run(lab.apply(made))
    run(lab.settle())
    return lab


def elastic_ip(number: int) -> dict[str, Any]:
    """An ElasticIP of the network."""
    return document("ElasticIP", f"eip-{number}", {"externalNetwork": NETWORK})


def pod_on(number: int, node: str = "") -> dict[str, Any]:
    """A Pod with its eth0 on the Subnet and its eth1 on the ElasticIP of that number."""
    nics = [{"interface": "eth0", "subnet": SUBNET}, {"interface": "eth1", "elasticIP": f"eip-{number}"}]
    spec: dict[str, Any] = {"containers": []}
    if node:
        spec["nodeName"] = node
    return document("Pod", f"pod-{number}", spec, networks=json.dumps(nics))


def fill(lab: Lab, numbers: range, node: str = "") -> None:
    """ElasticIPs, and Pods that have them; until all is at rest."""
    for number in numbers:
        run(lab.apply(elastic_ip(number)))
        run(lab.apply(pod_on(number, node)))
    run(lab.settle())


def check(lab: Lab, count: int, node: str = "") -> None:
    """Each of them is in use and announced, all by that Node if one is given."""
    ready = sum(eip.status.phase == "Attached" for eip in lab.list("ElasticIP"))
    announced = [
        ad for ad in lab.list("ARPAdvertisement") if ad.status.phase == "Ready" and node in ("", ad.spec.node_name)
    ]
    if (ready, len(announced)) != (count, count):
        raise SystemExit(f"of {count} ElasticIPs {ready} are Attached, and {len(announced)} are answered for")


def main(count: int) -> None:
    """Measure with this many."""
    lab = lab_with_outside()
    tune_collector()
    before = Counts.of(lab)
    duration = seconds(lambda: fill(lab, range(count)))
    check(lab, count)
    group = f"{count:,} ElasticIPs"
    hand_over(
        [
            Figure(group, "nothing to Ready", duration, "s"),
            Figure(group, "per ElasticIP", duration / count * 1e6, "us"),
            Figure(group, "resident", resident_mib(), "MiB"),
            *(
                Figure(group, f"{name} per ElasticIP", value / count, "")
                for name, value in Counts.of(lab).since(before)
            ),
        ]
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
