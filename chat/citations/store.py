"""Checks a quotation against the passages that the model was shown, and stores it as a Citation."""

from collections.abc import Callable, Mapping

from django.db import transaction

from chat.citations.match import Located, cuts_word, locate
from chat.citations.parse import Quotation
from chat.citations.support import unsupported
from chat.events import CitationChecked, Step
from chat.models import Citation, Turn, Verdict
from datasources.models import Document
from providers.protocols import Embedder
from reader import page_images
from retrieval.evidence import Evidence


def checked(
    turn: Turn, quotation: Quotation, passages: Mapping[str, Evidence], embedder: Embedder
) -> Citation:
    """The citation with its verdict and its place in the document; not saved."""
    citation = Citation(turn=turn, n=quotation.n, claim=quotation.claim, written=quotation.quote)
    place = find(quotation, passages)
    if place is None:
        citation.verdict = Verdict.NO_SOURCE
        citation.reason = "These words are not in the documents."
        return citation
    passage, located = place
    _put(citation, passage, located)
    citation.reason = doubt(quotation.claim, passage.text, located, embedder)
    citation.verdict = Verdict.NEEDS_EYE if citation.reason else Verdict.VERIFIED
    return citation


def store(citation: Citation, step: Step, log: Callable[[CitationChecked], None]) -> None:
    """Write the row and its event together; the event first, as `log` raises when the turn is not ours."""
    event = CitationChecked(
        n=citation.n, document=citation.document_id, title=citation.document_title, pages=citation.pages,
        quote=citation.quote or citation.written, start=citation.start, end=citation.end,
        verdict=citation.verdict, reason=citation.reason, step=step,
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


def doubt(claim: str, source: str, located: Located, embedder: Embedder) -> str:
    """Why a located quote is not verified; empty when it is."""
    if located.method == "corrected":
        return "The quote was corrected to the page's own words."
    if cuts_word(source, located):
        return "The quote begins or ends inside a word."
    return unsupported(claim, located.quote, embedder)


def _put(citation: Citation, passage: Evidence, located: Located) -> None:
    """Say where in its document the quote stands."""
    citation.document = Document.objects.filter(pk=passage.document_id).first()
    citation.document_title = passage.document_title
    citation.chunk_id_hint = passage.chunk_id
    citation.quote, citation.location = located.quote, located.method
    citation.start, citation.end = passage.start + located.start, passage.start + located.end
    if citation.document:
        boxes = page_images.place(citation.document, citation.start, citation.end)
        citation.boxes = {str(page): rects for page, rects in boxes.items()}
        citation.pages = list(boxes) or [passage.first_page]
