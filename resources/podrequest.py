"""What a Pod asks for in its annotations, as a list of NICs: eth0 first, then the others in order.

Reading needs no cluster: the rules POD-1 to POD-21 are judged here, and only when they hold those of
`resources.podadmission`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from attrs import frozen

from juneau.engine.addresses import ipv4
from juneau.engine.errors import Cause, Violation
from juneau.engine.names import is_dns_label, is_dns_subdomain
from juneau.resources.grouprefs import name_violations
from juneau.resources.networks import DEFAULT_SUBNET
from juneau.resources.nicspec import FIRST_INTERFACE

PREFIX = "juneau.loutres.me/"
SUBNET = f"{PREFIX}subnet"
ADDRESS = f"{PREFIX}address"
SECURITY_GROUPS = f"{PREFIX}security-groups"
ELASTIC_IP = f"{PREFIX}elastic-ip"
NETWORKS = f"{PREFIX}networks"
DNS_INJECT_SKIP = f"{PREFIX}dns-inject-skip"
# All of Juneau's annotations on a Pod, those of the probes included, which nothing here reads.
KNOWN = (
    SUBNET,
    ADDRESS,
    SECURITY_GROUPS,
    ELASTIC_IP,
    NETWORKS,
    DNS_INJECT_SKIP,
    f"{PREFIX}probe-rewrite-version",
    f"{PREFIX}probe-configs",
)

LOOPBACK = "lo"
LONGEST_INTERFACE = 8
_LONGEST_ANNOTATION = 256 * 1024  # Kubernetes' own limit for all annotations together
_TEXT_FIELDS = ("interface", "subnet", "l2Network", "elasticIP", "address")
_NETWORK_FIELDS = ("subnet", "l2Network", "elasticIP")
_EXAMPLE = '[{"interface": "eth1", "subnet": "web"}]'


@frozen
class NICRequest:
    """One NIC that a Pod asks for; exactly one of subnet, l2_network and elastic_ip is set.

    `field` is where it stands; `entry` tells an entry of the list from the annotations that describe eth0.
    """

    interface: str
    field: str
    subnet: str = ""
    l2_network: str = ""
    elastic_ip: str = ""
    address: str = ""
    security_groups: tuple[str, ...] = ()
    entry: bool = True

    @property
    def groups_field(self) -> str:
        """Where a problem with the SecurityGroups is told."""
        return f"{self.field}.securityGroups" if self.entry else _at(SECURITY_GROUPS)

    @property
    def address_field(self) -> str:
        """Where a problem with the address is told."""
        return f"{self.field}.address" if self.entry else _at(ADDRESS)

    @property
    def network_field(self) -> str:
        """Where a problem with the network is told."""
        if not self.entry:
            return self.field
        name = "subnet" if self.subnet else "l2Network" if self.l2_network else "elasticIP"
        return f"{self.field}.{name}"


@frozen
class PodRequest:
    """All NICs of a Pod, or what is wrong with its annotations."""

    nics: tuple[NICRequest, ...] = ()
    violations: tuple[Violation, ...] = ()


def _at(annotation: str) -> str:
    return f"metadata.annotations[{annotation}]"


def read_request(annotations: Mapping[str, str]) -> PodRequest:
    """The NICs that these annotations ask for."""
    strange = tuple(_unknown_annotations(annotations))
    if strange:
        return PodRequest(violations=strange)
    entries, broken = _entries(annotations.get(NETWORKS, ""))
    if broken is not None:
        return PodRequest(violations=(broken,))
    unknown = tuple(_unknown_fields(entries))
    if unknown:
        return PodRequest(violations=unknown)
    violations = [violation for place, entry in enumerate(entries) for violation in _entry_violations(place, entry)]
    violations.extend(_duplicate_interfaces(entries))
    has_first = any(entry.get("interface") == FIRST_INTERFACE for entry in entries)
    violations.extend(_first_violations(annotations, has_first))
    if violations:
        return PodRequest(violations=tuple(violations))
    nics = [_from_entry(place, entry) for place, entry in enumerate(entries)]
    if not has_first:
        nics.insert(0, _from_annotations(annotations))
    nics.sort(key=lambda nic: nic.interface != FIRST_INTERFACE)
    return PodRequest(tuple(nics), tuple(_shared_elastic_ips(nics)))


def _unknown_annotations(annotations: Mapping[str, str]) -> Iterator[Violation]:
    """A slip in a key would else put the Pod where nobody asked for it, without a word."""
    for key in annotations:
        if key.startswith(PREFIX) and key not in KNOWN:
            yield Violation(_at(key), f"unknown annotation; {_suggestion(key, KNOWN)}", Cause.FORBIDDEN)


def _suggestion(name: str, known: Sequence[str]) -> str:
    """The known name that is meant, or all of them."""
    lower = {one.lower().removeprefix(PREFIX): one for one in known}
    near = get_close_matches(name[:128].lower().removeprefix(PREFIX), lower, 1)
    return f'did you mean "{lower[near[0]]}"?' if near else f"known are {', '.join(known)}"


def _entries(text: str) -> tuple[list[dict[str, object]], Violation | None]:
    """POD-1."""
    if not text.strip():
        return [], None
    field = _at(NETWORKS)
    if len(text) > _LONGEST_ANNOTATION:
        return [], Violation(field, "longer than 256 KiB", Cause.TOO_MANY)
    try:
        parsed: object = json.loads(text, object_pairs_hook=_fields)
        # An escape can stand for half a character, which no message about it could be written with.
        json.dumps(parsed, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        why = f"must be one JSON array of entries, such as {_EXAMPLE}: {error}{_probable_cause(text)}"
        return [], Violation(field, why, value=text)
    if parsed is None:
        return [], None
    if not isinstance(parsed, list):
        return [], Violation(field, f"must be a JSON array of entries, such as {_EXAMPLE}", value=text)
    items = cast("list[object]", parsed)
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            return [], Violation(f"{field}[{place}]", "must be a JSON object", value=json.dumps(item))
    return cast("list[dict[str, object]]", items), None


def _probable_cause(text: str) -> str:
    """What people most often overlook in JSON."""
    if "'" in text and '"' not in text:
        return "; JSON takes double quotes, not single ones"
    if re.search(r",\s*[]}]", text):
        return "; probably the comma before a closing bracket is one too many"
    return ""


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; of a key that is given twice nobody could say which one counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"the key {json.dumps(twice)} stands twice in one entry")
    return found


def _unknown_fields(entries: list[dict[str, object]]) -> Iterator[Violation]:
    """POD-2; a field of the wrong JSON type is told at once, too, since nothing else can be judged then."""
    for place, entry in enumerate(entries):
        at = f"{_at(NETWORKS)}[{place}]"
        for name, value in entry.items():
            if name in _TEXT_FIELDS:
                if value is not None and not isinstance(value, str):
                    yield Violation(f"{at}.{name}", "must be a string", value=json.dumps(value))
            elif name == "securityGroups":
                items = cast("list[object]", value) if isinstance(value, list) else None
                if value is not None and (items is None or not all(isinstance(item, str) for item in items)):
                    yield Violation(f"{at}.{name}", "must be a list of strings", value=json.dumps(value))
            else:
                why = f"unknown field; {_suggestion(name, (*_TEXT_FIELDS, 'securityGroups'))}"
                yield Violation(f"{at}.{name[:64]}", why, value=name)


def _text(entry: Mapping[str, object], name: str) -> str:
    value = entry.get(name)
    return value if isinstance(value, str) else ""


def _groups(entry: Mapping[str, object]) -> tuple[str, ...]:
    value = entry.get("securityGroups")
    return tuple(str(item) for item in cast("list[object]", value)) if isinstance(value, list) else ()


def _entry_violations(place: int, entry: Mapping[str, object]) -> Iterator[Violation]:
    at = f"{_at(NETWORKS)}[{place}]"
    yield from _interface_violations(_text(entry, "interface"), f"{at}.interface")
    named = [name for name in _NETWORK_FIELDS if _text(entry, name)]
    if not named:  # POD-7
        yield Violation(at, "names a network: set one of subnet, l2Network and elasticIP", Cause.REQUIRED)
    if len(named) > 1:  # POD-8
        why = f"only one of subnet, l2Network and elasticIP may be set, and {named[0]} is"
        yield Violation(f"{at}.{named[1]}", why, value=_text(entry, named[1]))
    for name in named:
        if not is_dns_subdomain(_text(entry, name)):  # POD-9
            yield Violation(f"{at}.{name}", "must be a DNS-1123 subdomain", value=_text(entry, name))
    address, groups = _text(entry, "address"), _groups(entry)
    if address and ipv4(address) is None:  # POD-10
        yield Violation(f"{at}.address", "must be an IPv4 address", value=address)
    yield from name_violations(groups, f"{at}.securityGroups")  # POD-11 to POD-13
    if _text(entry, "elasticIP"):
        if address:  # POD-14
            why = "the ElasticIP has the address, and the NIC cannot choose another; leave address out"
            yield Violation(f"{at}.address", why, Cause.FORBIDDEN)
        if groups:  # POD-15
            why = "a NIC on an ElasticIP is in no Vpc, so no SecurityGroup can be attached; leave securityGroups out"
            yield Violation(f"{at}.securityGroups", why, Cause.FORBIDDEN)


def _interface_violations(name: str, field: str) -> Iterator[Violation]:
    if not name:  # POD-3
        yield Violation(field, "the name of the interface in the Pod, such as eth1", Cause.REQUIRED)
        return
    if len(name) > LONGEST_INTERFACE:  # POD-4
        yield Violation(field, f"must have at most {LONGEST_INTERFACE} characters", value=name)
    if not is_dns_label(name):  # POD-5
        yield Violation(field, "must be a DNS-1123 label, such as eth1", value=name)
    if name == LOOPBACK:
        yield Violation(field, "is the Pod's loopback; choose another name, such as eth1", value=name)


def _duplicate_interfaces(entries: list[dict[str, object]]) -> Iterator[Violation]:
    """POD-6."""
    seen: dict[str, int] = {}
    for place, entry in enumerate(entries):
        name = _text(entry, "interface")
        if name and seen.setdefault(name, place) != place:
            field = f"{_at(NETWORKS)}[{place}].interface"
            yield Violation(field, f"entry {seen[name]} has it already", Cause.DUPLICATE, name)


def _first_violations(annotations: Mapping[str, str], has_entry: bool) -> Iterator[Violation]:
    """POD-16 to POD-19, and that an address is one."""
    if has_entry:
        for key in (SUBNET, ADDRESS, SECURITY_GROUPS, ELASTIC_IP):
            if key in annotations:
                why = f"the annotation {NETWORKS} describes {FIRST_INTERFACE} already"
                yield Violation(_at(key), why, Cause.FORBIDDEN)
        return
    if ELASTIC_IP in annotations:
        name = annotations[ELASTIC_IP]
        if not name:
            yield Violation(_at(ELASTIC_IP), "names an ElasticIP", Cause.REQUIRED)
        elif not is_dns_subdomain(name):
            yield Violation(_at(ELASTIC_IP), "must be a DNS-1123 subdomain", value=name)
        for key in (SUBNET, ADDRESS, SECURITY_GROUPS):
            if key in annotations:
                why = f"the annotation {ELASTIC_IP} describes {FIRST_INTERFACE} already"
                yield Violation(_at(key), why, Cause.FORBIDDEN)
        return
    address = annotations.get(ADDRESS, "")
    if address and ipv4(address) is None:
        yield Violation(_at(ADDRESS), "must be an IPv4 address", value=address)


def listed_groups(annotations: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the annotation `security-groups`: trimmed, without empty ones and repetitions, sorted."""
    names = annotations.get(SECURITY_GROUPS, "").split(",")
    return tuple(sorted({name.strip() for name in names if name.strip()}))


