"""BGPNodeState: the BGP sessions of one Node, and what it means to announce.

It is made by itself, for people to read, as long as there is a BGPPeer at all.
The Node's speaker writes its status; where none runs, as in this version, it says just that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from attrs import frozen

from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Controller, Kind, Scope
from juneau.engine.machine import Phase, PhaseMachine, Row, Verdict
from juneau.engine.objects import AnyObject, Object, Time
from juneau.engine.outcome import Create, Delete, Outcome, Write
from juneau.engine.world import Reader
from juneau.resources.claiming import owner_reference
from juneau.resources.externals import BGP_PEERS
from juneau.resources.rows import DELETING
from juneau.resources.status import Status

_NOT_RUNNING = "no BGP speaker runs in this version"


@frozen
class BGPNodeStateSpec:
    """Nothing: the object only shows."""


@frozen
class BGPSession:
    """A session that the speaker sees."""

    peer_address: Annotated[str, Mark("address of the peer")]
    peer_name: Annotated[str, Mark("BGPPeer with that address; empty: none")] = ""
    state: Annotated[str, Mark("Up, Down or Unknown", choices=("Up", "Down", "Unknown"))] = "Unknown"
    up_since: Annotated[Time | None, Mark("when it was last established")] = None
    last_error: Annotated[str, Mark("why it last went down")] = ""


@frozen
class Advertised:
    """What one source has the Node announce of one AddressPool."""

    source_kind: Annotated[str, Mark("BGPAdvertisement or ServiceLoadBalancer")]
    source_name: Annotated[str, Mark("name of the source")]
    source_namespace: Annotated[str, Mark("namespace of the source, if it has one")] = ""
    address_pool: Annotated[str, Mark("AddressPool; empty for a ServiceLoadBalancer")] = ""
    prefixes: Annotated[tuple[str, ...], Mark("CIDRs, sorted", unique=True)] = ()
    last_synced_at: Annotated[Time | None, Mark("when they were last applied with success")] = None


@frozen
class SpeakerError:
    """An object that the speaker cannot make sense of."""

    resource_kind: Annotated[str, Mark("Kind of the object")]
    resource_name: Annotated[str, Mark("name of the object")]
    message: Annotated[str, Mark("what is wrong with it")]
    last_seen: Annotated[Time | None, Mark("when that was last found")] = None


@frozen(kw_only=True)
class BGPNodeStateStatus(Status):
    """What the speaker sees, and what it means to announce."""

    heartbeat: Annotated[Time | None, Mark("when the speaker last wrote this")] = None
    bgp_sessions: Annotated[tuple[BGPSession, ...], Mark("sessions, by address of the peer")] = ()
    advertisements: Annotated[tuple[Advertised, ...], Mark("what the Node means to announce")] = ()
    errors: Annotated[tuple[SpeakerError, ...], Mark("inconsistencies, the latest of each object")] = ()


BGPNodeState: TypeAlias = Object[BGPNodeStateSpec, BGPNodeStateStatus]


def node_state_writes(node: AnyObject, world: Reader) -> Iterator[Write]:
    """What keeps the one of a Node, which has the Node's name and goes with it or with the last BGPPeer."""
    held, wanted = world.get_spec(KIND, node.name), bool(world.values(BGP_PEERS, ""))
    if held is None and wanted:
        yield Create(KIND.new(node.name, BGPNodeStateSpec(), owner_references=(owner_reference(world, node),)))
    elif held is not None and not wanted and not held.deleting and _is_owned(held, node):
        yield Delete(held.key, held.metadata.uid)


def _is_owned(held: BGPNodeState, node: AnyObject) -> bool:
    return any(owner.uid == node.metadata.uid for owner in held.metadata.owner_references)


@frozen
class Facts:
    """A BGPNodeState."""

    obj: BGPNodeState


def facts(obj: AnyObject, _world: Reader, _now: Time) -> Facts:
    return Facts(obj)


MACHINE = PhaseMachine[Facts](rows=(DELETING, Row(None, Phase.ALLOCATED, "BirdNotRunning", lambda _: _NOT_RUNNING)))


def outcome(facts: Facts, verdict: Verdict) -> Outcome:
    if facts.obj.deleting:
        return Outcome(verdict, facts.obj.status)
    conditions = {
        "BirdRunning": (False, "NotRunning", _NOT_RUNNING),
        "BMPConnected": (False, "Disconnected", _NOT_RUNNING),
    }
    return Outcome(verdict, facts.obj.status, conditions)


KIND = Kind(
    name="BGPNodeState",
    plural="bgpnodestates",
    spec=BGPNodeStateSpec,
    status=BGPNodeStateStatus,
    scope=Scope.CLUSTER,
    doc="The BGP sessions of one Node, and what it means to announce.",
    columns=(
        Column.condition("Ready"),
        Column.condition("Bird", "BirdRunning"),
        Column.condition("BMP", "BMPConnected"),
        Column("Age", ".metadata.creationTimestamp", "date"),
        Column("Heartbeat", ".status.heartbeat", "date", priority=1),
    ),
    controller=Controller(facts, MACHINE, outcome),
)
