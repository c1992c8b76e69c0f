"""Setting a provider up: what an administrator is told, what is kept; a provider that others have made."""

import re
import warnings
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.test import Client
from django.urls import reverse

from accounts.identity.models import IdentityProvider
from accounts.identity.openid.tokens import secret_of
from accounts.models import User
from providers.connections.secrets import encrypted
from tests.accounts.openid_server import CLIENT, SECRET, OpenIdServer
from tests.accounts.through_provider import led_to, path_of, person_in, registered
from tests.audit import noted
from tests.people import browser_of
from tests.responses import text_of


@pytest.fixture
def server() -> Iterator[OpenIdServer]:
    with OpenIdServer() as running:
        yield running


@pytest.fixture
def chief(alice: User) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    return browser_of(alice)


def add(chief: Client, address: str) -> Any:
    return chief.post(reverse("new_identity_provider"), {"name": "Arden", "issuer": address})


def test_a_provider_is_set_up_on_two_pages(chief: Client, server: OpenIdServer, client: Client) -> None:
    made = add(chief, f"{server.issuer}/.well-known/openid-configuration")
    arden = IdentityProvider.objects.get()
    assert arden.issuer == server.issuer
    assert "Arden" not in text_of(client.get(reverse("account_login"))), "it is not finished"
    page = text_of(chief.get(made["Location"]))
    for name in ("openid_returned", "openid_ended_there", "account_login"):
        path = reverse(name, args=[arden.pk] if name.startswith("openid") else [])
        assert f"http://testserver{path}" in page
    form = {"name": "Arden", "client_id": CLIENT, "secret": SECRET, "domains": "@Arden.example, b.example"}
    tested = text_of(chief.post(made["Location"], form | {"test": "1"}))
    assert "It answers, and knows this client." in tested
    assert not IdentityProvider.objects.get().client_id, "a test keeps nothing"
    assert "Save it to show it on the sign-in page." in tested
    chief.post(made["Location"], form | {"makes_accounts": "on", "is_hidden": "on"})
    assert "Arden" not in text_of(client.get(reverse("account_login"))), "it is left off"
    assert "Not on the sign-in page yet" in text_of(chief.get(reverse("sign_in_settings")))
    chief.post(made["Location"], form | {"makes_accounts": "on"})
    arden.refresh_from_db()
    assert (arden.makes_accounts, arden.domains) == (True, "arden.example b.example")
    assert SECRET not in arden.encrypted_secret
    assert "Sign in with Arden" in text_of(client.get(reverse("account_login")))
    shown = chief.get(made["Location"]).content.decode()
    assert SECRET not in shown
    assert arden.encrypted_secret not in shown
    chief.post(made["Location"], form | {"secret": "", "name": "Firm"})
    arden.refresh_from_db()
    assert secret_of(arden) == SECRET, "an empty field keeps it"
    chief.post(made["Location"], form | {"secret": "", "client_id": "another"})
    arden.refresh_from_db()
    assert secret_of(arden) == "", "it belongs to its client"
    entries = [entry.address for entry in noted().order_by("pk")]
    assert entries[0] == f"added Arden at {server.issuer}"
    assert "secret" in entries[1]
    assert not any(SECRET in one for one in entries)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ({"issuer": "https://other.example"}, "names another issuer: 'https://other.example'"),
        ({"issuer": None}, "names another issuer: None"),
        ({"token_endpoint": None}, "has no token_endpoint"),
        ({"jwks_uri": "http://other.example/keys"}, "has no jwks_uri that begins with https://"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(
    says: dict[str, Any], expected: str, chief: Client, server: OpenIdServer
) -> None:
    server.says = says
    page = add(chief, server.issuer)
    assert page.status_code == 422
    assert expected in text_of(page)
    assert not IdentityProvider.objects.exists()


def test_an_address_where_no_provider_is(chief: Client, server: OpenIdServer) -> None:
    assert "the answer is 404" in text_of(add(chief, f"{server.issuer}/other"))
    assert "nothing accepts connections there" in text_of(add(chief, "http://127.0.0.1:9"))
    for unsafe in ("http://login.example", "ftp://login.example", "https://me@login.example", "login"):
        assert "begins with https://" in text_of(add(chief, unsafe)), unsafe


def test_a_client_that_the_provider_refuses(chief: Client, server: OpenIdServer) -> None:
    arden = registered(server)
    address = reverse("identity_provider", args=[arden.pk])
    form = {"name": "Arden", "client_id": CLIENT, "test": "1"}
    wrong = text_of(chief.post(address, form | {"secret": "wrong"}))
    assert "refuses this client: its ID or its secret is not right" in wrong
    assert "It answers" in text_of(chief.post(address, form)), "the stored secret"
    server.says = {"jwks_uri": f"{server.issuer}/nowhere"}
    assert "There is no list of keys" in text_of(chief.post(address, form))
    refused = chief.post(address, form | {"domains": "no domain!"})
    assert refused.status_code == 422
    assert "no is not a domain" in text_of(refused)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # it uses what its library calls old
def test_a_provider_of_others_signs_in_and_out(client: Client, db: None) -> None:
    """oidc-provider-mock, with its own page in between."""
    with warnings.catch_warnings(record=True):
        import oidc_provider_mock

    dora = {"email": "dora@example.org", "email_verified": True, "name": "Dora Nowak"}
    known = oidc_provider_mock.User(sub="dora", claims=dora)
    with oidc_provider_mock.run_server_in_thread(user_claims=[known]) as running:
        issuer = f"http://localhost:{running.server_port}"
        provider = IdentityProvider.objects.create(
            name="Mock",
            issuer=issuer,
            client_id="svq",
            encrypted_secret=encrypted(SECRET),
            makes_accounts=True,
        )
        there = led_to(client.post(reverse("provider_sign_in", args=[provider.pk])))
        assert "svq" in httpx.get(there).text
        answered = httpx.post(there, data={"sub": "dora"})
        assert client.get(path_of(answered.headers["location"]))["Location"] == reverse("home")
        person = User.objects.get()
        assert (person_in(client), person.name) == (person.pk, "Dora Nowak")
        out = led_to(client.post(reverse("account_logout")))
        assert re.match(rf"{issuer}/[^?]+\?id_token_hint=", out)
        assert httpx.get(out).status_code < 400
