"""`juneau lab trace`: from which NIC, to where, what is printed, and what the exit status says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands.program import POD, VPC, Program, Writer

from juneau.drivers.simulated.capture import read_pcap, write_pcap

STRANGER = "02:00:00:00:00:99"


def verdict(out: str) -> str:
    return out.splitlines()[-1]


@pytest.mark.parametrize("source", ["app", "app.eth0", "default/app", "default/app.eth0"])
def test_a_ping_is_traced_step_by_step(juneau: Program, samples: str, source: str) -> None:
    """The head names the packet and the NIC, each step the node and the reason, the last line the verdict."""
    ended = juneau("lab", "trace", "-f", samples, "--from", source, "--to", "10.90.0.4")
    head, columns, *steps, last = ended.out.splitlines()
    assert ended.status == 0
    assert head.startswith("ICMP echo request to 10.90.0.4, from default/app.eth0 (10.90.0.5, ")
    assert columns.split() == ["NODE", "POINT", "VERDICT", "REASON", "(NUMBER)", "TABLE[KEY]", "DETAIL"]
    assert any("REDIRECT_VXLAN (501)" in step for step in steps)
    assert last == "answered by 10.90.0.4"


def test_another_nic_than_the_first_can_send(juneau: Program, samples: str) -> None:
    """`POD.NIC` binds the packet to that NIC."""
    ended = juneau("lab", "trace", "-f", samples, "--from", "web.eth1", "--to", "10.90.2.3")
    assert ended.status == 0
    assert "from default/web.eth1 (10.90.2.2, " in ended.out


def test_an_address_in_another_vpc_is_not_reached(juneau: Program, samples: str) -> None:
    """No answer ends with status 3, and the verdict says where the packet ended and why."""
    ended = juneau("lab", "trace", "-f", samples, "--from", "app", "--to", "10.16.0.6")
    assert ended.status == 3
    assert verdict(ended.out).startswith("no answer: dropped on worker-1 at ")
    assert "MISS_ROUTE (203)" in verdict(ended.out)


@pytest.mark.parametrize("proto", ["tcp", "udp"])
def test_a_port_on_which_nobody_listens_counts_as_reached(juneau: Program, samples: str, proto: str) -> None:
    """The host answered: the network did its part."""
    ended = juneau(
        "lab", "trace", "-f", samples, "--from", "app", "--to", "10.90.0.4", "--proto", proto, "--dport", "80"
    )
    assert (ended.status, verdict(ended.out)) == (0, "answered: 10.90.0.4 is reached, and nobody listens on that port")


def test_a_frame_to_a_mac_that_nobody_has_is_flooded_and_not_delivered(juneau: Program, samples: str) -> None:
    """The verdict lists the NICs at which copies came out; none of them is meant, so the status is 3."""
    ended = juneau("lab", "trace", "-f", samples, "--from", "plain-1.eth1", "--to", STRANGER)
    assert ended.status == 3
    assert verdict(ended.out).startswith(
        "not delivered: came out at default/plain-3.eth1, default/plain-2.eth1, and none"
    )


def test_a_frame_to_everybody_is_delivered(juneau: Program, samples: str) -> None:
    """Broadcast is meant for all that get it; dashes in a MAC are read as well."""
    ended = juneau("lab", "trace", "-f", samples, "--from", "plain-1.eth1", "--to", "FF-FF-FF-FF-FF-FF")
    assert (ended.status, verdict(ended.out)[:24]) == (0, "delivered: came out at d")


def test_a_frame_of_ones_own_is_sent_as_it_is(juneau: Program, samples: str) -> None:
    """--hex takes any frame; --to then says where it should come out."""
    frame = "ffffffffffff 020000000001 88b5" + "00" * 46
    base = ("lab", "trace", "-f", samples, "--from", "vm", "--hex", frame)
    assert juneau(*base).status == 0
    assert juneau(*base, "--to", "10.90.2.2").status == 0
    missed = juneau(*base, "--to", "10.90.0.4")
    assert (missed.status, verdict(missed.out)[:13]) == (3, "not delivered")


def test_frames_are_read_from_and_written_to_pcap_files(juneau: Program, samples: str, tmp_path: Path) -> None:
    """Each frame of the file is sent in turn; what came out and what crossed the underlay is written."""
    frames = [bytes.fromhex("ffffffffffff 020000000001 88b5") + bytes([number]) * 46 for number in (1, 2)]
    write_pcap(tmp_path / "in.pcap", frames)
    files = ("--pcap", str(tmp_path / "in.pcap"), "--write-pcap", str(tmp_path / "out.pcap"))
    ended = juneau("lab", "trace", "-f", samples, "--from", "plain-1.eth1", *files)
    assert (ended.status, ended.out.count("delivered: came out at")) == (0, 2)
    written = read_pcap(tmp_path / "out.pcap")
    assert [written.count(frame) for frame in frames] == [2, 2]
    assert len(written) == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "10.0.0.1"), "--from is missing"),
        (("--from", "app"), "--to is missing"),
        (("--from", "app", "--to", "fd00::1"), "neither an IPv4 address nor a MAC"),
        (("--from", "app", "--to", "02:00:00:00:00"), "neither an IPv4 address nor a MAC"),
        (("--from", "app", "--to", "10.0.0.1", "--proto", "tcp"), "--proto tcp needs --dport"),
        (("--from", "app", "--to", "10.0.0.1", "--dport", "80"), "--dport needs --proto tcp or udp"),
        (("--from", "app", "--to", "10.0.0.1", "--proto", "tcp", "--dport", "0"), "'0' is no port from 1 to 65535"),
        (("--from", "app", "--to", STRANGER, "--proto", "icmp"), "--proto needs an address"),
        (("--from", "app", "--hex", "00"), "a frame has 14 to 65535 octets, not 1"),
        (("--from", "app", "--hex", "zz"), "hexadecimal digits"),
        (("--from", "app", "--hex", "00" * 14, "--pcap", "x"), "--hex and --pcap exclude each other"),
        (("--from", "app", "--pcap", "/nonexistent.pcap"), 'cannot read "/nonexistent.pcap": No such file'),
    ],
)
def test_packets_that_make_no_sense_are_usage_errors(
    juneau: Program, app: str, write: Writer, arguments: tuple[str, ...], said: str
) -> None:
    """Each is one line that says what to write instead."""
    pod = write("pod.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: app}}\n")
    ended = juneau("lab", "trace", "-f", app, pod, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_a_file_that_is_no_pcap_is_said_to_be_none(juneau: Program, app: str, write: Writer) -> None:
    """Whatever is in the file, there is no traceback."""
    for content in ("", "hello", "\xd4\xc3\xb2\xa1" * 3):
        ended = juneau("lab", "trace", "-f", app, "--from", "a", "--pcap", write("x.pcap", content))
        assert ended.status == 2
        assert "x.pcap" in ended.err


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nobody", 'Error from server (NotFound): Pod "nobody" not found in namespace default'),
        (
            "shop/app",
            'Error from server (NotFound): Pod "app" not found in namespace shop; there is one in namespace default',
        ),
        ("app.eth7", "error: there is no NetworkInterface default/app.eth7; there are default/app.eth0"),
        ("vpn", "error: there is no NetworkInterface default/vpn.eth0; explain pod/default/vpn tells more"),
        (
            "outsid",
            'Error from server (NotFound): Pod "outsid" not found in namespace default;'
            " outside the cluster there are router and outside",
        ),
    ],
)
def test_a_sender_that_is_not_there_is_refused(juneau: Program, samples: str, source: str, said: str) -> None:
    """The error says which Pod or NIC is missing."""
    ended = juneau("lab", "trace", "-f", samples, "--from", source, "--to", "10.90.0.4")
    assert (ended.status, ended.out, ended.err.splitlines()[-1]) == (1, "", said)


@pytest.mark.parametrize(
    ("source", "target", "last"),
    [
        ("app", "app-2", "answered by 10.90.0.4"),
        ("app", "default/web.eth1", "answered by 10.90.2.2"),
        ("plain-1.eth1", "plain-2.eth1", "delivered: came out at default/plain-3.eth1, default/plain-2.eth1"),
        (
            "plain-1.eth1",
            "10.90.9.9",
            "no answer: nobody answered ARP for 10.90.9.9, and the NIC has no address",
        ),
        ("vm", "10.90.2.77", "no answer: nobody answered ARP for 10.90.2.77"),
        (
            "app",
            "10.90.0.1",
            "no answer: 10.90.0.1 is the gateway of Subnet app-subnet:"
            " it answers ARP and routes, and does not answer ping",
        ),
        (
            "app",
            "10.90.2.1",
            "no answer: 10.90.2.1 is the gateway of L2Network lab-net:"
            " it answers ARP and routes, and does not answer ping",
        ),
    ],
)
def test_the_last_line_says_what_became_of_it(
    juneau: Program, samples: str, source: str, target: str, last: str
) -> None:
    """A target may be a NIC by its name; what nobody answered is told with whom was asked."""
    ended = juneau("lab", "trace", "-f", samples, "--from", source, "--to", target)
    assert (verdict(ended.out), ended.status) == (last, 3 if last.startswith("no answer") else 0)
    assert "ToSegment" not in ended.out


def test_a_packet_that_a_router_does_not_answer_is_said_to_have_reached_it(juneau: Program, write: Writer) -> None:
    """A route leads to a NIC whose Pod has no such address; and steps name a station as people do."""
    routed = """\
{apiVersion: juneau.loutres.me/v1alpha1, kind: RouteTable, metadata: {name: out}, spec: {vpc: app, routes:
  [{dst: 192.168.7.0/24, via: {type: endpoint, endpointName: default/router.eth0}}]}}
