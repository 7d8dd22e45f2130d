"""What one node knows of its own dataplane, for the reports of its agent."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address

from attrs import frozen

from juneau.engine.driver import Failure
from juneau.engine.intents import Intent, IntentKey


@frozen
class NodeView:
    """What one node knows of its own dataplane.

    `held` is what its driver reads back, `failures` what it could not do.
    `conflicts` are addresses that it answers for and somebody else has announced, with that one's MAC.
    """

    node: str
    held: Mapping[IntentKey, Intent]
    failures: Mapping[IntentKey, Failure]
    conflicts: Mapping[IPv4Address, str]
