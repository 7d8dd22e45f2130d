"""Virtual time: it costs what happens in it, and a world at rest writes nothing but its agents' Leases."""

from __future__ import annotations

import pytest
from tests.lab.cluster import ADDRESS, BEGINNING, ONE, TWO, Cluster, manifest, pod

from juneau.engine.driver import OUTSIDE
from juneau.engine.objects import Time
from juneau.engine.settings import NodeSettings
from juneau.resources.networkendpoint import NODE_NAMESPACE

DAY = 86400.0
QUIET = NodeSettings(arp_interval=0.0)


def steps(cluster: Cluster) -> int:
    return cluster.lab.loop.steps_taken


def advertisements(cluster: Cluster, count: int) -> None:
    """So many addresses that Node one answers for."""
    cluster.apply(
        *(
            manifest(
                "ARPAdvertisement", f"ad-{number}",
                externalNetwork="lan", address=str(ADDRESS + 1 + number), nodeName=ONE,
            )
            for number in range(count)
        )
    )  # fmt: skip


def test_a_day_of_rest_costs_a_lease_for_each_node() -> None:
    """Nothing is due, so it is one jump: no step, and one renewal each."""
    cluster = Cluster()
    cluster.furnish()
    before = steps(cluster)
    cluster.writes()
    cluster.advance(DAY)
    assert cluster.clock.now() == BEGINNING + DAY
    assert cluster.writes() == {"Lease": 2}
    assert steps(cluster) == before


@pytest.mark.parametrize("count", [1, 20])
def test_a_day_with_announcements_costs_the_same_with_few_and_with_many(count: int) -> None:
    """Each minute is looked at, since something is announced then; nothing but Leases is written, and no step taken."""
    cluster = Cluster()
    cluster.furnish()
    advertisements(cluster, count)
    before = steps(cluster)
    cluster.writes()
    cluster.advance(DAY)
    assert set(written := cluster.writes()) == {"Lease"}
    assert written["Lease"] <= 2 * (DAY / 60 + 1)
    assert steps(cluster) == before


def test_without_announcements_such_a_day_is_one_jump() -> None:
    """`--arp-interval 0` leaves nothing to wake for."""
    cluster = Cluster(node_settings=QUIET)
    cluster.furnish()
    advertisements(cluster, 5)
    cluster.apply(pod("a", "front"))
    cluster.writes()
    cluster.advance(DAY)
    assert cluster.writes() == {"Lease": 2}


def test_agents_are_in_contact_at_every_moment_of_it() -> None:
    """What is announced by the clock is announced, and a stranger's announcement is never obeyed."""
    cluster = Cluster()
    cluster.furnish()
    advertisements(cluster, 1)
    mark = cluster.site.mark(OUTSIDE, "router", "eth0")
    cluster.advance(3600.0)
    assert len(cluster.site.received(OUTSIDE, "router", "eth0", mark)) == 60

    def stranger() -> None:
        cluster.site.announce(OUTSIDE, "outside", "eth0", ADDRESS + 1)

    cluster.clock.call_at(Time(cluster.clock.now() + 30.0), stranger)
    cluster.advance(3600.0)
    assert cluster.site.dump(ONE, "external_arp_table")


def test_leases_run_out_at_their_time_and_not_later() -> None:
    """However far time is moved on at once: what is due on the way happens at its time."""
    cluster = Cluster(node_settings=QUIET)
    cluster.furnish()
    advertisements(cluster, 1)
    begun = cluster.clock.now()
    cluster.lab.cut_off(ONE)
    cluster.apply(manifest("ARPAdvertisement", "ad-0", externalNetwork="lan", address=str(ADDRESS + 1), nodeName=TWO))
    cluster.advance(DAY)
    grant = cluster.get("ARPAdvertisement", "ad-0").status.grant
    assert (grant.node_name, grant.since) == (TWO, begun + 15.0)


def test_who_comes_back_after_a_long_time_writes_its_lease_and_what_it_has_to_say() -> None:
    """Nothing of what others do costs anything then."""
    cluster = Cluster(node_settings=QUIET)
    cluster.furnish()
    advertisements(cluster, 3)
    cluster.lab.cut_off(ONE)
    cluster.advance(DAY)
    cluster.writes()
    before = steps(cluster)
    cluster.reconnect(ONE)
    assert cluster.writes() == {"Lease": 1}
    assert steps(cluster) == before


def test_a_lease_names_its_node_and_lasts_as_long_as_the_flag_says() -> None:
    """Agents and controller are told the same by the lab."""
    cluster = Cluster(nodes=("solo",))
    spec = cluster.get("Lease", "juneau-agent.solo", NODE_NAMESPACE).spec
    assert (spec.holder_identity, spec.lease_duration_seconds, spec.renew_time) == ("solo", 15, BEGINNING)
