"""Scheduler, kubelets and the Nodes' own ports: what a cluster does for Pods beside Juneau."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from ipaddress import IPv4Interface

from attrs import Factory, define, evolve, frozen

from juneau.cni.server import Server
from juneau.engine.clock import Clock
from juneau.engine.driver import LinkSettings, Site
from juneau.engine.errors import CNIError
from juneau.engine.objects import AnyObject, Key, condition
from juneau.engine.outcome import Note, merge_conditions
from juneau.engine.store import Store
from juneau.engine.world import Cache, Reader
from juneau.lab.scheduler import Unschedulable, choose_node
from juneau.resources import networkendpoint, networkinterface, node, pod
from juneau.resources.endpointspec import Attachment, NetworkEndpoint
from juneau.resources.networkendpoint import NODE_NAMESPACE, node_endpoint_name
from juneau.resources.node import internal_ip
from juneau.resources.pod import PODS_ON_NODE, SCHEDULED
from juneau.resources.podspec import Pod, PodIP, has_ended, is_mirror

log = logging.getLogger(__name__)

NODE_INTERFACE = "juneau_node_h"
FAILED_SANDBOX = "FailedCreatePodSandBox"
FAILED_SCHEDULING = "FailedScheduling"


@frozen
class Sandbox:
    """A Pod that was attached: where, and as which container."""

    node: str
    uid: str
    container_id: str
    address: str = ""


@define(eq=False)
class Kubelets:
    """All Nodes' kubelets, and the scheduler; `dirty` are the keys that changed since the last look.

    `why_not` says of each Pod that is not bound or attached why; `notify` is told so too, as Events are.
    Nothing happens on Nodes that are `away`: it waits until they are looked at again.
    """

    store: Store
    cache: Cache
    site: Site
    clock: Clock
    notify: Callable[[AnyObject, Note], None] = lambda _obj, _note: None
    cni: dict[str, Server] = Factory(dict[str, Server])
    sandboxes: dict[Key, Sandbox] = Factory(dict[Key, Sandbox])
    why_not: dict[Key, Note] = Factory(dict[Key, Note])
    dirty: dict[Key, None] = Factory(dict[Key, None])
    away: set[str] = Factory(set[str])
    _waiting: dict[Key, str] = Factory(dict[Key, str])  # for a Node that is away
    _left_behind: list[tuple[Key, Sandbox]] = Factory(list[tuple[Key, Sandbox]])  # there, of Pods that are gone
    _untold: dict[Key, None] = Factory(dict[Key, None])
    _told: dict[Key, Note] = Factory(dict[Key, Note])

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
        busy = await self._clear_away()
        while self.dirty:
            batch, self.dirty = self.dirty, {}
            for key in batch:
                is_pod = key.kind == pod.KIND.name
                where = self._node_of(key) if self.away else ""
                if where in self.away:
                    self._waiting[key] = where
                    continue
                busy |= await (self._pod(key) if is_pod else self._node_endpoint(key))
        return busy

    def _node_of(self, key: Key) -> str:
        """The Node whose kubelet or agent has to do something about it; empty where it is nobody's yet."""
        obj, sandbox = self.cache.get(key), self.sandboxes.get(key)
        if sandbox is not None and sandbox.node in self.away and obj is not None and obj.metadata.uid != sandbox.uid:
            # Another Pod of that name does not wait for what nobody can take away.
            self._left_behind.append((key, self.sandboxes.pop(key)))
        elif sandbox is not None:
            return sandbox.node
        return obj.spec.node_name if obj is not None else ""

    async def _clear_away(self) -> bool:
        """What was left behind on Nodes that are there again."""
        left, self._left_behind = self._left_behind, []
        for key, sandbox in left:
            if sandbox.node in self.away:
                self._left_behind.append((key, sandbox))
            elif sandbox.node in self.cni:
                await self.cni[sandbox.node].remove(key, sandbox.uid, sandbox.container_id)
        return len(self._left_behind) < len(left)

    def look_again(self, node_name: str) -> None:
        """The Node is not away any more."""
        for key in [key for key, where in self._waiting.items() if where == node_name]:
            del self._waiting[key]
            self.dirty[key] = None
        # Those that fitted on no other Node.
        self.dirty.update((key, None) for key in self.cache.entries(PODS_ON_NODE.name, ""))

    def lose_sandboxes(self, node_name: str) -> None:
        """What ran on the Node is gone, and nobody could say so; it is made again when the Node is back."""
        self._left_behind = [(key, sandbox) for key, sandbox in self._left_behind if sandbox.node != node_name]
        for key in list(self.pods_of(node_name)):
            del self.sandboxes[key]
            self._waiting[key] = node_name
        self._waiting[Key(networkendpoint.KIND.name, NODE_NAMESPACE, node_endpoint_name(node_name))] = node_name

    def tell(self) -> None:
        """Tell why Pods are not bound or attached, each reason once.

        To be called at rest: on the way there a runtime asks too early as a matter of course.
        """
        for key in self._untold:
            note, about = self.why_not.get(key), self.cache.get(key)
            if note is not None and about is not None and self._told.get(key) != note:
                self._told[key] = note
                self.notify(about, note)
        self._untold.clear()

    async def _pod(self, key: Key) -> bool:
        asking: Pod | None = Reader(self.cache).get(pod.KIND, key.name, key.namespace)
        sandbox = self.sandboxes.get(key)
        if sandbox is not None and (asking is None or asking.metadata.uid != sandbox.uid or asking.deleting):
            await self._detach(key, sandbox)
            return True
        if asking is None or asking.deleting or has_ended(asking):
            self.why_not.pop(key, None)
            self._told.pop(key, None)
            if sandbox is not None:
                await self._detach(key, sandbox)
            return sandbox is not None
        if is_mirror(asking) and not asking.spec.host_network:
            return False  # its own kubelet runs it from a file, however it likes
        if not asking.spec.node_name:
            return not is_mirror(asking) and await self._bind(asking)
        if asking.spec.host_network:
            return await self._run_on_host(asking)
        return await self._attach(asking) if sandbox is None else await self._report(asking, sandbox.address)

    async def _bind(self, asking: Pod) -> bool:
        try:
            chosen = choose_node(self.cache, asking, self.away)
        except Unschedulable as error:
            self._refuse(asking, FAILED_SCHEDULING, str(error))
            await self._say_scheduled(asking, False, "Unschedulable", str(error))
            return False
        self.why_not.pop(asking.key, None)
        bound = await self.store.update(asking.with_spec(node_name=chosen))
        if condition(asking, SCHEDULED) is not None:
            await self._say_scheduled(bound, True, "", "")
        return True

    async def _say_scheduled(self, asking: Pod, holds: bool, reason: str, message: str) -> None:
        """The scheduler's condition, which a Pod that is bound at once does without."""
        statement = {SCHEDULED: (holds, reason, message)}
        generation, now = asking.metadata.generation, self.clock.now()
        conditions = merge_conditions(asking.status.conditions, statement, generation, now)
        await self.store.update_status(asking.with_status(conditions=conditions))

    def _refuse(self, asking: Pod, reason: str, message: str) -> None:
        self.why_not[asking.key] = Note("Warning", reason, message)
        self._untold[asking.key] = None

    async def _attach(self, asking: Pod) -> bool:
        server = self.cni.get(asking.spec.node_name)
        if server is None:
            self._refuse(asking, FAILED_SANDBOX, f"there is no Node {asking.spec.node_name}")
            return False
        uid = asking.metadata.uid
        container = uid.replace("-", "")
        try:
            attached = await server.add(asking.key, uid, container)
        except CNIError as error:
            self._refuse(asking, FAILED_SANDBOX, error.message)
            return False
        self.why_not.pop(asking.key, None)
        first = attached[0].address
        sandbox = Sandbox(asking.spec.node_name, uid, container, str(first.ip) if first is not None else "")
        self.sandboxes[asking.key] = sandbox
        log.info("Pod attached", extra={"key": str(asking.key), "node": asking.spec.node_name})
        await self._report(asking, sandbox.address)
        return True

    async def _run_on_host(self, asking: Pod) -> bool:
        """A Pod on the Node's own network needs no sandbox of ours, and has the Node's address."""
        if asking.spec.node_name not in self.cni:
            self._refuse(asking, FAILED_SANDBOX, f"there is no Node {asking.spec.node_name}")
            return False
        self.why_not.pop(asking.key, None)
        address = self._address_of(asking.spec.node_name)
        return bool(address) and await self._report(asking, address)

    async def _report(self, asking: Pod, address: str) -> bool:
        """Say that the Pod runs, also where an earlier kubelet died before it could."""
        if asking.status.phase == "Running":
            return False
        host = self._address_of(asking.spec.node_name)
        running = evolve(asking.status, phase="Running", pod_ip=address, pod_ips=(PodIP(address),), host_ip=host)
        await self.store.update_status(evolve(asking, status=running))
        return True

    def _address_of(self, node_name: str) -> str:
        found = Reader(self.cache).get(node.KIND, node_name)
        address = internal_ip(found) if found is not None else None
        return str(address) if address is not None else ""

    async def _detach(self, key: Key, sandbox: Sandbox) -> None:
        del self.sandboxes[key]
        self.dirty[key] = None  # another Pod of that name may be waiting
        server = self.cni.get(sandbox.node)
        if server is not None:
            await server.remove(key, sandbox.uid, sandbox.container_id)

    async def _node_endpoint(self, key: Key) -> bool:
        """A Node's own port of the default Subnet: its agent makes the link that the endpoint speaks of."""
        endpoint: NetworkEndpoint | None = Reader(self.cache).get(networkendpoint.KIND, key.name, key.namespace)
        if endpoint is None or endpoint.spec.kind != "Node" or not endpoint.spec.address:
            return False
        name = endpoint.spec.node_name
        if name not in self.cni:
            return False
        if endpoint.spec.attachment is not None and NODE_INTERFACE in self.site.interfaces(name, name):
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
        self.look_again(node_name)
        self.cni.pop(node_name, None)
        for key in list(self.pods_of(node_name)):
            del self.sandboxes[key]
