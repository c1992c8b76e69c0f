"""The version that has replaced a citation's document, and where the quote is in it."""

from chat.models import Citation
from chat.scope import newest_versions
from datasources.models import Document
from ingestion.chunks.chunking import PAGE_JOINER
from text.normal_forms.normal_form import normal_form


def successor(citation: Citation) -> Document | None:
    """None when the document was not replaced, or its successors were deleted."""
    old = citation.document
    if old is None:
        return None
    newest = newest_versions(old.datasource_id, [old.pk]) - {old.pk}
    return Document.objects.filter(pk__in=newest).order_by("-version").first()


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
