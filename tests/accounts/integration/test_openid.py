"""Signing in through a firm's provider: who gets in, who never does, and how it ends."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import jwt
import pytest
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts import addresses
from accounts.identity import fetching
from accounts.identity.models import IdentityProvider
from accounts.identity.openid import jwts, tokens
from accounts.models import AuditAct, AuditEntry, User
from providers.http.clients import sync_client
from tests.accounts.openid_server import CLIENT, KEY, OTHER_KEY, OpenIdServer, signed
from tests.accounts.through_provider import (
    come_back,
    go_to,
    led_to,
    path_of,
    person_in,
    registered,
    sign_in,
)
from tests.audit import noted
from tests.people import PASSWORD, browser_of
from tests.responses import text_of


@pytest.fixture
def server() -> Iterator[OpenIdServer]:
    with OpenIdServer() as running:
        yield running


@pytest.fixture
def arden(server: OpenIdServer, db: None) -> IdentityProvider:
    return registered(server, makes_accounts=True)


# --- who gets in -----------------------------------------------------------------------------------------
def test_the_first_sign_in_makes_an_account_and_the_next_one_finds_it(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    assert "Sign in with Arden" in text_of(client.get(reverse("account_login")))
    server.person |= {"email": "Dora@Example.org", "name": "Dora Nowak"}
    answer = sign_in(client, arden, next="/settings/")
    assert answer["Location"] == "/settings/"
    assert "device" in answer.cookies, "this device's attempts count by themselves from now on"
    dora = User.objects.get()
    assert (dora.email, dora.name, dora.is_superuser) == ("dora@example.org", "Dora Nowak", False)
    assert not dora.has_usable_password()
    assert addresses.is_confirmed(dora)
    server.person["email"] = "married@example.org"  # she is known by her subject
    again = Client()
    sign_in(again, arden)
    assert person_in(again) == dora.pk
    assert User.objects.count() == 1


def test_the_way_there_is_bound_to_this_browser_and_this_sign_in(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    sign_in(client, arden)
    (asked,) = server.asked
    assert asked["code_challenge_method"] == "S256"
    assert asked["scope"] == "openid profile email"
    assert min(len(asked["state"]), len(asked["nonce"])) >= 16
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(reverse("provider_sign_in", args=[arden.pk])).status_code == 403
    assert Client().get(reverse("provider_sign_in", args=[arden.pk]))["Location"] == reverse("account_login")


@pytest.mark.django_db(transaction=True)
def test_a_provider_that_takes_its_time_holds_no_connection_to_the_database(
    client: Client, server: OpenIdServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    arden, held = registered(server, makes_accounts=True), []

    def watched(**how: Any) -> httpx.Client:
        held.append(connection.connection)
        return sync_client(**how)

    for module in (fetching, tokens):
        monkeypatch.setattr(module, "sync_client", watched)
    sign_in(client, arden)
    assert person_in(client) == User.objects.get().pk
    assert held == [None] * 4, "twice for its addresses, then for the code and the keys"


def test_without_accounts_at_the_first_sign_in_one_is_told_whom_to_ask(
    client: Client, server: OpenIdServer, alice: User
) -> None:
    arden = registered(server)
    page = sign_in(client, arden)
    assert page.status_code == 403
    assert "There is no account for dora@example.org here. Ask the administrator" in text_of(page)
    assert person_in(client) is None
    arden.makes_accounts, arden.domains = True, "arden.example other.example"
    arden.save()
    assert sign_in(client, arden).status_code == 403, "not of these domains"
    server.person["email"] = "dora@arden.example"
    sign_in(client, arden)
    assert person_in(client) == User.objects.get(email="dora@arden.example").pk


@pytest.mark.parametrize("said", [None, False, "false", "yes", 1])
def test_an_address_that_the_provider_does_not_confirm_opens_nothing(
    said: Any, client: Client, server: OpenIdServer, alice: User
) -> None:
    """Neither alice's account, nor one that would wait for what is shared with her address; and nobody
    learns from the answer whether there is one.
    """
    arden = registered(server, makes_accounts=True, connects_by_address=True)
    server.person |= {"email": alice.email, "email_verified": said}
    known = sign_in(client, arden)
    server.person["email"] = "nobody@example.org"
    unknown = sign_in(client, arden)
    assert (known.status_code, text_of(known)) == (403, text_of(unknown))
    assert "does not confirm" in text_of(known)
    assert person_in(client) is None
    assert User.objects.count() == 1


def test_an_account_of_the_same_confirmed_address_is_connected_only_where_allowed(
    client: Client, server: OpenIdServer, alice: User
) -> None:
    arden = registered(server, makes_accounts=True)
    server.person["email"] = "ALICE@example.org"
    page = sign_in(client, arden)
    assert "There is an account with the address alice@example.org already" in text_of(page)
    IdentityProvider.objects.update(connects_by_address=True)
    sign_in(client, arden)
    assert person_in(client) == alice.pk
    assert alice.check_password(PASSWORD)


@pytest.mark.parametrize(
    "address", ["ali\0ce@example.org", "alice@exam\u017fple.org", "bo\u212a@example.org"]
)
def test_an_address_that_only_looks_like_one_here_opens_nothing(
    address: str, client: Client, server: OpenIdServer, alice: User
) -> None:
    """The small letter of K (Kelvin) is k."""
    User.objects.create_user("bok@example.org")
    arden = registered(server, makes_accounts=True, connects_by_address=True)
    server.person["email"] = address
    assert sign_in(client, arden).status_code == 403
    assert person_in(client) is None


def test_neither_an_unconfirmed_account_nor_an_administrators_is_connected_by_address(
    client: Client, server: OpenIdServer, alice: User, bob: User
) -> None:
    """The first may be a stranger's, who waits in it; by the second whoever runs the provider would rule."""
    arden = registered(server, makes_accounts=True, connects_by_address=True)
    addresses.confirmed_addresses(alice).model.objects.filter(user=alice).update(verified=False)
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    for person in (alice, bob):
        server.person["email"] = person.email
        assert sign_in(client, arden).status_code == 403
        assert person_in(client) is None


