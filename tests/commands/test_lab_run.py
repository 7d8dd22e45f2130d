"""`juneau lab run`: what is done in which order, what is printed where, and what is refused."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands.program import POD, SUBNET, VPC, Program, Writer

from juneau.commands.arguments import DEFAULTS, NODES, Parser, add_world_arguments, node_settings_of, outside_of
from juneau.engine.settings import NodeSettings, Settings
from juneau.lab.lab import DEFAULT_NODES
from juneau.lab.outside import OutsideSettings

MANY = ",".join(f"n{number}" for number in range(30))  # more Nodes than a /27 has room for
HOST_BITS = """\
apiVersion: juneau.loutres.me/v1alpha1
kind: L2Network
metadata: {name: x}
spec: {vpc: app, cidr: 10.0.1.5/24}
"""


def test_messages_go_to_standard_error_and_the_answer_to_standard_output(juneau: Program, app: str) -> None:
    """Only what --get asks for is on standard output."""
    ended = juneau("lab", "run", "-f", app, "--get", "networkinterface")
    assert ended.status == 0
    assert ended.out.splitlines() == [
        "NAME     NODE       SUBNET   L2NETWORK   ELASTICIP   ADDRESS        PHASE",
        "a.eth0   worker-1   net                              10.90.0.4/24   Ready",
    ]
    assert ended.err.splitlines() == [
        "vpc.juneau.loutres.me/app created",
        "subnet.juneau.loutres.me/net created",
        "pod/a created",
    ]


def test_without_a_question_standard_output_stays_empty(juneau: Program, app: str) -> None:
    """A run without --get and -o prints no answer."""
    assert juneau("lab", "run", "-f", app).out == ""


def test_json_is_one_list_and_nothing_else(juneau: Program, app: str) -> None:
    """Several Kinds, one object, no object: standard output is always one List that a JSON reader takes whole."""
    for question, names in (
        (("vpc/app", "pods"), ["app", "a"]),
        (("pod/a",), ["a"]),
        (("l2networks",), []),
    ):
        answer = json.loads(juneau("lab", "run", "-f", app, "--get", *question, "-o", "json").out)
        assert answer["kind"] == "List"
        assert [item["metadata"]["name"] for item in answer["items"]] == names


def test_json_stays_whole_beside_refusals(juneau: Program, app: str, write: Writer) -> None:
    """What is refused does not reach standard output."""
    ended = juneau("lab", "run", "-f", app, write("bad.yaml", HOST_BITS), "--get", "vpc/app", "foo", "-o", "json")
    assert [item["kind"] for item in json.loads(ended.out)["items"]] == ["Vpc"]
    assert ended.status == 1


def test_an_output_without_a_question_prints_what_was_applied(juneau: Program, app: str) -> None:
    """`-o name` alone names the objects of the manifests, in their order."""
    names = juneau("lab", "run", "-f", app, "-o", "name").out
    assert names == "vpc.juneau.loutres.me/app\nsubnet.juneau.loutres.me/net\npod/a\n"


def test_one_object_is_printed_as_itself_in_yaml_and_jsonpath(juneau: Program, app: str) -> None:
    """As kubectl does, YAML of a named object is the object, and a JSONPath starts from it."""
    assert "\nkind: Vpc\n" in juneau("lab", "run", "-f", app, "--get", "vpc/app", "-o", "yaml").out
    path = "jsonpath={.spec.cidr}"
    assert juneau("lab", "run", "-f", app, "--get", "subnet/net", "-o", path).out == "10.90.0.0/24"


def test_wide_shows_more_columns(juneau: Program, app: str) -> None:
    """`-o wide` adds a Pod's address and Node."""
    assert "10.90.0.4   worker-1" in juneau("lab", "run", "-f", app, "--get", "pods", "-o", "wide").out


def test_the_same_input_gives_the_same_output(juneau: Program, app: str) -> None:
    """Time, UIDs, MACs and numbers are the same on every run."""
    arguments = ("lab", "run", "-f", app, "--get", "pods", "nwiface", "networkendpoints", "-o", "json")
    assert juneau(*arguments).out == juneau(*arguments).out


