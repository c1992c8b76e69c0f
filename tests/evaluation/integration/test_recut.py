"""Runs over chunks of another size: measured beside the datasource's own, which stay as they are."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.utils import timezone

from accounts.models import User
from batches.upkeep import GOES_ON_WITHIN
from datasources.models import Datasource, Document
from desks.evaluation.models import Kind, Origin, PaidReply, PaidVector, QuestionSet, RunStatus
from desks.evaluation.questions.draft import Draft
from desks.evaluation.questions.services import add_questions, create_set
from desks.evaluation.runs import run as running
from desks.evaluation.runs.frozen import cutting_of
from desks.evaluation.runs.recut import Recut
from desks.evaluation.runs.run import carry_on
from desks.evaluation.runs.services import start_runs
from desks.evaluation.runs.upkeep import forget_paid
from graph.models import EntityMention
from ingestion.lifecycle.purging import purge
from ingestion.models import Chunk, ChunkTerms
from providers.minilm.loaded import LOCAL_EMBEDDER, local_embedder
from tests.evaluation.world import BACKUPS, INVOICES, proof
from tests.factories import make_document, make_vector

pytestmark = pytest.mark.django_db(transaction=True)

FILLER = "The parties meet in spring and agree on the minutes of the meeting before. "
LONG = f"{FILLER * 4}\n\n{BACKUPS}\n\n{FILLER * 4}\n\n{INVOICES}\n\n{FILLER * 4}"


@pytest.fixture
def asked(contracts: Datasource, alice: User) -> QuestionSet:
    """Two questions about a long document, which is one chunk as the datasource has it."""
    document = make_document(contracts, "Agreement", LONG)
    chunk = Chunk.objects.get(document=document)
    make_vector(chunk, local_embedder().embed([LONG])[0].tolist(), model=LOCAL_EMBEDDER)
    EntityMention.objects.create(
        datasource=contracts,
        document=document,
        chunk=chunk,
        name="Customer",
        key="customer",
        start=LONG.index("Customer"),
        end=LONG.index("Customer") + 8,
        position=LONG.index("Customer"),
        said_start=LONG.index(INVOICES),
        said_end=LONG.index(INVOICES) + len(INVOICES),
        extractor="rules",
        live=True,
    )
    made = create_set(contracts, "First", alice)
    drafts = [
        Draft(kind=Kind.SINGLE, text=text, reference=quote, proofs=(proof(document, quote),))
        for text, quote in (
            ("How long are backups kept?", BACKUPS),
            ("How soon must the Customer pay an invoice?", INVOICES),
        )
    ]
    add_questions(made, drafts, Origin.PERSON, author=alice)
    return made


def tables() -> tuple[list[Any], list[Any]]:
    return list(Chunk.objects.values_list("pk", "text")), list(ChunkTerms.objects.values_list("pk", "terms"))


def temporary() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relpersistence = 't' AND relkind = 'r'")
        return int(cursor.fetchone()[0])


def test_chunkings_are_measured_side_by_side(
    asked: QuestionSet, alice: User, work: Callable[[], None]
) -> None:
    before = tables()
    own, small = start_runs(alice, asked, ["keyless", "keyless,chunking=recursive:200:20"])
    work()
    own.refresh_from_db()
    small.refresh_from_db()
    assert (small.status, small.error_message) == (RunStatus.DONE, "")
    assert (own.frozen["chunks"], own.frozen["chunking"]["size"]) == (1, 1000)
    assert small.frozen["chunks"] > 5
    assert small.frozen["chunking"] == {"kind": "recursive", "size": 200, "overlap": 20}
    for result in small.question_results.all():
        assert result.scores["hit_at_5"] == result.scores["completeness"] == 1.0
        assert set(result.legs) >= {"fused", "dense", "bm25"}
        assert all(passage["end"] - passage["start"] <= 200 for passage in result.passages)
        assert any(passage["gold"] and passage["used"] for passage in result.passages)
    (whole,) = own.question_results.first().passages  # type: ignore[union-attr]
    assert whole["end"] == len(LONG)
    assert tables() == before
    assert not PaidVector.objects.exists()
    assert not temporary()


def test_a_killed_run_cuts_again_and_pays_for_no_vector_twice(
    asked: QuestionSet, alice: User, monkeypatch: Any
) -> None:
    (run,) = start_runs(alice, asked, ["search,chunking=recursive:200"])
    scores, before = running.search_scores, tables()

    def dies(*args: Any, **more: Any) -> Any:
        raise KeyboardInterrupt  # as hard as a kill: nothing is tidied up

    monkeypatch.setattr(running, "search_scores", dies)
    with pytest.raises(KeyboardInterrupt):
        async_to_sync(carry_on)(run.pk)
    assert tables() == before
    assert PaidVector.objects.filter(run=run).exists()

    embedded: list[str] = []
    embed = type(local_embedder()).embed

    def counted(self: Any, texts: Any) -> Any:
        embedded.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(running, "search_scores", scores)
    monkeypatch.setattr(type(local_embedder()), "embed", counted)
    async_to_sync(carry_on)(run.pk)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE
    assert set(embedded) == set(run.questions().values_list("text", flat=True))
    assert not PaidVector.objects.exists()


def test_what_is_purged_meanwhile_leaves_no_vector(asked: QuestionSet, alice: User) -> None:
    (run,) = start_runs(alice, asked, ["search,chunking=paragraph"])
    PaidVector.objects.create(run=run, key="a" * 64, vector=[1.0, 0.0])
    purge(asked.datasource.documents.get(), alice)
    assert not PaidVector.objects.exists()


def test_what_is_purged_during_the_cutting_leaves_no_vector(
    asked: QuestionSet, alice: User, monkeypatch: Any
) -> None:
    (run,) = start_runs(alice, asked, ["search,chunking=recursive:200"])
    embed, document = type(local_embedder()).embed, asked.datasource.documents.get()

    def meanwhile(self: Any, texts: Any) -> Any:
        with ThreadPoolExecutor(1) as another:
            another.submit(_purge_elsewhere, document, alice).result()
        return embed(self, texts)

    monkeypatch.setattr(type(local_embedder()), "embed", meanwhile)
    recut = Recut(run, cutting_of(run.frozen), local_embedder())
    try:
        recut.fill(None)
    finally:
        recut.close()
    assert not PaidVector.objects.exists()


def _purge_elsewhere(document: Document, person: User) -> None:
    try:
        if Document.objects.filter(pk=document.pk).exists():
            purge(document, person)
    finally:
        connection.close()


def test_what_a_run_has_paid_for_that_nobody_goes_on_with_is_deleted(asked: QuestionSet, alice: User) -> None:
    sizes = (300, 400, 500)
    late, today, working = start_runs(alice, asked, [f"search,chunking=paragraph:{size}" for size in sizes])
    long_ago = timezone.now() - GOES_ON_WITHIN - timedelta(hours=1)
    late.write(status=RunStatus.STOPPED, finished=long_ago)
    today.write(status=RunStatus.HELD, finished=timezone.now())
    working.write(status=RunStatus.RUNNING, created=long_ago)
    for run in (late, today, working):
        PaidVector.objects.create(run=run, key="a" * 64, vector=[1.0, 0.0])
        PaidReply.objects.create(run=run, question=run.questions()[0], key="a" * 64, reply={})
    forget_paid()
    for kept in (PaidVector, PaidReply):
        assert set(kept.objects.values_list("run", flat=True)) == {today.pk, working.pk}


def test_what_passages_name_is_found_in_the_other_chunks(asked: QuestionSet, alice: User) -> None:
    (run,) = start_runs(alice, asked, ["search,chunking=recursive:200"])
    recut = Recut(run, cutting_of(run.frozen), local_embedder())
    try:
        assert recut.fill(None)
        mention = recut.call(EntityMention.objects.select_related("chunk").get)
    finally:
        recut.close()
    assert len(mention.chunk.text) <= 200
    assert mention.chunk.text[mention.start : mention.end] == "Customer"
    assert INVOICES in mention.said
