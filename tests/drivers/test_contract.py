"""What every driver has to keep: the same intents give the same verdicts, and `read` and `apply` are a reconciler's."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from itertools import permutations, product

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st
from tests.drivers.frames import announcement, arrived, ether, mac, packet, reasons, send
from tests.drivers.world import Network, Nic, World

from juneau.drivers.simulated.driver import SimulatedDriver
from juneau.engine.delta import Delta, difference
from juneau.engine.driver import OUT_OF_CONTACT, Contact, DriverKind, Site
from juneau.engine.intents import ARPAnswer, Intent, IntentKey, Port, Segment, SegmentKind, Station, ToStation
from juneau.engine.trace import Reason

TABLES = (
    *("subnet_map", "ifindex_subnet", "arp_table", "fdb", "fib_map", "node_underlays", "host_underlay"),
    *("ifindex_host_mac", "vxlan_ifindex"),
    *("l2_network_map", "l2_ifindex", "l2_fdb", "l2_bum_local", "l2_bum_remote", "l2_arp", "l2_gateway"),
    "external_arp_table",
)


def furnish(world: World) -> World:
    """Something of everything, on three Nodes."""
    first, second = world.subnet(4096, "10.16.0.0/16"), world.subnet(4097, "10.17.0.0/24")
    routed = world.l2(5000, "10.70.4.0/24", gateway=True)
    plain = world.l2(5001, "10.71.0.0/24")
    for index, node in enumerate(world.addresses):
        world.pod(node, node, first, f"10.16.0.{100 + index}", "juneau_node_h")
        world.pod(node, f"a-{node}", first, f"10.16.0.{4 + index}")
        world.pod(node, f"r-{node}", routed, f"10.70.4.{4 + index}")
        world.pod(node, f"p-{node}", plain, f"10.71.0.{4 + index}")
    world.pod("n1", "b", second, "10.17.0.4")
    world.route("198.51.100.0/24", ToStation(4097, world.nics[-1].link.mac))
    return world


def desired(world: World, node: str) -> dict[IntentKey, Intent]:
    return {intent.key: intent for intent in world.intents(node)}


def tables(site: Site, node: str) -> dict[str, object]:
    return {table: site.dump(node, table) for table in TABLES}


def is_reachable(source: Nic, target: Nic) -> bool:
    """By ping: inside a Vpc everything routed, on a closed segment its own, and Nodes the first Subnet only."""
    kinds = {source.network.vni, target.network.vni}
    if 5001 in kinds:
        return kinds == {5001}
    if source.sandbox == source.node or target.sandbox == target.node:
        return kinds == {4096}
    return True


def test_reachability_is_what_the_networks_say(world: World) -> None:
    """Every NIC pings exactly those that it should reach, whatever the Nodes."""
    furnish(world).sync()
    for source, target in product(world.nics, world.nics):
        if target.address is not None and source is not target:
            exchange = world.site.ping(source.node, source.sandbox, target.address)
            assert bool(exchange) is is_reachable(source, target), f"{source.port} {target.port}\n{exchange.trace}"


def test_drivers_agree_with_the_oracle(kind: type[DriverKind]) -> None:
    """Raw frames of all sorts come out at the same ports, for the same reasons, as in the simulated driver."""
    worlds = [World(SimulatedDriver.site()), World(kind.site())]
    for world in worlds:
        world.add_nodes("n1", "n2", "n3")
        furnish(world).sync()
    for source, target in product(range(len(worlds[0].nics)), repeat=2):
        outcomes = [_outcome(world, world.nics[source], world.nics[target]) for world in worlds]
        assert outcomes[0] == outcomes[1]


def _outcome(world: World, source: Nic, target: Nic) -> list[tuple[list[str], list[object]]]:
    """Frames to the NIC's MAC and to the gateway's, with plain and with IPv4 content."""
    seen: list[tuple[list[str], list[object]]] = []
    inner = packet(str(source.address), str(target.address), ttl=3)
    gateway = bytes.fromhex((source.network.gateway_mac or "02:aa:00:00:00:99").replace(":", ""))
    for to, (ethertype, body) in product((mac(target), gateway), ((0x0800, inner), (0x88B5, b"x"))):
        trace = send(world.site, source, ether(to, mac(source), ethertype, body))
        seen.append((arrived(trace), list(reasons(trace))))
    return seen


def test_read_returns_what_was_applied(world: World) -> None:
    """What a driver holds is what it was told, so that nothing is left to do."""
    furnish(world).sync()
    for node, driver in world.drivers.items():
        assert driver.read() == desired(world, node)
        assert not difference(desired(world, node), driver.read())


def test_apply_is_idempotent(world: World) -> None:
    """Applying once more changes nothing, and removing what is not there is no failure."""
    furnish(world).sync()
    driver = world.drivers["n1"]
    before = tables(world.site, "n1")
    everything = tuple(desired(world, "n1").values())
    assert driver.apply(Delta(add=everything)) == []
    assert driver.apply(Delta(remove=(Station(9999, "02:00:00:00:00:09", "n9"),))) == []
    assert tables(world.site, "n1") == before


def test_answers_are_intents_like_any_other(world: World) -> None:
    """ARP answers are read back as they were applied, may come in any order and twice, and leave nothing behind."""
    furnish(world).sync()
    driver, before = world.drivers["n1"], tables(world.site, "n1")
    answers = [ARPAnswer(IPv4Address(f"10.225.51.{number}"), "n1", number) for number in (203, 201, 202)]
    refused = driver.apply(Delta(add=tuple(answers)))
    assert [failure.reason for failure in refused] == [OUT_OF_CONTACT] * 3  # before the first stamp
    driver.renew(Contact(fresh_for=60))
    assert driver.apply(Delta(add=tuple(answers))) == []
    assert driver.apply(Delta(add=tuple(answers[::-1]))) == []
    assert driver.read() == desired(world, "n1") | {answer.key: answer for answer in answers}
    assert driver.apply(Delta(change=((answers[0], evolve(answers[0], term=7)),), remove=tuple(answers[1:]))) == []
    assert [row["ipaddr"] for row in world.site.dump("n1", "external_arp_table")] == ["10.225.51.203"]
    assert driver.apply(Delta(remove=(*answers, *answers))) == []
    assert tables(world.site, "n1") == before
    assert world.drivers["n2"].read() == desired(world, "n2")


def test_apply_then_revert_leaves_the_tables_as_they_were(world: World) -> None:
    """Whatever was added and has talked is gone without a trace when it is removed."""
    world.pod("n1", "first", world.subnet(4095, "10.15.0.0/24"), "10.15.0.4")
    world.sync()
    before = {node: tables(world.site, node) for node in world.drivers}
    networks, nics, routes = list(world.networks), list(world.nics), list(world.routes)
    furnish(world).sync()
    for source, target in product(world.nics, world.nics):
        world.site.ping(source.node, source.sandbox, target.address or IPv4Address(0))
    world.networks, world.nics, world.routes = networks, nics, routes
    world.sync()
    assert {node: tables(world.site, node) for node in world.drivers} == before


@given(data=st.data())
def test_any_path_leads_to_the_same_tables(data: st.DataObject) -> None:
    """Intents may come one by one in any order, with detours, and the tables depend on the last state only."""
    straight, winding = World(SimulatedDriver.site()), World(SimulatedDriver.site())
    for world in (straight, winding):
        world.add_nodes("n1", "n2", "n3")
        furnish(world)
    straight.sync()
    for node, driver in winding.drivers.items():
        wanted = list(desired(winding, node).values())
        steps = data.draw(st.permutations(wanted))
        detours = data.draw(st.lists(st.sampled_from(wanted), max_size=8))
        for intent in (*steps, *detours):
            held = driver.read().get(intent.key)
            if held is not None:
                driver.apply(Delta(remove=(held,)))
            assert not driver.apply(Delta(add=(intent,)))
        assert driver.read() == straight.drivers[node].read()
    assert [tables(winding.site, node) for node in winding.drivers] == [
        tables(straight.site, node) for node in straight.drivers
    ]


def test_intent_of_an_unknown_class_is_a_failure(world: World) -> None:
    """What a driver cannot express it says, and does the rest."""

    @frozen
    class Wish(Intent):
        key = ("wish",)

    segment = Segment(4096, SegmentKind.SUBNET, 1)
    failures = world.drivers["n1"].apply(Delta(add=(Wish(), segment)))
    assert [(failure.intent, "Wish" in failure.message) for failure in failures] == [(Wish(), True)]
    assert set(world.drivers["n1"].read()) == {segment.key}


@pytest.mark.parametrize(
    "wrong",
    [
        Segment(1 << 24, SegmentKind.SUBNET, 1),
        Station(4096, "not a mac", "n1"),
        Port("default/x.eth0", "n2", 4, 4096, "02:00:00:00:00:01"),
    ],
)
def test_intent_that_cannot_be_true_is_a_failure(world: World, wrong: Intent) -> None:
    """A number or MAC out of range, or another Node's port, is refused and leaves nothing behind."""
    failures = world.drivers["n1"].apply(Delta(add=(wrong,)))
    assert [failure.intent for failure in failures] == [wrong]
    assert world.drivers["n1"].read() == {}