def test_orders_are_carried_out_in_the_order_given(juneau: Program, app: str, write: Writer) -> None:
    """-f, --delete and --advance may be mixed; a Pod that comes back finds its address, if its lease still runs."""
    pod, other = write("pod.yaml", POD), write("other.yaml", POD.replace("name: a\n", "name: b\n"))
    question = ("--get", "nwiface", "-o", "jsonpath={range .items[*]}{.metadata.name} {.status.address};{end}")
    soon = juneau("lab", "run", "-f", app, "--delete", "pod/a", "--advance", "1h", "-f", other, pod, *question)
    late = juneau("lab", "run", "-f", app, "--delete", "pod/a", "--advance", "25h", "-f", other, pod, *question)
    assert soon.out == "a.eth0 10.90.0.4/24;b.eth0 10.90.0.5/24;"
    assert late.out == "a.eth0 10.90.0.5/24;b.eth0 10.90.0.4/24;"
    assert [line.split("/")[-1] for line in soon.err.splitlines()] == [
        "app created", "net created", "a created", "a deleted", "b created", "a created",
    ]  # fmt: skip


def test_applying_again_tells_what_it_changed(juneau: Program, write: Writer) -> None:
    """A name that is there is updated: configured where something changes, else unchanged."""
    labelled = VPC.replace("{name: app}", "{name: app, labels: {tier: gold}}")
    ended = juneau("lab", "run", "-f", write("1.yaml", VPC), write("2.yaml", VPC), write("3.yaml", labelled))
    assert [line.split()[-1] for line in ended.err.splitlines()] == ["created", "unchanged", "configured"]


def test_a_directory_is_applied_in_order_of_names(juneau: Program, write: Writer, tmp_path: Path) -> None:
    """*.yaml, *.yml and *.json of a directory, sorted; other files and folders below are left alone."""
    write("d/2.yml", SUBNET)
    write(
        "d/1.json", json.dumps({"apiVersion": "juneau.loutres.me/v1alpha1", "kind": "Vpc", "metadata": {"name": "app"}})
    )
    write("d/3.yaml", POD)
    write("d/notes.txt", "}{")
    (tmp_path / "d" / "below.yaml").mkdir()
    ended = juneau("lab", "run", "-f", str(tmp_path / "d"))
    assert ended.status == 0
    assert [line.split("/")[-1] for line in ended.err.splitlines()] == ["app created", "net created", "a created"]


def test_a_refused_document_is_told_with_file_and_place_and_the_rest_is_done(juneau: Program, write: Writer) -> None:
    """The error has kubectl's form and names file, document, line, field and what to write instead."""
    path = write("bad.yaml", f"{VPC}---\n{HOST_BITS}---\n{SUBNET}")
    ended = juneau("lab", "run", "-f", path, "--get", "subnet/net", "-o", "name")
    assert ended.status == 1
    assert ended.out == "subnet.juneau.loutres.me/net\n"
    assert ended.err.splitlines()[1] == (
        f'Error from server (Invalid): error when creating "{path}" (document 2, line 3): L2Network "x" is invalid:'
        ' spec.cidr: Invalid value: "10.0.1.5/24": has host bits set; write "10.0.1.0/24"'
    )


def test_a_refused_update_says_so(juneau: Program, write: Writer) -> None:
    """An error about an object that exists speaks of updating."""
    moved = SUBNET.replace("10.90.0.0", "10.91.0.0")
    ended = juneau("lab", "run", "-f", write("a.yaml", f"{VPC}---\n{SUBNET}"), write("b.yaml", moved))
    assert ended.status == 1
    assert "Error from server (Invalid): error when updating" in ended.err
    assert "spec.cidr" in ended.err


