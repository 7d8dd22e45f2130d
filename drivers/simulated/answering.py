"""ARP answering: the addresses from outside for which this Node answers on its ingress NIC (`external_arp_table`).

An address is announced before it is answered: when `take_on` returns, every station has heard whose it is from now on,
and only then does the table take the intent.

How long a Node may go on alone is stamped into its dataplane, so that it holds without an agent.
While the stamp is fresh, another MAC that announces an address of ours is a conflict, which is told and not obeyed.
Once it is stale, the address is yielded to that MAC, and no other is taken on: somebody else may have it by now.
Before the first stamp a Node counts as out of contact.
After the time to answer is over, nothing is answered at all.
What was yielded or fenced is gone from what the driver reads back: an agent in contact again applies it anew, and so it
is announced again before it is answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Final

from juneau.drivers.simulated.codec import (
    ARP,
    ARP_REQUEST,
    BROADCAST,
    NO_MAC,
    Arp,
    address_text,
    arp_answer,
    build_arp,
    is_group,
    mac_text,
    parse_arp,
)
from juneau.drivers.simulated.fabric import NANOSECONDS
from juneau.drivers.simulated.points import AGENT, NODE_INGRESS
from juneau.drivers.simulated.refusal import RefusedIntent
from juneau.engine.driver import OUT_OF_CONTACT, Contact, Row
from juneau.engine.intents import ARPAnswer
from juneau.engine.trace import Reason, Verdict

if TYPE_CHECKING:
    from juneau.drivers.simulated.interface import Interface
    from juneau.drivers.simulated.node import Node
    from juneau.drivers.simulated.tables import Tables

TABLE: Final = "external_arp_table"
CONFLICT_LASTS: Final = 300 * NANOSECONDS  # after the last frame of somebody else under the address


class Answers:
    """What a Node answers, and its stamp; times are the fabric's nanoseconds.

    `number` and `mac` are the ingress NIC's.
    """

    __slots__ = ("answers_until", "conflicts", "entries", "fenced", "fresh_until", "mac", "number")

    def __init__(self, number: int = 0, mac: bytes = NO_MAC) -> None:
        self.number = number
        self.mac = mac
        self.entries: dict[int, ARPAnswer] = {}
        self.conflicts: dict[int, tuple[bytes, int]] = {}  # whose MAC it was, and when
        self.fenced: set[int] = set()
        self.fresh_until = -1  # before the first stamp
        self.answers_until: int | None = None

    def put(self, intent: ARPAnswer) -> None:
        address = int(intent.address)
        self.entries[address] = intent
        self.conflicts.pop(address, None)

    def remove(self, intent: ARPAnswer) -> None:
        address = int(intent.address)
        del self.entries[address]
        self.conflicts.pop(address, None)

    def is_stale(self, now: int) -> bool:
        return now >= self.fresh_until

    def is_fenced(self, now: int) -> bool:
        return self.answers_until is not None and now >= self.answers_until


def take_on(node: Node, intent: ARPAnswer) -> None:
    """Announce an address that the table is about to take; raises RefusedIntent for one that it must not take."""
    settle(node)
    if node.tables.intents.get(intent.key) == intent:
        return
    _check_address(node, intent)
    _check_stamp(node, intent)
    _announce(node, (int(intent.address),))


def settle(node: Node) -> None:
    """What is fenced by now is given up."""
    answers = node.tables.answers
    if answers.entries and answers.is_fenced(node.fabric.now):
        answers.fenced |= answers.entries.keys()
        node.stop_answering()


def renew(node: Node, contact: Contact) -> None:
    settle(node)
    answers, now = node.tables.answers, node.fabric.now
    answers.fenced.clear()
    answers.fresh_until = now + round(contact.fresh_for * NANOSECONDS)
    end = contact.answers_for
    answers.answers_until = None if end is None else now + round(end * NANOSECONDS)


def announce(node: Node) -> None:
    """A gratuitous ARP for each address that is answered now."""
    settle(node)
    _announce(node, sorted(node.tables.answers.entries))


def conflicts(node: Node) -> Mapping[IPv4Address, str]:
    settle(node)
    heard = sorted(node.tables.answers.conflicts.items())
    since = node.fabric.now - CONFLICT_LASTS
    return {IPv4Address(address): mac_text(mac) for address, (mac, when) in heard if when > since}


def answer_arp(node: Node, frame: bytes, interface: Interface) -> bool:
    """Whether a frame that came in at the ingress NIC is done with; all but an answered request is left to the host."""
    arp = parse_arp(frame) if frame[12:14] == ARP else None
    if arp is None:
        return False
    settle(node)
    answers = node.tables.answers
    if arp.sender in answers.entries and arp.sender_mac != interface.mac:
        _hear_of_another(node, arp)
    is_question = arp.operation == ARP_REQUEST and arp.sender != arp.target and not is_group(arp.sender_mac)
    if is_question and arp.target in answers.fenced:
        _count(node, Reason.ARP_FENCED, arp.target, f"asked by {mac_text(arp.sender_mac)}")
    if not is_question or arp.target not in answers.entries:
        return False
    key = f"{answers.number} {address_text(arp.target)}"
    node.note(NODE_INGRESS, Reason.ARP_ANSWERED, TABLE, key, mac_text(interface.mac), Verdict.ANSWER)
    interface.transmit(arp_answer(arp, interface.mac, arp.sender_mac))
    return True


def rows(tables: Tables, now: int) -> Iterator[Row]:
    """The table as it is dumped; what is fenced is not shown, whether it was given up already or not."""
    answers = tables.answers
    if not answers.is_fenced(now):
        for address in sorted(answers.entries):
            yield {"ifindex": answers.number, "ipaddr": address_text(address), "mac": mac_text(answers.mac)}


def _hear_of_another(node: Node, arp: Arp) -> None:
    """Another MAC has spoken as an address of ours."""
    answers = node.tables.answers
    intent, detail = answers.entries[arp.sender], f"spoken for by {mac_text(arp.sender_mac)}"
    if answers.is_stale(node.fabric.now):
        node.tables.remove(intent)
        _count(node, Reason.ARP_YIELDED, arp.sender, detail)
    else:
        answers.conflicts[arp.sender] = (arp.sender_mac, node.fabric.now)
        _count(node, Reason.ARP_CONFLICT, arp.sender, detail)


def _count(node: Node, reason: Reason, address: int, detail: str) -> None:
    """The host gets the frame, so the trace shows no loss; the counter is the drops', where people look."""
    node.drops[reason] += 1
    node.note(NODE_INGRESS, reason, TABLE, f"{node.tables.answers.number} {address_text(address)}", detail)


