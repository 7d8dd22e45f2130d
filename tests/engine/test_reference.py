"""The reference page: what it says of columns, required fields and phases is what people meet."""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import evolve, frozen

from juneau.engine.kind import AnyKind, Registry
from juneau.engine.objects import Time
from juneau.engine.reference import reference_page
from juneau.engine.schema import crd
from juneau.engine.table import render
from juneau.resources import registry

KINDS = sorted((kind for kind in registry() if not kind.foreign), key=lambda kind: kind.name)
EACH = pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])


@frozen
class Nothing:
    """A spec without fields: a table's header does not depend on them."""


def section(kind: AnyKind) -> str:
    alone = Registry()
    alone.add(kind)
    return reference_page(alone)


def rows_of(kind: AnyKind, part: str) -> dict[str, list[str]]:
    """The rows of one of its two tables by the field; what lies inside of fields is left out."""
    table = section(kind).partition(f"| {part} | type | default | meaning |\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[1:]]
    return {row[0].strip("`").removesuffix("[]"): row[1:] for row in rows if "." not in row[0]}


def header(kind: AnyKind, output: str) -> list[str]:
    """The header of a printed table."""
    bare: AnyKind = evolve(kind, spec=Nothing)
    return re.split(" {3,}", render(bare, [bare.new("x", Nothing())], output, Time(0.0)).splitlines()[0])


def schema_of(kind: AnyKind, part: str) -> dict[str, Any]:
    (version,) = crd(kind)["spec"]["versions"]
    schema: dict[str, Any] = version["schema"]["openAPIV3Schema"]["properties"][part]
    return schema


@EACH
def test_columns_are_those_of_a_printed_table(kind: AnyKind) -> None:
    """Also the age of a Kind that names no columns, and those that only `-o wide` shows, which are marked."""
    told = re.search(r"^Columns: (.*)\.$", section(kind), re.MULTILINE)
    assert told is not None
    columns = told[1].split(", ")
    assert [column.removesuffix(" (wide)") for column in columns] == header(kind, "wide")
    assert [column for column in columns if not column.endswith(" (wide)")] == header(kind, "table")


@EACH
def test_a_field_is_required_where_it_says_so_and_nowhere_else(kind: AnyKind) -> None:
    """An optional field may have an empty default."""
    required = [name for name, cells in rows_of(kind, "spec").items() if cells[1] == "required"]
    assert required == schema_of(kind, "spec").get("required", [])


@EACH
def test_phases_are_those_of_the_machine(kind: AnyKind) -> None:
    """Page and CRD list them, with that of an object which cannot go on; one that has none yet is as it should be."""
    machine = kind.controller.machine if kind.controller is not None else None
    assert machine is not None
    phase = schema_of(kind, "status")["properties"]["phase"]
    assert set(phase["enum"]) == {*(found.value for found in machine.phases), kind.failed_phase}
    assert f"(one of {', '.join(phase['enum'])})" in rows_of(kind, "status")["phase"][2]
    assert "phase" not in schema_of(kind, "status").get("required", [])


def test_phases_differ_from_kind_to_kind() -> None:
    """In the words of each, in their order."""
    kinds = registry()
    assert kinds["ElasticIP"].phases == ("Pending", "Available", "Attached", "Failed")
    assert kinds["ElasticIPAttachment"].phases == ("Pending", "Attached", "Failed")
    assert kinds["AllocationClaim"].phases == ("Pending", "Allocated")
    assert kinds["AllocationLease"].phases == ("Active", "Retained", "Released", "Expired", "Failed")
    assert kinds["Vpc"].phases == ("Pending", "Allocated", "Ready", "Failed")
