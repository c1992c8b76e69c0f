"""Quotes from scans: card, source pane, REST and reader say that OCR read them, and what is doubtful."""

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from chat.models import Turn
from datasources.models import Datasource
from formats.ocr.certainty import pack_certainty
from ingestion.models import Page, PageSource
from tests.factories import make_document, make_turn

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
QUOTE = "Backups are kept for 35 days in Aarhus."


@pytest.fixture
def turn(contracts: Datasource, alice: User) -> Turn:
    return make_turn(alice, make_document(contracts, "Scan", QUOTE))


def read_by_ocr(turn: Turn, *doubtful: str) -> None:
    sure = np.full(len(QUOTE), 0.98)
    for word in doubtful:
        sure[QUOTE.index(word)] = 0.3
    Page.objects.filter(document=turn.citations.get().document).update(
        source=PageSource.OCR, certainty=pack_certainty(sure), confidence=float(sure.mean())
    )


def said(client: Client, turn: Turn) -> dict[str, str]:
    citation = turn.citations.get()
    assert citation.document
    addresses = {
        "card": reverse("source_card", args=[turn.pk, 1]),
        "pane": reverse("source", args=[turn.pk, 1]),
        "reader": reverse("reader", args=[citation.document.datasource_id, citation.document.pk]),
    }
    return {
        name: " ".join(client.get(at, headers=HTMX).content.decode().split())
        for name, at in addresses.items()
    }


def test_a_quote_from_a_file_s_own_text_says_nothing_of_ocr(client: Client, alice: User, turn: Turn) -> None:
    client.force_login(alice)
    assert not [name for name, text in said(client, turn).items() if "by OCR" in text]
    assert client.get(reverse("api-citation", args=[turn.pk, 1])).json()["ocr"] is None


def test_a_quote_that_was_easy_to_read_says_that_ocr_read_it(client: Client, alice: User, turn: Turn) -> None:
    client.force_login(alice)
    read_by_ocr(turn)
    texts = said(client, turn)
    assert "Page 1, read by OCR" in texts["card"]
    assert "Read by OCR." in texts["pane"]
    assert "Read by OCR" in texts["reader"]
    assert not [name for name, text in texts.items() if "Hard to read" in text]
    assert client.get(reverse("api-citation", args=[turn.pk, 1])).json()["ocr"] == {"doubtful": []}


def test_a_quote_names_its_doubtful_words(client: Client, alice: User, turn: Turn) -> None:
    client.force_login(alice)
    read_by_ocr(turn, "35", "Aarhus")
    for name, text in said(client, turn).items():
        assert "Hard to read: “35”, “Aarhus.”" in text, name
    shown = client.get(reverse("api-citation", args=[turn.pk, 1])).json()
    assert shown["ocr"] == {"doubtful": ["35", "Aarhus."]}
