"""Where a row of a bundle says that its quote stands, looked up in the imported document."""

from typing import Any

from citations.place import Place, place_of
from datasources.models import Document
from reader import page_images


def placed(row: Any, document: Document | None) -> Place | None:
    """Where the row, a cell or evidence, says that its quote stands; None where other words stand there.

    Its pages and boxes become those of this place.
    """
    place = place_of(document, row.start, row.end, row.quote)
    if place is not None and document is not None:
        boxes = page_images.place(document, place.start, place.end)
        row.pages, row.boxes = list(boxes), {str(page): rects for page, rects in boxes.items()}
    return place
