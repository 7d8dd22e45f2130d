"""Pings, datagrams and connections, and what became of them on the way."""

from __future__ import annotations

from ipaddress import IPv4Address

from juneau.engine.driver import Answer, Datagram
from juneau.engine.trace import Reason, Step
from juneau.features.frames import is_echo_request, target_of, vni_of
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.features.wire import Nic


def address_of(scene: Scene, target: str | Nic) -> IPv4Address:
    """What a `<target>` stands for."""
    return scene.wire.address(target) if isinstance(target, Nic) else IPv4Address(target)


@when("<host> pings <target>")
def pings(scene: Scene, host: Nic, target: str | Nic) -> None:
    """One echo request; with an interface, out of that one (`ping -I eth1`)."""
    scene.wire.ping(host, address_of(scene, target))


@when("<host> pings <target> with <size:packet> bytes")
def pings_with(scene: Scene, host: Nic, target: str | Nic, size: int) -> None:
    """The same as an IP packet of that size, headers included."""
    scene.wire.ping(host, address_of(scene, target), size=size - 28)


@when('<host> pings <target> from "<source:address>"')
def pings_from(scene: Scene, host: Nic, target: str | Nic, source: IPv4Address) -> None:
    """The same with that source address (`ping -I 10.70.4.2`)."""
    scene.wire.ping(host, address_of(scene, target), source=source)


@when("<host> pings <target> with TTL <ttl>")
def pings_with_ttl(scene: Scene, host: Nic, target: str | Nic, ttl: int) -> None:
    """The same with that TTL."""
    scene.wire.ping(host, address_of(scene, target), ttl=ttl)


@then("<host> can ping <target>")
def can_ping(scene: Scene, host: Nic, target: str | Nic) -> None:
    """One echo request, and its reply comes."""
    pings(scene, host, target)
    is_answered(scene)


@then("<host> cannot ping <target>")
def cannot_ping(scene: Scene, host: Nic, target: str | Nic) -> None:
    """One echo request, and no reply comes."""
    pings(scene, host, target)
    is_not_answered(scene)


@given("<host> serves UDP port <port>")
def serves_udp(scene: Scene, host: Nic, port: int) -> None:
    """It sends every datagram back."""

    def echo(asked: Datagram) -> Datagram:
        return asked.reply(asked.payload)

    scene.lab.site.serve_udp(*scene.wire.place(host.host), port, echo)


@given("<host> listens on TCP port <port>")
def listens_on_tcp(scene: Scene, host: Nic, port: int) -> None:
    """It accepts connections."""
    scene.lab.site.listen_tcp(*scene.wire.place(host.host), port)


@when("<host> sends a datagram to port <port> of <target>")
def sends_datagram(scene: Scene, host: Nic, port: int, target: str | Nic) -> None:
    """UDP, and it waits for an answer."""
    scene.wire.listen()
    address = address_of(scene, target)
    node, sandbox = scene.wire.place(host.host)
    exchange = scene.lab.site.send_udp(node, sandbox, address, port, b"juneau?", interface=host.interface)
    scene.wire.answered(f"a datagram from {host.host} to {address} port {port}", exchange)


@when("<host> connects to port <port> of <target>")
def connects(scene: Scene, host: Nic, port: int, target: str | Nic) -> None:
    """TCP's three-way handshake."""
    scene.wire.listen()
    address = address_of(scene, target)
    node, sandbox = scene.wire.place(host.host)
    exchange = scene.lab.site.connect_tcp(node, sandbox, address, port, interface=host.interface)
    scene.wire.answered(f"a connection from {host.host} to {address} port {port}", exchange)


@then("it is answered")
@then("the ping is answered")
def is_answered(scene: Scene) -> None:
    """A reply came: of an echo, a datagram, or an accepted connection."""
    assert scene.wire.exchange.answer is Answer.REPLY, f"{scene.wire.exchange.answer.value}\n{scene.wire.trace}"


@then("it is not answered")
@then("the ping is not answered")
def is_not_answered(scene: Scene) -> None:
    """Nothing came back at all."""
    assert scene.wire.exchange.answer is Answer.NONE, f"{scene.wire.exchange.answer.value}\n{scene.wire.trace}"


@then("it is turned away")
def is_turned_away(scene: Scene) -> None:
    """The host that was asked said that nobody is there: port unreachable, or a TCP reset."""
    assert scene.wire.exchange.answer is Answer.REFUSED, f"{scene.wire.exchange.answer.value}\n{scene.wire.trace}"


