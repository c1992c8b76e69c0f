"""Putting new mentions in the place of those that chunks have, while their documents are in use."""

from collections.abc import Sequence

from django.db import transaction

from datasources.models import Document, DocumentStatus
from graph.aggregate import mentions, update
from graph.aggregate.queue import defer_embed_graph
from graph.extraction.extract import Found
from graph.values.extraction import Extraction
from ingestion.models import Chunk
from sql import rows


@transaction.atomic
def replace(datasource_id: int, found: Sequence[Found]) -> int:
    """Let the graph say of these chunks what is found now, and nothing else. Gives the number of chunks.

    Chunks whose documents are not ready (any more) are passed over.
    """
    wanted = {chunk.document_id for _, chunks, _ in found for chunk in chunks}
    ready = set(
        Document.objects.select_for_update(no_key=True)
        .filter(pk__in=wanted, datasource_id=datasource_id, status=DocumentStatus.READY)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    if not ready:
        return 0
    kept: list[tuple[str, list[Chunk], list[Extraction]]] = []
    for extractor, chunks, extractions in found:
        pairs = [(c, e) for c, e in zip(chunks, extractions, strict=True) if c.document_id in ready]
        kept.append((extractor, [c for c, _ in pairs], [e for _, e in pairs]))
    ids = list({chunk.pk for _, chunks, _ in kept for chunk in chunks})
    update.change(datasource_id, resting=sorted(ready))
    for table in ("relationmention", "entitymention"):
        rows(f"DELETE FROM graph_{table} WHERE chunk_id = ANY(%s)", ids)
    for extractor, chunks, extractions in kept:
        mentions.store(chunks, extractions, extractor)
    update.change(datasource_id, added=sorted(ready))
    defer_embed_graph(datasource_id)
    return len(ids)
