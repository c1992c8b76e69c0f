"""API tokens: what a program may do with one, and that it never reaches more than it should."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.api_tokens import still_counts
from accounts.models import ApiToken, TokenScope, User
from datasources.models import Datasource, Membership
from datasources.services import create_datasource
from tests.factories import make_document, make_turn
from tests.people import PASSWORD, browser_of
from tests.rest import ERROR, Api, program

READ, ASK, WRITE = TokenScope.READ, TokenScope.ASK, TokenScope.WRITE
NEW = "a longer horse battery"


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def names(client: Api) -> list[str]:
    return sorted(row["name"] for row in client.get("data-sources").json()["results"])


# --- what it reaches -------------------------------------------------------------------------------------
def test_it_stands_for_its_person(contracts: Datasource, alice: User, charlie: User) -> None:
    create_datasource(charlie, "Recipes")
    assert names(program(alice)[0]) == ["Contracts"]
    assert names(program(charlie)[0]) == ["Recipes"]


def test_it_reaches_only_the_datasources_it_was_made_for(contracts: Datasource, alice: User) -> None:
    """Nor what is in the others, by whichever address; they are as if they were not there."""
    other = create_datasource(alice, "Diary")
    secret = make_document(other, "Secret", "The secret ends in May.")
    open_ = make_document(contracts, "Open", "The contract ends in May.")
    turn, mine = make_turn(alice, secret, "Which?"), make_turn(alice, open_, "Which?")
    client, _ = program(alice, only=[contracts])
    assert names(client) == ["Contracts"]
    assert client.get(f"documents/{open_.pk}").status_code == 200
    assert client.get(f"turns/{mine.pk}").status_code == 200
    for path in (
        f"data-sources/{other.pk}",
        f"data-sources/{other.pk}/entities",
        f"data-sources/{other.pk}/conversations",
        f"documents/{secret.pk}",
        f"documents/{secret.pk}/chunks",
        f"turns/{turn.pk}",
        f"conversations/{turn.conversation_id}",
    ):
        assert client.get(path).status_code == 404, path
    asked = client.post(f"data-sources/{other.pk}/ask", {"question": "When?", "wait": False})
    assert asked.status_code == 404
    assert client.send("DELETE", f"data-sources/{other.pk}").status_code == 404
    assert Datasource.objects.filter(pk=other.pk).exists()


def test_a_token_for_some_datasources_sees_no_receipts_of_others(contracts: Datasource, alice: User) -> None:
    other = create_datasource(alice, "Diary")
    document = make_document(other, "Secret", "The secret ends in May.")
    browser_api, _ = program(alice)
    assert browser_api.send("DELETE", f"documents/{document.pk}").status_code == 204
    assert browser_api.get("deletions").json()["count"] == 1
    assert program(alice, only=[contracts])[0].get("deletions").json()["count"] == 0


def test_a_token_for_some_datasources_makes_no_new_one(contracts: Datasource, alice: User) -> None:
    assert program(alice, only=[contracts])[0].post("data-sources", {"name": "More"}).status_code == 403
    assert program(alice)[0].post("data-sources", {"name": "More"}).status_code == 201


def test_what_its_person_loses_it_loses(contracts: Datasource, bob: User) -> None:
    client, _ = program(bob, only=[contracts])
    assert client.get(f"data-sources/{contracts.pk}").status_code == 200
    Membership.objects.filter(user=bob).delete()
    assert client.get(f"data-sources/{contracts.pk}").status_code == 404


def test_it_raises_nobody_above_their_role(contracts: Datasource, bob: User) -> None:
    client, _ = program(bob)
    assert client.send("PATCH", f"data-sources/{contracts.pk}", {"name": "Mine"}).status_code == 403


# --- what it may do --------------------------------------------------------------------------------------
def outcomes(client: Api, datasource: Datasource, turn: Any) -> tuple[int, int, int, int]:
    return (
        client.get(f"data-sources/{datasource.pk}").status_code,
        client.get(f"turns/{turn.pk}").status_code,
        client.post(f"data-sources/{datasource.pk}/ask", {"question": "When?", "wait": False}).status_code,
        client.send("PATCH", f"data-sources/{datasource.pk}", {"description": "New"}).status_code,
    )


@pytest.mark.parametrize(
    ("scopes", "expected"),
    [
        ([READ], (200, 200, 403, 403)),
        ([ASK], (403, 404, 202, 403)),
        ([WRITE], (403, 403, 403, 200)),
        ([READ, ASK, WRITE], (200, 200, 202, 200)),
    ],
)
def test_it_may_do_what_was_ticked(
    contracts: Datasource, alice: User, scopes: list[TokenScope], expected: tuple[int, ...]
) -> None:
    turn = make_turn(alice, make_document(contracts, "Open", "The contract ends in May."), "Which?")
    assert outcomes(program(alice, *scopes)[0], contracts, turn) == expected


def test_a_refusal_names_the_token_and_not_the_role(contracts: Datasource, alice: User) -> None:
    refused = program(alice, READ)[0].send("DELETE", f"data-sources/{contracts.pk}").json()
    assert set(refused) == ERROR
    assert refused["code"] == "token_scope"


def test_what_it_may_not_do_is_refused_alike_whether_or_not_it_exists(
    contracts: Datasource, alice: User, charlie: User
) -> None:
    client, _ = program(charlie, READ)
    answers = {
        (answer := client.send("DELETE", f"data-sources/{number}")).status_code: answer.json()
        for number in (contracts.pk, 987_654)
    }
    assert list(answers) == [403]


# --- when it ends ----------------------------------------------------------------------------------------
def test_unknown_expired_and_revoked_tokens_are_refused_alike(contracts: Datasource, alice: User) -> None:
    expired, row = program(alice)
    ApiToken.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    revoked, row = program(alice)
    row.delete()
    unknown = Api()
    unknown.headers = {"Authorization": "Bearer svq_" + "A" * 43}
    answers = [client.get("data-sources") for client in (expired, revoked, unknown)]
    assert [answer.status_code for answer in answers] == [401, 401, 401]
    assert answers[0].json() == answers[1].json() == answers[2].json()
    assert answers[0]["WWW-Authenticate"].startswith("Bearer")


def test_what_a_token_began_ends_with_it(contracts: Datasource, alice: User) -> None:
    """A request that waits for an answer asks again before it hands it over."""
    _, token = program(alice)
    alice.api_token = token
    assert still_counts(alice)
    alice.set_password(NEW)
    alice.save()
    assert not still_counts(alice)


def test_a_new_password_ends_it(contracts: Datasource, alice: User) -> None:
    client, _ = program(alice)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert browser_of(alice).post(reverse("account_change_password"), form).status_code == 302
    assert client.get("data-sources").status_code == 401
    page = browser_of(User.objects.get(pk=alice.pk)).get(reverse("api_tokens")).content.decode()
    assert "Ended by your new password" in page


def test_switching_the_account_off_ends_it_for_good(alice: User) -> None:
    client, _ = program(alice)
    admin = Client()
    admin.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    page = reverse("admin:accounts_user_change", args=[alice.pk])
    form = {"email": alice.email, "name": "Alice", "theme": "system"}
    assert admin.post(page, form).status_code == 302
    assert client.get("data-sources").status_code == 401
    assert admin.post(page, form | {"is_active": "on"}).status_code == 302
    assert client.get("data-sources").status_code == 401


def test_it_makes_no_session_and_opens_no_page(alice: User) -> None:
    client, _ = program(alice)
    for page in ("home", "api_tokens"):
        assert client.client.get(reverse(page), headers=client.headers).status_code == 302
    assert not client.client.cookies


# --- the page --------------------------------------------------------------------------------------------
FORM = {"name": "Notebook", "scopes": ["read", "ask"], "reach": "all", "days": "30"}


def secret_on(page: Any) -> str:
    text = page.content.decode()
    begin = text.index('data-copy="svq_') + len('data-copy="')
    return str(text[begin : text.index('"', begin)])


def test_a_token_is_shown_once_and_only_its_hash_is_kept(contracts: Datasource, alice: User) -> None:
    browser = browser_of(alice)
    sent = browser.post(reverse("new_api_token"), FORM)
    assert (sent.status_code, sent["Location"]) == (302, reverse("api_tokens"))
    browser.head(reverse("api_tokens"))  # of a link checker or a preview: shows nobody anything
    made = browser.get(reverse("api_tokens"))
    assert made["Cache-Control"] == "private, no-store"
    secret = secret_on(made)
    assert secret not in str([session.get_decoded() for session in Session.objects.all()])
    client = Api()
    client.headers = {"Authorization": f"Bearer {secret}"}
    assert names(client) == ["Contracts"]
    later = browser.get(reverse("api_tokens")).content.decode()
    assert "Notebook" in later
    assert "Read, ask" in later
    assert "just now" in later, "when it was used last"
    assert secret not in later
    row = ApiToken.objects.values().get()
    assert secret not in str(row)
    assert secret[8:] not in str(row)


def test_the_new_token_is_filled_in_where_programs_are_told_of_it(alice: User) -> None:
    browser = browser_of(alice)
    made = browser.post(reverse("new_api_token"), FORM, follow=True)
    text = made.content.decode()
    assert text.count(secret_on(made)) > 5
    assert "claude mcp add --transport http svq" in text
    assert "/mcp" in text
    assert "svq_…" in browser.get(reverse("api_tokens")).content.decode()


def test_a_reload_of_the_page_that_shows_it_makes_no_second_one(alice: User) -> None:
    browser = browser_of(alice)
    page = browser.post(reverse("new_api_token"), FORM, follow=True)
    assert page.request["REQUEST_METHOD"] == "GET"
    assert 'data-copy="svq_' not in browser.get(page.request["PATH_INFO"]).content.decode()
    again = browser.post(reverse("new_api_token"), FORM)
    assert again.status_code == 422
    assert "already" in again.content.decode()
    assert alice.api_tokens.count() == 1


def test_the_form_offers_only_ones_own_datasources(contracts: Datasource, alice: User, charlie: User) -> None:
    create_datasource(charlie, "Recipes")
    browser = browser_of(charlie)
    page = browser.get(reverse("new_api_token")).content.decode()
    assert "Recipes" in page
    assert "Contracts" not in page
    forged = browser.post(reverse("new_api_token"), FORM | {"reach": "some", "datasources": [contracts.pk]})
    assert forged.status_code == 422
    assert not charlie.api_tokens.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"name": "x" * 101},
        {"scopes": []},
        {"scopes": ["admin"]},
        {"reach": "some"},
        {"days": "100000"},
        {"days": "0"},
    ],
)
def test_what_is_wrong_with_the_form_is_said_beside_the_field(alice: User, wrong: dict[str, Any]) -> None:
    page = browser_of(alice).post(reverse("new_api_token"), FORM | wrong)
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()
    assert not alice.api_tokens.exists()


def test_revoking_ends_the_program_at_once(contracts: Datasource, alice: User) -> None:
    client, token = program(alice)
    browser = browser_of(alice)
    page = reverse("revoke_api_token", args=[token.pk])
    assert "Revoke" in browser.get(page).content.decode()
    assert client.get("data-sources").status_code == 200, "asking is not revoking"
    assert browser.post(page).status_code == 302
    assert client.get("data-sources").status_code == 401


def test_nobody_revokes_the_token_of_another(alice: User, charlie: User) -> None:
    client, token = program(alice)
    page = reverse("revoke_api_token", args=[token.pk])
    assert browser_of(charlie).post(page).status_code == 404
    assert client.get("data-sources").status_code == 200


def test_an_administrator_sees_whose_it_is_and_revokes_it(alice: User) -> None:
    client, token = program(alice)
    admin = Client()
    admin.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    page = reverse("admin:accounts_apitoken_changelist")
    shown = admin.get(page).content.decode()
    assert alice.email in shown
    assert token.beginning in shown
    assert token.name not in shown, "what people call their things is theirs"
    assert token.digest not in shown
    admin.post(page, {"action": "revoke", "_selected_action": [token.pk]})
    assert client.get("data-sources").status_code == 401
