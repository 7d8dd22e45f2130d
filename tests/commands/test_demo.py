"""`juneau demo`: the main job on the sample manifests."""

from __future__ import annotations

from tests.commands.program import Program

from juneau.commands.story import Story, samples


def test_the_demo_goes_as_expected(juneau: Program) -> None:
    """Every step is as it should be, nothing is on standard error, and it fits on two screens."""
    ended = juneau("demo")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.endswith("\nEverything went as expected.\n")
    assert ended.out.count("\nok ") == 5
    assert len(ended.out.splitlines()) < 75


def test_the_demo_shows_the_table_of_the_documents(juneau: Program) -> None:
    """NICs on a Subnet, on the Subnet default, and on segments with and without addresses."""
    out = juneau("demo").out
    for line in (
        "NAME           NODE       SUBNET       L2NETWORK   ELASTICIP   ADDRESS        PHASE",
        "app.eth0       worker-1   app-subnet                           10.90.0.4/24   Ready",
        "plain-1.eth0   worker-2   default                              10.16.0.6/16   Ready",
        "plain-1.eth1   worker-2                plain-net                              Ready",
        "vm.eth0        worker-1                lab-net                 10.90.2.3/24   Ready",
    ):
        assert f"\n{line}\n" in out


def test_the_demo_shows_packets_a_flood_and_a_wait(juneau: Program) -> None:
    """Pings within a Subnet, across Nodes and across the gateway; a flooded frame; a Pod that waits."""
    out = juneau("demo").out
    for part in (
        "across Nodes",
        "across the gateway",
        "L2_FLOOD (601)",
        "ElasticIP default/gw-eip, which does not exist",
    ):
        assert part in out


def test_the_demo_says_what_is_not_as_expected() -> None:
    """A step that goes wrong is named, and the rest is told all the same."""
    written: list[str] = []
    story = Story(written.append, [document for document in samples() if document.source != "30-l2networks.yaml"])
    assert not story.tell()
    text = "".join(written)
    assert "Not as expected:\n" in text
    assert "there is no NetworkInterface default/web.eth1" in text
    assert "Pod default/gw is Pending" in text


def test_the_samples_are_applied_like_any_directory(juneau: Program, samples: str) -> None:
    """Their names are in the right order: nothing is refused and one Pod waits."""
    ended = juneau("lab", "run", "-f", samples, "--get", "nwiface", "-o", "name")
    assert (ended.status, ended.out.count("\n")) == (0, 12)
    assert ended.err.count("Warning: ") == 1