---
{apiVersion: juneau.loutres.me/v1alpha1, kind: Subnet, metadata: {name: net},
 spec: {vpc: app, cidr: 10.90.0.0/24, routeTable: out}}
---
"""
    pods = "---\n".join((POD, POD.replace("name: a\n", "name: router\n")))
    ended = juneau(
        "lab", "trace", "-f", write("a.yaml", f"{VPC}---\n{routed}{pods}"), "--from", "a", "--to", "192.168.7.9"
    )
    assert verdict(ended.out) == ("no answer: it reached default/router.eth0, which does not answer for 192.168.7.9"), (
        ended.out + ended.err
    )
    assert " on segment 40" in ended.out
    assert "ToStation" not in ended.out


def test_a_target_that_is_not_there_or_has_no_address_is_refused(juneau: Program, samples: str) -> None:
    """Names in --to are looked up as those in --from are."""
    base = ("lab", "trace", "-f", samples, "--from", "app", "--to")
    assert 'Pod "nobody" not found in namespace default' in juneau(*base, "nobody").err
    ended = juneau(*base, "plain-2.eth1", "--proto", "udp", "--dport", "9")
    assert (ended.status, ended.err.splitlines()[-1]) == (
        1,
        "error: default/plain-2.eth1 has no address; without --proto a frame goes to its MAC",
    )
    assert juneau(*base, "10.90.0.256").status == 2


def test_a_refused_document_shows_in_the_exit_status(juneau: Program, samples: str, write: Writer) -> None:
    """A packet that arrives does not hide that a manifest was refused."""
    bad = write("bad.yaml", "kind: x\n")
    assert juneau("lab", "trace", "-f", samples, bad, "--from", "app", "--to", "10.90.0.4").status == 1


def test_a_segments_table_is_named_with_its_number(juneau: Program, samples: str) -> None:
    """A MAC may be on several segments, so each key begins with the VNI."""
    ended = juneau("lab", "trace", "-f", samples, "--from", "vm", "--to", "web.eth1")
    keys = [part.partition("]")[0] for part in ended.out.split("l2_fdb[")[1:]]
    assert len(keys) > 1
    assert all(len(key.split()) == 2 for key in keys), keys


@pytest.mark.parametrize(("source", "address"), [("outside", "10.225.51.200"), ("router", "10.225.51.1")])
def test_packets_come_from_outside_too(juneau: Program, samples: str, source: str, address: str) -> None:
    """`--from outside` and `--from router`, to a NIC that carries an ElasticIP, and to one for which one stands."""
    base = ("lab", "trace", "-f", samples, "--from", source, "--to")
    direct = juneau(*base, "10.225.51.6")
    assert (direct.status, verdict(direct.out)) == (0, "answered by 10.225.51.6"), direct.out + direct.err
    assert f"from {source}" in direct.out
    assert f"({address}, " in direct.out
    assert "ARP_ANSWERED" in direct.out
    translated = juneau(*base, "10.225.51.7")
    assert (translated.status, verdict(translated.out)) == (0, "answered by 10.225.51.7"), translated.out
    nobody = juneau(*base, "10.225.51.150")
    assert (nobody.status, verdict(nobody.out)) == (3, "no answer: nobody answered ARP for 10.225.51.150")


def test_a_node_is_reached_from_outside(juneau: Program, app: str) -> None:
    """At its own address, which is its host's."""
    ended = juneau("lab", "trace", "-f", app, "--from", "outside", "--to", "10.225.51.11")
    assert (ended.status, verdict(ended.out)) == (0, "answered by 10.225.51.11")


