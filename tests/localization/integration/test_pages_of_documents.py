"""What pages of datasources, documents and the graph say of their own is translated."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Deletion, DocumentStatus
from formats import ExtractionError
from ingestion.lifecycle import deletion
from tests.factories import make_document
from tests.localization.integration.test_every_page import outside_of_brackets
from tests.localization.pseudo import HEADERS, pseudo_language
from tests.people import browser_of

OF_DATASOURCE = (
    *("paste_text", "add_web_page", "rechunk", "datasource_delete", "vectors_state"),
    *("graph", "graph_review", "graph_decisions", "graph_relations", "document_graph"),
)
OF_DOCUMENT = ("document_details", "document_replace", "document_unlock")
DATA = ("Contracts", "7.txt", "TXT", "all-MiniLM-L6-v2", "Alice")


@pytest.fixture
def client(alice: User) -> Client:
    return browser_of(alice)


def own_words(client: Client, address: str, **headers: str) -> list[str]:
    """What is not translated between the tags of <main>: beside it stand the bars of all pages."""
    page = client.get(address, headers=HEADERS | headers).content.decode()
    main = page.partition("<main")[2].partition("</main>")[0]
    for name in DATA:
        main = main.replace(name, "")
    return outside_of_brackets(f"<main{main}" if main else page.partition("<template>")[0])


def test_pages_say_nothing_that_is_not_marked(client: Client, contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "7")
    deletion.delete(make_document(contracts, "8"), alice)
    addresses = [
        *(reverse(name) for name in ("new_datasource", "receipts", "new_api_token")),
        reverse("receipt", args=[Deletion.objects.get().pk]),
        *(reverse(name, args=[contracts.pk]) for name in OF_DATASOURCE),
        *(reverse(name, args=[contracts.pk, document.pk]) for name in OF_DOCUMENT),
        reverse("settings_section", args=[contracts.pk, "danger"]),
    ]
    with pseudo_language():
        assert {one: found for one in addresses if (found := own_words(client, one))} == {}


def test_why_a_document_was_not_read_is_translated_where_it_is_shown(
    client: Client, contracts: Datasource
) -> None:
    """It is stored in English: who will read it, nobody knows then."""
    error = ExtractionError("corrupt")
    document = make_document(contracts, "7", status=DocumentStatus.FAILED)
    document.error_code, document.error_message, document.error_hint = error.code, error.message, error.hint
    document.save()
    address = reverse("documents", args=[contracts.pk])
    with pseudo_language():
        rows = client.get(address, headers=HEADERS | {"HX-Request": "true"}).content.decode()
    assert f"⁅{error.message}⁆ ⁅{error.hint}⁆" in rows
    assert f"{error.message} {error.hint}" in client.get(address).content.decode()
