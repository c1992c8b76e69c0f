"""Programs that people let in over OAuth: the steps, and each that is tried by somebody else."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from accounts import standing
from accounts.models import ApiToken, AuditEntry, TokenScope, User
from accounts.programs import documents, rule
from accounts.programs.models import Code, Grant, Program, RefreshToken
from accounts.programs.tokens import forget
from datasources.models import Datasource
from datasources.services import create_datasource
from exchange.mcp.serving.door import challenge, token_in
from exchange.mcp.tools.registry import TOOLS
from tests.exchange.oauth_program import HERE, VERIFIER, OAuthProgram, challenge_of, register, sent_back
from tests.people import PASSWORD, browser_of
from tests.rest import program as api_program

DOCUMENT = "https://notes.example/oauth/notebook.json"


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def admits(access: str) -> ApiToken | None:
    """Whom the address of MCP takes a program with this token for."""
    return token_in({"authorization": f"Bearer {access}"})


def log() -> list[str]:
    return list(AuditEntry.objects.filter(act="program").order_by("pk").values_list("address", flat=True))


# --- the steps -------------------------------------------------------------------------------------------
def test_a_program_finds_out_how_to_ask(db: None, client: Client) -> None:
    """From the refusal to the addresses: RFC 9728, then RFC 8414."""
    said = challenge({})
    assert said.startswith('Bearer resource_metadata="http://')
    assert 'scope="read ask"' in said
    where = said.split('resource_metadata="')[1].split('"')[0]
    guarded = client.get(where[where.index("/.well-known") :]).json()
    assert guarded["resource"] == rule.resource()
    issuer = guarded["authorization_servers"][0]
    told = client.get("/.well-known/oauth-authorization-server").json()
    assert told["issuer"] == issuer
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["client_id_metadata_document_supported"] is True
    for name in ("authorization", "token", "registration", "revocation"):
        assert told[f"{name}_endpoint"].startswith(issuer)


def test_one_that_carries_a_dead_token_is_told_so(db: None) -> None:
    dead = {"authorization": "Bearer svqp_dead"}
    assert 'error="invalid_token", resource' in challenge(dead), "why is not known"
    assert 'error="invalid_token", error_description="It ended."' in challenge(dead, "It ended.")


def test_the_scopes_are_those_that_a_tool_needs() -> None:
    assert {tool.scope for tool in TOOLS.values()} == set(rule.SCOPES)


def test_the_question_says_who_asks_and_where_it_leads(alice: User, contracts: Datasource) -> None:
    page = browser_of(alice).get(OAuthProgram("Notebook").address)
    text = page.content.decode()
    assert page.status_code == 200
    assert "stay on this server" not in text, "a program that is let in reads them from elsewhere"
    assert "stay on this server" in Client().get(reverse("account_login")).content.decode()
    assert "Notebook" in text
    assert "Nobody vouches for that name" in text
    assert HERE in text
    assert "the computer that you are using" in text
    assert alice.email in text
    assert "Contracts" in text
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_a_program_that_is_let_in_stands_for_its_person(alice: User) -> None:
    got = OAuthProgram().tokens(alice)
    assert (got["token_type"], got["expires_in"], got["scope"]) == ("Bearer", 3600, "read ask")
    token = admits(got["access_token"])
    assert token is not None
    assert token.user == alice
    assert token.user.may(TokenScope.ASK)
    assert not token.user.may(TokenScope.WRITE)
    assert token.user.reach is None


def test_the_person_gives_less_than_was_asked(alice: User, contracts: Datasource) -> None:
    create_datasource(alice, "Diary")
    form = {"grant": "yes", "scopes": ["read"], "reach": "some", "datasources": [contracts.pk]}
    got = OAuthProgram().tokens(alice, **form)
    assert got["scope"] == "read"
    token = admits(got["access_token"])
    assert token is not None
    assert not token.user.may(TokenScope.ASK)
    assert list(Datasource.objects.visible_to(token.user)) == [contracts]


def test_saying_no_tells_the_program_so(alice: User) -> None:
    told = sent_back(OAuthProgram().answer(alice, deny="yes"))
    assert (told["error"], told["state"]) == ("access_denied", "state-1")
    assert not Code.objects.exists()


def test_whoever_is_not_signed_in_signs_in_first(db: None) -> None:
    answer = Client().get(OAuthProgram().address)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/login/?next=/oauth/authorize")


def test_a_native_program_gets_any_port_of_this_computer(alice: User) -> None:
    program = OAuthProgram(addresses=("http://127.0.0.1/callback",))
    program.asked["redirect_uri"] = "http://127.0.0.1:51234/callback"
    assert program.tokens(alice)["access_token"]


def test_a_program_from_before_resource_indicators_gets_the_same(alice: User) -> None:
    program = OAuthProgram()
    del program.asked["resource"]
    access = program.change(program.code(alice), resource="").json()["access_token"]
    assert Grant.objects.get().resource == rule.resource()
    assert admits(access)


# --- renewing and ending ---------------------------------------------------------------------------------
def test_a_token_is_renewed_and_the_one_before_is_over(alice: User) -> None:
    program = OAuthProgram()
    first = program.tokens(alice)
    second = program.renew(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert admits(second["access_token"])
    assert not admits(first["access_token"])
    assert Grant.objects.count() == 1


def test_a_renewal_that_comes_twice_ends_the_program(alice: User) -> None:
    """Somebody has stolen it: nobody knows who of the two."""
    program = OAuthProgram()
    first = program.tokens(alice)
    second = program.renew(first["refresh_token"]).json()
    again = program.renew(first["refresh_token"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert not admits(second["access_token"])
    assert program.renew(second["refresh_token"]).status_code == 400
    assert "came a second time" in log()[-1]


def test_a_renewal_asks_for_no_more_than_was_given(alice: User) -> None:
    program = OAuthProgram()
    first = program.tokens(alice, grant="yes", scopes=["read"], reach="all")
    for wider in ("read ask", "write"):
        refused = program.renew(first["refresh_token"], scope=wider)
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_scope")
    assert program.renew(first["refresh_token"]).json()["scope"] == "read"


def test_one_that_asked_for_less_for_a_time_gets_all_of_its_own_again(alice: User) -> None:
    program = OAuthProgram()
    less = program.renew(program.tokens(alice)["refresh_token"], scope="read").json()
    token = admits(less["access_token"])
    assert token is not None
    assert token.scopes == ["read"]
    assert program.renew(less["refresh_token"]).json()["scope"] == "read ask"


def test_what_is_not_renewed_for_long_is_over(alice: User) -> None:
    program = OAuthProgram()
    got = program.tokens(alice)
    ApiToken.objects.update(expires=timezone.now())
    assert not admits(got["access_token"])
    assert program.renew(got["refresh_token"]).status_code == 200
    RefreshToken.objects.update(expires=timezone.now())
    newest = RefreshToken.objects.filter(spent=None).get()
    assert newest.grant.refresh_tokens.count() == 2
    ApiToken.objects.update(expires=timezone.now())
    forget()
    assert not Grant.objects.exists()


def test_a_program_gives_its_token_back(alice: User) -> None:
    program = OAuthProgram()
    got = program.tokens(alice)
    given = {"token": got["refresh_token"], "client_id": program.asked["client_id"]}
    assert program.client.post("/oauth/revoke", given).status_code == 200
    assert not admits(got["access_token"])
    assert program.client.post("/oauth/revoke", given).status_code == 200, "what is over is no error"


def test_no_program_ends_another(alice: User) -> None:
    got, other = OAuthProgram().tokens(alice), OAuthProgram("Other")
    given = {"token": got["access_token"], "client_id": other.asked["client_id"]}
    assert other.client.post("/oauth/revoke", given).status_code == 200
    assert admits(got["access_token"])


def test_the_person_sees_and_ends_it(alice: User, bob: User) -> None:
    got = OAuthProgram("Notebook").tokens(alice)
    mine = browser_of(alice)
    page = mine.get("/settings/programs/").content.decode()
    assert "Notebook" in page
    assert "Read, ask" in page
    assert "Notebook" not in mine.get("/settings/tokens/").content.decode()
    end = f"/settings/programs/{Grant.objects.get().pk}/end/"
    assert browser_of(bob).post(end).status_code == 404
    assert admits(got["access_token"])
    assert mine.post(end).status_code == 302
    assert not admits(got["access_token"])


def test_a_new_password_ends_it(alice: User) -> None:
    program = OAuthProgram()
    got, code = program.tokens(alice), program.code(alice)
    alice.set_password("a longer horse battery")
    alice.save()
    assert not admits(got["access_token"])
    assert program.renew(got["refresh_token"]).status_code == 400
    assert program.change(code).status_code == 400


def test_an_account_that_is_shut_off_loses_it_at_once(alice: User, admin_user: User) -> None:
    program = OAuthProgram()
    got, code = program.tokens(alice), program.code(alice)
    standing.shut_off(alice, by=admin_user)
    assert not admits(got["access_token"])
    assert program.renew(got["refresh_token"]).status_code == 400
    assert program.change(code).status_code == 400


def test_administrators_switch_it_off_and_end_all(alice: User, admin_user: User) -> None:
    program = OAuthProgram()
    got = program.tokens(alice)
    chief = browser_of(admin_user)
    chief.post("/settings/programs/of-everybody/save/", {"field": "allowed", "initial-allowed": "on"})
    assert not admits(got["access_token"])
    assert program.renew(got["refresh_token"]).status_code == 404
    assert browser_of(alice).get(program.address).status_code == 400
    assert Client().get("/.well-known/oauth-authorization-server").status_code == 404
    assert challenge({}) == "Bearer"
    assert api_program(alice)[0].get("data-sources").status_code == 200, "API tokens work"
    chief.post("/settings/programs/of-everybody/save/", {"field": "allowed", "allowed": "on"})
    assert admits(got["access_token"])
    assert alice.email in chief.get("/settings/programs/of-everybody/").content.decode()
    chief.post("/settings/programs/of-everybody/", {"program": "all"})
    assert not Grant.objects.exists()
    assert browser_of(alice).get("/settings/programs/of-everybody/").status_code == 404


def test_every_step_is_in_the_audit_log(alice: User, contracts: Datasource) -> None:
    program = OAuthProgram("Notebook")
    program.renew(program.tokens(alice)["refresh_token"])
    browser_of(alice).post(f"/settings/programs/{Grant.objects.get().pk}/end/")
    first, got, renewed, ended = log()
    assert first == f"let in Notebook: read, ask; all datasources; to {HERE}"
    assert "first token" in got
    assert "renewed" in renewed
    assert ended.startswith("ended Notebook")
    assert AuditEntry.objects.filter(act="program", person=alice).count() == 4


def test_let_in_anew_it_is_in_once(alice: User, bob: User) -> None:
    """What has registered is on one computer. Another person's stays."""
    program = OAuthProgram()
    first, theirs = program.tokens(alice), program.tokens(bob)
    second = program.tokens(alice)
    assert admits(second["access_token"])
    assert admits(theirs["access_token"])
    assert not admits(first["access_token"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("spent", ["code", "renewal"])
def test_of_two_at_the_same_moment_one_gets_tokens(alice: User, spent: str) -> None:
    """And then neither: it came a second time."""
    program = OAuthProgram()
    text = program.code(alice) if spent == "code" else program.tokens(alice)["refresh_token"]
    change = program.change if spent == "code" else program.renew

    def closing(_: int) -> int:
        try:
            return int(change(text).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        answers = sorted(threads.map(closing, range(4)))
    assert answers == [200, 400, 400, 400]
    assert not Grant.objects.exists()


def test_the_oldest_of_too_many_makes_room(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.programs.tokens.MOST_LET_IN", 2)
    first, second, third = (OAuthProgram(name).tokens(alice)["access_token"] for name in ("A", "B", "C"))
    assert [bool(admits(access)) for access in (first, second, third)] == [False, True, True]


# --- what somebody else tries ----------------------------------------------------------------------------
def test_a_code_is_nothing_without_its_verifier(alice: User) -> None:
    program = OAuthProgram()
    code = program.code(alice)
    for verifier in ("w" * 64, challenge_of(VERIFIER), ""):
        refused = program.change(code, code_verifier=verifier)
        assert refused.status_code == 400, verifier
        assert refused.json()["error"] in ("invalid_grant", "invalid_request")
    assert not Grant.objects.exists()


def test_a_code_that_comes_twice_ends_what_it_gave(alice: User) -> None:
    program = OAuthProgram()
    code = program.code(alice)
    got = program.change(code).json()
    assert program.change(code).json()["error"] == "invalid_grant"
    assert not admits(got["access_token"])
    assert program.renew(got["refresh_token"]).status_code == 400


def test_a_code_is_over_after_a_minute(alice: User) -> None:
    program = OAuthProgram()
    code = program.code(alice)
    Code.objects.update(expires=timezone.now())
    assert program.change(code).json()["error"] == "invalid_grant"


def test_a_code_is_of_the_program_that_asked(alice: User) -> None:
    """And what it renews with is."""
    program, other = OAuthProgram(), OAuthProgram("Other")
    assert other.change(program.code(alice)).json()["error"] == "invalid_grant"
    got = program.tokens(alice)
    assert other.renew(got["refresh_token"]).json()["error"] == "invalid_grant"
    assert admits(got["access_token"])
    assert program.change(program.code(alice), client_id="nobody").status_code == 401


def test_a_code_is_changed_where_it_was_sent(alice: User) -> None:
    program = OAuthProgram()
    refused = program.change(program.code(alice), redirect_uri="http://127.0.0.1:1/callback")
    assert refused.status_code == 400
    assert not Grant.objects.exists()


def test_a_code_of_somebody_else_stays_theirs(alice: User, bob: User) -> None:
    """Whoever slips alice's code to bob's program gets no further: bob's program has another verifier."""
    program = OAuthProgram()
    theirs = program.code(alice)
    program.asked["code_challenge"] = challenge_of("b" * 64)
    program.code(bob)
    assert program.change(theirs, code_verifier="b" * 64).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/callback",
        "http://127.0.0.1:43117/other",
        "http://localhost:43117/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1:43117@evil.example/callback",
        "http://127.0.0.1:43117/callback?next=https://evil.example",
        "http://127.0.0.1:43117/callback#x",
        "javascript:alert(1)//127.0.0.1/callback",
        "",
    ],
)
def test_no_code_is_sent_anywhere_else(alice: User, address: str) -> None:
    program = OAuthProgram()
    program.asked["redirect_uri"] = address
    page = program.answer(alice)
    assert page.status_code == 400
    assert "Nothing was given to the program" in page.content.decode()
    assert not re.search(r'(?:href|src|action)="[^"]*evil', page.content.decode())
    assert not Code.objects.exists()


def test_the_address_of_a_server_is_compared_letter_by_letter(alice: User) -> None:
    program = OAuthProgram(addresses=("https://app.example/callback",))
    for other in (
        "https://app.example:8443/callback",
        "https://app.example/callback/",
        "https://APP.example/callback",
    ):
        program.asked["redirect_uri"] = other
        assert program.answer(alice).status_code == 400, other


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "read write"}, "invalid_scope"),
        ({"scope": "admin"}, "invalid_scope"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
    ],
)
def test_what_is_asked_wrong_is_not_put_to_the_person(
    alice: User, changed: dict[str, str], error: str
) -> None:
    """They choose whether to follow: anybody can register an address."""
    program = OAuthProgram()
    program.asked |= changed
    if changed.get("code_challenge") == "" or changed.get("code_challenge_method") == "":
        del program.asked[next(iter(changed))]
    page = program.answer(alice)
    assert sent_back(page)["error"] == error
    assert "http-equiv" not in page.content.decode()
    assert not Code.objects.exists()


