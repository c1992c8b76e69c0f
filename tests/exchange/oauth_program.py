"""A program that asks to be let in, step by step, so that each step can go wrong."""

import base64
import hashlib
import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.test import Client
from django.utils.http import urlencode

from accounts.models import User
from accounts.programs.rule import resource
from tests.people import browser_of

HERE = "http://127.0.0.1:43117/callback"  # where it waits
VERIFIER = "v" * 64


def challenge_of(verifier: str) -> str:
    hashed = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(hashed).decode().rstrip("=")


class OAuthProgram:
    """It registers as it is made. `asked`: the parameters that it asks with; a test may change each."""

    def __init__(self, name: str = "Notebook", addresses: tuple[str, ...] = (HERE,)) -> None:
        self.client = Client()
        self.registered = register(name, addresses).json()
        self.asked = {
            "response_type": "code",
            "client_id": self.registered["client_id"],
            "redirect_uri": addresses[0],
            "state": "state-1",
            "scope": "read ask",
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "resource": resource(),
        }

    @property
    def address(self) -> str:
        """Where it sends a person's browser."""
        return f"/oauth/authorize?{urlencode(self.asked)}"

    def answer(self, person: User, **form: Any) -> Any:
        """The page that the person gets who answers the question; without more, they let it in whole."""
        given = form or {"grant": "yes", "scopes": ["read", "ask"], "reach": "all"}
        return browser_of(person).post(self.address, given)

    def code(self, person: User, **form: Any) -> str:
        return str(sent_back(self.answer(person, **form))["code"])

    def change(self, code: str, **other: str) -> Any:
        """What it gets for a code."""
        return self.token(
            **{
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": self.asked["redirect_uri"],
                "client_id": self.asked["client_id"],
                "code_verifier": VERIFIER,
                "resource": resource(),
                **other,
            }
        )

    def renew(self, renewal: str, **other: str) -> Any:
        given = {
            "grant_type": "refresh_token",
            "refresh_token": renewal,
            "client_id": self.asked["client_id"],
        }
        return self.token(**{**given, **other})

    def token(self, **given: str) -> Any:
        return self.client.post("/oauth/token", given)

    def tokens(self, person: User, **form: Any) -> dict[str, Any]:
        """All steps, none of which goes wrong."""
        got = self.change(self.code(person, **form))
        assert got.status_code == 200, got.content
        return dict(got.json())


def register(name: str = "Notebook", addresses: tuple[str, ...] = (HERE,), **more: Any) -> Any:
    said = {"client_name": name, "redirect_uris": list(addresses), **more}
    return Client().post("/oauth/register", json.dumps(said), content_type="application/json")


def link_of(page: Any) -> str:
    """Where the page leads back to the program."""
    found = re.search(r'<a class="btn lg full" href="([^"]+)" rel="noreferrer">', page.content.decode())
    assert found, page.content.decode()
    return unescape(found[1])


def sent_back(page: Any) -> dict[str, str]:
    """The parameters that the program gets, once it knows that they are from here."""
    told = {name: values[0] for name, values in parse_qs(urlsplit(link_of(page)).query).items()}
    assert told.pop("iss") == settings.SITE_URL
    return told
