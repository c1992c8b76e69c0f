"""Passwords are hashed few at once, by turns, and once for each attempt."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from allauth.core import context
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts import hashing
from accounts.models import AttemptCount, User
from jobs.fair_slots import FairSlots
from tests.people import PASSWORD, browser_of
from tests.responses import text_of

SLOTS, MANY = 2, 12
NETWORK = "198.51.100.7"


class Counted:
    """In place of the hash itself: how many there were, and how many at the same moment."""

    def __init__(self) -> None:
        self.all, self.now, self.most = 0, 0, 0
        self.lock = threading.Lock()
        self.too_many = threading.Event()

    def hash(self, password: str, salt: str) -> str:
        with self.lock:
            self.all, self.now = self.all + 1, self.now + 1
            self.most = max(self.most, self.now)
            if self.most > SLOTS:
                self.too_many.set()
        self.too_many.wait(0.05)
        with self.lock:
            self.now -= 1
        return f"pbkdf2_sha256${PBKDF2PasswordHasher.iterations}${salt}${password}"


@pytest.fixture
def counted(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Counted:
    made = Counted()

    def encode(hasher: Any, password: str, salt: str, iterations: int | None = None) -> str:
        return made.hash(password, salt)

    cache.clear()
    settings.PASSWORD_HASHERS = ["accounts.hashing.InTurn"]
    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    monkeypatch.setattr(hashing, "SLOTS", FairSlots(SLOTS, patience=20))
    return made


def test_many_passwords_at_once_are_hashed_by_turns(counted: Counted) -> None:
    def hash_one(number: int) -> None:
        with context.request_context(RequestFactory(REMOTE_ADDR=f"198.51.100.{number}").get("/")):
            make_password(PASSWORD)

    with ThreadPoolExecutor(MANY) as threads:
        list(threads.map(hash_one, range(MANY)))
    assert (counted.all, counted.most) == (MANY, SLOTS)


@pytest.mark.parametrize("known", [True, False])
def test_an_attempt_costs_the_same_one_hash_with_and_without_an_account(
    known: bool, counted: Counted, alice: User
) -> None:
    email = alice.email if known else "nobody@example.org"
    counted.all = 0
    at_the_page, by_rest = Client(), Client()
    at_the_page.post(reverse("account_login"), {"login": email, "password": "wrong"})
    assert counted.all == 1
    by_rest.post("/api/v1/auth/login", {"email": email, "password": "wrong"})
    assert counted.all == 2
    at_the_page.post(reverse("account_login"), {"login": email, "password": PASSWORD})
    assert (counted.all, "_auth_user_id" in at_the_page.session) == (3, known)


def test_who_waits_too_long_is_told_to_come_back(
    counted: Counted, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = FairSlots(1, patience=0.01)
    monkeypatch.setattr(hashing, "SLOTS", slots)
    inside = browser_of(alice)
    form = {"oldpassword": PASSWORD, "password1": "a longer horse", "password2": "a longer horse"}
    with slots.taken_by(NETWORK):
        pages = [
            Client().post(reverse("account_login"), {"login": alice.email, "password": PASSWORD}),
            inside.post(reverse("account_change_password"), form),
        ]
        told = Client().post("/api/v1/auth/login", {"email": alice.email, "password": PASSWORD})
    for page in pages:
        assert (page.status_code, page["Retry-After"]) == (429, "2")
        assert "Try again in a few seconds." in text_of(page)
    assert (told.status_code, told.json()["code"], told["Retry-After"]) == (429, "busy", "2")


def test_a_password_that_found_no_slot_does_not_count_as_a_wrong_one(
    counted: Counted, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = FairSlots(1, patience=0.01)
    monkeypatch.setattr(hashing, "SLOTS", slots)
    form = {"login": alice.email, "password": PASSWORD}
    by_rest = {"email": alice.email, "password": PASSWORD}
    with slots.taken_by(NETWORK):
        for _ in range(12):
            assert Client().post(reverse("account_login"), form)["Retry-After"] == "2"
            assert Client().post("/api/v1/auth/login", by_rest).json()["code"] == "busy"
    assert not AttemptCount.objects.filter(count__gt=0).exists()
    assert Client().post(reverse("account_login"), form).status_code == 302
    assert Client().post("/api/v1/auth/login", by_rest).status_code == 200


def test_a_known_device_is_heard_whatever_others_keep_busy(
    counted: Counted, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashing, "SLOTS", slots := FairSlots(1, patience=0.01))
    form = {"login": alice.email, "password": PASSWORD}
    known = Client()
    known.post(reverse("account_login"), form)
    known.post(reverse("account_logout"))
    with slots.taken_by(NETWORK):
        assert known.post(reverse("account_login"), form).status_code == 302
        known.cookies["device"] = "forged"
        known.post(reverse("account_logout"))
        assert known.post(reverse("account_login"), form).status_code == 429


def test_a_session_of_before_goes_on(alice: User) -> None:
    """It names the backend that hashed passwords then."""
    assert browser_of(alice).get(reverse("account_settings")).status_code == 200