def test_a_refused_deletion_is_told_in_kubectls_form(juneau: Program, app: str) -> None:
    """Deleting a Vpc that is in use is forbidden, what is not there is not found, and the rest is done."""
    ended = juneau("lab", "run", "-f", app, "--delete", "vpc/app", "vpc/none", "pod/a", "foo/x", "subnet/ns/net")
    refused = [line for line in ended.err.splitlines() if not line.endswith("created")]
    assert refused[0].startswith('Error from server (Forbidden): Vpc "app" is forbidden: ')
    assert refused.pop(3).startswith('error: the server doesn\'t have a resource type "foo"; there are ')
    assert refused[1:] == [
        'Error from server (NotFound): Vpc "none" not found',
        "pod/a deleted",
        "error: Subnet is not in a namespace; write subnet/net",
    ]
    assert ended.status == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: b: c\n", "error: error parsing {path}, line 1, column 5: "),
        ("kind: Vpc\n", "error: error validating \"{path}\" (document 1, line 1): Object 'apiVersion' is missing"),
        ("- 1\n", 'error: error validating "{path}" (document 1, line 1): an object must be a mapping'),
        (VPC.replace("Vpc", "Vpcs"), '(document 1, line 1): no matches for kind "Vpcs" in version'),
        (VPC.replace("spec: {}", "spec: {colour: red}"), "spec.colour: Forbidden: unknown field"),
        (VPC.replace("name: app", "name: App_1"), "metadata.name: Invalid value"),
        (POD, "Warning: Pod default/a: waiting for the network of a Pod NIC: eth0: Subnet net does not exist"),
        ("\0", "error: error parsing {path}, line 1: the character NUL must not stand in a text file"),
    ],
)  # fmt: skip
def test_input_that_cannot_be_used_is_one_line_without_a_traceback(
    juneau: Program, write: Writer, text: str, said: str
) -> None:
    """Broken YAML, unknown kinds and fields, bad names: each is told in one line."""
    path = write("bad.yaml", text)
    ended = juneau("lab", "run", "-f", path)
    assert said.format(path=path) in ended.err
    assert ended.status == (0 if said.startswith("Warning") else 1)
    assert "Traceback" not in ended.err


def test_a_namespace_that_does_not_exist_is_refused(juneau: Program, write: Writer) -> None:
    """As an API server does; with a Namespace document before it the Pod is accepted."""
    pod = POD.replace("name: a\n", "name: a\n  namespace: shop\n")
    space = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n"
    refused = juneau("lab", "run", "-f", write("pod.yaml", pod))
    assert "Error from server (NotFound): error when creating" in refused.err
    accepted = juneau("lab", "run", "-f", write("both.yaml", f"{space}---\n{pod}"), "--get", "pod/shop/a", "-o", "name")
    assert (accepted.status, accepted.out) == (0, "pod/a\n")


def test_nothing_to_apply_is_an_error(juneau: Program, write: Writer, tmp_path: Path) -> None:
    """A file of comments and a directory without manifests are not taken for success; beside others a file may be."""
    empty = write("empty.yaml", "# nothing\n---\n")
    assert juneau("lab", "run", "-f", empty).status == 1
    assert juneau("lab", "run", "-f", empty, write("vpc.yaml", VPC)).status == 0
    (tmp_path / "bare").mkdir()
    ended = juneau("lab", "run", "-f", str(tmp_path / "bare"))
    assert (ended.status, ended.err.count("\n")) == (1, 1)


@pytest.mark.parametrize("path", ["/nonexistent/x.yaml", "a\0b", "x" * 5000])
def test_a_path_that_does_not_exist_stops_the_run_before_it_begins(juneau: Program, app: str, path: str) -> None:
    """A slip in a path is found before anything is done."""
    ended = juneau("lab", "run", "-f", app, path)
    assert (ended.status, ended.err) == (2, f'error: the path "{path}" does not exist\n')