def test_changed_segment_keeps_what_it_learned(world: World) -> None:
    """A new MTU in a segment's record, or a gateway, interrupts nothing."""
    segment = world.l2(5000, "10.70.4.0/24")
    a = world.pod("n1", "a", segment, "10.70.4.4")
    world.pod("n2", "b", segment, "10.70.4.5")
    world.sync()
    send(world.site, a, ether(b"\xff" * 6, mac(a)))
    before = world.site.dump("n2", "l2_fdb")
    segment.mtu = 1400
    world.sync()
    assert len(before) == 1
    assert world.site.dump("n2", "l2_fdb") == before
    segment.gateway_mac = "02:00:01:00:13:88"
    world.sync()
    assert [row for row in world.site.dump("n2", "l2_fdb") if row["flags"] == 0] == list(before)


def test_address_moves_in_one_step(world: World) -> None:
    """When an address goes to another NIC every packet reaches the one or the other, never both."""
    subnet = world.subnet(4096, "10.16.0.0/24")
    asker = world.pod("n1", "asker", subnet, "10.16.0.4")
    old, new = world.pod("n1", "old", subnet, "10.16.0.5"), world.pod("n2", "new", subnet, "10.16.0.6")
    world.nics.remove(new)
    world.sync()
    world.nics.append(evolve(new, address=old.address))
    world.nics.remove(old)
    frame = ether(bytes.fromhex((subnet.gateway_mac or "").replace(":", "")), mac(asker), 0x0800)
    routed = frame[:14] + packet("10.16.0.4", "10.16.0.5")
    assert arrived(send(world.site, asker, routed)) == [old.port]
    world.sync()
    assert arrived(send(world.site, asker, routed)) == ["default/new.eth0"]


