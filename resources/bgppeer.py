"""BGPPeer: a router outside the cluster to which every Node announces what BGPAdvertisements say.

The speaker that does so is not part of this version, and a BGPPeer says that of itself: until then the outside reaches
the cluster's addresses by static routes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.objects import AnyObject, Object, Time
from juneau.engine.outcome import Outcome
from juneau.engine.world import Reader, contribution
from juneau.resources.externals import BGP_PEERS
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

HIGHEST_ASN = 2**32 - 2
NO_SPEAKER = "NoSpeaker"


@frozen
class BGPPeerSpec:
    """The session that each Node holds with it."""

    my_asn: Annotated[int, Mark("AS number of the cluster", minimum=1, maximum=HIGHEST_ASN, json="myASN")]
    peer_asn: Annotated[int, Mark("AS number of the router", minimum=1, maximum=HIGHEST_ASN, json="peerASN")]
    peer_address: Annotated[str, Mark("IPv4 address of the router", min_length=1)]
    peer_port: Annotated[int, Mark("TCP port of the router; absent or 0: 179", minimum=0, maximum=65535)] = 0


@frozen(kw_only=True)
class BGPPeerStatus(Status):
    """Nothing of its own: the state of sessions shows on BGPNodeStates."""


BGPPeer: TypeAlias = Object[BGPPeerSpec, BGPPeerStatus]


def validate(new: BGPPeer, _old: BGPPeer | None, _world: Reader) -> Iterator[Violation]:
    # BGPP-1, BGPP-2 and BGPP-4 are the marks of the fields.
    address = new.spec.peer_address
    if address and ipv4(address) is None:  # BGPP-3
        why = 'must be the IPv4 address of the router, such as "192.0.2.1"'
        yield Violation("spec.peerAddress", why, value=address)


@frozen
class Facts:
    """A BGPPeer."""

    obj: BGPPeer


def facts(obj: AnyObject, _world: Reader, _now: Time) -> Facts:
    return Facts(obj)


def _no_speaker_message(facts: Facts) -> str:
    peer = facts.obj.spec.peer_address
    return f"no BGP speaker runs in this version: nothing is announced to {peer}; reach the network by static routes"


MACHINE = PhaseMachine[Facts](rows=(DELETING, Row(None, Phase.ALLOCATED, NO_SPEAKER, _no_speaker_message)))


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    return Outcome(verdict, facts.obj.status)


def _peers(peer: BGPPeer) -> Iterator[tuple[Hashable, str]]:
    yield ("", peer.name)


KIND = Kind(
    name="BGPPeer",
    plural="bgppeers",
    spec=BGPPeerSpec,
    status=BGPPeerStatus,
    scope=Scope.CLUSTER,
    doc="A router outside the cluster to which the Nodes announce addresses by BGP.",
    age_column=True,
    validate=validate,
    indexes=(contribution(BGP_PEERS, _peers),),
    controller=Controller(facts, MACHINE, outcome),
)
