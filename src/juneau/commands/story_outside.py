"""The chapters of the story that look at the cluster from outside: the documents' own tables, ARP, and packets."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any, Final

import yaml

from juneau.engine.convert import encode
from juneau.engine.driver import OUTSIDE
from juneau.engine.table import aligned, render
from juneau.engine.trace import Reason, Trace
from juneau.lab.outside import HOST
from juneau.lab.reference import Reference

if TYPE_CHECKING:
    from juneau.commands.story import Story

SHOWN: Final = ("app.eth0", "gw.eth0", "gw.eth1")
CARRIED: Final = IPv4Address("10.225.51.6")
_BROADCAST: Final = bytes.fromhex("ffffffffffff")
_ARP_REQUEST: Final = bytes.fromhex("0806 0001 0800 0604 0001")


def documented(story: Story) -> None:
    """What the documents print of a Pod that carries an ElasticIP, to the letter."""
    story.title("As the documents have it: a NIC that carries an ElasticIP")
    session, now = story.session, story.session.clock.now()
    ((kind, nics),) = session.select([Reference("networkinterface", "", name) for name in SHOWN])
    story.write(f"$ kubectl get networkinterface {' '.join(SHOWN)}\n{render(kind, nics, 'table', now)}\n")
    path = "{.status.networkID}"
    ((kind, networks),) = session.select([Reference("externalnetwork", "", "ext-net")])
    number = render(kind, networks, f"jsonpath={path}", now, single=True)
    story.write(f"$ kubectl get externalnetwork ext-net -o jsonpath='{path}'\n{number}\n\n")
    status = encode(session.lab.registry, nics[-1])["status"]
    part = {name: status[name] for name in ("address", "routes", "rules")}
    library: Any = yaml
    text = library.dump({"status": part}, Dumper=_Indented, sort_keys=False)
    story.write(f"$ kubectl get networkinterface {SHOWN[-1]} -o yaml\n{text}")
    if part["address"] != f"{CARRIED}/32":
        story.faults.append(f"{SHOWN[-1]} has the address {part['address']}, not {CARRIED}/32")


class _Indented(yaml.SafeDumper):
    """Lists stand below their key, two columns to the right."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def outside(story: Story) -> None:
    """Who answers ARP, and packets in and out."""
    story.title("From a host outside the cluster (juneau lab trace --from outside)")
    _ask(story)
    way, trace = story.pinged("to the NIC that carries it", HOST, "gw.eth1", _answers_by("gw.eth1"))
    rows = [
        way,
        story.pinged("to web, one to one", HOST, "web.eth0", _answers_by("web.eth0"), IPv4Address("10.225.51.7"))[0],
        story.pinged("back out, as 10.225.51.7", "web.eth0", HOST, _is_translated("10.225.51.7"))[0],
        story.pinged("out by the NATGateway, as 10.225.51.8", "app.eth0", HOST, _is_translated("10.225.51.8"))[0],
        story.pinged("in by it, unasked: must not pass", HOST, "app.eth0", None, IPv4Address("10.225.51.8"))[0],
    ]
    story.write(f"{aligned(rows)}\nThe way of the first one:\n{trace}\n")


def _ask(story: Story) -> None:
    """One ARP question, and who answered it."""
    asker, site = story.nic(HOST), story.session.site
    assert asker.address is not None
    sender = asker.mac + asker.address.ip.packed
    question = _BROADCAST + asker.mac + _ARP_REQUEST + sender + bytes(6) + CARRIED.packed
    mark = site.mark(OUTSIDE, HOST, asker.interface)
    site.inject(OUTSIDE, HOST, asker.interface, question)
    answers = [frame[22:28].hex(":") for frame in site.received(OUTSIDE, HOST, asker.interface, mark)]
    nodes = {site.link_state(node, node, "eth0").link.mac: node for node in story.session.lab.agents}
    said = ", ".join(f"{nodes.get(mac, 'somebody')} answers with {mac}" for mac in answers) or "nobody answers"
    story.write(f"Who has {CARRIED}? {said}\n")
    if [nodes.get(mac) for mac in answers] != ["worker-2"]:
        story.faults.append(f"to an ARP question for {CARRIED}, {said}")


def _answers_by(name: str) -> Callable[[Trace], bool]:
    """Whether the Pod's packets left by that NIC and by no other."""

    def judge(trace: Trace) -> bool:
        return {step.detail for step in trace.steps if step.reason is Reason.POD_EGRESS} == {f"default/{name}"}

    return judge


def _is_translated(address: str) -> Callable[[Trace], bool]:
    """Whether the packet left under that address."""

    def judge(trace: Trace) -> bool:
        found = [step.detail.partition(":")[0] for step in trace.steps if step.reason is Reason.NAT_TRANSLATED]
        return found[:1] == [address]

    return judge
