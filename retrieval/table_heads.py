"""The heads of tables that a chunk cuts: without them nobody can tell which column a figure stands in."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from django.db.models import Q

from ingestion.models import Chunk
from retrieval.evidence import Evidence
from text.quotable import last_heads
from text.table_lines import is_table_line

BEFORE = 6000  # characters of the document before a passage in which the head of its table is sought


def with_table_heads(passages: Sequence[Evidence]) -> list[Evidence]:
    """The passages; each that begins within a table has the heads of its columns."""
    within = [passage for passage in passages if is_table_line(passage.text.lstrip().partition("\n")[0])]
    if not within:
        return list(passages)
    near = [
        Q(document=passage.document_id, start__lt=passage.start, end__gt=passage.start - BEFORE)
        for passage in within
    ]
    chunks = list(Chunk.objects.filter(reduce(or_, near)).order_by("start"))
    heads = {passage.chunk_id: last_heads(_before(passage, chunks)) for passage in within}
    return [replace(passage, table_heads=heads.get(passage.chunk_id, "")) for passage in passages]


def _before(passage: Evidence, chunks: Sequence[Chunk]) -> str:
    """The document's text before the passage, as far as chunks tell it without a gap."""
    text, end = "", 0
    for chunk in chunks:
        if chunk.document_id != passage.document_id or chunk.start >= passage.start:
            continue
        if chunk.start > end:
            text, end = "", chunk.start
        text += chunk.text[max(0, end - chunk.start) : passage.start - chunk.start]
        end = max(end, chunk.end)
    return text if end >= passage.start - 2 else ""
