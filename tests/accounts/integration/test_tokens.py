"""REST's tokens end: by signing out, by a refresh, by a new password, by switching the account off."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from rest_framework_simplejwt.token_blacklist.models import OutstandingToken

from accounts.models import User
from tests.people import PASSWORD, browser_of
from tests.rest import ERROR, Api

NEW = "a longer horse battery"


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def sign_in(user: User, password: str = PASSWORD) -> Any:
    return Api().post("auth/login", {"email": user.email, "password": password}).json()


def status(access: str) -> int:
    return int(Api().get("data-sources", Authorization=f"Bearer {access}").status_code)


def refresh(token: str) -> Any:
    return Api().post("auth/refresh", {"refresh": token})


def test_a_refresh_token_counts_once(alice: User) -> None:
    old = sign_in(alice)
    new = refresh(old["refresh"]).json()
    assert new["refresh"] != old["refresh"]
    assert status(new["access"]) == 200
    assert refresh(new["refresh"]).status_code == 200


def test_a_refresh_token_that_comes_twice_ends_the_sign_in(alice: User) -> None:
    """One of the two who have it is a thief, and nobody knows which."""
    stolen = sign_in(alice)
    new = refresh(stolen["refresh"]).json()
    again = refresh(stolen["refresh"])
    assert (again.status_code, set(again.json())) == (401, ERROR)
    assert refresh(new["refresh"]).status_code == 401
    assert status(new["access"]) == 401


@pytest.mark.parametrize("by", ["refresh", "access"])
def test_signing_out_ends_this_sign_in_alone(alice: User, by: str) -> None:
    mine, other = sign_in(alice), sign_in(alice)
    if by == "refresh":
        out = Api().post("auth/logout", {"refresh": mine["refresh"]})
    else:
        out = Api().post("auth/logout", Authorization=f"Bearer {mine['access']}")
    assert (out.status_code, out.content) == (204, b"")
    assert status(mine["access"]) == 401
    assert refresh(mine["refresh"]).status_code == 401
    assert status(other["access"]) == 200
    assert refresh(other["refresh"]).status_code == 200


def test_signing_out_with_nothing_is_refused(db: None) -> None:
    for body in ({}, {"refresh": "nonsense"}):
        answer = Api().post("auth/logout", body)
        assert (answer.status_code, set(answer.json())) == (401, ERROR)


def test_a_new_password_ends_tokens_and_other_browsers(alice: User) -> None:
    tokens, here, there = sign_in(alice), browser_of(alice), browser_of(alice)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert here.post(reverse("account_change_password"), form).status_code == 302
    assert status(tokens["access"]) == 401
    assert refresh(tokens["refresh"]).status_code == 401
    assert here.get(reverse("account_settings")).status_code == 200
    assert there.get(reverse("account_settings")).status_code == 302
    assert status(sign_in(alice, NEW)["access"]) == 200


def test_switching_an_account_off_ends_its_tokens_and_browsers_for_good(alice: User) -> None:
    tokens, browser, admin = sign_in(alice), browser_of(alice), Client()
    admin.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    page = reverse("admin:accounts_user_change", args=[alice.pk])
    form = {"email": alice.email, "name": "Alice", "theme": "system"}
    assert admin.post(page, form).status_code == 302
    assert status(tokens["access"]) == 401
    assert refresh(tokens["refresh"]).status_code == 401
    assert admin.post(page, form | {"is_active": "on"}).status_code == 302
    alice.refresh_from_db()
    assert alice.is_active
    assert status(tokens["access"]) == 401
    assert refresh(tokens["refresh"]).status_code == 401
    assert browser.get(reverse("account_settings")).status_code == 302


def test_no_token_that_counts_is_stored(alice: User) -> None:
    tokens = sign_in(alice)
    new = refresh(tokens["refresh"]).json()
    stored = " ".join(OutstandingToken.objects.values_list("token", flat=True))
    assert new["refresh"] not in stored
