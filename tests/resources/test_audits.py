"""What audits of the Kinds find in a picture of a cluster in which nothing moves, and what they do not mind."""

from __future__ import annotations

from typing import Any

import yaml

from juneau.engine.audit import findings, picture
from juneau.engine.convert import decode
from juneau.engine.settings import Settings
from juneau.resources import registry

POOL = """
kind: AllocationPool
metadata: {name: pool}
spec: {type: ip, strategy: firstFit, ip: {cidrs: [10.0.0.0/29], excluded: [10.0.0.1]}}
"""
CLAIM = """
kind: AllocationClaim
metadata: {name: mine, finalizers: [allocationclaim.juneau.loutres.me/lease]}
spec:
  poolRefs: [{name: pool}]
  resourceRef: {apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, name: shop}
  attribute: status.address
status: {phase: Allocated, value: {ip: 10.0.0.2}}
"""
LEASE = """
kind: AllocationLease
metadata: {name: mine}
spec: {poolRef: {name: pool}, value: {ip: 10.0.0.2}, claimRef: {name: mine}}
status: {phase: Active}
"""
VPC = """
kind: Vpc
metadata: {name: shop}
"""
NIC = """
kind: NetworkInterface
metadata: {name: app.eth0, namespace: prod}
spec: {podRef: {uid: u1, name: app, interface: eth0}, nodeName: n1, subnet: web}
status: {address: 10.0.0.2/29, allocationClaim: mine}
"""
ENDPOINT = """
kind: NetworkEndpoint
metadata: {name: app.eth0, namespace: prod}
spec:
  kind: Pod
  nodeName: n1
  subnet: web
  address: 10.0.0.2/29
  macAddress: "02:00:00:00:00:01"
  podRef: {uid: u1, name: app, interface: eth0}
"""
EXTERNAL = """
kind: AddressPool
metadata: {name: p1}
spec: {advertiseMode: arp, addresses: [192.0.2.10-192.0.2.19]}
---
kind: ExternalNetwork
metadata: {name: ext}
spec: {type: arp, addressPools: [p1]}
status: {networkID: 4097}
"""
EIP = """
kind: ElasticIP
metadata: {name: www, namespace: prod}
spec: {externalNetwork: ext}
status: {address: 192.0.2.10, addressPool: p1}
"""
ATTACHMENT = """
kind: ExternalNetworkAttachment
metadata: {name: ext--n1}
spec: {externalNetwork: ext, nodeName: n1}
status: {assignedIP: 192.0.2.10, addressPool: p1}
"""


def document(text: str, **changes: Any) -> list[Any]:
    """The documents of a text, with fields by their paths (`spec__value`) replaced in each."""
    made: list[Any] = []
    for one in yaml.safe_load_all(text):
        one.setdefault("apiVersion", "juneau.loutres.me/v1alpha1")
        for path, value in changes.items():
            *way, last = path.split("__")
            at = one
            for part in way:
                at = at.setdefault(part, {})
            at[last] = value
        made.append(one)
    return made


def found(*parts: str | list[Any]) -> list[str]:
    """What is wrong, of whom and at which field; the rules of references to what is not told of here are left out."""
    documents = [one for part in parts for one in (part if isinstance(part, list) else document(part))]
    kinds = registry()
    objects = [decode(kinds, one, with_status=True) for one in documents]
    told = findings(picture(kinds, Settings(), objects))
    mine = [finding for finding in told if finding.violation.repair]
    return [f"{finding.key} {finding.violation.field}: {finding.violation.message}" for finding in mine]


def test_a_claim_with_its_lease_is_as_it_should_be() -> None:
    """Nothing is found while pool, claim, lease and owner fit."""
    assert found(POOL, CLAIM, LEASE, VPC) == []


