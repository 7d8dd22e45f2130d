"""The codec against scapy: what one builds the other reads, byte for byte."""

from __future__ import annotations

from ipaddress import IPv4Address

from hypothesis import given
from hypothesis import strategies as st
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw

from juneau.drivers.simulated import codec, vxlan

addresses = st.integers(0, 0xFFFFFFFF)
ports = st.integers(0, 0xFFFF)
octets = st.integers(0, 255)
macs = st.binary(min_size=6, max_size=6)
payloads = st.binary(max_size=80)


def text(address: int) -> str:
    return str(IPv4Address(address))


@given(macs, macs, addresses, addresses, st.sampled_from([1, 2]))
def test_arp_is_scapys(source: bytes, target: bytes, sender: int, asked: int, operation: int) -> None:
    """ARP frames are built and read as scapy does it."""
    frame = codec.build_arp(codec.Arp(operation, source, sender, target, asked), codec.BROADCAST)
    arp = ARP(op=operation, hwsrc=source.hex(":"), psrc=text(sender), hwdst=target.hex(":"), pdst=text(asked))
    assert frame == bytes(Ether(dst="ff:ff:ff:ff:ff:ff", src=source.hex(":")) / arp)
    assert codec.parse_arp(frame) == codec.Arp(operation, source, sender, target, asked)


@given(
    addresses,
    addresses,
    st.integers(0, 255),
    payloads,
    st.integers(0, 255),
    st.integers(0, 255),
    ports,
    st.integers(0, 7),
)
def test_ipv4_is_scapys(
    source: int, target: int, protocol: int, payload: bytes, ttl: int, tos: int, identification: int, flags: int
) -> None:
    """IPv4 headers with their checksum are built and read as scapy does it."""
    packet = codec.Ipv4(source, target, protocol, payload, ttl, tos, identification, flags << 13)
    built = codec.build_ipv4(packet)
    other = IP(src=text(source), dst=text(target), proto=protocol, ttl=ttl, tos=tos, id=identification, flags=flags)
    assert built == bytes(other / Raw(payload))
    assert codec.parse_ipv4(built + b"padding") == packet


@given(addresses, addresses, st.integers(2, 255), payloads)
def test_lower_ttl_keeps_the_checksum_right(source: int, target: int, ttl: int, payload: bytes) -> None:
    """A routed packet is the packet that would have been built with one less."""
    packet = codec.build_ipv4(codec.Ipv4(source, target, 17, payload, ttl))
    lowered = codec.parse_ipv4(codec.with_lower_ttl(packet))
    assert lowered is not None
    assert (lowered.ttl, lowered.source, lowered.target, lowered.payload) == (ttl - 1, source, target, payload)


@given(addresses, addresses, ports, ports, payloads)
def test_udp_is_scapys(source: int, target: int, source_port: int, target_port: int, payload: bytes) -> None:
    """UDP with its checksum is built and read as scapy does it."""
    built = codec.build_udp(source, target, codec.Udp(source_port, target_port, payload))
    whole = IP(src=text(source), dst=text(target)) / UDP(sport=source_port, dport=target_port) / Raw(payload)
    assert built == bytes(whole)[20:]
    read = codec.parse_udp(codec.Ipv4(source, target, codec.UDP, built))
    assert read == codec.Udp(source_port, target_port, payload)


@given(addresses, addresses, ports, ports, addresses, addresses, st.integers(0, 0x3F), payloads)
def test_tcp_is_scapys(
    source: int, target: int, source_port: int, target_port: int, seq: int, ack: int, flags: int, payload: bytes
) -> None:
    """TCP with its checksum is built and read as scapy does it."""
    segment = codec.Tcp(source_port, target_port, seq, ack, flags, payload)
    built = codec.build_tcp(source, target, segment)
    tcp = TCP(sport=source_port, dport=target_port, seq=seq, ack=ack, flags=flags, window=65535)
    assert built == bytes(IP(src=text(source), dst=text(target)) / tcp / Raw(payload))[20:]
    assert codec.parse_tcp(codec.Ipv4(source, target, codec.TCP, built)) == segment


