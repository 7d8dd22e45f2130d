"""The node's side of the CNI: ADD and DEL of one Pod, all of its NICs in one request.

Nothing waits inside a request: an unmet condition is an error at once, and the runtime calls again.
Links are made by whoever is passed in (`engine.driver.Site` in a lab); what exists is recorded as NetworkEndpoints.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Protocol

from attrs import define, frozen

from juneau.engine.driver import HostRoute, HostRule, Link, LinkSettings
from juneau.engine.errors import AlreadyExists, APIError, CNIError, CNIErrorCode, Conflict, JuneauError, NotFound
from juneau.engine.objects import Key, OwnerReference, condition
from juneau.engine.store import Store
from juneau.engine.world import Cache, Reader
from juneau.resources import elasticip, networkendpoint, networkinterface, pod
from juneau.resources.endpointspec import Attachment, EndpointPodRef, NetworkEndpoint, NetworkEndpointSpec
from juneau.resources.networkendpoint import ENDPOINTS_OF_POD
from juneau.resources.networks import L2NETWORK, network
from juneau.resources.nicspec import (
    FIRST_INTERFACE,
    NICS_OF_POD,
    NetworkInterface,
    NetworkInterfaceStatus,
    shared_mac,
)
from juneau.resources.podrequest import read_request
from juneau.resources.podspec import Pod

log = logging.getLogger(__name__)

_TRIES = 3  # of a write that somebody else was faster than


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
        try:
            for nic in nics:
                settings = self._settings(nic)
                interface = nic.spec.pod_ref.interface
                link = self.links.plug(self.node, _sandbox(pod_key), interface, settings)
                done.append(AttachedNIC(interface, link, settings.address))
                await self._record(nic, link, container_id)
        except (Exception, asyncio.CancelledError):
            await self._roll_back(pod_key, pod_uid, container_id, [attached.interface for attached in done])
            raise
        return done

    async def _roll_back(self, pod_key: Key, pod_uid: str, container_id: str, interfaces: Sequence[str]) -> None:
        """ADD-9: take back what was done, the last first; a server that is away does not keep the links there."""
        for interface in reversed(interfaces):
            try:
                await self._release(_endpoint_key(pod_key, interface), pod_uid, container_id)
            except JuneauError as error:
                log.warning("endpoint left behind", extra={"key": str(pod_key), "error": str(error)})
            self.links.unplug(self.node, _sandbox(pod_key), interface)

    async def remove(self, pod_key: Key, pod_uid: str, container_id: str) -> None:
        """Detach a Pod: its links, and the endpoints that are still this container's; what is gone is no error."""
        # DEL-1: the endpoints may be gone before the links are, so the node is asked what there is.
        linked: list[str] = []
        with suppress(LookupError):
            linked = list(self.links.interfaces(self.node, _sandbox(pod_key)))
        newer: set[Key] = set()  # endpoints of a newer container
        keys = {*self._known_endpoints(pod_key, pod_uid), *(_endpoint_key(pod_key, interface) for interface in linked)}
        for key in sorted(keys, key=lambda key: (key != _endpoint_key(pod_key, FIRST_INTERFACE), key)):
            if not await self._release(key, pod_uid, container_id):
                newer.add(key)
        for interface in linked:
            if _endpoint_key(pod_key, interface) not in newer:
                self.links.unplug(self.node, _sandbox(pod_key), interface)

    def _known_endpoints(self, pod_key: Key, pod_uid: str) -> Iterator[Key]:
        """DEL-2: those that are known already, and those that the Pod asks for, if it is still there."""
        reader = Reader(self.cache)
        yield from reader.values(ENDPOINTS_OF_POD, (pod_key.namespace, pod_key.name, pod_uid))
        asking: Pod | None = reader.get(pod.KIND, pod_key.name, pod_key.namespace)
        for nic in read_request(asking.metadata.annotations).nics if asking is not None else ():
            yield _endpoint_key(pod_key, nic.interface)

    async def _release(self, key: Key, pod_uid: str, container_id: str) -> bool:
        """DEL-3: delete the endpoint if it is this container's, as the server has it; whether no newer one has it."""
        for _ in range(_TRIES):
            try:
                endpoint: NetworkEndpoint = await self.store.get(key)
                ref, attachment = endpoint.spec.pod_ref, endpoint.spec.attachment
                if ref is None or ref.uid != pod_uid:
                    return True  # another Pod's
                if attachment is not None and attachment.container_id not in ("", container_id):
                    return False
                held = endpoint.metadata
                await self.store.delete(key, held.uid, held.resource_version)
            except NotFound:
                return True
            except Conflict:
                continue  # somebody has changed it since: it may be a newer container's by now
            return True
        raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"NetworkEndpoint {key.name} is being changed all the time")

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
            shared_mac(nic),
            _node_routes(nic),
        )

    async def _record(self, nic: NetworkInterface, link: Link, container_id: str) -> None:
        """ADD-7: the endpoint of a NIC; for the same Pod UID it is refreshed.

        Raises CNIError, also for what the server refuses.
        """
        attachment = Attachment(link.number, link.host_mac, container_id)
        key, why = Key(networkendpoint.KIND.name, nic.namespace, nic.name), ""
        for _ in range(_TRIES):
            try:
                held: NetworkEndpoint = await self.store.get(key)
            except NotFound:
                wanted = self._endpoint(nic, link, attachment)
            else:
                if held.spec.pod_ref is None or held.spec.pod_ref.uid != nic.spec.pod_ref.uid:
                    raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"NetworkEndpoint {nic.name} is of an earlier Pod")
                wanted = held.with_spec(mac_address=link.mac, attachment=attachment)
            try:
                if wanted.metadata.uid:
                    await self.store.update(wanted)
                else:
                    await self.store.create(wanted)
            except (AlreadyExists, Conflict, NotFound) as error:
                why = error.message
            except APIError as error:
                raise CNIError(CNIErrorCode.INTERNAL, error.message) from error
            else:
                return
        raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"NetworkEndpoint {nic.name} could not be written: {why}")

    def _endpoint(self, nic: NetworkInterface, link: Link, attachment: Attachment) -> NetworkEndpoint:
        ref = nic.spec.pod_ref
        spec = NetworkEndpointSpec(
            "Pod",
            self.node,
            nic.spec.subnet,
            nic.spec.l2_network,
            self._external_network(nic),
            nic.status.address,
            link.mac,
            attachment,
            EndpointPodRef(ref.name, ref.interface, ref.uid),
        )
        api_version = self.cache.registry[nic.kind].api_version
        owner = OwnerReference(api_version, nic.kind, nic.name, nic.metadata.uid, controller=True)
        return networkendpoint.KIND.new(nic.name, spec, nic.namespace, owner_references=(owner,))

    def _external_network(self, nic: NetworkInterface) -> str:
        """Whose segment a NIC that carries an ElasticIP is on; empty for any other."""
        name = nic.spec.elastic_ip
        if not name:
            return ""
        eip = Reader(self.cache).get_spec(elasticip.KIND, name, nic.namespace)
        if eip is None:
            raise CNIError(CNIErrorCode.TRY_AGAIN_LATER, f"ElasticIP {name} of NetworkInterface {nic.name} is gone")
        return eip.spec.external_network


def _node_routes(nic: NetworkInterface) -> tuple[IPv4Network, ...]:
    """ADD-6: only eth0 on an ElasticIP can be reached from its Node; in Vpcs one address can be there several times."""
    is_direct = nic.spec.elastic_ip and nic.spec.pod_ref.interface == FIRST_INTERFACE
    return (IPv4Network(nic.status.address),) if is_direct and nic.status.address else ()


def _sandbox(pod_key: Key) -> str:
    return f"{pod_key.namespace}/{pod_key.name}"


def _endpoint_key(pod_key: Key, interface: str) -> Key:
    return Key(networkendpoint.KIND.name, pod_key.namespace, f"{pod_key.name}.{interface}")