def test_dump_has_filters_and_sorted_rows(world: World) -> None:
    """All filters have to match, and two-level tables are selected by their outer key."""
    furnish(world).sync()
    rows = world.site.dump("n1", "arp_table", {"subnet_id": "4097"})
    assert [row["ipaddr"] for row in rows] == ["10.17.0.1", "10.17.0.4"]
    assert world.site.dump("n1", "l2_bum_local", {"vni": "5000", "flags": "2"}) != ()
    assert world.site.dump("n1", "fib_map", {"dst": "10.17.0.0"})[0]["type"] == "connected"
    assert world.site.dump("n1", "subnet_map", {"colour": "red"}) == ()
    assert IPv4Network("10.16.0.0/16").netmask == IPv4Address(str(world.site.dump("n1", "subnet_map")[0]["mask"]))


def test_two_ports_cannot_have_one_link(world: World) -> None:
    """The second port of a link's number is a failure, and the first stays."""
    first = Port("default/a.eth0", "n1", 4, 4096, "02:00:00:00:00:01")
    second = Port("default/b.eth0", "n1", 4, 4096, "02:00:00:00:00:02")
    failures = world.drivers["n1"].apply(Delta(add=(first, second)))
    assert [failure.intent for failure in failures] == [second]
    assert list(world.drivers["n1"].read().values()) == [first]


def test_station_on_an_unknown_node_is_a_drop(world: World) -> None:
    """Where a Node's address is not known, no entry of it is used or shown."""
    subnet = world.subnet(4096, "10.16.0.0/24")
    a, b = world.pod("n1", "a", subnet, "10.16.0.4"), world.pod("n2", "b", subnet, "10.16.0.5")
    del world.addresses["n2"]
    world.sync()
    trace = send(world.site, a, ether(mac(b), mac(a)))
    assert reasons(trace) == [Reason.MISS_FDB], trace
    assert world.site.dump("n1", "fdb", {"mac": b.link.mac}) == ()


def test_node_that_left_the_overlay_is_forgotten(world: World) -> None:
    """What was learned from a Node ends with its underlay address."""
    segment = world.l2(5000)
    world.pod("n1", "a", segment)
    b = world.pod("n2", "b", segment)
    world.sync()
    send(world.site, b, ether(b"\xff" * 6, mac(b)))
    assert len(world.site.dump("n1", "l2_fdb")) == 1
    del world.addresses["n2"]
    world.sync()
    assert world.site.dump("n1", "l2_fdb") == ()