def test_somebody_who_is_shut_off_does_not_come_in_by_the_provider(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    sign_in(client, arden)
    client.logout()
    User.objects.update(is_active=False)
    answer = sign_in(client, arden)
    assert answer["Location"] == reverse("account_inactive")
    assert person_in(client) is None


def test_who_is_signed_in_connects_an_account_there_and_lets_go_of_it(
    client: Client, server: OpenIdServer, alice: User
) -> None:
    arden = registered(server)
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    server.person = {"sub": "a1"}  # it need not know an address
    answer = come_back(client, go_to(client, arden, "provider_connect"))
    assert answer["Location"] == reverse("account_settings")
    assert "Connected" in text_of(client.get(reverse("account_settings")))
    other = Client()
    sign_in(other, arden)
    assert person_in(other) == alice.pk
    client.post(reverse("provider_disconnect", args=[arden.pk]))
    assert person_in(other) is None, "what it began ends"
    assert person_in(client) == alice.pk
    assert sign_in(Client(), arden).status_code == 403
    said = AuditEntry.objects.filter(act=AuditAct.SIGN_IN, email=alice.email)
    assert [entry.address for entry in said] == ["disconnected Arden", "connected Arden"]
    User.objects.update(password="!nothing")
    SocialAccount.objects.create(user=alice, provider=arden.key, uid="a1")
    third = Client()
    sign_in(third, arden)
    third.post(reverse("provider_disconnect", args=[arden.pk]))
    assert person_in(third) == alice.pk
    assert SocialAccount.objects.exists(), "it is the only way in"


def test_a_provider_that_is_left_off_the_sign_in_page_signs_nobody_in(
    client: Client, arden: IdentityProvider, server: OpenIdServer, alice: User
) -> None:
    begun = go_to(client, arden, "provider_sign_in")
    IdentityProvider.objects.update(is_hidden=True)
    assert come_back(client, begun).status_code == 403
    assert client.post(reverse("provider_sign_in", args=[arden.pk])).status_code == 404
    assert not User.objects.exclude(pk=alice.pk).exists()
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    assert client.post(reverse("provider_connect", args=[arden.pk])).status_code == 404
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    come_back(client, go_to(client, arden, "provider_connect"))
    assert SocialAccount.objects.get().user == alice, "an administrator tries it"


def test_letting_go_of_the_provider_that_began_a_session_keeps_that_session(
    client: Client, server: OpenIdServer, arden: IdentityProvider, alice: User
) -> None:
    SocialAccount.objects.create(user=alice, provider=arden.key, uid="a1")
    server.person = {"sub": "a1"}
    sign_in(client, arden)
    session = client.session
    methods = session["account_authentication_methods"]
    session["account_authentication_methods"] = [*methods, {"method": "password", "at": time.time()}]
    session.save()
    answer = client.post(reverse("provider_disconnect", args=[arden.pk]))
    assert answer["Location"] == reverse("account_settings")
    assert "Arden no longer signs you in." in text_of(client.get(answer["Location"]))
    assert "openid" not in client.session


def test_an_old_sign_in_confirms_itself_before_it_connects_or_lets_go(
    arden: IdentityProvider, alice: User
) -> None:
    """Else a browser left open would be a way in for good."""
    old = browser_of(alice)
    for name in ("provider_connect", "provider_disconnect"):
        answer = old.post(reverse(name, args=[arden.pk]))
        assert answer["Location"].startswith(reverse("account_reauthenticate")), name


def test_a_provider_may_have_a_name_without_dots() -> None:
    IdentityProvider(name="Keycloak", issuer="https://keycloak:8443/realms/x", client_id="svq").full_clean(
        validate_unique=False
    )


def test_an_account_there_that_signs_in_somebody_else_is_not_connected(
    client: Client, arden: IdentityProvider, alice: User
) -> None:
    sign_in(client, arden)  # dora
    hers = Client()
    hers.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    come_back(hers, go_to(hers, arden, "provider_connect"))
    assert "That account signs in somebody else here" in text_of(hers.get(reverse("account_settings")))
    assert SocialAccount.objects.get().user.email == "dora@example.org"
    assert person_in(hers) == alice.pk


def test_an_address_that_only_the_information_on_the_person_has(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    server.more = {"email": "dora@example.org", "email_verified": True}
    server.person = {"sub": "d0ra"}
    sign_in(client, arden)
    assert User.objects.get().email == "dora@example.org"
    server.more["sub"] = "somebody else"
    assert sign_in(Client(), arden).status_code == 403


# --- administrators --------------------------------------------------------------------------------------
def test_groups_make_administrators_and_take_back_only_what_they_gave(
    client: Client, server: OpenIdServer, alice: User
) -> None:
    arden = registered(server, makes_accounts=True, administrators="svq-admins")
    server.person["groups"] = ["staff", "svq-admins"]
    sign_in(client, arden)
    dora = User.objects.get(email="dora@example.org")
    assert dora.is_superuser
    assert client.get(reverse("sign_in_settings")).status_code == 200
    server.person["groups"] = ["staff"]
    sign_in(client, arden)
    dora.refresh_from_db()
    assert dora.is_superuser, "nobody else could open accounts"
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    sign_in(client, arden)
    dora.refresh_from_db()
    assert (dora.is_superuser, dora.is_staff) == (False, False)
    assert [entry.act for entry in noted().order_by("pk")] == [AuditAct.RAISED, AuditAct.LOWERED]
    User.objects.filter(pk=dora.pk).update(is_superuser=True)  # by hand
    sign_in(client, arden)
    dora.refresh_from_db()
    assert dora.is_superuser


# --- who never gets in -----------------------------------------------------------------------------------
def other_key(header: dict[str, Any], claims: dict[str, Any]) -> str:
    return signed(claims, OTHER_KEY)


def changed(**others: Any) -> Any:
    return lambda header, claims: signed({k: v for k, v in (claims | others).items() if v is not None})


def unsigned(header: dict[str, Any], claims: dict[str, Any]) -> str:
    return jwt.encode(claims, "", algorithm="none")


def by_public_key(header: dict[str, Any], claims: dict[str, Any]) -> str:
    """As if the public key were a secret that both know."""
    public = json.dumps(json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key())))
    return signed(claims, public, "HS256")


