"""CRDs made from types: structural, and as strict as the marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any

import pytest
import yaml
from attrs import field, frozen

from juneau.engine.fields import Mark
from juneau.engine.kind import Column, Kind, Registry, Scope
from juneau.engine.objects import Condition, Opaque, Time
from juneau.engine.schema import crd, crds_yaml
from juneau.engine.shape import IMMUTABLE


class Colour(StrEnum):
    """A few values."""

    RED = "red"
    BLUE = "blue"


@frozen
class Part:
    """A part of a fence."""

    name: Annotated[str, Mark("its name", immutable=True, min_length=1, max_length=63, pattern="^[a-z]+$")]
    namespace: Annotated[str, Mark("its namespace", immutable=True)] = ""
    height: Annotated[int, Mark("in pixels", minimum=0, maximum=4096)] = 0


@frozen
class FenceSpec:
    """What a fence is made of."""

    vpc: Annotated[str, Mark("the Vpc", immutable=True)]
    cidr: Annotated[str, Mark("its prefix", immutable=True)] = ""
    strategy: Annotated[str, Mark("how", choices=("firstFit", "random"))] = "firstFit"
    big: Annotated[int, Mark("a large number", minimum=1)] = 1
    ratio: Annotated[float, Mark("a fraction")] = 0.0
    open: Annotated[bool, Mark("whether it is open")] = False
    colour: Annotated[Colour, Mark("paint")] = Colour.RED
    protocol: Annotated[int | str, Mark("number or keyword")] = "all"
    part: Annotated[Part | None, Mark("the one part")] = None
    fixed: Annotated[Part | None, Mark("the part that stays", immutable=True)] = None
    parts: Annotated[tuple[Part, ...], Mark("more parts", min_items=1, max_items=8)] = ()
    names: Annotated[tuple[str, ...], Mark("names", unique=True, min_length=1)] = ()
    pairs: Annotated[tuple[Part, ...], Mark("distinct parts", unique=True)] = ()
    egress: Annotated[tuple[Part, ...] | None, Mark("absent is not empty", nullable=True)] = None
    tags: Annotated[Mapping[str, str], Mark("tags")] = field(factory=dict)
    extra: Annotated[Mapping[str, Opaque], Mark("what others mean")] = field(factory=dict)
    anything: Annotated[Opaque | None, Mark("what others mean")] = None
    expires: Annotated[Time | None, Mark("when it ends")] = None


@frozen(kw_only=True)
class FenceStatus:
    """How the fence stands."""

    phase: Annotated[str, Mark("summary", immutable=True)] = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


@frozen
class OptionalSpec:
    """A spec of which nothing is required."""

    cidr: Annotated[str, Mark("its prefix", immutable=True)] = ""


FENCE: Kind[FenceSpec, FenceStatus] = Kind(
    "Fence",
    "fences",
    FenceSpec,
    FenceStatus,
    Scope.NAMESPACED,
    "A fence.\n\n    It keeps out what should stay out.",
    columns=(
        Column("Vpc", ".spec.vpc"),
        Column("Big", ".spec.big", "integer", priority=1, description="how big"),
        Column.condition("Ready"),
    ),
    short_names=("fe",),
    age_column=True,
)
GATE: Kind[OptionalSpec, FenceStatus] = Kind(
    "Gate", "gates", OptionalSpec, FenceStatus, Scope.CLUSTER, "A gate.", columns=(Column("CIDR", ".spec.cidr"),)
)
POD: Kind[OptionalSpec, FenceStatus] = Kind(
    "Pod", "pods", OptionalSpec, FenceStatus, Scope.NAMESPACED, "A Pod.", group="", version="v1", foreign=True
)

Schema = dict[str, Any]


def version_of(kind: Kind[Any, Any]) -> Schema:
    (version,) = crd(kind)["spec"]["versions"]
    assert isinstance(version, dict)
    return version


def schema_of(kind: Kind[Any, Any]) -> Schema:
    schema = version_of(kind)["schema"]["openAPIV3Schema"]
    assert isinstance(schema, dict)
    return schema


def spec_field(name: str) -> Schema:
    found = schema_of(FENCE)["properties"]["spec"]["properties"][name]
    assert isinstance(found, dict)
    return {key: value for key, value in found.items() if key != "description"}


def nodes(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from nodes(inner, f"{path}.{name}")
    for key in ("items", "additionalProperties"):
        if key in schema:
            yield from nodes(schema[key], f"{path}[{key}]")


@pytest.mark.parametrize("kind", [FENCE, GATE], ids=["fence", "gate"])
def test_schemas_are_structural(kind: Kind[Any, Any]) -> None:
    """Every node says what it is, and says nothing that only another type may say."""
    allowed = {
        "object": {"properties", "additionalProperties", "required", "x-kubernetes-map-type"},
        "array": {"items", "minItems", "maxItems", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"},
        "string": {"minLength", "maxLength", "pattern", "enum", "format"},
        "integer": {"minimum", "maximum", "format"},
        "number": {"minimum", "maximum", "format"},
        "boolean": set[str](),
    }
    anywhere = {"type", "description", "default", "nullable", "x-kubernetes-validations"}
    for path, node in nodes(schema_of(kind)):
        if node.get("x-kubernetes-int-or-string"):
            assert node["anyOf"] == [{"type": "integer"}, {"type": "string"}], path
        elif not node.get("x-kubernetes-preserve-unknown-fields"):
            assert set(node) <= allowed[node["type"]] | anywhere, path
            assert set(node.get("required", [])) <= set(node.get("properties", {})), path
            assert node["type"] != "array" or "items" in node, path


def test_a_definition_has_the_names_of_its_kind() -> None:
    """Group, names, scope and the status subresource are those of the Kind."""
    definition = crd(FENCE)
    assert definition["metadata"]["name"] == "fences.juneau.loutres.me"
    assert definition["spec"]["scope"] == "Namespaced"
    assert definition["spec"]["names"] == {
        "kind": "Fence",
        "listKind": "FenceList",
        "plural": "fences",
        "singular": "fence",
        "shortNames": ["fe"],
    }
    version = version_of(FENCE)
    assert (version["name"], version["served"], version["storage"]) == ("v1alpha1", True, True)
    assert version["subresources"] == {"status": {}}


def test_columns_are_those_of_the_table() -> None:
    """kubectl prints from an API server what Juneau prints itself."""
    assert version_of(FENCE)["additionalPrinterColumns"] == [
        {"name": "Vpc", "type": "string", "jsonPath": ".spec.vpc"},
        {"name": "Big", "type": "integer", "jsonPath": ".spec.big", "priority": 1, "description": "how big"},
        {"name": "Ready", "type": "string", "jsonPath": '.status.conditions[?(@.type=="Ready")].status'},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]


def test_descriptions_are_docstrings_and_marks() -> None:
    """What the code says about a field, `kubectl explain` says too."""
    schema = schema_of(FENCE)
    spec = schema["properties"]["spec"]
    assert schema["description"] == "A fence.\n\nIt keeps out what should stay out."
    assert spec["description"] == "What a fence is made of."
    assert spec["properties"]["vpc"]["description"] == "the Vpc"
    assert spec["properties"]["parts"]["items"]["description"] == "A part of a fence."


def test_fields_without_default_are_required() -> None:
    """Required is what the types require, and a spec that requires something is required itself."""
    schema = schema_of(FENCE)
    assert schema["required"] == ["spec"]
    assert schema["properties"]["spec"]["required"] == ["vpc"]
    assert spec_field("part")["required"] == ["name"]


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("strategy", {"type": "string", "enum": ["firstFit", "random"], "default": "firstFit"}),
        ("big", {"type": "integer", "format": "int64", "minimum": 1, "default": 1}),
        ("ratio", {"type": "number", "format": "double"}),
        ("open", {"type": "boolean"}),
        ("colour", {"type": "string", "enum": ["red", "blue"], "default": "red"}),
        (
            "protocol",
            {
                "anyOf": [{"type": "integer"}, {"type": "string"}],
                "x-kubernetes-int-or-string": True,
                "default": "all",
            },
        ),
        ("names", {"type": "array", "items": {"type": "string", "minLength": 1}, "x-kubernetes-list-type": "set"}),
        ("tags", {"type": "object", "additionalProperties": {"type": "string"}}),
        ("extra", {"type": "object", "additionalProperties": {"x-kubernetes-preserve-unknown-fields": True}}),
        ("anything", {"x-kubernetes-preserve-unknown-fields": True}),
        ("expires", {"type": "string", "format": "date-time"}),
    ],
)
def test_types_and_marks_are_said_in_openapi(name: str, schema: Schema) -> None:
    """Each type has its schema, with the bounds of its mark and a default that says something."""
    assert spec_field(name) == schema


def test_bounds_of_nested_fields_are_said() -> None:
    """Marks inside nested classes count, in lists too."""
    for part in (spec_field("part"), spec_field("parts")["items"]):
        name, height = part["properties"]["name"], part["properties"]["height"]
        assert (name["minLength"], name["maxLength"], name["pattern"]) == (1, 63, "^[a-z]+$")
        assert (height["format"], height["minimum"], height["maximum"]) == ("int32", 0, 4096)
    assert (spec_field("parts")["minItems"], spec_field("parts")["maxItems"]) == (1, 8)


def test_sets_of_objects_compare_whole_objects() -> None:
    """An API server takes a set of objects only where these are atomic."""
    pairs = spec_field("pairs")
    assert pairs["x-kubernetes-list-type"] == "set"
    assert pairs["items"]["x-kubernetes-map-type"] == "atomic"


def test_nullable_is_said_where_the_mark_says_it() -> None:
    """Null is kept apart from absent for such fields only."""
    nullable = [
        name for name, node in schema_of(FENCE)["properties"]["spec"]["properties"].items() if "nullable" in node
    ]
    assert nullable == ["egress"]


def test_conditions_are_keyed_by_type() -> None:
    """Two writers of different conditions do not overwrite each other."""
    conditions = schema_of(FENCE)["properties"]["status"]["properties"]["conditions"]
    assert (conditions["x-kubernetes-list-type"], conditions["x-kubernetes-list-map-keys"]) == ("map", ["type"])


def test_required_immutable_fields_keep_their_value() -> None:
    """A field that is always there is compared with what it was."""
    rule = {"rule": "self == oldSelf", "message": IMMUTABLE}
    assert spec_field("vpc")["x-kubernetes-validations"] == [rule]
    assert spec_field("part")["properties"]["name"]["x-kubernetes-validations"] == [rule]


def test_optional_immutable_fields_neither_come_nor_go() -> None:
    """The parent's rule sees a field that is added or removed."""
    rules = schema_of(FENCE)["properties"]["spec"]["x-kubernetes-validations"]
    assert [rule["fieldPath"] for rule in rules] == [".cidr", ".fixed"]
    assert rules[0]["rule"] == ("has(self.cidr) == has(oldSelf.cidr) && (!has(self.cidr) || self.cidr == oldSelf.cidr)")
    assert schema_of(GATE)["properties"]["spec"]["default"] == {}