def test_input_that_is_too_long_is_not_read(juneau: Program, tmp_path: Path) -> None:
    """An endless file costs no more than its bound."""
    ended = juneau("lab", "run", "-f", "/dev/zero")
    assert ended.status == 1
    assert "/dev/zero: longer than" in ended.err or "NUL" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--advance", "5x"), "'5x' is no duration"),
        (("--advance=-5s",), "'-5s' is no duration"),
        (("--delete", "vpc"), "'vpc' is not KIND/NAME or KIND/NAMESPACE/NAME"),
        (("--delete", "a/b/c/d"), "'a/b/c/d' is not"),
        (("--get", "/x"), "'/x' is not KIND"),
        (("-o", "xml"), "'xml' is none of table, wide, yaml, json, name, jsonpath=TEMPLATE"),
        (("--nodes", "a,a"), "names a Node twice"),
        (("--nodes", "A"), "'A' is no name for a Node"),
        (("--default-l2-mtu", "100"), "'100' is no number from 576 to 9000"),
        (("--default-subnet-cidr", "10.0.0.1/16"), "has host bits set; write 10.0.0.0/16"),
        (("--default-subnet-cidr", "ten"), "'ten' is no IPv4 prefix"),
        (("--default-subnet-cidr", "10.96.0.0/16"), "these flags make no installation: "),
        (("--address-lease", "long"), "'long' is no duration"),
        (("--address-lease", "876000h"), "a lease counts at most 2147483647s"),
        (("--underlay-cidr", "10.0.0.0/30"), "has no room for Nodes"),
        (("--underlay-cidr", "10.0.0.0/27", "--nodes", ",".join(f"n{n}" for n in range(30))), "has no address"),
        (("--dataplane-driver", "magic"), 'no dataplane driver "magic" is installed; there are: '),
        (("-f", "-", "-"), "-f - can be given once"),
        (("--node-lease", "2s"), "'2s' is no time for a Lease; write whole seconds from 3s to 24h"),
        (("--node-lease", "7500ms"), "'7500ms' is no time for a Lease"),
        (("--node-lease", "25h"), "'25h' is no time for a Lease"),
        (("--node-lease", "soon"), "'soon' is no duration"),
        (("--arp-interval", "often"), "'often' is no duration"),
        (("--arp-fence-after", "-1s"), "--arp-fence-after"),
        (("--router", "10.225.51.256"), "'10.225.51.256' is no IPv4 address; write one such as 10.225.51.1"),
        (("--outside", "10.225.51.200/24"), "'10.225.51.200/24' is no IPv4 address"),
        (("--external-cidr", "198.51.100.1/24"), "has host bits set; write 198.51.100.0/24"),
        (("--external-cidr", "198.51.100.0/28"), "has no room for Nodes"),
    ],
)  # fmt: skip
def test_values_that_make_no_sense_are_usage_errors(juneau: Program, arguments: tuple[str, ...], said: str) -> None:
    """Each names the value and says what to write instead."""
    ended = juneau("lab", "run", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_unknown_questions_are_refused_and_the_others_answered(juneau: Program, app: str) -> None:
    """An unknown Kind or name in --get has kubectl's error, and status 1."""
    ended = juneau("lab", "run", "-f", app, "--get", "foo", "pod/b", "vpc/app", "-o", "name")
    assert ended.out == "vpc.juneau.loutres.me/app\n"
    unknown, missing = ended.err.splitlines()[-2:]
    assert unknown.startswith('error: the server doesn\'t have a resource type "foo"; there are ')
    assert "networkinterfaces (interface, iface, nwinterface, nwiface), " in unknown
    assert missing == 'Error from server (NotFound): Pod "b" not found in namespace default'
    assert ended.status == 1


def test_a_name_that_is_somewhere_else_is_told_with_its_namespace(juneau: Program, app: str, write: Writer) -> None:
    """`default` is where a name without a namespace is looked for."""
    space = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n---\n"
    front = write("shop.yaml", space + "{apiVersion: v1, kind: Pod, metadata: {name: front, namespace: shop}}\n")
    said = 'Error from server (NotFound): Pod "front" not found in namespace default; there is one in namespace shop'
    for asked in ("--get", "--delete"):
        ended = juneau("lab", "run", "-f", app, front, asked, "pod/front")
        assert (ended.status, ended.err.splitlines()[-1]) == (1, said)


def test_several_kinds_are_asked_for_by_commas(juneau: Program, app: str) -> None:
    """As kubectl has it; a name after a blank is another Kind here, and the error says how to write it."""
    by_commas = juneau("lab", "run", "-f", app, "--get", "vpcs,subnets", "-o", "name")
    assert by_commas.out == juneau("lab", "run", "-f", app, "--get", "vpcs", "subnets", "-o", "name").out
    apart = juneau("lab", "run", "-f", app, "--get", "subnet", "net")
    assert apart.err.splitlines()[-1].endswith('resource type "net"; to mean one object, write subnet/net')


def test_without_anything_to_do_it_is_a_usage_error(juneau: Program) -> None:
    """An empty lab that nobody asks about has nothing to tell."""
    for arguments in ((), ("--advance", "5m"), ("-o", "yaml")):
        ended = juneau("lab", "run", *arguments)
        assert (ended.status, ended.out, ended.err[:29]) == (2, "", "error: give manifests with -f")
    assert juneau("lab", "run", "--get", "vpcs").status == 0


def test_an_underlay_that_is_too_narrow_is_told_once(juneau: Program, write: Writer) -> None:
    """NICs get their MTU all the same, and what is longer would be lost between Nodes without a word."""
    vpc = "{apiVersion: juneau.loutres.me/v1alpha1, kind: Vpc, metadata: {name: app}}\n"
    lan = "---\n{apiVersion: juneau.loutres.me/v1alpha1, kind: L2Network, metadata: {name: NAME}, spec: {vpc: app}}\n"
    path = write("lan.yaml", vpc + lan.replace("NAME", "lan") + lan.replace("NAME", "san"))

    def warnings(mtu: str) -> list[str]:
        said = juneau("lab", "run", "-f", path, "--underlay-mtu", mtu).err.splitlines()
        return [line.partition(",")[0] for line in said if line.startswith("Warning")]

    assert warnings("1550") == []
    subnets, lans = "Warning: NICs on Subnets have an MTU of 1500", "Warning: L2Network lan has an MTU of 1450"
    assert warnings("1549") == [subnets]
    assert warnings("1499") == [subnets, lans]


def test_a_foreign_kind_is_told_what_a_lab_knows(juneau: Program, write: Writer) -> None:
    """A Kind of another API group is not taken for one of Juneau's that is called nearly so."""
    text = "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x}}\n"
    ended = juneau("lab", "run", "-f", write("policy.yaml", text))
    assert ended.err.endswith("; known are Leases, Namespaces, Nodes, Pods and Juneau's own Kinds\n")


def test_no_objects_of_a_kind_is_no_error(juneau: Program, app: str) -> None:
    """As with kubectl: said on standard error, status 0."""
    ended = juneau("lab", "run", "-f", app, "--get", "l2net")
    assert (ended.status, ended.out, ended.err.splitlines()[-1]) == (0, "", "No resources found")


def test_an_unreadable_jsonpath_is_refused(juneau: Program, app: str) -> None:
    """A template is judged when it is used."""
    ended = juneau("lab", "run", "-f", app, "--get", "vpc", "-o", "jsonpath={.x[}")
    assert ended.status == 1
    assert ended.err.splitlines()[-1].startswith("error: JSONPath")


def test_nodes_can_be_named_and_come_with_documents(juneau: Program, write: Writer) -> None:
    """--nodes replaces the two default Nodes, and a Node document adds one."""
    node = "{apiVersion: v1, kind: Node, metadata: {name: late}}\n"
    path = write("node.yaml", node)
    ended = juneau("lab", "run", "--nodes", "one,two", "-f", path, "--get", "nodes", "-o", "name")
    assert ended.out == "node/late\nnode/one\nnode/two\n"


def test_a_pod_without_a_node_waits(juneau: Program, app: str) -> None:
    """With no Node at all nothing is bound, and that is told."""
    ended = juneau("lab", "run", "--nodes", "", "-f", app)
    assert ended.status == 0
    assert ended.err.splitlines()[3:] == ["Warning: Pod default/a: there is no Node to run it on"]


def test_what_is_not_ready_is_told_in_the_end(juneau: Program, write: Writer) -> None:
    """A Pod whose Node does not exist has no warning of its own; it is named when all is done."""
    pod = POD.replace("spec: {}", "spec: {nodeName: nowhere}")
    ended = juneau("lab", "run", "-f", write("x.yaml", "---\n".join((VPC, SUBNET, pod))))
    assert ended.status == 0
    assert "Not ready: NetworkInterface/default/a.eth0 (WaitingForInterface: no NetworkEndpoint yet" in ended.err


def test_policy_that_is_not_enforced_yet_is_told_loudly(juneau: Program, write: Writer) -> None:
    """A NIC with a SecurityGroup has a warning, also when it was given the group while it was Ready."""
    group = "{apiVersion: juneau.loutres.me/v1alpha1, kind: SecurityGroup, metadata: {name: sg}, spec: {vpc: app}}\n"
    with_group = POD.replace("net}", "net, juneau.loutres.me/security-groups: sg}")
    said = "Warning: NetworkInterface default/a.eth0: SecurityGroup sg is not enforced"
    base = write("base.yaml", "---\n".join((VPC, SUBNET, group)))
    plain, guarded = write("plain.yaml", POD), write("guarded.yaml", with_group)
    assert juneau("lab", "run", "-f", base, guarded).err.count(said) == 1
    assert juneau("lab", "run", "-f", base, plain, guarded).err.count(said) == 1
    assert said not in juneau("lab", "run", "-f", base, plain).err


def test_the_flags_of_the_controller_count(juneau: Program, write: Writer) -> None:
    """MTU, prefixes and the lease time are those of the command line."""
    segment = "{apiVersion: juneau.loutres.me/v1alpha1, kind: L2Network, metadata: {name: l2}, spec: {vpc: app}}\n"
    path = write("l2.yaml", f"{VPC}---\n{segment}")
    flags = ("--default-l2-mtu", "8950", "--default-subnet-cidr", "10.17.0.0/16", "--underlay-cidr", "192.0.2.0/24")
    ended = juneau(
        "lab", "run", *flags, "-f", path, "--get", "l2net/l2", "subnet/default", "node/worker-1", "-o", "json"
    )
    segment_, subnet, node = json.loads(ended.out)["items"]
    assert segment_["status"]["mtu"] == 8950
    assert subnet["spec"]["cidr"] == "10.17.0.0/16"
    assert node["status"]["addresses"][0]["address"] == "192.0.2.11"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--router", "192.0.2.1"), "--router 192.0.2.1 is not in 10.225.51.0/24"),
        (("--outside", "10.225.51.255"), "--outside 10.225.51.255 is no host's address in 10.225.51.0/24"),
        (("--outside", "10.225.51.1"), "--router and --outside are both 10.225.51.1"),
        (("--external-cidr", "10.225.0.0/16"), "--external-cidr 10.225.0.0/16 overlaps --underlay-cidr 10.225.51.0/24"),
        (("--external-cidr", "192.0.2.0/27", "--nodes", MANY), "192.0.2.0/27 has no address for Node"),
        (("--node-ingress-iface", "eth1"), "--node-ingress-iface: Node worker-1 has no NIC eth1"),
    ],
)  # fmt: skip
def test_an_outside_that_cannot_be_is_one_line(
    juneau: Program, app: str, arguments: tuple[str, ...], said: str
) -> None:
    """What no flag can tell by itself is told before anything is applied."""
    ended = juneau("lab", "run", "-f", app, *arguments)
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith("error: ")
    assert said in ended.err


