"""What a Pod's annotations ask for: whatever stands in them, an answer comes, and it can be told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juneau.resources.networks import DEFAULT_SUBNET
from juneau.resources.podrequest import (
    ADDRESS,
    ELASTIC_IP,
    NETWORKS,
    SECURITY_GROUPS,
    SUBNET,
    NICRequest,
    PodRequest,
    listed_groups,
    read_request,
)

# Text with what breaks careless readers: control characters, lone surrogates, characters beyond the first plane.
TEXT = st.text(st.characters(codec=None), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["", "eth0", "eth1", "net-1", "prod-app", "Prod", "10.90.0.9", "fd00::9", "a" * 300]) | TEXT
ENTRY = st.fixed_dictionaries(
    {},
    optional={
        "interface": NAMES | JSON,
        "subnet": NAMES | JSON,
        "l2Network": NAMES | JSON,
        "elasticIP": NAMES | JSON,
        "address": NAMES | JSON,
        "securityGroups": st.lists(NAMES, max_size=20) | JSON,
        "vlan": JSON,
    },
)
NETWORKS_TEXT = st.lists(ENTRY | JSON, max_size=4).map(json.dumps) | JSON.map(json.dumps) | TEXT
ANNOTATIONS = st.fixed_dictionaries(
    {}, optional={NETWORKS: NETWORKS_TEXT, SUBNET: NAMES, ADDRESS: NAMES, SECURITY_GROUPS: NAMES, ELASTIC_IP: NAMES}
)


def request(*entries: dict[str, Any], **annotations: str) -> PodRequest:
    keys = {"subnet": SUBNET, "address": ADDRESS, "groups": SECURITY_GROUPS, "elastic_ip": ELASTIC_IP}
    rest = {keys[name]: value for name, value in annotations.items()}
    return read_request({NETWORKS: json.dumps(entries), **rest})


@given(ANNOTATIONS)
def test_reading_never_raises(annotations: dict[str, str]) -> None:
    """Any annotations give NICs or violations, and what they say can be written down."""
    read = read_request(annotations)
    assert bool(read.nics) or bool(read.violations)
    for violation in read.violations:
        str(violation).encode()
        violation.field.encode()


@given(ANNOTATIONS)
def test_a_request_without_violations_is_sound(annotations: dict[str, str]) -> None:
    """A Pod that is accepted has eth0 first, each NIC once, and each on one network."""
    read = read_request(annotations)
    if read.violations:
        return
    names = [nic.interface for nic in read.nics]
    assert names[0] == "eth0"
    assert len(set(names)) == len(names)
    assert all(len(name) <= 8 for name in names)
    for nic in read.nics:
        assert len([name for name in (nic.subnet, nic.l2_network, nic.elastic_ip) if name]) == 1
        assert not nic.elastic_ip or not (nic.address or nic.security_groups)


@pytest.mark.parametrize("text", ["[" * 100_000, '[{"a":' * 50_000, '["' + "9" * 300_000 + '"]', "9" * 10_000])
def test_lists_that_are_too_deep_or_too_long_are_refused(text: str) -> None:
    """Nesting and length have an end, and reaching it is a violation like any other."""
    [violation] = read_request({NETWORKS: text}).violations
    assert violation.field == f"metadata.annotations[{NETWORKS}]"
    assert len(str(violation)) < 1000


def test_eth0_comes_first_and_the_others_keep_their_order() -> None:
    """Wherever eth0 stands in the list, it is the first NIC."""
    entries = [{"interface": name, "l2Network": name} for name in ("net9", "a1", "eth0", "eth1")]
    assert [nic.interface for nic in request(*entries).nics] == ["eth0", "net9", "a1", "eth1"]


def test_without_any_annotation_there_is_one_nic_on_the_default_subnet() -> None:
    """eth0 is there without being asked for."""
    [nic] = read_request({}).nics
    assert nic == NICRequest("eth0", f"metadata.annotations[{SUBNET}]", DEFAULT_SUBNET, entry=False)


def test_faults_are_told_where_they_were_written() -> None:
    """Fields of an entry lead into the list, those of eth0 to their annotation."""
    extra, first = request({"interface": "eth1", "elasticIP": "e"}, subnet="s").nics[::-1]
    assert extra.address_field == f"metadata.annotations[{NETWORKS}][0].address"
    assert extra.network_field == f"metadata.annotations[{NETWORKS}][0].elasticIP"
    assert extra.groups_field == f"metadata.annotations[{NETWORKS}][0].securityGroups"
    assert first.address_field == f"metadata.annotations[{ADDRESS}]"
    assert first.network_field == f"metadata.annotations[{SUBNET}]"
    assert first.groups_field == f"metadata.annotations[{SECURITY_GROUPS}]"


def test_a_key_that_stands_twice_is_refused() -> None:
    """Readers of JSON differ on which of two counts, so neither does."""
    text = '[{"interface": "eth1", "interface": "eth2", "subnet": "s"}]'
    request = read_request({NETWORKS: text})
    assert not request.nics
    assert [violation.field for violation in request.violations] == [f"metadata.annotations[{NETWORKS}]"]
    assert 'the key "interface" stands twice' in request.violations[0].message


@pytest.mark.parametrize(
    ("text", "names"),
    [("", ()), (" , ,", ()), ("b, a ,b", ("a", "b")), ("web", ("web",)), (" a.b ,a-b", ("a-b", "a.b"))],
)
def test_listed_groups_are_trimmed_sorted_and_named_once(text: str, names: tuple[str, ...]) -> None:
    """The annotation's list is a set."""
    assert listed_groups({SECURITY_GROUPS: text}) == names


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("subnets", "subnet"),
        ("security-group", "security-groups"),
        ("NETWORKS", "networks"),
        ("elasticip", "elastic-ip"),
    ],
)
def test_an_unknown_annotation_is_told_with_the_one_that_is_meant(key: str, meant: str) -> None:
    """A mistyped key asks for nothing, so it is not passed over."""
    (violation,) = read_request({f"juneau.loutres.me/{key}": "web"}).violations
    assert str(violation) == (
        f"metadata.annotations[juneau.loutres.me/{key}]: Forbidden: unknown annotation; "
        f'did you mean "juneau.loutres.me/{meant}"?'
    )


def test_annotations_of_others_and_of_probes_are_left_alone() -> None:
    """Only keys of Juneau's own that nobody knows are refused."""
    keys = ("example.com/subnets", "juneau.loutres.me/probe-configs", "juneau.loutres.me/probe-rewrite-version")
    assert read_request(dict.fromkeys(keys, "x")).violations == ()


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("[{'interface': 'eth1'}]", "JSON takes double quotes, not single ones"),
        ('[{"interface": "eth1", "subnet": "web"},]', "the comma before a closing bracket is one too many"),
        ('[{"interface": "eth1"', 'such as [{"interface": "eth1", "subnet": "web"}]'),
    ],
)
def test_broken_json_is_told_with_an_example_and_the_probable_cause(text: str, cause: str) -> None:
    """What Python's reader says of JSON alone helps few."""
    (violation,) = read_request({NETWORKS: text}).violations
    assert cause in violation.message
