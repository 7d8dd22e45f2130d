"""Ethernet frames and ARP: what is sent out of a NIC, and which NICs get copies of it."""

from __future__ import annotations

from ipaddress import IPv4Address

from juneau.features.frames import BROADCAST, REPLY, REQUEST, arp, ethernet, ipv4, read_arp
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.features.wire import Nic

_PAYLOAD = b"juneau says hello" * 3
_EXPERIMENTAL = 0x88B5
_IPV4 = 0x0800
_GATEWAY = "the gateway of "


def mac_of(scene: Scene, station: str | Nic) -> str:
    """What a `<station>` stands for."""
    if isinstance(station, Nic):
        return scene.wire.mac(station)
    if station == "everybody":
        return BROADCAST
    if station.startswith(_GATEWAY):
        return gateway_mac(scene, station.split('"')[1], station.removeprefix(_GATEWAY).partition(" ")[0])
    return station


def gateway_mac(scene: Scene, name: str, kind: str = "L2Network") -> str:
    mac = scene.read(kind, name, "status.gatewayMAC")
    assert mac, f"{kind} {name} has no gateway"
    return str(mac)


def _send(scene: Scene, nic: Nic, to: str, source: str, ethertype: int, payload: bytes) -> None:
    scene.wire.send(nic, ethernet(to, source, ethertype, payload))


@when("<nic> sends a frame to <station>")
def sends(scene: Scene, nic: Nic, station: str | Nic) -> None:
    """Of an EtherType that nobody knows (0x88B5), from its own MAC."""
    _send(scene, nic, mac_of(scene, station), scene.wire.mac(nic), _EXPERIMENTAL, _PAYLOAD)


@when("<nic> sends a frame to <station> of EtherType <ethertype>")
def sends_of_type(scene: Scene, nic: Nic, station: str | Nic, ethertype: int) -> None:
    """The payload makes no sense whatever the EtherType is."""
    _send(scene, nic, mac_of(scene, station), scene.wire.mac(nic), ethertype, _PAYLOAD)


@when("<nic> sends a frame to <station> from <source:station>")
def sends_from(scene: Scene, nic: Nic, station: str | Nic, source: str | Nic) -> None:
    """With a source MAC that need not be its own."""
    _send(scene, nic, mac_of(scene, station), mac_of(scene, source), _EXPERIMENTAL, _PAYLOAD)


@when("<nic> sends a frame to <station> with <size> bytes of payload")
def sends_with_size(scene: Scene, nic: Nic, station: str | Nic, size: int) -> None:
    """So many bytes after the Ethernet header, of no protocol."""
    _send(scene, nic, mac_of(scene, station), scene.wire.mac(nic), _EXPERIMENTAL, bytes(size))


@when('<nic> sends a packet of IP protocol <protocol> from "<source:address>" to "<to:address>" at <station>')
def sends_packet(
    scene: Scene, nic: Nic, protocol: int, source: IPv4Address, to: IPv4Address, station: str | Nic
) -> None:
    """An IPv4 packet with these addresses in a frame to that MAC, whether they make sense or not."""
    packet = ipv4(protocol, source, to, _PAYLOAD)
    _send(scene, nic, mac_of(scene, station), scene.wire.mac(nic), _IPV4, packet)


@when('<nic> sends the bytes "<hex>"')
def sends_bytes(scene: Scene, nic: Nic, hex: bytes) -> None:
    """A whole frame as it is on the wire."""
    scene.wire.send(nic, hex)


@given("<nics> have been heard")
@given("<nics> has been heard")
def have_been_heard(scene: Scene, nics: tuple[Nic, ...]) -> None:
    """Each sends one frame to everybody, so that its MAC is learned wherever the frame goes."""
    for nic in nics:
        sends(scene, nic, "everybody")


@then("<nic> receives it")
def receives(scene: Scene, nic: Nic) -> None:
    """One copy of the last frame, byte for byte."""
    receives_copies(scene, nic, 1)


@then("<nic> receives <number:count> copies of it")
def receives_copies(scene: Scene, nic: Nic, number: int) -> None:
    """So many copies of the last frame, byte for byte."""
    found = scene.wire.copies(nic)
    assert found == number, f"{found} copies\n{scene.wire.trace}"


