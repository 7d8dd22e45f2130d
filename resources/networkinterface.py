"""NetworkInterface: one logical NIC of a Pod.

The PodController makes it from what the Pod asks for.
It carries the address, the routes and the rules that the CNI puts into the Pod's network namespace.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Interface

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Cause, Violation
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import is_dns_subdomain
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.outcome import Delete, Outcome, Write
from juneau.engine.world import Reader, contribution
from juneau.resources import allocationclaim
from juneau.resources.allocationclaim import RESERVED_BY, AllocationClaim
from juneau.resources.allocationlease import Value
from juneau.resources.allocationpool import holding
from juneau.resources.claiming import Claimed, claim_for, claim_waits
from juneau.resources.grouprefs import fit_violations, name_violations
from juneau.resources.networkendpoint import ENDPOINTS, NODE_ADDRESSES
from juneau.resources.networks import Network, address_violations, key_of, network_of
from juneau.resources.nicspec import (
    FIRST_INTERFACE,
    NICS_OF_POD,
    EffectiveGroup,
    NetworkInterface,
    NetworkInterfaceSpec,
    NetworkInterfaceStatus,
    NICRoute,
    pool_of,
    reservation_key,
)
from juneau.resources.policy import not_enforced, not_enforced_notes
from juneau.resources.rows import DELETING
from juneau.resources.rules import GROUP_MEMBERS, GROUPS

FINALIZER = "networkinterface.juneau.loutres.me/allocation-claim"


def validate(new: NetworkInterface, old: NetworkInterface | None, world: Reader) -> Iterator[Violation]:
    spec = new.spec
    named = [name for name in (spec.subnet, spec.l2_network, spec.elastic_ip) if name]
    if len(named) != 1:  # NIC-1
        yield Violation("spec", "exactly one of subnet, l2Network and elasticIP must be set", value=named or None)
    if spec.elastic_ip:
        yield from _elastic_ip_violations(spec)
    elif old is None:
        yield from _network_violations(spec, world)
    if spec.allocation_identity and not is_dns_subdomain(spec.allocation_identity):  # NIC-18
        why = "must be a DNS-1123 subdomain"
        yield Violation("spec.allocationIdentity", why, value=spec.allocation_identity)
    if new.deleting or spec.elastic_ip:  # NIC-30
        return
    yield from name_violations(spec.security_groups, "spec.securityGroups")
    yield from fit_violations(
        spec.security_groups, _network_of(spec, world), "spec.securityGroups", spec.pod_ref.interface, world
    )


def _elastic_ip_violations(spec: NetworkInterfaceSpec) -> Iterator[Violation]:
    if spec.address:  # NIC-2
        why = "the ElasticIP has the address, and the NIC cannot choose another; leave address out"
        yield Violation("spec.address", why, Cause.FORBIDDEN)
    if spec.security_groups:  # NIC-3
        why = "a NIC on an ElasticIP is in no Vpc, so no SecurityGroup can be attached; leave securityGroups out"
        yield Violation("spec.securityGroups", why, Cause.FORBIDDEN)


def _network_of(spec: NetworkInterfaceSpec, world: Reader) -> Network | None:
    return network_of(world, spec.subnet, spec.l2_network)


def _network_violations(spec: NetworkInterfaceSpec, world: Reader) -> Iterator[Violation]:
    net = _network_of(spec, world)
    key = key_of(spec.subnet, spec.l2_network)
    if net is None and key.name:  # NIC-6, NIC-7
        field = "spec.l2Network" if spec.l2_network else "spec.subnet"
        yield Violation(field, f"no such {key.kind}", Cause.NOT_FOUND, key.name, settled=False, audit_only=True)
    yield from address_violations(spec.address, net, "spec.address")


@frozen
class Facts:
    """What decides about a NIC."""

    obj: NetworkInterface
    network: Network | None
    claimed: Claimed  # nothing where no address is handed out
    attached_as: str | None  # the address of its endpoint, None without one
    node_exists: bool  # with an address, so that other nodes can send there
    groups: tuple[EffectiveGroup, ...]

    @property
    def address(self) -> str:
        """The address in CIDR form."""
        cidr = self.network.cidr if self.network is not None else None
        ip = self.claimed.ip
        return f"{ip}/{cidr.prefixlen}" if ip and cidr is not None else ""

    @property
    def network_key(self) -> Key:
        return key_of(self.obj.spec.subnet, self.obj.spec.l2_network)


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    nic: NetworkInterface = obj
    spec = nic.spec
    found = _network_of(spec, world)
    pod = spec.pod_ref
    attached = world.values(ENDPOINTS, (nic.namespace, pod.name, pod.uid, pod.interface))
    node_exists = not attached or bool(world.values(NODE_ADDRESSES, spec.node_name))
    wanted = _wanted_claim(nic, found, world) if found is not None and found.hands_out_addresses else None
    known = wanted.name if wanted is not None else nic.status.allocation_claim
    claim = world.get(allocationclaim.KIND, known) if known else None
    claimed = Claimed(claim, wanted, Value(ip=_ip(nic.status.address)))
    groups = _effective_groups(nic, found, world)
    return Facts(nic, found, claimed, attached[0] if attached else None, node_exists, groups)


def _ip(address: str) -> str:
    return address.partition("/")[0]


def _wanted_claim(nic: NetworkInterface, net: Network, world: Reader) -> AllocationClaim:
    """NIC-C2; a claim that somebody deleted is made again for the address that the NIC has."""
    return claim_for(world, nic, net.pool, "status.address").with_spec(
        requested_ip=nic.spec.address or _ip(nic.status.address),
        release_after=world.settings.address_lease,
        reuse_key=reservation_key(nic),
        retain_while=nic.spec.retain_while,
    )


def _effective_groups(nic: NetworkInterface, net: Network | None, world: Reader) -> tuple[EffectiveGroup, ...]:
    """NIC-C6: sorted by name, without those that are missing, in another Vpc, or have no number yet."""
    if net is None or not nic.spec.security_groups:
        return ()
    effective: list[EffectiveGroup] = []
    for name in sorted(nic.spec.security_groups):
        found = world.values(GROUPS, name)
        if found and found[0].vpc == net.vpc and found[0].group_id:
            effective.append(EffectiveGroup(name, found[0].group_id))
    return tuple(effective)


def _is_on_an_elastic_ip(facts: Facts) -> bool:
    return bool(facts.obj.spec.elastic_ip)


def _network_is_missing(facts: Facts) -> bool:
    return facts.network is None


def _prefix_is_unreadable(facts: Facts) -> bool:
    return facts.network is not None and bool(facts.network.cidr_fault)


def _address_is_outside(facts: Facts) -> bool:
    """The network was deleted and made again with another prefix; the Pod still has its address of the old one."""
    cidr = facts.network.cidr if facts.network is not None else None
    return bool(facts.address) and cidr is not None and IPv4Interface(facts.address).ip not in cidr


def _claim_is_not_judged(facts: Facts) -> bool:
    claimed = facts.claimed
    if claimed.wanted is None or facts.obj.status.address:
        return False
    return claimed.claim is None or claimed.claim.deleting or not claimed.reason


def _is_attached_as_another(facts: Facts) -> bool:
    """The Pod has one address, and its NIC another: packets for the latter would reach nobody, or somebody else."""
    return bool(facts.attached_as and facts.address) and _ip(facts.attached_as or "") != _ip(facts.address)


def _lacks_an_address(facts: Facts) -> bool:
    return facts.claimed.wanted is not None and facts.claimed.granted is None


def _pool_is_exhausted(facts: Facts) -> bool:
    return _lacks_an_address(facts) and facts.claimed.reason == "Pending"


def _allocation_failed(facts: Facts) -> bool:
    return _lacks_an_address(facts) and (not facts.address or facts.claimed.reason == "AllocationFailed")


def _endpoint_is_missing(facts: Facts) -> bool:
    return facts.attached_as is None


def _node_is_lost(facts: Facts) -> bool:
    return not facts.node_exists


def _elastic_ip_message(facts: Facts) -> str:
    return f"ElasticIP {facts.obj.spec.elastic_ip} does not exist; this version of Juneau has no ElasticIPs yet"


def _elastic_ip_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key("ElasticIP", facts.obj.namespace, facts.obj.spec.elastic_ip), "status.address"),)


def _network_message(facts: Facts) -> str:
    key = facts.network_key
    return f"{key.kind} {key.name} does not exist"


def _network_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(facts.network_key, "metadata", "does not exist"),)


def _network_spec_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(facts.network_key, "spec.cidr"),)


def _outside_message(facts: Facts) -> str:
    cidr = facts.network.cidr if facts.network is not None else None
    return f"{facts.address.partition('/')[0]} is not in {cidr}, which {facts.network_key} has now; delete the Pod"


def _prefix_message(facts: Facts) -> str:
    fault = facts.network.cidr_fault if facts.network is not None else ""
    return f"spec.cidr of {facts.network_key.kind} {facts.network_key.name} cannot be read: {fault}"


def _other_address_message(facts: Facts) -> str:
    return f"NetworkEndpoint has {_ip(facts.attached_as or '')}, the claim {_ip(facts.address)}; delete the Pod"


def _node_message(facts: Facts) -> str:
    return f"Node {facts.obj.spec.node_name} is gone, or has no InternalIP"


def _node_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key("Node", "", facts.obj.spec.node_name), "status.addresses", "no InternalIP"),)


def _endpoint_message(facts: Facts) -> str:
    return f"no NetworkEndpoint yet: Node {facts.obj.spec.node_name} has not attached the interface"


def _endpoint_waits(facts: Facts) -> tuple[Wait, ...]:
    key = Key("NetworkEndpoint", facts.obj.namespace, facts.obj.name)
    return (Wait(key, "metadata", f"Node {facts.obj.spec.node_name} attaches it"),)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        Row(_is_on_an_elastic_ip, Phase.PENDING, "NetworkNotReady", _elastic_ip_message, _elastic_ip_waits),
        Row(_network_is_missing, Phase.PENDING, "AllocationFailed", _network_message, _network_waits),
        Row(_prefix_is_unreadable, Phase.FAILED, "InvalidNetworkCIDR", _prefix_message, _network_spec_waits),
        Row(_address_is_outside, Phase.FAILED, "AllocationFailed", _outside_message),
        Row(_is_attached_as_another, Phase.FAILED, "AllocationFailed", _other_address_message),
        Row(_claim_is_not_judged, Phase.PENDING, "Allocating", waits=claim_waits),
        Row(_pool_is_exhausted, Phase.PENDING, "SubnetExhausted", lambda facts: facts.claimed.why, claim_waits),
        Row(_allocation_failed, Phase.FAILED, "AllocationFailed", lambda facts: facts.claimed.why, claim_waits),
        Row(_endpoint_is_missing, Phase.ALLOCATED, "WaitingForInterface", _endpoint_message, _endpoint_waits),
        Row(_node_is_lost, Phase.ALLOCATED, "NodeNotFound", _node_message, _node_waits),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    nic = facts.obj
    if nic.deleting:
        kept = tuple(name for name in nic.metadata.finalizers if name != FINALIZER)
        conditions = {"Allocated": (False, verdict.reason, verdict.message)}
        return Outcome(verdict, nic.status, conditions, tuple(_release(facts)), kept)
    policy = _policy(facts)
    conditions = {**not_enforced(nic, policy), "Allocated": _allocated(facts, verdict)}
    finalizers = (*(name for name in nic.metadata.finalizers if name != FINALIZER), FINALIZER)
    return Outcome(verdict, _status(facts), conditions, facts.claimed.writes, finalizers, not_enforced_notes(policy))


def _status(facts: Facts) -> NetworkInterfaceStatus:
    """What the Pod has stays as it is while the network is gone, or no longer fits it."""
    is_gone = facts.network is None and not facts.obj.spec.elastic_ip
    if is_gone or _prefix_is_unreadable(facts) or _address_is_outside(facts) or _is_attached_as_another(facts):
        return facts.obj.status
    return evolve(
        facts.obj.status,
        address=facts.address,
        routes=_routes(facts),
        rules=(),
        allocation_claim=facts.claimed.wanted.name if facts.claimed.wanted is not None else "",
        effective_security_groups=facts.groups,
    )


def _policy(facts: Facts) -> str:
    names = facts.obj.spec.security_groups
    return f"SecurityGroup {', '.join(names)}" if names else ""


def _allocated(facts: Facts, verdict: Verdict) -> tuple[bool, str, str]:
    """The condition Allocated; where it is False it has the reason of the verdict, but for a missing network."""
    if verdict.phase in (Phase.ALLOCATED, Phase.READY):
        return (True, "AllocationSucceeded", "")
    missing = facts.network is None and not facts.obj.spec.elastic_ip
    return (False, "NetworkNotFound" if missing else verdict.reason, verdict.message)


def _release(facts: Facts) -> Iterator[Write]:
    """NIC-C8: the claim goes, its lease lives on."""
    claim, nic = facts.claimed.claim, facts.obj
    if claim is not None and not claim.deleting and claim.spec.resource_ref.key == nic.key:
        yield Delete(claim.key, claim.metadata.uid)


def _routes(facts: Facts) -> tuple[NICRoute, ...]:
    """NIC-R1, R2, R4: the default route of the first NIC, and no other."""
    net = facts.network
    if facts.obj.spec.pod_ref.interface != FIRST_INTERFACE or net is None or not net.gateway:
        return ()
    return (NICRoute("0.0.0.0/0", net.gateway),)


def _of_pod(nic: NetworkInterface) -> Iterator[tuple[Hashable, Key]]:
    yield (nic.spec.pod_ref.uid, nic.key)


def _group_members(nic: NetworkInterface) -> Iterator[tuple[Hashable, tuple[str, str]]]:
    for name in nic.spec.security_groups:
        yield (name, (nic.namespace, nic.name))


def _addresses(nic: NetworkInterface) -> Iterator[tuple[str, int]]:
    """What nobody else may be given; a NIC that is being deleted has given its address back."""
    address = ipv4(_ip(nic.status.address))
    if address is not None and not nic.spec.elastic_ip and not nic.deleting:
        yield (pool_of(nic), int(address))


def _reservations(nic: NetworkInterface) -> Iterator[tuple[Hashable, Key]]:
    if nic.spec.allocation_identity and nic.status.address and not nic.deleting:
        yield (reservation_key(nic), nic.key)


KIND = Kind(
    name="NetworkInterface",
    plural="networkinterfaces",
    spec=NetworkInterfaceSpec,
    status=NetworkInterfaceStatus,
    scope=Scope.NAMESPACED,
    doc="One logical NIC of a Pod.",
    columns=(
        Column("Node", ".spec.nodeName"),
        Column("Subnet", ".spec.subnet"),
        Column("L2Network", ".spec.l2Network"),
        Column("ElasticIP", ".spec.elasticIP"),
        Column("Address", ".status.address"),
        Column("Phase", ".status.phase"),
    ),
    short_names=("interface", "iface", "nwinterface", "nwiface"),
    validate=validate,
    indexes=(
        contribution(NICS_OF_POD, _of_pod),
        contribution(GROUP_MEMBERS, _group_members),
        contribution(RESERVED_BY, _reservations),
        *holding(_addresses, lambda nic: nic.key),
    ),
    controller=Controller(facts, MACHINE, outcome),
)
