"""Pod, the API server's own Kind: what admission asks of it, what it is completed with, and its NICs.

The PodController makes one NetworkInterface per NIC that the annotations ask for, all of them or none: a Pod never
comes up with part of its NICs.
What it waits for stands in the Pod's condition `juneau.loutres.me/NetworkReady`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Condition, Key, Object, Opaque, Time, condition
from juneau.engine.outcome import Create, Delete, Note, Outcome, Update, Write
from juneau.engine.world import Index, Reader, contribution
from juneau.resources import networkinterface, subnet, vpc
from juneau.resources.claiming import owner_reference
from juneau.resources.grouprefs import fit_violations
from juneau.resources.networkinterface import (
    NICS_OF_POD,
    NetworkInterface,
    NetworkInterfaceSpec,
    PodRef,
    address_violations,
)
from juneau.resources.networks import DEFAULT_VPC, L2NETWORK, SUBNET, Network, network
from juneau.resources.podrequest import (
    DNS_INJECT_SKIP,
    FIRST_INTERFACE,
    NICRequest,
    PodRequest,
    read_request,
)

CONDITION = "juneau.loutres.me/NetworkReady"
WAITING = "waiting for the network of a Pod NIC"
_MIRROR = "kubernetes.io/config.mirror"
_DNS_POLICIES = ("", "ClusterFirst", "ClusterFirstWithHostNet")
_MOST_NAMESERVERS = 3
_FINISHED = ("Succeeded", "Failed")
# fmt: off
_UNREAD = (
    "activeDeadlineSeconds", "affinity", "automountServiceAccountToken", "enableServiceLinks",
    "ephemeralContainers", "hostAliases", "hostIPC", "hostPID", "hostUsers", "hostname", "hostnameOverride",
    "imagePullSecrets", "initContainers", "os", "overhead", "preemptionPolicy", "priority", "priorityClassName",
    "readinessGates", "resourceClaims", "resources", "restartPolicy", "runtimeClassName", "schedulerName",
    "schedulingGates", "securityContext", "serviceAccount", "serviceAccountName", "setHostnameAsFQDN",
    "shareProcessNamespace", "subdomain", "terminationGracePeriodSeconds", "tolerations",
    "topologySpreadConstraints", "volumes", "workloadRef", "",
)
# fmt: on


@frozen
class DNSOption:
    """A resolver option."""

    name: Annotated[str, Mark("name")] = ""
    value: Annotated[str, Mark("value")] = ""


@frozen
class DNSConfig:
    """The Pod's resolver settings."""

    nameservers: Annotated[tuple[str, ...], Mark("DNS servers")] = ()
    searches: Annotated[tuple[str, ...], Mark("search domains")] = ()
    options: Annotated[tuple[DNSOption, ...], Mark("options")] = ()


@frozen
class PodSpec:
    """The fields of a Pod that Juneau reads; the others are carried along unread."""

    node_name: Annotated[str, Mark("node the Pod runs on")] = ""
    host_network: Annotated[bool, Mark("the Pod has the Node's network, and no NIC of its own")] = False
    dns_policy: Annotated[str, Mark("how the resolver is set up")] = ""
    dns_config: Annotated[DNSConfig | None, Mark("resolver settings")] = None
    node_selector: Annotated[Mapping[str, str], Mark("labels of nodes that fit")] = {}
    containers: Annotated[tuple[Opaque, ...], Mark("containers")] = ()
    rest: Annotated[Mapping[str, Opaque], Mark("fields that Juneau does not read", rest=_UNREAD)] = {}


@frozen
class PodIP:
    """One address of a Pod."""

    ip: Annotated[str, Mark("the address")] = ""


@frozen
class PodStatus:
    """What the kubelet and Juneau say about the Pod."""

    phase: Annotated[str, Mark("Pending, Running, Succeeded or Failed")] = "Pending"
    conditions: Annotated[tuple[Condition, ...], Mark("conditions")] = ()
    pod_ip: Annotated[str, Mark("address of eth0", json="podIP")] = ""
    pod_ips: Annotated[tuple[PodIP, ...], Mark("addresses of eth0", json="podIPs")] = ()
    host_ip: Annotated[str, Mark("address of the Node", json="hostIP")] = ""


Pod: TypeAlias = Object[PodSpec, PodStatus]

# By Node: the Pods that are bound to it.
PODS_ON_NODE: Index[Key] = Index("pods-on-node")


