"""Signing in through a SAML provider with Django's test client, step by step as a browser goes."""

import html
import re
from http.cookies import SimpleCookie
from typing import Any

import httpx
from django.test import Client

from accounts.identity.models import IdentityProvider, Language
from tests.accounts.saml_server import SamlServer
from tests.accounts.through_provider import go_to, path_of

SITE = "http://testserver"


def registered(server: SamlServer, name: str = "Arden", site: str = SITE, **fields: Any) -> IdentityProvider:
    """By pasted metadata, unless the fields have its address."""
    row = IdentityProvider.objects.create(
        language=Language.SAML,
        name=name,
        issuer=server.entity_id,
        metadata=server.metadata(),
        **{"domains": "arden.example", **fields},
    )
    row.client_id = f"{site}/account/saml/{row.pk}/metadata/"
    row.save()
    return row


def answer_of(address: str) -> tuple[str, dict[str, str]]:
    """What the provider's page sends, and where to."""
    page = httpx.get(address).text
    (action,) = re.findall(r'action="([^"]+)"', page)
    fields = re.findall(r'<input name="([^"]+)" value="([^"]*)"', page)
    return html.unescape(action), {name: html.unescape(value) for name, value in fields}


def post_from_there(client: Client, action: str, fields: dict[str, str]) -> Any:
    """A form on another site's page: the browser adds no cookie of ours to it, and takes the answer's."""
    known, client.cookies = client.cookies, SimpleCookie()
    answer = client.post(path_of(action), fields, headers={"origin": "https://login.arden.example"})
    known.update(answer.cookies)
    client.cookies = known
    return answer


def come_back(client: Client, address: str) -> Any:
    """The provider's page, which asks nothing, and the answer of ours that it leads to."""
    answer = post_from_there(client, *answer_of(address))
    return client.get(answer["Location"]) if answer.status_code == 303 else answer


def sign_in(client: Client, provider: IdentityProvider, **form: str) -> Any:
    return come_back(client, go_to(client, provider, **form))
