"""Putting new mentions in the place of those that chunks have, while their documents are in use."""

from collections.abc import Sequence

from django.db import transaction

from datasources.models import Document, DocumentStatus
from graph.aggregate import mentions, update
from graph.aggregate.queue import defer_embed_graph
from graph.values.extraction import ExtractedChunks
from sql import rows


@transaction.atomic
def replace(datasource_id: int, extracted: Sequence[ExtractedChunks]) -> int:
    """Let the graph say of these chunks what was extracted now, and nothing else. Gives the number of chunks.

    Chunks whose documents are not ready (any more) are passed over.
    """
    documents = {chunk.document_id for _, chunks, _ in extracted for chunk in chunks}
    ready = set(
        Document.objects.select_for_update(no_key=True)
        .filter(pk__in=documents, datasource_id=datasource_id, status=DocumentStatus.READY)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    if not ready:
        return 0
    kept = [
        (extractor, [(c, e) for c, e in zip(chunks, extractions, strict=True) if c.document_id in ready])
        for extractor, chunks, extractions in extracted
    ]
    ids = list({chunk.pk for _, pairs in kept for chunk, _ in pairs})
    update.change(datasource_id, withdrawn=sorted(ready))
    for table in ("relationmention", "entitymention"):
        rows(f"DELETE FROM graph_{table} WHERE chunk_id = ANY(%s)", ids)
    for extractor, pairs in kept:
        mentions.store([chunk for chunk, _ in pairs], [extraction for _, extraction in pairs], extractor)
    update.change(datasource_id, added=sorted(ready))
    defer_embed_graph(datasource_id)
    return len(ids)
