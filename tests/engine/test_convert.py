"""Documents to typed objects and back: strict on the way in, nothing lost on the way out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.convert import MAX_BYTES, decode, encode
from juneau.engine.errors import APIError, BadRequest, Cause, Invalid
from juneau.engine.fields import Mark
from juneau.engine.kind import Kind, Registry, Scope
from juneau.engine.objects import AnyObject, Condition, Metadata, Object, Opaque, OwnerReference, Time
from juneau.engine.times import read_time, time_text


class Action(StrEnum):
    """What a rule does."""

    ALLOW = "allow"
    DENY = "deny"


@frozen
class Rule:
    """A nested class with one field of its own that is required."""

    protocol: Annotated[int | str, Mark("keyword or number")]
    action: Annotated[Action, Mark("what it does")] = Action.ALLOW
    ports: Annotated[tuple[int, ...], Mark("ports")] = ()


@frozen
class WallSpec:
    """One field of every type that has a form on the wire."""

    vpc: Annotated[str, Mark("the Vpc")]
    gateway: Annotated[str, Mark("address of the gateway")] = ""
    l2_network: Annotated[str, Mark("the segment")] = ""
    elastic_ip: Annotated[str, Mark("the address", json="elasticIP")] = ""
    mtu: Annotated[int, Mark("largest packet")] = 1450
    ratio: Annotated[float, Mark("a fraction")] = 0.5
    enabled: Annotated[bool, Mark("whether it works")] = True
    action: Annotated[Action | None, Mark("what it does")] = None
    rule: Annotated[Rule | None, Mark("one rule")] = None
    rules: Annotated[tuple[Rule, ...], Mark("rules")] = ()
    egress: Annotated[tuple[Rule, ...] | None, Mark("absent is not empty", nullable=True)] = None
    tags: Annotated[Mapping[str, str], Mark("tags")] = field(factory=dict)
    extra: Annotated[Mapping[str, Opaque], Mark("what others mean")] = field(factory=dict)
    anything: Annotated[Opaque | None, Mark("what others mean")] = None
    expires: Annotated[Time | None, Mark("when it ends")] = None


@frozen(kw_only=True)
class WallStatus:
    """A status as every Kind has it."""

    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


@frozen
class PodSpec:
    """The little that is read of a Kind that is not Juneau's own."""

    node_name: str = ""


def _even(_spec: object, _attribute: object, value: int) -> None:
    if value % 2:
        raise ValueError("must be even")


@frozen
class PairSpec:
    """A class with a rule of its own."""

    number: int = field(default=0, validator=_even)


WALL: Kind[WallSpec, WallStatus] = Kind("Wall", "walls", WallSpec, WallStatus, Scope.NAMESPACED, "A wall.")
POD: Kind[PodSpec, WallStatus] = Kind(
    "Pod", "pods", PodSpec, WallStatus, Scope.NAMESPACED, "A Pod.", group="", version="v1", foreign=True
)
PAIR: Kind[PairSpec, WallStatus] = Kind("Pair", "pairs", PairSpec, WallStatus, Scope.CLUSTER, "A pair.")
REGISTRY = Registry()
for kind in (WALL, POD, PAIR):
    REGISTRY.add(kind)


def document(spec: object = None, **metadata: object) -> dict[str, Any]:
    spec = {"vpc": "shop"} if spec is None else spec
    return {"apiVersion": WALL.api_version, "kind": "Wall", "metadata": {"name": "w", **metadata}, "spec": spec}


def spec_of(**fields: object) -> WallSpec:
    spec = decode(REGISTRY, document({"vpc": "shop", **fields})).spec
    assert isinstance(spec, WallSpec)
    return spec


def complaints(doc: object, **options: bool) -> list[str]:
    with pytest.raises(Invalid) as caught:
        decode(REGISTRY, doc, **options)
    return [str(violation) for violation in caught.value.violations]


def refusal(doc: object) -> str:
    with pytest.raises(BadRequest) as caught:
        decode(REGISTRY, doc)
    return caught.value.message


def test_names_on_the_wire_are_camel_case_or_what_the_mark_says() -> None:
    """A field is read under its wire name, which its Mark may set."""
    spec = spec_of(l2Network="seg", elasticIP="eip")
    assert (spec.l2_network, spec.elastic_ip) == ("seg", "eip")


