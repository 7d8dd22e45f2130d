"""The rules of a SecurityGroup or a NetworkACL as a whole: what keeps them from being published, and their versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar

from attrs import evolve

from juneau.engine.errors import Cause, Violation
from juneau.engine.machine import Phase, Row
from juneau.engine.names import is_dns_subdomain
from juneau.engine.objects import AnyObject
from juneau.engine.world import Reader
from juneau.resources.belonging import VPC_NOT_FOUND, InVpc, vpc_violations
from juneau.resources.claiming import AboutClaim, claim_waits, number_is_missing, waiting_for
from juneau.resources.rows import DELETING


class AboutRules(InVpc, AboutClaim, Protocol):
    """Facts about a SecurityGroup or a NetworkACL; `faults` is what time does not heal."""

    @property
    def faults(self) -> tuple[Violation, ...]: ...


class Versioned(Protocol):
    """A status that says which rules are published."""

    @property
    def ruleset_version(self) -> int: ...

    @property
    def ruleset_digest(self) -> str: ...


VersionedT = TypeVar("VersionedT", bound=Versioned)


def home_violations(obj: AnyObject, world: Reader) -> Iterator[Violation]:
    """SG-1, SG-2, ACL-1, ACL-2: the Vpc has a name that a Vpc may have, and exists."""
    name = obj.spec.vpc
    if name and not is_dns_subdomain(name):
        yield Violation("spec.vpc", "must be the name of a Vpc, a DNS-1123 subdomain", value=name)
    elif name and not obj.deleting:
        yield from vpc_violations(name, world)


def there_are_too_many_entries(facts: AboutRules) -> bool:
    return any(found.cause is Cause.TOO_MANY for found in facts.faults)


def rules_are_invalid(facts: AboutRules) -> bool:
    return bool(facts.faults)


def allocation_failed(facts: AboutRules) -> bool:
    return number_is_missing(facts) and facts.claimed.reason == "AllocationFailed"


def _faults_message(facts: AboutRules) -> str:
    return "; ".join(map(str, facts.faults))


def first_rows(number: str) -> tuple[Row[AboutRules], ...]:
    """With these the machine begins; `number` is what the rules are known by, as messages name it."""
    return (
        DELETING,
        VPC_NOT_FOUND,
        Row(there_are_too_many_entries, Phase.FAILED, "RuleLimitExceeded", _faults_message),
        Row(rules_are_invalid, Phase.FAILED, "RulesInvalid", _faults_message),
        Row(
            allocation_failed,
            Phase.PENDING,
            "AllocationFailed",
            lambda facts: facts.claimed.waiting_for(number),
            claim_waits,
        ),
        waiting_for(number, "Allocating"),
    )


def published(status: VersionedT, digest: str) -> VersionedT:
    """The status once rules with that digest are published: a new version only where they are others than before."""
    if digest == status.ruleset_digest:
        return status
    held: Any = status
    new: VersionedT = evolve(held, ruleset_version=status.ruleset_version + 1, ruleset_digest=digest)
    return new
