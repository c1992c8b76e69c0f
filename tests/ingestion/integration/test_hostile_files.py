"""Files made to break the reading end in a definite state, with words that name the limit."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from benchmarks import hostile
from datasources.models import Datasource, Document, DocumentStatus
from graph.models import EntityMention
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.retrying import retry
from ingestion.models import Chunk, Page
from ingestion.run import start
from ingestion.steps import extract

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]


def read(
    datasource: Datasource, user: User, path: Path, work: Callable[[], None], make: Callable[[Path], object]
) -> Document:
    make(path)
    with path.open("rb") as file:
        document = accept_upload(datasource, user, path.name, file)[0].document
    work()
    document.refresh_from_db()
    return document


def assert_refused(document: Document, *words: str) -> None:
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "too_large")
    for part in words:
        assert part in f"{document.error_message} {document.error_hint}"
    assert not Page.objects.exists()
    assert not Chunk.objects.exists()


def test_a_page_with_too_many_characters(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, settings: Any
) -> None:
    settings.MAX_PAGE_CHARACTERS = 5_000
    lines = hostile.print_lines(200)
    document = read(contracts, alice, tmp_path / "a.pdf", work, lambda path: hostile.pdf(path, [lines]))
    assert_refused(
        document,
        "Page 1 of this file has 1",
        "a page may have 5,000.",
        "None of its text was kept.",
        "SVQ_MAX_PAGE_CHARS",
    )


def test_a_file_with_too_many_characters(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, settings: Any
) -> None:
    settings.MAX_DOCUMENT_CHARACTERS = 90_000
    lines = hostile.print_lines(40)
    document = read(contracts, alice, tmp_path / "a.pdf", work, lambda p: hostile.pdf(p, [lines], pages=60))
    assert_refused(document, "may have 90,000", "None of its text was kept", "SVQ_MAX_DOCUMENT_CHARS")


def test_a_small_file_that_unpacks_into_a_library(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, settings: Any, monkeypatch: Any
) -> None:
    settings.MAX_CHARACTERS_PER_BYTE = 1
    monkeypatch.setattr(extract, "ALLOWED_WHATEVER_SIZE", 50_000)
    lines = hostile.print_lines(40)
    document = read(contracts, alice, tmp_path / "a.pdf", work, lambda p: hostile.pdf(p, [lines], pages=60))
    assert document.size < 20_000
    assert_refused(document, f"a file of {document.size:,} bytes may have 50,000", "SVQ_MAX_CHARS_PER_BYTE")


def test_a_file_with_too_many_pages(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, settings: Any
) -> None:
    settings.MAX_PAGES = 10
    lines = hostile.print_lines(1)
    document = read(contracts, alice, tmp_path / "a.pdf", work, lambda p: hostile.pdf(p, [lines], pages=11))
    assert_refused(document, "11 pages; 10 are allowed")


def test_a_file_with_too_many_chunks_is_read_once_its_chunks_are_larger(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, settings: Any
) -> None:
    settings.MAX_CHUNKS = 20
    contracts.chunk_size, contracts.chunk_overlap = 200, 0
    contracts.save()
    text = "Backups are kept for thirty days. " * 300
    document = read(contracts, alice, tmp_path / "a.txt", work, lambda path: path.write_text(text))
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "too_many_chunks")
    assert "passages; 20 are allowed (SVQ_MAX_CHUNKS). None of it is searched." in document.error_message
    contracts.chunk_size = 1000
    contracts.save()
    retry(document)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


def test_a_chunk_has_so_many_entities_and_all_of_its_text(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, settings: Any
) -> None:
    settings.MAX_CHUNK_ENTITIES = 3
    document = read(contracts, alice, tmp_path / "a.txt", work, lambda p: hostile.million_entities(p, 0.001))
    assert document.status == DocumentStatus.READY
    for chunk in document.chunks.all():
        assert 0 < EntityMention.objects.filter(chunk=chunk).count() <= 3
    assert document.chunks.filter(text__contains="Ve").count() == document.chunk_count


@pytest.mark.parametrize("make", [hostile.one_word, hostile.one_word_of_wide_letters, hostile.line_ends])
def test_texts_without_words_are_read(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, make: Callable[[Path, float], None]
) -> None:
    document = read(contracts, alice, tmp_path / "a.txt", work, lambda path: make(path, 0.002))
    assert document.status == DocumentStatus.READY


@pytest.mark.parametrize("make", [hostile.stream_bomb, hostile.operator_bomb, hostile.huge_page])
def test_bombs_end(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path, make: Callable[[Path, float], None]
) -> None:
    document = read(contracts, alice, tmp_path / "a.pdf", work, lambda path: make(path, 0.02))
    assert document.status in {DocumentStatus.READY, DocumentStatus.FAILED}
    assert document.status == DocumentStatus.READY or document.error_message


def test_a_file_that_killed_its_worker_twice_has_failed(
    contracts: Datasource, alice: User, work: Any
) -> None:
    text = io.BytesIO(b"Backups are kept for thirty days.")
    document = accept_upload(contracts, alice, "a.txt", text)[0].document
    for _ in range(2):
        assert start(document.pk)  # counted from here on; the worker dies
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.FAILED
    assert document.error_message.startswith("This file stopped the reader twice")
    retry(document)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY


def test_the_deadly_one_of_many_passages_is_found_out(contracts: Datasource, alice: User, work: Any) -> None:
    lines = "\n".join(f'{{"title": "", "text": "Fact number {n}."}}' for n in range(5))
    documents = accept_upload(contracts, alice, "p.jsonl", io.BytesIO(lines.encode()))
    contracts.documents.update(attempts=1)  # a worker died over all of them, then over one alone
    Document.objects.filter(pk=documents[2].document.pk).update(attempts=2)
    work()
    failed = contracts.documents.get(status=DocumentStatus.FAILED)
    assert failed == documents[2].document
    assert failed.error_message.startswith("This passage stopped the reader twice")
    assert contracts.documents.ready().count() == 4


def test_work_without_bound_fails_and_the_worker_goes_on() -> None:
    code = """
import numpy
from svq_site.host.memory import limit_memory
limit_memory(300 * 2**20)
try:
    kept = [bytearray(2**20) for _ in range(2000)]
except MemoryError:
    print("refused")
print(len(bytearray(50 * 2**20)))
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ended.stdout.split() == ["refused", str(50 * 2**20)], ended.stderr
