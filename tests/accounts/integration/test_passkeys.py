"""Passkeys that a hostile page asks for, or that were copied."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse

from accounts.models import AuditAct, AuditEntry, User
from tests.accounts.passkeys import HOST, ORIGIN, Device, browser
from tests.accounts.through_provider import person_in
from tests.people import PASSWORD
from tests.responses import text_of

HOSTILE = [
    {"origin": "http://localhost:9000"},  # another program of the same computer
    {"origin": "http://localhost"},
    {"origin": "https://localhost:8000"},
    {"origin": "http://pages.localhost:8000"},
    {"origin": f"{ORIGIN}/"},
    {"origin": ""},
    {"crossOrigin": True},
    {"crossOrigin": True, "topOrigin": "https://example.com"},
    {"crossOrigin": "yes"},
]


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def signed_in(person: User) -> Client:
    client = browser()
    client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    return client


def with_passkey(person: User, counter: int = 0) -> Device:
    device = Device(counter)
    device.add_to(signed_in(person))
    assert Authenticator.objects.filter(type="webauthn").exists()
    return device


@pytest.mark.parametrize("told", HOSTILE)
def test_only_our_own_page_asks_for_a_passkey(told: dict[str, Any], alice: User) -> None:
    device, client = with_passkey(alice), browser()
    assert "This passkey was not taken" in text_of(device.sign_in(client, **told))
    assert person_in(client) is None
    device.sign_in(client)
    assert person_in(client) == alice.pk


@pytest.mark.parametrize("told", HOSTILE)
def test_only_our_own_page_adds_a_passkey(told: dict[str, Any], alice: User) -> None:
    assert "This passkey was not taken" in text_of(Device().add_to(signed_in(alice), **told))
    assert not Authenticator.objects.exists()


def test_a_proxy_that_speaks_https_is_our_own_page_where_the_settings_say_so(alice: User) -> None:
    device, origin = with_passkey(alice), f"https://{HOST}"
    client = browser()
    device.sign_in(client, origin=origin)
    assert person_in(client) is None
    with override_settings(CSRF_TRUSTED_ORIGINS=["https://elsewhere.example", origin]):
        device.sign_in(client, origin=origin)
    assert person_in(client) == alice.pk
    told = Client(headers={"host": HOST, "x-forwarded-proto": "https"})
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        device.sign_in(told, origin=ORIGIN)
        assert person_in(told) is None
        device.sign_in(told, origin=origin)
        assert person_in(told) == alice.pk


@pytest.mark.parametrize("repeated", [0, 6, 7])
def test_a_passkey_that_was_copied_is_not_taken(repeated: int, alice: User) -> None:
    device, client = with_passkey(alice, counter=5), browser()
    device.counter = 7
    device.sign_in(client)
    assert person_in(client) == alice.pk
    device.counter, thief = repeated, browser()
    assert "seems to have been copied" in text_of(device.sign_in(thief))
    assert person_in(thief) is None
    entry = AuditEntry.objects.filter(act=AuditAct.REFUSED).get()
    assert (entry.person, "copied" in entry.address) == (alice, True)
    device.counter, again = 8, browser()
    device.sign_in(again)
    assert person_in(again) == alice.pk


def test_the_counter_begins_where_the_passkey_was_made(alice: User) -> None:
    device, client = with_passkey(alice, counter=5), browser()
    device.sign_in(client)
    assert person_in(client) is None


def test_a_passkey_that_does_not_count_is_taken_each_time(alice: User) -> None:
    device = with_passkey(alice)
    for _ in range(3):
        client = browser()
        device.sign_in(client)
        assert person_in(client) == alice.pk
