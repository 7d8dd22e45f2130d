"""Vpc: an isolated private network space.

Every Subnet and every L2Network belongs to exactly one Vpc; two Vpcs do not reach each other unless something joins
them, and addresses may repeat between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from attrs import evolve, frozen

from juneau.engine.addresses import ipv4_network, ipv4_prefix, prefix_fault
from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict, Wait
from juneau.engine.names import prefixed_name
from juneau.engine.objects import AnyObject, Key, Object, Time, condition, is_ready
from juneau.engine.outcome import Create, Outcome, Update, Write
from juneau.engine.world import Reader
from juneau.resources import routetable
from juneau.resources.allocationlease import Value
from juneau.resources.allocationpool import AddressSpace
from juneau.resources.claiming import (
    VPC_ID_POOL,
    Claimed,
    claimed_number,
    number_audit,
    number_contributions,
    number_exceeds_32_bits,
    owner_reference,
    pool_writes,
    waiting_for,
)
from juneau.resources.networks import (
    DEFAULT_VPC,
    L2NETWORK,
    SUBNET,
    Network,
    Prefix,
    listed,
    network,
    overlap_violations,
    overlapping,
    prefix_contributions,
    users,
)
from juneau.resources.routetable import RouteTable, RouteTableSpec
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

DEFAULT_VPC_ID = 1


@frozen
class ServiceProvider:
    """This Vpc hosts Services that other Vpcs may reach."""

    nat_source_subnet: Annotated[str, Mark("Subnet that lends each Node a source address", min_length=1)]


@frozen
class VpcService:
    """Service routing; enabled by either role."""

    provider: Annotated[ServiceProvider | None, Mark("host Services for other Vpcs")] = None
    consume: Annotated[bool, Mark("Pods of this Vpc may call shared Services of other Vpcs")] = False

    @property
    def is_enabled(self) -> bool:
        return self.consume or self.provider is not None


@frozen
class EndpointPool:
    """Address space for the virtual addresses of VpcEndpoints."""

    cidrs: Annotated[tuple[str, ...], Mark("IPv4 prefixes, disjoint from every network", min_items=1, unique=True)]


@frozen
class VpcSpec:
    """What the Vpc has beside its networks."""

    service: Annotated[VpcService | None, Mark("Service routing; absent: none")] = None
    enforce_security_groups: Annotated[bool, Mark("every policed NIC placed here must name a SecurityGroup")] = False
    endpoint_pool: Annotated[EndpointPool | None, Mark("addresses for VpcEndpoints")] = None


@frozen(kw_only=True)
class VpcStatus(Status):
    """The numbers of the Vpc."""

    main_route_table: Annotated[str, Mark("name of the main RouteTable, the Vpc's own")] = ""
    vpc_id: Annotated[int, Mark("cluster-wide number of the Vpc; 1 for default", json="vpcID")] = 0


Vpc: TypeAlias = Object[VpcSpec, VpcStatus]


def default(vpc: Vpc, _old: Vpc | None, _world: Reader) -> Vpc:
    """VPC-3: endpoint pool prefixes lose their host bits; what does not parse is left for validation."""
    pool = vpc.spec.endpoint_pool
    if pool is None:
        return vpc
    cidrs = tuple(str(ipv4_network(text) or text) for text in pool.cidrs)
    return vpc.with_spec(endpoint_pool=EndpointPool(cidrs)) if cidrs != pool.cidrs else vpc


def validate(new: Vpc, old: Vpc | None, world: Reader) -> Iterator[Violation]:
    cidrs = new.spec.endpoint_pool.cidrs if new.spec.endpoint_pool is not None else ()
    before = old.spec.endpoint_pool.cidrs if old is not None and old.spec.endpoint_pool is not None else ()
    if old is None or cidrs != before:  # VPC-13
        yield from _endpoint_pool_violations(new, cidrs, world)
    enabled = new.spec.service is not None and new.spec.service.is_enabled
    was_enabled = old is not None and old.spec.service is not None and old.spec.service.is_enabled
    if enabled and not was_enabled and not new.deleting:
        yield from _service_violations(new, world)
    yield from _provider_violations(new, world)


def _endpoint_pool_violations(vpc: Vpc, cidrs: tuple[str, ...], world: Reader) -> Iterator[Violation]:
    for place, text in enumerate(cidrs):
        field = f"spec.endpointPool.cidrs[{place}]"
        prefix = ipv4_prefix(text)
        if prefix is None:
            yield Violation(field, prefix_fault(text) or "", value=text)  # VPC-4, VPC-5
            continue
        cidr = prefix.network
        if cidr.prefixlen < 16:
            yield Violation(field, "the prefix length must be 16 to 32", value=text)  # VPC-6
        for earlier, other_text in enumerate(cidrs[:place]):
            other = ipv4_network(other_text)
            if other is not None and other.overlaps(cidr) and other_text != text:
                why = f"overlaps spec.endpointPool.cidrs[{earlier}], {other_text}"
                yield Violation(field, why, value=text)  # VPC-7
        if not vpc.deleting:
            yield from overlap_violations(world, vpc.key, vpc.name, cidr, field)  # VPC-8 to VPC-11


def _service_violations(vpc: Vpc, world: Reader) -> Iterator[Violation]:
    services = world.settings.service_network
    for prefix in overlapping(world, vpc.name, services) if services is not None else ():  # VPC-14
        if prefix.owner != vpc.key:
            why = f"{prefix.what} {prefix.owner.name} ({prefix.cidr}) overlaps the cluster's Service CIDR {services}"
            yield Violation("spec.service", f"{why}; Service routing cannot be enabled", audit_only=True)


def _provider_violations(vpc: Vpc, world: Reader) -> Iterator[Violation]:
    """VPC-15: a wrong NAT source Subnet is accepted, so that it can be applied together with the Vpc."""
    name = _nat_source(vpc)
    source = network(world, SUBNET, name) if name else None
    field = "spec.service.provider.natSourceSubnet"
    if name and source is None:
        yield Violation(field, "no such Subnet", Cause.NOT_FOUND, name, settled=False, refused=False)
    elif source is not None and source.vpc != vpc.name:
        yield Violation(field, f"belongs to Vpc {source.vpc}", value=name, settled=False, refused=False)


def refuse_deletion(vpc: Vpc, world: Reader) -> Iterator[str]:
    if vpc.name == DEFAULT_VPC:
        yield "the Vpc default belongs to the whole cluster and cannot be deleted"  # VPC-16
    for kind in (SUBNET, L2NETWORK):  # VPC-17, VPC-18
        names = users(world, KIND.name, vpc.name, kind)
        if names:
            yield f"it still has {listed(kind, names)}"


def _nat_source(vpc: Vpc) -> str:
    service = vpc.spec.service
    return service.provider.nat_source_subnet if service is not None and service.provider is not None else ""


@frozen
class Facts:
    """What decides about a Vpc."""

    obj: Vpc
    claimed: Claimed
    table: RouteTable | None
    nat_source: Network | None
    writes: tuple[Write, ...]


def facts(obj: AnyObject, world: Reader, _now: Time) -> Facts:
    vpc: Vpc = obj
    claimed = Claimed(held=Value(number=DEFAULT_VPC_ID))
    if vpc.name != DEFAULT_VPC:
        claimed = claimed_number(world, vpc, VPC_ID_POOL, "status.vpcID", vpc.status.vpc_id)
    table = world.get(routetable.KIND, vpc.name)
    source = _nat_source(vpc)
    return Facts(
        vpc,
        claimed,
        table,
        network(world, SUBNET, source) if source else None,
        (*claimed.writes, *_table_writes(vpc, table, world), *_pool_writes(vpc, world)),
    )


def _table_writes(vpc: Vpc, table: RouteTable | None, world: Reader) -> Iterator[Write]:
    """VPC-C3: the main RouteTable; of one that a user made first only the owner is set, its routes are the user's."""
    owner = owner_reference(world, vpc)
    if table is None:
        yield Create(routetable.KIND.new(vpc.name, RouteTableSpec(vpc.name), owner_references=(owner,)))
    elif not table.deleting and owner not in table.metadata.owner_references and not _is_foreign(vpc, table):
        others = tuple(held for held in table.metadata.owner_references if held.uid != owner.uid)
        yield Update(table.with_metadata(owner_references=(*others, owner)))


