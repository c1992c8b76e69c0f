"""How a document's text is cut into chunks, and the chunks that come of it, not stored yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.conf import settings

from datasources.models import Chunking, Datasource, Document
from formats import ExtractionError
from ingestion.chunks.chunk_quality import kind, quality
from ingestion.chunks.chunking import Piece, join_pages, split
from ingestion.chunks.paragraphs import FEWEST_ROWS, Rows
from ingestion.chunks.section_paths import SectionPaths
from ingestion.models import Chunk, Page, TableRow
from localization.stored import said
from providers.protocols import Embedder
from text.tables.table_lines import is_figure_row


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutting:
    """`size` and `overlap` in characters."""

    kind: Chunking
    size: int
    overlap: int

    @classmethod
    def of(cls, datasource: Datasource) -> Self:
        kind, size, overlap = datasource.chunking, datasource.chunk_size, datasource.chunk_overlap
        return cls(kind=Chunking(kind), size=size, overlap=overlap)


def chunks_of(document: Document, pages: Sequence[Page], cutting: Cutting, embedder: Embedder) -> list[Chunk]:
    """In reading order. `pages`: all of them, in order; `embedder` counts the tokens. Linear time.

    Raises ExtractionError where they would be more than SVQ_MAX_CHUNKS.
    """
    text, starts = join_pages([page.text for page in pages])
    pieces = split(
        text,
        starts,
        size=cutting.size,
        overlap=cutting.overlap,
        by_paragraph=cutting.kind == Chunking.PARAGRAPH,
        tables=_tables_of_words(document, text) if cutting.kind == Chunking.PARAGRAPH else (),
    )
    if len(pieces) > settings.MAX_CHUNKS:
        raise ExtractionError(
            "too_many_chunks",
            said(
                "This file would have {n} passages; {most} are allowed (SVQ_MAX_CHUNKS). None of "
                "it is searched.",
                n=len(pieces),
                most=settings.MAX_CHUNKS,
            ),
        )
    tokens = embedder.count_tokens([piece.text for piece in pieces])
    sections = SectionPaths.of(document)
    return [
        Chunk(
            datasource_id=document.datasource_id,
            document=document,
            index=piece.index,
            text=piece.text,
            start=piece.start,
            end=piece.end,
            first_page=piece.first_page,
            last_page=piece.last_page,
            token_count=count,
            kind=_kind(piece),
            section=sections.at(piece.own),
            quality=quality(piece.text),
        )
        for piece, count in zip(pieces, tokens, strict=True)
    ]


def _tables_of_words(document: Document, text: str) -> list[Rows]:
    """Where the rows of the tables are that their lines do not show: their cells are sentences.

    Tables of figures are told by their lines, which keeps with them their heads and what they are called.
    """
    rows = TableRow.objects.filter(document=document).order_by("start", "end")
    tables: dict[int, list[tuple[int, int]]] = {}
    for table, start, end in rows.values_list("table", "start", "end"):
        tables.setdefault(table, []).append((start, end))
    return [
        spans
        for spans in tables.values()
        if sum(is_figure_row(text[start:end]) for start, end in spans) < FEWEST_ROWS
    ]


def _kind(piece: Piece) -> str:
    """Of a table that is kept whole, what it is, unless it says nothing."""
    told = kind(piece.text)
    return "table" if piece.is_table and told != "boilerplate" else told