def test_the_flags_of_the_outside_and_of_the_agents_count(juneau: Program, write: Writer) -> None:
    """Router, host, ingress NIC and Lease are those of the command line."""
    pool = "{advertiseMode: arp, addresses: [198.51.100.100-198.51.100.110]}"
    path = write(
        "lan.yaml",
        "".join(
            f"---\n{{apiVersion: juneau.loutres.me/v1alpha1, kind: {kind}, metadata: {{name: lan}}, spec: {spec}}}\n"
            for kind, spec in (
                ("AddressPool", pool),
                ("ExternalNetwork", "{type: arp, addressPools: [lan]}"),
                ("ARPAdvertisement", "{externalNetwork: lan, address: 198.51.100.100, nodeName: worker-2}"),
            )
        ),
    )
    flags = ("--external-cidr", "198.51.100.0/24", "--node-ingress-iface", "eth1", "--node-lease", "30s")
    asked = ("--get", "arpadvertisement/lan", "lease/juneau-system/juneau-agent.worker-1", "-o", "json")
    ended = juneau("lab", "run", "-f", path, *flags, *asked)
    ad, lease = json.loads(ended.out)["items"]
    assert ad["status"]["phase"] == "Ready"
    assert lease["spec"]["leaseDurationSeconds"] == 30
    without = juneau("lab", "run", "-f", path, *flags[:2], "--get", "arpadvertisement/lan", "-o", "json")
    (ad,) = json.loads(without.out)["items"]
    assert ad["status"]["answer"]["reason"] == "AddressOutsideSubnet"