def test_nic_without_a_station_gets_nothing(world: World) -> None:
    """A port alone is no destination, neither on its Node nor from another."""
    subnet = world.subnet(4096, "10.16.0.0/24")
    a, b = world.pod("n1", "a", subnet, "10.16.0.4"), world.pod("n1", "b", subnet, "10.16.0.5")
    c = world.pod("n2", "c", subnet, "10.16.0.6")
    world.sync()
    world.drivers["n1"].apply(Delta(remove=(Station(4096, b.link.mac, "n1"),)))
    for sender in (a, c):
        assert reasons(send(world.site, sender, ether(mac(b), mac(sender)))) == [Reason.MISS_FDB]


STRANGER = bytes.fromhex("02aa00000001")


@pytest.fixture
def routed(world: World) -> Network:
    """A segment with a gateway, and a Pod of it on n1."""
    network = world.l2(5000, "10.70.4.0/24", gateway=True)
    world.pod("n1", "a", network, "10.70.4.4")
    world.sync()
    return network


def known(world: World, node: str, address: str) -> list[object]:
    return [row["mac"] for row in world.site.dump(node, "l2_arp", {"vni": "5000", "ipv4": address})]


@pytest.mark.parametrize("order", list(permutations(["n1", "n2", "n4"])))
@pytest.mark.parametrize("age", [0.0, 1000.0])
def test_node_that_joins_knows_who_announced_an_address(
    world: World, routed: Network, order: tuple[str, ...], age: float
) -> None:
    """What was heard before reaches it, whichever Node's driver is first to hold the news, and however long ago."""
    send(world.site, world.nics[0], announcement(STRANGER, "10.70.4.77"))
    world.site.advance(age)
    world.add_nodes("n4")
    world.sync(*order)
    assert known(world, "n4", "10.70.4.77") == ["02:aa:00:00:00:01"]
    pod = world.pod("n4", "p", world.subnet(4096, "10.16.0.0/24"), "10.16.0.4")
    world.sync()
    gateway = bytes.fromhex((pod.network.gateway_mac or "").replace(":", ""))
    trace = send(world.site, pod, ether(gateway, mac(pod), 0x0800, packet("10.16.0.4", "10.70.4.77")))
    assert arrived(trace) == [world.nics[0].port], trace


@pytest.mark.parametrize("order", list(permutations(["n1", "n2", "n3"])))
def test_gateway_that_is_added_knows_who_announced_an_address(world: World, order: tuple[str, ...]) -> None:
    """Also Nodes without a port of the segment know what was said before there was a gateway."""
    network = world.l2(5000, "10.70.4.0/24")
    a = world.pod("n1", "a", network, "10.70.4.4")
    world.sync()
    send(world.site, a, announcement(STRANGER, "10.70.4.77"))
    network.gateway_mac = "02:00:01:00:13:88"
    world.sync(*order)
    for node in order:
        assert known(world, node, "10.70.4.77") == ["02:aa:00:00:00:01"]


@pytest.mark.parametrize("last", [("segment", 5000), ("gateway", 5000), ("underlay", "n1"), ("flood-peer", 5000, "n1")])
def test_announced_address_is_known_whichever_intent_comes_last(world: World, routed: Network, last: IntentKey) -> None:
    """A Node hears of what was said before as soon as it holds all that it takes."""
    send(world.site, world.nics[0], announcement(STRANGER, "10.70.4.77"))
    world.add_nodes("n4")
    wanted = desired(world, "n4")
    first = tuple(intent for key, intent in wanted.items() if key != last)
    assert world.drivers["n4"].apply(Delta(add=first)) == []
    assert world.drivers["n4"].apply(Delta(add=(wanted[last],))) == []
    assert known(world, "n4", "10.70.4.77") == ["02:aa:00:00:00:01"]


def test_claims_from_a_node_that_left_the_overlay_are_forgotten(world: World, routed: Network) -> None:
    """Nobody is reached there any more, whatever was heard from it."""
    b = world.pod("n2", "b", routed, "10.70.4.5")
    world.sync()
    send(world.site, b, announcement(STRANGER, "10.70.4.77"))
    del world.addresses["n2"]
    world.sync("n1", "n3")
    assert [known(world, node, "10.70.4.77") for node in ("n1", "n3")] == [[], []]


def test_workload_cannot_speak_as_a_node(world: World, routed: Network) -> None:
    """ARP that comes from the gateway's MAC is a workload's like any other: the latest sender wins on all Nodes."""
    b = world.pod("n2", "b", routed, "10.70.4.5")
    world.sync()
    send(world.site, b, announcement(mac(b), "10.70.4.77"))
    claim = announcement(STRANGER, "10.70.4.77")
    gateway = bytes.fromhex((routed.gateway_mac or "").replace(":", ""))
    send(world.site, world.nics[0], claim[:6] + gateway + claim[12:])
    assert [known(world, node, "10.70.4.77") for node in world.drivers] == [["02:aa:00:00:00:01"]] * 3


