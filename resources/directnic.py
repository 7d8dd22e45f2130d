"""A NIC that carries an ElasticIP itself: it has the ElasticIP's address as a /32, a gateway on the link, and no claim.

It has the address only while the ElasticIP names it and no ElasticIPAttachment wants it: so no address is carried
twice, and none is carried and translated.
"""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Protocol

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import quoted
from juneau.engine.machine import Phase, Row, Wait
from juneau.engine.objects import Key, condition
from juneau.engine.world import Reader
from juneau.resources import elasticip, externalnetwork
from juneau.resources.elasticipspec import ELASTIC_IP, ElasticIP
from juneau.resources.elasticipuse import ATTACHMENT, INTERFACE, ElasticIPUse
from juneau.resources.externalnetwork import EXTERNAL_NETWORK, ExternalNetwork
from juneau.resources.externals import TRANSLATIONS
from juneau.resources.nicspec import FIRST_INTERFACE, NetworkInterface, NICRoute, NICRule

GATEWAY = "169.254.0.1"  # of every such NIC; the Node's side of the link answers ARP for it
PRIORITY = 100  # of the rule: before the one of the main table, which is 32766
RESERVED_TABLES = 256  # the tables below are Linux's own
_EVERYWHERE = "0.0.0.0/0"


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


def _elastic_ip_has_no_address(facts: AboutNIC) -> bool:
    return facts.direct is not None and (facts.direct.eip is None or not facts.direct.eip.status.address)


def _address_cannot_be_used(facts: AboutNIC) -> bool:
    return facts.direct is not None and not facts.direct.is_readable


def _network_has_no_number(facts: AboutNIC) -> bool:
    direct = facts.direct
    return direct is not None and (direct.network is None or not direct.network.status.network_id)


def _somebody_else_has_it(facts: AboutNIC) -> bool:
    return facts.direct is not None and not facts.direct.has_it


def no_address_message(eip: ElasticIP | None, name: str) -> str:
    """Why an ElasticIP has no address to carry."""
    return f"ElasticIP {name} does not exist" if eip is None else f"ElasticIP {name} has no address{_told(eip)}"


def _why(eip: ElasticIP) -> str:
    """Why an ElasticIP is nobody's: what is wrong with it, else whom it waits for."""
    return _told(eip, "Ready") or _told(eip, "Attached")


def _told(eip: ElasticIP, type_: str = "Allocated") -> str:
    told = condition(eip, type_)
    if told is None or told.status == "True":
        return ""
    return f" ({': '.join(filter(None, (told.reason, told.message)))})"


def no_number_message(name: str, network: ExternalNetwork | None) -> str:
    """Why nothing can be carried on a network."""
    return f"ExternalNetwork {name} {'has no status.networkID yet' if network is not None else 'does not exist'}"


def _no_address_message(facts: AboutNIC) -> str:
    return no_address_message(facts.direct.eip, facts.direct.nic.spec.elastic_ip) if facts.direct is not None else ""


def _unusable_message(facts: AboutNIC) -> str:
    direct = facts.direct
    if direct is None or direct.eip is None:
        return ""
    what = f"the address {quoted(direct.eip.status.address)} of ElasticIP {direct.eip.name}"
    if direct.ip is None:
        return f"{what} is no IPv4 address"
    number = int(direct.ip)
    return f"{what} cannot be on an extra NIC: its routing table would be {number}, and those below 256 are Linux's own"


def _no_number_message(facts: AboutNIC) -> str:
    direct = facts.direct
    return no_number_message(_network_name(facts), direct.network) if direct is not None else ""


def _network_name(facts: AboutNIC) -> str:
    direct = facts.direct
    return direct.eip.spec.external_network if direct is not None and direct.eip is not None else ""


def _user_message(facts: AboutNIC) -> str:
    direct = facts.direct
    if direct is None or direct.eip is None:
        return ""
    if direct.user is not None:
        return (
            f"waiting for {direct.user}, which {'wants' if direct.translators else 'has'} ElasticIP {direct.eip.name}"
        )
    going = " and is being deleted" if direct.eip.deleting else ""
    return f"waiting for ElasticIP {direct.eip.name}, which has no user yet{going}{_why(direct.eip)}"


def _eip_key(facts: AboutNIC) -> Key:
    direct = facts.direct
    return Key(ELASTIC_IP, direct.nic.namespace, direct.nic.spec.elastic_ip) if direct is not None else Key("", "", "")


def _address_waits(facts: AboutNIC) -> tuple[Wait, ...]:
    return (Wait(_eip_key(facts), "status.address"),)


def _number_waits(facts: AboutNIC) -> tuple[Wait, ...]:
    return (Wait(Key(EXTERNAL_NETWORK, "", _network_name(facts)), "status.networkID"),)


def _user_waits(facts: AboutNIC) -> tuple[Wait, ...]:
    user = facts.direct.user if facts.direct is not None else None
    if user is None:
        return (Wait(_eip_key(facts), "status.attachment"),)
    return (Wait(Key(user.kind, _eip_key(facts).namespace, user.name), "metadata", "has the ElasticIP"),)


# NIC-P5 to NIC-P8: both conditions say so, and the message names who is waited for.
DIRECT_ROWS: tuple[Row[AboutNIC], ...] = (
    Row(_elastic_ip_has_no_address, Phase.PENDING, "NetworkNotReady", _no_address_message, _address_waits),
    Row(_address_cannot_be_used, Phase.FAILED, "InvalidElasticIPAddress", _unusable_message),
    Row(_network_has_no_number, Phase.PENDING, "NetworkNotReady", _no_number_message, _number_waits),
    Row(_somebody_else_has_it, Phase.PENDING, "WaitingForElasticIP", _user_message, _user_waits),
)