def _announce(node: Node, addresses: Iterable[int]) -> None:
    """As RFC 5227 has it: a request by and for the address; every station has heard it when this returns."""
    nic = node.ingress.interface
    for address in addresses:
        nic.transmit(build_arp(Arp(ARP_REQUEST, nic.mac, address, NO_MAC, address), BROADCAST))
    node.run(AGENT)


def _check_address(node: Node, intent: ARPAnswer) -> None:
    nic, address = node.ingress.interface, intent.address
    if intent.node != node.name:
        raise RefusedIntent(f"this is Node {node.name}, not {intent.node}")
    names = [name for name, held in node.tables.underlays.items() if held == int(address)]
    if node.host.owns(int(address)):
        names = [node.name]
    if names:
        message = f"{address} is an address of Node {names[0]} itself, whose host answers for it: hand out another one"
        raise RefusedIntent(message, "AddressIsANodes")
    if not any(address in own.network for own in nic.addresses):
        prefixes = ", ".join(str(own.network) for own in nic.addresses) or "it has no address"
        message = (
            f"{address} is not in the subnet of {nic.name} of Node {node.name} ({prefixes}), so nobody there would ask"
            f" for it: hand out an address of that subnet, or let the Node answer on another NIC"
        )
        raise RefusedIntent(message, "AddressOutsideSubnet")


def _check_stamp(node: Node, intent: ARPAnswer) -> None:
    answers, now, address = node.tables.answers, node.fabric.now, intent.address
    if answers.is_fenced(now):
        message = f"Node {node.name} has been out of contact for too long to answer for {address}"
        raise RefusedIntent(message, "Fenced")
    if answers.is_stale(now):
        message = f"Node {node.name} is out of contact, and {address} may be another Node's by now"
        raise RefusedIntent(message, OUT_OF_CONTACT)
