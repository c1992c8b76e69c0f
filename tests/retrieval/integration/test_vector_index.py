"""The index of a large datasource: it is used, misses little, loses nothing to a filter, and goes in time."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from numpy.typing import NDArray
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource
from datasources.services import create_datasource
from ingestion.indexes import vector_index
from ingestion.indexes.search_index import index_all
from ingestion.lifecycle.purging import purge_datasource
from ingestion.models import Chunk, VectorSpace
from ingestion.vector_jobs import drop_orphans, maintain_vectors, tidy_vectors
from providers.protocols.embedding import AlikeEmbedder
from retrieval import recall
from retrieval.nearest import by_index, exactly, nearest
from retrieval.query import Scope
from tests.conftest import run_jobs
from tests.retrieval.vectors import fill, made, space_of

pytestmark = pytest.mark.django_db(transaction=True)
LARGE = 1500


@pytest.fixture(autouse=True)
def small_threshold(settings: Any) -> None:
    settings.VECTOR_INDEX_FROM = 1000
    vector_index.drop_orphans()  # of earlier tests, whose rows are gone without a word


def scope(datasource: Datasource, **more: Any) -> Scope:
    return Scope(user_id=datasource.owner_id, datasource_id=datasource.pk, **more)


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relname LIKE 'vectors_of_space_%'")
        return {name for (name,) in cursor.fetchall()}


def tidied() -> None:
    """What the tidying and the jobs that it queues do."""
    tidy_vectors(0)
    ProcrastinateJob.objects.filter(status="todo").update(scheduled_at=None)
    run_jobs("heavy")


def truth(vectors: NDArray[np.float32], ids: list[int], question: NDArray[np.float32], k: int) -> list[int]:
    return [ids[i] for i in np.argsort(-(vectors @ question), kind="stable")[:k]]


def plan_of(space: VectorSpace, searched: Scope, question: NDArray[np.float32]) -> str:
    with CaptureQueriesContext(connection) as queries:
        by_index(space, searched, question, 10)
    (search,) = (query["sql"] for query in queries if "ingestion_chunkembedding" in query["sql"])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")  # so few vectors are quicker sorted than walked to
        cursor.execute(f"EXPLAIN {search}")
        return "\n".join(line for (line,) in cursor.fetchall())


@pytest.mark.parametrize("dimensions", [384, 3072])
def test_a_large_datasource_is_searched_by_an_index_of_its_own(
    contracts: Datasource, alice: User, settings: Any, dimensions: int
) -> None:
    settings.VECTOR_INDEX_FROM = LARGE // 2
    vectors = made(LARGE, dimensions)
    fill(contracts, vectors, documents=10)
    small = create_datasource(alice, "Small")
    fill(small, made(20, dimensions, seed=2))
    for datasource in (contracts, small):
        maintain_vectors(datasource.pk)
    space = VectorSpace.objects.get(datasource=contracts)
    assert space.indexed
    assert indexes() == {vector_index.name_of(space.pk)}
    question = made(1, dimensions, seed=3)[0]
    assert vector_index.name_of(space.pk) in plan_of(space, scope(contracts), question)
    ids = list(Chunk.objects.filter(datasource=contracts).order_by("pk").values_list("pk", flat=True))
    shares = []
    for place in range(0, LARGE, 50):
        question = vectors[place] + 0.02 * made(1, dimensions, seed=place)[0]
        question /= np.linalg.norm(question)
        found = [pk for pk, *_ in nearest(scope(contracts), question, 10)]
        assert len(found) == 10
        shares.append(len(set(found) & set(truth(vectors, ids, question, 10))) / 10)
    assert np.mean(shares) >= 0.99
    assert len(nearest(scope(small), question, 10)) == 10


def test_bits_alone_decide_nothing_within_a_third_of_the_documents(
    contracts: Datasource, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few vectors that are far away can be told apart by their bits."""
    settings.VECTOR_INDEX_FROM = 2500
    monkeypatch.setattr("retrieval.nearest.RERANKED", 20)  # as few of these as 400 are of tens of thousands
    documents = fill(contracts, made(2400, 2560), documents=12)
    maintain_vectors(contracts.pk)
    space = VectorSpace.objects.get()
    assert space.indexed
    chosen = scope(contracts, document_ids=frozenset(document.pk for document in documents[::3]))
    for seed in range(5):
        question = made(1, 2560, seed=100 + seed)[0]
        assert nearest(chosen, question, 10) == exactly(space, chosen, question, 10)


