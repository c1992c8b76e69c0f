"""Environment variables: a wrong value stops start-up with a line that names it and says what is right."""

from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured

from svq_site import env

Set = pytest.MonkeyPatch


@pytest.mark.parametrize(("value", "expected"), [(None, 7), ("", 7), (" 12 ", 12), ("0", 0), ("-3", -3)])
def test_a_number_is_read_or_has_its_default(monkeypatch: Set, value: str | None, expected: int) -> None:
    monkeypatch.delenv("SVQ_N", raising=False)
    if value is not None:
        monkeypatch.setenv("SVQ_N", value)
    assert env.number("SVQ_N", 7, low=-5) == expected


@pytest.mark.parametrize("value", ["-1", "11", "1.5", "ten", "--5", "²", "5-"])
def test_a_wrong_number_is_named_with_its_limits(monkeypatch: Set, value: str) -> None:
    monkeypatch.setenv("SVQ_N", value)
    with pytest.raises(ImproperlyConfigured, match=r"SVQ_N is .*: set a whole number from 0 to 10"):
        env.number("SVQ_N", 5, high=10)


def test_an_amount_may_have_a_fraction(monkeypatch: Set) -> None:
    monkeypatch.setenv("SVQ_PRICE", "0.15")
    assert env.amount("SVQ_PRICE") == Decimal("0.15")
    monkeypatch.delenv("SVQ_PRICE")
    assert env.amount("SVQ_PRICE") == 0


@pytest.mark.parametrize("value", ["-0.1", "cheap", "NaN", "Infinity"])
def test_a_wrong_amount_is_named(monkeypatch: Set, value: str) -> None:
    monkeypatch.setenv("SVQ_PRICE", value)
    with pytest.raises(ImproperlyConfigured, match="SVQ_PRICE is"):
        env.amount("SVQ_PRICE")


@pytest.mark.parametrize(
    ("value", "expected"), [("yes", True), ("ON", True), ("1", True), ("no", False), ("False", False)]
)
def test_a_flag_is_yes_or_no_in_any_usual_spelling(monkeypatch: Set, value: str, expected: bool) -> None:
    monkeypatch.setenv("SVQ_F", value)
    assert env.flag("SVQ_F", not expected) is expected


def test_a_flag_that_is_neither_is_named(monkeypatch: Set) -> None:
    monkeypatch.setenv("SVQ_F", "maybe")
    with pytest.raises(ImproperlyConfigured, match="SVQ_F is 'maybe': set it to yes or no"):
        env.flag("SVQ_F", False)


def test_a_list_ignores_blanks(monkeypatch: Set) -> None:
    monkeypatch.setenv("SVQ_L", " a.example , ,b.example,")
    assert env.listing("SVQ_L") == ["a.example", "b.example"]
    monkeypatch.delenv("SVQ_L")
    assert env.listing("SVQ_L") == []


@pytest.mark.parametrize(
    ("given", "host", "https", "address"),
    [
        ("https://svq.example.org/", "localhost", False, "https://svq.example.org"),
        ("", "localhost", False, "http://localhost:8000"),
        ("", "svq.example.org", True, "https://svq.example.org"),
        ("", ".example.org", False, "http://localhost:8000"),
    ],
)
def test_the_address_of_the_site(
    monkeypatch: pytest.MonkeyPatch, given: str, host: str, https: bool, address: str
) -> None:
    monkeypatch.setenv("SVQ_SITE_URL", given)
    assert env.origin("SVQ_SITE_URL", host, 8000, https=https) == address


def test_a_wrong_address_of_the_site_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("svq.example.org", "ftp://svq.example.org", "https://svq.example.org/?a=b"):
        monkeypatch.setenv("SVQ_SITE_URL", wrong)
        with pytest.raises(ImproperlyConfigured, match="SVQ_SITE_URL"):
            env.origin("SVQ_SITE_URL", "localhost", 8000, https=False)


def test_a_secret_has_its_length_and_is_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.secret_bytes("SVQ_KEY", 2) == b""
    monkeypatch.setenv("SVQ_KEY", "00ff")
    assert env.secret_bytes("SVQ_KEY", 2) == b"\x00\xff"
    for wrong in ("00", "secret"):
        monkeypatch.setenv("SVQ_KEY", wrong)
        with pytest.raises(ImproperlyConfigured, match=r"set 2 bytes in hexadecimal\.") as told:
            env.secret_bytes("SVQ_KEY", 2)
        assert wrong not in str(told.value)
