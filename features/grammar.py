"""How a step's words are read: a phrase with slots, each slot of one of the types below.

    'L2Network "<name>" is <phase>'      ->  a pattern, and values of the right type

A slot is written `<type>` or `<name:type>`; what it takes is fixed by its type, so that no two phrases mean one text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Any, TypeVar

import yaml
from attrs import frozen
from pytest_bdd import step as bdd_step
from pytest_bdd.parsers import StepParser

from juneau.engine.durations import seconds_of
from juneau.engine.errors import quoted
from juneau.features.wire import Nic, read_nic, read_nics

ReadT = TypeVar("ReadT")

_MOST_DIGITS = 20
_NUMBERS = {"no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "twice": 2, "once": 1}
_UNITS = {"seconds": "s", "minutes": "m", "hours": "h"}


def _text(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _within(what: str, lowest: int, highest: int) -> Callable[[str], int]:
    """Reads a number, also as a word; one that is out of bounds is refused with them."""

    def convert(text: str) -> int:
        number = _NUMBERS.get(text)
        if number is None and len(text) <= _MOST_DIGITS:
            number = int(text, 16 if text.startswith("0x") else 10)
        if number is None or not lowest <= number <= highest:
            shown = text if len(text) <= _MOST_DIGITS else f"{text[:_MOST_DIGITS]}..."
            raise AssertionError(f"{shown} is no {what}: write a number from {lowest} to {highest}")
        return number

    return convert


def _words(text: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r",\s*|\s+and\s+", text) if part)


def _seconds(text: str) -> float:
    parts = re.fullmatch(r"([0-9.]+) ?([a-z]+)", text)
    seconds = seconds_of(parts[1] + _UNITS.get(parts[2], parts[2])) if parts is not None else None
    if seconds is None:
        raise AssertionError(f"{text} is no duration: write one of at most 100 years, such as 300 s or 24h")
    return seconds


def _bytes(text: str) -> bytes:
    if len(text) % 2:
        raise AssertionError(f"{len(text)} hexadecimal digits are no whole bytes: write two digits for each byte")
    return bytes.fromhex(text)


def _of(kind: Callable[[str], ReadT]) -> Callable[[str], ReadT]:
    """Reads an address or a prefix; one that is none is refused in one line."""

    def convert(text: str) -> ReadT:
        try:
            return kind(text)
        except ValueError as error:
            raise AssertionError(f"{text} cannot be used: {error}") from None

    return convert


def _value(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        why = getattr(error, "problem", None) or str(error)
        raise AssertionError(f"{quoted(text)} is no value as YAML has it: {why}") from None


def _target(text: str) -> str | Nic:
    """A NIC, or the text that stands there, without its quotes."""
    return read_nic(text) if re.fullmatch(_NIC, text) else text.strip('"')


@frozen
class Slot:
    """What a slot of a type takes, what becomes of it, and how the vocabulary explains it."""

    pattern: str
    convert: Callable[[str], Any]
    doc: str


_NUMBER = r"0x[0-9A-Fa-f]+|\d+"
_COUNT = r"\d+|no|one|two|three|four|five|six"
_OCTETS = r"\d{1,3}(?:\.\d{1,3}){3}"
_NAME = r"[A-Za-z0-9][\w.-]*"
_FULL_NAME = rf"(?:{_NAME}/)?{_NAME}"
_HOST = rf'(?:Pod|host|Node) "{_FULL_NAME}"'
_NIC = rf"[a-z]\w* of {_HOST}"
_MAC = r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}"

SLOTS: dict[str, Slot] = {
    "kind": Slot(r"[A-Z][A-Za-z0-9]+", str, "a Kind, such as `L2Network`"),
    "name": Slot(_FULL_NAME, str, "an object's name, or namespace/name"),
    "names": Slot(rf"{_NAME}(?:(?:, | and ){_NAME})*", _words, "names, with commas or `and` between them"),
    "path": Slot(r"(?:spec|status|metadata)\b[^\"]*", str, "a field, such as `spec.routes[0].dst`"),
    "value": Slot(
        r"\"(?:[^\"\\]|\\.)*\"|-?\d+(?:\.\d+)?|true|false|null|\[.*\]|\{.*\}",
        _value,
        "a value as YAML has it in one line",
    ),
    "text": Slot(r"(?:[^\"\\]|\\.)*", _text, 'any text; a quote in it is written `\\"`'),
    "phase": Slot(
        r"Ready|Pending|Failed|Allocated|Available|Attached",
        str,
        "`Pending`, `Allocated`, `Ready` or `Failed`, of an ElasticIP also `Available` and `Attached`",
    ),
    "truth": Slot(r"True|False|Unknown", str, "`True`, `False` or `Unknown`"),
    "duration": Slot(r"[0-9.]+ ?(?:ms|s|seconds|m|minutes|h|hours)", _seconds, "a time, such as `300 s` or `24h`"),
    "count": Slot(_COUNT, _within("number of things", 0, 2**32), "a number, also as a word up to six"),
    "few": Slot(_COUNT, _within("number of things to do", 0, 1000), "a number up to 1000, also as a word up to six"),
    "number": Slot(_NUMBER, _within("number", 0, 2**64 - 1), "a number, decimal or with 0x"),
    "mtu": Slot(_NUMBER, _within("MTU", 576, 9000), "an MTU, from 576 to 9000"),
    "port": Slot(_NUMBER, _within("port", 1, 65535), "a UDP or TCP port"),
    "ttl": Slot(_NUMBER, _within("TTL", 1, 255), "a TTL, from 1 to 255"),
    "protocol": Slot(_NUMBER, _within("IP protocol", 0, 255), "a protocol's number, from 0 to 255"),
    "ethertype": Slot(_NUMBER, _within("EtherType", 0, 0xFFFF), "an EtherType, decimal or with 0x"),
    "size": Slot(_NUMBER, _within("size", 0, 65535), "bytes, up to 65535"),
    "packet": Slot(_NUMBER, _within("size of a ping", 28, 65535), "bytes of a ping, from 28 to 65535"),
    "interface": Slot(r"[a-z]\w*", str, "an interface, such as `eth0`"),
    "address": Slot(_OCTETS, _of(IPv4Address), "an IPv4 address"),
    "prefixed": Slot(rf"{_OCTETS}/\d+", _of(IPv4Interface), "an address with its prefix length"),
    "cidr": Slot(rf"{_OCTETS}/\d+", _of(IPv4Network), "a prefix"),
    "mac": Slot(_MAC, str, "a MAC address"),
    "nic": Slot(_NIC, read_nic, '`eth1 of Pod "a"`, or `eth0 of host "vm"` for a host behind a NIC'),
    "nics": Slot(rf"{_NIC}(?:(?:, | and ){_NIC})*", read_nics, "such NICs, with commas or `and` between them"),
    "host": Slot(rf"(?:[a-z]\w* of )?{_HOST}", read_nic, '`Pod "a"`, `host "vm"`, `Node "worker-1"`, or a NIC'),
    "target": Slot(rf'"{_OCTETS}"|{_NIC}', _target, 'an address as `"10.70.4.1"`, or a NIC for the address it has'),
    "station": Slot(
        rf'"{_MAC}"|everybody|the gateway of (?:L2Network|Subnet) "{_NAME}"|{_NIC}',
        _target,
        'a MAC address as `"02:00:00:00:00:09"`, a NIC, `everybody`, or `the gateway of L2Network "x"`',
    ),
    "reason": Slot(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*", str, "a reason of the dataplane, such as `MISS_L2_ARP`"),
    "reasons": Slot(r"[A-Z][A-Z0-9_]+(?:(?:, | and )[A-Z][A-Z0-9_]+)*", _words, "several of them"),
    "table": Slot(r"[a-z][a-z0-9_]+", str, "a table, such as `l2_fdb`, or a Kind's plural or short name"),
    "flags": Slot(r"--[a-z].*", str, "flags as on a command line"),
    "node": Slot(r"[a-z0-9][a-z0-9.-]*", str, "a Node's name"),
    "hex": Slot(r"[0-9a-f]*", _bytes, "bytes in hexadecimal"),
}

_SLOT = re.compile(r"<(?:(\w+):)?(\w+)>")


class Phrase(StepParser):
    """A step's phrase; `types` are the types of its slots, by name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        pattern, position = "", 0
        for match in _SLOT.finditer(name):
            before, slot = re.escape(name[position : match.start()]), match[1] or match[2]
            pattern += f"{before}(?P<{slot}>{SLOTS[match[2]].pattern})"
            position = match.end()
        self.regex = re.compile(pattern + re.escape(name[position:]))
        self.types = {match[1] or match[2]: match[2] for match in _SLOT.finditer(name)}

    def parse_arguments(self, name: str) -> dict[str, Any] | None:
        match = self.regex.fullmatch(name)
        if match is None:
            return None
        return {slot: SLOTS[self.types[slot]].convert(text) for slot, text in match.groupdict().items()}

    def is_matching(self, name: str) -> bool:
        return self.regex.fullmatch(name) is not None


@frozen
class Entry:
    """A phrase of the vocabulary: its keyword, what it says, and the first line of what its step does."""

    keyword: str
    phrase: str
    doc: str
    module: str


VOCABULARY: list[Entry] = []

Step = Callable[[Callable[..., None]], Callable[..., None]]


def _step(keyword: str, phrase: str) -> Step:
    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        doc = (function.__doc__ or "").strip().split("\n")[0]
        VOCABULARY.append(Entry(keyword, phrase, doc, function.__module__.rpartition(".")[2]))
        # The step becomes a fixture of the module that decorates with it: this function's caller.
        bdd_step(Phrase(phrase), stacklevel=2)(function)
        return function

    return decorate


# Any step may follow any keyword; the vocabulary lists it under the one it is meant for.


def given(phrase: str) -> Step:
    """A step that makes the world what it is."""
    return _step("Given", phrase)


def when(phrase: str) -> Step:
    """A step in which something happens."""
    return _step("When", phrase)


def then(phrase: str) -> Step:
    """A step that looks."""
    return _step("Then", phrase)
