"""A person lets a program in with a real browser, and is sent back to where the program waits."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from django.utils.http import urlencode
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.programs.models import Code
from datasources.models import Datasource
from tests.axe import violations
from tests.browser import Live
from tests.exchange.oauth_program import VERIFIER, challenge_of

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)


class Waiting:
    """A program of the person's computer, which waits at a port that the system gave it."""

    def __init__(self) -> None:
        self.told: list[dict[str, list[str]]] = []
        told = self.told

        class Callback(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                told.append(parse_qs(urlsplit(self.path).query))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"You can close this page.")

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Callback)
        self.address = f"http://127.0.0.1:{self.server.server_port}/callback"


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    program = Waiting()
    thread = Thread(target=program.server.serve_forever, daemon=True)
    thread.start()
    yield program
    program.server.shutdown()
    program.server.server_close()
    thread.join()


def asked(live: Live, address: str) -> str:
    """The page that asks, for a program that has just registered with any port."""
    said = {"client_name": "Notebook", "redirect_uris": ["http://127.0.0.1/callback"]}
    known = httpx.post(f"{live.base_url}/oauth/register", json=said).json()
    parameters = {
        "response_type": "code",
        "client_id": known["client_id"],
        "redirect_uri": address,
        "state": "state-1",
        "code_challenge": challenge_of(VERIFIER),
        "code_challenge_method": "S256",
        "resource": f"{live.base_url}/mcp",
    }
    return f"{live.base_url}/oauth/authorize?{urlencode(parameters)}"


def test_the_person_is_sent_back_to_the_program(
    live: Live, page: Page, contracts: Datasource, alice: User, waiting: Waiting
) -> None:
    live.login(page, alice)
    page.goto(asked(live, waiting.address))
    expect(page.get_by_role("heading", level=1)).to_have_text("Let Notebook in?")
    assert not violations(page)
    page.get_by_label("Ask Ask questions").uncheck()
    page.get_by_label("Only these").check()
    page.get_by_label("Contracts").check()
    page.get_by_role("button", name="Let it in", exact=True).click()
    expect(page.get_by_text("You can close this page.")).to_be_visible()
    assert waiting.told[0]["state"] == ["state-1"]
    assert waiting.told[0]["iss"] == [live.base_url]
    code = Code.objects.get()
    assert (code.scopes, code.datasource_ids) == (["read"], [contracts.pk])
