"""Reading addresses: what is one is read, what is none is None, and a fault says what to write instead."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.addresses import ipv4, ipv4_network, ipv4_prefix, is_ipv6_prefix, prefix_fault

addresses = st.integers(0, 2**32 - 1).map(IPv4Address)


@given(addresses, st.integers(0, 32))
def test_what_is_written_is_read_back(address: IPv4Address, length: int) -> None:
    """Host bits stay in a prefix and are cleared in a network."""
    assert ipv4(str(address)) == address
    prefix = ipv4_prefix(f"{address}/{length}")
    assert prefix == IPv4Interface(f"{address}/{length}")
    assert ipv4_network(f"{address}/{length}") == IPv4Network(f"{address}/{length}", strict=False)
    assert prefix_fault(f"{address}/{length}") is None


@given(st.text(max_size=50))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing raises, and each text is either a prefix or has a fault."""
    address = ipv4(text)
    assert address is None or str(address) == text
    assert (ipv4_prefix(text) is None) == (prefix_fault(text) is not None)
    assert ipv4_prefix(text) is None or not is_ipv6_prefix(text)


@pytest.mark.parametrize(
    "text",
    ["10.0.0.1", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/255.255.255.0", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.0/24 ",
     " 10.0.0.0/24", "10.0.0/24", "10.0.0.0.0/24", "010.0.0.0/24", "10.0.0.0/٢٤", "10.0.0.0/24/24", "::/0", ""],
)  # fmt: skip
def test_what_is_nearly_a_prefix_is_none(text: str) -> None:
    """The length is there, as a plain number without leading zeros; masks and blanks are not read."""
    assert ipv4_prefix(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10.0.1.5", '"10.0.1.5/24"'),
        ("fd00::/64", "IPv6 is not supported"),
        ("lan", '"10.0.1.0/24"'),
    ],
)
def test_a_fault_says_what_to_write_instead(text: str, words: str) -> None:
    """An address without a length, an IPv6 prefix, and anything else."""
    assert words in (prefix_fault(text) or "")