def _drops(scene: Scene) -> list[Step]:
    """The dataplane's."""
    return [step for step in scene.wire.trace.drops() if not step.point.startswith("host ")]


@then("it is dropped with reason <reason>")
def is_dropped(scene: Scene, reason: str) -> None:
    """Some copy of what was sent last ended so; nothing else was dropped."""
    found = {step.reason.name for step in _drops(scene)}
    assert found == {reason}, f"dropped with {', '.join(sorted(found)) or 'nothing'}\n{scene.wire.trace}"


@then("it is dropped on <node> with reason <reason>")
def is_dropped_on(scene: Scene, node: str, reason: str) -> None:
    """The same, on that Node."""
    found = {(step.node, step.reason.name) for step in _drops(scene)}
    assert found == {(node, reason)}, f"{found or 'nothing dropped'}\n{scene.wire.trace}"


@then("nothing is dropped")
def nothing_is_dropped(scene: Scene) -> None:
    """No copy of what was sent last was lost on its way; what a Pod itself made of it does not count."""
    assert not _drops(scene), str(scene.wire.trace)


@then("the trace shows <reason>")
def trace_shows(scene: Scene, reason: str) -> None:
    """Some step of the way went so."""
    assert Reason[reason] in [step.reason for step in scene.wire.trace.steps], str(scene.wire.trace)


@then("the trace does not show <reason>")
def trace_does_not_show(scene: Scene, reason: str) -> None:
    """No step of the way went so."""
    assert Reason[reason] not in [step.reason for step in scene.wire.trace.steps], str(scene.wire.trace)


@then("the trace shows only <reasons>")
def trace_shows_only(scene: Scene, reasons: tuple[str, ...]) -> None:
    """The way's steps are these, each at least once, and no others."""
    found = {step.reason.name for step in scene.wire.trace.steps}
    assert found == set(reasons), f"{', '.join(sorted(found))}\n{scene.wire.trace}"


@then("<node> has dropped <number:count> packet with reason <reason>")
@then("<node> has dropped <number:count> packets with reason <reason>")
def has_dropped(scene: Scene, node: str, number: int, reason: str) -> None:
    """The Node's counter for that reason, since the Node is there."""
    counted = scene.lab.site.drops(node)[Reason[reason]]
    assert counted == number, f"{counted}: {scene.lab.site.drops(node)}"


@then("no VXLAN packet is sent")
def no_vxlan(scene: Scene) -> None:
    """What was sent last, and its answer, stayed on the Node."""
    assert not scene.wire.trace.crossings, str(scene.wire.trace.crossings)


@then('<number:count> VXLAN packet goes from <source:node> to <target_node:node> with the VNI of <kind> "<name>"')
@then('<number:count> VXLAN packets go from <source:node> to <target_node:node> with the VNI of <kind> "<name>"')
def vxlan_goes(scene: Scene, number: int, source: str, target_node: str, kind: str, name: str) -> None:
    """So many encapsulated frames of the network go that way, and their bytes carry its `status.vni` or `networkID`."""
    vni = scene.read(kind, name, "status.vni" if kind != "ExternalNetwork" else "status.networkID")
    there = [hop for hop in scene.wire.trace.crossings if (hop.source, hop.target) == (source, target_node)]
    carried = [vni_of(hop.packet) for hop in there]
    assert carried == [vni] * number, f"VNIs {carried} instead of {number} times {vni}\n{scene.wire.trace}"


@then("the largest outer packet has <size:number> bytes")
def largest_outer(scene: Scene, size: int) -> None:
    """The largest IP packet on the underlay, headers of VXLAN included."""
    sizes = [len(hop.packet) - 14 for hop in scene.wire.trace.crossings]
    assert sizes and max(sizes) == size, sizes


@then("<nic> receives <number:count> ping")
@then("<nic> receives <number:count> pings")
def receives_pings(scene: Scene, nic: Nic, number: int) -> None:
    """So many echo requests came in since the last step that sent something."""
    found = sum(is_echo_request(frame) for frame in scene.wire.received(nic))
    assert found == number, f"{found}\n{scene.wire.trace}"


@then('<nic> receives a packet to "<address>"')
def receives_packet_to(scene: Scene, nic: Nic, address: IPv4Address) -> None:
    """At least one IPv4 packet to that address came in since the last step that sent something."""
    found = [target_of(frame) for frame in scene.wire.received(nic)]
    assert str(address) in found, f"{found}\n{scene.wire.trace}"
