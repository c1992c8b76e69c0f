"""Setting a SAML provider up: what an administrator is told, what is kept, and what ends when."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from accounts.identity.models import IdentityProvider
from accounts.models import User
from providers.connections.secrets import decrypted
from svq_site.host.doctor import sign_in_providers
from tests.accounts.saml_server import KEY, OTHER_KEY, SamlServer, make_key
from tests.accounts.through_provider import person_in
from tests.accounts.through_saml import registered, sign_in
from tests.audit import noted
from tests.people import browser_of
from tests.responses import text_of


@pytest.fixture
def server() -> Iterator[SamlServer]:
    with SamlServer() as running:
        yield running


@pytest.fixture
def chief(alice: User) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    return browser_of(alice)


def add(chief: Client, **fields: str) -> Any:
    return chief.post(reverse("new_saml_provider"), {"name": "Arden"} | fields)


def test_a_provider_is_set_up_on_two_pages(
    chief: Client, server: SamlServer, client: Client, settings: Any
) -> None:
    settings.FETCH_PRIVATE_ADDRESSES = True
    assert "SAML" in text_of(chief.get(reverse("new_identity_provider")))
    made = add(chief, metadata_address=f"{server.site}/metadata")
    arden = IdentityProvider.objects.get()
    assert arden.issuer == server.entity_id
    assert "Arden" not in text_of(client.get(reverse("account_login"))), "it is not finished"
    page = chief.get(made["Location"])
    for name in ("saml_returned", "saml_ended_there", "saml_metadata"):
        assert f"http://testserver{reverse(name, args=[arden.pk])}" in text_of(page)
    assert f"valid until {date_format(KEY.certificate.not_valid_after_utc, 'j F Y')}" in text_of(page)
    called = f"http://testserver{reverse('saml_metadata', args=[arden.pk])}"
    assert f'value="{called}"' in page.content.decode()
    form = {
        "name": "Arden",
        "client_id": called,
        "metadata_address": f"{server.site}/metadata",
        "domains": "@Arden.example",
        "group_claim": "groups",
    }
    tested = text_of(chief.post(made["Location"], form | {"test": "1"}))
    assert "The metadata is that of this provider" in tested
    assert not IdentityProvider.objects.get().client_id, "a test keeps nothing"
    chief.post(made["Location"], form | {"makes_accounts": "on"})
    arden.refresh_from_db()
    assert (arden.makes_accounts, arden.domains, arden.client_id) == (True, "arden.example", called)
    assert f"SAML: {server.entity_id}" in text_of(chief.get(reverse("sign_in_settings")))
    sign_in(client, arden)
    assert person_in(client)
    assert next(entry.address for entry in noted().order_by("pk")) == f"added Arden at {server.entity_id}"


def test_pasted_metadata_stays_until_other_is_pasted(chief: Client, server: SamlServer) -> None:
    made = add(chief, metadata=server.metadata())
    form = {"name": "Arden", "client_id": "svq", "group_claim": "groups"}
    chief.post(made["Location"], form)
    assert IdentityProvider.objects.get().metadata == server.metadata()
    server.keys = [KEY, OTHER_KEY]
    chief.post(made["Location"], form | {"metadata": server.metadata()})
    assert IdentityProvider.objects.get().metadata == server.metadata()
    page = text_of(chief.get(made["Location"]))
    assert page.count("valid until") == 2
    server.entity_id = "https://other.example"
    refused = chief.post(made["Location"], form | {"metadata": server.metadata()})
    assert refused.status_code == 422
    assert "This is the metadata of another provider, https://other.example." in text_of(refused)
    assert "https://other.example" not in IdentityProvider.objects.get().metadata


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (lambda said: "", "Give the address of the metadata, or paste it below."),
        (lambda said: "<html></html>", "names no identity provider"),
        (lambda said: "{}", "This is not the metadata of a provider"),
        (lambda said: f"<!DOCTYPE x []>{said}", "This is not the metadata of a provider"),
        (lambda said: said.replace("HTTP-Redirect", "HTTP-POST"), "no address to sign in by redirect"),
        (lambda said: said.replace("http://127", "http://10.0"), "does not begin with https://"),
        (lambda said: said.replace(KEY.body, ""), "certificate that can't be read"),
        (lambda said: said.replace('use="signing"', 'use="encryption"'), "no certificate for signatures"),
        (lambda said: said.replace(KEY.body, make_key(bits=1024).body), "no RSA key of at least 2048 bits"),
        (
            lambda said: said.replace(
                "<IDPSSO", '<IDPSSODescriptor validUntil="2020-01-01T00:00:00Z"><IDPSSO', 0
            ).replace(" entityID", ' validUntil="2020-01-01T00:00:00Z" entityID'),
            "has been out of date since 2020-01-01",
        ),
        (lambda said: f"<x>{said}{said}</x>", "several identity providers"),
        (lambda said: said + " " * 1_000_001 + "<!-- -->", "too large"),
    ],
)
def test_what_is_wrong_with_metadata_is_said(
    wrong: Any, expected: str, chief: Client, server: SamlServer
) -> None:
    page = add(chief, metadata=wrong(server.metadata()))
    assert page.status_code == 422
    assert expected in text_of(page)
    assert not IdentityProvider.objects.exists()


def test_an_address_where_no_metadata_is(chief: Client, server: SamlServer, settings: Any) -> None:
    private = text_of(add(chief, metadata_address=f"{server.site}/metadata"))
    assert "of a private network, which SVQ_FETCH_PRIVATE_ADDRESSES allows" in private
    settings.FETCH_PRIVATE_ADDRESSES = True
    assert "the answer is 404" in text_of(add(chief, metadata_address=f"{server.site}/other"))
    for unsafe in ("http://login.example", "ftp://login.example", "https://me@login.example"):
        assert "begins with https://" in text_of(add(chief, metadata_address=unsafe)), unsafe


def test_an_entity_id_belongs_to_one_provider(chief: Client, server: SamlServer) -> None:
    registered(server, "Helios")
    page = add(chief, metadata=server.metadata())
    assert f"There is a provider with the entity ID {server.entity_id} already." in text_of(page)


def test_accounts_at_the_first_sign_in_need_domains(chief: Client, server: SamlServer) -> None:
    arden = registered(server)
    form = {"name": "Arden", "client_id": "svq", "group_claim": "groups", "makes_accounts": "on"}
    page = chief.post(reverse("identity_provider", args=[arden.pk]), form)
    assert page.status_code == 422
    assert "of no others does the provider's word on an address count" in text_of(page)


def test_a_key_of_our_own_is_made_by_a_tick_and_rotated_with_the_secrets(
    chief: Client, server: SamlServer, settings: Any
) -> None:
    server.wants_signed = True
    arden = registered(server)
    address = reverse("identity_provider", args=[arden.pk])
    form = {"name": "Arden", "client_id": "svq", "group_claim": "groups"}
    assert "tick “Sign what SVQ sends there”" in text_of(chief.post(address, form | {"test": "1"}))
    chief.post(address, form | {"signs": "on"})
    arden.refresh_from_db()
    key = decrypted(arden.encrypted_secret)
    assert "PRIVATE KEY" in key
    assert key not in chief.get(address).content.decode()
    chief.post(address, form | {"signs": "on"})
    settings.SECRET_KEY_FALLBACKS = [site_settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    call_command("rotate_keys")
    settings.SECRET_KEY_FALLBACKS = []
    arden.refresh_from_db()
    assert decrypted(arden.encrypted_secret) == key, "a second save keeps it, and so does a new secret"


def test_the_end_of_a_certificate_is_told_before_it_comes(chief: Client, server: SamlServer) -> None:
    server.keys = [make_key(days=20)]
    arden = registered(server, makes_accounts=True)
    day = timezone.now() + timedelta(days=20)
    assert f"Its certificate ends on {date_format(day, 'j F Y')}" in text_of(
        chief.get(reverse("sign_in_settings"))
    )
    page = text_of(chief.get(reverse("identity_provider", args=[arden.pk])))
    assert "Its certificate ends soon." in page
    found = sign_in_providers()
    assert (found.ok, found.items) == (True, [f"Arden: {day:%Y-%m-%d}"])
    assert found.advice
    server.keys = [make_key(days=-1)]
    IdentityProvider.objects.update(metadata=server.metadata())
    assert "Its certificate ended on" in text_of(chief.get(reverse("sign_in_settings")))
    assert sign_in(Client(), arden).status_code == 302, "it is still the provider's key"
    server.keys = [make_key(days=20), KEY]
    IdentityProvider.objects.update(metadata=server.metadata())
    assert not sign_in_providers().items, "another one is there already"


def test_a_removed_provider_takes_its_sessions_along(
    chief: Client, client: Client, server: SamlServer
) -> None:
    arden = registered(server, makes_accounts=True)
    sign_in(client, arden)
    chief.post(reverse("remove_identity_provider", args=[arden.pk]))
    assert person_in(client) is None
    assert User.objects.filter(email="dora@arden.example").exists()