def test_a_claim_whose_owner_is_gone() -> None:
    """It keeps a value for nobody; of a Kind that cannot be looked up nothing is known."""
    assert found(POOL, CLAIM, LEASE) == [
        "AllocationClaim/mine spec.resourceRef: Vpc shop, which the value is for, does not exist"
    ]
    strange = {"apiVersion": "example.com/v1", "kind": "Vpc", "name": "shop"}
    assert found(POOL, document(CLAIM, spec__resourceRef=strange), LEASE) == []


def test_a_claim_without_a_lease() -> None:
    """Nothing keeps its value once it is gone; one that took it without a lease needs none."""
    (told,) = found(POOL, CLAIM, VPC)
    assert told.startswith("AllocationClaim/mine status.value: there is no AllocationLease mine")
    chosen = {"juneau.loutres.me/chosen": "pool/167772162"}
    assert found(POOL, document(CLAIM, metadata__annotations=chosen), VPC) == []


def test_a_claim_whose_lease_has_another_value() -> None:
    """Both are named."""
    assert found(POOL, CLAIM, document(LEASE, spec__value={"ip": "10.0.0.3"}), VPC) == [
        "AllocationClaim/mine status.value: AllocationLease mine has 10.0.0.3"
    ]


def test_a_value_outside_of_its_pool_or_excluded_from_it() -> None:
    """An address that is only not handed out by itself, such as that of the prefix, is none of both."""

    def of(ip: str) -> list[str]:
        return found(POOL, document(CLAIM, status__value={"ip": ip}), document(LEASE, spec__value={"ip": ip}), VPC)

    assert of("10.0.0.9") == ["AllocationClaim/mine status.value: lies outside of AllocationPool pool"]
    assert of("10.0.0.1") == ["AllocationClaim/mine status.value: is excluded from AllocationPool pool"]
    assert of("10.0.0.0") == []


def test_a_value_that_two_have() -> None:
    """Both claims are told, and each names the other and its lease."""
    other = (
        document(CLAIM, metadata__name="theirs"),
        document(LEASE, metadata__name="theirs", spec__claimRef={"name": "theirs"}),
    )
    assert found(POOL, CLAIM, LEASE, VPC, *other) == [
        "AllocationClaim/mine status.value: AllocationClaim theirs has it too",
        "AllocationClaim/mine status.value: AllocationLease theirs has it too",
        "AllocationClaim/theirs status.value: AllocationClaim mine has it too",
        "AllocationClaim/theirs status.value: AllocationLease mine has it too",
    ]


def test_claims_of_one_reservation_have_one_value() -> None:
    """They share it by a key, and so do the objects that live by it."""
    first = document(CLAIM, spec__reuseKey="mine")
    second = document(CLAIM, metadata__name="other", spec__reuseKey="mine")
    assert found(POOL, first, second, LEASE, VPC) == []


def test_equal_numbers_of_two_pools_are_two_values() -> None:
    """A claim that lists several pools has its number from the one that its lease names."""
    numbers = [document(POOL, metadata__name=name, spec={"type": "number", "number": {"min": 1, "max": 9}})
               for name in ("pool", "spare")]  # fmt: skip
    both = [{"name": "pool"}, {"name": "spare"}]
    mine = document(CLAIM, spec__poolRefs=both, status__value={"number": 5}), document(LEASE, spec__value={"number": 5})
    theirs = (
        document(CLAIM, metadata__name="b", spec__poolRefs=[both[1]], status__value={"number": 5}),
        document(
            LEASE, metadata__name="b", spec={"poolRef": both[1], "value": {"number": 5}, "claimRef": {"name": "b"}}
        ),
    )
    assert found(*numbers, *mine, *theirs, VPC) == []


def test_a_lease_of_nobody_that_does_not_run_out() -> None:
    """One that runs out, or that something keeps, is as it should be."""
    assert found(POOL, LEASE) == [
        "AllocationLease/mine status.phase: no AllocationClaim holds it, and its time does not run"
    ]
    for phase in ("Released", "Retained"):
        assert found(POOL, document(LEASE, status__phase=phase)) == []


