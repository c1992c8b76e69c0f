"""In which language it is said what is wrong with a source: that of the person, and English to programs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from exchange.connectors.kinds.site import ADVICE
from exchange.connectors.readers import why_withheld
from providers.connections.services import allow_owners
from tests.connectors.webdav_server import NAME, WebDavServer
from tests.localization.pseudo import HEADERS, pseudo_language
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import Api


@pytest.fixture(autouse=True)
def _pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


@pytest.fixture
def refused(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A place whose server takes another password."""
    allow_owners(connect=False, private_addresses=False, private_connectors=True)
    folder = tmp_path / "cloud"
    folder.mkdir()
    with WebDavServer(folder) as server:
        yield {
            "kind": "webdav",
            "place": server.address,
            "user_name": NAME,
            "secret": "another",
            "every": "15",
        }


def test_what_a_person_waits_for_is_said_in_their_language(
    alice: User, contracts: Datasource, refused: dict[str, str]
) -> None:
    page = reverse("connectors", args=[contracts.pk])
    said = text_of(browser_of(alice).post(page, refused, headers=HEADERS))
    assert "⁅The server refuses this name and password (HTTP 401).⁆ ⁅Nothing was saved.⁆" in said
    said = text_of(browser_of(alice).post(page, refused | {"place": "nowhere"}, headers=HEADERS))
    assert "⁅Give an address that begins with https:// or http://" in said


def test_programs_are_told_in_english(alice: User, contracts: Datasource, refused: dict[str, str]) -> None:
    answer = Api(alice).post(f"data-sources/{contracts.pk}/connectors", refused, **HEADERS)
    assert answer.status_code == 400
    told = answer.json()
    assert told["message"] == "The server refuses this name and password (HTTP 401)."
    assert told["hint"] == "Nothing was saved."


def test_why_no_site_is_followed_is_said_in_the_language_of_the_page(
    alice: User, contracts: Datasource, settings: Any
) -> None:
    settings.FETCH_WEB_PAGES = False
    page = reverse("connectors", args=[contracts.pk]) + "?kind=site"
    said = text_of(browser_of(alice).get(page, headers=HEADERS))
    assert "⁅This server fetches no web pages." in said
    assert f"⁅{ADVICE}⁆" in said


def test_that_no_folder_is_allowed_is_said_before_one_is_named(contracts: Datasource, settings: Any) -> None:
    root = User.objects.create_superuser(email="root@example.org", password="x")
    contracts.owner = root
    contracts.save()
    page = reverse("connectors", args=[contracts.pk]) + "?kind=folder"
    settings.CONNECTOR_FOLDERS = []
    shown = browser_of(root).get(page)
    assert "No folder of this server may be followed." in text_of(shown)
    assert 'name="place"' not in shown.content.decode()
    settings.CONNECTOR_FOLDERS = ["/srv"]
    assert 'name="place"' in browser_of(root).get(page).content.decode()


def test_why_a_file_is_withheld_is_kept_in_english(alice: User) -> None:
    """Whoever lets others in finds it out, in a request of their own."""
    assert (
        why_withheld(alice.email)
        == f"{alice.email} can read this datasource, but not this file where it lies."
    )
