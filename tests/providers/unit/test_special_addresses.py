"""Which addresses are public, for web pages and for model servers of owners alike."""

import pytest

from providers.http.special_addresses import is_public


@pytest.mark.parametrize(
    "address",
    [
        "93.184.215.14", "8.8.8.8", "168.63.129.15", "168.63.129.17", "192.0.1.1", "192.88.98.255",
        "223.255.255.254", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2001:4860:4860::8888",
        "::ffff:8.8.8.8", "64:ff9b::808:808",
    ],
)  # fmt: skip
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        # Servers of clouds, for machines inside of them.
        "168.63.129.16", "192.0.0.192", "169.254.169.254", "169.254.170.2", "100.100.100.200",
        "169.254.0.23", "fd00:ec2::254", "fd20:ce::254", "fe80::a9fe:a9fe",
        # Special by IANA's registries.
        "0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "172.16.0.1",
        "172.31.255.255", "192.0.0.1", "192.0.0.9", "192.0.0.170", "192.0.2.1", "192.31.196.1",
        "192.52.193.1", "192.88.99.1", "192.168.1.1", "192.175.48.1", "198.18.0.1", "198.19.255.255",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::",
        "::1", "100::1", "100:0:0:1::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1",
        "2001:db8::1", "2620:4f:8000::1", "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd12::1",
        "fec0::1", "ff02::1", "fe80::1%eth0",
        # One address wrapped in another.
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:168.63.129.16", "::ffff:0:127.0.0.1",
        "::7f00:1", "::a00:1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a83f:8110",
        "64:ff9b:1::808:808", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1",
        "2001:0:7f00:1::", "2001:0:808:808::",
        # No address at all.
        "", "example.org", "127.1", "2130706433", "8.8.8.8%eth0", "2606:2800:21f::1%eth0",
    ],
)  # fmt: skip
def test_not_public(address: str) -> None:
    assert not is_public(address)
