"""An ARPAdvertisement's types, the rules that it has to keep, and which one of several for one address counts."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Cause, Violation, quoted
from juneau.engine.fields import Mark
from juneau.engine.objects import Key, Object, Time
from juneau.engine.world import Index, Reader
from juneau.resources import addresspool, externalnetwork, node
from juneau.resources.addresspool import Mode
from juneau.resources.claimaudit import held_up
from juneau.resources.externals import ELASTIC_IP_ADVERTISEMENT, HOLDINGS
from juneau.resources.handover import NOBODY, Answer, Grant
from juneau.resources.node import NODES_OF_ADDRESS
from juneau.resources.poolentries import has_unreadable, pools_with
from juneau.resources.status import Status

FINALIZER = "arpadvertisement.juneau.loutres.me/withdrawn"


@frozen
class ARPAdvertisementSpec:
    """Who answers for which address."""

    external_network: Annotated[
        str, Mark("ExternalNetwork of type arp that has the address", min_length=1, immutable=True)
    ]
    address: Annotated[str, Mark("IPv4 address that is answered for", min_length=1, immutable=True)]
    node_name: Annotated[str, Mark("Node that answers; to change it moves the address", min_length=1)]


@frozen(kw_only=True)
class ARPAdvertisementStatus(Status):
    """Who may answer now, and what that Node says."""

    grant: Annotated[Grant, Mark("the Node that the address is granted to")] = NOBODY
    answer: Annotated[Answer | None, Mark("what that Node says")] = None
    address_pool: Annotated[str, Mark("AddressPool of the address")] = ""


ARPAdvertisement: TypeAlias = Object[ARPAdvertisementSpec, ARPAdvertisementStatus]


@frozen
class Rival:
    """Another ARPAdvertisement, as one for the same address sees it."""

    name: str
    granted: bool
    created: Time

    @property
    def place(self) -> tuple[bool, Time, str]:
        """Of several the first one counts: who has a grant, then who is older."""
        return (not self.granted, self.created, self.name)


# By address, as a number.
RIVALS: Index[Rival] = Index("arpadvertisements-of-address")


def validate(new: ARPAdvertisement, _old: ARPAdvertisement | None, world: Reader) -> Iterator[Violation]:
    spec = new.spec
    address = ipv4(spec.address)
    if spec.address and address is None:  # ARPA-5
        yield Violation("spec.address", 'must be an IPv4 address, such as "192.0.2.200"', value=spec.address)
    if new.deleting:
        return
    if spec.external_network:
        yield from _network_violations(spec.external_network, address, world)
    if spec.node_name and not world.exists(Key(node.KIND.name, "", spec.node_name)):  # ARPA-10
        yield Violation(
            "spec.nodeName", "no such Node", Cause.NOT_FOUND, spec.node_name, settled=False, audit_only=True
        )
    for name in world.values(NODES_OF_ADDRESS, address) if address is not None else ():  # ARPA-11
        why = f"is the InternalIP of Node {name}; take it out of the AddressPool's use"
        yield Violation("spec.address", why, value=spec.address)


def _network_violations(name: str, address: IPv4Address | None, world: Reader) -> Iterator[Violation]:
    network = world.get_spec(externalnetwork.KIND, name)
    if network is None:  # ARPA-6
        why = "no such ExternalNetwork"
        yield Violation("spec.externalNetwork", why, Cause.NOT_FOUND, name, settled=False, audit_only=True)
        return
    if network.spec.type != Mode.ARP:  # ARPA-7
        why = f"is of type {network.spec.type}; only addresses of one of type arp are answered for"
        yield Violation("spec.externalNetwork", why, value=name)
        return
    if address is None:
        return
    found = pools_with(world, address)
    for pool_name in network.spec.address_pools:
        if pool_name in found:
            return
        fault = ""
        if not world.exists(Key(addresspool.ADDRESS_POOL, "", pool_name)):
            fault = "does not exist, so it cannot be judged"
        elif has_unreadable(world, pool_name):
            fault = "has an entry that cannot be read"
        if fault:  # ARPA-9
            why = f"AddressPool {quoted(pool_name)} of ExternalNetwork {name} {fault}"
            yield Violation("spec.address", why, value=str(address), settled=False, audit_only=True)
            return
    pools = ", ".join(map(quoted, network.spec.address_pools))  # ARPA-8
    why = f"must lie in an AddressPool of ExternalNetwork {name}: {pools}"
    yield Violation("spec.address", why, value=str(address), audit_only=True)


def audit(ad: ARPAdvertisement, world: Reader) -> Iterator[Violation]:
    """What answers for an address that nobody has any more; what has an owner reference goes with its owner."""
    spec = ad.spec
    if ad.deleting:
        if FINALIZER in ad.metadata.finalizers and not ad.status.grant.node_name:
            yield held_up(FINALIZER, "it is being deleted, and the address is granted to no Node any more")
        return
    is_of_an_elastic_ip = ad.name.startswith(f"{ELASTIC_IP_ADVERTISEMENT}-") and not ad.metadata.owner_references
    if is_of_an_elastic_ip and not world.values(HOLDINGS, (spec.external_network, spec.address)):
        why = f"no ElasticIP of ExternalNetwork {spec.external_network} has given this address to anybody"
        yield Violation("spec.address", why, value=spec.address, audit_only=True, repair="delete the ARPAdvertisement")


def refuse(new: ARPAdvertisement, world: Reader) -> Iterator[str]:
    """ARPA-12: also one that is being deleted has the address, since its Node may still answer."""
    address = ipv4(new.spec.address)
    if address is None or new.deleting:
        return
    for rival in sorted(world.values(RIVALS, int(address)), key=lambda rival: rival.place):
        if rival.name != new.name:
            yield f"ARPAdvertisement {quoted(rival.name)} has the address {address}, and only one Node answers for it"
