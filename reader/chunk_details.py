"""What the chunk page shows of one document's chunks and of the opened chunk."""

from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from datasources.masking import shown
from datasources.models import Document
from graph.models import Entity
from ingestion.chunks import chunk_quality
from ingestion.chunks.table_markdown import cell_texts
from ingestion.models import Chunk, TableRow
from ingestion.structure.values import RowKind
from reader import outline, page_images, ribbon
from reader.page_boxes import blocks
from summaries.models import ChunkSummary

ENTITIES = 10


def of_document(
    document: Document, opened: Chunk | None, first: Chunk | None, asked: int | None, *, asker: int
) -> dict[str, Any]:
    """The ribbon, the facts, and a page with its chunks as blocks: the one asked for or that of `first`."""
    pages = page_spans(document)
    every = list(document.chunks.defer("text").order_by("index"))
    number = asked or (first.first_page if first else 1)
    page = document.pages.filter(number=number).first()
    here = [chunk for chunk in every if page and chunk.first_page <= page.number <= chunk.last_page]
    at = next((chunk.index for chunk in every if opened and chunk.pk == opened.pk), -1)
    return {
        "ribbon": ribbon.draw(
            every, pages, opened, [(each.start, each.name) for each in outline.listed(document)]
        ),
        "facts": facts(every),
        "page": page,
        "page_count": len(pages),
        "drawn": page is not None
        and page.width > 0
        and page_images.can_draw(document, page.number, asker=asker),
        "said_of_pages": page_images.said_of_pages(document),
        "placed": [(chunk, blocks(page, chunk)) for chunk in here] if page else [],
        "before": every[at - 1] if at > 0 else None,
        "after": every[at + 1] if -1 < at + 1 < len(every) else None,
    }


def page_spans(document: Document) -> list[ribbon.PageSpan]:
    """The pages in order, measured by the database: the texts of a long document stay there."""
    measured = document.pages.annotate(end=F("start") + Length("text")).order_by("number")
    return [ribbon.PageSpan(**span) for span in measured.values("number", "start", "end")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Of one document's chunks. overlap: share of its characters that stand in two chunks."""

    count: int
    tokens: float
    overlap: float
    quality: float
    poor: int


def facts(every: list[Chunk]) -> Facts | None:
    if not every:
        return None
    shared = sum(max(0, a.end - b.start) for a, b in pairwise(every))
    return Facts(
        count=len(every),
        tokens=median(chunk.token_count for chunk in every),
        overlap=100 * shared / max(1, every[-1].end),
        quality=median(chunk.quality for chunk in every),
        poor=sum(chunk.quality < ribbon.POOR for chunk in every),
    )


def of_chunk(chunk: Chunk) -> dict[str, Any]:
    """The opened chunk: its text with what its neighbours share, its entities, its quality in parts."""
    neighbours = chunk.document.chunks.filter(index__in=(chunk.index - 1, chunk.index + 1))
    shared_before = shared_after = 0
    for neighbour in neighbours.only("document", "index", "start", "end"):
        if neighbour.index < chunk.index:
            shared_before = max(0, neighbour.end - chunk.start)
        else:
            shared_after = max(0, chunk.end - neighbour.start)
    middle = max(shared_before, len(chunk.text) - shared_after)
    told = ChunkSummary.objects.filter(chunk=chunk).first()
    return {
        "summary": shown(told.text, told.datasource_id) if told else "",
        "shared_before": chunk.text[:shared_before],
        "own": chunk.text[shared_before:middle],
        "shared_after": chunk.text[middle:],
        "entities": entities(chunk),
        "worth": worth(chunk.text),
        "tables": tables(chunk),
    }


def entities(chunk: Chunk) -> QuerySet[Entity]:
    """The entities that the graph found in the chunk, those with most mentions first."""
    ids = chunk.entitymentions.filter(live=True).values("named__entity")
    return Entity.objects.filter(pk__in=ids, hidden=False).order_by("-mention_count", "name")[:ENTITIES]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """The rows of one table that the chunk has a part of; cells are in the order of the heads."""

    title: str
    heads: list[str]
    rows: list[list[str]]


def tables(chunk: Chunk) -> list[ShownTable]:
    rows = TableRow.objects.filter(
        document=chunk.document_id, kind=RowKind.DATA, start__lt=chunk.end, end__gt=chunk.start
    ).select_related("table")
    shown = []
    for table, group in groupby(rows.order_by("start"), key=lambda row: row.table):
        title = " ".join(filter(None, (table.caption, table.unit))) or _("Table on page {n}").format(
            n=table.page
        )
        cells = [cell_texts(chunk.text, chunk.start, row) for row in group]
        shown.append(ShownTable(title=title, heads=table.heads, rows=cells))
    return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One term of the quality: weight * value, and what the value measures."""

    weight: float
    name: str
    value: float
    meaning: str


def worth(text: str) -> list[Part]:
    return [
        Part(
            weight=chunk_quality.RICHNESS_WEIGHT,
            name=_("richness"),
            value=chunk_quality.vocabulary_richness(text),
            meaning=_("how many different words it uses"),
        ),
        Part(
            weight=chunk_quality.DENSITY_WEIGHT,
            name=_("density"),
            value=chunk_quality.information_density(text),
            meaning=_("how much of it is words and figures that carry meaning"),
        ),
        Part(
            weight=chunk_quality.COMPLETENESS_WEIGHT,
            name=_("completeness"),
            value=chunk_quality.completeness(text),
            meaning=_("whether it begins and ends as whole sentences do"),
        ),
    ]
