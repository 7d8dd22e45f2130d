"""How the steps of a packet's way are tied together."""

from __future__ import annotations

from typing import Final

from juneau.drivers.simulated.ingress import take_delivery
from juneau.drivers.simulated.node import Way
from juneau.drivers.simulated.overlay import from_uplink
from juneau.drivers.simulated.router import route
from juneau.drivers.simulated.segment import gateway_inbound, gateway_outbound, l2_egress
from juneau.drivers.simulated.subnet import forward, pod_egress

WAY: Final = Way(
    pod_egress=pod_egress,
    l2_egress=l2_egress,
    gateway_inbound=gateway_inbound,
    gateway_outbound=gateway_outbound,
    route=route,
    subnet_forward=forward,
    from_uplink=from_uplink,
    take_delivery=take_delivery,
)
