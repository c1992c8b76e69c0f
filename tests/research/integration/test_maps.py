"""Two maps on which papers are chosen: a mark is a link to what is chosen after a click on it."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document
from graph.document_map import build
from tests.factories import make_document, make_vector
from tests.graph.corpus import learn
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = {
    "First": "Tarnbeck Systems Limited keeps backups for Hallowmere Foods Limited.",
    "Second": "Tarnbeck Systems Limited tests its lamps.",
    "Third": "Nobody is named here.",
}


@pytest.fixture
def three(contracts: Datasource) -> dict[str, Document]:
    """Two that name the same company, and one that names nobody."""
    papers = {title: make_document(contracts, title, text) for title, text in TEXTS.items()}
    for i, paper in enumerate(papers.values()):
        make_vector(paper.chunks.get(), [0.9, *(0.4 * (j == i) for j in range(5))])
        learn(paper)
    build.rebuild(contracts.pk)
    return papers


def marks(client: Client, address: str) -> dict[str, tuple[str, bool]]:
    """The link of each mark, by its name, and whether it is chosen."""
    page = client.get(address).content.decode()
    found = re.findall(r'<a class="map-d ([^"]*)" id="pm[^"]*" href="([^"]*)"[^>]*aria-label="([^"]*)"', page)
    return {name.split(",")[0]: (html.unescape(link), "sel" in css.split()) for css, link, name in found}


def test_papers_are_chosen_on_either_map(
    three: dict[str, Document], contracts: Datasource, alice: User
) -> None:
    client, address = browser_of(alice), reverse("papers_maps", args=[contracts.pk])
    first = marks(client, address)
    assert not any(chosen for _, chosen in first.values())
    by_thing = address + first["Tarnbeck Systems Limited"][0]
    second = marks(client, by_thing)
    assert {name for name in three if second[name][1]} == {"First", "Second"}, "all papers that name it"
    assert second["Tarnbeck Systems Limited"][1]
    page = client.get(by_thing).content.decode()
    assert f'name="documents" value="{three["First"].pk}"' in page, "what is chosen is asked"
    by_paper = address + second["First"][0]
    third = marks(client, by_paper)
    assert {name for name in three if third[name][1]} == {"Second"}, "a click on a chosen one gives it up"
    assert {name for name in three if marks(client, address + third["Third"][0])[name][1]} == {
        "Second",
        "Third",
    }


def test_documents_of_others_are_never_chosen(
    three: dict[str, Document], contracts: Datasource, alice: User, charlie: User
) -> None:
    address = reverse("papers_maps", args=[contracts.pk])
    page = browser_of(alice).get(address, {"documents": [three["First"].pk, 987654]}).content.decode()
    assert "987654" not in page
    assert page.count('name="documents"') == 1
    assert browser_of(charlie).get(address).status_code == 404
