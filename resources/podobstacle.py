"""What stands in the way of a Pod's NICs: networks that are not there yet, and rules that they do not fit."""

from __future__ import annotations

from attrs import frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.machine import Wait
from juneau.engine.objects import Key
from juneau.engine.world import Reader
from juneau.resources import networkinterface
from juneau.resources.networks import key_of, network_of
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
    if nic.elastic_ip:
        key = Key("ElasticIP", made.namespace, nic.elastic_ip)
        why = f"{nic.interface}: ElasticIP {nic.elastic_ip} does not exist"
        return Obstacle(why, (Wait(key, "status.address", "does not exist"),))
    net, key = network_of(world, nic.subnet, nic.l2_network), _network_key(nic)
    if net is None:
        why = f"{nic.interface}: {key.kind} {key.name} does not exist"
        return Obstacle(why, (Wait(key, "metadata", "does not exist"),))
    if not net.usable:
        why = f"{nic.interface}: {key.kind} {key.name} is not Ready"
        return Obstacle(why, (Wait(key, "status.conditions[Ready]"),))
    older = world.get_spec(networkinterface.KIND, made.name, made.namespace)
    if older is not None and older.spec.pod_ref.uid != made.spec.pod_ref.uid:
        why = f"{nic.interface}: NetworkInterface {older.name} is of an earlier Pod"
        return Obstacle(why, (Wait(older.key, "metadata"),))
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
    for rule in networkinterface.validate(made, old, world):
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