def _is_foreign(vpc: Vpc, table: RouteTable) -> bool:
    """Whether a table of this name cannot be the main one: it is another Vpc's, or another object controls it."""
    owners = table.metadata.owner_references
    return table.spec.vpc != vpc.name or any(held.controller and held.uid != vpc.metadata.uid for held in owners)


def _pool_writes(vpc: Vpc, world: Reader) -> Iterator[Write]:
    """VPC-C6: the pool of VpcEndpoint addresses."""
    name = prefixed_name("vpc-endpoint-ip-", vpc.name)
    cidrs = vpc.spec.endpoint_pool.cidrs if vpc.spec.endpoint_pool is not None else ()
    yield from pool_writes(vpc, name, AddressSpace(cidrs=cidrs) if cidrs else None, world)


def _main_table_is_missing(facts: Facts) -> bool:
    return facts.table is None


def _main_table_is_foreign(facts: Facts) -> bool:
    return facts.table is not None and _is_foreign(facts.obj, facts.table)


def _main_table_is_not_ready(facts: Facts) -> bool:
    return facts.table is not None and not is_ready(facts.table)


def _nat_source_is_missing(facts: Facts) -> bool:
    return bool(_nat_source(facts.obj)) and facts.nat_source is None


def _nat_source_is_foreign(facts: Facts) -> bool:
    return facts.nat_source is not None and facts.nat_source.vpc != facts.obj.name


