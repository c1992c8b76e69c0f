"""Where a citation's words stand in the version that has replaced its document."""

from dataclasses import dataclass

from chat.models import Citation
from chat.scope import newest_versions
from datasources.models import Document
from ingestion.chunking import PAGE_JOINER
from text.normal_form import normal_form


@dataclass(frozen=True, slots=True, kw_only=True)
class NewerVersion:
    """page: where the quote's words begin in it, None when they are not in it."""

    document: Document
    page: int | None


def newer_version(citation: Citation) -> NewerVersion | None:
    """None when the document was not replaced, or its successors were deleted."""
    old = citation.document
    if old is None:
        return None
    newest = newest_versions(old.datasource_id, [old.pk]) - {old.pk}
    document = Document.objects.filter(pk__in=newest).order_by("-version").first()
    return NewerVersion(document=document, page=_page_of(document, citation.quote)) if document else None


def _page_of(document: Document, quote: str) -> int | None:
    sought = normal_form(quote)[0]
    pages = list(document.pages.order_by("number").values_list("number", "text", "start"))
    text, places = normal_form(PAGE_JOINER.join(text for _, text, _ in pages))
    position = text.find(sought) if sought else -1
    if position < 0:
        return None
    begins = int(places[position])
    return max((start, number) for number, _, start in pages if start <= begins)[1]
