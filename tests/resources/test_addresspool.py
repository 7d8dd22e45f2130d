"""AddressPool: its rules by their numbers, and what its controller makes of it."""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Network

import pytest
from tests.resources.outside import host
from tests.resources.world import World

from juneau.engine.errors import Forbidden
from juneau.engine.intents import NO_NODE, ExternalPrefix
from juneau.engine.objects import Key
from juneau.engine.shape import IMMUTABLE
from juneau.engine.world import Reader
from juneau.resources import addresspool
from juneau.resources.poolentries import entry_of, overlapping

READY = ("Ready", "True", "ReconcileSucceeded")


def routed(world: World, name: str, *addresses: str) -> None:
    world.create("AddressPool", name, advertiseMode="bgp", addresses=list(addresses))


def local(world: World, name: str, *addresses: str) -> None:
    world.create("AddressPool", name, advertiseMode="arp", addresses=list(addresses))


def hold(world: World, kind: str, name: str) -> None:
    """Its deletion begins, and does not end."""
    world.force(world.get(kind, name).with_metadata(finalizers=("example.com/hold",)))
    world.delete(kind, name)


def let_go(world: World, kind: str, name: str) -> None:
    """The last finalizer is taken off, as admission allows."""
    asyncio.run(world.store.update(world.get(kind, name).with_metadata(finalizers=())))
    world.settle()


def test_ap_1_a_mode_is_required(world: World) -> None:
    """The error names the field and the two values."""
    (fault,) = world.faults("AddressPool", "edge", addresses=["203.0.113.0/24"])
    assert fault.startswith("spec.advertiseMode: Required value")
    (fault,) = world.faults("AddressPool", "edge", advertiseMode="ospf", addresses=["203.0.113.0/24"])
    assert fault == 'spec.advertiseMode: Unsupported value: "ospf": supported values: "bgp", "arp"'


def test_ap_2_at_least_one_entry(world: World) -> None:
    """An empty list is refused, and a missing one."""
    for spec in ({}, {"addresses": []}):
        (fault,) = world.faults("AddressPool", "edge", advertiseMode="bgp", **spec)
        assert fault.startswith("spec.addresses: Required value")


def test_ap_3_no_entry_is_empty(world: World) -> None:
    """The error names the index."""
    (fault,) = world.faults("AddressPool", "edge", advertiseMode="bgp", addresses=["203.0.113.0/24", ""])
    assert fault.startswith("spec.addresses[1]: Required value")


def test_ap_4_no_entry_twice(world: World) -> None:
    """The error names the duplicate."""
    (fault,) = world.faults("AddressPool", "edge", advertiseMode="bgp", addresses=["203.0.113.0/24"] * 2)
    assert fault.startswith('spec.addresses[1]: Duplicate value: "203.0.113.0/24"')


@pytest.mark.parametrize(
    ("mode", "entry", "word"),
    [
        pytest.param("bgp", "203.0.113.7", "IPv4 CIDR with a prefix length", id="ap-5"),
        pytest.param("bgp", "203.0.113.1-203.0.113.9", "IPv4 CIDR", id="ap-5-range"),
        pytest.param("bgp", "2001:db8::/64", "IPv6 is not supported", id="ap-6"),
        pytest.param("bgp", "203.0.0.0/7", "between /8 and /32", id="ap-7"),
        pytest.param("arp", "192.0.2.0/24", "a range of IPv4 addresses", id="ap-8"),
        pytest.param("arp", "192.0.2.7", 'a single address is "192.0.2.7-192.0.2.7"', id="ap-8-single"),
        pytest.param("arp", "192.0.2.7-192.0.2.8-192.0.2.9", "a range of IPv4 addresses", id="ap-8-three"),
        pytest.param("arp", "192.0.2.7-192.0.2.300", '"192.0.2.300" is no IPv4 address', id="ap-9"),
        pytest.param("arp", "2001:db8::1-2001:db8::9", '"2001:db8::1" is no IPv4 address', id="ap-9-ipv6"),
        pytest.param("arp", "192.0.2.7 - 192.0.2.9", "without blanks", id="ap-9-blanks"),
        pytest.param("arp", "192.0.2.9-192.0.2.7", 'write "192.0.2.7-192.0.2.9"', id="ap-10"),
    ],
)
def test_ap_5_to_10_an_entry_has_the_form_of_its_mode(world: World, mode: str, entry: str, word: str) -> None:
    """The error names the index and the value, and says what to write."""
    (fault,) = world.faults("AddressPool", "edge", advertiseMode=mode, addresses=[entry])
    assert fault.startswith(f'spec.addresses[0]: Invalid value: "{entry}": ')
    assert word in fault