def test_every_type_is_read() -> None:
    """Nested classes, unions, enums, mappings, opaque values and times become their Python types."""
    spec = spec_of(
        rule={"protocol": 6, "action": "deny"},
        rules=[{"protocol": "tcp", "ports": [80, 443]}],
        action="allow",
        tags={"a": "b"},
        extra={"x": [1, {"y": None}]},
        anything="text",
        expires="2026-01-31T12:00:00Z",
    )
    assert spec.rule == Rule(6, Action.DENY)
    assert spec.rules == (Rule("tcp", ports=(80, 443)),)
    assert spec.action is Action.ALLOW
    assert spec.tags == {"a": "b"}
    assert spec.extra == {"x": Opaque([1, {"y": None}])}
    assert spec.anything == Opaque("text")
    assert spec.expires == Time(1769860800)


def test_unknown_fields_are_refused_with_their_path_and_the_nearest_name() -> None:
    """A misspelt field is named in full, with what was probably meant."""
    doc = document({"vpc": "shop", "gatway": "x", "rules": [{"protocol": 6, "Action": "deny"}]})
    assert complaints(doc) == [
        'spec.gatway: Forbidden: unknown field; did you mean "gateway"?',
        'spec.rules[0].Action: Forbidden: unknown field; did you mean "action"?',
    ]


def test_unknown_fields_near_to_nothing_list_the_known_ones() -> None:
    """Where no name is near, all names are told."""
    doc = document({"vpc": "shop", "rule": {"protocol": 6, "zzz": 1}})
    assert complaints(doc) == ["spec.rule.zzz: Forbidden: unknown field; known here: protocol, action, ports"]


@pytest.mark.parametrize("part", ["metadata", "spec"])
def test_unknown_fields_are_refused_beside_the_spec_too(part: str) -> None:
    """Metadata and the top of the document are as strict as the spec."""
    doc = document()
    doc["specs"] = {}
    doc[part]["nonsense"] = 1
    assert [complaint.split(":")[0] for complaint in complaints(doc)] == ["specs", f"{part}.nonsense"]


def test_missing_fields_are_required() -> None:
    """What has no default has to be there, also where the whole spec is missing."""
    doc = document({"rules": [{}]})
    assert complaints(doc) == [
        "spec.vpc: Required value: the Vpc",
        "spec.rules[0].protocol: Required value: keyword or number",
    ]
    del doc["spec"]
    assert complaints(doc) == ["spec.vpc: Required value: the Vpc"]


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"gateway": 1}, "spec.gateway: Invalid value: 1: must be a string, not an integer"),
        ({"gateway": ["x"]}, "spec.gateway: Invalid value: must be a string, not a list"),
        ({"mtu": "1450"}, 'spec.mtu: Invalid value: "1450": must be an integer, not a string'),
        ({"mtu": True}, "spec.mtu: Invalid value: true: must be an integer, not a boolean"),
        ({"mtu": 1450.0}, "spec.mtu: Invalid value: 1450.0: must be an integer, not a number"),
        ({"enabled": 1}, "spec.enabled: Invalid value: 1: must be a boolean, not an integer"),
        ({"enabled": "true"}, 'spec.enabled: Invalid value: "true": must be a boolean, not a string'),
        ({"ratio": False}, "spec.ratio: Invalid value: false: must be a number, not a boolean"),
        ({"action": "pass"}, 'spec.action: Unsupported value: "pass": supported values: "allow", "deny"'),
        ({"rule": []}, "spec.rule: Invalid value: must be an object, not a list"),
        ({"rules": {}}, "spec.rules: Invalid value: must be a list, not an object"),
        ({"rules": [None]}, "spec.rules[0]: Invalid value: must be an object, not null"),
        (
            {"rule": {"protocol": 1.5}},
            "spec.rule.protocol: Invalid value: 1.5: must be an integer or a string, not a number",
        ),
        ({"tags": {"a": 1}}, "spec.tags[a]: Invalid value: 1: must be a string, not an integer"),
        ({"expires": 5}, "spec.expires: Invalid value: 5: must be a string, not an integer"),
    ],
)
def test_wrong_types_are_refused_and_nothing_is_coerced(fields: dict[str, object], complaint: str) -> None:
    """A value of another type is refused in words that name what is expected and what was given."""
    assert complaints(document({"vpc": "shop", **fields})) == [complaint]


def test_whole_numbers_are_numbers() -> None:
    """A field that takes fractions takes an integer."""
    assert spec_of(ratio=2).ratio == 2.0


def test_all_problems_are_reported_together() -> None:
    """One error has everything that is wrong with a document, under its Kind and name."""
    with pytest.raises(Invalid) as caught:
        decode(REGISTRY, document({"gatway": 1, "mtu": "x"}, labels={"a": 1}))
    assert [violation.field for violation in caught.value.violations] == [
        "metadata.labels[a]",
        "spec.gatway",
        "spec.vpc",
        "spec.mtu",
    ]
    assert caught.value.message.startswith('Wall "w" is invalid: [metadata.labels[a]: ')


