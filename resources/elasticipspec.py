"""An ElasticIP's types: where its address comes from, and who has it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.machine import Phase
from juneau.engine.names import joined_name
from juneau.engine.objects import Object
from juneau.resources.externals import ELASTIC_IP_ADVERTISEMENT
from juneau.resources.status import Status

ELASTIC_IP = "ElasticIP"
ATTACHMENT = "ElasticIPAttachment"
INTERFACE = "NetworkInterface"
FINALIZER = "elasticip.juneau.loutres.me/allocation-claim"


class ElasticIPPhase(StrEnum):
    """How far an ElasticIP has come."""

    PENDING = Phase.PENDING.value
    AVAILABLE = "Available"  # it has an address, which nobody uses
    ATTACHED = "Attached"
    FAILED = Phase.FAILED.value


@frozen
class ElasticIPSpec:
    """Where the address comes from."""

    external_network: Annotated[
        str, Mark("ExternalNetwork whose AddressPools give the address", min_length=1, immutable=True)
    ]
    requested_ip: Annotated[
        str, Mark("IPv4 address asked for, out of those pools; empty: a free one", json="requestedIP")
    ] = ""


@frozen
class ElasticIPUse:
    """What has the address, in the same namespace."""

    kind: Annotated[
        str, Mark("ElasticIPAttachment: by NAT; NetworkInterface: carried as it is", choices=(ATTACHMENT, INTERFACE))
    ]
    name: Annotated[str, Mark("name of that object", min_length=1)]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@frozen(kw_only=True)
class ElasticIPStatus(Status):
    """The address, and who has it."""

    address: Annotated[str, Mark("the address that is reserved; never changes once set")] = ""
    address_pool: Annotated[str, Mark("AddressPool that it is from")] = ""
    attachment: Annotated[ElasticIPUse | None, Mark("what uses the address; absent while nothing does")] = None


ElasticIP: TypeAlias = Object[ElasticIPSpec, ElasticIPStatus]


def advertisement_name(namespace: str, name: str) -> str:
    """The name of an ElasticIP's ARPAdvertisement, which no two ElasticIPs share."""
    return joined_name((ELASTIC_IP_ADVERTISEMENT, namespace, name), owner=(namespace, name), separator="-")
