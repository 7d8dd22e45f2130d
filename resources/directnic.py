"""A NIC that carries an ElasticIP itself: it has the ElasticIP's address as a /32, a gateway on the link, and no claim.

It has the address only while the ElasticIP names it and no ElasticIPAttachment wants it: so no address is carried
twice, and none is carried and translated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from ipaddress import IPv4Address
from typing import Protocol, TypeVar

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import quoted
from juneau.engine.intents import DIRECT_NEXT_HOP
from juneau.engine.machine import Phase, Row, Wait
from juneau.engine.objects import Key, why_not
from juneau.engine.world import Reader
from juneau.resources import elasticip, externalnetwork
from juneau.resources.elasticipspec import ATTACHMENT, ELASTIC_IP, INTERFACE, ElasticIP, ElasticIPUse
from juneau.resources.externalnetwork import EXTERNAL_NETWORK, ExternalNetwork
from juneau.resources.externals import TRANSLATIONS
from juneau.resources.nicspec import FIRST_INTERFACE, NetworkInterface, NICRoute, NICRule

GATEWAY = str(DIRECT_NEXT_HOP)
PRIORITY = 100  # of the rule: before the one of the main table, which is 32766
RESERVED_TABLES = 256  # the tables below are Linux's own
_EVERYWHERE = "0.0.0.0/0"

T = TypeVar("T")


@frozen
class Direct:
    """What decides about a NIC on an ElasticIP; nothing of it where there is no such ElasticIP or network."""

    nic: NetworkInterface
    eip: ElasticIP | None
    network: ExternalNetwork | None
    translators: tuple[str, ...]  # ElasticIPAttachments that want it, and are not being deleted

    @property
    def ip(self) -> IPv4Address | None:
        """The ElasticIP's address, None also where it cannot be read."""
        return ipv4(self.eip.status.address) if self.eip is not None else None

    @property
    def eip_key(self) -> Key:
        return Key(ELASTIC_IP, self.nic.namespace, self.nic.spec.elastic_ip)

    @property
    def network_name(self) -> str:
        return self.eip.spec.external_network if self.eip is not None else ""

    @property
    def is_first(self) -> bool:
        return self.nic.spec.pod_ref.interface == FIRST_INTERFACE

    @property
    def user(self) -> ElasticIPUse | None:
        """Who has the ElasticIP."""
        if self.translators:
            return ElasticIPUse(ATTACHMENT, self.translators[0])
        return self.eip.status.attachment if self.eip is not None else None

    @property
    def has_it(self) -> bool:
        return self.user == ElasticIPUse(INTERFACE, self.nic.name)

    @property
    def is_readable(self) -> bool:
        """NIC-T3: an extra NIC's address is its table's number, too."""
        return self.ip is not None and (self.is_first or int(self.ip) >= RESERVED_TABLES)

    @property
    def address(self) -> str:
        """The address in CIDR form, empty unless the NIC has it."""
        usable = self.has_it and self.is_readable and self.network is not None and self.network.status.network_id
        return f"{self.ip}/32" if usable else ""

    @property
    def routes(self) -> tuple[NICRoute, ...]:
        """NIC-R3, NIC-R5: the default route, of an extra NIC in a table of its own."""
        return (NICRoute(_EVERYWHERE, GATEWAY, on_link=True, table=self._table),) if self.address else ()

    @property
    def rules(self) -> tuple[NICRule, ...]:
        """NIC-R5: what has the address as source takes that table, so that replies leave where the request came in."""
        return (NICRule(self.address, self._table, PRIORITY),) if self.address and self._table else ()

    @property
    def _table(self) -> int:
        """NIC-T1, NIC-T2: the address as a number, which is the same on every Node and at every time; 0: main."""
        return int(self.ip) if self.ip is not None and not self.is_first else 0


def direct(nic: NetworkInterface, world: Reader) -> Direct | None:
    """What is known of the ElasticIP of a NIC, None where it is not on one."""
    name = nic.spec.elastic_ip
    if not name:
        return None
    eip = world.get(elasticip.KIND, name, nic.namespace)
    network = world.get(externalnetwork.KIND, eip.spec.external_network) if eip is not None else None
    wanted = world.values(TRANSLATIONS, (nic.namespace, name))
    return Direct(nic, eip, network, tuple(found.name for found in wanted if not found.deleting))


