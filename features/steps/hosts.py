"""Inside Pods and Nodes: addresses, routes, links, and what runs there."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from juneau.engine.driver import Datagram, HostRoute
from juneau.features.frames import (
    DHCP_CLIENT,
    DHCP_SERVER,
    dhcp_answer,
    dhcp_question,
    ethernet,
    is_echo_request,
    read_dhcp_answer,
)
from juneau.features.grammar import given, then, when
from juneau.features.scene import Scene
from juneau.features.wire import Behind, Nic

_KERNEL_MTU = 1500
_TTL = 14 + 8  # its place in a frame that has no VLAN tag
_EVERYBODY = IPv4Address("255.255.255.255")


@when('"<address:prefixed>" is set on <nic>')
def address_is_set(scene: Scene, address: IPv4Interface, nic: Nic) -> None:
    """By hand, inside the Pod (`ip address add`)."""
    scene.lab.site.add_address(*scene.wire.place(nic.host), nic.interface, address)


@when('"<address:prefixed>" is taken off <nic>')
def address_is_removed(scene: Scene, address: IPv4Interface, nic: Nic) -> None:
    """By hand, inside the Pod (`ip address del`)."""
    scene.lab.site.remove_address(*scene.wire.place(nic.host), nic.interface, address)


@when('<host> adds a route to "<cidr>" via "<gateway:address>"')
def adds_route(scene: Scene, host: Nic, cidr: IPv4Network, gateway: IPv4Address) -> None:
    """By hand, in the main table (`ip route add`)."""
    scene.lab.site.add_route(*scene.wire.place(host.host), HostRoute(cidr, gateway))


@given("<host> is a router")
def is_a_router(scene: Scene, host: Nic) -> None:
    """It forwards packets."""
    scene.lab.site.set_forwarding(*scene.wire.place(host.host), True)


@given("<nics> are bridged")
def are_bridged(scene: Scene, nics: tuple[Nic, ...]) -> None:
    """A learning bridge inside the Pod, of NICs of that Pod."""
    assert len({nic.host for nic in nics}) == 1, "a bridge is inside one Pod"
    scene.lab.site.bridge(*scene.wire.place(nics[0].host), [nic.interface for nic in nics])


@given('a host "<name>" with "<address:prefixed>" is bridged behind <nic>')
def host_behind(scene: Scene, name: str, address: IPv4Interface, nic: Nic) -> None:
    """A nested VM with a MAC of its own, which sends nothing by itself; it is `host "<name>"` from then on."""
    node, sandbox = scene.wire.place(nic.host)
    nested = scene.lab.site.attach_bridged(node, sandbox, nic.interface, name, address)
    scene.wire.behind[name] = Behind(node, nested)


@given('<nic> serves DHCP with the lease "<lease:prefixed>"')
def serves_dhcp(scene: Scene, nic: Nic, lease: IPv4Interface) -> None:
    """A DHCP server that has one address to give; its own is the one set on the NIC."""
    own = scene.wire.state(nic).addresses[0].ip

    def serve(asked: Datagram) -> Datagram | None:
        payload = dhcp_answer(asked, own, lease)
        return asked.reply(payload, source=own, target=_EVERYBODY) if payload is not None else None

    scene.lab.site.serve_udp(*scene.wire.place(nic.host), DHCP_SERVER, serve)


@when("<nic> asks for a lease by DHCP")
def asks_for_lease(scene: Scene, nic: Nic) -> None:
    """Discover, offer, request and acknowledgement; the leased address is set on the NIC."""
    offered = _ask(scene, nic, dhcp_question("discover", scene.wire.mac(nic)))
    assert offered is not None, f"no offer\n{scene.wire.trace}"
    assert offered[0] == "offer", offered
    given_ = _ask(scene, nic, dhcp_question("request", scene.wire.mac(nic), offered[1].ip))
    assert given_ is not None and given_[0] == "ack", f"{given_}\n{scene.wire.trace}"
    scene.wire.leases[nic] = given_[1]
    address_is_set(scene, given_[1], nic)


@then("<nic> finds no DHCP server")
def finds_no_server(scene: Scene, nic: Nic) -> None:
    """Nobody answers a discover."""
    found = _ask(scene, nic, dhcp_question("discover", scene.wire.mac(nic)))
    assert found is None, found


@then('<nic> is leased "<lease:prefixed>"')
def is_leased(scene: Scene, nic: Nic, lease: IPv4Interface) -> None:
    """The lease that it got last."""
    assert scene.wire.leases.get(nic) == lease, scene.wire.leases.get(nic)


def _ask(scene: Scene, nic: Nic, question: bytes) -> tuple[str, IPv4Interface] | None:
    node, sandbox = scene.wire.place(nic.host)
    exchange = scene.lab.site.send_udp(
        node, sandbox, _EVERYBODY, DHCP_SERVER, question, source_port=DHCP_CLIENT, interface=nic.interface
    )
    scene.wire.answered(f"a DHCP question from {nic}", exchange)
    return read_dhcp_answer(exchange.payload) if exchange else None


@when('<nic> sends a frame of EtherType <ethertype> to the gateway of Subnet "<name>"')
def sends_to_gateway(scene: Scene, nic: Nic, ethertype: int, name: str) -> None:
    """The payload makes no sense whatever the EtherType is."""
    mac = str(scene.read("Subnet", name, "status.gatewayMAC"))
    scene.wire.send(nic, ethernet(mac, scene.wire.mac(nic), ethertype, bytes(46)))


@then("<nic> receives a ping with TTL <ttl>")
def receives_ping_with_ttl(scene: Scene, nic: Nic, ttl: int) -> None:
    """One echo request came in since the last step that sent something, with that TTL."""
    found = [frame[_TTL] for frame in scene.wire.received(nic) if is_echo_request(frame)]
    assert found == [ttl], f"{found}\n{scene.wire.trace}"


@then("<nic> has no address")
def has_no_address(scene: Scene, nic: Nic) -> None:
    """The interface inside the Pod has none."""
    found = scene.wire.state(nic).addresses
    assert not found, found


@then('<nic> has the address "<address:prefixed>"')
def has_address(scene: Scene, nic: Nic, address: IPv4Interface) -> None:
    """The interface inside the Pod has this one and no other."""
    found = scene.wire.state(nic).addresses
    assert found == (address,), found


@then("<host> has the interfaces <interfaces:names>")
def has_interfaces(scene: Scene, host: Nic, interfaces: tuple[str, ...]) -> None:
    """Exactly these, besides its loopback."""
    found = scene.lab.site.interfaces(*scene.wire.place(host.host))
    assert set(found) == set(interfaces), found


@then("the MTU of <nic> is <mtu:number> on both ends")
def mtu_is(scene: Scene, nic: Nic, mtu: int) -> None:
    """Inside the Pod, and on the Node's side."""
    state = scene.wire.state(nic)
    assert (state.mtu, state.host_mtu) == (mtu, mtu), state


