"""From upload to searchable chunks: what is stored, what happens twice, what is left after a delete."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus, Recognition
from datasources.services import change_datasource, loss_of
from events import log
from formats import ExtractionError, PageText
from formats.pdf import reader
from ingestion import pipeline, progress
from ingestion.adding.upload import accept_upload
from ingestion.chunks.chunking import join_pages
from ingestion.indexes import embedding
from ingestion.lifecycle.leaving_out import set_left_out
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.lifecycle.retrying import cancel, retry
from ingestion.models import Chunk, ChunkEmbedding, Page
from ingestion.run import DocumentRun, start
from ingestion.steps import extract
from ingestion.steps.extract import Extract
from ingestion.steps.split import Split
from jobs.runs import Stopped
from providers.embedders import embedder
from providers.protocols import ProviderError
from retrieval.legs import dense, fuzzy
from retrieval.query import Scope

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
QUESTIONNAIRE = SAMPLES / "security-questionnaire.pdf"

pytestmark = pytest.mark.django_db(transaction=True)


def upload(datasource: Datasource, user: User, path: Path = QUESTIONNAIRE, **kwargs: Any) -> Document:
    with path.open("rb") as file:
        return accept_upload(datasource, user, path.name, file, **kwargs)[0].document


def cut(path: Path, pages: int) -> io.BytesIO:
    """The first pages of a PDF as another file."""
    writer = PdfWriter()
    for page in PdfReader(path).pages[:pages]:
        writer.add_page(page)
    data = io.BytesIO()
    writer.write(data)
    return data


def scope(user: User, datasource: Datasource) -> Scope:
    return Scope(user_id=user.pk, datasource_id=datasource.pk)


def test_an_upload_becomes_searchable(contracts: Datasource, alice: User, work: Any) -> None:
    document = upload(contracts, alice)
    assert document.status == DocumentStatus.QUEUED
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert document.page_count == 2
    assert document.chunk_count == document.chunks.count() > 0
    assert ChunkEmbedding.objects.filter(chunk__document=document).count() == document.chunk_count
    question = embedder().embed(["Where are customers' backups kept?"])[0]
    found = dense.search(scope(alice, contracts), question)
    assert found
    assert found[0].document_id == document.pk
    assert fuzzy.search(scope(alice, contracts), found[0].text[300:340])[0].chunk_id == found[0].chunk_id


def test_chunk_offsets_are_exact(contracts: Datasource, alice: User, work: Any) -> None:
    document = upload(contracts, alice, SAMPLES / "annual-report.pdf")
    work()
    pages = list(Page.objects.filter(document=document).order_by("number"))
    text, starts = join_pages([page.text for page in pages])
    assert [page.start for page in pages] == starts
    for chunk in document.chunks.all():
        assert text[chunk.start : chunk.end] == chunk.text
        assert pages[chunk.first_page - 1].start <= chunk.start
        last = pages[chunk.last_page - 1]
        assert last.start < chunk.end <= last.start + len(last.text)


def test_progress_is_told_and_ends_with_ready(contracts: Datasource, alice: User, work: Any) -> None:
    upload(contracts, alice)
    work()
    events = log.read(progress.channel(contracts.pk))
    told = [event for event in events if event.kind.startswith("document_")]
    assert told[0].kind == "document_queued"
    assert told[-1].kind == "document_ready"
    stages = [event.data["status"] for event in told if event.kind == "document_progressed"]
    assert list(dict.fromkeys(stages))[:4] == ["queued", "extracting", "splitting", "embedding"]


def test_the_same_bytes_are_already_here(contracts: Datasource, alice: User) -> None:
    first = upload(contracts, alice)
    with QUESTIONNAIRE.open("rb") as file:
        again = accept_upload(contracts, alice, "another name.pdf", file)[0]
    assert again.duplicate
    assert again.document == first
    assert contracts.documents.count() == 1


@pytest.mark.parametrize("name", ["notes.exe", "picture", "archive.pdf.exe"])
def test_other_kinds_of_file_are_refused_with_a_reason(contracts: Datasource, alice: User, name: str) -> None:
    with pytest.raises(ValidationError, match="SVQ cannot read") as refused:
        accept_upload(contracts, alice, name, io.BytesIO(b"something"))
    assert "Nothing was stored" in refused.value.messages[0]
    assert not contracts.documents.exists()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"PK\x03\x04\0 an archive", "unsupported"),
        (QUESTIONNAIRE.read_bytes()[:900], "corrupt"),
    ],
)
def test_a_bad_file_fails_with_a_reason_and_the_next_one_is_read(
    contracts: Datasource, alice: User, work: Any, content: bytes, code: str
) -> None:
    bad = accept_upload(contracts, alice, "bad.pdf", io.BytesIO(content))[0].document
    good = upload(contracts, alice)
    work()
    bad.refresh_from_db()
    good.refresh_from_db()
    assert bad.status == DocumentStatus.FAILED
    assert bad.error_code == code
    assert bad.error_message
    assert bad.error_hint
    assert good.status == DocumentStatus.READY


def picture_pdf() -> io.BytesIO:
    """A page with a drawing and no text, as a scanner makes it."""
    data = io.BytesIO()
    canvas = Canvas(data)
    canvas.rect(100, 100, 300, 500, fill=1)
    canvas.showPage()
    canvas.save()
    return data


@pytest.fixture
def without_ocr(contracts: Datasource) -> None:
    change_datasource(contracts, recognition=Recognition.OFF)


@pytest.mark.usefixtures("without_ocr")
def test_a_scan_says_that_it_needs_ocr(contracts: Datasource, alice: User, work: Any) -> None:
    document = accept_upload(contracts, alice, "scan.pdf", picture_pdf())[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "needs_ocr")
    assert "OCR" in document.error_hint


@pytest.mark.usefixtures("without_ocr")
def test_pages_without_text_are_counted(contracts: Datasource, alice: User, work: Any) -> None:
    writer = PdfWriter(clone_from=QUESTIONNAIRE)
    writer.add_page(PdfReader(picture_pdf()).pages[0])
    mixed = io.BytesIO()
    writer.write(mixed)
    document = accept_upload(contracts, alice, "mixed.pdf", mixed)[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.page_count, document.pages_without_text) == (DocumentStatus.READY, 3, 1)


def mixed_pdf(*pages: str) -> io.BytesIO:
    """A PDF with pages of these kinds: text, picture."""
    writer = PdfWriter()
    for kind in pages:
        source = PdfReader(QUESTIONNAIRE if kind == "text" else picture_pdf())
        writer.add_page(source.pages[0])
    data = io.BytesIO()
    writer.write(data)
    return data


def break_pages(monkeypatch: pytest.MonkeyPatch, *broken: int) -> None:
    """The child process that reads PDFs dies at these pages."""
    real = reader._pages

    def dying(path: Path, first_page: int, *more: Any) -> Any:
        for frame in real(path, first_page, *more):
            if frame.head.get("page") in broken:
                raise ExtractionError("corrupt")
            yield frame

    monkeypatch.setattr(reader, "_pages", dying)


@pytest.mark.usefixtures("without_ocr")
@pytest.mark.parametrize(
    ("pages", "broken", "status", "without_text", "unreadable", "message"),
    [
        (("text", "text", "picture"), (2,), "ready", 1, 1, ""),
        (("picture", "picture"), (2,), "failed", 0, 0, "1 of its pages is a picture, 1 could not be read"),
        (("text",), (1,), "failed", 0, 0, "No page of this file could be read"),
    ],
)
def test_a_page_that_broke_the_reader_is_told_apart_from_a_picture(
    contracts: Datasource,
    alice: User,
    work: Any,
    monkeypatch: pytest.MonkeyPatch,
    pages: Any,
    broken: Any,
    status: str,
    without_text: int,
    unreadable: int,
    message: str,
) -> None:
    break_pages(monkeypatch, *broken)
    document = accept_upload(contracts, alice, "a.pdf", mixed_pdf(*pages))[0].document
    work()
    document.refresh_from_db()
    assert document.status == status
    assert (document.pages_without_text, document.pages_unreadable) == (without_text, unreadable)
    assert message in document.error_message
    assert [page.number for page in document.pages.unreadable()] == list(broken)


def test_a_failed_document_can_be_retried(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = upload(contracts, alice)

    def broken(texts: Any) -> Any:
        raise ProviderError("The key was refused.", transient=False)

    with monkeypatch.context() as patch:
        patch.setattr(type(embedder()), "embed", lambda self, texts: broken(texts))
        work()
    document.refresh_from_db()
    assert (document.status, document.error_message) == (DocumentStatus.FAILED, "The key was refused.")
    pages = set(Page.objects.filter(document=document).values_list("pk", flat=True))
    retry(document)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert set(Page.objects.filter(document=document).values_list("pk", flat=True)) == pages  # not read again


def test_a_run_goes_on_where_the_last_one_died(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = upload(contracts, alice, SAMPLES / "master-services-agreement.pdf")
    monkeypatch.setattr(extract, "PAGES_AT_ONCE", 2)
    monkeypatch.setattr(embedding, "CHUNKS_AT_ONCE", 4)
    asked: list[int] = []
    real_store, real_copy = extract.store_pages, embedding.copy_vectors

    def dies_after_four_pages(run: DocumentRun, batch: list[PageText]) -> None:
        if batch[0].number > 4:
            raise KeyboardInterrupt
        real_store(run, batch)

    def dies_after_eight_vectors(space: Any, ids: Any, vectors: Any) -> None:
        if ChunkEmbedding.objects.count() >= 8:
            raise KeyboardInterrupt
        real_copy(space, ids, vectors)

    def attempt() -> None:
        run = start(document.pk, lambda: False)
        assert run is not None
        pipeline.run(run)

    with monkeypatch.context() as patch:
        patch.setattr(extract, "store_pages", dies_after_four_pages)
        with pytest.raises(KeyboardInterrupt):
            attempt()
    assert document.pages.count() == 4
    kept = set(document.pages.values_list("pk", flat=True))
    with monkeypatch.context() as patch:
        patch.setattr(embedding, "copy_vectors", dies_after_eight_vectors)
        with pytest.raises(KeyboardInterrupt):
            attempt()
    assert kept <= set(document.pages.values_list("pk", flat=True))
    assert ChunkEmbedding.objects.count() == 8
    real_embed = type(embedder()).embed

    def counted(self: Any, texts: list[str]) -> Any:
        asked.append(len(texts))
        return real_embed(self, texts)

    monkeypatch.setattr(type(embedder()), "embed", counted)
    attempt()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert sum(asked) == document.chunk_count - 8
    assert ChunkEmbedding.objects.count() == document.chunk_count


def test_a_run_that_lost_its_document_stores_nothing(contracts: Datasource, alice: User) -> None:
    document = upload(contracts, alice)
    frozen = start(document.pk, lambda: False)
    assert frozen is not None
    other = start(document.pk, lambda: False)
    assert other is not None
    with pytest.raises(Stopped):
        pipeline.run(frozen)
    assert not document.pages.exists()
    pipeline.run(other)
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


def test_cancel_stops_and_retry_finishes(contracts: Datasource, alice: User, work: Any) -> None:
    document = upload(contracts, alice)
    cancel(document)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.CANCELLED
    assert not document.chunks.exists()
    retry(document)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


def test_cancel_in_the_middle_fences_the_run(contracts: Datasource, alice: User) -> None:
    document = upload(contracts, alice)
    run = start(document.pk, lambda: False)
    assert run is not None
    Extract().run(run)
    cancel(document)
    with pytest.raises(Stopped):
        Split().run(run)
    document.refresh_from_db()
    assert document.status == DocumentStatus.CANCELLED


def test_a_replacement_takes_over_when_it_is_ready(contracts: Datasource, alice: User, work: Any) -> None:
    old = upload(contracts, alice)
    work()
    new_file = cut(QUESTIONNAIRE, 1)
    new = accept_upload(contracts, alice, "questionnaire.pdf", new_file, replaces=old)[0].document
    old.refresh_from_db()
    assert old.status == DocumentStatus.READY  # until the new one is
    assert old.chunks.exists()
    work()
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.status, new.status) == (DocumentStatus.SUPERSEDED, DocumentStatus.READY)
    assert new.version == 2
    assert not old.chunks.exists()
    assert old.pages.count() == 2  # old citations still open
    found = dense.search(scope(alice, contracts), embedder().embed(["backups"])[0], limit=25)
    assert {one.document_id for one in found} == {new.pk}


def test_a_replacement_of_what_was_never_read_takes_over_from_what_still_answers(
    contracts: Datasource, alice: User, work: Any
) -> None:
    old = upload(contracts, alice)
    work()
    broken = io.BytesIO(b"%PDF-1.7 and nothing else")
    unread = accept_upload(contracts, alice, "broken.pdf", broken, replaces=old)[0].document
    work()
    unread.refresh_from_db()
    assert unread.status == DocumentStatus.FAILED
    new = accept_upload(contracts, alice, "new.pdf", cut(QUESTIONNAIRE, 1), replaces=unread)[0].document
    work()
    assert {*contracts.documents.current()} == {new}
    assert contracts.documents.newest_versions([old.pk]) == {new.pk}, "whoever has chosen it has the new one"
    found = dense.search(scope(alice, contracts), embedder().embed(["backups"])[0], limit=25)
    assert {one.document_id for one in found} == {new.pk}


def test_a_delete_leaves_nothing(contracts: Datasource, alice: User, work: Any) -> None:
    old = upload(contracts, alice)
    work()
    new = accept_upload(contracts, alice, "new.pdf", cut(QUESTIONNAIRE, 1), replaces=old)[0].document
    work()
    paths = [Path(old.file.path), Path(new.file.path)]
    assert all(path.exists() for path in paths)
    new.refresh_from_db()
    purge(new)
    work()
    assert not contracts.documents.exists()
    assert not Page.objects.exists()
    assert not Chunk.objects.exists()
    assert not ChunkEmbedding.objects.exists()
    assert not any(path.exists() for path in paths)


def test_deleting_a_datasource_names_the_loss(contracts: Datasource, alice: User, work: Any) -> None:
    document = upload(contracts, alice)
    work()
    path = Path(document.file.path)
    assert str(loss_of(contracts)) == "1 file and 0 conversations go with it."
    purge_datasource(contracts)
    work()
    assert not path.exists()
    assert not Datasource.objects.exists()


def passages(*rows: Any) -> io.BytesIO:
    return io.BytesIO("\n".join(json.dumps(row) for row in rows).encode())


def test_ready_passages_become_one_chunk_each(contracts: Datasource, alice: User, work: Any) -> None:
    file = passages(
        {"title": "Ada Lovelace", "text": "She wrote the first program."},
        {"title": "Charles Babbage", "text": "He designed the Analytical Engine."},
        {"title": "Ada Lovelace", "text": "She wrote the first program."},
    )
    accepted = accept_upload(contracts, alice, "people.jsonl", file)
    assert len(accepted) == 2
    work()
    documents = list(contracts.documents.order_by("passage"))
    assert [d.status for d in documents] == [DocumentStatus.READY] * 2
    assert [d.title for d in documents] == ["Ada Lovelace", "Charles Babbage"]
    found = dense.search(scope(alice, contracts), embedder().embed(["Who wrote the first program?"])[0])
    assert found[0].text == "Ada Lovelace\nShe wrote the first program."
    path = Path(documents[0].file.path)
    purge(documents[0])
    work()
    assert path.exists()  # the other passage still needs it
    purge(documents[1])
    work()
    assert not path.exists()


def test_a_bad_line_of_passages_is_named_and_nothing_is_stored(contracts: Datasource, alice: User) -> None:
    file = io.BytesIO(b'{"title": "a", "text": "b"}\n{"title": "no text"}\n')
    with pytest.raises(ValidationError, match="Line 2"):
        accept_upload(contracts, alice, "bad.jsonl", file)
    assert not contracts.documents.exists()


def test_a_chunk_left_out_is_not_found(contracts: Datasource, alice: User, work: Any) -> None:
    accept_upload(contracts, alice, "p.jsonl", passages({"title": "Zebra", "text": "Striped horse."}))
    work()
    chunk = Chunk.objects.get()
    assert fuzzy.search(scope(alice, contracts), "Striped horse")
    set_left_out(chunk, True)
    assert not fuzzy.search(scope(alice, contracts), "Striped horse")
    assert not dense.search(scope(alice, contracts), embedder().embed(["horse"])[0])
    set_left_out(chunk, False)
    assert fuzzy.search(scope(alice, contracts), "Striped hosre")  # a misspelling is forgiven


def test_vectors_of_two_models_never_mix(contracts: Datasource, alice: User, work: Any) -> None:
    contracts.embedding_model, contracts.embedding_dimensions = "another-model", 1024
    contracts.save()
    document = upload(contracts, alice)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.FAILED
    assert "another-model" in document.error_message
