"""`juneau explain`: chains of waits of objects that are there and of those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands.program import POD, SUBNET, VPC, Program, Writer

GATEWAY = """\
apiVersion: v1
kind: Pod
metadata: {name: gw, annotations: {juneau.loutres.me/networks: '[{"interface": "eth1", "elasticIP": "gw-eip"}]'}}
"""


def test_a_pod_whose_nics_do_not_exist_yet_is_explained(juneau: Program, write: Writer) -> None:
    """The chain goes to the ElasticIP that nobody has made."""
    ended = juneau("explain", "-f", write("gw.yaml", GATEWAY), "pod/gw")
    assert ended.status == 0
    assert ended.out.splitlines() == [
        "Pod default/gw is Pending (WaitingForNetwork) for 0s",
        "|   waiting for the network of a Pod NIC: eth1: ElasticIP gw-eip does not exist",
        "`-- waits for status.address of ElasticIP default/gw-eip, which does not exist",
    ]


def test_a_nic_that_does_not_exist_is_explained_by_its_pod(juneau: Program, write: Writer) -> None:
    """Who asks for the NIC is led to what the Pod waits for."""
    ended = juneau("explain", "-f", write("gw.yaml", GATEWAY), "nwiface/gw.eth1")
    assert ended.status == 0
    assert ended.out.splitlines()[:2] == [
        "NetworkInterface default/gw.eth1 does not exist",
        "`-- waits for Pod default/gw, which is Pending (WaitingForNetwork) for 0s",
    ]
    assert "ElasticIP default/gw-eip, which does not exist" in ended.out


def test_the_chain_goes_through_several_objects(juneau: Program, write: Writer) -> None:
    """A Pod waits for its NIC, that for its endpoint, and that for a Node that is not there; time is counted."""
    pod = POD.replace("spec: {}", "spec: {nodeName: nowhere}")
    path = write("x.yaml", "---\n".join((VPC, SUBNET, pod)))
    ended = juneau("explain", "-f", path, "--advance", "90s", "pod/default/a")
    heads = [line.lstrip(" |`-") for line in ended.out.splitlines() if "waits for" in line or line.startswith("Pod")]
    assert heads == [
        "Pod default/a is Allocated (WaitingForInterfaces) for 90s",
        "waits for status.phase of NetworkInterface default/a.eth0, which is Allocated (WaitingForInterface) for 90s",
        "waits for NetworkEndpoint default/a.eth0, which does not exist",
        "waits for Node nowhere, which does not exist",
    ]


def test_what_is_ready_has_nothing_to_explain(juneau: Program, app: str) -> None:
    """One line says so."""
    ended = juneau("explain", "-f", app, "pod/a")
    assert (ended.status, ended.out) == (0, "Pod default/a is Ready (InterfacesReady) for 0s\n")


def test_an_object_about_which_nothing_is_known_ends_with_1(juneau: Program, app: str) -> None:
    """It does not exist, and nobody is known who makes it."""
    ended = juneau("explain", "-f", app, "pod/b")
    assert (ended.status, ended.out) == (1, "Pod default/b does not exist\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pod/a",), "asking a cluster comes with a later version"),
        ((), "name the object to explain"),
        (("-f", "/nonexistent", "pod/a"), 'the path "/nonexistent" does not exist'),
        (("pod",), "'pod' is not KIND/NAME"),
    ],
)
def test_wrong_use_says_what_to_write(juneau: Program, arguments: tuple[str, ...], said: str) -> None:
    """Without manifests there is nothing to ask yet."""
    ended = juneau("explain", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_an_unknown_kind_is_refused(juneau: Program, app: str) -> None:
    """As kubectl says it."""
    ended = juneau("explain", "-f", app, "foo/a")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.splitlines()[-1].startswith('error: the server doesn\'t have a resource type "foo"; there are ')


@pytest.mark.parametrize("second", ["b.yaml", "more"])
def test_a_second_file_after_one_f_is_told_from_an_object(
    juneau: Program, write: Writer, tmp_path: Path, second: str
) -> None:
    """Also a directory, which looks like KIND/NAME."""
    (tmp_path / "more").mkdir()
    path = str(tmp_path / second)
    ended = juneau("explain", "-f", write("gw.yaml", GATEWAY), path, "pod/gw")
    assert (ended.status, ended.out) == (2, "")
    assert f"explain takes one after each -f: write -f {path}" in ended.err
