"""The results as the page shows them: passages grouped by their documents, each a link to its page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from django.db.models import Q
from django.urls import reverse
from django.utils.http import urlencode

from datasources.models import Datasource, Document
from ingestion.chunks.section_paths import SectionPaths
from ingestion.models import Page
from reader.search.asked import Asked
from reader.search.excerpts import Excerpt, excerpt
from reader.search.finding import Found, Passage
from reader.search.listing import Listed
from reader.search.matching import very_words
from reader.search.reasons import Reason, reasons
from reader.search.surroundings import texts_before
from retrieval.running_lines import with_running_lines
from text.search.stretches import Stretch

SHOWN = 3  # passages of a document; the others open with a click


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage in the list. `address` is its page in the reader, with the words marked."""

    chunk_id: int
    page: int
    last_page: int
    address: str
    stretches: tuple[Stretch, ...]
    rows: Sequence[Sequence[Sequence[Stretch]]] = ()  # the same in lines and cells, where it is of a table
    section: str = ""  # the headings over what is shown of it
    reasons: tuple[Reason, ...] = ()
    has_words: bool = True  # all that were looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The hits in one document: the first few, and the rest."""

    document: Document
    datasource: Datasource
    hits: tuple[Hit, ...]
    open: int = SHOWN

    @property
    def with_words(self) -> int:
        """How many have all the words that were looked for."""
        return sum(hit.has_words for hit in self.hits)

    @property
    def first(self) -> tuple[Hit, ...]:
        return self.hits[: self.open]

    @property
    def rest(self) -> tuple[Hit, ...]:
        return self.hits[self.open :]


def of_found(found: Found, asked: Asked, *, explained: bool = True) -> list[Group]:
    """The document with the best passage first; `explained`: each with why it is there."""
    before = texts_before([p.evidence.chunk_id for p in found.passages])
    bodies = [each.body for each in with_running_lines([p.evidence for p in found.passages])]
    excerpts = [
        excerpt(body, p.holding.spans, before.get(p.evidence.chunk_id, ""))
        for p, body in zip(found.passages, bodies, strict=True)
    ]
    places = [
        (p.evidence.document_id, p.evidence.start + part.place, p.evidence.first_page)
        for p, part in zip(found.passages, excerpts, strict=True)
    ]
    sections = _sections(places, [p.evidence.section for p in found.passages])
    hits = [
        (
            passage.evidence.document_id,
            _hit(passage, part, page, found if explained else None, asked, section),
        )
        for passage, part, page, section in zip(
            found.passages, excerpts, _pages(places), sections, strict=True
        )
    ]
    return _grouped(hits, {passage.datasource.pk: passage.datasource for passage in found.passages})


def of_listed(listed: Listed, asked: Asked, datasources: Iterable[Datasource]) -> list[Group]:
    """In the order of the list; all of a document's passages are open."""
    before = texts_before([chunk.pk for chunk in listed.chunks])
    excerpts = [
        excerpt(chunk.text, very_words(asked.text, chunk.text), before.get(chunk.pk, ""))
        for chunk in listed.chunks
    ]
    places = [
        (chunk.document_id, chunk.start + part.place, chunk.first_page)
        for chunk, part in zip(listed.chunks, excerpts, strict=True)
    ]
    sections = _sections(places, [chunk.section for chunk in listed.chunks])
    hits = [
        (
            chunk.document_id,
            Hit(
                chunk_id=chunk.pk,
                page=page,
                last_page=chunk.last_page,
                address=address(chunk.datasource_id, chunk.document_id, chunk.pk, page, asked),
                stretches=part.stretches,
                rows=part.rows,
                section=section,
            ),
        )
        for chunk, part, page, section in zip(listed.chunks, excerpts, _pages(places), sections, strict=True)
    ]
    return _grouped(hits, {each.pk: each for each in datasources}, opened=len(hits))


def _hit(passage: Passage, part: Excerpt, page: int, found: Found | None, asked: Asked, section: str) -> Hit:
    evidence, datasource = passage.evidence, passage.datasource.pk
    return Hit(
        chunk_id=evidence.chunk_id,
        page=page,
        last_page=evidence.last_page,
        address=address(
            datasource,
            evidence.document_id,
            evidence.chunk_id,
            page,
            replace(asked, strict=not passage.holding.misspelt),
        ),
        stretches=part.stretches,
        rows=part.rows,
        section=section,
        reasons=tuple(reasons(passage, found.legs, found.searched[datasource])) if found else (),
        has_words=len(passage.holding.held) == len(passage.holding.words),
    )


def _grouped(
    hits: Sequence[tuple[int, Hit]], datasources: Mapping[int, Datasource], opened: int = SHOWN
) -> list[Group]:
    by_document: dict[int, list[Hit]] = {}
    for document, hit in hits:
        by_document.setdefault(document, []).append(hit)
    documents = Document.objects.in_bulk(by_document)
    return [
        Group(
            document=documents[pk],
            datasource=datasources[documents[pk].datasource_id],
            hits=tuple(some),
            open=opened,
        )
        for pk, some in by_document.items()
        if pk in documents
    ]


def address(datasource: int, document: int, chunk: int, page: int, asked: Asked) -> str:
    """The page in the reader, with the passage framed and the words in it marked."""
    marks = urlencode([("page", page), ("chunk", chunk), ("search", asked.query)])
    return f"{reverse('reader', args=[datasource, document])}?{marks}"


def _sections(places: Sequence[tuple[int, int, int]], usual: Sequence[str]) -> list[str]:
    """The headings over each (document, offset in its text): a passage may hold the end of one clause and
    the next ones. usual: those over the passages, for documents without sections.
    """
    paths = SectionPaths.of_all({document for document, _, _ in places})
    return [
        paths[document].at(offset) if document in paths else over
        for (document, offset, _), over in zip(places, usual, strict=True)
    ]


def _pages(places: Sequence[tuple[int, int, int]]) -> list[int]:
    """The page of each (document, offset in its text, first page of the passage)."""
    if not places:
        return []
    starts: dict[int, list[tuple[int, int]]] = {}
    near = reduce(
        or_,
        (Q(document=document, start__lte=offset, number__gte=first) for document, offset, first in places),
    )
    for document, start, number in Page.objects.filter(near).values_list("document_id", "start", "number"):
        starts.setdefault(document, []).append((start, number))
    return [
        max((page for page in starts.get(document, []) if page[0] <= offset), default=(0, first))[1]
        for document, offset, first in places
    ]
