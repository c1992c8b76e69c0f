"""Splitting documents into other chunks: what is made again, what stays, and what is refused."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import change_datasource
from graph.models import Entity
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.rechunking import rechunk
from ingestion.models import Chunk, Page
from ingestion.run import DocumentRun
from ingestion.steps import split
from ingestion.steps.embed import Embed
from ingestion.steps.split import Split
from providers.roles import Endpoint
from retrieval.legs import fuzzy
from retrieval.query import Scope
from summaries.models import SummarySettings
from tests.factories import SAMPLE, make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def questionnaire(contracts: Datasource, alice: User, work: Any) -> Document:
    """The sample questionnaire, really read."""
    with SAMPLE.open("rb") as file:
        (accepted,) = accept_upload(contracts, alice, SAMPLE.name, file)
    work()
    accepted.document.refresh_from_db()
    return accepted.document


def send(user: User, document: Document, **data: Any) -> Any:
    client = browser_of(user)
    address = f"{reverse('rechunk', args=[document.datasource_id])}?document={document.pk}"
    return client.post(address, data) if data else client.get(address)


def test_tables_are_kept_whole_where_that_is_chosen(questionnaire: Document, alice: User, work: Any) -> None:
    before = list(questionnaire.chunks.values_list("text", flat=True))
    values = {"chunk_size": 400, "chunk_overlap": 40, "chunking": "paragraph"}
    said = send(alice, questionnaire).content.decode()
    assert "By paragraph and sentence, tables kept whole or by their parts" in said
    assert send(alice, questionnaire, **values).status_code == 302
    work()
    questionnaire.refresh_from_db()
    questionnaire.datasource.refresh_from_db()
    assert questionnaire.datasource.chunking == "paragraph"
    assert questionnaire.status == DocumentStatus.READY
    chunks = list(questionnaire.chunks.all())
    assert [chunk.text for chunk in chunks] != before
    assert all(len(chunk.text) <= 400 or "\t" in chunk.text for chunk in chunks)
    assert any("Incidents and testing" in chunk.section for chunk in chunks)
    page = browser_of(alice).get(
        reverse("chunks", args=[questionnaire.datasource_id]), {"chunk": chunks[-1].pk}
    )
    assert chunks[-1].section in page.content.decode()


def test_a_document_is_chunked_again_and_found_again(questionnaire: Document, alice: User, work: Any) -> None:
    contracts, before = questionnaire.datasource, questionnaire.chunk_count
    other = make_document(contracts, "Weather", "A storm is coming.")
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    names = set(Entity.objects.values_list("key", flat=True))
    pages = set(Page.objects.filter(document=questionnaire).values_list("pk", flat=True))
    assert "What happens" in send(alice, questionnaire).content.decode()

    assert send(alice, questionnaire, chunk_size=300, chunk_overlap=30).status_code == 302
    questionnaire.refresh_from_db()
    assert questionnaire.status == DocumentStatus.QUEUED
    assert {found.document_id for found in fuzzy.search(scope, "backups")} == set()
    work()
    questionnaire.refresh_from_db()
    assert questionnaire.status == DocumentStatus.READY
    assert questionnaire.chunk_count == questionnaire.chunks.count() > before
    assert max(len(chunk.text) for chunk in questionnaire.chunks.all()) <= 300
    assert fuzzy.search(scope, "backups")[0].document_id == questionnaire.pk
    assert set(Page.objects.filter(document=questionnaire).values_list("pk", flat=True)) == pages
    assert names & set(Entity.objects.filter(hidden=False).values_list("key", flat=True))
    assert other.chunks.count() == 1  # it was not asked for
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (300, 30)


def test_all_documents_are_cut_anew(questionnaire: Document, alice: User, work: Any) -> None:
    make_document(questionnaire.datasource, "Line", "A ready passage.", passage=1)
    before = questionnaire.chunk_count
    send(alice, questionnaire, chunk_size=400, chunk_overlap=0, of="all")
    work()
    questionnaire.refresh_from_db()
    assert questionnaire.chunk_count > before
    assert questionnaire.datasource.documents.ready().count() == 2


def test_documents_that_are_still_being_indexed_are_cut_anew_too(
    questionnaire: Document, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    contracts = questionnaire.datasource
    counts: list[int] = []

    def embed(self: Embed, run: DocumentRun) -> None:
        if not counts:  # the owner cuts all documents anew while the chunks get their vectors
            counts.append(rechunk(contracts, size=300, overlap=0))
        really(self, run)

    really = Embed.run
    monkeypatch.setattr(Embed, "run", embed)
    rechunk(contracts, size=400, overlap=0)
    work()
    questionnaire.refresh_from_db()
    assert counts == [1]
    assert (questionnaire.status, questionnaire.run_token) == (DocumentStatus.READY, None)
    assert questionnaire.chunk_count == questionnaire.chunks.count()
    assert max(len(chunk.text) for chunk in questionnaire.chunks.all()) <= 300


def test_a_size_set_while_the_pages_are_read_counts(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def split(self: Split, run: DocumentRun) -> None:
        change_datasource(Datasource.objects.get(pk=contracts.pk), chunk_size=300, chunk_overlap=0)
        really(self, run)

    really = Split.run
    monkeypatch.setattr(Split, "run", split)
    with SAMPLE.open("rb") as file:
        (accepted,) = accept_upload(contracts, alice, SAMPLE.name, file)
    work()
    assert max(len(chunk.text) for chunk in accepted.document.chunks.all()) <= 300


def test_a_size_set_while_a_document_is_cut_counts(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chunks_of(*given: Any) -> list[Chunk]:
        chunks: list[Chunk] = really(*given)
        change_datasource(Datasource.objects.get(pk=contracts.pk), chunk_size=300, chunk_overlap=0)
        return chunks

    really = split.chunks_of
    monkeypatch.setattr(split, "chunks_of", chunks_of)
    with SAMPLE.open("rb") as file:
        (accepted,) = accept_upload(contracts, alice, SAMPLE.name, file)
    work()
    accepted.document.refresh_from_db()
    assert accepted.document.status == DocumentStatus.READY
    assert max(len(chunk.text) for chunk in accepted.document.chunks.all()) <= 300


def test_documents_that_are_being_indexed_are_counted_too(questionnaire: Document, alice: User) -> None:
    other = make_document(questionnaire.datasource, "Other")
    questionnaire.write(status=DocumentStatus.EMBEDDING)
    told = text_of(browser_of(alice).get(reverse("rechunk", args=[questionnaire.datasource_id])))
    passages = questionnaire.chunk_count + other.chunk_count
    assert f"2 documents with {passages} passages are split again." in told


def test_it_says_what_splitting_again_costs(
    questionnaire: Document, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "on this server, which costs no money" in text_of(send(alice, questionnaire))
    SummarySettings.objects.create(datasource=questionnaire.datasource, enabled=True)
    server = Endpoint(base_url="https://models.example/v1", model="writer", api_key="", timeout=5)
    monkeypatch.setattr("summaries.web.documents_page.endpoint", lambda *_: server)
    monkeypatch.setattr("datasources.in_use.models.server_of_vectors", lambda *_: server)
    told = text_of(send(alice, questionnaire))
    assert "models.example, which may charge for that" in told
    assert "the language model summarises the new passages, within the month's budget" in told


@pytest.mark.parametrize(
    ("size", "overlap", "reason"),
    [(10, 0, "200 to 8,000"), (400, 300, "at most half"), ("", 0, "from 200 to 8,000")],
)
def test_a_refused_size_changes_nothing(
    questionnaire: Document, alice: User, size: Any, overlap: int, reason: str
) -> None:
    answer = send(alice, questionnaire, chunk_size=size, chunk_overlap=overlap)
    assert answer.status_code == 422
    assert reason in answer.content.decode()
    questionnaire.refresh_from_db()
    assert questionnaire.status == DocumentStatus.READY
    assert questionnaire.chunks.count() == questionnaire.chunk_count