def test_long_lists_of_problems_are_cut() -> None:
    """Thousands of problems make an error that can still be read, and quickly."""
    spec = {"vpc": "shop", **{f"unknown{number}": 1 for number in range(20000)}, "rules": list(range(20000))}
    listed = complaints(document(spec))
    assert len(listed) == 21
    assert listed[-1].startswith("and 20000 more")


@pytest.mark.parametrize("name", ["tags", "rules", "mtu", "gateway", "rule"])
def test_null_is_as_good_as_absent(name: str) -> None:
    """Null in a field that does not distinguish it gives the default, which for a list is the empty one."""
    assert spec_of(**{name: None}) == spec_of()


def test_null_in_a_required_field_is_a_missing_value() -> None:
    """A required field is not satisfied by null."""
    assert complaints(document({"vpc": None})) == ["spec.vpc: Required value: the Vpc"]


def test_absent_and_empty_lists_differ_where_the_mark_says_so() -> None:
    """A nullable list keeps the difference between absent and empty, in both directions."""
    absent, null, empty = spec_of(), spec_of(egress=None), spec_of(egress=[])
    assert (absent.egress, null.egress, empty.egress) == (None, None, ())
    encoded = [encode(REGISTRY, WALL.new("w", spec))["spec"] for spec in (absent, empty)]
    assert ["egress" in spec for spec in encoded] == [False, True]
    assert encoded[1]["egress"] == []


def test_what_is_empty_by_default_is_left_out_and_other_defaults_are_written() -> None:
    """Empty fields do not appear on the wire; a default that says something does, as on an API server."""
    assert encode(REGISTRY, WALL.new("w", WallSpec("shop"), namespace="prod")) == {
        "apiVersion": "juneau.loutres.me/v1alpha1",
        "kind": "Wall",
        "metadata": {"name": "w", "namespace": "prod"},
        "spec": {"vpc": "shop", "mtu": 1450, "ratio": 0.5, "enabled": True},
    }


def test_values_that_are_empty_against_their_default_are_written() -> None:
    """An empty value that differs from the default survives."""
    spec = encode(REGISTRY, WALL.new("w", WallSpec("shop", mtu=0, enabled=False)))["spec"]
    assert (spec["mtu"], spec["enabled"]) == (0, False)


def test_documents_are_in_the_order_of_kubectl() -> None:
    """The parts of a document come as kubectl writes them."""
    obj = WALL.new("w", WallSpec("shop")).with_status(phase="Ready")
    assert list(encode(REGISTRY, obj)) == ["apiVersion", "kind", "metadata", "spec", "status"]


def test_status_is_read_only_on_request() -> None:
    """A person's status is ignored, whatever it is; a store's is read as strictly as the spec."""
    doc = document()
    doc["status"] = {"phase": "Ready", "nonsense": 1}
    assert decode(REGISTRY, doc).status == WallStatus()
    assert [text.split(":")[0] for text in complaints(doc, with_status=True)] == ["status.nonsense"]
    del doc["status"]["nonsense"]
    assert decode(REGISTRY, doc, with_status=True).status == WallStatus(phase="Ready")


def test_metadata_that_only_kubernetes_uses_is_dropped() -> None:
    """What an API server adds to metadata is accepted, so that its output can be applied again."""
    obj = decode(REGISTRY, document(managedFields=[{}], selfLink="/x", creationTimestamp=None, uid="u"))
    assert obj.metadata == Metadata(name="w", uid="u")


def test_owner_references_are_read() -> None:
    """An ownerReference becomes its class, without what Juneau has no use for."""
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True, "blockOwnerDeletion": True}
    obj = decode(REGISTRY, document(ownerReferences=[owner]))
    assert obj.metadata.owner_references == (OwnerReference("v1", "Pod", "p", "u", True),)


def test_generated_names_are_refused_with_what_to_write() -> None:
    """generateName is no way to name an object here."""
    doc = document(generateName="w-")
    del doc["metadata"]["name"]
    assert complaints(doc) == ["metadata.generateName: Forbidden: Juneau makes up no names; write metadata.name"]


def test_names_that_were_generated_are_names() -> None:
    """An object that an API server has named already is read, though it still says generateName."""
    assert decode(REGISTRY, document(generateName="w-")).name == "w"