def _from_entry(place: int, entry: Mapping[str, object]) -> NICRequest:
    return NICRequest(
        _text(entry, "interface"),
        f"{_at(NETWORKS)}[{place}]",
        _text(entry, "subnet"),
        _text(entry, "l2Network"),
        _text(entry, "elasticIP"),
        _text(entry, "address"),
        _groups(entry),
    )


def _from_annotations(annotations: Mapping[str, str]) -> NICRequest:
    elastic_ip = annotations.get(ELASTIC_IP, "")
    if elastic_ip:
        return NICRequest(FIRST_INTERFACE, _at(ELASTIC_IP), elastic_ip=elastic_ip, entry=False)
    return NICRequest(
        FIRST_INTERFACE,
        _at(SUBNET),
        annotations.get(SUBNET, "") or DEFAULT_SUBNET,  # POD-21
        address=annotations.get(ADDRESS, ""),
        security_groups=listed_groups(annotations),
        entry=False,
    )


def _shared_elastic_ips(nics: list[NICRequest]) -> Iterator[Violation]:
    """POD-20."""
    seen: set[str] = set()
    for nic in nics:
        if nic.elastic_ip and nic.elastic_ip in seen:
            why = "another NIC of the Pod has it; an ElasticIP is one address, for one NIC"
            yield Violation(nic.network_field, why, Cause.DUPLICATE, nic.elastic_ip)
        seen.add(nic.elastic_ip)