def test_a_lease_that_runs_out_while_it_is_held() -> None:
    """The claim that holds it is named."""
    assert found(POOL, CLAIM, VPC, document(LEASE, status__phase="Released")) == [
        "AllocationLease/mine status.phase: its time runs, while AllocationClaim mine holds it"
    ]


def test_two_leases_of_one_value() -> None:
    """Where no claim holds them, both are told."""
    held = document(LEASE, status__phase="Released"), document(LEASE, metadata__name="b", status__phase="Released")
    assert found(POOL, *held) == [
        "AllocationLease/b spec.value: AllocationLease mine has it too",
        "AllocationLease/mine spec.value: AllocationLease b has it too",
    ]


def test_a_lease_of_a_pool_that_is_gone() -> None:
    """With an owner reference it should have gone with the pool."""
    released = document(LEASE, status__phase="Released")
    assert found(released) == ["AllocationLease/mine spec.poolRef: there is no AllocationPool pool"]
    owner = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "AllocationPool", "name": "pool", "uid": "u"}
    owned = document(LEASE, status__phase="Released", metadata__ownerReferences=[owner])
    assert found(owned) == [
        "AllocationLease/mine metadata.ownerReferences: goes with AllocationPool pool, which is gone"
    ]


def test_a_number_that_differs_from_the_claims() -> None:
    """The field of the object is named, and what its claim has."""
    claim = "vpc-id--vpc--shop--status-vpcid"
    pool = document(POOL, metadata__name="vpc-id", spec={"type": "number", "number": {"min": 1, "max": 9}})
    held = document(CLAIM, metadata__name=claim, spec__poolRefs=[{"name": "vpc-id"}], status__value={"number": 7})
    lease = document(LEASE, metadata__name=claim, spec={"poolRef": {"name": "vpc-id"}, "value": {"number": 7},
                                                        "claimRef": {"name": claim}})  # fmt: skip
    assert found(pool, held, lease, document(VPC, status={"vpcID": 7})) == []
    assert found(pool, held, lease, document(VPC, status={"vpcID": 8})) == [
        f"Vpc/shop status.vpcID: AllocationClaim {claim} has 7"
    ]


def test_a_nic_whose_address_differs_from_its_claims_and_its_endpoints() -> None:
    """Its claim and its NetworkEndpoint are named, each with what it has."""
    ref = {
        "apiVersion": "juneau.loutres.me/v1alpha1",
        "kind": "NetworkInterface",
        "name": "app.eth0",
        "namespace": "prod",
    }
    claim = document(CLAIM, spec__resourceRef=ref)
    assert found(POOL, claim, LEASE, NIC, ENDPOINT) == []
    assert found(POOL, claim, LEASE, document(NIC, status__address="10.0.0.3/29"), ENDPOINT) == [
        "NetworkInterface/prod/app.eth0 status.address: AllocationClaim mine has 10.0.0.2",
        "NetworkInterface/prod/app.eth0 status.address: its NetworkEndpoint, and so the Pod, has 10.0.0.2",
    ]
    (told,) = found(POOL, claim, LEASE, NIC, document(ENDPOINT, spec__address=""))
    assert told.endswith("its NetworkEndpoint, and so the Pod, has no address")


def test_an_endpoint_of_no_interface() -> None:
    """Those of Nodes belong to none."""
    assert found(ENDPOINT) == [
        "NetworkEndpoint/prod/app.eth0 metadata.name: there is no NetworkInterface app.eth0 that it is the interface of"
    ]
    node = document(ENDPOINT, spec={"kind": "Node", "nodeName": "n1", "subnet": "default"})
    assert found(node) == []