def is_exempt(pod: Pod) -> bool:
    """Mirror Pods and Pods on the Node's own network have no NIC of Juneau's."""
    return pod.spec.host_network or _MIRROR in pod.metadata.annotations


def default(pod: Pod, world: Reader) -> Pod:
    """POD-DNS, on creation only."""
    skip = pod.metadata.annotations.get(DNS_INJECT_SKIP) == "true"
    if pod.metadata.uid or is_exempt(pod) or skip or pod.spec.dns_policy not in _DNS_POLICIES:
        return pod
    request = read_request(pod.metadata.annotations)
    if not request.nics:
        return pod
    first = request.nics[0]
    if not first.subnet:
        return pod.with_spec(dns_policy="Default")
    net = world.get(subnet.KIND, first.subnet)
    if net is None or net.spec.vpc == DEFAULT_VPC or not net.status.dns:
        return pod
    config = _dns_config(pod.spec.dns_config or DNSConfig(), net.status.dns, pod.namespace or "default")
    return pod.with_spec(dns_policy="None", dns_config=config)


def _dns_config(given: DNSConfig, resolver: str, namespace: str) -> DNSConfig:
    nameservers = (resolver, *(held for held in given.nameservers if held != resolver))[:_MOST_NAMESERVERS]
    own = (f"{namespace}.svc.cluster.local", "svc.cluster.local", "cluster.local")
    has_ndots = any(option.name == "ndots" for option in given.options)
    options = given.options if has_ndots else (*given.options, DNSOption("ndots", "5"))
    return DNSConfig(nameservers, given.searches or own, options)


def validate(new: Pod, old: Pod | None, world: Reader) -> Iterator[Violation]:
    if old is not None or is_exempt(new):  # POD-34
        return
    request = read_request(new.metadata.annotations)
    if request.violations:
        yield from request.violations
        return
    for nic in request.nics:
        yield from _nic_violations(nic, world)
    yield from _cidr_violations(request.nics, world)


def network_of(nic: NICRequest, world: Reader) -> Network | None:
    """The Subnet or L2Network that a NIC asks for, if it exists."""
    if nic.l2_network:
        return network(world, L2NETWORK, nic.l2_network)
    return network(world, SUBNET, nic.subnet) if nic.subnet else None


def _nic_violations(nic: NICRequest, world: Reader) -> Iterator[Violation]:
    if nic.elastic_ip:
        return  # POD-33: it may come later
    net = network_of(nic, world)
    name, kind = nic.subnet or nic.l2_network, SUBNET if nic.subnet else L2NETWORK
    first = nic.interface == FIRST_INTERFACE
    space = world.get_spec(vpc.KIND, net.vpc) if net is not None else None
    if not first and net is None:  # POD-23; eth0's may be missing, POD-24
        yield Violation(nic.network_field, f"no such {kind} (interface {nic.interface})", Cause.NOT_FOUND, name)
    elif not first and net is not None and space is None:
        yield Violation(nic.network_field, f"its Vpc {net.vpc} does not exist", Cause.NOT_FOUND, name)
    if first and net is not None and nic.l2_network and not (net.hands_out_addresses and net.has_gateway):  # POD-25
        why = (
            f"{nic.interface} can be on L2Network {name} only if that has both spec.cidr and spec.gateway:"
            " a sandbox needs an address on it, and the default route a gateway"
        )
        yield Violation(nic.network_field, why, value=name)
    for violation in fit_violations(nic.security_groups, net, nic.groups_field, nic.interface, world):
        # The annotation is one text: there is no place in it to point at.
        yield violation if nic.entry else evolve(violation, field=nic.groups_field)
    unpoliced = net is not None and bool(nic.l2_network) and not net.has_gateway
    if space is not None and space.spec.enforce_security_groups and not nic.security_groups and not unpoliced:  # POD-29
        why = f"Vpc {space.name} has enforceSecurityGroups: interface {nic.interface} must name a SecurityGroup"
        yield Violation(nic.groups_field, why, Cause.REQUIRED)
    if net is not None:
        yield from address_violations(nic.address, net, nic.address_field)


def _cidr_violations(nics: tuple[NICRequest, ...], world: Reader) -> Iterator[Violation]:
    """POD-30."""
    placed = [(nic, net) for nic in nics if (net := network_of(nic, world)) is not None and net.cidr is not None]
    for place, (nic, net) in enumerate(placed):
        for earlier, other in placed[:place]:
            if net.cidr is not None and other.cidr is not None and net.cidr.overlaps(other.cidr):
                why = (
                    f"{net.kind.value} {net.name} ({net.cidr}) of {nic.interface} overlaps"
                    f" {other.kind.value} {other.name} ({other.cidr}) of {earlier.interface}"
                )
                yield Violation(nic.network_field, why, value=net.name)


