"""The story that `juneau demo` tells: each chapter does something in a lab, prints it and checks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from ipaddress import IPv4Address

from attrs import Factory, define, field

from juneau.commands.dataplanes import driver
from juneau.commands.nics import find_nic
from juneau.commands.probes import Nic, frame, nic, receivers
from juneau.commands.story_outside import documented, outside
from juneau.engine.documents import Document
from juneau.engine.explain import explain, render
from juneau.engine.manifests import read_documents
from juneau.engine.objects import Key
from juneau.engine.table import aligned
from juneau.engine.table import render as table
from juneau.engine.trace import Reason, Trace
from juneau.lab.lab import DEFAULT_NODES
from juneau.lab.makers import makers
from juneau.lab.outside import NAMES as OUTSIDE_HOSTS
from juneau.lab.reference import Reference
from juneau.lab.session import Session

READY_NICS = 14
STRANGER = bytes.fromhex("020000000099")


def samples() -> Iterator[Document]:
    """The sample manifests that come with Juneau."""
    folder = files("juneau.manifests") / "samples"
    for file in sorted(folder.iterdir(), key=lambda found: found.name):
        if file.name.endswith(".yaml"):
            yield from read_documents(file.read_bytes(), file.name)


@define(eq=False)
class Story:
    """Tells to `write`; `faults` are the steps that did not go as they should."""

    write: Callable[[str], object]
    documents: Sequence[Document] = Factory(lambda: list(samples()))
    session: Session = field(init=False)
    faults: list[str] = Factory(list[str])

    def tell(self) -> bool:
        """All chapters; whether everything was as expected."""
        self.session = Session.start(driver("simulated"), self._fault)
        self.write(f"One process plays a cluster with the Nodes {' and '.join(DEFAULT_NODES)}: no root, no cluster.\n")
        for chapter in self._chapters():
            try:
                chapter()
            except LookupError as error:
                self.faults.append(str(error))
        self.write("\nEverything went as expected.\n" if not self.faults else "\nNot as expected:\n")
        for fault in self.faults:
            self.write(f"  {fault}\n")
        return not self.faults

    def _chapters(self) -> Iterator[Callable[[], None]]:
        yield from (self._apply, self._show_nics, partial(documented, self), self._ping)
        yield from (partial(outside, self), self._flood, self._explain)

    def _fault(self, line: str) -> None:
        """What a session says, other than of what was done and of the Pod that is meant to wait, is a fault."""
        if not line.endswith((" created", " configured")) and "ElasticIP vpn-eip has no address" not in line:
            self.faults.append(line)

    def title(self, text: str) -> None:
        self.write(f"\n{text}\n{'-' * len(text)}\n")

    def _apply(self) -> None:
        self.title("Manifests of a tenant: a Vpc with its networks, ways to the outside, and ten Pods")
        by_file: dict[str, list[str]] = {}
        for document in self.documents:
            self.session.apply(document)
            key = list(self.session.applied)[-1]
            by_file.setdefault(document.source, []).append(f"{key.kind.lower()}/{key.name}")
        self.write(aligned([(file, " ".join(names)) for file, names in by_file.items()]))

    def _show_nics(self) -> None:
        self.title("Their NICs (kubectl get networkinterface)")
        ((kind, objects),) = self.session.select([Reference("networkinterface")])
        self.write(table(kind, objects, "table", self.session.clock.now()))
        ready = sum(obj.status.phase == "Ready" for obj in objects)
        if (ready, len(objects)) != (READY_NICS, READY_NICS):
            self.faults.append(
                f"{ready} of {len(objects)} NetworkInterfaces are Ready, not {READY_NICS} of {READY_NICS}"
            )

    def nic(self, name: str) -> Nic:
        """A NIC of a Pod, or of a host outside; one that is not there is a LookupError."""
        if name in OUTSIDE_HOSTS:
            found = find_nic(self.session, name)
            assert found is not None
            return found
        there = nic(self.session.lab.cache, "default", name)
        if isinstance(there, str):
            raise LookupError(there)
        return there

    def _ping(self) -> None:
        self.title("Pings inside")
        rows = [
            self.pinged("within the Subnet, on one Node", "app.eth0", "app-3.eth0", _stays_on_one_node),
            self.pinged("within the Subnet, across Nodes", "app.eth0", "app-2.eth0", _crosses_nodes),
            self.pinged("within the segment, across Nodes", "web.eth1", "vm.eth0", _crosses_nodes),
            self.pinged("across the gateway of the segment", "vm.eth0", "app.eth0", _is_routed),
            self.pinged("into another Vpc: must not pass", "app.eth0", "plain-1.eth0", None),
        ]
        self.write(aligned([row for row, _ in rows]))

    def pinged(
        self,
        what: str,
        source: str,
        target: str,
        expected: Callable[[Trace], bool] | None,
        address: IPv4Address | None = None,
    ) -> tuple[Sequence[str], Trace]:
        """One row, and the way; `expected` judges the way of an answered ping, None expects no answer.

        Without an address the target's own is asked for.
        """
        sender, receiver = self.nic(source), self.nic(target)
        assert sender.address is not None and receiver.address is not None
        address = address or IPv4Address(receiver.address.ip)
        exchange = self.session.site.ping(sender.node, sender.sandbox, address, interface=sender.interface)
        drops = exchange.trace.drops()
        answer = "answered" if exchange else f"no answer: {drops[-1].reason.name if drops else 'nothing came back'}"
        fine = not exchange if expected is None else bool(exchange) and expected(exchange.trace)
        if not fine:
            self.faults.append(f"{what}: {source} to {target}: {answer}\n{exchange.trace}")
        way = f"{source} ({sender.address.ip}) -> {target} ({address})"
        return ("ok" if fine else "NO", what, way, answer), exchange.trace

    def _flood(self) -> None:
        self.title("A frame to a MAC that nobody has, from plain-1 on the segment plain-net: flooded to all the others")
        sender = self.nic("plain-1.eth1")
        trace = self.session.site.inject(sender.node, sender.sandbox, sender.interface, frame(STRANGER, sender))
        self.write(f"{trace}\n")
        got = receivers(trace)
        expected = [self.nic(f"plain-{number}.eth1").port for number in (2, 3)]
        if sorted(got) != expected:
            self.faults.append(f"the flooded frame came out at {', '.join(got) or 'nothing'}, not at {expected}")

    def _explain(self) -> None:
        self.title("A Pod that waits, and for what (juneau explain pod/vpn)")
        now = self.session.clock.now()
        cache = self.session.lab.cache
        found = explain(cache, Key("Pod", "default", "vpn"), now, makers(cache, self.session.lab.kubelets.why_not))
        chain = render(found, now)
        self.write(chain)
        if "waits for a free value of AllocationPool addr-ext-pool" not in chain:
            self.faults.append("the Pod vpn does not wait for an address of the pool ext-pool")


def _stays_on_one_node(trace: Trace) -> bool:
    return not trace.crossings


def _crosses_nodes(trace: Trace) -> bool:
    return bool(trace.crossings)


def _is_routed(trace: Trace) -> bool:
    return any(step.reason is Reason.ROUTED for step in trace.steps)
