"""Which addresses are fetched: public ones, whatever way a private one is written in."""

import socket
from typing import Any

import pytest

from ingestion.web_pages.addresses import normalised, target_of
from ingestion.web_pages.errors import FetchError


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost/",
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/",
        "http://[fe80::1%25lo]/",
        "http://localhost./",
        "http://168.63.129.16/",
        "http://192.0.0.192/opc/v2/",
    ],
)
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
        "",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript://example.org/",
        "https://",
        "https:///x",
        "https://user:secret@example.org/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nHost: other",
        "https://" + "a" * 3000,
    ],
)
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
