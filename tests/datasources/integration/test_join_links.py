"""Inviting to a datasource by a link: whoever opens it is a member, once, while its maker may share."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.invitations import invite_to_account
from accounts.models import AccountInvitation, PeopleGroup, User
from accounts.tasks import forget_account_invitations
from datasources.join_links import make_join_link
from datasources.models import Datasource, JoinLink, Membership, Role
from datasources.services import share_with_group
from datasources.tasks import forget_join_links
from tests.audit import noted
from tests.people import PASSWORD, browser_of
from tests.responses import text_of


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def link(datasource: Datasource, role: Role = Role.EDITOR, *, email: str = "", days: int = 7) -> str:
    """The path that opens it."""
    address = make_join_link(datasource, role, by=datasource.owner, days=days, email=email).address
    return "/" + address.split("/", 3)[3]


def people(owner: User, datasource: Datasource) -> str:
    page = browser_of(owner).get(reverse("settings_section", args=[datasource.pk, "people"]))
    return text_of(page)


def joined(browser: Client, path: str) -> Any:
    browser.get(path)
    return browser.post(reverse("join_page"))


def test_an_owner_makes_a_link_that_is_shown_once_and_lets_one_person_in(
    alice: User, charlie: User, contracts: Datasource
) -> None:
    make = reverse("make_join_link", args=[contracts.pk])
    owner = browser_of(alice)
    form = {"link-role": "editor", "link-days": "7"}
    shown = owner.post(make, form, follow=True).content.decode()
    assert "/invitation/" not in owner.get(reverse("settings_section", args=[contracts.pk, "people"])), "once"
    found = re.search(r"http://testserver(/invitation/[\w-]{43}/)", shown)
    assert found, "the link stands on the page"
    assert found[1] not in people(alice, contracts)
    assert "Whoever has the link Made just now by Alice Editor Open until" in people(alice, contracts)
    assert found[1].split("/")[2] not in str(JoinLink.objects.values().get()), "only a hash is kept"
    stranger = Client()
    asked = stranger.get(found[1], follow=True)
    assert "Alice invites you. Your role: editor." in text_of(asked)
    assert found[1].split("/")[2] not in asked.content.decode(), "no page that follows names it"
    given = {"login": charlie.email, "password": PASSWORD, "next": reverse("join_page")}
    assert stranger.post(reverse("account_login"), given)["Location"] == reverse("join_page")
    assert contracts.role_of(charlie) is None, "opening alone joins nobody: mail programs open links"
    assert stranger.post(reverse("join_page"))["Location"] == reverse("documents", args=[contracts.pk])
    assert contracts.role_of(charlie) == Role.EDITOR
    assert "Used by Charlie" in people(alice, contracts)
    assert Client().get(found[1]).status_code == 404, "once"
    acts = [(one.email, one.act) for one in noted().filter(act__in=["invited", "joined"]).order_by("pk")]
    assert acts == [("alice@example.org", "invited"), ("charlie@example.org", "joined")]


@pytest.mark.parametrize("how", ["withdrawn", "expired", "maker is no owner", "maker is shut off", "wrong"])
def test_a_link_that_does_not_count_opens_nothing(
    how: str, alice: User, bob: User, charlie: User, contracts: Datasource
) -> None:
    """Also for somebody who has opened it before."""
    Membership.objects.filter(user=bob).update(role=Role.OWNER)
    address = make_join_link(contracts, Role.OWNER, by=bob, days=7).address
    path, row = "/" + address.split("/", 3)[3], JoinLink.objects.get()
    browser = browser_of(charlie)
    assert contracts.name in text_of(browser.get(path, follow=True))
    if how == "withdrawn":
        browser_of(alice).post(reverse("withdraw_join_link", args=[contracts.pk, row.pk]))
    elif how == "expired":
        JoinLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    elif how == "maker is no owner":
        Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    elif how == "maker is shut off":
        User.objects.filter(pk=bob.pk).update(is_active=False)
    else:
        path, browser = reverse("join", args=["x" * 43]), browser_of(charlie)
    for answer in (browser.get(path), browser.post(reverse("join_page"))):
        assert answer.status_code == 404
        said = text_of(answer)
        assert "This invitation is not valid" in said or "No invitation is open" in said
        assert contracts.name not in answer.content.decode()
    assert contracts.role_of(charlie) is None


def test_who_guesses_links_is_told_to_wait_and_a_right_one_still_opens(contracts: Datasource) -> None:
    """The wrong ones may be of somebody else in the same network."""
    guesses = [Client().get(reverse("join", args=[f"{n:043}"])) for n in range(22)]
    assert [one.status_code for one in guesses] == [404] * 20 + [429] * 2
    assert guesses[-1]["Retry-After"] == "60"
    assert Client().get(link(contracts))["Location"] == reverse("join_page")


def test_who_sees_it_already_is_told_and_may_decline(bob: User, contracts: Datasource) -> None:
    browser, path = browser_of(bob), link(contracts, Role.EDITOR)
    assert contracts.role_of(bob) == Role.VIEWER
    assert "You see it already; your role is viewer." in text_of(browser.get(path, follow=True))
    declined = browser.post(reverse("join_page"), {"decline": ""}, follow=True)
    assert "You did not join." in text_of(declined)
    assert contracts.role_of(bob) == Role.VIEWER
    assert JoinLink.objects.get().is_open, "it is still good"
    again = browser.get(reverse("join_page"))
    assert again.status_code == 404
    assert "open the link that was sent to you" in text_of(again)


def test_a_link_is_for_whoever_gains_by_it(alice: User, bob: User, contracts: Datasource) -> None:
    """Who is in by a group alone becomes a member; who is a member already leaves it open for others."""
    group = PeopleGroup.objects.create(name="Legal")
    group.members.create(person=bob)
    share_with_group(contracts, group, Role.EDITOR)
    path = link(contracts, Role.VIEWER)
    for member in (alice, bob):
        browser = browser_of(member)
        assert "You are in it already" in text_of(browser.get(path, follow=True))
        assert browser.post(reverse("join_page")).status_code == 302
        assert JoinLink.objects.get().is_open
    Membership.objects.filter(user=bob).delete()
    joined(browser_of(bob), path)
    group.delete()
    assert contracts.role_of(bob) == Role.VIEWER
    assert not JoinLink.objects.get().is_open


def test_only_links_that_still_open_something_count(
    contracts: Datasource, alice: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking a used one off the list withdraws nothing."""
    monkeypatch.setattr("datasources.join_links.MAX_LINKS", 1)
    joined(browser_of(charlie), link(contracts))
    used = JoinLink.objects.get()
    link(contracts)
    with pytest.raises(ValidationError, match="Withdraw one first"):
        link(contracts)
    for row in (used, JoinLink.objects.get(used=None)):
        browser_of(alice).post(reverse("withdraw_join_link", args=[contracts.pk, row.pk]))
    assert not JoinLink.objects.exists()
    assert noted().filter(act="withdrew").count() == 1