@given(ports, ports, payloads, st.sampled_from([0, 8]))
def test_echo_is_scapys(identifier: int, sequence: int, payload: bytes, kind: int) -> None:
    """Echo requests and replies are built and read as scapy does it."""
    echo = codec.Echo(kind, identifier, sequence, payload)
    assert codec.build_echo(echo) == bytes(ICMP(type=kind, id=identifier, seq=sequence) / Raw(payload))
    assert codec.parse_echo(codec.build_echo(echo)) == echo


@given(addresses, addresses, macs, macs, st.integers(0, 0xFFFFFF), st.binary(min_size=14, max_size=90))
def test_vxlan_is_scapys(source: int, target: int, mac: bytes, other_mac: bytes, vni: int, inner: bytes) -> None:
    """The outer packet is scapy's, and decapsulation gives the frame back."""
    built = vxlan.encapsulate(vxlan.Outer(source, target, mac, other_mac), vni, inner)
    udp = UDP(sport=vxlan.flow_port(inner), dport=4789)
    outer = Ether(src=mac.hex(":"), dst=other_mac.hex(":")) / IP(src=text(source), dst=text(target), id=0) / udp
    assert built == bytes(outer / VXLAN(flags=8, vni=vni) / Raw(inner))
    assert len(built) - 14 == len(inner) - 14 + vxlan.OVERHEAD
    assert vxlan.decapsulate(built) == vxlan.Tunnelled(source, vni, inner)


@given(st.binary(max_size=120))
def test_parsers_never_raise(data: bytes) -> None:
    """Any bytes are a header or None."""
    codec.parse_arp(data)
    codec.parse_ipv4(data)
    codec.parse_echo(data)
    vxlan.decapsulate(data)
    vxlan.flow_port(data)
    for protocol in (codec.UDP, codec.TCP):
        packet = codec.Ipv4(1, 2, protocol, data)
        codec.parse_udp(packet)
        codec.parse_tcp(packet)


@given(st.binary(min_size=1, max_size=60))
def test_checksum_over_its_own_field_is_zero(data: bytes) -> None:
    """Whoever verifies a checksum gets zero."""
    even = data + bytes(len(data) % 2)
    assert codec.checksum(even + codec.checksum(even).to_bytes(2, "big")) == 0


def test_flow_port_tells_flows_apart_and_keeps_fragments_together() -> None:
    """Ports of one flow hash alike, of another differently, and fragments have no ports."""

    def frame(port: int, fragment: int = 0) -> bytes:
        udp = codec.build_udp(1, 2, codec.Udp(port, 53))
        return bytes(12) + codec.IPV4 + codec.build_ipv4(codec.Ipv4(1, 2, codec.UDP, udp, fragment=fragment))

    assert vxlan.flow_port(frame(1000)) == vxlan.flow_port(frame(1000))
    assert vxlan.flow_port(frame(1000)) != vxlan.flow_port(frame(1001))
    assert vxlan.flow_port(frame(1000, 0x2000)) == vxlan.flow_port(frame(1001, 3))


def test_computed_zero_checksum_of_udp_is_sent_as_ones() -> None:
    """Zero would mean that there is no checksum."""
    check = codec.build_udp(1, 2, codec.Udp(3, 4, bytes(2)))[6:8]
    built = codec.build_udp(1, 2, codec.Udp(3, 4, check))
    assert built[6:8] == b"\xff\xff"
    assert codec.parse_udp(codec.Ipv4(1, 2, codec.UDP, built)) == codec.Udp(3, 4, check)


def test_lower_ttl_is_right_for_every_checksum() -> None:
    """The carry at the end of the ones' complement is not lost."""
    for identification in range(0x10000):
        packet = codec.build_ipv4(codec.Ipv4(1, 2, 17, b"", identification=identification))
        assert codec.parse_ipv4(codec.with_lower_ttl(packet)) is not None
