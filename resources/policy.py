"""Rules are accepted and kept, but no dataplane filters packets by them yet: whoever names some says so loudly."""

from __future__ import annotations

from collections.abc import Mapping

from juneau.engine.objects import AnyObject, condition
from juneau.engine.outcome import Note

POLICY_ENFORCED = "PolicyEnforced"


def not_enforced(obj: AnyObject, policy: str) -> Mapping[str, tuple[bool, str, str]]:
    """The condition that tells an owner that what it names, such as `NetworkACL edge`, filters nothing yet.

    With an empty `policy`, what was said before is taken back.
    """
    if policy:
        return {POLICY_ENFORCED: (False, "NotEnforcedYet", _not_enforced_message(policy))}
    if condition(obj, POLICY_ENFORCED) is not None:
        return {POLICY_ENFORCED: (True, "NothingToEnforce", "")}
    return {}


def not_enforced_notes(policy: str) -> tuple[Note, ...]:
    """The same as an Event."""
    return (Note("Warning", "PolicyNotEnforced", _not_enforced_message(policy)),) if policy else ()


def _not_enforced_message(policy: str) -> str:
    return f"{policy} is not enforced: this version of Juneau does not filter packets yet, all of them pass"


def named_acl(name: str) -> str:
    """A network's NetworkACL as `not_enforced` wants it; empty where it names none."""
    return f"NetworkACL {name}" if name else ""
