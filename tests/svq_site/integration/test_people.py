"""The administrators' pages about people: who there is, shutting off, handing over."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from accounts.api_tokens import make_token
from accounts.models import ApiToken, GroupMember, PeopleGroup, TokenScope, User
from datasources.models import Datasource, Membership, Role
from datasources.services import create_datasource
from desks.compliance.models import Framework
from desks.evaluation.models import QuestionSet, Schedule
from tests.audit import noted
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of


@pytest.fixture(autouse=True)
def _no_counted_sessions() -> None:
    cache.clear()


@pytest.fixture
def chief(charlie: User) -> Client:
    User.objects.filter(pk=charlie.pk).update(is_superuser=True, is_staff=True)
    return signed_in(charlie)


def signed_in(user: User) -> Client:
    """With all that a sign-in does: the page says when the last one was."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def do(chief: Client, person: User, action: str, **more: str) -> Any:
    return chief.post(reverse("person", args=[person.pk]), {"action": action, **more})


def test_the_page_says_how_each_account_stands(chief: Client, alice: User, bob: User) -> None:
    make_token(alice, name="Bot", scopes=list(TokenScope), datasource_ids=None, days=1)
    for _device in range(2):
        signed_in(alice)
    User.objects.filter(pk=bob.pk).update(is_active=False, last_login=None)
    GroupMember.objects.create(group=PeopleGroup.objects.create(name="Millers"), person=alice)
    text = text_of(chief.get(reverse("people")))
    assert "Alice alice@example.org Millers just now 2 browsers, 1 API token No Active" in text
    assert "Bob bob@example.org Never 0 browsers No Shut off" in text
    assert "Charlie charlie@example.org just now 1 browser None Administrator" in text
    found = text_of(chief.get(reverse("people"), {"q": "ALI"}))
    assert "alice@example.org" in found
    assert "bob@example.org" not in found
    none = text_of(chief.get(reverse("people"), {"q": "nobody here"}))
    assert "No one found No name or address contains “nobody here”" in none


def test_what_has_ended_is_counted_no_more_though_sessions_are_read_once_a_minute(
    chief: Client, alice: User
) -> None:
    def told() -> str:
        return text_of(chief.get(reverse("person", args=[alice.pk])))

    browsers = [browser_of(alice), browser_of(alice)]
    assert "2 browsers" in told()
    browser_of(alice)
    assert "2 browsers" in told(), "the third is counted within a minute"
    browsers[0].post(reverse("account_logout"))
    assert "1 browser," in told()
    cache.clear()
    assert "2 browsers" in told()


def test_last_seen_is_the_latest_of_what_is_known(chief: Client, alice: User, contracts: Datasource) -> None:
    now = timezone.now()
    ago, two_days = now - timedelta(days=7), now - timedelta(days=2)
    week_ago = date_format(ago, "j M")
    token = make_token(alice, name="Bot", scopes=list(TokenScope), datasource_ids=None, days=1)[0]
    User.objects.filter(pk=alice.pk).update(last_login=ago)
    assert week_ago in text_of(chief.get(reverse("person", args=[alice.pk])))
    Client().post(reverse("account_login"), {"login": alice.email, "password": "a wrong one"})
    assert week_ago in text_of(chief.get(reverse("person", args=[alice.pk]))), "somebody else tried"
    ApiToken.objects.filter(pk=token.pk).update(last_used=two_days)
    assert date_format(two_days, "j M") in text_of(chief.get(reverse("person", args=[alice.pk])))
    browser = browser_of(alice)
    User.objects.filter(pk=alice.pk).update(last_login=ago)
    browser.post(reverse("save_setting", args=[contracts.pk]), {"field": "description", "description": "x"})
    assert "just now" in text_of(chief.get(reverse("person", args=[alice.pk])))


