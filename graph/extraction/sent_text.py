"""The text of a chunk as it is sent to a model that reads for the graph: its tables are Markdown."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby

from ingestion.chunks.table_markdown import with_markdown_tables
from ingestion.models import Chunk, TableRow


def sent_texts(chunks: Iterable[Chunk]) -> list[str]:
    """Of each chunk. Names that the model gives are looked for in the chunk's own text."""
    return [
        text for _, group in groupby(chunks, key=lambda chunk: chunk.document_id) for text in _of(list(group))
    ]


def _of(chunks: Sequence[Chunk]) -> list[str]:
    """chunks: of one document."""
    if not any("\t" in chunk.text for chunk in chunks):
        return [chunk.text for chunk in chunks]
    first, last = min(chunk.start for chunk in chunks), max(chunk.end for chunk in chunks)
    near = TableRow.objects.filter(document=chunks[0].document_id, end__gt=first, start__lt=last)
    rows = list(near.select_related("table").order_by("start"))
    ends = [row.end for row in rows]
    texts = []
    for chunk in chunks:
        inside = rows[bisect_left(ends, chunk.start + 1) :]
        held = inside[: bisect_left(inside, chunk.end, key=lambda row: row.start)]
        texts.append(
            with_markdown_tables(chunk.text, chunk.start, held) if "\t" in chunk.text else chunk.text
        )
    return texts
