"""What tests of the program share: how a run ended, and manifests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
VPC = "{apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: app}, spec: {}}\n"
SUBNET = """\
apiVersion: juneau.loutres.me/v1alpha1
kind: Subnet
metadata: {name: net}
spec: {vpc: app, cidr: 10.90.0.0/24}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: a
  annotations: {juneau.loutres.me/subnet: net}
spec: {}
"""


@frozen
class Ended:
    """How a run ended, and what it printed."""

    status: int
    out: str
    err: str


Program = Callable[..., Ended]
Writer = Callable[[str, str], str]
