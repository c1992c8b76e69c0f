"""Where gold quotes stand: found again after a document was replaced, and turned into passages and chunks."""

from collections.abc import Iterable, Sequence

from django.db.models import Q

from chat.citations.match import locate
from chat.scope import newest_versions
from datasources.models import Document, DocumentStatus
from evaluation.metrics.evidence import Gold, Span, is_gold
from evaluation.models import GoldQuote, Question
from ingestion.chunking import PAGE_JOINER
from ingestion.models import Chunk, Page

WHOLE = 2_000_000  # characters of a document in which a quote is looked for


def text_of(document_id: int) -> str:
    """The document's text; of a very long one its beginning."""
    pages = Page.objects.filter(document=document_id).order_by("number")
    return PAGE_JOINER.join(pages.values_list("text", flat=True))[:WHOLE]


def place(document_id: int, quote: str, text: str | None = None) -> tuple[int, int, int] | None:
    """Start, end and page of a quote in a document; None when it is not there."""
    text = text_of(document_id) if text is None else text
    start, words = text.find(quote), quote
    if start < 0:
        located = locate(quote, text)
        if located is None or located.method == "corrected":
            return None
        start, words = located.start, located.quote
    page = Page.objects.filter(document=document_id, start__lte=start).order_by("-start").first()
    return start, start + len(words), page.number if page else 1


def find_again(quotes: Iterable[GoldQuote]) -> None:
    """Put each where its words stand now, in the newest version of its document, or mark it stale.

    Chunks need no such care: a quote is kept by its place in the document's text.
    """
    texts: dict[int, str] = {}
    for gold in quotes:
        pk = _newest(gold.document) if gold.document else None
        if pk is None:
            _mark(gold, stale=True)
            continue
        gold.document_id = pk
        if not Document.objects.ready().filter(pk=pk).exists():
            _mark(gold, stale=True)
        elif not gold.quote:
            _mark(gold, stale=gold.page is not None and not has_page(pk, gold.page))
        else:
            texts[pk] = texts[pk] if pk in texts else text_of(pk)
            _put(gold, pk, texts[pk])


def has_page(document_id: int, number: int) -> bool:
    return Page.objects.filter(document=document_id, number=number).exists()


def _newest(document: Document) -> int:
    if document.status != DocumentStatus.SUPERSEDED:
        return document.pk
    return next(iter(newest_versions(document.datasource_id, [document.pk])), document.pk)


def _put(gold: GoldQuote, document_id: int, text: str) -> None:
    """Where its words stand in the document now."""
    if gold.start is None or text[gold.start : gold.end] != gold.quote:
        found = place(document_id, gold.quote, text)
        if found is None:
            _mark(gold, stale=True)
            return
        gold.start, gold.end, gold.page = found
        gold.quote = text[gold.start : gold.end]
    _mark(gold, stale=False)


def _mark(gold: GoldQuote, *, stale: bool) -> None:
    gold.is_stale = stale
    gold.save(update_fields=["document", "start", "end", "page", "quote", "is_stale"])


def gold_of(question: Question) -> list[Gold]:
    """What proves the answer of a question, as spans; stale quotes are none."""
    spans = []
    for gold in question.gold.all():
        if gold.is_stale or gold.document_id is None:
            continue
        if span := _span(gold):
            spans.append(Gold(piece=gold.piece, span=span))
    return spans


def _span(gold: GoldQuote) -> Span | None:
    assert gold.document_id is not None
    if gold.start is not None and gold.end is not None:
        return Span(document=gold.document_id, start=gold.start, end=gold.end)
    pages = Page.objects.filter(document=gold.document_id)
    pages = pages.filter(number=gold.page) if gold.page else pages
    bounds = [(start, start + len(text)) for start, text in pages.values_list("start", "text")]
    if not bounds:
        return None
    return Span(document=gold.document_id, start=min(bounds)[0], end=max(end for _, end in bounds))


def gold_pages(question: Question) -> list[tuple[int, tuple[int, int]]]:
    """(piece, (document, page)) of each place that names a page."""
    return [
        (gold.piece, (gold.document_id, gold.page))
        for gold in question.gold.all()
        if gold.document_id is not None and gold.page is not None and not gold.is_stale
    ]


def gold_chunks(gold: Sequence[Gold]) -> set[int]:
    """The chunks that are in the gold set, as the documents are split now."""
    near = Q(pk__in=[])
    for each in gold:
        span = each.span
        near |= Q(document=span.document, start__lt=span.end, end__gt=span.start)
    return {
        pk
        for pk, document, start, end in Chunk.objects.filter(near).values_list(
            "pk", "document", "start", "end"
        )
        if is_gold(Span(document=document, start=start, end=end), gold)
    }