def test_the_person_cannot_be_made_to_give_more_than_was_asked(
    alice: User, bob: User, contracts: Datasource
) -> None:
    program = OAuthProgram()
    program.asked["scope"] = "read"
    assert program.answer(alice, grant="yes", scopes=["read", "ask"], reach="all").status_code == 422
    form = {"grant": "yes", "scopes": ["read"], "reach": "some"}
    assert program.answer(alice, **form).status_code == 422
    strange = create_datasource(bob, "Recipes")
    assert program.answer(alice, **form, datasources=[strange.pk]).status_code == 422
    assert not Code.objects.exists()


def test_another_site_cannot_say_yes_for_the_person(alice: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    form = {"grant": "yes", "scopes": ["read"], "reach": "all"}
    assert browser.post(OAuthProgram().address, form).status_code == 403
    assert not Code.objects.exists()


def test_a_token_for_another_address_counts_nowhere(alice: User) -> None:
    program = OAuthProgram()
    got = program.tokens(alice)
    assert (
        program.change(program.code(alice), resource="https://other.example/mcp").json()["error"]
        == "invalid_target"
    )
    with override_settings(SITE_URL="https://svq.example"):
        assert not admits(got["access_token"])
        assert program.renew(got["refresh_token"]).status_code == 400
    assert admits(got["access_token"])


def test_it_opens_no_other_door(alice: User) -> None:
    """Not REST, not the addresses of OpenAI, no page: nor does what it renews with."""
    got = OAuthProgram().tokens(alice)
    for text in (got["access_token"], got["refresh_token"]):
        headers = {"Authorization": f"Bearer {text}"}
        for path in ("/api/v1/data-sources", "/v1/models", "/scim/v2/Users"):
            assert Client().get(path, headers=headers).status_code == 401, path
        assert Client().get("/settings/programs/", headers=headers).status_code == 302
    assert not admits(got["refresh_token"])


def test_an_api_token_is_none_of_a_program(alice: User) -> None:
    client, token = api_program(alice)
    program = OAuthProgram()
    assert program.renew(client.headers["Authorization"][7:]).status_code == 400
    given = {"token": client.headers["Authorization"][7:], "client_id": program.asked["client_id"]}
    program.client.post("/oauth/revoke", given)
    assert ApiToken.objects.filter(pk=token.pk).exists()
    assert browser_of(alice).post(f"/settings/programs/{token.pk}/end/").status_code == 404


def test_nothing_of_it_is_kept_that_opens_something(alice: User) -> None:
    program = OAuthProgram()
    code = program.code(alice)
    got = program.change(code).json()
    rows = str([list(kind.objects.values()) for kind in (Code, RefreshToken, ApiToken)])
    assert not [text for text in (code, got["access_token"], got["refresh_token"]) if text in rows]


def test_without_https_no_program_is_let_in(alice: User) -> None:
    with override_settings(SITE_URL="http://svq.office.example"):
        assert Client().get("/.well-known/oauth-protected-resource").status_code == 404
        assert challenge({}) == "Bearer"
    with override_settings(SITE_URL="https://svq.office.example"):
        assert Client().get("/.well-known/oauth-protected-resource").status_code == 200


def test_parameters_are_not_read_twice_or_from_elsewhere(alice: User) -> None:
    program = OAuthProgram()
    twice = browser_of(alice).get(f"{program.address}&redirect_uri=https://evil.example/")
    assert twice.status_code == 400
    in_address = program.client.post("/oauth/token?grant_type=authorization_code", {"code": "x"})
    assert in_address.json()["error"] == "invalid_request"
    odd = program.change(program.code(alice), user="1", scopes="write", extra_credentials="x", client="1")
    assert odd.json()["scope"] == "read ask"


# --- registering -----------------------------------------------------------------------------------------
def test_a_program_registers_without_a_secret(db: None) -> None:
    answer = register(token_endpoint_auth_method="client_secret_post", grant_types=["authorization_code"])
    assert answer.status_code == 201
    assert answer.json()["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in answer.json()


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"redirect_uris": ["http://evil.example/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["cursor://callback", "javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example/"}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/" + "x" * 1000]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/\nhttps://b.example/"]}, "invalid_redirect_uri"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
    ],
)
def test_what_makes_no_sense_is_not_registered(db: None, said: dict[str, Any], error: str) -> None:
    answer = register(**said)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert not Program.objects.exists()


@pytest.mark.parametrize("body", ["", "[]", "no json", "[" * 100_000, "1", '{"redirect_uris": 1}'])
def test_a_body_that_is_no_object_is_refused(db: None, body: str) -> None:
    answer = Client().post("/oauth/register", body, content_type="application/json")
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "error_description"}


