"""Objects as kubectl shows them, to the space."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated, Any

import pytest
import yaml
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.convert import encode_as
from juneau.engine.durations import duration_text
from juneau.engine.errors import APIError, BadRequest
from juneau.engine.fields import Mark
from juneau.engine.jsonpath import find, jsonpath
from juneau.engine.kind import Column, Kind, Scope
from juneau.engine.manifests import read_documents
from juneau.engine.objects import Condition, Object, Time
from juneau.engine.table import Group, aligned, columns_of, render, render_many, yaml_text


@frozen
class NicSpec:
    """What a NIC is attached to."""

    node: str = ""
    subnet: str = ""
    l2_network: str = ""
    elastic_ip: Annotated[str, Mark("", json="elasticIP")] = ""
    routes: tuple[str, ...] = ()
    expires: Time | None = None


@frozen(kw_only=True)
class NicStatus:
    """What became of it."""

    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()
    address: str = ""
    vni: int = 0


@frozen
class Nothing:
    """A spec without fields."""


NIC: Kind[NicSpec, NicStatus] = Kind(
    "NetworkInterface",
    "networkinterfaces",
    NicSpec,
    NicStatus,
    Scope.NAMESPACED,
    "A NIC.",
    columns=(
        Column("Node", ".spec.node"),
        Column("Subnet", ".spec.subnet"),
        Column("L2Network", ".spec.l2Network"),
        Column("ElasticIP", ".spec.elasticIP"),
        Column("Address", ".status.address"),
        Column("Phase", ".status.phase"),
        Column.condition("Ready"),
        Column("Routes", ".spec.routes", priority=1),
        Column("Expires", ".spec.expires", "date", priority=1),
    ),
)
SEED: Kind[NicSpec, NicStatus] = Kind(
    "NetworkInterface", "networkinterfaces", NicSpec, NicStatus, Scope.NAMESPACED, "A NIC.", columns=NIC.columns[:6]
)
POD: Kind[Nothing, NicStatus] = Kind(
    "Pod", "pods", Nothing, NicStatus, Scope.NAMESPACED, "A Pod.", group="", version="v1", foreign=True
)
VPC: Kind[Nothing, NicStatus] = Kind(
    "Vpc", "vpcs", Nothing, NicStatus, Scope.CLUSTER, "A Vpc.", columns=(Column("VNI", ".status.vni"),), age_column=True
)
NOW = Time(1000.0)

Nic = Object[NicSpec, NicStatus]


def nic(name: str, address: str = "", namespace: str = "default", **spec: Any) -> Nic:
    return NIC.new(name, NicSpec(**spec), namespace).with_status(phase="Ready", address=address)


NICS = [
    nic("app.eth0", "10.90.0.5/24", node="worker-1", subnet="app-subnet"),
    nic("gw.eth0", "10.16.0.9/16", node="worker-2", subnet="default"),
    nic("gw.eth1", "10.225.51.6/32", node="worker-2", elastic_ip="gw-eip"),
]


def test_a_table_is_aligned_as_kubectl_aligns_it() -> None:
    """The table of the NetworkInterface page comes out to the space."""
    assert render(SEED, NICS, "table", NOW) == (
        "NAME       NODE       SUBNET       L2NETWORK   ELASTICIP   ADDRESS          PHASE\n"
        "app.eth0   worker-1   app-subnet                           10.90.0.5/24     Ready\n"
        "gw.eth0    worker-2   default                              10.16.0.9/16     Ready\n"
        "gw.eth1    worker-2                            gw-eip      10.225.51.6/32   Ready\n"
    )


def test_no_line_ends_in_spaces() -> None:
    """Empty cells at the end of a row leave nothing behind."""
    lines = render(NIC, NICS, "table", NOW).splitlines()
    assert lines == [line.rstrip() for line in lines]


def test_narrow_columns_are_six_wide() -> None:
    """As in kubectl, a column with its gap takes six places at least."""
    assert aligned([["NAME", "IP", "X"], ["a", "", "b"]]) == "NAME   IP    X\na            b\n"


def test_conditions_have_their_column() -> None:
    """A condition's status shows once the object has it."""
    ready = NICS[0].with_status(conditions=(Condition("Ready", "True", "Done"), Condition("Valid", "False", "No")))
    header, first, second = render(NIC, [ready, NICS[1]], "table", NOW).splitlines()
    assert header.split()[-1] == "READY"
    assert (first.split()[-1], second.split()[-1]) == ("True", "Ready")


def test_wide_tables_have_more_columns() -> None:
    """Columns of priority 1 show with wide only, lists among them as JSON."""
    obj = nic("a", routes=("x", "y"), expires=Time(900.0))
    assert "ROUTES" not in render(NIC, [obj], "table", NOW)
    header, line = render(NIC, [obj], "wide", NOW).splitlines()
    assert header.split()[-2:] == ["ROUTES", "EXPIRES"]
    assert line.split()[-2:] == ['["x","y"]', "100s"]


