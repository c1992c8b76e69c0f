"""Where gold quotes are: found again after a document was replaced, and turned into passages and chunks."""

from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from citations.match import locate
from datasources.models import Document, DocumentStatus
from desks.evaluation.metrics.evidence import Gold, Span, is_gold
from desks.evaluation.models import GoldQuote, Question
from ingestion.chunks.chunking import PAGE_JOINER
from ingestion.models import Chunk, Page

LOOKED_THROUGH = 2_000_000  # characters of a document in which a quote may be written otherwise
_PLACE = ("document_id", "start", "end", "page", "quote", "is_stale")


def text_of(document_id: int) -> str:
    pages = Page.objects.filter(document=document_id).order_by("number")
    return PAGE_JOINER.join(pages.values_list("text", flat=True))


def place(document_id: int, quote: str, text: str | None = None) -> tuple[int, int, int] | None:
    """Start, end and page of a quote in a document; None when it is not there."""
    text = text_of(document_id) if text is None else text
    located = locate(quote, text[:LOOKED_THROUGH], slips=False)
    if located is None or located.method == "corrected":
        start, words = text.find(quote), quote
    else:
        start, words = located.start, located.quote
    if start < 0:
        return None
    page = Page.objects.filter(document=document_id, start__lte=start).order_by("-start").first()
    return start, start + len(words), page.number if page else 1


@transaction.atomic
def find_again(quotes: QuerySet[GoldQuote]) -> None:
    """Put each where its words stand now, in the newest version of its document, or mark it stale.

    Chunks need no such care: a quote is kept by its place in the document's text. The quotes are locked: what
    a purge takes out of them meanwhile must not come back.
    """
    newest: dict[int | None, int | None] = {None: None}
    of_document: dict[int | None, list[GoldQuote]] = defaultdict(list)
    for gold in quotes.select_related("document").select_for_update(of=("self",)).order_by("pk"):
        if gold.document_id not in newest:
            newest[gold.document_id] = _newest(gold.document) if gold.document else None
        of_document[newest[gold.document_id]].append(gold)
    named = [pk for pk in of_document if pk is not None]
    ready = set(Document.objects.ready().filter(pk__in=named).values_list("pk", flat=True))
    for pk, some in of_document.items():
        before = [_place_of(gold) for gold in some]
        text = text_of(pk) if pk in ready and any(gold.quote for gold in some) else ""
        for gold in some:
            gold.document_id = pk
            gold.is_stale = pk not in ready or not _is_there(gold, text)
        changed = [gold for gold, was in zip(some, before, strict=True) if _place_of(gold) != was]
        GoldQuote.objects.bulk_update(changed, _PLACE, batch_size=500)


def _place_of(gold: GoldQuote) -> tuple[object, ...]:
    return tuple(getattr(gold, name) for name in _PLACE)


def _is_there(gold: GoldQuote, text: str) -> bool:
    """Whether the document has it; a quote is put where its words stand now."""
    assert gold.document_id is not None
    if not gold.quote:
        return gold.page is None or has_page(gold.document_id, gold.page)
    if gold.start is not None and text[gold.start : gold.end] == gold.quote:
        return True
    found = place(gold.document_id, gold.quote, text)
    if found is None:
        return False
    gold.start, gold.end, gold.page = found
    gold.quote = text[gold.start : gold.end]
    return True


def has_page(document_id: int, number: int) -> bool:
    return Page.objects.filter(document=document_id, number=number).exists()


def _newest(document: Document) -> int:
    if document.status != DocumentStatus.SUPERSEDED:
        return document.pk
    beside = Document.objects.filter(datasource=document.datasource_id)
    return next(iter(beside.newest_versions([document.pk])), document.pk)


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