def test_finalizers_whose_cause_is_gone() -> None:
    """Of a claim without its lease, of a NIC or an ElasticIP without its claim, of what is granted to no Node."""
    going = {"metadata__deletionTimestamp": "2026-01-01T00:00:00Z"}

    def held_by(kind: str) -> dict[str, Any]:
        return {**going, "metadata__finalizers": [f"{kind}.juneau.loutres.me/allocation-claim"]}

    ad = """
        kind: ARPAdvertisement
        metadata: {name: eip-prod-www, finalizers: [arpadvertisement.juneau.loutres.me/withdrawn]}
        spec: {externalNetwork: ext, address: 192.0.2.10, nodeName: n1}
        """
    nic = document(NIC, **held_by("networkinterface"), status__allocationClaim="x")
    told = found(EXTERNAL, document(CLAIM, **going), nic, document(EIP, **held_by("elasticip")))
    assert [line.partition(": ")[0] for line in told] == [
        "AllocationClaim/mine metadata.finalizers",
        "ElasticIP/prod/www metadata.finalizers",
        "NetworkInterface/prod/app.eth0 metadata.finalizers",
    ]
    (withdrawn,) = found(EXTERNAL, document(ad, **going))
    assert withdrawn.startswith("ARPAdvertisement/eip-prod-www metadata.finalizers: ")
    assert found(EXTERNAL, document(ad, **going, status={"grant": {"nodeName": "n1", "term": 1}})) == []


def test_finalizers_that_still_wait_for_something_are_as_they_should_be() -> None:
    """A claim that is being deleted may still have its lease to give back."""
    assert found(POOL, document(CLAIM, metadata__deletionTimestamp="2026-01-01T00:00:00Z"), LEASE) == []


def test_an_address_from_outside_that_is_in_no_pool() -> None:
    """Of an ElasticIP, and of an ExternalNetworkAttachment."""
    assert found(EXTERNAL, EIP) == []
    why = "lies in no AddressPool of ExternalNetwork ext, so nobody outside reaches it"
    assert found(EXTERNAL, document(EIP, status__address="192.0.2.77")) == [f"ElasticIP/prod/www status.address: {why}"]
    attachment = """
        kind: ExternalNetworkAttachment
        metadata: {name: ext--n1}
        spec: {externalNetwork: ext, nodeName: n1}
        status: {assignedIP: 192.0.2.77}
        """
    assert found(EXTERNAL, attachment) == [f"ExternalNetworkAttachment/ext--n1 status.assignedIP: {why}"]


def test_an_advertisement_of_an_address_that_nobody_has() -> None:
    """That of an ElasticIP which has given it away is as it should be."""
    ad = """
        kind: ARPAdvertisement
        metadata: {name: eip-prod-www}
        spec: {externalNetwork: ext, address: 192.0.2.10, nodeName: n1}
        """
    why = "no ElasticIP of ExternalNetwork ext has given this address to anybody"
    assert found(EXTERNAL, EIP, ad) == [f"ARPAdvertisement/eip-prod-www spec.address: {why}"]
    used = document(EIP, status__attachment={"kind": "NetworkInterface", "name": "app.eth0"})
    carrier = document(NIC, spec__subnet="", spec__elasticIP="www", status={})
    assert found(EXTERNAL, used, carrier, ad) == []


def test_an_address_from_outside_that_several_have() -> None:
    """Each is told of each other, whatever they are, also where no AllocationClaim tells."""
    twin, what = document(EIP, metadata__name="twin"), "ElasticIP/prod/www status.address"
    assert found(EXTERNAL, EIP, twin, ATTACHMENT) == [
        "ElasticIP/prod/twin status.address: ElasticIP prod/www has it too",
        "ElasticIP/prod/twin status.address: ExternalNetworkAttachment ext--n1 has it too",
        f"{what}: ElasticIP prod/twin has it too",
        f"{what}: ExternalNetworkAttachment ext--n1 has it too",
        "ExternalNetworkAttachment/ext--n1 status.assignedIP: ElasticIP prod/twin has it too",
        "ExternalNetworkAttachment/ext--n1 status.assignedIP: ElasticIP prod/www has it too",
    ]
    assert found(EXTERNAL, EIP, document(ATTACHMENT, status__assignedIP="192.0.2.11")) == []