@pytest.mark.parametrize(
    ("namespaces", "all_namespaces", "shown"),
    [(["a", "a"], False, False), (["a", "b"], False, True), (["a"], True, True)],
)
def test_namespaces_show_where_they_matter(namespaces: list[str], all_namespaces: bool, shown: bool) -> None:
    """The namespace stands first when there is more than one, or all were asked for."""
    objects = [nic(f"n{number}", namespace=namespace) for number, namespace in enumerate(namespaces)]
    table = render(NIC, objects, "table", NOW, all_namespaces=all_namespaces)
    assert table.startswith("NAMESPACE   NAME") is shown


def test_cluster_scoped_kinds_show_no_namespace() -> None:
    """A Kind without namespaces has no column for them, whatever was asked for."""
    assert render(VPC, [VPC.new("v", Nothing())], "table", NOW, all_namespaces=True) == "NAME   VNI   AGE\nv\n"


def test_ages_show_where_the_kind_says_so() -> None:
    """The age is the last column of Kinds that want one, and the only one of those that name none."""
    old = VPC.new("v", Nothing(), creation_timestamp=Time(800.0)).with_status(vni=4242)
    assert render(VPC, [old], "table", NOW) == "NAME   VNI    AGE\nv      4242   3m20s\n"
    assert [column.name for column in columns_of(POD)] == ["Age"]
    assert "AGE" not in render(NIC, NICS, "table", NOW)


def test_no_objects_make_no_table() -> None:
    """What to say about nothing is the caller's matter; a List is there all the same."""
    assert render(NIC, [], "table", NOW) == ""
    assert json.loads(render(NIC, [], "json", NOW))["items"] == []


def test_cells_are_one_line_and_move_no_cursor() -> None:
    """A value of several lines is cut, and control characters are spelt out."""
    table = render(NIC, [nic("a", node="one\ntwo", subnet="x\x1b[2J")], "table", NOW)
    assert table.splitlines()[1].split() == ["a", "one...", "x\\x1b[2J", "Ready"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-30, "<invalid>"),
        (-1, "0s"),
        (0.9, "0s"),
        (5, "5s"),
        (119, "119s"),
        (120, "2m"),
        (200, "3m20s"),
        (599, "9m59s"),
        (600, "10m"),
        (10799, "179m"),
        (7200 * 2, "4h"),
        (10860, "3h1m"),
        (28800, "8h"),
        (172799, "47h"),
        (172800, "2d"),
        (180000, "2d2h"),
        (8 * 86400, "8d"),
        (729 * 86400, "729d"),
        (731 * 86400, "2y1d"),
        (9 * 365 * 86400, "9y"),
    ],
)
def test_durations_are_those_of_kubectl(seconds: float, text: str) -> None:
    """The larger a duration, the coarser its text."""
    assert duration_text(seconds) == text


def test_names_tell_the_kind() -> None:
    """`-o name` names Kind and group, and no group where there is none."""
    assert render(NIC, NICS[:1], "name", NOW) == "networkinterface.juneau.loutres.me/app.eth0\n"
    assert render(POD, [POD.new("app", Nothing())], "name", NOW) == "pod/app\n"


def test_several_objects_are_one_list() -> None:
    """JSON and YAML of several objects are one List, with fields by name."""
    text = render(NIC, NICS, "json", NOW)
    document = json.loads(text)
    assert text.startswith('{\n    "apiVersion": "v1",\n    "items": [\n        {\n            "apiVersion": "juneau')
    assert text.endswith('    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n')
    assert document["items"] == [encode_as(NIC, obj) for obj in NICS]
    assert yaml.safe_load(render(NIC, NICS, "yaml", NOW)) == document


def test_one_object_may_stand_alone() -> None:
    """An object that was asked for by name is written without a List around it."""
    assert render(NIC, NICS[:1], "yaml", NOW, single=True) == (
        "apiVersion: juneau.loutres.me/v1alpha1\n"
        "kind: NetworkInterface\n"
        "metadata:\n"
        "  name: app.eth0\n"
        "  namespace: default\n"
        "spec:\n"
        "  node: worker-1\n"
        "  subnet: app-subnet\n"
        "status:\n"
        "  address: 10.90.0.5/24\n"
        "  phase: Ready\n"
    )


def test_tables_of_several_kinds_tell_them_apart() -> None:
    """Each Kind has its table, with the Kind in front of names and an empty line between."""
    groups: list[Group] = [(NIC, NICS[:1]), (VPC, []), (POD, [POD.new("app", Nothing(), "default")])]
    tables = render_many(groups, "table", NOW).split("\n\n")
    assert [table.splitlines()[1].split()[0] for table in tables] == [
        "networkinterface.juneau.loutres.me/app.eth0",
        "pod/app",
    ]
    assert render_many(groups[:2], "table", NOW) == render(NIC, NICS[:1], "table", NOW)