@then("the MTU of <nic> is the kernel's default on both ends")
def mtu_is_default(scene: Scene, nic: Nic) -> None:
    """1500 inside the Pod, and on the Node's side: nobody has set it."""
    mtu_is(scene, nic, _KERNEL_MTU)


@then("the main table of <host> is")
def main_table_is(scene: Scene, host: Nic, docstring: str) -> None:
    """Exactly these routes, in any order, each as `ip route` writes it: `default via 10.70.4.1 dev eth0`."""
    table_is(scene, 0, host, docstring)


@then("table <number:number> of <host> is")
def table_is(scene: Scene, number: int, host: Nic, docstring: str) -> None:
    """The same of another table, by its number."""
    found = sorted(_route_text(route) for route in scene.lab.site.routes(*scene.wire.place(host.host), number))
    wanted = sorted(line.strip() for line in docstring.splitlines() if line.strip())
    assert found == wanted, "\n" + "\n".join(found)


@then("<host> has one routing table beside the main one, <number:number>")
def has_one_more_table(scene: Scene, host: Nic, number: int) -> None:
    """No other table has a route."""
    found = list(scene.lab.site.tables(*scene.wire.place(host.host)))
    assert found == [0, number], found


@then("the policy routing rules of <host> are")
def rules_are(scene: Scene, host: Nic, docstring: str) -> None:
    """Exactly these besides the kernel's own three, as `from 10.70.4.2/32 lookup 100 priority 50`, in any order."""
    held = scene.lab.site.rules(*scene.wire.place(host.host))
    found = sorted(f"from {rule.source} lookup {rule.table} priority {rule.priority}" for rule in held)
    wanted = sorted(line.strip() for line in docstring.splitlines() if line.strip())
    assert found == wanted, "\n" + "\n".join(found)


@then("<host> has no policy routing rules")
def has_no_rules(scene: Scene, host: Nic) -> None:
    """None besides the kernel's own three."""
    found = scene.lab.site.rules(*scene.wire.place(host.host))
    assert not found, found


@then('<node> has no route to "<address>"')
def node_has_no_route(scene: Scene, node: str, address: IPv4Address) -> None:
    """No route of the Node's own table leads there but its default route."""
    found = [route for route in scene.lab.site.routes(node, node) if address in route.dst and route.dst.prefixlen]
    assert not found, [_route_text(route) for route in found]


@given("the routes of <node> are noted")
def routes_are_noted(scene: Scene, node: str) -> None:
    """Kept for the next step."""
    scene.noted[f"routes of {node}"] = [_route_text(route) for route in scene.lab.site.routes(node, node)]


@then("the routes of <node> are unchanged")
def routes_are_unchanged(scene: Scene, node: str) -> None:
    """The Node's own table is what it was when it was noted."""
    found = [_route_text(route) for route in scene.lab.site.routes(node, node)]
    assert found == scene.noted[f"routes of {node}"], found


def _route_text(route: HostRoute) -> str:
    to = "default" if not route.dst.prefixlen else str(route.dst)
    via = f" via {route.gw}" if route.gw is not None else ""
    return f"{to}{via} dev {route.dev}{' onlink' if route.on_link else ''}"


@then('the runtime is told "<text>" of Pod "<name>"')
def runtime_is_told(scene: Scene, text: str, name: str) -> None:
    """The CNI's ADD for the Pod has failed with this."""
    told = scene.why_not(name)
    assert text in told, told or "nothing"


@then('Pod "<name>" is attached on <node>')
def is_attached(scene: Scene, name: str, node: str) -> None:
    """The CNI has made its NICs there."""
    sandbox = scene.lab.kubelets.sandboxes.get(scene.key("Pod", name))
    assert sandbox is not None, scene.why_not(name) or "not attached"
    assert sandbox.node == node, sandbox.node


@then('Pod "<name>" is not attached')
def is_not_attached(scene: Scene, name: str) -> None:
    """The CNI has made none of its NICs."""
    assert scene.key("Pod", name) not in scene.lab.kubelets.sandboxes