@then("only <nics> receives it")
@then("only <nics> receive it")
def only_receive(scene: Scene, nics: tuple[Nic, ...]) -> None:
    """One copy each of the last frame, byte for byte, and no other NIC of any Pod gets one."""
    found = {str(nic): scene.wire.copies(nic) for nic in scene.wire.nics()}
    wanted = {str(nic): int(nic in nics) for nic in scene.wire.nics()}
    assert found == wanted, f"{found}\n{scene.wire.trace}"


@then("nobody receives it")
def nobody_receives(scene: Scene) -> None:
    """No NIC of any Pod gets a copy of the last frame."""
    only_receive(scene, ())


@then("<nic> receives nothing")
def receives_nothing(scene: Scene, nic: Nic) -> None:
    """No frame at all came in since the last step that sent something."""
    found = [frame.hex() for frame in scene.wire.received(nic)]
    assert not found, f"{found}\n{scene.wire.trace}"


@when('<nic> announces "<address>"')
def announces(scene: Scene, nic: Nic, address: IPv4Address) -> None:
    """A gratuitous ARP reply."""
    scene.wire.listen()
    node, sandbox = scene.wire.place(nic.host)
    scene.wire.keep(f"an announcement by {nic}", scene.lab.site.announce(node, sandbox, nic.interface, address))


@when('<nic> asks by ARP for "<address>"')
def asks_by_arp(scene: Scene, nic: Nic, address: IPv4Address) -> None:
    """An ARP request from the address that the NIC has, or from 0.0.0.0."""
    addresses = scene.wire.state(nic).addresses
    asks_by_arp_as(scene, nic, address, addresses[0].ip if addresses else IPv4Address(0))


@when('<nic> asks by ARP for "<address>" as "<sender:address>"')
def asks_by_arp_as(scene: Scene, nic: Nic, address: IPv4Address, sender: IPv4Address) -> None:
    """An ARP request with that sender address."""
    scene.wire.send(nic, arp(REQUEST, scene.wire.mac(nic), sender, address))


@when('<nic> answers by ARP to <station> as "<sender:address>"')
def answers_by_arp(scene: Scene, nic: Nic, station: str | Nic, sender: IPv4Address) -> None:
    """An ARP reply that nobody asked for, to one station, with that sender address."""
    frame = arp(REPLY, scene.wire.mac(nic), sender, IPv4Address(0), mac_of(scene, station))
    scene.wire.send(nic, frame)


def _answers(scene: Scene, nic: Nic, address: IPv4Address | None = None) -> list[str]:
    """The MACs in the ARP replies that came in since the question, of all addresses or of one."""
    found = [read_arp(frame) for frame in scene.wire.received(nic)]
    replies = [heard for heard in found if heard is not None and heard.operation == REPLY]
    return [heard.mac for heard in replies if address is None or heard.address == str(address)]


@then("<nic> gets <number:count> ARP answer")
@then("<nic> gets <number:count> ARP answers")
def gets_answers(scene: Scene, nic: Nic, number: int) -> None:
    """So many ARP replies came in since the question."""
    found = _answers(scene, nic)
    assert len(found) == number, f"{found}\n{scene.wire.trace}"


@then('<nic> gets <number:count> ARP answer for "<address>"')
@then('<nic> gets <number:count> ARP answers for "<address>"')
def gets_answers_for(scene: Scene, nic: Nic, number: int, address: IPv4Address) -> None:
    """So many of them say who has that address."""
    found = _answers(scene, nic, address)
    assert len(found) == number, f"{found}\n{scene.wire.trace}"


@then("<nic> gets one ARP answer, from <station>")
def gets_answer_from(scene: Scene, nic: Nic, station: str | Nic) -> None:
    """One ARP reply came in, and it names this MAC."""
    found = _answers(scene, nic)
    assert found == [mac_of(scene, station)], f"{found}\n{scene.wire.trace}"


@then('the gateway of L2Network "<name>" has sent no ARP')
def gateway_has_sent_no_arp(scene: Scene, name: str) -> None:
    """No NIC has ever received an ARP frame from its MAC."""
    mac = gateway_mac(scene, name)
    for nic in scene.wire.nics():
        node, sandbox = scene.wire.place(nic.host)
        for frame in scene.lab.site.received(node, sandbox, nic.interface):
            heard = read_arp(frame)
            assert heard is None or heard.mac != mac, f"{nic} received {frame.hex()}"
