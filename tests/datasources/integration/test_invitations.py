"""Sharing is with an address: it counts where that is confirmed, and tells nothing about accounts before."""

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources import services
from datasources.models import Datasource, Role
from tests.people import browser_of
from tests.responses import content_of

NEW = "a longer horse battery"


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def share(owner: User, datasource: Datasource, email: str) -> Any:
    add = reverse("add_member", args=[datasource.pk])
    return browser_of(owner).post(add, {"email": email, "role": "editor"}, follow=True)


def people(owner: User, datasource: Datasource) -> str:
    page = browser_of(owner).get(reverse("settings_section", args=[datasource.pk, "people"])).content.decode()
    section = re.search(r'<section[^>]*id="people".*?</section>', page, re.S)
    assert section
    return " ".join(re.sub(r"<[^>]+>", " ", section[0]).split())


def sign_up(email: str) -> User:
    form = {"email": email, "password1": NEW, "password2": NEW}
    Client().post(reverse("account_signup"), form)
    return User.objects.get(email=email)


def test_a_share_with_an_unconfirmed_account_counts_once_it_is_confirmed(
    alice: User, contracts: Datasource, settings: Any
) -> None:
    settings.SIGNUP_OPEN = True
    share(alice, contracts, "Dora@example.org")
    dora = sign_up("dora@example.org")
    page = reverse("documents", args=[contracts.pk])
    assert not Datasource.objects.visible_to(dora).exists()
    assert contracts.role_of(dora) is None
    assert browser_of(dora).get(page).status_code == 404
    link = re.search(r"http://localhost:8000(/account/confirm-email/\S+)", str(mail.outbox[0].body))
    assert link
    Client().post(link[1])
    assert list(Datasource.objects.visible_to(dora)) == [contracts]
    assert browser_of(dora).get(page).status_code == 200
    assert contracts.role_of(dora) == Role.EDITOR


def test_the_owner_sees_the_same_of_known_and_unknown_addresses(
    alice: User, charlie: User, contracts: Datasource
) -> None:
    before = people(alice, contracts)
    pages = []
    for email in (charlie.email, "nobody@example.org"):
        share(alice, contracts, email)
        pages.append(people(alice, contracts).replace(email, "ADDRESS"))
        services.unshare(contracts, charlie)
        contracts.invitations.all().delete()
    assert pages[0] == pages[1] != before
    assert "Invited" in pages[0]
    assert "Charlie" not in pages[0]


def test_a_person_with_an_account_is_in_at_once_and_then_a_member(
    alice: User, charlie: User, contracts: Datasource
) -> None:
    share(alice, contracts, "CHARLIE@example.org")
    home = content_of(browser_of(charlie).get(reverse("home")))
    assert "Contracts" in home.decode()
    assert browser_of(charlie).get(reverse("documents", args=[contracts.pk])).status_code == 200
    shown = people(alice, contracts)
    assert "Charlie" in shown
    assert "Invited" not in shown
    assert not contracts.invitations.exists()


def test_an_invitation_is_changed_and_taken_back(alice: User, charlie: User, contracts: Datasource) -> None:
    share(alice, contracts, charlie.email)
    invitation = contracts.invitations.get()
    address = reverse("change_invitation", args=[contracts.pk, invitation.pk])
    browser_of(alice).post(address, {"field": "role", "role": "viewer"})
    assert contracts.invitations.get().role == Role.VIEWER
    browser_of(alice).post(address, {"role": "viewer", "remove": "1"})
    assert not Datasource.objects.visible_to(charlie).exists()


def test_who_is_removed_has_no_invitation_left(alice: User, charlie: User, contracts: Datasource) -> None:
    services.share(contracts, charlie, Role.VIEWER)
    share(alice, contracts, charlie.email)
    assert contracts.role_of(charlie) == Role.EDITOR
    services.unshare(contracts, charlie)
    assert not Datasource.objects.visible_to(charlie).exists()
