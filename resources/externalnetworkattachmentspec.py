"""An ExternalNetworkAttachment's types, and what its ExternalNetwork, which makes it, has to know of it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.names import joined_name
from juneau.engine.objects import Key, Object
from juneau.engine.world import Index
from juneau.resources.status import Status

EXTERNAL_NETWORK_ATTACHMENT = "ExternalNetworkAttachment"


@frozen
class ExternalNetworkAttachmentSpec:
    """The pair whose address it is."""

    external_network: Annotated[str, Mark("ExternalNetwork that the address is from", min_length=1, immutable=True)]
    node_name: Annotated[str, Mark("Node that uses the address", min_length=1, immutable=True)]


@frozen(kw_only=True)
class ExternalNetworkAttachmentStatus(Status):
    """The address."""

    assigned_ip: Annotated[str, Mark("source address of what leaves this Node", json="assignedIP")] = ""
    address_pool: Annotated[str, Mark("AddressPool that the address is from")] = ""


ExternalNetworkAttachment: TypeAlias = Object[ExternalNetworkAttachmentSpec, ExternalNetworkAttachmentStatus]


@frozen
class Attached:
    """An attachment as its ExternalNetwork sees it."""

    key: Key
    uid: str
    node: str
    owners: frozenset[str]  # UIDs
    deleting: bool


# By name of the ExternalNetwork.
ATTACHMENTS: Index[Attached] = Index("attachments-of-externalnetwork")


def attachment_name(network: str, node: str) -> str:
    """The name of the attachment of a pair: no two pairs have the same."""
    return joined_name((network, node), owner=(network, node))
