"""Where on a packet's way its trace is at: the attachment points of the programs that this driver imitates."""

from __future__ import annotations

from typing import Final

POD_EGRESS: Final = "pod egress"
POD_INGRESS: Final = "pod ingress"
NODE_INGRESS: Final = "node ingress"
L2_EGRESS: Final = "L2 egress"
L2_INGRESS: Final = "L2 ingress"
VXLAN_INGRESS: Final = "VXLAN ingress"
GATEWAY_INBOUND: Final = "gateway port, inbound"
GATEWAY_OUTBOUND: Final = "gateway port, outbound"
AGENT: Final = "agent"
