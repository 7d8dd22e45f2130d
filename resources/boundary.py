"""What stands at the boundary of a network: the RouteTable and the NetworkACL that it names, and how they fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from attrs import frozen

from juneau.engine.errors import Cause, Violation
from juneau.engine.fields import Mark
from juneau.engine.objects import AnyObject
from juneau.engine.world import Reader
from juneau.resources import routetable
from juneau.resources.rules import ACLS


@frozen
class ResolvedACL:
    """A NetworkACL at the time a network resolved it; `aclID` 0 means that it is missing or has no number yet."""

    name: Annotated[str, Mark("name of the NetworkACL")] = ""
    acl_id: Annotated[int, Mark("number that the dataplane writes at the boundary", json="aclID", always=True)] = 0
    ruleset_version: Annotated[int, Mark("version of the rules at resolution", always=True)] = 0


def table_violations(name: str, vpc_name: str, field: str, world: Reader) -> Iterator[Violation]:
    """A RouteTable that is named has to exist, in the same Vpc."""
    table = world.get_spec(routetable.KIND, name)
    if table is None:
        yield Violation(field, "no such RouteTable", Cause.NOT_FOUND, name, settled=False)
    elif table.spec.vpc != vpc_name:
        yield Violation(field, f"belongs to Vpc {table.spec.vpc}, not to Vpc {vpc_name}", value=name)


def acl_violations(obj: AnyObject, name: str, vpc: str, world: Reader) -> Iterator[Violation]:
    """A NetworkACL that is named has to exist, in the same Vpc."""
    if not name or obj.deleting:
        return
    found = world.values(ACLS, name)
    if not found:
        yield Violation("spec.networkACL", "no such NetworkACL", Cause.NOT_FOUND, name, settled=False, audit_only=True)
    elif found[0].vpc != vpc:
        why = f"belongs to Vpc {found[0].vpc}; a NetworkACL of Vpc {vpc} is needed"
        yield Violation("spec.networkACL", why, value=name, audit_only=True)


def resolved_acl(name: str, world: Reader) -> ResolvedACL | None:
    """The status of a network's ACL; None where it names none."""
    if not name:
        return None
    found = world.values(ACLS, name)
    return ResolvedACL(name, found[0].acl_id, found[0].ruleset_version) if found else ResolvedACL(name)
