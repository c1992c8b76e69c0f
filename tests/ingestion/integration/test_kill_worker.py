"""kill -9 of a worker at any moment: nothing is lost, nothing repeated, every event comes once."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from pypdf import PdfReader, PdfWriter

from accounts.models import User
from chat import services
from chat.models import Turn, TurnStatus
from datasources.models import Datasource, Document, DocumentStatus
from events import log
from ingestion import progress
from ingestion.adding.upload import accept_upload
from ingestion.indexes.embedding import CHUNKS_AT_ONCE
from ingestion.models import ChunkEmbedding
from providers.embedders import embedder
from tests.openai_server import ScriptedOpenAI, tools_reply
from tests.processes import url_of_test_database, wait_until, with_models

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
PASSAGES = 6 * CHUNKS_AT_ONCE  # four times as many are written together: some are, and some are under way


class Workers:
    """Real worker processes on the test database, with the test's own files."""

    def __init__(self, folder: Path) -> None:
        url = url_of_test_database()
        self.environment = os.environ | {"DATABASE_URL": url, "SVQ_DATA_DIR": str(with_models(folder))}
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, queue: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "worker", "--queue", queue, "--queue", "upkeep"],
            cwd=ROOT,
            env=self.environment | environment,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    running = Workers(tmp_path)
    yield running
    running.stop()


def long_pdf() -> io.BytesIO:
    """Enough pages that a worker can be killed while it embeds them."""
    writer = PdfWriter()
    for path in [*SAMPLES.glob("*.pdf")] * 2:
        for page in PdfReader(path).pages:
            writer.add_page(page)
    data = io.BytesIO()
    writer.write(data)
    return data


def written(table: str) -> set[tuple[int, str]]:
    """Every row's key and the transaction that wrote it: a row written again shows another one."""
    key = {"ingestion_page": "id", "ingestion_chunkembedding": "chunk_id"}[table]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key}, xmin::text FROM {table}")
        return set(cursor.fetchall())


def test_a_killed_reader_goes_on_where_it_was(contracts: Datasource, alice: User, workers: Workers) -> None:
    embedder()  # the workers find the model ready
    document = accept_upload(contracts, alice, "long.pdf", long_pdf())[0].document
    first = workers.start("ingest")
    wait_until(lambda: ChunkEmbedding.objects.count() >= 32)
    kill(first)
    pages, vectors = written("ingestion_page"), written("ingestion_chunkembedding")
    workers.start("ingest")
    wait_until(lambda: Document.objects.get(pk=document.pk).status == DocumentStatus.READY, seconds=150)
    document.refresh_from_db()
    assert document.page_count == 54
    assert ChunkEmbedding.objects.count() == document.chunk_count == document.chunks.count()
    assert vectors <= written("ingestion_chunkembedding")
    assert {number for number, _ in pages} == {number for number, _ in written("ingestion_page")}
    told = [event.kind for event in log.read(progress.channel(contracts.pk))]
    assert told.count("document_ready") == 1


def test_passages_of_a_killed_worker_all_become_ready(
    contracts: Datasource, alice: User, workers: Workers
) -> None:
    embedder()
    words = "The harbour opens at noon and closes when the last of the boats has come home. " * 12
    lines = [json.dumps({"title": f"T{n}", "text": f"{n}. {words}"}) for n in range(PASSAGES)]
    accept_upload(contracts, alice, "p.jsonl", io.BytesIO("\n".join(lines).encode()))
    first = workers.start("ingest")
    wait_until(lambda: ChunkEmbedding.objects.exists())
    kill(first)
    assert contracts.documents.exclude(status=DocumentStatus.READY).exists()
    vectors = written("ingestion_chunkembedding")
    workers.start("ingest")
    wait_until(lambda: contracts.documents.ready().count() == len(lines), seconds=150)
    assert vectors <= written("ingestion_chunkembedding")
    assert ChunkEmbedding.objects.count() == len(lines)


def test_a_killed_answer_begins_anew_and_ends_once(
    contracts: Datasource, alice: User, workers: Workers
) -> None:
    text = "The words of a long answer that is still being written when the worker dies. " * 4
    slow = tools_reply(("answer", {"answer": text, "found": "all"}), delay=0.2)
    turn = services.ask(alice, contracts, "How long?")
    search = tools_reply(("search_literal", {"words": "long answer"}))  # who does not search is helped
    nothing = tools_reply(("answer", {"answer": "", "found": "none"}))
    with ScriptedOpenAI([slow, search, nothing]) as server:
        model = {"SVQ_LLM_BASE_URL": server.base_url, "SVQ_LLM_API_KEY": "k", "SVQ_LLM_MODEL": "m"}
        first = workers.start("agent", **model)
        wait_until(lambda: any(event.kind == "answer_delta" for event in log.read(turn.channel)))
        kill(first)
        workers.start("agent", **model)
        wait_until(lambda: Turn.objects.get(pk=turn.pk).finished is not None)
    turn.refresh_from_db()
    assert turn.status == TurnStatus.NOT_FOUND
    assert turn.attempts == 2
    told = log.read(turn.channel)
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    kinds = [event.kind for event in told]
    assert kinds.count("turn_restarted") == kinds.count("turn_finished") == 1
    assert kinds[-1] == "turn_finished"


def test_stop_reaches_a_running_worker(contracts: Datasource, alice: User, workers: Workers) -> None:
    slow = tools_reply(("answer", {"answer": "word " * 200, "found": "all"}), delay=0.1)
    turn = services.ask(alice, contracts, "How long?")
    with ScriptedOpenAI([slow]) as server:
        workers.start("agent", SVQ_LLM_BASE_URL=server.base_url, SVQ_LLM_API_KEY="k", SVQ_LLM_MODEL="m")
        wait_until(lambda: any(event.kind == "answer_delta" for event in log.read(turn.channel)))
        assert services.stop(turn)
        wait_until(lambda: bool(server.aborted))  # the model is not left writing
    turn.refresh_from_db()
    assert turn.status == TurnStatus.STOPPED
    assert turn.answer.startswith("word")
    assert log.read(turn.channel)[-1].kind == "turn_finished"


def test_a_killed_ingest_command_is_finished_by_the_next(
    contracts: Datasource, alice: User, workers: Workers, tmp_path: Path
) -> None:
    embedder()
    path = tmp_path / "long.pdf"
    path.write_bytes(long_pdf().getvalue())
    command = [
        sys.executable,
        "manage.py",
        "ingest",
        contracts.name,
        str(path),
        "--user",
        alice.email,
        "--json",
    ]
    options: dict[str, Any] = {"cwd": ROOT, "env": workers.environment, "stdout": subprocess.DEVNULL}
    first = subprocess.Popen(command, start_new_session=True, **options)
    wait_until(lambda: ChunkEmbedding.objects.count() >= 32)
    kill(first)
    assert subprocess.run(command, timeout=150, **options).returncode == 0
    document = contracts.documents.get()
    assert document.status == DocumentStatus.READY
    assert ChunkEmbedding.objects.count() == document.chunk_count
