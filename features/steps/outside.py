"""Outside the cluster: who answers ARP there, and Nodes that are cut off, lose their power, or come back."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network
from typing import cast

from attrs import evolve

from juneau.engine.durations import seconds_of
from juneau.engine.objects import Time
from juneau.engine.trace import Reason
from juneau.features.frames import REPLY, REQUEST, Sight, arp, ipv4_of, read_arp, sight
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.features.wire import Nic
from juneau.lab.immediate import run

_UDP = 17


@given('the outside is a network of its own, "<cidr>"')
def outside_of_its_own(scene: Scene, cidr: IPv4Network) -> None:
    """Router and host are there, and each Node has a second NIC on it, eth1."""
    assert not scene.has_begun, "the lab has begun already"
    scene.outside = evolve(scene.outside, external=cidr)


@given('agents with "--node-ingress-iface <interface>"')
def ingress_interface(scene: Scene, interface: str) -> None:
    """The NIC of each Node that takes packets from outside."""
    assert not scene.has_begun, "the lab has begun already"
    scene.node_settings = evolve(scene.node_settings, ingress_interface=interface)


@given('agents with "--arp-interval <time:text>"')
def arp_interval(scene: Scene, time: str) -> None:
    """How often they announce each address."""
    assert not scene.has_begun, "the lab has begun already"
    seconds = seconds_of(time)
    assert seconds is not None, time
    scene.node_settings = evolve(scene.node_settings, arp_interval=seconds)


@given('agents with "--arp-fence-after <time:text>"')
def arp_fence(scene: Scene, time: str) -> None:
    """After how long out of contact they answer nothing."""
    assert not scene.has_begun, "the lab has begun already"
    scene.node_settings = evolve(scene.node_settings, arp_fence_after=seconds_of(time))


@when('Node "<node>" is cut off from the API server')
def is_cut_off(scene: Scene, node: str) -> None:
    """What runs there goes on, and nobody hears of it."""
    scene.begin()
    scene.lab.cut_off(node)


@when('Node "<node>" reaches the API server again')
def is_back(scene: Scene, node: str) -> None:
    """Its agent and its kubelet do what has become due meanwhile."""
    scene.begin()
    run(scene.lab.reconnect(node))


@when('Node "<node>" loses its power')
def loses_power(scene: Scene, node: str) -> None:
    """Nothing moves there any more; its object stays."""
    scene.begin()
    scene.lab.switch_off(node)


@when('Node "<node>" has power again')
def has_power(scene: Scene, node: str) -> None:
    """It starts anew, and its Pods are attached again."""
    scene.begin()
    run(scene.lab.switch_on(node))


@when('Node "<node>" can send to nobody')
def is_alone(scene: Scene, node: str) -> None:
    """The network between the Nodes is cut around it."""
    scene.lab.site.split({node})


@when("the network is whole again")
def is_whole(scene: Scene) -> None:
    """Frames reach everybody."""
    scene.lab.site.split()


def _ask(scene: Scene, nic: Nic, address: IPv4Address) -> None:
    own = scene.wire.state(nic)
    sender = own.addresses[0].ip if own.addresses else IPv4Address(0)
    scene.wire.send(nic, arp(REQUEST, own.link.mac, sender, address))


def _answers(scene: Scene, nic: Nic, address: IPv4Address) -> list[str]:
    """The MACs that have answered since the last step that sent something."""
    return _answerers(scene.wire.received(nic), address)


def _answerers(frames: Iterable[bytes], address: IPv4Address) -> list[str]:
    heard = [read_arp(frame) for frame in frames]
    return [one.mac for one in heard if one is not None and one.operation == REPLY and one.address == str(address)]


def _mac(scene: Scene, node: str, interface: str) -> str:
    return scene.lab.site.link_state(node, node, interface).link.mac


@then('Node "<node>" answers for "<address>"')
def node_answers(scene: Scene, node: str, address: IPv4Address) -> None:
    """To one ARP request of the host outside there comes one reply, with the MAC of that Node's eth0."""
    node_answers_with(scene, node, address, "eth0")


@then('Node "<node>" answers for "<address>" with the MAC of its <interface>')
def node_answers_with(scene: Scene, node: str, address: IPv4Address, interface: str) -> None:
    """The same, with the MAC of that NIC."""
    host = Nic("outside", "eth0")
    _ask(scene, host, address)
    found = _answers(scene, host, address)
    assert found == [_mac(scene, node, interface)], f"{found}\n{scene.wire.trace}"


@then('nobody answers for "<address>"')
def nobody_answers(scene: Scene, address: IPv4Address) -> None:
    """To an ARP request of the host outside there comes no reply."""
    host = Nic("outside", "eth0")
    _ask(scene, host, address)
    found = _answers(scene, host, address)
    assert not found, f"{found}\n{scene.wire.trace}"


@when("what is received is counted from now on")
def counts(scene: Scene) -> None:
    """By every NIC, for the steps that say what was received; nothing is sent."""
    scene.wire.listen()


@then('<nic> has heard "<address>" announced <number:count> times from Node "<node>"')
@then('<nic> has heard "<address>" announced once from Node "<node>"')
def has_heard(scene: Scene, nic: Nic, address: IPv4Address, node: str, number: int = 1) -> None:
    """So many gratuitous ARPs for it, all with the MAC of that Node's eth0, since they are counted."""
    heard = [read_arp(frame) for frame in scene.wire.received(nic)]
    found = [one.mac for one in heard if one is not None and one.address == str(address)]
    assert found == [_mac(scene, node, "eth0")] * number, found


