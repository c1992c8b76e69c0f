"""A datasource cut into other chunks for the searches of one run, which nobody else sees.

They are in temporary tables of one database session, under the names of the tables that searches read: the
same searches find them there. Postgres drops them with the session, however that ends.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from threading import Timer
from typing import ParamSpec, TypeVar

import numpy as np
from django.db import DatabaseError, connection
from numpy.typing import NDArray

from datasources.models import Datasource, Document
from desks.evaluation.models import Run
from desks.evaluation.runs.paid_vectors import keep_vectors, kept_vectors
from desks.evaluation.sql import query
from ingestion.chunks.cutting import Cutting, chunks_of
from ingestion.indexes import embedding, search_index, vector_spaces
from ingestion.models import Chunk, VectorSpace
from jobs.slices import is_over
from providers.protocols import Embedder
from retrieval.tools.tool import Tool
from sql import rows

P = ParamSpec("P")
R = TypeVar("R")

IDLE_SECONDS = 120.0  # that the chunks of a run wait in this process for its next slice
WHOLE = 10**9  # characters: of a document that is a ready passage


class Recut:
    """Call `fill` until it is True, then search by `call`. Safe to use from several threads."""

    def __init__(self, run: Run, cutting: Cutting, embedder: Embedder) -> None:
        self._run, self._cutting, self._embedder = run, cutting, embedder
        # One thread, because Django's connections are by thread; none of a pool, which gives them back.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="evaluation-recut")
        self._filling = self._batches(run.datasource)
        self._is_closed = False
        self.chunks = 0

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Do it where the other chunks are those of the datasource. Raises what it raises."""
        return self._thread.submit(copy_context().run, partial(function, *args, **kwargs)).result()

    def within(self, tool: Tool) -> Tool:
        """The tool, searching the other chunks."""

        def run(*asked: object) -> list[object]:
            return self.call(tool.run, *asked)  # type: ignore[arg-type]

        def with_note(*asked: object) -> object:
            return self.call(tool.with_note, *asked)  # type: ignore[arg-type]

        return replace(tool, run=run, with_note=with_note if tool.with_note else None)  # type: ignore[arg-type]

    def fill(self, deadline: float | None) -> bool:
        """Cut and embed until that moment of the monotonic clock; True when all is there.

        Raises ExtractionError, ProviderError, errors of the database.
        """
        return self.call(self._fill, deadline)

    def close(self) -> None:
        self._is_closed = True
        self._thread.submit(_close)
        self._thread.shutdown(wait=False)

    def _fill(self, deadline: float | None) -> bool:
        return not any(self._is_closed or is_over(deadline) for _ in self._filling)

    def _batches(self, datasource: Datasource) -> Iterator[None]:
        """Yields wherever it may pause."""
        space = vector_spaces.comparable(datasource.pk, self._embedder.name, self._embedder.dimensions)
        query("recut_tables")
        for document in datasource.documents.ready().order_by("pk"):
            document.datasource = datasource
            self._cut(document)
            cut = Chunk.objects.filter(document=document).order_by("index")
            waiting = list(cut.values_list("pk", "text"))
            for batch in embedding.batches(waiting):
                self._index(document, batch, space)
                yield
            self.chunks += len(waiting)
        for statement in ("recut_things", "recut_relations"):
            query(statement, datasource=datasource.pk)
        query("recut_counts")
        query("recut_statistics")

    def _cut(self, document: Document) -> None:
        pages = list(document.pages.order_by("number").defer("boxes", "certainty"))
        cutting = self._cutting if document.passage is None else replace(self._cutting, size=WHOLE)
        chunks = chunks_of(document, pages, cutting, self._embedder)
        embedding.copy_chunks(chunks)
        search_index.index_documents([(document, [chunk.text for chunk in chunks])])

    def _index(self, document: Document, batch: Sequence[tuple[int, str]], space: VectorSpace | None) -> None:
        if space:
            vectors = self._vectors(document, [text for _, text in batch], space)
            embedding.copy_vectors(space, [pk for pk, _ in batch], vectors)
        search_index.index_chunks(document.datasource_id, [(pk, document.pk, text) for pk, text in batch])

    def _vectors(self, document: Document, texts: Sequence[str], space: VectorSpace) -> NDArray[np.float32]:
        """Shape (texts, dimensions): those that the run has paid for before are read again."""
        keys = [hashlib.sha256(f"{space.pk}:{text}".encode()).hexdigest() for text in texts]
        known = kept_vectors(self._run, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = dict(zip(missing, self._embedder.embed(list(missing.values())), strict=True))
            keep_vectors(self._run, document, made)
            known |= made
        return np.stack([known[key] for key in keys]).astype(np.float32)


def _close() -> None:
    if connection.connection is None:
        return
    try:
        rows("DISCARD TEMP")  # a pool would give the session to others
    except DatabaseError:
        pass
    finally:
        connection.close()


_waiting: dict[int, tuple[Recut, Timer]] = {}


@contextmanager
def recut_for(run: Run, make: Callable[[], Recut]) -> Iterator[Recut]:
    """The one that the last slice of the run has left in this process, or else another.

    It is left for the next slice, and closed where none follows, or at a fault.
    """
    recut, timer = _waiting.pop(run.pk, (None, None))
    if timer:
        timer.cancel()
    recut = recut or make()
    try:
        yield recut
    except BaseException:
        recut.close()
        raise
    timer = Timer(IDLE_SECONDS, drop, [run.pk])
    timer.daemon = True
    _waiting[run.pk] = (recut, timer)
    timer.start()


def drop(run_id: int) -> None:
    """Close what was left for a next slice of the run."""
    recut, timer = _waiting.pop(run_id, (None, None))
    if recut and timer:
        timer.cancel()
        recut.close()
