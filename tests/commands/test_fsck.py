"""`juneau fsck`: pictures of clusters and labs, findings for people and for programs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml
from tests.commands.program import SUBNET, VPC, Program, Writer

LEASE = """\
apiVersion: juneau.loutres.me/v1alpha1
kind: AllocationLease
metadata: {name: www, resourceVersion: "12", managedFields: [{manager: juneau}]}
spec: {poolRef: {name: pool}, value: {ip: 10.90.0.4}, claimRef: {name: www}}
status: {phase: Released, added: by a newer version}
"""
# Two of one number and one address, and one whose user is gone; no claim tells of it.
SHARED = """\
apiVersion: juneau.loutres.me/v1alpha1
kind: AddressPool
metadata: {name: lan}
spec: {advertiseMode: arp, addresses: ["10.225.51.100-10.225.51.110"]}
---
apiVersion: juneau.loutres.me/v1alpha1
kind: AddressPool
metadata: {name: dmz}
spec: {advertiseMode: arp, addresses: ["10.225.52.100-10.225.52.110"]}
---
apiVersion: juneau.loutres.me/v1alpha1
kind: ExternalNetwork
metadata: {name: lan}
spec: {type: arp, addressPools: [lan]}
status: {networkID: 4097}
---
apiVersion: juneau.loutres.me/v1alpha1
kind: ExternalNetwork
metadata: {name: dmz}
spec: {type: arp, addressPools: [dmz]}
status: {networkID: 4097}
---
apiVersion: juneau.loutres.me/v1alpha1
kind: ElasticIP
metadata: {name: www, namespace: default}
spec: {externalNetwork: lan}
status: {address: 10.225.51.100, addressPool: lan, attachment: {kind: NetworkInterface, name: ghost}}
---
apiVersion: juneau.loutres.me/v1alpha1
kind: ExternalNetworkAttachment
metadata: {name: lan--worker-1}
spec: {externalNetwork: lan, nodeName: worker-1}
status: {assignedIP: 10.225.51.100, addressPool: lan}
"""
OVERLAP = SUBNET + "---\n" + SUBNET.replace("name: net", "name: late")


def test_a_lab_in_order_ends_with_0(juneau: Program, app: str) -> None:
    """Standard output stays empty; what was checked is told beside it."""
    ended = juneau("fsck", "-f", app)
    assert (ended.status, ended.out) == (0, "")
    assert ended.err.splitlines()[-1].endswith("objects checked, nothing found")


def test_what_a_lab_refuses_ends_with_1(juneau: Program, write: Writer) -> None:
    """Although nothing is wrong with what it has stored."""
    ended = juneau("fsck", "-f", write("x.yaml", "---\n".join((VPC, OVERLAP))))
    assert (ended.status, ended.out) == (1, "")
    assert "overlaps" in ended.err


def test_what_cannot_be_read_is_not_said_to_be_in_order(juneau: Program, write: Writer) -> None:
    """Whether it is all there was or one of two."""
    broken = write("broken.yaml", "{")
    ended = juneau("fsck", "--stored", broken)
    assert (ended.status, ended.err.splitlines()[-1]) == (1, "nothing was checked: 1 error above")
    ended = juneau("fsck", "--stored", broken, write("vpc.yaml", VPC))
    said = "1 object checked, nothing found; not all was checked: 1 error above"
    assert (ended.status, ended.err.splitlines()[-1]) == (1, said)


def test_what_is_stored_needs_no_admission(juneau: Program, write: Writer) -> None:
    """Objects that break rules are found as they stand, each with the other's name."""
    ended = juneau("fsck", "--stored", write("x.yaml", "---\n".join((VPC, OVERLAP))))
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[0].split() == ["OBJECT", "FIELD", "FINDING", "REPAIR"]
    assert [line.split()[:2] for line in lines[1:]] == [["Subnet/late", "spec.cidr"], ["Subnet/net", "spec.cidr"]]
    assert "overlaps Subnet net (10.90.0.0/24) of Vpc app" in lines[1]
    assert ended.err == "3 objects checked, 2 findings\n"


def test_what_several_have_is_told_of_each_with_what_to_do(juneau: Program, write: Writer) -> None:
    """A number, an address, and who is said to have it and is not there."""
    ended = juneau("fsck", "--stored", write("x.yaml", SHARED), "-o", "json")
    told = [
        (found["object"]["name"], found["field"], found["message"], found["repair"])
        for found in json.loads(ended.out)["findings"]
        if found["field"].startswith("status.")
    ]
    eip, attachment = "ElasticIP default/www", "ExternalNetworkAttachment lan--worker-1"
    looked = "see that a controller is running; it has not looked at the ElasticIP since"
    one_of = "delete one of {} and {}, and create it anew"
    assert (ended.status, told) == (1, [
        ("www", "status.attachment", "there is no NetworkInterface ghost", looked),
        ("www", "status.address", f"{attachment} has it too", one_of.format(eip, attachment)),
        ("dmz", "status.networkID", "ExternalNetwork lan has it too",
         one_of.format("ExternalNetwork dmz", "ExternalNetwork lan")),
        ("lan", "status.networkID", "ExternalNetwork dmz has it too",
         one_of.format("ExternalNetwork lan", "ExternalNetwork dmz")),
        ("lan--worker-1", "status.assignedIP", f"{eip} has it too", one_of.format(attachment, eip)),
    ])  # fmt: skip