@given('the host outside asks for "<address>" all the time')
def asks_all_the_time(scene: Scene, address: IPv4Address) -> None:
    """At each write to the API server and each second, from here on, for `never have two Nodes answered`."""
    lab, nic = scene.lab, Nic("outside", "eth0")
    node, sandbox = scene.wire.place(nic.host)
    own = scene.wire.state(nic)
    question = arp(REQUEST, own.link.mac, own.addresses[0].ip, address)
    heard: list[tuple[str, ...]] = []
    scene.noted[f"who answered for {address}"] = heard

    def ask() -> None:
        since = lab.site.mark(node, sandbox, nic.interface)
        lab.site.inject(node, sandbox, nic.interface, question)
        heard.append(tuple(_answerers(lab.site.received(node, sandbox, nic.interface, since), address)))

    def tick() -> None:
        ask()
        lab.clock.call_at(Time(lab.clock.now() + 1.0), tick)

    lab.store.subscribe(lambda _event: ask())
    tick()


@then('never have two Nodes answered for "<address>"')
def never_two(scene: Scene, address: IPv4Address) -> None:
    """Of all the times that the host outside has asked; and more than one Node has answered in turn."""
    heard = cast("list[tuple[str, ...]]", scene.noted[f"who answered for {address}"])
    assert max(map(len, heard)) == 1, [one for one in heard if len(one) > 1]
    assert len({one for one in heard if one}) > 1, "it was the same one all the time"


def _sights(scene: Scene, nic: Nic) -> list[Sight]:
    return [one for one in map(sight, scene.wire.received(nic)) if one is not None]


@then("<nic> receives the packet as it was sent")
def receives_unaltered(scene: Scene, nic: Nic) -> None:
    """One copy of the packet in the last frame, byte for byte from the IPv4 header on."""
    sent = ipv4_of(scene.wire.frame)
    assert sent, "the last frame has no IPv4 packet"
    assert [ipv4_of(frame) for frame in scene.wire.received(nic)].count(sent) == 1, str(scene.wire.trace)


@then('<nic> receives a packet from "<source:address>" to "<address>"')
def receives_from(scene: Scene, nic: Nic, source: IPv4Address, address: IPv4Address) -> None:
    """At least one with these addresses, and with the right checksums, came in since the last step that sent any."""
    found = [one for one in _sights(scene, nic) if (one.source, one.target) == (str(source), str(address))]
    assert found and all(one.is_intact for one in found), f"{_sights(scene, nic)}\n{scene.wire.trace}"


@then('<nic> receives no packet from "<source:address>"')
def receives_none_from(scene: Scene, nic: Nic, source: IPv4Address) -> None:
    """None since the last step that sent any."""
    found = [one for one in _sights(scene, nic) if one.source == str(source)]
    assert not found, f"{found}\n{scene.wire.trace}"


@when("<host> sends a datagram from port <source_port:port> to port <port> of <target>")
def sends_datagram_from(scene: Scene, host: Nic, source_port: int, port: int, target: str | Nic) -> None:
    """UDP out of that port, and it waits for an answer."""
    scene.wire.listen()
    address = scene.wire.address(target) if isinstance(target, Nic) else IPv4Address(target)
    exchange = scene.lab.site.send_udp(
        *scene.wire.place(host.host), address, port, b"juneau?", source_port=source_port, interface=host.interface
    )
    scene.wire.answered(f"a datagram from {host.host} to {address} port {port}", exchange)


@then('<nic> receives a datagram from port <source_port:port> of "<source:address>" to port <port> of "<address>"')
def receives_datagram(
    scene: Scene, nic: Nic, source_port: int, source: IPv4Address, port: int, address: IPv4Address
) -> None:
    """One with just these came in, with the right checksums, since the last step that sent any."""
    wanted = Sight(_UDP, str(source), str(address), source_port, port)
    assert _sights(scene, nic).count(wanted) == 1, f"{_sights(scene, nic)}\n{scene.wire.trace}"


@then("its way leads out of <nics> only")
def leads_out_of(scene: Scene, nics: tuple[Nic, ...]) -> None:
    """What was sent last, and its answer, left Pods by these NICs and by no others."""
    found = {step.detail for step in scene.wire.trace.steps if step.reason is Reason.POD_EGRESS}
    wanted = {f"{scene.key('Pod', nic.host).namespace}/{nic.host.rpartition('/')[2]}.{nic.interface}" for nic in nics}
    assert found == wanted, f"{found}\n{scene.wire.trace}"


@then("<nic> gets one ARP answer, from the Node's side of it")
def gets_answer_of_its_node(scene: Scene, nic: Nic) -> None:
    """With the MAC of the other end of the NIC."""
    heard = [read_arp(frame) for frame in scene.wire.received(nic)]
    found = [one.mac for one in heard if one is not None and one.operation == REPLY]
    assert found == [scene.wire.state(nic).link.host_mac], f"{found}\n{scene.wire.trace}"


@when("the policy routing rules of <host> are taken out")
def rules_are_removed(scene: Scene, host: Nic) -> None:
    """By hand, all that the CNI has put in (`ip rule del`)."""
    place = scene.wire.place(host.host)
    for rule in scene.lab.site.rules(*place):
        scene.lab.site.remove_rule(*place, rule)
