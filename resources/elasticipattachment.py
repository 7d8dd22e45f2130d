"""ElasticIPAttachment: an ElasticIP stands one to one for the address of a NetworkInterface.

Packets to the ElasticIP reach the interface, and what leaves the Vpc by an internetGateway route has the ElasticIP as
source; the Pod knows only its own address.
The interface has to be in a Subnet of a Vpc of your own, and its RouteTable needs a route of type internetGateway.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from ipaddress import IPv4Address

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4, ipv4_prefix
from juneau.engine.errors import quoted
from juneau.engine.intents import Intent, StaticNAT
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import PhaseMachine, Row, Verdict, Wait
from juneau.engine.objects import AnyObject, Key, Time, why_not
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources import elasticip, networkendpoint, networkinterface
from juneau.resources.elasticipattachmentspec import (
    ElasticIPAttachment,
    ElasticIPAttachmentPhase,
    ElasticIPAttachmentSpec,
    ElasticIPAttachmentStatus,
    audit,
    eip_name,
    nic_name,
    validate,
)
from juneau.resources.elasticipspec import ATTACHMENT, ELASTIC_IP, ElasticIP, ElasticIPUse
from juneau.resources.endpointspec import NetworkEndpoint
from juneau.resources.externals import TRANSLATIONS, TRANSLATIONS_OF_NIC, Translation
from juneau.resources.networkendpoint import ENDPOINTS_OF_POD
from juneau.resources.networks import network_of
from juneau.resources.nicspec import NetworkInterface
from juneau.resources.rows import is_deleting


@frozen
class Facts:
    """What decides about an attachment."""

    obj: ElasticIPAttachment
    eip: ElasticIP | None
    nic: NetworkInterface | None
    endpoints: tuple[NetworkEndpoint, ...]  # of that interface

    @property
    def pod_ip(self) -> IPv4Address | None:
        prefix = ipv4_prefix(self.nic.status.address) if self.nic is not None else None
        return prefix.ip if prefix is not None else None


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    attachment: ElasticIPAttachment = obj
    space = attachment.namespace
    eip = world.get(elasticip.KIND, eip_name(attachment), space)
    nic = world.get(networkinterface.KIND, nic_name(attachment), space)
    return Facts(attachment, eip, nic, tuple(_endpoints(nic, world)) if nic is not None else ())


def _endpoints(nic: NetworkInterface, world: Reader) -> Iterator[NetworkEndpoint]:
    wanted = nic.spec.pod_ref
    for key in world.values(ENDPOINTS_OF_POD, (nic.namespace, wanted.name, wanted.uid)):
        endpoint = world.get_spec(networkendpoint.KIND, key.name, key.namespace)
        ref = endpoint.spec.pod_ref if endpoint is not None else None
        if endpoint is not None and ref is not None and ref.interface == wanted.interface:
            yield endpoint


def _elastic_ip_is_missing(facts: Facts) -> bool:
    return facts.eip is None


def _elastic_ip_is_going(facts: Facts) -> bool:
    return facts.eip is not None and facts.eip.deleting


def _elastic_ip_has_no_address(facts: Facts) -> bool:
    return facts.eip is not None and not facts.eip.status.address


def _elastic_ip_is_not_ours(facts: Facts) -> bool:
    return facts.eip is not None and facts.eip.status.attachment != ElasticIPUse(ATTACHMENT, facts.obj.name)


def _interface_is_missing(facts: Facts) -> bool:
    return facts.nic is None


def _interface_is_going(facts: Facts) -> bool:
    return facts.nic is not None and facts.nic.deleting


def _interface_carries_another(facts: Facts) -> bool:
    return facts.nic is not None and bool(facts.nic.spec.elastic_ip)


def _interface_has_no_address(facts: Facts) -> bool:
    return facts.nic is not None and not facts.nic.status.address


def _address_is_unreadable(facts: Facts) -> bool:
    return facts.pod_ip is None


def _interface_has_no_node(facts: Facts) -> bool:
    return facts.nic is not None and not facts.nic.spec.node_name


def _endpoint_is_missing(facts: Facts) -> bool:
    return not facts.endpoints


def _endpoints_are_several(facts: Facts) -> bool:
    return len(facts.endpoints) > 1


def _endpoint_is_going(facts: Facts) -> bool:
    return facts.endpoints[0].deleting


def _missing_eip_message(facts: Facts) -> str:
    return f"ElasticIP {eip_name(facts.obj)} does not exist"


def _going_eip_message(facts: Facts) -> str:
    return f"ElasticIP {eip_name(facts.obj)} is being deleted"


def _no_address_message(facts: Facts) -> str:
    return f"ElasticIP {eip_name(facts.obj)} has no address{why_not(facts.eip, 'Allocated')}"


def _not_ours_message(facts: Facts) -> str:
    use = facts.eip.status.attachment if facts.eip is not None else None
    name = eip_name(facts.obj)
    if use is not None:
        return f"{use} has ElasticIP {name}"
    why = why_not(facts.eip, "Ready") or why_not(facts.eip, "Attached")
    return f"ElasticIP {name} has not been given to anybody{why}"


def _eip_key(facts: Facts) -> Key:
    return Key(ELASTIC_IP, facts.obj.namespace, eip_name(facts.obj))


def _eip_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(_eip_key(facts), "metadata", "does not exist"),)


def _going_eip_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(_eip_key(facts), "metadata", "is being deleted"),)


def _address_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(_eip_key(facts), "status.address"),)


def _use_waits(facts: Facts) -> tuple[Wait, ...]:
    use = facts.eip.status.attachment if facts.eip is not None else None
    if use is not None:
        return (Wait(Key(use.kind, facts.obj.namespace, use.name), "metadata", "has the ElasticIP"),)
    return (Wait(_eip_key(facts), "status.attachment"),)


def _nic_key(facts: Facts) -> Key:
    return Key(networkinterface.KIND.name, facts.obj.namespace, nic_name(facts.obj))


def _missing_nic_message(facts: Facts) -> str:
    return f"NetworkInterface {nic_name(facts.obj)} does not exist"


def _going_nic_message(facts: Facts) -> str:
    return f"NetworkInterface {nic_name(facts.obj)} is being deleted"


def _carries_message(facts: Facts) -> str:
    carried = facts.nic.spec.elastic_ip if facts.nic is not None else ""
    return f"NetworkInterface {nic_name(facts.obj)} carries ElasticIP {carried} itself; delete this ElasticIPAttachment"


def _no_nic_address_message(facts: Facts) -> str:
    return f"NetworkInterface {nic_name(facts.obj)} has no address{why_not(facts.nic, 'Allocated')}"


def _unreadable_message(facts: Facts) -> str:
    address = facts.nic.status.address if facts.nic is not None else ""
    return f"the address {quoted(address)} of NetworkInterface {nic_name(facts.obj)} cannot be read"


def _no_node_message(facts: Facts) -> str:
    return f"NetworkInterface {nic_name(facts.obj)} has no Node"


def _nic_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(_nic_key(facts), "metadata"),)


def _nic_address_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(_nic_key(facts), "status.address"),)


def _endpoint_message(facts: Facts) -> str:
    return f"NetworkInterface {nic_name(facts.obj)} has no NetworkEndpoint: it is not attached"


def _several_message(facts: Facts) -> str:
    names = ", ".join(endpoint.name for endpoint in facts.endpoints)
    return f"NetworkInterface {nic_name(facts.obj)} has several NetworkEndpoints, {names}; delete all but one"


def _endpoint_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key(networkendpoint.KIND.name, facts.obj.namespace, nic_name(facts.obj)), "metadata"),)


_P = ElasticIPAttachmentPhase
_FAILED = "ReconcileFailed"
_NO_EIP = "WaitingForElasticIP"
_NO_ENDPOINT = "WaitingForNetworkEndpoint"

# fmt: off
MACHINE = PhaseMachine[Facts](
    rows=(
        Row(is_deleting, _P.PENDING, "Deleting"),
        Row(_elastic_ip_is_missing, _P.FAILED, _FAILED, _missing_eip_message, _eip_waits),
        Row(_elastic_ip_is_going, _P.PENDING, _NO_EIP, _going_eip_message, _going_eip_waits),
        Row(_elastic_ip_has_no_address, _P.PENDING, _NO_EIP, _no_address_message, _address_waits),
        Row(_elastic_ip_is_not_ours, _P.PENDING, _NO_EIP, _not_ours_message, _use_waits),
        Row(_interface_is_missing, _P.FAILED, _FAILED, _missing_nic_message, _nic_waits),
        Row(_interface_is_going, _P.PENDING, _FAILED, _going_nic_message, _nic_waits),
        Row(_interface_carries_another, _P.FAILED, _FAILED, _carries_message),
        Row(_interface_has_no_address, _P.PENDING, _FAILED, _no_nic_address_message, _nic_address_waits),
        Row(_address_is_unreadable, _P.FAILED, _FAILED, _unreadable_message, _nic_address_waits),
        Row(_interface_has_no_node, _P.PENDING, _FAILED, _no_node_message, _nic_waits),
        Row(_endpoint_is_missing, _P.PENDING, _NO_ENDPOINT, _endpoint_message, _endpoint_waits),
        Row(_endpoints_are_several, _P.FAILED, _FAILED, _several_message),
        Row(_endpoint_is_going, _P.PENDING, _NO_ENDPOINT, _endpoint_message, _endpoint_waits),
        Row(None, _P.ATTACHED, "Attached"),
    ),
    phases=ElasticIPAttachmentPhase,
)
# fmt: on


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    ready = (verdict.phase == _P.ATTACHED, verdict.reason, verdict.message)
    return Outcome(verdict, _status(facts, verdict), {"Ready": ready})


def _status(facts: Facts, verdict: Verdict) -> ElasticIPAttachmentStatus:
    """What is known, as far as the rows have come; nothing of what has failed."""
    status = evolve(facts.obj.status, elastic_ip="", pod_ip="", node_name="")
    eip, nic = facts.eip, facts.nic
    unusable = verdict.phase == _P.FAILED or facts.obj.deleting or verdict.reason == _NO_EIP
    if unusable or eip is None:
        return status
    status = evolve(status, elastic_ip=eip.status.address)
    if nic is None or nic.deleting or facts.pod_ip is None:
        return status
    return evolve(status, pod_ip=str(facts.pod_ip), node_name=nic.spec.node_name)


def intents(attachment: ElasticIPAttachment, world: Reader) -> Iterator[Intent]:
    """Only while the ElasticIP says that it is this one's: an address is never both carried and translated."""
    status = attachment.status
    external, inner = ipv4(status.elastic_ip), ipv4(status.pod_ip)
    nic = world.get_spec(networkinterface.KIND, nic_name(attachment), attachment.namespace)
    eip = world.get(elasticip.KIND, eip_name(attachment), attachment.namespace)
    if status.phase != _P.ATTACHED or external is None or inner is None or nic is None or eip is None:
        return
    segment = network_of(world, nic.spec.subnet, nic.spec.l2_network)
    if segment is not None and segment.vni and eip.status.attachment == ElasticIPUse(ATTACHMENT, attachment.name):
        yield StaticNAT(external, segment.vni, inner)


