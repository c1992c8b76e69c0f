"""Documents and pages as the person behind a request may read them."""

from django.http import Http404

from accounts.models import User
from chat.wording import IMPORTED
from datasources.models import Document
from ingestion.models import Page
from text.counted import counted


def document_of(person: User, number: int) -> Document:
    """Replaced versions too: old citations name them. Raises Http404."""
    document = Document.objects.visible_to(person).filter(pk=number).first()
    if document is None:
        raise Http404(f"There is no document {number} that you may read.")
    return document


def page_of(document: Document, number: int) -> Page:
    """Raises Http404."""
    page = document.pages.defer("boxes").filter(number=number).first()
    if page is None:
        pages = counted(document.pages.count(), "page")
        raise Http404(f"Document {document.pk} has {pages}. There is no page {number}.")
    return page


def above(document: Document) -> str:
    """What stands above its text: a line where this server has not read it itself, else nothing."""
    return f"({document.title}: {IMPORTED}.)\n\n" if document.read_elsewhere else ""
