"""Pictures of pages as answers to a browser, which keeps them."""

from collections.abc import Callable

from django.http import Http404, HttpResponse

from datasources.models import Document
from formats import ExtractionError
from ingestion.models import Page
from jobs.fair_slots import Busy
from reader import page_images
from reader.page_images import KEEP


def page_picture(document: Document, number: int, *, asker: int) -> HttpResponse:
    """The whole page without marks. Raises Http404."""
    if not page_images.has_pages(document):
        raise Http404
    return picture(lambda: page_images.page_image(document, number, asker=asker))


def picture(draw: Callable[[], bytes]) -> HttpResponse:
    """WebP; 429 while too many are drawn for the same person. Raises Http404."""
    try:
        content = draw()
    except Busy as busy:
        return HttpResponse(status=429, headers={"Retry-After": str(busy.wait)})
    except (Page.DoesNotExist, ExtractionError, OSError):
        raise Http404 from None
    return HttpResponse(content, content_type="image/webp", headers={"Cache-Control": KEEP})