def test_many_people_need_no_more_queries(chief: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as done:
            text_of(chief.get(reverse("people")))
        return len(done)

    queries()  # reads the sessions
    few = queries()
    User.objects.bulk_create(User(email=f"person{n}@example.org", name=f"Person {n}") for n in range(300))
    assert queries() == few
    text = text_of(chief.get(reverse("people"), {"page": "2"}))
    assert "101 to 200 of 301" in text


def test_signing_out_everywhere_ends_browsers_and_programs(chief: Client, alice: User) -> None:
    browser, rest = browser_of(alice), Client()
    given = {"email": alice.email, "password": "correct horse battery"}
    access = rest.post(reverse("api-login"), given, content_type="application/json").json()["access"]
    _, secret = make_token(alice, name="Bot", scopes=list(TokenScope), datasource_ids=None, days=1)
    do(chief, alice, "sign_out")
    assert browser.get(reverse("home")).status_code == 302
    for token in (access, secret):
        asked = rest.get(reverse("api-datasources"), headers={"authorization": f"Bearer {token}"})
        assert asked.status_code == 401
    assert noted().filter(act="ended", address="of alice@example.org").count() == 1
    again = rest.post(reverse("api-login"), given, content_type="application/json")
    assert again.status_code == 200, "the account stays open"


def test_who_is_shut_off_gets_in_nowhere_until_the_account_is_opened(
    chief: Client, alice: User, contracts: Datasource, bob: User
) -> None:
    browser = browser_of(alice)
    do(chief, alice, "shut_off")
    assert browser.get(reverse("home")).status_code == 302
    given = {"login": alice.email, "password": "correct horse battery"}
    assert Client().post(reverse("account_login"), given)["Location"] == reverse("account_inactive")
    assert not Datasource.objects.visible_to(User.objects.get(pk=alice.pk)).exists()
    assert Datasource.objects.visible_to(bob).exists(), "what was shared stays shared"
    assert "Open it again" in text_of(chief.get(reverse("person", args=[alice.pk])))
    do(chief, alice, "open_again")
    assert browser.get(reverse("home")).status_code == 302, "no session comes back"
    assert browser_of(alice).get(reverse("home")).status_code == 200
    assert [one.act for one in noted()[:3]] == ["reopened", "refused", "shut"]


def test_nobody_shuts_off_themselves_or_the_last_administrator(
    chief: Client, charlie: User, alice: User
) -> None:
    said = text_of(chief.post(reverse("person", args=[charlie.pk]), {"action": "shut_off"}, follow=True))
    assert "can't shut off your own account" in said
    charlie.refresh_from_db()
    assert charlie.is_active
    # In the administration as well, where the switch is a field.
    form = {"email": charlie.email, "name": "", "theme": "system", "is_staff": "on", "is_superuser": "on"}
    change = reverse("admin:accounts_user_change", args=[charlie.pk])
    no_administrator = {"email": charlie.email, "theme": "system", "is_staff": "on", "is_active": "on"}
    page = chief.post(change, no_administrator)
    assert "This is the last administrator whose account is open" in text_of(page)
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    assert "can't shut off your own account" in text_of(chief.post(change, form))
    deleting = reverse("admin:accounts_user_delete", args=[charlie.pk])
    assert chief.post(deleting, {"post": "yes"}).status_code == 403
    assert User.objects.get(pk=charlie.pk).is_active
    do(chief, alice, "shut_off")
    assert not User.objects.get(pk=alice.pk).is_active, "one administrator is left"


def test_what_somebody_owns_is_handed_over(
    chief: Client, alice: User, bob: User, contracts: Datasource
) -> None:
    """bob is a viewer of alice's datasource, and has one of the same name."""
    create_datasource(bob, "contracts")
    turn = make_turn(alice, make_document(contracts, "Lease", "Rent is due."), "When?")
    Framework.objects.create(owner=alice, name="House rules", source="CSV")
    said = text_of(chief.get(reverse("person", args=[alice.pk])))
    assert "1 datasource and 1 list of points" in said
    assert contracts.name not in said, "names are not for every administrator"
    asked = text_of(do(chief, alice, "ask_hand_over", email="Bob@example.org"))
    assert "Hand over to bob@example.org?" in asked
    assert do(chief, alice, "hand_over", email="Bob@example.org").status_code == 302
    contracts.refresh_from_db()
    assert (contracts.owner, contracts.name) == (bob, "Contracts (2)")
    assert Framework.objects.get().owner == bob
    assert not Membership.objects.filter(user=bob).exists(), "an owner needs none"
    assert contracts.role_of(alice) == Role.EDITOR
    conversation = reverse("conversation", args=[contracts.pk, turn.conversation_id])
    assert browser_of(alice).get(conversation).status_code == 200
    assert browser_of(bob).get(conversation).status_code == 404
    assert noted()[0].address == "of alice@example.org to bob@example.org (datasource: 1, framework: 1)"
    assert noted().filter(act="handed", datasource=contracts.pk).exists(), "the datasource's log has it too"
    assert "owns no datasource" in text_of(chief.get(reverse("person", args=[alice.pk])))


@pytest.mark.parametrize("to", ["nobody@example.org", "alice@example.org", "bob@example.org", ""])
def test_it_is_handed_over_to_another_open_account_only(
    to: str, chief: Client, alice: User, bob: User, contracts: Datasource
) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert do(chief, alice, "hand_over", email=to).status_code == 422
    contracts.refresh_from_db()
    assert contracts.owner == alice


def test_an_administrator_takes_over_only_what_they_may_see(
    chief: Client, alice: User, charlie: User, contracts: Datasource
) -> None:
    refused = do(chief, alice, "hand_over", email=charlie.email)
    assert "You can't become the owner yourself" in text_of(refused)
    assert contracts.role_of(charlie) is None
    User.objects.filter(pk=charlie.pk).update(may_see_contents=True)
    assert do(chief, alice, "hand_over", email=charlie.email).status_code == 302
    contracts.refresh_from_db()
    assert contracts.owner == charlie


def test_where_nothing_is_owned_nothing_is_handed_over(chief: Client, alice: User, bob: User) -> None:
    assert do(chief, alice, "hand_over", email=bob.email).status_code == 422
    assert not noted().filter(act="handed").exists()


def test_evaluations_go_on_as_whoever_may_run_them(
    chief: Client, alice: User, bob: User, charlie: User, contracts: Datasource
) -> None:
    """alice owns one datasource and is an editor of charlie's, which bob does not see."""
    others = create_datasource(charlie, "Leases")
    Membership.objects.create(datasource=others, user=alice, role=Role.EDITOR)
    own, elsewhere = (
        Schedule.objects.create(
            question_set=QuestionSet.objects.create(datasource=each, name="First"), person=alice
        )
        for each in (contracts, others)
    )
    said = text_of(
        chief.post(
            reverse("person", args=[alice.pk]), {"action": "hand_over", "email": bob.email}, follow=True
        )
    )
    assert "1 datasource and 1 scheduled evaluation. Not handed over: 1 scheduled evaluation" in said
    own.refresh_from_db()
    elsewhere.refresh_from_db()
    assert (own.person, elsewhere.person) == (bob, alice)
    assert "may not edit" in text_of(do(chief, alice, "hand_over", email=bob.email)), "nothing else is left"
