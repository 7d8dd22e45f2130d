"""Names made of names, and the syntax of names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

_DNS_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL = re.compile(_DNS_LABEL)
_SUBDOMAIN = re.compile(rf"{_DNS_LABEL}(\.{_DNS_LABEL})*")
_LONGEST_NAME = 253
_SEPARATOR = "--"
_DIGITS = 8  # of the digest that tells long names apart


def is_dns_label(text: str) -> bool:
    """Whether text is a DNS-1123 label: at most 63 of a-z, 0-9 and inner dashes."""
    return len(text) <= 63 and _LABEL.fullmatch(text) is not None


def is_dns_subdomain(text: str) -> bool:
    """Whether text is a DNS-1123 subdomain: labels joined by dots, at most 253 characters."""
    return len(text) <= _LONGEST_NAME and _SUBDOMAIN.fullmatch(text) is not None


def joined_name(parts: Sequence[str], owner: Sequence[str], separator: str = _SEPARATOR) -> str:
    """One object name out of several; `owner` are those parts that users chose.

    Parts are lower-cased, what a name may not contain becomes a dash.
    Where that, a separator within an owner's name, or the length could make two owners' names one, 8 hex digits of the
    SHA-256 of the original parts are added.
    """
    name = separator.join(_cleaned(part) for part in parts if part)
    ambiguous = any(separator in part or _cleaned(part) != part for part in owner)
    if ambiguous or len(name) > _LONGEST_NAME:
        return _cut(name, "\0".join(parts))
    return name


def prefixed_name(prefix: str, name: str) -> str:
    """The name of what belongs to one object: a fixed prefix and the object's name, cut where that is too long."""
    whole = f"{prefix}{name}"
    return whole if len(whole) <= _LONGEST_NAME else _cut(whole, whole)


def claim_name(pool: str, kind: str, namespace: str, name: str, attribute: str) -> str:
    """The name of the claim for one field of one object: an owner never gets two values for a field."""
    return joined_name((pool, kind, namespace, name, attribute), owner=(namespace, name))


def stable_mac(uid: str, use: str) -> str:
    """A locally administered unicast MAC out of an object's UID and a use: random to look at, the same every time."""
    digest = bytearray(hashlib.sha256(f"{uid}/{use}".encode()).digest()[:6])
    digest[0] = digest[0] & 0xFC | 0x02
    return ":".join(f"{octet:02x}" for octet in digest)


def _cut(name: str, original: str) -> str:
    """A name with room made for a digest of what it stands for."""
    digest = hashlib.sha256(original.encode()).hexdigest()[:_DIGITS]
    return f"{name[: _LONGEST_NAME - _DIGITS - 1].rstrip('-.')}-{digest}"


def _cleaned(part: str) -> str:
    return re.sub(r"[^a-z0-9-]", "-", part.lower()).strip("-.")
