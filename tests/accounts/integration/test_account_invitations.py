"""An administrator invites somebody to an account: a link, where nobody can make one by themselves."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import addresses
from accounts.invitations import invite_to_account, withdraw
from accounts.models import AccountInvitation, User
from tests.audit import noted
from tests.people import browser_of
from tests.responses import text_of
from tests.together import together

NEW = "a longer horse battery"


@pytest.fixture
def chief(alice: User) -> Client:
    cache.clear()
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    return browser_of(alice)


def invite(chief: Client, email: str = "Dora@example.org") -> str:
    """The path of the link."""
    page = chief.post(reverse("people"), {"email": email}, follow=True).content.decode()
    found = re.search(r"http://testserver(/account/invitation/[\w-]{43}/)", page)
    assert found, text_of(page)
    return found[1]


def sign_up(browser: Client, email: str = "dora@example.org") -> Any:
    form = {"email": email, "password1": NEW, "password2": NEW}
    return browser.post(reverse("account_signup"), form)


def test_who_is_invited_makes_an_account_where_others_cannot(chief: Client) -> None:
    assert "No new accounts" in text_of(Client().get(reverse("account_signup")))
    path = invite(chief)
    assert "dora@example.org Open until" in text_of(chief.get(reverse("people")))
    invited = Client()
    shown = invited.get(path, follow=True)
    assert "Alice invites you" in text_of(shown)
    assert re.search(r'value="dora@example.org"[^>]* readonly', shown.content.decode())
    refused = sign_up(invited, "eve@example.org")
    assert "You are invited as dora@example.org" in text_of(refused)
    assert not User.objects.filter(email="eve@example.org").exists()
    assert sign_up(invited)["Location"] == reverse("home")
    dora = User.objects.get(email="dora@example.org")
    assert addresses.is_confirmed(dora), "the administrator vouches for the address"
    assert invited.get(reverse("home")).status_code == 200
    assert Client().get(path).status_code == 404, "once"
    assert path not in chief.get(reverse("people")).content.decode()
    assert "No new accounts" in text_of(Client().get(reverse("account_signup")))
    assert [one.act for one in noted().order_by("pk")] == ["invited", "joined"]


@pytest.mark.parametrize("how", ["withdrawn", "expired", "administrator no more"])
def test_an_invitation_that_ends_opens_nothing(how: str, chief: Client, alice: User) -> None:
    """Not even where it was opened before."""
    path, invited = invite(chief), Client()
    invited.get(path)
    if how == "withdrawn":
        chief.post(reverse("withdraw_account_invitation", args=[AccountInvitation.objects.get().pk]))
    elif how == "expired":
        AccountInvitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    else:
        User.objects.filter(pk=alice.pk).update(is_superuser=False)
    assert not any(link.is_open for link in AccountInvitation.objects.all())
    assert "This invitation is not valid any more" in text_of(sign_up(invited))
    assert not User.objects.filter(email="dora@example.org").exists()
    assert "This invitation is not valid" in text_of(Client().get(path))


def test_who_is_signed_in_is_told_what_an_invitation_is_for(chief: Client, bob: User) -> None:
    told = text_of(browser_of(bob).get(invite(chief), follow=True))
    assert "You are signed in as bob@example.org. This invitation is for a new account" in told


def test_a_second_invitation_ends_the_first(chief: Client) -> None:
    first = invite(chief)
    again = chief.post(reverse("people"), {"email": "dora@example.org"}, follow=True)
    assert "The earlier link for dora@example.org opens nothing any more" in text_of(again)
    second = invite(chief)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_invitations_at_once_one_opens_and_withdrawing_it_leaves_none() -> None:
    cache.clear()
    alice = User.objects.create_superuser("alice@example.org")
    made = together(4, lambda: invite_to_account("dora@example.org", by=alice))
    link = AccountInvitation.objects.get()
    assert [one.link.pk for one in made].count(link.pk) == 1
    twin = AccountInvitation.objects.create(
        made_by=alice, email=link.email, digest="x", expires=link.expires
    )  # as versions before have left some
    withdraw(twin, by=alice)
    assert not AccountInvitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_who_makes_the_invited_account_twice_at_once_is_told_that_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache.clear()
    invited = Client()
    invited.get(invite(browser_of(User.objects.create_superuser("alice@example.org"))))
    save = User.save

    def saved_by_the_other_first(user: User, *args: Any, **kwargs: Any) -> None:
        monkeypatch.setattr(User, "save", save)
        User.objects.create_user(user.email, NEW)
        save(user, *args, **kwargs)

    monkeypatch.setattr(User, "save", saved_by_the_other_first)
    answer = sign_up(invited)
    assert answer.status_code == 200
    assert "There is an account with this address already" in text_of(answer)
    assert User.objects.filter(email="dora@example.org").count() == 1


def test_an_invitation_that_was_opened_is_only_about_making_an_account(
    chief: Client, bob: User, settings: Any
) -> None:
    browser = Client()
    browser.get(invite(chief))
    settings.EMAIL_URL = "smtp://mail.example"
    answer = browser.post(reverse("account_reset_password"), {"email": bob.email})
    assert answer["Location"] == reverse("account_reset_password_done")


def test_taking_an_expired_invitation_off_the_list_withdraws_nothing(chief: Client) -> None:
    invite(chief)
    AccountInvitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    chief.post(reverse("withdraw_account_invitation", args=[AccountInvitation.objects.get().pk]))
    assert not AccountInvitation.objects.exists()
    assert not noted().filter(act="withdrew").exists()


def test_nobody_with_an_account_is_invited(chief: Client, bob: User) -> None:
    answer = chief.post(reverse("people"), {"email": "BOB@example.org"})
    assert answer.status_code == 422
    assert "There is an account with this address already" in text_of(answer)