@pytest.mark.parametrize("share", [0.01, 0.1, 1.0])
def test_a_filter_never_costs_results(contracts: Datasource, share: float) -> None:
    vectors = made(3000, 64)
    documents = fill(contracts, vectors, documents=100)
    maintain_vectors(contracts.pk)
    chosen = documents[:: round(1 / share)]
    filtered = scope(contracts, document_ids=frozenset(document.pk for document in chosen))
    within = list(Chunk.objects.filter(document__in=chosen).values_list("pk", flat=True))
    space = VectorSpace.objects.get()
    for seed in range(10):
        question = made(1, 64, seed=100 + seed)[0]
        found = [pk for pk, *_ in nearest(filtered, question, 25)]
        assert len(found) == 25
        assert set(found) <= set(within)
        best = [pk for pk, *_ in exactly(space, filtered, question, 25)]
        assert len(set(found) & set(best)) >= 24


def test_a_larger_index_is_searched_with_more_candidates(contracts: Datasource) -> None:
    """A million vectors are told to Postgres' statistics rather than stored."""
    fill(contracts, made(3000, 64), documents=10)
    maintain_vectors(contracts.pk)
    space = VectorSpace.objects.get()
    held = []
    for vectors in (3000, 1_000_000):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL hnsw.iterative_scan = off; SET LOCAL enable_sort = off")
            cursor.execute(
                "UPDATE pg_class SET reltuples = %s WHERE relname = %s",
                [vectors, vector_index.name_of(space.pk)],
            )
            held.append(len(by_index(space, scope(contracts), made(1, 64, seed=3)[0], 2000)))
            transaction.set_rollback(True)
    assert held[0] <= 200 < 800 < held[1] <= 1000


def test_when_nearly_all_is_left_out_the_rest_is_found(contracts: Datasource) -> None:
    """The index gives up long before it comes to them."""
    vectors = made(3000, 64)
    fill(contracts, vectors, documents=10)
    maintain_vectors(contracts.pk)
    assert VectorSpace.objects.get().indexed
    kept = list(Chunk.objects.order_by("?").values_list("pk", flat=True)[:12])
    Chunk.objects.exclude(pk__in=kept).update(left_out=True)
    with connection.cursor() as cursor:
        cursor.execute("SET hnsw.max_scan_tuples = 50")
    try:
        found = [pk for pk, *_ in nearest(scope(contracts), vectors[0], 12)]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET hnsw.max_scan_tuples")
    assert sorted(found) == sorted(kept)


def test_a_datasource_that_shrinks_or_goes_loses_its_index(contracts: Datasource) -> None:
    documents = fill(contracts, made(LARGE, 384), documents=10)
    maintain_vectors(contracts.pk)
    assert indexes()
    Chunk.objects.filter(document__in=documents[:4]).delete()
    maintain_vectors(contracts.pk)
    assert indexes(), "a little smaller than what an index is made for"
    Chunk.objects.filter(document__in=documents[4:8]).delete()
    maintain_vectors(contracts.pk)
    assert not indexes()
    assert not VectorSpace.objects.get().indexed
    fill(contracts, made(LARGE, 384, seed=2), documents=10, space=space_of(contracts, 384))
    maintain_vectors(contracts.pk)
    assert indexes()
    purge_datasource(contracts)
    drop_orphans()
    assert not indexes()


