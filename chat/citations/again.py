"""Checks stored citations again, where somebody else has written the rows: an imported datasource's.

What this server says of a quote and its claim, and signs, is what its own code has found.
"""

import re

from chat.citations.opinion import Answers
from chat.citations.place import Place, text_around
from chat.citations.store import check_claim
from chat.citations.verdict import verdict_of
from chat.models import Citation, ConfirmedBy, OnPage, Support, Turn
from reader import page_images

MASKED = re.compile(r"‹[^‹›]{1,40} masked›")
NOT_THERE = "These words are not where the imported file says that they are."
MASKED_IN = "Words of it are masked, so the claim cannot be checked again."


def check_turn_again(turn: Turn) -> None:
    """All citations of the answer, and the verdict on it."""
    citations = list(turn.citations.select_related("document", "turn"))
    for citation in citations:
        check_again(citation)
        citation.save()
    if turn.verdict:
        unsourced = int(turn.verdict.get("unsourced") or 0)
        turn.write(verdict=verdict_of(citations, unsourced, Answers.UNKNOWN).as_json())


def check_again(citation: Citation) -> None:
    """Whether its words stand where it says, and what they mean for the claim; not saved. A model's opinion
    is forgotten: nobody here has heard it.
    """
    citation.support, citation.confirmed_by, citation.reason = Support.NONE, ConfirmedBy.NOBODY, ""
    citation.reader, citation.checks, citation.judge = "", [], {}
    if citation.on_page == OnPage.ABSENT:
        return
    if citation.document is None or citation.start is None or citation.end is None:
        return _lose(citation)
    context, begin = text_around(citation.document.pk, citation.start, citation.end)
    at = citation.start - begin
    words = context[at : citation.end - begin]
    if not says(words, citation.quote):
        return _lose(citation)
    if citation.on_page == OnPage.EXACT and citation.written != citation.quote:
        citation.on_page = OnPage.CORRECTED
    boxes = page_images.place(citation.document, citation.start, citation.end)
    citation.pages, citation.boxes = list(boxes), {str(page): rects for page, rects in boxes.items()}
    if citation.claim and words != citation.quote:
        citation.support, citation.reason = Support.NEEDS_EYE, MASKED_IN
    elif citation.claim:
        place = Place(
            document_id=citation.document.pk,
            title=citation.document_title,
            first_page=citation.pages[0] if citation.pages else 1,
            start=citation.start,
            end=citation.end,
            method="exact",
            quote=words,
            context=context,
            at=at,
        )
        check_claim(citation, place, lambda: None)


def says(words: str, quote: str) -> bool:
    """Whether a quote, in which personal data may be masked, is these words of a document."""
    if not quote or not words:
        return False
    parts = MASKED.split(quote)
    if len(parts) == 1:
        return words == quote
    at = len(parts[0])
    if not words.startswith(parts[0]):
        return False
    for part in parts[1:-1]:
        found = words.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(words) - at >= len(parts[-1]) and words.endswith(parts[-1])


def _lose(citation: Citation) -> None:
    citation.on_page, citation.reason = OnPage.ABSENT, NOT_THERE
    citation.quote, citation.start, citation.end = "", None, None
    citation.pages, citation.boxes, citation.place_in_file = [], {}, ""
    citation.before = citation.after = ""