def test_an_address_that_two_have_while_their_network_is_gone() -> None:
    """It is told by the AddressPool that each has written down, or by the one that has the address today."""
    twin = document(EIP, metadata__name="twin")
    assert [line.partition(": ")[2] for line in found(EIP, twin)] == [
        "ElasticIP prod/www has it too",
        "ElasticIP prod/twin has it too",
    ]
    elsewhere = document(EIP, metadata__name="twin", status__addressPool="gone")
    assert "ElasticIP/prod/twin status.address: ElasticIP prod/www has it too" in found(EXTERNAL, EIP, elsewhere)


def test_a_number_that_two_objects_have() -> None:
    """Also two of different Kinds whose numbers are from one pool."""
    network = document(EXTERNAL)[1]
    twin = {**network, "metadata": {"name": "twin"}, "spec": {"type": "arp", "addressPools": ["p2"]}}
    l2 = "{kind: L2Network, metadata: {name: floor}, spec: {vpc: shop}, status: {vni: 4097}}"
    told = found(EXTERNAL, [twin], l2)
    assert told == [
        "ExternalNetwork/ext status.networkID: ExternalNetwork twin has it too",
        "ExternalNetwork/ext status.networkID: L2Network floor has it too",
        "ExternalNetwork/twin status.networkID: ExternalNetwork ext has it too",
        "ExternalNetwork/twin status.networkID: L2Network floor has it too",
        "L2Network/floor status.vni: ExternalNetwork ext has it too",
        "L2Network/floor status.vni: ExternalNetwork twin has it too",
    ]


def test_a_value_that_is_kept_for_its_owner_is_nobody_elses() -> None:
    """Neither by its claim and lease, nor by what may still be answered for."""
    ref = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "ElasticIP", "name": "www", "namespace": "prod"}
    value = {"ip": "192.0.2.10"}
    pool = document(POOL, metadata__name="addr-p1", spec__ip={"ranges": [{"start": "192.0.2.10", "end": "192.0.2.19"}]})
    claim = document(
        CLAIM, metadata__name="mine", spec__poolRefs=[{"name": "addr-p1"}], spec__resourceRef=ref, status__value=value
    )
    lease = document(LEASE, spec__poolRef={"name": "addr-p1"}, spec__value=value)
    ad = """
        kind: ARPAdvertisement
        metadata:
          name: eip-prod-www
          finalizers: [arpadvertisement.juneau.loutres.me/withdrawn]
          deletionTimestamp: "2026-01-01T00:00:00Z"
        spec: {externalNetwork: ext, address: 192.0.2.10, nodeName: n1}
        status: {addressPool: p1, grant: {nodeName: n1, term: 1}}
        """
    assert found(EXTERNAL, pool, claim, lease, EIP, ad) == []


def test_an_elastic_ip_that_is_with_nobody() -> None:
    """What its status names is gone, or names another one."""

    def held_by(kind: str, name: str) -> list[Any]:
        return document(EIP, status__attachment={"kind": kind, "name": name})

    field = "ElasticIP/prod/www status.attachment"
    assert found(EXTERNAL, held_by("NetworkInterface", "ghost")) == [f"{field}: there is no NetworkInterface ghost"]
    assert found(EXTERNAL, held_by("ElasticIPAttachment", "gone")) == [f"{field}: there is no ElasticIPAttachment gone"]
    other = f"{field}: NetworkInterface app.eth0 does not name this ElasticIP"
    assert other in found(EXTERNAL, held_by("NetworkInterface", "app.eth0"), document(NIC, status={}))
    direct = document(NIC, spec__subnet="", spec__elasticIP="www", status={})
    assert found(EXTERNAL, held_by("NetworkInterface", "app.eth0"), direct) == []
    attachment = """
        kind: ElasticIPAttachment
        metadata: {name: www, namespace: prod}
        spec: {elasticIPRef: {name: www}, targetRef: {networkInterfaceName: app.eth0}}
        """
    assert field not in "".join(found(EXTERNAL, held_by("ElasticIPAttachment", "www"), attachment))