def test_what_nodes_tell_each_other_reaches_no_port(world: World, routed: Network) -> None:
    """Neither a Node that asks nor one that tells shows anything to a workload, and nothing counts as lost."""
    b = world.pod("n2", "b", routed, "10.70.4.5")
    world.sync()
    send(world.site, world.nics[0], announcement(STRANGER, "10.70.4.77"))
    marks = [world.site.mark(nic.node, nic.sandbox, nic.interface) for nic in world.nics]
    world.add_nodes("n4")
    routed.table_id = 71
    world.sync()
    world.remove(b)
    world.sync()
    assert world.site.received("n1", "default/a", "eth0", marks[0]) == ()
    assert [world.site.drops(node) for node in world.drivers] == [{}] * 4


def test_what_was_heard_since_is_not_undone_by_what_was_heard_before(world: World, routed: Network) -> None:
    """A Node that tells old news does not move an address back."""
    b = world.pod("n2", "b", routed, "10.70.4.5")
    world.sync()
    send(world.site, world.nics[0], announcement(STRANGER, "10.70.4.77"))
    send(world.site, b, announcement(mac(b), "10.70.4.77"))
    world.add_nodes("n4")
    world.sync()
    assert [known(world, node, "10.70.4.77") for node in world.drivers] == [[b.link.mac]] * 4


@pytest.mark.parametrize("claimant", ["its own MAC", "a MAC behind it"])
@pytest.mark.parametrize("stays", [False, True])
def test_claim_of_an_address_ends_with_the_nic(world: World, routed: Network, claimant: str, stays: bool) -> None:
    """An address that a Pod claimed until it went works for whom it is handed out to next, before that one speaks."""
    a = world.nics[0]
    if stays:
        world.pod("n1", "other", routed, "10.70.4.6")
        world.sync()
    send(world.site, a, announcement(mac(a) if claimant == "its own MAC" else STRANGER, "10.70.4.9"))
    world.remove(a)
    world.sync()
    assert [known(world, node, "10.70.4.9") for node in world.drivers] == [[]] * 3
    b = world.pod("n2", "b", routed, "10.70.4.9")
    world.sync()
    assert [known(world, node, "10.70.4.9") for node in world.drivers] == [[b.link.mac]] * 3


def test_claim_that_another_nic_made_since_stays(world: World, routed: Network) -> None:
    """A NIC that goes takes along only what nobody else has said after it."""
    b = world.pod("n2", "b", routed, "10.70.4.5")
    world.sync()
    send(world.site, world.nics[0], announcement(STRANGER, "10.70.4.77"))
    send(world.site, b, announcement(STRANGER, "10.70.4.77"))
    world.remove(world.nics[0])
    world.sync()
    assert [known(world, node, "10.70.4.77") for node in world.drivers] == [["02:aa:00:00:00:01"]] * 3


def test_links_have_the_macs_that_the_dump_says(world: World) -> None:
    """`ifindex_host_mac` has each NIC's own side, and there is one VXLAN device."""
    furnish(world).sync()
    rows = {row["ifindex"]: row["mac"] for row in world.site.dump("n1", "ifindex_host_mac")}
    assert rows == {nic.link.number: nic.link.host_mac for nic in world.nics if nic.node == "n1"}
    routed = {nic.link.number for nic in world.nics if nic.node == "n1" and nic.network.kind is SegmentKind.SUBNET}
    rows_of_subnets = {row["ifindex"] for row in world.site.dump("n1", "ifindex_subnet")}
    assert rows_of_subnets & rows.keys() == routed
    (device,) = world.site.dump("n1", "vxlan_ifindex")
    assert device["index"] == 0
    assert device["vxlan_ifindex"] not in rows


def test_nodes_are_of_the_underlay_that_the_site_is_told(kind: type[DriverKind]) -> None:
    """A Node has a route to the others as its underlay's prefix says."""
    site = kind.site(underlay=IPv4Network("172.20.0.0/20"))
    site.add_node("n1", IPv4Address("172.20.0.11"))
    site.add_node("n2", IPv4Address("172.20.15.12"))
    assert [str(route.dst) for route in site.routes("n1", "n1")] == ["172.20.0.0/20"]
    assert site.ping("n1", "n1", IPv4Address("172.20.15.12"))
