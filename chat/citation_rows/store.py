"""Checks a quotation against the documents, and stores it as a Citation."""

from collections.abc import Callable, Mapping

from django.db import transaction

from chat.citation_rows.second_opinion import statement_of, take_opinion
from chat.events import CitationChecked, Step
from chat.models import DOCUMENT_DELETED, Citation, Turn
from citations.choices import OnPage, Support
from citations.entailed import ChosenModel, opinion_if_any
from citations.parse import Quotation
from citations.place import Place, find
from citations.place_in_file import place_in_file
from citations.settled import CUTS_WORD, settled_by_code
from citations.support import check_support
from datasources.models import Document
from datasources.short_names import short_names
from reader import page_images
from retrieval.evidence import Evidence
from retrieval.query import Scope


def checked(
    turn: Turn,
    quotation: Quotation,
    passages: Mapping[str, Evidence],
    scope: Scope,
    chosen: ChosenModel,
) -> Citation:
    """The citation with its place in the document and what it means for the claim; not saved.

    `chosen`: the model of entailment, looked up once for all citations of the answer.
    """
    claim = "" if turn.quotes_only else quotation.claim
    citation = Citation(turn=turn, n=quotation.n, claim=claim, written=quotation.quote)
    place = find(quotation, passages, scope)
    if place is None:
        citation.on_page = OnPage.ABSENT
        citation.reason = "These words were not found in the documents that were searched."
        return citation
    put(citation, place)
    if claim:
        check_claim(citation, place, chosen)
    return citation


def store(citation: Citation, step: Step, log: Callable[[CitationChecked], None]) -> None:
    """Write the row and its event together; the event first, as `log` raises when the turn is not ours."""
    with transaction.atomic():
        _forget_deleted(citation)
        log(_event(citation, step))
        citation.save()


def _forget_deleted(citation: Citation) -> None:
    """Keep only the quote if the document was purged meanwhile; otherwise lock it until the commit."""
    if citation.document_id is None:
        return
    locked = Document.objects.select_for_update(no_key=True).filter(pk=citation.document_id)
    if not list(locked.values_list("pk")):
        citation.document, citation.before, citation.after, citation.place_in_file = None, "", "", ""
        citation.checks, citation.judge = [], {}
        citation.reason = citation.reason and DOCUMENT_DELETED


def _event(citation: Citation, step: Step) -> CitationChecked:
    return CitationChecked(
        n=citation.n,
        document=citation.document_id,
        title=citation.document_title,
        pages=citation.pages,
        quote=citation.quote or citation.written,
        start=citation.start,
        end=citation.end,
        on_page=citation.on_page,
        support=citation.support,
        confirmed_by=citation.confirmed_by,
        reader=citation.reader,
        reason=citation.reason,
        checks=citation.checks,
        judge=citation.judge,
        before=citation.before,
        after=citation.after,
        step=step,
    )


def revise(citation: Citation, step: Step, log: Callable[[CitationChecked], None]) -> None:
    """Store what a second opinion has changed. `log` raises when the turn is not ours."""
    with transaction.atomic():
        _forget_deleted(citation)
        log(_event(citation, step))
        citation.save(update_fields=["support", "confirmed_by", "reader", "reason", "judge"])


def check_claim(citation: Citation, place: Place, chosen: ChosenModel) -> None:
    """Check by code and the entailment model whether the located quote supports the claim; not saved."""
    check = check_support(citation.claim, place.quote, place.context, place.at)
    verdict = settled_by_code(check, cuts_word=place.cuts_word)
    citation.support, citation.confirmed_by = verdict.support, verdict.confirmed_by
    citation.reason = verdict.reason
    citation.checks = [one.as_json() for one in check.checks]
    citation.before, citation.after = check.before, check.after
    citation.objections = tuple(each.text for each in check.objections)
    if place.cuts_word:
        citation.objections = (CUTS_WORD, *citation.objections)
    if (model := chosen()) and citation.support != Support.CONTRADICTED:
        take_opinion(citation, opinion_if_any(model, statement_of(citation)))


def put(citation: Citation, place: Place) -> None:
    """Set the place of the quote in its document; not saved."""
    citation.document = Document.objects.filter(pk=place.document_id).first()
    citation.document_title = place.title
    citation.cited_as = short_names([place.document_id]).get(place.document_id, "")[:300]
    citation.quote, citation.on_page = place.quote, place.method
    citation.start, citation.end = place.start, place.end
    if citation.document:
        here = citation.document.chunks.filter(start__lte=place.start, end__gt=place.start)
        chunk = here.order_by("-start").values_list("pk", "section").first()
        citation.chunk_id_hint, citation.heading = chunk or (None, "")
        boxes = page_images.place(citation.document, place.start, place.end)
        citation.boxes = {str(page): rects for page, rects in boxes.items()}
        citation.pages = list(boxes) or [place.first_page]
        citation.place_in_file = place_in_file(citation.document, citation.pages[0], place.start, place.end)