@frozen
class Facts:
    """What decides about the NICs of a Pod; `obstacle` is the first thing in their way, and what it waits for."""

    pod: Pod
    request: PodRequest
    obstacle: str
    waits: tuple[Wait, ...]
    nics: tuple[NetworkInterface, ...]
    writes: tuple[Write, ...]

    @property
    def is_exempt(self) -> bool:
        return self.pod.deleting or is_exempt(self.pod)

    @property
    def not_ready(self) -> tuple[NetworkInterface, ...]:
        return tuple(nic for nic in self.nics if nic.status.phase != Phase.READY)


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    pod: Pod = obj
    if pod.deleting or is_exempt(pod):
        return Facts(pod, PodRequest(), "", (), (), ())
    held = _held_nics(pod, world)
    if pod.status.phase in _FINISHED:  # PODC-2
        return Facts(pod, PodRequest(), "", (), (), tuple(_delete(nic) for nic in held if not nic.deleting))
    request = read_request(pod.metadata.annotations)
    if request.violations:
        return Facts(pod, request, "", (), (), ())
    wanted = [_wanted_nic(pod, nic, world) for nic in request.nics]
    names = {nic.name for nic in wanted}
    surplus = [_delete(nic) for nic in held if nic.name not in names and not nic.deleting]  # PODC-7
    kept = {nic.name: nic for nic in held if nic.name in names}
    # A Pod that has all of its NICs keeps them, whatever becomes of their networks.
    obstacle, waits = _obstacle(pod, request, wanted, world) if len(kept) < len(wanted) else ("", ())
    writes = () if obstacle else tuple(_nic_writes(wanted, kept))
    return Facts(pod, request, obstacle, waits, tuple(kept.values()), (*surplus, *writes))


def _held_nics(pod: Pod, world: Reader) -> list[NetworkInterface]:
    keys = world.values(NICS_OF_POD, pod.metadata.uid)
    found = (world.get(networkinterface.KIND, key.name, key.namespace) for key in keys)
    return [nic for nic in found if nic is not None]


def _delete(nic: NetworkInterface) -> Write:
    return Delete(nic.key, nic.metadata.uid)


def _obstacle(
    pod: Pod, request: PodRequest, wanted: list[NetworkInterface], world: Reader
) -> tuple[str, tuple[Wait, ...]]:
    """PODC-4, PODC-5: why no NIC can be made yet."""
    if not pod.spec.node_name:
        return "the Pod is not bound to a Node yet", (Wait(pod.key, "spec.nodeName", "no Node was chosen"),)
    for nic, made in zip(request.nics, wanted, strict=True):
        if nic.elastic_ip:
            key = Key("ElasticIP", pod.namespace, nic.elastic_ip)
            why = f"{nic.interface}: ElasticIP {nic.elastic_ip} does not exist"
            return why, (Wait(key, "status.address", "does not exist"),)
        net = network_of(nic, world)
        key = Key(SUBNET if nic.subnet else L2NETWORK, "", nic.subnet or nic.l2_network)
        if net is None:
            return f"{nic.interface}: {key.kind} {key.name} does not exist", (Wait(key, "metadata", "does not exist"),)
        if not net.usable:
            return f"{nic.interface}: {key.kind} {key.name} is not Ready", (Wait(key, "status.conditions[Ready]"),)
        older = world.get_spec(networkinterface.KIND, made.name, pod.namespace)
        if older is not None and older.spec.pod_ref.uid != pod.metadata.uid:
            return f"{nic.interface}: NetworkInterface {older.name} is of an earlier Pod", (
                Wait(older.key, "metadata"),
            )
        # Admission of the Pod could not judge what came after it, such as the network itself.
        refused = next((found for found in networkinterface.validate(made, None, world) if found.refused), None)
        if older is None and refused is not None:
            return f"{nic.interface}: NetworkInterface {made.name} would be refused: {refused}", (Wait(key, "spec"),)
    return "", ()


