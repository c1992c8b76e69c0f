"""Which addresses are fetched: public ones, whatever way a private one is written in."""

import ipaddress
import socket
from typing import Any

import pytest

from ingestion.web_pages.addresses import is_public, normalised, target_of
from ingestion.web_pages.errors import FetchError


@pytest.mark.parametrize("ip", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "8.8.8.8"])
def test_public_addresses(ip: str) -> None:
    assert is_public(ipaddress.ip_address(ip))


@pytest.mark.parametrize(
    "ip",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
        "::1", "::", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "::7f00:1",
        "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:7f00:1::",
    ],
)  # fmt: skip
def test_private_addresses(ip: str) -> None:
    assert not is_public(ipaddress.ip_address(ip))


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost/", "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f.1/",
        "http://0177.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/latest/",
        "http://[fe80::1%25lo]/", "http://localhost./",
    ],
)  # fmt: skip
def test_this_machine_is_never_asked(address: str) -> None:
    with pytest.raises(FetchError) as refused:
        target_of(address)
    assert refused.value.code in {"private_address", "unknown_host", "address"}


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(host: str, port: int, **_: Any) -> Any:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("93.184.215.14", "10.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(FetchError, match="inside a private network"):
        target_of("https://rebinding.example.org/")


@pytest.mark.parametrize(
    "address",
    [
        "", "ftp://example.org/", "file:///etc/passwd", "javascript://example.org/", "https://", "https:///x",
        "https://user:secret@example.org/", "https://example.org:99999/", "https://exa mple.org/",
        "https://example.org/\r\nHost: other", "https://" + "a" * 3000,
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_page(address: str) -> None:
    with pytest.raises(FetchError):
        normalised(address)


@pytest.mark.parametrize("port", [22, 25, 5432, 6379])
def test_other_ports_are_refused(port: int) -> None:
    with pytest.raises(FetchError, match=f"The port {port}"):
        target_of(f"http://93.184.215.14:{port}/")


@pytest.mark.parametrize(
    ("given", "fetched"),
    [
        (" example.org ", "https://example.org/"),
        ("HTTP://Example.ORG:80/A?b=c#d", "http://example.org/A?b=c"),
        ("https://bücher.example/straße", "https://xn--bcher-kva.example/stra%C3%9Fe"),
        ("http://example.org:8080/x", "http://example.org:8080/x"),
    ],
)
def test_an_address_is_put_in_order(given: str, fetched: str) -> None:
    assert normalised(given) == fetched
