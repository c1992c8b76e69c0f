"""The card and the crop of a document's characters from `start` to `end`, for pages that quote it."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasources.models import Document
from datasources.web.pages import find_document, signed_in
from reader import page_images
from reader.web.pictures import picture

LONGEST = 2000  # characters of a passage
PAGES = 2  # of it that are shown


@login_required
@require_safe
def card(request: HttpRequest, pk: int, doc: int, start: int, end: int) -> HttpResponse:
    """What is shown while the pointer rests on a quote."""
    document = find_document(request, pk, doc)
    end = min(end, start + LONGEST)
    crops: list[dict[str, Any]] = []
    for page, boxes in list(_boxes(document, start, end).items())[:PAGES]:
        width, height = page_images.crop_size(document, page, boxes)
        crops.append({"page": page, "width": width, "height": height})
    words = page_images.words(document, start, end)
    context = {
        "document": document,
        "start": start,
        "end": end,
        "crops": crops,
        "quote": words,
        "said_of_pages": page_images.said_of_pages(document),
    }
    return render(request, "reader/_passage_card.html", context)


@login_required
@require_safe
def crop(request: HttpRequest, pk: int, doc: int, start: int, end: int, number: int) -> HttpResponse:
    """WebP of the passage's words on that page, and of what surrounds them."""
    document = find_document(request, pk, doc)
    boxes = _boxes(document, start, min(end, start + LONGEST)).get(number)
    if not boxes:
        raise Http404
    return picture(lambda: page_images.crop(document, number, boxes, asker=signed_in(request).pk))


def _boxes(document: Document, start: int, end: int) -> dict[int, list[list[float]]]:
    if end <= start or not page_images.has_pages(document):
        return {}
    return {page: boxes for page, boxes in page_images.place(document, start, end).items() if boxes}