def signature_left_out(header: dict[str, Any], claims: dict[str, Any]) -> str:
    return signed(claims).rpartition(".")[0] + "."


FORGED = {
    "another key": other_key,
    "another key with its own name": lambda header, claims: signed(claims, OTHER_KEY, kid="two"),
    "another audience": changed(aud="another client"),
    "made for another client too": changed(aud=[CLIENT, "another client"]),
    "authorized for another client": changed(azp="another client"),
    "another issuer": changed(iss="https://evil.example"),
    "expired": changed(exp=int(time.time()) - 3600),
    "without an end": changed(exp=None),
    "without a subject": changed(sub=None),
    "with an endless subject": changed(sub="x" * 192),
    "with a subject that no database takes": changed(sub="a\0b"),
    "of another sign-in": changed(nonce="another"),
    "without a nonce": changed(nonce=None),
    "unsigned": unsigned,
    "signed with the public key": by_public_key,
    "without its signature": signature_left_out,
    "no token": lambda header, claims: "no.token.here",
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_id_token_signs_nobody_in(
    forgery: str, client: Client, arden: IdentityProvider, server: OpenIdServer, caplog: Any
) -> None:
    server.forge = FORGED[forgery]
    page = sign_in(client, arden)
    assert page.status_code == 403
    assert "Arden did not confirm who you are" in text_of(page)
    assert person_in(client) is None
    assert not User.objects.exists()
    assert "openid" in caplog.text, "the operator can find out why"


def test_codes_and_states_count_once_and_in_their_own_browser(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    address = go_to(client, arden)
    back = path_of(httpx.get(address).headers["location"])
    stranger = Client()
    assert stranger.get(back).status_code == 403, "another browser, such as that of somebody lured there"
    forged = back.replace("state=", "state=x")
    assert client.get(forged).status_code == 403
    assert client.get(back).status_code == 302
    assert client.get(back).status_code == 403
    stolen = go_to(stranger, arden)  # the code of one sign-in with the state of another
    state = path_of(httpx.get(stolen).headers["location"]).partition("state=")[2]
    code = path_of(httpx.get(go_to(client, arden)).headers["location"]).partition("&state")[0]
    assert stranger.get(f"{code}&state={state}").status_code == 403, "PKCE binds the code"
    assert person_in(stranger) is None


def test_answers_of_one_provider_are_not_taken_for_those_of_another(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    with OpenIdServer() as rogue:
        evil = registered(rogue, "Evil", makes_accounts=True)
        rogue.person = server.person  # it claims the same subject
        sign_in(client, arden)
        dora = person_in(client)
        other = Client()
        assert "There is an account" in text_of(sign_in(other, evil)), (
            "a subject counts at its provider alone"
        )
        mixed = path_of(httpx.get(go_to(other, evil)).headers["location"])
        assert other.get(mixed.replace(f"/{evil.pk}/", f"/{arden.pk}/")).status_code == 403
        server.answers["iss"] = rogue.issuer
        assert sign_in(other, arden).status_code == 403
        server.answers["iss"] = server.issuer
        server.says["authorization_response_iss_parameter_supported"] = True
        assert sign_in(other, arden).status_code == 302
        server.answers.clear()
        assert sign_in(other, arden).status_code == 403, "it always names itself, as it says"
        assert dora is not None


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_it_never_leads_to_another_site(to: str, client: Client, arden: IdentityProvider) -> None:
    assert sign_in(client, arden, next=to)["Location"] == reverse("home")


def test_nothing_in_an_address_changes_what_is_asked(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    """allauth's own addresses take more from the query; they are not there."""
    client.post(
        reverse("provider_sign_in", args=[arden.pk])
        + "?scope=admin&auth_params=prompt%3Dnone&process=redirect"
    )
    come_back(client, go_to(client, arden))
    assert server.asked[0]["scope"] == "openid profile email"
    for path in ("/account/3rdparty/", "/account/3rdparty/signup/", f"/account/oidc/{arden.key}/login/"):
        assert client.get(path).status_code == 404


def test_failures_from_one_network_have_to_wait_and_a_whole_office_does_not(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    for number in range(35):
        server.person |= {"sub": str(number), "email": f"p{number}@example.org"}
        assert sign_in(Client(), arden).status_code == 302
    returned = reverse("openid_returned", args=[arden.pk])
    answers = [client.get(returned, {"code": "x", "state": "y"}) for _ in range(61)]
    assert (answers[-1].status_code, answers[-1]["Retry-After"]) == (429, "60")
    assert client.post(reverse("provider_sign_in", args=[arden.pk])).status_code == 429


def test_a_provider_that_is_away_is_said(client: Client, server: OpenIdServer, db: None) -> None:
    arden = registered(server)
    server.says["issuer"] = "https://evil.example"
    page = client.post(reverse("provider_sign_in", args=[arden.pk]))
    assert page.status_code == 424
    assert "Try again" in text_of(page)


def test_somebody_who_says_no_there_is_not_signed_in(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    state = dict(httpx.QueryParams(httpx.URL(go_to(client, arden)).query))["state"]
    page = client.get(reverse("openid_returned", args=[arden.pk]), {"error": "access_denied", "state": state})
    assert page.status_code == 403


# --- how it ends -----------------------------------------------------------------------------------------
def test_signing_out_here_signs_out_there(
    client: Client, arden: IdentityProvider, server: OpenIdServer
) -> None:
    sign_in(client, arden)
    address = httpx.URL(led_to(client.post(reverse("account_logout"))))
    assert str(address).startswith(f"{server.issuer}/end?")
    assert address.params["client_id"] == CLIENT
    assert jwt.decode(address.params["id_token_hint"], options={"verify_signature": False})["sub"] == "d0ra"
    assert address.params["post_logout_redirect_uri"].endswith(reverse("account_login"))
    assert person_in(client) is None


def test_a_sign_in_with_a_password_leads_nowhere_else_at_its_end(
    client: Client, arden: IdentityProvider, alice: User
) -> None:
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    assert client.post(reverse("account_logout"))["Location"] == "/"


def logout_token(server: OpenIdServer, **others: Any) -> str:
    event: dict[str, Any] = {jwts.LOGOUT_EVENT: {}}
    claims = server.claims() | {"sub": "d0ra", "jti": str(time.monotonic_ns()), "events": event} | others
    return signed({name: value for name, value in claims.items() if value is not None})


def tell(arden: IdentityProvider, token: str) -> int:
    address = reverse("openid_ended_there", args=[arden.pk])
    return Client(enforce_csrf_checks=True).post(address, {"logout_token": token}).status_code


def test_the_provider_ends_a_session(client: Client, arden: IdentityProvider, server: OpenIdServer) -> None:
    """Back-channel logout, by session or by person; nobody else's session."""
    sign_in(client, arden)
    dora = User.objects.get()
    by_password, second = browser_of(dora), Client()
    sign_in(second, arden)
    for wrong in (
        logout_token(server, aud="another client"),
        logout_token(server, events={}),
        logout_token(server, nonce="n"),
        logout_token(server, exp=int(time.time()) - 3600),
        logout_token(server, sub=None, sid=None),
        server.id_token("n"),
        other_key({}, server.claims() | {"sub": "d0ra", "jti": "1", "events": {jwts.LOGOUT_EVENT: {}}}),
        "nothing",
    ):
        assert tell(arden, wrong) == 400
    assert tell(arden, logout_token(server, sid="another session")) == 200
    assert person_in(client) == dora.pk
    token = logout_token(server, sid=None)
    assert tell(arden, token) == 200
    assert (person_in(client), person_in(second)) == (None, None)
    assert person_in(by_password) == dora.pk
    assert tell(arden, token) == 400, "a token counts once"


def test_removing_a_provider_ends_its_sessions_and_what_it_gave(
    client: Client, server: OpenIdServer, alice: User
) -> None:
    arden = registered(server, makes_accounts=True, administrators="svq-admins")
    server.person["groups"] = "svq-admins"
    sign_in(client, arden)
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    browser_of(alice).post(reverse("remove_identity_provider", args=[arden.pk]))
    assert person_in(client) is None
    dora = User.objects.get(email="dora@example.org")
    assert not dora.is_superuser
    assert not SocialAccount.objects.exists()
