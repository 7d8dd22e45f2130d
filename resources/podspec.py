"""What of a Pod Juneau reads: the API server's own Kind, of which most is carried along unread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.objects import Condition, Object, Opaque

_MIRROR = "kubernetes.io/config.mirror"
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


def is_exempt(pod: Pod) -> bool:
    """Mirror Pods and Pods on the Node's own network have no NIC of Juneau's."""
    return pod.spec.host_network or is_mirror(pod)


def is_mirror(pod: Pod) -> bool:
    """The shadow of a Pod that a kubelet runs from a file."""
    return _MIRROR in pod.metadata.annotations


def identity_of(pod: Pod) -> str:
    """What a workload is recognised by whose Pods have a new name each time; empty for any other."""
    owners = (owner.name for owner in pod.metadata.owner_references if owner.kind == "VirtualMachineInstance")
    return next((f"vmi.{name}" for name in owners), "")


def has_ended(pod: Pod) -> bool:
    """All its containers are done, and none is started again."""
    return pod.status.phase in ("Succeeded", "Failed")