def _wanted_nic(pod: Pod, nic: NICRequest, world: Reader) -> NetworkInterface:
    identity = next(
        (f"vmi.{owner.name}" for owner in pod.metadata.owner_references if owner.kind == "VirtualMachineInstance"), ""
    )
    spec = NetworkInterfaceSpec(
        PodRef(pod.metadata.uid, pod.name, nic.interface),
        pod.spec.node_name,
        nic.subnet,
        nic.l2_network,
        nic.elastic_ip,
        nic.address,
        tuple(sorted(nic.security_groups)),
        identity,
    )
    owner = owner_reference(world, pod)
    name = f"{pod.name}.{nic.interface}"
    return networkinterface.KIND.new(name, spec, pod.namespace, owner_references=(owner,))


def _nic_writes(wanted: list[NetworkInterface], held: Mapping[str, NetworkInterface]) -> Iterator[Write]:
    """PODC-6."""
    for nic in wanted:
        existing = held.get(nic.name)
        if existing is None:
            yield Create(nic)
        elif existing.spec.security_groups != nic.spec.security_groups and not existing.deleting:
            # All else of a NIC is immutable: to change it, the Pod is made anew.
            yield Update(existing.with_spec(security_groups=nic.spec.security_groups))


def _has_no_nics_of_ours(facts: Facts) -> bool:
    return facts.is_exempt or facts.pod.status.phase in _FINISHED


def _annotations_are_unreadable(facts: Facts) -> bool:
    return bool(facts.request.violations)


def _network_is_not_usable(facts: Facts) -> bool:
    return bool(facts.obstacle)


def _nics_are_missing(facts: Facts) -> bool:
    return len(facts.nics) < len(facts.request.nics)


def _a_nic_has_failed(facts: Facts) -> bool:
    return any(nic.status.phase == Phase.FAILED for nic in facts.nics)


def _a_nic_is_not_ready(facts: Facts) -> bool:
    return bool(facts.not_ready)


def _nic_message(facts: Facts) -> str:
    parts: list[str] = []
    for nic in facts.not_ready:
        ready = condition(nic, "Ready")
        why = f"{ready.reason}{': ' if ready.message else ''}{ready.message}" if ready is not None else "not judged yet"
        parts.append(f"{nic.name} is {nic.status.phase or Phase.PENDING.value} ({why})")
    return "; ".join(parts)


def _nic_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(nic.key, "status.phase", "not Ready") for nic in facts.not_ready)


MACHINE = PhaseMachine[Facts](
    rows=(
        Row(_has_no_nics_of_ours, Phase.READY, "NotManaged"),
        Row(_annotations_are_unreadable, Phase.FAILED, "InvalidAnnotations",
            lambda facts: "; ".join(map(str, facts.request.violations))),
        Row(_network_is_not_usable, Phase.PENDING, "WaitingForNetwork", lambda facts: f"{WAITING}: {facts.obstacle}",
            lambda facts: facts.waits),
        Row(_nics_are_missing, Phase.PENDING, "CreatingInterfaces"),
        Row(_a_nic_has_failed, Phase.FAILED, "InterfaceFailed", _nic_message, _nic_waits),
        Row(_a_nic_is_not_ready, Phase.ALLOCATED, "WaitingForInterfaces", _nic_message, _nic_waits),
        Row(None, Phase.READY, "InterfacesReady"),
    )
)  # fmt: skip


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    if _has_no_nics_of_ours(facts):
        return Outcome(verdict, facts.pod.status, writes=facts.writes)
    ready = (verdict.is_ready, verdict.reason, verdict.message)
    notes = (Note("Warning", verdict.reason, verdict.message),) if facts.obstacle or facts.request.violations else ()
    return Outcome(verdict, facts.pod.status, {CONDITION: ready}, facts.writes, notes=notes)


def _on_node(pod: Pod) -> Iterator[tuple[Hashable, Key]]:
    if not is_exempt(pod):
        yield (pod.spec.node_name, pod.key)


KIND = Kind(
    name="Pod",
    plural="pods",
    spec=PodSpec,
    status=PodStatus,
    scope=Scope.NAMESPACED,
    doc="Containers that share a network namespace.",
    columns=(
        Column("Status", ".status.phase"),
        Column("IP", ".status.podIP", priority=1),
        Column("Node", ".spec.nodeName", priority=1),
    ),
    short_names=("po",),
    group="",
    version="v1",
    foreign=True,
    chief_condition=CONDITION,
    default=default,
    validate=validate,
    indexes=(contribution(PODS_ON_NODE, _on_node),),
    controller=Controller(facts, MACHINE, outcome),
    age_column=True,
)
