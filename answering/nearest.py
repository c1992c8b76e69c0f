"""The passages that came nearest when nothing answers a question: of each, the sentence or row to show."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from answering.extractive.candidates import Candidate, Passage, candidates
from datasources.models import Document
from ingestion.chunks.chunking import page_at
from ingestion.models import Page
from providers.protocols import Embedder
from retrieval.engine import retrieve
from retrieval.engine.embedders import AskedOnce
from retrieval.evidence import Evidence
from retrieval.query import Leg, Query, Scope
from retrieval.tables import markdown, with_tables
from text.search.excerpt import ELLIPSIS, excerpt
from text.tables.table_lines import lacks_label

PASSAGES = 3
NEAR = 0.3  # cosine from which a passage is about what is asked
LOOKED_AT = 6  # passages, some of which may have nothing that can be read alone
PARTS = 25  # of a passage that are compared with the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A passage, and its part that is nearest to the question, in the document's words and with its pages."""

    passage: Evidence
    text: str
    pages: list[int]


def nearest(scope: Scope, question: str, embedder: Embedder) -> list[Near]:
    """By words and meaning, whatever was searched for the answer. Raises ProviderError."""
    embedder = AskedOnce(embedder)  # the search embeds the question as well
    asked = embedder.embed_questions([question])[0]
    found = retrieve(Query(text=question, k=LOOKED_AT), scope, embedder).evidence
    passages = with_tables([replace(each, score=likeness_of(each)) for each in found])
    parts = [readable_alone(passage)[:PARTS] for passage in passages]
    texts = [_with_heading(part) for each in parts for part in each]
    likeness = iter(embedder.embed(texts) @ asked) if texts else iter(())
    near = []
    for passage, each in zip(passages, parts, strict=True):
        ranked = sorted(((float(next(likeness)), -at) for at in range(len(each))), reverse=True)
        if ranked:
            near.append((passage, each[-ranked[0][1]]))
    if near:
        return [
            Near(passage=passage, text=shown(part), pages=pages_of(passage, part.start, part.end))
            for passage, part in near[:PASSAGES]
        ]
    return [
        Near(passage=passage, text=excerpt(passage.text), pages=pages_of(passage, 0, len(passage.text)))
        for passage in passages[:PASSAGES]
    ]


def likeness_of(passage: Evidence) -> float:
    """Its cosine to the question."""
    return passage.legs[Leg.DENSE].score if Leg.DENSE in passage.legs else 0.0


def pages_of(passage: Evidence, start: int, end: int) -> list[int]:
    """The pages, from 1, on which passage.text[start:end] stands; a passage may run over several."""
    if passage.first_page == passage.last_page:
        return [passage.first_page]
    pages = Page.objects.filter(
        document=passage.document_id, number__range=(passage.first_page, passage.last_page)
    )
    starts = list(pages.order_by("number").values_list("start", flat=True))
    first, last = (page_at(starts, passage.start + at) for at in (start, max(start, end - 1)))
    return [passage.first_page - 1 + number for number in range(first, last + 1)]


def readable_alone(passage: Evidence) -> list[Candidate]:
    """Sentences, and rows with a label under the heads of their columns."""
    keyed = Passage(
        key="",
        document=passage.document_title,
        text=passage.text,
        score=passage.score,
        table=markdown(passage, passage.text),
        table_heads=passage.table_heads,
    )
    return [
        part
        for part in candidates([keyed])
        if part.kind != "row" or (part.heads and not lacks_label(part.quote))
    ]


def _with_heading(part: Candidate) -> str:
    return f"{part.around} {part.text}".strip()


def shown(part: Candidate) -> str:
    if part.kind == "row":
        return _row(part)
    before, after = f"{ELLIPSIS} " * part.cut_before, f" {ELLIPSIS}" * part.cut_after
    return f"{before}{part.text}{after}"


def _row(part: Candidate) -> str:
    """Each cell behind its head, where it is known which one that is."""
    if not part.columns:
        return f"{part.heads}: {part.row}"
    named = zip(part.columns, part.row_cells, strict=False)
    return "; ".join(f"{head}: {cell}" if head else cell for head, cell in named if cell)


def still_there(near: Sequence[Near]) -> list[dict[str, Any]]:
    """The passages, as the turn's JSON has them, whose documents have not gone meanwhile.

    The documents are locked to the end of the transaction: a purge takes such passages away, so it comes
    before this or after it.
    """
    locked = Document.objects.select_for_update(no_key=True).order_by("pk")
    present = set(
        locked.filter(pk__in={one.passage.document_id for one in near}).values_list("pk", flat=True)
    )
    return [
        {
            "document": passage.document_id,
            "title": passage.document_title,
            "chunk": passage.chunk_id,
            "pages": one.pages,
            "text": one.text,
            "score": passage.score,
        }
        for one in near
        if (passage := one.passage).document_id in present
    ]