@pytest.mark.parametrize(
    ("mode", "entry"),
    [("bgp", "203.0.0.0/8"), ("bgp", "203.0.113.7/32"), ("bgp", "203.0.113.5/24"), ("arp", "192.0.2.7-192.0.2.7")],
)
def test_ap_7_and_10_bounds_are_accepted(world: World, mode: str, entry: str) -> None:
    """/8 and /32, host bits, and a range of one address."""
    assert world.faults("AddressPool", "edge", advertiseMode=mode, addresses=[entry]) == []


def test_ap_11_the_mode_is_immutable(world: World) -> None:
    """What is announced by BGP stays so."""
    routed(world, "edge", "203.0.113.0/24")
    assert f'spec.advertiseMode: Invalid value: "arp": {IMMUTABLE}' in world.update_faults(
        "AddressPool", "edge", advertiseMode="arp"
    )


def test_ap_12_the_list_only_grows(world: World) -> None:
    """Entries can be added and change places; each that is missing is named."""
    routed(world, "edge", "203.0.113.0/26", "203.0.113.128/32", "203.0.113.129/32")
    (fault,) = world.update_faults("AddressPool", "edge", addresses=["203.0.113.129/32"])
    assert fault.startswith("spec.addresses: Invalid value")
    assert 'the list only grows; put "203.0.113.0/26", "203.0.113.128/32" back' in fault
    more = ["198.51.100.0/24", "203.0.113.128/32", "203.0.113.129/32", "203.0.113.0/26"]
    assert world.update_faults("AddressPool", "edge", addresses=more) == []


def test_ap_13_no_address_is_in_two_pools(world: World) -> None:
    """There is one error for each pair of entries, which names the other pool, its entry and what is shared."""
    routed(world, "edge", "203.0.113.0/26", "203.0.113.128/25")
    faults = world.faults("AddressPool", "clash", advertiseMode="bgp", addresses=["198.51.100.0/24", "203.0.0.0/16"])
    assert [fault.split(";")[0] for fault in faults] == [
        'spec.addresses[1]: Invalid value: "203.0.0.0/16": '
        'shares 203.0.113.0-203.0.113.63 with "203.0.113.0/26" of AddressPool edge',
        'spec.addresses[1]: Invalid value: "203.0.0.0/16": '
        'shares 203.0.113.128-203.0.113.255 with "203.0.113.128/25" of AddressPool edge',
    ]


def test_ap_14_prefixes_and_ranges_are_compared(world: World) -> None:
    """Both ways round, also where only a part is shared."""
    routed(world, "edge", "203.0.113.0/26")
    local(world, "lan", "192.0.2.200-192.0.2.219")
    (fault,) = world.faults("AddressPool", "clash", advertiseMode="arp", addresses=["203.0.113.60-203.0.113.70"])
    assert 'shares 203.0.113.60-203.0.113.63 with "203.0.113.0/26" of AddressPool edge' in fault
    (fault,) = world.faults("AddressPool", "clash", advertiseMode="bgp", addresses=["192.0.2.219/32"])
    assert 'shares 192.0.2.219-192.0.2.219 with "192.0.2.200-192.0.2.219" of AddressPool lan' in fault
    assert world.faults("AddressPool", "beside", advertiseMode="arp", addresses=["192.0.2.220-192.0.2.221"]) == []


def test_ap_13_entries_of_one_pool_may_overlap(world: World) -> None:
    """Only other pools count."""
    routed(world, "edge", "203.0.113.0/24", "203.0.113.0/26", "203.0.113.5/24")
    assert world.ready("AddressPool", "edge") == READY


