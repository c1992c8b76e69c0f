"""A framework from a document that SVQ has read: its pages, cut by their numbering."""

from django.core.exceptions import ValidationError

from compliance.frameworks.importing import with_domains
from compliance.frameworks.numbering import cut
from compliance.frameworks.reading.draft import Draft, checked
from datasources.models import Document
from formats.base.errors import ExtractionError

MOST_PAGES = 2_000


def draft_of_document(document: Document) -> Draft:
    """Raises ValidationError where the document is too long or has no numbering."""
    pages = list(document.pages.order_by("number").values_list("text", flat=True)[: MOST_PAGES + 1])
    if len(pages) > MOST_PAGES:
        raise ValidationError(f"A document of more than {MOST_PAGES:,} pages cannot be made a framework.")
    try:
        return with_domains(checked(cut(document.title, pages)))
    except ExtractionError as error:
        raise ValidationError(f"{error.message} {error.hint}", code="unnumbered") from None