def test_words_of_cel_are_escaped() -> None:
    """A field whose name CEL reserves is written the way CEL wants it."""
    (rule,) = spec_field("part")["x-kubernetes-validations"]
    assert rule["fieldPath"] == ".namespace"
    assert rule["rule"].startswith("has(self.__namespace__) == has(oldSelf.__namespace__) && ")


def test_rules_stand_only_where_an_api_server_can_follow_a_value() -> None:
    """Items of lists, what is immutable as a whole, and status have no rules of their own."""
    for name in ("parts", "pairs", "egress", "fixed"):
        assert "x-kubernetes-validations" not in repr(spec_field(name))
    assert "x-kubernetes-validations" not in repr(schema_of(FENCE)["properties"]["status"])


def test_all_own_kinds_are_printed() -> None:
    """The file has the definition of each of Juneau's own Kinds, by name."""
    registry = Registry()
    for kind in (POD, GATE, FENCE):
        registry.add(kind)
    assert list(yaml.safe_load_all(crds_yaml(registry))) == [crd(FENCE), crd(GATE)]


@frozen
class OddSpec:
    """A union that no CRD can say."""

    odd: bool | str = ""


def test_what_a_crd_cannot_say_is_refused() -> None:
    """A type without a schema is a programmer's mistake, told at once."""
    odd: Kind[OddSpec, FenceStatus] = Kind("Odd", "odds", OddSpec, FenceStatus, Scope.CLUSTER, "Odd.")
    with pytest.raises(TypeError, match="a CRD cannot say"):
        crd(odd)