def test_several_kinds_are_one_list() -> None:
    """Other outputs of several Kinds hold all objects together."""
    groups: list[Group] = [(NIC, NICS[:1]), (POD, [POD.new("app", Nothing())])]
    assert [item["kind"] for item in json.loads(render_many(groups, "json", NOW))["items"]] == [
        "NetworkInterface",
        "Pod",
    ]
    assert render_many(groups, "name", NOW).splitlines()[1] == "pod/app"


def test_unknown_outputs_are_refused() -> None:
    """An output that is none is a bad request that lists those there are."""
    with pytest.raises(BadRequest, match=r'unknown output "xml"; there are json, jsonpath'):
        render(NIC, NICS, "xml", NOW)


@given(st.dictionaries(st.text(max_size=5), st.text() | st.floats(allow_nan=False, allow_infinity=False)))
def test_yaml_is_read_back_as_what_was_written(document: dict[str, object]) -> None:
    """No text loses its quotes where it needs them."""
    written = yaml_text({"k": document})
    (found,) = read_documents(written, "written")
    assert (found.error, found.content) == ("", {"k": document})


@pytest.mark.parametrize("text", ["yes", "y", "1e3", "2026-01-31T12:00:00Z", "10:20:30", "null", "", "0x1"])
def test_texts_that_look_like_something_else_are_quoted(text: str) -> None:
    """A text that YAML would take for something else stands in double quotes, as kubectl writes it."""
    assert yaml_text({"a": text}) == f'a: "{text}"\n'


DOCUMENT: dict[str, Any] = {
    "metadata": {"name": "app", "labels": {"a.b/c": "x"}},
    "spec": {"vni": 4242, "open": False, "none": None, "cidrs": ["10.0.0.0/8", "192.0.2.0/24"], "empty": []},
    "status": {
        "conditions": [{"type": "Valid", "status": "False"}, {"type": "Ready", "status": "True", "n": 3}],
        "pool": {"b": 1, "a": "<x>"},
    },
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{.spec.vni}", "4242"),
        ("{ .spec.vni }", "4242"),
        ("{$.spec.vni}", "4242"),
        ("{.spec.open}", "false"),
        ("{.metadata.name}: {.spec.vni}!", "app: 4242!"),
        ('{.metadata.name}{"\\t"}{.spec.vni}{"\\n"}', "app\t4242\n"),
        ("{'{'}{.metadata.name}{'}'}", "{app}"),
        ("{.spec.cidrs}", '["10.0.0.0/8","192.0.2.0/24"]'),
        ("{.spec.cidrs[0]}", "10.0.0.0/8"),
        ("{.spec.cidrs[-1]}", "192.0.2.0/24"),
        ("{.spec.cidrs[7]}", ""),
        ("{.spec.cidrs[*]}", "10.0.0.0/8 192.0.2.0/24"),
        ("{.status.pool}", '{"a":"<x>","b":1}'),
        ("{.status.pool.*}", "<x> 1"),
        ("{.spec.empty}", "[]"),
        ("{.spec.nothing.at.all}", ""),
        ("{.metadata.labels.a\\.b/c}", "x"),
        ("{.metadata.labels['a.b/c']}", "x"),
        ('{.status.conditions[?(@.type=="Ready")].status}', "True"),
        ("{.status.conditions[?(@.type=='Ready')].status}", "True"),
        ('{.status.conditions[?(@.type != "Ready")].status}', "False"),
        ("{.status.conditions[?(@.n==3)].type}", "Ready"),
        ("{.status.conditions[?(@.n)].type}", "Ready"),
        ('{range .status.conditions[*]}{.type}={.status}{"\\n"}{end}', "Valid=False\nReady=True\n"),
        ("{range .status.conditions[*]}{$.metadata.name}.{.type} {end}", "app.Valid app.Ready "),
        ("{range .spec.empty[*]}x{end}y", "y"),
        (".spec.vni", ".spec.vni"),
        ("", ""),
    ],
)
def test_jsonpath_templates_are_filled_in(template: str, text: str) -> None:
    """Templates give what kubectl gives for them; what is missing is empty."""
    assert jsonpath(template, DOCUMENT) == text


@pytest.mark.parametrize(
    "template", ["{.a", ".a}", "{..a}", "{a}", "{.a[}", "{.a[1:2]}", "{range .a[*]}x", "{end}", "{.a[?(@.b<3)]}"]
)
def test_templates_that_cannot_be_read_are_refused(template: str) -> None:
    """A template beyond what Juneau reads is a bad request, never half an answer."""
    with pytest.raises(BadRequest, match="JSONPath"):
        jsonpath(template, DOCUMENT)


@given(st.text(st.sampled_from("{}.[]()?@$*'\"=!-0aspecstatus "), max_size=25))
def test_no_template_raises_anything_but_an_api_error(template: str) -> None:
    """Whatever stands in a template, it is filled in or refused."""
    with suppress(APIError):
        jsonpath(template, DOCUMENT)


def test_paths_find_all_values() -> None:
    """A path with a star finds each value, in order."""
    assert find(".status.conditions[*].type", DOCUMENT) == ["Valid", "Ready"]
