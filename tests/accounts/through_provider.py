"""Signing in through a provider with Django's test client, step by step as a browser goes."""

import html
import re
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.test import Client
from django.urls import reverse

from accounts.identity.models import IdentityProvider
from providers.connections.secrets import encrypted
from tests.accounts.openid_server import CLIENT, SECRET, OpenIdServer


def registered(server: OpenIdServer, name: str = "Arden", **fields: Any) -> IdentityProvider:
    return IdentityProvider.objects.create(
        name=name,
        issuer=server.issuer,
        client_id=CLIENT,
        encrypted_secret=encrypted(SECRET),
        **fields,
    )


def go_to(client: Client, provider: IdentityProvider, name: str = "provider_sign_in", **form: str) -> str:
    """Press the button: the address of the provider that the page leads to."""
    return led_to(client.post(reverse(name, args=[provider.pk]), form))


def led_to(page: Any) -> str:
    """Where a page goes at once."""
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page.content.decode())
    assert found, page.content.decode()
    return html.unescape(found[1])


def come_back(client: Client, address: str) -> Any:
    """The provider's page, which asks nothing, and the answer of ours that it leads back to."""
    answered = httpx.get(address)
    assert answered.status_code == 302, answered.text
    return client.get(path_of(answered.headers["location"]))


def sign_in(client: Client, provider: IdentityProvider, **form: str) -> Any:
    return come_back(client, go_to(client, provider, **form))


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def person_in(client: Client) -> int | None:
    """Who is signed in."""
    number = client.session.get("_auth_user_id")
    return int(number) if number else None