def test_ap_15_an_overlap_from_before_is_refused_at_the_next_update(world: World) -> None:
    """Whatever it changes; what is stored goes on, and shows it."""
    routed(world, "edge", "203.0.113.0/26")
    world.force_new("AddressPool", "old", advertiseMode="bgp", addresses=["203.0.113.0/28"])
    assert world.ready("AddressPool", "old") == READY
    assert world.find(Key("AllocationPool", "", "addr-old")) is not None
    for name in ("old", "edge"):
        held = world.condition("AddressPool", name, "Valid")
        assert held is not None
        assert (held.status, held.reason) == ("False", "RulesBroken")
    for name, own, other in (("old", "203.0.113.0/28", "edge"), ("edge", "203.0.113.0/26", "old")):
        (fault,) = world.update_faults("AddressPool", name, addresses=[own, "198.51.100.7/32"])
        assert f"of AddressPool {other}" in fault


def test_ap_16_an_entry_that_cannot_be_read_stops_the_comparison(world: World) -> None:
    """The error names the pool that has it."""
    world.force_new("AddressPool", "broken", advertiseMode="bgp", addresses=["203.0.113.0/240"])
    assert world.ready("AddressPool", "broken") == ("Failed", "False", "Invalid")
    (fault,) = world.faults("AddressPool", "edge", advertiseMode="bgp", addresses=["198.51.100.0/24"])
    assert 'AddressPool broken, whose entry "203.0.113.0/240" cannot be read' in fault
    world.delete("AddressPool", "broken")
    assert world.faults("AddressPool", "edge", advertiseMode="bgp", addresses=["198.51.100.0/24"]) == []


def test_ap_17_a_network_holds_its_pools(world: World) -> None:
    """Also one that is being deleted, until it is gone; the error names it."""
    routed(world, "edge", "203.0.113.0/24")
    world.create("ExternalNetwork", "ext", type="bgp", addressPools=["edge"])
    with pytest.raises(Forbidden, match='ExternalNetwork "ext" still uses it'):
        world.delete("AddressPool", "edge")
    hold(world, "ExternalNetwork", "ext")
    with pytest.raises(Forbidden, match='ExternalNetwork "ext" still uses it'):
        world.delete("AddressPool", "edge")
    let_go(world, "ExternalNetwork", "ext")
    world.delete("AddressPool", "edge")
    assert world.find(Key("AllocationPool", "", "addr-edge")) is None


def test_ap_18_an_advertisement_holds_its_pools(world: World) -> None:
    """Unless it is being deleted itself."""
    routed(world, "edge", "203.0.113.0/24")
    world.create("BGPAdvertisement", "all", addressPools=["edge"])
    with pytest.raises(Forbidden, match='BGPAdvertisement "all" still uses it'):
        world.delete("AddressPool", "edge")
    hold(world, "BGPAdvertisement", "all")
    world.delete("AddressPool", "edge")


def test_nothing_is_compared_while_a_pool_is_being_deleted(world: World) -> None:
    """A finalizer can be taken off although there is an overlap."""
    routed(world, "edge", "203.0.113.0/26")
    world.force_new("AddressPool", "old", advertiseMode="bgp", addresses=["203.0.113.0/28"])
    hold(world, "AddressPool", "old")
    let_go(world, "AddressPool", "old")
    assert world.find(Key("AddressPool", "", "old")) is None


def test_prefixes_are_handed_out_by_a_pool_of_their_own(world: World) -> None:
    """Its name is `addr-` and the AddressPool's; it goes with the AddressPool."""
    routed(world, "edge", "203.0.113.0/26", "203.0.113.128/32")
    pool = world.get("AllocationPool", "addr-edge")
    assert (pool.spec.type, pool.spec.strategy) == ("ip", "firstFit")
    assert (pool.spec.ip.cidrs, pool.spec.ip.ranges) == (("203.0.113.0/26", "203.0.113.128/32"), ())
    assert [(owner.kind, owner.name) for owner in pool.metadata.owner_references] == [("AddressPool", "edge")]
    world.delete("AddressPool", "edge")
    assert world.find(pool.key) is None


