"""An L2 segment against a model of it that fits on a page: any traffic, any Nodes, any time between frames."""

from __future__ import annotations

from attrs import Factory, define
from hypothesis import given
from hypothesis import strategies as st
from tests.drivers.frames import ether, send
from tests.drivers.world import Nic, World

from juneau.drivers.simulated.driver import SimulatedDriver

AGE_SECONDS = 300
MACS = [bytes((2, 0, 0, 0, 0, number)) for number in range(5)]
GROUPS = [b"\xff" * 6, bytes.fromhex("01005e0000fb")]

Step = tuple[int, int, int, float]


@define
class Model:
    """Per Node: where each MAC was last heard, another Node or a port of its own, and when."""

    ports: dict[str, list[Nic]]
    heard: dict[tuple[str, bytes], tuple[str, float]] = Factory(dict)
    now: float = 0.0

    def send(self, nic: Nic, source: bytes, target: bytes) -> list[str]:
        """The ports that get the frame."""
        self.heard[nic.node, source] = (nic.port, self.now)
        known = self.where(nic.node, target)
        if known == nic.port:
            return []
        if known in self.ports:
            return self.from_overlay(nic.node, str(known), source, target)
        if known is not None:
            return [known]
        out = [other.port for other in self.ports[nic.node] if other is not nic]
        for node in self.ports:
            if node != nic.node:
                out += self.from_overlay(nic.node, node, source, target)
        return sorted(out)

    def from_overlay(self, origin: str, node: str, source: bytes, target: bytes) -> list[str]:
        self.heard[node, source] = (origin, self.now)
        known = self.where(node, target)
        own = [nic.port for nic in self.ports[node]]
        return [known] if known in own else own

    def where(self, node: str, mac: bytes) -> str | None:
        place, seen = self.heard.get((node, mac), ("", 0.0))
        is_usable = place and not mac[0] & 1 and self.now - seen < AGE_SECONDS
        return place if is_usable else None


steps = st.tuples(
    st.integers(0, 5),
    st.integers(0, len(MACS) - 1),
    st.integers(0, len(MACS) + len(GROUPS) - 1),
    st.sampled_from([0.0, 0.0, 0.0, 1.0, 150.0, 299.0, 300.0]),
)


@given(st.lists(steps, max_size=25))
def test_segment_is_its_model(history: list[Step]) -> None:
    """Every frame comes out at exactly the ports that learning, ageing and flooding say, unchanged."""
    world = World(SimulatedDriver.site())
    world.add_nodes("n1", "n2", "n3")
    segment = world.l2(5000)
    nics = [world.pod(f"n{1 + index // 2}", f"p{index}", segment) for index in range(6)]
    world.sync()
    model = Model({node: [nic for nic in nics if nic.node == node] for node in world.drivers})
    for port, source, target, wait in history:
        world.site.advance(wait)
        model.now += wait
        frame = ether((MACS + GROUPS)[target], MACS[source])
        trace = send(world.site, nics[port], frame)
        assert sorted(a.port for a in trace.arrivals) == model.send(nics[port], MACS[source], frame[:6]), trace
        assert {arrival.frame for arrival in trace.arrivals} <= {frame}