def test_a_picture_needs_no_lab(juneau: Program, write: Writer) -> None:
    """What describes one is refused beside --stored, each option by its name; the installation's flags count."""
    path = write("vpc.yaml", VPC)
    lab = {
        "--nodes": "a,b,c", "--dataplane-driver": "tc_flower", "--underlay-cidr": "10.0.0.0/24",
        "--underlay-mtu": "1500", "--external-cidr": "10.9.0.0/24", "--router": "10.9.0.1", "--outside": "10.9.0.2",
        "--node-ingress-iface": "eth0", "--arp-interval": "5s", "--arp-fence-after": "60s",
    }  # fmt: skip
    for flag, value in lab.items():
        ended = juneau("fsck", "--stored", path, flag, value)
        said = f"error: what is given with --stored is checked as it stands, without a lab: leave out {flag}"
        assert (ended.status, ended.out, ended.err.splitlines()[0]) == (2, "", said)
    several = juneau("fsck", "--stored", path, *("--router", "10.9.0.1"), *("--nodes", ""))
    assert several.err.splitlines()[0].endswith("leave out --nodes, --router")
    assert juneau("fsck", "--stored", path, "--service-cidr", "10.97.0.0/16").status == 0


def test_what_a_server_stores_is_read_as_it_is(juneau: Program, write: Writer) -> None:
    """With status, with metadata that Juneau does not read, and with fields of a newer version."""
    ended = juneau("fsck", "--stored", write("x.yaml", LEASE))
    assert ended.status == 1
    (line,) = ended.out.splitlines()[1:]
    assert line.split()[:2] == ["AllocationLease/www", "spec.poolRef"]
    assert line.endswith("   delete the AllocationLease")


def test_programs_get_one_document(juneau: Program, write: Writer) -> None:
    """JSON and YAML say the same, and an empty list where nothing was found."""
    path = write("x.yaml", LEASE)
    expected = {
        "object": {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "AllocationLease", "name": "www"},
        "field": "spec.poolRef",
        "cause": "Invalid value",
        "message": "there is no AllocationPool pool",
        "repair": "delete the AllocationLease",
    }
    assert json.loads(juneau("fsck", "--stored", path, "-o", "json").out) == {"findings": [expected]}
    assert yaml.safe_load(juneau("fsck", "--stored", path, "-o", "yaml").out) == {"findings": [expected]}
    ended = juneau("fsck", "--stored", write("vpc.yaml", VPC), "-o", "json")
    assert (ended.status, json.loads(ended.out)) == (0, {"findings": []})


def test_objects_come_from_several_files_and_standard_input(write: Writer) -> None:
    """All of them make one picture: what one names, another may hold."""
    command = [sys.executable, "-m", "juneau", "fsck", "--stored", write("x.yaml", SUBNET), "-"]
    ended = subprocess.run(command, input=VPC, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "2 objects checked, nothing found\n")
    command = [*command[:-1]]
    alone = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=60)
    assert alone.returncode == 1
    assert 'Not found: "app": no such Vpc' in alone.stdout


def test_what_cannot_be_read_is_told_and_the_rest_is_checked(juneau: Program, write: Writer) -> None:
    """An unknown Kind, text that is no YAML, an object that is given twice: each is one line, and the status is 1."""
    strange = "---\n{apiVersion: v1, kind: Ghost, metadata: {name: a}}\n---\n"
    ended = juneau("fsck", "--stored", write("x.yaml", VPC + strange + VPC + "---\n}\n"))
    assert (ended.status, ended.out) == (1, "")
    lines = ended.err.splitlines()
    assert len(lines) == 4
    assert 'no matches for kind "Ghost" in version "v1"' in lines[0]
    assert "Vpc/app is given twice; the last one counts" in lines[1]
    assert lines[2].startswith("error: error parsing ")
    assert lines[3] == "1 object checked, nothing found; not all was checked: 3 errors above"


def test_what_a_manifest_holds_does_not_move_the_cursor(juneau: Program, write: Writer) -> None:
    """Control characters and line ends are spelt out in the table."""
    metadata, spec = {"name": "net\n\u202eevil"}, {"vpc": "x", "cidr": "10.90.0.0/24"}
    api = {"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Subnet"}
    text = json.dumps({**api, "metadata": metadata, "spec": spec})
    ended = juneau("fsck", "--stored", write("x.json", text))
    assert len(ended.out.splitlines()) == 2
    assert "Subnet/net\\n\\u202eevil" in ended.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give what is stored with --stored, or else manifests to be run in a lab with -f"),
        (("--stored", "x", "-f", "y"), "is checked as it stands, and nothing can be done to it"),
        (("--stored", "/nonexistent"), 'the path "/nonexistent" does not exist'),
        (("--stored", "-", "-"), "--stored - can be given once"),
        (("--stored", "x", "-o", "wide"), "invalid choice: 'wide'"),
    ],
)
def test_wrong_use_says_what_to_write(juneau: Program, arguments: tuple[str, ...], said: str) -> None:
    """Either a picture or a lab, in a form that there is."""
    ended = juneau("fsck", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
