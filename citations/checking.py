"""Checks a quotation of an answer against the documents, and its claim against the quote."""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext_noop

from citations.checked import CheckedQuote
from citations.choices import OnPage, Support
from citations.entailed import ChosenModel, opinion_if_any
from citations.opinion import Opinion
from citations.parse import Quotation
from citations.place import Place, find
from citations.place_in_file import place_in_file
from citations.settled import CUTS_WORD, Settled, settled, settled_by_code
from citations.support import check_support
from datasources.models import Document
from datasources.short_names import short_names
from reader import page_images
from retrieval.evidence import Evidence
from retrieval.query import Scope


def check(
    quotation: Quotation,
    passages: Mapping[str, Evidence],
    scope: Scope,
    chosen: ChosenModel,
    *,
    claims: bool = True,
) -> CheckedQuote:
    """The quote with its place in the document and what it means for the claim.

    `chosen`: the model of entailment, looked up once for all quotes of the answer. `claims`: False where the
    answer only quotes.
    """
    claim = quotation.claim if claims else ""
    written = CheckedQuote(n=quotation.n, claim=claim, written=quotation.quote)
    place = find(quotation, passages, scope)
    if place is None:
        return replace(
            written,
            on_page=OnPage.ABSENT,
            reason=gettext_noop("These words were not found in the documents that were searched."),
        )
    found = placed(written, place)
    return with_claim_checked(found, place, chosen) if claim else found


def placed(quote: CheckedQuote, place: Place) -> CheckedQuote:
    """With the place of the quote in its document. Asks the database."""
    cited_as = short_names([place.document_id]).get(place.document_id, "")[:300]
    found = replace(
        quote,
        document_title=place.title,
        cited_as=cited_as,
        quote=place.quote,
        on_page=place.method,
        start=place.start,
        end=place.end,
    )
    document = Document.objects.filter(pk=place.document_id).first()
    if document is None:
        return replace(found, document_id=None)
    here = document.chunks.filter(start__lte=place.start, end__gt=place.start)
    chunk, heading = here.order_by("-start").values_list("pk", "section").first() or (None, "")
    boxes = page_images.place(document, place.start, place.end)
    pages = list(boxes) or [place.first_page]
    return replace(
        found,
        document_id=document.pk,
        chunk=chunk,
        heading=heading,
        boxes={str(page): rects for page, rects in boxes.items()},
        pages=pages,
        place_in_file=place_in_file(document, pages[0], place.start, place.end),
    )


def with_claim_checked(quote: CheckedQuote, place: Place, chosen: ChosenModel) -> CheckedQuote:
    """With what code and the entailment model say of whether the located quote supports the claim."""
    found = check_support(quote.claim, place.quote, place.context, place.at)
    verdict = settled_by_code(found, cuts_word=place.cuts_word)
    objections = tuple(each.text for each in found.objections)
    checked = replace(
        quote,
        support=verdict.support,
        confirmed_by=verdict.confirmed_by,
        reason=verdict.reason,
        checks=[one.as_json() for one in found.checks],
        before=found.before,
        after=found.after,
        objections=(CUTS_WORD, *objections) if place.cuts_word else objections,
    )
    model = chosen()
    if model is None or checked.support == Support.CONTRADICTED:
        return checked
    return with_opinion(checked, opinion_if_any(model, checked.statement))


def with_opinion(quote: CheckedQuote, opinion: Opinion | None) -> CheckedQuote:
    """With what a reader says of it, and the verdict that follows. None: it could not be asked."""
    if opinion is None:
        return quote
    before = Settled(support=quote.support, confirmed_by=quote.confirmed_by, reason=quote.reason)
    after = settled(before, quote.objections, opinion)
    # Another reader can't overrule a doubt.
    objections = (*quote.objections, opinion.doubt) if opinion.doubt else quote.objections
    return replace(
        quote,
        support=after.support,
        confirmed_by=after.confirmed_by,
        reason=after.reason,
        reader=opinion.model[:200],
        judge=opinion.as_json(),
        objections=objections,
    )
