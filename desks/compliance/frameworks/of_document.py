"""A framework from a document that SVQ has read: its pages, cut by their numbering."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasources.models import Document
from desks.compliance.frameworks.importing import with_domains
from desks.compliance.frameworks.numbering import cut
from desks.compliance.frameworks.reading.draft import Draft, checked
from formats.base.errors import ExtractionError
from localization.stored import retold

MOST_PAGES = 2_000


def draft_of_document(document: Document) -> Draft:
    """Raises ValidationError where the document is too long or has no numbering."""
    pages = list(document.pages.order_by("number").values_list("text", flat=True)[: MOST_PAGES + 1])
    if len(pages) > MOST_PAGES:
        raise ValidationError(
            _("A document of more than {most_pages} pages cannot be made a list.").format(
                most_pages=f"{MOST_PAGES:,}"
            )
        )
    try:
        return with_domains(checked(cut(document.title, pages)))
    except ExtractionError as error:
        raise ValidationError(f"{retold(error.message)} {retold(error.hint)}", code="unnumbered") from None
