"""What stands in the way of a Pod's NICs: networks that are not there yet, and rules that they do not fit."""

from __future__ import annotations

from attrs import frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.machine import Wait
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources import elasticip, externalnetwork, networkinterface
from juneau.resources.directnic import no_address_message, no_number_message
from juneau.resources.networks import key_of, network_of
from juneau.resources.nicadmission import validate
from juneau.resources.nicspec import NetworkInterface
from juneau.resources.podadmission import nic_violations, overlap_violations
from juneau.resources.podrequest import NICRequest, PodRequest


@frozen
class Obstacle:
    """Why a NIC cannot be made, or changed, and what that waits for."""

    why: str
    waits: tuple[Wait, ...]


def find_obstacle(request: PodRequest, wanted: list[NetworkInterface], world: Reader) -> Obstacle | None:
    """PODC-5: why no NIC can be made yet."""
    for nic, made in zip(request.nics, wanted, strict=True):
        found = _missing(nic, made, world) or _misfit(nic, made, world)
        if found is not None:
            return found
    for violation in overlap_violations(request.nics, world):
        later = next(nic for nic in request.nics if nic.network_field == violation.field)
        return Obstacle(f"{later.interface}: {violation}", (Wait(_network_key(later), "spec"),))
    return None


def _missing(nic: NICRequest, made: NetworkInterface, world: Reader) -> Obstacle | None:
    """What is not there yet, or still there."""
    absent = _missing_elastic_ip(nic, made.namespace, world) if nic.elastic_ip else _missing_network(nic, world)
    if absent is not None:
        return absent
    older = world.get_spec(networkinterface.KIND, made.name, made.namespace)
    if older is not None and older.spec.pod_ref.uid != made.spec.pod_ref.uid:
        why = f"{nic.interface}: NetworkInterface {older.name} is of an earlier Pod"
        return Obstacle(why, (Wait(older.key, "metadata"),))
    return None


def _missing_network(nic: NICRequest, world: Reader) -> Obstacle | None:
    net, key = network_of(world, nic.subnet, nic.l2_network), _network_key(nic)
    if net is None:
        why = f"{nic.interface}: {key.kind} {key.name} does not exist"
        return Obstacle(why, (Wait(key, "metadata", "does not exist"),))
    if not net.usable:
        why = f"{nic.interface}: {key.kind} {key.name} is not Ready"
        return Obstacle(why, (Wait(key, "status.conditions[Ready]"),))
    return None


def _missing_elastic_ip(nic: NICRequest, namespace: str, world: Reader) -> Obstacle | None:
    """NIC-C10: it needs an address, and its network a number. Who has it is no matter here: the NIC waits for that."""
    name = nic.elastic_ip
    eip, key = world.get(elasticip.KIND, name, namespace), Key(elasticip.KIND.name, namespace, name)
    if eip is None or not eip.status.address:
        why = f"{nic.interface}: {no_address_message(eip, name)}"
        return Obstacle(why, (Wait(key, "status.address", "does not exist" if eip is None else ""),))
    network_name = eip.spec.external_network
    network = world.get(externalnetwork.KIND, network_name)
    if network is None or not network.status.network_id:
        why = f"{nic.interface}: {no_number_message(network_name, network)}, which ElasticIP {name} is of"
        return Obstacle(why, (Wait(Key(externalnetwork.KIND.name, "", network_name), "status.networkID"),))
    return None


def _misfit(nic: NICRequest, made: NetworkInterface, world: Reader) -> Obstacle | None:
    """The first rule that a NIC would break: admission of the Pod could not judge what came after it."""
    for rule in nic_violations(nic, world):
        if rule.refused:
            return Obstacle(f"{nic.interface}: {rule}", (_healing(nic, rule),))
    if world.get_spec(networkinterface.KIND, made.name, made.namespace) is not None:
        return None
    return find_refusal(nic, made, None, world)


def find_refusal(
    nic: NICRequest, made: NetworkInterface, old: NetworkInterface | None, world: Reader
) -> Obstacle | None:
    """What admission would say against a NetworkInterface: it is not tried in vain, and what heals it is waited for."""
    for rule in validate(made, old, world):
        if rule.refused:
            why = f"{nic.interface}: NetworkInterface {made.name} would be refused: {rule}"
            return Obstacle(why, (_healing(nic, rule),))
    return None


def _healing(nic: NICRequest, rule: Violation) -> Wait:
    """What could make a rule hold: a group that comes, else another spec of the network."""
    if rule.cause is Cause.NOT_FOUND and rule.value in nic.security_groups:
        return Wait(Key("SecurityGroup", "", str(rule.value)), "metadata", "does not exist")
    return Wait(_network_key(nic), "spec")


def _network_key(nic: NICRequest) -> Key:
    return key_of(nic.subnet, nic.l2_network)
