"""The node's side of the CNI: ADD and DEL of one Pod, all of its NICs in one request.

Nothing waits inside a request: an unmet condition is an error at once, and the runtime calls again.
Links are made by whoever is passed in (`engine.driver.Site` in a lab); what exists is recorded as NetworkEndpoints.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Protocol

from attrs import define, frozen

from juneau.engine.driver import HostRoute, HostRule, Link, LinkSettings
from juneau.engine.errors import CNIError, CNIErrorCode, Conflict, NotFound
from juneau.engine.objects import AnyObject, Key, OwnerReference, condition
from juneau.engine.store import Store
from juneau.engine.world import Cache, Reader
from juneau.resources import networkendpoint, networkinterface, pod
from juneau.resources.networkendpoint import (
    ENDPOINTS_OF_POD,
    Attachment,
    EndpointPodRef,
    NetworkEndpoint,
    NetworkEndpointSpec,
)
from juneau.resources.networkinterface import FIRST_INTERFACE, NICS_OF_POD, NetworkInterface, NetworkInterfaceStatus
from juneau.resources.networks import L2NETWORK, network
from juneau.resources.podrequest import read_request
from juneau.resources.podspec import Pod


class Links(Protocol):
    """What makes and removes the NICs of sandboxes on a node."""

    def plug(self, node: str, sandbox: str, interface: str, settings: LinkSettings) -> Link: ...

    def unplug(self, node: str, sandbox: str, interface: str) -> None: ...

    def interfaces(self, node: str, sandbox: str) -> Sequence[str]: ...


@frozen
class AttachedNIC:
    """A NIC as the runtime is told of it; `address` is None where it carries none."""

    interface: str
    link: Link
    address: IPv4Interface | None


@define(eq=False)
class Server:
    """ADD and DEL on one node."""

    node: str
    store: Store
    cache: Cache
    links: Links

    async def add(self, pod_key: Key, pod_uid: str, container_id: str) -> Sequence[AttachedNIC]:
        """Attach a Pod; any failure takes back what was done.

        Raises CNIError.
        """
        nics = self._wanted_nics(pod_key, pod_uid)
        done: list[AttachedNIC] = []
        made: list[AnyObject] = []
        try:
            for nic in nics:
                settings = self._settings(nic)
                interface = nic.spec.pod_ref.interface
                link = self.links.plug(self.node, _sandbox(pod_key), interface, settings)
                done.append(AttachedNIC(interface, link, settings.address))
                made.append(await self._record(nic, link, container_id))
        except Exception:
            for endpoint in reversed(made):
                await self._forget(endpoint)
            for attached in reversed(done):
                self.links.unplug(self.node, _sandbox(pod_key), attached.interface)
            raise
        return done

    async def remove(self, pod_key: Key, pod_uid: str, container_id: str) -> None:
        """Detach a Pod: its links, and the endpoints that are still this container's; what is gone is no error."""
        reader = Reader(self.cache)
        newer: set[str] = set()  # interfaces of a newer container
        for key in reader.values(ENDPOINTS_OF_POD, (pod_key.namespace, pod_key.name, pod_uid)):
            endpoint = reader.get(networkendpoint.KIND, key.name, key.namespace)
            ref = endpoint.spec.pod_ref if endpoint is not None else None
            if endpoint is None or ref is None:
                continue
            attachment = endpoint.spec.attachment
            if attachment is not None and attachment.container_id not in ("", container_id):
                newer.add(ref.interface)
                continue
            await self._forget(endpoint)
        # DEL-1: the endpoints may be gone before the links are, so the node is asked what there is.
        with suppress(LookupError):
            for interface in list(self.links.interfaces(self.node, _sandbox(pod_key))):
                if interface not in newer:
                    self.links.unplug(self.node, _sandbox(pod_key), interface)

    def _wanted_nics(self, pod_key: Key, pod_uid: str) -> list[NetworkInterface]:
        """ADD-1 to ADD-4: all that the Pod asks for, allocated, eth0 first, the rest by name."""
        reader = Reader(self.cache)
        asking: Pod | None = reader.get(pod.KIND, pod_key.name, pod_key.namespace)
        if asking is None or asking.metadata.uid != pod_uid:
            raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"Pod {pod_key.name} is not known yet")
        request = read_request(asking.metadata.annotations)
        if request.violations:
            raise CNIError(CNIErrorCode.INTERNAL, "; ".join(map(str, request.violations)))
        found = (
            reader.get(networkinterface.KIND, key.name, key.namespace) for key in reader.values(NICS_OF_POD, pod_uid)
        )
        held = {nic.spec.pod_ref.interface: nic for nic in found if nic is not None}
        wanted = sorted(request.nics, key=lambda nic: (nic.interface != FIRST_INTERFACE, nic.interface))
        return [self._allocated(held.get(nic.interface), nic.interface) for nic in wanted]

    def _allocated(self, nic: NetworkInterface | None, interface: str) -> NetworkInterface:
        if nic is None:
            raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"there is no NetworkInterface for {interface} yet")
        held = condition(nic, "Allocated")
        if held is None or held.status != "True":
            why = held.message or held.reason if held is not None else "not judged yet"
            raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"NetworkInterface {nic.name} is not allocated: {why}")
        if interface == FIRST_INTERFACE and not nic.status.address:
            why = f"NetworkInterface {nic.name} has no address, and runtimes fail a sandbox whose {interface} has none"
            raise CNIError(CNIErrorCode.INTERNAL, why)
        return nic

    def _settings(self, nic: NetworkInterface) -> LinkSettings:
        status: NetworkInterfaceStatus = nic.status
        mtu: int | None = None
        if nic.spec.l2_network:
            segment = network(Reader(self.cache), L2NETWORK, nic.spec.l2_network)
            if segment is None or not segment.mtu:
                why = f"L2Network {nic.spec.l2_network} has no status.mtu yet"
                raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, why)
            mtu = segment.mtu
        return LinkSettings(
            IPv4Interface(status.address) if status.address else None,
            tuple(
                HostRoute(IPv4Network(route.dst), IPv4Address(route.gw), route.on_link, route.table)
                for route in status.routes
            ),
            tuple(HostRule(IPv4Network(rule.source), rule.table, rule.priority) for rule in status.rules),
            mtu,
        )

    async def _record(self, nic: NetworkInterface, link: Link, container_id: str) -> NetworkEndpoint:
        """ADD-7: the endpoint of a NIC; for the same Pod UID it is refreshed."""
        attachment = Attachment(link.number, link.host_mac, container_id)
        held = Reader(self.cache).get(networkendpoint.KIND, nic.name, nic.namespace)
        if held is not None:
            if held.spec.pod_ref is None or held.spec.pod_ref.uid != nic.spec.pod_ref.uid:
                raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"NetworkEndpoint {nic.name} is of an earlier Pod")
            return await self.store.update(held.with_spec(mac_address=link.mac, attachment=attachment))
        ref = nic.spec.pod_ref
        spec = NetworkEndpointSpec(
            "Pod",
            self.node,
            nic.spec.subnet,
            nic.spec.l2_network,
            address=nic.status.address,
            mac_address=link.mac,
            attachment=attachment,
            pod_ref=EndpointPodRef(ref.name, ref.interface, ref.uid),
        )
        api_version = self.cache.registry[nic.kind].api_version
        owner = OwnerReference(api_version, nic.kind, nic.name, nic.metadata.uid, controller=True)
        return await self.store.create(
            networkendpoint.KIND.new(nic.name, spec, nic.namespace, owner_references=(owner,))
        )

    async def _forget(self, endpoint: AnyObject) -> None:
        # One that is gone, or another by that name, is none of ours.
        with suppress(NotFound, Conflict):
            await self.store.delete(endpoint.key, endpoint.metadata.uid)


def _sandbox(pod_key: Key) -> str:
    return f"{pod_key.namespace}/{pod_key.name}"
