"""The steps of the how-to page about people, one after another, as it says them."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AccountInvitation, GroupMember, PeopleGroup, User
from datasources.models import Datasource, JoinLink
from tests.people import browser_of, person
from tests.responses import text_of

HOW_TO = Path("docs/how-to/people-and-groups.md")


@pytest.fixture
def chief(charlie: User) -> Client:
    User.objects.filter(pk=charlie.pk).update(is_superuser=True, is_staff=True)
    return browser_of(charlie)


def test_each_step_does_what_it_says_and_each_button_has_its_name(
    chief: Client, alice: User, bob: User, contracts: Datasource, settings: Any
) -> None:
    settings.EMAIL_URL = ""
    owner, dora, seen = browser_of(alice), person("dora"), ""
    people = reverse("settings_section", args=[contracts.pk, "people"])

    def looks(client: Client, page: str) -> str:
        nonlocal seen
        seen += (text := text_of(client.get(page)))
        return text

    # Groups
    looks(chief, reverse("groups"))
    chief.post(reverse("groups"), {"name": "Litigation"})
    group = PeopleGroup.objects.get()
    page = reverse("group", args=[group.pk])
    chief.post(page, {"action": "add", "email": dora.email})
    looks(chief, page)
    looks(chief, f"{page}?ask=delete")
    # Share a datasource
    owner.post(
        reverse("share_with_group", args=[contracts.pk]), {"group-group": group.pk, "group-role": "viewer"}
    )
    owner.post(reverse("add_member", args=[contracts.pk]), {"email": "gil@example.org", "role": "editor"})
    assert "Invited" in looks(owner, people)
    assert browser_of(dora).get(reverse("documents", args=[contracts.pk])).status_code == 200
    chief.post(reverse("remove_from_group", args=[group.pk, dora.pk]))
    assert not GroupMember.objects.exists()
    assert browser_of(dora).get(reverse("documents", args=[contracts.pk])).status_code == 404
    form = {"link-role": "editor", "link-days": "7", "link-email": ""}
    made = owner.post(reverse("make_join_link", args=[contracts.pk]), form, follow=True)
    address = re.search(r"http[^\s<\"]+/invitation/[\w-]+/", made.content.decode())
    assert address
    assert address[0] not in looks(owner, people), "shown once"
    comes = browser_of(dora)
    comes.get(address[0].removeprefix("http://testserver"), follow=True)
    comes.post(reverse("join_page"))
    assert contracts.memberships.get(user=dora).role == "editor"
    assert JoinLink.objects.get().used_by == dora
    # Invite somebody to an account
    told = chief.post(reverse("people"), {"email": "fred@example.org"}, follow=True).content.decode()
    assert "Copy the link for" in told
    assert AccountInvitation.objects.get().email == "fred@example.org"
    looks(chief, reverse("people"))
    # When somebody leaves
    leaver = reverse("person", args=[alice.pk])
    looks(chief, leaver)
    chief.post(leaver, {"action": "shut_off"})
    assert "Open it again" in looks(chief, leaver)
    assert owner.get(people).status_code == 302
    asked = text_of(chief.post(leaver, {"action": "ask_hand_over", "email": bob.email}))
    assert "1 datasource" in asked
    chief.post(leaver, {"action": "hand_over", "email": bob.email})
    contracts.refresh_from_db()
    assert contracts.owner == bob
    assert contracts.memberships.get(user=alice).role == "editor"
    new_owner = browser_of(bob)
    assert "Alice" in looks(new_owner, people)
    new_owner.post(reverse("change_member", args=[contracts.pk, alice.pk]), {"remove": ""})
    assert not contracts.memberships.filter(user=alice).exists()

    named = set(re.findall(r"\*\*(.+?)\*\*", HOW_TO.read_text()))
    assert {name for name in named if name not in seen} == set()
