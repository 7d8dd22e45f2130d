"""Names made of names: readable where that is safe, and never the same for two owners."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from juneau.engine.names import claim_name, is_dns_label, is_dns_subdomain, joined_name, prefixed_name, stable_mac

label = st.from_regex(r"[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)
subdomain = st.lists(label, min_size=1, max_size=3).map(".".join)
# Names that only just differ: what they are made of is what names are joined with.
near = st.text("a-.", min_size=1, max_size=7).filter(is_dns_subdomain)
namespaces = st.one_of(st.just(""), label, near.filter(is_dns_label))
owners = st.tuples(namespaces, st.one_of(subdomain, near))


@given(owners, owners)
@example(("", "a.b"), ("", "a-b"))
@example(("a", "b--c"), ("a--b", "c"))
@example(("", "a--b"), ("a", "b"))
@example(("default", "p.eth0"), ("default", "p-eth0"))
def test_two_owners_never_share_a_claim(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Whatever their namespaces and names are, claims for one field of one Kind have different names."""
    names = [claim_name("pool", "NetworkInterface", *owner, "status.address") for owner in (one, other)]
    assert (names[0] == names[1]) == (one == other)


@given(owners, owners)
def test_two_owners_never_share_a_reservation(one: tuple[str, str], other: tuple[str, str]) -> None:
    """The same holds for the reuse keys of identities."""
    names = [joined_name(("pool", *owner), owner=owner) for owner in (one, other)]
    assert (names[0] == names[1]) == (one == other)


@given(st.lists(st.text(max_size=300), min_size=1, max_size=4))
def test_a_joined_name_is_a_name_of_kubernetes(parts: list[str]) -> None:
    """Whatever it is made of, where anything is left of it, and at any length."""
    name = joined_name(("pool", *parts), owner=parts)
    assert is_dns_subdomain(name)


@given(label, label)
def test_a_plain_name_stays_readable(pool: str, name: str) -> None:
    """Where nothing is replaced and nothing is ambiguous, no digits are added."""
    if "--" not in name:
        assert claim_name(pool, "Subnet", "", name, "status.vni") == f"{pool}--subnet--{name}--status-vni"


def test_the_documented_example() -> None:
    """As the allocation page writes it."""
    assert claim_name("subnet-vni", "Subnet", "", "billing-db", "status.vni") == (
        "subnet-vni--subnet--billing-db--status-vni"
    )


def test_long_names_are_cut_and_told_apart() -> None:
    """Two names that differ only beyond the cut get different digits."""
    names = {claim_name("p", "Subnet", "", "x" * 250 + end, "status.vni") for end in "ab"}
    assert len(names) == 2
    assert all(len(name) <= 253 and is_dns_subdomain(name) for name in names)


@pytest.mark.parametrize(
    ("text", "is_label", "is_subdomain"),
    [
        ("", False, False),
        ("a", True, True),
        ("a.b", False, True),
        ("-a", False, False),
        ("a-", False, False),
        ("A", False, False),
        ("a..b", False, False),
        ("a.", False, False),
        ("é", False, False),
        ("a\n", False, False),
        ("x" * 63, True, True),
        ("x" * 64, False, True),
        (".".join(["x" * 63] * 4)[:253], False, True),
        ("x" * 254, False, False),
    ],
)
def test_the_syntax_of_names(text: str, is_label: bool, is_subdomain: bool) -> None:
    """Labels and subdomains as DNS has them, to the character."""
    assert (is_dns_label(text), is_dns_subdomain(text)) == (is_label, is_subdomain)


@given(st.text(max_size=40), st.sampled_from(["gateway", "dns", "node"]))
def test_a_mac_is_locally_administered_unicast(uid: str, use: str) -> None:
    """And the same every time, and another for another use."""
    mac = stable_mac(uid, use)
    assert re.fullmatch(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", mac)
    assert int(mac[:2], 16) & 0b11 == 0b10
    assert mac == stable_mac(uid, use)
    assert mac != stable_mac(uid, f"{use}-other")


@given(st.text("abcdefghij.-", min_size=1, max_size=253).filter(is_dns_subdomain))
def test_a_prefix_is_put_before_a_name_that_leaves_room_for_it(name: str) -> None:
    """Else the whole is cut and told apart by a digest; it is a name either way."""
    made = prefixed_name("subnet-ip-", name)
    assert is_dns_subdomain(made)
    assert (made == f"subnet-ip-{name}") == (len(name) <= 243)
