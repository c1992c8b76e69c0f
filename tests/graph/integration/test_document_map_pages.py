"""The map of documents as people see it: drawn and listed, filtered, with a panel for one document."""

import re

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document
from graph.document_map import build
from tests.factories import make_document, make_vector

pytestmark = pytest.mark.django_db
TITLES = ("Lease", "Sublease", "Garage lease", "Tax notice", "Tax appeal")
TOPICS = (0, 0, 0, 1, 1)


@pytest.fixture
def alike(contracts: Datasource, client: Client, alice: User) -> list[Document]:
    """Three leases and two tax papers, on the map."""
    client.force_login(alice)
    documents = [make_document(contracts, title) for title in TITLES]
    for i, (document, topic) in enumerate(zip(documents, TOPICS, strict=True)):
        vector = np.zeros(8)
        vector[topic], vector[2 + i] = 0.9, 0.4
        chunk = document.chunks.get()
        make_vector(chunk, vector.tolist())
    build.rebuild(contracts.pk)
    return documents


def page(client: Client, datasource: Datasource, query: str = "") -> str:
    response = client.get(reverse("document_graph", args=[datasource.pk]) + query)
    assert response.status_code == 200
    return response.content.decode()


def drawn(html: str, more: str = "") -> set[str]:
    """Titles of the squares, of those with a further class."""
    squares = re.findall(r'<a [^>]*class="map-d ([^"]*)"[^>]*>\s*<title>([^<]+)</title>', html)
    return {title for classes, title in squares if more in classes}


def test_every_document_is_drawn_and_tied_to_its_like(
    client: Client, contracts: Datasource, alike: list[Document]
) -> None:
    html = page(client, contracts, f"?document={alike[0].pk}")
    assert drawn(html) == set(TITLES)
    assert drawn(html, "sel") == {"Lease"}
    assert drawn(html, "near") == {"Sublease", "Garage lease"}
    assert "Nearest documents" in html


def test_the_list_shows_the_same(client: Client, contracts: Datasource, alike: list[Document]) -> None:
    html = page(client, contracts, "?view=list")
    rows = re.findall(r"<tr.*?</tr>", html, re.S)
    tax = next(row for row in rows if "Tax notice" in row)
    assert "Tax appeal" in tax
    assert "Lease" not in tax
    assert len(rows) == 1 + len(TITLES)


def test_a_higher_bar_unties(client: Client, contracts: Datasource, alike: list[Document]) -> None:
    query = f"?document={alike[0].pk}&above=95"
    assert drawn(page(client, contracts, query), "near") == set()
    assert len(drawn(page(client, contracts, f"?document={alike[0].pk}&k=1"), "near")) == 1


def test_finding_and_filtering_fade_the_rest(
    client: Client, contracts: Datasource, alike: list[Document]
) -> None:
    assert drawn(page(client, contracts, "?q=tax"), "dim") == {"Lease", "Sublease", "Garage lease"}
    group = alike[3].node.group
    assert drawn(page(client, contracts, f"?group={group}"), "dim") == {"Lease", "Sublease", "Garage lease"}


def test_the_panel_leads_to_the_chat_and_the_pages(
    client: Client, contracts: Datasource, alike: list[Document]
) -> None:
    html = page(client, contracts, f"?document={alike[0].pk}")
    assert f"{reverse('chat', args=[contracts.pk])}?documents={alike[0].pk}" in html
    assert reverse("reader", args=[contracts.pk, alike[0].pk]) in html


def test_with_less_than_two_documents_there_is_nothing_to_compare(
    client: Client, contracts: Datasource, alice: User
) -> None:
    client.force_login(alice)
    make_document(contracts)
    assert "Nothing to compare yet" in page(client, contracts)


@pytest.mark.parametrize(
    "query", ["?k=x&above=-1&document=99999999999999999999", "?k=1000&above=1000", "?by=no"]
)
def test_a_strange_address_is_no_error(
    client: Client, contracts: Datasource, alike: list[Document], query: str
) -> None:
    assert drawn(page(client, contracts, query)) == set(TITLES)


def test_a_document_that_has_gone_is_said_to_be(
    client: Client, contracts: Datasource, alike: list[Document]
) -> None:
    gone = alike[0].pk
    alike[0].delete()
    assert "Not on the map" in page(client, contracts, f"?document={gone}")


def test_the_map_over_rest(client: Client, contracts: Datasource, alike: list[Document]) -> None:
    told = client.get(f"/api/v1/data-sources/{contracts.pk}/document-map", {"k": 1}).json()
    titles = {node["id"]: node["title"] for node in told["nodes"]}
    assert set(titles.values()) == set(TITLES)
    assert all(edge["score"] > 0.7 for edge in told["edges"])
    taxes = {titles[edge["source"]] for edge in told["edges"] if titles[edge["target"]].startswith("Tax")}
    assert taxes == {"Tax appeal"}
    assert sum(group["documents"] for group in told["groups"]) == 5
    refused = client.get(f"/api/v1/data-sources/{contracts.pk}/document-map", {"k": 99})
    assert refused.status_code == 400