def test_a_form_registers_nothing(db: None) -> None:
    assert Client().post("/oauth/register", {"redirect_uris": HERE}).status_code == 400


def test_registrations_are_bounded_and_forgotten(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.programs.described.MOST_WAITING", 2)
    first, *others = [register() for _ in range(3)]
    assert {answer.status_code for answer in (first, *others)} == {201}
    assert [program.client_id for program in Program.objects.order_by("pk")] == [
        answer.json()["client_id"] for answer in others
    ], "the oldest makes room"
    Program.objects.update(created=timezone.now() - timedelta(days=2))
    forget()
    assert not Program.objects.exists()
    assert [register().status_code for _ in range(30)][-1] == 429


def test_a_name_is_a_claim_and_stays_on_one_line(alice: User) -> None:
    program = OAuthProgram("<b>SVQ</b>\n\u202eadministration")
    text = browser_of(alice).get(program.address).content.decode()
    assert "<b>SVQ" not in text
    assert "\u202e" not in text


# --- documents -------------------------------------------------------------------------------------------
class Web:
    """What is at the addresses of documents; `asked`: those that were read."""

    def __init__(self) -> None:
        self.said: dict[str, Any] = {
            "client_id": DOCUMENT,
            "client_name": "Notebook",
            "redirect_uris": [HERE],
        }
        self.answer: httpx.Response | None = None
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        return self.answer or httpx.Response(200, content=json.dumps(self.said))


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    """public_only is tried in its own test."""
    served = Web()

    def client(**told: Any) -> httpx.Client:
        assert told["public_only"] is True
        return httpx.Client(transport=httpx.MockTransport(served))

    monkeypatch.setattr(documents, "sync_client", client)
    return served


def known_by_document() -> OAuthProgram:
    program = OAuthProgram()
    program.asked["client_id"] = DOCUMENT
    return program


def test_a_program_is_known_by_its_document(web: Web, alice: User) -> None:
    program = known_by_document()
    page = browser_of(alice).get(program.address).content.decode()
    assert "<b>notes.example</b>, which calls the program “Notebook”" in page
    assert admits(program.tokens(alice)["access_token"])
    assert web.asked == [DOCUMENT], "once: it is kept for an hour"


def test_its_document_is_read_anew_after_an_hour(web: Web, alice: User) -> None:
    program = known_by_document()
    program.tokens(alice)
    Program.objects.update(document_read=timezone.now() - timedelta(hours=2))
    web.said["redirect_uris"] = ["https://notes.example/callback"]
    assert program.answer(alice).status_code == 400, "it is no longer sent where it was"


def test_no_document_is_read_for_strangers(web: Web, alice: User) -> None:
    program = known_by_document()
    Client().get(program.address)
    assert program.change("code").status_code == 401
    assert register(client_id=DOCUMENT).status_code == 201
    assert not web.asked


@pytest.mark.parametrize(
    "said",
    [
        {"client_id": "https://other.example/x.json"},
        {"redirect_uris": ["http://evil.example/"]},
        {"client_secret": "x"},
        {"token_endpoint_auth_method": "client_secret_post"},
    ],
)
def test_a_document_that_is_wrong_lets_nobody_in(web: Web, alice: User, said: dict[str, Any]) -> None:
    web.said |= said
    assert known_by_document().answer(alice).status_code == 400
    assert not Program.objects.filter(client_id=DOCUMENT).exists()


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(404),
        httpx.Response(302, headers={"Location": "http://169.254.169.254/"}),
        httpx.Response(200, content=b"no json"),
        httpx.Response(200, content=b"[" * 10_000),
        httpx.Response(200, content=b" " * 20_000),
        httpx.Response(200, content=b"[]"),
    ],
)
def test_what_is_no_document_is_said_so(web: Web, alice: User, answer: httpx.Response) -> None:
    web.answer = answer
    page = known_by_document().answer(alice)
    assert page.status_code == 400
    assert "Nothing was given to the program" in page.content.decode()
    assert web.asked == [DOCUMENT]