@pytest.mark.parametrize("metadata", [{}, {"name": ""}, {"name": None}, None])
def test_objects_need_a_name(metadata: object) -> None:
    """An object without a name is refused at metadata.name."""
    assert complaints({**document(), "metadata": metadata}) == ["metadata.name: Required value: an object needs a name"]


@pytest.mark.parametrize("doc", [None, [], "text", 3])
def test_what_is_no_mapping_is_no_object(doc: object) -> None:
    """Anything but a mapping is a bad request."""
    assert refusal(doc).startswith("an object must be a mapping")


@pytest.mark.parametrize(
    ("version", "kind", "message"),
    [
        (WALL.api_version, "wal", 'no matches for kind "wal" in version "{0}"; did you mean "Wall"?'),
        (WALL.api_version, "wall", 'no matches for kind "wall" in version "{0}"; did you mean "Wall"?'),
        (
            WALL.api_version,
            "Zebra",
            'no matches for kind "Zebra" in version "{0}"; known are Pods and Juneau\'s own Kinds',
        ),
        (
            "example.com/v1",
            "Walls",
            'no matches for kind "Walls" in version "example.com/v1"; known are Pods and Juneau\'s own Kinds',
        ),
        ("v1", "Wall", 'no matches for kind "Wall" in version "v1"; did you mean version "{0}"?'),
        (None, "Wall", "Object 'apiVersion' is missing"),
        (WALL.api_version, "", "Object 'kind' is missing"),
        (1, "Wall", "apiVersion must be a string, not an integer"),
    ],
)
def test_unknown_kinds_are_refused_as_kubectl_does(version: object, kind: object, message: str) -> None:
    """A document of no known Kind is a bad request that says which one is near."""
    assert refusal({**document(), "apiVersion": version, "kind": kind}) == message.format(WALL.api_version)


def test_what_a_server_sends_may_have_fields_that_nobody_knows() -> None:
    """Read leniently, as from a server with newer Kinds, unknown fields are dropped."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "clusterName": "x"},
        "spec": {"nodeName": "n1", "containers": [{"name": "c"}]},
        "data": {},
    }
    assert decode(REGISTRY, pod, lenient=True).spec == PodSpec("n1")
    with pytest.raises(Invalid, match=r"spec\.containers: Forbidden: unknown field"):
        decode(REGISTRY, pod)


def test_deep_documents_are_refused() -> None:
    """Nesting has a limit, whatever Python's own is."""
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    assert refusal(document({"vpc": "shop", "anything": deep})) == "the document is nested deeper than 64 levels"


@pytest.mark.parametrize("content", ["x" * MAX_BYTES, ["x"] * (MAX_BYTES // 2)], ids=["one", "many"])
def test_long_documents_are_refused(content: object) -> None:
    """A document of more than 1 MiB is refused, one long text as well as many short ones."""
    assert refusal(document({"vpc": "shop", "anything": content})) == "the document is longer than 1048576 bytes"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**64, -(2**63) - 1, b"x", {1: 2}, {"x"}, "\ud800"])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    """A document that is no JSON is a bad request, wherever in it the value stands."""
    refusal(document({"vpc": "shop", "anything": {"x": [value]}}))


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:01z", 1),
        ("1970-01-01T02:00:00+02:00", 0),
        ("1969-12-31T23:30:00-00:30", 0),
        ("1970-01-01T00:00:00.25Z", 0.25),
        ("2026-01-31T12:00:00.123456Z", 1769860800.123456),
        ("9999-12-31T23:59:59Z", 253402300799),
    ],
)
def test_times_are_read_as_rfc_3339_has_them(text: str, time: float) -> None:
    """Fractions and offsets are understood."""
    assert read_time(text) == time


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-01-31",
        "2026-01-31T12:00:00",
        "2026-01-31 12:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T12:00:60Z",
        "2026-01-31T12:00:00+24:00",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59.9999999999Z",
        "٢026-01-31T12:00:00Z",
        "2026-01-31T12:00:00Z\n",
    ],
)
def test_nonsense_is_no_time(text: str) -> None:
    """A text that names no time is refused at its own path."""
    (complaint,) = complaints(document({"vpc": "shop", "expires": text}))
    assert complaint.startswith("spec.expires: Invalid value: ")


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1769860800.5, "2026-01-31T12:00:00.5Z"),
        (-1.5, "1969-12-31T23:59:58.5Z"),
        (0.9999999999, "1970-01-01T00:00:01Z"),
        (-62135596800, "0001-01-01T00:00:00Z"),
    ],
)
def test_times_are_written_in_utc(time: float, text: str) -> None:
    """A time is written with Z, and with a fraction only where it has one."""
    assert time_text(Time(time)) == text