def test_a_vpc_is_not_reached_from_outside(juneau: Program, app: str) -> None:
    """Its addresses mean nothing there."""
    ended = juneau("lab", "trace", "-f", app, "--from", "outside", "--to", "10.90.0.4")
    assert ended.status == 3
    assert verdict(ended.out) == "no answer: dropped outside at host router by MISS_ROUTE (203): 10.90.0.4"
    assert "\n  outside      host router              drop     MISS_ROUTE (203)" in ended.out


@pytest.mark.parametrize("source", ["gw.eth1", "web.eth0"])
def test_what_a_node_lets_out_for_nobody_is_said_to_have_been_asked_for(
    juneau: Program, samples: str, source: str
) -> None:
    """By the Node, of a packet of a NIC that carries the address itself and of one that was translated."""
    ended = juneau("lab", "trace", "-f", samples, "--from", source, "--to", "10.225.51.150")
    assert (ended.status, verdict(ended.out)) == (3, "no answer: nobody answered ARP for 10.225.51.150"), ended.out


def test_a_pod_of_that_name_comes_before_the_host_outside(juneau: Program, app: str, write: Writer) -> None:
    """As people would expect who have named it so; the namespace makes it plain."""
    pods = [write(f"{name}.yaml", POD.replace("name: a\n", f"name: {name}\n")) for name in ("outside", "router")]
    for source in ("outside", "router.eth0", "default/router"):
        ended = juneau("lab", "trace", "-f", app, *pods, "--from", source, "--to", "10.90.0.4")
        assert ended.status == 0, ended.out + ended.err
        assert "from default/" in ended.out


def test_a_frame_from_outside_that_is_for_no_pod_comes_out_nowhere(juneau: Program, app: str) -> None:
    """--hex sends from there as from any NIC; Nodes leave to their hosts what they do not know."""
    frame = "ffffffffffff 020000000001 88b5" + "00" * 46
    ended = juneau("lab", "trace", "-f", app, "--from", "outside", "--hex", frame)
    assert (ended.status, verdict(ended.out)[:13]) == (3, "not delivered")
    assert "PASS_TO_HOST (502)" in ended.out
