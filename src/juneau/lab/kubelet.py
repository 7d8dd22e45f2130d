"""Scheduler, kubelets and the Nodes' own ports: what a cluster does for Pods beside Juneau."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from ipaddress import IPv4Interface

from attrs import Factory, define, evolve, frozen

from juneau.cni.server import Server
from juneau.engine.driver import LinkSettings, Site
from juneau.engine.errors import CNIError
from juneau.engine.objects import Key
from juneau.engine.store import Store
from juneau.engine.world import Cache, Reader
from juneau.resources import networkendpoint, networkinterface, node, pod
from juneau.resources.networkendpoint import Attachment, NetworkEndpoint
from juneau.resources.node import SCHEDULABLE
from juneau.resources.pod import PODS_ON_NODE, Pod, PodIP, is_exempt

log = logging.getLogger(__name__)

NODE_INTERFACE = "juneau_node"


@frozen
class Sandbox:
    """A Pod that was attached: where, and as which container."""

    node: str
    uid: str
    container_id: str
    address: str = ""


@define(eq=False)
class Kubelets:
    """All Nodes' kubelets, and the scheduler; `dirty` are the keys that changed since the last look."""

    store: Store
    cache: Cache
    site: Site
    cni: dict[str, Server] = Factory(dict[str, Server])
    sandboxes: dict[Key, Sandbox] = Factory(dict[Key, Sandbox])
    why_not: dict[Key, str] = Factory(dict[Key, str])
    dirty: dict[Key, None] = Factory(dict[Key, None])

    def note(self, key: Key) -> None:
        """Something changed that may concern a Pod or a Node."""
        if key.kind == pod.KIND.name or key.kind == networkendpoint.KIND.name:
            self.dirty[key] = None
        elif key.kind == networkinterface.KIND.name:
            self.dirty[Key(pod.KIND.name, key.namespace, key.name.rpartition(".")[0])] = None
        elif key.kind == node.KIND.name:
            for node_name in ("", key.name):
                waiting = self.cache.entries(PODS_ON_NODE.name, node_name)
                self.dirty.update((pod_key, None) for pod_key in waiting if pod_key not in self.sandboxes)

    async def work(self) -> bool:
        """Do what is to be done for what changed; whether anything was done."""
        busy = False
        while self.dirty:
            batch, self.dirty = self.dirty, {}
            for key in batch:
                is_pod = key.kind == pod.KIND.name
                busy |= await (self._pod(key) if is_pod else self._node_endpoint(key))
        return busy

    async def _pod(self, key: Key) -> bool:
        asking: Pod | None = Reader(self.cache).get(pod.KIND, key.name, key.namespace)
        sandbox = self.sandboxes.get(key)
        if sandbox is not None and (asking is None or asking.metadata.uid != sandbox.uid or asking.deleting):
            await self._detach(key, sandbox)
            return True
        if asking is None or asking.deleting or is_exempt(asking):
            return False
        if not asking.spec.node_name:
            return await self._bind(asking)
        if asking.status.phase in ("Succeeded", "Failed"):
            if sandbox is not None:
                await self._detach(key, sandbox)
            return sandbox is not None
        return await self._attach(asking) if sandbox is None else await self._report(asking, sandbox)

    async def _bind(self, asking: Pod) -> bool:
        """The Node with the fewest Pods, of equals the first by name."""
        nodes = Reader(self.cache).values(SCHEDULABLE, "")
        if not nodes:
            self.why_not[asking.key] = "there is no Node to run it on"
            return False
        chosen = min(nodes, key=lambda name: (len(self.cache.entries(PODS_ON_NODE.name, name)), name))
        await self.store.update(asking.with_spec(node_name=chosen))
        return True

    async def _attach(self, asking: Pod) -> bool:
        server = self.cni.get(asking.spec.node_name)
        if server is None:
            self.why_not[asking.key] = f"there is no Node {asking.spec.node_name}"
            return False
        uid = asking.metadata.uid
        container = uid.replace("-", "")
        try:
            attached = await server.add(asking.key, uid, container)
        except CNIError as error:
            self.why_not[asking.key] = error.message
            return False
        self.why_not.pop(asking.key, None)
        first = attached[0].address
        sandbox = Sandbox(asking.spec.node_name, uid, container, str(first.ip) if first is not None else "")
        self.sandboxes[asking.key] = sandbox
        log.info("Pod attached", extra={"key": str(asking.key), "node": asking.spec.node_name})
        await self._report(asking, sandbox)
        return True

    async def _report(self, asking: Pod, sandbox: Sandbox) -> bool:
        """Say that the Pod runs, also where an earlier kubelet died before it could."""
        if asking.status.phase == "Running":
            return False
        running = evolve(asking.status, phase="Running", pod_ip=sandbox.address, pod_ips=(PodIP(sandbox.address),))
        await self.store.update_status(evolve(asking, status=running))
        return True

    async def _detach(self, key: Key, sandbox: Sandbox) -> None:
        del self.sandboxes[key]
        self.dirty[key] = None  # another Pod of that name may be waiting
        server = self.cni.get(sandbox.node)
        if server is not None:
            await server.remove(key, sandbox.uid, sandbox.container_id)

    async def _node_endpoint(self, key: Key) -> bool:
        """A Node's own port of the default Subnet: its agent makes the link that the endpoint speaks of."""
        endpoint: NetworkEndpoint | None = Reader(self.cache).get(networkendpoint.KIND, key.name, key.namespace)
        if endpoint is None or endpoint.spec.kind != "Node" or endpoint.spec.attachment is not None:
            return False
        name = endpoint.spec.node_name
        if name not in self.cni or not endpoint.spec.address:
            return False
        settings = LinkSettings(IPv4Interface(endpoint.spec.address), mac=endpoint.spec.mac_address)
        link = self.site.plug(name, name, NODE_INTERFACE, settings)
        await self.store.update(endpoint.with_spec(attachment=Attachment(link.number, link.host_mac)))
        return True

    def pods_of(self, node_name: str) -> Iterator[Key]:
        """The Pods attached on a Node."""
        return (key for key, sandbox in self.sandboxes.items() if sandbox.node == node_name)

    def lose_node(self, node_name: str) -> None:
        """The Node is gone, and all that ran there."""
        self.cni.pop(node_name, None)
        for key in list(self.pods_of(node_name)):
            del self.sandboxes[key]
