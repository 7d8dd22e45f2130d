"""What an ElasticIPAttachment says, and the rules that it has to keep."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.machine import Phase
from juneau.engine.objects import Object
from juneau.engine.world import Reader
from juneau.resources import elasticip, networkinterface
from juneau.resources.externals import DIRECT_NICS, TRANSLATIONS, TRANSLATIONS_OF_NIC, Translation
from juneau.resources.networks import INTERNET_ROUTES, network_of
from juneau.resources.status import Status

_EIP_FIELD = "spec.elasticIPRef.name"
_NIC_FIELD = "spec.targetRef.networkInterfaceName"


class ElasticIPAttachmentPhase(StrEnum):
    """How far an ElasticIPAttachment has come."""

    PENDING = Phase.PENDING.value
    ATTACHED = "Attached"  # Nodes translate
    FAILED = Phase.FAILED.value


@frozen
class ElasticIPRef:
    """The ElasticIP, in the same namespace."""

    name: Annotated[str, Mark("name of the ElasticIP", min_length=1, immutable=True)]


@frozen
class TargetRef:
    """What it stands for, in the same namespace."""

    network_interface_name: Annotated[
        str, Mark("name of the NetworkInterface, usually <Pod>.<interface>", min_length=1, immutable=True)
    ]


@frozen
class ElasticIPAttachmentSpec:
    """Which ElasticIP stands for which NetworkInterface."""

    elastic_ip_ref: Annotated[ElasticIPRef, Mark("the ElasticIP", json="elasticIPRef")]
    target_ref: Annotated[TargetRef, Mark("the NetworkInterface")]


@frozen(kw_only=True)
class ElasticIPAttachmentStatus(Status):
    """The addresses that stand for each other, as far as they are known."""

    elastic_ip: Annotated[str, Mark("address of the ElasticIP", json="elasticIP")] = ""
    pod_ip: Annotated[str, Mark("address of the NetworkInterface, without prefix length", json="podIP")] = ""
    node_name: Annotated[str, Mark("Node of the NetworkInterface")] = ""


ElasticIPAttachment: TypeAlias = Object[ElasticIPAttachmentSpec, ElasticIPAttachmentStatus]


def eip_name(attachment: ElasticIPAttachment) -> str:
    """The ElasticIP that it names."""
    return attachment.spec.elastic_ip_ref.name


def nic_name(attachment: ElasticIPAttachment) -> str:
    """The NetworkInterface that it names."""
    return attachment.spec.target_ref.network_interface_name


def validate(new: ElasticIPAttachment, _old: ElasticIPAttachment | None, world: Reader) -> Iterator[Violation]:
    # EIPA-1 to EIPA-4 are the marks of the fields.
    if new.deleting:
        return
    if eip_name(new):
        yield from _elastic_ip_violations(new, world)
    if nic_name(new):
        yield from _interface_violations(new, world)


def _elastic_ip_violations(new: ElasticIPAttachment, world: Reader) -> Iterator[Violation]:
    name, namespace = eip_name(new), new.namespace
    eip = world.get_spec(elasticip.KIND, name, namespace)
    if eip is None:  # EIPA-5
        why = f"no such ElasticIP in namespace {namespace}"
        yield Violation(_EIP_FIELD, why, Cause.NOT_FOUND, name, settled=False)
    elif eip.deleting:  # EIPA-6
        yield Violation(_EIP_FIELD, "is being deleted; name another ElasticIP", value=name, audit_only=True)
    for nic in world.values(DIRECT_NICS, (namespace, name)):
        if not nic.deleting:  # EIPA-10
            why = f"NetworkInterface {nic.name} of Pod {nic.pod} carries it itself; name another ElasticIP"
            repair = f"delete this ElasticIPAttachment, or Pod {nic.pod}"
            yield Violation(_EIP_FIELD, why, value=name, audit_only=True, repair=repair)
    for other in _others(new, world.values(TRANSLATIONS, (namespace, name))):  # EIPA-11
        why = f"ElasticIPAttachment {other} has it already, and it stands for one interface; name another ElasticIP"
        yield Violation(_EIP_FIELD, why, value=name, audit_only=True, repair=_repair(other))


def _interface_violations(new: ElasticIPAttachment, world: Reader) -> Iterator[Violation]:
    name, namespace = nic_name(new), new.namespace
    nic = world.get_spec(networkinterface.KIND, name, namespace)
    if nic is None:  # EIPA-7
        why = f"no such NetworkInterface in namespace {namespace}; one is called <Pod>.<interface>, such as web-0.eth0"
        yield Violation(_NIC_FIELD, why, Cause.NOT_FOUND, name, settled=False)
    elif nic.deleting:  # EIPA-8
        yield Violation(_NIC_FIELD, "is being deleted; name another NetworkInterface", value=name, audit_only=True)
    if nic is not None and nic.spec.elastic_ip:  # EIPA-9
        why = f"carries ElasticIP {nic.spec.elastic_ip} itself, and needs no other; name an interface in a Subnet"
        yield Violation(_NIC_FIELD, why, value=name, audit_only=True)
    for other in _others(new, world.values(TRANSLATIONS_OF_NIC, (namespace, name))):  # EIPA-12
        why = f"ElasticIPAttachment {other} stands for it already; name another NetworkInterface"
        yield Violation(_NIC_FIELD, why, value=name, audit_only=True, repair=_repair(other))


def _others(new: ElasticIPAttachment, found: list[Translation]) -> list[str]:
    return [other.name for other in found if other.name != new.name and not other.deleting]


def _repair(other: str) -> str:
    return f"delete this ElasticIPAttachment or ElasticIPAttachment {other}"


def audit(attachment: ElasticIPAttachment, world: Reader) -> Iterator[Violation]:
    """What is accepted and leads nowhere."""
    nic = world.get_spec(networkinterface.KIND, nic_name(attachment), attachment.namespace)
    net = network_of(world, nic.spec.subnet, nic.spec.l2_network) if nic is not None else None
    if nic is None or net is None:
        return
    if not net.has_gateway:
        why, repair = f"is on {net.kind.value} {net.name}, which has no gateway", "give the segment a gateway"
    elif not world.values(INTERNET_ROUTES, net.governing_table):
        why = f"nothing leads out: RouteTable {net.governing_table} has no route of type internetGateway"
        repair = f"add {{dst: 0.0.0.0/0, via: {{type: internetGateway}}}} to RouteTable {net.governing_table}"
    else:
        return
    yield Violation(_NIC_FIELD, f"{why}; {repair}", value=nic.name, audit_only=True, repair=repair)
