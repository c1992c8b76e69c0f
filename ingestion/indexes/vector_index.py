"""The index of a space: a graph of near vectors (HNSW) in place of an exact scan, where that pays.

Each space has its own, of its own vectors alone: an index over all datasources would find too little in the
small ones. Large vectors are indexed by the signs of their numbers, a bit each; whole vectors then choose.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil
from django.conf import settings
from django.db import connection

from ingestion.indexes.search_index import passage_counts
from ingestion.models import SpaceStatus, VectorSpace
from sql import rows

logger = logging.getLogger(__name__)

TABLE = "ingestion_chunkembedding"
BITS_ABOVE = 2000  # dimensions
SHRUNK = 0.5  # share of the size at which an index is made, below which it is dropped
LOCK = 0x7665  # the class of advisory locks of index builds, one a space
# Memory of one build: what its graph needs, at most a share of the machine's. What is larger than its memory
# is built many times more slowly. 1 GB was seen to hold 700,000 vectors of 384 dimensions.
MOST_MEMORY, LEAST_MEMORY = 1 / 8, 64 * 2**20
NODE_BYTES = 1000  # of a vector's links, generously
NICENESS = 10  # of the process of the embedded database that builds
PROGRESS = """
    SELECT CASE WHEN blocks_total > 0 THEN blocks_done::float / blocks_total ELSE 0 END
    FROM pg_stat_progress_create_index
    WHERE datname = current_database() AND index_relid IN (
        SELECT to_regclass('vectors_of_space_' || id) FROM ingestion_vectorspace WHERE datasource_id = %s
    )
"""
WIDTH = 400 + 384  # what a vector of 384 dimensions costs a scan: reading the row, and its numbers


def scanned_exactly(dimensions: int) -> int:
    """So many vectors are scanned as quickly as an index is worth having."""
    return settings.VECTOR_INDEX_FROM * WIDTH // (400 + dimensions)


def name_of(space_id: int) -> str:
    return f"vectors_of_space_{space_id}"


def is_worth_it(space: VectorSpace, vectors: int) -> bool:
    """Whether a space of so many vectors has an index; one that has it keeps it while it shrinks a little."""
    least = scanned_exactly(space.dimensions)
    return vectors > (least * SHRUNK if space.indexed else least)


def maintain(space: VectorSpace, *, rebuild: bool = False) -> None:
    """Build or drop the index, as the size of the space wants it; waits for nobody.

    Not within a transaction: searches and uploads go on meanwhile. Killed at any moment it leaves at most an
    index that is not used, which the next call removes.
    """
    with _alone(space.pk) as is_alone:
        if not is_alone:
            return  # another worker, or the database itself after a worker was killed, is still at it
        ((vectors,),) = rows(f"SELECT count(*) FROM {TABLE} WHERE space_id = %s", space.pk)
        if not is_worth_it(space, vectors):
            _mark(space, indexed=False)
            _drop(space.pk)
        elif rebuild or not is_valid(space.pk):
            _mark(space, indexed=False)
            _drop(space.pk)  # what a killed build has left
            _build(space, vectors)
            space.write(indexed=True, recall=None, recall_tested=None)
        else:
            _mark(space, indexed=True)


def unattended() -> list[VectorSpace]:
    """Searched spaces whose index is not as their size wants it, told without counting their vectors."""
    spaces = list(VectorSpace.objects.filter(status=SpaceStatus.CURRENT))
    passages = passage_counts([space.datasource_id for space in spaces])
    usable = _indexed_spaces(usable=True)
    return [
        space
        for space in spaces
        if not (is_worth_it(space, passages[space.datasource_id]) == space.indexed == (space.pk in usable))
    ]


def drop_orphans() -> None:
    """Remove the indexes of spaces that are gone."""
    known = set(VectorSpace.objects.values_list("pk", flat=True))
    for space_id in _indexed_spaces() - known:
        with _alone(space_id) as is_alone:
            if is_alone:
                _drop(space_id)


def is_valid(space_id: int) -> bool:
    """Whether the index is there and was built to its end."""
    valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
    return rows(valid, name_of(space_id)) == [(True,)]


def size_of(space_id: int) -> int:
    """Bytes; 0 without an index."""
    return int(rows("SELECT coalesce(pg_relation_size(to_regclass(%s)), 0)", name_of(space_id))[0][0])


def _indexed_spaces(*, usable: bool = False) -> set[int]:
    """Spaces with an index, of those that were killed while they were built too unless `usable`."""
    names = rows(
        "SELECT relname FROM pg_class JOIN pg_index ON indexrelid = oid "
        "WHERE relname ~ '^vectors_of_space_[0-9]+$' AND (indisvalid OR NOT %s)",
        usable,
    )
    return {int(name.rpartition("_")[2]) for (name,) in names}


def progress(datasource_id: int) -> float | None:
    """The share that is done of the build that is running for a datasource; None without one."""
    found = rows(PROGRESS, datasource_id)
    return float(found[0][0]) if found else None


def _build(space: VectorSpace, vectors: int) -> None:
    if space.dimensions > BITS_ABOVE:
        column = f"(binary_quantize(vector)::bit({space.dimensions})) bit_hamming_ops"
    else:
        column = f"(vector::halfvec({space.dimensions})) halfvec_cosine_ops"
    rows("SELECT set_config('maintenance_work_mem', %s, false)", f"{_memory(space, vectors) // 1024}kB")
    # One core is for the build, the others are for those who search.
    rows("SELECT set_config('max_parallel_maintenance_workers', '0', false)")
    _make_way()
    try:
        rows(
            f"CREATE INDEX CONCURRENTLY {name_of(space.pk)} ON {TABLE} USING hnsw ({column}) "
            f"WITH (m = 16, ef_construction = 100) WHERE space_id = {int(space.pk)}"
        )
    finally:
        if connection.connection and not connection.connection.closed:
            rows("RESET maintenance_work_mem")
            rows("RESET max_parallel_maintenance_workers")
            if not is_valid(space.pk):
                _drop(space.pk)
            connection.close()  # its process does not get its old priority back


def _make_way() -> None:
    """Lower the priority of the database's process that builds, where it is one of ours on this machine."""
    ((pid,),) = rows("SELECT pg_backend_pid()")
    with suppress(psutil.Error, OSError):
        process = psutil.Process(pid)
        if connection.settings_dict["HOST"].startswith("/") and process.name().startswith("postgres"):
            process.nice(NICENESS)


def _memory(space: VectorSpace, vectors: int) -> int:
    """Bytes."""
    each = NODE_BYTES + (space.dimensions // 8 if space.dimensions > BITS_ABOVE else 2 * space.dimensions)
    most = int(MOST_MEMORY * psutil.virtual_memory().total)
    return max(LEAST_MEMORY, min(vectors * each, most))


def _drop(space_id: int) -> None:
    rows(f"DROP INDEX CONCURRENTLY IF EXISTS {name_of(space_id)}")


def _mark(space: VectorSpace, *, indexed: bool) -> None:
    if space.indexed != indexed:
        space.write(indexed=indexed)


@contextmanager
def _alone(space_id: int) -> Iterator[bool]:
    """Whether nobody else works at the index. The lock is the connection's: it goes with it, not before a
    build that the database still carries on.
    """
    key = space_id % 2**31
    ((is_alone,),) = rows("SELECT pg_try_advisory_lock(%s, %s)", LOCK, key)
    try:
        yield is_alone
    finally:
        if is_alone and connection.connection and not connection.connection.closed:
            rows("SELECT pg_advisory_unlock(%s, %s)", LOCK, key)