def test_decoding_and_encoding_share_nothing_with_the_document() -> None:
    """Who changes a document afterwards changes no object."""
    extra: dict[str, list[int]] = {"x": [1]}
    obj = decode(REGISTRY, document({"vpc": "shop", "extra": extra}))
    extra["x"].append(2)
    encode(REGISTRY, obj)["spec"]["extra"]["x"].append(3)
    assert obj.spec.extra == {"x": [1]}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
finite_json = json_values.filter(lambda value: "inf" not in repr(value))
integers = st.integers(-(2**63), 2**63 - 1)
times = st.integers(-62135596800, 253402300799).map(float).map(Time)
rules = st.builds(Rule, integers | texts, st.sampled_from(Action), st.lists(integers, max_size=2).map(tuple))
rule_lists = st.lists(rules, max_size=2).map(tuple)
specs = st.builds(
    WallSpec,
    vpc=texts,
    gateway=texts,
    l2_network=texts,
    elastic_ip=texts,
    mtu=integers,
    ratio=st.floats(allow_nan=False, allow_infinity=False),
    enabled=st.booleans(),
    action=st.none() | st.sampled_from(Action),
    rule=st.none() | rules,
    rules=rule_lists,
    egress=st.none() | rule_lists,
    tags=st.dictionaries(texts, texts, max_size=2),
    extra=st.dictionaries(texts, finite_json, max_size=2),
    anything=finite_json,
    expires=st.none() | times,
)
conditions = st.builds(
    Condition, texts, texts, texts, message=texts, last_transition_time=st.none() | times, observed_generation=integers
)
statuses = st.builds(WallStatus, phase=texts, observed_generation=integers, conditions=st.tuples(conditions))
metadata = st.builds(
    Metadata,
    name=texts.filter(bool),
    namespace=texts,
    uid=texts,
    resource_version=texts,
    generation=integers,
    creation_timestamp=st.none() | times,
    deletion_timestamp=st.none() | times,
    finalizers=st.lists(texts, max_size=2).map(tuple),
    owner_references=st.tuples(st.builds(OwnerReference, texts, texts, texts, texts, st.booleans())),
    labels=st.dictionaries(texts, texts, max_size=2),
    annotations=st.dictionaries(texts, texts, max_size=2),
)


@given(metadata, specs, statuses)
def test_nothing_is_lost_on_the_way_out_and_in(metadata: Metadata, spec: WallSpec, status: WallStatus) -> None:
    """Any object is the same after encoding and decoding."""
    obj: AnyObject = Object("Wall", metadata, spec, status)
    assert decode(REGISTRY, encode(REGISTRY, obj), with_status=True) == obj


@given(st.integers(0, 4 * 10**15))
def test_microseconds_survive(microseconds: int) -> None:
    """A time as exact as an API server has it is the same after writing and reading."""
    time = Time(microseconds / 1e6)
    assert read_time(time_text(time)) == pytest.approx(time, abs=1e-9)


@given(json_values)
def test_no_json_raises_anything_but_an_api_error(value: object) -> None:
    """Whatever JSON comes, the answer is an object or an error of the API."""
    try:
        decode(REGISTRY, value)
    except APIError:
        pass
    else:
        pytest.fail("random JSON was taken for an object")


PARTS = st.dictionaries(
    st.sampled_from(["vpc", "mtu", "rule", "rules", "egress", "tags", "extra", "anything", "expires", "action", "x"]),
    json_values,
    max_size=6,
)


@given(PARTS, json_values, json_values)
def test_no_fields_raise_anything_but_invalid(spec: dict[str, object], labels: object, status: object) -> None:
    """Whatever stands in the fields of an object, the answer is an object or what is wrong with it."""
    doc = {**document(spec, labels=labels), "status": status}
    try:
        decode(REGISTRY, doc, with_status=True)
    except Invalid as error:
        assert error.violations
    except BadRequest as error:
        assert "inf" in error.message  # the one thing that JSON does not know


def test_rules_of_a_class_are_reported_at_its_path() -> None:
    """A ValueError of an attrs validator becomes a violation."""
    assert complaints({**document({"number": 3}), "kind": "Pair"}) == ["spec: Invalid value: must be even"]


def test_violations_carry_their_cause() -> None:
    """Callers can tell a missing value from a wrong one without reading text."""
    with pytest.raises(Invalid) as caught:
        decode(REGISTRY, document({"mtu": "x"}))
    assert [violation.cause for violation in caught.value.violations] == [Cause.REQUIRED, Cause.INVALID]
