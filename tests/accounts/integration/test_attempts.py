"""Guessing is slowed down at every door, and nobody can be locked out by somebody else's guessing."""

import time
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts import attempts
from accounts.devices import account_key
from accounts.models import User
from tests.people import PASSWORD, person
from tests.responses import text_of
from tests.rest import ERROR, Api


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def sign_in(client: Client, user: User, password: str = PASSWORD, address: str = "192.0.2.1") -> Any:
    form = {"login": user.email, "password": password}
    return client.post(reverse("account_login"), form, REMOTE_ADDR=address)


def attack(user: User, networks: int, each: int = 1) -> None:
    for number in range(networks):
        for _ in range(each):
            sign_in(Client(), user, "wrong", f"198.51.100.{number}")


# --- one sign-in for all ---------------------------------------------------------------------------------
def test_the_admin_has_no_sign_in_of_its_own(db: None) -> None:
    admin = User.objects.create_superuser("root@example.org", PASSWORD)
    for _ in range(12):
        form = {"username": admin.email, "password": "wrong", "next": "/admin/"}
        page = Client().post("/admin/login/", form)
        assert page.status_code == 302
        assert page["Location"].startswith(reverse("account_login"))
    client = Client()
    asked = client.get("/admin/", follow=True)
    assert asked.redirect_chain[-1][0].startswith(reverse("account_login"))
    form = {"login": admin.email, "password": PASSWORD, "next": "/admin/"}
    assert client.post(reverse("account_login"), form)["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_who_is_no_administrator_is_refused_by_the_admin(alice: User) -> None:
    client = Client()
    client.force_login(alice)
    assert client.get("/admin/", follow=True).status_code == 403


# --- pages -----------------------------------------------------------------------------------------------
def test_too_many_attempts_are_told_with_the_time_to_wait(alice: User) -> None:
    client = Client()
    pages = [sign_in(client, alice, "wrong") for _ in range(6)]
    assert [page.status_code for page in pages] == [200] * 5 + [429]
    assert 0 < int(pages[-1]["Retry-After"]) <= 300
    assert 'value="alice@example.org"' in pages[-1].content.decode()


def test_guessing_from_one_network_keeps_nobody_else_out(alice: User) -> None:
    attack(alice, networks=1, each=20)
    assert sign_in(Client(), alice, address="192.0.2.1").status_code == 302


def test_guessing_from_many_networks_is_slow_and_the_right_password_still_works(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "SLOW_SECONDS", 0.3)
    attack(alice, networks=11)
    begun = time.monotonic()
    guess = sign_in(Client(), alice, "wrong", "203.0.113.1")
    assert time.monotonic() - begun >= 0.3
    assert guess.status_code == 429
    assert guess["Retry-After"] == "1"
    assert sign_in(Client(), alice, address="203.0.113.2").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_slow_attempt_waits_without_a_connection_to_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    alice, held = person("alice"), []
    monkeypatch.setattr(attempts.time, "sleep", lambda seconds: held.append(connection.connection))
    attack(alice, networks=12)
    assert login(alice, PASSWORD, "203.0.113.1").status_code == 200
    assert held == [None] * 3


def test_where_enough_attempts_wait_already_the_next_one_is_refused_at_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def others_come(seconds: float) -> None:
        monkeypatch.setattr(attempts.time, "sleep", lambda seconds: None)
        replies.append(sign_in(Client(), alice, "wrong", "203.0.113.1"))
        replies.append(login(alice, "wrong", "203.0.113.2"))
        replies.append(sign_in(Client(), bob, address="203.0.113.3"))

    replies: list[Any] = []
    monkeypatch.setattr(attempts, "SLOW_SECONDS", 1.5)
    monkeypatch.setattr(attempts, "SLOW_AT_ONE", 1)
    monkeypatch.setattr(attempts.time, "sleep", lambda seconds: None)
    attack(alice, networks=10)
    attack(bob, networks=10)
    monkeypatch.setattr(attempts.time, "sleep", others_come)
    sign_in(Client(), alice, "wrong", "203.0.113.4")
    page, program, at_another_account = replies
    assert at_another_account.status_code == 302
    assert (page.status_code, page["Retry-After"]) == (429, "2")
    assert "Try again in a few seconds, or sign in on a device" in text_of(page)
    assert (program.status_code, program["Retry-After"]) == (429, "2")
    assert set(program.json()) == ERROR


def test_a_known_device_passes_by_all_that(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "SLOW_SECONDS", 0.0)
    mine = Client()
    sign_in(mine, alice, address="198.51.100.0")
    mine.post(reverse("account_logout"))
    attack(alice, networks=12, each=6)
    monkeypatch.setattr(attempts, "SLOW_SECONDS", 60.0)
    assert sign_in(mine, alice, address="198.51.100.0").status_code == 302


def test_a_known_device_is_known_for_its_person_alone_and_counts_too(alice: User, bob: User) -> None:
    mine = Client()
    sign_in(mine, alice)
    cookie = mine.cookies["device"]
    assert cookie["httponly"]
    assert alice.email not in cookie.value
    mine.post(reverse("account_logout"))
    assert [sign_in(mine, bob, "wrong").status_code for _ in range(6)] == [200] * 5 + [429]
    assert [sign_in(mine, alice, "wrong").status_code for _ in range(11)] == [200] * 10 + [429]


def test_a_forged_device_cookie_is_no_pass(alice: User) -> None:
    client = Client()
    client.cookies["device"] = f"{account_key(alice.email)}.x:1:forged"
    assert [sign_in(client, alice, "wrong").status_code for _ in range(6)][-1] == 429


def test_other_spellings_of_an_address_are_counted_together(alice: User) -> None:
    spellings = ["alice", "ALICE", " alice", "aLice", "alıce", "Alice"]
    pages = []
    for spelling in spellings:
        form = {"login": f"{spelling}@example.org", "password": "wrong"}
        pages.append(Client().post(reverse("account_login"), form).status_code)
    assert pages[-1] == 429


# --- REST ------------------------------------------------------------------------------------------------
def login(user: User, password: str, address: str) -> Any:
    form = {"email": user.email, "password": password}
    return Client().post("/api/v1/auth/login", form, REMOTE_ADDR=address)


def test_refreshing_and_signing_in_over_rest_are_counted_apart(alice: User) -> None:
    refreshed = [Api().post("auth/refresh", {"refresh": "nonsense"}) for _ in range(61)]
    assert [one.status_code for one in refreshed] == [401] * 60 + [429]
    assert int(refreshed[-1].headers["Retry-After"]) > 0
    assert set(refreshed[-1].json()) == ERROR
    assert login(alice, PASSWORD, "127.0.0.1").status_code == 200


def test_signing_in_over_rest_is_counted_apart_from_the_page(alice: User) -> None:
    for _ in range(6):
        sign_in(Client(), alice, "wrong", "192.0.2.1")
    assert login(alice, "wrong", "192.0.2.1").status_code == 401
    assert login(alice, PASSWORD, "192.0.2.1").status_code == 200


def test_right_passwords_are_not_counted(alice: User) -> None:
    assert [login(alice, PASSWORD, "192.0.2.1").status_code for _ in range(15)] == [200] * 15


def test_addresses_of_one_ipv6_network_are_counted_together(alice: User) -> None:
    tries = [login(alice, "wrong", f"2001:db8::{number:x}").status_code for number in range(1, 12)]
    assert tries == [401] * 10 + [429]