def test_help_tells_of_the_outside_and_of_the_nodes(juneau: Program) -> None:
    """Each flag with its default, for every command that makes a lab."""
    for command in (("lab", "run"), ("lab", "trace"), ("lab", "shell"), ("explain",)):
        told = " ".join(juneau(*command, "--help").out.split())
        for flag in ("--external-cidr CIDR", "--router ADDRESS", "--outside ADDRESS", "--node-ingress-iface NAME",
                     "--arp-interval DURATION", "--arp-fence-after DURATION", "--node-lease DURATION"):  # fmt: skip
            assert flag in told, (command, flag)
        assert "(default: 60s)" in told
        assert "(default: 15s)" in told


def test_the_defaults_of_the_agents_flags_are_those_of_the_engine() -> None:
    """What is written twice is the same."""
    assert node_settings_of(_parsed()) == NodeSettings()
    assert outside_of(_parsed()) == OutsideSettings()


def _parsed() -> argparse.Namespace:
    parser = Parser()
    add_world_arguments(parser)
    return parser.parse_args([])


def test_an_unknown_service_cidr_is_compared_with_nothing(juneau: Program, write: Writer) -> None:
    """`--service-cidr ''` lets a Subnet lie where Services would be."""
    path = write("net.yaml", f"{VPC}---\n{SUBNET.replace('10.90.0.0', '10.96.0.0')}")
    assert juneau("lab", "run", "-f", path).status == 1
    assert juneau("lab", "run", "-f", path, "--service-cidr", "").status == 0