class AboutNIC(Protocol):
    """Facts about a NIC; `direct` is None where it is on no ElasticIP."""

    @property
    def direct(self) -> Direct | None: ...


def _elastic_ip_has_no_address(direct: Direct) -> bool:
    return direct.eip is None or not direct.eip.status.address


def _address_cannot_be_used(direct: Direct) -> bool:
    return not direct.is_readable


def _network_has_no_number(direct: Direct) -> bool:
    return direct.network is None or not direct.network.status.network_id


def _somebody_else_has_it(direct: Direct) -> bool:
    return not direct.has_it


def no_address_message(eip: ElasticIP | None, name: str) -> str:
    """Why an ElasticIP has no address to carry."""
    why = why_not(eip, "Allocated")
    return f"ElasticIP {name} {'does not exist' if eip is None else 'has no address'}{why}"


def no_number_message(name: str, network: ExternalNetwork | None) -> str:
    """Why nothing can be carried on a network."""
    return f"ExternalNetwork {name} {'has no status.networkID yet' if network is not None else 'does not exist'}"


def _no_address_message(direct: Direct) -> str:
    return no_address_message(direct.eip, direct.eip_key.name)


def _unusable_message(direct: Direct) -> str:
    what = f"the address {quoted(direct.eip.status.address if direct.eip else '')} of ElasticIP {direct.eip_key.name}"
    if direct.ip is None:
        return f"{what} is no IPv4 address"
    number = int(direct.ip)
    return f"{what} cannot be on an extra NIC: its routing table would be {number}, and those below 256 are Linux's own"


def _no_number_message(direct: Direct) -> str:
    return no_number_message(direct.network_name, direct.network)


def _user_message(direct: Direct) -> str:
    if direct.user is not None:
        verb = "wants" if direct.translators else "has"
        return f"waiting for {direct.user}, which {verb} ElasticIP {direct.eip_key.name}"
    going = " and is being deleted" if direct.eip is not None and direct.eip.deleting else ""
    why = why_not(direct.eip, "Ready") or why_not(direct.eip, "Attached")
    return f"waiting for ElasticIP {direct.eip_key.name}, which has no user yet{going}{why}"


def _address_waits(direct: Direct) -> tuple[Wait, ...]:
    return (Wait(direct.eip_key, "status.address"),)


def _number_waits(direct: Direct) -> tuple[Wait, ...]:
    return (Wait(Key(EXTERNAL_NETWORK, "", direct.network_name), "status.networkID"),)


def _user_waits(direct: Direct) -> tuple[Wait, ...]:
    user = direct.user
    if user is None:
        return (Wait(direct.eip_key, "status.attachment"),)
    return (Wait(Key(user.kind, direct.eip_key.namespace, user.name), "metadata", "has the ElasticIP"),)


def _no_waits(_direct: Direct) -> tuple[Wait, ...]:
    return ()


def _of(ask: Callable[[Direct], T], otherwise: T) -> Callable[[AboutNIC], T]:
    """The same question about a NIC that may be on no ElasticIP."""

    @wraps(ask)
    def asked(facts: AboutNIC) -> T:
        return ask(facts.direct) if facts.direct is not None else otherwise

    return asked


# NIC-P5 to NIC-P8: both conditions say so, and the message names who is waited for.
DIRECT_ROWS: tuple[Row[AboutNIC], ...] = tuple(
    Row(_of(when, False), dest, reason, _of(message, ""), _of(waits, ()))
    for when, dest, reason, message, waits in (
        (_elastic_ip_has_no_address, Phase.PENDING, "NetworkNotReady", _no_address_message, _address_waits),
        (_address_cannot_be_used, Phase.FAILED, "InvalidElasticIPAddress", _unusable_message, _no_waits),
        (_network_has_no_number, Phase.PENDING, "NetworkNotReady", _no_number_message, _number_waits),
        (_somebody_else_has_it, Phase.PENDING, "WaitingForElasticIP", _user_message, _user_waits),
    )
)