def test_a_link_for_an_address_is_for_its_account_alone(
    alice: User, charlie: User, contracts: Datasource, django_user_model: Any
) -> None:
    path = link(contracts, email="Dora@example.org")
    refused = joined(browser_of(charlie), path)
    assert refused.status_code == 422
    assert "for another address" in text_of(refused)
    assert "dora" not in text_of(refused), "whose it is stays with the owner"
    dora = User.objects.create(email="dora@example.org")  # anybody could have made it
    assert joined(browser_of(dora), path).status_code == 422
    dora.delete()
    dora = User.objects.create_user("dora@example.org", PASSWORD)
    assert joined(browser_of(dora), path).status_code == 302
    assert contracts.role_of(dora) == Role.EDITOR


def test_it_is_mailed_where_mail_is_set_up_once_it_is_stored(
    alice: User,
    contracts: Datasource,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.EMAIL_URL = "smtp://mail.example"
    sender = ThreadPoolExecutor(1)  # one mail after the other
    monkeypatch.setattr("accounts.mail._senders", sender)
    form = {"link-role": "viewer", "link-days": "1", "link-email": "dora@example.org"}
    browser = browser_of(alice)
    with django_capture_on_commit_callbacks() as at_commit:
        answer = browser.post(reverse("make_join_link", args=[contracts.pk]), form, follow=True)
    assert "on its way to dora@example.org" in text_of(answer)
    assert "/invitation/" not in answer.content.decode(), "the address is hers alone to read"
    assert not sender.submit(lambda: mail.outbox).result()
    for act in at_commit:
        act()
    sender.submit(int).result()
    sent = mail.outbox[0]
    assert sent.to == ["dora@example.org"]
    assert re.search(r"http://localhost:8000/invitation/[\w-]{43}/", str(sent.body))


def test_nobody_loses_a_role_by_an_invitation(alice: User, bob: User, contracts: Datasource) -> None:
    Membership.objects.filter(user=bob).update(role=Role.OWNER)
    assert joined(browser_of(bob), link(contracts, Role.VIEWER)).status_code == 302
    assert contracts.role_of(bob) == Role.OWNER
    assert joined(browser_of(alice), link(contracts, Role.VIEWER)).status_code == 302
    assert not Membership.objects.filter(user=alice).exists()


def test_an_editor_invites_nobody(bob: User, contracts: Datasource) -> None:
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    form = {"link-role": "viewer", "link-days": "7"}
    assert browser_of(bob).post(reverse("make_join_link", args=[contracts.pk]), form).status_code == 403
    page = browser_of(bob).get(reverse("settings_section", args=[contracts.pk, "people"]))
    assert "Invite by a link" not in text_of(page)


def test_invitations_are_forgotten_after_their_time(
    alice: User, charlie: User, contracts: Datasource
) -> None:
    joined(browser_of(charlie), link(contracts))
    link(contracts)
    invite_to_account("dora@example.org", by=alice)
    for days, left in ((80, 2), (20, 1)):
        JoinLink.objects.filter(used__isnull=False).update(used=F("used") - timedelta(days=days))
        AccountInvitation.objects.update(expires=F("expires") - timedelta(days=days))
        forget_join_links(0)
        forget_account_invitations(0)
        assert JoinLink.objects.count() == left
        assert AccountInvitation.objects.count() == left - 1
