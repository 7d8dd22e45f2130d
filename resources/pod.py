"""Pod, the API server's own Kind: its NICs, made of what its annotations ask for.

The PodController makes one NetworkInterface per NIC that the annotations ask for, all of them or none: a Pod never
comes up with part of its NICs.
What it waits for stands in the Pod's condition `juneau.loutres.me/NetworkReady`.
What a running Pod asks for against the rules, because the annotations or the networks have changed, stands in
`juneau.loutres.me/Valid`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from attrs import frozen

from juneau.engine.errors import Violation
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Time, condition
from juneau.engine.outcome import Create, Delete, Note, Outcome, Update, Write
from juneau.engine.world import Index, Reader, contribution
from juneau.resources import networkinterface
from juneau.resources.claiming import owner_reference
from juneau.resources.networks import key_of
from juneau.resources.nicspec import NICS_OF_POD, NetworkInterface, NetworkInterfaceSpec, PodRef
from juneau.resources.podadmission import default, pod_name_violations, request_violations, validate
from juneau.resources.podobstacle import Obstacle, find_obstacle, find_refusal
from juneau.resources.podrequest import NICRequest, PodRequest, read_request
from juneau.resources.podspec import Pod, PodSpec, PodStatus, has_ended, identity_of, is_exempt

CONDITION = "juneau.loutres.me/NetworkReady"
VALID = "juneau.loutres.me/Valid"
SCHEDULED = "PodScheduled"  # the scheduler's own condition
WAITING = "waiting for the network of a Pod NIC"
NODE_NOT_CHOSEN = "NodeNotChosen"
WAITING_FOR_NICS = "WaitingForInterfaces"
RECREATE = "to change NICs, re-create the Pod"

# By Node: the Pods that are bound to it, those on its own network too.
PODS_ON_NODE: Index[Key] = Index("pods-on-node")


@frozen
class Facts:
    """What decides about the NICs of a Pod.

    `obstacle` is the first thing in their way, `unreadable` what is wrong with the Pod by itself, `broken` the rules
    that what it asks for breaks; `changes` says what it asks for and a NIC that is made cannot follow.
    """

    pod: Pod
    request: PodRequest
    unreadable: tuple[Violation, ...] = ()
    obstacle: Obstacle | None = None
    broken: tuple[Violation, ...] = ()
    changes: tuple[str, ...] = ()
    nics: tuple[NetworkInterface, ...] = ()
    writes: tuple[Write, ...] = ()

    @property
    def has_all_nics(self) -> bool:
        return len(self.nics) == len(self.request.nics)

    @property
    def not_ready(self) -> tuple[NetworkInterface, ...]:
        return tuple(nic for nic in self.nics if nic.status.phase != Phase.READY)


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    pod: Pod = obj
    if pod.deleting or is_exempt(pod):
        return Facts(pod, PodRequest())
    held = _held_nics(pod, world)
    if has_ended(pod):  # PODC-2
        return Facts(pod, PodRequest(), writes=tuple(_delete(nic) for nic in held if not nic.deleting))
    request = read_request(pod.metadata.annotations)
    unreadable = request.violations or tuple(pod_name_violations(pod.name, request))
    if unreadable:
        return Facts(pod, request, unreadable)
    wanted = [_wanted_nic(pod, nic, world) for nic in request.nics]
    names = {nic.name for nic in wanted}
    surplus = tuple(_delete(nic) for nic in held if nic.name not in names and not nic.deleting)  # PODC-7
    kept = {nic.name: nic for nic in held if nic.name in names}
    nics = tuple(kept.values())
    if not pod.spec.node_name:  # PODC-4
        return Facts(pod, request, nics=nics, writes=surplus)
    broken = tuple(rule for rule in request_violations(request, world) if rule.refused)
    # A Pod that has all of its NICs keeps them, whatever becomes of their networks.
    obstacle = find_obstacle(request, wanted, world) if len(kept) < len(wanted) else None
    writes = () if obstacle is not None else tuple(Create(nic) for nic in wanted if nic.name not in kept)
    updates, refusal = _updates(request, wanted, kept, world)
    changes = tuple(_changes(wanted, kept))
    return Facts(pod, request, (), obstacle or refusal, broken, changes, nics, (*surplus, *writes, *updates))


def _held_nics(pod: Pod, world: Reader) -> list[NetworkInterface]:
    keys = world.values(NICS_OF_POD, pod.metadata.uid)
    found = (world.get(networkinterface.KIND, key.name, key.namespace) for key in keys)
    return [nic for nic in found if nic is not None]


def _delete(nic: NetworkInterface) -> Write:
    return Delete(nic.key, nic.metadata.uid)


def _wanted_nic(pod: Pod, nic: NICRequest, world: Reader) -> NetworkInterface:
    spec = NetworkInterfaceSpec(
        PodRef(pod.metadata.uid, pod.name, nic.interface),
        pod.spec.node_name,
        nic.subnet,
        nic.l2_network,
        nic.elastic_ip,
        nic.address,
        tuple(sorted(nic.security_groups)),
        identity_of(pod),
    )
    owner = owner_reference(world, pod)
    name = f"{pod.name}.{nic.interface}"
    return networkinterface.KIND.new(name, spec, pod.namespace, owner_references=(owner,))


def _updates(
    request: PodRequest, wanted: list[NetworkInterface], held: Mapping[str, NetworkInterface], world: Reader
) -> tuple[list[Write], Obstacle | None]:
    """PODC-6: all of a NIC but its SecurityGroups is immutable."""
    writes: list[Write] = []
    first: Obstacle | None = None
    for nic, made in zip(request.nics, wanted, strict=True):
        existing = held.get(made.name)
        if existing is None or existing.deleting or existing.spec.security_groups == made.spec.security_groups:
            continue
        updated = existing.with_spec(security_groups=made.spec.security_groups)
        refusal = find_refusal(nic, updated, existing, world)
        if refusal is None:
            writes.append(Update(updated))
        first = first or refusal
    return writes, first


def _changes(wanted: list[NetworkInterface], held: Mapping[str, NetworkInterface]) -> Iterator[str]:
    """What the annotations say by now and a NIC that is made cannot follow."""
    for made in wanted:
        existing = held.get(made.name)
        if existing is not None and _place(existing) != _place(made):
            interface = made.spec.pod_ref.interface
            yield f"{interface} stays on {_place(existing)}, though {_place(made)} is asked for by now"


def _place(nic: NetworkInterface) -> str:
    spec = nic.spec
    key = key_of(spec.subnet, spec.l2_network)
    on = f"{key.kind} {key.name}" if key.name else f"ElasticIP {spec.elastic_ip}"
    return f"{on} with address {spec.address}" if spec.address else on


def _has_no_nics_of_ours(facts: Facts) -> bool:
    return facts.pod.deleting or is_exempt(facts.pod)


def _has_ended(facts: Facts) -> bool:
    return has_ended(facts.pod)


def _annotations_are_unreadable(facts: Facts) -> bool:
    return bool(facts.request.violations)


def _name_is_too_long(facts: Facts) -> bool:
    return bool(facts.unreadable)


def _no_node_is_chosen(facts: Facts) -> bool:
    return not facts.pod.spec.node_name


def _network_is_not_usable(facts: Facts) -> bool:
    return facts.obstacle is not None


def _nics_are_missing(facts: Facts) -> bool:
    return not facts.has_all_nics


def _a_nic_has_failed(facts: Facts) -> bool:
    return any(nic.status.phase == Phase.FAILED for nic in facts.nics)


def _a_nic_is_not_ready(facts: Facts) -> bool:
    return bool(facts.not_ready)


def _unreadable_message(facts: Facts) -> str:
    return "; ".join(map(str, facts.unreadable))


def _node_message(facts: Facts) -> str:
    scheduled = condition(facts.pod, SCHEDULED)
    why = scheduled.message if scheduled is not None and scheduled.status == "False" else ""
    return f"no Node was chosen{': ' if why else ''}{why}"


def _node_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(facts.pod.key, "spec.nodeName", _node_message(facts)),)


def _obstacle_message(facts: Facts) -> str:
    return f"{WAITING}: {facts.obstacle.why}" if facts.obstacle is not None else ""


def _obstacle_waits(facts: Facts) -> tuple[Wait, ...]:
    return facts.obstacle.waits if facts.obstacle is not None else ()


def _nic_message(facts: Facts) -> str:
    parts: list[str] = []
    hopeless = False
    for nic in facts.not_ready:
        ready = condition(nic, "Ready")
        why = f"{ready.reason}{': ' if ready.message else ''}{ready.message}" if ready is not None else "not judged yet"
        parts.append(f"{nic.name} is {nic.status.phase or Phase.PENDING.value} ({why})")
        # The sandbox of a running Pod is made, and nobody asks for further NICs in it.
        hopeless |= ready is not None and ready.reason == "WaitingForInterface" and facts.pod.status.phase == "Running"
    return "; ".join((*parts, *facts.changes, *([RECREATE] if hopeless or facts.changes else [])))


def _nic_waits(facts: Facts) -> tuple[Wait, ...]:
    return tuple(Wait(nic.key, "status.phase", "not Ready") for nic in facts.not_ready)


def _change_message(facts: Facts) -> str:
    return "; ".join((*facts.changes, RECREATE)) if facts.changes else ""


MACHINE = PhaseMachine[Facts](
    rows=(
        Row(_has_no_nics_of_ours, Phase.READY, "NotManaged"),
        Row(_has_ended, Phase.READY, "PodCompleted", lambda _: "the Pod has ended and has no NICs any more"),
        Row(_annotations_are_unreadable, Phase.FAILED, "InvalidAnnotations", _unreadable_message),
        Row(_name_is_too_long, Phase.FAILED, "NameTooLong", _unreadable_message),
        Row(_no_node_is_chosen, Phase.PENDING, NODE_NOT_CHOSEN, _node_message, _node_waits),
        Row(_network_is_not_usable, Phase.PENDING, "WaitingForNetwork", _obstacle_message, _obstacle_waits),
        Row(_nics_are_missing, Phase.PENDING, "CreatingInterfaces"),
        Row(_a_nic_has_failed, Phase.FAILED, "InterfaceFailed", _nic_message, _nic_waits),
        Row(_a_nic_is_not_ready, Phase.ALLOCATED, WAITING_FOR_NICS, _nic_message, _nic_waits),
        Row(None, Phase.READY, "InterfacesReady", _change_message),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    pod = facts.pod
    if _has_no_nics_of_ours(facts):
        return Outcome(verdict, pod.status, writes=facts.writes)
    conditions = {CONDITION: (verdict.is_ready and not has_ended(pod), verdict.reason, verdict.message)}
    notes = (Note("Warning", verdict.reason, verdict.message),) if facts.obstacle or facts.unreadable else ()
    return Outcome(verdict, pod.status, {**conditions, **_validity(facts)}, facts.writes, notes=notes)


def _validity(facts: Facts) -> Mapping[str, tuple[bool, str, str]]:
    """Whether what a Pod that has its NICs asks for keeps the rules; said only once one was found broken.

    Before that, the first broken rule is what the Pod waits for.
    """
    if facts.broken and facts.has_all_nics:
        return {VALID: (False, "RulesBroken", "; ".join(map(str, facts.broken)))}
    if not facts.broken and condition(facts.pod, VALID) is not None:
        return {VALID: (True, "RulesKept", "")}
    return {}


def _on_node(pod: Pod) -> Iterator[tuple[Hashable, Key]]:
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