def test_documents_are_counted(web: Web, alice: User) -> None:
    browser = browser_of(alice)
    web.answer = httpx.Response(404)
    program = known_by_document()
    for _ in range(25):
        browser.get(program.address)
    assert len(web.asked) == documents.BY_PERSON.attempts


@pytest.mark.parametrize(
    "client_id",
    [
        "http://notes.example/a.json",
        "https://notes.example",
        "https://notes.example/",
        "https://notes.example/../a.json",
        "https://notes.example/a.json?x=1",
        "https://notes.example/a.json#x",
        "https://user:pass@notes.example/a.json",
        "https://NOTES.example/a.json",
        "https://notes.example:port/a.json",
        "https://notes.example/" + "x" * 600,
        "file:///etc/passwd",
    ],
)
def test_other_ids_are_not_looked_up(web: Web, alice: User, client_id: str) -> None:
    program = OAuthProgram()
    program.asked["client_id"] = client_id
    assert program.answer(alice).status_code == 400
    assert not web.asked


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "[::1]"])
def test_no_document_is_read_from_this_network(alice: User, host: str) -> None:
    """By the guard that all addresses of people go through."""
    program = OAuthProgram()
    program.asked["client_id"] = f"https://{host}/a.json"
    page = program.answer(alice)
    assert page.status_code == 400
    assert "can’t be reached" in page.content.decode()
    assert link_and_password_free(page.content.decode())


def link_and_password_free(page: str) -> bool:
    return PASSWORD not in page and 'rel="noreferrer"' not in page