def test_verbose_tells_each_change_of_a_phase(juneau: Program, app: str) -> None:
    """-v shows what happens, with the object's key."""
    assert "info: phase changed key=Vpc/app" in juneau("lab", "run", "-v", "-f", app).err


@pytest.mark.parametrize("arguments", [("--dataplane-driver",), ("--dataplane-driver", "help")])
def test_a_driver_without_a_name_lists_what_is_installed(juneau: Program, arguments: tuple[str, ...]) -> None:
    """The list says for each driver whether it runs here."""
    for command in (("lab", "run"), ("lab", "trace"), ("lab", "shell"), ("explain",), ("scenarios", "x"), ()):
        ended = juneau(*command, *arguments)
        assert ended.status == 0
        assert ended.out == juneau("drivers").out
        assert ended.out.splitlines()[0].split() == ["NAME", "RUNS", "HERE", "WHAT", "IT", "IS,", "OR", "WHY", "NOT"]


def test_the_defaults_of_the_flags_are_those_of_the_engine() -> None:
    """What is written twice, so that help comes at once, is the same."""
    assert Settings(**DEFAULTS) == Settings()
    assert NODES == DEFAULT_NODES


def test_a_pipe_named_as_a_file_is_read(app: str) -> None:
    """Process substitution of shells works: what is no regular file is read all the same."""
    command = [sys.executable, "-m", "juneau", "lab", "run", "-f", "/dev/stdin", "-o", "name"]
    with open(app) as stream:
        ended = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=False, timeout=60)
    assert ended.stdout.endswith("pod/a\n")
