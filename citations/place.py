"""Finds a quote in the documents: in the passages that the model was shown, else around them, else in all of
their documents, else word for word in another document that may be searched.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Max

from citations.match import Method, cuts_word, locate
from citations.parse import Quotation
from datasources.models import Document
from ingestion.chunks.chunking import PAGE_JOINER
from ingestion.models import Chunk, Page
from retrieval.evidence import Evidence, evidence_of
from retrieval.query import Scope
from text.normal_forms.spaceless import count_words
from text.personal.personal_data import mask

CONTEXT = 2_000  # characters on either side, enough for the rest of a sentence
WHOLE_DOCUMENTS = 5  # read for one quote: those of the first passages
WHOLE_CHARACTERS = 2_000_000  # a longer document is read around its passages only
WORDS_ELSEWHERE = 4  # a shorter quote occurs word for word in too many documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A quote in its document; start and end are offsets in the document's text.

    context: the document's text around the quote, across the borders of chunks and pages; the quote begins at
    `at` in it.
    """

    document_id: int
    title: str
    first_page: int
    start: int
    end: int
    method: Method
    quote: str
    context: str
    at: int

    @property
    def cuts_word(self) -> bool:
        """Whether the quote begins or ends inside a word."""
        return cuts_word(self.context, self.at, self.at + len(self.quote))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part of a document's text that begins at `start`; `passage` is of the same document."""

    passage: Evidence
    text: str
    start: int
    slips: bool = False  # whether a quote may differ by a slip of the pen


def find(quotation: Quotation, passages: Mapping[str, Evidence], scope: Scope) -> Place | None:
    """The first place that has the quote; None when there is none."""
    for part in _parts(quotation, passages, scope):
        located = locate(quotation.quote, part.text)
        if located and (part.slips or located.method != "corrected"):
            start = part.start + located.start
            end = start + len(located.quote)
            context, begin = text_around(part.passage.document_id, start, end)
            return Place(
                document_id=part.passage.document_id,
                title=part.passage.document_title,
                first_page=part.passage.first_page,
                start=start,
                end=end,
                method=located.method,
                quote=located.quote,
                context=context,
                at=start - begin,
            )
    return None


def place_of(document: Document | None, start: int | None, end: int | None, quote: str) -> Place | None:
    """The place with the document's own words; None where the quote is neither these nor these masked."""
    if document is None or start is None or end is None:
        return None
    context, begin = text_around(document.pk, start, end)
    words = context[start - begin : end - begin]
    if not words.strip() or (quote != words and quote != mask(words)):  # masking a long one takes a while
        return None
    return Place(
        document_id=document.pk,
        title=document.title,
        first_page=_page_at(document, start),
        start=start,
        end=end,
        method="exact",
        quote=words,
        context=context,
        at=start - begin,
    )


def _page_at(document: Document, start: int) -> int:
    before = document.pages.filter(start__lte=start).order_by("-start")
    return before.values_list("number", flat=True).first() or 1


def _parts(quotation: Quotation, passages: Mapping[str, Evidence], scope: Scope) -> Iterator[_Part]:
    """Where the quote is looked for, the likeliest place first."""
    named = passages.get(quotation.key)
    shown = sorted(passages.values(), key=lambda passage: passage is not named)
    for passage in shown:
        yield _Part(passage=passage, text=passage.text, start=passage.start, slips=passage is named)
    if named:
        text, start = text_around(named.document_id, named.start, named.end)
        yield _Part(passage=named, text=text, start=start)
    first_of = {passage.document_id: passage for passage in reversed(shown)}
    nearest = sorted(first_of.values(), key=shown.index)[:WHOLE_DOCUMENTS]
    for passage in nearest:
        yield _Part(passage=passage, text=_whole_text(passage.document_id), start=0)
    for chunk in _chunks_with(quotation.quote, scope):
        yield _Part(passage=evidence_of(chunk, score=0.0), text=chunk.text, start=chunk.start)


def _whole_text(document_id: int) -> str:
    """Empty for a document that is too long to be read at once."""
    pages = Page.objects.filter(document=document_id)
    if (pages.aggregate(last=Max("start"))["last"] or 0) > WHOLE_CHARACTERS:
        return ""
    return PAGE_JOINER.join(pages.order_by("number").values_list("text", flat=True))


def _chunks_with(quote: str, scope: Scope) -> Iterable[Chunk]:
    """The first chunk that may be searched and has the quote word for word."""
    if count_words(quote) < WORDS_ELSEWHERE:
        return ()
    chunks = scope.chunks().filter(text__contains=quote.strip()).select_related("document")
    return chunks.order_by("document", "index")[:1]


def text_around(document_id: int, start: int, end: int) -> tuple[str, int]:
    """The document's text from CONTEXT before `start` to CONTEXT after `end`, and where it begins."""
    low, high = max(0, start - CONTEXT), end + CONTEXT
    texts: list[str] = []
    begin = 0
    pages = Page.objects.filter(document=document_id, start__lt=high).order_by("-number")
    for begin, text in pages.values_list("start", "text").iterator(chunk_size=20):
        texts.append(text)
        if begin <= low:
            break
    text = PAGE_JOINER.join(reversed(texts))
    first = max(0, low - begin)
    return text[first : high - begin], begin + first
