"""Pod admission: what a Pod is completed with, and the rules about its NICs that speak of other objects.

What can be judged on the annotations alone comes first (`resources.podrequest`); the rules here are judged when that
holds, and again by the PodController, since a network may come after the Pod.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from juneau.engine.errors import Cause, Violation
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources import subnet, vpc
from juneau.resources.externals import DIRECT_NICS, TRANSLATIONS, DirectNIC
from juneau.resources.grouprefs import fit_violations, name_violations
from juneau.resources.networks import DEFAULT_VPC, Network, address_violations, key_of, network_of
from juneau.resources.nicspec import FIRST_INTERFACE
from juneau.resources.podrequest import DNS_INJECT_SKIP, NICRequest, PodRequest, read_request
from juneau.resources.podspec import DNSConfig, DNSOption, Pod, identity_of, is_exempt

_DNS_POLICIES = ("", "ClusterFirst", "ClusterFirstWithHostNet")
_MOST_NAMESERVERS = 3
_LONGEST_NAME = 253


def default(new: Pod, old: Pod | None, world: Reader) -> Pod:
    """POD-DNS, on creation only."""
    skip = new.metadata.annotations.get(DNS_INJECT_SKIP) == "true"
    if old is not None or is_exempt(new) or skip or new.spec.dns_policy not in _DNS_POLICIES:
        return new
    request = read_request(new.metadata.annotations)
    if not request.nics:
        return new
    first = request.nics[0]
    if not first.subnet:
        return new.with_spec(dns_policy="Default")
    net = world.get(subnet.KIND, first.subnet)
    if net is None or net.spec.vpc == DEFAULT_VPC or not net.status.dns:
        return new
    config = _dns_config(new.spec.dns_config or DNSConfig(), net.status.dns, new.namespace or "default")
    return new.with_spec(dns_policy="None", dns_config=config)


def _dns_config(given: DNSConfig, resolver: str, namespace: str) -> DNSConfig:
    nameservers = (resolver, *(held for held in given.nameservers if held != resolver))[:_MOST_NAMESERVERS]
    own = (f"{namespace}.svc.cluster.local", "svc.cluster.local", "cluster.local")
    has_ndots = any(option.name == "ndots" for option in given.options)
    options = given.options if has_ndots else (*given.options, DNSOption("ndots", "5"))
    return DNSConfig(nameservers, given.searches or own, options)


def validate(new: Pod, old: Pod | None, world: Reader) -> Iterator[Violation]:
    if old is not None or is_exempt(new):  # POD-34
        return
    request = read_request(new.metadata.annotations)
    if request.violations:
        yield from request.violations
        return
    yield from pod_name_violations(new.name, request)
    yield from request_violations(request, world)
    for nic in request.nics:
        if nic.elastic_ip:
            yield from _use_violations(new, nic, world)


def _use_violations(new: Pod, nic: NICRequest, world: Reader) -> Iterator[Violation]:
    """POD-31, POD-32: on creation only, since two Pods or an attachment that come at once are both let in, and wait.

    POD-33: an ElasticIP that is not there yet, or has no address yet, is waited for.
    """
    place = (new.namespace or "default", nic.elastic_ip)
    what = f"ElasticIP {nic.elastic_ip} of {nic.interface}"
    for translation in world.values(TRANSLATIONS, place):
        if not translation.deleting:
            why = f"{what} is used by ElasticIPAttachment {translation.name}; delete that, or name another ElasticIP"
            yield Violation(nic.network_field, why, value=nic.elastic_ip)
    for held in world.values(DIRECT_NICS, place):
        is_own = bool(held.pod_uid) and held.pod_uid == new.metadata.uid  # of a Pod that is there already
        if not is_own and _stays(held, place[0], identity_of(new), world):
            why = (
                f"{what} is carried by NetworkInterface {held.name} of Pod {held.pod};"
                " delete that Pod first, or name another ElasticIP"
            )
            yield Violation(nic.network_field, why, value=nic.elastic_ip)


def _stays(nic: DirectNIC, namespace: str, identity: str, world: Reader) -> bool:
    """Whether a NIC keeps its ElasticIP from a new Pod; one that is about to go, or hands it over, is waited for."""
    if nic.deleting or (identity and nic.identity == identity):
        return False
    owner = world.look(Key("Pod", namespace, nic.pod))
    return owner is not None and owner.metadata.uid == nic.pod_uid and not owner.deleting


def request_violations(request: PodRequest, world: Reader) -> Iterator[Violation]:
    """POD-22 to POD-30, of all NICs."""
    for nic in request.nics:
        yield from nic_violations(nic, world)
    yield from overlap_violations(request.nics, world)


def pod_name_violations(name: str, request: PodRequest) -> Iterator[Violation]:
    """A NIC is named after its Pod and interface, and that is a name like any other."""
    for nic in request.nics:
        if len(name) + 1 + len(nic.interface) > _LONGEST_NAME:
            longest = _LONGEST_NAME - 1 - len(nic.interface)
            why = f"a Pod with an interface {nic.interface} has a name of at most {longest} characters"
            yield Violation("metadata.name", f"{why}, since its NIC is called <Pod>.{nic.interface}", value=name)


def nic_violations(nic: NICRequest, world: Reader) -> Iterator[Violation]:
    """The rules about one NIC."""
    if nic.elastic_ip:
        return  # in no Vpc, without groups and prefix
    net = network_of(world, nic.subnet, nic.l2_network)
    first = nic.interface == FIRST_INTERFACE
    yield from _existence_violations(nic, net, world)
    if first and net is not None and nic.l2_network and not (net.hands_out_addresses and net.has_gateway):  # POD-25
        why = (
            f"{nic.interface} can be on L2Network {net.name} only if that has both spec.cidr and spec.gateway:"
            " a sandbox needs an address on it, and the default route a gateway"
        )
        yield Violation(nic.network_field, why, value=net.name)
    if not nic.entry:  # POD-22; those of an entry were counted when it was read
        yield from name_violations(nic.security_groups, nic.groups_field)
    for violation in fit_violations(nic.security_groups, net, nic.groups_field, nic.interface, world):
        # The annotation is one text: there is no place in it to point at.
        yield violation if nic.entry else evolve(violation, field=nic.groups_field)
    if net is not None:
        yield from _enforcement_violations(nic, net, world)
        yield from address_violations(nic.address, net, nic.address_field)


def _existence_violations(nic: NICRequest, net: Network | None, world: Reader) -> Iterator[Violation]:
    """POD-23; what eth0 is on may be missing, POD-24."""
    if nic.interface == FIRST_INTERFACE:
        return
    if net is None:
        key = key_of(nic.subnet, nic.l2_network)
        why = f"no such {key.kind} (interface {nic.interface})"
        yield Violation(nic.network_field, why, Cause.NOT_FOUND, key.name, settled=False)
    elif world.get_spec(vpc.KIND, net.vpc) is None:
        why = f"its Vpc {net.vpc} does not exist"
        yield Violation(nic.network_field, why, Cause.NOT_FOUND, net.name, settled=False)


def _enforcement_violations(nic: NICRequest, net: Network, world: Reader) -> Iterator[Violation]:
    """POD-29; on a segment without a gateway nothing would consult a SecurityGroup."""
    space = world.get_spec(vpc.KIND, net.vpc)
    unpoliced = bool(nic.l2_network) and not net.has_gateway
    if space is not None and space.spec.enforce_security_groups and not nic.security_groups and not unpoliced:
        why = f"Vpc {space.name} has enforceSecurityGroups: interface {nic.interface} must name a SecurityGroup"
        yield Violation(nic.groups_field, why, Cause.REQUIRED)


def overlap_violations(nics: tuple[NICRequest, ...], world: Reader) -> Iterator[Violation]:
    """POD-30."""
    if len(nics) < 2:
        return
    found = [(nic, network_of(world, nic.subnet, nic.l2_network)) for nic in nics]
    placed = [(nic, net) for nic, net in found if net is not None and net.cidr is not None]
    for place, (nic, net) in enumerate(placed):
        for earlier, other in placed[:place]:
            if net.cidr is not None and other.cidr is not None and net.cidr.overlaps(other.cidr):
                why = (
                    f"{net.kind.value} {net.name} ({net.cidr}) of {nic.interface} overlaps"
                    f" {other.kind.value} {other.name} ({other.cidr}) of {earlier.interface}"
                )
                yield Violation(nic.network_field, why, value=net.name)
