"""NetworkInterface: one logical NIC of a Pod.

The PodController makes it from what the Pod asks for.
It carries the address, the routes and the rules that the CNI puts into the Pod's network namespace.
"""

from __future__ import annotations

from ipaddress import IPv4Interface

from attrs import evolve, frozen

from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader
from juneau.resources import allocationclaim
from juneau.resources.allocationclaim import AllocationClaim
from juneau.resources.allocationlease import Value
from juneau.resources.claiming import Claimed, claim_for, claim_waits, release_writes
from juneau.resources.directnic import DIRECT_ROWS, Direct, direct
from juneau.resources.networkendpoint import ENDPOINTS, NODE_ADDRESSES
from juneau.resources.networks import Network, key_of, network_of
from juneau.resources.nicadmission import audit, validate
from juneau.resources.nicindexes import NIC_INDEXES
from juneau.resources.nicspec import (
    FINALIZER,
    FIRST_INTERFACE,
    EffectiveGroup,
    NetworkInterface,
    NetworkInterfaceSpec,
    NetworkInterfaceStatus,
    NICRoute,
    reservation_key,
)
from juneau.resources.policy import not_enforced, not_enforced_notes
from juneau.resources.rows import DELETING
from juneau.resources.rules import GROUPS


@frozen
class Facts:
    """What decides about a NIC."""

    obj: NetworkInterface
    network: Network | None
    claimed: Claimed  # nothing where no address is handed out
    attached_as: str | None  # the address of its endpoint, None without one
    node_exists: bool  # with an address, so that other nodes can send there
    groups: tuple[EffectiveGroup, ...]
    direct: Direct | None = None  # where it is on an ElasticIP

    @property
    def address(self) -> str:
        """The address in CIDR form."""
        if self.direct is not None:
            return self.direct.address
        cidr = self.network.cidr if self.network is not None else None
        ip = self.claimed.ip
        return f"{ip}/{cidr.prefixlen}" if ip and cidr is not None else ""

    @property
    def network_key(self) -> Key:
        return key_of(self.obj.spec.subnet, self.obj.spec.l2_network)


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    nic: NetworkInterface = obj
    spec = nic.spec
    found = network_of(world, spec.subnet, spec.l2_network)
    pod = spec.pod_ref
    attached = world.values(ENDPOINTS, (nic.namespace, pod.name, pod.uid, pod.interface))
    node_exists = not attached or bool(world.values(NODE_ADDRESSES, spec.node_name))
    wanted = _wanted_claim(nic, found, world) if found is not None and found.hands_out_addresses else None
    known = wanted.name if wanted is not None else nic.status.allocation_claim
    claim = world.get(allocationclaim.KIND, known) if known else None
    claimed = Claimed(claim, wanted, Value(ip=_ip(nic.status.address)))
    groups = _effective_groups(nic, found, world)
    return Facts(nic, found, claimed, attached[0] if attached else None, node_exists, groups, direct(nic, world))


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


def _network_is_missing(facts: Facts) -> bool:
    return facts.network is None and facts.direct is None


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
        *DIRECT_ROWS,
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
        # NIC-C8: the claim goes, its lease lives on.
        name = facts.claimed.wanted.name if facts.claimed.wanted is not None else nic.status.allocation_claim
        return Outcome(verdict, nic.status, conditions, tuple(release_writes(nic, facts.claimed, name)), kept)
    policy = _policy(facts)
    conditions = {**not_enforced(nic, policy), "Allocated": _allocated(facts, verdict)}
    finalizers = (*(name for name in nic.metadata.finalizers if name != FINALIZER), FINALIZER)
    return Outcome(verdict, _status(facts), conditions, facts.claimed.writes, finalizers, not_enforced_notes(policy))


def _status(facts: Facts) -> NetworkInterfaceStatus:
    """What the Pod has stays as it is while the network is gone, or no longer fits it."""
    if (
        _network_is_missing(facts)
        or _prefix_is_unreadable(facts)
        or _address_is_outside(facts)
        or _is_attached_as_another(facts)
    ):
        return facts.obj.status
    return evolve(
        facts.obj.status,
        address=facts.address,
        routes=_routes(facts),
        rules=facts.direct.rules if facts.direct is not None else (),
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
    return (False, "NetworkNotFound" if _network_is_missing(facts) else verdict.reason, verdict.message)


def _routes(facts: Facts) -> tuple[NICRoute, ...]:
    """NIC-R1, R2, R4: the default route of the first NIC, and no other."""
    if facts.direct is not None:
        return facts.direct.routes
    net = facts.network
    if facts.obj.spec.pod_ref.interface != FIRST_INTERFACE or net is None or not net.gateway:
        return ()
    return (NICRoute("0.0.0.0/0", net.gateway),)


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
    audit=audit,
    indexes=NIC_INDEXES,
    controller=Controller(facts, MACHINE, outcome),
)
