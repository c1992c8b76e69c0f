"""Heads and feet of pages are in no quote, in no cell and in no passage of the search."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from answering.models import Models, quotes_model
from chat import services
from chat.turns.run import run_turn
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload
from providers.embedders import embedder
from tests.formats.pdfs import make_pdf

pytestmark = pytest.mark.django_db(transaction=True)

HEAD = "Lease of the Granary, reference GR-7"
CLAUSES = [
    ["1.1 The Granary is a mill of five floors beside the river, with a yard and two gates."],
    ["2.1 The Tenant may end this Lease by giving the Landlord six months' written notice."],
    ["2.2 The Landlord may end this Lease by giving the Tenant twelve months' written notice."],
    ["3.1 The Tenant shall keep the roof in repair and paint the doors every fourth year."],
]


@pytest.fixture
def lease(contracts: Datasource, alice: User, tmp_path: Path, work: Any) -> Datasource:
    pages = [
        [HEAD, *clauses, f"Ashby and Moore, solicitors, Leeds, Page {number} of 4"]
        for number, clauses in enumerate(CLAUSES, start=1)
    ]
    with make_pdf(tmp_path / "lease.pdf", pages).open("rb") as file:
        accept_upload(contracts, alice, "Lease.pdf", file)
    work()
    return contracts


def test_no_quote_has_the_foot_of_a_page_or_the_head_of_the_next(lease: Datasource, alice: User) -> None:
    turn = services.ask(alice, lease, "How much notice must the Tenant give to end the Lease?", queued=False)
    asyncio.run(run_turn(turn.pk, Models(answers=quotes_model(), embedder=embedder())))
    quotes = [" ".join(each.quote.split()) for each in turn.citations.all()]
    assert CLAUSES[1][0] in quotes
    assert not [quote for quote in quotes if "solicitors" in quote or "GR-7" in quote]
    assert {each.on_page for each in turn.citations.all()} == {"exact"}


def test_the_search_shows_passages_without_them(lease: Datasource, alice: User, client: Client) -> None:
    client.force_login(alice)
    page = client.get(f"/d/{lease.pk}/search/", {"q": "written notice"}).content.decode()
    assert "twelve months" in page
    assert "solicitors" not in page