def test_ranges_are_handed_out_with_both_ends(world: World) -> None:
    """They stand as start and end."""
    local(world, "lan", "192.0.2.200-192.0.2.219")
    (part,) = world.get("AllocationPool", "addr-lan").spec.ip.ranges
    assert (part.start, part.end) == ("192.0.2.200", "192.0.2.219")


@pytest.mark.parametrize(
    ("make", "old", "new"),
    [
        (routed, ("203.0.113.0/26", "203.0.113.64/26"), "198.51.100.0/24"),
        (local, ("192.0.2.20-192.0.2.29", "192.0.2.40-192.0.2.49"), "192.0.2.1-192.0.2.9"),
    ],
)
def test_what_is_added_comes_last(world: World, make: object, old: tuple[str, str], new: str) -> None:
    """However the list is ordered by then, entries that are there keep their place."""
    assert callable(make)
    make(world, "edge", *old)
    world.update("AddressPool", "edge", addresses=[new, old[1], old[0]])
    space = world.get("AllocationPool", "addr-edge").spec.ip
    entries = space.cidrs or tuple(f"{part.start}-{part.end}" for part in space.ranges)
    assert entries == (*old, new)


def test_ap_d1_its_addresses_are_the_clusters(world: World) -> None:
    """Every prefix, a range as the prefixes that make it up; no Node takes delivery by that alone."""
    routed(world, "edge", "203.0.113.5/26")
    local(world, "lan", "192.0.2.200-192.0.2.206")
    assert world.intents("AddressPool", "edge") == [ExternalPrefix(IPv4Network("203.0.113.0/26"), NO_NODE)]
    assert world.intents("AddressPool", "lan") == [
        ExternalPrefix(IPv4Network(cidr)) for cidr in ("192.0.2.200/30", "192.0.2.204/31", "192.0.2.206/32")
    ]


def test_a_pool_at_rest_is_not_written_again(world: World) -> None:
    """A second look changes nothing, host bits or not."""
    routed(world, "edge", "203.0.113.5/26", "203.0.113.0/26")
    local(world, "lan", "192.0.2.200-192.0.2.206")
    assert world.writes_of_a_second_look() == 0


def test_an_overlap_is_found_without_a_look_at_the_other_pools(world: World) -> None:
    """Of hundreds of pools, only what lies around an entry is asked about, and wakes who asked."""
    for number in range(200):
        obj = addresspool.KIND.new(
            f"pool-{number}", addresspool.AddressPoolSpec("arp", (f"198.51.{number}.1-198.51.{number}.254",))
        )
        world.cache.put(obj.with_metadata(uid=f"u{number}", resource_version=str(10**6 + number)))
    reader = Reader(world.cache)
    entry = entry_of("new", "198.51.7.100-198.51.7.120", is_range=True)
    assert entry is not None
    assert [found.pool for found in overlapping(reader, entry)] == ["pool-7"]
    assert not any(question[0] in ("kind", "object", "spec") for question in reader.asked)


def test_a_long_name_is_cut(world: World) -> None:
    """The AllocationPool's name still fits."""
    name = "p" * 253
    routed(world, name, "203.0.113.0/24")
    assert world.find(Key("AllocationPool", "", addresspool.allocation_pool(name))) is not None


def test_ap_d3_a_nodes_own_address_is_not_handed_out(world: World) -> None:
    """Nobody could have it; the others of the pool are handed out as ever, and it is one of them when the Node goes."""
    host(world, "worker-1", "10.225.51.200")
    world.create("AddressPool", "lan", advertiseMode="arp", addresses=["10.225.51.200-10.225.51.202"])
    assert world.get("AllocationPool", "addr-lan").spec.ip.excluded == ("10.225.51.200",)
    host(world, "worker-2", "10.225.51.99")
    assert world.get("AllocationPool", "addr-lan").spec.ip.excluded == ("10.225.51.200",)
    world.delete("Node", "worker-1")
    assert world.get("AllocationPool", "addr-lan").spec.ip.excluded == ()
