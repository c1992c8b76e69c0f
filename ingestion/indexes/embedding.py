"""Writing chunks and vectors in bulk: binary COPY is some twenty times quicker than INSERT."""

import struct
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ingestion.models import Chunk, VectorSpace

CHUNKS_AT_ONCE = 64  # embedded and stored together: about 1.5 s of work, and what a kill can cost

CHUNK_COLUMNS = (
    ("datasource_id", "int8"),
    ("document_id", "int8"),
    ("index", "int4"),
    ("text", "text"),
    ("start", "int4"),
    ("end", "int4"),
    ("first_page", "int4"),
    ("last_page", "int4"),
    ("token_count", "int4"),
    ("kind", "varchar"),
    ("section", "varchar"),
    ("quality", "float8"),
    ("left_out", "bool"),
)


def batches(rows: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    """The (id, text) rows in slices of CHUNKS_AT_ONCE."""
    for first in range(0, len(rows), CHUNKS_AT_ONCE):
        yield rows[first : first + CHUNKS_AT_ONCE]


def copy_chunks(chunks: Iterable[Chunk]) -> None:
    """Insert unsaved chunks; their ids are given by the database."""
    names = ", ".join(f'"{name}"' for name, _ in CHUNK_COLUMNS)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY ingestion_chunk ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([kind for _, kind in CHUNK_COLUMNS])
        for chunk in chunks:
            copy.write_row([getattr(chunk, name) for name, _ in CHUNK_COLUMNS])


def halfvec(vector: NDArray[np.float32]) -> bytes:
    """pgvector's binary form of a halfvec: dimensions and zero as uint16, then big-endian float16."""
    return struct.pack(">HH", len(vector), 0) + vector.astype(">f2").tobytes()


def copy_vectors(space: VectorSpace, chunk_ids: Sequence[int], vectors: NDArray[np.float32]) -> None:
    """Insert one vector a chunk; `vectors` has shape (len(chunk_ids), dimensions)."""
    copy_into("ingestion_chunkembedding", "chunk_id", space, zip(chunk_ids, vectors, strict=True))


def copy_into(
    table: str, column: str, space: VectorSpace, vectors: Iterable[tuple[int, NDArray[np.float32]]]
) -> None:
    """Insert (id, vector) rows into a narrow table of vectors whose `column` refers to what they are of."""
    head = struct.pack(">h", 3)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({column}, space_id, vector) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.write(b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0))
        for pk, vector in vectors:
            assert len(vector) == space.dimensions, "a vector of another model"
            body = halfvec(vector)
            copy.write(head + struct.pack(">iqiqi", 8, pk, 8, space.pk, len(body)) + body)
        copy.write(struct.pack(">h", -1))
