"""The versions that have replaced the documents of citations, and whether the quotes are in them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from chat.models import Citation
from datasources.models import GONE, Document, DocumentStatus
from ingestion.chunks.chunking import PAGE_JOINER
from ingestion.models import Page
from text.normal_forms.normal_form import normal_form
from text.words import letters

MOST_PAGES = 500  # of all newer versions that are looked into for a page of answers: 0.03 s for their letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """What became of a citation's document. is_there: whether the newer version has the quote; None where
    that was not looked up, as there are too many pages.
    """

    newer: Document
    is_there: bool | None


def since(citations: Iterable[Citation]) -> dict[int, Since]:
    """By the citations' primary keys, those whose document was replaced. A few queries for all of them."""
    citations = list(citations)
    prefetch_related_objects(citations, "document")
    replaced = {
        each.pk: each
        for each in citations
        if each.quote and each.document and each.document.status == DocumentStatus.SUPERSEDED
    }
    newest = successors({each.document_id for each in replaced.values() if each.document_id})
    texts = _letters_of(newest.values())
    found: dict[int, Since] = {}
    for pk, citation in replaced.items():
        newer = newest.get(citation.document_id or 0)
        if newer is not None:
            text = texts.get(newer.pk)
            is_there = None if text is None else letters(citation.quote).casefold() in text
            found[pk] = Since(newer=newer, is_there=is_there)
    return found


def successors(replaced: Collection[int]) -> dict[int, Document]:
    """The newest versions of documents, by the numbers of those; none of one whose successor was deleted."""
    at = {number: number for number in replaced}  # how far each was followed
    found: dict[int, Document] = {}
    while at:
        following = {
            document.replaces_id: document
            for document in Document.objects.published().filter(replaces__in=set(at.values()))
        }
        steps = [(number, following[place]) for number, place in at.items() if place in following]
        found |= {number: newer for number, newer in steps if newer.status not in GONE}
        at = {number: newer.pk for number, newer in steps if newer.status == DocumentStatus.SUPERSEDED}
    return found


def successor(citation: Citation) -> Document | None:
    """None when the document was not replaced, or its successors were deleted."""
    number = citation.document_id
    return successors([number]).get(number) if number else None


def _letters_of(documents: Iterable[Document]) -> Mapping[int, str]:
    """The letters of their pages, joined; empty where these are more than MOST_PAGES."""
    numbers = {document.pk: document.page_count or 0 for document in documents}
    if not numbers or sum(numbers.values()) > MOST_PAGES:
        return {}
    texts = dict.fromkeys(numbers, "")
    pages = Page.objects.filter(document__in=numbers).order_by("document", "number")
    for document, text in pages.values_list("document", "text"):
        texts[document] += letters(text).casefold()
    return texts


def page_of(quote: str, document: Document) -> int | None:
    """Where the quote begins, None where it is not found. Reads the whole text, which may take seconds."""
    sought = normal_form(quote)[0]
    pages = list(document.pages.order_by("number").values_list("number", "text", "start"))
    text, places = normal_form(PAGE_JOINER.join(text for _, text, _ in pages))
    position = text.find(sought) if sought else -1
    if position < 0:
        return None
    begins = int(places[position])
    return max((start, number) for number, _, start in pages if start <= begins)[1]
