"""Checks a quotation against the passages that the model was shown, and stores it as a Citation."""

from collections.abc import Callable, Mapping

from django.db import transaction

from chat.citations.match import Located, cuts_word, locate
from chat.citations.parse import Quotation
from chat.citations.support import check_support
from chat.events import CitationChecked, Step
from chat.models import Citation, OnPage, Support, Turn
from datasources.models import Document
from providers.protocols import Embedder
from reader import page_images
from retrieval.evidence import Evidence


def checked(
    turn: Turn, quotation: Quotation, passages: Mapping[str, Evidence], embedder: Embedder
) -> Citation:
    """The citation with its place in the document and what it means for the claim; not saved."""
    citation = Citation(turn=turn, n=quotation.n, claim=quotation.claim, written=quotation.quote)
    place = find(quotation, passages)
    if place is None:
        citation.on_page = OnPage.ABSENT
        citation.reason = "These words are not in the documents."
        return citation
    passage, located = place
    _put(citation, passage, located)
    if not turn.quotes_only:
        _judge(citation, passage.text, located, embedder)
    return citation


def store(citation: Citation, step: Step, log: Callable[[CitationChecked], None]) -> None:
    """Write the row and its event together; the event first, as `log` raises when the turn is not ours."""
    event = CitationChecked(
        n=citation.n, document=citation.document_id, title=citation.document_title, pages=citation.pages,
        quote=citation.quote or citation.written, start=citation.start, end=citation.end,
        on_page=citation.on_page, support=citation.support, reason=citation.reason, checks=citation.checks,
        judge=citation.judge, before=citation.before, after=citation.after, step=step,
    )  # fmt: skip
    with transaction.atomic():
        log(event)
        citation.save()


def find(quotation: Quotation, passages: Mapping[str, Evidence]) -> tuple[Evidence, Located] | None:
    """The quote in the passage that the model named; else in another that it was shown."""
    named = passages.get(quotation.key)
    others = [passage for passage in passages.values() if passage is not named]
    for passage in [named, *others] if named else others:
        located = locate(quotation.quote, passage.text)
        if located and (passage is named or located.method != "corrected"):
            return passage, located
    return None


def _judge(citation: Citation, source: str, located: Located, embedder: Embedder) -> None:
    """Say whether the located quote supports the claim."""
    check = check_support(citation.claim, located.quote, source, embedder)
    citation.support, citation.reason = check.support, check.reason
    citation.checks = [one.as_json() for one in check.checks]
    citation.before, citation.after = check.before, check.after
    if check.support == Support.SUPPORTED and cuts_word(source, located):
        citation.support, citation.reason = Support.NEEDS_EYE, "The quote begins or ends inside a word."


def _put(citation: Citation, passage: Evidence, located: Located) -> None:
    """Say where in its document the quote stands."""
    citation.document = Document.objects.filter(pk=passage.document_id).first()
    citation.document_title = passage.document_title
    citation.chunk_id_hint = passage.chunk_id
    citation.quote, citation.on_page = located.quote, located.method
    citation.start, citation.end = passage.start + located.start, passage.start + located.end
    if citation.document:
        boxes = page_images.place(citation.document, citation.start, citation.end)
        citation.boxes = {str(page): rects for page, rects in boxes.items()}
        citation.pages = list(boxes) or [passage.first_page]
