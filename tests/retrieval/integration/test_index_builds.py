"""What goes on while an index is built, and what is left when its worker is killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from datasources.models import Datasource
from ingestion.indexes import statistics, vector_index
from ingestion.models import VectorSpace
from ingestion.vector_jobs import maintain_vectors, refresh_statistics
from sql import rows
from tests.processes import url_of_test_database, wait_until
from tests.retrieval.vectors import fill, made

pytestmark = pytest.mark.django_db(transaction=True)

FEW = 200  # vectors


@pytest.fixture(autouse=True)
def _index_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VECTOR_INDEX_FROM", 100)
    monkeypatch.setenv("SVQ_VECTOR_INDEX_FROM", "100")
    vector_index.drop_orphans()  # of earlier tests


@contextmanager
def a_build_held_up() -> Iterator[None]:
    """A transaction that writes: a build waits for its end, in the middle."""
    with psycopg.connect(url_of_test_database()) as other:
        other.execute("LOCK TABLE ingestion_chunkembedding IN ROW EXCLUSIVE MODE")
        yield


@contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--queue", "heavy"],
        env=os.environ | {"DATABASE_URL": url_of_test_database()},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def builds() -> int:
    return int(rows("SELECT count(*) FROM pg_stat_progress_create_index")[0][0])


def validity() -> list[bool]:
    """Of each index of vectors, whether it is whole."""
    join = "pg_index JOIN pg_class ON oid = indexrelid"
    found = rows(f"SELECT indisvalid FROM {join} WHERE relname ~ '^vectors_of_space'")
    return [valid for (valid,) in found]


def test_counting_for_the_planner_waits_for_no_build_and_comes_again(contracts: Datasource) -> None:
    rows("ANALYZE ingestion_chunkembedding")
    fill(contracts, made(FEW, 64))

    def build() -> None:
        try:
            maintain_vectors(contracts.pk)
        finally:
            connection.close()

    building = Thread(target=build)
    with a_build_held_up():
        building.start()
        wait_until(builds, "the build")
        rows("INSERT INTO ingestion_chunkembedding SELECT * FROM ingestion_chunkembedding WHERE false")
        rows("UPDATE ingestion_chunkembedding SET vector = vector")  # much has changed
        rows("SET statement_timeout = '10s'")  # it would wait for the build
        refresh_statistics(0)
        rows("RESET statement_timeout")
        assert vector_index.progress(contracts.pk) is not None
        assert builds(), "the build still goes on"
        assert "ingestion_chunkembedding" in statistics.stale()
    building.join()
    assert vector_index.progress(contracts.pk) is None
    refresh_statistics(0)
    assert "ingestion_chunkembedding" not in statistics.stale()
    assert validity() == [True]


def test_a_build_whose_worker_was_killed_is_done_again_and_leaves_nothing_behind(
    contracts: Datasource,
) -> None:
    fill(contracts, made(FEW, 64))
    maintain_vectors.defer(datasource_id=contracts.pk)
    with a_build_held_up():
        with worker() as first:
            wait_until(lambda: validity() == [False], "the build")
            first.kill()
            first.wait()
        wait_until(lambda: not builds(), "the end of the statement")
    rows("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute'")
    with worker():
        wait_until(lambda: VectorSpace.objects.get().indexed, "the index")
    assert validity() == [True]
