"""What a controller makes sure of when it starts: the default Vpc, the default Subnet and the number pools.

What exists already is left as it is.
"""

from __future__ import annotations

from juneau.engine.errors import AlreadyExists
from juneau.engine.objects import AnyObject
from juneau.engine.settings import Settings
from juneau.engine.store import Store
from juneau.resources import allocationpool, namespace, subnet, vpc
from juneau.resources.allocationpool import AllocationPoolSpec, NumberRange
from juneau.resources.claiming import (
    HIGHEST_ID,
    HIGHEST_VNI,
    NAT_GATEWAY_ID_POOL,
    NETWORK_ACL_ID_POOL,
    ROUTE_TABLE_ID_POOL,
    SECURITY_GROUP_ID_POOL,
    VNI_POOL,
    VPC_ID_POOL,
)
from juneau.resources.namespace import NamespaceSpec
from juneau.resources.networkendpoint import NODE_NAMESPACE
from juneau.resources.networks import DEFAULT_SUBNET, DEFAULT_VPC
from juneau.resources.subnet import SubnetSpec
from juneau.resources.vpc import ServiceProvider, VpcService, VpcSpec

_NUMBER_POOLS = {
    VNI_POOL: (4096, HIGHEST_VNI),
    ROUTE_TABLE_ID_POOL: (2, HIGHEST_ID),
    VPC_ID_POOL: (2, HIGHEST_ID),
    SECURITY_GROUP_ID_POOL: (1, HIGHEST_ID),
    NETWORK_ACL_ID_POOL: (1, HIGHEST_ID),
    NAT_GATEWAY_ID_POOL: (1, HIGHEST_ID),
    # Nobody draws from this one yet; it is there from the start, like the others.
    "transit-gateway-route-table-id": (1, HIGHEST_ID),
}


def objects(settings: Settings) -> list[AnyObject]:
    """The objects, in the order in which they are made."""
    service = VpcService(ServiceProvider(DEFAULT_SUBNET), consume=True)
    found: list[AnyObject] = [
        namespace.KIND.new(NODE_NAMESPACE, NamespaceSpec()),
        vpc.KIND.new(DEFAULT_VPC, VpcSpec(service)),
        subnet.KIND.new(DEFAULT_SUBNET, SubnetSpec(DEFAULT_VPC, settings.default_subnet_cidr)),
    ]
    for name, (first, last) in _NUMBER_POOLS.items():
        spec = AllocationPoolSpec(number=NumberRange(first, last))
        found.append(allocationpool.KIND.new(name, spec))
    return found


async def bootstrap(store: Store, settings: Settings) -> None:
    """Make what is missing."""
    for obj in objects(settings):
        try:
            await store.create(obj)
        except AlreadyExists:
            continue