def _table_message(facts: Facts) -> str:
    ready = condition(facts.table, "Ready") if facts.table is not None else None
    return f"RouteTable {facts.obj.name}: {ready.message or ready.reason if ready is not None else 'no condition yet'}"


def _foreign_table_message(facts: Facts) -> str:
    table = facts.table
    if table is None or table.spec.vpc == facts.obj.name:
        return f"RouteTable {facts.obj.name}, which would be the main one, is controlled by another object"
    return f"RouteTable {facts.obj.name}, which would be the main one, belongs to Vpc {table.spec.vpc}"


def _table_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key(routetable.KIND.name, "", facts.obj.name), "status.conditions[Ready]", _table_message(facts)),)


def _source_message(facts: Facts) -> str:
    name = _nat_source(facts.obj)
    if facts.nat_source is None:
        return f"Subnet {name} of spec.service.provider.natSourceSubnet does not exist"
    return f"Subnet {name} belongs to Vpc {facts.nat_source.vpc}, not to Vpc {facts.obj.name}"


def _source_waits(facts: Facts) -> tuple[Wait, ...]:
    return (Wait(Key(SUBNET, "", _nat_source(facts.obj)), "metadata", "does not exist"),)


MACHINE = PhaseMachine[Facts](
    rows=(
        DELETING,
        waiting_for("the vpcID"),
        Row(
            number_exceeds_32_bits,
            Phase.FAILED,
            "ReconcileFailed",
            lambda facts: f"vpcID {facts.claimed.number} exceeds 32 bits",
        ),
        Row(_main_table_is_missing, Phase.ALLOCATED, "MainRouteTableMissing", waits=_table_waits),
        Row(_main_table_is_foreign, Phase.ALLOCATED, "MainRouteTableNotReady", _foreign_table_message, _table_waits),
        Row(_main_table_is_not_ready, Phase.ALLOCATED, "MainRouteTableNotReady", _table_message, _table_waits),
        Row(_nat_source_is_missing, Phase.ALLOCATED, "ProviderSubnetMissing", _source_message, _source_waits),
        Row(_nat_source_is_foreign, Phase.ALLOCATED, "ProviderSubnetForeign", _source_message),
        Row(None, Phase.READY, "ReconcileSucceeded"),
    )
)


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    vpc = facts.obj
    if vpc.deleting:
        return Outcome(verdict, vpc.status)
    own = facts.table is not None and not _is_foreign(vpc, facts.table)
    main = vpc.name if own else "" if facts.table is not None else vpc.status.main_route_table
    number = vpc.status.vpc_id if number_exceeds_32_bits(facts) else facts.claimed.number
    return Outcome(verdict, evolve(vpc.status, vpc_id=number, main_route_table=main), writes=facts.writes)


def _prefixes(vpc: Vpc) -> Iterator[Prefix]:
    for text in vpc.spec.endpoint_pool.cidrs if vpc.spec.endpoint_pool is not None else ():
        cidr = ipv4_network(text)
        if cidr is not None:
            yield Prefix(vpc.key, vpc.name, cidr, "endpointPool")


KIND = Kind(
    name="Vpc",
    plural="vpcs",
    spec=VpcSpec,
    status=VpcStatus,
    scope=Scope.CLUSTER,
    doc="An isolated private network space of a tenant.",
    columns=(Column.condition("Ready"),),
    default=default,
    validate=validate,
    audit=number_audit(VPC_ID_POOL, "status.vpcID", lambda owner: owner.status.vpc_id),
    refuse_deletion=refuse_deletion,
    indexes=(
        *number_contributions(VPC_ID_POOL, lambda owner: owner.status.vpc_id),
        *prefix_contributions(_prefixes),
    ),
    controller=Controller(facts, MACHINE, outcome),
    invalid=(Phase.FAILED.value, "ReconcileFailed"),
)