def test_what_a_broken_build_has_left_is_removed_and_built_again(contracts: Datasource) -> None:
    fill(contracts, made(LARGE, 384))
    space = VectorSpace.objects.get()
    name = vector_index.name_of(space.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE INDEX {name} ON ingestion_chunkembedding (space_id) WHERE space_id = {space.pk}"
        )
        cursor.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [name])
    assert not vector_index.is_valid(space.pk)
    assert len(nearest(scope(contracts), made(1, 384)[0], 10)) == 10
    maintain_vectors(contracts.pk)
    space.refresh_from_db()
    assert vector_index.is_valid(space.pk)
    assert space.indexed
    assert name in plan_of(space, scope(contracts), made(1, 384)[0])


def test_the_self_test_finds_out_an_index_that_misses(contracts: Datasource, monkeypatch: Any) -> None:
    fill(contracts, made(LARGE, 384))
    maintain_vectors(contracts.pk)
    asked = iter(made(1000, 384, seed=5))

    class Made(AlikeEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.stack([next(asked) for _ in texts])

    monkeypatch.setattr(recall, "embedder", lambda datasource: Made())
    out = io.StringIO()
    call_command("vectors", contracts.name, "--test", stdout=out)
    assert "the index finds" in out.getvalue()
    assert "50 queries" in out.getvalue()
    assert "Build it again" not in out.getvalue()
    monkeypatch.setattr(recall, "by_index", lambda *given: exactly(*given)[:4])
    with pytest.raises(SystemExit):
        call_command("vectors", contracts.name, "--test", stdout=out)
    assert "finds 40.0%" in out.getvalue()
    assert "--rebuild" in out.getvalue()
    monkeypatch.undo()
    space = VectorSpace.objects.get()
    assert (space.recall_queries, space.short_answers) == (50, 50)
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert "1 of 1 datasources need a look" in out.getvalue()


@pytest.mark.parametrize("act", ["--rebuild", "--undo", "--change-model"])
def test_no_act_reaches_a_datasource_that_was_not_named(
    contracts: Datasource, charlie: User, act: str
) -> None:
    namesake = create_datasource(charlie, contracts.name.upper())
    with pytest.raises(CommandError, match=rf"Give a number: {contracts.pk}, {namesake.pk}"):
        call_command("vectors", contracts.name, act)
    with pytest.raises(CommandError, match="--all"):
        call_command("vectors", act)
    numbered = create_datasource(charlie, str(contracts.pk))
    out = io.StringIO()
    call_command("vectors", str(contracts.pk), act, stdout=out)
    assert out.getvalue().startswith(f"{contracts.pk} {contracts.name}:")
    assert f"{numbered.pk} " not in out.getvalue()


def test_the_tidying_every_ten_minutes_counts_no_vectors_where_all_is_in_order(
    contracts: Datasource, alice: User
) -> None:
    fill(contracts, made(2000, 64), documents=4)
    fill(create_datasource(alice, "Small"), made(20, 64, seed=2))
    index_all(Chunk.objects.select_related("document").order_by("document", "index"))
    tidied()
    space = VectorSpace.objects.get(datasource=contracts)
    assert space.indexed, "the job of the upload was lost"
    with CaptureQueriesContext(connection) as queries:
        tidy_vectors(0)
    assert not [each["sql"] for each in queries if "ingestion_chunkembedding" in each["sql"].lower()]
    Chunk.objects.filter(document__in=contracts.documents.all()[:3]).delete()
    tidied()
    assert not indexes()
    added = fill(contracts, made(2000, 64), documents=4, space=space)
    index_all(
        Chunk.objects.filter(document__in=added).select_related("document").order_by("document", "index")
    )
    job = maintain_vectors.defer(datasource_id=contracts.pk)
    ProcrastinateJob.objects.filter(pk=job).update(status="failed")
    tidied()
    assert not indexes(), "what has failed is not begun again at once"
