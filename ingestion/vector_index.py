"""The index of a space: a graph of near vectors (HNSW) in place of an exact scan, where that pays.

Each space has its own, of its own vectors alone: an index over all datasources would find too little in the
small ones. Large vectors are indexed by the signs of their numbers, a bit each; whole vectors then choose.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from django.conf import settings
from django.db import connection

from ingestion.models import SpaceStatus, VectorSpace
from ingestion.search_index import passage_counts
from sql import rows

logger = logging.getLogger(__name__)

TABLE = "ingestion_chunkembedding"
BITS_ABOVE = 2000  # dimensions
SHRUNK = 0.5  # share of the size at which an index is made, below which it is dropped
LOCK = 0x7665  # the class of advisory locks of index builds, one a space
# Memory of one build, as a share of the machine's: 1 GB holds a graph of 700,000 vectors of 384 dimensions.
# What is larger than its memory is built many times more slowly.
MEMORY, LEAST_MEMORY = 1 / 8, 256 * 2**20
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
            _build(space)
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


def _build(space: VectorSpace) -> None:
    if space.dimensions > BITS_ABOVE:
        column = f"(binary_quantize(vector)::bit({space.dimensions})) bit_hamming_ops"
    else:
        column = f"(vector::halfvec({space.dimensions})) halfvec_cosine_ops"
    memory = max(LEAST_MEMORY, MEMORY * psutil.virtual_memory().total)
    rows("SELECT set_config('maintenance_work_mem', %s, false)", f"{round(memory / 1024)}kB")
    # One core is for the build, the others are for those who search.
    rows("SELECT set_config('max_parallel_maintenance_workers', '0', false)")
    try:
        rows(
            f"CREATE INDEX CONCURRENTLY {name_of(space.pk)} ON {TABLE} USING hnsw ({column}) "
            f"WITH (m = 16, ef_construction = 100) WHERE space_id = {int(space.pk)}"
        )
    finally:
        if connection.connection and not connection.connection.closed:
            rows("RESET maintenance_work_mem")
            rows("RESET max_parallel_maintenance_workers")


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