def _translation(attachment: ElasticIPAttachment) -> Translation:
    return Translation(attachment.name, attachment.status.node_name, attachment.deleting)


def _of_elastic_ip(attachment: ElasticIPAttachment) -> Iterator[tuple[Hashable, Translation]]:
    yield ((attachment.namespace, eip_name(attachment)), _translation(attachment))


def _of_interface(attachment: ElasticIPAttachment) -> Iterator[tuple[Hashable, Translation]]:
    yield ((attachment.namespace, nic_name(attachment)), _translation(attachment))


KIND = Kind(
    name=ATTACHMENT,
    plural="elasticipattachments",
    spec=ElasticIPAttachmentSpec,
    status=ElasticIPAttachmentStatus,
    scope=Scope.NAMESPACED,
    doc="An ElasticIP that stands one to one for the address of a NetworkInterface.",
    columns=(
        Column("ElasticIP", ".spec.elasticIPRef.name"),
        Column("NetworkInterface", ".spec.targetRef.networkInterfaceName"),
        Column("EIP", ".status.elasticIP"),
        Column("PodIP", ".status.podIP"),
        Column("Node", ".status.nodeName"),
        Column("Phase", ".status.phase"),
        Column.condition("Ready"),
    ),
    validate=validate,
    audit=audit,
    indexes=(contribution(TRANSLATIONS, _of_elastic_ip), contribution(TRANSLATIONS_OF_NIC, _of_interface)),
    controller=Controller(facts, MACHINE, outcome),
    intents=intents,
)
